"""The public names of `agreement`: imported at their first use, and visible to type checkers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import agreement
from tests.each_value import each_value


def imports_for_type_checkers():
    """The module of each name in the block `if TYPE_CHECKING:`."""
    tree = ast.parse(Path(agreement.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {alias.name: node.module.removeprefix("agreement.") for node in block.body for alias in node.names}


def modules_loaded_by(code):
    code = f"import sys; {code}; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_lazy_names_are_those_that_type_checkers_see():
    assert imports_for_type_checkers() == agreement._MODULES
    assert sorted(agreement._MODULES) == agreement.__all__


@each_value("name", agreement.__all__)
def test_each_public_name_is_found(name):
    assert getattr(agreement, name).__name__ == name
    assert name in dir(agreement)


@pytest.mark.in_ci
def test_no_public_name_is_hidden_by_a_module():
    folder = Path(agreement.__file__).parent
    assert not {path.stem for path in folder.iterdir()} & set(agreement.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'agreement' has no attribute 'kappa'"):
        _ = agreement.kappa


def test_importing_the_package_does_not_load_pandas():
    assert not modules_loaded_by("import agreement") & {"numpy", "pandas", "scipy", "matplotlib"}


@pytest.mark.slow
def test_packages_are_attributes():
    code = "import agreement; assert agreement.rank_correlation.tau_b and agreement.significance.__all__"
    assert "matplotlib" not in modules_loaded_by(code)
