"""Wrong codes are limited by browser, network, exercise and site; right codes are never counted."""

import threading

import pytest
from django.db import connections
from django.utils import timezone

from assess.models import AttemptCount, Exercise
from assess.models.exercise import LETTERS
from assess.teaching import code_throttle, exercises, seats
from assess.teaching.code_throttle import (
    CHANCE_PER_DAY,
    MAX_WRONG_IN_BROWSER,
    Visitor,
    WrongCode,
    wrong_codes_per_hour,
)
from assess.throttle import TooManyAttempts
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throttle_clock"), pytest.mark.database]

WRONG = "A" * 10
SITE_LIMIT = 12  # of the tests with `low_limits`; a network may use half of it


@pytest.fixture
def exercise(db):
    return pasted_exercise(make_instructor())


@pytest.fixture
def low_limits(monkeypatch):
    """Limits of a network and of the site that a test reaches."""
    monkeypatch.setattr(code_throttle, "wrong_codes_per_hour", lambda _length, _live: SITE_LIMIT)


def visitor(browser="", network="192.0.2.7") -> Visitor:
    return Visitor(browser, network)


def enter_wrong_codes(times: int, who: Visitor, code: str = WRONG) -> int:
    """Return how many of the wrong codes were checked."""
    checked = 0
    for _ in range(times):
        try:
            exercises.find(code, who)
        except TooManyAttempts:
            continue
        except WrongCode:
            checked += 1
    return checked


def return_with_wrong_codes(times: int, exercise: Exercise, who: Visitor) -> int:
    checked = 0
    for _ in range(times):
        try:
            seats.rejoin(exercise, WRONG, who)
        except TooManyAttempts:
            continue
        except WrongCode:
            checked += 1
    return checked


# ---- the arithmetic


@pytest.mark.parametrize(
    ("length", "live", "limit"),
    [(10, 10, 55_235_348), (10, 100, 5_523_534), (10, 1000, 552_353), (10, 200, 2_761_767), (6, 10, 197)],
)
def test_limit_of_the_site(length, live, limit):
    # 0.001 / 3 / 25 * 23^10 = 552,353,482.8; with 23^6, 1,973.8. These are the figures of the module's docstring.
    assert wrong_codes_per_hour(length, live) == limit
    assert f"{limit:,}" in code_throttle.__doc__


@pytest.mark.parametrize("live", [1, 10, 100, 1000, 10_000])
def test_chance_of_guessing_any_code_stays_below_one_in_a_thousand_a_day(live):
    hours = 25  # 24 hours that start in the middle of a clock hour touch 25
    codes = hours * wrong_codes_per_hour(10, live) * live / len(LETTERS) ** 10
    older = hours * wrong_codes_per_hour(6, live) * live / len(LETTERS) ** 6
    reentry = hours * wrong_codes_per_hour(10, 200) * 200 / len(LETTERS) ** 10
    assert 0 < codes + older + reentry <= CHANCE_PER_DAY


def test_limit_depends_on_the_number_of_live_codes(exercise):
    def site_limit():
        return code_throttle.exercise_code_limits(visitor(), 10)[-1].most

    assert site_limit() == wrong_codes_per_hour(10, 1)
    other = pasted_exercise(exercise.instructor)
    assert site_limit() == wrong_codes_per_hour(10, 2)
    Exercise.objects.filter(pk=other.pk).update(code="ACD346")
    assert site_limit() == wrong_codes_per_hour(10, 1)
    assert code_throttle.exercise_code_limits(visitor(), 6)[-1].most == wrong_codes_per_hour(6, 1)
    Exercise.objects.update(erase_on=timezone.localdate())
    assert code_throttle.exercise_code_limits(visitor(), 10) == []  # nothing is left to guess


# ---- codes of exercises


def test_browser_is_limited_and_others_are_not(exercise):
    assert enter_wrong_codes(100, visitor("guesser")) == MAX_WRONG_IN_BROWSER
    with pytest.raises(TooManyAttempts, match=r"^Too many wrong codes were entered in this browser\. Try again in 5"):
        exercises.find(exercise.code, visitor("guesser"))
    for other in (visitor("student"), visitor(), visitor("student", "198.51.100.1")):
        assert exercises.find(exercise.code, other) == exercise


def test_right_codes_are_not_counted_and_cost_no_write(exercise, django_assert_num_queries):
    who = visitor("student")
    with django_assert_num_queries(3) as queries:  # live codes, counts, exercise
        exercises.find(exercise.code, who)
    assert all(query["sql"].startswith("SELECT") for query in queries)
    for _ in range(MAX_WRONG_IN_BROWSER - 1):
        exercises.find(exercise.code, who)
    assert not AttemptCount.objects.exists()
    assert enter_wrong_codes(100, who) == MAX_WRONG_IN_BROWSER


def test_browser_can_enter_codes_again_when_the_period_ends(exercise, throttle_clock):
    who = visitor("student")
    enter_wrong_codes(100, who)
    with pytest.raises(TooManyAttempts) as refusal:
        exercises.find(exercise.code, who)
    assert refusal.value.retry_after == 5 * 60  # from 9:05 to 9:10
    throttle_clock.advance(seconds=299.5)
    with pytest.raises(TooManyAttempts, match="Try again in a minute") as refusal:
        exercises.find(exercise.code, who)
    assert refusal.value.retry_after == 1
    throttle_clock.advance(seconds=0.5)
    assert exercises.find(exercise.code, who) == exercise


@pytest.mark.usefixtures("low_limits")
def test_network_uses_at_most_half_of_the_limit_of_the_site(exercise):
    assert enter_wrong_codes(100, visitor()) == SITE_LIMIT / 2
    with pytest.raises(TooManyAttempts, match=r"from your network\. Try again in 55 minutes") as refusal:
        exercises.find(exercise.code, visitor("student"))
    assert refusal.value.retry_after == 55 * 60
    assert exercises.find(exercise.code, visitor(network="198.51.100.1")) == exercise


@pytest.mark.usefixtures("low_limits")
def test_all_networks_together_do_not_exceed_the_limit_of_the_site(exercise, throttle_clock):
    assert sum(enter_wrong_codes(5, visitor(network=f"198.51.100.{n}")) for n in range(20)) == SITE_LIMIT
    with pytest.raises(TooManyAttempts, match="on this site"):
        exercises.find(exercise.code, visitor())
    throttle_clock.advance(minutes=55)
    assert exercises.find(exercise.code, visitor()) == exercise


@pytest.mark.usefixtures("low_limits")
def test_older_codes_have_limits_of_their_own(exercise):
    older = pasted_exercise(exercise.instructor)
    Exercise.objects.filter(pk=older.pk).update(code="ACD346")
    assert enter_wrong_codes(100, visitor(), "AAAAAA") == SITE_LIMIT / 2
    with pytest.raises(TooManyAttempts):
        exercises.find("ACD346", visitor())
    assert exercises.find(exercise.code, visitor()) == exercise


@pytest.mark.parametrize("typed", ["", "wrong", "A" * 6, "A" * 9, "A" * 11, "O" * 10, "A" * 2_000_000, "é" * 10])
def test_text_that_cannot_be_a_code_is_not_counted(exercise, typed):
    assert enter_wrong_codes(20, visitor("student"), typed) == 20
    assert not AttemptCount.objects.exists()
    assert exercises.find(exercise.code, visitor("student")) == exercise


# ---- re-entry codes


def test_reentry_codes_are_limited_by_browser_and_exercise(exercise):
    other = pasted_exercise(exercise.instructor)
    (ann,), (ben,) = join_all(exercise, "ann"), join_all(other, "ben")
    assert return_with_wrong_codes(100, exercise, visitor("guesser")) == MAX_WRONG_IN_BROWSER
    with pytest.raises(TooManyAttempts, match="in this browser"):
        seats.rejoin(exercise, ann.reentry_code, visitor("guesser"))
    assert seats.rejoin(exercise, ann.reentry_code, visitor("student")) == ann
    assert seats.rejoin(other, ben.reentry_code, visitor("guesser")) == ben
    assert exercises.find(exercise.code, visitor("guesser")) == exercise


@pytest.mark.usefixtures("low_limits")
def test_reentry_codes_are_limited_by_network_exercise_and_site(exercise):
    other, third = pasted_exercise(exercise.instructor), pasted_exercise(exercise.instructor)
    (ann,), (ben,), (cem,) = join_all(exercise, "ann"), join_all(other, "ben"), join_all(third, "cem")
    assert return_with_wrong_codes(100, exercise, visitor(network="a")) == SITE_LIMIT / 2
    with pytest.raises(TooManyAttempts, match="from your network"):
        seats.rejoin(other, ben.reentry_code, visitor(network="a"))
    with pytest.raises(TooManyAttempts, match="for this exercise"):
        seats.rejoin(exercise, ann.reentry_code, visitor(network="b"))
    assert return_with_wrong_codes(100, other, visitor(network="b")) == SITE_LIMIT / 2
    with pytest.raises(TooManyAttempts, match="on this site"):
        seats.rejoin(third, cem.reentry_code, visitor(network="c"))


def test_right_reentry_codes_are_not_counted(exercise, django_assert_num_queries):
    (ann,) = join_all(exercise, "ann")
    with django_assert_num_queries(2) as queries:  # counts, seat
        assert seats.rejoin(exercise, ann.reentry_code, visitor("student")) == ann
    assert all(query["sql"].startswith("SELECT") for query in queries)
    assert not AttemptCount.objects.exists()


# ---- what is stored


def test_only_keyed_hashes_are_stored(exercise):
    enter_wrong_codes(3, visitor("browser-token"))
    stored = list(AttemptCount.objects.values_list("key_hash", "count"))
    assert [count for _, count in stored] == [3, 3, 3]
    assert all(len(key) == 64 and set(key) <= set("0123456789abcdef") for key, _ in stored)


def test_keys_depend_on_the_secret_key(exercise, settings):
    enter_wrong_codes(1, visitor("student"))
    before = set(AttemptCount.objects.values_list("key_hash", flat=True))
    settings.SECRET_KEY = "another"
    enter_wrong_codes(1, visitor("student"))
    assert len(set(AttemptCount.objects.values_list("key_hash", flat=True)) - before) == len(before) == 3


@pytest.mark.in_ci
def test_browser_without_a_token_adds_no_row(exercise):
    enter_wrong_codes(50, visitor())
    assert AttemptCount.objects.count() == 2  # network and site


def test_first_wrong_code_of_an_hour_deletes_old_counts(exercise, throttle_clock):
    enter_wrong_codes(3, visitor("student"))
    throttle_clock.advance(minutes=20)
    enter_wrong_codes(1, visitor("other"))
    assert AttemptCount.objects.count() == 4  # one browser's period has ended, and its count is still there
    throttle_clock.advance(hours=1)
    enter_wrong_codes(1, visitor())
    assert sorted(AttemptCount.objects.values_list("count", flat=True)) == [1, 1]


# ---- simultaneous requests


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("low_limits")
def test_eight_threads_exceed_a_limit_by_less_than_eight(exercise):
    threads, checked, failures = 8, [], []
    barrier = threading.Barrier(threads)

    def guess():
        try:
            barrier.wait()
            checked.append(enter_wrong_codes(10, visitor()))
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    workers = [threading.Thread(target=guess) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    limit = SITE_LIMIT // 2
    assert limit <= sum(checked) < limit + threads
    assert set(AttemptCount.objects.values_list("count", flat=True)) == {sum(checked)}  # none was lost
