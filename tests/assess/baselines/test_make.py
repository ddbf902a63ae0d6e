"""Making the baseline runs of a collection, and labelling them."""

import pytest
from django.conf import settings

import pooling
from assess.baselines import make, options
from assess.baselines.make import make_baselines
from assess.collections import runfiles
from assess.collections.archive import archive_collection
from assess.collections.create import create_collection
from assess.documents import texts
from assess.errors import Refused
from assess.lib import long_work
from assess.models import Run, Topic
from assess.pools.building.build import build_pool
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from pooling.ranking import ranked
from tests.assess.command_output import output_of, refusal
from tests.factories import write_runs

TEXTS = {
    "tea": ("Hot tea", "A cup of tea."),
    "milk": ("Cold milk", "Milk from cows, milk from goats."),
    "cake": ("Cake", "Goes with tea and milk."),
    "none": ("", "Nothing of this kind."),
}
SYSTEMS = ["baseline-bm25", "baseline-ql", "baseline-tfidf"]


def add_documents(collection, texts, text_format="text"):
    documents = [pooling.Document(doc_id, title, text, {}, 1) for doc_id, (title, text) in texts.items()]
    import_documents(collection, documents, DocumentOptions(keep_all=True, text_format=text_format))


@pytest.fixture
def drinks(db, tmp_path):
    """A collection with topics and documents, and no systems."""
    collection = create_collection("drinks", "Drinks")
    path = tmp_path / "topics.tsv"
    path.write_text("1\ttea\tA hot drink\n2\tmilk or tea\n3\tbeer\n", encoding="utf-8")
    import_topics(collection, path)
    add_documents(collection, TEXTS)
    return collection


def ranking(collection, system, query_id) -> list[str]:
    frame = runfiles.load(collection.runs.get(system=system))
    return list(ranked(frame[frame["query_id"] == query_id])["doc_id"])


@pytest.mark.in_ci
def test_runs_are_made_and_labelled(drinks):
    result = make_baselines(drinks)
    assert (result.added, result.same, result.documents) == (SYSTEMS, [], 4)
    assert result.topics_without_documents == ["3"]
    runs = list(drinks.runs.values_list("system", "is_baseline", "topic_count", "line_count"))
    assert runs == [(system, True, 2, 5) for system in SYSTEMS]
    assert result.lines == 15
    for system in SYSTEMS:
        assert ranking(drinks, system, "1") == ["tea", "cake"]
        assert set(ranking(drinks, system, "2")) == {"tea", "milk", "cake"}


def test_pool_is_built_from_baselines(drinks):
    make_baselines(drinks)
    assert build_pool(drinks, depth=10).pooled == 5


def test_same_documents_give_the_same_files_and_nothing_new(drinks):
    make_baselines(drinks)
    before = list(Run.objects.values())
    files = sorted(settings.RUNS_DIR.iterdir())
    assert make_baselines(drinks).same == SYSTEMS
    assert list(Run.objects.values()) == before
    assert sorted(settings.RUNS_DIR.iterdir()) == files


def test_few_documents_and_topics_at_once_give_the_same_runs(drinks, monkeypatch):
    make_baselines(drinks)
    monkeypatch.setattr(texts, "PAGE", 1)
    monkeypatch.setattr(make, "TOPICS_AT_ONCE", 1)
    monkeypatch.setattr(make, "BATCH_CHARACTERS", 1)
    assert make_baselines(drinks).same == SYSTEMS


def test_depth_limits_the_documents_of_a_topic(drinks):
    make_baselines(drinks, ["bm25"], depth=1)
    assert drinks.runs.get().line_count == 2


def test_description_can_be_part_of_the_query(drinks):
    make_baselines(drinks, ["bm25"], "title+description")
    assert ranking(drinks, "baseline-bm25", "1")[0] == "tea"
    texts = {"drink": ("", "A drink.")}
    add_documents(drinks, texts)
    make_baselines(drinks, ["bm25"], "title+description")
    assert "drink" in ranking(drinks, "baseline-bm25", "1")


def test_tags_of_html_are_not_words(drinks):
    Topic.objects.filter(query_id="3").update(title="strong class b")
    add_documents(drinks, {"html": ("", '<p class="b"><b>Lemonade</b> <strong>cold</strong></p>')}, "html")
    make_baselines(drinks, ["bm25"])
    assert ranking(drinks, "baseline-bm25", "3") == []


def test_unused_baselines_are_replaced_when_documents_change(drinks):
    make_baselines(drinks)
    add_documents(drinks, {"more": ("Tea", "tea tea")})
    assert make_baselines(drinks).added == SYSTEMS
    assert "more" in ranking(drinks, "baseline-ql", "1")


@pytest.mark.in_ci
def test_baselines_of_a_pool_stay(drinks):
    make_baselines(drinks)
    build_pool(drinks, depth=10)
    assert make_baselines(drinks).same == SYSTEMS
    add_documents(drinks, {"more": ("Tea", "tea tea")})
    with pytest.raises(Refused, match="The run of baseline-bm25 would change"):
        make_baselines(drinks)
    assert "more" not in ranking(drinks, "baseline-bm25", "1")


def test_imported_run_of_the_same_name_stays(drinks, tmp_path):
    import_runs(drinks, write_runs(tmp_path, {"baseline-ql": {"1": ["tea"]}}))
    with pytest.raises(Refused, match="drinks has an imported run of system baseline-ql, which stays"):
        make_baselines(drinks)
    assert drinks.runs.count() == 1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"systems": ["lsa"]}, "There is no baseline 'lsa'; the baselines are bm25, ql, tfidf."),
        ({"systems": []}, "Choose at least one"),
        ({"fields": "narrative"}, "The query must be one of title, title.description, not 'narrative'"),
        ({"depth": 0}, "must be from 1 to 10,000, not 0"),
        ({"depth": 10_001}, "must be from 1 to 10,000, not 10,001"),
    ],
)
def test_invalid_options_are_refused(drinks, arguments, problem):
    with pytest.raises(Refused, match=problem):
        make_baselines(drinks, **arguments)
    assert not Run.objects.exists()


def test_missing_libraries_are_named(drinks, monkeypatch):
    monkeypatch.setattr(options, "find_spec", lambda _: None)
    with pytest.raises(Refused, match=r"need bm25s and scikit-learn, .*administrator .* extra ir-assay\[baselines\]"):
        make_baselines(drinks)


def test_collection_without_topics_or_documents_is_refused(db):
    empty = create_collection("empty", "Empty")
    with pytest.raises(Refused, match="empty has no topics yet"):
        make_baselines(empty)
    Topic.objects.create(collection=empty, query_id="1", title="tea")
    with pytest.raises(Refused, match="empty has no documents with text yet"):
        make_baselines(empty)
    add_documents(empty, {"none": ("", "Nothing.")})
    with pytest.raises(Refused, match="No document of empty has a word of a topic"):
        make_baselines(empty)


def test_archived_collection_gets_no_runs(drinks):
    archive_collection(drinks)
    with pytest.raises(Refused, match="archived"):
        make_baselines(drinks)
    assert not Run.objects.exists()


def test_cancelled_work_saves_nothing(drinks):
    class Watcher:
        def report(self, stage, done, total):
            pass

        def save(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), long_work.watched_by(Watcher()):
        make_baselines(drinks)
    assert not Run.objects.exists()


def test_command(drinks):
    assert output_of("make_baselines", "--collection", "drinks", "--system", "bm25", "--depth", "5") == [
        "Made the runs baseline-bm25 from 4 documents.",
        "No document has a word of these topics: 3.",
    ]
    assert output_of("make_baselines", "--collection", "drinks")[:2] == [
        "Made the runs baseline-ql, baseline-tfidf from 4 documents.",
        "Unchanged: baseline-bm25.",
    ]
    assert "not 10,001" in refusal("make_baselines", "--collection", "drinks", "--depth", "10001")
