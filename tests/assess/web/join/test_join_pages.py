"""Students join with a code, keep their seat, return to it, and see only their own data there."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from assess.judging import worklist
from assess.models import Exercise, Judgement, Phase, Role, Seat
from assess.teaching import clock, exercises
from tests.assess.classroom import add_instructor, create_exercise, join_exercise, judge_all, signed_in_client
from tests.html import compact

pytestmark = pytest.mark.django_db


@pytest.fixture
def instructor(collection):
    return add_instructor(collection)


@pytest.fixture
def exercise(collection, instructor):
    return create_exercise(collection, instructor, worksheets=["dcg"])


def at(name: str, exercise: Exercise) -> str:
    return reverse(f"join:{name}", args=[exercise.code])


def text(response) -> str:
    return compact(response.content.decode())


# ---- join


def test_code_and_nickname_lead_to_the_seat(client, exercise):
    typed = f" {exercise.code[:3].lower()}-{exercise.code[3:].lower()} "
    response = client.post(reverse("join:code"), {"code": typed}, follow=True)
    assert response.redirect_chain == [(at("nickname", exercise), 302)]
    assert "Agreement" in text(response)
    response = client.post(at("nickname", exercise), {"nickname": "Ada"}, follow=True)
    assert response.redirect_chain == [(at("seat", exercise), 302)]
    seat = exercise.seats.get()
    assert seat.nickname == "Ada"
    assert seat.reentry_code in text(response)
    assert "You have joined as Ada. The exercise has not started yet." in text(response)


def test_lower_case_code_in_the_url_is_redirected(client, exercise):
    response = client.get(f"/join/{exercise.code.lower()}/")
    assert (response.status_code, response.url) == (302, at("nickname", exercise))


def test_wrong_code_is_refused_and_not_found_by_url(client, db):
    response = client.post(reverse("join:code"), {"code": "AAAAAA"})
    assert response.status_code == 400
    assert "There is no exercise with the code" in text(response)
    assert 'value="AAAAAA"' in text(response)  # the input is kept
    assert client.get("/join/AAAAAA/").status_code == 404
    assert client.get("/join/AAAAAA/back/").status_code == 404
    page = client.post(reverse("join:code"), {"code": "A" * 100_000})
    assert page.status_code == 400
    assert f'value="{"A" * 80}"' in text(page)


@pytest.mark.parametrize(
    ("nickname", "word"),
    [("", "empty"), ("  ", "empty"), ("x" * 25, "at most 24"), ("ADA", "already"), ("a\x07", "control")],
)
def test_invalid_nickname_is_refused(client, exercise, nickname, word):
    join_exercise(exercise, "Ada")
    response = client.post(at("nickname", exercise), {"nickname": nickname})
    assert response.status_code == 400
    assert word in text(response)
    assert exercise.seats.count() == 1


def test_nickname_is_escaped(client, exercise):
    response = client.post(at("nickname", exercise), {"nickname": "<b>&amp;</b>"}, follow=True)
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in text(response)
    assert "<b>&amp;</b>" not in text(response)


def test_after_the_end_students_can_return_but_not_join(client, exercise):
    _, seat = join_exercise(exercise, "Ada")
    clock.start(exercise)
    clock.end(exercise)
    response = client.get(at("nickname", exercise))
    assert "You can no longer join" in text(response)
    assert 'name="nickname"' not in text(response)
    assert client.post(at("nickname", exercise), {"nickname": "Bob"}).status_code == 400
    response = client.post(at("back", exercise), {"reentry_code": seat.reentry_code}, follow=True)
    assert "Judging has ended" in text(response)


# ---- keep the seat


def test_student_with_a_seat_is_redirected_to_it(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    for name in ("nickname", "back"):
        assert browser.get(at(name, exercise)).url == at("seat", exercise)
    assert browser.get("/").url == at("seat", exercise)
    assert browser.post(at("nickname", exercise), {"nickname": "Eve"}).url == at("seat", exercise)
    assert exercise.seats.count() == 1


def test_cookie_signs_student_in_without_a_session(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    del browser.cookies["sessionid"]
    response = browser.get(at("seat", exercise))
    assert response.status_code == 200
    assert seat.reentry_code in text(response)
    assert "sessionid" in browser.cookies


def test_cookie_signs_student_in_on_the_judging_page(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    clock.start(exercise)
    topic, _ = worklist.topics_with_progress(seat.member)[0]
    task = worklist.upcoming(seat.member, topic)[0].task
    del browser.cookies["sessionid"]
    data = {"client_id": str(uuid.uuid4()), "relevance": "1", "member": seat.member_id}
    response = browser.post(
        reverse("judge:record", args=[exercise.collection.slug, task]), data, headers={"accept": "application/json"}
    )
    assert response.status_code == 200
    assert Judgement.objects.get().member_id == seat.member_id


def test_browser_holds_seats_in_two_exercises(collection, instructor, exercise):
    other = create_exercise(collection, instructor, title="Another")
    browser, _ = join_exercise(exercise, "Ada")
    response = browser.get(at("nickname", other))
    assert "You have a seat in another exercise as Ada" in text(response)
    browser.post(at("nickname", other), {"nickname": "Ada again"})
    for one, nickname in ((exercise, "Ada"), (other, "Ada again"), (exercise, "Ada")):
        response = browser.get(at("seat", one))
        assert f"Your nickname is {nickname}." in text(response)


def test_reentry_code_works_on_another_device(client, exercise):
    _, seat = join_exercise(exercise, "Ada")
    spaced = f"{seat.reentry_code[:5].lower()} {seat.reentry_code[5:].lower()}"
    response = client.post(at("back", exercise), {"reentry_code": spaced}, follow=True)
    assert response.redirect_chain == [(at("seat", exercise), 302)]
    assert "Your nickname is Ada." in text(response)


def test_wrong_reentry_code_is_refused(client, exercise):
    response = client.post(at("back", exercise), {"reentry_code": "AAAAAAAAAA"})
    assert response.status_code == 400
    assert "No seat of this exercise has the code" in text(response)


def test_reentry_code_of_another_exercise_is_refused(client, collection, instructor, exercise):
    _, seat = join_exercise(create_exercise(collection, instructor), "Ada")
    assert client.post(at("back", exercise), {"reentry_code": seat.reentry_code}).status_code == 400


def test_leaving_asks_once_and_shows_the_reentry_code(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    page = browser.get(at("leave", exercise))
    assert seat.reentry_code in text(page)
    assert browser.get(at("seat", exercise)).status_code == 200  # asking changed nothing
    response = browser.post(at("leave", exercise), follow=True)
    assert "You can return with your re-entry code" in text(response)
    assert browser.get(at("seat", exercise)).url == at("nickname", exercise)


def test_bar_shows_no_account_to_a_student(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    for address in (at("seat", exercise), reverse("account:settings"), f"/c/{exercise.collection.slug}/judge/"):
        page = text(browser.get(address))
        assert reverse("account:password") not in page
        assert "Sign out" not in page.replace('<button type="button" data-confirm>Sign out</button>', "")
        assert seat.member.user.username not in page.replace('"userName"', "")
        assert at("leave", exercise) in page


# ---- the page of the seat


def test_seat_page_follows_the_phase(exercise):
    browser, seat = join_exercise(exercise, "Ada")
    clock.start(exercise)
    page = text(browser.get(at("seat", exercise)))
    assert "You have 4 documents to judge" in page
    topic, _ = worklist.topics_with_progress(seat.member)[0]
    assert reverse("judge:topic", args=[exercise.collection.slug, topic.pk]) in page
    judge_all(seat)
    assert "All 4 documents are judged. Thank you, Ada." in text(browser.get(at("seat", exercise)))
    clock.pause(exercise)
    assert "Paused" in text(browser.get(at("seat", exercise)))
    clock.resume(exercise)
    clock.end(exercise)
    page = text(browser.get(at("seat", exercise)))
    assert "You judged 4 of 4 documents" in page
    assert "/judge/" not in page.replace("/judge/recorded/", "")


@pytest.mark.parametrize("change", [clock.pause, clock.end])
def test_judging_is_refused_while_paused_and_after_the_end(exercise, change):
    browser, seat = join_exercise(exercise, "Ada")
    clock.start(exercise)
    topic, _ = worklist.topics_with_progress(seat.member)[0]
    task = worklist.upcoming(seat.member, topic)[0].task
    change(exercise)
    data = {"client_id": str(uuid.uuid4()), "relevance": "1", "member": seat.member_id}
    response = browser.post(reverse("judge:record", args=[exercise.collection.slug, task]), data)
    assert response.status_code == 409
    assert not Judgement.objects.exists()


def test_live_state_changes_with_the_page(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    states = []

    def request_live():
        response = browser.get(at("live", exercise)).json()
        assert set(response) == {"state", "phase", "left"}
        states.append(response["state"])
        assert f'data-state="{response["state"]}"' in text(browser.get(at("seat", exercise)))
        return response

    assert request_live()["left"] is None
    clock.start(exercise)
    assert 0 < request_live()["left"] <= exercise.minutes * 60
    clock.pause(exercise)
    assert request_live()["phase"] == Phase.PAUSED
    clock.open_worksheets(exercise, True)
    request_live()
    clock.end(exercise)
    request_live()
    assert len(set(states)) == 5


def test_judging_page_links_to_the_seat_and_shows_the_clock(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    clock.start(exercise)
    page = text(browser.get(f"/c/{exercise.collection.slug}/judge/"))
    assert at("seat", exercise) in page
    assert at("live", exercise) in page
    topic = exercise.collection.topics.first()
    page = text(browser.get(reverse("judge:topic", args=[exercise.collection.slug, topic.pk])))
    assert at("back", exercise) in page  # in place of the password form
    assert 'name="password"' not in page


def test_other_assessors_see_no_link_and_no_clock(collection, join):
    page = text(signed_in_client(join(collection, "worker").user).get(f"/c/{collection.slug}/judge/"))
    assert "Back to the exercise" not in page
    assert "live.js" not in page


def test_open_worksheets_are_listed(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    link = reverse("join:worksheet", args=[exercise.code, "dcg"])
    assert link not in text(browser.get(at("seat", exercise)))
    clock.open_worksheets(exercise, True)
    assert link in text(browser.get(at("seat", exercise)))


def test_student_sees_nothing_of_others_before_the_reveal(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    _, bob = join_exercise(exercise, "Bobadilla")
    clock.start(exercise)
    judge_all(bob, comment="a secret word")
    clock.end(exercise)
    slug = exercise.collection.slug
    pages = [at("seat", exercise), at("live", exercise), f"/c/{slug}/judge/", f"/c/{slug}/judge/judgements.csv"]
    for address in pages:
        response = browser.get(address)
        assert "Bobadilla" not in text_of(response)
        assert "secret" not in text_of(response)
        assert bob.reentry_code not in text_of(response)


def text_of(response) -> str:
    return b"".join(response).decode() if response.streaming else response.content.decode()


def test_student_has_no_access_to_instructor_pages(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    for name in ("exercise", "live", "erase"):
        assert browser.get(reverse(f"teach:{name}", args=[exercise.code])).status_code == 404
    assert browser.get(reverse("teach:judgements", args=[exercise.code, "csv"])).status_code == 404
    assert browser.post(reverse("teach:action", args=[exercise.code, "start"])).status_code == 404
    assert browser.get(reverse("teach:new")).status_code == 403
    for page in ("agreement", "shift"):
        assert browser.get(reverse(f"research:{page}", args=[exercise.collection.slug])).status_code == 403


# ---- access


def test_only_the_student_has_access(collection, exercise, instructor, join, django_user_model):
    browser, _ = join_exercise(exercise, "Ada")
    owner, outsider = join(collection, "owner", Role.OWNER).user, django_user_model.objects.create_user("out")
    for name in ("seat", "live", "leave"):
        assert browser.get(at(name, exercise)).status_code == 200
        assert Client().get(at(name, exercise)).url == at("nickname", exercise)
        for user in (instructor.user, owner, outsider):
            assert signed_in_client(user).get(at(name, exercise)).status_code == 404


def test_seat_of_another_exercise_has_no_access(collection, instructor, exercise):
    browser, _ = join_exercise(create_exercise(collection, instructor), "Ada")
    assert browser.get(at("seat", exercise)).url == at("nickname", exercise)


def test_user_with_account_is_warned_that_joining_signs_out(exercise, django_user_model):
    browser = signed_in_client(django_user_model.objects.create_user("out"))
    assert "You are signed in as out." in text(browser.get(at("nickname", exercise)))
    response = browser.post(at("nickname", exercise), {"nickname": "Ada"}, follow=True)
    assert "Your nickname is Ada." in text(response)


def test_account_that_saw_the_runs_gets_no_seat(exercise, instructor):
    response = signed_in_client(instructor.user).post(at("nickname", exercise), {"nickname": "Ada"})
    assert response.status_code == 400
    assert "prof could see the runs" in text(response)
    assert "Let somebody join who has not seen them." in text(response)
    assert not Seat.objects.exists()


def test_instructor_with_a_seat_cookie_is_not_signed_out(exercise, instructor):
    browser, _ = join_exercise(exercise, "Ada")
    browser.force_login(instructor.user, backend="assess.people.backend.AccountBackend")
    assert browser.get(at("seat", exercise)).status_code == 404
    assert browser.get(at("nickname", exercise)).status_code == 200
    assert browser.get(reverse("teach:exercise", args=[exercise.code])).status_code == 200


def test_erased_seat_is_not_found(exercise):
    browser, _ = join_exercise(exercise, "Ada")
    exercises.erase(exercise)
    assert browser.get(at("seat", exercise)).url == at("nickname", exercise)
    assert browser.get(at("nickname", exercise)).status_code == 404
    assert browser.get("/").status_code == 302
    assert not Seat.objects.exists()


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_wrong_method_is_refused(exercise, method):
    browser, _ = join_exercise(exercise, "Ada")
    for name in ("seat", "live", "leave"):
        assert getattr(browser, method)(at(name, exercise)).status_code == 405
    for address in (reverse("join:code"), at("nickname", exercise), at("back", exercise)):
        assert getattr(Client(), method)(address).status_code == 405
    assert browser.post(at("seat", exercise)).status_code == 405


def test_number_of_queries_does_not_grow_with_the_class(exercise, django_assert_num_queries):
    browser, _ = join_exercise(exercise, "Ada")
    for n in range(5):
        join_exercise(exercise, f"student {n}")
    clock.start(exercise)
    with django_assert_num_queries(3):  # session, user, seat
        browser.get(at("live", exercise))
    with django_assert_num_queries(5):  # and the topics, with the progress in each
        browser.get(at("seat", exercise))
