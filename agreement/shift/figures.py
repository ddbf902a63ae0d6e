"""The figures of a comparison of golds, and where to find those of one gold or of two."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from agreement.shift.gold_pairs import GoldPair
from agreement.thresholds import Thresholds
from pooling.id_repair import IdMatch
from pooling.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class ShiftFigures(Result):
    """What `RankingShift` holds, described there. The headline and the figures are made from this."""

    measure: str
    reference: str
    topics: str
    golds: tuple[str, ...]
    systems: tuple[str, ...]
    ranks: pd.DataFrame
    pairs: tuple[GoldPair, ...]
    judged: pd.DataFrame
    basis: pd.DataFrame
    thresholds: Thresholds
    scores: dict[str, pd.DataFrame]
    groups: dict[str, str] | None = None
    lower_is_better: tuple[str, ...] = ()
    several_measures: bool = False
    reference_by_default: bool = False
    matches: Mapping[str, IdMatch] = field(default_factory=dict)
    from_scores: bool = False

    @property
    def others(self) -> tuple[str, ...]:
        """Names of all golds except the reference."""
        return tuple(name for name in self.golds if name != self.reference)

    @property
    def id_matches(self) -> list[IdMatch]:
        """How the ids of each gold match those of the runs; once for each gold, also with several measures."""
        return list({match.side: match for match in self.matches.values()}.values())

    def pair(self, a: str, b: str) -> GoldPair:
        """Return the comparison of two golds.

        Parameters
        ----------
        a, b : str
            Names of the golds.

        Returns
        -------
        GoldPair
            `gold_a` is a, and `gold_b` is b.

        Raises
        ------
        ValueError
            a and b are not two different golds of this shift.
        """
        pair = self._pairs_by_golds.get(frozenset((a, b)))
        if pair is None:
            raise ValueError(f"{a!r} and {b!r} must be two different golds out of {', '.join(self.golds)}.")
        return pair if pair.gold_a == a else pair.reversed()

    @cached_property
    def _pairs_by_golds(self) -> dict[frozenset[str], GoldPair]:
        return {frozenset((pair.gold_a, pair.gold_b)): pair for pair in self.pairs}

    def ranks_under(self, gold: str) -> pd.DataFrame:
        """Return the rows of `ranks` of one gold; no rows if there is no such gold.

        Parameters
        ----------
        gold : str
            Name of a gold, or of a view if several measures are compared.
        """
        return self.ranks.loc[self.ranks["gold"] == gold]

    @cached_property
    def _basis_by_gold(self) -> dict[str, dict[Hashable, Any]]:
        rows = self.basis.to_dict("records")
        return {str(row["gold"]): row for row in rows}

    @cached_property
    def enough(self) -> tuple[str, ...]:
        """Names of the golds with enough data to be compared with the reference in a sentence."""
        return tuple(self.basis.loc[self.basis["enough"], "gold"])

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the golds of the headline: those with enough data, or else those with the most topics in common."""
        n_topics = self.basis["n_topics"]
        return self.enough or tuple(self.basis.loc[(n_topics > 0) & (n_topics == n_topics.max()), "gold"])

    @property
    def preliminary(self) -> bool:
        """Whether no gold has enough data, so that the headline is preliminary."""
        return not self.enough

    @cached_property
    def farthest(self) -> str | None:
        """The gold with the smallest tau_b against the reference, of those compared; None if none is defined."""
        taus = {name: self.pair(self.reference, name).tau_b.value for name in self.compared}
        defined = {name: tau for name, tau in taus.items() if tau is not None}
        return min(defined, key=lambda name: defined[name], default=None)

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
