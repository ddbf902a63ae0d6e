"""How the ranking changes with the gold, as text: plain, Markdown or LaTeX.

Figures are rounded to three digits here and nowhere before. The tables that are not rounded are the `tables` of a
`RankingShift`.
"""

import pandas as pd

from agreement.reports.results import rounded
from agreement.reports.tables import heading, prose, render
from agreement.shift.gold_pairs import GoldPair
from agreement.shift.ranking_shift import TOP, RankingShift

SHOWN_CORRELATIONS = ("tau_ap", "tau_ap_a", "tau_ap_b", "rbo", "spearman", "pearson")
MOST_SWAPS = 20
BEST = {True: "another", False: "the same", None: ""}


def shift_text(shift: RankingShift, style: str = "plain") -> str:
    """How the ranking changes with the gold: the answer, what it rests on, ranks side by side, and the taus.

    Parameters
    ----------
    shift : RankingShift
    style : {"plain", "markdown", "latex"}
    """
    parts = [prose(shift.summary(), style), prose(_basis(shift), style)]
    title = "Rank under each gold (change against the reference on the same topics)"
    parts += [heading(title, style), render(_ranks(shift), style)]
    if shift.others:
        moves = "\n".join(_moves(shift, gold) for gold in shift.others)
        parts += [heading("Between golds", style), render(_gold_pairs(shift), style)]
        parts += [heading("Correlations", style), render(_correlations(shift), style)]
        parts += [heading("Largest rise and fall", style), prose(moves, style)]
        parts += _swaps(shift, style)
    return "\n\n".join(parts) + "\n"


def _basis(shift: RankingShift) -> str:
    n = len(shift.systems)
    systems = "1 system" if n == 1 else f"{n} systems"
    lines = [f"{systems} ranked by {shift.measure}; the reference is {shift.reference}."]
    for gold in shift.golds:
        judged, retrieved = shift.judged_counts(gold)
        part = f"{judged} of {retrieved} documents" + (f" ({judged / retrieved:.1%})" if retrieved else "")
        n_topics = shift.ranks_under(gold)["n_topics"].iloc[0]
        topics = "1 topic" if n_topics == 1 else f"{n_topics} topics"
        rests = "" if gold == shift.reference or shift.topics == "own" else " with the reference"
        lines.append(f"{gold}: {topics}{rests}; judged of the first {TOP}: {part}.")
    return "\n".join(lines)


def _ranks(shift: RankingShift) -> pd.DataFrame:
    ranks = shift.to_frame()
    changes = shift.ranks.pivot(index="system", columns="gold", values="change").loc[ranks.index]
    cells = pd.DataFrame({"system": ranks.index})
    for gold in ranks.columns:
        pairs = zip(ranks[gold], changes[gold], strict=True)
        cells[gold] = ["" if pd.isna(rank) else f"{rank}{_signed(change)}" for rank, change in pairs]
    return cells


def _signed(change) -> str:
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
                "turned over": "" if pair.swapped is None else f"{pair.swapped} of {pair.n_pairs}",
                **_within_groups(pair),
                "best": BEST[pair.top_changed],
                "rms change": "" if pair.rms_change is None else f"{pair.rms_change:.3f}",
            }
            for pair in shift.pairs
        ]
    )


def _within_groups(pair: GoldPair) -> dict[str, str]:
    if pair.n_within is None:
        return {}  # no groups, or no topic in common
    between, n_between = pair.swapped - pair.swapped_within, pair.n_pairs - pair.n_within
    return {
        "turned over in groups": f"{pair.swapped_within} of {pair.n_within}",
        "between groups": f"{between} of {n_between}",
    }


def _correlations(shift: RankingShift) -> pd.DataFrame:
    """The other correlations; for those with a truth, which of the two golds it is."""
    rows = []
    for pair in shift.pairs:
        figures = {"golds": f"{pair.gold_a} and {pair.gold_b}", "truth": pair.truth}
        for name in SHOWN_CORRELATIONS:
            found = getattr(pair, name)
            figures[name.replace("_", " ")] = found.shown() if found else "ties"
        rows.append(figures)
    return pd.DataFrame(rows)


def _swaps(shift: RankingShift, style: str) -> list[str]:
    """The pairs of systems that turn over between the reference and another gold, the widest first."""
    swaps = shift.swaps()
    if swaps.empty:
        return []
    swaps = swaps[(swaps["gold_a"] == shift.reference) | (swaps["gold_b"] == shift.reference)]
    either = (swaps["significant_a"] | swaps["significant_b"]).sum()
    both = (swaps["significant_a"] & swaps["significant_b"]).sum()
    told = (
        f"Pairs that turn over against {shift.reference}: {len(swaps)}. Of these the lead was significant under one of"
        f" the two golds or both: {either}; under both: {both} (paired t test over topics, Holm's correction for all"
        f" pairs of systems, 0.05)."
    )
    if len(swaps) > MOST_SWAPS:
        told += f" The {MOST_SWAPS} widest:"
    table = rounded(swaps[:MOST_SWAPS].rename(columns={"ahead_a": "ahead under a", "ahead_b": "ahead under b"}))
    return [heading("Systems that change places", style), prose(told, style), render(table, style)]


def _moves(shift: RankingShift, gold: str) -> str:
    said = []
    for rows, verb in ((shift.largest_rise(gold), "rises"), (shift.largest_fall(gold), "falls")):
        moves = [f"{row.system} ({row.reference_rank} to {row.rank})" for row in rows.itertuples()]
        said += [f"{', '.join(moves)} {verb} most"] if moves else [f"no system {verb}"]
    return f"{gold}: {'; '.join(said)}."
