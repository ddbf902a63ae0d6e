"""The scores of all systems on all topics of one gold: what means, tests and mixtures are made of."""

import pandas as pd

from agreement.effectiveness.measure import Measure, parse_measure
from agreement.effectiveness.ranked_runs import prepare


def score_table(runs, gold: pd.DataFrame, measure: str | Measure, **given) -> pd.DataFrame:
    """Scores under one gold.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `prepare`.
    gold : DataFrame
        Columns query_id, doc_id, relevance.
    measure : str or Measure
        As for `parse_measure`.
    **given
        scale, collection_size and known, as for `RankedRuns.under`.

    Returns
    -------
    DataFrame, shape (n_systems, n_topics)
        A row for each system and a column for each topic of the gold, both ascending; a topic that a run lacks
        scores 0.
    """
    measure = parse_measure(measure) if isinstance(measure, str) else measure
    matrix = prepare(runs).under(gold, **given)
    systems, topics = pd.Index(matrix.systems, name="system"), pd.Index(matrix.query_ids, name="query_id")
    return pd.DataFrame(measure(matrix), index=systems, columns=topics)
