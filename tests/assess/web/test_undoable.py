"""Undo is offered in the message about what was done, and on the page of the job that did it."""

import re

import pytest
from django.core.management import call_command
from django.utils import timezone

from assess.collections.run_groups import group_runs
from assess.collections.topic_sets import set_topics
from assess.models import Assignment, ImportedJudge, ImportRecord, Job, JobState, PoolBuilding, Role, Run, Task
from assess.pools.building.build import build_pool
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from assess.web import undoable
from tests.factories import write_runs
from tests.html import compact

pytestmark = pytest.mark.django_db
with_worker = pytest.mark.django_db(transaction=True)
ROOT = "/c/small"


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def undo(client, response):
    """Send the form with the button Undo of a page, which has a token against forged requests."""
    form = re.search(r'<form method="post" action="([^"]+)" class="undo">(.*?)</form>', compact(text(response)), re.S)
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[2])
    assert fields[0][0] == "csrfmiddlewaretoken"
    data = {name: [value for other, value in fields if other == name] for name, _ in fields}
    return client.post(form[1], data, follow=True)


def text(response) -> str:
    return response.content.decode()


def test_set_of_topics(owner, collection):
    page = owner.post(f"{ROOT}/topics/set/", {"topic": ["1", "2"], "name": "test"}, follow=True)
    assert "2 topics now belong to" in text(page)
    undo(owner, page)
    assert not collection.topics.filter(in_set__name="test").exists()


def test_topics_of_several_sets_have_no_single_undo(owner, collection):
    set_topics(collection, ["1"], "test")
    page = owner.post(f"{ROOT}/topics/set/", {"topic": ["1", "2"], "name": "development"}, follow=True)
    assert 'class="undo"' not in text(page)


def test_group_of_runs(owner, collection):
    group_runs(collection, ["alpha", "beta"], "one")
    page = owner.post(f"{ROOT}/runs/group/", {"system": ["alpha", "beta"], "name": "two"}, follow=True)
    undo(owner, page)
    names = Run.objects.filter(system__in=("alpha", "beta")).values_list("grouped__group__name", flat=True)
    assert set(names) == {"one"}


@pytest.mark.in_ci
def test_imported_judge(owner, collection):
    import_judgements(collection, b"1 0 a 1\n", assessor="mod")
    judge = ImportedJudge.objects.get()
    address = f"{ROOT}/people/imported/{judge.member_id}"
    page = owner.post(f"{address}/withdraw/", follow=True)
    assert "mod is withdrawn: 1 judgement left out." in text(page)
    again = undo(owner, page)
    assert "mod is restored: 1 judgement included." in text(again)
    assert "is withdrawn" in text(undo(owner, again))


def test_state_of_judging(owner, collection):
    page = undo(owner, owner.post(f"{ROOT}/work/state/", {"state": "paused"}, follow=True))
    assert "Judging is open." in text(page)
    collection.refresh_from_db()
    assert collection.judging_open
    same = owner.post(f"{ROOT}/work/state/", {"state": "open"}, follow=True)
    assert 'class="undo"' not in text(same)


def test_rules_of_claiming(owner, collection):
    rules = {"judges_per_task": 2, "claim_minutes": 45, "repeat_share": 0.1}
    opened = owner.post(f"{ROOT}/work/claims/", rules, follow=True)
    closed = undo(owner, opened)
    collection.refresh_from_db()
    assert not collection.open_to_claims
    undo(owner, closed)
    collection.refresh_from_db()
    assert {name: getattr(collection, name) for name in rules} == rules


def test_pilot(owner, collection, add_assessors):
    add_assessors(collection, "ada", "bob")
    page = owner.post(f"{ROOT}/work/pilot/", {"documents": 3}, follow=True)
    assert Assignment.objects.count() == 6
    undo(owner, page)
    assert not Assignment.objects.exists()


def test_archive(owner, collection):
    page = undo(owner, owner.post(f"{ROOT}/settings/archive/", follow=True))
    collection.refresh_from_db()
    assert not collection.archived_at
    assert "restored from the archive" in text(page)


def test_default_reference(owner, collection):
    import_judgements(collection, b"1 0 a 1\n", assessor="mod")
    page = owner.post(f"{ROOT}/settings/reference/", {"reference": "judge:mod", "page": "settings"}, follow=True)
    undo(owner, page)
    collection.refresh_from_db()
    assert collection.reference == ""


def work(client, response):
    """Run the job of a page, and return its page."""
    call_command("worker", once=True, verbosity=0)
    return client.get(response.url)


@pytest.mark.slow
@with_worker
def test_pool_is_undone_on_the_page_of_its_job(owner, collection):
    built = work(owner, owner.post(f"{ROOT}/pool/build/", {"strategy": "depth", "depth": 3}))
    assert Task.objects.count() == 9
    assert "Removed 2 tasks" in text(undo(owner, built))
    assert Task.objects.count() == 7
    assert 'class="undo"' not in text(owner.get(built.request["PATH_INFO"]))  # the building of before stays
    assert PoolBuilding.objects.count() == 1


@pytest.mark.in_ci
@with_worker
def test_assignments_are_undone_on_the_page_of_their_job(owner, collection, add_assessors):
    add_assessors(collection, "ada")
    fields = {"policy": "overlap", "judges": 1, "pace": 60}
    preview = owner.get(f"{ROOT}/work/assign/", fields).context["preview"]
    done = work(owner, owner.post(f"{ROOT}/work/assign/", fields | {"preview": preview.fingerprint}))
    assert Assignment.objects.count() == 7
    undo(owner, done)
    assert not Assignment.objects.exists()


def test_import_is_undone_on_the_page_of_its_job(owner, collection, tmp_path):
    job = Job.objects.create(collection=collection, kind="import_runs")
    import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["a"]}}))
    Job.objects.update(state=JobState.DONE, ended_at=timezone.now())
    page = owner.get(f"{ROOT}/jobs/{job.public_id}/")
    record = ImportRecord.objects.latest("pk")
    assert f'action="{ROOT}/import/undo/{record.pk}/" class="undo"' in text(page)
    build_pool(collection, depth=2)  # reads the run
    assert 'class="undo"' not in text(owner.get(f"{ROOT}/jobs/{job.public_id}/"))
    Job.objects.update(kind="import_judgements")
    assert 'class="undo"' not in text(owner.get(f"{ROOT}/jobs/{job.public_id}/"))


def test_earlier_value():
    assert undoable.earlier_value({"a": "x", "b": "x", "c": "y"}, "y") == ("x", ["a", "b"])
    assert undoable.earlier_value({"a": "x", "b": "z"}, "y") is None
    assert undoable.earlier_value({"a": "y"}, "y") is None
    assert undoable.earlier_value({f"{at}": "x" for at in range(undoable.MOST_ITEMS + 1)}, "y") is None
