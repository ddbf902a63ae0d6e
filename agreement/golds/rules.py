"""How the grades that several judges gave to an item become one: the rules of `agreement.golds.make_gold.make_gold`.

============== =================================== =======================================================
rule           graded                              binary, 1 where
============== =================================== =======================================================
judge:NAME     the grade that NAME gave            NAME gave `rel` or more
union, max     the highest grade                   somebody gave `rel` or more
intersection,  the lowest grade                    everybody gave `rel` or more
min
majority,      the lower median                    more than half gave `rel` or more: a tie is no majority
median
mean           the mean, perhaps a fraction        the mean is `rel` or more
at_least:N     the highest grade that N judges     N or more gave `rel` or more
               gave or exceeded
both_agree     the grade that all gave             all gave `rel` or more; 0: all gave less
adjudicated    the adjudicated grade, or the one   the adjudicated grade is `rel` or more, or all gave
               that all gave                       `rel` or more
dawid_skene    the likeliest grade (Dawid and      likelier relevant at `rel` than not, estimated from
               Skene 1979), the lowest of equals   relevance at `rel`
============== =================================== =======================================================

Both columns of union, intersection, majority (and their second names) and at_least say the same: the graded gold,
cut at `rel`, is the binary one. So it is with judge:NAME and mean. both_agree and adjudicated are different: judges
who gave 2 and 3 disagree as grades, and agree on relevance at 2.

Not decided, so not in the gold, is an item

at_least:N   that fewer than N judged: nobody knows whether N would have found it relevant;
both_agree   that fewer than two judged, or on which two disagree;
adjudicated  that has no adjudicated grade and on which two disagree (one judge alone is not contradicted);
judge:NAME   that NAME did not judge;
dawid_skene  at all, where the truth is undefined, as with one assessor (the gold's `attrs` have the reason).

*Adjudicated* grades are the rows of a table of judgements whose column `adjudicated` is true. They are decisions and
no votes: the other rules leave them out.

References
----------
A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Journal of the Royal Statistical Society, Series C 28(1), 20-28.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from inspect import signature

import numpy as np
import pandas as pd

from agreement.golds.dawid_skene import dawid_skene
from agreement.judgements import adjudicated
from agreement.ratings import Ratings, first_judgements, not_judged, positions_on

ITEM = ["query_id", "doc_id"]
JUDGE, AT_LEAST = "judge:", "at_least:"
MIN_AGREEING = 2
DAWID_SKENE_OPTIONS = {
    name: option.default
    for name, option in signature(dawid_skene).parameters.items()
    if option.default is not option.empty
}


@dataclass(frozen=True, eq=False)
class Judged:
    """A table of judgements, read and checked.

    Attributes
    ----------
    votes : DataFrame
        assessor, query_id, doc_id, relevance (numbers): repeat 0, judged, not adjudicated.
    adjudications : DataFrame
        query_id, doc_id, relevance: one row for each adjudicated item.
    assessors : tuple of str
        Who is named, ascending; without adjudicators.
    scale : tuple or None
        The declared grades.
    """

    votes: pd.DataFrame
    adjudications: pd.DataFrame
    assessors: tuple[str, ...]
    scale: tuple | None

    @classmethod
    def of(cls, judgements: pd.DataFrame, scale=None) -> "Judged":
        """ValueError where `agreement.ratings` refuses the table, or an item has two adjudicated grades."""
        final = judgements[adjudicated(judgements)].drop(columns="adjudicated", errors="ignore")
        votes, final = first_judgements(judgements), first_judgements(final)
        assessors = tuple(sorted(votes["assessor"].unique()))
        votes, final = _numbers(votes, scale), _numbers(final, scale)[[*ITEM, "relevance"]].drop_duplicates()
        twice = final.duplicated(ITEM)
        if twice.any():
            row = final[twice].iloc[0]
            raise ValueError(f"two adjudicated grades for one item: topic {row.query_id}, document {row.doc_id}")
        return cls(votes, final, assessors, scale)

    def cut(self, rel) -> "Judged":
        """The same, as 1 (`rel` and above) and 0; itself where `rel` is None."""
        if rel is None:
            return self
        return replace(self, votes=_cut(self.votes, rel), adjudications=_cut(self.adjudications, rel), scale=(0, 1))

    def by_enough(self, at_least_judges: int) -> "Judged":
        """Without the votes on items that fewer judged; adjudications stay."""
        if at_least_judges == 1:
            return self
        count = self.votes.groupby(ITEM)["assessor"].transform("size")
        return replace(self, votes=self.votes[count >= at_least_judges])

    @cached_property
    def by_item(self) -> "Votes":
        """The votes, item by item."""
        rows = self.votes.sort_values([*ITEM, "relevance"])
        first = np.flatnonzero(~rows.duplicated(ITEM))
        count = np.diff(first, append=len(rows))
        return Votes(rows[ITEM].iloc[first], rows["relevance"].to_numpy(), first, count)


@dataclass(frozen=True, eq=False)
class Votes:
    """Grades, ascending within each item, and for each item where they begin and how many there are (1 or more)."""

    items: pd.DataFrame
    grades: np.ndarray
    first: np.ndarray
    count: np.ndarray

    @property
    def lowest(self) -> np.ndarray:
        """The lowest grade of each item."""
        return self.grades[self.first]

    @property
    def highest(self) -> np.ndarray:
        """The highest grade of each item."""
        return self.grades[self.first + self.count - 1]

    def decided(self, relevance: np.ndarray, where=slice(None)) -> pd.DataFrame:
        """query_id, doc_id, relevance of the items of the mask."""
        return self.items.assign(relevance=relevance)[where]


def decision(rule: str) -> Callable[[Judged, int | None], pd.DataFrame]:
    """What a rule does: from judgements and `rel` to a frame of query_id, doc_id, relevance (see the module)."""
    if rule.startswith(JUDGE):
        return partial(_of_judge, rule.removeprefix(JUDGE))
    if re.fullmatch(f"{AT_LEAST}[1-9][0-9]*", rule):
        return partial(_at_least, int(rule.removeprefix(AT_LEAST)))
    if rule not in RULES:
        there = ", ".join([f"{JUDGE}NAME", *RULES, f"{AT_LEAST}N"])
        raise ValueError(f"there is no rule {rule!r}; there are {there} (N is 1 or more)")
    return RULES[rule]


def _max(judged: Judged, rel) -> pd.DataFrame:
    votes = judged.cut(rel).by_item
    return votes.decided(votes.highest)


def _min(judged: Judged, rel) -> pd.DataFrame:
    votes = judged.cut(rel).by_item
    return votes.decided(votes.lowest)


def _median(judged: Judged, rel) -> pd.DataFrame:
    votes = judged.cut(rel).by_item
    return votes.decided(votes.grades[votes.first + (votes.count - 1) // 2])


def _mean(judged: Judged, rel) -> pd.DataFrame:
    votes = judged.by_item
    sums = np.add.reduceat(votes.grades, votes.first, dtype=np.float64) if len(votes.first) else np.zeros(0)
    decided = votes.decided(sums / votes.count)
    return decided if rel is None else _cut(decided, rel)


def _both_agree(judged: Judged, rel) -> pd.DataFrame:
    votes = judged.cut(rel).by_item
    return votes.decided(votes.lowest, (votes.lowest == votes.highest) & (votes.count >= MIN_AGREEING))


def _adjudicated(judged: Judged, rel) -> pd.DataFrame:
    cut = judged.cut(rel)
    votes = cut.by_item
    agreed = votes.decided(votes.lowest, votes.lowest == votes.highest)
    return pd.concat([cut.adjudications, agreed]).drop_duplicates(ITEM)  # the first, adjudicated, stays


def _of_judge(name: str, judged: Judged, rel) -> pd.DataFrame:
    votes = judged.cut(rel).votes
    chosen = votes[votes["assessor"] == name]
    if name not in judged.assessors:
        there = ", ".join(judged.assessors) or "none"
        raise ValueError(f"there is no judge {name!r}; there are: {there}")
    return chosen[[*ITEM, "relevance"]]


def _at_least(n: int, judged: Judged, rel) -> pd.DataFrame:
    votes = judged.cut(rel).by_item
    place = votes.first + np.maximum(votes.count - n, 0)
    return votes.decided(votes.grades[place], votes.count >= n)


def _dawid_skene(judged: Judged, rel) -> pd.DataFrame:
    judged = judged.cut(rel)
    if judged.scale is None:
        raise ValueError("the rule dawid_skene estimates errors on a declared scale: give the scale, or rel")
    truth = dawid_skene(Ratings.from_judgements(judged.votes, judged.scale), **DAWID_SKENE_OPTIONS)
    gold = truth.to_gold()[[*ITEM, "relevance"]]
    gold.attrs = DAWID_SKENE_OPTIONS | {"reason": truth.reason, "warnings": truth.warnings}
    return gold


RULES = {
    "union": _max,
    "intersection": _min,
    "majority": _median,
    "max": _max,
    "min": _min,
    "median": _median,
    "mean": _mean,
    "both_agree": _both_agree,
    "adjudicated": _adjudicated,
    "dawid_skene": _dawid_skene,
}


def _numbers(frame: pd.DataFrame, scale) -> pd.DataFrame:
    frame = frame[~not_judged(frame["relevance"])]
    if scale is not None:
        positions_on(scale, frame)  # refuses a grade off the scale
    return frame.assign(relevance=pd.to_numeric(frame["relevance"]))


def _cut(frame: pd.DataFrame, rel) -> pd.DataFrame:
    return frame.assign(relevance=(frame["relevance"] >= rel).astype(np.int64))
