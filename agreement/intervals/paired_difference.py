"""The difference between two coefficients of the same documents, with an interval.

Two kappas of the same documents vary together: a topic that is hard to judge lowers both. The interval is paired. The
jackknife leaves out each topic from both coefficients at once, and the standard error is that of the difference:

    se^2 = (m - 1) / m * sum of (d_i - mean of the d_i)^2         d_i: the difference without topic i, of m topics

The limits are d -+ t se, where t is a quantile of Student's t with m - 1 degrees of freedom. The same is computed for
documents as parts, and the wider interval is used, so that it is never narrower than the one that ignores topics. With
one topic, documents are the parts.

If no part changes the difference, its standard error is 0, which does not mean that the difference is certain. Then the
limits are those that the separate intervals of the coefficients leave if they are independent (Zou 2007):

    low = d - sqrt((a - low_a)^2 + (high_b - b)^2),    high = d + sqrt((high_a - a)^2 + (b - low_b)^2)

The limits of the jackknife are between -2 and 2.

References
----------
B. Efron and R. J. Tibshirani (1993). An Introduction to the Bootstrap, chapter 11. Chapman and Hall.
S. Vanbelle and A. Albert (2008). A bootstrap method for comparing correlated kappa coefficients. Journal of Statistical
Computation and Simulation 78(11), 1009-1015.
G. Y. Zou (2007). Toward using confidence intervals to compare correlations. Psychological Methods 12(4), 399-413.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any

import numpy as np

from agreement.checks import level
from agreement.estimate import Estimate, undefined
from agreement.intervals.defaults import TOO_FEW, few_items, few_topics, most_variance, undefined_draws
from agreement.intervals.kernel import Floats, Jackknife, Sample, jackknife, t_quantile
from pooling.words import count

Key = tuple[str, str]  # query_id, doc_id
WITHOUT_ITEMS = "it has no data to be compared document by document; compute it again from Ratings"


@dataclass(frozen=True)
class PairedParts:
    """A coefficient with each topic, and each document, left out once.

    Attributes
    ----------
    items : tuple of (str, str)
        query_id and doc_id of the items used, ascending.
    topics : tuple of str
        Their topics, ascending.
    by_topic : ndarray of float, shape (n_topics,)
        The coefficient without each topic; nan if undefined.
    by_item : ndarray of float, shape (n_items,), or None
        The coefficient without each item; None for a mean over topics.
    """

    items: tuple[Key, ...]
    topics: tuple[str, ...]
    by_topic: Floats
    by_item: Floats | None


def parts_of_sample(sample: Sample) -> PairedParts:
    """The coefficient of a sample with its items, with each part left out once."""
    if sample.items is None:
        raise ValueError(WITHOUT_ITEMS)
    keys = list(zip(map(str, sample.items.query_ids), map(str, sample.items.doc_ids), strict=True))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    features = sample.kernel.features[sample.items.pattern[order]]
    items = tuple(keys[position] for position in order)
    topics, codes = np.unique([query_id for query_id, _ in items], return_inverse=True)
    sums = np.zeros((len(topics), features.shape[1]))
    # add.at, because a topic has many items.
    np.add.at(sums, codes, features)
    total = features.sum(axis=0)
    by_topic, by_item = (sample.kernel.values(total - left_out) for left_out in (sums, features))
    return PairedParts(items, tuple(map(str, topics)), by_topic, by_item)


def parts_of_mean(samples: Sequence[Sample], values: Sequence[float]) -> PairedParts:
    """A mean over topics, with each topic left out once; one sample and one value for each topic used."""
    topics = [parts_of_sample(sample) for sample in samples]
    order = sorted(range(len(topics)), key=lambda position: topics[position].topics)
    numbers = np.array([values[position] for position in order])
    others = len(numbers) - 1
    left_out = (numbers.sum() - numbers) / others if others else np.full(len(numbers), np.nan)
    items = tuple(item for position in order for item in topics[position].items)
    return PairedParts(items, tuple(topics[position].topics[0] for position in order), left_out, None)


def difference(first: Estimate, second: Estimate, confidence: float = 0.95) -> Estimate:
    """The first coefficient minus the second, with a paired interval."""
    confidence = level("confidence", confidence, 0.95)
    if not isinstance(second, Estimate):
        raise ValueError(f"The difference needs another Estimate, not {type(second).__name__}.")
    fields = _fields(first, second)
    if reason := first.reason or second.reason:
        return undefined(_name(first, second), reason, **fields)
    one, other = _parts(first, "first"), _parts(second, "second")
    _check_same_items(one.items, other.items)
    if first.value is None or second.value is None:
        raise ValueError("Both estimates must have a value.")
    fields |= {"n": len(one.items), "topics": tuple(filter(None, one.topics)), "confidence": confidence}
    estimate = Estimate(first.value - second.value, _name(first, second), **fields)
    return _with_limits(estimate, (first, second), (one, other), confidence)


def _name(first: Estimate, second: Estimate) -> str:
    if first.coefficient == second.coefficient:
        return f"{first.coefficient}_difference"
    return f"{first.coefficient}_minus_{second.coefficient}"


def _fields(first: Estimate, second: Estimate) -> dict[str, Any]:
    names = [" and ".join(estimate.assessors) or "all judges" for estimate in (first, second)]
    conventions = dict.fromkeys(filter(None, (first.convention, second.convention)))
    compared = f"{names[0]} minus {names[1]}" if names[0] != names[1] else names[0]
    return {
        "assessors": tuple(dict.fromkeys((*first.assessors, *second.assessors))),
        "convention": "; ".join((compared, *conventions)),
        "n": min(first.n or 0, second.n or 0),
    }


def _parts(estimate: Estimate, which: str) -> PairedParts:
    try:
        if estimate.source is None:
            raise ValueError(WITHOUT_ITEMS)
        return estimate.source.paired_parts()
    except ValueError as error:
        name = estimate.coefficient.replace("_", " ")
        raise ValueError(f"The {which} estimate ({name}) has no difference: {error}.") from None


def _check_same_items(first: tuple[Key, ...], second: tuple[Key, ...]) -> None:
    if first == second:
        return
    only = sorted(set(first) ^ set(second))
    if not only:
        raise ValueError("A difference needs each document once, but a document occurs several times in the ratings.")
    query_id, doc_id = only[0]
    which = "first" if only[0] in set(first) else "second"
    of_topic = f" of topic {query_id!r}" if query_id else ""
    raise ValueError(
        f"A difference needs two estimates of the same documents, but only the {which} has document {doc_id!r}"
        f"{of_topic} ({count(len(only), 'document')} in only one of them)."
    )


def _with_limits(
    estimate: Estimate, compared: tuple[Estimate, Estimate], parts: tuple[PairedParts, PairedParts], confidence: float
) -> Estimate:
    one, other = parts
    found = {"topic": _jackknife(one.by_topic - other.by_topic)} if len(one.topics) > 1 else {}
    if one.by_item is not None and other.by_item is not None:
        found["document"] = _jackknife(one.by_item - other.by_item)
    reaches = {what: float(t_quantile(confidence, int(each.used)) * each.se) for what, each in found.items()}
    known = {what: reach for what, reach in reaches.items() if np.isfinite(reach) and reach > 0}
    warnings = few_items(estimate.n) + _about_parts(estimate.topics, found)
    if not known:
        return _of_separate_intervals(replace(estimate, warnings=warnings), compared, confidence)
    part = max(known, key=known.__getitem__)
    value, reach = estimate.value or 0.0, known[part]
    least = min(-2.0, value)
    method = f"paired jackknife: each {part} left out once"
    return replace(
        estimate,
        low=max(value - reach, least),
        high=min(value + reach, 2.0),
        se=float(found[part].se),
        method=method,
        warnings=warnings,
    )


def _about_parts(topics: tuple[str, ...], found: dict[str, Jackknife]) -> tuple[str, ...]:
    """Warnings about the topics, and about parts without which a coefficient is undefined."""
    few = few_topics(len(topics)) if topics else ()
    warnings = few if few or "topic" not in found else most_variance(float(found["topic"].largest))
    for what, each in found.items():
        warnings += undefined_draws(int(each.undefined), int(each.parts), f"samples without one {what}")
    return warnings


def _jackknife(differences: Floats) -> Jackknife:
    return jackknife(differences, np.ones(len(differences), np.int64))


def _of_separate_intervals(estimate: Estimate, compared: tuple[Estimate, Estimate], confidence: float) -> Estimate:
    """Limits from the intervals of both coefficients, for a difference that no part changes."""
    kind = "jackknife_topics" if len(estimate.topics) > 1 else "jackknife"
    first, second = (each.interval(kind, confidence=confidence) for each in compared)
    one, other = first.confidence_interval, second.confidence_interval
    if one is None or other is None:
        return replace(estimate, confidence=None, warnings=(*estimate.warnings, TOO_FEW))
    (low_a, high_a), (low_b, high_b) = one, other
    a, b, value = first.value or 0.0, second.value or 0.0, estimate.value or 0.0
    return replace(
        estimate,
        low=value - hypot(a - low_a, high_b - b),
        high=value + hypot(high_a - a, b - low_b),
        method=f"separate intervals ({kind.replace('_', ' over ')}), because no part changes the difference",
    )
