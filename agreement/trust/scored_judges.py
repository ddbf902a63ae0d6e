"""The scores of the systems under each judge, on the topics and pairs that two judges share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.grade_matrix import GradesByItem
from agreement.effectiveness.measure import Measure, MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import RankedRuns, Runs, prepare_for
from agreement.effectiveness.scores import scores_under
from pooling.draws.draw import Draw
from pooling.inputs import Input, as_gold

PAIR = ["query_id", "doc_id"]
ONLY_DRAWN = "people graded only the drawn documents"


@dataclass(frozen=True, eq=False)
class ScoredJudges:
    """Runs, the golds of people and of models, and a measure.

    Attributes
    ----------
    ranked : RankedRuns
    people, models : dict of str to DataFrame
        Golds by name, without documents that are not judged. The first of the people is the reference.
    measure : Measure
    scale : tuple of float or None
        The declared grades, if the measure needs them.
    only_drawn : bool
        Whether the reference lacks a grade of the pool of a draw. The documents that were not drawn are then unknown,
        not without relevance, and scores under the reference say nothing.
    """

    ranked: RankedRuns
    people: dict[str, pd.DataFrame]
    models: dict[str, pd.DataFrame]
    measure: Measure
    scale: tuple[float, ...] | None = None
    only_drawn: bool = False
    _tables: dict[tuple[str, str | None], pd.DataFrame] = field(default_factory=dict, repr=False)
    _by_item: dict[str, GradesByItem] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        runs: Runs,
        people: Mapping[str, Input],
        models: Mapping[str, Input],
        measure: MeasureLike,
        scale: Sequence[float] | None = None,
        draw: Draw | None = None,
    ) -> "ScoredJudges":
        """Check the input; ValueError if there is no person or no model, or a name occurs twice."""
        if not people or not models:
            missing = "people" if not people else "models"
            raise ValueError(f"{missing} must have at least one judge with grades.")
        if both := sorted(set(people) & set(models)):
            raise ValueError(f"{both[0]!r} is the name of a person and of a model. Give each judge a name of its own.")
        parsed = parse_measure(measure)
        if parsed.lower_is_better:
            raise ValueError(f"The systems must be ranked by a measure for which higher is better, not {parsed.name}.")
        of_people, of_models = (
            {name: judged_grades(gold, name) for name, gold in kind.items()} for kind in (people, models)
        )
        ranked = prepare_for(runs, [*of_people.values(), *of_models.values()])
        # Only some measures need the scale; the grades of a model may be fractions, which a scale refuses.
        needed = None if scale is None or "highest" not in parsed.needs else tuple(scale)
        only_drawn = draw is not None and not _is_complete(next(iter(of_people.values())), draw)
        return cls(ranked, of_people, of_models, parsed, needed, only_drawn)

    @property
    def reference(self) -> str:
        """The name of the first person."""
        return next(iter(self.people))

    @property
    def others(self) -> list[str]:
        """The names of the other people."""
        return list(self.people)[1:]

    def gold(self, judge: str) -> pd.DataFrame:
        """The gold of a person or a model."""
        return self.people[judge] if judge in self.people else self.models[judge]

    def scores(self, judge: str, pairs_of: str | None = None) -> pd.DataFrame:
        """The scores under a judge, one row for each system and one column for each topic.

        With `pairs_of`, only the grades of pairs that this judge graded too.
        """
        key = (judge, pairs_of)
        if key not in self._tables:
            gold = self.gold(judge)
            if pairs_of is not None:
                gold = gold.merge(self.gold(pairs_of)[PAIR], on=PAIR)
            self._tables[key] = self._scored(gold)
        return self._tables[key]

    def grades_by_item(self, judge: str) -> GradesByItem:
        """The grades of a judge by item of the runs."""
        if judge not in self._by_item:
            options: dict[str, Any] = {} if self.scale is None else {"scale": self.scale}
            self._by_item[judge] = self.ranked.grades_by_item(self.gold(judge), **options)
        return self._by_item[judge]

    def _scored(self, gold: pd.DataFrame) -> pd.DataFrame:
        known = set(self.ranked.query_ids)
        if not set(gold["query_id"]) & known:
            return pd.DataFrame(np.zeros((len(self.ranked.systems), 0)), index=self.ranked.systems)
        options = {} if self.scale is None else {"scale": self.scale}
        return scores_under(self.ranked, gold, self.measure, **options)

    def compared(self, judge: str, pairs_of: str | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The scores under the reference and under a judge, on their common topics."""
        first, second = self.scores(self.reference, pairs_of), self.scores(judge, pairs_of)
        topics = first.columns.intersection(second.columns)
        return first[topics], second[topics]


def _is_complete(gold: pd.DataFrame, draw: Draw) -> bool:
    return len(draw.frame[PAIR].merge(gold, on=PAIR)) == len(draw.frame)


def judged_grades(gold: Input, name: str) -> pd.DataFrame:
    """The grades of a judge, without those that mean "not judged"; ValueError if there is none, or two for a pair."""
    frame = as_gold(gold)[[*PAIR, "relevance"]]
    frame = frame[frame["relevance"] >= 0].reset_index(drop=True)
    if frame.empty:
        raise ValueError(f"The judge {name!r} has no grade.")
    if frame.duplicated(PAIR).any():
        row = frame[frame.duplicated(PAIR)].iloc[0]
        raise ValueError(f"{name}: document {row['doc_id']!r} of topic {row['query_id']!r} has two grades.")
    return frame
