"""Many assessors, many topics: every pair, the mean over pairs, the mean over topics.

Two ways lead from topics to one number, and they can differ wildly (two topics at -1/9 each can pool to 3/5),
so every result says which it is:

`across="pooled"`
    One table over the items of all topics.
`across="topics"`
    The plain mean of the values of the single topics. A topic counts where both assessors judged something in
    it; where the coefficient is undefined in such a topic, the topic is left out of the mean and named in
    `skipped` with the reason.

With more than two assessors, the coefficients of all pairs are averaged (Manning, Raghavan and Schuetze 2008,
section 8.5; for Cohen's kappa this is R. J. Light, 1971, Psychological Bulletin 76(5), 365-377).
"""

from dataclasses import replace
from itertools import combinations
from statistics import fmean

import pandas as pd

from agreement.coefficients import band, cohen_kappa, percent_agreement, pooled_kappa
from agreement.estimate import REASONS, Estimate, undefined
from agreement.ratings import Ratings

COEFFICIENTS = {
    "percent_agreement": percent_agreement,
    "pooled_kappa": pooled_kappa,
    "cohen_kappa": cohen_kappa,
}
ACROSS = ("pooled", "topics")
KAPPAS = ("pooled_kappa", "cohen_kappa")


def overall(
    ratings: Ratings, coefficient: str, across: str = "topics", a: str | None = None, b: str | None = None
) -> Estimate:
    """One coefficient of two assessors over all topics.

    Parameters
    ----------
    ratings : Ratings
    coefficient : {"percent_agreement", "pooled_kappa", "cohen_kappa"}
    across : {"topics", "pooled"}
        Mean of the values of the single topics, or one table (see the module).
    a, b : str, optional
        Two assessors; may be left out where there are only two.

    Returns
    -------
    Estimate
        For `across="topics"`, `observed` is the mean P(A) of the topics used, `expected` is None (kappa of
        the means is not the mean of the kappas), `n_averaged` the number of topics used, `skipped` the topics
        left out and why; it is undefined where every topic is.

    Raises
    ------
    ValueError
        An unknown coefficient, `across` or assessor.
    """
    _known("coefficient", coefficient, COEFFICIENTS)
    _known("across", across, ACROSS)
    pooled = COEFFICIENTS[coefficient](ratings, a, b)
    if across == "pooled" or pooled.reason in ("empty", "one_assessor"):
        return replace(pooled, convention=_said(pooled, "one table over all topics"))
    a, b = pooled.assessors
    topics = {
        query_id: COEFFICIENTS[coefficient](part, a, b)
        for query_id, part in ratings.by_topic().items()
        if not {a, b} & set(part.idle)
    }
    mean = _mean(coefficient, topics)
    return replace(
        mean,
        n_dropped=pooled.n + pooled.n_dropped - mean.n,
        assessors=pooled.assessors,
        convention=_said(pooled, "mean over topics"),
    )


def pairwise(ratings: Ratings, coefficient=KAPPAS, across: str = "pooled") -> pd.DataFrame:
    """Every pair of assessors.

    Parameters
    ----------
    ratings : Ratings
    coefficient : str or sequence of str
        Names as in `overall`.
    across : {"pooled", "topics"}

    Returns
    -------
    DataFrame
        One row a pair: assessor_a, assessor_b, n, n_dropped, topics (how many), observed; and for each
        coefficient its value (NA where undefined), then, with its name before them, _n (items used; fewer
        than n where undefined topics were left out of a mean), _status, _reason and _band.
    """
    names = [coefficient] if isinstance(coefficient, str) else list(coefficient)
    for name in names:
        _known("coefficient", name, COEFFICIENTS)
    rows = [_pair_row(ratings, names, across, a, b) for a, b in combinations(ratings.assessors, 2)]
    columns = ["assessor_a", "assessor_b", "n", "n_dropped", "topics", "observed"]
    columns += [column for name in names for column in _columns(name)]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(["observed", *names], "Float64"))


def mean_pairwise(ratings: Ratings, coefficient: str, weighted: bool = False, across: str = "pooled") -> Estimate:
    """The mean of a coefficient over all pairs of assessors.

    Parameters
    ----------
    ratings : Ratings
    coefficient : str
        A name as in `overall`.
    weighted : bool
        Weight each pair by its number of jointly judged items.
    across : {"pooled", "topics"}
        How the topics of each pair are combined.

    Returns
    -------
    Estimate
        `n_averaged` is the number of pairs used, `skipped` names the pairs left out and why, `n` counts the
        jointly judged items of the pairs used.
    """
    _known("coefficient", coefficient, COEFFICIENTS)
    pairs = {f"{a} and {b}": overall(ratings, coefficient, across, a, b) for a, b in combinations(ratings.assessors, 2)}
    if not pairs:
        return COEFFICIENTS[coefficient](ratings)
    mean = _mean(coefficient, pairs, weighted)
    how = "mean over pairs, weighted by n" if weighted else "mean over pairs"
    convention = f"{next(iter(pairs.values())).convention}, {how}"
    return replace(mean, assessors=ratings.assessors, convention=convention)


def _mean(coefficient: str, parts: dict[str, Estimate], weighted: bool = False) -> Estimate:
    """The mean of the parts that are defined; the others are named with their reason."""
    used = [part for part in parts.values() if part.defined]
    basis = used or [part for part in parts.values() if part.observed is not None]
    weights = [part.n for part in basis] if weighted else None
    fields = {
        "n": sum(part.n for part in used),
        "observed": fmean([part.observed for part in basis], weights) if basis else None,
        "topics": tuple(sorted({topic for part in used for topic in part.topics})),
        "n_averaged": len(used),
        "skipped": tuple((name, part.reason) for name, part in parts.items() if not part.defined),
    }
    if not used:
        reasons = {part.reason for part in parts.values()}
        reason = next((known for known in REASONS if known in reasons), "no_overlap")
        return undefined(coefficient, reason, **fields)
    value = fmean([part.value for part in used], weights)
    return Estimate(value, coefficient, band=band(value) if coefficient in KAPPAS else None, **fields)


def _pair_row(ratings: Ratings, names: list[str], across: str, a: str, b: str) -> dict:
    raw = overall(ratings, "percent_agreement", across, a, b)
    row = {"assessor_a": a, "assessor_b": b, "n": raw.n, "n_dropped": raw.n_dropped}
    row |= {"topics": len(raw.topics), "observed": raw.observed}
    for name in names:
        estimate = overall(ratings, name, across, a, b)
        values = (estimate.value, estimate.n, estimate.status, estimate.reason, estimate.band)
        row |= dict(zip(_columns(name), values, strict=True))
    return row


def _columns(name: str) -> list[str]:
    return [name, f"{name}_n", f"{name}_status", f"{name}_reason", f"{name}_band"]


def _said(estimate: Estimate, how: str) -> str:
    return ", ".join(part for part in (estimate.convention, how) if part)


def _known(what: str, value: str, known) -> None:
    if value not in known:
        raise ValueError(f"{what} is one of {', '.join(known)}; got {value!r}")
