"""What unjudged documents could change: by hand, by brute force, properties, and where there are no bounds."""

from itertools import product

import numpy as np
import pytest

from agreement import gate_candidate
from agreement.gate import bounds
from tests.agreement.gate.small import at_ranks, gold_of, random_pair, run_of, scores
from tests.examples import IS_THOROUGH

SEEDS = range(60 if IS_THOROUGH else 2)
MEASURES = (
    "nDCG@2",
    "nDCG",
    "AP",
    "AP(rel=2)@3",
    "P@2",
    "RR",
    "R@2",
    "DCG@2",
    "ERR",
    "RBP(p=0.5)",
    "F@2",
    "SetF",
    "Rprec",
)


def gate(old, new, gold, measure="RR", **options):
    return gate_candidate({"old": old}, {"new": new}, gold, measure, **options)


def by_brute_force(old, new, gold, measure, k):
    """The smallest and largest difference of every topic over all grades of the unjudged documents at the top."""
    found = {}
    for topic in gold:
        tops = [sorted(run.get(topic, {}), key=lambda doc, run=run: -run[topic][doc])[:k] for run in (old, new)]
        free = sorted({doc for top in tops for doc in top} - gold[topic].keys())
        differences = []
        for grades in product(range(3), repeat=len(free)):
            one = {topic: gold[topic] | dict(zip(free, grades, strict=True))}
            runs = [{topic: run.get(topic, {}) or {"none": 1.0}} for run in (old, new)]
            before, after = (scores(run, one, measure, scale=(0, 1, 2))[topic] for run in runs)
            differences.append(after - before)
        found[topic] = min(differences), max(differences)
    return np.array(list(found.values()))


def pair_with_every_topic(seed):
    old, new, gold = random_pair(seed)
    return [{topic: ranking or {"d0": 1.0} for topic, ranking in run.items()} for run in (old, new)], gold


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", SEEDS)
def test_exact_bounds_are_those_of_brute_force(seed, measure):
    (old, new), gold = pair_with_every_topic(seed)

    table = gate(old, new, gold, measure, scale=(0, 1, 2)).topics
    k = 3 if "@3" in measure else 2 if "@" in measure else 10
    wanted = by_brute_force(old, new, gold, measure, k)

    assert table["lowest"].to_numpy(float) == pytest.approx(wanted[:, 0], abs=1e-12)
    assert table["highest"].to_numpy(float) == pytest.approx(wanted[:, 1], abs=1e-12)


@pytest.mark.in_ci
@pytest.mark.parametrize("measure", [name for name in MEASURES if name != "Rprec"])
@pytest.mark.parametrize("seed", SEEDS)
def test_outer_bounds_contain_the_exact_ones(seed, measure, monkeypatch):
    (old, new), gold = pair_with_every_topic(seed)
    exact = gate(old, new, gold, measure, scale=(0, 1, 2)).topics
    monkeypatch.setattr(bounds, "WAYS", 1)

    outer = gate(old, new, gold, measure, scale=(0, 1, 2))

    assert outer.golds[0].n_outer > 0
    assert (outer.topics["lowest"] <= exact["lowest"] + 1e-12).all()
    assert (outer.topics["highest"] >= exact["highest"] - 1e-12).all()


# u is unjudged. RR of old is 1/2 or 1, of new always 1: the difference is 1/2, or 0 if u is relevant.
def test_bounds_by_hand():
    gold = {topic: {"r": 1, "a": 0} for topic in "123"}
    found = gate(run_of(dict.fromkeys("123", "ur")), run_of(dict.fromkeys("123", "ru")), gold)

    assert found.topics["lowest"].tolist() == [0, 0, 0]
    assert found.topics["highest"].tolist() == [0.5, 0.5, 0.5]
    assert (found.golds[0].lowest, found.golds[0].highest) == (0, 0.5)


def test_a_decision_that_could_change_needs_judgements():
    gold = gold_of(3)
    old, new = at_ranks(1, 1, 1), at_ranks(2, 2, 3)
    assert gate(old, new, gold).decision == "loss"
    for topic in gold:
        del gold[topic]["a"]  # the first document of the candidate

    found = gate(old, new, gold, max_unjudged=1)
    assert (found.decision, found.code, found.golds[0].interval_decision) == ("too_many_unjudged", 3, "loss")
    assert (found.golds[0].lowest_decision, found.golds[0].highest_decision) == ("loss", "win_or_tie")
    assert gate(old, new, gold, max_unjudged=1, bounds="report").decision == "loss"


def test_too_large_a_share_needs_judgements():
    gold = gold_of(3)
    for topic in gold:
        for doc in "fgh":
            del gold[topic][doc]  # three of nine documents, below the relevant one in both runs
    old, new = at_ranks(1, 1, 1), at_ranks(2, 2, 3)

    found = gate(old, new, gold, "P@9", bounds="report")
    assert found.golds[0].candidate_unjudged == pytest.approx(1 / 3)
    assert (found.decision, found.golds[0].interval_decision) == ("too_many_unjudged", "win_or_tie")
    assert gate(old, new, gold, "P@9", bounds="report", max_unjudged=0.34).decision == "win_or_tie"
    assert "33% of old, 33% of new; at most 20% are allowed: too many unjudged." in text_of(found)


def text_of(found):
    from agreement.gate.text import gate_text

    return gate_text(found)


def test_the_same_ranking_cannot_differ():
    run = run_of({"1": "uvwr", "2": "ru"})
    found = gate(run, run, {"1": {"r": 1}, "2": {"r": 1}}, "AP", max_unjudged=1)

    assert (found.decision, found.golds[0].lowest, found.golds[0].highest) == ("win_or_tie", 0, 0)
    assert gate(run, run, {"1": {"r": 1}, "2": {"r": 1}}, "AP").decision == "too_many_unjudged"  # by the share


def test_documents_below_the_first_k_stay_not_relevant():
    old, new = run_of({"1": "rabu", "2": "rabv"}), run_of({"1": "arbw", "2": "rabu"})
    found = gate(old, new, {"1": {"r": 1, "a": 0, "b": 0}, "2": {"r": 1, "a": 0, "b": 0}}, "nDCG@3")

    assert found.topics["lowest"].tolist() == found.topics["highest"].tolist()


@pytest.mark.parametrize("measure", ["Bpref", "P(judged_only=True)@2"])
def test_a_measure_without_bounds_has_the_share_only(measure):
    old, new, gold = random_pair(1)
    found = gate(old, new, gold, measure, max_unjudged=1)

    assert (found.golds[0].lowest, found.golds[0].highest_decision) == (None, None)
    assert found.topics["lowest"].isna().all()
    assert "only the share of unjudged documents is checked" in text_of(found)


def test_many_unjudged_documents_take_little_time():
    docs = [f"d{number}" for number in range(300)]
    old = {str(topic): {doc: float(-rank) for rank, doc in enumerate(docs)} for topic in range(20)}
    new = {topic: {doc: -score for doc, score in ranking.items()} for topic, ranking in old.items()}
    found = gate(old, new, {topic: {"d7": 3, "x": 1} for topic in old}, "nDCG@10")

    assert found.golds[0].n_outer == 20
    assert "the bounds may be wider than necessary" in text_of(found)


def test_a_document_that_was_pooled_and_not_judged_is_unjudged():
    old, new = run_of({"1": "ru", "2": "ru"}), run_of({"1": "ur", "2": "ru"})
    with_row = gate(old, new, {"1": {"r": 1, "u": -1}, "2": {"r": 1}}, "AP", max_unjudged=1)
    without = gate(old, new, {"1": {"r": 1}, "2": {"r": 1}}, "AP", max_unjudged=1)

    assert with_row.topics.equals(without.topics)
    assert with_row.golds[0].candidate_unjudged == 0.5
