"""The agreement of assessors as text (plain, Markdown or LaTeX) and as data for JSON.

The text begins with an answer: do the judges agree? It uses the pairs of judges with enough data in common, and lists
the others as "too early to say" (`agreement.reports.agreement_summary`).

Each table states its n, and an undefined value shows the reason: "undefined (one category)". Text is rounded to three
digits; `agreement_data`, and `agreement_frame` for CSV, are not rounded.
"""

from typing import Any

import pandas as pd

from agreement.checks import check_ratings
from agreement.choices import MIN_DOCUMENTS
from agreement.coefficients.overall import ACROSS, KAPPAS, mean_pairwise
from agreement.estimate import REASONS, Estimate, format_value
from agreement.judgements import Grade
from agreement.ratings import Ratings
from agreement.relevance.pairs import pairwise_relevance
from agreement.relevance.sets import overlap
from agreement.reports.agreement_summary import agreement_summary
from agreement.reports.all_judges import all_judges, with_interval
from agreement.reports.pair_report import agreement_frame
from agreement.reports.results import records
from agreement.reports.shift_report import shift_text
from agreement.shift.thresholds import MIN_TOPICS
from pooling.text_tables import heading, prose, render
from pooling.words import count

__all__ = ["agreement_data", "agreement_frame", "agreement_text", "shift_text"]

COMBINATIONS = {"pooled": "One table over all topics", "topics": "Mean of the values of the topics"}
VIEWS = ("overlap", "positive_agreement", "negative_agreement")


def agreement_data(
    ratings: Ratings,
    rel: Grade | None = None,
    per_topic: bool = False,
    interval: str | None = None,
    seed: int | None = None,
    *,
    min_topics: int = MIN_TOPICS,
    min_documents: int = MIN_DOCUMENTS,
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

    Returns
    -------
    dict
        summary (a list of sentences, the answer first), assessors, idle (assessors without judgements), n_judgements,
        topics, scale, rel, interval, seed; pairs (rows of `agreement_frame`); means (over pairs) and all_judges, both
        lists of estimates as dictionaries; and, on two grades, relevant_sets (rows of `pairwise_relevance`) and overlap
        (of all assessors). Undefined values are None, with their reason.

    Raises
    ------
    ValueError
        `rel` is not on the scale, the interval is unknown, it draws at random and `seed` is missing, or a threshold is
        not a whole number of at least 1.

    Examples
    --------
    >>> from agreement import Ratings, agreement_data
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), ("ada", "bob"))
    >>> data = agreement_data(ratings)
    >>> data["n_judgements"], data["pairs"][0]["cohen_kappa"], data["overlap"]["value"]
    (8, 0.5, 0.5)
    """
    check_ratings(ratings, "agreement_data")
    graded, ratings = ratings, ratings if rel is None else ratings.binary(rel)
    means = [mean for across in ACROSS for mean in _means(ratings, across, interval, seed)]
    frame = agreement_frame(ratings, per_topic, interval, seed)
    data: dict[str, Any] = {
        "summary": _summary(frame, min_topics, min_documents),
        "assessors": list(ratings.assessors),
        "idle": list(ratings.idle),
        "n_judgements": ratings.n_judgements,
        "topics": list(ratings.by_topic()),
        "scale": list(graded.scale),
        "rel": rel,
        "interval": interval,
        "seed": seed,
        "pairs": records(frame),
        "means": [mean.to_dict() for mean in means],
        "all_judges": [estimate.to_dict() for estimate in all_judges(ratings, interval, seed)],
    }
    if len(ratings.scale) == 2:
        data["relevant_sets"] = records(pairwise_relevance(graded, rel))
        data["overlap"] = overlap(graded, rel=rel).to_dict()
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
) -> str:
    """A report on the agreement of assessors: a summary, each pair, the mean over pairs, and all assessors at once.

    The summary uses the pairs with enough data in common, and lists the others as "too early to say". On two grades, or
    if `rel` is passed, the report also compares the sets of relevant documents.

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

    Returns
    -------
    str
        Values are rounded to three digits. An undefined value shows its reason, such as "undefined (one category)".

    Raises
    ------
    ValueError
        `rel` is not on the scale, the style or the interval is unknown, the interval draws at random and `seed` is
        missing, or a threshold is not a whole number of at least 1.

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
    graded, ratings = ratings, ratings if rel is None else ratings.binary(rel)
    frame = agreement_frame(ratings, per_topic, interval, seed)
    summary = "\n".join(_summary(frame, min_topics, min_documents))
    parts = [prose(text, style) for text in [summary, *_opening(ratings, graded, rel)]]
    for across in ACROSS:
        parts += [heading(COMBINATIONS[across], style), _pairs_text(frame[frame["across"] == across], style)]
        parts.append(prose("\n".join(map(str, _means(ratings, across, interval, seed))), style))
    estimates = all_judges(ratings, interval, seed)
    parts += [heading("All judges at once, over all topics", style), render(_all_cells(estimates), style)]
    warnings = dict.fromkeys(text for estimate in estimates for text in estimate.warnings)
    parts += [prose(f"Warnings for some coefficients: {'; '.join(warnings)}.", style)] if warnings else []
    if len(ratings.scale) == 2:
        parts += _sets_text(graded, rel, style)
    for query_id, rows in frame[frame["across"] == "topic"].groupby("query_id", sort=False):
        parts += [heading(f"Topic {query_id}", style), _pairs_text(rows, style)]
    return "\n\n".join(parts) + "\n"


def _summary(frame: pd.DataFrame, min_topics: int, min_documents: int) -> list[str]:
    """The answer, and below it what is said about the pairs that it does not use."""
    summary = agreement_summary(frame[frame["across"] == "pooled"], min_topics, min_documents)
    return [summary.headline(), *summary.left_out()]


def _opening(ratings: Ratings, graded: Ratings, rel: Grade | None) -> list[str]:
    grades = "grades " + ", ".join(map(str, graded.scale)) if rel is None else f"relevant from grade {rel}"
    n_topics = len(ratings.by_topic())
    topics = count(n_topics, "topic")
    size = f"{count(len(ratings.assessors), 'judge')}, {count(ratings.n_judgements, 'judgement')}, {topics}"
    opening = [f"Agreement of {size}; {grades}."]
    return [*opening, f"Without judgements: {', '.join(ratings.idle)}."] if ratings.idle else opening


def _means(ratings: Ratings, across: str, interval: str | None, seed: int | None) -> list[Estimate]:
    """The means over pairs; only pooled ones have intervals."""
    if across == "topics":
        return [mean_pairwise(ratings, name, across=across) for name in KAPPAS]
    return [with_interval(mean_pairwise(ratings, name, across=across), interval, seed) for name in KAPPAS]


def _pairs_text(rows: pd.DataFrame, style: str) -> str:
    """The pairs with common items as a table, the number of the other pairs, and the method of the intervals."""
    joint = rows[rows["n"] > 0]
    cells = pd.DataFrame({"judges": joint["assessor_a"] + " and " + joint["assessor_b"]})
    used = KAPPAS[0]  # both kappas have a value in the same topics
    cells["n"], cells["topics"] = joint[f"{used}_n"], joint[f"{used}_n_topics"]
    if joint[f"{used}_left_out"].any():
        cells["topics left out"] = [_left_out(number) for number in joint[f"{used}_left_out"]]
    cells["P(A)"] = ["" if pd.isna(value) else f"{value:.3f}" for value in joint[f"{used}_observed"]]
    for name in KAPPAS:
        title = name.replace("_", " ")
        cells[title] = _values(joint, name)
        if f"{name}_low" in joint and joint[f"{name}_method"].notna().any():
            limits = joint[[f"{name}_low", f"{name}_high"]].itertuples(index=False)
            cells[f"{title} 95%"] = [_limits(low, high) for low, high in limits]
        cells[f"{title} band"] = joint[f"{name}_band"]
    without = len(rows) - len(joint)
    text = [render(cells, style)] if len(joint) else []
    text += [prose(note, style) for note in _notes(joint)]
    pairs = "pair of judges has" if without == 1 else "pairs of judges have"
    text += [prose(f"{without} {pairs} no item in common.", style)] if without else []
    return "\n\n".join(text) or "There is no pair of judges."


def _notes(rows: pd.DataFrame) -> list[str]:
    """The methods of the intervals of a table, and their warnings."""
    methods, warnings = (
        sorted(
            {
                text
                for name in KAPPAS
                if f"{name}_{column}" in rows
                for text in rows[f"{name}_{column}"].dropna()
                if text
            }
        )
        for column in ("method", "warnings")
    )
    notes = [f"Intervals: {'; '.join(methods)}."] if methods else []
    return [*notes, f"Warnings for some pairs: {'; '.join(warnings)}."] if warnings else notes


def _all_cells(estimates: list[Estimate]) -> pd.DataFrame:
    rows = [
        {
            "coefficient": estimate.coefficient.replace("_", " "),
            "value": estimate.shown(),
            "95%": "" if estimate.low is None else _limits(estimate.low, estimate.high),
            "n": estimate.n,
            "convention": estimate.convention.split(";")[0],
        }
        for estimate in estimates
    ]
    cells = pd.DataFrame(rows)
    return cells if cells["95%"].any() else cells.drop(columns="95%")


def _sets_text(ratings: Ratings, rel: Grade | None, style: str) -> list[str]:
    """The relevant sets of the pairs with common items, and of all judges."""
    rows = pairwise_relevance(ratings, rel)
    joint = rows[rows["n"] > 0]
    if joint.empty:
        return []
    cells = pd.DataFrame({"judges": joint["assessor_a"] + " and " + joint["assessor_b"], "n": joint["n"]})
    cells["relevant to first"], cells["to second"] = joint["both"] + joint["only_a"], joint["both"] + joint["only_b"]
    cells["to both"] = joint["both"]
    for name in VIEWS:
        cells[name.replace("_", " ")] = _values(joint, name)
    parts = [heading("Relevant documents, over all topics", style), render(cells, style)]
    if len(ratings.assessors) > 2:
        parts.append(prose(f"All judges: {overlap(ratings, rel=rel)}.", style))
    return parts


def _left_out(number: int) -> str:
    """How many topics have no value, and why: only one category leaves topics with common items without a kappa."""
    return f"{number} ({REASONS['one_category']})" if number else "0"


def _values(rows: pd.DataFrame, name: str) -> list[str]:
    """A column of rounded values, or "undefined (...)" with the reason."""
    pairs = zip(rows[name], rows[f"{name}_reason"], strict=True)
    return [format_value(None, reason) if isinstance(reason, str) else format_value(value) for value, reason in pairs]


def _limits(low: float | None, high: float | None) -> str:
    return "" if pd.isna(low) else f"{format_value(low)} to {format_value(high)}"
