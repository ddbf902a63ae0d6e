"""Worlds: what people might say about the pairs that they have not graded.

The grades of people given a grade of the model have a Dirichlet distribution: the counts in the sample, each divided by
its inclusion probability and scaled to the number of grades, plus a prior of one grade in the shares of all grades. In
a world, these distributions are drawn, then the grade of each pair that people did not grade. Pairs that people graded
keep their grade. The model is taken to err alike on all topics.

Model grades with more than eight values, such as shares, are grouped into eight classes of about equal size.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of all pairs of a pool.

    Attributes
    ----------
    model_class : ndarray of int, shape (n_pairs,)
        The class of the model's grade.
    people : ndarray of float, shape (n_pairs,)
        The grade of people; NaN if there is none.
    probability : ndarray of float, shape (n_pairs,)
        The inclusion probability of each pair that people graded.
    """

    model_class: np.ndarray
    people: np.ndarray
    probability: np.ndarray

    @property
    def is_graded(self) -> np.ndarray:
        return np.asarray(~np.isnan(self.people))

    def concentrations(self) -> tuple[np.ndarray, np.ndarray]:
        """The grades of people, and the Dirichlet parameters of each class, shape (n_classes, n_grades)."""
        grades, codes = np.unique(self.people[self.is_graded], return_inverse=True)
        weights = 1 / self.probability[self.is_graded]
        counts = np.zeros((int(self.model_class.max()) + 1, len(grades)))
        np.add.at(counts, (self.model_class[self.is_graded], codes), weights)
        n_of_class = np.bincount(self.model_class[self.is_graded], minlength=len(counts))
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
        return grades, shares * n_of_class[:, None] + counts.sum(axis=0) / counts.sum()

    def expected(self, gains: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The mean and the standard deviation of the gain of each pair, given the model's grade only.

        `gains` are those of the grades of people. Shapes: the results (n_pairs,).
        """
        _, parameters = self.concentrations()
        shares = parameters / parameters.sum(axis=1, keepdims=True)
        mean = shares @ gains
        variance = np.maximum(shares @ gains**2 - mean**2, 0)
        return mean[self.model_class], np.sqrt(variance)[self.model_class]

    def worlds(self, n_worlds: int, seed: int) -> Iterator[np.ndarray]:
        """Grades of people for all pairs, shape (n_pairs,), `n_worlds` times; once if people graded all pairs."""
        if self.is_graded.all():
            yield self.people
            return
        rng = np.random.default_rng(seed)
        grades, parameters = self.concentrations()
        for _ in range(n_worlds):
            shares = rng.gamma(np.maximum(parameters, 1e-9))
            limits = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)[self.model_class]
            drawn = (rng.random((len(limits), 1)) > limits[:, :-1]).sum(axis=1)
            yield np.where(self.is_graded, self.people, grades[drawn])
