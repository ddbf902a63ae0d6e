"""The README's commands and its Python example, run as they are printed in an empty directory."""

import gzip
import json
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.wheel.installed import PROJECT, Shell, build_wheel

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="the commands are for bash")]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
SERVERS = ("assay demo", "assay serve")
DOC_IDS = [f"d{n}" for n in range(1, 7)]


def blocks(language: str) -> list[str]:
    """The README's code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> Shell:
    """An empty directory and an environment in which pip finds nothing but our wheel, and knows the dependencies."""
    folder = tmp_path_factory.mktemp("readme")
    wheels, venv, work = folder / "wheels", folder / "venv", folder / "work"
    work.mkdir()
    build_wheel(wheels)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(venv), "platbase": str(venv)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    pip = venv / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\nexec "{venv}/bin/python" -m pip "$@"\n')
    pip.chmod(0o755)
    write_inputs(work)
    return Shell(venv, work, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(wheels), PIP_CONFIG_FILE="/dev/null")


def write_inputs(folder: Path) -> None:
    """The files that the README mentions: ten topics, two runs, six documents and two judges' qrels."""
    topics = range(1, 11)
    (folder / "topics.tsv").write_text("".join(f"{q}\ttopic number {q}\n" for q in topics))
    (folder / "runs").mkdir()
    for system, order in (("bm25", DOC_IDS), ("dense", DOC_IDS[::-1])):
        lines = [f"{q} Q0 {d} {n} {9 - n} {system}\n" for q in topics for n, d in enumerate(order, start=1)]
        (folder / "runs" / f"{system}.gz").write_bytes(gzip.compress("".join(lines).encode()))
    documents = "".join(json.dumps({"doc_id": d, "text": f"The text of {d}."}) + "\n" for d in DOC_IDS)
    (folder / "documents.jsonl.gz").write_bytes(gzip.compress(documents.encode()))
    for judge, relevant in (("ada", {"d1", "d2"}), ("bob", {"d2", "d6"})):
        lines = [f"{q} 0 {d} {int(d in relevant)}\n" for q in topics for d in DOC_IDS]
        (folder / f"{judge}.qrels").write_text("".join(lines))


def test_readme_has_at_most_80_lines():
    assert len(README.splitlines()) <= 80


def test_readme_links_to_existing_files():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(targets) > 10
    assert [target for target in targets if not (PROJECT / target).is_file()] == []


def test_every_command_works_in_an_empty_directory(shell):
    outputs = {}
    for line in "".join(blocks("bash")).splitlines():
        if line in SERVERS:
            with shell.serving(line):
                pass
            assert shell.log.endswith("Stopped.\n"), shell.log
            outputs[line] = shell.log
        else:
            outputs[line] = shell.run(line)
    commands = [line.split()[1] for line in outputs if line.startswith("assay ")]
    assert commands == [
        *("demo", "serve", "create_collection", "import_topics", "import_runs", "build_pool", "import_documents"),
        *("assign", "kappa", "shift"),
    ]
    assert "assessor" in outputs["assay demo"]
    assert "no owner yet" in outputs["assay serve"]
    assert (shell.folder / "shift").is_dir()
    run_python_examples(shell)


def run_python_examples(shell: Shell) -> None:
    """The examples are in the same test, because they use the environment in which the commands were tried."""
    (example,) = blocks("python")
    assert len([line for line in example.splitlines() if line]) <= 5
    (shell.folder / "example.py").write_text(example)
    assert "bm25" in shell.run("python example.py")
    shell.run("assay doctor")


def test_contributing_names_existing_files():
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([a-z_]+/[A-Za-z_./-]+)`", text)) - {"assess/templates"}  # the latter is in the wheel
    assert len(paths) > 20
    assert [path for path in sorted(paths) if "NAME" not in path and not (PROJECT / path).exists()] == []
