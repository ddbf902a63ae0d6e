"""A judge is withdrawn while an import, a release or an adaptive order uses its judgements."""

import pytest
from django.db import connection

from assess.errors import Refused
from assess.judging.ledger import ledger_problems
from assess.models import Action, AdaptiveOrder, AuditEvent, Collection, Judgement, LearnerModel, Member, Release, Role
from assess.pools.adaptive_order import begin_adaptive_order, next_documents
from assess.pools.learning.decided import decided_documents
from assess.pools.learning.due import is_due
from assess.releases import freeze
from assess.releases.verify import verify_stored
from assess.transfer import judgements as judgement_import
from assess.transfer.judgements import import_judgements
from assess.transfer.uploads.importing import check_uploads
from assess.transfer.withdrawal import restore_judge, withdraw_judge
from tests.assess.judging.test_judging_races import await_blocked, only_postgresql, run_concurrently
from tests.assess.pools.learning.whole import begin, whole_collection
from tests.assess.releases.conftest import release, without_reports  # noqa: F401 - a fixture
from tests.assess.transfer.uploads.uploaded import upload

pytestmark = pytest.mark.database
FIRST, SECOND = b"1 0 a 1\n1 0 b 1\n", b"1 0 d 1\n1 0 e 1\n"


@pytest.fixture
def judged(collection):
    import_judgements(collection, FIRST, "gpt")
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n2 0 x 0\n", "nist")
    return collection


# ---- imports


def withdraw_before_the_lock(monkeypatch, name: str = "gpt") -> None:
    """Withdraw the judge between the plan of the next import and its transaction."""
    lock = judgement_import._lock
    waiting = [name]

    def withdraw_and_lock(collection, judges):
        while waiting:
            withdraw_judge(Collection.objects.get(pk=collection.pk), waiting.pop())
        lock(collection, judges)

    monkeypatch.setattr(judgement_import, "_lock", withdraw_and_lock)


def test_import_that_was_planned_before_a_withdrawal_is_refused(judged, monkeypatch):
    withdraw_before_the_lock(monkeypatch)
    with pytest.raises(Refused, match="The judge gpt of small is withdrawn; nothing was imported"):
        import_judgements(judged, SECOND, "gpt")
    assert Judgement.objects.filter(member__name="gpt").count() == 2
    assert list(ledger_problems()) == []


def test_check_of_files_says_that_the_judge_is_withdrawn(judged, join):
    withdraw_judge(judged, "gpt")
    file = upload(join(judged, "olga", Role.OWNER), "gpt", SECOND)
    (problem,) = check_uploads(judged, [file.pk], {}).problems
    assert "The judge gpt of small is withdrawn; nothing was imported." in problem[2]


@pytest.mark.django_db(transaction=True)
@only_postgresql
def test_withdrawal_waits_for_an_import_that_is_being_saved(judged, monkeypatch):
    """Otherwise the import would save judgements of a withdrawn judge, whom the audit log counted without them."""
    save, store = judgement_import._save_plan, judgement_import.store_imports
    withdrawal = run_concurrently(lambda: withdraw_judge(Collection.objects.get(slug="small"), "gpt"))

    def save_while_somebody_withdraws(*arguments):
        withdrawal.__enter__()
        return save(*arguments)

    def store_when_the_other_waits(*arguments):
        await_blocked(1)
        store(*arguments)

    monkeypatch.setattr(judgement_import, "_save_plan", save_while_somebody_withdraws)
    monkeypatch.setattr(judgement_import, "store_imports", store_when_the_other_waits)
    import_judgements(judged, SECOND, "gpt")
    withdrawal.__exit__(None, None, None)
    assert connection.vendor == "postgresql"
    assert AuditEvent.objects.get(action=Action.JUDGE_WITHDRAWN).details["judgements"] == 4
    assert Member.objects.get(name="gpt").role == Role.WITHDRAWN
    assert list(ledger_problems()) == []


# ---- releases


@pytest.mark.slow
def test_release_keeps_what_it_froze(judged, without_reports):  # noqa: F811
    stored = release(judged)
    withdraw_judge(judged, "gpt")
    checked = verify_stored(stored)
    assert (checked.problems, checked.notes) == ([], [])
    stored.refresh_from_db()
    assert [member["name"] for member in stored.spec["members"]] == ["gpt", "nist"]
    again = release(judged)
    assert [member["name"] for member in again.spec["members"]] == ["nist"]
    assert verify_stored(again).problems == []
    restore_judge(judged, "gpt")
    assert verify_stored(again).problems == verify_stored(stored).problems == []


def test_judge_who_is_withdrawn_while_a_release_is_computed_is_not_stored(judged, without_reports, monkeypatch):  # noqa: F811
    computed = freeze.build_files

    def build_files(source):
        withdraw_judge(judged, "gpt")
        return computed(source)

    monkeypatch.setattr(freeze, "build_files", build_files)
    with pytest.raises(Refused, match="Somebody was erased, renamed or withdrawn while the release was computed"):
        release(judged)
    assert not Release.objects.exists()


# ---- what learns


def test_adaptive_order_learns_again(judged):
    topic = judged.topics.get(query_id="1")
    begin_adaptive_order(judged, "move_to_front", "majority", 1)

    def state():
        next_documents(topic, ["d", "e"], 2)
        order = AdaptiveOrder.objects.get(topic=topic)
        return bytes(order.state), order.caught_up

    before = state()
    assert before[1] == 4
    withdraw_judge(judged, "gpt")
    assert state()[1] == 2
    assert decided_documents(topic.pk, "majority", 1) == ({"a": 1, "b": 0}, 2)
    restore_judge(judged, "gpt")
    assert state() == before


def test_learner_is_due_after_each_change(db):
    whole = whole_collection()
    topic = whole.topics.get(query_id="1")
    doc_ids = list(whole.documents.order_by("doc_id").values_list("doc_id", flat=True)[:8])
    import_judgements(whole, "".join(f"1 0 {doc_id} 1\n" for doc_id in doc_ids).encode(), "gpt")
    begin(whole)
    for change in (withdraw_judge, restore_judge):
        model = LearnerModel.objects.filter(topic=topic).latest("version")
        assert not is_due(model)
        change(whole, "gpt")
        model.refresh_from_db()
        assert is_due(model)
        assert len(model.judged) == model.n_judged  # what it has learned from is still known
        LearnerModel.objects.filter(pk=model.pk).update(is_outdated=False)
