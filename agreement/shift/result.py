"""The result of a comparison of golds: `RankingShift`, its tables, its headline and its figures."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from agreement.shift.basis import under_thresholds
from agreement.shift.figures import ShiftFigures
from agreement.shift.gold_pairs import CORRELATIONS
from agreement.shift.group_scores import group_scores
from agreement.shift.matching import ids_frame, unmatched_sentences
from agreement.shift.summary import left_out, preliminary_golds, shift_headline
from agreement.shift.swaps import empty_swaps, swapped_systems
from agreement.shift.views import (
    higher_is_better,
    on_topics,
)
from agreement.significance import NotedFrame
from agreement.thresholds import Thresholds
from pooling.result import Figure

CHARTS = ("slopes", "heat map")


@dataclass(frozen=True, eq=False, repr=False)
class RankingShift(ShiftFigures):
    """The rankings of the same systems under several golds; returned by `ranking_shift` and `shift_from_scores`.

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
        One for every two golds. The reference is `gold_a` of each pair that contains it; the other pairs have the
        order of `golds`.
    judged : DataFrame
        Columns gold, system, k, judged, retrieved and value: how many of the first k = 10 documents each gold judges,
        over the topics of its ranks; and empty_topics, the number of these topics without a document of the system.
    basis : DataFrame
        One row for each gold except the reference: gold; n_topics, the number of topics in common with the reference
        that have judged and retrieved documents; judged_share and reference_judged_share, the share of the first 10
        documents that the gold and the reference judge on the compared topics, NA if nothing was retrieved;
        has_evidence, whether only the evidence of one of the two golds counts; enough, whether the thresholds are met.
    thresholds : Thresholds
        The data that a comparison needs: min_topics and min_judged. With less, the summary calls it preliminary.
    scores : dict of str to DataFrame
        For every gold the score of each system (rows) on each topic (columns).
    groups : dict of str to str, or None
        Group of every system.
    lower_is_better : tuple of str
        The golds whose measure is better if it is lower.
    several_measures : bool
        Whether the names of the golds include their measures.
    reference_by_default : bool
        Whether no reference was named, so that it is the first gold.
    matches : dict of str to IdMatch
        For every gold the topics that match nothing in the runs, a repair that would make them match, the repair that
        was applied, and the ids that it changed. Empty if the shift is from scores.
    from_scores : bool
        Whether only scores are known (`agreement.shift_from_scores`). How much is judged is then unknown: `judged` has
        no rows, and the shares of `basis` are NA.

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

    def with_thresholds(self, thresholds: Thresholds) -> "RankingShift":
        """Return the shift with the same figures and other thresholds, which change its sentences.

        Parameters
        ----------
        thresholds : Thresholds
            The data that a comparison needs.

        Returns
        -------
        RankingShift
            `enough` and the sentences are those of the thresholds.
        """
        return replace(self, thresholds=thresholds, basis=under_thresholds(self.basis, thresholds))

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
            basis=self.basis[self.basis["gold"].isin(kept)],
            scores={name: self.scores[name] for name in kept},
            matches={name: match for name, match in self.matches.items() if name in kept},
        )

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
        """Return one row for each of `pairs`, with the columns of `GoldPair.to_dict`."""
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
            correction, alpha, seed and draws of `agreement.significance.compare_systems`.

        Returns
        -------
        DataFrame
            gold_a, gold_b in the order of `pairs`; ahead_a and ahead_b, the system that leads under each gold;
            difference_a and difference_b, the size of the lead under each gold; p_adjusted_a and p_adjusted_b, the
            corrected p-values, NA if the test is undefined; significant_a and significant_b; with groups also
            same_group. For each pair of golds, the largest product of both leads first. `attrs["note"]` is a sentence
            on the power of the tests of the first pair of golds with fewer than 50 topics, else None.

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
        rows = pd.concat(frames, ignore_index=True) if frames else empty_swaps(self.groups is not None)
        swaps = NotedFrame(rows)
        swaps.attrs["note"] = next((frame.attrs["note"] for frame in frames if frame.attrs["note"]), None)
        return swaps

    def groups_frame(self, groups: Mapping[str, str] | None = None) -> pd.DataFrame:
        """Return the mean, the spread and the rank of each group of runs, under every gold.

        Parameters
        ----------
        groups : mapping of str to str, optional
            The group of each run that repeats another one, for example with another seed. A run that is not named is a
            group of its own, with its name. By default, the groups with which the shift was computed.

        Returns
        -------
        DataFrame
            gold and n_topics, then the columns of `agreement.group_scores`: group, n_runs, mean, sd, lowest, highest,
            rank and reason. The reference comes first, and in each gold the best group. Each gold scores the runs on
            the topics of its ranks.

        Raises
        ------
        ValueError
            There are no groups, a group names an unknown run, or a group has the name of a run that is not in it.
        """
        chosen = self.groups if groups is None else groups
        if chosen is None:
            raise ValueError("The shift was computed without groups: name the group of each repeated run.")
        frames = []
        for gold in (self.reference, *self.others):
            table, _ = on_topics(self.scores[gold], self.scores[self.reference], self.topics)
            frame = group_scores(table, chosen, lower_is_better=gold in self.lower_is_better)
            frame.insert(0, "gold", gold)
            frame.insert(1, "n_topics", table.shape[1])
            frames.append(frame)
        return pd.concat(frames, ignore_index=True)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return every table by name, not rounded: ranks, pairs, swaps and judged; and ids, if some match nothing.

        A shift from scores has no table judged, because how much is judged is unknown.
        """
        tables = {"ranks": self.ranks, "pairs": self.pairs_frame(), "swaps": self.swaps()}
        tables |= {} if self.from_scores else {"judged": self.judged}
        tables |= {"ids": ids} if len(ids := ids_frame(self)) else {}
        return {name: table for name, table in tables.items() if len(table.columns)}

    def plot(self, chart: str = "slopes") -> Figure:
        """Draw the rankings.

        Parameters
        ----------
        chart : {"slopes", "heat map"}
            Lines from the ranks under the reference to those under each other gold; or tau_b of every two golds.

        Returns
        -------
        Figure
            A notebook shows it; `save(path)` writes SVG, PDF or PNG.

        Raises
        ------
        ValueError
            An unknown chart.
        """
        if chart not in CHARTS:
            raise ValueError(f"chart must be one of {', '.join(map(repr, CHARTS))}, not {chart!r}.")
        from agreement import plots  # loads matplotlib

        draw = plots.slope_chart if chart == CHARTS[0] else plots.tau_heat_map
        return Figure(lambda kind: draw(self, kind=kind))

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        """For each other gold: its agreement with the reference on the ranking."""
        rows = [(name, self.pair(self.reference, name)) for name in self.others]
        figures = [
            {
                "gold": name,
                "topics": pair.n_topics,
                "tau_b": pair.tau_b.shown(),
                "tau_AP": pair.tau_ap_b.shown(),
                "pairs swapped": f"{pair.swapped} of {pair.n_pairs}" if pair.swapped is not None else "",
                "best system": " ".join(pair.top_b),
            }
            for name, pair in rows
        ]
        return pd.DataFrame(figures, dtype="str")

    def headline(self) -> str:
        """Return one sentence on whether, and how much, the ranking changes with the gold.

        It is about the golds with enough data. If there is none, it is about those with the most topics, and says
        that it is preliminary, and what is needed. The number of topics counts those that the runs have. If more than
        2 % of the topics or judgements of a gold match nothing in the runs, more sentences say so.
        """
        return " ".join([shift_headline(self), *unmatched_sentences(self)])

    def left_out(self) -> list[str]:
        """Return the sentences on golds that the headline does not use: one for all that have too little data."""
        return left_out(self)

    def preliminary_golds(self) -> list[str]:
        """Return one line for each gold with too little data: its topics, judged share and tau_b."""
        return preliminary_golds(self)

    def summary(self) -> str:
        """Return the headline, and below it the sentences on golds that it does not use."""
        return "\n".join([self.headline(), *self.left_out()])
