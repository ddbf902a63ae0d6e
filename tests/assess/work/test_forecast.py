"""A forecast is a date, or the reason why there is none."""

from datetime import UTC, datetime, timedelta

import pytest

from assess.work.forecast import Forecast, forecast, last_of

NOW = datetime(2026, 5, 8, 12, tzinfo=UTC)


def test_forecast_continues_the_present_pace():
    # 20 judgements in two days are 10 a day, so 35 open documents need 3.5 days.
    assert forecast(35, 20, NOW - timedelta(days=2), NOW).ends_at == NOW + timedelta(days=3.5)


def test_less_than_a_day_counts_as_a_day():
    # 20 judgements within an hour: 20 a day, so 10 need half a day.
    assert forecast(10, 20, NOW - timedelta(hours=1), NOW).ends_at == NOW + timedelta(hours=12)


@pytest.mark.parametrize(
    ("open_documents", "recent", "since", "reason"),
    [
        (0, 50, NOW - timedelta(days=1), "nothing is open"),
        (5, 9, NOW - timedelta(days=1), "9 of 10 judgements needed"),
        (5, 0, None, "0 of 10 judgements needed"),
        (10_000_000, 10, NOW - timedelta(days=7), "more than ten years"),
    ],
)
def test_too_little_data_has_a_reason(open_documents, recent, since, reason):
    assert forecast(open_documents, recent, since, NOW) == Forecast(reason=reason)


def test_work_ends_with_the_last_judge():
    sooner, later = (Forecast(NOW + timedelta(days=days)) for days in (1, 3))
    assert last_of([sooner, later, sooner]) == later
    assert last_of([sooner, Forecast(reason="x")]).reason == "1 judge has open documents but too few recent judgements"
    assert last_of([]).reason == "nothing is open"
