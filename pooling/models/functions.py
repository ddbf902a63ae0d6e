"""A Python function as a judge."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from pooling.models.answers import Answer, OnAttempt, Pair, failed, request_key
from pooling.models.grades import Reading, read_grade
from pooling.models.prompts import Message
from pooling.models.scale import Scale, values_of
from pooling.outgoing import Client
from pooling.outgoing.client import now

Function: TypeAlias = Callable[[Mapping[str, str], str], Any]


class CallableJudge:
    """A function of topic and text that returns a grade, an answer in the form {"grade": N}, or None: cannot judge.

    Parameters
    ----------
    function : callable
        Called with the topic (title, description, narrative) and the text. It must be safe for threads, or be asked
        with a concurrency of 1. An exception fails the pair and no other.
    scale : tuple of PoolGrade
        The scale, as `checked_scale` returns it.
    name : str
        What people call the judge, with its version: answers are skipped as saved if name, topic and text are the same.

    Raises
    ------
    TypeError
        If it cannot be called.

    Examples
    --------
    >>> from pooling.models import CallableJudge, Pair, ask, checked_scale
    >>> judge = CallableJudge(lambda topic, text: int("tea" in text), checked_scale([(0,), (1,)]), "tea")
    >>> [answer.grade for answer in ask(judge, [Pair("1", "d1", {"title": "tea"}, "green tea")], seed=1)]
    [1]
    """

    most_output = 0

    def __init__(self, function: Function, scale: Scale, name: str) -> None:
        if not callable(function):
            raise TypeError(f"function must be a callable, not {type(function).__name__}.")
        self.function, self.scale, self.name = function, scale, name

    def record(self) -> dict[str, Any]:
        """Return what is kept of the judge."""
        return {"kind": "function", "name": self.name, "scale": [list(grade) for grade in self.scale]}

    def key(self, pair: Pair) -> str:
        """Return the request key of a pair.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        return request_key(self.record(), [dict(pair.topic), pair.document()], pair)

    def messages(self, pair: Pair) -> list[Message]:  # noqa: ARG002 - as other judges
        """Return nothing: a function has no prompt.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        return []

    def size(self, pair: Pair) -> int:  # noqa: ARG002 - as other judges
        """Return 0: a function has no budget.

        Parameters
        ----------
        pair : Pair
            The topic and the document.
        """
        return 0

    def ask(self, client: Client, pair: Pair, on_attempt: OnAttempt = lambda _, __: None) -> Answer:  # noqa: ARG002
        """Call the function. What goes wrong is in the answer.

        Parameters
        ----------
        client : Client
            Not used.
        pair : Pair
            The topic and the document.
        on_attempt : callable
            Not used.
        """
        key, asked_at, began = self.key(pair), now(), time.monotonic()
        try:
            found = self.function(pair.topic, pair.document())
        except Exception as error:  # noqa: BLE001, RUF100 - whatever a stranger's function raises
            return failed(pair, key, "not_answered", f"The function raised {type(error).__name__}: {error}"[:500])
        text = found if isinstance(found, str) else ""
        answer = Answer(key, pair.query_id, pair.doc_id, pair.repeat, text=text, raw=text.encode("utf-8", "replace"))
        seconds = time.monotonic() - began
        return replace(answer.with_reading(self._read(found)), asked_at=asked_at, seconds=seconds)

    def _read(self, found: Any) -> Reading:
        if isinstance(found, str):
            return read_grade(found, self.scale)
        if found is None:
            return Reading(None, "no_grade", "The function returned None.")
        if type(found) is not int:
            return Reading(None, "no_grade", f"The function returned a {type(found).__name__}, not an integer.")
        if found not in values_of(self.scale):
            return Reading(None, "off_scale", f"The function returned {str(found)[:20]}.")
        return Reading(found)
