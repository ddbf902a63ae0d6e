"""The docstrings of the public names: complete, self-contained, and with examples that run."""

import doctest
import inspect
import re

import pytest

import pooling

DOCUMENTED = sorted(name for name in pooling.__all__ if callable(getattr(pooling, name)))
REGISTERED = {**pooling.STRATEGIES, **pooling.ADAPTIVE, **pooling.POLICIES}
REFERENCE = re.compile(r"\b[Aa]s (for|in|those of|that of) (`|every|all)|[Aa]s `\w+`[,.]|\bThose of `")


def methods(cls):
    """The public methods and properties that a class of this package defines or inherits."""
    for owner in cls.__mro__:
        if owner.__module__.startswith("pooling"):
            yield from (value for name, value in vars(owner).items() if not name.startswith("_") and name != "name")


def documented(value):
    members = [getattr(each, "__func__", each) for each in methods(value)] if inspect.isclass(value) else []
    return [value, *(each for each in members if inspect.isfunction(each) or isinstance(each, property))]


@pytest.mark.parametrize("name", [*DOCUMENTED, *REGISTERED])
def test_every_public_docstring_describes_every_parameter(name):
    for each in documented(REGISTERED[name] if name in REGISTERED else getattr(pooling, name)):
        text = inspect.getdoc(each)
        assert text, each
        assert not REFERENCE.search(text), (each, REFERENCE.search(text))
        if isinstance(each, property) or (inspect.isclass(each) and "Attributes\n" in text):
            continue
        parameters = [key for key in inspect.signature(each).parameters if key not in ("self", "cls", "parameters")]
        missing = [key for key in parameters if not re.search(rf"^(\*\*)?([\w*]+, )*{key}(, \w+)* :", text, re.M)]
        assert not missing, (each, missing)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_examples_of_every_public_name_run(name):
    value = getattr(pooling, name)
    tests = doctest.DocTestFinder(recurse=inspect.isclass(value)).find(value, name)
    examples = [test for test in tests if test.examples]
    assert examples, f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
    for test in examples:
        assert runner.run(test).failed == 0, test.name
