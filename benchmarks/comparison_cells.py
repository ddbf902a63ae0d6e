"""The settings of `benchmarks.comparison_coverage`: how mean scores and grades are drawn, and the true values.

Systems: the true mean scores of a system under two golds are a draw from a normal distribution with a correlation, or
from two clusters of systems. The score on a topic has an error, with a standard deviation of 0.14 and a correlation of
0.7 between the golds, as in TREC 2019 Deep Learning (nDCG@10 of 37 systems under NIST and other judges: 0.14 and
0.73). `families` says that four families of systems share 70 % of the variance of the errors.

Real errors: the systems and topics of that track. The mean scores count as the truth, multiplied towards their mean by
`spread`; a data set takes topics with replacement.

Judges: a gold has several judges, each with errors of their own for each system (standard deviation 0.03) and for each
topic (0.1), and all topics.

Kappas: three judges of 30 documents of each topic, two grades. The share of relevant documents differs between topics,
and so does how often each judge is wrong. True kappas are those of 100,000 topics.
"""

from dataclasses import dataclass

import numpy as np

ERROR, BETWEEN_GOLDS, SHARED = 0.14, 0.7, 0.7
FAMILIES = 4
JUDGE_OF_SYSTEM, JUDGE_OF_TOPIC = 0.03, 0.1
DOCUMENTS = 30


@dataclass(frozen=True)
class Systems:
    """Systems with scores under two golds.

    `spread` is the standard deviation of the true means, and `correlation` their correlation between the golds.
    """

    n_systems: int
    n_topics: int
    spread: float
    correlation: float
    families: bool = False
    clusters: bool = False
    judges: int = 1

    @property
    def described(self) -> tuple[str, ...]:
        """The cells of the row of the table."""
        kinds = [*(["families"] if self.families else []), *(["two clusters"] if self.clusters else [])]
        kinds += [f"{self.judges} judges"] if self.judges > 1 else []
        numbers = (str(self.n_systems), str(self.n_topics), f"{self.spread:g}", f"{self.correlation:g}")
        return (*numbers, ", ".join(kinds))

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return the true means, shape (n_systems, 2), and scores, shape (n_systems, n_topics, 2, judges)."""
        true = self._true(rng)
        scores = true[:, None] + self._errors(rng)
        if self.judges == 1:
            return true, scores[..., None]
        shape = (self.n_systems, self.n_topics, 2, self.judges)
        of_system = rng.normal(0, JUDGE_OF_SYSTEM, (self.n_systems, 1, 2, self.judges))
        return true, scores[..., None] + of_system + rng.normal(0, JUDGE_OF_TOPIC, shape)

    def _true(self, rng: np.random.Generator) -> np.ndarray:
        first = rng.normal(size=self.n_systems)
        if self.clusters:
            first = 0.3 * first + np.where(np.arange(self.n_systems) % 2, 1, -1)
        apart = rng.normal(size=self.n_systems)
        second = self.correlation * first + (1 - self.correlation**2) ** 0.5 * apart
        return self.spread * np.stack([first, second], axis=1)

    def _errors(self, rng: np.random.Generator) -> np.ndarray:
        errors = rng.normal(size=(self.n_systems, self.n_topics, 2))
        if self.families:
            of_family = rng.normal(size=(FAMILIES, self.n_topics, 2))[np.arange(self.n_systems) % FAMILIES]
            errors = (1 - SHARED) ** 0.5 * errors + SHARED**0.5 * of_family
        errors[..., 1] = BETWEEN_GOLDS * errors[..., 0] + (1 - BETWEEN_GOLDS**2) ** 0.5 * errors[..., 1]
        return ERROR * errors


@dataclass(frozen=True, eq=False)
class RealErrors:
    """Systems and topics of a track, resampled; `scores` has the shape (n_systems, n_topics, 2)."""

    name: str
    spread: float
    scores: np.ndarray

    @property
    def described(self) -> tuple[str, ...]:
        """The cells of the row of the table."""
        n_systems, n_topics, _ = self.scores.shape
        return (str(n_systems), str(n_topics), f"x {self.spread:g}", "", self.name)

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return the true means and the scores of a sample of topics."""
        means = self.scores.mean(axis=1)
        errors = self.scores - means[:, None]
        true = means.mean(axis=0) + self.spread * (means - means.mean(axis=0))
        topics = rng.integers(errors.shape[1], size=errors.shape[1])
        return true, (true[:, None] + errors[:, topics])[..., None]


def systems() -> list[Systems]:
    """The settings with systems: 12 and 37 of them, from large to small differences, from weak to equal golds."""
    cells = [
        Systems(n_systems, n_topics, spread, correlation)
        for n_systems, n_topics in ((12, 25), (12, 50), (37, 50))
        for spread in (0.12, 0.05, 0.02)
        for correlation in (0.3, 0.8, 0.97)
    ]
    cells += [Systems(n, 50, spread, 1.0) for n in (12, 37) for spread in (0.12, 0.02)]
    cells += [Systems(n, 25, spread, 0.97, families=True) for n in (12, 37) for spread in (0.12, 0.02)]
    cells += [Systems(12, 25, spread, 0.97, clusters=True) for spread in (0.12, 0.05)]
    cells += [Systems(12, n_topics, 0.12, 0.97, clusters=True, families=True) for n_topics in (10, 25)]
    cells += [Systems(5, n_topics, 0.12, 0.8) for n_topics in (10, 25)]
    return cells + [Systems(12, 25, 0.12, correlation, judges=6) for correlation in (0.3, 0.97)]


@dataclass(frozen=True)
class Kappas:
    """Three judges, of whom the second and the third are compared with the first.

    `wrong` is how often each judge grades a document otherwise than the topic's truth, on average over topics, `spread`
    by how much this varies between topics, and `relevant` the share of relevant documents.
    """

    n_topics: int
    wrong: tuple[float, float, float]
    spread: float
    relevant: float

    @property
    def described(self) -> tuple[str, ...]:
        """The cells of the row of the table."""
        wrong = ", ".join(f"{share:g}" for share in self.wrong)
        return (str(self.n_topics), wrong, f"{self.spread:g}", f"{self.relevant:g}")

    def draw(self, rng: np.random.Generator, n_topics: int | None = None) -> np.ndarray:
        """Return the grades of the judges, shape (3, n_topics, DOCUMENTS)."""
        n = self.n_topics if n_topics is None else n_topics
        share = np.clip(self.relevant * np.exp(rng.normal(0, 0.5, (n, 1))), 0.01, 0.9)
        truth = rng.random((n, DOCUMENTS)) < share
        # A topic that is hard is hard for all three, and a bit more for one of them.
        hard = rng.normal(0, self.spread, (1, n, 1)) + rng.normal(0, self.spread / 2, (3, n, 1))
        wrong = np.clip(np.array(self.wrong)[:, None, None] * np.exp(hard), 0, 0.5)
        return np.asarray(truth ^ (rng.random((3, n, DOCUMENTS)) < wrong))


def kappas() -> list[Kappas]:
    """The settings with judges."""
    return [
        Kappas(n_topics, wrong, spread, relevant)
        for n_topics in (1, 10, 25, 50)
        for wrong, spread, relevant in (
            ((0.05, 0.1, 0.1), 0.3, 0.3),
            ((0.05, 0.05, 0.2), 0.3, 0.3),
            ((0.05, 0.05, 0.2), 0.8, 0.3),
            ((0.03, 0.03, 0.1), 0.8, 0.1),
        )
    ]
