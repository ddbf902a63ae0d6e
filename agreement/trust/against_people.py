"""What a model does to the ranking, next to what another person does, on the same pairs.

For each topic, one of the other people who judged it is drawn. The reference is compared with this person and with the
model, on the pairs that the person and the reference graded. The intervals of the difference resample topics and
people, less the bias of the bootstrap: resampling adds more noise to people, who judged different topics, than to the
model.

The intervals are for the expected difference with as many topics, not with very many. The scatter of mean scores over
topics lowers both tau_b, that of a noisy judge more than that of a judge with another taste. They contain the expected
difference too rarely with few topics if these have one other person each, so that no person is drawn
(docs/studies/verdicts.md).

References
----------
B. Efron and R. J. Tibshirani (1993). An introduction to the bootstrap, Chapman and Hall, chapters 10 and 13.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.rank_correlation import tau_b_paired
from agreement.trust.scored_judges import ScoredJudges

Scores = np.ndarray
LEAST_TOPICS = 25  # with one other person for each topic
FEW_TOPICS = f"With one other person for each topic, the interval is not reliable below {LEAST_TOPICS} topics."


@dataclass(frozen=True, eq=False)
class Cubes:
    """Scores under the reference, each other person and a model, on the pairs of each person.

    Shapes: `reference`, `person`, `model` (n_systems, n_topics, n_people); `judged` (n_topics, n_people), which person
    judged which topic.
    """

    reference: Scores
    person: Scores
    model: Scores
    judged: np.ndarray

    @classmethod
    def of(cls, judges: ScoredJudges, model: str) -> "Cubes | None":
        """None if no other person has a topic in common with the reference."""
        tables = [
            [
                judges.scores(judges.reference, other),
                judges.scores(other, judges.reference),
                judges.scores(model, other),
            ]
            for other in judges.others
        ]
        tables = [table for table in tables if table[0].shape[1]]
        if not tables:
            return None
        topics = sorted({topic for table in tables for topic in table[0].columns})
        reference, person, by_model = (
            np.stack([table[kind].reindex(columns=topics).to_numpy(np.float64) for table in tables], axis=2)
            for kind in range(3)
        )
        # A model that graded no pair of a topic scores 0 there.
        judged = ~np.isnan(reference[0])
        return cls(np.nan_to_num(reference), np.nan_to_num(person), np.nan_to_num(by_model), judged)

    def on(self, systems: np.ndarray) -> "Cubes":
        """The cubes of some systems."""
        return Cubes(self.reference[systems], self.person[systems], self.model[systems], self.judged)

    def mean_over_people(self) -> Scores:
        """The mean score under the reference over the pairs of the people, shape (n_systems, n_topics)."""
        return np.asarray((self.reference * self.judged).sum(axis=2) / self.judged.sum(axis=1))

    @property
    def caution(self) -> str | None:
        """Why the interval of the difference is not reliable."""
        has_choice = np.median(self.judged.sum(axis=1)) >= 2
        return None if has_choice or len(self.judged) >= LEAST_TOPICS else FEW_TOPICS

    def difference(self, draws: int, seed: int, confidence: float) -> dict[str, Any]:
        """The mean tau_b of a random person and of the model, and their difference with its limits."""
        of_person, of_model = self.taus(draws, seed, resample=False)
        drawn = np.subtract(*self.taus(draws, seed, resample=True)[::-1])
        if not len(of_person) or not len(drawn):
            missing = ("tau_b_person", "tau_b_model", "difference", "low", "high")
            return dict.fromkeys(missing, pd.NA) | {"reason": "all_tied"}
        difference = float((of_model - of_person).mean())
        low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
        bias = float(drawn.mean()) - difference
        return {
            "tau_b_person": float(of_person.mean()),
            "tau_b_model": float(of_model.mean()),
            "difference": difference,
            "low": float(low) - bias,
            "high": float(high) - bias,
            "reason": None,
        }

    def taus(self, draws: int, seed: int, *, resample: bool) -> tuple[np.ndarray, np.ndarray]:
        """tau_b of the reference with a random person for each topic, and with the model on the pairs of this person.

        With `resample`, topics are drawn with replacement as well. Shapes: the results, up to (draws,).
        """
        rng = np.random.default_rng(seed)
        n_topics = len(self.judged)
        chosen = (rng.random((draws, *self.judged.shape)) * self.judged).argmax(axis=2)
        drawn = rng.multinomial(n_topics, np.full(n_topics, 1 / n_topics), draws)
        times = drawn if resample else np.ones_like(drawn)
        picked = (cube[:, np.arange(n_topics), chosen] for cube in (self.reference, self.person, self.model))
        reference, person, model = (np.einsum("sdt,dt->ds", scores, times) / n_topics for scores in picked)
        of_person, of_model = tau_b_paired(reference, person), tau_b_paired(reference, model)
        known = of_person.defined & of_model.defined
        return of_person.values[known], of_model.values[known]
