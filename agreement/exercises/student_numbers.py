"""A different table for every student, drawn from the seed of the student's seat.

The ranges suit a worksheet that is solved by hand: a multiple of ten documents, so that shares have few decimals; a
kappa from dubious to good; prevalence and bias in hundredths. Within these ranges every bias is possible with every
prevalence.
"""

from fractions import Fraction

import numpy as np

from agreement.exercises.generate import Exercise, generate
from agreement.exercises.tables import check_seed

TENS = (3, 20)  # 30 to 200 documents
HUNDREDTHS = {"kappa": (20, 85), "prevalence": (20, 70), "bias": (-10, 10)}


def own_numbers(seed: int, grades: int = 2, pooled: bool = False) -> Exercise:
    """Draw an exercise: a table of two judges with a random size, kappa, prevalence and bias.

    The table has 30 to 200 documents. The requested kappa is from 0.20 to 0.85, the prevalence from 0.20 to 0.70, and
    the bias from -0.10 to 0.10.

    Parameters
    ----------
    seed : int
        At least 0. The same seed gives the same exercise.
    grades : int
        Number of grades, 2 to 10.
    pooled : bool
        Whether the requested kappa is pooled kappa; otherwise it is unpooled kappa.

    Returns
    -------
    Exercise

    Raises
    ------
    ValueError
        An argument is out of its range.

    Examples
    --------
    >>> from agreement.exercises import own_numbers
    >>> exercise = own_numbers(17)
    >>> exercise.n, exercise.table
    (160, ((112, 14), (2, 32)))
    """
    rng = np.random.default_rng(check_seed(seed))
    n = 10 * int(rng.integers(*TENS, endpoint=True))
    kappa, prevalence, bias = (_hundredths(*bounds, rng) for bounds in HUNDREDTHS.values())
    return generate(n, grades, kappa, prevalence, bias, seed=seed, pooled=pooled)


def _hundredths(lowest: int, highest: int, rng: np.random.Generator) -> Fraction:
    return Fraction(int(rng.integers(lowest, highest, endpoint=True)), 100)
