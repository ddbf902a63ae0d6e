"""Settings near full agreement for `benchmarks.coverage`: two accurate judges, rare to common relevance, all sizes."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from agreement import Ratings
from benchmarks.tiny import size

EVERY = size(1, 12)
SPREAD = 6.0  # the sum of both parameters of the Beta distribution of the relevant shares of topics
ACCURACIES, PREVALENCES = (0.95, 0.98, 0.995), (0.01, 0.05, 0.2, 0.5)
UNEQUAL = "20 of 4 to 80"
SIZES = {
    "12 of 5": np.full(12, 5),
    "20 of 10": np.full(20, 10),
    "50 of 20": np.full(50, 20),
    UNEQUAL: np.round(np.geomspace(4, 80, 20)).astype(int),
}
# The accuracies that give the kappas 0.938, 0.969 and 0.994 at the prevalence 1/2.
NAMED = (("12 of 5", 0.938), ("20 of 10", 0.969), ("50 of 20", 0.994))
METHODS = ("jackknife_topics, t", "jackknife_topics", "default")


@dataclass(frozen=True)
class NearCell:
    """A setting: the accuracy of both judges on all documents, the share of relevant documents, and the topics."""

    accuracy: float
    prevalence: float
    sizes: str

    def draw(self, rng: np.random.Generator) -> Ratings:
        sizes = SIZES[self.sizes]
        shares = rng.beta(SPREAD * self.prevalence, SPREAD * (1 - self.prevalence), len(sizes))
        relevant = rng.random(sizes.sum()) < np.repeat(shares, sizes)
        right = rng.random((2, len(relevant))) < self.accuracy
        codes = np.where(right, relevant, ~relevant).astype(np.int8)
        return Ratings(codes, (0, 1), query_ids=np.repeat(np.arange(len(sizes)).astype(str), sizes))

    def truth(self) -> float:
        """Cohen's kappa of all documents of all topics."""
        right, wrong = self.accuracy, 1 - self.accuracy
        given = self.prevalence * right + (1 - self.prevalence) * wrong
        expected = given**2 + (1 - given) ** 2
        return (right**2 + wrong**2 - expected) / (1 - expected)


def near_agreement() -> list[NearCell]:
    """Small topics only where relevant documents are common: otherwise, most data sets have none."""
    named = [NearCell((1 + kappa**0.5) / 2, 0.5, sizes) for sizes, kappa in NAMED]
    small = product(ACCURACIES, PREVALENCES[2:], ["12 of 5"])
    unequal = product(ACCURACIES, PREVALENCES, [UNEQUAL])
    large = product(ACCURACIES, (PREVALENCES[0], PREVALENCES[-1]), ["50 of 20"])
    return [*named, *(NearCell(*cell) for cell in (*small, *unequal, *large))][::EVERY]
