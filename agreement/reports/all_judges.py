"""The coefficients that compare all judges at once."""

from agreement.checks import check_ratings
from agreement.coefficients.alpha import krippendorff_alpha
from agreement.coefficients.many_judges import conger_kappa, fleiss_kappa
from agreement.coefficients.two_judges import gwet_ac, percent_agreement
from agreement.estimate import Estimate
from agreement.ratings import Ratings


def all_judges(ratings: Ratings, interval: str | None = None, seed: int | None = None) -> list[Estimate]:
    """Agreement of all judges over all topics, by all coefficients of any number of judges.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors and topics, with or without missing judgements.
    interval : {None, "default", "analytic", "bootstrap", ...}, optional
        The kind of interval:

        * None: no interval;
        * "default": the calibrated one for the data, one of the following;
        * "analytic": from a formula for the standard error;
        * "bootstrap": percentiles of samples of items;
        * "bootstrap_t": from samples of items, each with its own standard error;
        * "bootstrap_t_topics": from samples of whole topics, each with its own standard error;
        * "topics": percentiles of samples of topics and of the items within each topic;
        * "jackknife": each item left out once;
        * "jackknife_fisher": the same with limits on Fisher's scale, atanh(value), which are inside -1 and 1;
        * "jackknife_topics": each topic left out once, which covers the variation between topics without draws.
    seed : int, optional
        The seed of intervals that draw at random: "default", "topics" and the three kinds of bootstrap.

    Returns
    -------
    list of Estimate
        Percent agreement, Fleiss' kappa, Conger's kappa, Gwet's AC1, nominal alpha and, on a scale of more than two
        grades, ordinal alpha. Each is undefined with the reason "empty" (no judgement), "one_assessor",
        "no_overlap" (no item has two judgements), "one_category" (all judgements have the same grade; not percent
        agreement and AC1) or, for Conger's kappa, "no_identities" (anonymous counts).

    Raises
    ------
    ValueError
        The interval is unknown, or it draws at random and `seed` is missing.

    Examples
    --------
    >>> from agreement import Ratings, all_judges
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), ("ada", "bob"))
    >>> [(estimate.coefficient, estimate.shown()) for estimate in all_judges(ratings)][:2]
    [('percent_agreement', '0.750'), ('fleiss_kappa', '0.467')]
    """
    check_ratings(ratings, "all_judges")
    coefficients = (percent_agreement, fleiss_kappa, conger_kappa, gwet_ac)
    levels = ("nominal", "ordinal") if len(ratings.scale) > 2 else ("nominal",)
    estimates = [coefficient(ratings) for coefficient in coefficients]
    estimates += [krippendorff_alpha(ratings, level) for level in levels]
    return [with_interval(estimate, interval, seed) for estimate in estimates]


def with_interval(estimate: Estimate, interval: str | None, seed: int | None) -> Estimate:
    """The estimate, with an interval if one is requested."""
    return estimate if interval is None else estimate.interval(interval, seed=seed)
