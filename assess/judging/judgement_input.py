"""A judgement as an assessor submits it, and its validation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from assess.errors import Refused
from assess.models import Input, Reason, State
from assess.models.judgement import GRADE_FIELDS, MOST_CONFIDENT, SHARED_FIELDS, JudgementFields

LONGEST_COMMENT = 5_000
LONGEST_MS = 24 * 3600 * 1000  # of one submission, and of all submissions for one task together
LONGEST_TEXT = 2**31
MOST_PASSAGES = 200
BY_HAND = tuple(each.value for each in Input if each != Input.GROUP)


@dataclass(frozen=True)
class JudgementInput:
    """A judgement as an assessor submits it. `check` validates it.

    `marginal` says whether a relevant document adds something new. `repeats` are the public ids of the assignments that
    it repeats, and `repeated` the doc_ids that an imported judgement repeats; `assess.judging.marginal` validates them.
    An imported judgement says with `assisted` and `suggested` which model had suggested which grade.
    """

    state: str
    relevance: int | None = None
    reason: str = ""
    comment: str = ""
    confidence: int | None = None
    passages: list[list[int]] = field(default_factory=list)
    active_ms: int = 0
    away_ms: int = 0
    highlights: bool | None = None
    input: str = ""
    guidelines_version: int | None = None
    label_confidence: float | None = None
    marginal: str = ""
    repeats: tuple[UUID, ...] = ()
    repeated: tuple[str, ...] = ()
    assisted: str = ""
    suggested: int | None = None

    def check(self, scale: list[int], inputs: Sequence[str] = BY_HAND) -> None:
        """Raise Refused with the first error. Assessors judge by hand; `inputs` says what else is allowed."""
        if self.state not in State.values:
            raise Refused(f"State must be one of {', '.join(State.values)}, not {self.state!r}.")
        self._check_relevance(scale)
        self._check_reason()
        check_comment(self.comment)
        self._check_details(inputs)

    def _check_relevance(self, scale: list[int]) -> None:
        grades = ", ".join(map(str, scale))
        if self.state != State.JUDGED:
            if self.relevance is not None:
                raise Refused(f"State {self.state} cannot have a grade, but grade {self.relevance} was submitted.")
        elif self.relevance is None:
            raise Refused(f"The grade is missing; it must be one of {grades}.")
        elif self.relevance not in scale:
            raise Refused(f"Grade {self.relevance} is not on the scale; it must be one of {grades}.")

    def _check_reason(self) -> None:
        if self.state == State.CANNOT_JUDGE:
            if self.reason not in Reason.values:
                raise Refused(f"The reason must be one of {', '.join(Reason.values)}, not {self.reason!r}.")
        elif self.reason:
            raise Refused(f"State {self.state} cannot have a reason; only {State.CANNOT_JUDGE} has one.")

    def _check_details(self, inputs: Sequence[str]) -> None:
        if self.confidence is not None and not 1 <= self.confidence <= MOST_CONFIDENT:
            raise Refused(f"Confidence must be between 1 (unsure) and {MOST_CONFIDENT} (sure), not {self.confidence}.")
        if not _are_passages(self.passages):
            raise Refused(
                f"Passages must be [start, end) pairs in ascending order, at most {MOST_PASSAGES}, without overlap."
            )
        for name in ("active_ms", "away_ms"):
            if not 0 <= getattr(self, name) <= LONGEST_MS:
                raise Refused(f"{name} must be between 0 and {LONGEST_MS} (one day), not {getattr(self, name)}.")
        # The comparison is false for NaN too.
        if self.label_confidence is not None and not 0 <= self.label_confidence < math.inf:
            raise Refused(f"Label confidence must be a number of 0 or more, not {self.label_confidence}.")
        if self.input not in ("", *inputs):
            raise Refused(f"Input must be one of {', '.join(inputs)}, not {self.input!r}.")

    def shared_fields(self) -> dict[str, Any]:
        """Return the fields that a judgement and its event have in common, without the times, which are added up."""
        return {name: getattr(self, name) for name in SHARED_FIELDS}

    def same_as(self, judgement: JudgementFields) -> bool:
        """Say whether the judgement has this grade, reason, comment, confidence and passages."""
        return all(getattr(self, name) == getattr(judgement, name) for name in GRADE_FIELDS)


def check_comment(comment: str) -> None:
    """Raise Refused if the comment is too long or contains a NUL character."""
    if len(comment) > LONGEST_COMMENT:
        raise Refused(f"The comment has {len(comment):,} characters; at most {LONGEST_COMMENT:,} are allowed.")
    # PostgreSQL cannot store it in a text.
    if "\0" in comment:
        raise Refused("The comment contains a NUL character, which is not allowed.")


def _are_passages(passages: Any) -> bool:
    """Say whether these are [start, end) spans of a text, in order and without overlap."""
    if not isinstance(passages, list) or len(passages) > MOST_PASSAGES:
        return False
    end = 0
    for span in passages:
        # Not isinstance for the offsets: JSON's true is an int too.
        if not (isinstance(span, list) and len(span) == 2 and all(type(offset) is int for offset in span)):
            return False
        if not end <= span[0] < span[1] <= LONGEST_TEXT:
            return False
        end = span[1]
    return True
