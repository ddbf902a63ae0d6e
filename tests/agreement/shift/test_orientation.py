"""Two golds in both orders: a figure that belongs to one of them follows its name, whatever the order of the list."""

import numpy as np
import pandas as pd
import pytest

from agreement import ranking_shift, shift_text
from agreement.rank_correlation import tau_ap_a

DOCUMENTS = [(str(topic), f"d{number}") for topic in range(12) for number in range(6)]
ORDERS = pytest.mark.parametrize("order", [("ann", "bob", "cleo"), ("cleo", "bob", "ann"), ("bob", "cleo", "ann")])
REFERENCES = pytest.mark.parametrize("reference", ["ann", "bob", "cleo"])


def random_golds(rng):
    grades = {name: rng.integers(0, 2, len(DOCUMENTS)) for name in ("ann", "bob", "cleo")}
    frame = pd.DataFrame(DOCUMENTS, columns=["query_id", "doc_id"])
    return {name: frame.assign(relevance=values) for name, values in grades.items()}


def random_runs(rng):
    """Each system retrieves about two thirds of the documents, so that measures of sets differ."""
    rows = [
        (f"s{system}", *document, rng.random()) for system in range(7) for document in DOCUMENTS if rng.random() < 2 / 3
    ]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(8)
    return random_runs(rng), random_golds(rng)


def shift_of(data, order, reference, measure="AP"):
    runs, golds = data
    return ranking_shift(runs, {name: golds[name] for name in order}, measure, reference)


def means(shift, gold):
    return shift.scores[gold].mean(axis=1)


@ORDERS
@REFERENCES
def test_every_figure_of_a_pair_belongs_to_its_gold(data, order, reference):
    shift = shift_of(data, order, reference)
    assert [pair.gold_a for pair in shift.pairs[:2]] == [reference] * 2
    for a in order:
        for b in set(order) - {a}:
            pair = shift.pair(a, b)
            x, y = means(shift, a), means(shift, b)
            assert (pair.gold_a, pair.gold_b) == (a, b)
            assert pair.top_a == tuple(x.index[x == x.max()])
            assert pair.top_b == tuple(y.index[y == y.max()])
            truth, estimate = (x, y) if pair.truth == a else (y, x)
            assert pair.tau_ap_a.value == tau_ap_a(truth.to_numpy(), estimate.to_numpy()).value
            assert pair.truth == (reference if reference in (a, b) else min((a, b), key=order.index))


@ORDERS
@REFERENCES
@pytest.mark.parametrize("measure", ["AP", "E"])
def test_the_leader_of_a_swapped_pair_leads_under_its_gold(data, order, reference, measure):
    shift = shift_of(data, order, reference, measure)
    swaps = shift.swaps()
    assert len(swaps) == sum(pair.swapped for pair in shift.pairs) > 0
    assert set(swaps.loc[(swaps[["gold_a", "gold_b"]] == reference).any(axis=1), "gold_a"]) == {reference}
    sign = -1 if measure == "E" else 1  # lower is better
    for row in swaps.itertuples():
        for gold, ahead, behind, lead in (
            (row.gold_a, row.ahead_a, row.ahead_b, row.difference_a),
            (row.gold_b, row.ahead_b, row.ahead_a, row.difference_b),
        ):
            scores = means(shift, gold)
            assert sign * (scores[ahead] - scores[behind]) == pytest.approx(lead)
            assert lead > 0


@REFERENCES
def test_the_order_of_the_golds_changes_no_figure_of_the_reference(data, reference):
    one, other = (shift_of(data, order, reference) for order in (("ann", "bob", "cleo"), ("cleo", "bob", "ann")))
    for gold in set(one.golds) - {reference}:
        assert one.only(gold).headline() == other.only(gold).headline()
        assert one.pair(reference, gold) == other.pair(reference, gold)
        assert one.ranks_under(gold).to_csv(index=False) == other.ranks_under(gold).to_csv(index=False)
        assert one.only(gold).swaps().to_csv() == other.only(gold).swaps().to_csv()


@ORDERS
@REFERENCES
def test_the_report_names_each_gold_with_its_own_systems(data, order, reference):
    shift = shift_of(data, order, reference)
    other = shift.farthest
    before, after = (means(shift, gold).idxmax() for gold in (reference, other))
    best = f"changes from {before} to {after}" if before != after else f"stays {before}"
    text = shift_text(shift)
    assert f"the best system {best}" in text
    assert f"Pairs of systems that swap against {reference}" in text
    ranks = shift.to_frame()
    for gold in shift.others:
        moves = (ranks[reference] - ranks[gold]).sort_values(kind="stable")
        fallen, risen = moves.index[moves == moves.min()], moves.index[moves == moves.max()]
        line = next(line for line in text.splitlines() if line.startswith(f"{gold}: ") and " most" in line)
        for system in (*fallen, *risen):
            assert f"{system} ({ranks[reference][system]} to {ranks[gold][system]})" in line
