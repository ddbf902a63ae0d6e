"""How far students are with the worksheets: right and shown steps, without marks."""

import pytest

from assess.models import WorksheetAnswer
from assess.teaching.worksheets import number_of_steps, outline, settled_steps
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_right_and_shown_steps_of_the_worksheets_count():
    exercise = pasted_exercise(make_instructor(), shared=6, worksheets=["dcg", "pair"])
    ann, ben = join_all(exercise, "Ann", "Ben")
    assert number_of_steps(exercise) == len(outline("dcg").fields) + len(outline("pair").fields)
    for sheet, field, right, shown in (
        ("dcg", "a", True, False),
        ("dcg", "b", False, True),
        ("dcg", "c", False, False),
        ("kappa", "a", True, False),  # not a worksheet of this exercise
    ):
        WorksheetAnswer.objects.create(seat=ann, worksheet=sheet, field=field, right=right, shown=shown)
    assert settled_steps(exercise) == {ann.pk: 2}
    assert ben.pk not in settled_steps(exercise)
