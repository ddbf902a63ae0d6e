"""`--help` of every command loads no library that computes: it is there within a fraction of a second."""

from pathlib import Path

import pytest

import assess.management.commands
from assay.command_list import LIBRARY_COMMANDS
from pooling.choices import ROUNDING_NAMES, STRATEGY_NAMES
from pooling.strategies import STRATEGIES
from pooling.writing import ROUNDINGS
from tests.assay.process import assay

COMMANDS = sorted(path.stem for path in Path(assess.management.commands.__file__).parent.glob("[!_]*.py"))
HEAVY = ["numpy", "pandas", "scipy", "pyarrow", "matplotlib", "ir_measures", "sklearn", "allauth", "django_tasks"]
# All parsers are made in one process, which says after each what it has loaded.
CODE = """
import contextlib, io, sys
from assay.cli import main
for name in sys.argv[2:]:
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.suppress(SystemExit):
        main([name, "--help"])
    print(name, "usage" in printed.getvalue(), *sorted(set(sys.argv[1].split(",")) & sys.modules.keys()))
"""


@pytest.mark.slow
def test_help_of_every_command_loads_no_library_that_computes(tmp_path):
    names = [*LIBRARY_COMMANDS, *COMMANDS]
    done = assay(",".join(HEAVY), *names, program=("-c", CODE), ASSAY_DATA=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name} True" for name in names]


@pytest.mark.slow
def test_help_of_a_django_command_has_all_apps(tmp_path):
    done = assay("createsuperuser", "--help", ASSAY_DATA=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "--username" in done.stdout


def test_names_of_strategies_and_roundings_are_those_of_the_functions():
    assert list(STRATEGIES) == list(STRATEGY_NAMES)
    assert list(ROUNDINGS) == list(ROUNDING_NAMES)
