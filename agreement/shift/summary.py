"""The headline of a ranking shift: does the ranking of the systems change with the gold?

The headline describes the gold whose ranking differs most from the reference (smallest tau_b). A tau_b of 0.9 or more
is a slight change, and one below 0.8 is a substantial change: E. M. Voorhees (2001), Evaluation by highly relevant
documents, SIGIR, 74-82.
"""

from typing import TYPE_CHECKING

from agreement.shift.gold_pairs import GoldPair

if TYPE_CHECKING:
    from agreement.shift.ranking_shift import RankingShift

# tau_b from SLIGHT is a slight change; below SUBSTANTIAL it is a substantial one.
SLIGHT, SUBSTANTIAL = 0.9, 0.8


def shift_summary(shift: "RankingShift") -> str:
    """Return the headline of a `RankingShift`, computed from its figures."""
    if not shift.others:
        return f"Cannot be determined: {shift.reference} is the only gold, and a second one is needed."
    other = shift.farthest
    if other is None:
        reason = shift.pair(shift.reference, shift.others[0]).tau_b.shown()
        return f"Cannot be determined: tau_b against {shift.reference} is {reason}."
    pair = shift.pair(shift.reference, other)
    figures = f"tau_b {pair.tau_b.shown()}, {_count(pair.n_topics, 'topic')}, {_judged(shift, other)}"
    return f"{_answer(pair)} {_under(shift, other)} {_swaps(pair)} ({figures}) and {_top(pair, shift.reference)}."


def size_of_change(tau_b: float) -> str:
    """Return the word for a change of the ranking: "slightly", "moderately" or "substantially"."""
    if tau_b >= SLIGHT:
        return "slightly"
    return "substantially" if tau_b < SUBSTANTIAL else "moderately"


def _answer(pair: GoldPair) -> str:
    if pair.tau_b.value is None or not (pair.swapped or pair.top_changed):
        return "No."
    return f"Yes, {size_of_change(pair.tau_b.value)}."


def _under(shift: "RankingShift", other: str) -> str:
    if len(shift.others) == 1:
        return f"Under {other}, compared with {shift.reference},"
    return f"Under {other} (of {len(shift.others)} golds, the one that differs most from {shift.reference}),"


def _judged(shift: "RankingShift", gold: str) -> str:
    judged, retrieved = shift.judged_counts(gold)
    if not retrieved:
        return "nothing retrieved"
    return f"{judged / retrieved:.0%} of the first {shift.judged['k'].iloc[0]} judged"


def _swaps(pair: GoldPair) -> str:
    verb = "swap" if pair.swapped and pair.swapped > 1 else "swaps"
    return f"{pair.swapped or 'none'} of {_count(pair.n_pairs, 'system pair')} {verb}"


def _top(pair: GoldPair, reference: str) -> str:
    before, after = (pair.top_a, pair.top_b) if pair.gold_a == reference else (pair.top_b, pair.top_a)
    if not pair.top_changed:
        return f"the best system stays {_names(before)}"
    return f"the best system changes from {_names(before)} to {_names(after)}"


def _names(systems: tuple[str, ...]) -> str:
    if len(systems) > 3:
        return f"a tie of {len(systems)} systems"
    return " and ".join(systems)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
