"""Asks for three pairs first, and estimates what all of them take: seconds, tokens and money.

The tokens of the input grow with the characters that are sent; those of the output are the mean of the three. Three
documents say little about a pool of long and short ones, so every estimate names them as its basis.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean

from pooling.models.answers import Answer, Judge, Pair, Usage
from pooling.models.ask import ask, in_drawn_order
from pooling.models.budget import Price
from pooling.models.chat import LIMITS
from pooling.models.prompts import Message
from pooling.outgoing import ANY_HOST, AllowedHosts, Limits
from pooling.words import count

TRIED = 3


@dataclass(frozen=True)
class Estimate:
    """What all pairs with a text take: their number, seconds at a concurrency, tokens, and money."""

    pairs: int
    seconds: float
    concurrency: int
    usage: Usage
    cost: float


@dataclass(frozen=True)
class DryRun:
    """What a dry run found.

    Attributes
    ----------
    answers : tuple of Answer
        Three answers, or fewer if there are fewer pairs.
    prompts : tuple of list of Message
        What the model read of each.
    estimate : Estimate or None
        What all pairs take.
    problem : str
        Why there is no estimate.

    Examples
    --------
    >>> from pooling.models import CallableJudge, Pair, checked_scale, dry_run
    >>> judge = CallableJudge(lambda topic, text: 1, checked_scale([(0,), (1,)]), "always 1")
    >>> dry_run(judge, [Pair("1", "d1", {"title": "tea"}, "text")], seed=1).summary()
    'The answers have no numbers of tokens, so nothing can be estimated.'
    """

    answers: tuple[Answer, ...]
    prompts: tuple[list[Message], ...]
    estimate: Estimate | None
    problem: str = ""

    def summary(self) -> str:
        """Return the estimate as a sentence."""
        if self.estimate is None:
            return self.problem
        found, tried = self.estimate, count(len(self.answers), "answer")
        cost = f" and {found.cost:,.2f} in the currency of the price" if found.cost else ""
        return (
            f"Estimated from {tried}: {count(found.pairs, 'document')} take {found.seconds:,.0f} seconds with "
            f"{count(found.concurrency, 'request')} at a time, and {found.usage.total:,} tokens{cost}."
        )


def dry_run(
    judge: Judge,
    pairs: Iterable[Pair],
    *,
    seed: int,
    price: Price | None = None,
    concurrency: int = 4,
    limits: Limits = LIMITS,
    allowed: AllowedHosts = ANY_HOST,
) -> DryRun:
    """Ask for the first three pairs of the drawn order, one after the other.

    The answers can be saved: `ask` with the same seed begins with the same pairs, and skips them.

    Parameters
    ----------
    judge : Judge
        Whom to ask.
    pairs : iterable of Pair
        All pairs. Each text is read once, to count its characters.
    seed : int
        Draws the order.
    price : Price, optional
        The price of a million tokens; by default 0.
    concurrency : int
        How many requests will run at the same time later, for the estimate of the seconds.
    limits, allowed
        The limits of requests, and the hosts that may be asked.

    Examples
    --------
    >>> from pooling.models import CallableJudge, Pair, checked_scale, dry_run
    >>> judge = CallableJudge(lambda topic, text: 1, checked_scale([(0,), (1,)]), "always 1")
    >>> pairs = [Pair("1", doc_id, {"title": "tea"}, "text") for doc_id in "abcde"]
    >>> [answer.grade for answer in dry_run(judge, pairs, seed=1).answers]
    [1, 1, 1]
    """
    with_text = [(pair, judge.size(pair)) for pair in in_drawn_order(pairs, seed) if pair.has_text()]
    tried = [pair for pair, _ in with_text[:TRIED]]
    answers = tuple(ask(judge, tried, seed=seed, concurrency=1, limits=limits, allowed=allowed))
    estimate = _estimate(answers, [size for _, size in with_text], price or Price(), concurrency)
    problem = "" if estimate else _problem(answers)
    return DryRun(answers, tuple(judge.messages(pair) for pair in tried), estimate, problem)


def _estimate(answers: tuple[Answer, ...], sizes: list[int], price: Price, concurrency: int) -> Estimate | None:
    """Return what all pairs take. The answers are those of the first sizes, in their order."""
    known = [(answer.usage, size) for answer, size in zip(answers, sizes, strict=False) if answer.usage]
    if not known:
        return None
    characters = max(sum(size for _, size in known), 1)
    given = round(sum(usage.input for usage, _ in known) / characters * sum(sizes))
    written, thought = (
        round(mean(getattr(usage, name) for usage, _ in known) * len(sizes)) for name in ("output", "reasoning")
    )
    usage = Usage(given, written, thought, is_estimated=True)
    seconds = mean(answer.seconds for answer in answers) * len(sizes) / concurrency
    return Estimate(len(sizes), seconds, concurrency, usage, price.cost(usage))


def _problem(answers: tuple[Answer, ...]) -> str:
    if not answers:
        return "No document has a text."
    if failure := next((answer.detail for answer in answers if answer.reason == "not_answered"), ""):
        return failure
    return "The answers have no numbers of tokens, so nothing can be estimated."
