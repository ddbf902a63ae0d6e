"""Two assessors judge while imports of hostile documents and of judgements write to the same database: nobody waits."""

import os

import pytest

from tests.factories import write_topics
from tests.load.database_checks import check
from tests.load.importing import judge_during, write_documents, write_judgements
from tests.load.server import serving

pytestmark = pytest.mark.alone

DOCUMENTS = 4_000
JUDGES, JUDGED = 10, 2_000
LONGEST_WAIT = 2  # seconds


@pytest.mark.slow
def test_assessors_judge_during_three_imports(tmp_path):
    judgements = write_judgements(tmp_path, JUDGES, JUDGED)
    topics = write_topics(tmp_path)
    path = write_documents(tmp_path / "pages.jsonl", DOCUMENTS)
    with serving(tmp_path, os.environ.get("DATABASE_URL")) as server:
        for name in ("one", "two"):
            server.run("manage.py", "create_collection", name, "--owner", name)
        server.run("manage.py", "import_topics", "--collection", "two", str(topics))
        words = ("--all", "--format", "html", str(path))
        commands = [("import_documents", "--collection", name, *words) for name in ("one", "two")]
        commands.append(("import_judgements", "--collection", "two", *judgements))
        result = judge_during(server, tmp_path, commands)
        check(server, result.lines, 2, is_complete=False)
        log = server.log.read_text()
    assert result.problems == []
    assert all(f"Read {DOCUMENTS:,} documents: {DOCUMENTS:,} new" in output for output in result.outputs[:2])
    assert f"Read {JUDGES * JUDGED:,} judgements: {JUDGES * JUDGED:,} new" in result.outputs[2]
    assert len(result.lines) > 10
    assert max(result.waits) < LONGEST_WAIT
    assert "Error" not in log
