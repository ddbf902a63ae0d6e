"""The public names of `pooling`: all exist, are lazy, and are visible to type checkers."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import pooling
from tests.each_value import each_value


@each_value("name", pooling.__all__)
def test_every_public_name_can_be_imported(name):
    assert getattr(pooling, name) is not None
    assert name in dir(pooling)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'pooling' has no attribute 'pools_of'"):
        _ = pooling.pools_of


def test_importing_the_package_and_assigning_does_not_load_pandas():
    program = "import sys, pooling; pooling.assign([0], 1, 1, seed=0); sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_seed_is_passed_by_keyword():
    # The parameters of the strategies follow in `pool`, so a positional number would be ambiguous.
    functions = [getattr(pooling, name) for name in pooling.__all__]
    functions += [*pooling.STRATEGIES.values(), *pooling.ADAPTIVE.values(), *pooling.POLICIES.values()]
    signatures = [inspect.signature(function) for function in functions if callable(function)]
    seeds = [signature.parameters["seed"] for signature in signatures if "seed" in signature.parameters]
    assert len(seeds) > 10
    assert {seed.kind for seed in seeds} == {inspect.Parameter.KEYWORD_ONLY}
    with pytest.raises(TypeError, match="positional argument"):
        pooling.assign([0], 1, 1, 7)


def test_type_checkers_see_every_lazy_name():
    tree = ast.parse(Path(pooling.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imported = {name.name: node.module for node in block.body for name in node.names}

    assert imported == {name: f"pooling.{module}" for name, module in pooling._MODULES.items()}
    assert set(pooling.__all__) == set(pooling._MODULES)
