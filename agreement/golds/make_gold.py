"""From judgements to golds: what is taken as the truth, by a named rule of `agreement.golds.rules`.

An item is decided by those who judged it, as `agreement.ratings` reads judgements (repeat 0 only, -1 and missing are
no judgement). What a rule does not decide is not in the gold, so unjudged.

The gold carries its rule and parameters: in its column `gold`, such as "majority(rel=2)", and in `attrs`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from agreement.golds.rules import ITEM, Judged, decision
from agreement.ratings import checked_scale
from pooling.ranking import check_whole


def make_gold(
    judgements: pd.DataFrame,
    rule: str,
    rel: int | None = None,
    at_least_judges: int = 1,
    *,
    scale: Sequence | None = None,
) -> pd.DataFrame:
    """A gold from judgements.

    Parameters
    ----------
    judgements : DataFrame
        Columns assessor, query_id, doc_id, relevance (numbers), and perhaps repeat and adjudicated.
    rule : str
        "judge:NAME", "union", "intersection", "majority", "max", "min", "median", "mean", "at_least:N",
        "both_agree", "adjudicated" or "dawid_skene": see `agreement.golds.rules`, ties included.
    rel : int, optional
        Make the gold binary: 1 at this grade and above, 0 below. Left out, the gold is graded.
    at_least_judges : int
        Items that fewer assessors judged are not in the gold: nobody decided them. They have no say in
        dawid_skene. What was adjudicated is decided, however few judged it before.
    scale : sequence, optional
        The grades, lowest first. Where it is given, other grades are refused; dawid_skene without `rel` needs it.

    Returns
    -------
    DataFrame
        Columns gold, query_id, doc_id, relevance; one row an item, by query_id, then doc_id. `attrs` has rule,
        rel and at_least_judges, the scale where it was given; with dawid_skene also its max_iterations and
        tolerance, the reason where the truth is undefined (the gold is empty then) or None, and its warnings. The
        relevance of "mean" may be a fraction.

    Raises
    ------
    ValueError
        An unknown rule or judge; judgements that `agreement.ratings` refuses; grades that are no numbers or off the
        scale; two adjudicated grades for one item.
    """
    decide = decision(rule)
    check_whole("at_least_judges", at_least_judges)
    scale = None if scale is None else checked_scale(scale)
    if rel is not None and not (isinstance(rel, (int, float, np.number)) and rel >= 0):
        raise ValueError(f"rel is a grade from 0, relevant from there on; got {rel!r}")
    decided = decide(Judged.of(judgements, scale).by_enough(at_least_judges), rel)
    gold = decided[[*ITEM, "relevance"]].sort_values(ITEM, ignore_index=True)
    gold.insert(0, "gold", gold_name(rule, rel, at_least_judges, scale))
    declared = {} if scale is None else {"scale": scale}
    gold.attrs = {"rule": rule, "rel": rel, "at_least_judges": at_least_judges} | declared | decided.attrs
    return gold


def gold_name(rule: str, rel: int | None = None, at_least_judges: int = 1, scale: Sequence | None = None) -> str:
    """The name of a gold: its rule, with the parameters that are not the default."""
    said = [] if rel is None else [f"rel={rel}"]
    said += [] if at_least_judges == 1 else [f"at_least_judges={at_least_judges}"]
    said += [] if scale is None else [f"scale={' '.join(map(str, scale))}"]
    return f"{rule}({', '.join(said)})" if said else rule


NAMED_BY = ("rule", "rel", "at_least_judges", "scale")


def as_golds(golds) -> dict[str, pd.DataFrame]:
    """Golds by name, in the order given.

    Parameters
    ----------
    golds : DataFrame, mapping of name to DataFrame, or iterable of DataFrame
        Columns query_id, doc_id, relevance. A frame that is not named by a mapping is split by its column
        `gold`; without that column it is one gold, called "gold".

    Raises
    ------
    ValueError
        Two golds have the same name, a row has no name, or there is no gold.
    """
    if isinstance(golds, Mapping):
        named = list(golds.items())
    else:
        frames = [golds] if isinstance(golds, pd.DataFrame) else golds
        named = [pair for frame in frames for pair in _by_name(frame)]
    names = [name for name, _ in named]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"one or more golds are needed, each with a name of its own; got {', '.join(names) or 'none'}")
    return dict(named)


def _by_name(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    if "gold" not in frame.columns:
        return [("gold", frame)]
    if frame["gold"].isna().any():
        raise ValueError("every row of golds names its gold; one has no name")
    if frame.empty and "rule" in frame.attrs:  # a rule may decide nothing, and the gold still has its name
        return [(gold_name(**{key: frame.attrs[key] for key in NAMED_BY if key in frame.attrs}), frame)]
    return [(str(name), rows) for name, rows in frame.groupby("gold", sort=False)]
