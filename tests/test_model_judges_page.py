"""The code and the commands of docs/model-judges.md run, and print what the page says. A local server is the model."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pooling.models import REASONS
from tests.pooling.models.servers import Server, grades_by
from tests.tutorial import BLOCK, make_shell
from tests.wheel.installed import PROJECT

PAGE = (PROJECT / "docs" / "model-judges.md").read_text(encoding="utf-8")
CODE = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
OFFLINE, ASK, AGAIN, LATER, VARIANTS, BATCH = CODE.findall(PAGE)
FILES, SITE = PAGE.split("\n## On a site\n")
SHOW = """
from django.test import Client
from assess.models import User
http = Client(headers={"host": "localhost"})
http.force_login(User.objects.get(username="rita"), backend="assess.people.backend.AccountBackend")
response = http.get("/c/words/models/", secure=True)
print(response.status_code, "data-verdict" in response.content.decode() or 'id="job"' in response.content.decode())
"""
OLLAMA = "http://localhost:11434"


def run(code: str, folder: Path) -> str:
    """Run a program in a folder, and return what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the command is for bash")
def test_the_offline_judge_reaches_the_trust_report(tmp_path):
    code, expected = OFFLINE
    assert run(code, tmp_path) == expected
    shell, commands = make_shell(tmp_path), BLOCK.findall(FILES)
    assert len(commands) == 2
    for command, sentence in commands:
        assert sentence.strip() in shell.run(command).splitlines()
    assert (tmp_path / "report" / "report.md").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for bash")
def test_a_site_leads_from_the_pool_to_the_trust_report(tmp_path):
    run(OFFLINE[0], tmp_path)
    shell = make_shell(tmp_path)
    shell.environment |= {"ASSAY_DATA": str(tmp_path / "data"), "PYTHONPATH": str(PROJECT)}
    python = tmp_path / "venv" / "bin" / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    shell.run("assay migrate")
    ((commands, expected),) = BLOCK.findall(SITE)
    lines = shell.run(commands).splitlines()
    assert [line for line in expected.splitlines() if line not in lines] == [], "\n".join(lines)
    (tmp_path / "show.py").write_text(SHOW, encoding="utf-8")
    assert shell.run("assay shell -v 0 < show.py").split()[-2:] in (["200", "True"], ["202", "True"])


@pytest.mark.slow
def test_a_model_is_asked_once_for_each_pair(tmp_path):
    assert OLLAMA in ASK[0]
    with Server(grades_by(lambda text: 2 * ("tea" in text))) as server:
        code = ASK[0].replace(OLLAMA, server.url)
        first, second = run(code, tmp_path), run(code, tmp_path)
        asked = len(server.asked)
    assert first.startswith("Estimated from 3 answers: 4 documents take")
    assert first.endswith("340 tokens, 0 pairs left. \n")
    assert second == "0 tokens, 0 pairs left. \n"
    assert asked == 4
    assert "your-key" not in (tmp_path / "answers.jsonl").read_text()


@pytest.mark.slow
def test_a_model_is_asked_again_later_and_in_other_words(tmp_path):
    with Server(grades_by(lambda text: 2 * ("tea" in text))) as server:
        code = AGAIN[0] + LATER[0] + VARIANTS[0]
        again, later, varied = run(code.replace(OLLAMA, server.url), tmp_path).splitlines()
        systems = {asked.body["messages"][0]["content"] for asked in server.asked}
    assert again.startswith("Two answers to the same pair have the same grade in 100.0% of cases (95% interval")
    assert later.startswith("0 of 3 grades changed (0.0%; 95% interval 0.0% to ")
    assert varied.startswith("Of 3 variants, 'direct, scale reversed' moves most grades of 'direct': 0.0% of 3")
    assert len(systems) == 4
    assert len((tmp_path / "before.qrels").read_text().splitlines()) == 3


@pytest.mark.slow
def test_a_batch_is_written_and_its_gaps_are_named(tmp_path):
    assert run(BATCH[0], tmp_path) == "['batch-1.jsonl'] 0 answers, 1 missing\n"


def test_the_page_names_every_reason():
    rows = re.findall(r"^\| (`.*?`) \|", PAGE, re.MULTILINE)
    assert {name.strip("`") for row in rows for name in row.split(", ")} == set(REASONS)
