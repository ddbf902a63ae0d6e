"""Random numbers of adaptive strategies: lots of tied documents, and exploration."""

from dataclasses import replace
from pathlib import Path

import pytest

from pooling.adaptive import ADAPTIVE
from tests.pooling.runs import lists, lot, run


@pytest.mark.parametrize("name", ["hedge", "rbp_adaptive"])
def test_tied_documents_are_proposed_by_lot(name):
    # 12 runs with one document each, from two sources. The ids of one sort before those of the other.
    runs = run((f"s{n:02}", "1", f"{'web' if n % 2 else 'news'}-{n}", 1.0) for n in range(12))
    orders = []
    for seed in range(4):
        strategy = ADAPTIVE[name](seed=seed)
        state, proposed = strategy.start(runs, "1"), []
        while (doc_id := strategy.next(state)) is not None:
            proposed.append(doc_id)
            state = strategy.step(state, {doc_id: 0})
        assert proposed == sorted(proposed, key=lambda doc_id, seed=seed: -lot("1", doc_id, seed))
        orders.append(tuple(proposed))
    assert len(set(orders)) == 4


def test_a_state_from_before_the_lots_can_be_used():
    runs, strategy = run(lists(s="ab", t="cd")), ADAPTIVE["hedge"]()
    old = replace(strategy.start(runs, "1"), strategy="hedge(rel=1, depth=None, beta=0.1)")
    assert strategy.next(old) == strategy.next(strategy.start(runs, "1"))
    with pytest.raises(ValueError, match="the state was made by hedge"):
        ADAPTIVE["hedge"](seed=1).next(old)


@pytest.mark.parametrize("n_runs", [3, 8])
def test_bandit_greedy_explores_at_random_for_as_many_judgements_as_there_are_runs(n_runs):
    # The n-th document is random with probability min(1, 0.01 K / (0.1^2 n)) = min(1, K / n).
    runs = run(row for s in range(n_runs) for row in lists(**{f"s{s}": [f"{s}{rank:02}" for rank in range(20)]}))
    differ = 0
    for seed in range(20):
        greedy, random = (ADAPTIVE[name](seed=seed) for name in ("bandit_greedy", "bandit_random"))
        states = [greedy.start(runs, "1"), random.start(runs, "1")]
        for number in range(1, 2 * n_runs + 1):
            proposed = [strategy.next(state) for strategy, state in zip((greedy, random), states, strict=True)]
            if proposed[0] != proposed[1]:
                assert number > n_runs
                differ += 1
                break
            judged = {proposed[0]: int(proposed[0].startswith("0"))}
            states = [s.step(state, judged) for s, state in zip((greedy, random), states, strict=True)]
    assert differ > 5


def test_the_exploration_of_bandit_greedy_is_documented():
    page = (Path(__file__).resolve().parents[3] / "docs" / "pooling.md").read_text(encoding="utf-8")
    assert "explores at random for the first K judgements" in " ".join(page.split())
    assert "the first K documents of a topic come from runs drawn at random" in " ".join(
        ADAPTIVE["bandit_greedy"].__doc__.split()
    )
