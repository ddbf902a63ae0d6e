"""The result of mixed golds: `MixedGolds` and its tables."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.judge_scores import JudgeScores
from agreement.mixing.choices import Choices
from agreement.mixing.draws import ReferenceTaus
from agreement.mixing.summary import mixing_summary
from agreement.mixing.tally import Tally
from agreement.rank_correlation import competition_ranks
from agreement.reports.results import records
from agreement.shift.thresholds import Thresholds
from pooling.result import Figure, Result
from pooling.text_tables import rounded

MEAN = "mean over all draws"
JUDGE = "judge:"
QUANTILES = {"q2_5": 0.025, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q97_5": 0.975}
SPREAD = ("mean", "sd", "least", *QUANTILES, "greatest")


@dataclass(frozen=True, eq=False, repr=False)
class MixedGolds(Result):
    """Rankings of the same systems under many mixed golds; returned by `mixed_golds`.

    Attributes
    ----------
    measure : str
        Name of the measure.
    draws, combinations : int
        Number of mixed golds, and number of possible combinations.
    exhaustive : bool
        Whether all combinations were used.
    seed : int or None
        Seed of the random choices; None if nothing was drawn at random.
    query_ids, judges, systems : tuple of str
        Judged topics, judges, and systems, all ascending.
    systems_frame : DataFrame
        One row for each system, the best mean first: system, rank (by the mean score); mean, sd, least and greatest
        score; mean_rank, least_rank and greatest_rank.
    taus : DataFrame
        One row for each reference: reference, n_topics; mean, sd, least, q2_5, q25, q50, q75, q97_5 and greatest
        tau_b, NA if none is defined; n_defined, n_undefined, and the reason of the undefined values. A quantile is the
        smallest value that at least this share of the draws does not exceed.
    orders : DataFrame
        One row for every two systems: system_a, system_b; number of golds in a_above_b, tied and b_above_a.
    top_changes : DataFrame
        One row for each system that is at rank 1 under any gold, the most frequent first: system, number of golds in
        at_top and alone_at_top, and share, at_top / draws. Tied systems at the top are all counted.
    thresholds : Thresholds
        The data that the summary needs: min_topics and min_judged.
    n_shared_topics : int
        Number of topics with two or more judges who each judged the share min_judged of the first 10 documents.
    judged_share : float or None
        Share of the first 10 documents that a mixed gold judges on average: the mean over the topics of the mean over
        their judges. None if it is unknown.
    choices : Choices
        The judge of every topic in every gold; `choices.judges()` returns positions in `judges`, shape
        (draws, n_topics).

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.effectiveness.judge_scores import JudgeScores
    >>> from agreement.mixing import mixed_scores
    >>> scores = np.array([[[0.9, 0.8]], [[0.5, 0.6]]])
    >>> cube = JudgeScores(scores, np.array([[True, True]]), ("bm25", "lsa"), ("1",), ("ann", "bob"), "AP")
    >>> mixed = mixed_scores(cube)
    >>> mixed.tau_values("judge:ann").tolist()
    [1.0, 1.0]
    >>> mixed.systems_frame[["system", "rank", "mean_rank"]]
      system  rank  mean_rank
    0   bm25     1        1.0
    1    lsa     2        2.0
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
    thresholds: Thresholds
    n_shared_topics: int
    judged_share: float | None
    choices: Choices = field(repr=False)
    _tau_values: dict[str, ReferenceTaus] = field(repr=False)

    @property
    def n_topics(self) -> int:
        """Number of judged topics."""
        return len(self.query_ids)

    @property
    def enough(self) -> bool:
        """Whether there is enough data for an answer in a sentence."""
        shares = () if self.judged_share is None else (self.judged_share,)
        return self.thresholds.met(self.n_shared_topics, *shares)

    @property
    def references(self) -> tuple[str, ...]:
        """Names of the references: the mean over all draws, every judge, and the golds passed as references."""
        return tuple(self._tau_values)

    def tau_values(self, reference: str = MEAN) -> np.ndarray:
        """Return the defined tau_b with a reference.

        Parameters
        ----------
        reference : str
            One of `references`.

        Returns
        -------
        ndarray of float, shape (n_defined,)
            In the order of the draws, each from -1 to 1.

        Raises
        ------
        ValueError
            An unknown reference.
        """
        taus = self._taus_with(reference)
        values: np.ndarray = taus.values[taus.defined]
        return values

    def draw_of_least_tau(self, reference: str = MEAN) -> int | None:
        """Return the first draw with the smallest tau_b.

        Parameters
        ----------
        reference : str
            One of `references`.

        Returns
        -------
        int or None
            Position of the draw, from 0; None if no tau_b is defined.

        Raises
        ------
        ValueError
            An unknown reference.
        """
        taus = self._taus_with(reference)
        return int(np.where(taus.defined, taus.values, np.inf).argmin()) if taus.defined.any() else None

    def unsettled(self, share: float = 0.05) -> pd.DataFrame:
        """Return the pairs of systems whose order depends on the gold.

        Parameters
        ----------
        share : float
            Smallest share of the golds, above 0 and at most 0.5.

        Returns
        -------
        DataFrame
            The rows of `orders` in which either system is ahead under at least this share of the golds.

        Raises
        ------
        ValueError
            The share is out of range.
        """
        if not 0 < share <= 0.5:
            raise ValueError(f"share must be above 0 and at most 0.5, not {share!r}.")
        return self.orders.loc[self.orders[["a_above_b", "b_above_a"]].min(axis=1) >= share * self.draws]

    def summary(self, digits: int = 3) -> str:
        """Return the headline: whether and how much it matters which judge is the gold.

        If there is too little data for an answer, the headline says so, and the figures are in a second line.

        Parameters
        ----------
        digits : int
            The number of decimals of tau_b.
        """
        return mixing_summary(self, digits)

    def to_frame(self) -> pd.DataFrame:
        """Return `taus`."""
        return self.taus

    def plot(self) -> Figure:
        """Draw the mean score of each system and its range over the golds.

        Returns
        -------
        Figure
            A notebook shows it; `save(path)` writes SVG, PDF or PNG.
        """
        from agreement.plots import score_ranges  # importing matplotlib takes a second

        return Figure(lambda kind: score_ranges(self.systems_frame, kind=kind, measure=self.measure, draws=self.draws))

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        """The median tau_b with each reference, and the middle 95 % of the golds."""
        taus = self.taus
        names = {"reference": "reference", "n_topics": "topics", "q50": "median tau_b", "q2_5": "2.5 %"}
        names |= {"q97_5": "97.5 %", "least": "least", "reason": "reason"}
        shown = taus[list(names)].rename(columns=names)
        return rounded(shown if taus["reason"].notna().any() else shown.drop(columns="reason"))

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return every table by name, not rounded: taus, top_changes, systems and orders."""
        return {
            "taus": self.taus,
            "top_changes": self.top_changes,
            "systems": self.systems_frame,
            "orders": self.orders,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as JSON types; undefined figures are None."""
        names = ("measure", "draws", "combinations", "exhaustive", "seed", "n_topics", "query_ids", "judges", "systems")
        figures = {name: getattr(self, name) for name in (*names, "n_shared_topics", "judged_share")}
        lists = {name: list(value) for name, value in figures.items() if isinstance(value, tuple)}
        return figures | lists | {name: records(table) for name, table in self.tables().items()}

    def _taus_with(self, reference: str) -> ReferenceTaus:
        if reference not in self._tau_values:
            raise ValueError(f"The reference must be one of {', '.join(self._tau_values)}, not {reference!r}.")
        return self._tau_values[reference]


def mixed_result(
    cube: JudgeScores, choices: Choices, tally: Tally, taus: dict[str, ReferenceTaus], thresholds: Thresholds
) -> MixedGolds:
    """Return the result from the figures of all draws."""
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
        thresholds=thresholds,
        n_shared_topics=_n_shared_topics(cube, thresholds.min_judged),
        judged_share=_mean_judged_share(cube),
        choices=choices,
        _tau_values=taus,
    )


def _n_shared_topics(cube: JudgeScores, min_judged: float) -> int:
    counted = cube.judged
    if cube.judged_share is not None:
        counted = counted & (cube.judged_share >= min_judged)
    return int((counted.sum(axis=1) >= 2).sum())


def _mean_judged_share(cube: JudgeScores) -> float | None:
    if cube.judged_share is None:
        return None
    return float((cube.judged_share.sum(axis=1) / cube.judged.sum(axis=1)).mean())


def _systems(systems: tuple[str, ...], tally: Tally, draws: int) -> pd.DataFrame:
    frame = pd.DataFrame({"system": pd.Series(systems, dtype="str"), "rank": competition_ranks(tally.mean)})
    scores = {"mean": tally.mean, "sd": np.sqrt(tally.squares / draws), "least": tally.least}
    ranks = {"mean_rank": tally.ranks[2] / draws, "least_rank": tally.ranks[0], "greatest_rank": tally.ranks[1]}
    frame = frame.assign(**scores, greatest=tally.greatest, **ranks)
    return frame.sort_values("rank", kind="stable", ignore_index=True)


def _taus(taus: dict[str, ReferenceTaus]) -> pd.DataFrame:
    frame = pd.DataFrame([{"reference": name, **_distribution(one)} for name, one in taus.items()])
    return frame.astype({**dict.fromkeys(SPREAD, "Float64"), "reference": "str", "reason": "str"})


def _distribution(taus: ReferenceTaus) -> dict[str, Any]:
    """Return one row of `MixedGolds.taus`; NA if nothing is defined."""
    known = taus.values[taus.defined]
    spread: dict[str, Any] = dict.fromkeys(SPREAD, pd.NA)
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
    frame = frame.loc[at_top > 0].sort_values("at_top", ascending=False, kind="stable", ignore_index=True)
    return pd.DataFrame(frame.assign(share=frame["at_top"] / draws))
