"""Numbers and choices from environment variables: a default, or one sentence about what is allowed."""

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from assess.lib.environment import one_of, parse_share, share, whole_number


def test_unset_variables_have_the_default(monkeypatch):
    monkeypatch.delenv("ASSAY_NUMBER", raising=False)
    assert whole_number("ASSAY_NUMBER", 10) == 10
    assert share("ASSAY_NUMBER", 0.5) == 0.5
    monkeypatch.setenv("ASSAY_NUMBER", " ")
    assert whole_number("ASSAY_NUMBER", 10) == 10
    assert (settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_JUDGED, settings.HEADLINE_MIN_DOCUMENTS) == (
        10,
        0.5,
        50,
    )
    assert settings.EXERCISE_MIN_JUDGED == 0.5


@pytest.mark.parametrize(("text", "value"), [("1", 1), (" 25 ", 25)])
def test_whole_numbers(monkeypatch, text, value):
    monkeypatch.setenv("ASSAY_NUMBER", text)
    assert whole_number("ASSAY_NUMBER", 10) == value


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "ten", "²"])
def test_other_whole_numbers_are_refused(monkeypatch, text):
    monkeypatch.setenv("ASSAY_NUMBER", text)
    with pytest.raises(ImproperlyConfigured, match=f"ASSAY_NUMBER must be a whole number of at least 1, not {text!r}"):
        whole_number("ASSAY_NUMBER", 10)


@pytest.mark.parametrize(("text", "value"), [("0", 0), ("0.25", 0.25), ("1", 1)])
def test_shares(monkeypatch, text, value):
    monkeypatch.setenv("ASSAY_NUMBER", text)
    assert share("ASSAY_NUMBER", 0.5) == value


@pytest.mark.parametrize("text", ["-0.1", "50", "half", "nan", "50%"])
def test_other_shares_are_refused(monkeypatch, text):
    monkeypatch.setenv("ASSAY_NUMBER", text)
    with pytest.raises(ImproperlyConfigured, match=f"ASSAY_NUMBER must be a share from 0 to 1, not {text!r}"):
        share("ASSAY_NUMBER", 0.5)


def test_choices(monkeypatch):
    monkeypatch.delenv("ASSAY_CHOICE", raising=False)
    assert one_of("ASSAY_CHOICE", "few", "many") == "few"
    monkeypatch.setenv("ASSAY_CHOICE", " many ")
    assert one_of("ASSAY_CHOICE", "few", "many") == "many"
    monkeypatch.setenv("ASSAY_CHOICE", "all")
    with pytest.raises(ImproperlyConfigured, match="ASSAY_CHOICE must be few or many, not 'all'"):
        one_of("ASSAY_CHOICE", "few", "many")


@pytest.mark.parametrize("text", ["", "-0.1", "1.01", "nan", "half"])
def test_text_that_is_no_share_is_an_error(text):
    with pytest.raises(ValueError, match=f"^{text!r} is not a share from 0 to 1$"):
        parse_share(text)
