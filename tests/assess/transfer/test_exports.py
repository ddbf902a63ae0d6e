"""Exports: the same judgements give the same bytes, and an import of an export restores them."""

import uuid

import pytest
from django.db import connection
from django.utils.timezone import now

from agreement import read_judgements
from assess.collections.create import create_collection
from assess.collections.guidelines import guidelines_hash
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, AuditEvent, Checkpoint, Judgement, JudgementEvent, JudgementKind
from assess.pools.assign import assign
from assess.transfer.exports import export_judgements, export_qrels
from assess.transfer.judgements import import_judgements
from assess.transfer.topics import import_topics
from tests.assess.command_output import output_of, refusal
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.database

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
    """The small collection with judgements of three assessors."""
    import_judgements(graded, JUDGED)
    return graded


@pytest.fixture
def copy(db, tmp_path):
    """A collection with the same topics and scale, without judgements."""
    collection = create_collection("copy", "Copy", GRADES)
    topics = tmp_path / "copied.tsv"
    topics.write_text("1\tfirst\n2\tsecond\nB\tthird\na\tfourth\né\tfifth\n", encoding="utf-8")
    import_topics(collection, topics)
    return collection


@pytest.mark.parametrize("rule", GOLDS)
def test_gold_is_written_as_qrels(judged, rule):
    assert export_qrels(judged, rule).decode() == GOLDS[rule]


@pytest.mark.parametrize("rule", FROM_2)
def test_gold_can_be_binary(judged, rule):
    assert export_qrels(judged, rule, rel=2).decode() == FROM_2[rule]


@pytest.mark.parametrize("rule", GOLDS)
def test_imported_qrels_are_exported_as_the_same_bytes(judged, copy, tmp_path, rule):
    first, second = tmp_path / "first.qrels", tmp_path / "second.qrels"
    output_of("export_qrels", "--collection", "graded", "--gold", rule, "--out", first)
    output_of("import_judgements", "--collection", "copy", "--assessor", "the gold", first)
    output_of("export_qrels", "--collection", "copy", "--gold", "judge:the gold", "--out", second)
    assert second.read_bytes() == first.read_bytes() == GOLDS[rule].encode()


def test_export_reports_what_it_wrote(judged, tmp_path):
    out = tmp_path / "out"
    lines = output_of("export_qrels", "--collection", "graded", "--gold", "union", "--out", out)
    assert lines == [f"Wrote 4 lines to {out}.", f"Checkpoint of the ledger: {Checkpoint.objects.get().hash}"]
    lines = output_of("export_judgements", "--collection", "graded", "--out", out)
    assert lines[0] == f"Wrote 9 judgements to {out}."


def test_export_names_a_checkpoint_in_the_audit_log(judged, tmp_path):
    output_of("export_judgements", "--collection", "graded", "--out", tmp_path / "out")
    checkpoint = Checkpoint.objects.get()
    assert (checkpoint.reason, checkpoint.events) == ("export", JudgementEvent.objects.count())
    assert AuditEvent.objects.get(action="exported").details == {"checkpoint": checkpoint.hash}


@pytest.mark.parametrize("command", ["export_judgements", "export_qrels"])
def test_standard_output_contains_only_the_export(judged, capfdbinary, command):
    words = ["--gold", "majority"] if command == "export_qrels" else []
    assert output_of(command, "--collection", "graded", *words) == []
    expected = export_qrels(judged, "majority") if words else export_judgements(judged)
    assert capfdbinary.readouterr().out == expected


def test_unwritable_file_is_reported(judged, tmp_path):
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
            " both_agree, adjudicated, dawid_skene, glad, mace, at_least:N, corrected:NAME (N is 1 or more).",
        ),
        (["--gold", "judge:eve"], "There is no judge 'eve'. The judges are ada, bob, cy."),
        (["--gold", "union", "--rel", 0], "The relevance threshold must be one of 1, 2, 3, not 0."),
        (["--gold", "union", "--rel", 4], "The relevance threshold must be one of 1, 2, 3, not 4."),
    ],
)
def test_invalid_gold_is_refused(judged, words, sentence):
    assert refusal("export_qrels", "--collection", "graded", *words) == sentence


def test_gold_without_judgements_is_refused(graded):
    assert refusal("export_qrels", "--collection", "graded", "--gold", "union") == (
        "There is no gold to write: the rule union gives no grade to any document of graded yet."
    )


def test_query_id_that_starts_a_comment_is_refused(copy, tmp_path):
    topics = tmp_path / "hash.tsv"
    topics.write_text("##\tfirst\n", encoding="utf-8")
    import_topics(copy, topics)
    import_judgements(copy, b"assessor,query_id,doc_id,relevance\nada,##,a,1\n")
    assert refusal("export_qrels", "--collection", "copy", "--gold", "union") == (
        "query_id '##' has only #, so its lines would be read as comments."
    )


def test_raw_judgements_as_csv(graded):
    content = (
        b"doc_id,relevance,assessor,query_id,state,reason,judged_at,repeat,comment,active_ms,guidelines_version,"
        b"input,passages,away_ms,highlights,confidence,label_confidence\n"
        b"a,,bob,1,later,,2026-01-02T03:04:05Z,,,,,,,,,,\n"
        b'a,3,ada,1,judged,,2026-01-02T03:04:05.5+01:00,1,,,,pointer,"[[0, 12], [40, 61]]",,FALSE,1,\n'
        b'a,2,ada,1,judged,,2026-01-02T03:04:05Z,0,"well, ""yes""",4200,2,key,,70,true,3,0.50\n'
    )
    import_judgements(graded, content)
    assert export_judgements(graded).decode() == (
        "assessor,query_id,doc_id,relevance,state,repeat,judged_at,reason,comment,guidelines_version,active_ms,"
        "away_ms,confidence,passages,highlights,input,label_confidence,adjudicated,marginal,repeats\n"
        'ada,1,a,2,judged,0,2026-01-02T03:04:05.000000Z,,"well, ""yes""",2,4200,70,3,,true,key,0.5,,,\n'
        'ada,1,a,3,judged,1,2026-01-02T02:04:05.500000Z,,,,0,0,1,"[[0,12],[40,61]]",false,pointer,,,,\n'
        "bob,1,a,,later,0,2026-01-02T03:04:05.000000Z,,,,0,0,,,,,,,,\n"
    )


def test_export_of_page_judgements_is_restored_by_an_import(graded, copy, join):
    ada = join(graded, "ada")
    assign(graded, judges=1)
    graded.guidelines.create(version=4, text="Read it all.", sha256=guidelines_hash("Read it all."))
    judgements = [
        JudgementInput(
            "judged", 3, comment='=HYPERLINK("x"), "quoted",\r\nnext line\rand Ünïcode 日本', active_ms=12, input="key"
        ),
        JudgementInput("cannot_judge", reason="broken", comment="'tis broken", guidelines_version=4, highlights=False),
        JudgementInput("later", away_ms=60_000, input="pointer"),
        JudgementInput(
            "judged", 0, comment="-1", confidence=3, passages=[[0, 4], [5, 9]], highlights=True, input="form"
        ),
    ]
    tasks = [uuid.UUID(card.task) for topic, _ in topics_with_progress(ada) for card in worklist.upcoming(ada, topic)]
    for task, judgement in zip(tasks, judgements, strict=False):
        record_judgement(ada, task, judgement, uuid.uuid4(), actor=ada.user)
    record_judgement(ada, tasks[3], JudgementInput("undone"), uuid.uuid4(), actor=ada.user)
    exported = export_judgements(graded)
    assert sorted(Judgement.objects.values_list("state", flat=True)) == ["cannot_judge", "judged", "later", "undone"]
    import_judgements(copy, exported)
    assert export_judgements(copy) == exported


def test_an_import_leaves_out_what_is_no_vote(graded, copy, join, tmp_path):
    ada = join(graded, "ada")
    assign(graded, judges=1)
    task = Assignment.objects.filter(member=ada).first().task
    for kind in JudgementKind:
        ada.judgements.create(task=task, repeat=kind, state="judged", relevance=1, judged_at=now())
    exported = export_judgements(graded)
    result = import_judgements(copy, exported)
    assert result.added == 2  # the regular judgement and the hidden repeat
    assert result.notes == [
        "input: 5 lines skipped, because only judgements of judges are imported: 1 with a decision of an adjudicator, "
        "1 with a hidden check, 2 with a judgement of a norming round, 1 with a practice judgement.",
        "1 judged document is not in the pool; it is kept outside it.",
    ]
    path = tmp_path / "all.csv"
    path.write_bytes(exported)
    assert read_judgements(path, scale=(0, 1, 2, 3)).counts["judgements"].tolist() == [2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "doc_id", ["=cmd()", "+1", "-1", "@x", "'=1", "''", 'say"so"', "a,b", "日本語", "\u00a0", "x" * 500]
)
def test_unusual_ids_are_restored_by_an_import(graded, copy, doc_id):
    qrels = f"1 0 {doc_id} 3\n".encode()
    import_judgements(graded, qrels, assessor="ada")
    exported = export_judgements(graded)
    import_judgements(copy, exported)
    assert export_judgements(copy) == exported
    assert export_qrels(copy, "judge:ada") == qrels


def linguistic_collation():
    """Make PostgreSQL sort names by a linguistic collation (a B é Z). SQLite compares bytes."""
    if connection.vendor != "postgresql":
        return
    columns = {"assess_document": ("doc_id", 512), "assess_topic": ("query_id", 512), "assess_member": ("name", 80)}
    with connection.cursor() as cursor:
        for table, (column, length) in columns.items():
            cursor.execute(f'ALTER TABLE {table} ALTER {column} TYPE varchar({length}) COLLATE "und-x-icu"')


def test_rows_are_sorted_by_code_points_on_every_database(db, request):
    linguistic_collation()
    copy = request.getfixturevalue("copy")
    ids = ["é", "a", "Z", "B", "_", "10", "2"]
    rows = [f"{name},{topic},{doc},1" for name in ("zoe", "Zoe", "élan") for topic in ("é", "a", "B") for doc in ids]
    import_judgements(copy, "\n".join(["assessor,query_id,doc_id,relevance", *rows, ""]).encode())
    lines = [line.split(",")[:3] for line in export_judgements(copy).decode().splitlines()[1:]]
    expected = [
        [name, topic, doc]
        for topic in ("B", "a", "é")
        for doc in ("10", "2", "B", "Z", "_", "a", "é")
        for name in ("Zoe", "zoe", "élan")
    ]
    assert lines == expected
    pairs = [line.split() for line in export_qrels(copy, "union").decode().splitlines()]
    assert pairs == [[topic, "0", doc, "1"] for name, topic, doc in expected if name == "Zoe"]


@pytest.mark.slow
def test_exports_name_assessors_by_their_pseudonyms(graded, join):
    ada = join(graded, "ada.lovelace")
    assign(graded, judges=1)
    record_judgement(ada, ada.assignments.first().public_id, JudgementInput("judged", 1), uuid.uuid4(), actor=ada.user)
    content = export_judgements(graded)
    assert b"assessor-1" in content
    assert b"lovelace" not in content
