"""Who may open what. Every address of the URL table is tried, so that one added later is tried too."""

import re
import uuid

import pytest
from django.urls import URLPattern, get_resolver, reverse

from assess.judging import worklist
from assess.models import Role, User
from assess.pools import build as pools
from assess.teaching import exercises, worksheets
from tests.assess.classroom import exercise_of, instructor_of, sit_down

# Addresses of one collection, by the room they are in: who may open them.
ROOMS = {
    "judge": {Role.ASSESSOR},
    "research": {Role.OWNER, Role.RESEARCHER},
}
# Pages of the research room that an instructor may show to a class.
SHOWN_TO_CLASSES = {"agreement", "agreement_csv", "pair", "shift", "shift_csv", "shift_figure"}
OPEN_TO_EVERYBODY = {"account:sign_in", "join:code", "join:nickname", "join:back"}
OPEN_TO_ANY_USER = {
    "home",
    "teach:home",
    "teach:new",  # for whoever may read some collection
    "account:sign_out",
    "account:password",
    "account:settings",
    "account:settings_reset",
}
# Open to everybody who has a one-time link; tests/assess/web/test_owner_page.py tests what they show.
BY_OWNER_LINK = {"account:owner_link", "account:create_owner"}
POST_ONLY = {
    *("research:rules", "research:publish", "research:reassign", "research:adapt"),
    "judge:record",
    "judge:exit",
    "account:sign_out",
    "account:settings_reset",
    "teach:do",
    *("join:worksheet_answer", "join:worksheet_show"),
}
DOORS = {"join:nickname", "join:back"}  # open to everybody who has the code of an exercise
SHEET = "dcg"


def walk(resolver, namespace="", arguments=()):
    """(name, arguments) of every address below a resolver."""
    for entry in resolver.url_patterns:
        wanted = (*arguments, *entry.pattern.converters)
        if isinstance(entry, URLPattern):
            yield f"{namespace}{entry.name}", wanted
        else:
            yield from walk(entry, f"{namespace}{entry.namespace}:" if entry.namespace else namespace, wanted)


ADDRESSES = sorted(entry for entry in walk(get_resolver()) if entry[0] not in BY_OWNER_LINK)
OF_COLLECTIONS = [(name, wanted) for name, wanted in ADDRESSES if "slug" in wanted]
# Addresses of one exercise: the instructor's, and a student's.
OF_EXERCISES = [(name, wanted) for name, wanted in ADDRESSES if "code" in wanted and name not in OPEN_TO_EVERYBODY]
OF_INSTRUCTORS = [(name, wanted) for name, wanted in OF_EXERCISES if name.startswith("teach:")]
OF_SEATS = [(name, wanted) for name, wanted in OF_EXERCISES if name.startswith("join:")]


def allowed_roles(name: str) -> set[Role]:
    room, page = name.split(":")
    return ROOMS[room] | ({Role.INSTRUCTOR} if page in SHOWN_TO_CLASSES else set())


@pytest.fixture
def cast(collection, join, django_user_model):
    """One member of each role, somebody without any role, and something for the assessor to judge."""
    people = {role: join(collection, role.value, role) for role in Role}
    pools.assign(collection, judges=1)
    return people, django_user_model.objects.create_user("outsider")


@pytest.fixture
def lesson(collection):
    """An exercise that has ended, its worksheets open: the instructor, a student's seat, and what an address needs."""
    prof = instructor_of(collection)
    exercise = exercise_of(collection, prof, worksheets=[SHEET])
    _, seat = sit_down(exercise, "Ada")
    exercises.start(exercise)
    exercises.end(exercise)
    exercises.open_worksheets(exercise, True)
    things = {"code": exercise.code, "kind": "csv", "deed": "close-worksheets", "key": SHEET, "seat_id": seat.pk}
    return prof.user, seat.member.user, things


@pytest.fixture
def address(collection, cast, request):
    """A function that fills an address in with things that exist, as the assessor could meet them."""
    people, _ = cast
    topic, _ = worklist.topics(people[Role.ASSESSOR])[0]
    other = collection.members.create(name="imported", role=Role.ASSESSOR)
    things = {
        "slug": collection.slug,
        "topic_id": topic.pk,
        "task": uuid.UUID(worklist.upcoming(people[Role.ASSESSOR], topic)[0].task),
        "a": people[Role.ASSESSOR].pk,
        "b": other.pk,
        "kind": "svg",
    }

    def address(name, wanted, **others):
        if "code" in wanted:
            others = request.getfixturevalue("lesson")[-1] | others
        return reverse(name, kwargs={key: (things | others)[key] for key in wanted})

    return address


def send(client, name, url, user: User | None):
    if user:
        client.force_login(user, backend="assess.people.backend.AccountBackend")
    member = user.memberships.first() if user else None
    data = {"client_id": str(uuid.uuid4()), "relevance": "1", "member": member.pk if member else 0}
    if "worksheet" in name:
        data["field"] = worksheets.outline(SHEET).fields[0].name
    return client.post(url, data) if name in POST_ONLY else client.get(url)


def test_the_table_has_the_rooms_that_this_test_knows():
    known = OPEN_TO_EVERYBODY | OPEN_TO_ANY_USER
    assert {name.split(":")[0] for name, _ in OF_EXERCISES} == {"teach", "join"}
    assert {name for name, wanted in ADDRESSES if not {"slug", "code"} & set(wanted)} == known - DOORS
    assert {name.split(":")[0] for name, _ in OF_COLLECTIONS} == set(ROOMS)


@pytest.mark.parametrize(("name", "wanted"), OF_COLLECTIONS)
def test_every_role_is_let_in_or_kept_out(client, cast, address, name, wanted):
    people, outsider = cast
    for role, member in people.items():
        status = send(client, name, address(name, wanted), member.user).status_code
        if role in allowed_roles(name):
            assert status in (200, 302, 400), (role, status)  # 400: the page is theirs, but nothing is judged yet
        else:
            assert status == 403, (role, status)
    assert send(client, name, address(name, wanted), outsider).status_code == 404


@pytest.mark.parametrize(("name", "wanted"), OF_COLLECTIONS)
def test_missing_and_foreign_look_the_same(client, cast, address, name, wanted):
    people, outsider = cast
    foreign = send(client, name, address(name, wanted), outsider)
    missing = send(client, name, address(name, wanted, slug="no-such-collection"), outsider)
    assert foreign.status_code == missing.status_code == 404
    assert body(foreign) == body(missing)
    for member in people.values():
        assert send(client, name, address(name, wanted, slug="no-such-collection"), member.user).status_code == 404


@pytest.mark.parametrize(("name", "wanted"), OF_INSTRUCTORS)
def test_an_exercise_is_there_for_its_instructor_alone(client, cast, lesson, address, name, wanted):
    people, outsider = cast
    instructor, student, _ = lesson
    assert send(client, name, address(name, wanted), instructor).status_code in (200, 302)
    for user in (*(member.user for member in people.values()), outsider, student):
        foreign = send(client, name, address(name, wanted), user)
        missing = send(client, name, address(name, wanted, code="AAAAAA"), user)
        assert foreign.status_code == missing.status_code == 404
        assert body(foreign) == body(missing)


@pytest.mark.parametrize(("name", "wanted"), OF_SEATS)
def test_a_seat_is_there_for_its_student_alone(client, cast, lesson, address, name, wanted):
    people, outsider = cast
    instructor, student, _ = lesson
    assert send(client, name, address(name, wanted), student).status_code in (200, 302)
    for user in (*(member.user for member in people.values()), outsider, instructor):
        foreign = send(client, name, address(name, wanted), user)
        missing = send(client, name, address(name, wanted, code="AAAAAA"), user)
        assert foreign.status_code == missing.status_code == 404
        assert body(foreign) == body(missing)


def body(response) -> str:
    """A page without its own secrets, which differ at every request."""
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", response.content.decode())


@pytest.mark.parametrize(("name", "wanted"), ADDRESSES)
def test_nobody_gets_in_without_signing_in(client, cast, address, name, wanted):
    response = send(client, name, address(name, wanted), None)
    if name in OPEN_TO_EVERYBODY:
        assert response.status_code == 200
    else:
        assert response.status_code == 302
        # A student has no password: without a seat the way in is the exercise's door.
        is_seat = (name, wanted) in OF_SEATS
        way_in = address("join:nickname", ["code"]) if is_seat else reverse("account:sign_in")
        assert response.url.startswith(way_in)


@pytest.mark.parametrize(("name", "wanted"), ADDRESSES)
def test_the_wrong_verb_is_refused(client, cast, address, request, name, wanted):
    people, _ = cast
    user = people[next(iter(allowed_roles(name)))].user if "slug" in wanted else people[Role.OWNER].user
    if (name, wanted) in OF_EXERCISES:
        instructor, student, _ = request.getfixturevalue("lesson")
        user = student if (name, wanted) in OF_SEATS else instructor
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    wrong = client.get if name in POST_ONLY else client.delete
    assert wrong(address(name, wanted)).status_code == 405


@pytest.mark.parametrize(("name", "wanted"), [entry for entry in OF_COLLECTIONS if set(entry[1]) - {"slug", "kind"}])
def test_ids_of_nothing_are_not_found(client, cast, address, name, wanted):
    people, _ = cast
    nothing = {"topic_id": 10**9, "task": uuid.uuid4(), "a": 10**9, "b": 10**9}
    member = people[next(iter(allowed_roles(name)))]
    assert send(client, name, address(name, wanted, **nothing), member.user).status_code == 404
