"""Why do two systems swap? Which topics cause it, and which documents in them.

Two systems are compared by the difference of their scores, averaged over the common topics of both golds:

    D(gold) = mean over topics t of d(t, gold),     d(t, gold) = score(a, t, gold) - score(b, t, gold)

They swap if D is positive under one gold and negative under the other. Within 1e-12 of 0 they are tied. The change
D(gold_2) - D(gold_1) is explained, whether or not the systems swap.

*Topics.* The change is the mean of the topics' changes d(t, gold_2) - d(t, gold_1). The contribution of a topic is its
change divided by the number of topics. The contributions sum to the change exactly.

*Documents.* Within a topic there is no such sum. The effect of one document's new grade on AP or nDCG depends on which
other documents already have their new grade: it changes the precision at later ranks, the number of relevant documents
and the ideal ranking. Therefore the contribution of a document is its Shapley value (`agreement.attribution.shapley`):
the mean, over all orders in which the documents of the topic can be regraded one by one from gold_1 to gold_2, of the
change of d(t) when this document is regraded. The values sum to the topic's change. The Shapley value differs from the
effect of regrading this document alone (`agreement.attribution.leverage`), and from the effect of leaving it out. A
document also counts as regraded if only one of the golds has it, and if neither system retrieved it, because it can
still change the number of relevant documents.

An answer needs enough data (`agreement.thresholds`): by default 10 common topics, and half of the first 10 documents of
the two systems judged under each gold. Otherwise the summary is preliminary.

Interchangeable documents (the same change of grade, at no rank that the measure sees in either ranking) form a class,
so that values are exact for a topic with up to 2**exact_limit distinct coalitions. For more, orders are drawn with a
seed. The sampled values still sum to the topic's change, and each has a standard error.

References
----------
L. S. Shapley (1953). A value for n-person games. Contributions to the Theory of Games II, 307-317.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from agreement.attribution.rescoring import Rescoring, as_grades, grades_of
from agreement.attribution.result import WhySwapped
from agreement.attribution.topic_change import EXACT_LIMIT, PERMUTATIONS, Effort, TopicChange
from agreement.effectiveness.measure import MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import GradeMatrix, RankedRuns, Runs, prepare
from agreement.golds.make_gold import as_golds
from agreement.rank_correlation import TIE
from agreement.thresholds import MIN_JUDGED, MIN_TOPICS, TOP, Thresholds, share_of
from pooling.inputs import Input, named_golds
from pooling.ranking import check_common_topic


def scores_frame(golds: tuple[str, str], scores: list[np.ndarray]) -> pd.DataFrame:
    """Return `WhySwapped.scores`; `scores` has one array of shape (2, n_topics) for each gold."""
    frame = pd.DataFrame({"gold": pd.Series(golds, dtype="str")})
    for row, column in enumerate(("score_a", "score_b")):
        means = [table[row].mean() if table.size else pd.NA for table in scores]
        frame[column] = pd.array(means, dtype="Float64")
    return frame.assign(difference=frame["score_a"] - frame["score_b"])


def topics_frame(changes: list[TopicChange], scores: list[np.ndarray], effort: Effort) -> pd.DataFrame:
    """Return `WhySwapped.topics`; `scores` has one array of shape (2, n_topics) for each gold."""
    before, after = (table[0] - table[1] for table in scores)
    contribution = (after - before) / max(len(changes), 1)
    total = contribution.sum()
    # Adding 0.0 turns -0.0 into 0.0.
    share = contribution / total + 0.0 if abs(total) >= TIE else [pd.NA] * len(changes)
    frame = pd.DataFrame(
        {
            "query_id": pd.Series([change.query_id for change in changes], dtype="str"),
            "difference_1": before,
            "difference_2": after,
            "change": after - before,
            "contribution": contribution,
            "share": pd.array(share, dtype="Float64"),
            "n_regraded": np.array([change.changed.sum() for change in changes], dtype=np.int64),
            "method": pd.Series([effort.method(change.classes) for change in changes], dtype="str"),
        }
    )
    return _largest_first(frame, np.zeros(len(frame)), "query_id")


def documents_frame(
    changes: list[TopicChange], topics: pd.DataFrame, rescoring: Rescoring, effort: Effort
) -> pd.DataFrame:
    """Return `WhySwapped.documents`, in the order of `topics`."""
    generators = effort.generators(len(changes))
    frames = [change.documents(rescoring, effort, rng) for change, rng in zip(changes, generators, strict=True)]
    if not frames:
        return _empty_documents()
    frame = pd.concat(frames, ignore_index=True).astype(dict.fromkeys(("query_id", "doc_id", "method"), "str"))
    frame.insert(list(frame.columns).index("error"), "contribution", frame["change"] / len(changes))
    frame["error"] /= len(changes)
    for column in ("grade_1", "grade_2"):
        frame[column] = as_grades(frame[column].to_numpy())
    place = pd.Index(topics["query_id"]).get_indexer(frame["query_id"])
    return _largest_first(frame, place, "doc_id")


def _largest_first(frame: pd.DataFrame, group: np.ndarray, name: str) -> pd.DataFrame:
    """Sort rows by group, then by the absolute contribution, largest first, then by name."""
    keys = pd.DataFrame({"group": group, "size": -frame["contribution"].abs(), "name": frame[name]})
    return frame.iloc[keys.sort_values(["group", "size", "name"]).index].reset_index(drop=True)


def _empty_documents() -> pd.DataFrame:
    ids = {name: pd.Series(dtype="str") for name in ("query_id", "doc_id")}
    whole = {name: pd.Series(dtype="Int64") for name in ("grade_1", "grade_2", "rank_a", "rank_b")}
    values = {name: pd.Series(dtype="float64") for name in ("change", "contribution", "error")}
    return pd.DataFrame({**ids, **whole, **values, "method": pd.Series(dtype="str")})


def why_swapped(
    runs: Runs,
    system_a: str,
    system_b: str,
    gold_1: Input,
    gold_2: Input,
    measure: MeasureLike,
    *,
    seed: int | None = None,
    permutations: int = PERMUTATIONS,
    exact_limit: int = EXACT_LIMIT,
    scale: Sequence[float] | None = None,
    collection_size: int | None = None,
    min_topics: int = MIN_TOPICS,
    min_judged: float = MIN_JUDGED,
) -> WhySwapped:
    """Explain by topics and documents why the order of two systems differs under two golds.

    The contribution of a document is its Shapley value: the mean, over all orders in which the documents of its topic
    can be regraded one by one, of the change of the difference between the systems when this document is regraded.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    system_a, system_b : str
        The two systems to compare.
    gold_1, gold_2 : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. The name comes from the mapping, or from a
        column gold; otherwise the names are "gold 1" and "gold 2".
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5".
    seed : int, optional
        Seed of the drawn orders, at least 0. It is only needed if a topic has too many regraded documents for exact
        values.
    permutations : int
        Number of orders to draw in such a topic, an even number of at least 4. The standard error falls with the
        square root of this number.
    exact_limit : int
        Values are exact for a topic with up to 2**exact_limit distinct coalitions of regraded documents, that is for
        at least exact_limit documents; 0 to 20.
    scale : sequence of numbers, optional
        Declared grades, lowest first, for measures that need them.
    collection_size : int, optional
        Number of documents in the collection, for measures that need it.
    min_topics : int
        The summary is preliminary unless the golds have at least this many topics in common; 1 or more.
    min_judged : float
        The summary is preliminary unless each gold judges at least this share of the first 10 documents of the two
        systems on the common topics; from 0 to 1.

    Returns
    -------
    WhySwapped

    Raises
    ------
    ValueError
        There is no run of a system, or it is named twice; the golds have the same name; an unknown measure; a number
        is out of range; orders must be drawn and there is no seed.

    References
    ----------
    L. S. Shapley (1953). A value for n-person games. Contributions to the Theory of Games II, 307-317.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import why_swapped
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> other = gold.assign(relevance=[0, 1])
    >>> why = why_swapped(runs, "lsa", "bm25", {"A": gold}, {"B": other}, "AP", min_topics=1)
    >>> print(why.summary().split(".")[0])
    Yes, lsa and bm25 swap
    """
    ranked_runs, scored = prepare(runs), parse_measure(measure)
    _check_systems(ranked_runs, system_a, system_b)
    effort, thresholds = Effort(exact_limit, permutations, seed), Thresholds(min_topics, min_judged)
    names, first, second = _two_golds(gold_1, gold_2)
    matrices = [ranked_runs.under(gold, scale, collection_size) for gold in (first, second)]
    for name, matrix in zip(names, matrices, strict=True):
        check_common_topic(ranked_runs, matrix.query_ids, f"the gold {name!r}")
    rescoring = Rescoring(ranked_runs, scored, matrices[0], (system_a, system_b))
    changes = _changes(first, second, rescoring)
    _check_seed(changes, effort)
    scores = [_scores(rescoring, matrix, changes) for matrix in matrices]
    topics = topics_frame(changes, scores, effort)
    return WhySwapped(
        systems=(system_a, system_b),
        golds=names,
        measure=scored.name,
        lower_is_better=scored.lower_is_better,
        n_topics=len(changes),
        scores=scores_frame(names, scores),
        topics=topics,
        documents=documents_frame(changes, topics, rescoring, effort),
        permutations=permutations,
        exact_limit=exact_limit,
        seed=seed,
        judged_shares=(_judged_share(rescoring, matrices[0], changes), _judged_share(rescoring, matrices[1], changes)),
        thresholds=thresholds,
    )


def _check_systems(runs: RankedRuns, *systems: str) -> None:
    for system in systems:
        if system not in runs.systems:
            raise ValueError(f"There is no run of system {system!r}. There are runs of {', '.join(runs.systems)}.")
    if len(set(systems)) < len(systems):
        raise ValueError(f"Name two different systems, not {systems[0]!r} twice.")


def _check_seed(changes: list[TopicChange], effort: Effort) -> None:
    sampled = [change for change in changes if not effort.is_exact(change.classes)]
    if sampled and effort.seed is None:
        raise ValueError(
            f"Topic {sampled[0].query_id} has {len(sampled[0].classes)} regraded documents, too many for exact values "
            f"with exact_limit={effort.exact_limit}. Orders must be drawn, which needs a seed."
        )


def _named(gold: Input, default: str) -> dict[str, pd.DataFrame]:
    """Return the golds by name; one without a name gets the default."""
    named: dict[str, pd.DataFrame] = {}
    for name, rows in named_golds(gold):
        has_names = name is None and "gold" in rows.columns
        named |= as_golds(rows) if has_names else {name or default: rows}
    return named


def _two_golds(gold_1: Input, gold_2: Input) -> tuple[tuple[str, str], pd.DataFrame, pd.DataFrame]:
    """Return the names of the two golds, and the golds."""
    golds: dict[str, pd.DataFrame] = {}
    for number, gold in ((1, gold_1), (2, gold_2)):
        named = _named(gold, f"gold {number}")
        if len(named) > 1 or set(named) & set(golds):
            raise ValueError(
                f"gold_1 and gold_2 must be one gold each, with different names, but gold_{number} is "
                f"{', '.join(named)}."
            )
        golds |= named
    first, second = golds
    return (first, second), golds[first], golds[second]


def _changes(gold_1: pd.DataFrame, gold_2: pd.DataFrame, rescoring: Rescoring) -> list[TopicChange]:
    """Return the changes of the common topics, ascending by query_id."""
    first, second = grades_of(gold_1), grades_of(gold_2)
    common = [query_id for query_id in first if query_id in second]
    return [TopicChange.between(query_id, first[query_id], second[query_id], rescoring) for query_id in common]


def _scores(rescoring: Rescoring, matrix: GradeMatrix, changes: list[TopicChange]) -> np.ndarray:
    """Return the scores of the two systems on the topics, shape (2, n_topics)."""
    scores: np.ndarray = rescoring.measure(matrix)[_positions(rescoring, matrix, changes)]
    return scores


def _judged_share(rescoring: Rescoring, matrix: GradeMatrix, changes: list[TopicChange]) -> float | None:
    """Return the judged share of the first documents of the two systems on the topics."""
    at = _positions(rescoring, matrix, changes)
    return share_of(int(matrix.judged(TOP)[at].sum()), int(np.minimum(matrix.retrieved, TOP)[at].sum()))


def _positions(rescoring: Rescoring, matrix: GradeMatrix, changes: list[TopicChange]) -> tuple[np.ndarray, ...]:
    """Return the positions of the two systems and of the topics in an array of shape (n_systems, n_topics)."""
    systems = pd.Index(matrix.systems).get_indexer(pd.Index(rescoring.systems))
    topics = pd.Index(matrix.query_ids).get_indexer(pd.Index([change.query_id for change in changes]))
    return np.ix_(systems, topics)
