"""The demo is created once, completely, and its logins work at every start."""

import io
import json
import stat
from collections import Counter

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from assess.analysis.shift import collection_shift
from assess.demo import loading
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.judging.worklist import topics_with_progress
from assess.models import Collection, ImportedJudge, Judgement, JudgementEvent, Member, Role, Task, User
from assess.pools.pooled_documents import missing_documents
from assess.pools.tasks import pooled_tasks
from tests.assess.command_output import tables
from tests.assess.demo.test_demo_content import ASSESSORS, SYSTEMS, pooled


@pytest.fixture
def folder(settings, tmp_path):
    """A separate data folder."""
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def demo(db, folder, monkeypatch):
    """The demo collection with short texts, because reading all of Python's help texts takes a second."""
    monkeypatch.setattr(loading, "documents", short_documents)
    loading.load()
    return Collection.objects.get(slug=loading.SLUG)


def short_documents(missing=()):
    doc_ids = sorted({doc_id for _, doc_id in pooled()} | {"lib:unpooled"})
    return ((doc_id, f"Title {doc_id}", f"Text of {doc_id}.") for doc_id in doc_ids if doc_id not in missing)


def judges(collection) -> list[Member]:
    return list(collection.members.filter(role=Role.ASSESSOR, user=None).order_by("name"))


@pytest.mark.slow
def test_demo_contains_the_help_texts_of_this_python(db, folder):
    (message,) = loading.load()
    assert message.startswith("Pooled 311 documents for 12 topics, out of 1,")
    collection = Collection.objects.get(slug="python-help")
    document = collection.documents.get(doc_id="topic:with")
    assert "with" in document.content.text
    assert missing_documents(collection) == []


@pytest.mark.slow
def test_each_password_is_hashed_once(db, folder, monkeypatch):
    hashed = []
    monkeypatch.setattr(loading, "documents", short_documents)
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda _, password, *__: hashed.append(password) or "md5$x$x")
    loading.load()
    assert hashed == list(loading.logins().values())
    assert len(set(hashed)) == len(loading.LOGINS)


@pytest.mark.in_ci
def test_demo_is_complete(demo):
    assert demo.topics.exclude(description="").exclude(narrative="").count() == 12
    assert tuple(demo.runs.values_list("system", flat=True)) == SYSTEMS
    assert [grade.value for grade in demo.grades.exclude(meaning="")] == [0, 1, 2, 3]
    assert demo.guidelines.get().text.startswith("#")
    assert pooled_tasks(demo).count() == len(pooled()) == 311
    assert not demo.documents.filter(doc_id="lib:unpooled").exists()
    assert dict(demo.members.exclude(user=None).values_list("user__username", "role")) == loading.LOGINS


@pytest.mark.in_ci
def test_three_judges_and_a_model_judged_the_whole_pool(demo):
    names = [*ASSESSORS, "words"]
    assert [judge.name for judge in judges(demo)] == names
    assert Counter(Judgement.objects.values_list("member__name", flat=True)) == dict.fromkeys(names, 311)
    assert Judgement.objects.filter(task__provenance=None).count() == 0
    assert JudgementEvent.objects.filter(source="import").count() == 4 * 311
    kinds = dict(ImportedJudge.objects.values_list("member__name", "kind"))
    assert kinds == dict.fromkeys(ASSESSORS, "human") | {"words": "model"}
    assert Judgement.objects.filter(member__name="words", label_confidence=None).count() == 0


@pytest.mark.slow
def test_the_page_on_model_judges_has_a_verdict(demo, join, signed_in):
    http = signed_in(join(demo, "olga", Role.OWNER))
    address = reverse("research:model_judges", args=[demo.slug])
    html = http.get(address).content.decode()
    assert 'data-verdict="' in html
    assert "words" in html
    assert "people:majority" in html


@pytest.mark.in_ci
def test_demo_assessor_has_the_whole_pool_to_judge(demo):
    visitor = demo.members.get(user__username="assessor")
    progress = [part for _, part in topics_with_progress(visitor)]
    assert len(progress) == 12
    assert sum(part.total for part in progress) == 311
    assert sum(part.done for part in progress) == 0
    assert not visitor.judgements.exists()


@pytest.mark.slow
def test_seven_judgements_on_one_topic_do_not_change_the_headline(demo):
    before = collection_shift(demo, "nDCG@10", reference="judge:plain")
    people = ("people:union", "people:intersection", "people:majority", "corrected:words")
    assert before.enough == ("judge:generous", "judge:strict", "judge:words", *people)
    assert before.headline() == (
        "Yes, substantially. Under judge:strict (of 7 golds, the one that differs most from judge:plain), 2 of 10 "
        "system pairs swap (tau_b 0.600, 12 topics, 100% of the first 10 judged) and the best system stays bm25."
    )
    assessor, topic = demo.members.get(user__username="assessor"), demo.topics.first()
    tasks = Task.objects.filter(topic=topic).order_by("pk")[:7]
    when = timezone.now()
    record_imported([ImportedJudgement(assessor, task.pk, 0, JudgementInput("judged", 3), when) for task in tasks])

    after = collection_shift(demo, "nDCG@10", reference="judge:plain")

    name = f"judge:{assessor.name}"
    assert name in after.golds
    assert name not in after.headline()
    assert after.left_out()[0].startswith(f"Preliminary for {name}: 1 topic in common with judge:plain, ")


@pytest.mark.slow
def test_loading_again_changes_and_reports_nothing(demo):
    before = tables()
    assert loading.load() == []
    assert tables() == before


@pytest.mark.slow
def test_failed_load_changes_nothing(db, folder, monkeypatch):
    def broken():
        yield from [("topic:with", "With", "text")]
        raise RuntimeError("Python is broken")

    before = tables()
    monkeypatch.setattr(loading, "documents", broken)
    with pytest.raises(RuntimeError):
        loading.load()
    assert tables() == before


@pytest.mark.slow
def test_documents_missing_in_this_python_are_left_out_and_reported(db, folder, monkeypatch):
    gone = sorted({doc_id for _, doc_id in pooled()})[:2]
    pairs = sum(doc_id in gone for _, doc_id in pooled())
    monkeypatch.setattr(loading, "documents", lambda: short_documents(gone))
    messages = loading.load()
    assert messages[0].startswith(f"Pooled {311 - pairs} documents for 12 topics, out of ")
    assert messages[1:] == [f"This Python version has no {gone[0]}, {gone[1]}; these documents were left out."]
    collection = Collection.objects.get(slug=loading.SLUG)
    assert not collection.documents.filter(doc_id__in=gone).exists()
    assert missing_documents(collection) == []
    assert Judgement.objects.count() == 4 * (311 - pairs)
    assert collection.members.get(user__username="assessor").assignments.count() == 311 - pairs


def test_logins_are_saved_in_a_private_file(demo, folder):
    logins = loading.logins()
    assert list(logins) == ["assessor", "researcher", "instructor"]
    assert len(set(logins.values())) == 3
    kept = folder / "demo_logins.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text(encoding="utf-8")) == logins
    passwords = list(User.objects.values_list("username", "password"))
    assert loading.logins() == logins
    assert list(User.objects.values_list("username", "password")) == passwords
    for name, password in logins.items():
        assert User.objects.get(username=name).check_password(password)


@pytest.mark.slow
def test_recreated_demo_has_working_logins(db, folder, monkeypatch):
    (folder / "demo_logins.json").write_text('{"assessor": "of the database that was deleted"}', encoding="utf-8")
    monkeypatch.setattr(loading, "documents", short_documents)
    loading.load()
    for name, password in loading.logins().items():
        assert User.objects.get(username=name).check_password(password)


@pytest.mark.slow
def test_command_prints_the_logins(db, folder, monkeypatch):
    monkeypatch.setattr(loading, "documents", short_documents)
    out = io.StringIO()
    call_command("demo", "--no-serve", stdout=out)
    for name, password in loading.logins().items():
        assert f"{name:<12} {password}" in out.getvalue()


@pytest.mark.in_ci
def test_command_refuses_a_database_with_other_collections(collection, folder):
    with pytest.raises(CommandError, match="This database holds other collections"):
        call_command("demo", "--no-serve")
    assert list(Collection.objects.all()) == [collection]
