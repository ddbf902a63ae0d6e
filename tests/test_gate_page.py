"""The commands and the Python code of docs/gate.md print what the page says, and its workflow fits the action."""

import re
import sys
from pathlib import Path

import pytest
import yaml

from agreement.gate.decision import CODES
from tests.agreement.gate.small import at_ranks, gold_of, write_gold, write_run
from tests.tutorial import BLOCK, make_shell
from tests.wheel.installed import PROJECT, Shell

PAGE = (PROJECT / "docs" / "gate.md").read_text(encoding="utf-8")
ACTION = PROJECT / ".github" / "actions" / "gate"
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
YAML = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
OLD = (1, 2, 1, 3, 2, 1, 1, 4, 2, 1, 3, 1)
RUNS = {
    "old": OLD,
    "new": (1, 2, 1, 2, 2, 1, 1, 4, 1, 1, 3, 1),
    "broken": (3, 3, 2, 5, 4, 3, 2, 6, 4, 3, 5, 2),
}


def lay_out(folder: Path) -> None:
    """Write the files that the page names."""
    gold = gold_of(len(OLD))
    write_gold(folder / "nist.qrels", gold)
    write_gold(
        folder / "ada.qrels", {topic: {doc: int(doc in "ra") for doc in grades} for topic, grades in gold.items()}
    )
    some = {topic: {doc: grade for doc, grade in grades.items() if doc not in "ab"} for topic, grades in gold.items()}
    write_gold(folder / "sparse.qrels", some)
    for name, ranks in RUNS.items():
        write_run(folder / f"{name}.run", at_ranks(*ranks), name)


@pytest.fixture
def shell(tmp_path) -> Shell:
    lay_out(tmp_path)
    return make_shell(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for bash")
def test_the_commands_print_what_the_page_says(shell):
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) >= 5
    for commands, expected in blocks:
        assert expected, commands
        assert shell.run(commands) == expected


def test_the_python_code_runs(tmp_path, monkeypatch, capsys):
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    (code,) = PYTHON.findall(PAGE)
    exec(compile(code, "gate.md", "exec"), {})
    assert capsys.readouterr().out.startswith("Loss: broken is worse than old by more than 0.05 of RR.\n1 ")


def test_every_decision_and_its_code_is_listed():
    for decision, code in CODES.items():
        assert f"| {code} | `{decision}` |" in PAGE


def test_the_workflow_uses_inputs_and_outputs_of_the_action():
    (text,) = YAML.findall(PAGE)
    action = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
    steps = [step for job in yaml.safe_load(text)["jobs"].values() for step in job["steps"]]
    (step,) = [step for step in steps if "actions/gate" in step.get("uses", "")]
    assert set(step["with"]) <= set(action["inputs"])
    assert {name for name, one in action["inputs"].items() if one.get("required")} <= set(step["with"])
    assert set(re.findall(r"steps\.gate\.outputs\.(\w+)", text)) <= set(action["outputs"])
    assert all(f"`{name}`" in PAGE for name in (*action["inputs"], *action["outputs"]))
