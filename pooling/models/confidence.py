"""How sure a model is, from the log-probabilities of the token that has the grade.

exp(logprob) of the tokens that are a grade of the scale is added up for each grade and divided by the sum. Grades that
the server does not list count as 0. Without log-probabilities, or if no token has the grade alone, there is no
confidence: it is never guessed.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pooling.models.scale import Scale, values_of

_PLACES = {"json": re.compile(r'"grade"\s{0,20}:\s{0,20}(\d)'), "line": re.compile(r"(?i)grade\W{1,20}(\d)")}
_DIGIT = re.compile(r"\D{0,20}(\d)\D{0,20}")
MOST_TOKENS = 100_000


@dataclass(frozen=True)
class Confidence:
    """`probabilities` of the grades add up to 1. `covered` is the sum before that: how much the listed tokens have."""

    probabilities: Mapping[int, float]
    covered: float

    @property
    def expected(self) -> float:
        """The mean of the grades by their probabilities."""
        return sum(grade * share for grade, share in self.probabilities.items())

    def of(self, grade: int) -> float:
        """The probability of a grade."""
        return self.probabilities.get(grade, 0.0)


def confidence_of(tokens: Any, grade: int, scale: Scale, form: str = "json") -> Confidence | None:
    """Return the probabilities of the grades, or None if the answer does not have them.

    Parameters
    ----------
    tokens : list of dict
        `choices[0].logprobs.content` of an answer: `token`, `logprob` and `top_logprobs`.
    grade : int
        The grade that was read from the answer.
    scale : tuple of PoolGrade
        The scale, as `checked_scale` returns it.
    form : {"json", "line"}
        What the prompt asks for.

    Examples
    --------
    >>> from pooling.models.scale import checked_scale
    >>> top = [{"token": "1", "logprob": math.log(0.6)}, {"token": "0", "logprob": math.log(0.2)}]
    >>> chosen = {"token": "1", "logprob": math.log(0.6), "top_logprobs": top}
    >>> tokens = [{"token": '{"grade": '}, chosen, {"token": "}"}]
    >>> found = confidence_of(tokens, 1, checked_scale([(0,), (1,)]))
    >>> round(found.of(1), 6), round(found.expected, 6), round(found.covered, 6)
    (0.75, 0.75, 0.8)
    """
    if not isinstance(tokens, list) or len(tokens) > MOST_TOKENS or not all(map(_is_token, tokens)):
        return None
    found = _token_of_grade(tokens, grade, form)
    if found is None:
        return None
    shares = dict.fromkeys(values_of(scale), 0.0)
    for value, share in _alternatives(found):
        if value in shares:
            shares[value] += share
    covered = sum(shares.values())
    if not covered or not shares.get(grade):
        return None
    return Confidence({value: share / covered for value, share in shares.items()}, min(covered, 1.0))


def _is_token(token: Any) -> bool:
    return isinstance(token, dict) and isinstance(token.get("token"), str)


def _token_of_grade(tokens: list[dict[str, Any]], grade: int, form: str) -> dict[str, Any] | None:
    """Return the token with the digit of the last grade, if the answer has this grade there."""
    text = "".join(token["token"] for token in tokens)
    places = list(_PLACES[form].finditer(text))
    if not places or int(places[-1][1]) != grade:
        return None
    start = places[-1].start(1)
    end = 0
    for token in tokens:
        end += len(token["token"])
        if end > start:
            return token if _grade_in(token) == grade else None
    return None


def _alternatives(token: dict[str, Any]) -> Iterator[tuple[int, float]]:
    """Yield the grades of the token and of what could have stood there, each text once, with their probabilities."""
    others = token.get("top_logprobs")
    seen = set()
    for each in chain([token], others if isinstance(others, list) else []):
        if _is_token(each) and each["token"] not in seen:
            seen.add(each["token"])
            value, share = _grade_in(each), _probability(each.get("logprob"))
            if value is not None and share:
                yield value, share


def _grade_in(token: dict[str, Any]) -> int | None:
    """Return the only digit of a token, around which it may have signs such as a blank or a brace."""
    match = _DIGIT.fullmatch(token["token"])
    return int(match[1]) if match else None


def _probability(logprob: Any) -> float:
    if isinstance(logprob, bool) or not isinstance(logprob, int | float) or not logprob <= 0:
        return 0.0
    return math.exp(logprob) if math.isfinite(logprob) else 0.0
