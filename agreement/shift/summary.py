"""The sentence that answers: does the ranking change with the judge?

It speaks of the gold whose ranking differs most from the reference's (least tau_b). "Little" is a tau_b of
0.9 or more, "much" one below 0.8: E. M. Voorhees (2001), Evaluation by highly relevant documents, SIGIR, 74-82.
"""

LITTLE, MUCH = 0.9, 0.8


def shift_sentence(shift) -> str:
    """One sentence about a `RankingShift`, computed from its figures."""
    if not shift.others:
        return f"Not to be said: {shift.reference} is the only gold; a second one is needed."
    other = shift.farthest
    if other is None:
        reason = shift.pair(shift.reference, shift.others[0]).tau_b.shown()
        return f"Not to be said: tau_b against {shift.reference} is {reason}."
    pair = shift.pair(shift.reference, other)
    basis = f"{_count(pair.n_topics, 'topic')}, {_judged(shift, other)}"
    return f"{_answer(pair)}: {_where(shift, other)} {_swaps(pair, basis)}, {_top(pair, shift.reference)}."


def _answer(pair) -> str:
    if not pair.swapped and not pair.top_changed:
        return "No"
    value = pair.tau_b.value
    whole = "Little" if value >= LITTLE else "Much" if value < MUCH else "Somewhat"
    if pair.top_changed:
        return f"{whole} at the whole, and yes at the top"
    return f"{whole} at the whole, and not at the top"


def _where(shift, other: str) -> str:
    if len(shift.others) == 1:
        return f"under {other}, against {shift.reference},"
    return f"under {other}, which of {len(shift.others)} golds differs most from {shift.reference},"


def _judged(shift, gold: str) -> str:
    judged, retrieved = shift.judged_of(gold)
    return (
        f"{judged / retrieved:.0%} of the first {shift.judged['k'].iloc[0]} judged"
        if retrieved
        else "nothing retrieved"
    )


def _swaps(pair, basis: str) -> str:
    turned = f"the order of {pair.swapped} of {pair.n_pairs} pairs of systems turns over"
    if not pair.swapped:
        turned = f"none of {pair.n_pairs} pairs of systems turns over"
    return f"{turned} (tau_b {pair.tau_b.shown()}, {basis})"


def _top(pair, reference: str) -> str:
    before, after = (pair.top_a, pair.top_b) if pair.gold_a == reference else (pair.top_b, pair.top_a)
    if not pair.top_changed:
        return f"and the best stays {_named(before)}"
    return f"and the best is {_named(after)} instead of {_named(before)}"


def _named(systems: tuple[str, ...]) -> str:
    if len(systems) > 3:
        return f"a tie of {len(systems)} systems"
    return " and ".join(systems)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
