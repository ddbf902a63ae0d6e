"""Exact confidence limits from binomial and hypergeometric tail probabilities, without scipy.

A limit is the most extreme parameter under which the observed number, or a more extreme one, has a probability above
the error of that side. With half of `1 - confidence` on each side, an interval contains the true value with at least
this confidence, whatever the size of the sample. For a share: C. J. Clopper and E. S. Pearson, The use of confidence or
fiducial limits illustrated in the case of the binomial, Biometrika 26, 1934, 404-413. For a number in a finite
population: J. P. Buonaccorsi, A note on confidence intervals for proportions in finite populations, The American
Statistician 41, 1987, 215-218.
"""

from collections.abc import Callable
from functools import lru_cache
from math import exp, fsum, inf, lgamma, log, log1p

from pooling.assignment.number_checks import is_number

ROUNDING = 1e-9
CACHED = 10_000  # limits, which take some milliseconds each and are asked for again by every look at the same data
STEPS = 60  # halvings of an interval, which reach the precision of a float


def check_share(name: str, value: float) -> None:
    """Raise ValueError unless a number is between 0 and 1, without these."""
    if not is_number(value) or not 0 < value < 1:
        raise ValueError(f"{name} must be a number between 0 and 1, not {value!r}")


def binomial_at_most(k: int, n: int, p: float) -> float:
    """The probability of at most `k` successes in `n` draws, each with probability `p`, 0 to 1."""
    if k < 0:
        return 0.0
    if k >= n or p <= 0:
        return 1.0
    if p >= 1:
        return 0.0
    # By logarithms, because numbers of ways overflow float64.
    return min(fsum(exp(log_choose(n, i) + i * log(p) + (n - i) * log1p(-p)) for i in range(k + 1)), 1.0)


def hypergeometric_at_most(k: int, total: int, marked: int, drawn: int) -> float:
    """The probability of at most `k` marked ones among `drawn` of `total`, of which `marked` are marked."""
    least, most = max(0, drawn - (total - marked)), min(marked, drawn)
    if k < least:
        return 0.0
    if k >= most:
        return 1.0
    whole = log_choose(total, drawn)
    terms = (log_choose(marked, i) + log_choose(total - marked, drawn - i) - whole for i in range(least, k + 1))
    return min(fsum(map(exp, terms)), 1.0)


def hypergeometric_at_least(k: int, total: int, marked: int, drawn: int) -> float:
    """The probability of at least `k` marked ones among `drawn` of `total`, of which `marked` are marked."""
    # The ones that are not drawn mirror the drawn ones; this sums small terms instead of taking 1 minus a sum.
    return hypergeometric_at_most(marked - k, total, marked, total - drawn)


@lru_cache(maxsize=CACHED)
def share_limits(successes: int, n: int, confidence: float) -> tuple[float, float]:
    """The limits of Clopper and Pearson of a share, from 0 to 1; `n` is at least 1."""
    error = _error_of_a_side(confidence)
    low = 0.0 if successes == 0 else _root(lambda p: binomial_at_most(n - successes, n, 1 - p) - error)
    high = 1.0 if successes == n else _root(lambda p: error - binomial_at_most(successes, n, p))
    return low, high


def marked_limits(found: int, drawn: int, total: int, confidence: float) -> tuple[int, int]:
    """The limits of the number of marked ones in a population of `total`, if `found` of `drawn` are marked."""
    error = _error_of_a_side(confidence)
    least, most = found, total - (drawn - found)
    low = _first(lambda marked: hypergeometric_at_least(found, total, marked, drawn) > error, least, most)
    fits_less = _first(lambda marked: hypergeometric_at_most(found, total, marked, drawn) <= error, low, most + 1)
    return low, max(fits_less - 1, low)


@lru_cache(maxsize=CACHED)
def total_limits(first: int, second: int, common: int, confidence: float) -> tuple[int, float]:
    """The limits of the size of a population if two independent samples of it have `common` elements in common.

    The upper limit is infinite if nothing is in common.
    """
    error = _error_of_a_side(confidence)
    least = first + second - common
    low = _first_from(lambda total: hypergeometric_at_most(common, total, first, second) > error, least)
    if common == 0:
        return low, inf
    too_many = _first_from(lambda total: hypergeometric_at_least(common, total, first, second) <= error, low)
    return low, max(too_many - 1, low)


def log_choose(n: int, k: int) -> float:
    """The logarithm of the number of ways to choose `k` of `n`."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _error_of_a_side(confidence: float) -> float:
    """The error of one side. It is slightly larger, so that a probability that equals it is not rounded above it."""
    return (1 - confidence) / 2 * (1 + ROUNDING)


def _root(function: Callable[[float], float]) -> float:
    """Where an increasing function of a share crosses 0."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first whole number from `low` at which a condition holds that stays true; `high` if there is none before."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _first_from(holds: Callable[[int], bool], least: int) -> int:
    """The first whole number from `least` at which a condition holds that stays true."""
    step = 1
    while not holds(least + step - 1):
        step *= 2
    return _first(holds, least, least + step - 1)
