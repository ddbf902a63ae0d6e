"""Whether what a page of the shift says is preliminary, and why: the words are those of the headline."""

from dataclasses import dataclass

import agreement
from agreement.thresholds import TOP, share_of
from pooling.words import count


@dataclass(frozen=True)
class Preliminary:
    """What a page writes before and after a sentence that is based on too little data."""

    basis: str
    label: str = "Preliminary: "


def of_gold(shift: agreement.RankingShift, gold: str) -> Preliminary | None:
    """Return why a sentence about the ranking under one gold is preliminary; None if it is not."""
    n_topics, share = _n_topics(shift, gold), share_of(*shift.judged_counts(gold))
    if gold not in shift.golds or shift.thresholds.met(n_topics, share):
        return None
    judged = f"{shift.thresholds.shown(share)} of the first {TOP} judged"
    return Preliminary(f"{gold} has {count(n_topics, 'topic')}, and {judged}. {shift.thresholds.needed_alone()}")


def of_golds(shift: agreement.RankingShift, *golds: str) -> Preliminary | None:
    """Return why a sentence that compares golds with the reference is preliminary; None if it is not."""
    few = [gold for gold in shift.others if gold in golds and gold not in shift.enough]
    if not few:
        return None
    numbers = [line for line in shift.preliminary_golds() if line.startswith(tuple(f"{gold}: " for gold in few))]
    return Preliminary(" ".join([*numbers, shift.thresholds.needed()]))


def _n_topics(shift: agreement.RankingShift, gold: str) -> int:
    ranks = shift.ranks_under(gold)
    return int(ranks["n_topics"].iloc[0]) if len(ranks) else 0
