"""Numbers of one's own: a table for every student, drawn from the seat's seed within ranges.

The ranges are those of a worksheet that can be reckoned by hand: documents in tens, so that shares have few decimals;
a kappa from dubious to good; prevalence and bias in hundredths. Within these ranges every bias goes with every
prevalence.
"""

from fractions import Fraction

import numpy as np

from agreement.exercises.generate import Exercise, generate
from agreement.exercises.tables import seeded

TENS = (3, 20)  # 30 to 200 documents
HUNDREDTHS = {"kappa": (20, 85), "prevalence": (20, 70), "bias": (-10, 10)}


def own_numbers(seed: int, grades: int = 2, pooled: bool = False) -> Exercise:
    """An exercise drawn by a seed.

    Parameters
    ----------
    seed : int
        Of the seat; from 0 on.
    grades : int
        2 to 10.
    pooled : bool
        Whether the wish is about pooled kappa, not unpooled.

    Raises
    ------
    ValueError
        An argument is out of its range.
    """
    rng = np.random.default_rng(seeded(seed))
    n = 10 * int(rng.integers(*TENS, endpoint=True))
    drawn = {name: _hundredths(*bounds, rng) for name, bounds in HUNDREDTHS.items()}
    return generate(n, grades, **drawn, seed=seed, pooled=pooled)


def _hundredths(least: int, most: int, rng: np.random.Generator) -> Fraction:
    return Fraction(int(rng.integers(least, most, endpoint=True)), 100)
