"""Agreement and shift as text, for the command line and for files.

The text is plain or Markdown. Every table says its n, and an undefined figure says why: "undefined (one
category)". Figures are rounded to three digits here and nowhere before. For CSV there are tables that are not
rounded: `agreement_frame`, and `ranks` and `pairs_frame` of a `RankingShift`.
"""

import pandas as pd

from agreement.combining import ACROSS, KAPPAS, mean_pairwise, pairwise
from agreement.estimate import shown
from agreement.ratings import Ratings
from agreement.shift import TOP, RankingShift
from agreement.tables import heading, render

HOW = {"pooled": "One table over all topics", "topics": "Mean of the values of the topics"}


def agreement_frame(ratings: Ratings, per_topic: bool = False) -> pd.DataFrame:
    """Every pair of assessors over all topics, both ways, and in every topic.

    Parameters
    ----------
    ratings : Ratings
    per_topic : bool
        Also a row for every pair in every topic.

    Returns
    -------
    DataFrame
        The columns of `agreement.pairwise`, unrounded; before them `across` ("pooled", "topics", or "topic"
        for a single one) and `query_id` (empty but for a single topic).
    """
    frames = [pairwise(ratings, across=across).assign(across=across, query_id="") for across in ACROSS]
    if per_topic:
        topics = ratings.by_topic().items()
        frames += [pairwise(part).assign(across="topic", query_id=query_id) for query_id, part in topics]
    frame = pd.concat(frames, ignore_index=True)
    first = ["across", "query_id"]
    return frame[first + [column for column in frame.columns if column not in first]]


def agreement_text(ratings: Ratings, rel=None, per_topic: bool = False, style: str = "plain") -> str:
    """How far assessors agree: every pair over all topics and per topic, and the average of the pairs.

    Parameters
    ----------
    ratings : Ratings
    rel : grade, optional
        Compare relevant (this grade and above) with not relevant; left out, all grades of the scale.
    per_topic : bool
        Also the pairs in every topic.
    style : {"plain", "markdown"}

    Raises
    ------
    ValueError
        `rel` is not on the scale, or the style is unknown.
    """
    grades = "grades " + ", ".join(map(str, ratings.scale)) if rel is None else f"relevant from grade {rel}"
    ratings = ratings if rel is None else ratings.binary(rel)
    frame = agreement_frame(ratings, per_topic)
    size = f"{len(ratings.assessors)} assessors, {ratings.n_judgements} judgements"
    parts = [f"Agreement of {size}, {len(ratings.by_topic())} topics; {grades}."]
    if ratings.idle:
        parts.append(f"Without judgements: {', '.join(ratings.idle)}.")
    for across in ACROSS:
        parts += [heading(HOW[across], style), _pairs_text(frame[frame["across"] == across], style)]
        parts.append("\n".join(str(mean_pairwise(ratings, name, across=across)) for name in KAPPAS))
    for query_id, rows in frame[frame["across"] == "topic"].groupby("query_id", sort=False):
        parts += [heading(f"Topic {query_id}", style), _pairs_text(rows, style)]
    return "\n\n".join(parts) + "\n"


def shift_text(shift: RankingShift, style: str = "plain") -> str:
    """How the ranking changes with the gold: the answer, what it rests on, ranks side by side, and the taus.

    Parameters
    ----------
    shift : RankingShift
    style : {"plain", "markdown"}
    """
    parts = [shift.summary(), _basis(shift)]
    title = "Rank under each gold (change against the reference on the same topics)"
    parts += [heading(title, style), render(_ranks(shift), style)]
    if shift.others:
        moves = "\n".join(_moves(shift, gold) for gold in shift.others)
        parts += [heading("Between golds", style), render(_gold_pairs(shift), style)]
        parts += [heading("Largest rise and fall", style), moves]
    return "\n\n".join(parts) + "\n"


def _pairs_text(rows: pd.DataFrame, style: str) -> str:
    """The pairs with an item in common as a table, and how many have none."""
    joint = rows[rows["n"] > 0]
    cells = pd.DataFrame({"assessors": joint["assessor_a"] + " and " + joint["assessor_b"]})
    cells["n"], cells["topics"] = joint["n"], joint["topics"]
    cells["P(A)"] = joint["observed"].map("{:.3f}".format)
    for name in KAPPAS:
        title = name.replace("_", " ")
        cells[title] = [_figure(*row) for row in joint[[name, f"{name}_reason"]].itertuples(index=False)]
        cells[f"{title} band"] = joint[f"{name}_band"]
    none = len(rows) - len(joint)
    text = [render(cells, style)] if len(joint) else []
    text += [f"{none} pairs of assessors have no item in common."] if none else []
    return "\n\n".join(text) or "There is no pair of assessors."


def _figure(value: float | None, reason: str | None) -> str:
    return shown(None, reason) if isinstance(reason, str) else shown(value)


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
