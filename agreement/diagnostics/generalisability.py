"""A generalisability study: where the variance of the grades comes from, and how many judges are enough.

Of n documents that all k judges judged. The crossed design has the facets documents (d) and judges (j); the nested
design also has topics (t), and each document belongs to one topic. A variance component is estimated from the mean
squares MS of the analysis of variance, by equating them with their expectations:

    crossed    residual = MS(dj)
               documents = (MS(d) - MS(dj)) / k
               judges = (MS(j) - MS(dj)) / n
    nested     residual = MS(dj:t)
               documents = (MS(d:t) - MS(dj:t)) / k
               topics x judges = (MS(tj) - MS(dj:t)) / c
               topics = (MS(t) - MS(d:t) - MS(tj) + MS(dj:t)) / (c k)
               judges = (MS(j) - MS(dj:t) - r * topics x judges) / n

Topics may have different numbers n_t of documents: r = sum of n_t^2 / n and c = (n - r) / (T - 1) for T topics. With
equally many documents in each topic r = c. An estimate below 0 counts as 0.

The decision study asks how well the mean of m judges separates documents; in the nested design documents of one topic.
The error of the order of documents is residual / m. The error of their grades also has judges / m and, in the nested
design, topics x judges / m:

    generalisability = documents / (documents + error of the order)
    dependability    = documents / (documents + error of the grades)

In the crossed design, without estimates below 0, these are ICC(3,k) and ICC(2,k) for m = k.

References
----------
L. J. Cronbach, G. C. Gleser, H. Nanda and N. Rajaratnam (1972). The Dependability of Behavioral Measurements: Theory of
Generalizability for Scores and Profiles. Wiley.
R. L. Brennan (2001). Generalizability Theory, chapters 2 to 4 and 7. Springer.
"""

from __future__ import annotations  # help() shows the names of type aliases

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.checks import choice
from agreement.coefficients.mean_squares import Crossed, Whole, crossed, two_way
from agreement.diagnostics.decision_study import Generalisability
from agreement.ratings import Ratings, check_ratings

DESIGNS = ("crossed", "nested")
Means = dict[str, tuple[int, Fraction]]  # the degrees of freedom and the mean square of each source


def generalisability(ratings: Ratings, design: str = "crossed") -> Generalisability:
    """Generalisability study of documents and judges, or of documents in topics and judges.

    The variance components are estimated from the mean squares of the analysis of variance, and an estimate below 0
    counts as 0. The grades must be numbers, and their differences are taken literally.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors. Documents that not all of them judged are left out.
    design : {"crossed", "nested"}, optional
        "crossed": documents and judges, without regard to topics. "nested": documents in topics, and judges who judged
        all topics.

    Returns
    -------
    Generalisability
        The components, the coefficients, and the decision study. `n_dropped` counts the documents that only some of
        the judges judged. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no document was judged by all.
        * "one_item": only one document was judged by all.
        * "one_topic": the nested design has only one topic.
        * "no_second_document": the nested design has no topic with two documents.
        * "no_variance": all grades are equal.

    Raises
    ------
    TypeError
        It is not Ratings.
    ValueError
        The grades are not numbers, or the design is unknown.

    References
    ----------
    L. J. Cronbach, G. C. Gleser, H. Nanda and N. Rajaratnam (1972). The Dependability of Behavioral Measurements:
    Theory of Generalizability for Scores and Profiles. Wiley.
    R. L. Brennan (2001). Generalizability Theory. Springer.

    Examples
    --------
    >>> from agreement import Ratings, generalisability
    >>> grades = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    >>> study = generalisability(Ratings.from_matrix(grades, scale=range(1, 11), axis="assessors"))
    >>> study.to_frame()[["source", "df", "component", "share"]].round(3)
          source  df  component  share
    0  documents   5      2.556   0.29
    1     judges   3      5.244  0.595
    2   residual  15      1.019  0.116
    >>> study.judges_needed(0.8), study.judges_needed(0.8, "dependability")
    (2, 10)
    """
    check_ratings(ratings, "generalisability")
    choice("design", design, DESIGNS)
    data = crossed(ratings, "generalisability")
    reason = _reason(data, design)
    if reason:
        return Generalisability(design, {}, {}, {}, data.n_judges, **_counts(data), status="undefined", reason=reason)
    means = _crossed_means(data) if design == "crossed" else _nested_means(data)
    estimates = _crossed_components(data, means) if design == "crossed" else _nested_components(data, means)
    return Generalisability(
        design,
        components={source: float(max(value, Fraction(0))) for source, value in estimates.items()},
        mean_squares={source: float(square) for source, (_, square) in means.items()},
        df={source: df for source, (df, _) in means.items()},
        n_judges=data.n_judges,
        below_zero=tuple(source for source, value in estimates.items() if value < 0),
        **_counts(data),
    )


def _counts(data: Crossed) -> dict[str, Any]:
    return {"n": data.n, "n_topics": len(np.unique(data.topic)), "n_dropped": data.fields["n_dropped"]}


def _reason(data: Crossed, design: str) -> str | None:
    """Why there are no components."""
    if data.reason or data.n < 2:
        return data.reason or "one_item"
    n_topics = len(np.unique(data.topic))
    if design == "nested" and n_topics < 2:
        return "one_topic"
    if design == "nested" and n_topics == data.n:
        return "no_second_document"
    return "no_variance" if (data.values == data.values[0, 0]).all() else None


def _crossed_means(data: Crossed) -> Means:
    squares, n, k = two_way(data), data.n, data.n_judges
    return _means(
        data,
        {
            "documents": (n - 1, squares.items),
            "judges": (k - 1, squares.judges),
            "residual": ((n - 1) * (k - 1), squares.residual),
        },
    )


def _nested_means(data: Crossed) -> Means:
    squares, n, k = two_way(data), data.n, data.n_judges
    sizes = np.bincount(data.topic)
    sums = np.zeros((k, len(sizes)), dtype=object)  # of each judge in each topic
    for judge in range(k):
        np.add.at(sums[judge], data.topic, data.values[judge])
    correction = Fraction(int(data.values.sum()) ** 2, n * k)
    topics = _between(sums.sum(axis=0)[None, :], sizes * k) - correction
    cells = _between(sums, sizes) - correction - topics - squares.judges
    t = len(sizes)
    return _means(
        data,
        {
            "topics": (t - 1, topics),
            "documents": (n - t, squares.items - topics),
            "judges": (k - 1, squares.judges),
            "topics x judges": ((t - 1) * (k - 1), cells),
            "residual": ((n - t) * (k - 1), squares.residual - cells),
        },
    )


def _between(sums: Whole, sizes: npt.NDArray[np.int_]) -> Fraction:
    """The sum of squared sums of shape (n_rows, n_topics), each divided by the number of grades in it, (n_topics,)."""
    squared = (sums**2).sum(axis=0)
    return sum((Fraction(int(top), int(size)) for top, size in zip(squared, sizes, strict=True)), Fraction(0))


def _means(data: Crossed, sums: dict[str, tuple[int, Fraction]]) -> Means:
    return {source: (df, data.mean_square(square, df)) for source, (df, square) in sums.items()}


def _crossed_components(data: Crossed, means: Means) -> dict[str, Fraction]:
    error = means["residual"][1]
    return {
        "documents": (means["documents"][1] - error) / data.n_judges,
        "judges": (means["judges"][1] - error) / data.n,
        "residual": error,
    }


def _nested_components(data: Crossed, means: Means) -> dict[str, Fraction]:
    square, k, n = {source: value for source, (_, value) in means.items()}, data.n_judges, data.n
    sizes, error = np.bincount(data.topic).astype(object), square["residual"]
    r = Fraction(int((sizes**2).sum()), n)
    c = (n - r) / (len(sizes) - 1)
    both = (square["topics x judges"] - error) / c
    return {
        "topics": (square["topics"] - square["documents"] - square["topics x judges"] + error) / (c * k),
        "documents": (square["documents"] - error) / k,
        "judges": (square["judges"] - error - r * both) / n,
        "topics x judges": both,
        "residual": error,
    }
