"""The alternative annotator test: by hand, reference values, scipy, blocks of topics, degenerate input."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from agreement.trust import alternative_annotator_test
from agreement.trust.alternative_annotator import adjusted_by_yekutieli
from agreement.trust.model_files import read_model_grades
from pooling.trec import read_qrels
from tests.agreement.trust.judged_runs import PAIR, judged_runs
from tests.realdata import real_data

_, PEOPLE, MODELS = judged_runs(n_topics=12)
# (score, epsilon): winning rates of gpt-4o, gpt-4 and llama3.2 with the UMBRELA prompt on DL 2019, by another program:
# nist and the eight people, grades 0 to 3, the last of llama3.2's repeated grades.
DL19 = {
    ("accuracy", 0.0): (0.56, 0.44, 0.11),
    ("accuracy", 0.1): (0.78, 0.67, 0.11),
    ("accuracy", 0.2): (1.00, 0.89, 0.44),
    ("rmse", 0.0): (0.78, 0.67, 0.11),
    ("rmse", 0.1): (1.00, 0.89, 0.11),
    ("rmse", 0.2): (1.00, 1.00, 0.44),
}
ADVANTAGES = {"accuracy": (0.851, 0.813, 0.681), "rmse": (0.877, 0.823, 0.646)}


@pytest.fixture(scope="module")
def dl19():
    folder = real_data("dl19")
    people = {"nist": read_qrels(folder / "judges" / "nist.qrels")}
    people |= {f"judge{number}": read_qrels(folder / "judges" / f"judge{number}.qrels") for number in range(1, 9)}
    files = {name: folder / "model_judges" / f"{name}.umbrela.txt" for name in ("gpt-4o", "gpt-4", "llama3.2")}
    return people, read_model_grades(files, duplicates="last").golds


@pytest.mark.parametrize(("score", "epsilon"), DL19)
def test_dl19(dl19, score, epsilon):
    found = alternative_annotator_test(*dl19, epsilon=epsilon, score=score).models
    assert found["winning_rate"].round(2).tolist() == list(DL19[score, epsilon])
    assert found["advantage_probability"].round(3).tolist() == list(ADVANTAGES[score])
    assert found["n_people"].tolist() == [9, 9, 9]


def test_with_topics_as_the_sample_fewer_people_are_beaten(dl19):
    """Two documents of a topic say less than two topics: at epsilon 0, gpt-4o no longer passes."""
    plain = alternative_annotator_test(*dl19, epsilon=0).models
    blocks = alternative_annotator_test(*dl19, epsilon=0, blocks=True)
    assert (blocks.models["winning_rate"] <= plain["winning_rate"]).all()
    assert blocks.passes("gpt-4o") is False
    assert blocks.models["advantage_probability"].tolist() == plain["advantage_probability"].tolist()


def test_by_hand():
    """Four documents. a and b agree on three; the model agrees with b on all, and with a on three."""
    pairs = pd.DataFrame([("1", f"d{number}") for number in range(4)], columns=PAIR)
    people = {"a": pairs.assign(relevance=[0, 1, 1, 0]), "b": pairs.assign(relevance=[0, 1, 1, 1])}
    model = pairs.assign(relevance=[0, 1, 1, 1])
    found = alternative_annotator_test(people, {"m": model}, epsilon=0.1, min_items=2)
    table = found.people.set_index("person")
    # Against b, the model is right on all four, a on three: it wins all four, a three. Against a, both have 3 of 4.
    assert table.loc["a", ["model_wins", "person_wins"]].tolist() == [1, 0.75]
    assert table.loc["b", ["model_wins", "person_wins"]].tolist() == [1, 1]
    # d of a is 0, 0, 0, -1: mean -0.25, standard error 0.5 / 2.
    assert table.loc["a", "p"] == pytest.approx(stats.t.cdf((-0.25 - 0.1) / 0.25, 3))
    assert table.loc["b", "p"] == 0  # all differences are 0, which is below 0.1
    assert found.models["advantage_probability"].tolist() == [1]


def test_p_values_are_those_of_scipy():
    found = alternative_annotator_test(PEOPLE, MODELS, epsilon=0.1)
    for row in found.people.itertuples():
        others = [name for name in PEOPLE if name != row.person]
        grades = np.array([PEOPLE[name]["relevance"] for name in others])
        scores = [
            (grades == gold["relevance"].to_numpy()).mean(axis=0) for gold in (MODELS[row.model], PEOPLE[row.person])
        ]
        difference = (scores[1] >= scores[0]).astype(float) - (scores[0] >= scores[1])
        expected = stats.ttest_1samp(difference, 0.1, alternative="less").pvalue
        assert row.p == pytest.approx(expected)


def test_blocks_of_one_document_are_the_published_test():
    single = {
        name: gold.assign(query_id=[f"q{number}" for number in range(len(gold))]) for name, gold in PEOPLE.items()
    }
    models = {"good": MODELS["good"].assign(query_id=single["p0"]["query_id"])}
    plain, blocks = (alternative_annotator_test(single, models, blocks=blocks).people["p"] for blocks in (False, True))
    assert plain.tolist() == pytest.approx(blocks.tolist())


def test_correction_is_that_of_scipy():
    p = np.random.default_rng(1).random(20) ** 3
    assert adjusted_by_yekutieli(p).tolist() == pytest.approx(stats.false_discovery_control(p, method="by").tolist())


def test_a_model_that_guesses_does_not_pass_and_a_good_one_does():
    found = alternative_annotator_test(PEOPLE, MODELS, epsilon=0.1)
    assert {model: found.passes(model) for model in MODELS} == {"good": True, "random": False, "reverse": False}
    assert found.summary() == (
        "1 of 3 models pass the alternative annotator test (epsilon 0.1, accuracy, q 0.05, documents as the sample)."
    )


def test_one_person_cannot_be_tested():
    found = alternative_annotator_test({"p0": PEOPLE["p0"]}, MODELS)
    assert found.passes("good") is None
    assert found.summary() == (
        "No model could be tested: fewer than 2 people with 30 documents that another person judged too."
    )


def test_people_with_few_common_documents_are_left_out():
    people = {"p0": PEOPLE["p0"], "p1": PEOPLE["p1"], "few": PEOPLE["p2"][:20]}
    found = alternative_annotator_test(people, MODELS)
    table = found.people[found.people["model"] == "good"].set_index("person")
    assert table["reason"].fillna("").to_dict() == {"p0": "", "p1": "", "few": "too few documents"}
    assert found.models["n_people"].tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": -0.1}, "epsilon must be a number from 0 to 1"),
        ({"score": "kappa"}, "score must be one of accuracy, rmse"),
        ({"q": 0}, "q must be"),
        ({"min_items": 1}, "min_items must be"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        alternative_annotator_test(PEOPLE, MODELS, **options)
