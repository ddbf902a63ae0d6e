"""The script of the GitHub action: outputs, summary, exit code, and inputs that look like commands."""

import os
import subprocess
import sys

import pytest
import yaml

from tests.agreement.gate.small import at_ranks, gold_of, write_gold, write_run
from tests.realdata import PROJECT
from tests.tutorial import make_shell

FOLDER = PROJECT / ".github" / "actions" / "gate"
ACTION = yaml.safe_load((FOLDER / "action.yml").read_text(encoding="utf-8"))
STEP = ACTION["runs"]["steps"][-1]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the script is for bash")


@pytest.fixture
def run(tmp_path):
    """A function that runs the script with the defaults of the inputs, and returns it with its outputs and summary."""
    write_gold(tmp_path / "nist.qrels", gold_of(3))
    write_run(tmp_path / "old.run", at_ranks(1, 1, 1))
    write_run(tmp_path / "worse.run", at_ranks(2, 2, 3))
    make_shell(tmp_path)
    paths = {"GITHUB_OUTPUT": tmp_path / "output", "GITHUB_STEP_SUMMARY": tmp_path / "summary.md"}
    defaults = {"gold": "nist.qrels", "baseline": "old.run", "candidate": "old.run", "measure": "RR"}

    def run_script(**inputs):
        values = {name: one.get("default", "") for name, one in ACTION["inputs"].items()} | defaults
        values |= {name.replace("_", "-"): value for name, value in inputs.items()}
        given = {f"GATE_{name.upper().replace('-', '_')}": value for name, value in values.items() if name != "install"}
        assert given.keys() == STEP["env"].keys()
        path = f"{tmp_path / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {
            "PATH": path,
            "HOME": str(tmp_path),
            **given,
            **{name: str(file) for name, file in paths.items()},
        }
        done = subprocess.run(
            ["bash", str(FOLDER / "gate.sh")], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        output = dict(line.split("=") for line in paths["GITHUB_OUTPUT"].read_text().splitlines())
        return done, output, paths["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    return run_script


@pytest.mark.slow
def test_a_tie_passes(run):
    done, output, summary = run()
    assert (done.returncode, output) == (0, {"decision": "win_or_tie", "code": "0"}), done.stderr
    assert summary.startswith("## Gate: win or tie\n")


@pytest.mark.slow
def test_a_loss_fails_with_its_code_and_writes_junit(run, tmp_path):
    done, output, summary = run(candidate="worse.run", gold="nist=nist.qrels\r\n\n  \n", junit="gate.xml")
    assert (done.returncode, output) == (1, {"decision": "loss", "code": "1"}), done.stderr
    assert "## Gate: loss" in summary
    assert 'type="loss"' in (tmp_path / "gate.xml").read_text()


@pytest.mark.slow
def test_the_runner_takes_no_command_from_the_report(run):
    done, _, _ = run()
    first, *_, last = done.stdout.splitlines()
    token = first.removeprefix("::stop-commands::")
    assert len(token) == 32
    assert last == f"::{token}::"
    assert run()[0].stdout.splitlines()[0] != first


@pytest.mark.slow
@pytest.mark.parametrize(
    "inputs",
    [
        {"candidate": "$(touch hacked)"},
        {"candidate": '"; touch hacked; "'},
        {"candidate": "`touch hacked`"},
        {"candidate": "--help"},
        {"measure": "RR' ; touch hacked #"},
        {"gold": "a=$(touch hacked)\n--baseline=x"},
        {"margin": "0.01\ndecision=win_or_tie"},
        {"gold": ""},
        {"baseline": ""},
    ],
)
def test_inputs_are_never_commands(run, tmp_path, inputs):
    done, output, _ = run(**inputs)
    assert (done.returncode, output) == (64, {"decision": "error", "code": "64"})
    assert not (tmp_path / "hacked").exists()


def test_no_input_is_written_into_a_script():
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
    assert STEP["env"] == {
        f"GATE_{name.upper().replace('-', '_')}": f"${{{{ inputs.{name} }}}}"
        for name in ACTION["inputs"]
        if name != "install"
    }


def test_outputs_are_those_of_the_script():
    assert {name: one["value"] for name, one in ACTION["outputs"].items()} == {
        name: "${{{{ steps.{}.outputs.{} }}}}".format(STEP["id"], name) for name in ("decision", "code")
    }
