"""Does the ranking of the systems change with the gold? The same runs, ranked under several golds.

Every system is scored under every gold by one measure, averaged over topics, and ranked: rank 1 is the best,
and systems closer than 1e-12 share the best of their ranks (1, 2, 2, 4). Rankings are compared by the figures of
`agreement.shift.gold_pairs` and by the pairs of systems that change places (`agreement.shift.swaps`).

What is compared is a *view*, a gold and a measure. With one measure, a view is called as its gold. With one gold and
several measures it is called as its measure: thresholds of relevance (`AP(rel=1)`, `AP(rel=2)`) and gain schemes
(`nDCG@10`, `nDCG(dcg='exp-log2')@10`) are compared like golds. With several of both it is "gold, measure".

Golds may differ in their topics. Two golds are compared on the topics that both have (`topics="common"`, and
n is told), so that a change comes from the judges and not from the topics: each gold meets the reference on
the topics that both have, and each two golds on theirs. `topics="own"` scores every gold on all its topics.

Where less is better (van Rijsbergen's E), the least score has rank 1, and correlations are those of the rankings.

Where systems come in groups (repeated runs of one system), swapped pairs are counted apart within groups and between.

Source: E. M. Voorhees (2000), Variations in relevance judgments and the measurement of retrieval
effectiveness, Information Processing and Management 36(5), 697-716.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import pandas as pd

from agreement.effectiveness import judged_share, parse_measure, prepare
from agreement.effectiveness.scores import score_table
from agreement.golds.make_gold import as_golds
from agreement.rank_correlation import competition_ranks
from agreement.shift.gold_pairs import CORRELATIONS, GoldPair, compared
from agreement.shift.summary import shift_sentence
from agreement.shift.swaps import no_swaps, swapped_systems

TOP = 10
TOPICS = ("common", "own")


@dataclass(frozen=True, eq=False)
class RankingShift:
    """The rankings of the same systems under several golds; made by `ranking_shift`.

    Attributes
    ----------
    measure, reference, topics : str
        The measure or measures, the view that the others are compared with, and how topics were chosen.
    golds, systems : tuple of str
        Names of the views (see the module), and the systems.
    ranks : DataFrame
        A row for each gold and system: gold, system, n_topics, score, rank; reference_score and
        reference_rank, on the same topics; change, which is reference_rank - rank (positive: the system
        rises). Scores and ranks are NA where gold and reference have no topic in common.
    pairs : tuple of GoldPair
        Every two golds.
    judged : DataFrame
        How much of the first 10 documents each gold judges, on the topics of its ranks, as
        `agreement.effectiveness.judged_share` has it.
    scores : dict of str to DataFrame
        Of every view, the score of each system (rows) on each topic (columns).
    groups : dict of str to str, or None
        The group of every system.
    lower_is_better : tuple of str
        The views whose measure is better the less it is.
    several_measures : bool
        Whether the views' names name their measures.
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
        """The golds but the reference."""
        return tuple(name for name in self.golds if name != self.reference)

    def pair(self, a: str, b: str) -> GoldPair:
        """Two golds compared, in whichever order; ValueError where there is no such pair."""
        for pair in self.pairs:
            if {pair.gold_a, pair.gold_b} == {a, b}:
                return pair
        raise ValueError(f"{a!r} and {b!r} are no two of the golds {', '.join(self.golds)}")

    def of(self, gold: str) -> pd.DataFrame:
        """The rows of `ranks` of one gold."""
        return self.ranks[self.ranks["gold"] == gold]

    @property
    def farthest(self) -> str | None:
        """The gold whose ranking differs most from the reference's (least tau_b); None where no tau_b is defined."""
        taus = {name: self.pair(self.reference, name).tau_b for name in self.others}
        defined = {name: tau.value for name, tau in taus.items() if tau.defined}
        return min(defined, key=defined.get, default=None)

    def only(self, *golds: str) -> "RankingShift":
        """The same figures, of the reference and these golds alone; ValueError where one is not there."""
        if unknown := [name for name in golds if name not in self.golds]:
            raise ValueError(f"{unknown[0]!r} is none of the golds {', '.join(self.golds)}")
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
        """The systems that rise most under a gold, against the reference; no row where none rises."""
        rows = self.of(gold)
        return rows[(rows["change"] > 0) & (rows["change"] == rows["change"].max())]

    def largest_fall(self, gold: str) -> pd.DataFrame:
        """The systems that fall most under a gold, against the reference; no row where none falls."""
        rows = self.of(gold)
        return rows[(rows["change"] < 0) & (rows["change"] == rows["change"].min())]

    def judged_of(self, gold: str) -> tuple[int, int]:
        """How many of the first 10 documents, over all systems and topics, this gold judges; and of how many."""
        rows = self.judged[self.judged["gold"] == gold]
        return int(rows["judged"].sum()), int(rows["retrieved"].sum())

    def to_frame(self) -> pd.DataFrame:
        """Ranks side by side: a row per system, the reference's best first; a column per gold, it first."""
        golds = [self.reference, *self.others]
        wide = self.ranks.pivot(index="system", columns="gold", values="rank")[golds]
        return wide.rename_axis(columns=None).sort_values(golds, kind="stable")

    def pairs_frame(self) -> pd.DataFrame:
        """A row for every two golds, as `GoldPair.to_dict` has it."""
        frame = pd.DataFrame([pair.to_dict() for pair in self.pairs])
        numbers = dict.fromkeys([*CORRELATIONS, "rms_change"], "Float64")
        counts = dict.fromkeys(["swapped", "swapped_within", "n_within"], "Int64")
        return frame.astype(numbers | counts | {"top_changed": "boolean"}) if len(frame) else frame

    def swaps(self, test: str = "t", **options) -> pd.DataFrame:
        """Every two systems that change places, for every two golds, with tests of their difference under each.

        Parameters
        ----------
        test, **options
            As for `agreement.shift.swaps.swapped_systems`.
        """
        goods = _goods(self.scores, self.lower_is_better)
        found = [
            swapped_systems(
                pair.gold_a,
                pair.gold_b,
                *_on_topics(goods[pair.gold_a], goods[pair.gold_b], self.topics),
                groups=self.groups,
                test=test,
                **options,
            )
            for pair in self.pairs
            if pair.swapped
        ]
        return pd.concat(found, ignore_index=True) if found else no_swaps(self.groups is not None)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every table by name, unrounded."""
        tables = {"ranks": self.ranks, "pairs": self.pairs_frame(), "swaps": self.swaps(), "judged": self.judged}
        return {name: table for name, table in tables.items() if len(table.columns)}

    def summary(self) -> str:
        """One sentence that answers: does the ranking change with the judge?"""
        return shift_sentence(self)


def ranking_shift(
    runs,
    golds,
    measure: str | Sequence[str],
    reference: str | None = None,
    topics: str = "common",
    *,
    groups: Mapping[str, str] | None = None,
    **given,
) -> RankingShift:
    """Rank the systems under every gold, and compare the rankings.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `agreement.effectiveness.prepare`.
    golds : DataFrame, mapping of name to DataFrame, or iterable of DataFrame
        As for `agreement.golds.make_gold.as_golds`.
    measure : str or sequence of str
        As for `agreement.effectiveness.parse_measure`; several make a view of each (see the module).
    reference : str, optional
        The gold (or view) to compare with; the first where none is named.
    topics : {"common", "own"}
        See the module.
    groups : mapping of system to group, optional
        Such as repeated runs of one system; every system has one. Runs in one frame may say it themselves, in a
        column `group`.
    **given
        scale, collection_size and known, as for `agreement.effectiveness.evaluate`.

    Raises
    ------
    ValueError
        An unknown measure, reference or option; a system without a group; runs or golds that cannot be scored.
    """
    if topics not in TOPICS:
        raise ValueError(f"topics is one of {', '.join(TOPICS)}; got {topics!r}")
    golds, measures = as_golds(golds), [measure] if isinstance(measure, str) else list(measure)
    parsed = [parse_measure(name) for name in measures]
    views = _views(golds, [measure.name for measure in parsed])
    reference = next(iter(views)) if reference is None else reference
    if reference not in views:
        raise ValueError(f"the reference is one of the golds {', '.join(views)}; got {reference!r}")
    ranked_runs = prepare(runs)
    if groups is None and isinstance(runs, pd.DataFrame) and "group" in runs.columns:
        groups = runs.astype({"system": "str"}).drop_duplicates("system").set_index("system")["group"].to_dict()
    groups = _groups(groups, ranked_runs.systems)
    by_name = {measure.name: measure for measure in parsed}
    scores = {
        view: score_table(ranked_runs, golds[gold], by_name[measure], **given)
        for view, (gold, measure) in views.items()
    }
    lower = tuple(view for view, (_, measure) in views.items() if by_name[measure].lower_is_better)
    ranks = [_ranks(name, scores, reference, topics, lower) for name in views]
    gold_of = {view: golds[gold] for view, (gold, _) in views.items()}
    goods = _goods(scores, lower)
    return RankingShift(
        measure=", ".join(by_name),
        reference=reference,
        topics=topics,
        golds=tuple(views),
        systems=tuple(ranked_runs.systems),
        ranks=pd.concat(ranks, ignore_index=True),
        pairs=tuple(_pair(a, b, goods, reference, topics, groups, lower) for a, b in combinations(views, 2)),
        judged=_judged(ranked_runs, gold_of, scores, reference, topics),
        scores=scores,
        groups=groups,
        lower_is_better=lower,
        several_measures=len(by_name) > 1,
    )


def _goods(scores: Mapping[str, pd.DataFrame], lower_is_better: Sequence[str]) -> dict[str, pd.DataFrame]:
    """The scores of every view, turned round where less is better: more is better in all."""
    return {view: -table if view in lower_is_better else table for view, table in scores.items()}


def _views(golds: Mapping[str, pd.DataFrame], measures: list[str]) -> dict[str, tuple[str, str]]:
    """The gold and the measure of every view, by the name of the view."""
    if not measures or len(set(measures)) < len(measures):
        raise ValueError(f"one or more measures are needed, each named once; got {', '.join(measures) or 'none'}")
    if len(measures) == 1:
        return {gold: (gold, measures[0]) for gold in golds}
    if len(golds) == 1:
        return {measure: (gold, measure) for gold in golds for measure in measures}
    return {f"{gold}, {measure}": (gold, measure) for gold in golds for measure in measures}


def _groups(groups: Mapping[str, str] | None, systems: pd.Index) -> dict[str, str] | None:
    if groups is None:
        return None
    if lacking := [system for system in systems if system not in groups]:
        raise ValueError(f"every system has a group; {lacking[0]!r} has none")
    return {system: groups[system] for system in systems}


def _judged(runs, golds: dict, scores: dict, reference: str, topics: str) -> pd.DataFrame:
    """How much of the top each view's gold judges, on the topics that its ranks rest on."""
    rows = {}
    for view, gold in golds.items():
        own, _ = _on_topics(scores[view], scores[reference], topics)
        rows[view] = gold[gold["query_id"].astype("str").isin(own.columns)]
    return judged_share(runs, rows, TOP)


def _on_topics(a: pd.DataFrame, b: pd.DataFrame, topics: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The scores to compare: of the topics that both have, or of all."""
    common = a.columns.intersection(b.columns)
    return (a[common], b[common]) if topics == "common" else (a, b)


def _pair(a: str, b: str, scores: dict, reference: str, topics: str, groups: dict | None, lower) -> GoldPair:
    first, second = _on_topics(scores[a], scores[b], topics)
    return compared(a, b, {a: first, b: second}, reference if reference in (a, b) else a, groups, lower)


def _ranks(name: str, scores: dict, reference: str, topics: str, lower: Sequence[str]) -> pd.DataFrame:
    own, theirs = _on_topics(scores[name], scores[reference], topics)
    rows = pd.DataFrame({"gold": name, "system": list(own.index), "n_topics": own.shape[1]})
    for prefix, view, table in (("", name, own), ("reference_", reference, theirs)):
        some = table.shape[1] > 0
        means = table.mean(axis=1).to_numpy()
        ranks = competition_ranks(-means if view in lower else means) if some else [pd.NA] * len(means)
        rows[f"{prefix}score"] = pd.array(means if some else [pd.NA] * len(means), dtype="Float64")
        rows[f"{prefix}rank"] = pd.array(ranks, dtype="Int64")
    return rows.assign(change=rows["reference_rank"] - rows["rank"])
