"""How far each possible grade of a document changes the differences of the systems, for `who_judges`."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.attribution.rescoring import Rescoring
from agreement.trust.grade_chances import GradeChances

CELLS = 2_000_000  # differences of two systems that are in memory at the same time


@dataclass(frozen=True, eq=False)
class GradeEffects:
    """Runs and a measure, the chances of the grades of people, and the pairs of systems that count.

    Attributes
    ----------
    rescoring : Rescoring
    chances : GradeChances
    system_pairs : tuple of two ndarrays of int, shape (n_system_pairs,)
        Positions of the first and of the second system.
    n_topics : int
        Number of topics over which scores are averaged.
    """

    rescoring: Rescoring
    chances: GradeChances
    system_pairs: tuple[np.ndarray, np.ndarray]
    n_topics: int

    def of_topic(self, query_id: str, current: pd.DataFrame) -> pd.DataFrame:
        """The gain of each document of a topic that people have not graded, with the reason in words.

        `current` has doc_id, relevance, position (of the grade on the scale), known and model_grade.
        """
        doc_ids, open_ = pd.Index(current["doc_id"]), np.flatnonzero(~current["known"])
        ranks = self._ranks(query_id, doc_ids)[:, open_]
        positions = current["position"].to_numpy()[open_]
        # Documents in no ranking with the same grade have the same effects.
        twin_of = np.where((ranks > 0).any(axis=0), -1 - np.arange(len(open_)), positions)
        _, first, twins = np.unique(twin_of, return_index=True, return_inverse=True)
        gains = self._gains(query_id, current, open_[first])[twins] if len(open_) else np.zeros(0)
        spread = self.chances.spread[positions]
        rows = current.iloc[open_]
        listed = rows[["query_id", "doc_id", "model_grade"]].assign(spread=spread, gain=gains)
        return listed.assign(why=list(_reasons(ranks, rows["model_grade"].tolist(), spread)))

    def _ranks(self, query_id: str, doc_ids: pd.Index) -> np.ndarray:
        """The rank of each document in each ranking; 0 if it has none that the measure sees."""
        ranks = self.rescoring.ranks(query_id, doc_ids)
        depth = self.rescoring.measure.depth
        return ranks if depth is None else np.where(ranks <= depth, ranks, 0)

    def _gains(self, query_id: str, current: pd.DataFrame, documents: np.ndarray) -> np.ndarray:
        """The gain of the documents at these rows; shape (n_documents,)."""
        scale = self.chances.scale
        _, sample, class_of = np.unique(self.rescoring.effective_grades(scale), return_index=True, return_inverse=True)
        positions = current["position"].to_numpy()[documents]
        member = (class_of[:, None] == np.arange(len(sample))).astype(np.float64)
        shares = (self.chances.shares @ member)[positions]
        scores = self._scores(query_id, current, documents, scale[sample], class_of[positions])
        return np.concatenate([*self._spreads(scores, shares)]) / self.n_topics

    def _scores(
        self, query_id: str, current: pd.DataFrame, documents: np.ndarray, grades: np.ndarray, now: np.ndarray
    ) -> np.ndarray:
        """The scores if one document gets each grade, shape (n_documents, n_grades, n_systems).

        `now` is the position of the current grade of each document in `grades`, shape (n_documents,).
        """
        base = current["relevance"].to_numpy(np.float64)
        document, grade = np.nonzero(now[:, None] != np.arange(len(grades)))
        golds = np.tile(base, (len(document) + 1, 1))
        golds[np.arange(len(document)), documents[document]] = grades[grade]
        scored = self.rescoring.scores(query_id, pd.Index(current["doc_id"]), golds).T
        scores = np.tile(scored[-1], (len(documents), len(grades), 1))
        scores[document, grade] = scored[:-1]
        return scores

    def _spreads(self, scores: np.ndarray, shares: np.ndarray) -> Iterator[np.ndarray]:
        """The sum over pairs of systems of the standard deviation of their difference, some documents at a time."""
        first, second = self.system_pairs
        step = max(CELLS // max(len(first) * scores.shape[1], 1), 1)
        for start in range(0, len(scores), step):
            block, share = scores[start : start + step], shares[start : start + step, :, None]
            differences = block[..., first] - block[..., second]
            differences -= (differences * share).sum(axis=1, keepdims=True)
            yield np.sqrt((differences**2 * share).sum(axis=1)).sum(axis=1)


def _reasons(ranks: np.ndarray, model_grades: list[float], spread: np.ndarray) -> Iterator[str]:
    """Why each document has its gain: where the systems have it, and how far people differ from the model."""
    n_systems = len(ranks)
    found = (ranks > 0).sum(axis=0).tolist()
    best = np.where(ranks > 0, ranks, np.iinfo(np.int64).max).min(axis=0, initial=np.iinfo(np.int64).max).tolist()
    worst = ranks.max(axis=0, initial=0).tolist()
    for n_found, first, last, grade, deviation in zip(found, best, worst, model_grades, spread.tolist(), strict=True):
        where = f"rank {first}" if first == last else f"ranks {first} to {last}"
        systems = f"{where} in {n_found} of {n_systems} systems" if n_found else f"in none of {n_systems} systems"
        yield f"{systems}; people's grades vary by {deviation:.2f} where the model says {grade:g}."
