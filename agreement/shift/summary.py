"""The headline of a ranking shift: does the ranking of the systems change with the gold?

The headline is about the golds with enough data (`agreement.thresholds`), and names the one of them whose ranking
differs most from the reference (smallest tau_b). If no gold has enough data, it is about the golds with the most topics
in common with the reference, and is preliminary. The answer is "no" if tau_b is 1, that is, if the rankings are the
same; then no gold differs most. A tau_b of 0.9 or more is a slight change, and one below 0.8 is a substantial change:
E. M. Voorhees (2001), Evaluation by highly relevant documents, SIGIR, 74-82.
"""

from typing import NamedTuple

import pandas as pd

from agreement.rank_correlation import TIE
from agreement.shift.figures import ShiftFigures
from agreement.shift.gold_pairs import GoldPair
from agreement.shift.matching import matched_topics
from agreement.thresholds import TOP, UNKNOWN, lower_share, preliminary, share_of
from pooling.words import count, number_range

# tau_b from SLIGHT is a slight change; below SUBSTANTIAL it is a substantial one.
SLIGHT, SUBSTANTIAL = 0.9, 0.8
MOST_LISTED = 3  # names of golds in a sentence


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
    """Return the answer to the question. It is preliminary if no gold has enough data."""
    if not shift.others:
        return f"Cannot be determined: {shift.reference} is the only gold, and a second one is needed."
    if len(shift.systems) < 2:
        return "Cannot be determined: there is only one system, and a ranking needs two."
    if (other := shift.farthest) is None:
        return _undefined(shift)
    answer = _comparison(shift, other)
    return preliminary(answer, _there_is(shift, other), shift.thresholds.tag()) if shift.preliminary else answer


def left_out(shift: ShiftFigures) -> list[str]:
    """Return the sentences on the golds that the headline does not use: one for all that have too little data."""
    if len(shift.systems) < 2:
        return []
    if not shift.farthest:
        return _preliminary_sentence(shift)
    undefined = [gold for gold in shift.others if not _has_answer(shift, gold)]
    enough = [gold for gold in undefined if gold in shift.enough]
    lines = [f"Cannot be determined for {gold}: tau_b is {_tau_b(shift, gold)}." for gold in enough]
    if few := [gold for gold in undefined if gold not in enough]:
        has_topics = any(_basis(shift, gold).n_topics for gold in few)
        reason = f"tau_b is {_tau_b(shift, few[0])}" if has_topics else "no topic in common"
        lines.append(f"Cannot be determined for {_listed(few)}: {reason}.")
    return [*lines, *_preliminary_sentence(shift)]


def preliminary_golds(shift: ShiftFigures) -> list[str]:
    """Return one line for each gold with too little data, with its numbers."""
    return [f"{gold}: {_numbers(shift, gold)}." for gold in _with_too_little(shift)]


def size_of_change(tau_b: float) -> str:
    """Return the word for a change of the ranking: "slightly", "moderately" or "substantially"."""
    if tau_b > SLIGHT - TIE:
        return "slightly"
    return "substantially" if tau_b <= SUBSTANTIAL - TIE else "moderately"


def _undefined(shift: ShiftFigures) -> str:
    """Return the headline if no gold has a tau_b: why, and what is needed if there is too little data."""
    if not shift.preliminary:
        return f"Cannot be determined: tau_b against {shift.reference} is {_tau_b(shift, shift.enough[0])}."
    return f"Cannot be determined: {_no_answer(shift)}. {shift.thresholds.needed()}"


def _no_answer(shift: ShiftFigures) -> str:
    noun = "ranking" if shift.several_measures else "gold"
    basis = _basis(shift, (shift.compared or shift.others)[0])
    data = ", and ".join(_data(shift, basis, basis.lower))
    if shift.compared:
        return f"tau_b against {shift.reference} is {_tau_b(shift, basis.gold)} with {data}"
    if len(shift.others) > 1:
        return f"no {noun} has a topic in common with {shift.reference}"
    return f"the two {noun}s have {data}"


def _comparison(shift: ShiftFigures, other: str) -> str:
    """Return the answer by one gold, with its figures."""
    pair = shift.pair(shift.reference, other)
    judged = _judged(shift, share_of(*shift.judged_counts(other)))
    figures = f"tau_b {pair.tau_b.shown()}, {count(matched_topics(shift, pair), 'topic')}, {judged}"
    figures += "".join(f", {sentence}" for sentence in _empty_topics(shift, other))
    return f"{_answer(pair)} {_under(shift, other)} {_swaps(pair)} ({figures}) and {_top(pair)}."


def _there_is(shift: ShiftFigures, other: str) -> str:
    """Return the data that count for the thresholds."""
    basis = _basis(shift, other)
    evidence = " (counting only the documents of the evidence)" if basis.has_evidence else ""
    return f"{', '.join(_data(shift, basis, basis.lower))}{evidence}"


def _has_answer(shift: ShiftFigures, gold: str) -> bool:
    """Return whether a gold has a tau_b and a topic that counts."""
    return shift.pair(shift.reference, gold).tau_b.value is not None and _basis(shift, gold).n_topics > 0


def _with_too_little(shift: ShiftFigures) -> list[str]:
    return [gold for gold in shift.others if gold not in shift.enough]


def _preliminary_sentence(shift: ShiftFigures) -> list[str]:
    """Return one sentence on all golds with too little data; none if there is no such gold besides the headline's."""
    golds = [gold for gold in _with_too_little(shift) if _has_answer(shift, gold)]
    if not golds or (shift.preliminary and len(golds) == 1):
        return []
    numbers = _numbers(shift, golds[0]) if len(golds) == 1 else _ranges(shift, golds)
    needed = "" if shift.preliminary else f"; {shift.thresholds.tag()}"
    return [f"Preliminary for {_listed(golds)}: {numbers}{needed}."]


def _listed(golds: list[str]) -> str:
    more = len(golds) - MOST_LISTED
    if more > 1:
        return f"{', '.join(golds[:MOST_LISTED])} and {more} more"
    return ", ".join(golds[:-1]) + (" and " if len(golds) > 1 else "") + golds[-1]


def _ranges(shift: ShiftFigures, golds: list[str]) -> str:
    """Return the ranges of the numbers of some golds."""
    bases = [_basis(shift, gold) for gold in golds]
    parts = [f"{number_range([basis.n_topics for basis in bases], 'topic')} in common"]
    if shares := [basis.lower for basis in bases if basis.lower is not None]:
        low, high = (shift.thresholds.shown(end(shares)) for end in (min, max))
        parts.append(f"{_range(low, high)} of the first {TOP} judged")
    taus = sorted((shift.pair(shift.reference, gold).tau_b for gold in golds), key=lambda tau: tau.value or 0)
    return ", ".join([*parts, f"tau_b {_range(taus[0].shown(), taus[-1].shown())}"])


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _numbers(shift: ShiftFigures, gold: str) -> str:
    """Return the numbers of one gold."""
    basis = _basis(shift, gold)
    n_topics, *judged = _data(shift, basis, basis.share)
    figures = [f"{n_topics} with {shift.reference}", *(share + _under_reference(shift, basis) for share in judged)]
    figures.append(f"tau_b {_tau_b(shift, gold)}")
    counted = " (counting only the documents of the evidence)" if basis.has_evidence else ""
    return f"{', '.join(figures)}{counted}"


def _under_reference(shift: ShiftFigures, basis: Basis) -> str:
    """Return the share that the reference judges, if it is the one that is too low."""
    if basis.reference_share is not None and basis.reference_share >= shift.thresholds.min_judged:
        return ""
    return f" ({shift.thresholds.shown(basis.reference_share)} under {shift.reference})"


def _basis(shift: ShiftFigures, gold: str) -> Basis:
    row = shift._basis_by_gold[gold]
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
    if len(shift.compared) == 1:
        return f"Under {other}, compared with {shift.reference},"
    taus = [shift.pair(shift.reference, gold).tau_b.value for gold in shift.compared]
    same = [tau for tau in taus if tau is not None]
    if min(same) > 1 - TIE:  # no gold differs
        every = f", as under each of the {len(same)} golds" if len(same) > 1 else ""
        return f"Under {other}{every}, compared with {shift.reference},"
    return f"Under {other} (of {len(shift.compared)} golds, the one that differs most from {shift.reference}),"


def _swaps(pair: GoldPair) -> str:
    verb = "swap" if pair.swapped and pair.swapped > 1 else "swaps"
    ties = "" if pair.swapped or _answer(pair) == "No." else ", but ties change"
    return f"{f'{pair.swapped:,}' if pair.swapped else 'none'} of {count(pair.n_pairs, 'system pair')} {verb}{ties}"


def _top(pair: GoldPair) -> str:
    if not pair.top_changed:
        return f"the best system stays {_names(pair.top_a)}"
    return f"the best system changes from {_names(pair.top_a)} to {_names(pair.top_b)}"


def _names(systems: tuple[str, ...]) -> str:
    if len(systems) > 3:
        return f"a tie of {len(systems)} systems"
    return " and ".join(systems)
