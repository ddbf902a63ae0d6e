"""The scores of all systems on all topics of one gold: the input of means, tests and mixtures."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

import pandas as pd

from agreement.effectiveness.grade_matrix import GradeMatrix, GradesByItem
from agreement.effectiveness.measure import Measure, MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import RankedRuns, Runs, prepare_for
from pooling.inputs import Input, as_gold
from pooling.ranking import check_common_topic

SCORE_OPTIONS = ("scale", "collection_size", "known")


def score_table(runs: Runs, gold: Input, measure: MeasureLike, **score_options: Any) -> pd.DataFrame:
    """Score all systems on all topics under one gold.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
        Other topics than those of the gold are not ranked: their ids and scores are checked, but not whether a
        document occurs twice.
    gold : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. A negative relevance means "not judged".
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5".
    **score_options
        scale (declared grades, lowest first), collection_size (number of documents) and known (documents the reader
        knew: query_id, doc_id), for the measures that need them.

    Returns
    -------
    DataFrame, shape (n_systems, n_topics)
        One row for each system and one column for each topic of the gold, both ascending. A topic without a ranking
        scores what an empty ranking scores, 0 for nearly every measure.

    Raises
    ------
    ValueError
        An unknown measure, a missing option that the measure needs, a gold without documents, or invalid runs or
        gold.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import score_table
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> score_table(runs, gold, "AP").to_dict("index")
    {'bm25': {'1': 0.5}, 'lsa': {'1': 1.0}}
    """
    check_score_options(score_table, score_options)
    measure, rows = parse_measure(measure), as_gold(gold)
    ranked_runs = prepare_for(runs, [rows])
    matrix = ranked_runs.under(rows, **score_options)
    if rows.empty:  # documents that are all "not judged" stay, because leave-one-out pools can lose every judgement
        check_judged(matrix, "the gold")
    return _table(ranked_runs, matrix, measure)


def check_score_options(function: Callable[..., object], score_options: Mapping[str, Any]) -> None:
    """Raise TypeError if `**score_options` of a public function has another option; it names the allowed ones."""
    if unknown := [name for name in score_options if name not in SCORE_OPTIONS]:
        own = [one.name for one in signature(function).parameters.values() if one.default is not one.empty]
        raise TypeError(
            f"{function.__name__}() has no option {unknown[0]!r}. Its options are {', '.join([*own, *SCORE_OPTIONS])}."
        )


def scores_under(runs: RankedRuns, gold: pd.DataFrame, measure: Measure, **score_options: Any) -> pd.DataFrame:
    """Return the `score_table` of a gold that may be empty, such as one that a rule left without documents."""
    return _table(runs, runs.under(gold, **score_options), measure)


def check_judged(matrix: GradeMatrix | GradesByItem, gold: str) -> None:
    """Raise ValueError if a gold judges no document; `gold` is its name in the message."""
    if not (matrix.gold >= 0).any():
        raise ValueError(
            f"{gold[:1].upper()}{gold[1:]} must have a judged document, with a relevance of 0 or more. It has none."
        )


def _table(ranked_runs: RankedRuns, matrix: GradeMatrix, measure: Measure) -> pd.DataFrame:
    check_common_topic(ranked_runs, matrix.query_ids)
    systems, topics = pd.Index(matrix.systems, name="system"), pd.Index(matrix.query_ids, name="query_id")
    return pd.DataFrame(measure(matrix), index=systems, columns=topics)
