"""Importing topics: three formats, no partial imports, and no changes to judged topics."""

import pytest

from assess.collections.create import create_collection
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import output_of, refusal, tables

TSV = "1\tfirst\twhat it is\tonly this\n2\tsecond\n"
JSONL = (
    '{"query_id": 1, "title": "first", "description": "what it is", "narrative": "only this"}\n'
    '{"query_id": "2", "query": "second"}\n'
)
TREC = (
    "<top>\n<num> Number: 1\n<title> Topic: first\n<desc> Description:\nwhat it is\n<narr> Narrative:\nonly this\n"
    "</top>\n<top><num>2</num><title>second</title></top>\n"
)


@pytest.fixture
def bare(db):
    return create_collection("bare", "Bare")


@pytest.fixture
def file(tmp_path):
    """A function that writes a topics file."""

    def file(content: str):
        path = tmp_path / "topics"
        path.write_text(content, encoding="utf-8")
        return path

    return file


def import_topics(path):
    return output_of("import_topics", "--collection", "bare", path)


def refused(path):
    return refusal("import_topics", "--collection", "bare", path)


@pytest.mark.parametrize("content", [TSV, JSONL, TREC], ids=["tsv", "jsonl", "trec"])
def test_each_format_imports_the_same_topics(bare, file, content):
    assert import_topics(file(content)) == ["Read 2 topics: 2 new, 0 already imported."]
    assert list(bare.topics.order_by("pk").values_list("query_id", "title", "description", "narrative")) == [
        ("1", "first", "what it is", "only this"),
        ("2", "second", "", ""),
    ]


def test_importing_again_changes_nothing(bare, file):
    import_topics(file(TSV))
    before = tables()
    assert import_topics(file(TREC)) == ["Read 2 topics: 0 new, 2 already imported."]
    assert tables() == before


def test_invalid_line_imports_nothing(bare, file):
    path = file(TSV + "3\t\n")
    assert refused(path) == f"{path}, line 3: topic '3' has no title; a topic has a title"


def test_new_topics_are_added(bare, file):
    import_topics(file(TSV))
    assert import_topics(file(TSV + "3\tthird\n")) == ["Read 3 topics: 1 new, 2 already imported."]


def test_changed_texts_of_unjudged_topics_are_updated(bare, file):
    import_topics(file(TSV))
    assert import_topics(file(TSV.replace("second", "another"))) == [
        "Read 2 topics: 0 new, 1 already imported.",
        "Updated 1 topic with different texts.",
    ]
    assert bare.topics.get(query_id="2").title == "another"


def test_changed_texts_of_judged_topics_are_refused(bare, file):
    import_topics(file(TSV))
    import_judgements(bare, b"2 0 d 1\n", assessor="ada")
    path = file(TSV.replace("first", "new first").replace("second", "another"))
    assert refused(path) == (
        f"{path}: the texts of topic 2 differ from the collection's, and the topic has judgements; nothing was "
        "changed. Remove the topic from the file, or give it another query_id."
    )


def test_unchanged_judged_topic_does_not_prevent_updates(bare, file):
    import_topics(file(TSV))
    import_judgements(bare, b"2 0 d 1\n", assessor="ada")
    import_topics(file(TSV.replace("first", "new first")))
    assert bare.topics.get(query_id="1").title == "new first"
