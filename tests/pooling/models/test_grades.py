"""The strict reading of answers, and the probabilities of grades."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.models import grade_probabilities, read_grade

SCALE = [0, 1, 2, 3]


@pytest.mark.parametrize(
    "text",
    [
        '{"grade": 2}',
        ' {"grade": 2}\n',
        '```json\n{"grade": 2}\n```',
        '```\n{"grade":2}```',
        '{"why": "x", "grade": 2}',
    ],
)
def test_a_grade(text):
    assert read_grade(text, SCALE).grade == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the answer is empty"),
        ("2", "no JSON object"),
        ("The grade is 2", "no JSON object"),
        ('{"grade": 2} or {"grade": 3}', "no JSON object"),
        ('{"grade": 2, "grade": 3}', "has a field twice"),
        ("[2]", "no JSON object"),
        ('{"score": 2}', "has no grade"),
        ('{"grade": "2"}', "no whole number"),
        ('{"grade": 2.0}', "no whole number"),
        ('{"grade": true}', "no whole number"),
        ('{"grade": null}', "no whole number"),
        ('{"grade": 4}', "is not on the scale"),
        ('{"grade": -1}', "is not on the scale"),
        ('{"grade": ' + "9" * 5_000 + "}", "no JSON object"),
        ("[" * 100_000, "no JSON object"),
        ("a" * 1_000_001, "is too long"),
    ],
)
def test_what_is_no_grade_has_a_reason(text, reason):
    found = read_grade(text, SCALE)
    assert found.grade is None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"finish_reason": "length"}, "cut off"),
        ({"finish_reason": "content_filter"}, "filtered"),
        ({"refusal": "I cannot."}, "the model refused: 'I cannot.'"),
    ],
)
def test_an_answer_that_was_stopped_is_no_grade(options, reason):
    assert reason in read_grade('{"grade": 2}', SCALE, **options).reason


@given(st.text())
def test_no_text_raises_an_error_and_none_is_taken_for_a_grade(text):
    assert read_grade(text, SCALE).grade is None or "grade" in text


def test_probabilities_by_hand():
    """exp(log .6) = .6 and exp(log .2) = .2 over .8 are .75 and .25; other tokens do not count."""
    top = [
        {"token": "3", "logprob": math.log(0.6)},
        {"token": "2", "logprob": math.log(0.2)},
        {"token": "x", "logprob": -1},
    ]
    tokens = [{"token": '{"'}, {"token": "grade"}, {"token": '":'}, {"token": " 3", "top_logprobs": top}]
    found = grade_probabilities(tokens, SCALE)
    assert found == pytest.approx({0: 0, 1: 0, 2: 0.25, 3: 0.75})


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        [{"token": "x"}],
        [{"token": "2"}],
        [{"token": "2", "top_logprobs": [{"token": "2", "logprob": math.nan}]}],
        [{"token": "2", "top_logprobs": [{"token": "2", "logprob": "high"}]}],
    ],
)
def test_without_log_probabilities_there_are_none(tokens):
    assert grade_probabilities(tokens, SCALE) is None
