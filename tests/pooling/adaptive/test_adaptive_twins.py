"""Every adaptive strategy that looks at rankings against a slow, obvious twin, on random runs.

The twins know nothing of states: they go over all that was asked so far, for each document anew.
"""

import math
import zlib
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pooling.adaptive import ADAPTIVE
from tests.pooling.runs import DEPTHS, ROWS, rankings_of, run

SEEDS = st.integers(0, 5)
CREDITS = st.sampled_from(["one", "all"])
RELEVANT = st.sets(st.text("abé", min_size=1, max_size=2))


def asked_by(strategy, rows, query_id, relevant):
    """All documents of a topic in the order in which the strategy asks for them, with the answers it got."""
    state, asked = strategy.start(run(rows), query_id), []
    while (doc_id := strategy.next(state)) is not None:
        asked.append((doc_id, int(doc_id in relevant)))
        state = strategy.step(state, dict([asked[-1]]))
    return asked


def topics_of(rows, depth):
    """For each topic the documents of every system, the best first, with nothing for a system that lacks the topic."""
    systems = sorted({row[0] for row in rows})
    for query_id, rankings in rankings_of(rows).items():
        yield query_id, [[doc_id for doc_id, _ in rankings.get(system, [])][:depth] for system in systems]


def drawn(seed, query_id, n_judged, purpose=0):
    return np.random.default_rng([seed, zlib.crc32(query_id.encode()), n_judged, purpose])


def choose_runs(appeal, query_id, rankings, relevant, seed, credit):
    """Asks the runs in the order of `appeal`, ties by lot."""
    asked, askers = [], []
    while len(asked) < len(set().union(*rankings)):
        learns = [
            [(credit == "all" and d in r) or a == s for (d, _), a in zip(asked, askers, strict=True)]
            for s, r in enumerate(rankings)
        ]
        outcomes = [[answer for (_, answer), mine in zip(asked, own, strict=True) if mine] for own in learns]
        latest = [bool(own) and own[-1] for own in learns]
        appeals = appeal(outcomes, latest, len(asked), drawn(seed, query_id, len(asked), 1))
        lots = drawn(seed, query_id, len(asked)).random(len(rankings))
        for s in sorted(range(len(rankings)), key=lambda s, a=appeals, lot=lots: (-a[s], lot[s])):
            new = [doc_id for doc_id in rankings[s] if doc_id not in dict(asked)]
            if new:
                asked.append((new[0], int(new[0] in relevant)))
                askers.append(s)
                break
    return asked


# Each twin: by the outcomes of each run so far, whether the latest was one of them, the number asked, and chance.


def bandit_random(outcomes, latest, n, rng):
    return [0] * len(outcomes)


def move_to_front(outcomes, latest, n, rng):
    def priority(answers):
        value = 0
        for answer in answers:
            value = 0 if answer else value - 1
        return value

    return [priority(a) + (0.5 if now and a[-1] else 0) for a, now in zip(outcomes, latest, strict=True)]


def bandit_ucb(outcomes, latest, n, rng):
    def bound(answers):
        if not answers:
            return math.inf
        mean, doubt = sum(answers) / len(answers), math.log(n) / len(answers)
        return mean + math.sqrt(doubt * min(0.25, mean * (1 - mean) + math.sqrt(2 * doubt)))

    return [bound(answers) for answers in outcomes]


def maxmean(outcomes, latest, n, rng):
    return [(1 + sum(answers)) / (2 + len(answers)) for answers in outcomes]


def maxmean_ns(outcomes, latest, n, rng, rate=0.0):
    means = []
    for answers in outcomes:
        judged = relevant = 0
        for answer in answers:
            judged, relevant = rate * judged + 1, rate * relevant + answer
        means.append((1 + relevant) / (2 + judged))
    return means


def bandit_greedy(outcomes, latest, n, rng):
    if rng.random() < 0.01 * len(outcomes) / (0.1**2 * (n + 1)):
        return [0] * len(outcomes)
    return [sum(answers) / len(answers) if answers else 0 for answers in outcomes]


def bandit_thompson(outcomes, latest, n, rng):
    return [rng.beta(1 + sum(answers), 1 + len(answers) - sum(answers)) for answers in outcomes]


TWINS = [bandit_random, bandit_greedy, bandit_ucb, bandit_thompson, maxmean, maxmean_ns, move_to_front]


@pytest.mark.parametrize("twin", TWINS, ids=[twin.__name__ for twin in TWINS])
@settings(max_examples=25)
@given(ROWS, RELEVANT, SEEDS, CREDITS, DEPTHS)
def test_a_strategy_that_chooses_runs_asks_as_its_twin_does(twin, rows, relevant, seed, credit, depth):
    strategy = ADAPTIVE[twin.__name__](seed=seed, credit=credit, depth=depth)
    for query_id, rankings in topics_of(rows, depth):
        expected = choose_runs(twin, query_id, rankings, relevant, seed, credit)
        assert asked_by(strategy, rows, query_id, relevant) == expected


@settings(max_examples=25)
@given(ROWS, RELEVANT, SEEDS, CREDITS, st.sampled_from([0.0, 0.5, 1.0]))
def test_what_is_long_ago_counts_by_the_rate(rows, relevant, seed, credit, rate):
    strategy = ADAPTIVE["maxmean_ns"](seed=seed, credit=credit, rate=rate)
    for query_id, rankings in topics_of(rows, None):
        expected = choose_runs(partial(maxmean_ns, rate=rate), query_id, rankings, relevant, seed, credit)
        assert asked_by(strategy, rows, query_id, relevant) == expected


def highest(values):
    """The document with the highest value; what is as good as equal goes by doc_id, the larger first."""
    best = max(values.values())
    tied = [doc_id for doc_id, value in values.items() if value >= best - 1e-12 * abs(best)]
    return max(tied, key=lambda doc_id: doc_id.encode())


def choose_documents(value, rankings, relevant):
    """Asks for the document with the highest value, by what was asked before."""
    documents, asked = set().union(*rankings), {}
    while left := documents - set(asked):
        best = highest(value(sorted(left), asked))
        asked[best] = int(best in relevant)
    return list(asked.items())


def hedge_value(rankings, beta):
    n = len(set().union(*rankings))

    def at(ranking, doc_id):
        if doc_id in ranking:
            return math.log(n / (ranking.index(doc_id) + 1)) / 2
        below = range(len(ranking) + 1, n + 1)
        return sum(math.log(n / rank) / 2 for rank in below) / len(below)

    def value(left, asked):
        losses = [sum(at(r, d) * (-1) ** answer for d, answer in asked.items()) for r in rankings]
        trust = [beta ** (loss - min(losses)) for loss in losses]
        return {d: sum(t * at(r, d) for t, r in zip(trust, rankings, strict=True)) / sum(trust) for d in left}

    return value


def rbp_value(rankings, p, power):
    def weight(ranking, doc_id):
        return (1 - p) * p ** ranking.index(doc_id) if doc_id in ranking else 0

    def value(left, asked):
        matters = []
        for ranking in rankings:
            base = sum(weight(ranking, doc_id) for doc_id, answer in asked.items() if answer)
            residual = 1 - sum(weight(ranking, doc_id) for doc_id in asked)
            matters.append(residual * (base + residual / 2) ** power)
        return {d: sum(m * weight(r, d) for m, r in zip(matters, rankings, strict=True)) for d in left}

    return value


@settings(max_examples=30)
@given(ROWS, RELEVANT, DEPTHS, st.sampled_from([0.1, 0.5]))
def test_hedge_asks_as_its_twin_does(rows, relevant, depth, beta):
    strategy = ADAPTIVE["hedge"](beta=beta, depth=depth)
    for query_id, rankings in topics_of(rows, depth):
        expected = choose_documents(hedge_value(rankings, beta), rankings, relevant)
        assert asked_by(strategy, rows, query_id, relevant) == expected


@settings(max_examples=30)
@given(ROWS, RELEVANT, DEPTHS, st.sampled_from([0.5, 0.8]), st.sampled_from([0, 3]))
def test_adaptive_rbp_asks_as_its_twin_does(rows, relevant, depth, p, power):
    strategy = ADAPTIVE["rbp_adaptive"](p=p, power=power, depth=depth)
    for query_id, rankings in topics_of(rows, depth):
        expected = choose_documents(rbp_value(rankings, p, power), rankings, relevant)
        assert asked_by(strategy, rows, query_id, relevant) == expected
