"""Many topics and many pairs of judges brought together: one table, or means.

Two ways lead from topics to one number, and they can differ wildly (two topics at -1/9 each can pool to 3/5),
so every result says which it is:

`across="pooled"`
    One table over the items of all topics.
`across="topics"`
    The plain mean of the values of the single topics. A topic counts where both assessors judged something in
    it (two of them, where all are compared); where the coefficient is undefined in such a topic, the topic is
    left out of the mean and named in `skipped` with the reason.

With more than two assessors, the coefficients of all pairs are averaged (Manning, Raghavan and Schuetze 2008,
section 8.5; for Cohen's kappa this is R. J. Light, 1971, Psychological Bulletin 76(5), 365-377).
"""

from dataclasses import replace
from itertools import combinations
from statistics import fmean

from agreement.coefficients.alpha import measure_alpha
from agreement.coefficients.many_judges import measure_conger, measure_fleiss
from agreement.coefficients.two_judges import CHANCE_OF, measure
from agreement.coefficients.values import BANDED, band
from agreement.estimate import ALPHA, REASONS, Estimate, undefined
from agreement.intervals.mean_kernel import mean_of_pairs
from agreement.intervals.measurement import Measured, mean_with_interval, requested
from agreement.ratings import Ratings

COEFFICIENTS = tuple(CHANCE_OF)  # of two judges
OF_ALL = {"fleiss_kappa": measure_fleiss, "conger_kappa": measure_conger, ALPHA: measure_alpha}
ACROSS = ("pooled", "topics")
KAPPAS = ("pooled_kappa", "cohen_kappa")
CHANCE_OPTIONS = ("draws", "seed", "rng")


def overall(
    ratings: Ratings,
    coefficient: str,
    across: str = "topics",
    a: str | None = None,
    b: str | None = None,
    *,
    interval: str | None = None,
    **options,
) -> Estimate:
    """One coefficient over all topics.

    Parameters
    ----------
    ratings : Ratings
    coefficient : str
        "percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger" or "gwet_ac"; or of all judges
        "fleiss_kappa", "conger_kappa" or "krippendorff_alpha".
    across : {"topics", "pooled"}
        Mean of the values of the single topics, or one table (see the module).
    a, b : str, optional
        Two assessors; may be left out where there are only two, or where the coefficient compares all.
    interval : str, optional
        As in `agreement.intervals.measurement`. Where only `seed` or `rng` is given, it is "topics". The analytic interval of
        a mean over topics is that of a mean of independent values.
    **options
        The other options of the coefficient and of its interval: `weights`, `level`, `seed`, ...

    Returns
    -------
    Estimate
        For `across="topics"`, `observed` is the mean P(A) of the topics used, `expected` is None (kappa of
        the means is not the mean of the kappas), `n_averaged` the number of topics used, `skipped` the topics
        left out and why; it is undefined where every topic is.

    Raises
    ------
    ValueError
        An unknown coefficient, `across` or assessor, or a bad option.
    """
    known("coefficient", coefficient, (*COEFFICIENTS, *OF_ALL))
    known("across", across, ACROSS)
    request, options = _request(coefficient, interval, options)
    pooled = _measured(coefficient, ratings, a, b, options)
    if across == "pooled" or pooled.estimate.reason in ("empty", "one_assessor", "no_identities"):
        found = pooled.with_interval(request)
        return replace(found, convention=_said(found, "one table over all topics"))
    parts = _of_topics(coefficient, ratings, pooled.estimate.assessors, a, b, options)
    mean = mean_of(coefficient, {query_id: part.estimate for query_id, part in parts.items()})
    whole = pooled.estimate
    mean = replace(
        mean,
        n_dropped=whole.n + whole.n_dropped - mean.n,
        assessors=whole.assessors,
        convention=_said(whole, "mean over topics"),
    )
    return mean if request is None else mean_with_interval(mean, request, list(parts.values()))


def mean_pairwise(
    ratings: Ratings,
    coefficient: str,
    weighted: bool = False,
    across: str = "pooled",
    *,
    interval: str | None = None,
    **options,
) -> Estimate:
    """The mean of a coefficient over all pairs of assessors.

    Parameters
    ----------
    ratings : Ratings
    coefficient : str
        One of two judges, as in `overall`.
    weighted : bool
        Weight each pair by its number of jointly judged items.
    across : {"pooled", "topics"}
        How the topics of each pair are combined.
    interval : str, optional
        As in `agreement.intervals.measurement`, with `across="pooled"` only. Items are drawn for all pairs together, and the
        pairs that are defined are averaged.
    **options
        As for `overall`.

    Returns
    -------
    Estimate
        `n_averaged` is the number of pairs used, `skipped` names the pairs left out and why, `n` counts the
        jointly judged items of the pairs used.

    Raises
    ------
    ValueError
        An unknown coefficient or `across`, or a bad option.
    """
    known("coefficient", coefficient, COEFFICIENTS)
    known("across", across, ACROSS)
    request, options = _request(coefficient, interval, options)
    if request and across == "topics":
        raise ValueError("an interval of a mean over pairs goes with across='pooled'; 'topics' resamples its topics")
    if len(ratings.assessors) < 2:
        return measure(coefficient, ratings, **options).estimate
    pairs = list(combinations(ratings.assessors, 2))
    if across == "topics":
        parts = [overall(ratings, coefficient, across, a, b, **options) for a, b in pairs]
    else:
        measured = [measure(coefficient, ratings, a, b, **options) for a, b in pairs]
        parts = [part.estimate for part in measured]
        parts = [replace(part, convention=_said(part, "one table over all topics")) for part in parts]
    mean = mean_of(coefficient, {f"{a} and {b}": part for (a, b), part in zip(pairs, parts, strict=True)}, weighted)
    how = "mean over pairs, weighted by n" if weighted else "mean over pairs"
    mean = replace(mean, assessors=ratings.assessors, convention=f"{parts[0].convention}, {how}")
    return mean_of_pairs(mean, ratings, measured, weighted).with_interval(request) if request else mean


def mean_of(coefficient: str, parts: dict[str, Estimate], weighted: bool = False) -> Estimate:
    """The mean of the parts that are defined; the others are named with their reason."""
    used = [part for part in parts.values() if part.defined]
    basis = used or [part for part in parts.values() if part.observed is not None]
    weights = [part.n for part in basis] if weighted else None
    fields = {
        "n": sum(part.n for part in used),
        "n_values": sum(part.n_values for part in used),
        "observed": fmean([part.observed for part in basis], weights) if basis else None,
        "topics": tuple(sorted({topic for part in used for topic in part.topics})),
        "n_averaged": len(used),
        "skipped": tuple((name, part.reason) for name, part in parts.items() if not part.defined),
    }
    if not used:
        reasons = {part.reason for part in parts.values()}
        reason = next((reason for reason in REASONS if reason in reasons), "no_overlap")
        return undefined(coefficient, reason, **fields)
    value = fmean([part.value for part in used], weights)
    return Estimate(value, coefficient, band=band(value) if coefficient in BANDED else None, **fields)


def known(what: str, value: str, names) -> None:
    """ValueError where a name is none of those that there are."""
    if value not in names:
        raise ValueError(f"{what} is one of {', '.join(names)}; got {value!r}")


def _request(coefficient: str, interval: str | None, options: dict):
    """The interval asked for, and the options that are left for the coefficient."""
    level = "confidence" if coefficient == ALPHA else "level"
    given = {"level" if name == level else name: options[name] for name in (level, *CHANCE_OPTIONS) if name in options}
    if interval is None and (given.get("seed") is not None or given.get("rng") is not None):
        interval = "topics"
    rest = {name: value for name, value in options.items() if name not in (level, *CHANCE_OPTIONS)}
    return requested(interval, **given), rest


def _measured(coefficient: str, ratings: Ratings, a: str | None, b: str | None, options: dict) -> Measured:
    if coefficient not in OF_ALL:
        return measure(coefficient, ratings, a, b, **options)
    if a is not None or b is not None:
        raise ValueError(f"{coefficient} compares all assessors; got {a!r} and {b!r}")
    return OF_ALL[coefficient](ratings, **options)


def _of_topics(
    coefficient: str, ratings: Ratings, assessors: tuple, a: str | None, b: str | None, options: dict
) -> dict[str, Measured]:
    """Each topic in which both, or two of the assessors, judged something."""
    return {
        query_id: _measured(coefficient, part, a, b, options)
        for query_id, part in ratings.by_topic().items()
        if ratings.anonymous or len(set(assessors) - set(part.idle)) > 1
    }


def _said(estimate: Estimate, how: str) -> str:
    return ", ".join(part for part in (estimate.convention, how) if part)
