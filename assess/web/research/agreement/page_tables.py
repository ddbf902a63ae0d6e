"""The tables of the agreement pages: which columns they show, and where their numbers lead."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.http import QueryDict
from django.urls import reverse

from agreement.thresholds import Thresholds
from assess.access import RESEARCHERS
from assess.analysis.documents.filters import ANY
from assess.analysis.query import Filters
from assess.analysis.selection import Selection
from assess.analysis.thresholds import thresholds_of
from assess.collections.scale import lowest_relevant_grade
from assess.models import Member
from assess.web.figures.tables import PRELIMINARY, Column, Row, Table
from assess.web.research.agreement.links import document_filters, documents_url, filter_query

if TYPE_CHECKING:
    import pandas as pd

    from agreement import HeldOut
    from assess.analysis.agreement import AgreementFigures
    from assess.analysis.judges.habits import JudgesFigures
    from assess.analysis.judges.time import TimeFigures

P_A = Column("percent_agreement", "P(A)")
POOLED = Column("pooled_kappa", "pooled kappa")
UNPOOLED = Column("cohen_kappa", "unpooled (Cohen)")
Link = Callable[[Row], str]
INTERVALS = "± is the farther limit of a 95% interval: a jackknife that leaves out each topic once."


@dataclass(frozen=True)
class Viewer:
    """Who looks at a page, with which filters."""

    member: Member
    query: QueryDict
    selection: Selection
    thresholds: Thresholds

    @classmethod
    def from_query(cls, member: Member, query: QueryDict, filters: Filters | None = None) -> "Viewer":
        """Read the filters. Unknown values are refused."""
        selection = (filters or Filters(member.collection)).selection(query)
        return cls(member, query, selection, thresholds_of(query))

    @cached_property
    def ids(self) -> dict[str, int]:
        return dict(self.member.collection.members.values_list("name", "pk"))

    @cached_property
    def filters(self) -> str:
        return filter_query(self.query)

    def pair_url(self, a: str, b: str) -> str:
        return reverse("research:pair", args=[self.member.collection.slug, self.ids[a], self.ids[b]]) + self.filters

    def documents(self, **parameters: Any) -> str:
        """Return the address of a list of documents; empty for instructors, who may not open it."""
        if self.member.role not in RESEARCHERS:
            return ""
        filters = document_filters(self.query, self.selection.rel)
        return documents_url(self.member.collection, **filters | parameters)

    @property
    def weighted(self) -> list[Column]:
        """The column of weighted kappa; none if two grades are compared, where it is the unpooled kappa."""
        if self.selection.rel is not None:
            return []
        return [Column("weighted_kappa", f"weighted kappa ({self.selection.weights})")]


def pairs_of_matrix(figures: "AgreementFigures") -> Table:
    """The pairs as the page with a matrix needs them: only how many there are."""
    return Table("pairs", figures.pairs, ())


def pairs_table(viewer: Viewer, figures: "AgreementFigures") -> Table:
    """Every pair with a document in common."""
    data = figures.pairs.rename(columns={"assessor_a": "judge_a", "assessor_b": "judge_b"})
    data.insert(0, "pair", data["judge_a"] + " and " + data["judge_b"])
    early = [figures.summary.is_early(a, b) for a, b in zip(data["judge_a"], data["judge_b"], strict=True)]
    for name in ("pooled_kappa_band", "cohen_kappa_band"):
        bands = zip(early, data[name], strict=True)
        data[name] = [f"{band}{PRELIMINARY}" if is_early and band else band for is_early, band in bands]

    def unjudged(what: str) -> Link:
        return lambda row: viewer.documents(judge_a=row["judge_a"], judge_b=row["judge_b"], unjudged=what)

    columns = [
        Column("pair", "judges", "text", lambda row: viewer.pair_url(row["judge_a"], row["judge_b"])),
        Column("n", "n", "count", lambda row: viewer.documents(judge_a=row["judge_a"], judge_b=row["judge_b"])),
        Column("cannot_judge", "cannot judge", "count", unjudged("cannot_judge")),
        Column("later", "later", "count", unjudged("later")),
        P_A,
        POOLED,
        Column("pooled_kappa_band", "band", "band"),
        Column("pooled_kappa", "pooled kappa, interval", "range"),
        UNPOOLED,
        Column("cohen_kappa_band", "band of unpooled", "band"),
        *viewer.weighted,
        Column("topics", "topics", "count"),
    ]
    caption = (
        "n is the number of documents that both judged. All topics count in one table. “Cannot judge” and “later” "
        "count documents that both received and that one or both could not judge or postponed. They are not part of "
        f"any figure. {viewer.thresholds.tag_of_judges().capitalize()}. {INTERVALS}"
    )
    return Table("pairs", data, columns, caption)


def means_table(viewer: Viewer, figures: "AgreementFigures") -> Table:
    """The means over topics of every pair, with what enters them."""
    data = figures.means.rename(columns={"assessor_a": "judge_a", "assessor_b": "judge_b"})
    data.insert(0, "pair", data["judge_a"] + " and " + data["judge_b"])
    columns = [
        Column("pair", "judges", "text", lambda row: viewer.pair_url(row["judge_a"], row["judge_b"])),
        Column("pooled_kappa_n", "n", "count"),
        Column("pooled_kappa_n_topics", "topics", "count"),
        Column("pooled_kappa_left_out", "topics left out", "count"),
        Column("pooled_kappa_observed", "P(A)"),
        POOLED,
        UNPOOLED,
    ]
    caption = (
        "Each figure is the mean of the values of the topics. n, topics and P(A) are those of the topics that enter "
        "the mean. Topics in which both judges gave only one and the same grade have no kappa and are left out."
    )
    return Table("means", data, columns, caption)


def together_table(viewer: Viewer, figures: "AgreementFigures") -> Table:
    """All judges together."""
    from agreement.intervals.defaults import DIFFERENT_DOCUMENTS  # importing pandas takes a moment

    def documents(row: Row) -> str:
        is_mean = row["n_averaged"] is not None
        return "" if is_mean else viewer.documents(shared="yes", kind=viewer.selection.kind)

    columns = [
        Column("coefficient", "coefficient", "text"),
        Column("value", "value"),
        Column("observed", "P(A)", "share"),
        Column("n", "n", "count", documents),
        Column("n_averaged", "pairs", "count"),
        Column("left_out", "left out", "text"),
        Column("band", "band", "text"),
    ]
    data = figures.together
    if figures.summary.preliminary:
        known = data["band"].astype(object)
        data = data.assign(band=known.where(known.isna(), known.map(lambda band: f"{band}{PRELIMINARY}")))
    caption = (
        "n counts documents with two or more judgements; for a mean, a document counts once for each pair. Chance is "
        "computed from the same documents, so that documents of one judge change nothing. Pairs "
        f"without a value are left out of a mean. {INTERVALS}"
    )
    if data["warnings"].str.contains(DIFFERENT_DOCUMENTS, regex=False).any():
        caption += f" {DIFFERENT_DOCUMENTS}."
    return Table("together", data, columns, caption)


def intraclass_table(_viewer: Viewer, figures: "AgreementFigures") -> Table:
    """The six intraclass correlations."""
    limits = {"low": "value_low", "high": "value_high", "reason": "value_reason"}
    columns = [
        Column("kind", "coefficient", "text"),
        Column("value", "value"),
        Column("n", "n", "count"),
        Column("n_dropped", "left out", "count"),
        Column("meaning", "reliability of", "text"),
    ]
    caption = (
        "Intraclass correlations. The grades count as numbers. n counts the documents that all judges judged; those "
        "that only some of them judged are left out. ± is the farther limit of a 95% interval from the F distribution."
    )
    return Table("intraclass", figures.intraclass.rename(columns=limits), columns, caption)


def enough_table(_viewer: Viewer, figures: "AgreementFigures") -> Table:
    """The coefficients that the mean of 1, 2, ... judges reaches."""
    from agreement.reports.added_statistics import study_frame  # loads pandas
    from agreement.reports.enough_judges import basis_sentence

    columns = [
        Column("n_judges", "judges", "count"),
        Column("generalisability", "generalisability", "share"),
        Column("dependability", "dependability", "share"),
    ]
    return Table("enough", study_frame(figures.study), columns, basis_sentence(figures.study))


def reference_table(viewer: Viewer, figures: "AgreementFigures") -> Table | None:
    """Each judge against the reference."""
    if figures.reference is None or figures.against is None:
        return None
    judge, gold = figures.reference.judge, figures.reference.name
    rel = viewer.selection.rel
    threshold = lowest_relevant_grade(viewer.member.collection) if rel is None else rel

    def documents(row: Row) -> str:
        other = {"judge_b": judge} if judge else {"gold": gold, "grade": ANY}
        return viewer.documents(judge_a=row["judge"], **other)

    columns = [
        Column("judge", "judge", "text", (lambda row: viewer.pair_url(row["judge"], judge)) if judge else None),
        Column("kind", "kind", "text"),
        Column("n", "n", "count", documents),
        P_A,
        POOLED,
        UNPOOLED,
        Column("cohen_kappa", "unpooled, interval", "range"),
        *viewer.weighted,
        Column("krippendorff_alpha", "alpha"),
        Column("bias", "bias"),
        Column("precision", "precision"),
        Column("recall", "recall"),
    ]
    level = "ordinal" if rel is None else "nominal"
    caption = (
        f"Reference: {figures.reference.label}. Alpha is Krippendorff's, {level}. Bias, precision and recall count "
        f"documents from grade {threshold} on as relevant; bias is above 0 for a judge who is more lenient than the "
        f"reference. {INTERVALS}"
    )
    return Table("reference", figures.against, columns, caption)


def topics_table(viewer: Viewer, data: "pd.DataFrame") -> Table:
    """Every topic, averaged over the pairs of judges."""
    columns = [
        Column("query_id", "topic", "topic"),
        Column("n_pairs", "pairs", "count"),
        Column("left_out", "left out", "text"),
        Column("n", "n", "count", lambda row: viewer.documents(topic=row["query_id"])),
        P_A,
        POOLED,
        UNPOOLED,
    ]
    caption = (
        "Average over the pairs of judges who both judged in the topic and whose kappa is defined. n counts a document "
        "once for each pair."
    )
    return Table("topics", data.assign(left_out=data["left_out"].str.replace(" left out", "")), columns, caption)


def golds_table(_viewer: Viewer, figures: "HeldOut") -> Table:
    """Each rule of golds."""
    names = {"equal": "equal", "difference": "from the best", "log_loss": "log loss"}
    columns = [Column("rule", "rule", "text"), Column("n", "n", "count"), Column("n_undecided", "not decided", "count")]
    for name, heading in names.items():
        columns.append(Column(name, heading, "share"))
        columns += [Column(f"{name}_{end}", f"{heading}, {end}", "share") for end in ("from", "to")]
    caption = (
        f"n judgements were set aside in folds (seed {figures.seed}), and each rule made its gold from the others. "
        f"Equal is the share that has the grade of the gold, with a 95% interval over {figures.over}; a mistake of all "
        "judges counts as right. Log loss is lower if the rule finds the judgements more probable."
    )
    data = figures.to_frame()
    data = data[data["n"] > 0]
    data.columns = data.columns.str.replace("_low", "_from").str.replace("_high", "_to")
    return Table("golds", data, columns, caption)


def judges_table(viewer: Viewer, figures: "JudgesFigures") -> Table:
    """What each judge did."""

    def of_grade(grade: int) -> Link:
        return lambda row: viewer.documents(judge_a=row["judge"], grade_a=grade, rel="all")

    columns = [
        Column("judge", "judge", "text"),
        Column("kind", "kind", "text"),
        Column("judged", "judged", "count", lambda row: viewer.documents(judge_a=row["judge"])),
        *(Column(f"grade_{grade}", f"grade {grade}", "count", of_grade(grade)) for grade in figures.scale),
        Column("cannot_judge", "cannot judge", "count", lambda row: viewer.documents(cannot_judge=row["judge"])),
        Column("later", "later", "count", lambda row: viewer.documents(later=row["judge"])),
        Column("seconds", "median seconds", "seconds"),
        Column("pooled_kappa", "pooled kappa with the others"),
        Column("pooled_kappa", "drawn", "range"),
    ]
    caption = (
        "“Median seconds” is the active time for a document that was graded or marked as “cannot judge”, if it was "
        "recorded. The last column compares each judge with the majority of the others; documents on which the others "
        "are tied do not count."
    )
    return Table("judges", figures.judges, columns, caption)


def pace_table(viewer: Viewer, figures: "TimeFigures") -> Table:
    """The pace of each judge whose time is known, next to the agreement with the others; the fastest judge first."""
    known = figures.judges.judges.dropna(subset="seconds").sort_values("seconds", kind="stable", ignore_index=True)
    columns = [
        Column("judge", "judge", "text"),
        Column("judged", "judged", "count", lambda row: viewer.documents(judge_a=row["judge"])),
        Column("seconds", "median seconds", "seconds"),
        Column("pooled_kappa", "pooled kappa with the others"),
    ]
    data = known[["judge", "judged", "seconds", "pooled_kappa", "pooled_kappa_reason"]]
    caption = "“Median seconds” is as on the page of the judges. Kappa is that with the majority of the other judges."
    return Table("pace", data, columns, caption)


def repeats_table(viewer: Viewer, figures: "JudgesFigures") -> Table:
    """The agreement of judges with themselves."""
    columns = [
        Column("judge", "judge", "text"),
        Column("n", "judged twice", "count", lambda row: viewer.documents(repeated=row["judge"])),
        P_A,
        POOLED,
        UNPOOLED,
    ]
    return Table("repeats", figures.repeats, columns, "Documents that a judge judged again without being informed.")


def time_table(viewer: Viewer, figures: "TimeFigures") -> Table:
    """Agreement in the order of judging."""

    def documents(row: Row) -> str:
        return viewer.documents(window=row["window"], kind=viewer.selection.kind)

    columns = [
        Column("window", "window", "count"),
        Column("first_at", "from", "time"),
        Column("last_at", "to", "time"),
        Column("items", "documents", "count", documents),
        Column("n", "n", "count"),
        Column("n_pairs", "pairs", "count"),
        Column("left_out", "left out", "text"),
        Column("observed", "P(A)"),
        POOLED,
        Column("pooled_kappa", "pooled kappa, drawn", "range"),
    ]
    caption = (
        "The time of a document is that of its last judgement; imported judgements have the time of their file or of "
        "the import. Kappa is the mean over the pairs of judges; n counts a document once for each pair."
    )
    return Table("time", figures.windows, columns, caption)


# The page whose figures a table shows, and the function that makes it.
TABLES: Mapping[str, tuple[str, Callable[[Viewer, Any], Table | None]]] = {
    "pairs": ("agreement", pairs_table),
    "means": ("agreement", means_table),
    "together": ("agreement", together_table),
    "intraclass": ("agreement", intraclass_table),
    "enough": ("agreement", enough_table),
    "reference": ("agreement", reference_table),
    "golds": ("golds", golds_table),
    "topics": ("topics", topics_table),
    "judges": ("judges", judges_table),
    "repeats": ("judges", repeats_table),
    "time": ("time", time_table),
    "pace": ("time", pace_table),
}
