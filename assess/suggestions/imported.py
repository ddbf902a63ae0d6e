"""Validates the assistance that an imported judgement states."""

from collections.abc import Sequence

from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.models import JudgementKind, Member
from pooling.errors import shown

LONGEST_NAME = Member._meta.get_field("name").max_length or 0


def check_imported_assistance(judgement_input: JudgementInput, repeat: int, scale: Sequence[int]) -> None:
    """Raise Refused unless model and grade are both stated or both missing, and the grade is on the scale."""
    judge, grade = judgement_input.assisted, judgement_input.suggested
    if not judge and grade is None:
        return
    if not judge or grade is None:
        raise Refused("An assisted judgement needs both the model (assisted) and its grade (suggested).")
    if repeat != JudgementKind.REGULAR:
        raise Refused(f"Only a judgement with repeat 0 can be assisted, not one with repeat {repeat}.")
    if len(judge) > LONGEST_NAME:
        raise Refused(f"The name of the model (assisted) can have at most {LONGEST_NAME} characters: {shown(judge)}.")
    if grade not in scale:
        raise Refused(f"The suggested grade must be one of {', '.join(map(str, scale))}, not {grade}.")
