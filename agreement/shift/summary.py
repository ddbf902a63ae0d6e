"""The headline of a ranking shift: does the ranking of the systems change with the gold?

The headline names only golds with enough data (`agreement.shift.thresholds`), and of these the one whose ranking
differs most from the reference (smallest tau_b). The answer is "no" if tau_b is 1, that is, if the rankings are the
same; then no gold differs most. A tau_b of 0.9 or more is a slight change, and one below 0.8 is a substantial change:
E. M. Voorhees (2001), Evaluation by highly relevant documents, SIGIR, 74-82.
"""

from collections.abc import Hashable
from typing import Any, NamedTuple

import pandas as pd

from agreement.rank_correlation import TIE
from agreement.shift.figures import ShiftFigures
from agreement.shift.gold_pairs import GoldPair
from agreement.shift.matching import matched_topics
from agreement.shift.thresholds import TOP, UNKNOWN, lower_share, share_of
from pooling.words import count

# tau_b from SLIGHT is a slight change; below SUBSTANTIAL it is a substantial one.
SLIGHT, SUBSTANTIAL = 0.9, 0.8


class Basis(NamedTuple):
    """The data of the comparison of one gold with the reference: a row of `RankingShift.basis`."""

    gold: str
    n_topics: int
    share: float | None
    reference_share: float | None
    has_evidence: bool

    @property
    def lower(self) -> float | None:
        """The lower one of the two judged shares."""
        return lower_share(self.share, self.reference_share)


def shift_headline(shift: ShiftFigures) -> str:
    """Return the answer to the question. It names no gold with too little data."""
    if not shift.others:
        return f"Cannot be determined: {shift.reference} is the only gold, and a second one is needed."
    if len(shift.systems) < 2:
        return "Cannot be determined: there is only one system, and a ranking needs two."
    if not shift.enough:
        return _too_early(shift)
    other = shift.farthest
    if other is None:
        return f"Cannot be determined: tau_b against {shift.reference} is {_tau_b(shift, shift.enough[0])}."
    pair = shift.pair(shift.reference, other)
    judged = _judged(shift, share_of(*shift.judged_counts(other)))
    figures = f"tau_b {pair.tau_b.shown()}, {count(matched_topics(shift, pair), 'topic')}, {judged}"
    figures += "".join(f", {sentence}" for sentence in _empty_topics(shift, other))
    return f"{_answer(pair)} {_under(shift, other)} {_swaps(pair)} ({figures}) and {_top(pair)}."


def left_out(shift: ShiftFigures) -> list[str]:
    """Return a sentence for each gold that the headline leaves out, with its numbers and the reason."""
    if len(shift.systems) < 2:
        return []
    undefined = [gold for gold in shift.enough if shift.pair(shift.reference, gold).tau_b.value is None]
    lines = [f"Cannot be determined for {gold}: tau_b is {_tau_b(shift, gold)}." for gold in undefined]
    early = [_early_gold(shift, gold) for gold in shift.others if gold not in shift.enough]
    needed = [shift.thresholds.needed()] if early and shift.enough else []
    return (lines if shift.farthest else []) + early + needed


def size_of_change(tau_b: float) -> str:
    """Return the word for a change of the ranking: "slightly", "moderately" or "substantially"."""
    if tau_b > SLIGHT - TIE:
        return "slightly"
    return "substantially" if tau_b <= SUBSTANTIAL - TIE else "moderately"


def _too_early(shift: ShiftFigures) -> str:
    """Return the headline if no gold has enough data: what there is, and what is needed."""
    noun = "ranking" if shift.several_measures else "gold"
    most = max((_basis(shift, gold) for gold in shift.others), key=lambda basis: (basis.n_topics, basis.lower or 0))
    data = ", and ".join(_data(shift, most, most.lower))
    needed = ". ".join([*_empty_topics(shift, most.gold), shift.thresholds.needed()])
    if len(shift.others) == 1:
        return f"Too early to say: the two {noun}s have {data}. {needed}"
    start = f"Too early to say: no {noun} has enough data to be compared with the reference."
    return f"{start} The one with the most data has {data}. {needed}"


def _early_gold(shift: ShiftFigures, gold: str) -> str:
    basis = _basis(shift, gold)
    n_topics, *judged = _data(shift, basis, basis.share)
    figures = [f"{n_topics} with {shift.reference}", *(share + _under_reference(shift, basis) for share in judged)]
    figures.append(f"tau_b {_tau_b(shift, gold)}")
    counted = " (counting only the documents of the evidence)" if basis.has_evidence else ""
    return f"Too early to say for {gold}: {', '.join(figures)}{counted}."


def _under_reference(shift: ShiftFigures, basis: Basis) -> str:
    """Return the share that the reference judges, if it is the one that is too low."""
    if basis.reference_share is not None and basis.reference_share >= shift.thresholds.min_judged:
        return ""
    return f" ({shift.thresholds.shown(basis.reference_share)} under {shift.reference})"


def _basis(shift: ShiftFigures, gold: str) -> Basis:
    row: dict[Hashable, Any] = shift.basis[shift.basis["gold"] == gold].to_dict("records")[0]
    share, reference_share = (
        None if pd.isna(row[name]) else float(row[name]) for name in ("judged_share", "reference_judged_share")
    )
    return Basis(gold, row["n_topics"], share, reference_share, row["has_evidence"])


def _tau_b(shift: ShiftFigures, gold: str) -> str:
    return shift.pair(shift.reference, gold).tau_b.shown()


def _data(shift: ShiftFigures, basis: Basis, share: float | None) -> list[str]:
    """Return the number of topics in common, and the judged share if there are topics."""
    n_common = len(shift.scores[basis.gold].columns.intersection(shift.scores[shift.reference].columns))
    n_topics = n_common if basis.share is None else basis.n_topics  # without documents no topic counts
    topics = f"{count(n_topics, 'topic', zero='no')} in common"
    return [topics, _judged(shift, share)] if n_topics and not shift.from_scores else [topics]


def _judged(shift: ShiftFigures, share: float | None) -> str:
    if shift.from_scores:
        return UNKNOWN
    if share is None:
        return "nothing retrieved"
    return f"{shift.thresholds.shown(share)} of the first {TOP} judged"


def _empty_topics(shift: ShiftFigures, gold: str) -> list[str]:
    """Return the sentence on the systems without a document for a compared topic; an empty list if there is none."""
    rows = shift.judged[(shift.judged["gold"] == gold) & (shift.judged["empty_topics"] > 0)]
    if rows.empty:
        return []
    score = "" if gold in shift.lower_is_better else ", which score 0"
    if len(rows) > 1:
        return [f"{len(rows)} systems have no documents for some topics{score}"]
    system, n_empty = rows["system"].iloc[0], rows["empty_topics"].iloc[0]
    n_topics = shift.ranks_under(gold)["n_topics"].iloc[0]
    return [f"{system} has no document for {n_empty} of {count(int(n_topics), 'topic')}{score}"]


def _answer(pair: GoldPair) -> str:
    if pair.tau_b.value is None or pair.tau_b.value > 1 - TIE:
        return "No."
    return f"Yes, {size_of_change(pair.tau_b.value)}."


def _under(shift: ShiftFigures, other: str) -> str:
    if len(shift.enough) == 1:
        return f"Under {other}, compared with {shift.reference},"
    taus = [shift.pair(shift.reference, gold).tau_b.value for gold in shift.enough]
    same = [tau for tau in taus if tau is not None]
    if min(same) > 1 - TIE:  # no gold differs
        every = f", as under each of the {len(same)} golds" if len(same) > 1 else ""
        return f"Under {other}{every}, compared with {shift.reference},"
    return f"Under {other} (of {len(shift.enough)} golds, the one that differs most from {shift.reference}),"


def _swaps(pair: GoldPair) -> str:
    verb = "swap" if pair.swapped and pair.swapped > 1 else "swaps"
    ties = "" if pair.swapped or _answer(pair) == "No." else ", but ties change"
    return f"{pair.swapped or 'none'} of {count(pair.n_pairs, 'system pair')} {verb}{ties}"


def _top(pair: GoldPair) -> str:
    if not pair.top_changed:
        return f"the best system stays {_names(pair.top_a)}"
    return f"the best system changes from {_names(pair.top_a)} to {_names(pair.top_b)}"


def _names(systems: tuple[str, ...]) -> str:
    if len(systems) > 3:
        return f"a tie of {len(systems)} systems"
    return " and ".join(systems)
