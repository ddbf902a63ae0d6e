"""Many topics and many pairs of judges combined: one table, or means.

Topics can be combined in two ways. The results can differ widely (two topics with -1/9 each can give 3/5 in one
table), so each result states which way was used:

`across="pooled"`
    One table over the items of all topics.
`across="topics"`
    The mean of the values of the topics. A topic is used if both assessors judged something in it (if all assessors
    are compared, two of them). A topic in which the coefficient is undefined is left out of the mean and named in
    `skipped` with the reason.

With more than two assessors, the coefficients of all pairs are averaged (Manning, Raghavan and Schuetze 2008,
section 8.5; for Cohen's kappa R. J. Light, 1971, Psychological Bulletin 76(5), 365-377).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Any

from agreement.coefficients.alpha import measure_alpha
from agreement.coefficients.by_name import CHANCE_OF, measure
from agreement.coefficients.formulas import BANDED, band
from agreement.coefficients.many_judges import measure_conger, measure_fleiss
from agreement.estimate import ALPHA, Estimate, left_out, undefined
from agreement.intervals.defaults import IntervalRequest, within_range
from agreement.intervals.measurement import Measurement
from agreement.intervals.pair_limits import mean_without_topics
from agreement.intervals.paired_difference import PairedParts, parts_of_mean
from agreement.intervals.samples import mean_of_pairs
from agreement.intervals.topic_means import mean_with_interval
from agreement.ratings import Ratings, check_ratings
from agreement.reasons import REASONS
from agreement.weights import IDENTITY, Weights, weights_of

COEFFICIENTS = tuple(CHANCE_OF)  # of two judges
OF_ALL: dict[str, Callable[..., Measurement]] = {
    "fleiss_kappa": measure_fleiss,
    "conger_kappa": measure_conger,
    ALPHA: measure_alpha,
}
ACROSS = ("pooled", "topics")
OF_INTERVALS = ("interval", "confidence", "draws", "seed", "rng")
KAPPAS = ("pooled_kappa", "cohen_kappa")


def overall(
    ratings: Ratings,
    coefficient: str,
    across: str = "topics",
    a: str | None = None,
    b: str | None = None,
    **options: Any,
) -> Estimate:
    """A coefficient over all topics.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors and topics, with or without missing judgements.
    coefficient : str
        "percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger" or "gwet_ac"; or of all assessors
        "fleiss_kappa", "conger_kappa" or "krippendorff_alpha".
    across : {"topics", "pooled"}, optional
        How topics are combined: the mean of the values of the topics, or one table over the items of all topics.
    a, b : str, optional
        Two assessors. They may be omitted if there are exactly two, or if the coefficient compares any number.
    **options
        Other options of the coefficient:

        * weights : str or array of shape (n_grades, n_grades), the weights of pairs of grades ("identity" by default,
          "linear", "quadratic", "ordinal" or a custom table); not for "krippendorff_alpha";
        * pi_items : {"ge2", "ge1", "pooled"}, the items from which the shares of the grades are computed; for
          "brennan_prediger", "gwet_ac" and "fleiss_kappa";
        * level : {"nominal", "ordinal", "interval", "ratio"}, the level of measurement; only for "krippendorff_alpha".

    Returns
    -------
    Estimate
        With `across="topics"`, `observed` is the mean P(A) of the topics used, `expected` is None (kappa of the means
        is not the mean of the kappas), `n_averaged` is the number of topics used, and `skipped` names the other topics
        with the reason. Undefined with the reason "empty", "one_assessor" or "no_identities" for the whole data, or, if
        the value of each topic is undefined, with one of their reasons ("one_category" or "no_overlap").

    Raises
    ------
    ValueError
        The coefficient, `across` or an assessor is unknown, two assessors are named for a coefficient of all, or the
        value of an option is invalid.
    TypeError
        An option is unknown.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schuetze (2008). Introduction to Information Retrieval, section 8.5. Cambridge
    University Press.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import Ratings, overall
    >>> rows = [(name, topic, doc, grade)
    ...         for name, grades in (("ada", "110010"), ("bob", "100011"))
    ...         for topic, doc, grade in zip("111222", "abcabc", map(int, grades))]
    >>> frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    >>> ratings = Ratings.from_judgements(frame, scale=(0, 1))
    >>> overall(ratings, "cohen_kappa").shown(), overall(ratings, "cohen_kappa", "pooled").shown()
    ('0.400', '0.333')
    """
    check_ratings(ratings, "overall")
    check_known("coefficient", coefficient, (*COEFFICIENTS, *OF_ALL))
    check_known("across", across, ACROSS)
    _check_options(coefficient, options)
    pooled = _measured(coefficient, ratings, a, b, options)
    if across == "pooled" or pooled.estimate.reason in ("empty", "one_assessor", "no_identities"):
        return pooled.with_convention(_convention(pooled.estimate, "one table over all topics")).result()
    parts = _of_topics(coefficient, ratings, pooled.estimate.assessors, a, b, options)
    mean = mean_of(coefficient, {query_id: part.estimate for query_id, part in parts.items()}, "topic")
    whole = pooled.estimate
    mean = replace(
        mean,
        n_dropped=(whole.n or 0) + whole.n_dropped - (mean.n or 0),
        assessors=whole.assessors,
        convention=_convention(whole, "mean over topics"),
    )
    return replace(mean, source=_MeanOfTopics(mean, list(parts.values())))


def mean_pairwise(
    ratings: Ratings,
    coefficient: str,
    weighted: bool = False,
    across: str = "pooled",
    **options: Any,
) -> Estimate:
    """The mean of a coefficient over all pairs of assessors.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements.
    coefficient : str
        "percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger" or "gwet_ac".
    weighted : bool, optional
        Whether each pair is weighted by its number of common items.
    across : {"pooled", "topics"}, optional
        How the topics of each pair are combined: one table over the items of all topics, or the mean of the values of
        the topics.
    **options
        Other options of the coefficient:

        * weights : str or array of shape (n_grades, n_grades), the weights of pairs of grades ("identity" by default,
          "linear", "quadratic", "ordinal" or a custom table).

    Returns
    -------
    Estimate
        `n_averaged` is the number of pairs used, `skipped` names the other pairs with the reason, `n` counts the common
        items of the pairs used. Undefined with the reason "one_assessor" (fewer than two assessors), or, if each pair
        is undefined, with one of their reasons ("empty", "no_overlap" or "one_category").

    Raises
    ------
    ValueError
        The coefficient or `across` is unknown, or the value of an option is invalid.
    TypeError
        An option is unknown.

    References
    ----------
    R. J. Light (1971). Measures of response agreement for qualitative data: some generalizations and alternatives.
    Psychological Bulletin 76(5), 365-377.

    Examples
    --------
    >>> from agreement import Ratings, mean_pairwise
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, None], [1, 1, 1, 0]], (0, 1), ("ada", "bob", "eve"))
    >>> mean = mean_pairwise(ratings, "cohen_kappa")
    >>> mean.shown(), mean.n_averaged, mean.n
    ('0.300', 3, 10)
    """
    check_ratings(ratings, "mean_pairwise")
    check_known("coefficient", coefficient, COEFFICIENTS)
    check_known("across", across, ACROSS)
    _check_options(coefficient, options)
    if len(ratings.assessors) < 2:
        return measure(coefficient, ratings, **options).result()
    pairs = list(combinations(ratings.assessors, 2))
    if across == "topics":
        measured = []
        parts = [overall(ratings, coefficient, across, a, b, **options) for a, b in pairs]
    else:
        measured = [measure(coefficient, ratings, a, b, **options) for a, b in pairs]
        parts = [part.estimate for part in measured]
        parts = [replace(part, convention=_convention(part, "one table over all topics")) for part in parts]
    named = {f"{a} and {b}": part for (a, b), part in zip(pairs, parts, strict=True)}
    mean = mean_of(coefficient, named, "pair", weighted)
    method = "mean over pairs, weighted by n" if weighted else "mean over pairs"
    mean = replace(mean, assessors=ratings.assessors, convention=f"{parts[0].convention}, {method}")
    mean = replace(mean, warnings=_topics_left_out(parts))
    exact = weights_of(options.get("weights", IDENTITY), len(ratings.scale))
    return replace(mean, source=_MeanOfPairs(mean, ratings, measured, exact, weighted))


@dataclass(frozen=True)
class _MeanOfTopics:
    """The data of a mean over topics."""

    mean: Estimate
    topics: list[Measurement]

    def with_interval(self, request: IntervalRequest) -> Estimate:
        """The mean with the requested interval."""
        return replace(mean_with_interval(self.mean, request, self.topics), source=self)

    def paired_parts(self) -> PairedParts:
        """The mean with each topic left out once, to be paired with another one."""
        used = [(topic, topic.estimate.value) for topic in self.topics if topic.estimate.value is not None]
        return parts_of_mean([topic.sample(True) for topic, _ in used], [value for _, value in used])


@dataclass(frozen=True)
class _MeanOfPairs:
    """The data of a mean over pairs; `pairs` is empty if each of them is a mean over topics."""

    mean: Estimate
    ratings: Ratings
    pairs: list[Measurement]
    weights: Weights
    weighted: bool

    def with_interval(self, request: IntervalRequest) -> Estimate:
        """The mean with the requested interval."""
        if not self.pairs:
            raise ValueError(
                "An interval of a mean over pairs needs across='pooled'; interval 'topics' resamples topics."
            )
        if request.kind == "jackknife_topics":
            name, level = self.mean.coefficient, request.confidence
            score = mean_of_pairs(self.mean, self.ratings, self.pairs, self.weighted).score()
            estimate = mean_without_topics(self.mean, self.ratings, name, self.weights, self.weighted, level, score)
            estimate = within_range(estimate, self.pairs[0].estimate.expected)
        else:
            estimate = mean_of_pairs(self.mean, self.ratings, self.pairs, self.weighted).with_interval(request)
        return replace(estimate, source=self)

    def paired_parts(self) -> PairedParts:
        """The mean with each topic and each item left out once, to be paired with another one."""
        if not self.pairs:
            raise ValueError("a mean over pairs of means over topics cannot be paired; use across='pooled'")
        return mean_of_pairs(self.mean, self.ratings, self.pairs, self.weighted).paired_parts()


def _topics_left_out(pairs: list[Estimate]) -> tuple[str, ...]:
    """That means over topics of pairs left out topics, with the reasons; empty if none did."""
    reasons = [reason for pair in pairs if pair.defined for _, reason in pair.skipped]
    return (f"in the pairs: {left_out(reasons, 'topic')}",) if reasons else ()


def mean_of(coefficient: str, parts: dict[str, Estimate], averaged: str, weighted: bool = False) -> Estimate:
    """The mean of estimates."""
    used = [part for part in parts.values() if part.value is not None]
    basis = used or [part for part in parts.values() if part.observed is not None]
    weights = [part.n or 0 for part in basis] if weighted else None
    fields: dict[str, Any] = {
        "n": sum(part.n or 0 for part in used),
        "n_values": sum(part.n_values or 0 for part in used),
        "observed": fmean([part.observed for part in basis if part.observed is not None], weights) if basis else None,
        "topics": tuple(sorted({topic for part in used for topic in part.topics})),
        "n_averaged": len(used),
        "averaged": averaged,
        "skipped": tuple((name, part.reason) for name, part in parts.items() if not part.defined),
    }
    if not used:
        reasons = {part.reason for part in parts.values()}
        reason = next((reason for reason in REASONS if reason in reasons), "no_overlap")
        return undefined(coefficient, reason, **fields)
    value = fmean([part.value for part in used if part.value is not None], weights)
    return Estimate(value, coefficient, band=band(value) if coefficient in BANDED else None, **fields)


def check_known(what: str, value: str, names: Iterable[str]) -> None:
    """ValueError if a value is not one of the names; `what` is the parameter."""
    names = tuple(names)
    if value not in names:
        raise ValueError(f"{what} must be one of {', '.join(names)}, not {value!r}.")


def _check_options(coefficient: str, options: dict[str, Any]) -> None:
    """TypeError for an option that the coefficient does not have."""
    allowed = ("level",) if coefficient == ALPHA else ("weights", "pi_items")
    for name in options:
        if name not in allowed:
            hint = "; the estimate has the method `interval`" if name in OF_INTERVALS else ""
            raise TypeError(f"{coefficient} has no option {name!r}{hint}.")


def _measured(coefficient: str, ratings: Ratings, a: str | None, b: str | None, options: dict[str, Any]) -> Measurement:
    if coefficient not in OF_ALL:
        return measure(coefficient, ratings, a, b, **options)
    if a is not None or b is not None:
        raise ValueError(f"{coefficient} compares all assessors, not {a!r} and {b!r}.")
    return OF_ALL[coefficient](ratings, **options)


def _of_topics(
    coefficient: str,
    ratings: Ratings,
    assessors: tuple[str, ...],
    a: str | None,
    b: str | None,
    options: dict[str, Any],
) -> dict[str, Measurement]:
    """The topics in which both, or two of the assessors, judged something."""
    return {
        query_id: _measured(coefficient, part, a, b, options)
        for query_id, part in ratings.by_topic().items()
        if ratings.anonymous or len(set(assessors) - set(part.idle)) > 1
    }


def _convention(estimate: Estimate, combination: str) -> str:
    return ", ".join(part for part in (estimate.convention, combination) if part)
