"""The grades of people and models for the same pairs, as arrays."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.trust.scored_judges import PAIR, judged_grades
from pooling.inputs import Input


@dataclass(frozen=True, eq=False)
class GradeTable:
    """The grades of people and models.

    Attributes
    ----------
    pairs : DataFrame
        query_id and doc_id of the pairs that a person judged, sorted.
    people, models : tuple of str
        Their names; the first person is the reference.
    people_grades : ndarray of float, shape (n_people, n_pairs)
        NaN where a person did not judge.
    models_grades : ndarray of float, shape (n_models, n_pairs)
        NaN where a model did not judge.
    topics : ndarray of int, shape (n_pairs,)
        Position of the topic of each pair in `query_ids`.
    query_ids : tuple of str
    """

    pairs: pd.DataFrame
    people: tuple[str, ...]
    models: tuple[str, ...]
    people_grades: np.ndarray
    models_grades: np.ndarray
    topics: np.ndarray
    query_ids: tuple[str, ...]

    @classmethod
    def of(cls, people: Mapping[str, Input], models: Mapping[str, Input]) -> "GradeTable":
        """Check the grades of all judges; ValueError if a judge has none, or two for a document."""
        if not people or not models:
            raise ValueError(f"{'people' if not people else 'models'} must have at least one judge with grades.")
        of_people, of_models = (
            {name: judged_grades(gold, name).set_index(PAIR)["relevance"] for name, gold in kind.items()}
            for kind in (people, models)
        )
        index = pd.MultiIndex.from_frame(
            pd.concat([grades.reset_index()[PAIR] for grades in of_people.values()]).drop_duplicates().sort_values(PAIR)
        )
        people_grades, models_grades = (
            np.array([grades.reindex(index).to_numpy(np.float64) for grades in kind.values()])
            for kind in (of_people, of_models)
        )
        topics, names = pd.factorize(index.get_level_values(0), sort=True)
        pairs, query_ids = index.to_frame(index=False), tuple(map(str, names))
        return cls(pairs, tuple(people), tuple(models), people_grades, models_grades, topics, query_ids)

    def model_grades(self, model: str) -> np.ndarray:
        """The grades of a model, shape (n_pairs,)."""
        return np.asarray(self.models_grades[self.models.index(model)])

    def grades(self, judge: str) -> np.ndarray:
        """The grades of a person or a model, shape (n_pairs,)."""
        return self.model_grades(judge) if judge in self.models else self.people_grades[self.people.index(judge)]
