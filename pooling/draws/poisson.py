"""Draw each pair by itself, with its own probability (Poisson sampling).

The probabilities are bounded from below, so that no pair counts for very many: with N pairs, the given probabilities
pi, their sum n and a share tau,

    pi' = (1 - tau) pi + tau n / N

A pair is drawn if its random number, which depends on the seed, the topic and the document only, is below pi'. So the
number of drawn pairs is random, with the mean n, and a draw with the same seed and larger probabilities contains the
smaller one.

If weights are given and not probabilities, pi = min(1, c w), with the c for which the sum of pi is n.

C.-E. Särndal, B. Swensson and J. Wretman, Model Assisted Survey Sampling, Springer, 1992, sections 3.5 (Poisson
sampling) and 3.6.1 (probabilities in proportion to size). T. Zrnic and E. J. Candès, Active statistical inference, ICML
2024, arXiv 2403.03208 (the lower bound).
"""

import numpy as np
import pandas as pd

from pooling.draws.draw import COLUMNS, Draw
from pooling.draws.pairs import pairs_with_strata
from pooling.inputs import Input
from pooling.ranking import check_whole
from pooling.strategies.lots import random_numbers
from pooling.strategies.selection import is_number

TAU = 0.1


def draw_poisson(
    pairs: Input,
    probabilities: str = "probability",
    *,
    seed: int,
    size: int | None = None,
    tau: float = TAU,
    strata: str = "query_id",
) -> Draw:
    """Draw each pair by itself, with its own probability.

    Parameters
    ----------
    pairs : table
        Columns query_id and doc_id, the column of the probabilities, and the column that names the strata.
    probabilities : str, optional
        Column of the probabilities, from 0 to 1; with `size`, of weights from 0, such as expected gains.
    seed : int
        Seed of the random numbers, from 0.
    size : int, optional
        Expected number of drawn pairs over all topics, from 1. The probabilities are in proportion to the weights, and
        at most 1. By default the column has the probabilities themselves.
    tau : float, optional
        The share of the expected number that is drawn from all pairs alike, 0 <= tau <= 1. With 0, every probability
        must be above 0.
    strata : str, optional
        Column of the strata, within which estimates may tune their model. They do not change the draw.

    Returns
    -------
    Draw

    Raises
    ------
    ValueError
        A probability, a weight, the size, tau or the seed is out of range, all are 0, a column is missing or has no
        value in a row, or a pair occurs twice with different values.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.draws import draw_poisson
    >>> pairs = pd.DataFrame({"query_id": "1", "doc_id": list("abcd"), "probability": [1, 0.5, 0.25, 0.25]})
    >>> draw_poisson(pairs, seed=1, tau=0.1).frame["inclusion_probability"].tolist()
    [0.95, 0.5, 0.275, 0.275]
    """
    frame = pairs_with_strata(pairs, strata, probabilities)
    check_whole("seed", seed, least=0)
    given = _checked_numbers(frame, probabilities, None if size is not None else 1.0)
    if size is not None:
        check_whole("size", size)
        given = in_proportion(given, min(size, len(given)))
    probability = bounded(given, tau)
    if not (probability > 0).all():
        row = frame.iloc[int((probability <= 0).argmax())]
        raise ValueError(
            f"document {row['doc_id']!r} of topic {row['query_id']!r} has the probability 0, so that no estimate can"
            " include it; set tau above 0"
        )
    drawn = random_numbers(seed, frame["query_id"], frame["doc_id"]) < probability
    frame = frame.assign(inclusion_probability=probability, drawn=drawn)
    return Draw(frame[COLUMNS], is_fixed=False, drawn_topics=None, seed=seed)


def in_proportion(weights: np.ndarray, size: float) -> np.ndarray:
    """Probabilities min(1, c w) with the sum `size`; if too few weights are above 0, the others share the rest.

    Shapes: `weights`, the result (n,).
    """
    order = np.argsort(-weights, kind="stable")
    sorted_weights = weights[order]
    rest = np.cumsum(sorted_weights[::-1])[::-1]  # the sum of this weight and all smaller ones
    certain = np.arange(len(weights))
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = (size - certain) / rest
        # The first weights are certain as long as the next one would have a probability above 1.
        n_certain = int(np.argmin(np.append(factor * sorted_weights >= 1, False)))
    probability = np.empty(len(weights))
    probability[order[:n_certain]] = 1.0
    left, remaining = order[n_certain:], max(size - n_certain, 0)
    total = weights[left].sum()
    probability[left] = remaining * weights[left] / total if total > 0 else remaining / max(len(left), 1)
    return np.asarray(np.minimum(probability, 1.0))


def bounded(probabilities: np.ndarray, tau: float) -> np.ndarray:
    """The probabilities, of which the share `tau` is the same for all; ValueError if tau is out of range.

    Shapes: `probabilities`, the result (n,).
    """
    check_share("tau", tau)
    # In this form all ones stay exactly 1.
    mixed: np.ndarray = np.minimum(probabilities + tau * (probabilities.mean() - probabilities), 1.0)
    return mixed


def check_share(name: str, share: float) -> None:
    """Raise ValueError unless a share is from 0 to 1."""
    if not is_number(share) or not 0 <= share <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, not {share!r}")


def _checked_numbers(frame: pd.DataFrame, column: str, most: float | None) -> np.ndarray:
    numbers = pd.to_numeric(frame[column], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = ~np.isfinite(numbers) | (numbers < 0)
    wrong |= False if most is None else numbers > most
    if wrong.any():
        row = frame.iloc[int(wrong.argmax())]
        allowed = "a number from 0" if most is None else "from 0 to 1"
        value = row[column].item() if isinstance(row[column], np.generic) else row[column]
        raise ValueError(
            f"the {column} of document {row['doc_id']!r} of topic {row['query_id']!r} must be {allowed}, not {value!r}"
        )
    if not numbers.any():
        raise ValueError(f"every {column} is 0, so nothing can be drawn; at least one must be above 0")
    return numbers
