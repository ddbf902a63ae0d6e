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

References
----------
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness. Information
Processing and Management 36(5), 697-716.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pandas as pd

from agreement.effectiveness import parse_measure
from agreement.effectiveness.gold_grades import Golds
from agreement.effectiveness.ranked_runs import Runs, prepare_for
from agreement.effectiveness.scores import score_table
from agreement.golds.make_gold import as_golds
from agreement.shift.gold_pairs import CORRELATIONS, GoldPair
from agreement.shift.summary import shift_summary
from agreement.shift.swaps import empty_swaps, swapped_systems
from agreement.shift.views import (
    checked_groups,
    compared_pair,
    groups_in,
    higher_is_better,
    judged_top,
    named_views,
    on_topics,
    ranks_of_view,
)

TOP = 10
TOPICS = ("common", "own")


@dataclass(frozen=True, eq=False)
class RankingShift:
    """The rankings of the same systems under several golds; returned by `ranking_shift`.

    Attributes
    ----------
    measure : str
        Name of the measure; several names are joined by commas.
    reference : str
        Name of the gold that the others are compared with.
    topics : {"common", "own"}
        How topics were chosen.
    golds : tuple of str
        Names of the golds. With several measures, names of the views (gold and measure).
    systems : tuple of str
        Names of the systems, ascending.
    ranks : DataFrame
        One row for each gold and system: gold, system, n_topics, score, rank; reference_score and reference_rank, on
        the same topics; change, which is reference_rank - rank (positive: the system rises). Scores and ranks are NA
        if the gold and the reference have no common topic.
    pairs : tuple of GoldPair
        One for every two golds.
    judged : DataFrame
        Columns gold, system, k, judged, retrieved and value: how many of the first k = 10 documents each gold judges,
        over the topics of its ranks.
    scores : dict of str to DataFrame
        For every gold the score of each system (rows) on each topic (columns).
    groups : dict of str to str, or None
        Group of every system.
    lower_is_better : tuple of str
        The golds whose measure is better if it is lower.
    several_measures : bool
        Whether the names of the golds include their measures.

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
    >>> shift.to_frame().to_dict("index")
    {'lsa': {'A': 1, 'B': 2}, 'bm25': {'A': 2, 'B': 1}}
    """

    measure: str
    reference: str
    topics: str
    golds: tuple[str, ...]
    systems: tuple[str, ...]
    ranks: pd.DataFrame
    pairs: tuple[GoldPair, ...]
    judged: pd.DataFrame
    scores: dict[str, pd.DataFrame]
    groups: dict[str, str] | None = None
    lower_is_better: tuple[str, ...] = ()
    several_measures: bool = False

    @property
    def others(self) -> tuple[str, ...]:
        """Names of all golds except the reference."""
        return tuple(name for name in self.golds if name != self.reference)

    def pair(self, a: str, b: str) -> GoldPair:
        """Return the comparison of two golds.

        Parameters
        ----------
        a, b : str
            Names of the golds, in any order.

        Returns
        -------
        GoldPair

        Raises
        ------
        ValueError
            a and b are not two different golds of this shift.
        """
        for pair in self.pairs:
            if {pair.gold_a, pair.gold_b} == {a, b}:
                return pair
        raise ValueError(f"{a!r} and {b!r} must be two different golds out of {', '.join(self.golds)}.")

    def ranks_under(self, gold: str) -> pd.DataFrame:
        """Return the rows of `ranks` of one gold; no rows if there is no such gold.

        Parameters
        ----------
        gold : str
            Name of a gold, or of a view if several measures are compared.
        """
        return self.ranks.loc[self.ranks["gold"] == gold]

    @property
    def farthest(self) -> str | None:
        """The gold with the smallest tau_b against the reference; None if no tau_b is defined."""
        taus = {name: self.pair(self.reference, name).tau_b.value for name in self.others}
        defined = {name: tau for name, tau in taus.items() if tau is not None}
        return min(defined, key=lambda name: defined[name], default=None)

    def only(self, *golds: str) -> "RankingShift":
        """Return the shift restricted to the reference and some golds.

        Parameters
        ----------
        *golds : str
            Names of the golds to keep. The reference is always kept.

        Returns
        -------
        RankingShift
            With the same figures.

        Raises
        ------
        ValueError
            There is no gold of this name.
        """
        if unknown := [name for name in golds if name not in self.golds]:
            raise ValueError(f"{unknown[0]!r} must be one of the golds {', '.join(self.golds)}.")
        kept = tuple(name for name in self.golds if name in (self.reference, *golds))
        return replace(
            self,
            golds=kept,
            ranks=self.ranks[self.ranks["gold"].isin(kept)],
            pairs=tuple(pair for pair in self.pairs if {pair.gold_a, pair.gold_b} <= set(kept)),
            judged=self.judged[self.judged["gold"].isin(kept)],
            scores={name: self.scores[name] for name in kept},
        )

    def largest_rise(self, gold: str) -> pd.DataFrame:
        """Return the rows of the systems that rise most under a gold; no rows if none rises.

        Parameters
        ----------
        gold : str
            Name of a gold, or of a view if several measures are compared.
        """
        rows = self.ranks_under(gold)
        rises: pd.DataFrame = rows[(rows["change"] > 0) & (rows["change"] == rows["change"].max())]
        return rises

    def largest_fall(self, gold: str) -> pd.DataFrame:
        """Return the rows of the systems that fall most under a gold; no rows if none falls.

        Parameters
        ----------
        gold : str
            Name of a gold, or of a view if several measures are compared.
        """
        rows = self.ranks_under(gold)
        falls: pd.DataFrame = rows[(rows["change"] < 0) & (rows["change"] == rows["change"].min())]
        return falls

    def judged_counts(self, gold: str) -> tuple[int, int]:
        """Return how many of the first 10 documents of all systems and topics a gold judges, and how many there are.

        Parameters
        ----------
        gold : str
            Name of a gold, or of a view if several measures are compared.
        """
        rows = self.judged[self.judged["gold"] == gold]
        return int(rows["judged"].sum()), int(rows["retrieved"].sum())

    def to_frame(self) -> pd.DataFrame:
        """Return the ranks side by side.

        Returns
        -------
        DataFrame
            One row for each system, sorted by the reference's ranks; one column for each gold, the reference first.
        """
        golds = [self.reference, *self.others]
        wide = self.ranks.pivot(index="system", columns="gold", values="rank")[golds]
        return wide.rename_axis(columns=None).sort_values(golds, kind="stable")

    def pairs_frame(self) -> pd.DataFrame:
        """Return one row for every two golds, with the columns of `GoldPair.to_dict`."""
        frame = pd.DataFrame([pair.to_dict() for pair in self.pairs])
        numbers = dict.fromkeys([*CORRELATIONS, "rms_change"], "Float64")
        counts = dict.fromkeys(["swapped", "swapped_within", "n_within"], "Int64")
        return frame.astype(numbers | counts | {"top_changed": "boolean"}) if len(frame) else frame

    def swaps(self, test: str = "t", **test_options: Any) -> pd.DataFrame:
        """Return the pairs of systems that swap, for every two golds, with tests of their difference under each gold.

        Parameters
        ----------
        test : {"t", "wilcoxon", "sign", "randomisation", "tukey"}
            Paired test of the difference over topics.
        **test_options
            correction, alpha, seed and samples of `agreement.significance.compare_systems`.

        Returns
        -------
        DataFrame
            gold_a, gold_b; ahead_a and ahead_b, the system that leads under each gold; difference_a and difference_b,
            the size of the lead under each gold; p_a and p_b, corrected, NA if the test is undefined; significant_a
            and significant_b; with groups also same_group. For each pair of golds, the largest product of both leads
            first.

        Raises
        ------
        ValueError
            An unknown test or an invalid option.
        """
        ascending = higher_is_better(self.scores, self.lower_is_better)
        frames = [
            swapped_systems(
                pair.gold_a,
                pair.gold_b,
                *on_topics(ascending[pair.gold_a], ascending[pair.gold_b], self.topics),
                groups=self.groups,
                test=test,
                **test_options,
            )
            for pair in self.pairs
            if pair.swapped
        ]
        return pd.concat(frames, ignore_index=True) if frames else empty_swaps(self.groups is not None)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return every table by name, not rounded: ranks, pairs, swaps and judged."""
        tables = {"ranks": self.ranks, "pairs": self.pairs_frame(), "swaps": self.swaps(), "judged": self.judged}
        return {name: table for name, table in tables.items() if len(table.columns)}

    def summary(self) -> str:
        """Return the headline: whether and how much the ranking changes with the gold."""
        return shift_summary(self)


def ranking_shift(
    runs: Runs,
    golds: Golds,
    measure: str | Sequence[str],
    reference: str | None = None,
    topics: str = "common",
    *,
    groups: Mapping[str, str] | None = None,
    **score_options: Any,
) -> RankingShift:
    """Rank the systems under every gold, and compare the rankings.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
        Other topics than those of the golds are not ranked: their ids and scores are checked, but not whether a
        document occurs twice.
    golds : DataFrame, mapping of name to DataFrame, or iterable of DataFrame
        Relevance grades with the columns query_id, doc_id and relevance. The name comes from the mapping, or else
        from a column gold.
    measure : str or sequence of str
        Measures such as "AP", "nDCG@10" or "P(rel=2)@5". With several measures, every combination of gold and measure
        is a view of its own.
    reference : str, optional
        Name of the gold (or view) to compare with; by default the first.
    topics : {"common", "own"}
        Compare golds on their common topics, or each on all its own topics.
    groups : mapping of system to group, optional
        For example repeated runs of one system. Every system needs a group. By default, a column group of a single
        frame of runs is used.
    **score_options
        scale (declared grades, lowest first), collection_size (number of documents) and known (documents the reader
        knew: query_id, doc_id), for the measures that need them.

    Returns
    -------
    RankingShift

    Raises
    ------
    ValueError
        An unknown measure, reference or option; a system without a group; invalid runs or golds.

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
    if topics not in TOPICS:
        raise ValueError(f"topics must be one of {', '.join(TOPICS)}, not {topics!r}.")
    named, measures = as_golds(golds), [measure] if isinstance(measure, str) else list(measure)
    parsed = [parse_measure(name) for name in measures]
    views = named_views(named, [measure.name for measure in parsed])
    reference = next(iter(views)) if reference is None else reference
    if reference not in views:
        raise ValueError(f"The reference must be one of the golds {', '.join(views)}, not {reference!r}.")
    ranked_runs = prepare_for(runs, named.values())
    group_of = checked_groups(groups_in(runs) if groups is None else groups, ranked_runs.systems)
    by_name = {measure.name: measure for measure in parsed}
    scores = {
        view: score_table(ranked_runs, named[gold], by_name[measure], **score_options)
        for view, (gold, measure) in views.items()
    }
    lower = tuple(view for view, (_, measure) in views.items() if by_name[measure].lower_is_better)
    ranks = [ranks_of_view(name, scores, reference, topics, lower) for name in views]
    gold_of = {view: named[gold] for view, (gold, _) in views.items()}
    ascending = higher_is_better(scores, lower)
    return RankingShift(
        measure=", ".join(by_name),
        reference=reference,
        topics=topics,
        golds=tuple(views),
        systems=tuple(ranked_runs.systems),
        ranks=pd.concat(ranks, ignore_index=True),
        pairs=tuple(
            compared_pair(a, b, ascending, reference, topics, group_of, lower) for a, b in combinations(views, 2)
        ),
        judged=judged_top(ranked_runs, gold_of, scores, reference, topics, TOP),
        scores=scores,
        groups=group_of,
        lower_is_better=lower,
        several_measures=len(by_name) > 1,
    )
