"""Does the ranking of the systems change with the gold? The same runs, ranked under several golds.

Every system is scored under every gold by one measure, averaged over topics, and ranked. Rank 1 is the best, and
systems closer than 1e-12 share the best of their ranks (1, 2, 2, 4). Rankings are compared by the figures of
`agreement.shift.gold_pairs` and by the pairs of systems that swap (`agreement.shift.swaps`).

The things compared are *views*: a gold and a measure each. With one measure, a view has the name of its gold. With one
gold and several measures, it has the name of its measure, so that thresholds of relevance (`AP(rel=1)`, `AP(rel=2)`)
and gain schemes (`nDCG@10`, `nDCG(dcg='exp-log2')@10`) are compared like golds. With several golds and several
measures, the name is "gold, measure".

Golds may have different topics. With `topics="common"`, two golds are compared on their common topics, so that a change
comes from the judges and not from the topics. This holds for each gold with the reference, and for each pair of golds.
The number of topics is always reported. With `topics="own"`, every gold is scored on all its topics.

If lower scores are better (van Rijsbergen's E), the lowest score has rank 1, and correlations compare the rankings.

If systems belong to groups (for example repeated runs of one system), swapped pairs within groups are counted
separately.

A comparison needs enough data (`agreement.thresholds`): by default 10 topics in common with the reference, and half of
the first 10 documents judged by each of the two golds. The summary answers by the golds with enough data, and says in
one sentence for which it is preliminary. If no gold has enough data, the answer itself is preliminary.

References
----------
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness. Information
Processing and Management 36(5), 697-716.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from agreement.choices import COMMON_OR_OWN_TOPICS
from agreement.effectiveness.measure import Measures, parse_measures
from agreement.effectiveness.ranked_runs import Runs
from agreement.effectiveness.scores import check_score_options, scores_under
from agreement.golds.make_gold import as_golds
from agreement.shift.basis import basis_frame, judged_frame, judged_tops
from agreement.shift.matching import matched_golds, repaired_like
from agreement.shift.result import RankingShift
from agreement.shift.views import (
    checked_groups,
    checked_reference,
    compared_pairs,
    groups_in,
    named_views,
    ranks_of_views,
)
from agreement.thresholds import MIN_JUDGED, MIN_TOPICS, TOP, Thresholds
from pooling.inputs import Input
from pooling.ranking import opened
from pooling.run_cache import CachedRuns

__all__ = ["TOP", "TOPICS", "RankingShift", "ranking_shift"]

TOPICS = COMMON_OR_OWN_TOPICS


def ranking_shift(
    runs: Runs,
    golds: Input,
    measure: Measures,
    reference: str | None = None,
    topics: str = "common",
    *,
    groups: Mapping[str, str] | None = None,
    min_topics: int = MIN_TOPICS,
    min_judged: float = MIN_JUDGED,
    evidence: Input | None = None,
    repair_ids: str | None = None,
    **score_options: Any,
) -> RankingShift:
    """Rank the systems under every gold, and compare the rankings.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
        Other topics than those of the golds are not ranked: their ids and scores are checked, but not whether a
        document occurs twice.
    golds : table, path, dictionary, or iterable of these
        Relevance grades with the columns query_id, doc_id and relevance. The name comes from the mapping, or else
        from a column gold.
    measure : str or sequence of str
        Measures such as "AP", "nDCG@10" or "P(rel=2)@5". With several measures, every combination of gold and measure
        is a view of its own.
    reference : str, optional
        Name of the gold (or view) to compare with; by default the first. Whether a gold is a person's or a model's
        is not known here, so name the one that you take as truth.
    topics : {"common", "own"}
        Compare golds on their common topics, or each on all its own topics.
    groups : mapping of system to group, optional
        For example repeated runs of one system. Every system needs a group. By default, a column group of a single
        frame of runs is used.
    min_topics : int
        The topics that a comparison of a gold with the reference needs in common; 1 or more. With fewer, the sentence
        is preliminary. A topic counts if both golds judge a document of it and some system retrieved a document for it.
    min_judged : float
        The share of the first 10 documents that the gold and the reference must each judge for this, over all systems
        and the compared topics; from 0 to 1.
    evidence : table, path, dictionary, or iterable of these, optional
        For golds that combine judges: the part that counts for min_topics and min_judged, with the columns query_id,
        doc_id and relevance, such as ``make_gold(judgements, "union", at_least_judges=2)``. By default the whole gold
        counts.
    repair_ids : str, optional
        Replace ids of golds that match nothing in the runs by ids of the runs, if they differ only in this:
        leading-zeros, decimals, quotes, blanks, case, byte-order-mark or prefix (`pooling.unmatched`). The result says
        which repair would make most of them match, and which one was applied. Runs in several frames are then in
        memory at the same time.
    **score_options
        scale (declared grades, lowest first), collection_size (number of documents) and known (documents the reader
        knew: query_id, doc_id), for the measures that need them.

    Returns
    -------
    RankingShift

    Raises
    ------
    ValueError
        An unknown measure, reference, repair or option; a system without a group; a threshold out of range; evidence
        for an unknown gold; invalid runs or golds.

    References
    ----------
    E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
    Information Processing and Management 36(5), 697-716.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import ranking_shift
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> shift = ranking_shift(runs, {"A": gold, "B": gold.assign(relevance=[0, 1])}, "AP")
    >>> shift.ranks[["gold", "system", "score", "rank", "change"]]
      gold system  score  rank  change
    0    A   bm25    0.5     2       0
    1    A    lsa    1.0     1       0
    2    B   bm25    1.0     1       1
    3    B    lsa    0.5     2      -1
    """
    check_score_options(ranking_shift, score_options)
    if topics not in TOPICS:
        raise ValueError(f"topics must be one of {', '.join(TOPICS)}, not {topics!r}.")
    thresholds = Thresholds(min_topics, min_judged)
    named, parsed = as_golds(golds), parse_measures(measure)
    views = named_views(named, [measure.name for measure in parsed])
    by_default, reference = reference is None, checked_reference(reference, views)
    frames = runs.ranked_runs() if isinstance(runs, CachedRuns) else opened(runs)
    groups = groups_in(frames) if groups is None else groups
    ranked_runs, named, matches = matched_golds(frames, named, repair_ids)
    group_of = checked_groups(groups, ranked_runs.systems)
    by_name = {measure.name: measure for measure in parsed}
    scores = {
        view: scores_under(ranked_runs, named[gold], by_name[measure], **score_options)
        for view, (gold, measure) in views.items()
    }
    lower = tuple(view for view, (_, measure) in views.items() if by_name[measure].lower_is_better)
    by_gold = judged_tops(ranked_runs, named, repaired_like(_evidence_by_gold(evidence), matches))
    tops = {view: by_gold[gold] for view, (gold, _) in views.items()}
    return RankingShift(
        measure=", ".join(by_name),
        reference=reference,
        topics=topics,
        golds=tuple(views),
        systems=tuple(ranked_runs.systems),
        ranks=ranks_of_views(scores, reference, topics, lower),
        pairs=compared_pairs(scores, reference, topics, group_of, lower),
        judged=judged_frame(tops, scores, reference, topics),
        basis=basis_frame(tops, scores, reference, topics, thresholds),
        thresholds=thresholds,
        scores=scores,
        groups=group_of,
        lower_is_better=lower,
        several_measures=len(by_name) > 1,
        reference_by_default=by_default,
        matches={view: matches[gold] for view, (gold, _) in views.items()},
    )


def _evidence_by_gold(evidence: Input | None) -> dict[str, pd.DataFrame]:
    is_empty = evidence is None or (isinstance(evidence, Mapping) and not evidence)
    return {} if evidence is None or is_empty else as_golds(evidence)
