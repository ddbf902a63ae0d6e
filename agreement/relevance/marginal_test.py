"""The result of a test whether two judges give the grades equally often."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from agreement.reasons import REASONS
from pooling.result import Result
from pooling.words import shown_p


@dataclass(frozen=True, repr=False)
class MarginalTest(Result):
    """A test of the totals of two judges; returned by `mcnemar`, `stuart_maxwell` and `bhapkar`.

    Parameters
    ----------
    test : str
        "mcnemar", "stuart_maxwell" or "bhapkar".
    statistic : float or None
        The statistic: the smaller of two counts for McNemar's exact test, else chi-squared. None if it is undefined.
    df : int or None
        The degrees of freedom of chi-squared; None for the exact test and if the test is undefined.
    p : float or None
        The probability of totals at least as different if both judges have the same distribution of grades; two-sided.
    n : int
        Number of items that both judged.
    n_disagreeing : int
        Number of these items to which the judges gave different grades.
    n_dropped : int
        Number of items left out because only one of the judges judged them.
    assessors : tuple of str
        The two judges; empty if only counts are known.
    convention : str
        The variant of the test and what it compares.
    status : {"ok", "undefined"}
        Whether there is a statistic.
    reason : str or None
        Why there is none: "empty", "one_assessor", "no_identities", "no_overlap", "no_disagreement" or "singular".

    Examples
    --------
    >>> from agreement import mcnemar
    >>> test = mcnemar([[80, 10], [2, 20]])
    >>> test.statistic, round(test.p, 4), test.n_disagreeing
    (2.0, 0.0386, 12)
    >>> print(mcnemar([[80, 0], [0, 20]]))
    mcnemar undefined (no disagreement), n = 100, 0 disagreeing, exact, relevant from grade 1, 0 only a, 0 only b
    """

    test: str
    statistic: float | None
    df: int | None
    p: float | None
    n: int
    n_disagreeing: int
    n_dropped: int = 0
    assessors: tuple[str, ...] = ()
    convention: str = ""
    status: str = "ok"
    reason: str | None = None

    @property
    def defined(self) -> bool:
        """Whether there is a statistic."""
        return self.status == "ok"

    def shown(self) -> str:
        """The statistic and p as text, or "undefined (...)" with the reason."""
        if self.statistic is None or self.p is None:
            return f"undefined ({REASONS[self.reason or 'empty']})"
        if self.df is None:
            return f"{self.statistic:.0f}, {shown_p(self.p)}"
        return f"chi-squared {self.statistic:.3f}, df = {self.df}, {shown_p(self.p)}"

    def __str__(self) -> str:
        parts = [f"{self.test.replace('_', ' ')} {self.shown()}", f"n = {self.n}", f"{self.n_disagreeing} disagreeing"]
        parts += [f"{self.n_dropped} dropped"] if self.n_dropped else []
        return ", ".join([*parts, *([self.convention] if self.convention else [])])

    def to_frame(self) -> pd.DataFrame:
        """One row with the figures.

        Returns
        -------
        DataFrame of shape (1, 10)
            test, statistic, p (Float64; NA if undefined), df, n, n_disagreeing, n_dropped (Int64), status, reason (NA
            if there is a statistic) and convention.
        """
        names = ("test", "statistic", "p", "df", "n", "n_disagreeing", "n_dropped", "status", "reason", "convention")
        types = dict.fromkeys(names[1:3], "Float64") | dict.fromkeys(names[3:7], "Int64") | {"reason": "string"}
        return pd.DataFrame([{name: getattr(self, name) for name in names}]).astype(types)

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values.

        Returns
        -------
        dict
            A key for each parameter of the class; tuples are lists.
        """
        return vars(self) | {"assessors": list(self.assessors)}

    def _sentence(self) -> str:
        return str(self)
