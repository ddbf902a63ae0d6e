"""The frame of researchers' pages: the sidebar with its numbers, the search box, and the indicator of jobs."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.adjudication.adjudicate import create_adjudication
from assess.campaign.counts import counts_of
from assess.campaign.find import MOST, find
from assess.models import Collection, Invitation, Job, Member, Role, Task, Topic
from assess.web.frame.sidebar import GROUPS, groups_for
from assess.web.frame.sides import MOST_OTHERS, others_of
from tests.assess.claiming import upcoming
from tests.factories import add_missing_texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def sidebar(http, name: str = "collection") -> str:
    return http.get(reverse(f"research:{name}", args=["small"])).content.decode().partition("<main")[0]


def entry(html: str, label: str) -> str:
    """The text of an entry of the sidebar without spaces."""
    (found,) = [each for each in re.findall(r"<a [^>]*>(.*?)</a>", html, re.S) if f"<span>{label}</span>" in each]
    return re.sub(r"<svg.*?</svg>|<[^>]*>|\s", "", found, flags=re.S)


def test_keys_and_icons_are_known_and_keys_are_unique(http):
    entries = [entry for group in GROUPS for entry in group.entries]
    keys = [entry.key for entry in entries]
    assert len(set(keys)) == len(keys)
    assert sidebar(http).count('<svg width="18"') >= len(entries)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("role", "hidden", "shown"),
    [
        (Role.OWNER, set(), {"Settings", "Audit log", "Pool"}),
        (Role.RESEARCHER, {"Settings", "Audit log"}, {"Pool", "Releases"}),
        (Role.INSTRUCTOR, {"Settings", "Pool", "Work", "Disputed", "Releases"}, {"Agreement", "Ranking shift"}),
    ],
)
def test_a_role_sees_the_pages_that_it_may_open(collection, join, signed_in, role, hidden, shown):
    client = signed_in(join(collection, "rita", role))
    html = client.get(reverse("research:agreement", args=["small"])).content.decode()
    labels = {entry.label for group in groups_for(role) for entry in group.entries if not entry.needs}
    assert shown <= labels
    assert not hidden & labels
    for label in labels:
        assert f"<span>{label}</span>" in html
    for group in groups_for(role):
        for each in group.entries:
            assert client.get(reverse(f"research:{each.view}", args=["small"])).status_code == 200, each.label


def test_numbers_come_from_one_query(collection, join, django_assert_num_queries):
    join(collection, "ada")
    with django_assert_num_queries(1):
        counts = counts_of(collection)
    assert (counts.topics, counts.runs, counts.people, counts.guidelines) == (2, 3, 1, 0)


@pytest.mark.in_ci
def test_sidebar_says_how_many_there_are_and_what_waits(http, collection, join):
    assert entry(sidebar(http), "Topics") == "Topics2"
    assert entry(sidebar(http), "Adjudication") == "Adjudication"
    ada = join(collection, "ada")
    add_missing_texts(collection)
    task = Task.objects.filter(topic__collection=collection).first()
    create_adjudication(collection, [task], [ada.name], "by hand")
    now = timezone.now()
    Invitation.objects.create(
        token_hash="a" * 64, collection=collection, role="assessor", expires_at=now - timedelta(hours=1)
    )
    Job.objects.create(kind="build_pool", collection=collection, state="failed", ended_at=now, error="No.")
    html = sidebar(http)
    assert entry(html, "Adjudication") == "Adjudication1todo"
    assert entry(html, "People") == "People1todo"
    assert entry(html, "Overview") == "Overview1todo"
    assert upcoming(ada)


def test_decided_documents_and_old_failures_do_not_wait(collection):
    now = timezone.now()
    Job.objects.create(kind="build_pool", collection=collection, state="failed", ended_at=now - timedelta(days=2))
    Job.objects.create(kind="shift", collection=collection, state="failed", ended_at=now)  # is not listed
    Invitation.objects.create(
        token_hash="a" * 64, collection=collection, role="assessor", expires_at=now - timedelta(days=8)
    )
    counts = counts_of(collection)
    assert (counts.failed, counts.lapsed, counts.undecided) == (0, 0, 0)


def test_indicator_follows_a_job(http, collection):
    address = reverse("research:jobs", args=["small"])
    assert "hx-get" not in http.get(address).content.decode()
    job = Job.objects.create(kind="build_pool", collection=collection, state="running")
    html = http.get(address).content.decode()
    assert "1 job running" in html
    assert f'hx-get="{address}"' in html
    assert "1 job running" in sidebar(http)
    Job.objects.filter(pk=job.pk).update(state="done", ended_at=timezone.now())
    ended = http.get(address).content.decode()
    assert "Build the pool: done" in ended
    assert reverse("research:job", args=["small", job.public_id]) in ended
    assert "hx-get" not in ended


def search(http, text: str) -> str:
    return http.get(reverse("research:find", args=["small"]), {"q": text}).content.decode().partition("<main")[2]


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("hypo", None),
        ("agree", ("Agreement", "agreement")),
        ("RANKING", ("Ranking shift", "shift")),
    ],
)
def test_search_finds_pages(http, text, link):
    html = search(http, text)
    if link is None:
        assert "Nothing was found." in html
    else:
        assert f'<a href="{reverse(f"research:{link[1]}", args=["small"])}">{link[0]}</a>' in html


def test_search_finds_topics_runs_judges_and_documents(http, collection, join):
    ada = join(collection, "ada")
    topic = collection.topics.first()
    Topic.objects.filter(pk=topic.pk).update(title="Tea & coffee")
    assert "Tea &amp; coffee" in search(http, "COFFEE")
    run = collection.runs.first()
    assert run.system in search(http, run.system[:2])
    assert reverse("research:person", args=["small", ada.pk]) in search(http, ada.name)
    task = Task.objects.filter(topic__collection=collection).select_related("document").first()
    assert reverse("research:document", args=["small", task.pk]) in search(http, task.document.doc_id)


def test_search_is_of_this_collection_only_and_bounded(collection, join):
    Topic.objects.bulk_create(Topic(collection=collection, query_id=f"x{n}", title="same") for n in range(20))
    assert len(find(collection, "same")) == MOST
    assert find(collection, "   ") == []
    assert find(collection, "%") == []


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "' OR 1=1 --", "x" * 5_000, "%", "_", "\\"])
def test_search_takes_any_text(http, text):
    html = search(http, text)
    assert "<script>alert" not in html
    assert "Nothing was found." in html or "<li>" in html


def test_switcher_lists_the_other_collections_of_the_person(http, collection, django_assert_num_queries):
    user = collection.members.get(user__username="olga").user
    roles = [Role.ASSESSOR, Role.INSTRUCTOR, *[Role.RESEARCHER] * MOST_OTHERS]
    others = [Collection.objects.create(slug=f"n{number:02}", name=f"N{number:02}") for number in range(len(roles))]
    for other, role in zip(others, roles, strict=True):
        Member.objects.create(collection=other, user=user, role=role, name="olga")
    Collection.objects.create(slug="foreign", name="Foreign")
    Collection.objects.filter(slug="n03").update(archived_at=timezone.now())
    html = sidebar(http)
    assert 'href="/c/n00/judge/"' in html or 'href="/judge/n00/"' in html
    assert 'href="/c/n01/agreement/"' in html
    assert 'href="/c/n02/"' in html
    assert "N03" not in html
    assert "Foreign" not in html
    assert html.count("<span>N") == MOST_OTHERS
    assert ">All collections</a>" in html
    member = collection.members.get(user__username="olga")
    with django_assert_num_queries(1):
        others_of(member)
