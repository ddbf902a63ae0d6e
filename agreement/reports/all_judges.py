"""The coefficients that take all judges at once, side by side."""

from agreement.coefficients.alpha import krippendorff_alpha
from agreement.coefficients.many_judges import conger_kappa, fleiss_kappa
from agreement.coefficients.scale_chance import gwet_ac
from agreement.coefficients.two_judges import percent_agreement
from agreement.estimate import Estimate
from agreement.ratings import Ratings


def all_judges(ratings: Ratings, interval: str | None = None, seed: int | None = None) -> list[Estimate]:
    """Agreement of all judges over all topics, in every way that the library knows.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements.
    interval : {None, "analytic", "bootstrap", "jackknife", "topics"}
        As in `agreement.intervals.measurement`.
    seed : int, optional
        For the intervals that draw.

    Returns
    -------
    list of Estimate
        Percent agreement, Fleiss' and Conger's kappa, Gwet's AC1, nominal alpha, and on more than two grades
        ordinal alpha; each says by itself what it rests on and why it is undefined.

    Raises
    ------
    ValueError
        An unknown interval, or one that draws without a seed.
    """
    options = {"interval": interval, "seed": seed}
    found = [percent_agreement, fleiss_kappa, conger_kappa, gwet_ac]
    levels = ("nominal", "ordinal") if len(ratings.scale) > 2 else ("nominal",)
    estimates = [coefficient(ratings, **options) for coefficient in found]
    return estimates + [krippendorff_alpha(ratings, level, **options) for level in levels]
