"""Runs scored under golds, as a table.

Means over topics are over all topics of the gold; a topic that a run lacks scores what an empty ranking scores,
0 for nearly every measure, as trec_eval does with `-c` (`missing="skip"` leaves it out instead). A topic of the
gold without relevant documents counts, with 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from agreement.effectiveness.measure import Measure, parse_measure
from agreement.effectiveness.ranked_runs import GradeMatrix, prepare
from agreement.golds.make_gold import as_golds

MISSING_TOPICS = ("zero", "skip")


def evaluate(
    runs,
    golds,
    measures: str | Iterable[str],
    *,
    per_query: bool = True,
    missing: str = "zero",
    judged_only: bool = False,
    scale: Sequence | None = None,
    collection_size: int | None = None,
    known: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Score runs under golds.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `prepare`; prepare them once where they are scored more than once.
    golds : DataFrame, mapping of name to DataFrame, or iterable of DataFrame
        As for `agreement.golds.make_gold.as_golds`.
    measures : str or iterable of str
        Names as for `parse_measure`.
    per_query : bool
        Every topic, or means over topics.
    missing : {"zero", "skip"}
        A topic of the gold that a run lacks scores 0 (E and RBPResidual, of which less is better, score 1), or is
        left out of rows and mean. With "skip", a run that has no topic of the gold has no row.
    judged_only : bool
        Score the rankings without their unjudged documents (trec_eval's `-J`), by every measure; the names of the
        measures stay as they were given, and `attrs` says it.
    scale : sequence of numbers, optional
        The declared grades, lowest first: for ERR and graded RBP.
    collection_size : int, optional
        Number of documents: for Specificity and SetAccuracy, and for ROCAUC if given.
    known : DataFrame, optional
        Columns query_id, doc_id, what the reader knew: for Coverage and Novelty.

    Returns
    -------
    DataFrame
        Columns gold, system, query_id, measure, value; without query_id for means. By gold and measure as
        they were given, then by system and topic. `attrs` has missing and judged_only.

    Raises
    ------
    ValueError
        An unknown measure or option; a measure that needs what was not given; runs or golds that `prepare` or
        `RankedRuns.under` refuse.
    """
    if missing not in MISSING_TOPICS:
        raise ValueError(f"missing is one of {', '.join(MISSING_TOPICS)}; got {missing!r}")
    parsed = [parse_measure(name) for name in ([measures] if isinstance(measures, str) else measures)]
    parsed = [replace(measure, judged_only=True) for measure in parsed] if judged_only else parsed
    ranked_runs = prepare(runs)
    frames = []
    for name, gold in as_golds(golds).items():
        matrix = ranked_runs.under(gold, scale, collection_size, known)
        counted = matrix.retrieved > 0 if missing == "skip" else np.ones(matrix.retrieved.shape, dtype=bool)
        for measure in parsed:
            rows = _topic_rows(matrix, measure, counted) if per_query else _mean_rows(matrix, measure, counted)
            rows.insert(0, "gold", name)
            rows.insert(len(rows.columns) - 1, "measure", measure.name)
            frames.append(rows)
    columns = ["gold", "system", *(["query_id"] if per_query else []), "measure", "value"]
    scores = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)
    scores.attrs = {"missing": missing, "judged_only": judged_only}
    return scores


def judged_share(runs, golds, k: int = 10) -> pd.DataFrame:
    """How much of the top of the rankings was judged.

    Parameters
    ----------
    runs, golds
        As for `evaluate`.
    k : int
        Depth of the top.

    Returns
    -------
    DataFrame
        Columns gold, system, k, judged, retrieved (documents among the first k of all topics of the gold) and
        value, judged / retrieved; NA where nothing was retrieved.
    """
    if k < 1:
        raise ValueError(f"the top has a depth of 1 or more; got {k}")
    ranked_runs = prepare(runs)
    frames = []
    for name, gold in as_golds(golds).items():
        matrix = ranked_runs.under(gold)
        judged = matrix.judged(k).sum(axis=1)
        retrieved = np.minimum(matrix.retrieved, k).sum(axis=1)
        counts = {"gold": name, "system": matrix.systems, "k": k, "judged": judged, "retrieved": retrieved}
        frames.append(pd.DataFrame(counts))
    shares = pd.concat(frames, ignore_index=True)
    retrieved = shares["retrieved"].astype("Float64")
    return shares.assign(value=shares["judged"] / retrieved.mask(retrieved == 0))


def _topic_rows(matrix: GradeMatrix, measure: Measure, counted: np.ndarray) -> pd.DataFrame:
    system, topic = np.nonzero(counted)
    systems, topics = pd.Index(matrix.systems, dtype="str"), pd.Index(matrix.query_ids, dtype="str")
    values = measure(matrix)[system, topic]
    return pd.DataFrame({"system": systems.take(system), "query_id": topics.take(topic), "value": values})


def _mean_rows(matrix: GradeMatrix, measure: Measure, counted: np.ndarray) -> pd.DataFrame:
    n_topics = counted.sum(axis=1)
    some = n_topics > 0
    sums = (measure(matrix) * counted).sum(axis=1)
    systems = pd.Index(matrix.systems, dtype="str")[some]
    return pd.DataFrame({"system": systems, "value": sums[some] / n_topics[some]})
