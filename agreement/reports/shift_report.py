"""The shift of a ranking between golds as text: plain, Markdown or LaTeX.

The summary answers by the golds with enough data (`agreement.thresholds`), and is preliminary without them; the tables
of ranks and correlations contain all golds. Values are rounded to three digits. The tables that are not rounded are the
`tables()` of a `RankingShift`.
"""

from typing import Any

import pandas as pd

from agreement.shift.gold_pairs import GoldPair
from agreement.shift.ranking_shift import TOP, RankingShift
from agreement.shift.views import on_topics
from agreement.significance import power_of_comparison
from agreement.thresholds import UNKNOWN
from pooling.errors import refuse_unless
from pooling.text_tables import heading, prose, render, rounded

SHOWN_CORRELATIONS = ("tau_ap", "tau_ap_a", "tau_ap_b", "rbo", "spearman", "pearson")
MAX_SWAPS = 20
BEST = {True: "another", False: "the same", None: ""}


def shift_text(shift: RankingShift, style: str = "plain") -> str:
    """A report on a ranking shift: the summary, its basis, ranks, correlations and swapped pairs of systems.

    The summary, the largest changes of rank and the swapped pairs are those of golds with enough data. Without such a
    gold, they are preliminary, and those of the golds with the most topics.

    Parameters
    ----------
    shift : RankingShift
        The result of `ranking_shift`.
    style : {"plain", "markdown", "latex"}, optional
        The format of the text.

    Returns
    -------
    str
        Values are rounded to three digits.

    Raises
    ------
    ValueError
        The style is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import ranking_shift, shift_text
    >>> rows = [("bm25", "1", "a", 2.0), ("bm25", "1", "b", 1.0), ("lsa", "1", "b", 2.0), ("lsa", "1", "a", 1.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> golds = {name: pd.DataFrame({"query_id": "1", "doc_id": ["a", "b"], "relevance": grades})
    ...          for name, grades in (("ada", [1, 0]), ("bob", [0, 1]))}
    >>> text = shift_text(ranking_shift(runs, golds, "AP"))
    >>> "2 systems ranked by AP; the reference is ada." in text
    True
    """
    refuse_unless(shift, RankingShift, "shift", "a RankingShift")
    parts = [prose(shift.summary(), style), prose(_basis(shift), style)]
    title = "Rank under each gold (change against the reference on the same topics)"
    parts += [heading(title, style), render(_ranks(shift), style)]
    if shift.others:
        parts += [heading("Comparison of golds", style), render(_gold_pairs(shift), style)]
        parts += [heading("Correlations", style), render(_correlations(shift), style)]
    if few := shift.preliminary_golds():
        parts += [heading("Golds with too little data", style), prose("\n".join(few), style)]
    if shift.farthest:
        moves = "\n".join(_moves(shift, gold) for gold in shift.compared)
        parts += [heading("Largest rise and fall", style), prose(moves, style)]
        parts += _swaps(shift, style)
    return "\n\n".join(parts) + "\n"


def _basis(shift: RankingShift) -> str:
    n = len(shift.systems)
    systems = "1 system" if n == 1 else f"{n} systems"
    lines = [f"{systems} ranked by {shift.measure}; the reference is {shift.reference}."]
    lines += [note] if (note := reference_note(shift)) else []
    for gold in shift.golds:
        n_topics = shift.ranks_under(gold)["n_topics"].iloc[0]
        topics = "1 topic" if n_topics == 1 else f"{n_topics} topics"
        common = "" if gold == shift.reference or shift.topics == "own" else " in common with the reference"
        lines.append(f"{gold}: {topics}{common}; {_judged(shift, gold)}.")
    lines.append(f"{shift.thresholds.tag().capitalize()}.")
    return "\n".join(lines + _few_topics(shift))


def _judged(shift: RankingShift, gold: str) -> str:
    if shift.from_scores:
        return UNKNOWN
    judged, retrieved = shift.judged_counts(gold)
    share = f" ({judged / retrieved:.1%})" if retrieved else ""
    return f"judged among the first {TOP}: {judged} of {retrieved} documents{share}"


def reference_note(shift: RankingShift) -> str:
    """Return which option names a reference, if none was named; empty otherwise.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import ranking_shift
    >>> from agreement.reports.shift_report import reference_note
    >>> runs = pd.DataFrame([("lsa", "1", "a", 2.0)], columns=["system", "query_id", "doc_id", "score"])
    >>> gold = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    >>> reference_note(ranking_shift(runs, {"ada": gold, "bob": gold}, "AP"))
    'No reference was named, so it is the first, ada; the option --reference names another.'
    >>> reference_note(ranking_shift(runs, {"ada": gold, "bob": gold}, "AP", reference="bob"))
    ''
    """
    if not (shift.reference_by_default and shift.others):
        return ""
    return f"No reference was named, so it is the first, {shift.reference}; the option --reference names another."


def _few_topics(shift: RankingShift) -> list[str]:
    """The power of a comparison of two systems under the reference, if there are few topics."""
    reference = shift.scores[shift.reference]
    tables = [on_topics(reference, shift.scores[gold], shift.topics)[0] for gold in shift.compared]
    note = power_of_comparison(min(tables, key=lambda table: table.shape[1], default=reference)).note
    return [note] if note and len(shift.systems) > 1 else []


def _ranks(shift: RankingShift) -> pd.DataFrame:
    ranks = shift.to_frame()
    changes = shift.ranks.pivot(index="system", columns="gold", values="change").loc[ranks.index]
    cells = pd.DataFrame({"system": ranks.index})
    for gold in ranks.columns:
        pairs = zip(ranks[gold], changes[gold], strict=True)
        cells[gold] = ["" if pd.isna(rank) else f"{rank}{_signed(change)}" for rank, change in pairs]
    return cells


def _signed(change: Any) -> str:
    return "" if pd.isna(change) or change == 0 else f" ({change:+d})"


def _gold_pairs(shift: RankingShift) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "golds": f"{pair.gold_a} and {pair.gold_b}",
                "topics": pair.n_topics,
                "systems": pair.n_systems,
                "tau": pair.tau.shown() if pair.tau else "ties",
                "tau_b": pair.tau_b.shown(),
                "swapped": "" if pair.swapped is None else f"{pair.swapped} of {pair.n_pairs}",
                **_within_groups(pair),
                "best": BEST[pair.top_changed],
                "rms change": "" if pair.rms_change is None else f"{pair.rms_change:.3f}",
            }
            for pair in shift.pairs
        ]
    )


def _within_groups(pair: GoldPair) -> dict[str, str]:
    if pair.n_within is None or pair.swapped is None or pair.swapped_within is None or pair.n_pairs is None:
        return {}  # no groups, or no topic in common
    between, n_between = pair.swapped - pair.swapped_within, pair.n_pairs - pair.n_within
    return {
        "swapped within groups": f"{pair.swapped_within} of {pair.n_within}",
        "between groups": f"{between} of {n_between}",
    }


def _correlations(shift: RankingShift) -> pd.DataFrame:
    """The other correlations, and the gold that is the truth for those that need one."""
    rows = []
    for pair in shift.pairs:
        row = {"golds": f"{pair.gold_a} and {pair.gold_b}", "truth": pair.truth}
        for name in SHOWN_CORRELATIONS:
            estimate = getattr(pair, name)
            row[name.replace("_", " ")] = estimate.shown() if estimate else "ties"
        rows.append(row)
    return pd.DataFrame(rows)


def _swaps(shift: RankingShift, style: str) -> list[str]:
    """The pairs of systems that swap between the reference and a gold of the headline, the widest first."""
    swaps = shift.only(*shift.compared).swaps()
    swaps = swaps[swaps["gold_a"] == shift.reference]
    if swaps.empty:
        return []
    either = (swaps["significant_a"] | swaps["significant_b"]).sum()
    both = (swaps["significant_a"] & swaps["significant_b"]).sum()
    text = (
        f"Pairs of systems that swap against {shift.reference}: {len(swaps):,}. The lead was significant under one or"
        f" both golds for {either} of them, under both for {both} (paired t test over topics, Holm's correction for all"
        f" pairs of systems, 0.05)."
    )
    if len(swaps) > MAX_SWAPS:
        text += f" The {MAX_SWAPS} widest:"
    table = rounded(swaps[:MAX_SWAPS].rename(columns={"ahead_a": "ahead under a", "ahead_b": "ahead under b"}))
    return [heading("Swapped pairs of systems", style), prose(text, style), render(table, style)]


def _moves(shift: RankingShift, gold: str) -> str:
    clauses = []
    for rows, verb in ((shift.largest_rise(gold), "rise"), (shift.largest_fall(gold), "fall")):
        moves = [f"{row.system} ({row.reference_rank} to {row.rank})" for row in rows.itertuples()]
        ending = "s" if len(moves) == 1 else ""
        clauses.append(f"{', '.join(moves)} {verb}{ending} most" if moves else f"no system {verb}s")
    return f"{gold}: {'; '.join(clauses)}."
