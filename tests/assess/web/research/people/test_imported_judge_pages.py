"""The page of an imported judge withdraws and restores it; the pages of people, imports and downloads say so."""

import re

import pytest
from django.urls import reverse

from assess.collections.archive import archive_collection
from assess.models import Action, AuditEvent, ImportedJudge, Member, Role
from assess.people.removal import remove_member
from assess.pools.assign import assign
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.withdrawal import withdraw_judge
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import tables
from tests.html import compact

pytestmark = pytest.mark.django_db


@pytest.fixture
def gpt(collection):
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n", "gpt", options=JudgementOptions(judge_kind="model"))
    return Member.objects.get(name="gpt")


@pytest.fixture
def people(collection, join):
    return {role: join(collection, role.value, role) for role in (Role.OWNER, Role.RESEARCHER, Role.ASSESSOR)}


@pytest.fixture
def http(people, signed_in):
    return signed_in(people[Role.OWNER])


def url(name: str, *arguments) -> str:
    return reverse(f"research:{name}", args=["small", *arguments])


def html(response) -> str:
    return compact(response.content.decode())


def cells(text: str, name: str) -> list[str]:
    (row,) = re.findall(rf'<th scope="row">(?:<a[^>]*>)?\s*{name}\b(.*?)</tr>', text, re.S)
    return [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]


def test_people_page_lists_imported_judges(http, collection, gpt):
    page = html(http.get(url("people")))
    assert cells(page, "gpt") == ["model", "counts", "2"]
    assert f'href="{url("imported_judge", gpt.pk)}"' in page
    withdraw_judge(collection, "gpt")
    assert cells(html(http.get(url("people"))), "gpt") == ["model", "withdrawn", "2"]


def test_page_says_what_would_be_left_out_and_asks_once(http, gpt):
    page = html(http.get(url("imported_judge", gpt.pk)))
    assert "2 judgements of gpt would be left out." in page
    assert "Golds change: 2 documents have a grade of gpt, 2 of them of nobody else." in page
    assert f'<form method="post" action="{url("withdraw_judge", gpt.pk)}">' in page
    assert url("restore_judge", gpt.pk) not in page


@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER])
def test_owners_and_researchers_withdraw_and_restore(signed_in, people, gpt, role):
    http = signed_in(people[role])
    page = html(http.post(url("withdraw_judge", gpt.pk), follow=True))
    assert "gpt is withdrawn: 2 judgements left out." in page
    assert f'<form method="post" action="{url("restore_judge", gpt.pk)}">' in page
    assert url("withdraw_judge", gpt.pk) not in page
    assert "gpt is restored: 2 judgements included." in html(http.post(url("restore_judge", gpt.pk), follow=True))
    actions = (Action.JUDGE_WITHDRAWN, Action.JUDGE_RESTORED)
    events = AuditEvent.objects.filter(action__in=actions).order_by("pk").values_list("action", "actor")
    assert list(events) == [(action, people[role].user_id) for action in actions]


@pytest.mark.parametrize("page", ["imported_judge", "change_judge", "withdraw_judge", "restore_judge"])
def test_others_are_refused(signed_in, people, gpt, django_user_model, client, page):
    before = tables()["Member"]
    method = "get" if page == "imported_judge" else "post"
    assert getattr(signed_in(people[Role.ASSESSOR]), method)(url(page, gpt.pk)).status_code == 403
    client.force_login(
        django_user_model.objects.create_user("outsider"), backend="assess.people.backend.AccountBackend"
    )
    assert getattr(client, method)(url(page, gpt.pk)).status_code == 404
    assert getattr(client, "post" if method == "get" else "get")(url(page, gpt.pk)).status_code in (404, 405)
    assert tables()["Member"] == before


RECORD = {
    "kind": "model",
    "description": "the first",
    "model": "gpt-4o",
    "prompt": "Is it?\r\n0 or 1.",
    "prompt_version": "2",
    "parameters": "temperature=0",
    "graded_on": "2024-08-31",
}


@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER])
def test_owners_and_researchers_change_the_record(signed_in, people, gpt, role):
    http = signed_in(people[role])
    page = html(http.post(url("change_judge", gpt.pk), RECORD, follow=True))
    assert "Saved the record of gpt." in page
    stored = ImportedJudge.objects.get()
    saved = {name: str(getattr(stored, name)) for name in RECORD}
    assert saved == RECORD | {"prompt": "Is it?\n0 or 1."}
    for name in ("gpt-4o", "Is it?", "temperature=0", "2024-08-31"):
        assert name in page
    assert "Nothing has changed." in html(http.post(url("change_judge", gpt.pk), RECORD, follow=True))
    assert AuditEvent.objects.get(action=Action.JUDGE_CHANGED).actor_id == people[role].user_id


def test_refused_record_is_shown_again(http, gpt):
    response = http.post(url("change_judge", gpt.pk), RECORD | {"kind": "human"})
    assert response.status_code == 400
    assert "Only a judge of the kind model has a model; the kind is human." in html(response)
    assert 'value="gpt-4o"' in html(response)
    assert http.post(url("change_judge", gpt.pk), RECORD | {"graded_on": "soon"}).status_code == 400
    assert ImportedJudge.objects.get().model == ""


def test_people_and_unknown_judges_are_not_found(http, collection, people, join):
    removed = join(collection, "ada")
    assign(collection, judges=2)
    judge(removed, upcoming(removed)[0])
    remove_member(collection, removed.name)
    for key in (people[Role.ASSESSOR].pk, removed.pk, 10**9):
        assert http.get(url("imported_judge", key)).status_code == 404
        assert http.post(url("withdraw_judge", key)).status_code == 404


def test_second_withdrawal_is_refused_on_the_page(http, collection, gpt):
    withdraw_judge(collection, "gpt")
    response = http.post(url("withdraw_judge", gpt.pk))
    assert response.status_code == 400
    assert "gpt is withdrawn already." in html(response)


def test_archived_collection_offers_nothing(http, collection, gpt):
    archive_collection(collection)
    page = html(http.get(url("imported_judge", gpt.pk)))
    assert url("withdraw_judge", gpt.pk) not in page
    assert http.post(url("withdraw_judge", gpt.pk)).status_code == 400


def test_import_page_says_withdrawn_and_links_to_the_judges(http, collection, gpt):
    page = html(http.get(url("import")))
    assert "cannot be undone" not in page
    assert f'<a href="{url("people")}#imported">Withdraw the judge</a>' in page
    withdraw_judge(collection, "gpt")
    page = html(http.get(url("import")))
    assert f'Withdrawn. <a href="{url("people")}#imported">Restore the judge</a>' in page


def test_import_page_counts_the_judges_of_a_file(http, collection):
    import_judgements(collection, b"assessor,query_id,doc_id,relevance\ncy,1,a,1\ndi,1,a,0\n")
    withdraw_judge(collection, "cy")
    page = html(http.get(url("import")))
    assert f'Withdrawn: 1 of 2 judges. <a href="{url("people")}#imported">Withdraw the judges</a>' in page


@pytest.mark.in_ci
def test_downloads_say_what_they_leave_out(http, collection, gpt):
    import_judgements(collection, b"1 0 a 1\n", "nist")
    assert "withdrawn" not in html(http.get(url("collection")))
    withdraw_judge(collection, "gpt")
    assert "Without the judgements of 1 withdrawn judge." in html(http.get(url("collection")))
    assert b"gpt" not in http.get(url("judgements_csv")).content
    whole = http.get(url("judgements_csv"), {"withdrawn": "1"})
    assert whole.content.count(b"gpt") == 2
    exports = AuditEvent.objects.filter(action=Action.EXPORTED).order_by("pk")
    recorded = exports.values_list("details__withdrawn", flat=True)
    assert list(recorded) == ["left out", "included"]


def test_numbers_of_queries_do_not_grow(http, collection, gpt, django_assert_num_queries):
    # Those of before for people: session, user, member, people, judgements, open tasks, names of makers, invitations,
    # the sidebar (2), and 8 for who saw the runs. The page of a judge also looks for grades 0 of UMBRELA.
    pages = {url("people"): 18, url("imported_judge", gpt.pk): 13}
    for address, queries in pages.items():
        http.get(address)
        with django_assert_num_queries(queries):
            http.get(address)
    for name in ("nist", "waterloo", "mallet"):
        import_judgements(collection, b"1 0 a 1\n1 0 d 1\n", name)
    withdraw_judge(collection, "nist")
    for address, queries in pages.items():
        with django_assert_num_queries(queries):
            http.get(address)
