"""What a statistic returns: a number that says what it is, or the reason why there is none.

`status` is "ok" or "undefined". An undefined estimate has `value` None and a `reason`:

============== ====================================================================
reason         meaning
============== ====================================================================
one_category   every judgement has the same grade, so that chance explains it all
no_overlap     no item was judged by two
one_assessor   there is no second assessor
empty          there is no judgement at all
no_identities  only counts are known, not who said what
one_system     a rank correlation needs two systems
all_tied       all systems have the same score under one of the golds
no_topics      two golds have no topic in common
no_relevant    the set of relevant documents that is divided by is empty
no_nonrelevant everything was found relevant, and the others are divided by
============== ====================================================================

Data such as these occur on any day of a judging campaign: they are a result, not an error. `observed` and `n`
are still given where they exist.
"""

from dataclasses import asdict, dataclass

REASONS = {
    "one_category": "one category",
    "no_overlap": "no overlap",
    "one_assessor": "one assessor",
    "empty": "empty",
    "no_identities": "who said what is not known",
    "one_system": "fewer than two systems",
    "all_tied": "all systems tied",
    "no_topics": "no topic in common",
    "no_relevant": "nothing relevant",
    "no_nonrelevant": "nothing not relevant",
}
ALPHA = "krippendorff_alpha"


@dataclass(frozen=True)
class Estimate:
    """One coefficient, with what it rests on.

    Attributes
    ----------
    value : float or None
        The coefficient, not rounded; None where it is undefined.
    coefficient : str
        Its name, such as "pooled_kappa".
    status : str
        "ok" or "undefined".
    reason : str or None
        Why it is undefined: a key of `REASONS`.
    observed, expected : float or None
        P(A), the observed agreement, and P(E), the agreement expected by chance; both in [0, 1]. For alpha the
        observed and expected disagreements, Do and De, in the units of its metric; `convention` says so.
    n : int or None
        Number of items used: those that two or more judged; for a rank correlation, the number of systems.
        None where only proportions were given.
    n_values : int or None
        Number of judgements used.
    n_dropped : int
        Number of items left out because only one assessor judged them.
    assessors : tuple of str
        Whose judgements these are; empty where only counts were given.
    topics : tuple of str
        The query_ids that the value rests on; empty where only counts were given.
    convention : str
        How chance was taken ("pooled", "unpooled"), the weights, and how topics and pairs were combined.
    n_averaged : int or None
        For a mean: how many values went into it.
    skipped : tuple of (str, str)
        For a mean: what was left out, and for which reason.
    band : str or None
        "good", "fair" or "dubious"; None where the coefficient is no kappa or is undefined.
    se : float or None
        Standard error by the `method` of the interval; None where no interval was asked.
    se_null : float or None
        Standard error if the judges agreed by chance only, for a test of that; not for intervals.
    low, high : float or None
        Limits of the interval.
    level : float or None
        Its level of confidence, such as 0.95.
    method : str or None
        How it was made, with the number of draws and the seed.
    warnings : tuple of str
        Why the interval may be worth less than it seems.
    """

    value: float | None
    coefficient: str
    status: str = "ok"
    reason: str | None = None
    observed: float | None = None
    expected: float | None = None
    n: int | None = None
    n_values: int | None = None
    n_dropped: int = 0
    assessors: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    convention: str = ""
    n_averaged: int | None = None
    skipped: tuple[tuple[str, str], ...] = ()
    band: str | None = None
    se: float | None = None
    se_null: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    method: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return self.status == "ok"

    def shown(self, digits: int = 3) -> str:
        """The value rounded to `digits`, or "undefined (why)"."""
        return shown(self.value, self.reason, digits)

    def __str__(self) -> str:
        observed, expected = ("Do", "De") if self.coefficient == ALPHA else ("P(A)", "P(E)")
        parts = [f"{self.coefficient.replace('_', ' ')} {self.shown()}"]
        parts += [self.band] if self.band else []
        parts += [self._interval()] if self.low is not None else []
        parts += [f"n = {self.n}"] if self.n is not None else []
        parts += [f"{self.n_dropped} dropped"] if self.n_dropped else []
        parts += [f"{observed} = {self.observed:.3f}"] if self.observed is not None else []
        parts += [f"{expected} = {self.expected:.3f}"] if self.expected is not None else []
        parts += [self.convention] if self.convention else []
        parts += [f"mean of {self.n_averaged}, {len(self.skipped)} left out"] if self.n_averaged is not None else []
        return ", ".join([*parts, *self.warnings])

    def _interval(self) -> str:
        return f"{100 * self.level:g}% interval {shown(self.low)} to {shown(self.high)} ({self.method})"

    def to_dict(self) -> dict:
        """Every field, as JSON can hold it."""
        fields = asdict(self)
        lists = {name: list(value) for name, value in fields.items() if isinstance(value, tuple)}
        return fields | lists | {"skipped": [list(pair) for pair in self.skipped]}


def undefined(coefficient: str, reason: str, **fields) -> Estimate:
    """An estimate without a value; `reason` is a key of `REASONS`."""
    if reason not in REASONS:
        raise ValueError(f"{reason!r} is no reason; there are {', '.join(REASONS)}")
    return Estimate(None, coefficient, status="undefined", reason=reason, **fields)


def shown(value: float | None, reason: str | None = None, digits: int = 3) -> str:
    """A value rounded for display, or "undefined (why)" where `reason` is a key of `REASONS`."""
    return f"undefined ({REASONS[reason]})" if reason else f"{value:z.{digits}f}"
