"""The result of mixed golds: `MixedGolds`, and its headline: does it matter which judge is the gold?

"Slightly", "moderately" and "substantially" depend on the tau_b with the ranking by mean scores that 39 of 40 mixed
golds reach (its 2.5 % quantile). The limits are those of `agreement.shift.summary`: 0.9 and 0.8.

Without enough data (`agreement.thresholds`) the headline begins with what there is and what is needed.
"""

from typing import TYPE_CHECKING  # noqa
import pandas as pd
from agreement.reasons import REASONS
from agreement.rank_correlation import TIE
from agreement.shift.summary import size_of_change
from pooling.words import count
from dataclasses import dataclass, field
from typing import Any
import numpy as np
from agreement.mixing.choices import Choices
from agreement.mixing.draws import ReferenceTaus
from agreement.reports.results import records
from agreement.thresholds import TOP, Thresholds, preliminary
from pooling.result import Figure, Result
from pooling.text_tables import rounded

if TYPE_CHECKING:
    pass


# A pair of systems swaps often if either one is ahead under at least this share of the golds.
OFTEN = 0.05


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

        If there is too little data, the headline begins with what there is and what is needed.

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
        from agreement.plots import score_ranges  # loads matplotlib

        return Figure(lambda kind: score_ranges(self.systems_frame, kind=kind, measure=self.measure, draws=self.draws))

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        """The median tau_b with each reference, and the middle 95% of the golds."""
        taus = self.taus
        names = {"reference": "reference", "n_topics": "topics", "q50": "median tau_b", "q2_5": "2.5%"}
        names |= {"q97_5": "97.5%", "least": "least", "reason": "reason"}
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


def mixing_summary(mixed: MixedGolds, digits: int = 3) -> str:
    """Return the headline of `MixedGolds`, computed from its figures; tau_b has `digits` decimals."""
    if mixed.combinations == 1:
        return f"Cannot be determined: {_single_gold(mixed)}, so there is only one gold and nothing to mix."
    against_mean = mixed.taus.iloc[0]
    if not against_mean["n_defined"]:
        return f"Cannot be determined: tau_b is undefined ({REASONS[against_mean['reason']]})."
    figures = f"Over {_basis(mixed)}, {_tau(against_mean, digits)}, {_pairs(mixed)}, and {_top(mixed)}."
    answer = f"{_answer(mixed, against_mean)} {figures}"
    return answer if mixed.enough else preliminary(answer, _there_is(mixed), mixed.thresholds.tag())


def _single_gold(mixed: MixedGolds) -> str:
    if len(mixed.judges) == 1:
        return f"{mixed.judges[0]} is the only judge"
    return "every topic has one judge"


def _there_is(mixed: MixedGolds) -> str:
    """Return what there is: the topics with two judges, and how much a mixed gold judges on average."""
    topics = f"{mixed.n_shared_topics or 'none'} of {count(mixed.n_topics, 'topic')} with two judges"
    share = mixed.judged_share
    return topics if share is None else f"{topics}, {mixed.thresholds.shown(share)} of the first {TOP} judged"


def _answer(mixed: MixedGolds, against_mean: pd.Series) -> str:
    if _top_stays(mixed) and against_mean["least"] > 1 - TIE and not against_mean["n_undefined"]:
        return "No."
    return f"Yes, {size_of_change(against_mean['q2_5'])}."


def _top_stays(mixed: MixedGolds) -> bool:
    return bool((mixed.top_changes["at_top"] == mixed.draws).all())


def _basis(mixed: MixedGolds) -> str:
    golds = count(mixed.draws, "mixed gold")
    seed = "" if mixed.exhaustive else f", seed {mixed.seed}"
    judges = f"{len(mixed.judges)} judges, {count(mixed.n_topics, 'topic')}, {mixed.measure}{seed}"
    return f"{'all ' if mixed.exhaustive else ''}{golds} ({judges})"


def _tau(against_mean: pd.Series, digits: int) -> str:
    median, low = (f"{against_mean[name]:z.{digits}f}" for name in ("q50", "q2_5"))
    text = f"tau_b with the ranking by mean scores has a median of {median} and is {low} or more under 97.5% of golds"
    undefined = against_mean["n_undefined"]
    return f"{text} (undefined under {undefined:,}: {REASONS[against_mean['reason']]})" if undefined else text


def _pairs(mixed: MixedGolds) -> str:
    number = len(mixed.unsettled(OFTEN))
    pairs = f"{number:,} of {count(len(mixed.orders), 'system pair')}" if number else "no system pair"
    return f"{pairs} {'swap' if number > 1 else 'swaps'} under at least 5% of golds"


def _top(mixed: MixedGolds) -> str:
    first, others = mixed.top_changes.iloc[0], len(mixed.top_changes) - 1
    if _top_stays(mixed):
        return f"the best system is always {f'a tie of {others + 1} systems' if others else first['system']}"
    return f"the best system is {first['system']} under {first['share']:.0%} of golds (other best systems: {others})"
