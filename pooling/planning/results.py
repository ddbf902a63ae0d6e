"""The results of `plan`, `plan_overlap`, `expected_width` and `plan_hours`."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pooling.result import Result
from pooling.words import percent

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class OverlapPlan(Result):
    """The number of documents that two assessors should both judge.

    Attributes
    ----------
    pairs : int or None
        Number of doubly judged topic-document pairs; None if undefined.
    width : float or None
        Expected width of the interval with this number, from its lower to its upper limit; None if undefined.
    kappa, prevalence, bias, confidence : float
        The arguments of the plan.
    status : {"ok", "undefined"}
        Whether the plan is defined.
    reason : str or None
        Why the plan is undefined; None if it is defined.
    warning : str or None
        Why the interval may contain kappa less often than `confidence` says; None if at least 10 documents on which the
        assessors differ, 10 that both find relevant and 10 that both do not are expected.
    """

    pairs: int | None
    width: float | None
    kappa: float
    prevalence: float
    bias: float
    confidence: float
    status: str = "ok"
    reason: str | None = None
    warning: str | None = None

    def to_frame(self) -> "pd.DataFrame":
        """One row with all figures; NA where the plan is undefined."""
        import pandas as pd  # slow to import

        types = {"pairs": "Int64", "width": "Float64", "reason": "string"}
        return pd.DataFrame([asdict(self)]).astype(types)

    def _sentence(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if self.status != "ok":
            return f"undefined ({self.reason})"
        return self._interval() if self.warning is None else f"{self._interval()}; {self.warning}"

    def _interval(self) -> str:
        bias = f" and bias {self.bias:g}" if self.bias else ""
        return (
            f"{self.pairs:,} doubly judged documents give a {percent(self.confidence)} interval of width"
            f" {self.width:.3f} for kappa {self.kappa:g} at prevalence {self.prevalence:g}{bias}"
        )


@dataclass(frozen=True, repr=False)
class HoursPlan(Result):
    """The cost of judging a pool.

    Attributes
    ----------
    judgements : int
        Number of judgements, including hidden repeats.
    repeats : int
        Number of hidden repeats.
    hours : float
        Hours of all assessors together.
    hours_per_assessor : float
        Hours of the assessor with the most judgements.
    assessors : int
        Number of assessors.
    seconds_per_judgement : float
        Seconds per judgement.
    """

    judgements: int
    repeats: int
    hours: float
    hours_per_assessor: float
    assessors: int
    seconds_per_judgement: float

    def to_frame(self) -> "pd.DataFrame":
        """One row with all figures."""
        import pandas as pd  # slow to import

        return pd.DataFrame([asdict(self)])

    def _sentence(self) -> str:
        return str(self)

    def __str__(self) -> str:
        share = f", {self.hours_per_assessor:,.1f} for each of {self.assessors}" if self.assessors > 1 else ""
        repeats = f" ({self.repeats:,} of them hidden repeats)" if self.repeats else ""
        return (
            f"{self.judgements:,} judgements{repeats} of {self.seconds_per_judgement:g} seconds take"
            f" {self.hours:,.1f} assessor-hours{share}"
        )


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """A plan for a pool that is judged once, and partly twice to estimate kappa.

    Attributes
    ----------
    overlap : OverlapPlan
        The number of documents to judge twice.
    share : float or None
        The share of the pool to judge twice, for `overlap_sample(share, 2)`; 1 if the pool is too small, None if the
        overlap is undefined.
    enough : bool
        Whether the pool has as many documents as the overlap needs.
    hours : HoursPlan
        The cost; nothing is judged twice if the overlap is undefined.
    """

    overlap: OverlapPlan
    share: float | None
    enough: bool
    hours: HoursPlan

    def to_frame(self) -> "pd.DataFrame":
        """One row with the figures of `overlap`, share, enough, and the figures of `hours`."""
        import pandas as pd  # slow to import

        row = self.overlap.to_frame().assign(share=pd.array([self.share], dtype="Float64"), enough=self.enough)
        return pd.concat([row, self.hours.to_frame()], axis=1)

    def _sentence(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if self.share is None:
            return f"No overlap can be planned: {self.overlap.reason}. Judged once: {self.hours}."
        warnings = "" if self.enough else " The pool is smaller than that."
        if self.overlap.warning is not None:
            warnings += f" {self.overlap.warning[0].upper()}{self.overlap.warning[1:]}."
        return f"{self.overlap._interval()}: {self.share:.1%} of the pool.{warnings} {self.hours}."
