"""The poll: what students expect, when they can say it, and how it is counted."""

import pytest

from assess.errors import Refused
from assess.teaching import clock
from assess.teaching.lesson.predictions import Predictions, class_predictions, predict
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise
from tests.assess.judged_exercises import seat_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise(db):
    exercise = pasted_exercise(make_instructor(), shared=6)
    join_all(exercise, "Ann", "Ben")
    return exercise


def test_predictions_fall_into_fifths():
    # -1 and -0.01 are below 0; 0 and 0.19; 0.2; 0.6 and 0.79; 0.8, 0.99 and 1
    values = (-1, -0.01, 0, 0.19, 0.2, 0.6, 0.79, 0.8, 0.99, 1)
    bins = Predictions(values, real=0.6).bins
    assert [each.n for each in bins] == [2, 2, 1, 0, 2, 3]
    assert [each.height for each in bins] == [67, 67, 33, 0, 67, 100]
    assert [each.label for each in bins if each.has_mean] == ["0.6 to 0.8"]
    assert not any(each.has_mean for each in Predictions(values).bins)
    for real, label in ((-0.002, "0.0 to 0.2"), (-0.006, "below 0"), (0.598, "0.6 to 0.8")):  # as 0.00, −0.01 and 0.60
        assert [each.label for each in Predictions(values, real).bins if each.has_mean] == [label]


def test_poll_is_open_from_the_start_until_the_reveal(exercise):
    with pytest.raises(Refused, match="open from the start"):
        predict(seat_of(exercise, "Ann"), "0.5")
    clock.start(exercise)
    predict(seat_of(exercise, "Ann"), "0.5")
    clock.end(exercise)
    predict(seat_of(exercise, "Ann"), "0,7")
    predict(seat_of(exercise, "Ben"), "-0.1")
    assert class_predictions(exercise, 0.2) == Predictions((-0.1, 0.7), 0.2)
    clock.reveal(exercise, 1)
    clock.reveal(exercise, 0)  # the class has seen figures
    with pytest.raises(Refused, match="until the reveal"):
        predict(seat_of(exercise, "Ann"), "0.2")


@pytest.mark.parametrize("text", ["", "much", "1.1", "-2", "nan", "inf", "1e9", "9" * 10_000, "\0"])
def test_invalid_prediction_changes_nothing(exercise, text):
    clock.start(exercise)
    with pytest.raises(Refused, match="Kappa is a number between -1 and 1"):
        predict(seat_of(exercise, "Ann"), text)
    assert class_predictions(exercise) is None
