"""The report on model judges: its text, its tables as CSV, and its figures.

The names of the files are numbered and name no judge, because the manifest stays when a person is erased.
"""

from collections.abc import Iterator

from agreement.reports.results import result_csv
from agreement.trust import TrustReport
from agreement.trust.report_text import trust_text
from assess.lib.long_work import report as report_progress
from assess.model_judges.trust_figures import FIGURES, OF_ALL_MODELS, drawable
from assess.releases.figures import MODEL_JUDGES
from assess.releases.source import ReleaseSource

REPORT = f"{MODEL_JUDGES}report.md"


def files(source: ReleaseSource) -> dict[str, bytes]:
    """Return the files; none without a report."""
    report = source.trust.report
    if report is None:
        return {}
    report_progress("Drawing the figures of model judges")
    figures = list(_figures(report))
    tables = {f"{MODEL_JUDGES}{name}.csv": text.encode() for name, text in result_csv(report).items()}
    drawn = {f"{MODEL_JUDGES}{name}": content for name, _, content in figures}
    return {REPORT: f"{trust_text(report, 'markdown')}{_list(figures)}".encode()} | tables | drawn


def _figures(report: TrustReport) -> Iterator[tuple[str, str, bytes]]:
    """Yield the name, the label and the content of each figure."""
    models = report.drawn_models()
    for number, model in enumerate(models, 1):
        for name, label in drawable(report, model).items():
            if name not in OF_ALL_MODELS:
                yield f"{name}_{number}.svg", label, FIGURES[name](report, model, "svg")
            elif number == 1:
                yield f"{name}.svg", label, FIGURES[name](report, model, "svg")


def _list(figures: list[tuple[str, str, bytes]]) -> str:
    listed = "".join(f"- `{name}`: {label}\n" for name, label, _ in figures)
    return f"\n## Figures\n\n{listed}" if figures else ""


def section(source: ReleaseSource) -> str:
    """Return what the card says about the model judges; nothing if there can be no report."""
    found = source.trust
    if found.report is not None:
        text = f"{found.report.summary()} The file `{REPORT}` has the verdict on each model."
    elif found.refusal:
        text = f"The release has no report on its model judges. {found.refusal}"
    else:
        return ""
    return f"## Model judges\n\n{text}\n\n"
