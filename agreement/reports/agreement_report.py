"""How far assessors agree, as text (plain, Markdown or LaTeX) and as data for JSON.

Every table says its n, and an undefined figure says why: "undefined (one category)". Text is rounded to three
digits, here and nowhere before; `agreement_data`, and `agreement_frame` for CSV, are not rounded.
"""

import pandas as pd

from agreement.coefficients.overall import ACROSS, KAPPAS, mean_pairwise
from agreement.estimate import Estimate, format_value
from agreement.ratings import Ratings
from agreement.relevance.pairs import pairwise_relevance
from agreement.relevance.sets import overlap
from agreement.reports.all_judges import all_judges
from agreement.reports.pair_report import agreement_frame
from agreement.reports.shift_report import shift_text
from agreement.reports.tables import heading, prose, render

__all__ = ["agreement_data", "agreement_frame", "agreement_text", "shift_text"]

HOW = {"pooled": "One table over all topics", "topics": "Mean of the values of the topics"}
VIEWS = ("overlap", "positive_agreement", "negative_agreement")


def agreement_data(
    ratings: Ratings, rel=None, per_topic: bool = False, interval: str | None = None, seed: int | None = None
) -> dict:
    """What `agreement_text` says, unrounded, as JSON can hold it.

    Parameters
    ----------
    ratings, rel, per_topic, interval, seed
        As for `agreement_text`.

    Returns
    -------
    dict
        assessors, idle, n_judgements, topics, scale, rel, interval, seed; pairs (rows of `agreement_frame`), means and
        all_judges (estimates, as `Estimate.to_dict` has them), and on two grades relevant_sets (rows of
        `pairwise_relevance`) and overlap (of all assessors together).
    """
    graded, ratings = ratings, ratings if rel is None else ratings.binary(rel)
    means = [mean for across in ACROSS for mean in _means(ratings, across, interval, seed)]
    found = {
        "assessors": list(ratings.assessors),
        "idle": list(ratings.idle),
        "n_judgements": ratings.n_judgements,
        "topics": list(ratings.by_topic()),
        "scale": list(graded.scale),
        "rel": rel,
        "interval": interval,
        "seed": seed,
        "pairs": _records(agreement_frame(ratings, per_topic, interval, seed)),
        "means": [mean.to_dict() for mean in means],
        "all_judges": [estimate.to_dict() for estimate in all_judges(ratings, interval, seed)],
    }
    if len(ratings.scale) == 2:
        found["relevant_sets"] = _records(pairwise_relevance(graded, rel))
        found["overlap"] = overlap(graded, rel=rel).to_dict()
    return found


def agreement_text(
    ratings: Ratings,
    rel=None,
    per_topic: bool = False,
    style: str = "plain",
    interval: str | None = None,
    seed: int | None = None,
) -> str:
    """How far assessors agree: every pair over all topics and per topic, the average of the pairs, and all at once.

    On two grades, also how far the sets of relevant documents coincide.

    Parameters
    ----------
    ratings : Ratings
    rel : grade, optional
        Compare relevant (this grade and above) with not relevant; left out, all grades of the scale.
    per_topic : bool
        Also the pairs in every topic.
    style : {"plain", "markdown", "latex"}
    interval : {None, "analytic", "bootstrap", "jackknife", "topics"}
        An interval of 95 % beside every kappa, as in `agreement.intervals.measurement`.
    seed : int, optional
        For the intervals that draw.

    Raises
    ------
    ValueError
        `rel` is not on the scale; the style or the interval is unknown; an interval draws without a seed.
    """
    graded, ratings = ratings, ratings if rel is None else ratings.binary(rel)
    frame = agreement_frame(ratings, per_topic, interval, seed)
    parts = [prose(text, style) for text in _opening(ratings, graded, rel)]
    for across in ACROSS:
        parts += [heading(HOW[across], style), _pairs_text(frame[frame["across"] == across], style)]
        parts.append(prose("\n".join(map(str, _means(ratings, across, interval, seed))), style))
    everybody = all_judges(ratings, interval, seed)
    parts += [heading("All judges at once, over all topics", style), render(_all_cells(everybody), style)]
    if len(ratings.scale) == 2:
        parts += _sets_text(graded, rel, style)
    for query_id, rows in frame[frame["across"] == "topic"].groupby("query_id", sort=False):
        parts += [heading(f"Topic {query_id}", style), _pairs_text(rows, style)]
    return "\n\n".join(parts) + "\n"


def _opening(ratings: Ratings, graded: Ratings, rel) -> list[str]:
    grades = "grades " + ", ".join(map(str, graded.scale)) if rel is None else f"relevant from grade {rel}"
    size = f"{len(ratings.assessors)} assessors, {ratings.n_judgements} judgements"
    opening = [f"Agreement of {size}, {len(ratings.by_topic())} topics; {grades}."]
    return [*opening, f"Without judgements: {', '.join(ratings.idle)}."] if ratings.idle else opening


def _means(ratings: Ratings, across: str, interval: str | None, seed: int | None) -> list[Estimate]:
    """The means over pairs; intervals there are of the pooled ones only."""
    options = {"interval": interval, "seed": seed} if across == "pooled" else {}
    return [mean_pairwise(ratings, name, across=across, **options) for name in KAPPAS]


def _pairs_text(rows: pd.DataFrame, style: str) -> str:
    """The pairs with an item in common as a table, how many have none, and how intervals were made."""
    joint = rows[rows["n"] > 0]
    cells = pd.DataFrame({"assessors": joint["assessor_a"] + " and " + joint["assessor_b"]})
    cells["n"], cells["topics"] = joint["n"], joint["topics"]
    cells["P(A)"] = joint["observed"].map("{:.3f}".format)
    for name in KAPPAS:
        title = name.replace("_", " ")
        cells[title] = _figures(joint, name)
        if f"{name}_low" in joint and joint[f"{name}_method"].notna().any():
            limits = joint[[f"{name}_low", f"{name}_high"]].itertuples(index=False)
            cells[f"{title} 95%"] = [_limits(low, high) for low, high in limits]
        cells[f"{title} band"] = joint[f"{name}_band"]
    none = len(rows) - len(joint)
    text = [render(cells, style)] if len(joint) else []
    text += [prose(note, style) for note in _notes(joint)]
    lacking = "pair of assessors has" if none == 1 else "pairs of assessors have"
    text += [prose(f"{none} {lacking} no item in common.", style)] if none else []
    return "\n\n".join(text) or "There is no pair of assessors."


def _notes(rows: pd.DataFrame) -> list[str]:
    """How the intervals of a table were made, and what some of them are warned of."""
    methods, warnings = (
        sorted(
            {
                text
                for name in KAPPAS
                if f"{name}_{column}" in rows
                for text in rows[f"{name}_{column}"].dropna()
                if text
            }
        )
        for column in ("method", "warnings")
    )
    notes = [f"Intervals: {'; '.join(methods)}."] if methods else []
    return [*notes, f"Of some: {'; '.join(warnings)}."] if warnings else notes


def _all_cells(estimates: list[Estimate]) -> pd.DataFrame:
    rows = [
        {
            "coefficient": found.coefficient.replace("_", " "),
            "value": found.shown(),
            "95%": "" if found.low is None else _limits(found.low, found.high),
            "n": found.n,
            "convention": found.convention.split(";")[0],
        }
        for found in estimates
    ]
    cells = pd.DataFrame(rows)
    return cells if cells["95%"].any() else cells.drop(columns="95%")


def _sets_text(ratings: Ratings, rel, style: str) -> list[str]:
    """The relevant sets of the pairs with an item in common, and of all assessors together."""
    rows = pairwise_relevance(ratings, rel)
    joint = rows[rows["n"] > 0]
    if joint.empty:
        return []
    cells = pd.DataFrame({"assessors": joint["assessor_a"] + " and " + joint["assessor_b"], "n": joint["n"]})
    cells["relevant to first"], cells["to second"] = joint["both"] + joint["only_a"], joint["both"] + joint["only_b"]
    cells["to both"] = joint["both"]
    for name in VIEWS:
        cells[name.replace("_", " ")] = _figures(joint, name)
    parts = [heading("Relevant documents, over all topics", style), render(cells, style)]
    return [*parts, prose(f"All together: {overlap(ratings, rel=rel)}", style)] if len(ratings.assessors) > 2 else parts


def _figures(rows: pd.DataFrame, name: str) -> list[str]:
    """A column of values rounded, or "undefined (why)"."""
    pairs = zip(rows[name], rows[f"{name}_reason"], strict=True)
    return [format_value(None, reason) if isinstance(reason, str) else format_value(value) for value, reason in pairs]


def _limits(low, high) -> str:
    return "" if pd.isna(low) else f"{format_value(low)} to {format_value(high)}"


def _records(frame: pd.DataFrame) -> list[dict]:
    """The rows of a table; None where a cell is NA."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")
