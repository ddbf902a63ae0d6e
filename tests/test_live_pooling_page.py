"""The Python code and the commands of docs/live-pooling.md do what the page says."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pooling.live.kinds import KINDS
from tests.pooling.live import servers
from tests.pooling.live.servers import Server

PROJECT = Path(__file__).resolve().parent.parent
PAGE = (PROJECT / "docs" / "live-pooling.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)
COMMANDS = re.search(r"```bash\n(.*?)```", PAGE, re.DOTALL)[1].splitlines()


@pytest.mark.parametrize(("code", "printed"), CODE)
def test_python_code_prints_what_the_page_says(code, printed, capsys):
    exec(compile(code, "live-pooling.md", "exec"), {})
    assert capsys.readouterr().out == printed


@pytest.mark.slow
def test_commands_run_against_a_server(tmp_path):
    (tmp_path / "topics.tsv").write_text("1\trye bread\n2\triver bridge\n")
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    outputs = []
    with Server(servers.elasticsearch) as server:
        for command in COMMANDS:
            assay, *arguments = shlex.split(command.replace("http://localhost:9200", server.url))
            run = [sys.executable, "-m", assay, *arguments]
            ended = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
            outputs.append(ended.stdout)
    assert "The second answer was the same." in outputs[0]
    assert (tmp_path / "bm25" / "record.json").is_file()
    assert "Nothing has changed" in outputs[2]


def test_the_table_has_the_paths_of_each_kind():
    for name, kind in KINDS.items():
        row = re.search(rf"\| `{name}` \|.*", PAGE)[0]
        cells = [cell.strip(" `") for cell in row.split("|")]
        assert cells[3:7] == [kind.fields[path] for path in ("results", "id", "score", "text")]
