"""An archived collection cannot be changed: nobody judges, imports, pools or assigns in it."""

import uuid

import pytest

import pooling
from assess.collections.archive import archive_collection, restore_collection
from assess.collections.change import change_collection
from assess.collections.guidelines import publish_guidelines
from assess.collections.members import add_member
from assess.collections.run_groups import group_runs
from assess.collections.scale import set_scale
from assess.collections.topic_sets import set_topics
from assess.deletion import delete_collection
from assess.errors import Paused, Refused
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.rules import change_rules
from assess.judging.worklist import topics_with_progress
from assess.models import AuditEvent, Collection, Judgement, Role, Search
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.claims import open_to_claims
from assess.pools.reassign import reassign
from assess.search.find import search
from assess.search.index import index_documents
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from tests.factories import write_runs

REFUSAL = "small is archived and cannot be changed. An owner can restore it in its settings."


def new_run(collection, folder):
    import_runs(collection, write_runs(folder, {"delta": {"1": ["q"]}}))


def new_topic(collection, folder):
    path = folder / "more.tsv"
    path.write_text("3\tthird need\n", encoding="utf-8")
    import_topics(collection, path)


CHANGES = {
    "runs": new_run,
    "topics": new_topic,
    "documents": lambda collection, _: import_documents(
        collection, [pooling.Document("new", "", "A text.", {}, 1)], DocumentOptions(keep_all=True)
    ),
    "judgements": lambda collection, _: import_judgements(collection, b"1 0 a 1\n", assessor="model"),
    "pool": lambda collection, _: build_pool(collection, depth=3),
    "assignments": lambda collection, _: assign(collection, judges=1),
    "claims": lambda collection, _: open_to_claims(collection, 1),
    "reassignment": lambda collection, _: reassign(collection, collection.members.get(user__username="ada")),
    "adaptive order": lambda collection, _: begin_adaptive_order(collection, "move_to_front"),
    "rules": lambda collection, _: change_rules(collection, hide_doc_ids=True),
    "guidelines": lambda collection, _: publish_guidelines(collection, "Read it all."),
    "scale": lambda collection, _: set_scale(collection, ["0=No", "1=Yes"]),
    "members": lambda collection, _: add_member(collection, "carl", Role.ASSESSOR),
    "run groups": lambda collection, _: group_runs(collection, ["alpha"], "dense"),
    "topic sets": lambda collection, _: set_topics(collection, ["1"], "test"),
    "name": lambda collection, _: change_collection(collection, name="Another"),
}


@pytest.mark.in_ci
@pytest.mark.parametrize("change", CHANGES)
def test_archived_collection_cannot_be_changed(collection, add_assessors, tmp_path, change):
    add_assessors(collection, "ada", "bob")
    stale = Collection.objects.get()  # somebody read it before it was archived
    archive_collection(collection)
    with pytest.raises(Refused) as refusal:
        CHANGES[change](stale, tmp_path)
    assert str(refusal.value) == REFUSAL


@pytest.mark.parametrize("change", CHANGES)
def test_restored_collection_can_be_changed(collection, add_assessors, tmp_path, change):
    add_assessors(collection, "ada", "bob")
    assign(collection, judges=1)
    archive_collection(collection)
    restore_collection(collection)
    CHANGES[change](collection, tmp_path)


def test_nobody_judges_in_an_archived_collection(collection, add_assessors):
    (ada,) = add_assessors(collection, "ada")
    assign(collection, judges=1)
    topic, _ = topics_with_progress(ada)[0]
    card = worklist.upcoming(ada, topic)[0]
    archive_collection(Collection.objects.get())  # ada's page has read the collection before
    with pytest.raises(Paused, match=r"This collection is archived. This judgement was not saved"):
        record_judgement(ada, card.task, JudgementInput("judged", 1), uuid.uuid4(), actor=ada.user)
    assert not Judgement.objects.exists()


def test_searches_in_an_archived_collection_are_refused_and_not_recorded(collection, add_assessors):
    (ada,) = add_assessors(collection, "ada")
    index_documents(collection)
    topic = collection.topics.first()
    archive_collection(Collection.objects.get())  # ada's page has read the collection before
    with pytest.raises(Refused) as refusal:
        search(ada, topic, "text")
    assert str(refusal.value) == REFUSAL
    assert not Search.objects.exists()
    restore_collection(collection)
    assert search(ada, topic, "text").matched


def test_archiving_is_audited_and_happens_once(collection, join):
    olga = join(collection, "olga", Role.OWNER).user
    archive_collection(collection, olga)
    with pytest.raises(Refused, match="small is archived already"):
        archive_collection(collection, olga)
    restore_collection(collection, olga)
    with pytest.raises(Refused, match="small is not archived"):
        restore_collection(collection, olga)
    events = AuditEvent.objects.filter(action__startswith="collection_", actor=olga).order_by("pk")
    assert list(events.values_list("action", flat=True)) == ["collection_archived", "collection_restored"]


def test_collection_that_was_deleted_in_the_meantime_is_refused(collection):
    stale = Collection.objects.get()
    delete_collection("small", "small")
    with pytest.raises(Refused, match="small was deleted in the meantime"):
        publish_guidelines(stale, "Read it all.")


@pytest.mark.in_ci
def test_archived_collection_has_no_next_step_and_no_import_form(collection, join, signed_in):
    http = signed_in(join(collection, "olga", Role.OWNER))
    pages = ["/c/small/", "/c/small/import/"]
    before = [http.get(page).content.decode() for page in pages]
    archive_collection(collection)
    after = [http.get(page).content.decode() for page in pages]
    for found, (overview, imports) in ((True, before), (False, after)):
        assert ('aria-current="step"' in overview) == found
        assert ('id="add"' in imports) == found
