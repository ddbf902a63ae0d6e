"""The stored files of imported judges: their size, whom they name, and their erasure."""

import gzip
import io

import pytest

from assess.models import ImportedFile
from assess.transfer import judgement_lines
from assess.transfer.judgement_import import import_judgements
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
    monkeypatch.setattr(judgement_lines, "MAX_FILE_BYTES", len(content) - 3)
    before = tables()
    given = {"path": path, "stream": io.BytesIO(content), "bytes": content}[source]
    with pytest.raises(FormatError, match=f"more than {len(content) - 3} bytes; this is the limit for one file"):
        import_judgements(graded, given, "ada")
    assert tables() == before


def test_file_of_exactly_the_limit_is_imported(graded, monkeypatch):
    content = b"1 0 a 1\n1 0 b 2\n"
    monkeypatch.setattr(judgement_lines, "MAX_FILE_BYTES", len(content))
    assert import_judgements(graded, content, "ada").added == 2
    assert ImportedFile.objects.get().original() == content


def test_limit_fits_into_one_field_of_the_database():
    assert 2 * judgement_lines.MAX_FILE_BYTES < 10**9  # PostgreSQL's INSERT writes each byte as two characters
