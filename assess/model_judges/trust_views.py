"""The report on model judges as a part of their page: verdict, figures and tables. Pandas is imported inside."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assess.errors import Refused
from assess.jobs.pending import Pending
from assess.model_judges.choices import ModelChoices, choices_of
from assess.model_judges.trust_figures import FIGURES, WITH_WIDTH, drawable
from assess.models import Member
from assess.web.figures.page import Asked
from assess.web.figures.shown import ShownFigure, ShownTable, figure_files, shown_figure, table_files
from assess.web.figures.tables import Column, Table
from assess.web.requests import SignedInRequest
from assess.web.research.waiting import progress_of
from pooling.words import count

if TYPE_CHECKING:
    from agreement.trust import TrustReport
    from agreement.trust.gaming.reranking import Reranking
    from assess.model_judges.to_grade import PageReport

VERDICTS = {
    "safe": ("safe", "good"),
    "safe_except_top": ("safe, except among the best {top}", "fair"),
    "not_safe": ("not safe", "dubious"),
    "too_early": ("too early to say", "quiet"),
}
FLAGGED = "flagged"
WORDS = {True: "good", False: "fair"}  # the class of a tag
OF_MODELS = (
    Column("model", "model", "text"),
    Column("words", "verdict", "text"),
    Column("n_topics", "topics", "count"),
    Column("tau_b", "tau_b, all grades", "share"),
    Column("difference", "from another person, same documents", "share"),
    Column("kappa", "kappa, relevant or not", "share"),
    Column("passes", "annotator test", "text"),
    Column("first_by_judge", "runs that can buy first place", "count"),
    Column("first_by_people", "first for people", "count"),
)
OF_TESTS = (
    Column("test", "test", "text"),
    Column("effect", "effect", "share"),
    Column("interval", "95% interval", "number"),
    Column("p_adjusted", "corrected p", "p"),
    Column("result", "result", "band"),
)
OF_SCORES = (
    Column("system", "system", "system"),
    Column("model_alone", "model alone", "share"),
    Column("value", "corrected"),
    Column("classical", "people alone", "share"),
    Column("saved_by_design", "saved by design", "share"),
    Column("saved_by_model", "saved by the model", "share"),
    Column("reason", "note", "text"),
)
OF_CORRECTED_RANKING = (
    Column("model", "model", "text"),
    Column("tau_b", "tau_b with corrected scores", "share"),
    Column("pairs", "pairs of systems", "count"),
    Column("decided", "decided", "count"),
    Column("same_order", "same order", "count"),
    Column("opposite_order", "opposite order", "count"),
    Column("best_corrected", "best, corrected", "system"),
    Column("best_model", "best, model alone", "system"),
)
OF_GOALS = (
    Column("aim", "goal", "text"),
    Column("grades", "grades", "count"),
    Column("hours", "further hours", "seconds"),
)
OF_PLAN = (
    Column("goal", "goal", "text"),
    Column("design", "design", "text"),
    Column("judge", "", "text"),
    Column("grades", "grades", "count"),
    Column("q10", "10%", "count"),
    Column("q90", "90%", "count"),
    Column("further", "further", "count"),
    Column("hours", "hours", "share"),
)
OF_TO_GRADE = (
    Column("query_id", "topic", "topic"),
    Column("doc_id", "document", "text"),
    Column("model_grade", "grade of the model", "count"),
    Column("gain", "gain", "change"),
    Column("why", "why", "text"),
)
OF_RUNS = (
    Column("system", "system", "system"),
    Column("rank", "rank for people", "count"),
    Column("rank_by_judge", "re-ranked, for the model", "count"),
    Column("rank_by_people", "re-ranked, for people", "count"),
    Column("score_by_people", "score for people", "share"),
    Column("reranked_by_people", "re-ranked, score for people", "share"),
)
CAPTIONS = {
    "verdicts": "tau_b of the rankings of all systems under the model and under {people}, with all grades of both. The "
    "difference, as in the verdict, is from another person, on the documents that this person and {people} graded. "
    "Kappa is Cohen's with {people}. A run can buy first place if it is first under the model after re-ranking by it.",
    "tests": "Intervals and p-values over topics; p corrected for the number of tests (Holm). Flagged: this p is below "
    "0.05, and the effect is a fault.",
    "reranked": "Each run alone is re-ranked by the model among the others as they are.",
    "corrected_ranking": "tau_b of the model alone with the corrected scores, whose errors lower it. A pair is decided "
    "if the interval of its corrected difference does not contain 0.",
    "corrected": "Scores by the model alone, and corrected by the drawn documents that people graded, with 95% "
    "intervals for these topics. Saved: shares of the grades, by the design alone and by the model beyond it.",
    "enough": "Grades in all, and hours for those that people have not given yet.",
    "to_grade": "Documents that the model graded and people did not. Gain: how far a grade of people is expected to "
    "change the differences of mean scores, summed over the pairs of systems. Grades of the first documents cannot "
    "correct scores: for that, draw documents.",
    "plan": "Median of the simulations, and 10% and 90% of them.",
}


def trust_part(request: SignedInRequest, member: Member, choices: ModelChoices) -> dict[str, Any]:
    """Return what the page shows of the report: the job while it is computed, or why there is none."""
    from assess.model_judges.trust import trust_key, trust_or_pending  # loads pandas

    key = trust_key(member.collection, choices)
    try:
        report = trust_or_pending(member.collection, request.user, choices, key)
    except Pending as pending:
        return progress_of(pending.job, member)
    except Refused as refusal:
        return {"no_report": refusal}
    if report is None or choices.judge not in report.gaming:
        return {}
    shown = _Shown(report, choices, member.collection.slug, key)
    corrections = report.corrections
    notes = [*report.notes, *(corrections.notes if corrections.scores else ())]
    return {
        "report": report,
        "notes": notes,
        "figures": shown.figures(),
        "tables": shown.tables(),
        **_verdict(report, choices.judge),
    }


@dataclass(frozen=True)
class _Shown:
    """The figures and tables of a report. `key` is that of the report in the cache of results."""

    report: "PageReport"
    choices: ModelChoices
    slug: str
    key: str

    def figures(self) -> dict[str, ShownFigure]:
        labels = drawable(self.report, self.choices.judge)
        return {name: self._figure(name, label) for name, label in labels.items()}

    def _figure(self, name: str, label: str) -> ShownFigure:
        def draw(width: float) -> bytes:
            place: dict[str, Any] = {"title": ""} | ({"width": width} if name in WITH_WIDTH else {})
            return FIGURES[name](self.report, self.choices.judge, "svg", **place)

        files = figure_files("trust_figure", self.slug, name, query=self.choices.query())
        has_width = name in WITH_WIDTH
        return shown_figure(name, label, draw, self.key, self.choices.judge, files=files, is_phone_drawn=has_width)

    def tables(self) -> dict[str, ShownTable]:
        tables = {name: make(self.report, self.choices.judge) for name, make in TABLES.items()}
        query = self.choices.query()
        return {
            name: ShownTable(table, table_files("trust_table", self.slug, name, query=query))
            for name, table in tables.items()
            if table is not None
        }


def _verdict(report: "TrustReport", judge: str) -> dict[str, Any]:
    """The verdict in words, and in short what stands beside it."""
    found = next(verdict for verdict in report.verdicts if verdict.model == judge)
    words, css = VERDICTS[found.kind]
    return {
        "verdict": found,
        "verdict_words": words.format(top=report.ranking.top),
        "verdict_class": css,
        "tags": [*([("few topics: interval not reliable", "fair")] if found.caution else []), *_tags(report, judge)],
        "enough": _enough(report, judge),
        "corrected": next((row.sentence for row in report.corrections.ranking.itertuples() if row.model == judge), ""),
    }


def _enough(report: "TrustReport", judge: str) -> ShownTable | None:
    """The cheapest way to each goal of the plan."""
    if judge not in report.corrections.plans:
        return None
    return ShownTable(Table("enough", report.corrections.plans[judge].cheapest(), OF_GOALS, CAPTIONS["enough"]), [])


def _tags(report: "TrustReport", judge: str) -> list[tuple[str, str]]:
    """What stands beside the verdict: a text and its class each."""
    compared = report.ranking.against_people
    rows = compared[(compared["model"] == judge) & (compared["systems"] == "all")] if len(compared) else compared
    tags = [(f"{count(int(topics), 'topic')} in common with another person", "") for topics in rows.get("n_topics", [])]
    if (kappa := report.agreement.kappa(judge)) is not None:
        people = report.agreement.people_kappas()
        among = "" if people is None else f"; other people {people[0]:.2f} to {people[1]:.2f}"
        basis = f"Cohen's kappa with {report.reference}, relevant from {report.agreement.threshold(judge):g} on"
        tags.append((f"{basis}: {kappa:.2f}{among}", ""))
    if (passes := report.annotator_tests[0].passes(judge)) is not None:
        tags.append(("passes the annotator test" if passes else "does not pass the annotator test", WORDS[passes]))
    again = report.gaming[judge].reranking
    can_buy = f"{again.first_by_judge} of {count(len(again.systems), 'run')} can buy first place"
    return [*tags, (can_buy, "good" if not again.first_by_judge else "fair")]


def verdicts_table(report: "TrustReport", _: str) -> Table:
    frame = report.to_frame()
    words = [VERDICTS[kind][0].format(top=report.ranking.top) for kind in frame["verdict"]]
    passes = ["" if value is None else "passes" if value else "does not pass" for value in frame["passes"]]
    caption = CAPTIONS["verdicts"].format(people=report.reference)
    return Table("verdicts", frame.assign(words=words, passes=passes), OF_MODELS, caption)


def tests_table(report: "TrustReport", judge: str) -> Table:
    tests = report.gaming[judge]
    flagged = set(tests.flagged())
    frame = tests.to_frame().astype({"reason": object}).fillna({"reason": "", "sentence": ""})
    rows: list[Any] = frame.to_dict("records")
    return Table(
        "tests",
        frame.assign(
            interval=[_limits(row["low"], row["high"]) for row in rows],
            result=[_result(row, flagged, tests.reranking) for row in rows],
            words=[row["sentence"] or f"undefined: {row['reason']}" for row in rows],
        ),
        OF_TESTS,
        CAPTIONS["tests"],
    )


def _result(row: Mapping[str, Any], flagged: Set[str], again: "Reranking") -> str:
    if row["reason"] or row["test"] in flagged:
        return row["reason"] or FLAGGED
    if row["test"] == "re-ranking":
        return f"{again.first_by_judge} of {count(len(again.systems), 'run')} become first"
    return "" if row["p"] is None or row["p"] != row["p"] else "no fault found"


def _limits(low: Any, high: Any) -> str:
    known = [end for end in (low, high) if end is not None and end == end]
    return f"{low:.3f} to {high:.3f}" if len(known) == 2 else ""


def reranked_table(report: "TrustReport", judge: str) -> Table:
    return Table("reranked", report.gaming[judge].reranking.systems, OF_RUNS, CAPTIONS["reranked"])


def corrected_ranking_table(report: "TrustReport", _: str) -> Table | None:
    frame = report.corrections.ranking
    if frame.empty:
        return None
    return Table("corrected_ranking", frame, OF_CORRECTED_RANKING, CAPTIONS["corrected_ranking"])


def corrected_table(report: "TrustReport", judge: str) -> Table | None:
    scores = report.corrections.scores.get(judge)
    if scores is None:
        return None
    frame = scores.to_frame()
    limits = {"value_low": frame["low"], "value_high": frame["high"]}
    return Table("corrected", frame.assign(**limits), OF_SCORES, CAPTIONS["corrected"])


def plan_table(report: "TrustReport", judge: str) -> Table | None:
    plan = report.corrections.plans.get(judge)
    return None if plan is None else Table("plan", plan.to_frame(), OF_PLAN, f"{CAPTIONS['plan']} {plan.summary()}")


def to_grade_table(report: "PageReport", judge: str) -> Table | None:
    found = report.to_grade.get(judge)
    if found is None:
        return None
    first = (
        f"The first {len(found.pairs):,} of {count(found.n_pairs, 'document')}. "
        if len(found.pairs) < found.n_pairs
        else ""
    )
    grades = found.pairs.astype({"model_grade": "int64"})
    return Table("to_grade", grades, OF_TO_GRADE, f"{first}{CAPTIONS['to_grade']} {found.summary}")


TABLES = {
    "verdicts": verdicts_table,
    "tests": tests_table,
    "reranked": reranked_table,
    "corrected_ranking": corrected_ranking_table,
    "corrected": corrected_table,
    "plan": plan_table,
    "to_grade": to_grade_table,
}


def asked_report(asked: Asked) -> tuple["PageReport", str]:
    """Return the report and the model of a download, or raise Pending while a job computes the report."""
    from assess.model_judges.trust import trust_or_pending  # loads pandas

    choices = choices_of(asked.request.GET, asked.member.collection)
    report = trust_or_pending(asked.member.collection, asked.request.user, choices)
    if report is None or choices.judge not in report.gaming:
        raise Refused("There is no report yet: it needs runs, grades of a model and grades of people.")
    return report, choices.judge
