"""The report on the model judges of a release, computed from its judgements, runs and pool. Loads pandas.

The reference is the released gold if it has grades of people only. Otherwise it is the gold of people that the default
order chooses. A release has no texts of documents, so the tests of over-rating by length and words are undefined.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agreement.trust import TrustReport
from assess.analysis.data import judges_in
from assess.analysis.reference import OF_PEOPLE, Judges
from assess.collections import runfiles
from assess.errors import Refused
from assess.lib.long_work import report
from assess.model_judges.draw import DrawForPeople
from assess.model_judges.trust import finished_draw, golds_of, report_on
from assess.models import Run
from assess.releases.figures import ReleaseFigures
from assess.releases.spec import ModelSettings

FindDraw = Callable[[str], DrawForPeople]  # returns the draw of the release with the grades of a gold


@dataclass(frozen=True)
class ReleasedTrust:
    """The report, or why it cannot be made. Both are missing if models or people have not judged, or without runs."""

    report: TrustReport | None = None
    refusal: str = ""


def released_trust(figures: ReleaseFigures, runs: Sequence[Run], find_draw: FindDraw) -> ReleasedTrust:
    """Return the report on the model judges of a release."""
    settings = figures.spec.model_judges
    if settings is None or not has_trust(figures, runs):
        return ReleasedTrust()
    report("Comparing model judges with people")
    try:
        return ReleasedTrust(_report(figures, settings, runs, find_draw))
    except Refused as refusal:
        return ReleasedTrust(refusal=str(refusal))


def has_trust(figures: ReleaseFigures, runs: Sequence[Run]) -> bool:
    """Whether models and people have judged, and there are runs."""
    if figures.spec.model_judges is None or not runs:
        return False
    judges = _judges(figures)
    return bool(judges.models and judges.people)


def _judges(figures: ReleaseFigures) -> Judges:
    return judges_in(figures.votes, figures.kinds, has_decisions=not figures.decisions.empty)


def _report(figures: ReleaseFigures, settings: ModelSettings, runs: Sequence[Run], find_draw: FindDraw) -> TrustReport:
    judges, spec = _judges(figures), figures.spec
    people = _reference(judges, (spec.rule, settings.reference))
    groups = {run.system: settings.groups[run.system] for run in runs if run.system in settings.groups}
    return report_on(
        map(runfiles.load, runs),
        golds_of(judges, people, lambda rule: figures.gold_by(rule, spec.rel)),
        spec.measure,
        scale=figures.scale_of_gold,
        rel=figures.scale_of_gold[1],
        draw=finished_draw(people, lambda: find_draw(people)),
        groups=groups or None,
    )


def _reference(judges: Judges, preferred: Sequence[str]) -> str:
    """Return the first of the preferred golds that has grades of people only, or else that of the default order."""
    for rule in preferred:
        if judges.has_gold(rule) and judges.step(rule) in OF_PEOPLE:
            return rule
    return min((rule for rule in judges.golds() if judges.step(rule) in OF_PEOPLE), key=judges.place)
