"""The list of one's collections."""

import pytest
from django.urls import reverse

from assess.collections.archive import archive_collection
from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.models import Role
from assess.work.state import set_judging_state
from tests.assess.exercise_factories import make_instructor, pasted_exercise
from tests.html import compact

pytestmark = pytest.mark.django_db
HEADING = '<h2 id="archived">Archived</h2>'
NO_MEMBER = "You are not a member of any collection yet."


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def home(http) -> str:
    return compact(http.get(reverse("home")).content.decode())


def add_collections(*slugs: str):
    for slug in slugs:
        add_member(create_collection(slug, slug.title()), "olga", Role.OWNER)


def test_archived_collections_are_listed_below_the_others(http, collection):
    add_collections("drinks", "zebras")
    archive_collection(collection)
    html = home(http)
    others, archived = html.split(HEADING)
    assert "<h2>Drinks " in others
    assert "<h2>Zebras " in others
    assert "Small" not in others
    assert "<h3>Small " in archived
    assert f'href="{reverse("research:collection", args=["small"])}"' in archived


def test_nothing_is_reported_about_archived_collections_without_one(http):
    assert HEADING not in home(http)


def test_member_of_archived_collections_only_sees_a_link_to_them(http, collection):
    archive_collection(collection)
    html = home(http)
    assert HEADING in html
    assert NO_MEMBER not in html


def test_assessor_opens_an_archived_collection_instead_of_judging_it(collection, join, signed_in):
    http = signed_in(join(collection, "ada"))
    link = f'href="{reverse("judge:topics", args=["small"])}"'
    assert f"{link}>Judge</a>" in home(http)
    archive_collection(collection)
    assert f"{link}>Open</a>" in home(http)


def test_assessor_reads_that_judging_is_paused(collection, join, signed_in):
    http = signed_in(join(collection, "ada"))
    assert ">Judge</a>" in home(http)
    set_judging_state(collection, "paused")
    assert "Judging is not open" in home(http)
    assert ">Judge</a>" not in home(http)


def test_exercises_are_one_link_and_no_collections(collection, signed_in):
    instructor = make_instructor(collection)
    exercises = [pasted_exercise(instructor) for _ in range(2)]
    html = home(signed_in(instructor.memberships.first()))
    assert f'href="{reverse("teach:home")}">2 exercises</a>' in html
    assert html.count("<h2>") == 2  # the exercises, and the collection
    assert "<h2>Small " in html
    assert not any(reverse("research:leave", args=[each.collection.slug]) in html for each in exercises)


def test_number_of_queries_does_not_depend_on_the_collections(http, django_assert_num_queries):
    add_collections("first")
    with django_assert_num_queries(3):
        home(http)
    add_collections("second", "third")
    with django_assert_num_queries(3):
        home(http)
