"""What may be spent, and what has been: tokens and money.

Before a request, its most expensive outcome is reserved: the tokens of its text and the longest answer. The tokens of a
text are its characters by the highest ratio seen so far, or half of them before the first answer. A request begins only
if what was spent and what is reserved stays within the budget. What a server does not report counts as reserved.
"""

from dataclasses import dataclass, field

from pooling.models.answers import Answer, Usage

TOKENS_PER_CHARACTER = 0.5  # more than in most languages, until the server reports
MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """The price of a million tokens, in any currency.

    Parameters
    ----------
    input, output : float
        The price of what is sent, and of what is written, including the tokens of reasoning.
    cached : float, optional
        The price of what is sent and the server had cached; by default that of the input.

    Raises
    ------
    ValueError
        If a price is negative or not finite.

    Examples
    --------
    >>> from pooling.models import Price
    >>> from pooling.models.answers import Usage
    >>> Price(input=1.0, output=4.0).cost(Usage(input=2_000_000, output=500_000))
    4.0
    """

    input: float = 0.0
    output: float = 0.0
    cached: float | None = None

    def __post_init__(self) -> None:
        for name in ("input", "output", "cached"):
            value = getattr(self, name)
            if value is not None:
                _check_limit(f"The price of {name}", value)

    def cost(self, usage: Usage) -> float:
        """Return what tokens cost. Tokens of reasoning are part of the output.

        Parameters
        ----------
        usage : Usage
            The tokens.
        """
        cached = self.input if self.cached is None else self.cached
        fresh = usage.input - usage.cached
        return (fresh * self.input + usage.cached * cached + usage.output * self.output) / MILLION


@dataclass(frozen=True)
class Budget:
    """The most that may be spent.

    Parameters
    ----------
    tokens : int, optional
        The most tokens; None is no limit.
    cost : float, optional
        The most money, which needs a price; None is no limit.
    price : Price
        The price of a million tokens.

    Raises
    ------
    ValueError
        If a limit is negative or not finite, or money has no price.

    Examples
    --------
    >>> from pooling.models import Budget, Price
    >>> from pooling.models.answers import Usage
    >>> budget = Budget(cost=1.0, price=Price(input=0.5, output=2.0))
    >>> budget.allows(Usage(input=1_000_000)), budget.allows(Usage(input=3_000_000))
    (True, False)
    """

    tokens: int | None = None
    cost: float | None = None
    price: Price = field(default_factory=Price)

    def __post_init__(self) -> None:
        for name in ("tokens", "cost"):
            value = getattr(self, name)
            if value is not None:
                _check_limit(f"The budget of {name}", value)
        if self.cost is not None and not (self.price.input or self.price.output):
            raise ValueError("A budget of money needs the price of a million tokens.")

    def allows(self, usage: Usage) -> bool:
        """Whether tokens stay within both limits.

        Parameters
        ----------
        usage : Usage
            The tokens.
        """
        within = self.tokens is None or usage.total <= self.tokens
        return within and (self.cost is None or self.price.cost(usage) <= self.cost)


class Ledger:
    """Counts what is spent and what is reserved. It belongs to one thread."""

    def __init__(self, budget: Budget, most_output: int) -> None:
        self._budget, self._most_output = budget, most_output
        self._ratio = TOKENS_PER_CHARACTER
        self._has_ratio = False
        self._reserved: dict[str, Usage] = {}
        self.spent = Usage()

    @property
    def cost(self) -> float:
        return self._budget.price.cost(self.spent)

    def expected(self, size: int) -> Usage:
        """Return the most tokens of a request with so many characters."""
        return Usage(int(size * self._ratio) + 1, self._most_output, is_estimated=True)

    def reserve(self, key: str, size: int) -> bool:
        """Reserve a request, and return whether the budget allows it."""
        wanted = self.expected(size)
        total = sum(self._reserved.values(), self.spent) + wanted
        if self._budget.allows(total):
            self._reserved[key] = wanted
            return True
        return False

    def settle(self, answer: Answer, size: int) -> None:
        """Count what an answer cost, and drop its reservation."""
        reserved = self._reserved.pop(answer.key, Usage())
        if answer.usage:
            self.spent += answer.usage
            self._learn(answer.usage.input, size)
        elif _may_be_billed(answer):
            self.spent += reserved

    def _learn(self, tokens: int, size: int) -> None:
        ratio = tokens / max(size, 1)
        self._ratio = max(self._ratio, ratio) if self._has_ratio else ratio
        self._has_ratio = True


def _may_be_billed(answer: Answer) -> bool:
    """Whether a server may have worked for an answer of unknown cost: it answered 200, or was cut off meanwhile."""
    return any(attempt.status in (None, 200) for attempt in answer.attempts)


def _check_limit(name: str, value: object) -> None:
    if type(value) not in (int, float) or not 0 <= float(str(value)) < float("inf"):
        raise ValueError(f"{name} must be a number from 0, not {value!r}.")
