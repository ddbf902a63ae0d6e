"""The pages of site owners: all people and all collections, and what they can do about an account."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assess.models import AuditEvent, Collection, Judgement, Role, Session, User
from assess.pools.assign import assign
from tests.assess.claiming import judge, upcoming
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise
from tests.html import compact

pytestmark = pytest.mark.django_db
PEOPLE, COLLECTIONS = "/site/people/", "/site/collections/"


@pytest.fixture
def root(client):
    user = User.objects.create_superuser("root", password="right and long")
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    return user


@pytest.fixture
def ada(collection, join):
    member = join(collection, "ada")
    User.objects.filter(pk=member.user.pk).update(email="ada@example.org")
    member.user.refresh_from_db()
    return member


def html(response) -> str:
    return compact(response.content.decode())


def names(text: str) -> list[str]:
    return re.findall(r'<th scope="row"><a[^>]*>([^<]*)</a>', text)


def person(user: User) -> str:
    return reverse("site:person", args=[user.pk])


# ---- people


def test_all_accounts_are_listed_with_their_collections(client, root, ada):
    text = html(client.get(PEOPLE))
    assert names(text) == ["ada", "root"]
    row = text[text.index(person(ada.user)) :]
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row)[:4] == ["ada@example.org", "Small (assessor)", "never", "active"]
    assert "site owner" in text


def test_seats_of_students_and_erased_people_are_not_listed(client, root):
    join_all(pasted_exercise(make_instructor()), "Annabella")
    User.objects.create_user("erased-1", erased_at=timezone.now())
    assert names(html(client.get(PEOPLE))) == ["iris", "root"]


@pytest.mark.parametrize("search", ["AD", "example.org", " ada "])
def test_search_finds_names_and_email_addresses(client, root, ada, search):
    assert names(html(client.get(PEOPLE, {"q": search}))) == ["ada"]


@pytest.mark.parametrize("path", [PEOPLE, COLLECTIONS])
def test_search_without_a_match_shows_what_was_typed_as_text(client, root, path):
    text = html(client.get(path, {"q": "<b>%_"}))
    assert "matches “&lt;b&gt;%_”" in text


@pytest.mark.parametrize(("page", "shown"), [("", "a"), ("2", "c"), ("9", "root"), ("x", "a"), ("-1", "root")])
def test_pages(client, root, monkeypatch, page, shown):
    monkeypatch.setattr("assess.web.site.views.PEOPLE_PER_PAGE", 2)
    for name in "abcd":
        User.objects.create_user(name)
    text = html(client.get(PEOPLE, {"page": page} if page else {}))
    assert names(text)[0] == shown
    assert "of 3" in text


def test_links_to_other_pages_keep_the_search(client, root, monkeypatch):
    monkeypatch.setattr("assess.web.site.views.PEOPLE_PER_PAGE", 1)
    User.objects.create_user("rob")
    assert 'rel="next" href="?q=ro&amp;page=2"' in html(client.get(PEOPLE, {"q": "ro"}))


def test_account_is_deactivated_and_reactivated(client, root, ada):
    browser = Client()
    browser.force_login(ada.user, backend="assess.people.backend.AccountBackend")
    answer = client.post(reverse("site:deactivate", args=[ada.user.pk]))
    assert answer.url == person(ada.user)
    assert "ada can no longer sign in; 1 session ended." in html(client.get(answer.url))
    assert browser.get("/").status_code == 302
    event = AuditEvent.objects.get(action="account_deactivated")
    assert (event.actor, event.person) == (root, ada.user)
    again = client.post(reverse("site:deactivate", args=[ada.user.pk]))
    assert (again.status_code, "is already deactivated" in html(again)) == (400, True)
    client.post(reverse("site:reactivate", args=[ada.user.pk]))
    assert User.objects.get(username="ada").is_active


def test_sessions_are_ended(client, root, ada):
    browser = Client()
    browser.force_login(ada.user, backend="assess.people.backend.AccountBackend")
    assert "1 session</span>" in html(client.get(person(ada.user)))
    client.post(reverse("site:end_sessions", args=[ada.user.pk]))
    assert not Session.objects.filter(user=ada.user).exists()
    assert browser.get("/").status_code == 302
    assert User.objects.get(username="ada").is_active


def test_nobody_deactivates_their_own_account(client, root):
    page = client.post(reverse("site:deactivate", args=[root.pk]))
    assert (page.status_code, "You cannot deactivate your own account." in html(page)) == (400, True)
    assert User.objects.get(pk=root.pk).is_active


def test_owner_of_a_collection_acts_on_memberships_only(collection, join, ada, signed_in):
    http = signed_in(join(collection, "olga", Role.OWNER))
    for name in ("site:deactivate", "site:end_sessions"):
        assert http.post(reverse(name, args=[ada.user.pk])).status_code == 404
    assert User.objects.get(username="ada").is_active
    assert "/site/" not in html(http.get("/"))


# ---- collections


def test_collections_are_listed_with_owners_and_sizes(client, root, collection, join, ada):
    join(collection, "olga", Role.OWNER)
    assign(collection, judges=1)
    judge(ada, upcoming(ada)[0])
    later = timezone.now() + timedelta(days=1)
    Judgement.objects.update(judged_at=later)
    Collection.objects.create(slug="empty", name="Empty")
    text = html(client.get(COLLECTIONS))
    row = text[text.index("<small>small") :]
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row)[:5] == ["olga", "2", "2", "1", f"{later:%Y-%m-%d %H:%M}"]
    assert text.index("<small>empty") < text.index("<small>small")
    assert f'href="/c/{collection.slug}/' not in text  # only members may open it


def test_exercise_is_named_as_such(client, root):
    pasted_exercise(make_instructor())
    assert ", class exercise</small>" in html(client.get(COLLECTIONS))


def test_collections_are_searched_by_name(client, root, collection):
    Collection.objects.create(slug="other", name="Zebra")
    text = html(client.get(COLLECTIONS, {"q": "zeb"}))
    assert "Zebra" in text
    assert "<small>small" not in text


@pytest.mark.parametrize(("path", "queries"), [(PEOPLE, 5), (COLLECTIONS, 8)])
def test_number_of_queries_does_not_grow(client, root, collection, join, django_assert_num_queries, path, queries):
    client.get(path)
    join(collection, "olga", Role.OWNER)
    with django_assert_num_queries(queries):
        client.get(path)
    for name in "abc":
        join(Collection.objects.create(slug=name, name=name), f"{name}-owner", Role.OWNER)
    with django_assert_num_queries(queries):
        client.get(path)


# ---- home


def test_home_page_links_to_the_pages_of_site_owners(client, root):
    text = html(client.get("/"))
    assert all(f'href="{path}"' in text for path in (PEOPLE, COLLECTIONS, "/account/audit/"))


def test_home_page_of_a_newcomer_names_no_command(client):
    client.force_login(User.objects.create_user("new"), backend="assess.people.backend.AccountBackend")
    text = html(client.get("/"))
    assert "You are not a member of any collection yet." in text
    assert "send you an invitation" in text
    assert "assay " not in text


def test_home_page_links_to_leaving(ada, signed_in):
    assert reverse("research:leave", args=["small"]) in html(signed_in(ada).get("/"))
