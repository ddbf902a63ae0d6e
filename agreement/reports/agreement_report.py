"""The agreement of assessors as text (plain, Markdown or LaTeX) and as data for JSON.

The text begins with an answer: do the judges agree? It uses the pairs of judges with enough data in common, and is
preliminary without them (`agreement.reports.agreement_summary`).

Each table states its n, and an undefined value shows the reason: "undefined (one category)". Text is rounded to three
digits; `agreement_data`, and `agreement_frame` and `added_table` for CSV, are not rounded.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from agreement.choices import MIN_DOCUMENTS
from agreement.judgements import Grade
from agreement.ratings import Ratings, check_ratings
from agreement.relevance.sets import overlap
from agreement.reports.added_sections import added_text
from agreement.reports.added_statistics import added_frame, checked_added
from agreement.reports.agreement_csv import ListedPairs, agreement_frame
from agreement.reports.agreement_sections import Figures, report_text
from agreement.reports.agreement_tables import Tables
from agreement.reports.page_width import PageWidth
from agreement.reports.results import records
from agreement.reports.shift_report import shift_text
from agreement.thresholds import MIN_TOPICS

__all__ = ["added_table", "agreement_data", "agreement_frame", "agreement_text", "shift_text"]


def agreement_data(
    ratings: Ratings,
    rel: Grade | None = None,
    per_topic: bool = False,
    interval: str | None = None,
    seed: int | None = None,
    *,
    min_topics: int = MIN_TOPICS,
    min_documents: int = MIN_DOCUMENTS,
    weights: str | None = None,
    reference: str | None = None,
    sort: str = "name",
    top: int | None = None,
    add: Sequence[str] = (),
) -> dict[str, Any]:
    """The content of `agreement_text` as JSON values, not rounded.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors and topics, with or without missing judgements.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.
    per_topic : bool, optional
        Whether to compare each pair also in each topic.
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
    min_topics, min_documents : int, optional
        The topics and documents that a pair needs in common to be used in the summary; 1 or more.
    weights : {None, "linear", "quadratic", "ordinal"}, optional
        On more than two grades, add weighted kappa with these weights, and ordinal alpha, of each pair. None adds
        neither.
    reference : str, optional
        Compare only with this judge: the pairs of all others with it are listed, and the summary is about them.
    sort : {"name", "value", "n"}, optional
        The order of the pairs: by name, the highest pooled kappa over all topics first, or the most documents first.
    top : int, optional
        The number of pairs that are listed; by default all. The summary and the means use all.
    add : sequence of {"icc", "generalisability", "marginals", "benchmarks"}, optional
        More statistics:

        * "icc": the six intraclass correlations of all judges, if the grades are numbers;
        * "generalisability": how many judges would be enough, if the grades are numbers;
        * "marginals": tests whether two judges give the grades equally often, for each listed pair;
        * "benchmarks": the probability of each band of a benchmark scale, for each listed pair; needs an interval.

    Returns
    -------
    dict
        summary (a list of sentences, the answer first), assessors, idle (assessors without judgements), n_judgements,
        topics, scale, rel, interval, seed, weights, reference, sort, top, n_pairs (with the reference, if there is
        one, whether listed or not); pairs (rows of `agreement_frame`); means (over pairs) and all_judges, both
        lists of estimates as dictionaries; and, on two grades, relevant_sets (rows of `pairwise_relevance`) and overlap
        (of all assessors). Undefined values are None, with their reason.

    Raises
    ------
    ValueError
        `rel` is not on the scale, the interval, the weights, the reference, the order or a statistic is unknown, the
        interval draws at random and `seed` is missing, or a threshold or `top` is not a whole number of at least 1.

    Examples
    --------
    >>> from agreement import Ratings, agreement_data
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), ("ada", "bob"))
    >>> data = agreement_data(ratings)
    >>> data["n_judgements"], data["pairs"][0]["cohen_kappa"], data["overlap"]["value"]
    (8, 0.5, 0.5)
    """
    check_ratings(ratings, "agreement_data")
    add = checked_added(add) if add else ()
    listed = ListedPairs(reference, sort, top)
    figures = Figures(ratings, rel, interval, seed, weights, listed, min_topics, min_documents)
    listed.check_reference(ratings.assessors)
    frame = figures.frame(per_topic)
    pooled = frame[frame["across"] == "pooled"]
    data: dict[str, Any] = {
        "summary": figures.sentences(pooled),
        "assessors": list(ratings.assessors),
        "idle": list(ratings.idle),
        "n_judgements": ratings.n_judgements,
        "topics": list(ratings.by_topic()),
        "scale": list(ratings.scale),
        "rel": rel,
        "interval": interval,
        "seed": seed,
        "weights": weights,
        "reference": reference,
        "sort": sort,
        "top": top,
        "n_pairs": len(listed.of_reference(figures.pairs)),
        "pairs": records(frame),
        "means": [mean.to_dict() for mean in [*figures.pooled_means, *figures.means("topics")]],
        "all_judges": [estimate.to_dict() for estimate in figures.at_once],
    }
    if len(figures.ratings.scale) == 2:
        data["relevant_sets"] = records(figures.relevant_sets(pooled))
        data["overlap"] = overlap(ratings, rel=rel).to_dict()
    if add:
        data["added"] = {name: records(added_frame(figures, name)) for name in add}
    return data


def agreement_text(
    ratings: Ratings,
    rel: Grade | None = None,
    per_topic: bool = False,
    style: str = "plain",
    interval: str | None = None,
    seed: int | None = None,
    *,
    min_topics: int = MIN_TOPICS,
    min_documents: int = MIN_DOCUMENTS,
    weights: str | None = None,
    reference: str | None = None,
    sort: str = "name",
    top: int | None = None,
    add: Sequence[str] = (),
    width: int | None = None,
    drawing: str | None = None,
) -> str:
    """A report on the agreement of assessors: a summary, each pair, the mean over pairs, and all assessors at once.

    The summary uses the pairs with enough data in common, and is preliminary without them. On two grades, or if `rel`
    is passed, the report also compares the sets of relevant documents.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors and topics, with or without missing judgements.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.
    per_topic : bool, optional
        Whether to compare each pair also in each topic.
    style : {"plain", "markdown", "latex"}, optional
        The format of the text.
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
    min_topics, min_documents : int, optional
        The topics and documents that a pair needs in common to be used in the summary; 1 or more.
    weights : {None, "linear", "quadratic", "ordinal"}, optional
        On more than two grades, add weighted kappa with these weights, and ordinal alpha, of each pair. None adds
        neither.
    reference : str, optional
        Compare only with this judge: the pairs of all others with it are listed, and the summary is about them.
    sort : {"name", "value", "n"}, optional
        The order of the pairs: by name, the highest pooled kappa over all topics first, or the most documents first.
    top : int, optional
        The number of pairs that are listed; by default all. The summary and the means use all.
    add : sequence of {"icc", "generalisability", "marginals", "benchmarks"}, optional
        More statistics:

        * "icc": the six intraclass correlations of all judges, if the grades are numbers;
        * "generalisability": how many judges would be enough, if the grades are numbers;
        * "marginals": tests whether two judges give the grades equally often, for each listed pair;
        * "benchmarks": the probability of each band of a benchmark scale, for each listed pair; needs an interval.
    width : int, optional
        The width of a terminal. Text is wrapped, and names are shortened so that tables fit. By default nothing is.
    drawing : {None, "unicode", "ascii"}, optional
        With a `width`, draw the intervals with these characters next to the values, where there is room.

    Returns
    -------
    str
        Values are rounded to three digits. An undefined value shows its reason, such as "undefined (one category)".

    Raises
    ------
    ValueError
        `rel` is not on the scale, the style, the interval, the weights, the reference, the order or a statistic is
        unknown, the interval draws at random and `seed` is missing, or a threshold or `top` is not a whole number of at
        least 1.

    Examples
    --------
    >>> from agreement import Ratings, agreement_text
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), ("ada", "bob"))
    >>> text = agreement_text(ratings, min_topics=1, min_documents=4)
    >>> print(text.split(":")[0])
    The judges agree poorly
    >>> "Agreement of 2 judges, 8 judgements, 1 topic; grades 0, 1." in text
    True
    """
    check_ratings(ratings, "agreement_text")
    add = checked_added(add) if add else ()
    listed = ListedPairs(reference, sort, top)
    listed.check_reference(ratings.assessors)
    figures = Figures(ratings, rel, interval, seed, weights, listed, min_topics, min_documents)
    tables = Tables(style, PageWidth(width, drawing), reference, weights)
    added = added_text(figures, tables, add) if add else ""
    return report_text(figures, tables, per_topic) + added


def added_table(
    ratings: Ratings,
    name: str,
    rel: Grade | None = None,
    interval: str | None = None,
    seed: int | None = None,
    *,
    reference: str | None = None,
    sort: str = "name",
    top: int | None = None,
) -> pd.DataFrame:
    """One of the statistics that a report has only on request, as one table for CSV.

    Parameters
    ----------
    ratings : Ratings
        The judgements with all grades.
    name : {"icc", "generalisability", "marginals", "benchmarks"}
        The statistic.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant.
    interval : str, optional
        The kind of interval, from which benchmarks are computed.
    seed : int, optional
        The seed of intervals that draw at random.
    reference : str, optional
        Only the pairs with this judge.
    sort : {"name", "value", "n"}, optional
        The order of the pairs.
    top : int, optional
        The number of pairs; by default all.

    Returns
    -------
    DataFrame
        Not rounded. NA where a figure is undefined, with its status and reason.

    Examples
    --------
    >>> from agreement import Ratings
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), ("ada", "bob"))
    >>> added_table(ratings, "marginals")[["assessor_a", "assessor_b", "test", "n", "n_disagreeing"]].head(1)
      assessor_a assessor_b     test  n  n_disagreeing
    0        ada        bob  mcnemar  4              1
    """
    listed = ListedPairs(reference, sort, top)
    listed.check_reference(ratings.assessors)
    return added_frame(Figures(ratings, rel, interval, seed, None, listed, MIN_TOPICS, MIN_DOCUMENTS), name)
