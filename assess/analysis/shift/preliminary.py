"""Whether what a page of the shift says is preliminary, and why: the words are those of the headline."""

import pandas as pd

import agreement
from agreement.thresholds import TOP, lower_share, preliminary, share_of
from pooling.words import count, number_range


def of_gold(shift: agreement.RankingShift, gold: str) -> str:
    """Return why a sentence about the ranking under one gold is preliminary; empty if it is not."""
    n_topics, share = _n_topics(shift, gold), share_of(*shift.judged_counts(gold))
    if gold not in shift.golds or shift.thresholds.met(n_topics, share):
        return ""
    judged = f"{shift.thresholds.shown(share)} of the first {TOP} judged"
    return preliminary("", f"{count(n_topics, 'topic')} under {gold}, {judged}", shift.thresholds.tag())


def of_golds(shift: agreement.RankingShift, *golds: str) -> str:
    """Return why a sentence that compares golds with the reference is preliminary; empty if it is not."""
    basis = shift.basis[shift.basis["gold"].isin(golds) & ~shift.basis["gold"].isin(shift.enough)]
    if basis.empty:
        return ""
    shares = [*basis["judged_share"], *basis["reference_judged_share"]]
    share = lower_share(*(None if pd.isna(share) else float(share) for share in shares))
    judged = f"{shift.thresholds.shown(share)} of the first {TOP} judged"
    there_is = f"{number_range(list(basis['n_topics']), 'topic')} in common with {shift.reference}, {judged}"
    return preliminary("", there_is, shift.thresholds.tag())


def _n_topics(shift: agreement.RankingShift, gold: str) -> int:
    ranks = shift.ranks_under(gold)
    return int(ranks["n_topics"].iloc[0]) if len(ranks) else 0
