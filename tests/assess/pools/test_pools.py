"""Pools grow, and building a pool again removes nothing."""

import pytest

from assess.collections.create import create_collection
from assess.errors import Refused
from assess.models import PoolBuilding, Provenance
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.pooled_documents import remove_from_pool
from assess.pools.tasks import pooled_tasks
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, small_collection, write_runs, write_topics

# From SMALL_RUNS. Topic 1, best two: alpha a b, beta b d, gamma e b. Topic 2: alpha x y, beta y z, gamma z x.
DEPTH_2 = {
    ("1", "a"): (["alpha"], 1),
    ("1", "b"): (["alpha", "beta", "gamma"], 1),
    ("1", "d"): (["beta"], 2),
    ("1", "e"): (["gamma"], 1),
    ("2", "x"): (["alpha", "gamma"], 1),
    ("2", "y"): (["alpha", "beta"], 1),
    ("2", "z"): (["beta", "gamma"], 1),
}
# The third documents: alpha c, beta a, gamma f; no run has a third one for topic 2.
DEPTH_3 = DEPTH_2 | {("1", "a"): (["alpha", "beta"], 1), ("1", "c"): (["alpha"], 3), ("1", "f"): (["gamma"], 3)}


def provenance(collection) -> dict:
    rows = Provenance.objects.filter(task__topic__collection=collection).order_by("pk")
    return {(row.task.topic.query_id, row.task.document.doc_id): (row.systems, row.best_rank) for row in rows}


def judge_something(collection):
    import_judgements(collection, b"1 0 a 1\n1 0 d 0\n2 0 x 1\n", assessor="ada")


def test_every_pooled_task_knows_its_systems_and_best_rank(collection):
    assert provenance(collection) == DEPTH_2


def test_building_again_only_adds_a_record(collection):
    before = tables()
    built = build_pool(collection, depth=2)
    assert (built.pooled, built.added) == (7, 0)
    after = tables()
    assert {name for name in after if after[name] != before[name]} == {"PoolBuilding"}


def test_deeper_pool_adds_tasks_and_keeps_existing_ones(collection):
    tasks = tables()["Task"]
    built = build_pool(collection, depth=3)
    assert (built.pooled, built.added) == (9, 2)
    assert provenance(collection) == DEPTH_3
    assert tables()["Task"][: len(tasks)] == tasks


def test_shallower_pool_removes_nothing(collection):
    build_pool(collection, depth=3)
    built = build_pool(collection, depth=1)
    assert (built.pooled, built.added) == (9, 0)
    assert provenance(collection) == DEPTH_3


def test_new_run_adds_tasks_and_changes_no_judgement(collection, tmp_path, join):
    join(collection, "eve")
    assign(collection, judges=1)
    judge_something(collection)
    before = tables()
    import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["d", "new"], "2": ["x"]}}))
    built = build_pool(collection, depth=2)
    assert (built.pooled, built.added, built.without_text) == (8, 1, 1)
    after = tables()
    assert len(before["Judgement"]) == len(before["JudgementEvent"]) == 3
    for table in ("Judgement", "JudgementEvent", "Assignment", "Member", "Topic"):
        assert after[table] == before[table]
    for table in ("Task", "Document", "Run"):
        assert after[table][:-1] == before[table]
    delta = {
        ("1", "d"): (["beta", "delta"], 1),
        ("1", "new"): (["delta"], 2),
        ("2", "x"): (["alpha", "delta", "gamma"], 1),
    }
    assert provenance(collection) == DEPTH_2 | delta


def test_pool_does_not_depend_on_the_order_of_the_runs(collection):
    other = small_collection(dict(reversed(SMALL_RUNS.items())), slug="other")
    assert list(provenance(other).items()) == list(provenance(collection).items())


def test_each_call_is_recorded(collection):
    build_pool(collection, depth=3)
    first, second = PoolBuilding.objects.order_by("pk")
    assert (first.strategy, first.tasks_added, second.strategy, second.tasks_added) == ("depth", 7, "depth", 2)
    assert [building.parameters for building in (first, second)] == [
        {"depth": depth, "score_precision": "float64"} for depth in (2, 3)
    ]
    assert second.run_checksums == {run.system: run.file_checksum for run in collection.runs.all()}


@pytest.mark.slow
def test_judged_document_joins_the_pool_when_a_run_retrieves_it(collection, tmp_path):
    import_judgements(collection, b"1 0 late 1\n", assessor="ada")
    assert pooled_tasks(collection).count() == 7
    before = tables()
    import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["late"]}}))
    built = build_pool(collection, depth=2)
    assert (built.pooled, built.added) == (8, 1)
    assert tables()["Task"] == before["Task"]


def test_unknown_query_ids_and_empty_topics_are_reported(db, tmp_path):
    collection = create_collection("odd", "Odd")
    import_topics(collection, write_topics(tmp_path))
    import_runs(collection, write_runs(tmp_path, {"alpha": {"1": ["a"], "9": ["a"], "10": ["b"]}}))
    assert output_of("build_pool", "--collection", "odd", "--depth", 5) == [
        "The pool has 1 task, 1 of them new.",
        "No run retrieved a document for 1 topic (2).",
        "The runs contain 2 query_ids (10, 9) without a topic in this collection. These were left out; "
        "import_topics adds topics.",
        "Pooled documents without text: 1. import_documents adds texts.",
    ]
    assert sorted(collection.documents.values_list("doc_id", flat=True)) == ["a"]


def test_pool_needs_topics_and_runs(db, tmp_path):
    collection = create_collection("empty", "Empty")
    words = ("build_pool", "--collection", "empty", "--depth", 2)
    assert refusal(*words) == "empty has no runs yet. A pool needs runs and topics."
    import_runs(collection, write_runs(tmp_path, SMALL_RUNS))
    assert refusal(*words) == "empty has no topics yet. A pool needs runs and topics."


def test_command_takes_a_strategy_with_its_parameters(collection):
    words = ("--strategy", "rbp", "--size", 3, "--p", 0.5, "--seed", 4)
    assert output_of("build_pool", "--collection", "small", *words)[0].startswith("The pool has 7 tasks")
    parameters = {"size": 3, "p": 0.5, "seed": 4, "score_precision": "float64"}
    assert PoolBuilding.objects.last().parameters == parameters


def test_command_finds_the_largest_depth_within_a_number_of_documents(collection):
    """Depth 2 has 7 documents in 2 topics, depth 3 has 9."""
    words = ("--documents-per-topic", 4.5)
    assert output_of("build_pool", "--collection", "small", *words) == [
        "Chose depth: the first 3 of each run.",
        "The pool has 9 tasks, 2 of them new.",
        "Pooled documents without text: 2. import_documents adds texts.",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--strategy", "rff"], "There is no strategy 'rff'. The strategies are depth, "),
        (["--strategy", "hedge"], "strategy 'hedge' is adaptive and needs judgements; "),
        (["--strategy", "rrf"], "strategy 'rrf' needs the parameter 'size'."),
        (["--strategy", "rrf", "--size", 3, "--p", 0.5], "strategy 'rrf' has no parameter 'p'; it has: "),
        (["--strategy", "random", "--size", 3], "strategy 'random' draws at random and needs a seed."),
        (["--depth", 3, "--documents-per-topic", 4], "Choose either depth or documents per topic, not both."),
        (["--strategy", "stratified", "--documents-per-topic", 4], "strategy 'stratified' has no single parameter"),
        (["--documents-per-topic", 2], "documents_per_topic must be at least 3, not 2: "),
    ],
)
def test_invalid_parameters_change_nothing(collection, words, sentence):
    assert refusal("build_pool", "--collection", "small", *words).startswith(sentence)


def test_budget_is_not_spent_on_topics_that_the_collection_does_not_have(db, tmp_path):
    collection = create_collection("odd", "Odd")
    import_topics(collection, write_topics(tmp_path))
    import_runs(collection, write_runs(tmp_path, {"alpha": {"1": ["a", "b"], "9": ["c", "d", "e"]}}))
    assert build_pool(collection, "take", budget=2).pooled == 2


def test_runs_without_a_topic_of_the_collection_are_refused(db, tmp_path):
    collection = create_collection("odd", "Odd")
    import_topics(collection, write_topics(tmp_path))
    import_runs(collection, write_runs(tmp_path, {"alpha": {"9": ["a"]}}))
    assert refusal("build_pool", "--collection", "odd", "--depth", 2) == (
        "The runs have no topic of odd: a topic of the runs is '9', and one of the collection is '1'."
    )


def test_depth_below_one_is_refused(collection):
    with pytest.raises(Refused, match=r"^depth must be a whole number from 1, not 0\.$"):
        build_pool(collection, depth=0)


def test_collections_with_the_same_ids_are_separate(collection):
    other = small_collection(SMALL_RUNS, slug="other")
    before = provenance(other)
    build_pool(collection, depth=3)
    assert provenance(other) == before
    assert pooled_tasks(other).count() == 7


def test_removed_documents_disappear_with_their_tasks_only(collection):
    remove_from_pool(collection, ["d", "z"])
    assert provenance(collection) == {pair: row for pair, row in DEPTH_2.items() if pair[1] not in "dz"}
    assert sorted(collection.documents.values_list("doc_id", flat=True)) == ["a", "b", "e", "x", "y"]
