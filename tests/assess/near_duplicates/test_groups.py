"""Near-duplicates of a collection: similar pairs, accepted groups, and inconsistent judgements."""

import pytest

from assess.adjudication.adjudicate import create_adjudication
from assess.collections.archive import archive_collection
from assess.collections.topic_sets import set_topics
from assess.errors import Refused
from assess.models import AuditEvent, Document, DuplicateGroup, DuplicatePair, DuplicateSearch, GroupMember, Task
from assess.near_duplicates import find, groups
from assess.near_duplicates.find import find_pairs
from assess.near_duplicates.groups import accept_threshold, duplicates_of, preview, search_of
from assess.near_duplicates.inconsistent import csv_table, described, inconsistent_table
from assess.near_duplicates.options import checked_threshold
from assess.pools.building.undo import undo_pool
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import output_of, refusal
from tests.factories import SMALL_RUNS, remove_content, set_content, small_collection

TEXT = "the cat sat on the mat and looked at the dog in the garden"


@pytest.fixture
def collection(db):
    """Topic 1 pools a, b, d and e. The texts of a, b and e are nearly the same, and that of x in topic 2 too."""
    collection = small_collection(SMALL_RUNS)
    set_content(collection.documents.all(), title="")
    for doc_id, text in {"a": TEXT, "b": TEXT.upper(), "e": f"{TEXT} today", "x": TEXT}.items():
        set_content(collection.documents.filter(doc_id=doc_id), text=text, title="")
    for number, doc_id in enumerate(("d", "y", "z")):
        set_content(collection.documents.filter(doc_id=doc_id), text=f"word{number} other{number} last{number}")
    return collection


def groups_of(collection) -> set[tuple]:
    members = {}
    rows = GroupMember.objects.filter(group__collection=collection).order_by("document__doc_id")
    for group, topic, doc_id in rows.values_list("group", "group__topic__query_id", "document__doc_id"):
        members.setdefault((group, topic), []).append(doc_id)
    return {(topic, *doc_ids) for (_, topic), doc_ids in members.items()}


def test_pooled_documents_of_each_topic_are_compared(collection):
    result = find_pairs(collection)
    assert (result.documents, result.pairs, result.whole) == (Task.objects.count(), 2, False)
    assert not DuplicateGroup.objects.exists()  # nothing is grouped before the threshold is accepted
    assert accept_threshold(collection, 0.8) == 1
    assert groups_of(collection) == {("1", "a", "b", "e")}
    assert AuditEvent.objects.get(action="duplicates_accepted").details == {"threshold": 0.8, "groups": 1}


def test_whole_collection_is_compared(collection):
    find_pairs(collection, whole=True)
    accept_threshold(collection, 0.8)
    assert groups_of(collection) == {(None, "a", "b", "e", "x")}


def test_preview_shows_the_pairs_nearest_to_the_threshold(collection):
    find_pairs(collection)
    # a has 12 shingles of three words (13 words: 11 of them, as 13 - 2), e one more: 11 of 12 shared.
    shown = preview(search_of(collection), 0.95)
    assert (shown.groups, shown.documents, shown.largest) == (1, 2, 2)
    (above,), (below,) = shown.above, shown.below
    assert [side["doc_id"] for side in above["sides"]] == ["a", "b"]
    assert above["similarity"] == 1
    assert below["query_id"] == "1"
    assert below["similarity"] == pytest.approx(12 / 13)
    assert f"{TEXT} today" in [side["text"].strip() for side in below["sides"]]


def test_another_threshold_replaces_the_groups_and_another_search_keeps_them(collection):
    find_pairs(collection)
    accept_threshold(collection, 0.8)
    accept_threshold(collection, 0.95)
    assert groups_of(collection) == {("1", "a", "b")}
    find_pairs(collection, whole=True)
    assert groups_of(collection) == {("1", "a", "b")}
    assert search_of(collection).threshold is None
    assert DuplicateSearch.objects.count() == 1


def test_changed_texts_are_read_as_words_without_tags(collection):
    set_content(collection.documents.filter(doc_id="b"), text=f"<p>{TEXT}</p><p>", format="html")
    find_pairs(collection)
    assert DuplicatePair.objects.filter(similarity=1).count() == 1


def test_nothing_to_compare_and_too_much_are_refused(collection, monkeypatch):
    with pytest.raises(Refused, match="Find similar documents first"):
        accept_threshold(collection, 0.8)
    monkeypatch.setattr(find, "MOST_DOCUMENTS", 3)
    with pytest.raises(Refused, match="At most 3 documents can be compared at once, not 4"):
        find_pairs(collection)
    remove_content(collection.documents.all())
    with pytest.raises(Refused, match="has no documents with text to compare"):
        find_pairs(collection)
    assert not DuplicateSearch.objects.exists()


def test_archived_collection_does_not_change(collection):
    find_pairs(collection)
    archive_collection(collection)
    for change in (lambda: find_pairs(collection), lambda: accept_threshold(collection, 0.8)):
        with pytest.raises(Refused, match="is archived"):
            change()
    assert DuplicatePair.objects.count() == 2


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "0.4", "1.01", "-1", "9" * 400])
def test_other_thresholds_are_refused(text):
    with pytest.raises(Refused, match=r"The threshold must be a number from 0\.5 to 1"):
        checked_threshold(text)


def test_documents_of_a_group_are_those_of_the_same_topic(collection):
    find_pairs(collection, whole=True)
    accept_threshold(collection, 0.8)
    task = Task.objects.get(document__doc_id="a", topic__query_id="1")
    assert [other.document.doc_id for other in duplicates_of(task)] == ["b", "e"]
    assert duplicates_of(Task.objects.get(document__doc_id="d")) == []


def test_pool_can_be_undone_after_texts_of_a_group_were_removed(collection):
    find_pairs(collection)
    accept_threshold(collection, 0.8)
    remove_content(collection.documents.all())
    undo_pool(collection)
    assert not GroupMember.objects.exists()
    assert not Document.objects.exists()


def test_documents_that_a_searcher_only_opened_are_not_compared(collection):
    Task.objects.get(document__doc_id="b", topic__query_id="1").provenance.delete()
    assert find_pairs(collection).documents == Task.objects.count() - 1
    accept_threshold(collection, 0.8)
    assert groups_of(collection) == {("1", "a", "e")}


def test_documents_outside_the_pool_are_not_listed(collection):
    find_pairs(collection)
    accept_threshold(collection, 0.8)
    Task.objects.get(document__doc_id="b", topic__query_id="1").provenance.delete()
    task = Task.objects.get(document__doc_id="a", topic__query_id="1")
    assert [other.document.doc_id for other in duplicates_of(task)] == ["e"]


def test_groups_at_a_threshold_are_computed_once(collection, monkeypatch):
    computed = []

    def counted(search, threshold):
        computed.append(threshold)
        return compute(search, threshold)

    compute = groups._groups_at
    monkeypatch.setattr(groups, "_groups_at", counted)
    find_pairs(collection)
    shown = [preview(search_of(collection), threshold).documents for threshold in (0.8, 0.8, 0.95, 0.8)]
    assert shown == [3, 3, 2, 3]
    assert computed == [0.8, 0.95]
    DuplicatePair.objects.filter(similarity__lt=1).delete()  # as when a document is deleted
    assert preview(search_of(collection), 0.8).documents == 2
    find_pairs(collection)
    assert preview(search_of(collection), 0.8).documents == 3
    assert computed == [0.8, 0.95, 0.8, 0.8]


# ---- inconsistent judgements


@pytest.fixture
def judged(collection):
    """ann contradicts herself about a and b; ben is consistent; z and y are in no group."""
    find_pairs(collection)
    accept_threshold(collection, 0.8)
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n1 0 d 0\n2 0 y 1\n2 0 z 0\n", assessor="ann")
    import_judgements(collection, b"1 0 a 1\n1 0 b 1\n", assessor="ben")
    return collection


def test_inconsistent_groups_by_judge_and_overall(judged):
    table = inconsistent_table(judged)
    assert table["judge"].tolist() == ["", "ann"]
    (group,) = described(judged, table, 0, 10)
    assert (group.query_id, group.judges) == ("1", ["ann"])
    assert [(each["doc_id"], each["grades"]) for each in group.documents] == [
        ("a", [(1, "ann"), (1, "ben")]),
        ("b", [(0, "ann"), (1, "ben")]),
    ]
    assert {each["text"].strip().lower() for each in group.documents} == {TEXT}


def test_csv_has_a_line_for_each_judge_and_one_for_all(judged):
    lines = csv_table(inconsistent_table(judged))[["judge", "doc_ids", "judges", "grades"]].values.tolist()
    assert lines == [["all", "a a b b", "ann ben ann ben", "1 1 0 1"], ["ann", "a b", "ann ann", "1 0"]]


def test_groups_with_a_hidden_document_are_left_out(judged):
    hidden = Task.objects.get(document__doc_id="b", topic__query_id="1").pk
    assert inconsistent_table(judged, {hidden}).empty
    other = Task.objects.get(document__doc_id="d").pk
    assert len(inconsistent_table(judged, {other})) == 2


def test_documents_in_an_adjudication_are_settled(judged, join):
    olga = join(judged, "olga", "owner")
    task = Task.objects.select_related("topic", "document").get(document__doc_id="a", topic__query_id="1")
    create_adjudication(judged, [task], [olga.name], "chosen")
    (group,) = described(judged, inconsistent_table(judged), 0, 10)
    assert [each["settled"] for each in group.documents] == [True, False]


def test_group_of_the_whole_collection_is_compared_within_each_topic(collection):
    find_pairs(collection, whole=True)
    accept_threshold(collection, 0.8)
    import_judgements(collection, b"1 0 a 1\n1 0 b 1\n2 0 x 0\n", assessor="ann")
    assert inconsistent_table(collection).empty
    assert described(collection, inconsistent_table(collection), 0, 10) == []


def test_table_can_be_limited_to_topics(judged):
    assert len(inconsistent_table(judged, topics=("1",))) == 2
    assert inconsistent_table(judged, topics=("2",)).empty
    assert inconsistent_table(judged, topics=("2",))["group"].dtype == "int64"  # a file has 3 and not 3.0


# ---- commands


def test_commands_find_accept_and_list(collection):
    here = ("--collection", "small")
    found = output_of("find_duplicates", *here)
    number = Task.objects.count()
    assert found[0] == f"Found 2 similar pairs of {number} documents."
    assert found[1].startswith("At the threshold 0.8, there would be 1 group of 3 documents.")
    assert not DuplicateGroup.objects.exists()
    assert output_of("accept_duplicates", *here, "--threshold", "0.8") == ["Accepted the threshold 0.8: 1 group."]
    assert groups_of(collection) == {("1", "a", "b", "e")}
    output_of("find_duplicates", *here, "--whole")
    output_of("accept_duplicates", *here, "--threshold", "0.8")
    assert groups_of(collection) == {(None, "a", "b", "e", "x")}


def test_commands_refuse_a_wrong_threshold_and_change_nothing(collection):
    find_pairs(collection)
    message = refusal("accept_duplicates", "--collection", "small", "--threshold", "2")
    assert message == "The threshold must be a number from 0.5 to 1, not '2'."


def test_command_lists_inconsistent_groups_of_a_set(judged, tmp_path):
    set_topics(judged, ["1"], "test")
    set_topics(judged, ["2"], "development")
    lines = {}
    for name in ("test", "development"):
        out = tmp_path / f"{name}.csv"
        output_of("inconsistent_groups", "--collection", "small", "--set", name, "--out", out)
        lines[name] = out.read_text(encoding="utf-8").splitlines()
    assert [len(each) for each in lines.values()] == [3, 1]
    assert lines["test"][0] == lines["development"][0] == ",".join(inconsistent_table(judged).columns)
    assert "ann" in lines["test"][2]
    assert AuditEvent.objects.filter(action="exported", subject="inconsistent groups").count() == 2
