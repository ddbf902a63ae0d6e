"""Reads the grade of a model's answer, strictly: what is not exactly a grade is "cannot judge" with a reason.

An answer is a JSON object with the whole number `grade`, alone or in one fenced block. No digit elsewhere in a text is
taken for a grade: guessing turns refusals and cut-off answers into grades that nobody gave.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pooling.errors import shown

MAX_ANSWER = 1_000_000  # characters
_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*?)\n?```\Z", re.DOTALL)
STOPPED = {
    "length": "the answer was cut off",
    "content_filter": "the endpoint filtered the answer",
    "tool_calls": "the model called a tool",
}


@dataclass(frozen=True)
class ModelGrade:
    """The grade of an answer, or None with the reason why there is none.

    `probabilities` has the share of each grade of the scale, if the endpoint gave log-probabilities; otherwise it is
    None. `expected` is the mean grade under them.
    """

    grade: int | None
    reason: str = ""
    probabilities: Mapping[int, float] | None = None

    @property
    def expected(self) -> float | None:
        """The mean grade under the probabilities, or None without them."""
        return sum(grade * share for grade, share in self.probabilities.items()) if self.probabilities else None


def read_grade(text: str, scale: Sequence[int], finish_reason: str = "stop", refusal: str = "") -> ModelGrade:
    """Return the grade of an answer.

    Parameters
    ----------
    text : str
        The answer.
    scale : sequence of int
        The grades that are allowed.
    finish_reason : str
        Why the model stopped, as the endpoint says.
    refusal : str
        What the model said instead of an answer.

    Returns
    -------
    ModelGrade
        With the grade, or None and a reason.

    Examples
    --------
    >>> read_grade('{"grade": 2}', [0, 1, 2, 3]).grade
    2
    >>> read_grade("The grade is 2.", [0, 1, 2, 3]).reason
    'the answer is no JSON object'
    """
    if refusal:
        return ModelGrade(None, f"the model refused: {shown(refusal)}")
    if finish_reason in STOPPED:
        return ModelGrade(None, STOPPED[finish_reason])
    stripped = text.strip()
    if not stripped or len(stripped) > MAX_ANSWER:
        return ModelGrade(None, "the answer is too long" if stripped else "the answer is empty")
    try:
        answer = json.loads(_unfenced(stripped), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        return ModelGrade(None, str(error) if isinstance(error, _Twice) else "the answer is no JSON object")
    return _of_answer(answer, scale)


def grade_probabilities(tokens: Sequence[Mapping[str, Any]], scale: Sequence[int]) -> dict[int, float] | None:
    """Return the share of each grade at the token that holds the grade, or None if there is no such token.

    Parameters
    ----------
    tokens : sequence of mappings
        The tokens of the answer in their order, each with `token` and `top_logprobs` (mappings with `token` and
        `logprob`), as chat endpoints return them.
    scale : sequence of int
        The grades, each a single token.

    Returns
    -------
    dict or None
        The exponentials of the log-probabilities of the grades, divided by their sum.

    Examples
    --------
    >>> top = [{"token": "2", "logprob": 0.0}, {"token": "1", "logprob": 0.0}]
    >>> grade_probabilities([{"token": '{"grade": '}, {"token": "2", "top_logprobs": top}], [0, 1, 2])
    {0: 0.0, 1: 0.5, 2: 0.5}
    """
    labels = {str(grade): grade for grade in scale}
    holder = next((token for token in tokens if str(token.get("token", "")).strip() in labels), None)
    if holder is None:
        return None
    weights = dict.fromkeys(scale, 0.0)
    for each in holder.get("top_logprobs") or []:
        grade = labels.get(str(each.get("token", "")).strip())
        logprob = each.get("logprob")
        if grade is not None and isinstance(logprob, int | float) and logprob <= 0 and not math.isnan(logprob):
            weights[grade] += math.exp(logprob)
    total = sum(weights.values())
    return {grade: weight / total for grade, weight in weights.items()} if total > 0 else None


class _Twice(ValueError):  # noqa: N818 - inside this module
    """A key occurs twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise _Twice("the answer has a field twice")
    return dict(pairs)


def _unfenced(text: str) -> str:
    match = _FENCE.match(text) if text.startswith("```") else None
    return match[1] if match else text


def _of_answer(answer: Any, scale: Sequence[int]) -> ModelGrade:
    if not isinstance(answer, dict):
        return ModelGrade(None, "the answer is no JSON object")
    if "grade" not in answer:
        return ModelGrade(None, "the answer has no grade")
    grade = answer["grade"]
    if isinstance(grade, bool) or not isinstance(grade, int):
        return ModelGrade(None, f"the grade is {shown(json.dumps(grade))}, which is no whole number")
    if grade not in scale:
        return ModelGrade(None, f"the grade {shown(str(grade))} is not on the scale")
    return ModelGrade(grade)
