"""Every adaptive strategy except CAL against a slow reference implementation, on random runs.

The reference implementations have no state: for each document they start again from all judgements so far.
"""

import math
import zlib
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.adaptive import ADAPTIVE
from tests.examples import examples
from tests.pooling.runs import DEPTHS, ROWS, lot, rankings_of, run

SEEDS = st.integers(0, 5)
CREDITS = st.sampled_from(["one", "all"])
RELEVANT = st.sets(st.text("abé", min_size=1, max_size=2))


def proposed_by(strategy, rows, query_id, relevant):
    """All documents of a topic in the order in which the strategy proposes them, with their judgements."""
    state, proposed = strategy.start(run(rows), query_id), []
    while (doc_id := strategy.next(state)) is not None:
        proposed.append((doc_id, int(doc_id in relevant)))
        state = strategy.step(state, dict([proposed[-1]]))
    return proposed


def topics_of(rows, depth):
    """For each topic, the documents of every system, the best first; empty for a system without the topic."""
    systems = sorted({row[0] for row in rows})
    for query_id, rankings in rankings_of(rows).items():
        yield query_id, [[doc_id for doc_id, _ in rankings.get(system, [])][:depth] for system in systems]


def rng_for(seed, query_id, n_judged, purpose=0):
    return np.random.default_rng([seed, zlib.crc32(query_id.encode()), n_judged, purpose])


def choose_runs(run_scores, query_id, rankings, relevant, seed, credit):
    """The documents of the runs in the order of `run_scores`, ties at random."""
    proposed, choosers = [], []
    while len(proposed) < len(set().union(*rankings)):
        learns = [
            [(credit == "all" and d in r) or a == s for (d, _), a in zip(proposed, choosers, strict=True)]
            for s, r in enumerate(rankings)
        ]
        outcomes = [
            [answer for (_, answer), mine in zip(proposed, credited, strict=True) if mine] for credited in learns
        ]
        latest = [bool(credited) and credited[-1] for credited in learns]
        scores = run_scores(outcomes, latest, len(proposed), rng_for(seed, query_id, len(proposed), 1))
        numbers = rng_for(seed, query_id, len(proposed)).random(len(rankings))
        for s in sorted(range(len(rankings)), key=lambda s, a=scores, number=numbers: (-a[s], number[s])):
            new = [doc_id for doc_id in rankings[s] if doc_id not in dict(proposed)]
            if new:
                proposed.append((new[0], int(new[0] in relevant)))
                choosers.append(s)
                break
    return proposed


# Arguments: the outcomes of each run so far, whether the latest was one of them, the number judged, a random generator.


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
        mean, log_ratio = sum(answers) / len(answers), math.log(n) / len(answers)
        return mean + math.sqrt(log_ratio * min(0.25, mean * (1 - mean) + math.sqrt(2 * log_ratio)))

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


REFERENCES = [bandit_random, bandit_greedy, bandit_ucb, bandit_thompson, maxmean, maxmean_ns, move_to_front]


@pytest.mark.parametrize("reference", REFERENCES, ids=[reference.__name__ for reference in REFERENCES])
@examples(25)
@given(ROWS, RELEVANT, SEEDS, CREDITS, DEPTHS)
def test_run_choosers_match_the_reference(reference, rows, relevant, seed, credit, depth):
    strategy = ADAPTIVE[reference.__name__](seed=seed, credit=credit, depth=depth)
    for query_id, rankings in topics_of(rows, depth):
        expected = choose_runs(reference, query_id, rankings, relevant, seed, credit)
        assert proposed_by(strategy, rows, query_id, relevant) == expected


@examples(25)
@given(ROWS, RELEVANT, SEEDS, CREDITS, st.sampled_from([0.0, 0.5, 1.0]))
def test_maxmean_ns_discounts_old_judgements(rows, relevant, seed, credit, rate):
    strategy = ADAPTIVE["maxmean_ns"](seed=seed, credit=credit, rate=rate)
    for query_id, rankings in topics_of(rows, None):
        expected = choose_runs(partial(maxmean_ns, rate=rate), query_id, rankings, relevant, seed, credit)
        assert proposed_by(strategy, rows, query_id, relevant) == expected


def highest(values, query_id, seed):
    """The document with the highest value; of nearly equal ones, the one with the largest lot."""
    best = max(values.values())
    tied = [doc_id for doc_id, value in values.items() if value >= best - 1e-12 * abs(best)]
    return max(tied, key=lambda doc_id: lot(query_id, doc_id, seed))


def choose_documents(value, query_id, rankings, relevant, seed):
    """The documents by highest value, given the earlier judgements."""
    documents, proposed = set().union(*rankings), {}
    while left := documents - set(proposed):
        best = highest(value(sorted(left), proposed), query_id, seed)
        proposed[best] = int(best in relevant)
    return list(proposed.items())


def hedge_value(rankings, beta):
    n = len(set().union(*rankings))

    def at(ranking, doc_id):
        if doc_id in ranking:
            return math.log(n / (ranking.index(doc_id) + 1)) / 2
        below = range(len(ranking) + 1, n + 1)
        return sum(math.log(n / rank) / 2 for rank in below) / len(below)

    def value(left, proposed):
        losses = [sum(at(r, d) * (-1) ** answer for d, answer in proposed.items()) for r in rankings]
        weights = [beta ** (loss - min(losses)) for loss in losses]
        return {d: sum(w * at(r, d) for w, r in zip(weights, rankings, strict=True)) / sum(weights) for d in left}

    return value


def rbp_value(rankings, p, power):
    def weight(ranking, doc_id):
        return (1 - p) * p ** ranking.index(doc_id) if doc_id in ranking else 0

    def value(left, proposed):
        importance = []
        for ranking in rankings:
            base = sum(weight(ranking, doc_id) for doc_id, answer in proposed.items() if answer)
            residual = 1 - sum(weight(ranking, doc_id) for doc_id in proposed)
            importance.append(residual * (base + residual / 2) ** power)
        return {d: sum(m * weight(r, d) for m, r in zip(importance, rankings, strict=True)) for d in left}

    return value


@examples(30)
@given(ROWS, RELEVANT, DEPTHS, SEEDS, st.sampled_from([0.1, 0.5]))
def test_hedge_matches_the_reference(rows, relevant, depth, seed, beta):
    strategy = ADAPTIVE["hedge"](beta=beta, depth=depth, seed=seed)
    for query_id, rankings in topics_of(rows, depth):
        expected = choose_documents(hedge_value(rankings, beta), query_id, rankings, relevant, seed)
        assert proposed_by(strategy, rows, query_id, relevant) == expected


@examples(30)
@given(ROWS, RELEVANT, DEPTHS, SEEDS, st.sampled_from([0.5, 0.8]), st.sampled_from([0, 3]))
def test_adaptive_rbp_matches_the_reference(rows, relevant, depth, seed, p, power):
    strategy = ADAPTIVE["rbp_adaptive"](p=p, power=power, depth=depth, seed=seed)
    for query_id, rankings in topics_of(rows, depth):
        expected = choose_documents(rbp_value(rankings, p, power), query_id, rankings, relevant, seed)
        assert proposed_by(strategy, rows, query_id, relevant) == expected
