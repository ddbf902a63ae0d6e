"""Random numbers of adaptive strategies: lots of tied documents, and exploration."""

from dataclasses import replace

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
