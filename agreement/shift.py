"""Does the ranking of the systems change with the gold? The same runs, ranked under several golds.

Every system is scored under every gold by one measure, averaged over topics, and ranked: rank 1 is the best,
and systems closer than 1e-12 share the best of their ranks (1, 2, 2, 4). Rankings are compared by Kendall's
tau_b (and by tau where no systems are tied) and by the pairs of systems that change places.

Golds may differ in their topics. Two golds are compared on the topics that both have (`topics="common"`, and
n is told), so that a change comes from the judges and not from the topics: each gold meets the reference on
the topics that both have, and each two golds on theirs. `topics="own"` scores every gold on all its topics.

Source: E. M. Voorhees (2000), Variations in relevance judgments and the measurement of retrieval
effectiveness, Information Processing and Management 36(5), 697-716.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import pandas as pd

from agreement.effectiveness import Measure, RankedRuns, judged_share, parse_measure, prepare
from agreement.estimate import Estimate, undefined
from agreement.golds import as_golds
from agreement.rank_correlation import competition_ranks, swapped_pairs, tau, tau_b, tied_pairs
from agreement.summary import shift_sentence

TOP = 10
TOPICS = ("common", "own")


@dataclass(frozen=True)
class GoldPair:
    """Two golds, and how the rankings under them compare.

    Attributes
    ----------
    gold_a, gold_b : str
    n_topics, n_systems : int
        What they were compared on. With `topics="own"`, n_topics counts the topics that either has.
    tau : Estimate or None
        None where systems are tied under one of the golds.
    tau_b : Estimate
    swapped, n_pairs : int
        Pairs of systems that the golds put in opposite order, and all pairs of systems.
    top_a, top_b : tuple of str
        The systems at rank 1 under each.
    """

    gold_a: str
    gold_b: str
    n_topics: int
    n_systems: int
    tau: Estimate | None
    tau_b: Estimate
    swapped: int
    n_pairs: int
    top_a: tuple[str, ...]
    top_b: tuple[str, ...]

    @property
    def top_changed(self) -> bool:
        """Whether other systems are at rank 1."""
        return set(self.top_a) != set(self.top_b)

    def to_dict(self) -> dict:
        """The figures as one row of a table; tau and tau_b are None where they are undefined."""
        return {
            "gold_a": self.gold_a,
            "gold_b": self.gold_b,
            "n_topics": self.n_topics,
            "n_systems": self.n_systems,
            "tau": self.tau.value if self.tau else None,
            "tau_b": self.tau_b.value,
            "tau_b_reason": self.tau_b.reason,
            "swapped": self.swapped,
            "n_pairs": self.n_pairs,
            "top_a": " ".join(self.top_a),
            "top_b": " ".join(self.top_b),
            "top_changed": self.top_changed,
        }


@dataclass(frozen=True, eq=False)
class RankingShift:
    """The rankings of the same systems under several golds; made by `ranking_shift`.

    Attributes
    ----------
    measure, reference, topics : str
        The measure, the gold that the others are compared with, and how topics were chosen.
    golds, systems : tuple of str
    ranks : DataFrame
        A row for each gold and system: gold, system, n_topics, score, rank; reference_score and
        reference_rank, on the same topics; change, which is reference_rank - rank (positive: the system
        rises). Scores and ranks are NA where gold and reference have no topic in common.
    pairs : tuple of GoldPair
        Every two golds.
    judged : DataFrame
        How much of the first 10 documents each gold judges, as `agreement.effectiveness.judged_share` has it.
    """

    measure: str
    reference: str
    topics: str
    golds: tuple[str, ...]
    systems: tuple[str, ...]
    ranks: pd.DataFrame
    pairs: tuple[GoldPair, ...]
    judged: pd.DataFrame

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
        return frame.astype({"tau": "Float64", "tau_b": "Float64"}) if len(frame) else frame

    def summary(self) -> str:
        """One sentence that answers: does the ranking change with the judge?"""
        return shift_sentence(self)


def ranking_shift(runs, golds, measure: str, reference: str | None = None, topics: str = "common") -> RankingShift:
    """Rank the systems under every gold, and compare the rankings.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `agreement.effectiveness.prepare`.
    golds : DataFrame, mapping of name to DataFrame, or iterable of DataFrame
        As for `agreement.golds.as_golds`.
    measure : str
        As for `agreement.effectiveness.parse_measure`.
    reference : str, optional
        The gold to compare with; the first where none is named.
    topics : {"common", "own"}
        See the module.

    Raises
    ------
    ValueError
        An unknown measure, reference or option; runs or golds that cannot be scored.
    """
    golds = as_golds(golds)
    reference = next(iter(golds)) if reference is None else reference
    if reference not in golds:
        raise ValueError(f"the reference is one of the golds {', '.join(golds)}; got {reference!r}")
    if topics not in TOPICS:
        raise ValueError(f"topics is one of {', '.join(TOPICS)}; got {topics!r}")
    ranked_runs, scored = prepare(runs), parse_measure(measure)
    tables = {name: _scores(ranked_runs, gold, scored) for name, gold in golds.items()}
    ranks = [_ranks(name, tables[name], tables[reference], topics) for name in golds]
    return RankingShift(
        measure=scored.name,
        reference=reference,
        topics=topics,
        golds=tuple(golds),
        systems=tuple(ranked_runs.systems),
        ranks=pd.concat(ranks, ignore_index=True),
        pairs=tuple(_compared(a, b, tables, topics) for a, b in combinations(golds, 2)),
        judged=judged_share(ranked_runs, golds, TOP),
    )


def _scores(runs: RankedRuns, gold: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Scores under one gold, a row per system and a column per topic."""
    matrix = runs.under(gold)
    return pd.DataFrame(measure(matrix), index=list(matrix.systems), columns=list(matrix.query_ids))


def _on_topics(a: pd.DataFrame, b: pd.DataFrame, topics: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The scores to compare: of the topics that both have, or of all."""
    common = a.columns.intersection(b.columns)
    return (a[common], b[common]) if topics == "common" else (a, b)


def _ranks(name: str, scores: pd.DataFrame, reference: pd.DataFrame, topics: str) -> pd.DataFrame:
    own, theirs = _on_topics(scores, reference, topics)
    rows = pd.DataFrame({"gold": name, "system": list(own.index), "n_topics": own.shape[1]})
    for prefix, table in (("", own), ("reference_", theirs)):
        some = table.shape[1] > 0
        means = table.mean(axis=1).to_numpy()
        rows[f"{prefix}score"] = pd.array(means if some else [pd.NA] * len(means), dtype="Float64")
        rows[f"{prefix}rank"] = pd.array(competition_ranks(means) if some else [pd.NA] * len(means), dtype="Int64")
    return rows.assign(change=rows["reference_rank"] - rows["rank"])


def _compared(a: str, b: str, tables: dict[str, pd.DataFrame], topics: str) -> GoldPair:
    first, second = _on_topics(tables[a], tables[b], topics)
    n_topics, n_systems = len(first.columns.union(second.columns)), len(first)
    fixed = {"gold_a": a, "gold_b": b, "n_topics": n_topics, "n_systems": n_systems}
    n_pairs = n_systems * (n_systems - 1) // 2
    if not (first.shape[1] and second.shape[1]):
        nothing = undefined("tau_b", "no_topics", n=n_systems)
        return GoldPair(**fixed, tau=None, tau_b=nothing, swapped=0, n_pairs=n_pairs, top_a=(), top_b=())
    x, y = first.mean(axis=1).to_numpy(), second.mean(axis=1).to_numpy()
    return GoldPair(
        **fixed,
        tau=None if tied_pairs(x) or tied_pairs(y) else tau(x, y),
        tau_b=tau_b(x, y),
        swapped=swapped_pairs(x, y),
        n_pairs=n_pairs,
        top_a=tuple(first.index[competition_ranks(x) == 1]),
        top_b=tuple(second.index[competition_ranks(y) == 1]),
    )
