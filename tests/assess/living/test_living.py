"""New runs: what they lack, what a top-up costs, which conclusions are open, and the top-up with its undo."""

import uuid

import pytest
from django.core.management import call_command
from django.urls import reverse

from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.living.conclusions import find_conclusions
from assess.living.new_runs import new_runs
from assess.living.state import judges_per_document, living_state
from assess.living.top_up import top_up
from assess.models import Assignment, Job, Role, Task
from assess.pools.assign import assign
from assess.pools.building.undo import undo_pool
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from tests.factories import SMALL_RUNS, small_collection, write_runs
from tests.html import compact

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
NEW = {"delta": {"1": ["new1", "a", "new2"], "2": ["new1", "x", "y"]}}


@pytest.fixture
def collection(db):
    return small_collection(SMALL_RUNS)


@pytest.fixture
def judged(collection, join):
    """Everything is judged by two assessors, and a run is imported afterwards."""
    people = [join(collection, name) for name in ("ada", "bob")]
    assign(collection, judges=2)
    for number, assignment in enumerate(Assignment.objects.order_by("pk")):
        record_judgement(assignment.member, assignment.public_id, JudgementInput("judged", number % 2), uuid.uuid4())
    return people


@pytest.fixture
def gamma(collection, tmp_path):
    import_runs(collection, write_runs(tmp_path, NEW))
    return collection


def test_a_run_is_new_until_it_is_pooled(collection, tmp_path):
    assert new_runs(collection) == []
    import_runs(collection, write_runs(tmp_path, NEW))
    assert [run.system for run in new_runs(collection)] == ["delta"]
    top_up(collection, ["delta"], 3)
    assert new_runs(collection) == []


def test_without_a_pool_no_run_is_new(collection):
    collection.pool_buildings.all().delete()
    assert new_runs(collection) == []


def test_the_state_by_hand(gamma, judged):
    """new1 and new2 of topic 1, and new1 of topic 2, were never pooled: three documents for two assessors."""
    state = living_state(gamma, depth=3)
    assert state.systems == ["delta"]
    known = set(Task.objects.values_list("topic__query_id", "document__doc_id"))
    first = {(topic, doc) for topic, docs in NEW["delta"].items() for doc in docs}
    assert state.to_judge == len(first - known) == state.new
    assert (state.waiting, state.judges, state.people) == (0, 2, ["assessor-1", "assessor-2"])
    assert state.runs[0].holes == len(first - known)
    assert state.runs[0].documents == 6
    assert (
        state.sentence() == f"1 run (delta) has {len(first - known)} unjudged documents in the first 3 of the topics."
    )
    assert state.shares().loc["delta", "1"] == pytest.approx(1 - 2 / 3)


def test_what_waits_in_the_pool_is_counted_apart(gamma):
    """Alpha retrieved five documents; the pool has the first two of each topic."""
    state = living_state(gamma, ["alpha"], depth=3)
    assert (state.to_judge, state.waiting, state.new) == (5, 4, 1)


@pytest.mark.in_ci
def test_a_top_up_pools_and_assigns_and_can_be_undone(gamma, judged):
    before = set(Task.objects.values_list("pk", flat=True))
    result = top_up(gamma, ["delta"], 3)
    assert (result.tasks, result.assignments, result.judges) == (3, 6, 2)
    building = gamma.pool_buildings.latest("pk")
    assert list(building.run_checksums) == ["delta"]
    state = living_state(gamma, ["delta"], 3)
    assert (state.to_judge, state.waiting) == (3, 3)
    assert top_up(gamma, ["delta"], 3).tasks == 0  # the second time adds nothing
    for _ in range(2):
        undo_pool(gamma)
    assert set(Task.objects.values_list("pk", flat=True)) == before


def test_a_top_up_assigns_nothing_that_only_other_runs_retrieved(gamma, join):
    """The pool before was never assigned; of it, only documents of the new run are, also those that a model judged."""
    people = [join(gamma, name) for name in ("ada", "bob")]
    import_judgements(gamma, b"1 0 a 1\n", "gpt", options=JudgementOptions(judge_kind="model"))
    import_judgements(gamma, b"2 0 x 1\n", "cyd", options=JudgementOptions(judge_kind="human"))
    top_up(gamma, ["delta"], 3, judges=2)
    assigned = Assignment.objects.values_list("task__topic__query_id", "task__document__doc_id").distinct()
    assert set(assigned) == {("1", "new1"), ("1", "a"), ("1", "new2"), ("2", "new1"), ("2", "y")}
    assert Assignment.objects.count() == 5 * len(people)


def test_a_top_up_that_was_killed_before_it_assigned_goes_on(gamma, judged, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("assess.pools.assign.assign", _killed)
        with pytest.raises(RuntimeError):
            top_up(gamma, ["delta"], 3)
    assert Assignment.objects.filter(state="").count() == 0
    assert top_up(gamma, ["delta"], 3).assignments == 6


def _killed(*_, **__):
    raise RuntimeError


def test_without_assessors_the_pool_grows_with_a_reason(gamma):
    result = top_up(gamma, ["delta"], 3, address="http://localhost/judge/")
    assert result.tasks == 3
    assert result.assignments == 0
    assert result.notes[0].startswith("Nothing was assigned: ")
    assert result.notes[1].startswith("Nobody was reminded: ")


def test_the_usual_number_of_judges(collection, join):
    assert judges_per_document(collection) == 1
    for name in ("ada", "bob", "cyd"):
        join(collection, name)
    assign(collection, judges=3)
    assert judges_per_document(collection) == 3


def test_conclusions_that_could_change(gamma, judged):
    found = find_conclusions(gamma, ["delta"], "nDCG@3", "judge:assessor-1")
    assert found.pairs == gamma.runs.count() - 1
    assert 0 < found.open <= found.pairs
    assert all(row["lowest"] <= row["difference"] <= row["highest"] for row in found.rows if row["lowest"] is not None)


@pytest.mark.parametrize(("systems", "depth"), [(["nobody"], 10), (["delta"], 0), (["delta"], 1_001)])
def test_an_invalid_choice_changes_nothing(gamma, systems, depth):
    tasks = Task.objects.count()
    with pytest.raises(Refused):
        top_up(gamma, systems, depth)
    assert Task.objects.count() == tasks


def test_nothing_is_judged_yet(gamma):
    with pytest.raises(Refused):
        find_conclusions(gamma, ["delta"], "nDCG@10")


@pytest.fixture
def owner(gamma, join, signed_in):
    return signed_in(join(gamma, "olga", Role.OWNER))


def text(response) -> str:
    return compact(response.content.decode())


@pytest.mark.slow
def test_the_page_shows_the_state_and_its_button_tops_up(owner, gamma, judged):
    page = reverse("research:living", args=[gamma.slug])
    shown = owner.get(page)
    assert "1 run (delta) has 3 unjudged documents in the first 10 of the topics." in text(shown)
    assert "<svg" in shown.content.decode()
    owner.post(reverse("research:conclusions", args=[gamma.slug]), {"system": "delta"})
    call_command("worker", once=True, verbosity=0)
    assert "comparisons by nDCG@10 could change" in text(owner.get(page))
    owner.post(page, {"system": "delta", "depth": "10", "judges": "2"})
    call_command("worker", once=True, verbosity=0)
    assert "Added 3 tasks and 6 assignments." in text(owner.get(page))
    assert "No run is newer than the pool." in text(owner.get(page))


@pytest.fixture
def mail_server(settings):
    settings.MAIL_CONFIGURED = True


def test_without_a_mail_server_there_are_no_fields_for_email(owner, gamma, judged):
    shown = owner.get(reverse("research:living", args=[gamma.slug])).content.decode()
    assert 'name="remind"' not in shown
    assert 'name="addresses"' not in shown


@pytest.mark.usefixtures("mail_server")
def test_one_button_pools_assigns_reminds_and_invites(owner, gamma, judged, mailoutbox):
    page = reverse("research:living", args=[gamma.slug])
    fields = {"system": "delta", "depth": "10", "judges": "2", "addresses": "eve@example.org, kim@example.org"}
    assert "Invitations are being sent to eve@example.org, kim@example.org." in text(
        owner.post(page, fields, follow=True)
    )
    assert set(gamma.invitations.values_list("role", "note")) == {
        (Role.ASSESSOR, "eve@example.org"),
        (Role.ASSESSOR, "kim@example.org"),
    }
    call_command("worker", once=True, verbosity=0)
    assert "Added 3 tasks and 6 assignments." in text(owner.get(page))
    assert sorted(to for mail in mailoutbox for to in mail.to) == ["eve@example.org", "kim@example.org"]


@pytest.mark.usefixtures("mail_server")
def test_a_wrong_address_invites_nobody_and_starts_nothing(owner, gamma):
    fields = {"system": "delta", "depth": "10", "judges": "1", "addresses": "eve@example.org nobody"}
    response = owner.post(reverse("research:living", args=[gamma.slug]), fields)
    assert response.status_code == 400
    assert not gamma.invitations.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"depth": "0"}, "greater than or equal to 1"),
        ({"judges": "x"}, "Enter a whole number"),
        ({"system": "nobody"}, "has no run of system nobody"),
    ],
)
def test_an_invalid_form_starts_nothing(owner, gamma, fields, sentence):
    values = {"system": "delta", "depth": "10", "judges": "1"} | fields
    response = owner.post(reverse("research:living", args=[gamma.slug]), values)
    assert response.status_code == 400
    assert sentence in text(response)
    assert not Job.objects.exists()


def test_the_overview_says_that_runs_are_new(owner, gamma):
    overview = reverse("research:collection", args=[gamma.slug])
    assert "1 run (delta) is newer than the pool." in text(owner.get(overview))
    top_up(gamma, ["delta"], 3)
    assert "newer than the pool" not in text(owner.get(overview))


def test_the_command_says_what_is_missing_and_applies_it(gamma, judged, capsys):
    call_command("top_up", collection=gamma.slug, depth=3)
    assert "delta: 3 of 6 documents not judged." in capsys.readouterr().out
    assert new_runs(gamma)
    call_command("top_up", collection=gamma.slug, depth=3, apply=True)
    assert "Added 3 tasks and 6 assignments." in capsys.readouterr().out
    assert new_runs(gamma) == []
