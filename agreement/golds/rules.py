"""The rules by which the grades of several judges become one; `agreement.golds.make_gold.make_gold` applies them.

============== =================================== =======================================================
rule           graded                              binary, 1 if
============== =================================== =======================================================
judge:NAME     the grade of NAME                   NAME gave `rel` or more
union, max     the highest grade                   one judge or more gave `rel` or more
intersection,  the lowest grade                    all judges gave `rel` or more
min
majority,      the lower median                    more than half gave `rel` or more; a tie does not count
median
mean           the mean, possibly a fraction       the mean is `rel` or more
at_least:N     the highest grade that N judges     N or more gave `rel` or more
               reach
both_agree     the grade if all agree              all gave `rel` or more; 0 if all gave less
adjudicated    the adjudicated grade, or the       the adjudicated grade is `rel` or more, or all gave
               grade on which all agree            `rel` or more
dawid_skene    the most likely grade (Dawid and    relevance at `rel` is more likely than not, estimated
               Skene 1979), the lowest if tied     from relevance at `rel`
glad           the most likely grade (Whitehill    relevance at `rel` is more likely than not, estimated
               and others 2009), the lowest if     from relevance at `rel`
               tied
mace           the most likely grade (Hovy and     relevance at `rel` is more likely than not, estimated
               others 2013), the lowest if tied    from relevance at `rel`
corrected:NAME the mean of the other judges, or    the mean of the others, or relevance at `rel`, expected
               the grade expected from that of     from the grade of NAME, is more than one half
               NAME; possibly a fraction
============== =================================== =======================================================

For union, intersection, majority (and their second names), at_least, judge:NAME and mean, the binary gold is the graded
gold cut at `rel`. For both_agree and adjudicated it is not: judges who gave 2 and 3 disagree as grades and agree on
relevance at 2.

These items are not decided and therefore not in the gold:

at_least:N   items with fewer than N judges, because it is unknown whether N would have found them relevant;
both_agree   items with fewer than two judges, or on which two disagree;
adjudicated  items without adjudicated grade on which two disagree (a single judge decides);
judge:NAME   items that NAME did not judge;
dawid_skene  all items if the truth is undefined, as with one assessor (`attrs` of the gold contains the reason);
glad         all items if the truth is undefined, as with one assessor (`attrs` of the gold contains the reason);
mace         all items if the truth is undefined, as with one assessor (`attrs` of the gold contains the reason);
corrected:NAME  items that only NAME judged, if no other judge judged an item of NAME (`attrs` has the reason).

The random starts of mace use the seed 0, which `attrs` of the gold contains. The function `mace` takes other seeds.

*Adjudicated* grades are rows of the table of judgements whose column `adjudicated` is true. They are decisions, not
votes; the other rules ignore them.

References
----------
A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Journal of the Royal Statistical Society, Series C 28(1), 20-28 (dawid_skene).
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness. Information
Processing and Management 36(5), 697-716 (union, intersection).
J. Whitehill, P. Ruvolo, T. Wu, J. Bergsma and J. Movellan (2009). Whose vote should count more: optimal integration of
labels from labelers of unknown expertise. Advances in Neural Information Processing Systems 22, 2035-2043 (glad).
D. Hovy, T. Berg-Kirkpatrick, A. Vaswani and E. Hovy (2013). Learning whom to trust with MACE. Proceedings of NAACL-HLT
2013, 1120-1130 (mace).
A. N. Angelopoulos, J. C. Duchi and T. Zrnic (2023). PPI++: efficient prediction-powered inference. arXiv 2311.01453
(corrected).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from inspect import Parameter, signature
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.checks import described, numbers_of
from agreement.golds.corrected import corrected_grades
from agreement.golds.dawid_skene import dawid_skene
from agreement.golds.glad import glad
from agreement.golds.mace import mace
from agreement.golds.truth import Truth
from agreement.judgements import Scale, adjudicated
from agreement.ratings import Ratings, first_judgements, not_judged, positions_on
from pooling.errors import refuse_unless

ITEM = ["query_id", "doc_id"]
JUDGE, AT_LEAST, CORRECTED = "judge:", "at_least:", "corrected:"
MIN_AGREEING = 2
MACE_SEED = 0  # of the rule, whose name has no place for a seed
# The functions of the rules that estimate the true grades. They need a scale, and `mace` a seed.
MODELS: dict[str, Callable[..., Truth]] = {"dawid_skene": dawid_skene, "glad": glad, "mace": mace}

Integers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class JudgementTable:
    """Validated judgements.

    Attributes
    ----------
    votes : DataFrame
        assessor, query_id, doc_id, relevance (numbers): repeat 0, judged, not adjudicated.
    adjudications : DataFrame
        query_id, doc_id, relevance: one row for each adjudicated item.
    assessors : tuple of str
        The assessors of the table, ascending, without adjudicators.
    scale : tuple or None
        The declared grades.
    """

    votes: pd.DataFrame
    adjudications: pd.DataFrame
    assessors: tuple[str, ...]
    scale: Scale | None

    @classmethod
    def checked(cls, judgements: pd.DataFrame, scale: Scale | None = None) -> "JudgementTable":
        """Validate a table; ValueError if judgements are invalid or an item has two adjudicated grades."""
        final = judgements[adjudicated(judgements)].drop(columns="adjudicated", errors="ignore")
        votes, final = first_judgements(judgements), first_judgements(final)
        assessors = tuple(sorted(votes["assessor"].unique()))
        votes, final = _numbers(votes, scale), _numbers(final, scale)[[*ITEM, "relevance"]].drop_duplicates()
        twice = final.duplicated(ITEM)
        if twice.any():
            raise ValueError(f"An item has two adjudicated grades: {described(final[twice].iloc[0])}.")
        return cls(votes, final, assessors, scale)

    def cut(self, rel: float | None) -> "JudgementTable":
        """The same judgements as 1 (`rel` and above) and 0; unchanged if `rel` is None."""
        if rel is None:
            return self
        return replace(self, votes=_cut(self.votes, rel), adjudications=_cut(self.adjudications, rel), scale=(0, 1))

    def with_judges(self, at_least: int) -> "JudgementTable":
        """Only the votes on items with at least this many judges; all adjudications stay."""
        if at_least == 1:
            return self
        count = self.votes.groupby(ITEM)["assessor"].transform("size")
        return replace(self, votes=self.votes[count >= at_least])

    @cached_property
    def by_item(self) -> "Votes":
        """The votes grouped by item."""
        rows = self.votes.sort_values([*ITEM, "relevance"])
        first = np.flatnonzero(~rows.duplicated(ITEM))
        count = np.diff(first, append=len(rows))
        return Votes(rows[ITEM].iloc[first], rows["relevance"].to_numpy(), first, count)


@dataclass(frozen=True, eq=False)
class Votes:
    """Votes grouped by item.

    Attributes
    ----------
    items : DataFrame
        query_id and doc_id of each item.
    grades : ndarray, shape (n_votes,)
        The grades, ascending within each item.
    first, count : ndarray of int, shape (n_items,)
        The index of each item's first vote, and its number of votes, 1 or more.
    """

    items: pd.DataFrame
    grades: npt.NDArray[Any]
    first: Integers
    count: Integers

    @property
    def lowest(self) -> npt.NDArray[Any]:
        """The lowest grade of each item."""
        return np.asarray(self.grades[self.first])

    @property
    def highest(self) -> npt.NDArray[Any]:
        """The highest grade of each item."""
        return np.asarray(self.grades[self.first + self.count - 1])

    def decided(self, relevance: npt.NDArray[Any], where: npt.NDArray[np.bool_] | None = None) -> pd.DataFrame:
        """query_id, doc_id and relevance of the items of the mask, by default of all."""
        frame = self.items.assign(relevance=relevance)
        return frame if where is None else frame[where]


Decision = Callable[[JudgementTable, float | None], pd.DataFrame]


def decision(rule: str) -> Decision:
    """The function of a rule, from judgements and `rel` to a frame of query_id, doc_id, relevance.

    ValueError if the rule is unknown.
    """
    refuse_unless(rule, str, "rule", "the name of a rule")
    if rule.startswith(JUDGE):
        return partial(_grades_of, rule.removeprefix(JUDGE))
    if rule.startswith(CORRECTED):
        return partial(_corrected, rule.removeprefix(CORRECTED))
    if re.fullmatch(f"{AT_LEAST}[1-9][0-9]*", rule):
        return partial(_at_least, int(rule.removeprefix(AT_LEAST)))
    if rule not in RULES:
        names = ", ".join([f"{JUDGE}NAME", *RULES, f"{AT_LEAST}N", f"{CORRECTED}NAME"])
        raise ValueError(f"There is no rule {rule!r}. The rules are {names} (N is 1 or more).")
    return RULES[rule]


def _max(table: JudgementTable, rel: float | None) -> pd.DataFrame:
    votes = table.cut(rel).by_item
    return votes.decided(votes.highest)


def _min(table: JudgementTable, rel: float | None) -> pd.DataFrame:
    votes = table.cut(rel).by_item
    return votes.decided(votes.lowest)


def _median(table: JudgementTable, rel: float | None) -> pd.DataFrame:
    votes = table.cut(rel).by_item
    return votes.decided(votes.grades[votes.first + (votes.count - 1) // 2])


def _mean(table: JudgementTable, rel: float | None) -> pd.DataFrame:
    votes = table.by_item
    sums = np.add.reduceat(votes.grades, votes.first, dtype=np.float64) if len(votes.first) else np.zeros(0)
    decided = votes.decided(sums / votes.count)
    return decided if rel is None else _cut(decided, rel)


def _both_agree(table: JudgementTable, rel: float | None) -> pd.DataFrame:
    votes = table.cut(rel).by_item
    return votes.decided(votes.lowest, (votes.lowest == votes.highest) & (votes.count >= MIN_AGREEING))


def _adjudicated(table: JudgementTable, rel: float | None) -> pd.DataFrame:
    cut = table.cut(rel)
    votes = cut.by_item
    agreed = votes.decided(votes.lowest, votes.lowest == votes.highest)
    return pd.concat([cut.adjudications, agreed]).drop_duplicates(ITEM)  # keeps the first, the adjudication


def _grades_of(name: str, table: JudgementTable, rel: float | None) -> pd.DataFrame:
    votes = table.cut(rel).votes
    chosen = votes[votes["assessor"] == name]
    _refuse_unknown(name, table)
    return chosen[[*ITEM, "relevance"]]


def _corrected(name: str, table: JudgementTable, rel: float | None) -> pd.DataFrame:
    _refuse_unknown(name, table)
    is_model = (table.votes["assessor"] == name).to_numpy()
    # The model keeps its grades with `rel` too: they tell more than its own relevance.
    decided = corrected_grades(table.cut(rel).votes[~is_model], table.votes[is_model])
    if rel is None:
        return decided
    return decided.assign(relevance=(decided["relevance"] > 0.5).astype(np.int64))


def _refuse_unknown(name: str, table: JudgementTable) -> None:
    if name not in table.assessors:
        raise ValueError(f"There is no judge {name!r}. The judges are {', '.join(table.assessors) or 'none'}.")


def _at_least(n: int, table: JudgementTable, rel: float | None) -> pd.DataFrame:
    votes = table.cut(rel).by_item
    index = votes.first + np.maximum(votes.count - n, 0)
    return votes.decided(votes.grades[index], votes.count >= n)


def inferred_truth(rule: str, table: JudgementTable, rel: float | None, seed: int = MACE_SEED) -> Truth:
    """The truth that one of `MODELS` estimates; ValueError if the scale is unknown."""
    table = table.cut(rel)
    if table.scale is None:
        raise ValueError(f"The rule {rule} needs scale or rel, because it estimates errors on a declared scale.")
    seeded = {"seed": seed} if "seed" in signature(MODELS[rule]).parameters else {}
    return MODELS[rule](Ratings.from_judgements(table.votes, table.scale), **seeded)


def _inferred(rule: str, table: JudgementTable, rel: float | None) -> pd.DataFrame:
    truth = inferred_truth(rule, table, rel)
    gold = truth.to_gold()[[*ITEM, "relevance"]]
    options = {name: each.default for name, each in signature(MODELS[rule]).parameters.items()}
    seeded = {} if truth.seed is None else {"seed": truth.seed}
    known = {name: value for name, value in options.items() if value is not Parameter.empty}
    gold.attrs = dict([*seeded.items(), *known.items(), ("reason", truth.reason), ("warnings", truth.warnings)])
    return gold


RULES: dict[str, Decision] = {
    "union": _max,
    "intersection": _min,
    "majority": _median,
    "max": _max,
    "min": _min,
    "median": _median,
    "mean": _mean,
    "both_agree": _both_agree,
    "adjudicated": _adjudicated,
    **{rule: partial(_inferred, rule) for rule in MODELS},
}


def _numbers(frame: pd.DataFrame, scale: Scale | None) -> pd.DataFrame:
    frame = frame[~not_judged(frame["relevance"])]
    if scale is not None:
        positions_on(scale, frame)  # refuses an unknown grade
    return frame.assign(relevance=numbers_of(frame))


def _cut(frame: pd.DataFrame, rel: float) -> pd.DataFrame:
    return frame.assign(relevance=(frame["relevance"] >= rel).astype(np.int64))
