"""The instructor's room: an exercise is made in one form, run from one screen, and erased with one button."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assess.judging import ledger
from assess.models import Collection, Exercise, Judgement, Phase, Role, Seat, Tombstone
from assess.teaching import exercises
from assess.web.teach.views import EXTENSION
from tests.assess.classroom import exercise_of, instructor_of, judge_all, signed_in, sit_down
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
}
PASTED = FORM | {
    "pasted_topics": "jaguar\nmercury\tplanet Mercury\tNot the metal.",
    "pasted_documents": "A big cat.\n\nA car.\n\nA planet\nnear the sun.",
}


@pytest.fixture
def prof(collection):
    return instructor_of(collection)


@pytest.fixture
def exercise(collection, prof):
    return exercise_of(collection, prof, worksheets=["dcg"])


@pytest.fixture
def desk(prof):
    return signed_in(prof.user)


def at(name: str, exercise: Exercise, *more) -> str:
    return reverse(f"teach:{name}", args=[exercise.code, *more])


def do(browser, exercise: Exercise, deed: str):
    answer = browser.post(at("do", exercise, deed))
    exercise.refresh_from_db()
    return answer


def text(answer) -> str:
    return compact(answer.content.decode())


# ---- home


def test_home_lists_own_exercises_and_collections_to_show(desk, collection, exercise):
    sit_down(exercise, "Ada")
    page = text(desk.get("/teach/"))
    assert at("exercise", exercise) in page
    assert exercise.code in page
    assert "not started" in page
    assert f"?source={collection.slug}" in page
    assert exercise.collection.name not in re.findall(r"<h2>(.*?)</h2>", page)  # it is no collection to show


def test_home_tells_who_cannot_teach_how_to_become_able(client, django_user_model):
    page = text(signed_in(django_user_model.objects.create_user("nobody")).get("/teach/"))
    assert "add_member" in page
    assert reverse("teach:new") not in page


# ---- new


@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER, Role.INSTRUCTOR])
def test_whoever_sees_a_collections_judgements_can_make_an_exercise_of_it(collection, join, role):
    answer = signed_in(join(collection, "she", role).user).post(f"/teach/new/?source={collection.slug}", FORM)
    made = Exercise.objects.get()
    assert (answer.status_code, answer.url) == (302, at("exercise", made))


def test_others_cannot(collection, join, django_user_model):
    for user in (join(collection, "worker").user, django_user_model.objects.create_user("nobody")):
        browser = signed_in(user)
        assert browser.get("/teach/new/").status_code == 403
        assert browser.post(f"/teach/new/?source={collection.slug}", FORM).status_code == 403
    assert not Exercise.objects.exists()


def test_every_field_is_saved(desk, prof, collection):
    desk.post(f"/teach/new/?source={collection.slug}", FORM)
    made = Exercise.objects.get()
    saved = {name: getattr(made, name) for name in ("title", "shared", "more_each", "minutes", "worksheets")}
    assert saved == {"title": "Do we agree?", "shared": 3, "more_each": 1, "minutes": 7, "worksheets": ["pair", "dcg"]}
    assert (made.instructor, made.show_own, made.show_comments) == (prof.user, False, True)
    assert made.erase_on == timezone.localdate() + timedelta(days=5)
    assert list(made.collection.topics.values_list("query_id", flat=True)) == ["1"]
    assert list(made.collection.grades.values_list("name")) == list(collection.grades.values_list("name"))


@pytest.mark.parametrize(("scale", "values"), [("binary", [0, 1]), ("graded", [0, 1, 2])])
def test_binary_or_graded(join, scale, values):
    source = small_collection(SMALL_RUNS, slug="graded", grades=["0=none", "1=some", "2=much"])
    signed_in(instructor_of(source).user).post("/teach/new/?source=graded", FORM | {"scale": scale})
    assert list(Exercise.objects.get().collection.grades.values_list("value", flat=True)) == values


def test_the_form_offers_the_topics_of_the_collection_that_was_chosen(collection, desk, prof):
    other = small_collection({"s": {"1": ["a", "b"]}}, slug="other")
    other.topics.filter(query_id="1").update(title="another need")
    other.members.create(user=prof.user, role=Role.OWNER, name="prof")
    assert "first need" in text(desk.get("/teach/new/?source=small"))
    page = text(desk.get("/teach/new/?source=other"))
    assert "another need" in page
    assert "first need" not in page
    assert "pasted_topics" not in page
    page = text(desk.get("/teach/new/?source="))
    assert "pasted_topics" in page
    assert "another need" not in page


def test_the_form_offers_every_worksheet_by_its_title(desk):
    from assess.teaching.worksheets import offered

    page = text(desk.get("/teach/new/"))
    for key in offered():
        assert f'value="{key}"' in page


def test_topics_and_documents_can_be_pasted(desk):
    answer = desk.post("/teach/new/?source=", PASTED | {"scale": "binary"})
    assert answer.status_code == 302
    made = Exercise.objects.get().collection
    assert list(made.topics.order_by("pk").values_list("title", flat=True)) == ["jaguar", "planet Mercury"]
    assert "A planet\nnear the sun." in made.documents.values_list("text", flat=True)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"title": ""}, "Title"),
        ({"shared": "1"}, "Documents that all judge"),
        ({"shared": "many"}, "Documents that all judge"),
        ({"minutes": "0"}, "Minutes"),
        ({"minutes": ""}, "Minutes"),
        ({"days": "1000"}, "Days"),
        ({"more_each": "-1"}, "More"),
        ({"query_ids": ["no-such-topic"]}, "Topics"),
        ({"scale": "ternary"}, "Grades"),
        ({"worksheets": ["no-such-sheet"]}, "Worksheets"),
    ],
)
def test_what_does_not_fit_is_told_and_nothing_typed_is_lost(desk, wrong, word):
    answer = desk.post("/teach/new/?source=small", FORM | {"minutes": "7"} | wrong)
    assert answer.status_code == 400
    refusal = re.search(r'class="refusal" role="alert">(.*?)</p>', text(answer))[1]
    assert word in refusal
    assert "The exercise was not created." in refusal
    if "title" not in wrong:
        assert "Do we agree?" in text(answer)
    assert not Exercise.objects.exists()
    assert Collection.objects.count() == 1


def test_a_refusal_of_pasted_text_keeps_what_was_pasted(desk):
    answer = desk.post("/teach/new/?source=", PASTED | {"pasted_topics": ""})
    assert answer.status_code == 400
    assert "A planet\nnear the sun." in answer.content.decode()


def test_a_source_of_somebody_elses_is_not_there(desk, exercise):
    small_collection(SMALL_RUNS, slug="foreign")
    for slug in ("foreign", "no-such-collection", exercise.collection.slug):
        assert desk.get(f"/teach/new/?source={slug}").status_code == 404
        assert desk.post(f"/teach/new/?source={slug}", FORM).status_code == 404


# ---- the screen


def test_the_screen_says_how_to_join(desk, exercise):
    page = text(desk.get(at("exercise", exercise)))
    link = f"http://testserver/join/{exercise.code}/"
    assert f">{exercise.code}</p>" in page
    assert "testserver/join/" in page
    assert f'alt="QR code of {link}"' in page
    assert 'src="data:image/svg+xml' in page


def test_the_qr_code_holds_the_address(desk, exercise):
    import segno

    made = segno.make(f"http://testserver/join/{exercise.code}/", error="m", micro=False)
    assert (
        made.svg_data_uri(border=4, light="white", scale=8).replace("'", "&#x27;")
        in desk.get(at("exercise", exercise)).content.decode()
    )


def test_an_exercise_is_run_from_its_screen(desk, exercise):
    assert do(desk, exercise, "start").url == at("exercise", exercise)
    assert exercise.phase == Phase.RUNNING
    do(desk, exercise, "pause")
    assert exercise.phase == Phase.PAUSED
    left = exercise.left_ms
    do(desk, exercise, "extend")
    assert exercise.left_ms == left + EXTENSION * 60_000
    do(desk, exercise, "resume")
    assert exercise.phase == Phase.RUNNING
    do(desk, exercise, "end")
    assert exercise.phase == Phase.ENDED
    do(desk, exercise, "open-worksheets")
    assert exercise.worksheets_open
    do(desk, exercise, "close-worksheets")
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
def test_the_screen_offers_what_is_possible_now(desk, exercise, phase, offered):
    deeds = {"waiting": [], "running": ["start"], "paused": ["start", "pause"], "ended": ["start", "end"]}[phase]
    for deed in deeds:
        do(desk, exercise, deed)
    page = text(desk.get(at("exercise", exercise)))
    found = set(re.findall(r"/do/([a-z-]+)/", page))
    assert found == offered


def test_what_is_not_possible_is_refused_on_the_screen(desk, exercise):
    answer = do(desk, exercise, "resume")
    assert answer.status_code == 400
    assert 'role="alert">The exercise is not started' in text(answer)
    assert desk.post(at("do", exercise, "explode")).status_code == 404
    assert desk.get(at("do", exercise, "start")).status_code == 405
    assert exercise.phase == Phase.WAITING


def test_seats_and_progress_are_live_and_grades_are_not_told(desk, exercise):
    _, ada = sit_down(exercise, "Ada <3")
    sit_down(exercise, "Bob")
    exercises.start(exercise)
    before = desk.get(at("live", exercise)).json()["html"]
    judge_all(ada, grade=lambda at: at % 2, comment="a secret")
    answer = desk.get(at("live", exercise)).json()
    assert set(answer) == {"state", "phase", "left", "html"}
    assert "2 students, 4 of 8 judgements, 1 of the class finished." in compact(answer["html"])
    assert "Ada &lt;3" in answer["html"]
    assert "4 of 4 ✓" in answer["html"]
    assert "secret" not in answer["html"]
    # The same progress with other grades is the same answer.
    Judgement.objects.filter(relevance=1).update(relevance=0)
    assert desk.get(at("live", exercise)).json()["html"] == answer["html"] != before


def test_time_runs_out_on_the_screen_by_itself(desk, exercise):
    exercises.start(exercise)
    assert desk.get(at("live", exercise)).json()["phase"] == "running"
    Exercise.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    answer = desk.get(at("live", exercise)).json()
    assert (answer["state"], answer["left"]) == ("ended", None)


def test_the_number_of_queries_does_not_grow_with_the_class(desk, exercise, django_assert_num_queries):
    for n in range(6):
        sit_down(exercise, f"student {n}")
    for name in ("live", "exercise"):
        with django_assert_num_queries(6):  # session, user, exercise, and three for the seats
            desk.get(at(name, exercise))


# ---- erased


def test_erasing_asks_once_and_says_what_will_be_gone(desk, exercise):
    _, ada = sit_down(exercise, "Ada")
    sit_down(exercise, "Bob")
    exercises.start(exercise)
    judge_all(ada)
    asked = text(desk.get(at("erase", exercise)))
    assert "This erases 2 seats with 4 judgements" in asked
    assert Seat.objects.count() == 2
    answer = desk.post(at("erase", exercise), follow=True)
    assert "2 seats with 4 judgements are gone" in text(answer)
    assert not Exercise.objects.exists()
    assert not Collection.objects.filter(slug=exercise.collection.slug).exists()
    assert Tombstone.objects.get().members == 2
    assert desk.get(at("exercise", exercise)).status_code == 404


# ---- one seat taken out


def test_one_seat_is_taken_out_and_the_others_stay(desk, exercise):
    _, ada = sit_down(exercise, "Ada")
    browser, bob = sit_down(exercise, "Bob")
    exercises.start(exercise)
    judge_all(ada)
    judge_all(bob)
    assert "remove a seat" in text(desk.get(at("exercise", exercise)))
    assert "<bdi>Bob</bdi><small>4 of 4 judged</small>" in text(desk.get(at("take_out", exercise)))
    answer = desk.post(at("take_out", exercise), {"seat": bob.pk}, follow=True)
    assert "Bob is taken out; judgements that are gone: 4." in text(answer)
    assert [seat.nickname for seat in exercise.seats.all()] == ["Ada"]
    assert set(Judgement.objects.values_list("member", flat=True)) == {ada.member_id}
    assert list(ledger.differences()) == []
    assert Tombstone.objects.get().members == 1
    assert browser.get(f"/x/{exercise.code}/").status_code != 200  # the cookie leads nowhere any more
    sit_down(exercise, "Bob")  # the nickname is free again


@pytest.mark.parametrize("asked", ["", "x", "-1", "9" * 50, "\0", "another"])
def test_a_seat_that_is_not_there_is_not_taken_out(desk, exercise, prof, asked):
    other = exercise_of(prof.collection, prof)
    sit_down(exercise, "Ada")
    _, elsewhere = sit_down(other, "Bob")
    asked = str(elsewhere.pk) if asked == "another" else asked
    answer = desk.post(at("take_out", exercise), {"seat": asked})
    assert answer.status_code == 400
    assert "Choose the seat that is taken out" in text(answer)
    assert Seat.objects.count() == 2


def test_where_nobody_is_nobody_is_taken_out(desk, exercise):
    assert "Nobody has joined yet." in text(desk.get(at("take_out", exercise)))
    assert "remove a seat" not in text(desk.get(at("exercise", exercise)))


# ---- who gets in


def test_the_cast_at_the_screen(collection, exercise, prof, join, django_user_model):
    others = [join(collection, role.value, role).user for role in Role]
    others.append(django_user_model.objects.create_user("outsider"))
    addresses = [at(name, exercise) for name in ("exercise", "live", "take_out", "erase")]
    addresses += [at("judgements", exercise, "csv"), at("judgements", exercise, "xlsx"), at("marks", exercise, "csv")]
    for address in addresses:
        expected = 400 if "judgements" in address else 200  # it has not ended
        assert signed_in(prof.user).get(address).status_code == expected
        assert Client().get(address).url.startswith(reverse("account:sign_in"))
        for user in others:
            assert signed_in(user).get(address).status_code == 404
            assert signed_in(user).get(address.replace(exercise.code, "AAAAAA")).status_code == 404
    for user in others:
        assert signed_in(user).post(at("erase", exercise)).status_code == 404
        assert signed_in(user).post(at("take_out", exercise), {"seat": "1"}).status_code == 404
        assert signed_in(user).post(at("do", exercise, "start")).status_code == 404
    exercise.refresh_from_db()
    assert exercise.phase == Phase.WAITING


@pytest.mark.parametrize("verb", ["put", "delete", "patch"])
def test_the_wrong_verb_is_refused(desk, exercise, verb):
    for address in ("/teach/", "/teach/new/", *(at(name, exercise) for name in ("exercise", "live", "erase"))):
        assert getattr(desk, verb)(address).status_code == 405
    assert desk.post(at("exercise", exercise)).status_code == 405
    assert desk.post(at("judgements", exercise, "csv")).status_code == 405
