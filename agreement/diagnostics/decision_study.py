"""The result of a generalisability study, and the decision study that follows from its variance components."""

from __future__ import annotations  # help() shows the names of type aliases

from dataclasses import dataclass
from math import ceil

import pandas as pd

from agreement.checks import choice, level, whole_number
from agreement.estimate import format_value
from agreement.reasons import REASONS
from pooling.result import Result
from pooling.words import count

COEFFICIENTS = ("generalisability", "dependability")


@dataclass(frozen=True, repr=False)
class Generalisability(Result):
    """Variance components of documents and judges; returned by the function `generalisability`.

    Parameters
    ----------
    design : {"crossed", "nested"}
        Documents and judges, or documents in topics and judges.
    components : dict of str to float
        The variance of each source, 0 or more: "documents", "judges" and "residual", in the nested design also "topics"
        and "topics x judges". Empty if undefined.
    mean_squares : dict of str to float
        The mean square of each source.
    df : dict of str to int
        The degrees of freedom of each source.
    n_judges : int
        Number of judges.
    n : int
        Number of documents that all judged.
    n_topics : int
        Number of their topics.
    n_dropped : int
        Number of documents left out because only some of the judges judged them.
    below_zero : tuple of str
        The sources whose estimate was below 0.
    status : {"ok", "undefined"}
        Whether there are components.
    reason : str or None
        Why there are none.

    Examples
    --------
    >>> from agreement import Ratings, generalisability
    >>> study = generalisability(Ratings.from_matrix([[0, 1, 4], [1, 2, 4]], scale=range(5), axis="assessors"))
    >>> study.decision_study(3)[["n_judges", "generalisability", "dependability"]].round(3)
       n_judges  generalisability  dependability
    0         1              0.95          0.905
    1         2             0.974           0.95
    2         3             0.983          0.966
    """

    design: str
    components: dict[str, float]
    mean_squares: dict[str, float]
    df: dict[str, int]
    n_judges: int
    n: int
    n_topics: int
    n_dropped: int
    below_zero: tuple[str, ...] = ()
    status: str = "ok"
    reason: str | None = None

    @property
    def defined(self) -> bool:
        """Whether there are components."""
        return self.status == "ok"

    @property
    def generalisability(self) -> float | None:
        """How well the mean of these judges orders documents, 0 to 1; None if undefined."""
        return self._coefficient("generalisability", self.n_judges)

    @property
    def dependability(self) -> float | None:
        """How well the mean of these judges determines the grades of documents, 0 to 1; None if undefined."""
        return self._coefficient("dependability", self.n_judges)

    def to_frame(self) -> pd.DataFrame:
        """The sources of variance.

        Returns
        -------
        DataFrame
            source, df (Int64), mean_square, component and share (of the sum of the components; Float64); without rows
            if undefined.
        """
        rows = [[name, self.df[name], self.mean_squares[name], value] for name, value in self.components.items()]
        frame = pd.DataFrame(rows, columns=["source", "df", "mean_square", "component"])
        frame["share"] = frame["component"] / (sum(self.components.values()) or 1)
        return frame.astype({"df": "Int64", "mean_square": "Float64", "component": "Float64", "share": "Float64"})

    def decision_study(self, most: int = 10) -> pd.DataFrame:
        """The coefficients for the mean of 1, 2, ... judges.

        Parameters
        ----------
        most : int, optional
            The largest number of judges, 1 or more.

        Returns
        -------
        DataFrame
            n_judges, order_error and grade_error (variances of the error), generalisability and dependability
            (Float64; NA if there is no variance at all); without rows if the study is undefined.
        """
        most = whole_number("most", most, 1)
        numbers = range(1, most + 1) if self.defined else range(0)
        rows = [
            [
                m,
                *(self._error(name) / m for name in COEFFICIENTS),
                *(self._coefficient(name, m) for name in COEFFICIENTS),
            ]
            for m in numbers
        ]
        columns = ["n_judges", "order_error", "grade_error", *COEFFICIENTS]
        return pd.DataFrame(rows, columns=columns).astype({"n_judges": "int64"} | dict.fromkeys(columns[1:], "Float64"))

    def judges_needed(self, target: float, coefficient: str = "generalisability") -> int | None:
        """The smallest number of judges with which a coefficient reaches a target.

        Parameters
        ----------
        target : float
            The value to reach, between 0 and 1.
        coefficient : {"generalisability", "dependability"}, optional
            Whether the order of documents matters, or their grades too.

        Returns
        -------
        int or None
            None if no number of judges is enough, because documents do not differ, or if the study is undefined.
        """
        target, error = level("target", target, 0.8), self._error(choice("coefficient", coefficient, COEFFICIENTS))
        signal = self.components.get("documents", 0.0)
        if not signal:
            return None
        enough = max(1, ceil(target / (1 - target) * error / signal))
        fewer = self._coefficient(coefficient, enough - 1) if enough > 1 else None  # rounding may have added one
        return enough - 1 if fewer is not None and fewer >= target else enough

    def _error(self, coefficient: str) -> float:
        """The variance of the error of one judge."""
        order = self.components.get("residual", 0.0)
        if coefficient == "generalisability":
            return order
        return order + self.components.get("judges", 0.0) + self.components.get("topics x judges", 0.0)

    def _coefficient(self, coefficient: str, m: int) -> float | None:
        if not self.defined:
            return None
        signal = self.components["documents"]
        total = signal + self._error(coefficient) / m
        return signal / total if total else None

    def _sentence(self) -> str:
        basis = f"{self.design}, {count(self.n, 'document')} that all {count(self.n_judges, 'judge')} judged"
        basis += f" in {count(self.n_topics, 'topic')}" if self.design == "nested" else ""
        basis += f", {self.n_dropped} left out" if self.n_dropped else ""
        if not self.defined:
            return f"undefined ({REASONS[self.reason or 'empty']}), {basis}"
        both = [f"{name} {format_value(self._coefficient(name, self.n_judges))}" for name in COEFFICIENTS]
        notes = [f"estimate below 0 counts as 0: {', '.join(self.below_zero)}"] if self.below_zero else []
        return "; ".join([", ".join([*both, basis]), *notes])
