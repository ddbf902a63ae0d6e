"""How far model judges agree with people, next to what people reach among themselves.

The reference is the first person. Each model and each other person is compared with it on the pairs that both judged,
with the coefficients and intervals of `agreement.diagnostics.against_reference`: jackknife over topics.

Grades that are not comparable. Relevance is compared at a threshold: `rel` for people and for models with the grades of
people; a model with other grades has a threshold of its own. A model whose grades are only 0 and 1 has 1, which is
stated. A model with fractions needs one (`model_rel`). Coefficients of grades (weighted kappa, alpha, by grade,
confusion) need grades of the scale; otherwise the row has a reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.diagnostics.against_reference import against_reference
from agreement.effectiveness.gold_grades import highest_of
from agreement.ratings import Ratings
from agreement.trust.gaming.finding import TopicMean
from agreement.trust.grade_table import GradeTable
from pooling.inputs import Input
from pooling.result import Result
from pooling.text_tables import rounded

Threshold = float | Mapping[str, float] | None
NOT_ON_SCALE = "grades are not those of the scale"
NO_THRESHOLD = "fractions, and no threshold declared"
LIMITS = ("low", "high")


@dataclass(frozen=True, eq=False, repr=False)
class PeopleAgreement(Result):
    """The agreement of models with people; returned by `agreement_with_people`.

    Attributes
    ----------
    frame : DataFrame
        One row for each model and each other person: judge, kind, threshold, n, n_topics; at the threshold
        percent_agreement, pooled_kappa and cohen_kappa; of the grades weighted_kappa (linear) and krippendorff_alpha
        (ordinal); bias (share of documents that only the judge finds relevant, less those that only the reference
        does); each but the first five with _low and _high; and reason.
    by_grade : DataFrame
        judge, grade, n and kappa of "this grade or higher" against the reference, with low and high.
    by_topic : DataFrame
        judge, query_id, n, percent_agreement and cohen_kappa at the threshold (missing if undefined).
    confusion : DataFrame
        judge, grade of the reference, grade of the judge, and n.
    over_rating : DataFrame
        judge, grade of the reference, n, difference (mean grade of the judge minus this grade) with low and high over
        topics, and higher, the share of documents that the judge grades higher.
    reference : str
    rel : float
    confidence : float
    """

    frame: pd.DataFrame
    by_grade: pd.DataFrame
    by_topic: pd.DataFrame
    confusion: pd.DataFrame
    over_rating: pd.DataFrame
    reference: str
    rel: float
    confidence: float

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        names = ("by_grade", "by_topic", "confusion", "over_rating")
        return {"agreement": self.frame} | {f"agreement_{name}": getattr(self, name) for name in names}

    def kappa(self, judge: str) -> float | None:
        """Cohen's kappa of a judge with the reference at the threshold; None if it is undefined."""
        value = self.frame.loc[self.frame["judge"] == judge, "cohen_kappa"].astype("Float64").iloc[0]
        return None if pd.isna(value) else float(value)

    def threshold(self, judge: str) -> float | None:
        """Lowest grade of a judge that counts as relevant; None if none is known."""
        value = self.frame.loc[self.frame["judge"] == judge, "threshold"].iloc[0]
        return None if pd.isna(value) else float(value)

    def has_grades(self, judge: str) -> bool:
        """Whether a judge has the grades of the scale."""
        return bool(self.frame.loc[self.frame["judge"] == judge, "reason"].isna().iloc[0])

    def confusion_of(self, judge: str) -> pd.DataFrame:
        """How often the reference gave a grade (row) and the judge another (column); empty if it has other grades."""
        rows = self.confusion[self.confusion["judge"] == judge]
        return rows.pivot_table(index="reference_grade", columns="grade", values="n", aggfunc="sum", fill_value=0)

    def people_kappas(self) -> tuple[float, float] | None:
        """The lowest and the highest kappa of other people with the reference; None without them."""
        values = self.frame.loc[self.frame["kind"] == "person", "cohen_kappa"].dropna().astype(float)
        return (float(values.min()), float(values.max())) if len(values) else None

    def summary(self) -> str:
        """The model with the highest kappa, and the range of people."""
        models = self.frame[(self.frame["kind"] == "model") & self.frame["cohen_kappa"].notna()]
        if models.empty:
            return f"No model can be compared with {self.reference}."
        best = models.sort_values("cohen_kappa", ascending=False, kind="stable").iloc[0]
        people = self.people_kappas()
        among = "" if people is None else f"; other people {people[0]:.2f} to {people[1]:.2f}"
        return (
            f"{best['judge']} agrees most with {self.reference}: Cohen's kappa {best['cohen_kappa']:.2f} on"
            f" {best['n']:,} documents{among}."
        )

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        columns = ["judge", "kind", "n", "percent_agreement", "cohen_kappa", "weighted_kappa", "krippendorff_alpha"]
        return rounded(self.frame[[*columns, "bias"]])


def agreement_with_people(
    people: Mapping[str, Input],
    models: Mapping[str, Input],
    *,
    scale: Sequence[float],
    rel: float,
    model_rel: Threshold = None,
    confidence: float = 0.95,
) -> PeopleAgreement:
    """Measure how far models agree with people.

    Parameters
    ----------
    people, models : mapping of str to table, path or dictionary
        The grades of each judge: query_id, doc_id, relevance. The first person is the reference.
    scale : sequence of float
        The grades of people, lowest first.
    rel : float
        Lowest grade of people that counts as relevant.
    model_rel : float or mapping of str to float, optional
        Lowest grade of a model that counts as relevant: one for all, or by name.
    confidence : float, optional
        Level of the intervals, between 0 and 1.

    Returns
    -------
    PeopleAgreement

    Raises
    ------
    ValueError
        A judge has no grade or two for a document, a grade of people is not on the scale, or `model_rel` names another
        judge.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import agreement_with_people
    >>> pairs = pd.DataFrame([(f"{q}", f"d{d}") for q in range(6) for d in range(5)], columns=["query_id", "doc_id"])
    >>> nist, llm = (pairs.assign(relevance=[(i * step) % 3 for i in range(30)]) for step in (1, 4))
    >>> found = agreement_with_people({"nist": nist}, {"llm": llm}, scale=(0, 1, 2), rel=1)
    >>> found.to_frame()[["judge", "n", "cohen_kappa", "krippendorff_alpha"]]
      judge   n  cohen_kappa  krippendorff_alpha
    0   llm  30          1.0                 1.0
    """
    table = GradeTable.of(people, models)
    highest_of(scale)
    _refuse_off_scale(table, scale)
    thresholds = _thresholds(table, rel, model_rel)
    judges = [*models, *table.people[1:]]
    frame = pd.DataFrame({"judge": judges, "kind": ["model"] * len(models) + ["person"] * (len(table.people) - 1)})
    frame["threshold"] = pd.Series([thresholds[judge] for judge in judges], dtype="Float64")
    on_scale = [judge for judge in judges if judge in people or _has_grades_of(table.grades(judge), scale)]
    frame = frame.merge(_at_threshold(table, thresholds, confidence), on="judge", how="left")
    frame = frame.merge(_of_grades(table, on_scale, scale, confidence), on="judge", how="left")
    frame = frame.astype({"n": "Int64", "n_topics": "Int64"})
    frame["reason"] = pd.Series([_reason(judge, thresholds, on_scale) for judge in judges], dtype="object")
    return PeopleAgreement(
        frame,
        _by_grade(table, on_scale, scale, confidence),
        _by_topic(table, thresholds, [judge for judge in judges if thresholds[judge] is not None]),
        _confusion(table, on_scale),
        _over_rating(table, on_scale, confidence),
        table.people[0],
        rel,
        confidence,
    )


def _refuse_off_scale(table: GradeTable, scale: Sequence[float]) -> None:
    for person, grades in zip(table.people, table.people_grades, strict=True):
        wrong = grades[~np.isnan(grades) & ~np.isin(grades, scale)]
        if len(wrong):
            listed = ", ".join(f"{grade:g}" for grade in scale)
            raise ValueError(f"{person}: the grade {wrong[0]:g} is not on the scale {listed}.")


def _has_grades_of(grades: np.ndarray, scale: Sequence[float]) -> bool:
    """Whether a model has the grades of a scale; 0 and 1 alone are those of a scale of two grades."""
    known = grades[~np.isnan(grades)]
    return bool(np.isin(known, scale).all()) and (known.max(initial=0) > 1 or len(scale) == 2)


def _thresholds(table: GradeTable, rel: float, model_rel: Threshold) -> dict[str, float | None]:
    by_name = dict(model_rel) if isinstance(model_rel, Mapping) else dict.fromkeys(table.models, model_rel)
    if unknown := [name for name in by_name if name not in table.models]:
        raise ValueError(f"model_rel names {unknown[0]!r}, which is not one of the models {', '.join(table.models)}.")
    found: dict[str, float | None] = dict.fromkeys(table.people, rel)
    for model in table.models:
        declared = by_name.get(model)
        found[model] = declared if declared is not None else _own_threshold(table.model_grades(model), rel)
    return found


def _own_threshold(grades: np.ndarray, rel: float) -> float | None:
    known = np.unique(grades[~np.isnan(grades)])
    if np.isin(known, (0, 1)).all():
        return 1
    return rel if (known == np.rint(known)).all() else None


def _ratings(table: GradeTable, columns: Mapping[str, np.ndarray], scale: Sequence[float]) -> Ratings:
    """Ratings of judges whose grades are given for all pairs; NaN means "not judged"."""
    frames = [
        table.pairs.assign(assessor=judge, relevance=grades)[~np.isnan(grades)] for judge, grades in columns.items()
    ]
    return Ratings.from_judgements(pd.concat(frames, ignore_index=True), scale=tuple(scale))


def _relevant(grades: np.ndarray, threshold: float) -> np.ndarray:
    return np.where(np.isnan(grades), np.nan, grades >= threshold)


FIGURES = ("percent_agreement", "pooled_kappa", "cohen_kappa", "bias")
OF_GRADES = ("weighted_kappa", "krippendorff_alpha")


def _at_threshold(table: GradeTable, thresholds: Mapping[str, float | None], confidence: float) -> pd.DataFrame:
    reference = table.people[0]
    columns = {
        judge: _relevant(table.grades(judge), threshold)
        for judge, threshold in thresholds.items()
        if threshold is not None
    }
    found = against_reference(_ratings(table, columns, (0, 1)), reference, relevant=1, confidence=confidence)
    return _chosen(found, FIGURES, ["n", "topics"]).rename(columns={"topics": "n_topics"})


def _of_grades(table: GradeTable, on_scale: Iterable[str], scale: Sequence[float], confidence: float) -> pd.DataFrame:
    columns = {judge: table.grades(judge) for judge in (table.people[0], *on_scale)}
    if len(columns) < 2 or len(scale) < 3:
        return pd.DataFrame(columns=["judge", *_with_limits(OF_GRADES)])
    ratings = _ratings(table, columns, scale)
    found = against_reference(ratings, table.people[0], relevant=scale[-1], confidence=confidence)
    return _chosen(found, OF_GRADES, [])


def _chosen(found: pd.DataFrame, figures: Sequence[str], more: list[str]) -> pd.DataFrame:
    return found[["assessor", *more, *_with_limits(figures)]].rename(columns={"assessor": "judge"})


def _with_limits(figures: Sequence[str]) -> list[str]:
    return [name for figure in figures for name in (figure, *(f"{figure}_{end}" for end in LIMITS))]


def _reason(judge: str, thresholds: Mapping[str, float | None], on_scale: Sequence[str]) -> str | None:
    if thresholds[judge] is None:
        return NO_THRESHOLD
    return None if judge in on_scale else NOT_ON_SCALE


def _by_grade(table: GradeTable, on_scale: Sequence[str], scale: Sequence[float], confidence: float) -> pd.DataFrame:
    """Kappa of "this grade or higher" for each grade but the lowest."""
    parts = []
    for grade in scale[1:] if on_scale else ():
        columns = {judge: _relevant(table.grades(judge), grade) for judge in (table.people[0], *on_scale)}
        found = against_reference(_ratings(table, columns, (0, 1)), table.people[0], relevant=1, confidence=confidence)
        parts.append(_chosen(found, ("cohen_kappa",), ["n"]).assign(grade=grade))
    names = {"cohen_kappa": "kappa", "cohen_kappa_low": "low", "cohen_kappa_high": "high"}
    if not parts:
        return pd.DataFrame(columns=["judge", "grade", "n", "kappa", "low", "high"])
    return pd.concat(parts, ignore_index=True).rename(columns=names)[["judge", "grade", "n", "kappa", "low", "high"]]


def _by_topic(table: GradeTable, thresholds: Mapping[str, float | None], judges: Sequence[str]) -> pd.DataFrame:
    reference = _relevant(table.people_grades[0], thresholds[table.people[0]] or 0)
    n_topics = len(table.query_ids)
    parts = []
    for judge in judges:
        grades = _relevant(table.grades(judge), thresholds[judge] or 0)
        both = ~np.isnan(reference) & ~np.isnan(grades)
        cells = table.topics[both] * 4 + 2 * reference[both].astype(int) + grades[both].astype(int)
        counts = np.bincount(cells, minlength=4 * n_topics).reshape(n_topics, 4)
        parts.append(_topic_rows(table, judge, counts))
    columns = ["judge", "query_id", "n", "percent_agreement", "cohen_kappa"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _topic_rows(table: GradeTable, judge: str, counts: np.ndarray) -> pd.DataFrame:
    """The rows of a judge from the counts of (0, 0), (0, 1), (1, 0), (1, 1) by topic."""
    n = counts.sum(axis=1)
    agreeing = counts[:, 0] + counts[:, 3]
    # n^2 P(E), in whole numbers, so that P(E) = 1 is exact
    chance = (counts[:, 2] + counts[:, 3]) * (counts[:, 1] + counts[:, 3])
    chance = chance + (counts[:, 0] + counts[:, 1]) * (counts[:, 0] + counts[:, 2])
    defined = (n > 0) & (chance < n**2)
    kappa = np.divide(n * agreeing - chance, n**2 - chance, out=np.zeros(len(n)), where=defined)
    frame = pd.DataFrame({"query_id": table.query_ids, "n": n, "percent_agreement": agreeing / np.maximum(n, 1)})
    frame["cohen_kappa"] = pd.Series(kappa, dtype="Float64").where(pd.Series(defined))
    rows: pd.DataFrame = frame[n > 0]
    return rows.assign(judge=judge)


def _confusion(table: GradeTable, on_scale: Sequence[str]) -> pd.DataFrame:
    reference = pd.Series(table.people_grades[0], name="reference_grade")
    parts = [
        pd.DataFrame({"reference_grade": reference, "grade": table.grades(judge)})
        .dropna()
        .value_counts()
        .rename("n")
        .reset_index()
        .sort_values(["reference_grade", "grade"])
        .assign(judge=judge)
        for judge in on_scale
    ]
    columns = ["judge", "reference_grade", "grade", "n"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _over_rating(table: GradeTable, on_scale: Sequence[str], confidence: float) -> pd.DataFrame:
    reference, rows = table.people_grades[0], []
    for judge in on_scale:
        grades = table.grades(judge)
        for grade in np.unique(reference[~np.isnan(reference)]):
            chosen = (reference == grade) & ~np.isnan(grades)
            if not chosen.any():
                continue
            difference = pd.Series(grades[chosen] - grade)
            mean = TopicMean.of(difference.groupby(table.topics[chosen]).mean().to_numpy(), confidence)
            rows.append(
                {
                    "judge": judge,
                    "reference_grade": grade,
                    "n": int(chosen.sum()),
                    "difference": float(difference.mean()),
                    "by_topic": mean.mean,
                    "low": mean.low,
                    "high": mean.high,
                    "higher": float((difference > 0).mean()),
                }
            )
    return pd.DataFrame(rows)
