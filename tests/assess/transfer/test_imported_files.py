"""The stored files of imported judges: their size, whom they name, and their erasure."""

import gzip
import io
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.errors import Refused
from assess.models import ImportedFile, ImportedJudge, JudgementImport
from assess.people import erasure
from assess.transfer import judgement_lines, judgement_readers, judgements
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_by_judge, import_judgements
from pooling.errors import FormatError
from tests.assess.command_output import tables
from tests.factories import SMALL_RUNS, small_collection

GRADES = ("0=No", "1=Some", "2=Good", "3=Best")


@pytest.fixture
def graded(db):
    """The small collection on a scale from 0 to 3."""
    return small_collection(SMALL_RUNS, slug="graded", grades=GRADES)


# ---- size


@pytest.mark.parametrize("source", ["path", "stream", "bytes"])
@pytest.mark.parametrize("is_compressed", [False, True], ids=["plain", "gzip"])
def test_file_above_the_limit_is_refused_and_never_cut(graded, tmp_path, monkeypatch, source, is_compressed):
    content = b"1 0 a 1\n1 0 b 1.9\n"  # without the last three bytes, the last grade is 1
    content = gzip.compress(content) if is_compressed else content
    path = tmp_path / "large.qrels"
    path.write_bytes(content)
    monkeypatch.setattr(judgement_readers, "MAX_FILE_BYTES", len(content) - 3)
    before = tables()
    given = {"path": path, "stream": io.BytesIO(content), "bytes": content}[source]
    with pytest.raises(FormatError, match=f"more than {len(content) - 3} bytes; this is the limit for one file"):
        import_judgements(graded, given, "ada")
    assert tables() == before


def test_file_of_exactly_the_limit_is_imported(graded, monkeypatch):
    content = b"1 0 a 1\n1 0 b 2\n"
    monkeypatch.setattr(judgement_readers, "MAX_FILE_BYTES", len(content))
    assert import_judgements(graded, content, "ada").added == 2
    assert ImportedFile.objects.get().original() == content


def test_limit_fits_into_one_field_of_the_database():
    assert 2 * judgement_readers.MAX_FILE_BYTES < 10**9  # PostgreSQL's INSERT writes each byte as two characters


# ---- erasure

HEADER = "assessor,query_id,doc_id,relevance"
REPORT = JudgementOptions(on_error="report")


def imported_judge(collection, name):
    """A member with one imported judgement; its own file is deleted, so that only the files of the test count."""
    import_judgements(collection, b"1 0 a 1\n", name)
    ImportedFile.objects.all().delete()
    return collection.members.get(name=name)


@pytest.mark.in_ci
@pytest.mark.parametrize(
    "row",
    ["ada,1,d,1,0.93", "ada,1,d,7,", "ada,9,d,1,", "ada,1,d", "ada,1,d,1,,", '"ada",,,,x'],
    ids=["confidence", "grade", "topic", "too few cells", "too many cells", "everything"],
)
def test_file_with_only_invalid_lines_of_an_erased_judge_is_deleted(graded, row):
    ada = imported_judge(graded, "ada")
    content = f"{HEADER},confidence\n{row}\nbob,1,a,2,\n".encode()
    assert import_judgements(graded, content, options=REPORT).added == 1
    assert ImportedFile.objects.get().judges == ["ada", "bob"]
    erasure.erase([ada], "asked for")
    assert not ImportedFile.objects.exists()
    assert JudgementImport.objects.get(member__name="bob").file is None


def test_file_names_a_judge_who_becomes_a_member_later(graded):
    import_judgements(graded, f"{HEADER}\nada,1,d,7\nbob,1,a,2\n".encode(), options=REPORT)
    assert set(graded.members.filter(user=None).values_list("name", flat=True)) == {"bob"}
    import_judgements(graded, b"1 0 a 1\n", "ada")
    erasure.erase([graded.members.get(name="ada")], "asked for")
    assert not ImportedFile.objects.exists()


def test_file_of_two_judges_names_both(graded):
    for judge in ("bob", "ada"):
        import_judgements(graded, b"1 0 a 1\n", judge)
    assert ImportedFile.objects.get().judges == ["ada", "bob"]
    erasure.erase([graded.members.get(name="ada")], "asked for")
    assert not ImportedFile.objects.exists()


@pytest.mark.in_ci
def test_files_of_others_and_of_other_collections_are_kept(graded):
    other = small_collection(SMALL_RUNS, slug="other", grades=GRADES)
    for collection in (graded, other):
        import_judgements(collection, f"{HEADER}\nada,1,a,1\n".encode())
    import_judgements(graded, f"{HEADER}\nbob,1,a,1\n".encode())
    erasure.erase([graded.members.get(name="ada")], "asked for")
    assert sorted(ImportedFile.objects.values_list("collection__slug", "judges")) == [
        ("graded", ["bob"]),
        ("other", ["ada"]),
    ]


def test_erasure_does_not_load_the_contents_of_files(graded):
    import_judgements(graded, f"{HEADER}\nada,1,a,1\nbob,1,a,1\n".encode())
    with CaptureQueriesContext(connection) as queries:
        erasure.erase(list(graded.members.filter(name__in=["ada", "bob"])), "asked for")
    assert not ImportedFile.objects.exists()
    assert not [query["sql"] for query in queries if '"assess_importedfile"."content"' in query["sql"]]


# ---- storage


def named(count, content):
    return [(f"judge{number}", content + f"1 0 {number} 1\n".encode()) for number in range(count)]


def statements(collection, files, **options) -> int:
    with CaptureQueriesContext(connection) as queries:
        import_by_judge(collection, files, JudgementOptions(**options))
    return len(queries)


@pytest.mark.parametrize("options", [{}, {"kind": "model", "description": "GPT"}], ids=["no options", "described"])
def test_statements_grow_by_at_most_two_for_each_file(graded, options):
    import_by_judge(graded, [("first", b"1 0 a 1\n")])  # SQLite begins its sequences of keys
    described = {"judge_kind": options.get("kind", ""), "description": options.get("description", "")}
    few, many = named(3, b"1 0 a 1\n"), [(f"other{name}", content + b"1 0 b 1\n") for name, content in named(13, b"")]
    assert statements(graded, many, **described) - statements(graded, few, **described) <= 20


def test_statements_for_known_judges_grow_by_at_most_two_for_each_file(graded):
    import_by_judge(graded, named(16, b"1 0 a 1\n"))
    more = named(16, b"1 0 b 1\n")
    described = {"judge_kind": "model", "description": "GPT"}
    few = statements(graded, more[:3], **described)
    assert statements(graded, more[3:], **described) - few <= 20
    assert set(ImportedJudge.objects.values_list("kind", "description")) == {("model", "GPT")}
    assert len(graded.imported_files.all()) == 32


def test_judges_that_do_not_change_are_not_saved(graded):
    import_by_judge(graded, named(2, b"1 0 a 1\n"), JudgementOptions(judge_kind="model"))
    with CaptureQueriesContext(connection) as queries:
        import_by_judge(graded, named(2, b"1 0 b 1\n"), JudgementOptions(judge_kind="model"))
    written = [query["sql"] for query in queries if query["sql"].startswith(("INSERT", "UPDATE"))]
    assert not [sql for sql in written if "assess_importedjudge" in sql]


def test_known_file_is_not_compressed_again(graded, monkeypatch):
    import_judgements(graded, b"1 0 a 1\n", "bob")
    monkeypatch.setattr(judgement_lines.zlib, "compress", None)
    assert import_judgements(graded, b"1 0 a 1\n", "ada").added == 1
    assert len({record.file_id for record in JudgementImport.objects.all()}) == 1


def test_same_content_twice_in_one_import_is_stored_once(graded):
    import_by_judge(graded, [("ada", b"1 0 a 1\n"), ("bob", b"1 0 a 1\n")])
    assert ImportedFile.objects.get().judges == ["ada", "bob"]
    assert JudgementImport.objects.count() == 2


# ---- two imports at the same time


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ({"mapping": {1: 2}}, {"mapping": {1: 0}}, "with the mapping {1: 2} and the own scale none; nothing was"),
        ({"own_scale": (0, 1)}, {"own_scale": (0, 1, 2)}, "with the mapping none and the own scale [0, 1]; nothing"),
        ({"mapping": {1: 2}}, {}, "with the mapping {1: 2} and the own scale none; nothing was imported."),
    ],
)
def test_other_declaration_at_the_same_time_is_refused(graded, monkeypatch, first, second, sentence):
    lock = judgements.lock_active

    def lock_after_another_import(collection):
        monkeypatch.setattr(judgements, "lock_active", lock)
        import_judgements(graded, b"1 0 a 1\n", "m", options=JudgementOptions(**first))
        lock(collection)

    monkeypatch.setattr(judgements, "lock_active", lock_after_another_import)
    # The other import is inside this transaction, so its rows are rolled back with it; only the refusal is tested.
    with pytest.raises(Refused, match=re.escape(f"Somebody else imported m at the same time {sentence}")):
        import_judgements(graded, b"1 0 b 1\n", "m", options=JudgementOptions(**second))
