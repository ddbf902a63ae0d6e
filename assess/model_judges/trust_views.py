"""The report on model judges as a part of their page: verdict, figures and tables. Pandas is imported inside."""

from typing import TYPE_CHECKING, Any

from assess.errors import Refused
from assess.jobs.pending import Pending
from assess.model_judges.choices import ModelChoices, choices_of
from assess.models import Member
from assess.web.figures.page import Asked
from assess.web.figures.shown import ShownFigure, ShownTable, figure_files, shown_figure, table_files
from assess.web.figures.tables import Column, Table
from assess.web.requests import SignedInRequest
from assess.web.research.waiting import progress_of

if TYPE_CHECKING:
    from agreement.trust import TrustReport

VERDICTS = {
    "safe": "safe",
    "safe_except_top": "safe, except among the best {top}",
    "not_safe": "not safe",
    "too_early": "too early to say",
}
OF_MODELS = (
    Column("model", "model", "judge"),
    Column("words", "verdict", "text"),
    Column("tau_b", "tau_b with people", "score"),
    Column("difference", "against another person", "change"),
    Column("kappa", "kappa", "score"),
    Column("passes", "annotator test", "text"),
    Column("first_by_judge", "runs that can buy first place", "count"),
    Column("first_by_people", "first for people", "count"),
)
OF_TESTS = (
    Column("question", "test", "text"),
    Column("effect", "effect", "change"),
    Column("low", "from", "change"),
    Column("high", "to", "change"),
    Column("p_adjusted", "corrected p", "score"),
    Column("words", "finding", "text"),
)
OF_SCORES = (
    Column("system", "system", "system"),
    Column("model_alone", "model alone", "score"),
    Column("value", "corrected", "score"),
    Column("low", "from", "score"),
    Column("high", "to", "score"),
    Column("classical", "people alone", "score"),
    Column("saved_by_design", "saved by design", "score"),
    Column("saved_by_model", "saved by the model", "score"),
    Column("reason", "note", "text"),
)
OF_CORRECTED_RANKING = (
    Column("model", "model", "judge"),
    Column("tau_b", "tau_b with corrected scores", "score"),
    Column("pairs", "pairs of systems", "count"),
    Column("decided", "decided", "count"),
    Column("same_order", "same order", "count"),
    Column("opposite_order", "opposite order", "count"),
    Column("best_corrected", "best, corrected", "system"),
    Column("best_model", "best, model alone", "system"),
)
OF_PLAN = (
    Column("goal", "goal", "text"),
    Column("design", "design", "text"),
    Column("judge", "", "text"),
    Column("grades", "grades", "count"),
    Column("q10", "10 %", "count"),
    Column("q90", "90 %", "count"),
    Column("further", "further", "count"),
    Column("hours", "hours", "score"),
)
OF_RUNS = (
    Column("system", "system", "system"),
    Column("rank", "rank for people", "count"),
    Column("rank_by_judge", "re-ranked, for the model", "count"),
    Column("rank_by_people", "re-ranked, for people", "count"),
    Column("score_by_people", "score for people", "score"),
    Column("reranked_by_people", "re-ranked, score for people", "score"),
)
CAPTIONS = {
    "verdicts": "tau_b of the ranking under the model and under people; the difference from another person is on the "
    "pairs that the person judged. A run can buy first place if it is first under the model after re-ranking by it.",
    "tests": "Intervals and p-values over topics; p corrected for the number of tests (Holm).",
    "reranked": "Each run alone is re-ranked by the model among the others as they are.",
    "corrected_ranking": "tau_b of the model alone with the corrected scores, whose errors lower it. A pair is decided "
    "if the interval of its corrected difference does not contain 0.",
    "corrected": "Scores by the model alone, and corrected by the drawn documents that people graded, with 95 % "
    "intervals for these topics. Saved: shares of the grades, by the design alone and by the model beyond it.",
    "plan": "Median of the simulations, and 10 % and 90 % of them.",
}


def trust_part(request: SignedInRequest, member: Member, choices: ModelChoices) -> dict[str, Any]:
    """Return what the page shows of the report: the job while it is computed, or why there is none."""
    from assess.model_judges.trust import trust_or_pending  # loads pandas

    try:
        report = trust_or_pending(member.collection, request.user, choices)
    except Pending as pending:
        return progress_of(pending.job, member)
    except Refused as refusal:
        return {"no_report": refusal}
    if report is None or choices.judge not in report.gaming:
        return {}
    slug, query = member.collection.slug, choices.query()
    found = next(verdict for verdict in report.verdicts if verdict.model == choices.judge)
    return {
        "report": report,
        "verdict": found,
        "figures": [
            _figure(report, choices, slug, name, label) for name, label in _labels(report, choices.judge).items()
        ],
        "tables": [
            (title, ShownTable(table, table_files("trust_table", slug, name, query=query)))
            for name, (title, make) in TABLES.items()
            if (table := make(report, choices.judge)) is not None
        ],
    }


def _figure(report: "TrustReport", choices: ModelChoices, slug: str, name: str, label: str) -> ShownFigure:
    def draw() -> bytes:
        return FIGURES[name](report, choices.judge, "svg")

    files = figure_files("trust_figure", slug, name, query=choices.query())
    return shown_figure(name, label, draw, slug, report.summary(), choices, files=files)


def _labels(report: "TrustReport", judge: str) -> dict[str, str]:
    """The figures that can be drawn, and what they show."""
    labels = {}
    if report.ranking.is_defined:
        labels["ranking"] = "The ranking under each judge compared with people"
    if report.gaming[judge].reranking.is_known:
        labels["bought"] = f"What re-ranking by {judge} buys"
    if len(report.agreement.confusion_of(judge)):
        labels["grades"] = f"Grades of people and of {judge}"
    if judge in report.corrections.plans:
        labels["plan"] = "How many human grades are enough"
    return labels


def verdicts_table(report: "TrustReport", _: str) -> Table:
    frame = report.to_frame()
    words = [VERDICTS[kind].format(top=report.ranking.top) for kind in frame["verdict"]]
    passes = ["" if value is None else "passes" if value else "does not pass" for value in frame["passes"]]
    return Table("verdicts", frame.assign(words=words, passes=passes), OF_MODELS, CAPTIONS["verdicts"])


def tests_table(report: "TrustReport", judge: str) -> Table:
    frame = report.gaming[judge].to_frame()
    words = [
        sentence or f"undefined: {reason}" for sentence, reason in zip(frame["sentence"], frame["reason"], strict=True)
    ]
    return Table("tests", frame.assign(words=words), OF_TESTS, CAPTIONS["tests"])


def reranked_table(report: "TrustReport", judge: str) -> Table:
    return Table("reranked", report.gaming[judge].reranking.systems, OF_RUNS, CAPTIONS["reranked"])


def corrected_ranking_table(report: "TrustReport", _: str) -> Table | None:
    frame = report.corrections.ranking
    if frame.empty:
        return None
    return Table("corrected_ranking", frame, OF_CORRECTED_RANKING, CAPTIONS["corrected_ranking"])


def corrected_table(report: "TrustReport", judge: str) -> Table | None:
    scores = report.corrections.scores.get(judge)
    return None if scores is None else Table("corrected", scores.to_frame(), OF_SCORES, CAPTIONS["corrected"])


def plan_table(report: "TrustReport", judge: str) -> Table | None:
    plan = report.corrections.plans.get(judge)
    return None if plan is None else Table("plan", plan.to_frame(), OF_PLAN, f"{CAPTIONS['plan']} {plan.summary()}")


def draw_scores(report: "TrustReport", judge: str, kind: str) -> bytes:
    from agreement.plots import model_scores  # loads matplotlib

    if judge not in report.corrections.scores:
        raise Refused("There is nothing to draw: no drawn documents that people have graded.")
    scores = report.corrections.scores[judge]
    return model_scores(scores.to_frame(), kind=kind, measure=scores.measure, confidence=scores.confidence)


def draw_plan(report: "TrustReport", judge: str, kind: str) -> bytes:
    from agreement.plots import grades_needed  # loads matplotlib

    if judge not in report.corrections.plans:
        raise Refused("There is nothing to draw: a plan needs 30 drawn documents that people have graded.")
    plan = report.corrections.plans[judge]
    return grades_needed(plan.to_frame(), kind=kind, n_pairs=plan.n_pairs)


def draw_ranking(report: "TrustReport", _: str, kind: str) -> bytes:
    from agreement.plots import ranking_agreement  # loads matplotlib

    if not report.ranking.is_defined:
        raise Refused(f"There is nothing to draw: {report.ranking.frame['reason'].iloc[0]}.")
    every = report.ranking.frame[report.ranking.frame["systems"] == "all"]
    taus = every.rename(columns={"tau_b": "value", "tau_b_low": "low", "tau_b_high": "high"})
    return ranking_agreement(taus, kind=kind, note=f"{report.measure}; the reference is {report.reference}.")


def draw_bought(report: "TrustReport", judge: str, kind: str) -> bytes:
    from agreement.plots import bought_ranks  # loads matplotlib

    again = report.gaming[judge].reranking
    if not again.is_known:
        raise Refused(f"There is nothing to draw: {again.finding.reason}.")
    return bought_ranks(again.systems, kind=kind, judge=judge)


def draw_grades(report: "TrustReport", judge: str, kind: str) -> bytes:
    from agreement.plots import grade_confusion  # loads matplotlib

    counts = report.agreement.confusion_of(judge)
    if counts.empty:
        raise Refused(f"There is nothing to draw: {judge} has other grades than people.")
    return grade_confusion(counts, kind=kind, model=judge, people=report.reference)


TABLES = {
    "verdicts": ("All models", verdicts_table),
    "tests": ("Circularity and gaming", tests_table),
    "reranked": ("Runs re-ranked by the model", reranked_table),
    "corrected_ranking": ("The ranking by corrected scores", corrected_ranking_table),
    "corrected": ("Scores corrected by people", corrected_table),
    "plan": ("How many human grades are enough?", plan_table),
}
FIGURES = {
    "scores": draw_scores,
    "ranking": draw_ranking,
    "bought": draw_bought,
    "grades": draw_grades,
    "plan": draw_plan,
}


def asked_report(asked: Asked) -> tuple["TrustReport", str]:
    """Return the report and the model of a download, or raise Pending while a job computes the report."""
    from assess.model_judges.trust import trust_or_pending  # loads pandas

    choices = choices_of(asked.request.GET, asked.member.collection)
    report = trust_or_pending(asked.member.collection, asked.request.user, choices)
    if report is None or choices.judge not in report.gaming:
        raise Refused("There is no report yet: it needs runs, grades of a model and grades of people.")
    return report, choices.judge
