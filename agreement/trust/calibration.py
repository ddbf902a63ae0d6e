"""Do the probabilities of a model come true?

A model that says "relevant with probability f" is calibrated if a share f of these documents is relevant to people.
Documents are put into classes of equal width by f. With n_k documents, mean probability f_k and share of relevant
documents o_k in class k, and o in all:

    Brier score          mean of (f - relevant)^2, 0 is best
    ECE                  sum of n_k / n * |o_k - f_k|
    Brier score of f_k   reliability - resolution + uncertainty
                         = sum n_k / n (f_k - o_k)^2  -  sum n_k / n (o_k - o)^2  +  o (1 - o)

The last line is exact if f is replaced by the mean of its class; `within` is what the Brier score of f itself adds. ECE
depends on the number of classes, which is stated.

Sources: G. W. Brier (1950), Verification of forecasts expressed in terms of probability, Monthly Weather Review 78(1),
1-3; A. H. Murphy (1973), A new vector partition of the probability score, Journal of Applied Meteorology 12(4),
595-600; M. P. Naeini, G. Cooper and M. Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian
binning, AAAI, 2901-2907 (ECE).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.checks import whole_number
from agreement.intervals.score_interval import wilson_of
from agreement.trust.scored_judges import PAIR, judged_grades
from pooling.inputs import Input
from pooling.result import Result
from pooling.text_tables import rounded

BINS = 10


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result):
    """The calibration of a model; returned by `calibration`.

    Attributes
    ----------
    bins : DataFrame
        One row for each class: stated (mean probability), observed (share of relevant documents), low and high (Wilson
        interval of the share), and n. Classes without a document have n = 0.
    brier, ece, reliability, resolution, uncertainty, within : float
    n : int
        Number of documents.
    rel : float
        Lowest grade of people that counts as relevant.
    """

    bins: pd.DataFrame
    brier: float
    ece: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    n: int
    rel: float

    def to_frame(self) -> pd.DataFrame:
        """Return `bins`."""
        return self.bins

    def summary(self) -> str:
        """Brier score and ECE."""
        return (
            f"Brier score {self.brier:.3f} (the share of relevant documents alone: {self.uncertainty:.3f}), ECE"
            f" {self.ece:.3f} with {len(self.bins)} classes, {self.n:,} documents."
        )

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        return rounded(self.bins)


def is_probability(model: Input, name: str = "model") -> bool:
    """Whether all grades of a model are from 0 to 1, and one of them lies between."""
    grades = judged_grades(model, name)["relevance"].to_numpy(np.float64)
    return bool(grades.max() <= 1 and ((grades > 0) & (grades < 1)).any())


def calibration(people: Input, model: Input, rel: float, *, bins: int = BINS, confidence: float = 0.95) -> Calibration:
    """Compare the probabilities of a model with the judgements of people.

    Parameters
    ----------
    people : table, path or dictionary
        The grades of people: query_id, doc_id, relevance.
    model : table, path or dictionary
        The probabilities of the model, from 0 to 1, in the column relevance.
    rel : float
        Lowest grade of people that counts as relevant.
    bins : int, optional
        Number of classes of equal width, 2 or more.
    confidence : float, optional
        Level of the intervals.

    Returns
    -------
    Calibration

    Raises
    ------
    ValueError
        A probability is above 1, the judges have no document in common, or `bins` is out of range.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import calibration
    >>> pairs = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b", "c", "d"]})
    >>> found = calibration(pairs.assign(relevance=[1, 0, 1, 0]), pairs.assign(relevance=[0.9, 0.1, 0.6, 0.6]), rel=1)
    >>> round(found.brier, 3), round(found.ece, 3)
    (0.135, 0.1)
    """
    whole_number("bins", bins, 2)
    both = judged_grades(people, "people").merge(judged_grades(model, "model"), on=PAIR, suffixes=("", "_model"))
    if both.empty:
        raise ValueError("People and the model have no document in common.")
    stated = both["relevance_model"].to_numpy(np.float64)
    if stated.max() > 1:
        raise ValueError(f"A probability must be from 0 to 1, not {stated.max():g}.")
    relevant = (both["relevance"] >= rel).to_numpy(np.float64)
    # The classes are [0, 0.1), [0.1, 0.2), ... [0.9, 1].
    place = np.minimum((stated * bins).astype(int), bins - 1)
    n = np.bincount(place, minlength=bins)
    mean, share = (np.bincount(place, values, bins) / np.maximum(n, 1) for values in (stated, relevant))
    weight, overall = n / n.sum(), float(relevant.mean())
    low, high = wilson_of(share, np.maximum(n, 1).astype(np.float64), confidence)
    brier = float(((stated - relevant) ** 2).mean())
    reliability = float((weight * (mean - share) ** 2).sum())
    resolution = float((weight * (share - overall) ** 2).sum())
    uncertainty = overall * (1 - overall)
    return Calibration(
        pd.DataFrame({"stated": mean, "observed": share, "n": n, "low": low, "high": high}),
        brier=brier,
        ece=float((weight * np.abs(mean - share)).sum()),
        reliability=reliability,
        resolution=resolution,
        uncertainty=uncertainty,
        within=brier - (reliability - resolution + uncertainty),
        n=int(n.sum()),
        rel=rel,
    )
