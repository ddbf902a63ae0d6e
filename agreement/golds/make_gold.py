"""From judgements to golds: grades taken as truth, derived by a named rule of `agreement.golds.rules`.

A rule uses the judgements of repeat 0; negative and missing values are not judgements. Items that a rule does not
decide are not in the gold, that is, they are unjudged. A gold states its rule and parameters in its column `gold`,
such as "majority(rel=2)", and in `attrs`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from agreement.golds.rules import ITEM, JudgementTable, decision
from agreement.judgements import Grade
from agreement.ratings import checked_scale
from pooling.inputs import Input, as_judgements, named_golds
from pooling.ranking import check_whole

UNNAMED = "gold"  # the name of a gold without a name
NAME_PARAMETERS = ("rule", "rel", "at_least_judges", "scale")


def make_gold(
    judgements: Input,
    rule: str,
    rel: float | None = None,
    at_least_judges: int = 1,
    *,
    scale: Sequence[Grade] | None = None,
) -> pd.DataFrame:
    """A gold from judgements, by a named rule.

    Parameters
    ----------
    judgements : table, path, dictionary, or iterable of these
        Columns assessor, query_id, doc_id, relevance (numbers), and optionally repeat (only repeat 0 is used) and
        adjudicated (rows marked true are decisions, not votes).
    rule : str
        How several grades of an item become one:

        * "judge:NAME": the grade of the judge NAME;
        * "union" or "max": the highest grade;
        * "intersection" or "min": the lowest grade;
        * "majority" or "median": the lower median; for binary golds, more than half found the item relevant;
        * "mean": the mean, which may be a fraction;
        * "at_least:N": the highest grade that N judges reach; undecided if fewer than N judged the item;
        * "both_agree": the grade if two or more judges agree; otherwise undecided;
        * "adjudicated": the adjudicated grade, or the grade on which all agree; otherwise undecided;
        * "dawid_skene": the most likely grade by the model of Dawid and Skene; undecided with fewer than two judges;
        * "glad": the same by GLAD, with abilities of judges and difficulties of items;
        * "mace": the same by MACE, which finds who guesses; its random starts use the seed 0;
        * "corrected:NAME": the mean grade of the other judges; where only the model NAME judged, the grade that the
          others are expected to give, which may be a fraction.
    rel : int or float, optional
        Make the gold binary: 1 for this grade and above, 0 below; 0 or more. By default the gold is graded.
    at_least_judges : int, optional
        Items with fewer judges are undecided, and "dawid_skene", "glad" and "mace" ignore their judgements. Adjudicated
        items are decided for any number of judges. 1 or more.
    scale : sequence of int or float, optional
        The grades, lowest first. If it is passed, other grades are refused. "dawid_skene", "glad" and "mace"
        need it unless `rel` is passed.

    Returns
    -------
    DataFrame
        Columns gold, query_id, doc_id, relevance; one row for each decided item, by query_id, then doc_id. `attrs`
        contains rule, rel, at_least_judges, and the scale if it was passed; with "dawid_skene", "glad" and "mace" also
        the options of the model (such as max_iterations, tolerance, and the seed of "mace"), reason (None, or why the
        truth is undefined and the gold empty) and warnings.

    Raises
    ------
    ValueError
        The rule or the judge is unknown; an assessor judged an item twice; a grade is not a number or not on the scale;
        an item has two adjudicated grades; `rel` or `at_least_judges` is out of range.

    References
    ----------
    A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
    Journal of the Royal Statistical Society, Series C 28(1), 20-28.
    J. Whitehill, P. Ruvolo, T. Wu, J. Bergsma and J. Movellan (2009). Whose vote should count more: optimal integration
    of labels from labelers of unknown expertise. Advances in Neural Information Processing Systems 22, 2035-2043.
    D. Hovy, T. Berg-Kirkpatrick, A. Vaswani and E. Hovy (2013). Learning whom to trust with MACE. Proceedings of
    NAACL-HLT 2013, 1120-1130.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import make_gold
    >>> rows = [("ada", "1", "d1", 2), ("bob", "1", "d1", 0), ("ada", "1", "d2", 1), ("bob", "1", "d2", 1)]
    >>> judgements = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    >>> make_gold(judgements, "union", rel=2)
               gold query_id doc_id  relevance
    0  union(rel=2)        1     d1          1
    1  union(rel=2)        1     d2          0
    >>> make_gold(judgements, "both_agree")["doc_id"].tolist()
    ['d2']
    """
    decide = decision(rule)
    check_whole("at_least_judges", at_least_judges)
    grades = None if scale is None else checked_scale(scale)
    if rel is not None and not (isinstance(rel, (int, float, np.number)) and rel >= 0):
        raise ValueError(f"rel must be a grade from 0, the lowest relevant one, not {rel!r}.")
    decided = decide(JudgementTable.checked(as_judgements(judgements), grades).with_judges(at_least_judges), rel)
    gold = decided[[*ITEM, "relevance"]].sort_values(ITEM, ignore_index=True)
    gold.insert(0, "gold", gold_name(rule, rel, at_least_judges, grades))
    declared = {} if grades is None else {"scale": grades}
    gold.attrs = {"rule": rule, "rel": rel, "at_least_judges": at_least_judges} | declared | decided.attrs
    return gold


def gold_name(
    rule: str, rel: float | None = None, at_least_judges: int = 1, scale: Sequence[Grade] | None = None
) -> str:
    """The name of a gold: its rule with the parameters that differ from the default.

    Parameters
    ----------
    rule : str
        The rule, such as "majority" or "judge:ada".
    rel : int or float, optional
        The lowest relevant grade of a binary gold.
    at_least_judges : int, optional
        The number of judges an item needs.
    scale : sequence, optional
        The declared grades.

    Returns
    -------
    str

    Examples
    --------
    >>> from agreement import gold_name
    >>> gold_name("majority", rel=2, at_least_judges=3)
    'majority(rel=2, at_least_judges=3)'
    """
    parameters = [] if rel is None else [f"rel={rel}"]
    parameters += [] if at_least_judges == 1 else [f"at_least_judges={at_least_judges}"]
    parameters += [] if scale is None else [f"scale={' '.join(map(str, scale))}"]
    return f"{rule}({', '.join(parameters)})" if parameters else rule


def as_golds(golds: Input) -> dict[str, pd.DataFrame]:
    """Return the golds by name, in the order of the input.

    Parameters
    ----------
    golds : table, path, dictionary, or iterable of these
        Tables with the columns query_id, doc_id, relevance. A dictionary names its golds, and a file is named after
        its path. Other tables are split by their column `gold`; a table without this column is called "gold".

    Returns
    -------
    dict of str to DataFrame

    Raises
    ------
    ValueError
        Two golds have the same name, a row has no name, or there is no gold.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import as_golds
    >>> gold = pd.DataFrame({"query_id": ["1"], "doc_id": ["d1"], "relevance": [1]})
    >>> list(as_golds({"nist": gold})), list(as_golds(gold))
    (['nist'], ['gold'])
    >>> list(as_golds([gold.assign(gold="a"), gold.assign(gold="b")]))
    ['a', 'b']
    """
    named = [
        pair for name, frame in named_golds(golds) for pair in (_by_name(frame) if name is None else [(name, frame)])
    ]
    names = [name for name, _ in named]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"Pass one or more golds with different names, not {', '.join(names) or 'none'}.")
    return dict(named)


def _by_name(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    if "gold" not in frame.columns:
        _refuse_judgements(frame)
        return [(UNNAMED, frame)]
    if frame["gold"].isna().any():
        raise ValueError("Each row of golds must name its gold; one has no name.")
    if frame.empty and "rule" in frame.attrs:  # a rule may decide nothing, but the gold keeps its name
        parameters: dict[str, Any] = {str(key): value for key, value in frame.attrs.items() if key in NAME_PARAMETERS}
        return [(gold_name(**parameters), frame)]
    return [(str(name), rows) for name, rows in frame.groupby("gold", sort=False)]


def _refuse_judgements(frame: pd.DataFrame) -> None:
    judges = sorted(map(str, frame["assessor"].dropna().unique())) if "assessor" in frame.columns else []
    if len(judges) > 1:
        shown = ", ".join(map(repr, judges[:3])) + (", ..." if len(judges) > 3 else "")
        raise ValueError(f"A gold has one grade for each document, but these are judgements of {shown}. Use make_gold.")
