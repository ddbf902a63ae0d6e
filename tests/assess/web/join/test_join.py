"""Students come in by a code, keep their seat, come back to it, and find there what is theirs and no more."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from assess.judging import worklist
from assess.models import Exercise, Judgement, Phase, Role, Seat
from assess.teaching import code_throttle as guesses
from assess.teaching import exercises
from tests.assess.classroom import exercise_of, instructor_of, judge_all, signed_in, sit_down
from tests.html import compact

pytestmark = pytest.mark.django_db


@pytest.fixture
def prof(collection):
    return instructor_of(collection)


@pytest.fixture
def exercise(collection, prof):
    return exercise_of(collection, prof, worksheets=["dcg"])


def at(name: str, exercise: Exercise) -> str:
    return reverse(f"join:{name}", args=[exercise.code])


def text(answer) -> str:
    return compact(answer.content.decode())


# ---- in


def test_the_code_leads_to_the_nickname_and_that_to_the_seat(client, exercise):
    typed = f" {exercise.code[:3].lower()}-{exercise.code[3:].lower()} "
    answer = client.post(reverse("join:code"), {"code": typed}, follow=True)
    assert answer.redirect_chain == [(at("nickname", exercise), 302)]
    assert "Agreement" in text(answer)
    answer = client.post(at("nickname", exercise), {"nickname": "Ada"}, follow=True)
    assert answer.redirect_chain == [(at("seat", exercise), 302)]
    seat = exercise.seats.get()
    assert seat.nickname == "Ada"
    assert seat.reentry_code in text(answer)
    assert "You have joined as Ada. The exercise has not started yet." in text(answer)


def test_a_code_typed_small_into_the_address_leads_on_too(client, exercise):
    answer = client.get(f"/join/{exercise.code.lower()}/")
    assert (answer.status_code, answer.url) == (302, at("nickname", exercise))


def test_a_wrong_code_is_told_and_is_not_found_by_address(client, db):
    answer = client.post(reverse("join:code"), {"code": "AAAAAA"})
    assert answer.status_code == 400
    assert "There is no exercise with the code" in text(answer)
    assert 'value="AAAAAA"' in text(answer)  # nothing has to be typed twice
    assert client.get("/join/AAAAAA/").status_code == 404
    assert client.get("/join/AAAAAA/back/").status_code == 404


def test_codes_cannot_be_found_by_trying(client, exercise, monkeypatch):
    monkeypatch.setattr(guesses, "MOST_CODES", 5)
    for _ in range(5):
        client.get("/join/AAAAAA/")
    answer = client.post(reverse("join:code"), {"code": exercise.code})
    assert answer.status_code == 400
    assert "Too many wrong codes" in text(answer)
    assert client.get(at("nickname", exercise)).status_code == 404
    elsewhere = client.get(at("nickname", exercise), REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 200


def test_re_entry_codes_cannot_be_found_by_trying(client, exercise):
    _, seat = sit_down(exercise, "Ada")
    for _ in range(guesses.MOST_REENTRY_CODES):
        client.post(at("back", exercise), {"reentry_code": "AAAAAAAAAA"})
    answer = client.post(at("back", exercise), {"reentry_code": seat.reentry_code})
    assert answer.status_code == 400
    assert "Too many wrong codes" in text(answer)
    assert client.get(at("nickname", exercise)).status_code == 200  # who is new comes in all the same


@pytest.mark.parametrize(
    ("nickname", "word"),
    [("", "empty"), ("  ", "empty"), ("x" * 25, "at most 24"), ("ADA", "already"), ("a\x07", "control")],
)
def test_a_nickname_that_does_not_do_gets_a_clear_word(client, exercise, nickname, word):
    sit_down(exercise, "Ada")
    answer = client.post(at("nickname", exercise), {"nickname": nickname})
    assert answer.status_code == 400
    assert word in text(answer)
    assert exercise.seats.count() == 1


def test_a_nickname_is_shown_as_it_was_typed_and_never_run(client, exercise):
    answer = client.post(at("nickname", exercise), {"nickname": "<b>&amp;</b>"}, follow=True)
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in text(answer)
    assert "<b>&amp;</b>" not in text(answer)


def test_after_the_end_nobody_joins_but_who_was_there_comes_back(client, exercise):
    _, seat = sit_down(exercise, "Ada")
    exercises.start(exercise)
    exercises.end(exercise)
    answer = client.get(at("nickname", exercise))
    assert "You can no longer join" in text(answer)
    assert 'name="nickname"' not in text(answer)
    assert client.post(at("nickname", exercise), {"nickname": "Bob"}).status_code == 400
    answer = client.post(at("back", exercise), {"reentry_code": seat.reentry_code}, follow=True)
    assert "Judging has ended" in text(answer)


# ---- the seat is kept


def test_who_has_a_seat_is_led_to_it_and_does_not_get_a_second(exercise):
    browser, _ = sit_down(exercise, "Ada")
    for name in ("nickname", "back"):
        assert browser.get(at(name, exercise)).url == at("seat", exercise)
    assert browser.get("/").url == at("seat", exercise)
    assert browser.post(at("nickname", exercise), {"nickname": "Eve"}).url == at("seat", exercise)
    assert exercise.seats.count() == 1


def test_the_seat_is_kept_when_the_session_is_gone(exercise):
    browser, seat = sit_down(exercise, "Ada")
    del browser.cookies["sessionid"]
    answer = browser.get(at("seat", exercise))
    assert answer.status_code == 200
    assert seat.reentry_code in text(answer)
    assert "sessionid" in browser.cookies


def test_judging_goes_on_when_the_session_is_gone(exercise):
    browser, seat = sit_down(exercise, "Ada")
    exercises.start(exercise)
    topic, _ = worklist.topics(seat.member)[0]
    task = worklist.upcoming(seat.member, topic)[0].task
    del browser.cookies["sessionid"]
    said = {"client_id": str(uuid.uuid4()), "relevance": "1", "member": seat.member_id}
    answer = browser.post(
        reverse("judge:record", args=[exercise.collection.slug, task]), said, headers={"accept": "application/json"}
    )
    assert answer.status_code == 200
    assert Judgement.objects.get().member_id == seat.member_id


def test_the_cookie_is_signed_unreadable_to_scripts_and_stays_in_this_site(settings, exercise):
    settings.SESSION_COOKIE_SECURE = True
    browser, _ = sit_down(exercise, "Ada")
    cookie = browser.cookies["assay_seats"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
    assert cookie["max-age"] == 30 * 24 * 3600


def test_a_cookie_made_up_or_made_for_something_else_opens_nothing(exercise):
    from django.core import signing

    _, seat = sit_down(exercise, "Ada")
    for made_up in (
        f"[{seat.pk}]",
        signing.dumps([seat.pk]),
        signing.dumps([seat.pk], salt="assess.web.join") + "x",
        "",
    ):
        browser = Client()
        browser.cookies["assay_seats"] = made_up
        assert browser.get(at("seat", exercise)).url == at("nickname", exercise)


def test_one_browser_holds_seats_in_two_exercises(collection, prof, exercise):
    other = exercise_of(collection, prof, title="Another")
    browser, _ = sit_down(exercise, "Ada")
    answer = browser.get(at("nickname", other))
    assert "You have a seat in another exercise as Ada" in text(answer)
    browser.post(at("nickname", other), {"nickname": "Ada again"})
    for one, nickname in ((exercise, "Ada"), (other, "Ada again"), (exercise, "Ada")):
        answer = browser.get(at("seat", one))
        assert f"Your nickname is {nickname}." in text(answer)


def test_the_re_entry_code_leads_back_from_another_device(client, exercise):
    _, seat = sit_down(exercise, "Ada")
    spaced = f"{seat.reentry_code[:5].lower()} {seat.reentry_code[5:].lower()}"
    answer = client.post(at("back", exercise), {"reentry_code": spaced}, follow=True)
    assert answer.redirect_chain == [(at("seat", exercise), 302)]
    assert "Your nickname is Ada." in text(answer)


def test_a_wrong_re_entry_code_is_told(client, exercise):
    answer = client.post(at("back", exercise), {"reentry_code": "AAAAAAAAAA"})
    assert answer.status_code == 400
    assert "No seat of this exercise has the code" in text(answer)


def test_a_re_entry_code_of_another_exercise_leads_nowhere(client, collection, prof, exercise):
    _, seat = sit_down(exercise_of(collection, prof), "Ada")
    assert client.post(at("back", exercise), {"reentry_code": seat.reentry_code}).status_code == 400


def test_leaving_asks_once_and_shows_the_code_that_leads_back(exercise):
    browser, seat = sit_down(exercise, "Ada")
    asked = browser.get(at("leave", exercise))
    assert seat.reentry_code in text(asked)
    assert browser.get(at("seat", exercise)).status_code == 200  # asking did nothing
    answer = browser.post(at("leave", exercise), follow=True)
    assert "Your re-entry code leads back" in text(answer)
    assert browser.get(at("seat", exercise)).url == at("nickname", exercise)


def test_the_bar_offers_a_student_no_account(exercise):
    browser, seat = sit_down(exercise, "Ada")
    for address in (at("seat", exercise), reverse("account:settings"), f"/c/{exercise.collection.slug}/judge/"):
        page = text(browser.get(address))
        assert reverse("account:password") not in page
        assert "Sign out" not in page.replace('<button type="button" data-confirm>Sign out</button>', "")
        assert seat.member.user.username not in page.replace('"userName"', "")
        assert at("leave", exercise) in page


# ---- what is there


def test_a_seat_follows_the_exercise(exercise):
    browser, seat = sit_down(exercise, "Ada")
    exercises.start(exercise)
    page = text(browser.get(at("seat", exercise)))
    assert "You have 4 documents to judge" in page
    topic, _ = worklist.topics(seat.member)[0]
    assert reverse("judge:topic", args=[exercise.collection.slug, topic.pk]) in page
    judge_all(seat)
    assert "All 4 documents are judged. Thank you, Ada." in text(browser.get(at("seat", exercise)))
    exercises.pause(exercise)
    assert "Paused" in text(browser.get(at("seat", exercise)))
    exercises.resume(exercise)
    exercises.end(exercise)
    page = text(browser.get(at("seat", exercise)))
    assert "You judged 4 of 4 documents" in page
    assert "/judge/" not in page.replace("/judge/recorded/", "")


@pytest.mark.parametrize("deed", [exercises.pause, exercises.end])
def test_nothing_can_be_judged_while_paused_or_after_the_end(exercise, deed):
    browser, seat = sit_down(exercise, "Ada")
    exercises.start(exercise)
    topic, _ = worklist.topics(seat.member)[0]
    task = worklist.upcoming(seat.member, topic)[0].task
    deed(exercise)
    said = {"client_id": str(uuid.uuid4()), "relevance": "1", "member": seat.member_id}
    answer = browser.post(reverse("judge:record", args=[exercise.collection.slug, task]), said)
    assert answer.status_code == 409
    assert not Judgement.objects.exists()


def test_the_live_answer_tells_what_changes_the_page(exercise):
    browser, _ = sit_down(exercise, "Ada")
    seen = []

    def look():
        answer = browser.get(at("live", exercise)).json()
        assert set(answer) == {"state", "phase", "left"}
        seen.append(answer["state"])
        assert f'data-state="{answer["state"]}"' in text(browser.get(at("seat", exercise)))
        return answer

    assert look()["left"] is None
    exercises.start(exercise)
    assert 0 < look()["left"] <= exercise.minutes * 60
    exercises.pause(exercise)
    assert look()["phase"] == Phase.PAUSED
    exercises.open_worksheets(exercise, True)
    look()
    exercises.end(exercise)
    look()
    assert len(set(seen)) == 5


def test_the_judging_page_leads_back_and_shows_the_clock(exercise):
    browser, _ = sit_down(exercise, "Ada")
    exercises.start(exercise)
    page = text(browser.get(f"/c/{exercise.collection.slug}/judge/"))
    assert at("seat", exercise) in page
    assert at("live", exercise) in page
    topic = exercise.collection.topics.first()
    page = text(browser.get(reverse("judge:topic", args=[exercise.collection.slug, topic.pk])))
    assert at("back", exercise) in page  # where others are asked for their password
    assert 'name="password"' not in page


def test_an_ordinary_assessors_page_has_neither(collection, join):
    page = text(signed_in(join(collection, "worker").user).get(f"/c/{collection.slug}/judge/"))
    assert "Back to the exercise" not in page
    assert "live.js" not in page


def test_worksheets_are_listed_once_they_are_open(exercise):
    browser, _ = sit_down(exercise, "Ada")
    link = reverse("join:worksheet", args=[exercise.code, "dcg"])
    assert link not in text(browser.get(at("seat", exercise)))
    exercises.open_worksheets(exercise, True)
    assert link in text(browser.get(at("seat", exercise)))


def test_a_student_learns_nothing_of_others_before_the_reveal(exercise):
    browser, _ = sit_down(exercise, "Ada")
    _, bob = sit_down(exercise, "Bobadilla")
    exercises.start(exercise)
    judge_all(bob, comment="a secret word")
    exercises.end(exercise)
    slug = exercise.collection.slug
    pages = [at("seat", exercise), at("live", exercise), f"/c/{slug}/judge/", f"/c/{slug}/judge/judgements.csv"]
    for address in pages:
        answer = browser.get(address)
        assert "Bobadilla" not in text_of(answer)
        assert "secret" not in text_of(answer)
        assert bob.reentry_code not in text_of(answer)


def text_of(answer) -> str:
    return b"".join(answer).decode() if answer.streaming else answer.content.decode()


def test_a_student_is_kept_out_of_the_instructors_pages(exercise):
    browser, _ = sit_down(exercise, "Ada")
    for name in ("exercise", "live", "erase"):
        assert browser.get(reverse(f"teach:{name}", args=[exercise.code])).status_code == 404
    assert browser.get(reverse("teach:judgements", args=[exercise.code, "csv"])).status_code == 404
    assert browser.post(reverse("teach:do", args=[exercise.code, "start"])).status_code == 404
    assert browser.get(reverse("teach:new")).status_code == 403
    for page in ("agreement", "shift"):
        assert browser.get(reverse(f"research:{page}", args=[exercise.collection.slug])).status_code == 403


# ---- who gets in


def test_the_cast_at_a_seats_pages(collection, exercise, prof, join, django_user_model):
    browser, _ = sit_down(exercise, "Ada")
    with_account = [prof.user, join(collection, "owner", Role.OWNER).user, django_user_model.objects.create_user("out")]
    for name in ("seat", "live", "leave"):
        assert browser.get(at(name, exercise)).status_code == 200
        assert Client().get(at(name, exercise)).url == at("nickname", exercise)
        for user in with_account:
            assert signed_in(user).get(at(name, exercise)).status_code == 404


def test_a_seat_of_another_exercise_opens_nothing_here(collection, prof, exercise):
    browser, _ = sit_down(exercise_of(collection, prof), "Ada")
    assert browser.get(at("seat", exercise)).url == at("nickname", exercise)


def test_somebody_with_an_account_is_told_that_joining_signs_out(exercise, prof):
    browser = signed_in(prof.user)
    assert "You are signed in as prof." in text(browser.get(at("nickname", exercise)))
    answer = browser.post(at("nickname", exercise), {"nickname": "Ada"}, follow=True)
    assert "Your nickname is Ada." in text(answer)


def test_an_instructor_who_tried_a_seat_and_signed_in_again_is_let_be(exercise, prof):
    browser, _ = sit_down(exercise, "Ada")
    browser.force_login(prof.user, backend="assess.people.backend.AccountBackend")
    assert browser.get(at("seat", exercise)).status_code == 404
    assert browser.get(at("nickname", exercise)).status_code == 200
    assert browser.get(reverse("teach:exercise", args=[exercise.code])).status_code == 200


def test_a_seat_that_was_erased_is_found_by_nothing(exercise):
    browser, _ = sit_down(exercise, "Ada")
    exercises.erase(exercise)
    assert browser.get(at("seat", exercise)).url == at("nickname", exercise)
    assert browser.get(at("nickname", exercise)).status_code == 404
    assert browser.get("/").status_code == 302
    assert not Seat.objects.exists()


@pytest.mark.parametrize("verb", ["put", "delete", "patch"])
def test_the_wrong_verb_is_refused(exercise, verb):
    browser, _ = sit_down(exercise, "Ada")
    for name in ("seat", "live", "leave"):
        assert getattr(browser, verb)(at(name, exercise)).status_code == 405
    for address in (reverse("join:code"), at("nickname", exercise), at("back", exercise)):
        assert getattr(Client(), verb)(address).status_code == 405
    assert browser.post(at("seat", exercise)).status_code == 405


def test_the_number_of_queries_does_not_grow_with_the_class(exercise, django_assert_num_queries):
    browser, _ = sit_down(exercise, "Ada")
    for n in range(5):
        sit_down(exercise, f"student {n}")
    exercises.start(exercise)
    with django_assert_num_queries(3):  # session, user, seat
        browser.get(at("live", exercise))
    with django_assert_num_queries(5):  # and the topics, with the progress in each
        browser.get(at("seat", exercise))
