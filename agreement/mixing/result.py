"""What is told of mixed golds: `MixedGolds`, and the tables that it is made of."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from agreement.effectiveness.judge_scores import JudgeScores
from agreement.mixing.choices import Choices
from agreement.mixing.draws import ReferenceTaus
from agreement.mixing.summary import mixing_summary
from agreement.mixing.tally import Tally
from agreement.rank_correlation import competition_ranks
from agreement.reports.results import records

MEAN = "mean over all draws"
JUDGE = "judge:"
QUANTILES = {"q2_5": 0.025, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q97_5": 0.975}
SPREAD = ("mean", "sd", "least", *QUANTILES, "greatest")


@dataclass(frozen=True, eq=False)
class MixedGolds:
    """Rankings of the same systems under many mixed golds; made by `agreement.mixing.mixed_golds`.

    Attributes
    ----------
    measure : str
    draws, combinations : int
        How many golds were mixed, and how many there could be.
    exhaustive : bool
        Whether all combinations were taken.
    seed : int or None
        None where nothing was drawn at random.
    query_ids, judges, systems : tuple of str
        All ascending.
    systems_frame : DataFrame
        A row for each system, the best mean first: system, rank (by the mean score); mean, sd, least and greatest
        score; mean_rank, least_rank and greatest_rank.
    taus : DataFrame
        A row for each reference: reference, n_topics; mean, sd, least, q2_5, q25, q50, q75, q97_5 and greatest
        tau_b, NA where none is defined; n_defined, n_undefined, and the reason of the undefined ones. A quantile is
        the least value of the draws that so large a share of them does not exceed.
    orders : DataFrame
        A row for every two systems: system_a, system_b; under how many golds a_above_b, tied and b_above_a.
    top_changes : DataFrame
        A row for each system that is ever at rank 1, the most frequent first: system, at_top and alone_at_top (under
        how many golds), and share, at_top / draws. Where systems are tied at the top, each of them is counted.
    choices : Choices
        Whose judgements each gold took; `choices.judges()` has positions in `judges`, draws x topics.
    """

    measure: str
    draws: int
    combinations: int
    exhaustive: bool
    seed: int | None
    query_ids: tuple[str, ...]
    judges: tuple[str, ...]
    systems: tuple[str, ...]
    systems_frame: pd.DataFrame
    taus: pd.DataFrame
    orders: pd.DataFrame
    top_changes: pd.DataFrame
    choices: Choices = field(repr=False)
    _tau_values: dict[str, ReferenceTaus] = field(repr=False)

    @property
    def n_topics(self) -> int:
        """Number of topics that somebody judged."""
        return len(self.query_ids)

    @property
    def references(self) -> tuple[str, ...]:
        """What the rankings are compared with: the mean over all draws, every judge, and the golds given."""
        return tuple(self._tau_values)

    def tau_values(self, reference: str = MEAN) -> np.ndarray:
        """The defined tau_b with a reference, in the order of the draws; ValueError for an unknown reference."""
        found = self._of(reference)
        return found.values[found.defined]

    def draw_of_least_tau(self, reference: str = MEAN) -> int | None:
        """The first draw whose ranking differs most from a reference's; None where no tau_b is defined."""
        found = self._of(reference)
        return int(np.where(found.defined, found.values, np.inf).argmin()) if found.defined.any() else None

    def unsettled(self, share: float = 0.05) -> pd.DataFrame:
        """The rows of `orders` in which either system is ahead under so large a share of the golds or more."""
        if not 0 < share <= 0.5:
            raise ValueError(f"the share is above 0 and at most 0.5; got {share!r}")
        return self.orders[self.orders[["a_above_b", "b_above_a"]].min(axis=1) >= share * self.draws]

    def summary(self) -> str:
        """One sentence that answers: how much does it matter which judge?"""
        return mixing_summary(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every table by name, not rounded."""
        return {
            "taus": self.taus,
            "top_changes": self.top_changes,
            "systems": self.systems_frame,
            "orders": self.orders,
        }

    def to_dict(self) -> dict:
        """Every figure, as JSON can hold it."""
        names = ("measure", "draws", "combinations", "exhaustive", "seed", "n_topics", "query_ids", "judges", "systems")
        told = {name: getattr(self, name) for name in names}
        lists = {name: list(value) for name, value in told.items() if isinstance(value, tuple)}
        return told | lists | {name: records(table) for name, table in self.tables().items()}

    def _of(self, reference: str) -> ReferenceTaus:
        if reference not in self._tau_values:
            raise ValueError(f"the reference is one of {', '.join(self._tau_values)}; got {reference!r}")
        return self._tau_values[reference]


def mixed_result(cube: JudgeScores, choices: Choices, tally: Tally, taus: dict[str, ReferenceTaus]) -> MixedGolds:
    """The result, from what was counted."""
    return MixedGolds(
        measure=cube.measure,
        draws=choices.draws,
        combinations=choices.combinations,
        exhaustive=choices.exhaustive,
        seed=choices.seed,
        query_ids=cube.query_ids,
        judges=cube.judges,
        systems=cube.systems,
        systems_frame=_systems(cube.systems, tally, choices.draws),
        taus=_taus(taus),
        orders=_orders(cube.systems, tally, choices.draws),
        top_changes=_tops(cube.systems, tally, choices.draws),
        choices=choices,
        _tau_values=taus,
    )


def _systems(systems: tuple[str, ...], tally: Tally, draws: int) -> pd.DataFrame:
    frame = pd.DataFrame({"system": pd.Series(systems, dtype="str"), "rank": competition_ranks(tally.mean)})
    scores = {"mean": tally.mean, "sd": np.sqrt(tally.squares / draws), "least": tally.least}
    ranks = {"mean_rank": tally.ranks[2] / draws, "least_rank": tally.ranks[0], "greatest_rank": tally.ranks[1]}
    frame = frame.assign(**scores, greatest=tally.greatest, **ranks)
    return frame.sort_values("rank", kind="stable", ignore_index=True)


def _taus(taus: dict[str, ReferenceTaus]) -> pd.DataFrame:
    frame = pd.DataFrame([{"reference": name, **_distribution(found)} for name, found in taus.items()])
    return frame.astype({**dict.fromkeys(SPREAD, "Float64"), "reference": "str", "reason": "str"})


def _distribution(taus: ReferenceTaus) -> dict:
    """One row of `taus`; NA where nothing is defined."""
    known = taus.values[taus.defined]
    spread = dict.fromkeys(SPREAD, pd.NA)
    if len(known):
        quantiles = np.quantile(known, list(QUANTILES.values()), method="inverted_cdf")
        figures = (known.mean(), known.std(), known.min(), *quantiles, known.max())
        spread = {name: float(value) for name, value in zip(SPREAD, figures, strict=True)}
    counts = {"n_defined": len(known), "n_undefined": len(taus.values) - len(known)}
    return {"n_topics": taus.n_topics, **spread, **counts, "reason": taus.reason or pd.NA}


def _orders(systems: tuple[str, ...], tally: Tally, draws: int) -> pd.DataFrame:
    a, b = np.triu_indices(len(systems), k=1)
    names = pd.Index(systems, dtype="str")
    above, below = tally.wins[a, b], tally.wins[b, a]
    counts = {"a_above_b": above, "tied": draws - above - below, "b_above_a": below}
    return pd.DataFrame({"system_a": names.take(a), "system_b": names.take(b), **counts})


def _tops(systems: tuple[str, ...], tally: Tally, draws: int) -> pd.DataFrame:
    at_top, alone = tally.tops
    frame = pd.DataFrame({"system": pd.Series(systems, dtype="str"), "at_top": at_top, "alone_at_top": alone})
    frame = frame[at_top > 0].sort_values("at_top", ascending=False, kind="stable", ignore_index=True)
    return frame.assign(share=frame["at_top"] / draws)
