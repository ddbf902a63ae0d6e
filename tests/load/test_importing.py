"""Two assessors judge while two imports with hostile documents write to the same database: nobody waits for them."""

import os

import pytest

from tests.load.database_checks import check
from tests.load.importing import judge_during, write_documents
from tests.load.server import serving

DOCUMENTS = 4_000
LONGEST_WAIT = 2  # seconds


@pytest.mark.slow
def test_assessors_judge_during_two_imports(tmp_path):
    path = write_documents(tmp_path / "pages.jsonl", DOCUMENTS)
    with serving(tmp_path, os.environ.get("DATABASE_URL")) as server:
        for name in ("one", "two"):
            server.run("manage.py", "create_collection", name, "--owner", name)
        words = ("--all", "--format", "html", str(path))
        result = judge_during(
            server, tmp_path, [("import_documents", "--collection", name, *words) for name in ("one", "two")]
        )
        check(server, result.lines, 2, is_complete=False)
        log = server.log.read_text()
    assert result.problems == []
    assert all(f"Read {DOCUMENTS:,} documents: {DOCUMENTS:,} new" in output for output in result.outputs)
    assert len(result.lines) > 10
    assert max(result.waits) < LONGEST_WAIT
    assert "Error" not in log
