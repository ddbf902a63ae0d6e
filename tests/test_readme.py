"""The README's commands and its Python example, run as they are printed in a checkout."""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.wheel.installed import PROJECT, Shell

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="the commands are for bash")]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
SERVERS = ("assay serve",)
TARGETS = ("make demo", "make test")  # continuous integration runs them


def blocks(language: str) -> list[str]:
    """The README's code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> Shell:
    """A checkout, and an environment in which pip builds from it without the network, and knows the dependencies."""
    folder = tmp_path_factory.mktemp("readme")
    checkout, venv = folder / "checkout", folder / "venv"
    copy_checkout(checkout)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(venv), "platbase": str(venv)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    pip = venv / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\nexec "{venv}/bin/python" -m pip "$@"\n')
    pip.chmod(0o755)
    # pip reads 0 as "no isolation": it builds with the build backend of this environment.
    return Shell(venv, checkout, PIP_NO_INDEX="1", PIP_NO_BUILD_ISOLATION="0", PIP_CONFIG_FILE="/dev/null")


def copy_checkout(folder: Path) -> None:
    """Copy the files that git knows."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(PROJECT / name, folder / name)


def test_readme_has_at_most_80_lines():
    assert len(README.splitlines()) <= 80


def test_readme_links_to_existing_files():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(targets) > 10
    assert [target for target in targets if not (PROJECT / target).is_file()] == []


def test_readme_names_targets_of_the_makefile():
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for line in TARGETS:
        assert line in "".join(blocks("bash")).splitlines()
        assert f"\n{line.removeprefix('make ')}:" in makefile


def test_every_command_works_in_a_checkout(shell):
    lines = "".join(blocks("bash")).splitlines()
    assert lines == [*TARGETS, "pip install .", "assay serve"]
    shell.run("pip install .")
    with shell.serving("assay serve"):
        pass
    assert shell.log.endswith("Stopped.\n"), shell.log
    assert "no owner yet" in shell.log
    run_python_example(shell)


def run_python_example(shell: Shell) -> None:
    """The example is in the same test, because it uses the environment in which the commands were tried."""
    (example,), (printed,) = blocks("python"), blocks("text")
    assert len([line for line in example.splitlines() if line]) <= 8
    (shell.folder / "example.py").write_text(example)
    assert shell.run("python example.py") == printed
    shell.run("assay doctor")


def test_contributing_names_existing_files():
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([a-z_]+/[A-Za-z_./-]+)`", text)) - {"assess/templates"}  # the latter is in the wheel
    assert len(paths) > 20
    assert [path for path in sorted(paths) if "NAME" not in path and not (PROJECT / path).exists()] == []
