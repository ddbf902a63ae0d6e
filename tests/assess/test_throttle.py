"""Attempts are counted by key, and refused at a limit, also if they come at the same time."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connections

from assess import throttle
from assess.models import AttemptCount, User
from assess.throttle import Limit, Start, TooManyAttempts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throttle_clock"), pytest.mark.database]

HOUR = timedelta(hours=1)
THREADS = 2


def limit(key="browser", most=2, period=HOUR, start=Start.CLOCK, user=None) -> Limit:
    return Limit(key, most, period, start, f"Too many from this {key}. Try again in {{wait}}.", user)


def allowed(function, *limits: Limit) -> bool:
    try:
        function(limits)
    except TooManyAttempts:
        return False
    return True


def counts() -> dict[str, int]:
    return dict(AttemptCount.objects.values_list("key_hash", "count"))


# ---- check and count


def test_attempt_is_refused_at_the_limit():
    for _ in range(2):
        throttle.check([limit()])
        throttle.count([limit()])
    with pytest.raises(TooManyAttempts, match=r"^Too many from this browser\. Try again in 55 minutes\.$") as refusal:
        throttle.check([limit()])
    assert refusal.value.retry_after == 55 * 60  # from 9:05 to 10:00
    assert allowed(throttle.check, limit("network"))


def test_count_goes_on_above_the_limit_and_check_and_count_does_not():
    for _ in range(3):
        throttle.count([limit()])
    assert not allowed(throttle.check_and_count, limit())
    assert counts() == {limit().key_hash: 3}


def test_one_reached_limit_refuses_and_nothing_is_counted():
    narrow, wide = limit("browser", most=5), limit("site", most=1)
    assert allowed(throttle.check_and_count, narrow, wide)
    assert not allowed(throttle.check_and_count, narrow, wide)
    assert not allowed(throttle.check_and_count, limit("another browser"), wide)
    assert counts() == {narrow.key_hash: 1, wide.key_hash: 1}


def test_refusal_names_the_limit_that_ends_last():
    limits = [limit(period=timedelta(minutes=10)), limit("network"), limit("site", most=9)]
    for _ in range(2):
        throttle.count(limits)
    with pytest.raises(TooManyAttempts, match="from this network"):
        throttle.check(limits)


def test_no_limits_need_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        throttle.check([])
        throttle.forget([])


def test_check_is_one_query_and_count_is_three(django_assert_num_queries):
    limits = [limit("browser"), limit("network"), limit("site")]
    throttle.count(limits)
    with django_assert_num_queries(1):
        throttle.check(limits)
    with django_assert_num_queries(3 + 2):  # and those of the transaction, which is a savepoint in a test
        throttle.count(limits)


# ---- periods


@pytest.mark.parametrize(("start", "minutes"), [(Start.CLOCK, 55), (Start.FIRST, 60), (Start.EACH, 80)])
def test_period_begins_with_the_clock_the_first_or_each_count(throttle_clock, start, minutes):
    """Attempts at 9:05 and 9:25 are counted until 10:00, 10:05 or 10:25."""
    counted = limit(start=start)
    throttle.count([counted])
    throttle_clock.advance(minutes=20)
    throttle.count([counted])
    throttle_clock.advance(minutes=minutes - 20, seconds=-0.5)
    with pytest.raises(TooManyAttempts, match="Try again in a minute") as refusal:
        throttle.check([counted])
    assert refusal.value.retry_after == 1
    throttle_clock.advance(seconds=0.5)
    throttle.check([counted])
    throttle.check_and_count([counted])
    assert counts() == {counted.key_hash: 1}


# ---- delete


def test_forgotten_limits_are_counted_anew():
    for key in ("browser", "network"):
        throttle.count([limit(key)])
    throttle.forget([limit()])
    assert counts() == {limit("network").key_hash: 1}


def test_counts_of_an_account_are_forgotten():
    ada, bob = User.objects.create_user("ada"), User.objects.create_user("bob")
    for user in (ada, bob, None):
        throttle.count([limit(f"of {user}", user=user)])
    throttle.forget_user(ada)
    assert set(AttemptCount.objects.values_list("user", flat=True)) == {bob.pk, None}


def test_ended_counts_are_deleted(throttle_clock):
    throttle.count([limit(period=timedelta(minutes=5)), limit("site")])
    assert throttle.delete_ended() == 0
    throttle_clock.advance(minutes=5)
    assert throttle.ended().count() == throttle.delete_ended() == 1
    assert counts() == {limit("site").key_hash: 1}


def test_first_count_of_the_widest_limit_deletes_ended_counts(throttle_clock):
    throttle.count([limit(period=timedelta(minutes=5)), limit("site")])
    throttle_clock.advance(minutes=30)
    throttle.count([limit("another"), limit("site")])
    assert len(counts()) == 3
    throttle_clock.advance(minutes=30)
    throttle.count([limit("site")])
    assert counts() == {limit("site").key_hash: 1}


def test_stored_keys_are_hashes_that_depend_on_the_secret_key(settings):
    throttle.count([limit("192.0.2.7")])
    settings.SECRET_KEY = "another"
    throttle.count([limit("192.0.2.7")])
    assert len(counts()) == 2
    assert all(len(key) == 64 and set(key) <= set("0123456789abcdef") for key in counts())


# ---- at the same time


def at_the_same_time(attempt) -> list:
    """Call a function with 0 and 1 in two threads that begin together."""
    barrier = Barrier(THREADS)

    def call(number: int):
        try:
            barrier.wait()
            return attempt(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(call, range(THREADS)))


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_time_do_not_exceed_the_limit():
    limits = [limit("browser", most=100), limit("site", most=15)]
    counted = at_the_same_time(lambda _: sum(allowed(throttle.check_and_count, *limits) for _ in range(10)))
    assert sum(counted) == 15
    assert set(counts().values()) == {15}


@pytest.mark.django_db(transaction=True)
def test_no_count_is_lost_while_periods_begin_and_counts_are_deleted(throttle_clock):
    """Each thread ends all periods again and again, so that rows are created, reset and deleted meanwhile."""
    own = [limit(f"browser {number}") for number in range(THREADS)]
    shared = [limit("network"), limit("site")]

    def attempt(number: int) -> None:
        for _ in range(20):
            throttle.count([own[number], *shared])
            throttle.delete_ended()
            throttle_clock.advance(hours=1)
            throttle.forget([own[number]])

    at_the_same_time(attempt)
    throttle_clock.advance(hours=1)
    at_the_same_time(lambda _: [throttle.count(shared) for _ in range(10)])
    assert counts() == {each.key_hash: 20 for each in shared}
