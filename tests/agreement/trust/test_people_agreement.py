"""Agreement of models with people: single functions, published kappas, other scales, degenerate input."""

import numpy as np
import pandas as pd
import pytest

from agreement import Ratings, cohen_kappa, krippendorff_alpha, percent_agreement
from agreement.trust import agreement_with_people
from agreement.trust.model_files import read_model_grades
from pooling.trec import read_qrels
from tests.agreement.trust.judged_runs import PAIR, judged_runs
from tests.realdata import real_data

_, PEOPLE, MODELS = judged_runs(n_topics=12)
SCALE = (0, 1, 2, 3)
FOUND = agreement_with_people(PEOPLE, MODELS, scale=SCALE, rel=2)


def row(judge: str, found=FOUND) -> pd.Series:
    return found.frame.set_index("judge").loc[judge]


def labels(judge: str) -> tuple[np.ndarray, np.ndarray]:
    both = PEOPLE["p0"].merge({**PEOPLE, **MODELS}[judge], on=PAIR)
    return both["relevance_x"].to_numpy(), both["relevance_y"].to_numpy()


@pytest.mark.parametrize("judge", ["good", "random", "p1"])
def test_coefficients_are_those_of_the_single_functions(judge):
    x, y = labels(judge)
    binary = (x >= 2).astype(int), (y >= 2).astype(int)
    assert row(judge)["cohen_kappa"] == pytest.approx(cohen_kappa(*binary).value)
    assert row(judge)["percent_agreement"] == pytest.approx(percent_agreement(*binary).value)
    table = np.array([[((x == a) & (y == b)).sum() for b in SCALE] for a in SCALE])
    assert row(judge)["weighted_kappa"] == pytest.approx(cohen_kappa(table, weights="linear").value)
    ratings = Ratings.from_matrix([x, y], SCALE, axis="assessors")
    assert row(judge)["krippendorff_alpha"] == pytest.approx(krippendorff_alpha(ratings, "ordinal").value)
    assert row(judge)["bias"] == pytest.approx(binary[1].mean() - binary[0].mean())


def test_by_grade_is_kappa_of_this_grade_or_higher():
    table = FOUND.by_grade.set_index(["judge", "grade"])
    for grade in (1, 2, 3):
        x, y = labels("good")
        expected = cohen_kappa((x >= grade).astype(int), (y >= grade).astype(int)).value
        assert table.loc[("good", grade), "kappa"] == pytest.approx(expected)


def test_by_topic_is_kappa_of_each_topic():
    both = PEOPLE["p0"].merge(MODELS["good"], on=PAIR)
    for topic, rows in both.groupby("query_id"):
        expected = cohen_kappa((rows["relevance_x"] >= 2).astype(int), (rows["relevance_y"] >= 2).astype(int))
        found = FOUND.by_topic.set_index(["judge", "query_id"]).loc[("good", topic)]
        assert found["cohen_kappa"] == pytest.approx(expected.value)
        assert found["n"] == len(rows)


def test_confusion_counts_all_pairs():
    x, y = labels("good")
    table = FOUND.confusion[FOUND.confusion["judge"] == "good"].set_index(["reference_grade", "grade"])["n"]
    for (a, b), n in table.items():
        assert n == ((x == a) & (y == b)).sum()
    assert table.sum() == len(x)


def test_over_rating_by_hand():
    """On grade 0 the model gives 0, 1 and 2, 0; on grade 2 it gives 2 and 1."""
    pairs = pd.DataFrame([("1", "a"), ("1", "b"), ("2", "c"), ("2", "d"), ("1", "e"), ("2", "f")], columns=PAIR)
    people = {"nist": pairs.assign(relevance=[0, 0, 0, 0, 2, 2])}
    found = agreement_with_people(people, {"m": pairs.assign(relevance=[0, 1, 2, 0, 2, 1])}, scale=(0, 1, 2), rel=1)
    table = found.over_rating.set_index("reference_grade")
    assert table.loc[0, ["n", "difference", "by_topic", "higher"]].tolist() == [4, 0.75, 0.75, 0.5]
    assert table.loc[2, ["n", "difference", "by_topic", "higher"]].tolist() == [2, -0.5, -0.5, 0.0]


def test_summary_has_the_best_model_and_the_range_of_people():
    assert FOUND.summary().startswith("good agrees most with p0: Cohen's kappa 0.")
    low, high = FOUND.people_kappas()
    assert f"other people {low:.2f} to {high:.2f}." in FOUND.summary()
    assert FOUND.kappa("good") == pytest.approx(row("good")["cohen_kappa"])


def test_a_binary_model_has_its_own_threshold_and_no_coefficients_of_grades():
    binary = MODELS["good"].assign(relevance=(MODELS["good"]["relevance"] >= 2).astype(int))
    found = agreement_with_people(PEOPLE, {"binary": binary}, scale=SCALE, rel=2)
    assert row("binary", found)["threshold"] == 1
    assert row("binary", found)["cohen_kappa"] == pytest.approx(row("good")["cohen_kappa"])
    assert pd.isna(row("binary", found)["weighted_kappa"])
    assert row("binary", found)["reason"] == "grades are not those of the scale"


@pytest.mark.slow
def test_fractions_need_a_threshold():
    shares = MODELS["good"].assign(relevance=MODELS["good"]["relevance"] / 3)
    undeclared = agreement_with_people(PEOPLE, {"shares": shares}, scale=SCALE, rel=2)
    assert row("shares", undeclared)["reason"] == "fractions, and no threshold declared"
    assert pd.isna(row("shares", undeclared)["cohen_kappa"])
    assert undeclared.summary() == "No model can be compared with p0."
    for declared in (0.6, {"shares": 0.6}):
        found = agreement_with_people(PEOPLE, {"shares": shares}, scale=SCALE, rel=2, model_rel=declared)
        assert row("shares", found)["cohen_kappa"] == pytest.approx(row("good")["cohen_kappa"])


def test_one_category_is_undefined():
    nothing = MODELS["good"].assign(relevance=0)
    people = {"p0": PEOPLE["p0"].assign(relevance=0)}
    found = agreement_with_people(people, {"nothing": nothing}, scale=SCALE, rel=2, model_rel=2)
    assert found.kappa("nothing") is None
    assert found.by_topic["cohen_kappa"].isna().all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": (0, 1)}, "p0: the grade [23] is not on the scale 0, 1"),
        ({"model_rel": {"x": 1}}, "model_rel names 'x', which is not one of the models good, random, reverse"),
        ({"people": {}}, "people must have at least one judge"),
        ({"models": {"m": pd.concat([MODELS["good"]] * 2)}}, "m: document 'd00' of topic 't00' has two grades"),
    ],
)
def test_refusals(options, message):
    arguments = {"people": PEOPLE, "models": MODELS, "scale": SCALE, "rel": 2, **options}
    with pytest.raises(ValueError, match=message):
        agreement_with_people(arguments.pop("people"), arguments.pop("models"), **arguments)


# data/dl19/model_judges/README.md: kappa on four grades after clipping, at >= 2, and of 0/1 judges >= 1 against >= 2.
BINARY_KAPPAS = {
    "gpt-4.umbrela": 0.5122953482,
    "gpt-4o.umbrela": 0.5244059233,
    "llama3.2.umbrela": 0.1803759491,
    "gpt-4.binary": 0.4283421222,
    "gpt-4o.binary": 0.4794531559,
    "llama3.2.binary": 0.2621016857,
    "llama3.2.binary_second": 0.2592106965,
    "gpt-4.exam_binary_max": 0.3592785498,
    "gpt-4.exam_graded_max": 0.2185814567,
    "gpt-4o.exam_graded_max": 0.2855203550,
}


@pytest.fixture(scope="module")
def dl19():
    folder = real_data("dl19", "model_judges")
    models = read_model_grades({name: folder / f"{name}.txt" for name in BINARY_KAPPAS}, duplicates="last").golds
    return agreement_with_people(
        {"nist": read_qrels(real_data("dl19", "judges", "nist.qrels"))}, models, scale=SCALE, rel=2
    )


@pytest.mark.in_ci
@pytest.mark.parametrize("judge", BINARY_KAPPAS)
def test_kappas_of_dl19_are_reproduced(dl19, judge):
    assert row(judge, dl19)["cohen_kappa"] == pytest.approx(BINARY_KAPPAS[judge], abs=5e-11)
