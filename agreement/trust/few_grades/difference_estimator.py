"""The difference estimator of weighted sums over a finite pool, and its variance by the design of the draw.

    theta = sum over all pairs of w e  +  sum over the drawn pairs of w (y - e) / p

w is the weight of a pair, y the gain of its human grade, e a prediction of y that is known for every pair, and p the
probability that the pair is drawn. If e does not depend on the draw, theta is unbiased whatever e is; e = 0 is the
classical (Horvitz-Thompson) estimate. With u = w (y - e) / p, the variance is estimated by

- fixed size: the sum over strata of (1 - n / N) n / (n - 1) sum (u - mean u)^2, for n of N pairs drawn;
- Poisson: the sum over the drawn pairs of (1 - p) u^2;
- two stages, m of M topics: M^2 (1 - m / M) / m times the variance between the totals of the drawn topics, plus M / m
  times the sum of the variances within them.

All three are unbiased if e does not depend on the draw. They are 0 if every pair is drawn. A stratum with one drawn
pair of several has no variance of its own. It is *collapsed* with the next such stratum: the variance of both is n /
(n - 1) sum (u - mean u)^2 of their pairs together, which is too large rather than too small, since it contains the
difference between the strata.

Topics as a sample: the claim is about topics of which those of the draw are a random sample. The variance between the
true scores of the topics, estimated by that between the estimated scores minus the mean variance within topics, is
added.

References
----------
W. G. Cochran (1977). Sampling techniques, 3rd edition. Wiley, sections 2.6, 5A.12 and 10.4.
C.-E. Särndal, B. Swensson and J. Wretman (1992). Model assisted survey sampling. Springer, sections 3.5 and 6.3.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from pooling.draws.draw import Draw


@dataclass(frozen=True, eq=False)
class SampleDesign:
    """The design of a draw as arrays; pairs are sorted by topic.

    Attributes
    ----------
    topic : ndarray of int, shape (n_pairs,)
        Topic of each pair, ascending from 0, without gaps.
    stratum : ndarray of int, shape (n_pairs,)
        Stratum of each pair.
    probability : ndarray of float, shape (n_pairs,)
        Probability that the pair is drawn, above 0, at most 1.
    drawn : ndarray of bool, shape (n_pairs,)
        Whether it was drawn.
    is_fixed : bool
        Whether the number of drawn pairs of each stratum was fixed; otherwise each pair was drawn by itself.
    drawn_topics : ndarray of bool, shape (n_topics,), or None
        The topics of the first stage; None with one stage.
    """

    topic: np.ndarray
    stratum: np.ndarray
    probability: np.ndarray
    drawn: np.ndarray
    is_fixed: bool
    drawn_topics: np.ndarray | None = None

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return int(self.topic[-1]) + 1

    @cached_property
    def topic_starts(self) -> np.ndarray:
        """Position of the first pair of each topic."""
        return np.flatnonzero(np.diff(self.topic, prepend=-1))

    @cached_property
    def within_probability(self) -> np.ndarray:
        """Probability of each drawn pair, given that its topic was drawn."""
        p = np.asarray(self.probability[self.drawn])
        if self.drawn_topics is None:
            return p
        return np.asarray(np.minimum(p * self.n_topics / self.drawn_topics.sum(), 1.0))

    @cached_property
    def groups(self) -> "Groups":
        """The strata of the drawn pairs, of which those with one pair are collapsed."""
        return _groups(self)


@dataclass(frozen=True, eq=False)
class Groups:
    """The drawn pairs in groups that have a variance.

    Attributes
    ----------
    order : ndarray of int, shape (n_drawn,)
        The drawn pairs by group.
    starts : ndarray of int, shape (n_groups,)
        Position in `order` of the first pair of each group.
    sizes : ndarray of int, shape (n_groups,)
        Drawn pairs of each group.
    factors : ndarray of float, shape (n_groups,)
        (1 - n / N) n / (n - 1); NaN for a single pair without a neighbour.
    n_collapsed : int
        Strata that were collapsed.
    """

    order: np.ndarray
    starts: np.ndarray
    sizes: np.ndarray
    factors: np.ndarray
    n_collapsed: int


@dataclass(frozen=True, eq=False)
class Estimated:
    """Estimates with their variances.

    Attributes
    ----------
    values : ndarray of float, shape (n_estimates,)
        The estimates.
    variances : ndarray of float, shape (n_estimates,)
        Their variances; NaN where the draw has too few pairs or topics for one.
    degrees : ndarray of float, shape (n_estimates,)
        Degrees of freedom of the variances.
    """

    values: np.ndarray
    variances: np.ndarray
    degrees: np.ndarray


def design_of(draw: Draw) -> SampleDesign:
    """Return the design of a draw as arrays.

    Parameters
    ----------
    draw : Draw
        The record of the draw.

    Returns
    -------
    SampleDesign

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust.few_grades.difference_estimator import design_of
    >>> from pooling.draws import draw_by_stratum
    >>> pairs = pd.DataFrame({"query_id": ["1"] * 4, "doc_id": list("abcd")})
    >>> design_of(draw_by_stratum(pairs, 2, seed=1)).probability.tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    frame = draw.frame
    topic, query_ids = pd.factorize(frame["query_id"])
    drawn_topics = None if draw.drawn_topics is None else np.isin(np.asarray(query_ids), draw.drawn_topics)
    return SampleDesign(
        topic=topic,
        stratum=pd.factorize(frame["stratum"])[0],
        probability=frame["inclusion_probability"].to_numpy(dtype=np.float64),
        drawn=frame["drawn"].to_numpy(dtype=bool),
        is_fixed=draw.is_fixed,
        drawn_topics=drawn_topics,
    )


def difference_estimate(
    weights: np.ndarray, predicted: np.ndarray, gains: np.ndarray, design: SampleDesign, claim: str = "these_topics"
) -> Estimated:
    """Estimate weighted sums over a pool from the gains of its drawn pairs.

    Parameters
    ----------
    weights : ndarray of float, shape (n_estimates, n_pairs)
        Weight of each pair in each sum.
    predicted : ndarray of float, shape (n_estimates, n_pairs) or (n_pairs,)
        Prediction of each gain; 0 is the classical estimate.
    gains : ndarray of float, shape (n_drawn,)
        Gains of the drawn pairs, in the order of the pairs.
    design : SampleDesign
        The design of the draw.
    claim : {"these_topics", "sampled_topics"}, optional
        What the variance is for.

    Returns
    -------
    Estimated

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.trust.few_grades.difference_estimator import SampleDesign, difference_estimate
    >>> design = SampleDesign(
    ...     topic=np.zeros(4, int), stratum=np.zeros(4, int), probability=np.full(4, 0.5),
    ...     drawn=np.array([True, True, False, False]), is_fixed=True,
    ... )
    >>> found = difference_estimate(np.full((1, 4), 0.25), np.zeros(4), np.array([1.0, 0.0]), design)
    >>> found.values.tolist(), found.variances.tolist()  # variance (1 - 2/4) * 0.5 / 2
    ([0.5], [0.125])
    """
    predicted = np.broadcast_to(predicted, weights.shape)
    errors = weights[:, design.drawn] * (gains - predicted[:, design.drawn])
    totals = np.add.reduceat(weights * predicted, design.topic_starts, axis=1)
    values = totals.sum(axis=1) + (errors / design.probability[design.drawn]).sum(axis=1)
    contributions = _contributions(errors / design.within_probability, design)
    variances, degrees = _of_these_topics(errors, contributions, design)
    if claim == "these_topics":
        return Estimated(values, variances, degrees)
    n_drawn_topics = len(totals[0]) if design.drawn_topics is None else int(design.drawn_topics.sum())
    between = _between_topics(totals, errors, contributions, design)
    return Estimated(values, variances + between, np.full(len(values), max(n_drawn_topics - 1, 0.0)))


def _contributions(expanded: np.ndarray, design: SampleDesign) -> np.ndarray:
    """What each drawn pair adds to the variance within topics, shape (n_estimates, n_drawn); NaN if unknown."""
    if not design.is_fixed:
        return np.asarray((1 - design.within_probability) * expanded**2)
    groups = design.groups
    by_group = expanded[:, groups.order]
    means = np.add.reduceat(by_group, groups.starts, axis=1) / groups.sizes
    deviations = by_group - np.repeat(means, groups.sizes, axis=1)
    found = np.empty_like(expanded)
    found[:, groups.order] = deviations**2 * np.repeat(groups.factors, groups.sizes)
    return found


def _of_these_topics(
    errors: np.ndarray, contributions: np.ndarray, design: SampleDesign
) -> tuple[np.ndarray, np.ndarray]:
    """The variances by design, and their degrees of freedom."""
    within, degrees = contributions.sum(axis=1), _degrees(contributions, design)
    if design.drawn_topics is None:
        return within, degrees
    m, n_topics = int(design.drawn_topics.sum()), design.n_topics
    if m == n_topics:
        return within, degrees
    if m < 2:
        return np.full(len(within), np.nan), np.zeros(len(within))
    totals = _by_topic(errors / design.within_probability, design)[:, design.drawn_topics]
    first_stage = n_topics**2 * (1 - m / n_topics) / m * totals.var(axis=1, ddof=1)
    return first_stage + n_topics / m * within, np.full(len(within), m - 1.0)


def _degrees(contributions: np.ndarray, design: SampleDesign) -> np.ndarray:
    """Degrees of freedom of the variances within topics: 2 v^2 / (variance of v).

    The variance of v follows from the contributions of the pairs, of which few may differ from 0, or, if it is larger,
    from the sizes of the groups.
    """
    v = contributions.sum(axis=1)
    spread = (contributions**2).sum(axis=1)
    if design.is_fixed:
        groups = design.groups
        of_group = np.add.reduceat(contributions[:, groups.order], groups.starts, axis=1)
        by_size = 2 * (of_group**2 / np.maximum(groups.sizes - 1, 1)).sum(axis=1)
        spread = np.maximum(spread - v**2 / len(groups.order), by_size)
    return np.asarray(np.divide(2 * v**2, spread, out=np.zeros_like(v), where=spread > 0))


def _between_topics(
    totals: np.ndarray, errors: np.ndarray, contributions: np.ndarray, design: SampleDesign
) -> np.ndarray:
    """The variance of the sum that comes from the choice of the topics; NaN with fewer than two."""
    chosen = np.ones(design.n_topics, dtype=bool) if design.drawn_topics is None else design.drawn_topics
    if chosen.sum() < 2:
        return np.full(len(totals), np.nan)
    scores = totals + _by_topic(errors / design.within_probability, design)
    between = scores[:, chosen].var(axis=1, ddof=1) - _by_topic(contributions, design)[:, chosen].mean(axis=1)
    return np.asarray(design.n_topics * np.maximum(between, 0))


def _by_topic(values: np.ndarray, design: SampleDesign) -> np.ndarray:
    """Sum values of the drawn pairs by topic, shape (n_estimates, n_topics)."""
    topic = design.topic[design.drawn]
    summed = np.zeros((len(values), design.n_topics))
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    summed[:, topic[starts]] = np.add.reduceat(values, starts, axis=1) if len(starts) else 0
    return summed


def _groups(design: SampleDesign) -> Groups:
    stratum = design.stratum[design.drawn]
    n_pairs = np.bincount(design.stratum)
    n_drawn = np.bincount(stratum, minlength=len(n_pairs))
    single = np.flatnonzero((n_drawn == 1) & (n_pairs > 1))
    group = np.arange(len(n_pairs))
    share = np.divide(n_drawn, n_pairs)
    for at in range(0, len(single), 2):
        joined = single[at : at + 2]
        group[joined] = _neighbour(joined, single, n_drawn, n_pairs, group)
        share[group[joined]] = 0.0
    of_pair = group[stratum]
    order = np.argsort(of_pair, kind="stable")
    starts = np.flatnonzero(np.diff(of_pair[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(order)))
    share = share[of_pair[order][starts]]
    factors = np.divide((1 - share) * sizes, sizes - 1, out=np.full(len(sizes), np.nan), where=sizes > 1)
    return Groups(order, starts, sizes, np.where(share == 1, 0.0, factors), len(single))


def _neighbour(
    joined: np.ndarray, single: np.ndarray, n_drawn: np.ndarray, n_pairs: np.ndarray, group: np.ndarray
) -> int:
    """The group for one or two strata with one drawn pair each."""
    if len(joined) == 2:
        return int(joined[0])
    if len(single) > 1:
        return int(group[single[-2]])
    others = np.flatnonzero((n_drawn > 1) & (n_drawn < n_pairs))
    if not len(others):
        return int(joined[0])
    return int(others[np.abs(others - joined[0]).argmin()])
