"""Logs contain no token with which somebody could become a member or an owner."""

import logging

import pytest
from django.conf import settings

from assess.web.site.token_filter import TokenFilter

TOKEN = "UpSLysv3mTDV9PMf5B9ELA"


def filtered(message: str, *arguments) -> str:
    record = logging.LogRecord("django.request", logging.WARNING, "x.py", 1, message, arguments, None)
    assert TokenFilter().filter(record)
    return record.getMessage()


@pytest.mark.parametrize("path", ["/invitation/{}/", "/account/owner/{}/", "/account/reset/{}/?x=1"])
def test_token_is_replaced(path):
    logged = filtered("Not Found: %s %s", path.format(TOKEN), "100%")
    assert logged == f"Not Found: {path.format('...')} 100%"


@pytest.mark.parametrize("text", ["/invitation/accept/", "/c/owner/judging/", "/", "100 % done"])
def test_other_messages_stay(text):
    assert filtered(text) == text


def test_site_uses_the_filter():
    assert settings.LOGGING["handlers"]["console"]["filters"] == ["tokens", "id"]
    assert settings.LOGGING["filters"]["tokens"]["()"] == f"{TokenFilter.__module__}.TokenFilter"
