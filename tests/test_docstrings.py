"""The docstrings of all public names of the libraries are complete, and their examples run."""

import doctest
import inspect
import re
from importlib import import_module

import pytest

MODULES = (
    "agreement",
    "agreement.effectiveness",
    "agreement.exercises",
    "agreement.plots",
    "agreement.rank_correlation",
    "agreement.significance",
    "pooling",
)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public_objects():
    """The functions and classes in the `__all__` of each module; each object once, under its first name."""
    objects = {}
    for module_name in MODULES:
        module = import_module(module_name)
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isroutine(value):
                objects.setdefault(id(value), (f"{module_name}.{name}", value))
    return dict(objects.values())


PUBLIC = public_objects()
FUNCTIONS = {name: value for name, value in PUBLIC.items() if not inspect.isclass(value)}


def methods_of(cls):
    """The public methods and properties that a class defines."""
    for name, member in vars(cls).items():
        if not name.startswith("_"):
            function = getattr(member, "__func__", getattr(member, "fget", getattr(member, "func", member)))
            if inspect.isfunction(function):
                yield f"{cls.__name__}.{name}", function


def documented(value):
    """An object, and for a class also its public methods."""
    return [("", value), *(methods_of(value) if inspect.isclass(value) else ())]


def parameters(function):
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


def missing_parameters(function):
    """The parameters that no line of the docstring introduces."""
    text = re.split(r"^Returns$|^Raises$", inspect.getdoc(function) or "", maxsplit=1, flags=re.MULTILINE)[0]
    introduced = {
        name.strip(" *")
        for line in text.splitlines()
        if (match := re.match(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : |$)", line))
        for name in match[1].split(",")
    }
    return [name for name in parameters(function) if name not in introduced]


@pytest.mark.parametrize("name", PUBLIC)
def test_public_objects_and_their_methods_have_a_docstring(name):
    for method, value in documented(PUBLIC[name]):
        docstring = value.__doc__
        assert docstring, f"{name} {method}"
        # dataclasses without a docstring get their signature
        assert not docstring.startswith(f"{name.rpartition('.')[2]}("), name
        assert "as those of" not in " ".join(docstring.split()).lower(), f"{name} {method}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_docstring_of_a_function_lists_each_parameter(name):
    assert missing_parameters(FUNCTIONS[name]) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_docstring_of_a_function_has_an_example(name):
    assert ">>> " in (inspect.getdoc(FUNCTIONS[name]) or "")


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_run(name):
    value = PUBLIC[name]
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    output = []
    for example in doctest.DocTestFinder(recurse=True).find(value, name, globs={}):
        runner.run(example, out=output.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)
