"""Each judge against a reference of choice: a judge, such as a person, or a gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

import agreement
from agreement.diagnostics.against_reference import against_reference
from assess.analysis.data import collection_decisions, collection_judgements, with_decisions
from assess.analysis.selection import DAWID_SKENE, Selection
from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.errors import Refused
from assess.models import Collection, JudgeKind

JUDGE = "judge:"
GOLDS = {
    "majority": "majority of all judges",
    "union": "union: the highest grade of all judges",
    "intersection": "intersection: the lowest grade of all judges",
    DAWID_SKENE: "Dawid-Skene: the most likely grade, from the judges' estimated errors",
    "adjudicated": "adjudicated: the decision, or the grade on which all judges agree",
}
FROM_ALL = ("majority", "union", "intersection", DAWID_SKENE)


@dataclass(frozen=True)
class Reference:
    """The reference. `name` is "judge:NAME" or the rule of a gold; `choices` are all names with their labels."""

    name: str
    choices: tuple[tuple[str, str], ...]

    @property
    def judge(self) -> str | None:
        """The name of the judge; None for a gold."""
        return self.name.removeprefix(JUDGE) if self.name.startswith(JUDGE) else None

    @property
    def label(self) -> str:
        return self.judge or GOLDS[self.name]

    @property
    def note(self) -> str:
        """A sentence about a gold that contains the judges' own votes; empty for others."""
        if self.judge:
            return ""
        return "This gold contains each judge's own grades, so its agreement with them is too high."


def choose_reference(
    collection: Collection, ratings: agreement.Ratings, kinds: Mapping[str, str], asked: str | None
) -> Reference:
    """Return the reference that was asked for, or else the person with the most judgements, or the judge if none is."""
    judged = dict(zip(ratings.assessors, (ratings.codes >= 0).sum(axis=1).tolist(), strict=True))
    judges = [(f"{JUDGE}{name}", f"{name} ({kinds[name]})") for name in ratings.assessors]
    has_decisions = not collection_decisions(collection).empty
    golds = [(rule, label) for rule, label in GOLDS.items() if rule in FROM_ALL or has_decisions]
    choices = (*judges, *golds)
    people = [name for name in ratings.assessors if kinds[name] == JudgeKind.HUMAN]
    usual = JUDGE + max(people or list(ratings.assessors), key=lambda name: judged[name])
    name = asked or usual
    if name not in dict(choices):
        raise Refused(f"reference must be judge:NAME with a judge of this selection, or a gold, not {name[:40]!r}.")
    return Reference(name, choices)


def reference_frame(
    collection: Collection,
    ratings: agreement.Ratings,
    judges: Sequence[str],
    reference: Reference,
    kinds: Mapping[str, str],
    selection: Selection,
) -> pd.DataFrame:
    """Return the figures of `agreement.diagnostics.against_reference` of some judges, with the kind of each judge.

    `ratings` are the grades of all judges. If all grades are compared, bias, precision and recall use the lowest
    relevant grade of the collection.
    """
    relevant = selection.rel if selection.rel is not None else lowest_relevant_grade(collection)
    name = reference.judge
    if name is None:
        name = _unused_name(ratings.assessors)
        ratings = _with_gold(collection, ratings, name, reference.name, selection)
    frame = against_reference(ratings, name, selection.rel, selection.weights, relevant)
    frame = frame[frame["assessor"].isin(judges)].reset_index(drop=True)
    frame.insert(1, "kind", [kinds[judge] for judge in frame["assessor"]])
    return frame.rename(columns={"assessor": "judge"})


def _unused_name(judges: Sequence[str]) -> str:
    return "gold" + "'" * max((len(name) for name in judges), default=0)


def _with_gold(
    collection: Collection, ratings: agreement.Ratings, name: str, rule: str, selection: Selection
) -> agreement.Ratings:
    """Return the ratings with the grades of a gold as one more judge."""
    judgements = collection_judgements(collection, selection=selection)
    if rule == "adjudicated":
        judgements = with_decisions(collection, judgements)
    gold = _gold(judgements, rule, scale_of(collection), selection.rel)
    items = pd.MultiIndex.from_arrays([ratings.query_ids.astype(str), ratings.doc_ids.astype(str)])
    grades = gold.set_index(["query_id", "doc_id"])["relevance"].reindex(items)
    positions = grades.map({grade: position for position, grade in enumerate(ratings.scale)}).fillna(-1)
    codes = np.vstack([ratings.codes, positions.to_numpy(dtype=ratings.codes.dtype)])
    return agreement.Ratings(codes, ratings.scale, (*ratings.assessors, name), ratings.query_ids, ratings.doc_ids)


def _gold(judgements: pd.DataFrame, rule: str, scale: Sequence[int], rel: int | None) -> pd.DataFrame:
    """Return the gold of a rule. For binary figures, Dawid and Skene's errors are those of binary judgements."""
    if rule != DAWID_SKENE or rel is None:
        return agreement.make_gold(judgements, rule, scale=scale)
    gold = agreement.make_gold(judgements, rule, rel)
    return gold.assign(relevance=gold["relevance"].map({0: scale[0], 1: rel}))
