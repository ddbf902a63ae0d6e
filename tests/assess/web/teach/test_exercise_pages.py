"""The instructor's pages: an exercise is created in one form, run from one screen, and erased with one button."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assess.judging import ledger
from assess.models import ROLES_OF_PEOPLE, Collection, Exercise, Judgement, Phase, Practice, Role, Seat, Tombstone
from assess.teaching import clock
from assess.web.teach.views import EXTENSION
from tests.assess.classroom import add_instructor, create_exercise, join_exercise, judge_all, signed_in_client
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact

pytestmark = pytest.mark.django_db

FORM = {
    "title": "Do we agree?",
    "query_ids": ["1"],
    "shared": "3",
    "more_each": "1",
    "minutes": "7",
    "scale": "graded",
    "show_comments": "on",
    "worksheets": ["pair", "dcg"],
    "days": "5",
    "anyway": "on",
}
PASTED = FORM | {
    "pasted_topics": "jaguar\nmercury\tplanet Mercury\tNot the metal.",
    "pasted_documents": "A big cat.\n\nA car.\n\nA planet\nnear the sun.",
}


@pytest.fixture
def instructor(collection):
    return add_instructor(collection)


@pytest.fixture
def exercise(collection, instructor):
    return create_exercise(collection, instructor, worksheets=["dcg"])


@pytest.fixture
def browser(instructor):
    return signed_in_client(instructor.user)


def at(name: str, exercise: Exercise, *more) -> str:
    return reverse(f"teach:{name}", args=[exercise.code, *more])


def post_action(browser, exercise: Exercise, action: str):
    response = browser.post(at("action", exercise, action))
    exercise.refresh_from_db()
    return response


def text(response) -> str:
    return compact(response.content.decode())


# ---- list


def test_home_lists_own_exercises_and_collections_to_show(browser, collection, exercise):
    join_exercise(exercise, "Ada")
    page = text(browser.get("/teach/"))
    assert at("exercise", exercise) in page
    assert exercise.code in page
    assert "not started" in page
    assert f"?source={collection.slug}" in page
    # The collection of the exercise itself is not listed.
    assert exercise.collection.name not in re.findall(r"<h2>(.*?)</h2>", page)


def test_home_explains_how_to_become_an_instructor(client, django_user_model):
    page = text(signed_in_client(django_user_model.objects.create_user("nobody")).get("/teach/"))
    assert "can send you an invitation as an instructor" in page
    assert reverse("teach:new") not in page


# ---- create


@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER, Role.INSTRUCTOR])
def test_readers_of_judgements_can_make_an_exercise(collection, join, role):
    response = signed_in_client(join(collection, "she", role).user).post(f"/teach/new/?source={collection.slug}", FORM)
    exercise = Exercise.objects.get()
    assert (response.status_code, response.url) == (302, at("exercise", exercise))


def test_few_documents_are_warned_of_before_the_exercise_is_created(browser, collection):
    form = {name: value for name, value in FORM.items() if name != "anyway"}
    page = text(browser.post(f"/teach/new/?source={collection.slug}", form))
    assert "students judge only 3 documents of a topic" in page
    assert "Nothing is created yet." in page
    assert "Do we agree?" in page
    assert not Exercise.objects.exists()
    assert browser.post(f"/teach/new/?source={collection.slug}", form | {"anyway": "on"}).status_code == 302


def test_missing_practice_document_is_warned_of_beside_few_documents(browser, collection):
    form = {name: value for name, value in FORM.items() if name != "anyway"} | {"practice": "agreed"}
    page = text(browser.post(f"/teach/new/?source={collection.slug}", form))
    warning = re.search(r'<div class="refusal" role="alert" id="warning">(.*?)</div>', page)[1]
    assert "students judge only 3 documents of a topic" in warning
    assert "There is no practice document" in warning
    assert not Exercise.objects.exists()
    assert browser.post(f"/teach/new/?source={collection.slug}", form | {"anyway": "on"}).status_code == 302
    assert not Practice.objects.exists()


def test_others_cannot_make_an_exercise(collection, join, django_user_model):
    for user in (join(collection, "worker").user, django_user_model.objects.create_user("nobody")):
        browser = signed_in_client(user)
        assert browser.get("/teach/new/").status_code == 403
        assert browser.post(f"/teach/new/?source={collection.slug}", FORM).status_code == 403
    assert not Exercise.objects.exists()


def test_every_field_is_saved(browser, instructor, collection):
    browser.post(f"/teach/new/?source={collection.slug}", FORM)
    exercise = Exercise.objects.get()
    saved = {name: getattr(exercise, name) for name in ("title", "shared", "more_each", "minutes", "worksheets")}
    assert saved == {"title": "Do we agree?", "shared": 3, "more_each": 1, "minutes": 7, "worksheets": ["pair", "dcg"]}
    assert (exercise.instructor, exercise.show_own, exercise.show_comments) == (instructor.user, False, True)
    assert exercise.erase_on == timezone.localdate() + timedelta(days=5)
    assert list(exercise.collection.topics.values_list("query_id", flat=True)) == ["1"]
    assert list(exercise.collection.grades.values_list("name")) == list(collection.grades.values_list("name"))


@pytest.mark.parametrize(("scale", "values"), [("binary", [0, 1]), ("graded", [0, 1, 2])])
def test_binary_or_graded(join, scale, values):
    source = small_collection(SMALL_RUNS, slug="graded", grades=["0=none", "1=some", "2=much"])
    signed_in_client(add_instructor(source).user).post("/teach/new/?source=graded", FORM | {"scale": scale})
    assert list(Exercise.objects.get().collection.grades.values_list("value", flat=True)) == values


def test_form_offers_topics_of_the_chosen_collection(collection, browser, instructor):
    other = small_collection({"s": {"1": ["a", "b"]}}, slug="other")
    other.topics.filter(query_id="1").update(title="another need")
    other.members.create(user=instructor.user, role=Role.OWNER, name="prof")
    assert "first need" in text(browser.get("/teach/new/?source=small"))
    page = text(browser.get("/teach/new/?source=other"))
    assert "another need" in page
    assert "first need" not in page
    assert "pasted_topics" not in page
    page = text(browser.get("/teach/new/?source="))
    assert "pasted_topics" in page
    assert "another need" not in page


def test_form_offers_every_worksheet(browser):
    from assess.teaching.worksheets import all_worksheet_titles

    page = text(browser.get("/teach/new/"))
    for key in all_worksheet_titles():
        assert f'value="{key}"' in page


def test_topics_and_documents_can_be_pasted(browser):
    response = browser.post("/teach/new/?source=", PASTED | {"scale": "binary"})
    assert response.status_code == 302
    collection = Exercise.objects.get().collection
    assert list(collection.topics.order_by("pk").values_list("title", flat=True)) == ["jaguar", "planet Mercury"]
    assert "A planet\nnear the sun." in collection.documents.values_list("content__text", flat=True)


@pytest.mark.parametrize(
    ("invalid", "word"),
    [
        ({"title": ""}, "Title"),
        ({"shared": "1"}, "Documents that all students judge"),
        ({"shared": "many"}, "Documents that all students judge"),
        ({"minutes": "0"}, "Minutes"),
        ({"minutes": ""}, "Minutes"),
        ({"days": "1000"}, "Days"),
        ({"more_each": "-1"}, "More"),
        ({"query_ids": ["no-such-topic"]}, "Topics"),
        ({"scale": "ternary"}, "Grades"),
        ({"worksheets": ["no-such-sheet"]}, "Worksheets"),
    ],
)
def test_invalid_field_is_refused_and_input_is_kept(browser, invalid, word):
    response = browser.post("/teach/new/?source=small", FORM | {"minutes": "7"} | invalid)
    assert response.status_code == 400
    refusal = re.search(r'class="refusal" role="alert">(.*?)</p>', text(response))[1]
    assert word in refusal
    assert "The exercise was not created." in refusal
    if "title" not in invalid:
        assert "Do we agree?" in text(response)
    assert not Exercise.objects.exists()
    assert Collection.objects.count() == 1


def test_refusal_keeps_pasted_text(browser):
    response = browser.post("/teach/new/?source=", PASTED | {"pasted_topics": ""})
    assert response.status_code == 400
    assert "A planet\nnear the sun." in response.content.decode()


def test_foreign_source_is_not_found(browser, exercise):
    small_collection(SMALL_RUNS, slug="foreign")
    for slug in ("foreign", "no-such-collection", exercise.collection.slug):
        assert browser.get(f"/teach/new/?source={slug}").status_code == 404
        assert browser.post(f"/teach/new/?source={slug}", FORM).status_code == 404


# ---- the screen


def test_screen_shows_how_to_join(browser, exercise):
    page = text(browser.get(at("exercise", exercise)))
    link = f"http://testserver/join/{exercise.code}/"
    assert f">{exercise.readable_code}</p>" in page
    assert "testserver/join/" in page
    assert f'alt="QR code of {link}"' in page
    assert 'src="data:image/svg+xml' in page


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
def test_screen_on_loopback_explains_how_other_devices_connect(browser, exercise, settings, host):
    settings.ALLOWED_HOSTS = ["*"]
    page = text(browser.get(at("exercise", exercise), headers={"host": host}))
    assert "Other devices cannot connect to this address" in page
    assert "assay demo --host 0.0.0.0" in page
    assert "Other devices cannot" not in text(browser.get(at("exercise", exercise)))


def test_screen_on_loopback_shows_the_network_address_of_a_classroom(browser, exercise, settings):
    settings.CLASSROOM_ORIGIN = "http://192.0.2.7:8000"
    page = text(browser.get(at("exercise", exercise), headers={"host": "127.0.0.1"}))
    assert f'alt="QR code of http://192.0.2.7:8000/join/{exercise.code}/"' in page
    assert "Other devices cannot" not in page


def test_code_disappears_after_joining_has_closed(browser, exercise):
    clock.start(exercise)
    assert exercise.readable_code in text(browser.get("/teach/"))
    clock.end(exercise)
    for path in (at("exercise", exercise), "/teach/"):
        page = text(browser.get(path))
        assert exercise.readable_code not in page
        assert "QR code" not in page


def test_qr_code_contains_the_url(browser, exercise):
    import segno

    qr = segno.make(f"http://testserver/join/{exercise.code}/", error="m", micro=False)
    assert (
        qr.svg_data_uri(border=4, light="white", scale=8).replace("'", "&#x27;")
        in browser.get(at("exercise", exercise)).content.decode()
    )


def test_exercise_is_run_from_its_screen(browser, exercise):
    assert post_action(browser, exercise, "start").url == at("exercise", exercise)
    assert exercise.phase == Phase.RUNNING
    post_action(browser, exercise, "pause")
    assert exercise.phase == Phase.PAUSED
    left = exercise.left_ms
    post_action(browser, exercise, "extend")
    assert exercise.left_ms == left + EXTENSION * 60_000
    post_action(browser, exercise, "resume")
    assert exercise.phase == Phase.RUNNING
    post_action(browser, exercise, "end")
    assert exercise.phase == Phase.ENDED
    post_action(browser, exercise, "open-worksheets")
    assert exercise.worksheets_open
    post_action(browser, exercise, "close-worksheets")
    assert not exercise.worksheets_open


@pytest.mark.parametrize(
    ("phase", "offered"),
    [
        ("waiting", {"start", "extend", "open-worksheets"}),
        ("running", {"pause", "extend", "end", "open-worksheets"}),
        ("paused", {"resume", "extend", "end", "open-worksheets"}),
        ("ended", {"extend", "open-worksheets"}),
    ],
)
def test_screen_offers_possible_actions(browser, exercise, phase, offered):
    actions = {"waiting": [], "running": ["start"], "paused": ["start", "pause"], "ended": ["start", "end"]}[phase]
    for action in actions:
        post_action(browser, exercise, action)
    page = text(browser.get(at("exercise", exercise)))
    offered_actions = set(re.findall(r"/action/([a-z-]+)/", page))
    assert offered_actions == offered


def test_impossible_action_is_refused_on_the_screen(browser, exercise):
    response = post_action(browser, exercise, "resume")
    assert response.status_code == 400
    assert 'role="alert">The exercise cannot be resumed: its state is “not started”' in text(response)
    assert browser.post(at("action", exercise, "explode")).status_code == 404
    assert browser.get(at("action", exercise, "start")).status_code == 405
    assert exercise.phase == Phase.WAITING


def test_live_shows_progress_without_grades(browser, exercise):
    _, ada = join_exercise(exercise, "Ada <3")
    join_exercise(exercise, "Bob")
    clock.start(exercise)
    before = browser.get(at("live", exercise)).json()["html"]
    judge_all(ada, grade=lambda at: at % 2, comment="a secret")
    response = browser.get(at("live", exercise)).json()
    assert set(response) == {"state", "phase", "left", "html"}
    assert "2 students, 4 of 8 judgements, 1 finished." in compact(response["html"])
    assert "Ada &lt;3" in response["html"]
    assert "4 of 4 ✓" in response["html"]
    assert "secret" not in response["html"]
    # Other grades with the same progress give the same response.
    Judgement.objects.filter(relevance=1).update(relevance=0)
    assert browser.get(at("live", exercise)).json()["html"] == response["html"] != before


def test_live_ends_the_exercise_when_time_is_over(browser, exercise):
    clock.start(exercise)
    assert browser.get(at("live", exercise)).json()["phase"] == "running"
    Exercise.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    response = browser.get(at("live", exercise)).json()
    assert (response["phase"], response["left"]) == ("ended", None)


def test_number_of_queries_does_not_grow_with_the_class(browser, exercise, django_assert_num_queries):
    for n in range(6):
        join_exercise(exercise, f"student {n}")
    for name in ("live", "exercise"):
        with django_assert_num_queries(7):  # session, user, exercise, three for the seats, and the practice document
            browser.get(at(name, exercise))


# ---- erase


def test_erasing_asks_once_and_states_what_will_be_erased(browser, exercise):
    _, ada = join_exercise(exercise, "Ada")
    join_exercise(exercise, "Bob")
    clock.start(exercise)
    judge_all(ada)
    page = text(browser.get(at("erase", exercise)))
    assert "This erases 2 seats with 4 judgements" in page
    assert Seat.objects.count() == 2
    response = browser.post(at("erase", exercise), follow=True)
    assert "was erased, with 2 seats and 4 judgements" in text(response)
    assert not Exercise.objects.exists()
    assert not Collection.objects.filter(slug=exercise.collection.slug).exists()
    assert Tombstone.objects.get().members == 2
    assert browser.get(at("exercise", exercise)).status_code == 404


# ---- remove a seat


@pytest.mark.in_ci
def test_removing_a_seat_keeps_the_others(browser, exercise):
    _, ada = join_exercise(exercise, "Ada")
    student, bob = join_exercise(exercise, "Bob")
    clock.start(exercise)
    judge_all(ada)
    judge_all(bob)
    assert "remove a seat" in text(browser.get(at("exercise", exercise)))
    assert "<bdi>Bob</bdi><small>4 of 4 judged</small>" in text(browser.get(at("remove_seat", exercise)))
    response = browser.post(at("remove_seat", exercise), {"seat": bob.pk}, follow=True)
    assert "Bob was removed, with 4 judgements." in text(response)
    assert [seat.nickname for seat in exercise.seats.all()] == ["Ada"]
    assert set(Judgement.objects.values_list("member", flat=True)) == {ada.member_id}
    assert list(ledger.ledger_problems()) == []
    assert Tombstone.objects.get().members == 1
    assert student.get(f"/x/{exercise.code}/").status_code != 200  # the cookie is no longer valid
    join_exercise(exercise, "Bob")  # the nickname is free again


@pytest.mark.parametrize("seat_id", ["", "x", "-1", "9" * 50, "\0", "another"])
def test_unknown_seat_is_not_removed(browser, exercise, instructor, seat_id):
    other = create_exercise(instructor.collection, instructor)
    join_exercise(exercise, "Ada")
    _, elsewhere = join_exercise(other, "Bob")
    seat_id = str(elsewhere.pk) if seat_id == "another" else seat_id
    response = browser.post(at("remove_seat", exercise), {"seat": seat_id})
    assert response.status_code == 400
    assert "Choose the seat to remove" in text(response)
    assert Seat.objects.count() == 2


def test_exercise_without_seats_offers_no_removal(browser, exercise):
    assert "Nobody has joined yet." in text(browser.get(at("remove_seat", exercise)))
    assert "remove a seat" not in text(browser.get(at("exercise", exercise)))


# ---- access


@pytest.mark.slow
def test_only_the_instructor_has_access(collection, exercise, instructor, join, django_user_model):
    others = [join(collection, role.value, role).user for role in ROLES_OF_PEOPLE]
    others.append(django_user_model.objects.create_user("outsider"))
    addresses = [at(name, exercise) for name in ("exercise", "live", "remove_seat", "erase")]
    addresses += [at("judgements", exercise, "csv"), at("judgements", exercise, "xlsx"), at("marks", exercise, "csv")]
    for address in addresses:
        expected = 400 if "judgements" in address else 200  # it has not ended
        assert signed_in_client(instructor.user).get(address).status_code == expected
        assert Client().get(address).url.startswith(reverse("account:sign_in"))
        for user in others:
            assert signed_in_client(user).get(address).status_code == 404
            assert signed_in_client(user).get(address.replace(exercise.code, "AAAAAA")).status_code == 404
    for user in others:
        assert signed_in_client(user).post(at("erase", exercise)).status_code == 404
        assert signed_in_client(user).post(at("remove_seat", exercise), {"seat": "1"}).status_code == 404
        assert signed_in_client(user).post(at("action", exercise, "start")).status_code == 404
    exercise.refresh_from_db()
    assert exercise.phase == Phase.WAITING


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_wrong_method_is_refused(browser, exercise, method):
    for address in ("/teach/", "/teach/new/", *(at(name, exercise) for name in ("exercise", "live", "erase"))):
        assert getattr(browser, method)(address).status_code == 405
    assert browser.post(at("exercise", exercise)).status_code == 405
    assert browser.post(at("judgements", exercise, "csv")).status_code == 405
