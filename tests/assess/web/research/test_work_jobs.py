"""Changes of many assignments run as jobs: all or nothing, with the result on the job's page. Small ones do not."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from assess.jobs.run import Heartbeat
from assess.judging import rules
from assess.models import Assignment, Job, JobState, Role, Task
from assess.pools import claims, reassign, unassign
from assess.pools.assign import assign
from assess.work import reassigning
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import tables
from tests.html import compact

pytestmark = pytest.mark.django_db(transaction=True)
OPEN = {"judges_per_task": 2, "claim_minutes": 30, "repeat_share": 0}
CHANGES = ["open", "close", "reassign", "release", "replace", "unassign"]


@pytest.fixture(autouse=True)
def nothing_is_small(monkeypatch):
    for module in (claims, reassigning, unassign):
        monkeypatch.setattr(module, "MOST_AT_ONCE", 0)


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


@pytest.fixture
def two(collection, add_assessors):
    """Two assessors. The first has all tasks and has judged one of them."""
    ada, ben = add_assessors(collection, "ada", "ben")
    assign(collection, 1, exclude=[ben.name])
    judge(ada, upcoming(ada)[0])
    return ada, ben


@pytest.fixture
def submit(http, collection, two):
    """A function that submits the form of a change, and returns the response."""

    def submit(change: str):
        if change in ("close", "release"):
            claims.open_to_claims(collection, 2)
        giver = {"giver": two[0].pk}
        forms = {"open": ("claims", OPEN), "close": ("claims", {"close": "1"}), "unassign": ("unassign", {})}
        if change == "replace":
            address = reverse("research:replace_member", args=["small", two[0].pk])
            return http.post(address, {"successor": two[1].name})
        name, data = forms.get(change, ("reassign", giver))
        return http.post(reverse(f"research:{name}", args=["small"]), data)

    return submit


def work() -> None:
    call_command("worker", once=True, verbosity=0)


def state() -> dict[str, list[tuple]]:
    return {name: tables()[name] for name in ("Assignment", "Task", "Collection", "Judgement")}


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("open", "Saved: Open claiming: judges per task. 6 assigned documents are now claims."),
        ("close", "Saved: Open claiming: judges per task. 6 claims stay with their assessors."),
        ("reassign", "Open tasks: 6 to {ben}."),
        ("release", "Open tasks: 6 available to claim."),
        ("replace", "{ben} takes over 6 open tasks. {ada} is removed: 1 judgement kept, 0 open tasks returned."),
        ("unassign", "Deleted 6 assignments that nobody had begun."),
    ],
)
def test_change_is_made_by_a_job(submit, http, two, change, sentence):
    page = submit(change).url
    before = state()
    assert "The job waits for the worker." in compact(http.get(page).content.decode())
    assert state() == before
    work()
    assert f"<strong>Done.</strong> {sentence.format(ada=two[0].name, ben=two[1].name)}" in compact(
        http.get(page).content.decode()
    )
    assert state() != before
    assert two[0].judgements.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_cancelled_change_changes_nothing(submit, monkeypatch, change):
    """Somebody cancels the job just before it saves."""

    def save(self) -> None:
        Job.objects.update(cancel_requested=True)
        original(self)

    original = Heartbeat.save
    monkeypatch.setattr(Heartbeat, "save", save)
    submit(change)
    before = state()
    work()
    assert Job.objects.get().state == JobState.CANCELLED
    assert state() == before


@pytest.mark.in_ci
@pytest.mark.parametrize("change", CHANGES)
def test_change_below_the_limit_is_made_at_once(submit, monkeypatch, change):
    for module in (claims, reassigning, unassign):
        monkeypatch.setattr(module, "MOST_AT_ONCE", 100)
    submit(change)
    assert not Job.objects.exists()


@pytest.mark.in_ci
def test_rules_page_starts_a_job_only_for_the_judges_of_each_task(http, collection, two):
    page = reverse("research:rules", args=["small"])
    values = {name: getattr(collection, name) for name in rules.NAMES}
    values = {name: value for name, value in values.items() if value is not None and value is not False}
    http.post(page, values | {"claim_minutes": 77})
    assert not Job.objects.exists()
    http.post(page, values | {"claim_minutes": 78, "judges_per_task": 3})
    work()
    collection.refresh_from_db()
    assert (collection.claim_minutes, collection.judges_per_task) == (78, 3)
    assert set(Task.objects.values_list("wanted", flat=True)) == {3}


def test_invalid_number_of_judges_starts_no_job(http, two):
    response = http.post(reverse("research:claims", args=["small"]), OPEN | {"judges_per_task": 10_000})
    assert response.status_code == 400
    assert not Job.objects.exists()


def test_person_who_left_in_the_meantime_gets_nothing(submit, two):
    submit("reassign")
    Job.objects.update(input={"giver": two[0].pk, "takers": [two[1].pk]})
    two[1].delete()
    before = state()
    work()
    assert "1 of these people left small in the meantime" in Job.objects.get().error
    assert state() == before


@pytest.mark.in_ci
def test_preview_of_much_work_is_computed_once_by_a_job(http, two, collection):
    page, query = reverse("research:work_people", args=["small"]), {"giver": two[0].pk}
    assert [http.get(page, query).status_code for _ in range(2)] == [202, 202]
    assert 'id="preview" aria-live="polite"' in compact(http.get(page, query).content.decode())
    work()
    judge(two[0], upcoming(two[0])[0])  # comes too often to compute again
    ready = http.get(page, query, headers={"HX-Target": "preview"})
    assert (ready.status_code, ready["HX-Refresh"]) == (200, "true")
    assert f"Open tasks: 6 to {two[1].name}." in compact(http.get(page, query).content.decode())
    assert Job.objects.count() == 1
    assign(collection, 2)
    assert http.get(page, query).status_code == 202


def test_judgement_during_the_plan_is_kept(two, collection, monkeypatch):
    """A judgement is recorded after the plan was made: the plan is made again without its task."""
    ada, _ = two
    tasks = iter(upcoming(ada)[:1])

    def plan(*arguments):
        result = original(*arguments)
        for task in tasks:
            judge(ada, task)
        return result

    original = reassign._plan
    monkeypatch.setattr(reassign, "_plan", plan)
    result = reassign.reassign(collection, ada)
    assert sum(result.moved.values()) == 5
    assert Assignment.objects.filter(member=ada).count() == ada.judgements.count() == 2
