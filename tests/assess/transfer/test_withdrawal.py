"""A withdrawn judge stays in the ledger and counts nowhere; restored, everything is as before."""

import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from assess.analysis.agreement import agreement_figures
from assess.analysis.data import collection_judgements, judgements_state
from assess.analysis.documents.filters import choices_for
from assess.analysis.documents.listing import judged_documents
from assess.analysis.documents.page import document_page
from assess.analysis.imported_judges import import_rows, threshold_of_imported
from assess.analysis.reference import judges_of
from assess.analysis.shift.ranking import collection_shift
from assess.campaign.overview import overview
from assess.collections.archive import archive_collection
from assess.collections.guidelines import guidelines_versions
from assess.collections.scale import is_frozen
from assess.errors import Refused
from assess.judging.card_notes import _shown_grades
from assess.judging.checkpoints import chains_of
from assess.judging.ledger import ledger_problems, ledger_size
from assess.models import (
    Action,
    AdjudicatedTask,
    Adjudication,
    AuditEvent,
    Collection,
    JudgementEvent,
    Member,
    Role,
    Task,
)
from assess.people.site_collections import collection_rows
from assess.pools.building.preview import _key, preview_pool
from assess.releases.choices import ReleaseChoices
from assess.releases.preview import preview_release
from assess.teaching.sampling import UNKNOWN, candidates
from assess.transfer.exports import export_judgements, export_qrels
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.undo import obstacles
from assess.transfer.uploads.page import latest_records
from assess.transfer.withdrawal import effects_of, restore_judge, withdraw_judge
from tests.assess.classroom import add_instructor, create_exercise
from tests.assess.command_output import tables
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.database

NIST = b"1 0 a 1\n1 0 b 1\n1 0 d 0\n2 0 x 0\n2 0 y 1\n"
WATERLOO = b"1 0 a 1\n1 0 b 0\n1 0 d 0\n2 0 x 1\n2 0 y 1\n"
GPT = b"1 0 a 0\n1 0 b 1\n1 0 e 1\n1 0 unpooled 1\n2 0 x 1\n2 0 z 1\n"
MODEL = JudgementOptions(judge_kind="model", own_scale=(0, 1))


def without_gpt(collection: Collection) -> Collection:
    import_judgements(collection, NIST, "nist")
    import_judgements(collection, WATERLOO, "waterloo")
    return collection


@pytest.fixture
def judged(collection):
    """A collection with three imported judges. The model gpt alone graded e, z and a document outside the pool."""
    without_gpt(collection)
    import_judgements(collection, GPT, "gpt", options=MODEL)
    return collection


@pytest.fixture
def never(db):
    """The same collection, into which gpt was never imported."""
    return without_gpt(small_collection(SMALL_RUNS, slug="never"))


def figures(collection: Collection) -> dict[str, Any]:
    """Return what pages, files and figures tell about the judgements of a collection, without its name and keys."""
    tasks = Task.objects.filter(topic__collection=collection, provenance__isnull=False).order_by("pk")
    pages = [document_page(task) for task in tasks]
    seen = overview(collection)
    counts = [(row.member.name, row.judged, row.open) for row in seen.assessors]
    listed = judged_documents(collection).drop(columns=["task", "topic"])
    csv = re.sub(rb"\d{4}-[^,]*Z", b"", export_judgements(collection))
    return {
        "judgements": collection_judgements(collection).to_csv(),
        "agreement": repr(agreement_figures(collection)),
        "judges": judges_of(collection),
        "shift": repr(collection_shift(collection, "P@2")),
        "golds": [export_qrels(collection, rule) for rule in ("union", "intersection", "majority")],
        "csv": csv,
        "overview": (counts, seen.judged, seen.outside_pool),
        "documents": listed.to_csv(),
        "grades": [
            ([(each.judge, each.grade) for each in page.judgements], [each.judge for each in page.events])
            for page in pages
        ],
        "choices": choices_for(collection).judges,
        "imports": [row.sentence for row in import_rows(collection)],
        "threshold": threshold_of_imported(collection),
        "release": preview_release(collection, ReleaseChoices("main", "majority")).contents,
        "exercise": [each.kind for each in candidates(collection, [], 1) if each.kind != UNKNOWN],
        "pool": [(topic.query_id, topic.judged) for topic in preview_pool(collection, depth=2).topics],
        "guidelines": [row["judgements"] for row in guidelines_versions(collection)],
        "site": collection_rows([collection])[0].judgements,
    }


# ---- what counts


@pytest.mark.slow
def test_withdrawn_judge_is_left_out_as_if_never_imported(judged, never):
    before = figures(judged)
    withdraw_judge(judged, "gpt")
    withdrawn, expected = figures(judged), figures(never)
    assert {name for name in expected if withdrawn[name] != expected[name]} == set()
    assert {name for name in before if before[name] == withdrawn[name]} == {"threshold", "guidelines"}


@pytest.mark.slow
def test_restored_judge_counts_as_before(judged):
    before = figures(judged)
    withdraw_judge(judged, "gpt")
    restore_judge(judged, "gpt")
    assert figures(judged) == before
    assert Member.objects.get(name="gpt").role == Role.ASSESSOR


def test_ledger_stays(judged):
    chains, size = chains_of(judged), ledger_size()
    unchanged = ("Judgement", "JudgementEvent", "ImportedFile", "JudgementImport", "ImportRecord", "Task")
    before = {name: tables()[name] for name in unchanged}
    for change in (withdraw_judge, restore_judge):
        change(judged, "gpt")
        assert (chains_of(judged), ledger_size()) == (chains, size)
        assert list(ledger_problems()) == []
        assert {name: tables()[name] for name in unchanged} == before


def test_key_of_the_cache_changes_and_does_not_return(judged):
    """What was computed while the judge was withdrawn is never shown for the time before."""
    states = [judgements_state(judged, ())]
    previews = [_key(judged, {})]
    for change in (withdraw_judge, restore_judge, withdraw_judge, restore_judge):
        change(judged, "gpt")
        states.append(judgements_state(judged, ()))
        previews.append(_key(judged, {}))
    assert len({repr(state) for state in states}) == len(set(previews)) == 5


def test_declared_scale_of_a_withdrawn_judge_sets_no_threshold(db):
    graded = small_collection(SMALL_RUNS, slug="graded", grades=("0=No", "1=Some", "2=Good"))
    import_judgements(graded, b"1 0 a 2\n1 0 b 0\n", "nist")
    import_judgements(
        graded, b"1 0 a 1\n1 0 b 0\n", "clicks", options=JudgementOptions(own_scale=(0, 1), mapping={1: 2})
    )
    assert threshold_of_imported(graded) == 2
    withdraw_judge(graded, "clicks")
    assert threshold_of_imported(graded) is None


def test_adjudicators_see_no_grade_of_a_withdrawn_judge(judged, join):
    task = Task.objects.get(document__doc_id="e")
    open_ones = Adjudication.objects.create(collection=judged, number=1, selection="all", shows_grades=True)
    AdjudicatedTask.objects.create(adjudication=open_ones, task=task, adjudicator=join(judged, "olga", Role.OWNER))
    assert _shown_grades([task.pk]) == {task.pk: [1]}
    assert effects_of(Member.objects.get(name="gpt")).adjudications == 1
    withdraw_judge(judged, "gpt")
    assert _shown_grades([task.pk]) == {}


# ---- sentences and records


def test_effects_are_counted(judged):
    effects = withdraw_judge(judged, "gpt")
    # a, b and x are graded by others too; e, z and the document outside the pool are not.
    assert (effects.judgements, effects.graded, effects.only, effects.adjudications) == (6, 6, 3, 0)
    assert effects.sentences == [
        "6 judgements of gpt would be left out.",
        "Golds change: 6 documents have a grade of gpt, 3 of them of nobody else.",
    ]
    assert restore_judge(judged, "gpt") == effects


def test_reference_of_the_collection_is_named(judged):
    judged.reference = "judge:gpt"
    judged.save()
    assert "is the reference of the collection" in " ".join(withdraw_judge(judged, "gpt").sentences)


def test_each_change_is_audited_without_a_name(judged, django_user_model):
    rita = django_user_model.objects.create_user("rita")
    withdraw_judge(judged, "gpt", rita)
    restore_judge(judged, "gpt")
    key = Member.objects.get(name="gpt").pk
    events = AuditEvent.objects.filter(action__in=[Action.JUDGE_WITHDRAWN, Action.JUDGE_RESTORED]).order_by("pk")
    details = {"judge": key, "judgements": 6, "graded": 6}
    assert list(events.values_list("action", "actor", "collection_slug", "details")) == [
        ("judge_withdrawn", rita.pk, "small", details),
        ("judge_restored", None, "small", details),
    ]


def test_imports_say_that_their_judge_is_withdrawn(judged):
    def withdrawn_judges():
        return [(row.judges, row.withdrawn) for row in latest_records(judged) if row.record.kind == "judgements"]

    assert withdrawn_judges() == [(1, 0), (1, 0), (1, 0)]
    withdraw_judge(judged, "gpt")
    assert withdrawn_judges() == [(1, 1), (1, 0), (1, 0)]
    record = judged.imports.filter(kind="judgements").first()
    assert obstacles(judged, [record])[record.pk] == (
        "Judgements are never deleted. An imported judge can be withdrawn instead."
    )


# ---- what is refused


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobody", "small has no imported judge 'nobody'. Its imported judges are gpt, nist, waterloo."),
        ("ada", "small has no imported judge 'ada'."),
        ("cy", "small has no imported judge 'cy'."),
    ],
)
def test_only_imported_judges_are_withdrawn(judged, join, name, sentence):
    Member.objects.filter(pk=join(judged, "ada").pk).update(name="ada")
    Member.objects.create(collection=judged, role=Role.ASSESSOR, name="cy", removed_at=timezone.now())
    before = tables()
    with pytest.raises(Refused, match=sentence):
        withdraw_judge(judged, name)
    assert tables() == before


def test_each_change_is_made_once(judged):
    with pytest.raises(Refused, match="gpt is not withdrawn"):
        restore_judge(judged, "gpt")
    withdraw_judge(judged, "gpt")
    with pytest.raises(Refused, match="gpt is withdrawn already"):
        withdraw_judge(judged, "gpt")


def test_archived_collections_and_exercises_are_refused(judged):
    exercise = create_exercise(judged, add_instructor(judged))
    with pytest.raises(Refused, match="is a class exercise"):
        withdraw_judge(exercise.collection, "gpt")
    archive_collection(judged)
    with pytest.raises(Refused, match="is archived"):
        withdraw_judge(judged, "gpt")


def test_database_knows_withdrawn_judges_without_an_account_only(judged, join):
    for member in (
        join(judged, "ada"),
        judged.members.create(name="cy", role=Role.ASSESSOR, removed_at=timezone.now()),
    ):
        with pytest.raises(IntegrityError, match="only_imported_withdrawn"), transaction.atomic():
            Member.objects.filter(pk=member.pk).update(role=Role.WITHDRAWN)


@pytest.mark.parametrize("mapping", [None, {1: 0}])
def test_name_of_a_withdrawn_judge_is_not_taken_by_another_import(judged, mapping):
    withdraw_judge(judged, "gpt")
    before = tables()
    with pytest.raises(Refused, match=r"The judge gpt of small is withdrawn; nothing was imported. Restore the judge"):
        import_judgements(judged, b"1 0 a 1\n", "gpt", options=JudgementOptions(mapping=mapping))
    assert tables() == before
    import_judgements(judged, b"1 0 a 1\n", "gpt-2")
    restore_judge(judged, "gpt")
    import_judgements(judged, b"1 0 d 1\n", "gpt")
    assert JudgementEvent.objects.filter(member__name="gpt").count() == 7


def test_what_judgements_protect_stays_protected(collection):
    import_judgements(collection, GPT, "gpt")
    documents = collection.imports.filter(kind="documents").first()
    withdraw_judge(collection, "gpt")
    assert is_frozen(collection)
    assert obstacles(collection, [documents])[documents.pk] == "Some of its documents have judgements."


def test_release_refuses_a_withdrawn_judge_by_name(judged):
    withdraw_judge(judged, "gpt")
    with pytest.raises(Refused, match=r"The judge 'gpt' is withdrawn\. Restore it first, or release without it."):
        preview_release(judged, ReleaseChoices("main", "majority", judges=["gpt", "nist"]))
