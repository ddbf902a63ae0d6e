"""What leaves the house: the same judgements are the same bytes, and come back as they left."""

import uuid

import pytest
from django.db import connection

from assess import collections
from assess.judging import record as judging
from assess.judging import worklist
from assess.judging.judgement_input import Saying
from assess.models import Judgement
from assess.pools import build as pools
from assess.transfer import exports as releasing
from assess.transfer import imports as importing
from assess.transfer import judgement_import
from tests.assess.command_output import output_of, refusal
from tests.factories import SMALL_RUNS, small_collection

GRADES = ("0=No", "1=Some", "2=Good", "3=Best")
JUDGED = b"""assessor,query_id,doc_id,relevance
ada,1,a,3
ada,1,b,0
ada,2,x,1
bob,1,a,1
bob,1,b,2
bob,2,x,0
cy,1,a,2
cy,1,b,0
cy,1,d,2
"""
# By hand: a has the grades 1 2 3, b has 0 0 2, d has 2, x has 0 1.
GOLDS = {
    "judge:ada": "1 0 a 3\n1 0 b 0\n2 0 x 1\n",
    "union": "1 0 a 3\n1 0 b 2\n1 0 d 2\n2 0 x 1\n",
    "intersection": "1 0 a 1\n1 0 b 0\n1 0 d 2\n2 0 x 0\n",
    "majority": "1 0 a 2\n1 0 b 0\n1 0 d 2\n2 0 x 0\n",
}
FROM_2 = {
    "judge:ada": "1 0 a 1\n1 0 b 0\n2 0 x 0\n",
    "union": "1 0 a 1\n1 0 b 1\n1 0 d 1\n2 0 x 0\n",
    "intersection": "1 0 a 0\n1 0 b 0\n1 0 d 1\n2 0 x 0\n",
    "majority": "1 0 a 1\n1 0 b 0\n1 0 d 1\n2 0 x 0\n",
}


@pytest.fixture
def graded(db):
    return small_collection(SMALL_RUNS, slug="graded", grades=GRADES)


@pytest.fixture
def judged(graded):
    """The small collection with the judgements of three."""
    judgement_import.judgements(graded, JUDGED)
    return graded


@pytest.fixture
def copy(db, tmp_path):
    """A collection with the same topics and scale, and nothing else."""
    collection = collections.create("copy", "Copy", GRADES)
    topics = tmp_path / "copied.tsv"
    topics.write_text("1\tfirst\n2\tsecond\nB\tthird\na\tfourth\né\tfifth\n", encoding="utf-8")
    importing.topics(collection, topics)
    return collection


@pytest.mark.parametrize("rule", GOLDS)
def test_a_gold_is_written_as_qrels(judged, rule):
    assert releasing.qrels(judged, rule).decode() == GOLDS[rule]


@pytest.mark.parametrize("rule", FROM_2)
def test_a_gold_is_cut_in_two_on_request(judged, rule):
    assert releasing.qrels(judged, rule, rel=2).decode() == FROM_2[rule]


@pytest.mark.parametrize("rule", GOLDS)
def test_qrels_that_are_imported_are_exported_as_the_same_bytes(judged, copy, tmp_path, rule):
    left, came = tmp_path / "left.qrels", tmp_path / "came.qrels"
    output_of("export_qrels", "--collection", "graded", "--gold", rule, "--out", left)
    output_of("import_judgements", "--collection", "copy", "--assessor", "the gold", left)
    output_of("export_qrels", "--collection", "copy", "--gold", "judge:the gold", "--out", came)
    assert came.read_bytes() == left.read_bytes() == GOLDS[rule].encode()


def test_an_export_tells_what_it_wrote(judged, tmp_path):
    out = tmp_path / "out"
    assert output_of("export_qrels", "--collection", "graded", "--gold", "union", "--out", out) == [
        f"Wrote 4 lines to {out}."
    ]
    assert output_of("export_judgements", "--collection", "graded", "--out", out) == [f"Wrote 9 judgements to {out}."]


@pytest.mark.parametrize("command", ["export_judgements", "export_qrels"])
def test_standard_output_gets_the_content_and_nothing_else(judged, capfdbinary, command):
    words = ["--gold", "majority"] if command == "export_qrels" else []
    assert output_of(command, "--collection", "graded", *words) == []
    wanted = releasing.qrels(judged, "majority") if words else releasing.raw_judgements(judged)
    assert capfdbinary.readouterr().out == wanted


def test_a_file_that_cannot_be_written_is_told(judged, tmp_path):
    out = tmp_path / "nowhere" / "out"
    assert refusal("export_judgements", "--collection", "graded", "--out", out) == (
        f"{out}: No such file or directory; nothing was changed."
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["--gold", "most"],
            "There is no rule 'most'. The rules are judge:NAME, union, intersection, majority, max, min, median, mean,"
            " both_agree, adjudicated, dawid_skene, at_least:N (N is 1 or more).",
        ),
        (["--gold", "judge:eve"], "There is no judge 'eve'. The judges are ada, bob, cy."),
        (["--gold", "union", "--rel", 0], "Relevant from grade 0 cuts nothing; it is one of 1, 2, 3."),
        (["--gold", "union", "--rel", 4], "Relevant from grade 4 cuts nothing; it is one of 1, 2, 3."),
    ],
)
def test_a_gold_that_cannot_be_is_refused(judged, words, sentence):
    assert refusal("export_qrels", "--collection", "graded", *words) == sentence


def test_without_judgements_there_is_no_gold(graded):
    assert refusal("export_qrels", "--collection", "graded", "--gold", "union") == (
        "The rule union decides nothing in graded yet, so there is no gold to write."
    )


def test_a_topic_whose_lines_would_be_comments_is_refused(copy, tmp_path):
    topics = tmp_path / "hash.tsv"
    topics.write_text("#1\tfirst\n", encoding="utf-8")
    importing.topics(copy, topics)
    judgement_import.judgements(copy, b"assessor,query_id,doc_id,relevance\nada,#1,a,1\n")
    assert refusal("export_qrels", "--collection", "copy", "--gold", "union") == (
        "query_id '#1' begins with #; its lines would be comments."
    )


def test_the_raw_judgements_by_hand(graded):
    content = (
        b"doc_id,relevance,assessor,query_id,state,reason,judged_at,repeat,comment,active_ms,guidelines_version,"
        b"input,passages,away_ms,highlights,confidence\n"
        b"a,,bob,1,later,,2026-01-02T03:04:05Z,,,,,,,,,\n"
        b'a,3,ada,1,judged,,2026-01-02T03:04:05.5+01:00,1,,,,pointer,"[[0, 12], [40, 61]]",,FALSE,1\n'
        b'a,2,ada,1,judged,,2026-01-02T03:04:05Z,0,"well, ""yes""",4200,2,key,,70,true,3\n'
    )
    judgement_import.judgements(graded, content)
    assert releasing.raw_judgements(graded).decode() == (
        "assessor,query_id,doc_id,relevance,state,repeat,judged_at,reason,comment,guidelines_version,active_ms,"
        "away_ms,confidence,passages,highlights,input\n"
        'ada,1,a,2,judged,0,2026-01-02T03:04:05.000000Z,,"well, ""yes""",2,4200,70,3,,true,key\n'
        'ada,1,a,3,judged,1,2026-01-02T02:04:05.500000Z,,,,0,0,1,"[[0,12],[40,61]]",false,pointer\n'
        "bob,1,a,,later,0,2026-01-02T03:04:05.000000Z,,,,0,0,,,,\n"
    )


def test_what_was_judged_at_the_page_leaves_and_comes_back_as_the_same_bytes(graded, copy, join):
    ada = join(graded, "ada")
    pools.assign(graded, judges=1)
    graded.guidelines.create(version=4, text="Read it all.")
    sayings = [
        Saying(
            "judged", 3, comment='=HYPERLINK("x"), "quoted",\r\nnext line\rand Ünïcode 日本', active_ms=12, input="key"
        ),
        Saying("cannot_judge", reason="broken", comment="'tis broken", guidelines_version=4, highlights=False),
        Saying("later", away_ms=60_000, input="pointer"),
        Saying("judged", 0, comment="-1", confidence=3, passages=[[0, 4], [5, 9]], highlights=True, input="form"),
    ]
    tasks = [uuid.UUID(card.task) for topic, _ in worklist.topics(ada) for card in worklist.upcoming(ada, topic)]
    for task, saying in zip(tasks, sayings, strict=False):
        judging.record(ada, task, saying, uuid.uuid4(), actor=ada.user)
    judging.record(ada, tasks[3], Saying("undone"), uuid.uuid4(), actor=ada.user)
    left = releasing.raw_judgements(graded)
    assert sorted(Judgement.objects.values_list("state", flat=True)) == ["cannot_judge", "judged", "later", "undone"]
    judgement_import.judgements(copy, left)
    assert releasing.raw_judgements(copy) == left


@pytest.mark.parametrize(
    "doc_id", ["=cmd()", "+1", "-1", "@x", "'=1", "''", 'say"so"', "a,b", "日本語", "\u00a0", "x" * 500]
)
def test_odd_ids_leave_and_come_back_as_the_same_bytes(graded, copy, doc_id):
    qrels = f"1 0 {doc_id} 3\n".encode()
    judgement_import.judgements(graded, qrels, assessor="ada")
    left = releasing.raw_judgements(graded)
    judgement_import.judgements(copy, left)
    assert releasing.raw_judgements(copy) == left
    assert releasing.qrels(copy, "judge:ada") == qrels


def linguistic_collation():
    """Let PostgreSQL compare names as a dictionary does (a B é Z); SQLite knows bytes only."""
    if connection.vendor != "postgresql":
        return
    columns = {"assess_document": ("doc_id", 512), "assess_topic": ("query_id", 512), "assess_member": ("name", 80)}
    with connection.cursor() as cursor:
        for table, (column, length) in columns.items():
            cursor.execute(f'ALTER TABLE {table} ALTER {column} TYPE varchar({length}) COLLATE "und-x-icu"')


def test_the_order_is_that_of_code_points_in_every_database(db, request):
    linguistic_collation()
    copy = request.getfixturevalue("copy")
    ids = ["é", "a", "Z", "B", "_", "10", "2"]
    rows = [f"{name},{topic},{doc},1" for name in ("zoe", "Zoe", "élan") for topic in ("é", "a", "B") for doc in ids]
    judgement_import.judgements(copy, "\n".join(["assessor,query_id,doc_id,relevance", *rows, ""]).encode())
    lines = [line.split(",")[:3] for line in releasing.raw_judgements(copy).decode().splitlines()[1:]]
    wanted = [
        [name, topic, doc]
        for topic in ("B", "a", "é")
        for doc in ("10", "2", "B", "Z", "_", "a", "é")
        for name in ("Zoe", "zoe", "élan")
    ]
    assert lines == wanted
    pairs = [line.split() for line in releasing.qrels(copy, "union").decode().splitlines()]
    assert pairs == [[topic, "0", doc, "1"] for name, topic, doc in wanted if name == "Zoe"]


def test_assessors_leave_under_their_pseudonyms(graded, join):
    ada = join(graded, "ada.lovelace")
    pools.assign(graded, judges=1)
    judging.record(ada, ada.assignments.first().public_id, Saying("judged", 1), uuid.uuid4(), actor=ada.user)
    content = releasing.raw_judgements(graded)
    assert b"assessor-1" in content
    assert b"lovelace" not in content
