"""A ranking shift from scores alone, when the runs are gone.

A table of scores has one row for each gold, system, topic and measure. It says nothing about documents, so it is not
known how much each gold judges, which documents a system retrieved, or why two systems swap. The result has all figures
that need scores only, and says what is not known.

Every view has the same systems, and all its topics have a score of each system. trec_eval leaves out topics for which a
run has no document, unless it is called with -c; `missing` gives such topics a score.
"""

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd

from agreement.checks import choice, number, plain
from agreement.choices import COMMON_OR_OWN_TOPICS
from agreement.effectiveness.measure import parse_measure
from agreement.shift.basis import JUDGED_COLUMNS, basis_of_scores
from agreement.shift.result import RankingShift
from agreement.shift.views import checked_groups, checked_reference, compared_pairs, named_views, ranks_of_views
from agreement.thresholds import MIN_TOPICS, TopicThreshold
from pooling.inputs import Table, as_table, is_table

COLUMNS = ("gold", "system", "query_id", "measure", "value")
SUMMARY = "all"  # trec_eval's name of the mean over topics


def shift_from_scores(
    scores: Table | Mapping[str, Table],
    measure: str | Collection[str] | None = None,
    reference: str | None = None,
    topics: str = "common",
    *,
    groups: Mapping[str, str] | None = None,
    min_topics: int = MIN_TOPICS,
    lower_is_better: Collection[str] = (),
    missing: float | None = None,
) -> RankingShift:
    """Rank systems by their scores under every gold, and compare the rankings; without runs.

    Parameters
    ----------
    scores : table, or mapping of str to table
        One row for each score, with the columns gold, system, query_id, measure and value. The tables of a mapping have
        no column gold; its keys name the golds. `agreement.evaluate` returns such a table.
    measure : str or collection of str, optional
        The measures of the table to compare, by the names in its column measure; by default all. With several measures,
        every combination of gold and measure is a view of its own.
    reference : str, optional
        Name of the gold (or view) to compare with; by default the first.
    topics : {"common", "own"}
        Compare golds on their common topics, or each on all its own topics.
    groups : mapping of system to group, optional
        For example repeated runs of one system. Every system needs a group.
    min_topics : int
        The topics that a comparison of a gold with the reference needs in common; 1 or more. With fewer, the sentence
        is preliminary.
    lower_is_better : collection of str, optional
        The measures that are better if they are lower, in addition to those that Assay knows by name, such as E.
    missing : float, optional
        The score of a system on a topic for which only other systems have a score. By default it is an error.

    Returns
    -------
    RankingShift
        Its `from_scores` is True. The table judged is empty, and the judged shares of basis are NA: how much is judged
        is unknown. `why_swapped` and `leverage` need runs.

    Raises
    ------
    TypeError
        The scores are no table and no mapping of tables.
    ValueError
        A column is missing, a score occurs twice, is missing or is not finite, the golds have different systems, or an
        option is unknown or out of range.

    References
    ----------
    E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
    Information Processing and Management 36(5), 697-716.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import shift_from_scores
    >>> rows = [("A", "bm25", "1", 0.5), ("A", "lsa", "1", 0.25), ("B", "bm25", "1", 0.5), ("B", "lsa", "1", 0.75)]
    >>> scores = pd.DataFrame(rows, columns=["gold", "system", "query_id", "value"]).assign(measure="AP")
    >>> print(shift_from_scores(scores, min_topics=1).headline())  # doctest: +NORMALIZE_WHITESPACE
    Yes, substantially. Under B, compared with A, 1 of 1 system pair swaps (tau_b -1.000, 1 topic, from scores; how much
    is judged is unknown) and the best system changes from bm25 to lsa.
    """
    choice("topics", topics, COMMON_OR_OWN_TOPICS)
    thresholds = TopicThreshold(min_topics)
    rows = _checked_rows(scores, measure)
    golds, measures = (list(dict.fromkeys(rows[name])) for name in ("gold", "measure"))
    views = named_views(dict.fromkeys(golds, rows), measures)
    by_default, reference = reference is None, checked_reference(reference, views)
    tables = {view: _wide(rows, gold, name, missing) for view, (gold, name) in views.items()}
    systems = _same_systems(tables)
    group_of = checked_groups(groups, systems)
    lower = _lower_views(views, measures, lower_is_better)
    return RankingShift(
        measure=", ".join(measures),
        reference=reference,
        topics=topics,
        golds=tuple(views),
        systems=tuple(systems),
        ranks=ranks_of_views(tables, reference, topics, lower),
        pairs=compared_pairs(tables, reference, topics, group_of, lower),
        judged=pd.DataFrame(columns=JUDGED_COLUMNS),
        basis=basis_of_scores(tables, reference, thresholds),
        thresholds=thresholds,
        scores=tables,
        groups=group_of,
        lower_is_better=lower,
        several_measures=len(measures) > 1,
        reference_by_default=by_default,
        from_scores=True,
    )


def _checked_rows(scores: Table | Mapping[str, Table], measure: str | Collection[str] | None) -> pd.DataFrame:
    """Return the rows of the chosen measures with the five columns, ids as text and finite values."""
    rows = _one_table(scores)
    names = rows["measure"].astype("str")
    chosen = list(names.unique()) if measure is None else [measure] if isinstance(measure, str) else list(measure)
    for name in chosen:
        if not (names == name).any():
            raise ValueError(f"measure must be one of {', '.join(names.unique())}, not {name!r}.")
    rows = rows.assign(measure=names)[names.isin(chosen)]
    if (rows["query_id"] == SUMMARY).any():
        raise ValueError(f"The topic {SUMMARY!r} is a mean over topics in trec_eval: remove its rows.")
    return _with_finite_values(rows)


def _one_table(scores: Table | Mapping[str, Table]) -> pd.DataFrame:
    if is_table(scores):
        return _with_columns(as_table(scores), "the scores")
    if not isinstance(scores, Mapping):
        raise TypeError(f"Scores must be a table or a mapping of golds to tables, not {type(scores).__name__}.")
    if not scores:
        raise ValueError("Pass the scores of at least one gold.")
    frames = []
    for gold, table in scores.items():
        if not is_table(table):
            raise TypeError(f"The scores of {str(gold)!r} must be a table, not {type(table).__name__}.")
        frame = as_table(table)
        if "gold" in frame.columns:
            raise ValueError(f"The scores of {str(gold)!r} have a column gold, but the mapping names the golds.")
        frames.append(_with_columns(frame.assign(gold=str(gold)), f"the scores of {str(gold)!r}"))
    return pd.concat(frames, ignore_index=True)


def _with_columns(frame: pd.DataFrame, what: str) -> pd.DataFrame:
    if missing := [name for name in COLUMNS if name not in frame.columns]:
        raise ValueError(f"{what.capitalize()} need the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}.")
    if frame.empty:
        raise ValueError(f"{what.capitalize()} have no rows.")
    for name in COLUMNS[:-1]:
        if frame[name].isna().any():
            raise ValueError(f"Every score needs a {name}, but row {int(np.argmax(frame[name].isna())) + 1} has none.")
    return frame.loc[:, list(COLUMNS)]


def _with_finite_values(rows: pd.DataFrame) -> pd.DataFrame:
    values = pd.to_numeric(rows["value"], errors="coerce").astype("float64")
    wrong = ~np.isfinite(values.to_numpy())
    if wrong.any():
        row = rows[wrong].iloc[0]
        raise ValueError(f"A score must be a finite number, not {plain(row['value'])!r} ({_place(row)}).")
    twice = rows.duplicated(list(COLUMNS[:-1]))
    if twice.any():
        raise ValueError(f"A score must occur once, but there are several of {_place(rows[twice].iloc[0])}.")
    return rows.assign(value=values)


def _place(row: pd.Series) -> str:
    return f"gold {row['gold']!r}, system {row['system']!r}, topic {row['query_id']!r}, measure {row['measure']!r}"


def _wide(rows: pd.DataFrame, gold: str, measure: str, missing: float | None) -> pd.DataFrame:
    """Return the scores of one view, shape (n_systems, n_topics), ascending by name."""
    part = rows[(rows["gold"] == gold) & (rows["measure"] == measure)]
    if part.empty:
        raise ValueError(f"The gold {gold!r} has no scores of the measure {measure!r}.")
    table = part.set_index(["system", "query_id"])["value"].unstack().sort_index().sort_index(axis=1)
    table = table.rename_axis(index=None, columns=None)
    if missing is not None:
        return table.fillna(number("missing", missing, "a finite number", lambda value: bool(np.isfinite(value))))
    gaps = table.isna()
    if gaps.to_numpy().any():
        system = str(table.index[int(np.argmax(gaps.any(axis=1)))])
        topic = str(table.columns[int(np.argmax(gaps.loc[system]))])
        raise ValueError(
            f"The gold {gold!r} has no score of the system {system!r} on the topic {topic!r} "
            f"({int(gaps.to_numpy().sum())} scores are missing). Set missing to the score of such topics, such as 0."
        )
    return table


def _same_systems(tables: Mapping[str, pd.DataFrame]) -> pd.Index:
    """Return the systems of every view; raise ValueError if a view lacks one."""
    first, *others = tables
    for view in others:
        different = tables[first].index.symmetric_difference(tables[view].index)
        if len(different):
            without = view if different[0] in tables[first].index else first
            raise ValueError(f"Every gold needs scores of the same systems, but {without} has none of {different[0]}.")
    return tables[first].index


def _lower_views(
    views: Mapping[str, tuple[str, str]], measures: list[str], declared: Collection[str]
) -> tuple[str, ...]:
    names = [declared] if isinstance(declared, str) else list(declared)
    if unknown := [name for name in names if name not in measures]:
        raise ValueError(f"lower_is_better must be of the measures {', '.join(measures)}, not {unknown[0]!r}.")
    lower = {name for name in measures if name in names or _is_known_as_lower(name)}
    return tuple(view for view, (_, measure) in views.items() if measure in lower)


def _is_known_as_lower(name: str) -> bool:
    try:
        return parse_measure(name).lower_is_better
    except ValueError:  # the table may come from another program, with names of its own
        return False
