"""Does it matter which judge is the gold? Rankings of the systems under golds that mix the judges.

A *mixed gold* takes, for each topic, all judgements of one of its judges, chosen at random with equal probabilities and
independently of the other topics (Voorhees 2000). The judges of a topic are those who judged at least one of its
documents (repeat 0 only; -1 and missing are not judgements). `draws` golds are drawn. If there are no more combinations
than that, every combination is used once, and nothing is random.

Under each mixed gold, the score of a system is its mean over all judged topics, and its rank is 1 + the number of
better systems. Scores closer than 1e-12 are tied and share a rank. The result has for every system the mean, standard
deviation (population: divided by the number of golds), lowest and highest score, and the mean, lowest and highest rank.
For every two systems it has the number of golds under which each is ahead, and under which they are tied.

Each ranking is compared by Kendall's tau_b with

- the ranking by the mean scores over all mixed golds ("mean over all draws");
- the ranking under the gold of every single judge ("judge:NAME"). If a judge has not judged all topics, both rankings
  use the means over the topics of this judge. A judge who is the only one on all of their topics is therefore compared
  with themself, which gives tau_b 1; `n_topics` shows how many topics each comparison uses;
- the golds passed as `references`, on their common topics with the judgements.

An answer needs enough data (`agreement.thresholds`): at least `min_topics` topics have two judges who each judged the
share `min_judged` of the first 10 documents, and the mixed golds judge this share on average. Otherwise the summary is
preliminary, and says what there is and what is needed.

tau_b is undefined if either ranking ties all systems (reason "all_tied"), with one system ("one_system"), and without a
common topic ("no_topics").

References
----------
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
Information Processing & Management 36(5), 697-716.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.blockwise import blocks_of
from agreement.effectiveness.judge_scores import JudgeScores, scores_by_judge
from agreement.effectiveness.measure import MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import Runs
from agreement.effectiveness.scores import check_score_options
from agreement.golds.make_gold import as_golds
from agreement.mixing.choices import Choices
from agreement.mixing.draws import Reference, compare_draws
from agreement.mixing.result import JUDGE, MEAN, MixedGolds
from agreement.mixing.scores import mean_of_draws, rows_of_topics
from agreement.mixing.tables import mixed_result
from agreement.thresholds import MIN_JUDGED, MIN_TOPICS, Thresholds
from pooling.inputs import Input, as_judgements
from pooling.run_cache import Executor

__all__ = ["MixedGolds", "mixed_golds", "mixed_scores"]


def mixed_golds(
    runs: Runs,
    judgements: Input,
    measure: MeasureLike,
    draws: int = 100_000,
    seed: int | None = None,
    references: Input | None = None,
    *,
    min_topics: int = MIN_TOPICS,
    min_judged: float = MIN_JUDGED,
    executor: Executor | None = None,
    **score_options: Any,
) -> MixedGolds:
    """Rank the systems under golds that take one judge for each topic.

    The time is proportional to the draws, the topics, and the square of the number of systems. Judges who judged all
    topics add little; every other set of topics adds as much as its combinations, or the draws if these are fewer. The
    memory is a few MB, and 9 bytes for each draw and reference.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, RankedRuns, or CachedRuns
        Rankings with the columns system, query_id, doc_id and score. Topics that are neither judged nor in a reference
        are not ranked: their ids and scores are checked, but not whether a document occurs twice.
    judgements : table, path, dictionary, or iterable of these
        Columns assessor, query_id, doc_id, relevance (numbers) and optionally repeat. Only repeat 0 counts.
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5", for which higher is better.
    draws : int
        Number of golds to draw, at least 1. If there are no more combinations than that, each is used once.
    seed : int, optional
        Seed of the random choices, at least 0. It is needed if golds are drawn at random.
    references : table, path, dictionary, or iterable of these, optional
        Further golds to compare with, with the columns query_id, doc_id and relevance.
    min_topics : int
        The summary is preliminary unless at least this many topics have two judges with enough judgements; 1 or more.
    min_judged : float
        Share of the first 10 documents of a topic that a judge must have judged for this, and that the mixed golds must
        judge on average; from 0 to 1.
    executor : Executor, optional
        Scores several blocks of systems at the same time: an executor of `concurrent.futures`, or
        `dask.distributed.Client.get_executor()`. The result does not depend on it. The draws, which are few
        operations on arrays, are computed here.
    **score_options
        scale (declared grades, lowest first), collection_size (number of documents) and known (documents the reader
        knew: query_id, doc_id), for the measures that need them.

    Returns
    -------
    MixedGolds

    Raises
    ------
    ValueError
        Golds are drawn at random and there is no seed; draws is not a whole number of at least 1; there is no
        judgement; a threshold is out of range; two references have the same name; an unknown measure; invalid runs or
        golds.

    References
    ----------
    E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
    Information Processing & Management 36(5), 697-716.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import mixed_golds
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> judgements = pd.DataFrame(
    ...     [("ann", "1", "d1", 1), ("ann", "1", "d2", 0), ("bob", "1", "d1", 0), ("bob", "1", "d2", 1)],
    ...     columns=["assessor", "query_id", "doc_id", "relevance"],
    ... )
    >>> mixed = mixed_golds(runs, judgements, "AP")
    >>> mixed.draws, mixed.exhaustive
    (2, True)
    >>> mixed.top_changes
      system  at_top  alone_at_top  share
    0   bm25       1             1    0.5
    1    lsa       1             1    0.5
    """
    check_score_options(mixed_golds, score_options)
    measure = parse_measure(measure)
    table, named = as_judgements(judgements), {} if references is None else as_golds(references)
    blocks = blocks_of(runs, [table, *named.values()], executor)
    tables = {name: blocks.table(gold, measure, **score_options) for name, gold in named.items()}
    cube = scores_by_judge(blocks, table, measure, **score_options)
    return mixed_scores(cube, draws, seed, tables, min_topics=min_topics, min_judged=min_judged)


def mixed_scores(
    cube: JudgeScores,
    draws: int = 100_000,
    seed: int | None = None,
    references: Mapping[str, pd.DataFrame] | None = None,
    *,
    min_topics: int = MIN_TOPICS,
    min_judged: float = MIN_JUDGED,
    progress: Callable[[int, int], None] | None = None,
) -> MixedGolds:
    """Rank the systems under mixed golds, from the scores under each judge by any measure.

    Parameters
    ----------
    cube : JudgeScores
        Scores under the gold of each judge, from `agreement.effectiveness.judge_scores.scores_by_judge`.
    draws : int
        Number of golds to draw, at least 1. If there are no more combinations than that, each is used once.
    seed : int, optional
        Seed of the random choices, at least 0. It is needed if golds are drawn at random.
    references : mapping of name to DataFrame, shape (n_systems, n_topics), optional
        Further scores to compare with: of the same systems in the same order, one column for each query_id.
    min_topics : int
        The summary gives an answer only if at least this many topics have two judges with enough judgements; 1 or more.
    min_judged : float
        Share of the first 10 documents of a topic that a judge must have judged for this, and that the mixed golds must
        judge on average; from 0 to 1.
    progress : callable, optional
        Called with the number of finished draws and of all draws, again and again.

    Returns
    -------
    MixedGolds

    Raises
    ------
    ValueError
        Golds are drawn at random and there is no seed; draws is not a whole number of at least 1; there is no
        judgement; a threshold is out of range; two references have the same name.

    References
    ----------
    E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
    Information Processing & Management 36(5), 697-716.

    Examples
    --------
    Two systems, one topic and two judges who disagree:

    >>> scores = np.array([[[0.9, 0.4]], [[0.5, 0.6]]])
    >>> cube = JudgeScores(scores, np.array([[True, True]]), ("bm25", "lsa"), ("1",), ("ann", "bob"), "AP")
    >>> mixed_scores(cube).taus[["reference", "mean"]]
                 reference  mean
    0  mean over all draws   0.0
    1            judge:ann   0.0
    2            judge:bob   0.0
    """
    thresholds = Thresholds(min_topics, min_judged)
    if not cube.query_ids:
        raise ValueError("There is no judgement, so no gold can be mixed.")
    choices = Choices.planned(cube.judged, draws, seed)
    rows = rows_of_topics(cube)
    mean = mean_of_draws(rows, choices.counts())
    named = _judges_and_mean(cube, mean)
    for name, table in (references or {}).items():
        if name in named:
            raise ValueError(f"Every reference needs a different name, but {name!r} is already used.")
        named[name] = _on_judged_topics(cube, table)
    tally, taus = compare_draws(choices, rows, mean, named, progress)
    return mixed_result(cube, choices, tally, taus, thresholds)


def _judges_and_mean(cube: JudgeScores, mean: np.ndarray) -> dict[str, Reference]:
    """Return the references that always exist: the mean over all draws, and every judge."""
    named = {MEAN: Reference(mean, tuple(range(len(cube.query_ids))))}
    for judge, name in enumerate(cube.judges):
        topics = np.flatnonzero(cube.judged[:, judge])
        named[f"{JUDGE}{name}"] = Reference(cube.scores[:, topics, judge].mean(axis=1), tuple(topics.tolist()))
    return named


def _on_judged_topics(cube: JudgeScores, table: pd.DataFrame) -> Reference:
    """Return a reference by its scores on the judged topics."""
    topics = [position for position, query_id in enumerate(cube.query_ids) if query_id in table.columns]
    common = table[[cube.query_ids[position] for position in topics]].to_numpy()
    return Reference(common.mean(axis=1) if topics else np.zeros(len(table)), tuple(topics))
