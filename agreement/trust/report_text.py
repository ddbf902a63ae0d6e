"""The report on model judges as text: plain, Markdown or LaTeX.

The verdicts come first, then one table for each question. Values are rounded to three digits. The tables that are not
rounded, with all columns and with the results of each document, topic and person, are those of `TrustReport.tables`.
"""

import pandas as pd

from agreement.trust.few_grades.result import FewGrades
from agreement.trust.gaming.oracle_steps import RIGHT
from agreement.trust.gaming.oracle_steps import TEST as ORACLE_STEPS
from agreement.trust.gaming.report import LEVEL
from agreement.trust.report import TrustReport
from pooling.text_tables import heading, prose, render, rounded

RANKING = ["judge", "kind", "n_topics", "tau_b", "tau_b_low", "tau_b_high", "tau_ap_b", "tau_gap", "rbo"]
RANKING += ["pairwise_accuracy", "maximum_drop"]
DECISIONS = ["judge", "kind", "kept", "lost", "invented", "reversed", "best_reference", "best_judge"]
AGAINST = ["model", "systems", "n_topics", "tau_b_person", "tau_b_model", "difference", "low", "high"]
LABELS = {"n_topics": "topics", "tau_b_low": "low", "tau_b_high": "high", "maximum_drop": "drop"}
LABELS |= {"pairwise_accuracy": "accuracy", "best_reference": "best", "best_judge": "best by judge"}
LABELS |= {"cohen_kappa": "kappa", "cohen_kappa_low": "low", "cohen_kappa_high": "high", "krippendorff_alpha": "alpha"}
LABELS |= {
    "percent_agreement": "P(A)",
    "weighted_kappa": "weighted",
    "tau_b_person": "tau_b person",
    "tau_b_model": "tau_b model",
}
LABELS |= {"winning_rate": "beaten", "winning_rate_by_topics": "by topics", "first_by_judge": "first by judge"}
LABELS |= {"first_by_people": "first by people", "saved_by_design": "saved by design", "saved_by_model": "by the model"}
LABELS |= {"saved_by_shuffled": "by shuffled grades"}


def trust_text(report: TrustReport, style: str = "plain") -> str:
    """A report on model judges as text.

    Parameters
    ----------
    report : TrustReport
        The result of `trust_report`.
    style : {"plain", "markdown", "latex"}, optional
        The format of the text.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        The style is unknown.
    """
    verdicts = "\n".join(str(verdict) for verdict in report.verdicts)
    notes = [*report.notes, *report.corrections.notes]
    parts = [prose(report.summary(), style), *(prose(note, style) for note in notes)]
    parts += [heading("Verdicts", style), prose(verdicts, style), prose(_thresholds(report), style)]
    for title, note, table in _sections(report):
        parts += [heading(title, style), prose(note, style)] if note else [heading(title, style)]
        parts.append(render(rounded(table.rename(columns=LABELS)), style))
    return "\n\n".join(parts) + "\n"


def _thresholds(report: TrustReport) -> str:
    return (
        f"A verdict needs: {report.thresholds.tag()}. Intervals of {report.ranking.confidence:.0%}, seed {report.seed}."
    )


def _sections(report: TrustReport) -> list[tuple[str, str, pd.DataFrame]]:
    """The title, a sentence and the table of each section."""
    sections = _ranking_of_the_draw(report) if report.only_drawn else _ranking(report)
    sections.append(("Agreement with people", report.agreement.summary(), _agreement(report)))
    sections.append(("Alternative annotator test", report.annotator_tests[0].summary(), _annotator_tests(report)))
    note = f"Runs that become first if they are re-ranked by the model, and tests with a corrected p below {LEVEL:g}."
    gaming = report.to_frame()[["model", "first_by_judge", "first_by_people", "flagged"]]
    sections.append(("Circularity and gaming", note, gaming))
    return [*sections, *_oracle_steps(report), *_calibration(report), *_corrections(report)]


def _ranking_of_the_draw(report: TrustReport) -> list[tuple[str, str, pd.DataFrame]]:
    if report.corrections.ranking.empty:
        return []
    note = (
        "tau_b of the model alone with the corrected scores, whose errors lower it; and the order of the pairs of"
        " systems whose corrected difference has an interval without 0."
    )
    table = report.corrections.ranking.drop(columns="sentence")
    return [("The ranking by corrected scores", note, table)]


def _ranking(report: TrustReport) -> list[tuple[str, str, pd.DataFrame]]:
    every = report.ranking.frame[report.ranking.frame["systems"] == "all"]
    sections = [
        ("The ranking under each judge", report.ranking.summary(), _present(every, RANKING)),
        (
            "Significant differences and the best system",
            "Kept, lost and invented differences are significant under the reference and the judge, only under the"
            " reference, and only under the judge.",
            _present(every, DECISIONS),
        ),
    ]
    if len(report.ranking.against_people):
        note = (
            "tau_b of another person and of the model with the reference, on the pairs that the person judged. The"
            " intervals are for as many topics as these; with many more, the difference can be another."
        )
        sections.append(("Next to another person", note, report.ranking.against_people[AGAINST]))
    return sections


def _agreement(report: TrustReport) -> pd.DataFrame:
    columns = ["judge", "kind", "threshold", "n", "percent_agreement", "cohen_kappa", "cohen_kappa_low"]
    return report.agreement.frame[[*columns, "cohen_kappa_high", "weighted_kappa", "krippendorff_alpha", "bias"]]


def _annotator_tests(report: TrustReport) -> pd.DataFrame:
    columns = ["model", "compared", "winning_rate", "advantage_probability", "passes", "reason"]
    table = report.annotator_tests[0].models[columns]
    table.insert(3, "winning_rate_by_topics", report.annotator_tests[1].models["winning_rate"])
    return table


def _oracle_steps(report: TrustReport) -> list[tuple[str, str, pd.DataFrame]]:
    """The smallest loss that each model sees."""
    if report.only_drawn:
        return []
    frames = [tests.to_frame().assign(model=model) for model, tests in report.gaming.items()]
    rows = pd.concat([frame[frame["test"] == ORACLE_STEPS] for frame in frames], ignore_index=True)
    note = (
        f"The difference of mean scores from which on a model orders {RIGHT:.0%} of spoiled ideal rankings rightly. p:"
        " whether it orders them better than by chance, corrected for all tests of the model."
    )
    rows = rows[["model", "effect", "low", "high", "p_adjusted", "n", "reason"]]
    rows = rows.rename(columns={"effect": "loss", "p_adjusted": "corrected p", "n": "topics"})
    return [("The smallest loss of quality that a model sees", note, rows)]


def _corrections(report: TrustReport) -> list[tuple[str, str, pd.DataFrame]]:
    """The corrected scores of each model, and how many human grades are enough."""
    sections = [
        (f"Scores corrected by people, {name}", _joined_lines(scores), scores._paper_table())
        for name, scores in report.corrections.scores.items()
    ]
    sections += [
        (f"How many human grades, {name}", plan.summary(), plan.to_frame())
        for name, plan in report.corrections.plans.items()
    ]
    return sections


def _joined_lines(scores: FewGrades) -> str:
    return " ".join(scores._sentence().splitlines())


def _calibration(report: TrustReport) -> list[tuple[str, str, pd.DataFrame]]:
    if not report.calibrations:
        return []
    rows = [
        {"model": model, "n": one.n, "Brier": one.brier, "uncertainty": one.uncertainty, "ECE": one.ece}
        for model, one in report.calibrations.items()
    ]
    note = "Brier score: a model that always says the share of relevant documents has the uncertainty. ECE: 0 is best."
    return [("Calibration of probabilities", note, pd.DataFrame(rows))]


def _present(frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The columns; those that no judge has are missing."""
    return frame.reindex(columns=columns)
