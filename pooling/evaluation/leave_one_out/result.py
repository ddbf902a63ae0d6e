"""What leaving out showed: the runs that owe most to having been pooled, and how much all of them do."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

TIE = 1e-12


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """Scores and ranks of every run with and without its own contribution; made by `pooling.evaluation.leave_one_out.leave_one_out`.

    Attributes
    ----------
    frame : DataFrame
        A row for each system, ascending: system, group (str, only by group); n_lost, n_lost_relevant (int64: judged
        and relevant documents that the gold loses without the system, or its group), n_gained (int64: judged
        documents that a pool of fixed size takes in instead); score, score_without, change (float64);
        relative_change (Float64: change / score, NA with a `reason` where the score is 0); rank, rank_without,
        rank_change (int64).
    by : {"system", "group"}
        What was left out.
    strategy : str
    parameters : dict
        Of the strategy, its seed among them.
    n_topics : int
        Of the gold.
    n_judged, n_outside : int
        Judged documents in the pool of all runs, and outside of it.
    outside : {"not judged", "kept"}
        What became of the latter.
    """

    frame: pd.DataFrame
    by: str
    strategy: str
    parameters: dict
    n_topics: int
    n_judged: int
    n_outside: int
    outside: str

    @property
    def largest_fall(self) -> float:
        """How much score the run loses that loses most; 0 where none loses any."""
        return max(0.0, float(-self.frame["change"].min()))

    @property
    def fell_most(self) -> tuple[str, ...]:
        """The systems that lose that much, all that are tied; none where none loses any."""
        return self._worst(-self.frame["change"], TIE)

    @property
    def largest_rank_fall(self) -> int:
        """How many ranks the run falls that falls deepest; 0 where none falls."""
        return max(0, int(self.frame["rank_change"].max()))

    @property
    def fell_deepest(self) -> tuple[str, ...]:
        """The systems that fall by that many ranks, all that are tied; none where none falls."""
        return self._worst(self.frame["rank_change"], 0)

    @property
    def mean_absolute_change(self) -> float:
        """Mean over systems of the absolute change of the score."""
        return float(self.frame["change"].abs().mean())

    @property
    def mean_absolute_rank_change(self) -> float:
        """Mean over systems of the absolute change of the rank."""
        return float(self.frame["rank_change"].abs().mean())

    def describe(self) -> str:
        """The answer in words, and what it rests on."""
        own = "it" if self.by == "system" else "its group"
        if not self.fell_most:
            return f"No run loses score where {own} is left out of the pool ({self._basis()})."
        return (
            f"Where {own} is left out of the pool, a run loses at most {self.largest_fall:.4f} of score"
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

    def _worst(self, losses: pd.Series, tie: float) -> tuple[str, ...]:
        worst = losses.max()
        return tuple(self.frame["system"][losses >= worst - tie]) if worst > tie else ()


def named(systems: Sequence[str], most: int = 3) -> str:
    """The names of some systems, the first few where there are many."""
    names = list(systems)
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"
