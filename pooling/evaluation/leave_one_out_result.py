"""The result of leaving out runs: the runs with the largest changes, and the mean changes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pooling.result import Result

TIE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class LeaveOneOut(Result):
    """Scores and ranks of every run with and without its own contribution; the result of `leave_one_out`.

    Attributes
    ----------
    frame : DataFrame
        One row per system, ascending, with the columns

        - system (str); with `by="group"`: group (str);
        - n_lost, n_lost_relevant (int64): judged and relevant documents that the gold loses without the system (or its
          group);
        - n_gained (int64): judged documents that a pool of fixed size contains instead;
        - score, score_without, change (float64): change = score_without - score;
        - relative_change (Float64): change / score; NA with a reason (str) if the score is 0;
        - rank, rank_without, rank_change (int64): rank_change = rank_without - rank.
    by : {"system", "group"}
        What was left out.
    strategy : str
        The name of the strategy.
    parameters : dict
        The parameters of the strategy, including the seed.
    n_topics : int
        The number of topics of the gold.
    n_judged, n_outside : int
        The number of judged documents in the pool of all runs, and outside of it.
    outside : {"not judged", "kept"}
        How judged documents outside of the pool were treated.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import leave_one_out
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> gold = pd.DataFrame({"query_id": "1", "doc_id": ["a", "b", "c"], "relevance": [1, 1, 0]})
    >>> def relevant_retrieved(runs, gold):
    ...     joined = runs.merge(gold, on=["query_id", "doc_id"])
    ...     return (joined["relevance"] > 0).groupby(joined["system"]).sum()
    >>> result = leave_one_out(runs, gold, relevant_retrieved, depth=2)
    >>> result.fell_most, result.largest_fall
    (('s',), 1.0)
    """

    frame: pd.DataFrame
    by: str
    strategy: str
    parameters: dict[str, Any]
    n_topics: int
    n_judged: int
    n_outside: int
    outside: str

    @property
    def largest_fall(self) -> float:
        """The largest loss of score of any run; 0 if no run loses."""
        return max(0.0, float(-self.frame["change"].min()))

    @property
    def fell_most(self) -> tuple[str, ...]:
        """The systems with the largest loss of score, all tied ones; empty if no run loses."""
        return self._worst(-self.frame["change"], TIE)

    @property
    def largest_rank_fall(self) -> int:
        """The largest number of ranks that any run falls; 0 if no run falls."""
        return max(0, int(self.frame["rank_change"].max()))

    @property
    def fell_deepest(self) -> tuple[str, ...]:
        """The systems that fall by the largest number of ranks, all tied ones; empty if no run falls."""
        return self._worst(self.frame["rank_change"], 0)

    @property
    def mean_absolute_change(self) -> float:
        """The mean over systems of the absolute change of the score."""
        return float(self.frame["change"].abs().mean())

    @property
    def mean_absolute_rank_change(self) -> float:
        """The mean over systems of the absolute change of the rank."""
        return float(self.frame["rank_change"].abs().mean())

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    def _sentence(self) -> str:
        return self.describe()

    def describe(self) -> str:
        """Describe the result.

        Returns
        -------
        str
            The largest and the mean changes, and the data they rest on.
        """
        unit = "it" if self.by == "system" else "its group"
        if not self.fell_most:
            return f"No run loses score if {unit} is left out of the pool ({self._basis()})."
        return (
            f"If {unit} is left out of the pool, a run loses at most {self.largest_fall:.4f} of score"
            f" ({named(self.fell_most)}) and {self._ranks()}; the mean absolute change is"
            f" {self.mean_absolute_change:.4f} in score and {self.mean_absolute_rank_change:.2f} in rank"
            f" ({self._basis()})."
        )

    def _ranks(self) -> str:
        if not self.fell_deepest:
            return "no rank"
        plural = "" if self.largest_rank_fall == 1 else "s"
        return f"at most {self.largest_rank_fall} rank{plural} ({named(self.fell_deepest)})"

    def _basis(self) -> str:
        options = ", ".join(f"{name} {value}" for name, value in self.parameters.items() if value is not None)
        return (
            f"{self.strategy}{f' with {options}' if options else ''}; systems: {len(self.frame):,};"
            f" topics: {self.n_topics:,}; judged documents in the pool: {self.n_judged:,}, outside of it:"
            f" {self.n_outside:,}, {self.outside}"
        )

    def _worst(self, losses: "pd.Series[Any]", tie: float) -> tuple[str, ...]:
        worst = losses.max()
        return tuple(self.frame["system"][losses >= worst - tie]) if worst > tie else ()


def named(systems: Iterable[str], most: int = 3) -> str:
    """The names of some systems; only the first `most` and a count if there are more."""
    names = list(systems)
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"
