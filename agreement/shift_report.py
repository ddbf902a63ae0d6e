"""How the ranking changes with the gold, as text: plain, Markdown or LaTeX.

Figures are rounded to three digits here and nowhere before. The tables that are not rounded are `ranks` and
`pairs_frame` of a `RankingShift`.
"""

import pandas as pd

from agreement.shift import TOP, RankingShift
from agreement.tables import heading, prose, render


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
        parts += [heading("Largest rise and fall", style), prose(moves, style)]
    return "\n\n".join(parts) + "\n"


def _basis(shift: RankingShift) -> str:
    lines = [f"{len(shift.systems)} systems ranked by {shift.measure}; the reference is {shift.reference}."]
    for gold in shift.golds:
        judged, retrieved = shift.judged_of(gold)
        part = f"{judged} of {retrieved} documents" + (f" ({judged / retrieved:.1%})" if retrieved else "")
        n_topics = shift.of(gold)["n_topics"].iloc[0]
        lines.append(f"{gold}: {n_topics} topics with the reference; judged of the first {TOP}: {part}.")
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
                "turned over": f"{pair.swapped} of {pair.n_pairs}",
                "best": "another" if pair.top_changed else "the same",
            }
            for pair in shift.pairs
        ]
    )


def _moves(shift: RankingShift, gold: str) -> str:
    said = []
    for rows, verb in ((shift.largest_rise(gold), "rises"), (shift.largest_fall(gold), "falls")):
        moves = [f"{row.system} ({row.reference_rank} to {row.rank})" for row in rows.itertuples()]
        said += [f"{', '.join(moves)} {verb} most"] if moves else [f"no system {verb}"]
    return f"{gold}: {'; '.join(said)}."
