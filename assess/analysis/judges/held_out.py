"""Which rule of golds predicts a judgement that was set aside, for the selected judgements of a collection."""

import agreement
from agreement.choices import ESTIMATING
from agreement.reasons import REASONS
from agreement.thresholds import Thresholds
from assess.analysis.data import collection_judgements
from assess.analysis.selection import EVERYTHING, Selection, judge_kinds
from assess.collections.scale import scale_of
from assess.models import Collection

SEED = 1  # of the folds; the page states it
RULES = ("majority", "union", "intersection", *ESTIMATING)


def golds_figures(
    collection: Collection, selection: Selection = EVERYTHING, _reference: str | None = None
) -> agreement.HeldOut:
    """Compare the rules on the judgements of the selection."""
    judgements = collection_judgements(collection, selection=selection)
    if selection.kind:
        judgements = judgements[judgements["assessor"].map(judge_kinds(collection)) == selection.kind]
    return agreement.compare_golds(judgements, RULES, rel=selection.rel, scale=scale_of(collection), seed=SEED)


def golds_sentence(figures: agreement.HeldOut, _thresholds: Thresholds) -> str:
    """Say which rule predicts most judgements; `figures` have the thresholds."""
    if figures.best is None:
        return f"Cannot be determined: {REASONS[str(figures.table['reason'].iloc[0])]}."
    sentence = figures._sentence()
    return f"{sentence[0].upper()}{sentence[1:]}."
