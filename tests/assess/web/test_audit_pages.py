"""The pages of the audit log: for the owners of a collection, and for site owners."""

import csv
import io
import re

import pytest
from django.urls import reverse

from assess import audit
from assess.collections.create import create_collection
from assess.models import Action, AuditEvent, Role, User
from assess.transfer.judgements import import_judgements

SITE, SITE_CSV = "/account/audit/", "/account/audit.csv"

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def http(owner, signed_in):
    return signed_in(owner)


@pytest.fixture
def site(client):
    root = User.objects.create_superuser("root", password="right and long")
    client.force_login(root, backend="assess.people.backend.AccountBackend")
    return client


def page_of(collection) -> str:
    return reverse("research:audit", args=[collection.slug])


def csv_of(collection) -> str:
    return reverse("research:audit_csv", args=[collection.slug])


def text(response) -> str:
    """Return the words of the page's table."""
    (table,) = re.findall(r"<tbody>(.*?)</tbody>", response.content.decode(), re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", table).split())


def test_owner_sees_what_happened_in_the_collection_only(http, collection, join):
    join(collection, "bob")
    audit.record(Action.EXPORTED, collection=create_collection("other", "Other"), subject="another one")
    page = http.get(page_of(collection))
    shown = text(page)
    assert re.search(r"\d\d:\d\d:\d\d member added a command bob role: assessor", shown)
    assert "other" not in shown
    assert "signed in" not in shown
    assert "UTC" in page.content.decode()
    assert "no-store" in page["Cache-Control"]


def test_site_owner_sees_everything(site, collection):
    create_collection("other", "Other")
    shown = text(site.get(SITE))
    assert "collection created a command other" in shown
    assert "signed in root" in shown


def test_pages_are_linked_for_those_who_may_open_them(http, collection, join, signed_in):
    link = f'href="{page_of(collection)}"'
    assert link in http.get(reverse("research:collection", args=[collection.slug])).content.decode()
    assert SITE not in http.get("/").content.decode()
    researcher = signed_in(join(collection, "rita", Role.RESEARCHER))
    assert link not in researcher.get(reverse("research:collection", args=[collection.slug])).content.decode()


def test_home_page_of_a_site_owner_links_to_the_log(site):
    assert f'href="{SITE}"' in site.get("/").content.decode()


def test_filter_by_action(http, collection, join):
    join(collection, "bob")
    audit.record_export(collection, "judgements")
    shown = text(http.get(page_of(collection), {"action": "exported"}))
    assert "judgements" in shown
    assert "member added" not in shown
    empty = http.get(page_of(collection), {"action": "locked_out"})
    assert "There are no entries of this action." in empty.content.decode()


@pytest.mark.parametrize("query", [{"action": "x"}, {"older": "x"}, {"older": "-1"}, {"older": "9" * 40}])
def test_invalid_filter_is_refused(http, collection, query):
    assert http.get(page_of(collection), query).status_code == 400


@pytest.mark.parametrize("query", [{"action": "x"}, {"older": "x"}])
def test_invalid_filter_is_refused_for_the_site(site, query):
    page = site.get(SITE, query)
    assert page.status_code == 400
    assert f'<a href="{SITE}">The whole log</a>' in page.content.decode()


def test_refusal_is_shown(http, collection):
    page = http.get(page_of(collection), {"action": "<b>"})
    assert page.status_code == 400
    assert "There is no action &#x27;&lt;b&gt;&#x27;" in page.content.decode()


def test_older_entries_are_on_the_next_page(http, collection, monkeypatch):
    monkeypatch.setattr("assess.people.audit.PAGE_SIZE", 3)
    for number in range(5):
        audit.record_export(collection, f"number {number}")
    first = http.get(page_of(collection), {"action": "exported"}).content.decode()
    assert "number 2" in first
    assert "number 1" not in first
    (link,) = re.findall(r'rel="next" href="([^"]*)"', first)
    second = http.get(page_of(collection) + link.replace("&amp;", "&"))
    assert "number 1" in text(second)
    assert 'rel="next"' not in second.content.decode()


def test_download_is_complete_and_an_entry_itself(http, collection, owner):
    response = http.get(csv_of(collection))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="small-audit.csv"'
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode(), newline="")))
    assert len(rows) == AuditEvent.objects.filter(collection=collection).count()
    assert {row["collection"] for row in rows} == {"small"}
    assert (rows[-1]["action"], rows[-1]["actor"], rows[-1]["subject"]) == ("exported", "olga", "audit log")


def test_download_of_the_site(site):
    response = site.get(SITE_CSV)
    assert response["Content-Disposition"] == 'attachment; filename="site-audit.csv"'
    assert response.getvalue().decode().count("\n") == AuditEvent.objects.count() + 1


def test_names_are_escaped(site):
    User.objects.filter(username="root").update(username="<script>")
    assert "&lt;script&gt;" in text(site.get(SITE))


@pytest.mark.parametrize(
    ("name", "query", "subject"),
    [("judgements_csv", {}, "judgements"), ("qrels", {"gold": "union"}, "qrels, union")],
)
def test_downloads_are_entries(http, collection, owner, name, query, subject):
    import_judgements(collection, b"assessor,query_id,doc_id,relevance\nada,1,a,1\n")
    assert http.get(reverse(f"research:{name}", args=[collection.slug]), query).status_code == 200
    event = AuditEvent.objects.order_by("pk").last()
    assert (event.action, event.actor, event.collection, event.subject) == (
        "exported",
        owner.user,
        collection,
        subject,
    )


def test_number_of_queries_does_not_grow(http, collection, join, django_assert_num_queries):
    http.get(page_of(collection))
    with django_assert_num_queries(6):  # session, user, member, entries, the numbers and the collections of the sidebar
        http.get(page_of(collection))
    for name in "abcd":
        join(collection, name)
    with django_assert_num_queries(6):
        http.get(page_of(collection))
