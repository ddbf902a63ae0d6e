"""A pool of every imported document, with and without runs."""

import json
from types import SimpleNamespace

import pytest
from django.core.management import call_command

import pooling
from assess.campaign.overview import overview
from assess.campaign.steps import campaign_steps
from assess.collections.create import create_collection
from assess.errors import Refused
from assess.models import Provenance, Role, Task
from assess.pools.assign import assign
from assess.pools.building import every_document
from assess.pools.building.build import build_pool
from assess.pools.building.preview import preview_pool
from assess.pools.building.undo import undo_pool
from assess.releases.contents import pool
from assess.releases.state.pool_state import pool_state
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import add_missing_texts, remove_content, write_documents, write_runs, write_topics
from tests.html import compact

pytestmark = pytest.mark.django_db
URL = "/c/bare/pool/"


def provenance(collection) -> dict:
    rows = Provenance.objects.filter(task__topic__collection=collection)
    return {(row.task.topic.query_id, row.task.document.doc_id): (row.systems, row.best_rank) for row in rows}


@pytest.fixture
def bare(tmp_path):
    """Two topics and three documents, but no run."""
    collection = create_collection("bare", "Bare")
    import_topics(collection, write_topics(tmp_path))
    import_documents(
        collection, pooling.read_documents(write_documents(tmp_path, "pqr")), DocumentOptions(keep_all=True)
    )
    return collection


@pytest.fixture
def owner(bare, join, signed_in):
    return signed_in(join(bare, "olga", Role.OWNER))


def text(response) -> str:
    return compact(response.content.decode())


def test_every_document_is_judged_for_every_topic_without_a_run(bare, join):
    built = build_pool(bare, "every_document")
    assert (built.description, built.pooled, built.added, built.without_text) == ("every_document", 6, 6, 0)
    assert provenance(bare) == {(query_id, doc_id): ([], 0) for query_id in "12" for doc_id in "pqr"}
    join(bare, "ada")
    assert assign(bare, judges=1).added == 6


def test_pooled_documents_keep_their_systems_and_ranks(collection):
    before = provenance(collection)
    built = build_pool(collection, "every_document")
    assert (built.pooled, built.added) == (14, 7)  # 7 documents with a text in 2 topics; depth 2 had 4 and 3
    after = provenance(collection)
    assert {pair: origin for pair, origin in after.items() if pair in before} == before
    assert {origin[1] for pair, origin in after.items() if pair not in before} == {0}
    undo_pool(collection)
    assert provenance(collection) == before


def test_later_runs_give_pooled_documents_their_rank(bare, tmp_path):
    build_pool(bare, "every_document")
    import_runs(bare, write_runs(tmp_path, {"delta": {"1": ["q", "p"]}}))
    assert build_pool(bare, depth=2).added == 0
    after = provenance(bare)
    assert (after["1", "q"], after["1", "p"], after["1", "r"]) == ((["delta"], 1), (["delta"], 2), ([], 0))
    assert build_pool(bare, "every_document").added == 0
    assert provenance(bare) == after


def test_new_documents_are_added_by_building_again(bare, tmp_path):
    build_pool(bare, "every_document")
    import_documents(bare, pooling.read_documents(write_documents(tmp_path, "s")), DocumentOptions(keep_all=True))
    assert preview_pool(bare, "every_document").new == 2
    assert build_pool(bare, "every_document").added == 2


def test_too_many_pairs_are_refused(bare, monkeypatch):
    monkeypatch.setattr(every_document, "MOST_TASKS", 5)
    sentence = (
        "every_document would pool 6 documents (2 topics of 3 documents each); at most 5 are allowed. "
        "Choose another strategy."
    )
    for function in (build_pool, preview_pool):
        with pytest.raises(Refused) as refused:
            function(bare, "every_document")
        assert str(refused.value) == sentence
    assert refusal("build_pool", "--collection", "bare", "--strategy", "every_document") == sentence


def test_missing_topics_and_texts_are_refused(collection, db):
    empty = create_collection("empty", "Empty")
    with pytest.raises(Refused, match=r"empty has no topics yet\. every_document needs topics and documents\."):
        build_pool(empty, "every_document")
    remove_content(collection.documents.filter(doc_id__in="ab"))
    with pytest.raises(Refused, match="2 pooled documents have no text yet, and every_document needs the text of"):
        build_pool(collection, "every_document")
    remove_content(collection.documents.all())
    with pytest.raises(Refused, match=r"small has no documents with a text yet\."):
        build_pool(collection, "every_document")


@pytest.mark.parametrize("values", [{"seed": 1}, {"depth": 2}, {"documents_per_topic": 3.0}])
def test_parameters_of_other_strategies_are_refused(bare, values):
    for function in (build_pool, preview_pool):
        with pytest.raises(Refused, match=f"every_document takes no parameters, not {next(iter(values))}."):
            function(bare, "every_document", **values)


def test_preview_counts_topics_judged_documents_and_changes_nothing(collection):
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n2 0 x 1\n", assessor="ada")
    import_judgements(collection, b"1 0 a 0\n", assessor="bob")
    before = tables()
    preview = preview_pool(collection, "every_document")
    assert tables() == before
    rows = [(topic.query_id, topic.size, topic.in_pool, topic.judged) for topic in preview.topics]
    assert rows == [("1", 7, 4, 2), ("2", 7, 3, 1)]
    assert (preview.size, preview.new, preview.unjudged) == (14, 7, 11)


def test_preview_does_not_list_the_pairs(bare, django_assert_num_queries):
    with django_assert_num_queries(7):
        preview_pool(bare, "every_document")


@pytest.mark.django_db(transaction=True)
def test_owner_previews_and_builds_on_the_page(owner, bare):
    page = text(owner.get(URL))
    assert '<option value="every_document" selected>' in page
    page = text(owner.get(URL, {"preview": "1", "strategy": "every_document", "seconds": "60", "judges": "2"}))
    assert "The pool has 6 documents in 2 topics." in page
    # 6 documents, 2 judges, 60 seconds
    assert '<dd class="big">0.2 h</dd><dd class="quiet">12 judgements of 60 s</dd>' in page
    assert "<polyline" not in page.partition("<main")[2]
    response = owner.post(f"{URL}build/", {"strategy": "every_document"})
    call_command("worker", once=True, verbosity=0)
    assert "The pool has 6 tasks, 6 of them new." in text(owner.get(response.url))
    assert Task.objects.count() == 6


def test_page_refuses_too_many_pairs_and_strategies_that_need_runs(owner, monkeypatch):
    response = owner.get(URL, {"preview": "1", "strategy": "depth", "depth": "2"})
    assert (response.status_code, "bare has no runs yet." in text(response)) == (400, True)
    monkeypatch.setattr(every_document, "MOST_TASKS", 5)
    response = owner.get(URL, {"preview": "1", "strategy": "every_document"})
    assert (response.status_code, "at most 5 are allowed" in text(response)) == (400, True)


def test_new_runs_bring_no_top_up(owner, bare, tmp_path):
    build_pool(bare, "every_document")
    import_runs(bare, write_runs(tmp_path, {"delta": {"1": ["q", "p"]}}))
    assert "Top-up" not in text(owner.get(URL))


def test_runs_are_optional_once_every_document_is_pooled(bare):
    def step(name):
        return next(step for step in campaign_steps(bare, overview(bare)) if step.name == name)

    assert step("Runs").is_next
    build_pool(bare, "every_document")
    assert step("Runs").state == "optional"
    assert step("People").is_next


def test_command_builds_the_pool(bare):
    lines = output_of("build_pool", "--collection", "bare", "--strategy", "every_document")
    assert lines == ["The pool has 6 tasks, 6 of them new."]


def test_sampled_documents_become_certain(collection):
    """A sample of the documents of ranks 2 and 3, then every document."""
    undo_pool(collection)
    build_pool(collection, "stratified", strata=[(1, 1.0), (3, 0.5)], seed=3)
    sample = list(collection.pool_buildings.values_list("pk", flat=True))
    drawn = pool_state(collection, sample, ["1", "2"]).frame
    assert drawn["inclusion_probability"].min() < 1
    add_missing_texts(collection)
    build_pool(collection, "every_document")
    both = list(collection.pool_buildings.values_list("pk", flat=True))
    state = pool_state(collection, both, ["1", "2"])
    assert set(state.frame["inclusion_probability"]) == {1.0}
    assert state.notes == []
    assert pool_state(collection, sample, ["1", "2"]).frame.equals(drawn)


def test_release_states_no_rank_for_documents_that_no_run_retrieved(collection):
    build_pool(collection, "every_document")
    state = pool_state(collection, list(collection.pool_buildings.values_list("pk", flat=True)), ["1", "2"])
    lines = pool.files(SimpleNamespace(pool=state))["pool.jsonl"].decode().splitlines()
    ranks = {(row["query_id"], row["doc_id"]): row["best_rank"] for row in map(json.loads, lines)}
    assert (ranks["1", "a"], ranks["1", "x"]) == (1, None)
