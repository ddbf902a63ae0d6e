"""Each judge against a reference of choice: a judge, such as a person, or a gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

import agreement
from agreement.choices import PEOPLE
from agreement.diagnostics.against_reference import against_reference
from agreement.golds.people import derived_gold, needs_scale
from assess.analysis.data import collection_judgements, with_decisions
from assess.analysis.reference import ADJUDICATED, JUDGE, MAJORITY, Judges, default_reference, has_decisions
from assess.analysis.selection import DAWID_SKENE, GLAD, MACE, Selection, judge_kinds
from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.errors import Refused
from assess.models import Collection

GOLDS = {
    MAJORITY: "majority of all judges",
    "union": "union: the highest grade of all judges",
    "intersection": "intersection: the lowest grade of all judges",
    DAWID_SKENE: "Dawid-Skene: the most likely grade, from the judges' estimated errors",
    GLAD: "GLAD: the most likely grade, from abilities of judges and difficulties of documents",
    MACE: "MACE: the most likely grade, after finding who guesses (seed 0)",
    ADJUDICATED: "adjudicated: the decision, or the grade on which all judges agree",
    f"{PEOPLE}{MAJORITY}": "majority of the people",
    f"{PEOPLE}{ADJUDICATED}": "adjudicated: the decision, or the grade on which all people agree",
}


@dataclass(frozen=True)
class Reference:
    """The reference. `name` is "judge:NAME" or the rule of a gold; `choices` are all names with their labels.

    `sentence` says why it is the reference.
    """

    name: str
    choices: tuple[tuple[str, str], ...]
    sentence: str = ""

    @property
    def judge(self) -> str | None:
        """The name of the judge; None for a gold."""
        return self.name.removeprefix(JUDGE) if self.name.startswith(JUDGE) else None

    @property
    def label(self) -> str:
        return self.judge or GOLDS.get(self.name, self.name)

    @property
    def note(self) -> str:
        """A sentence about a gold that contains the judges' own votes; empty for others."""
        if self.judge:
            return ""
        return "This gold contains each judge's own grades, so its agreement with them is too high."


def choose_reference(
    collection: Collection, ratings: agreement.Ratings, kinds: Mapping[str, str], asked: str | None
) -> Reference:
    """Return the reference that was asked for, or else the default of the collection among the judges and golds."""
    judged = dict(zip(ratings.assessors, (ratings.codes >= 0).sum(axis=1).tolist(), strict=True))
    judges = Judges.counted(judged, kinds, has_decisions(collection))
    names = [(f"{JUDGE}{name}", f"{name} ({kinds[name]})") for name in ratings.assessors]
    golds = [(rule, label) for rule, label in GOLDS.items() if judges.has_gold(rule) and _is_offered(rule, judges)]
    choices = dict([*names, *golds])
    if collection.reference and judges.has_gold(collection.reference):
        choices.setdefault(collection.reference, collection.reference)
    default = default_reference(collection, judges, list(choices))
    name = asked or (default.rule if default else "")
    if default is None or name not in choices:
        raise Refused(f"reference must be judge:NAME with a judge of this selection, or a gold, not {name[:40]!r}.")
    return Reference(name, tuple(choices.items()), default.describe(name))


def _is_offered(rule: str, judges: Judges) -> bool:
    """Whether a gold is one of the choices: golds of people only where others have judged too."""
    return judges.has_others or not rule.startswith(PEOPLE)


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
    if rule.removeprefix(PEOPLE) == ADJUDICATED:
        judgements = with_decisions(collection, judgements)
    gold = _gold(judgements, rule, judge_kinds(collection), scale_of(collection), selection.rel)
    items = pd.MultiIndex.from_arrays([ratings.query_ids.astype(str), ratings.doc_ids.astype(str)])
    grades = gold.set_index(["query_id", "doc_id"])["relevance"].reindex(items)
    positions = grades.map({grade: position for position, grade in enumerate(ratings.scale)}).fillna(-1)
    codes = np.vstack([ratings.codes, positions.to_numpy(dtype=ratings.codes.dtype)])
    return agreement.Ratings(codes, ratings.scale, (*ratings.assessors, name), ratings.query_ids, ratings.doc_ids)


def _gold(
    judgements: pd.DataFrame, rule: str, kinds: Mapping[str, str], scale: Sequence[int], rel: int | None
) -> pd.DataFrame:
    """Return the gold of a rule. For binary figures, estimated errors are those of binary judgements."""
    if not needs_scale(rule) or rel is None:
        return derived_gold(judgements, rule, kinds, scale=scale)
    gold = derived_gold(judgements, rule, kinds, rel)
    return gold.assign(relevance=gold["relevance"].map({0: scale[0], 1: rel}))
