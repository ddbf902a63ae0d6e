"""The collections of `benchmarks.screens`, the people who open their pages, and the pages with their addresses.

With the collection `demo` come a small one that has something for every address, a class in several phases, and links
for visitors.
"""

import json
import uuid
from collections.abc import Iterator

from django.db.models import Count
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from assess.collections.create import create_collection
from assess.demo import loading
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Collection, Exercise, Member, Role, Task, User
from assess.people import invitations, owner_link
from assess.people.sign_in.reset_links import create_reset_link
from assess.teaching import clock
from benchmarks import research_pages
from benchmarks.desk_pages import WORDS
from benchmarks.paint import session_of
from tests.assess.judged_exercises import STEPS, reload
from tests.assess.web.built_site import build_site
from tests.assess.web.test_access import ADDRESSES, OPEN_TO_EVERYBODY, POST_ONLY
from tests.browser.pictures import class_of_twelve, finish

SLUGS = {"empty": "empty", "demo": loading.SLUG, "dl19": "dl19", "judges": "llmjudge"}
VISITORS = {"judge": "assessor", "teach": "instructor", "join": "student"}  # of these namespaces; else the owner
OF_DEMO = {"judge:topics", "judge:topic", "judge:judgements", "judge:recorded"}  # others are of the small collection
QUERIES = WORDS | {"find": {"q": "list"}, "pool": {"preview": 1, "strategy": "rrf", "size": 5}}
JUDGED = 8  # documents of the assessor
Page = tuple[str, str, str]  # the name of its picture, who opens it, and its address


def load(name: str) -> None:
    """Create a collection unless a command has done so; print the cookies of people, and the pages of each."""
    owner, _ = User.objects.get_or_create(username=Role.OWNER.value if name == "demo" else research_pages.OWNER)
    if name == "empty":
        create_collection("empty", "Empty", loading.GRADES)
    elif name == "demo":
        loading.load()
    elif name == "judges":
        research_pages.load()
    collection = Collection.objects.get(slug=SLUGS[name])
    Member.objects.get_or_create(collection=collection, user=owner, defaults={"role": Role.OWNER, "name": "olga"})
    people, pages = {"owner": owner}, list(_pages(_values(collection), {"research"}))
    if name == "demo":
        others, more = _everything_else(collection, owner, {name for name, _, _ in pages})
        people, pages = people | others, [*pages, *more]
    cookies = {each: session_of(user) for each, user in people.items()}
    print(json.dumps({"cookies": cookies, "pages": pages}))


def _values(collection: Collection) -> dict:
    """Return the values for addresses of a collection, as far as it has them."""
    values = {"slug": collection.slug, "member_id": collection.members.exclude(user=None).latest("pk").pk}
    tasks = Task.objects.filter(topic__collection=collection).annotate(judges=Count("judgements"))
    if task := tasks.order_by("-judges", "pk").first():
        values |= {"task": task.pk, "topic_id": task.topic_id}
    if judges := list(collection.members.filter(user=None).values_list("pk", flat=True)[:2]):
        values |= {"judge_id": judges[0], "a": judges[0], "b": judges[-1]}
    return values


def _pages(values: dict, namespaces: set[str], known: set[str] = frozenset()) -> Iterator[Page]:
    """Yield the pages with these values in their addresses, without files, and without those that are known."""
    for full_name, parameters in ADDRESSES:
        namespace, _, name = full_name.rpartition(":")
        is_wanted = namespace in namespaces and full_name not in POST_ONLY and full_name.replace(":", "-") not in known
        if is_wanted and set(parameters) <= values.keys():
            path = reverse(full_name, kwargs={key: values[key] for key in parameters})
            query = f"?{urlencode(QUERIES[name])}" if namespace == "research" and name in QUERIES else ""
            who = "visitor" if full_name in OPEN_TO_EVERYBODY else VISITORS.get(namespace, "owner")
            if "." not in path:
                yield full_name.replace(":", "-"), who, path + query


def _everything_else(collection: Collection, owner: User, known: set[str]) -> tuple[dict[str, User], list[Page]]:
    """Return the other people, and the pages of accounts, the site, assessors, the class and visitors."""
    owner.is_superuser = True
    owner.save()
    site = build_site()
    site.people[Role.OWNER].collection.jobs.update(state="done", ended_at=timezone.now())
    assessor = collection.members.select_related("user").get(role=Role.ASSESSOR, user__isnull=False)
    small = site.values | {"task": site.values["task_pk"]}
    judged = {"judge": {"slug": collection.slug, "topic_id": _judge_some(assessor)}}
    people, of_class = _class(collection)
    pages = [
        *_pages({"user_id": assessor.user_id}, {"", "account", "site", "api"}),
        *_pages(small, {"research"}, known),
        *(page for page in _pages(judged["judge"], {"judge"}) if page[0].replace("-", ":", 1) in OF_DEMO),
        *_pages(site.values, {"judge"}, {name.replace(":", "-") for name in OF_DEMO}),
        *of_class,
        *_of_visitors(collection, assessor.user),
        *((f"home-{each}", each, reverse("home")) for each in (*people, "assessor", "visitor")),
        ("missing", "owner", "/no-such-page"),
    ]
    return people | {"assessor": assessor.user}, pages


def _judge_some(assessor: Member) -> int:
    """Judge some documents of the first topic; return its key."""
    topic, _ = worklist.topics_with_progress(assessor)[0]
    for number, card in enumerate(worklist.upcoming(assessor, topic, limit=JUDGED)):
        record_judgement(assessor, uuid.UUID(card.task), JudgementInput("judged", number % 4), uuid.uuid4())
    return topic.pk


def _class(collection: Collection) -> tuple[dict[str, User], list[Page]]:
    """Return the people and the pages of a class that judges, and of one for each step of the reveal."""
    running, *revealed = (class_of_twelve(collection) for _ in range(len(STEPS) + 1))
    pages = [page for page in _of_class(running) if page[0] in {"teach-exercise", "teach-screen", "join-seat"}]
    pages = [(f"{name}-running", who.replace("student", "judging"), path) for name, who, path in pages]
    for step, exercise in enumerate(revealed, start=1):
        finish(exercise)
        clock.reveal(reload(exercise), step)
        shown = [page for page in _of_class(exercise) if page[0] in {"teach-reveal", "teach-screen"}]
        pages += [(f"{name}-{step}", who, path) for name, who, path in shown]
    clock.open_worksheets(reload(exercise), True)
    people = {"student": _student(exercise), "judging": _student(running), "instructor": exercise.instructor}
    return people, [*pages, *(page for page in _of_class(exercise) if page[:1] not in {("teach-reveal",)})]


def _student(exercise: Exercise) -> User:
    return exercise.seats.earliest("pk").member.user


def _of_class(exercise: Exercise) -> Iterator[Page]:
    task = Task.objects.filter(topic__collection=exercise.collection).earliest("pk")
    seat = exercise.seats.earliest("pk")
    values = {"code": exercise.code, "key": "generated", "seat_id": seat.pk, "task_id": task.pk}
    return _pages(values, {"teach", "join"})


def _of_visitors(collection: Collection, user: User) -> Iterator[Page]:
    invitation = invitations.create(collection, None, Role.ASSESSOR)
    yield "invitation", "visitor", reverse("invitation:open", args=[invitation])
    yield "owner-link", "visitor", reverse("account:owner_link", args=[owner_link.create_link()])
    yield "reset-link", "visitor", reverse("account:reset_link", args=[create_reset_link(user)])
