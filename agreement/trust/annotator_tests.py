"""The alternative annotator test of models with different grades.

A model with the grades of people is tested on them. Another model with a threshold of relevance is tested on relevance,
of people and of the model. A model without a threshold is not tested.
"""

from collections.abc import Mapping

import pandas as pd

from agreement.trust.alternative_annotator import AlternativeAnnotatorTest, alternative_annotator_test
from agreement.trust.people_agreement import NO_THRESHOLD, PeopleAgreement
from agreement.trust.scored_judges import ScoredJudges

Golds = Mapping[str, pd.DataFrame]
GRADES, RELEVANCE = "grades", "relevance"
COLUMNS = ("n_people", "winning_rate", "advantage_probability", "passes", "compared")


def annotator_test_of(
    judges: ScoredJudges, agreement: PeopleAgreement, rel: float, epsilon: float, *, blocks: bool
) -> AlternativeAnnotatorTest:
    """Test all models; the column `compared` of the result says on what: "grades" or "relevance"."""
    tests = {
        compared: alternative_annotator_test(people, models, epsilon=epsilon, blocks=blocks)
        for compared, (people, models) in _compared(judges, agreement, rel).items()
        if models
    }
    untested = pd.DataFrame(
        [{"model": model, "reason": NO_THRESHOLD} for model in judges.models if agreement.threshold(model) is None]
    )
    parts = [*(test.models.assign(compared=compared) for compared, test in tests.items()), untested]
    models = pd.concat([part for part in parts if len(part)]).set_index("model").loc[list(judges.models)].reset_index()
    for column in COLUMNS if not tests else ():
        models[column] = pd.NA
    people = [test.people for test in tests.values()]
    joined = pd.concat(people, ignore_index=True) if people else pd.DataFrame(columns=["model", "person"])
    return AlternativeAnnotatorTest(models, joined, epsilon=epsilon, blocks=blocks)


def _compared(
    judges: ScoredJudges, agreement: PeopleAgreement, rel: float
) -> dict[str, tuple[Golds, dict[str, pd.DataFrame]]]:
    """People and models by what they are compared on."""
    binary = {name: _relevant(gold, rel) for name, gold in judges.people.items()}
    compared: dict[str, tuple[Golds, dict[str, pd.DataFrame]]] = {GRADES: (judges.people, {}), RELEVANCE: (binary, {})}
    for model, gold in judges.models.items():
        cut = agreement.threshold(model)
        if agreement.has_grades(model):
            compared[GRADES][1][model] = gold
        elif cut is not None:
            compared[RELEVANCE][1][model] = _relevant(gold, cut)
    return compared


def _relevant(gold: pd.DataFrame, cut: float) -> pd.DataFrame:
    return gold.assign(relevance=(gold["relevance"] >= cut).astype("int64"))
