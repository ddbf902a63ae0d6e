"""The command `assay`: help, version, unknown commands and the option --data."""

import pytest

from agreement.version import VERSION
from assay import cli
from assay.cli import UsageError, split_data_option
from assay.command_list import DJANGO_COMMANDS, GROUPS, LIBRARY_COMMANDS
from tests.assay.process import PROJECT, assay

COMMANDS = PROJECT / "assess" / "management" / "commands"


@pytest.mark.parametrize("argument", ["--version", "version"])
def test_version(capsys, argument):
    assert cli.main([argument]) == 0
    assert capsys.readouterr().out == f"Assay {VERSION}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_every_command_in_a_terminal_of_100_columns(capsys, arguments):
    assert cli.main(arguments) == 0
    text = capsys.readouterr().out
    assert text.startswith("Usage: assay [--data DIR] COMMAND [OPTIONS]\n")
    assert max(map(len, text.splitlines())) <= 105
    for commands in (*GROUPS.values(), DJANGO_COMMANDS):
        for name, summary in commands.items():
            assert f"  {name:<20} {summary}\n" in text


def test_help_groups_exactly_the_commands_that_exist():
    listed = [name for commands in GROUPS.values() for name in commands]
    existing = {path.stem for path in COMMANDS.glob("[a-z]*.py")}
    assert len(listed) == len(set(listed))
    assert set(listed) == existing - set(DJANGO_COMMANDS) | set(LIBRARY_COMMANDS) | {"doctor", "docs", "remote"}


def test_page_of_commands_lists_every_command():
    page = (PROJECT / "docs" / "commands.md").read_text(encoding="utf-8")
    table = page[: page.index("## Answers need enough data")]
    assert [name for commands in GROUPS.values() for name in commands if f"`assay {name}`" not in table] == []


def test_help_loads_neither_pandas_nor_django():
    code = "import sys; from assay.cli import main; main([]); main(['--version']); print(*sys.modules)"
    modules = assay(program=("-c", code)).stdout.splitlines()[-1].split()
    assert not {"pandas", "numpy", "scipy", "django"} & set(modules)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("improt_runs", "did you mean 'import_runs'?"),
        ("import-runs", "did you mean 'import_runs'?"),
        ("kapa", "did you mean 'kappa'?"),
        ("xyzzy", "`assay --help` lists the commands."),
    ],
)
def test_unknown_command_is_refused_with_a_suggestion(tmp_path, command, hint):
    done = assay(command, "--data", tmp_path, HOME=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"assay: Unknown command '{command}'; {hint}\n"


def test_unknown_option_before_the_command_is_refused(capsys):
    assert cli.main(["--verbose", "migrate"]) == 2
    assert capsys.readouterr().err == "assay: Unknown option '--verbose'; `assay --help` lists the options.\n"


@pytest.mark.parametrize(
    ("arguments", "value", "rest"),
    [
        (["migrate"], None, ["migrate"]),
        (["--data", "x", "migrate", "-v0"], "x", ["migrate", "-v0"]),
        (["migrate", "--data=x", "-v0"], "x", ["migrate", "-v0"]),
        (["--data", "x", "migrate", "--data", "y"], "y", ["migrate"]),
        (["dumpdata", "--database", "default"], None, ["dumpdata", "--database", "default"]),
        (["shell", "--", "--data", "x"], None, ["shell", "--", "--data", "x"]),
        (["kappa", "--data", "x"], None, ["kappa", "--data", "x"]),
    ],
)
def test_data_option_is_found_before_and_after_the_command(arguments, value, rest):
    assert split_data_option(arguments) == (value, rest)


@pytest.mark.parametrize("arguments", [["--data"], ["migrate", "--data"], ["--data=", "migrate"], ["--data", ""]])
def test_data_option_without_a_directory_is_refused(arguments):
    with pytest.raises(UsageError, match="--data needs a directory"):
        split_data_option(arguments)


def test_library_command_refuses_a_data_directory(capsys):
    assert cli.main(["--data", "x", "kappa", "a.qrels"]) == 2
    assert "`assay kappa` reads files and uses no data directory; remove --data." in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(LIBRARY_COMMANDS))
def test_library_command_prints_its_own_help(command):
    done = assay(command, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: assay {command}")


@pytest.mark.slow
def test_kappa_of_two_files(tmp_path):
    (tmp_path / "a.qrels").write_text("1 0 d1 1\n1 0 d2 0\n1 0 d3 1\n")
    (tmp_path / "b.qrels").write_text("1 0 d1 1\n1 0 d2 0\n1 0 d3 0\n")
    done = assay("kappa", "a.qrels", "b.qrels", "--scale", "0,1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "0.4" in done.stdout  # P(A) = 2/3, P(E) = (2/3 * 1/3 + 1/3 * 2/3) = 4/9, kappa = (2/9) / (5/9)


@pytest.mark.slow
def test_invalid_input_of_a_library_command_exits_with_2(tmp_path):
    done = assay("kappa", "missing.qrels", "other.qrels", "--scale", "0,1", cwd=tmp_path)
    assert done.returncode == 2
    assert "missing.qrels" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_manage_py_runs_the_same_commands():
    done = assay("kappa", "--help", program=("manage.py",))
    assert done.returncode == 0
    assert done.stdout.startswith("usage: manage.py kappa")
