"""From judgements to golds: what is taken as the truth, by a named rule.

An item is decided by those who judged it, as `agreement.ratings` reads judgements (repeat 0 only, -1 and
missing are no judgement). The rules, first without and then with a threshold `rel`:

============== =============================== =====================================================
rule           graded                          binary, 1 where
============== =============================== =====================================================
judge:NAME     the grade that NAME gave        NAME gave `rel` or more
union          the highest grade               somebody gave `rel` or more
intersection   the lowest grade                everybody gave `rel` or more
majority       the lower median                more than half gave `rel` or more (a tie is no majority)
============== =============================== =====================================================

Both columns say the same: the highest grade, the lowest and the lower median reach a threshold exactly where
the union, the intersection and the strict majority of the sets relevant at that threshold hold the item. The
binary gold is therefore the graded one, cut at `rel`.

The gold carries its rule and parameters: in its column `gold`, such as "majority(rel=2)", and in `attrs`.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from agreement.ratings import first_judgements, not_judged

JUDGE = "judge:"


def make_gold(judgements: pd.DataFrame, rule: str, rel: int | None = None, at_least_judges: int = 1) -> pd.DataFrame:
    """A gold from judgements.

    Parameters
    ----------
    judgements : DataFrame
        Columns assessor, query_id, doc_id, relevance (numbers), and perhaps repeat.
    rule : str
        "judge:NAME", "union", "intersection" or "majority" (see the module).
    rel : int, optional
        Make the gold binary: 1 at this grade and above, 0 below. Left out, the gold is graded.
    at_least_judges : int
        Items that fewer assessors judged are not in the gold: nobody decided them.

    Returns
    -------
    DataFrame
        Columns gold, query_id, doc_id, relevance; one row an item, by query_id, then doc_id. `attrs` has
        rule, rel and at_least_judges.

    Raises
    ------
    ValueError
        An unknown rule or judge; judgements that `agreement.ratings` refuses; grades that are no numbers.
    """
    decide = _decision(rule)
    frame = first_judgements(judgements)
    if rule.startswith(JUDGE):
        frame = _of_judge(frame, rule.removeprefix(JUDGE))
    frame = frame[~not_judged(frame["relevance"])]
    gold = _decided(frame, decide, at_least_judges)
    if rel is not None:
        gold["relevance"] = (gold["relevance"] >= rel).astype(np.int64)
    gold.insert(0, "gold", gold_name(rule, rel, at_least_judges))
    gold.attrs = {"rule": rule, "rel": rel, "at_least_judges": at_least_judges}
    return gold


def gold_name(rule: str, rel: int | None = None, at_least_judges: int = 1) -> str:
    """The name of a gold: its rule, with the parameters that are not the default."""
    said = [] if rel is None else [f"rel={rel}"]
    said += [] if at_least_judges == 1 else [f"at_least_judges={at_least_judges}"]
    return f"{rule}({', '.join(said)})" if said else rule


def _highest(grades: np.ndarray, first: np.ndarray, count: np.ndarray) -> np.ndarray:
    return grades[first + count - 1]


def _lowest(grades: np.ndarray, first: np.ndarray, count: np.ndarray) -> np.ndarray:  # noqa: ARG001
    return grades[first]


def _lower_median(grades: np.ndarray, first: np.ndarray, count: np.ndarray) -> np.ndarray:
    return grades[first + (count - 1) // 2]


# A rule gets the grades, ascending within each item, and for each item where they begin and how many.
RULES: dict[str, Callable] = {"union": _highest, "intersection": _lowest, "majority": _lower_median}


def _decision(rule: str) -> Callable:
    if rule.startswith(JUDGE):
        return _lowest
    if rule not in RULES:
        raise ValueError(f"there is no rule {rule!r}; there are {JUDGE}NAME, {', '.join(RULES)}")
    return RULES[rule]


def _of_judge(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    chosen = frame[frame["assessor"] == name]
    if chosen.empty:
        there = ", ".join(sorted(frame["assessor"].unique())) or "none"
        raise ValueError(f"there is no judge {name!r}; there are: {there}")
    return chosen


def _decided(frame: pd.DataFrame, decide: Callable, at_least_judges: int) -> pd.DataFrame:
    grades = pd.to_numeric(frame["relevance"])
    frame = frame.assign(relevance=grades).sort_values(["query_id", "doc_id", "relevance"])
    items = frame[["query_id", "doc_id"]]
    first = np.flatnonzero(~items.duplicated())
    count = np.diff(first, append=len(frame))
    enough = count >= at_least_judges
    gold = items.iloc[first[enough]].reset_index(drop=True)
    gold["relevance"] = decide(frame["relevance"].to_numpy(), first[enough], count[enough])
    return gold


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
        Two golds have the same name, or there is none.
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
    return list(frame.groupby("gold", sort=False)) if "gold" in frame.columns else [("gold", frame)]
