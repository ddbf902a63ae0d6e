"""Pages show before they tell: few words stand above the first figure, table or form, on every page of the demo."""

from html.parser import HTMLParser

import pytest
from django.urls import reverse

from assess.collections.members import add_member
from assess.demo import loading
from assess.models import Collection, Role
from assess.teaching import clock, exercises
from assess.teaching.exercises import ExerciseSpec
from assess.teaching.lesson.default_topics import default_topics
from tests.assess.demo.test_demo_loading import short_documents
from tests.assess.exercise_factories import join_all
from tests.assess.web.built_site import values_of
from tests.assess.web.test_access import ADDRESSES, CREATOR_PAGES, FILES, POST_ONLY, allowed_roles
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.site

MOST_WORDS = 60
MOST_FIELDS = 5
FIGURES = {"figure", "table", "form", "input", "select", "textarea", "progress"}
UNSEEN = {"nav", "script", "style", "template", "noscript", "svg"}
TAGS = {"tag", "tags", "basis", "visually-hidden"}
VOID = {"br", "img", "input", "wbr", "hr", "link", "meta", "path", "circle", "line", "rect"}
SHEETS = ["pair", "dcg"]


class Visible(HTMLParser):
    """What a reader sees of <main> before anything is opened: the words above the first figure, and the fields."""

    def __init__(self, html: str):
        super().__init__()
        self.words: list[str] = []
        self.fields: set[str] = set()  # a group of radio buttons is one
        self._chosen: set[str] = set()  # desk.css hides the fields of other choices
        self.has_figure = False
        self._open: list[tuple[str, bool]] = []  # each element with whether its text is seen
        self.feed(html)

    def _is_seen(self) -> bool:
        return bool(self._open) and all(seen for _, seen in self._open)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        classes = set((values.get("class") or "").split())
        if not self._open and not (tag == "main" and values.get("id") == "main"):
            return
        if self._is_seen() and (tag in FIGURES or (tag == "svg" and classes & {"figure", "slope"})):
            self.has_figure = True
        if self._is_seen() and tag in {"input", "select", "textarea"} and values.get("type") != "hidden":
            self.fields.add(values.get("name") or "")
        if "checked" in values:
            self._chosen.add(f"of-{values.get('value')}")
        if tag == "summary" and self._open and self._open[-1] == ("details", False):
            self._open[-1] = ("details", True)  # until the summary ends
        if tag not in VOID:
            other = {each for each in classes if each.startswith("of-")}
            hidden = tag in UNSEEN or "hidden" in values or bool(classes & TAGS)
            hidden = hidden or bool(other and not other & self._chosen)
            self._open.append((tag, not (hidden or (tag == "details" and "open" not in values))))

    def handle_endtag(self, tag):
        if not self._open or tag in VOID:
            return
        while self._open.pop()[0] != tag:
            pass
        if tag == "summary" and self._open and self._open[-1][0] == "details":
            self._open[-1] = ("details", False)

    def handle_data(self, data):
        if self._is_seen() and not self.has_figure:
            self.words += [word for word in data.split() if any(map(str.isalnum, word))]


def build_demo():
    """The demo with its owner, values for all addresses, and an exercise in each phase."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "documents", short_documents)
        loading.load()
    collection = Collection.objects.get(slug=loading.SLUG)
    people = {Role(member.role): member for member in collection.members.exclude(user=None)}
    people[Role.OWNER] = add_member(collection, "owner", Role.OWNER)[0]
    started = {phase: build_exercise(collection, people[Role.INSTRUCTOR].user, phase) for phase in ("", "start", "end")}
    judges = collection.members.filter(role=Role.ASSESSOR, user=None).values_list("pk", flat=True)
    values = values_of(collection, people) | {"a": judges[0], "b": judges[1], "judge_id": judges[0], "kind": "svg"}
    return people, values | {"task": values["task_pk"]}, started


def build_exercise(collection, instructor, phase: str):
    topics = default_topics(collection).query_ids
    exercise = exercises.make(
        instructor, ExerciseSpec("Agree?", collection.slug, query_ids=topics, worksheets=SHEETS), 1
    )
    join_all(exercise, "Ada", "Bob")
    for action in ("start", "end")[: ("", "start", "end").index(phase)]:
        getattr(clock, action)(exercise)
    return exercise


@pytest.fixture(scope="module")
def shared_demo(django_db_setup, django_db_blocker, tmp_path_factory):
    from django.conf import settings

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "DATA_DIR", tmp_path_factory.mktemp("data"))
        with shared_rows(build_demo, django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
            yield shared


@pytest.fixture
def demo(shared_demo, settings, db):
    return shared_demo.copy(settings)


def look(client, user, address: str) -> Visible | None:
    """What a user sees of a page; None if the address is a file or leads to another page."""
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    response = client.get(address)
    is_page = response.status_code in (200, 202, 400) and response["Content-Type"].startswith("text/html")
    return Visible(response.content.decode()) if is_page else None


OF_COLLECTIONS = [
    (name, parameters)
    for name, parameters in ADDRESSES
    if name.startswith("research:") and "slug" in parameters and name not in POST_ONLY
]


def check(seen: Visible) -> None:
    assert len(seen.words) <= MOST_WORDS, f"{len(seen.words)} words: {' '.join(seen.words)}"


@pytest.mark.parametrize(("name", "parameters"), OF_COLLECTIONS)
def test_few_words_stand_above_the_first_figure(client, demo, name, parameters):
    people, values, _ = demo
    values = values | FILES.get(name.partition(":")[2], {})
    address = reverse(name, kwargs={key: values[key] for key in parameters})
    for role in {Role.OWNER, Role.INSTRUCTOR} & allowed_roles(name):
        if seen := look(client, people[role].user, address):
            check(seen)


@pytest.mark.parametrize("name", ["home", "teach:home", "teach:new", *sorted(CREATOR_PAGES)])
def test_few_words_stand_above_the_form_of_something_new(client, demo, name):
    people, _, _ = demo
    user = people[Role.OWNER].user
    user.is_superuser = True
    user.save()
    seen = look(client, user, reverse(name))
    assert seen
    check(seen)


@pytest.mark.parametrize("phase", ["", "start", "end"])
@pytest.mark.parametrize(
    "page", ["exercise", "documents", "worksheets", "marks_page", "remove_seat", "erase", "key/pair", "key/dcg"]
)
def test_few_words_stand_above_the_first_figure_of_an_exercise(client, demo, page, phase):
    people, _, started = demo
    name, _, key = page.partition("/")
    address = reverse(f"teach:{name}", args=[started[phase].code, *([key] if key else [])])
    seen = look(client, people[Role.INSTRUCTOR].user, address)
    assert seen
    check(seen)


@pytest.mark.parametrize("name", ["assign", "pool"])
def test_few_fields_are_visible_at_first(client, demo, name):
    people, values, _ = demo
    seen = look(client, people[Role.OWNER].user, reverse(f"research:{name}", args=[values["slug"]]))
    assert seen
    assert len(seen.fields) <= MOST_FIELDS, seen.fields


def test_words_are_counted_as_they_are_seen():
    closed = "<details><summary>How?</summary><p>four words in here</p></details>"
    page = f'<main id="main"><h1>One two</h1><nav>no</nav><span class="tag">no</span>{closed}<br>five<table>six'
    assert Visible(f"<p>above</p>{page}").words == ["One", "two", "How?", "five"]
    opened = Visible('<main id="main"><details open><p>one</p><input name="a"></details><select name="b">')
    assert (opened.words, opened.fields) == (["one"], {"a", "b"})
    assert Visible('<main id="main"><details><input name="a"></details>three').words == ["three"]
    choice = '<input name="p" value="x" type="radio" checked>'
    fields = '<p class="of-x"><input name="a"></p><p class="of-y"><input name="b"></p>'
    assert Visible(f'<main id="main">{choice}{fields}').fields == {"p", "a"}
