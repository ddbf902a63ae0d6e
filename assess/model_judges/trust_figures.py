"""The figures of the report on model judges, for the page and for releases. Matplotlib is imported inside.

`place` are the options of a drawing on the page, which has headings: no title, and a width for those of WITH_WIDTH.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assess.errors import Refused

if TYPE_CHECKING:
    from agreement.trust import TrustReport


OF_ALL_MODELS = ("ranking",)  # the others show one model
WITH_WIDTH = ("scores", "ranking", "bought", "plan")  # a phone has a drawing of its own


def drawable(report: "TrustReport", judge: str) -> dict[str, str]:
    """The figures that can be drawn, and what they show."""
    labels = {}
    if judge in report.corrections.scores:
        labels["scores"] = f"Scores under {judge}, and corrected by people"
    if report.ranking.is_defined:
        labels["ranking"] = "The ranking under each judge compared with people"
    if report.gaming[judge].reranking.is_known:
        labels["bought"] = f"What re-ranking by {judge} buys"
    if len(report.agreement.confusion_of(judge)):
        labels["grades"] = f"Grades of people and of {judge}"
    if judge in report.corrections.plans:
        labels["plan"] = f"How many human grades are enough with {judge}"
    return labels


def draw_scores(report: "TrustReport", judge: str, kind: str, **place: Any) -> bytes:
    from agreement.plots import model_scores  # loads matplotlib

    if judge not in report.corrections.scores:
        raise Refused("There is nothing to draw: no drawn documents that people have graded.")
    scores = report.corrections.scores[judge]
    return model_scores(scores.to_frame(), kind=kind, measure=scores.measure, confidence=scores.confidence, **place)


def draw_plan(report: "TrustReport", judge: str, kind: str, **place: Any) -> bytes:
    from agreement.plots import grades_needed  # loads matplotlib

    if judge not in report.corrections.plans:
        raise Refused("There is nothing to draw: a plan needs 30 drawn documents that people have graded.")
    plan = report.corrections.plans[judge]
    return grades_needed(plan.to_frame(), kind=kind, n_pairs=plan.n_pairs, **place)


def draw_ranking(report: "TrustReport", _: str, kind: str, **place: Any) -> bytes:
    from agreement.plots import ranking_agreement  # loads matplotlib

    if not report.ranking.is_defined:
        raise Refused(f"There is nothing to draw: {report.ranking.frame['reason'].iloc[0]}.")
    every = report.ranking.frame[report.ranking.frame["systems"] == "all"]
    taus = every.rename(columns={"tau_b": "value", "tau_b_low": "low", "tau_b_high": "high"})
    note = (
        f"{report.measure}, all systems. tau_b of the rankings under each judge and under {report.reference}: of a "
        "model with all grades of both, of a person on the documents that both graded."
    )
    return ranking_agreement(taus, kind=kind, note=note, **place)


def draw_bought(report: "TrustReport", judge: str, kind: str, **place: Any) -> bytes:
    from agreement.plots import bought_ranks  # loads matplotlib

    again = report.gaming[judge].reranking
    if not again.is_known:
        raise Refused(f"There is nothing to draw: {again.finding.reason}.")
    return bought_ranks(again.systems, kind=kind, judge=judge, **place)


def draw_grades(report: "TrustReport", judge: str, kind: str, **place: Any) -> bytes:
    from agreement.plots import grade_confusion  # loads matplotlib

    counts = report.agreement.confusion_of(judge)
    if counts.empty:
        raise Refused(f"There is nothing to draw: {judge} has other grades than people.")
    return grade_confusion(counts, kind=kind, model=judge, people=report.reference, **place)


FIGURES: dict[str, Callable[..., bytes]] = {
    "scores": draw_scores,
    "ranking": draw_ranking,
    "bought": draw_bought,
    "grades": draw_grades,
    "plan": draw_plan,
}
