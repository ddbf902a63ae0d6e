"""The docstrings of all public names of the libraries and the client are complete, and their examples run."""

import doctest
import inspect
import pkgutil
import re
from importlib import import_module

import pandas as pd
import pytest

import agreement
import pooling
from agreement.estimate import Estimate
from agreement.intervals.defaults import INTERVALS, SCORES
from tests.each_value import each_value

MODULES = (
    "agreement",
    "agreement.effectiveness",
    "agreement.exercises",
    "agreement.meta_evaluation",
    "agreement.plots",
    "agreement.rank_correlation",
    "agreement.significance",
    "assay.remote",
    "pooling",
    "pooling.models",
)
# A docstring describes its parameters itself, and does not send the reader to another one.
REFERENCE = re.compile(
    r"\b[Aa]s (for|in|those of|that of) (`|every|all)|[Aa]s `\w+`[,.]|\bThose of `"
    r"|\(`[\w.]+` (has|lists|gives|describes) \w+"
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
# Classes that users reach by a name in a table, not by import.
REGISTERED = {**pooling.STRATEGIES, **pooling.ADAPTIVE, **pooling.POLICIES}
DOCUMENTED = {**PUBLIC, **REGISTERED}


def all_modules():
    """The names of all modules of the libraries."""
    return sorted(
        module.name
        for package in (agreement, pooling)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
    )


def methods_of(cls):
    """The public methods and properties that a class defines or inherits from a class of the libraries."""
    for owner in cls.__mro__:
        if owner.__module__.partition(".")[0] in ("agreement", "assay", "pooling"):
            for name, member in vars(owner).items():
                function = getattr(member, "__func__", getattr(member, "fget", getattr(member, "func", member)))
                if not name.startswith("_") and inspect.isfunction(function):
                    yield f"{owner.__name__}.{name}", function


def documented(value):
    """An object, and for a class also its public methods."""
    return [("", value), *(methods_of(value) if inspect.isclass(value) else ())]


def parameters(value):
    return [name for name in inspect.signature(value).parameters if name not in ("self", "cls")]


def missing_parameters(value):
    """The parameters that no line of the docstring introduces. A class may describe its attributes instead."""
    docstring = inspect.getdoc(value) or ""
    if inspect.isclass(value) and ("Attributes\n" in docstring or issubclass(value, pd.DataFrame)):
        return []  # pandas describes the parameters of its tables
    text = re.split(r"^Returns$|^Raises$", docstring, maxsplit=1, flags=re.MULTILINE)[0]
    introduced = {
        name.strip(" *")
        for line in text.splitlines()
        if (match := re.match(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : |$)", line))
        for name in match[1].split(",")
    }
    return [name for name in parameters(value) if name not in introduced]


@each_value("name", DOCUMENTED)
def test_public_objects_and_their_methods_have_a_docstring(name):
    for method, value in documented(DOCUMENTED[name]):
        docstring = value.__doc__
        assert docstring, f"{name} {method}"
        # dataclasses without a docstring get their signature
        assert not docstring.startswith(f"{name.rpartition('.')[2]}("), name


@each_value("name", DOCUMENTED)
def test_docstrings_do_not_refer_to_other_docstrings(name):
    for method, value in documented(DOCUMENTED[name]):
        docstring = inspect.getdoc(value)
        assert "as those of" not in " ".join(docstring.split()).lower(), f"{name} {method}"
        assert not REFERENCE.search(docstring), f"{name} {method}"


@each_value("name", DOCUMENTED)
def test_docstrings_list_each_parameter(name):
    missing = {method: missing_parameters(value) for method, value in documented(DOCUMENTED[name])}
    assert {method: names for method, names in missing.items() if names} == {}


WITH_INTERVAL = [
    name
    for name, value in PUBLIC.items()
    if name.startswith("agreement.") and not inspect.isclass(value) and {"interval", "seed"} <= set(parameters(value))
]


@each_value("name", WITH_INTERVAL)
def test_docstrings_name_each_interval(name):
    docstring = inspect.getdoc(PUBLIC[name])
    missing = [kind for kind in INTERVALS if kind not in SCORES and f'* "{kind}": ' not in docstring]
    assert (missing, "* None: " in docstring) == ([], True)


def test_the_method_interval_names_each_interval():
    docstring = inspect.getdoc(Estimate.interval)
    assert [kind for kind in INTERVALS if f'* "{kind}": ' not in docstring] == []


def test_references_are_recognised():
    sentence = "The kind of interval (`agreement.intervals.measurement` has the list): None computes none."
    assert REFERENCE.search(sentence)
    assert not REFERENCE.search("The kind of interval: None computes none; `draws` has the number of samples.")


@each_value("name", PUBLIC)
def test_public_objects_have_an_example(name):
    assert any(test.examples for test in doctests(name))


@pytest.mark.in_ci
@pytest.mark.parametrize("name", PUBLIC)
def test_examples_run(name):
    # without the globals of the module, so that a reader can run the example after the imports that it shows
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    output = []
    for test in doctests(name):
        runner.run(test, out=output.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)


def doctests(name):
    """The examples of a public object and, for a class, of its methods."""
    return doctest.DocTestFinder(recurse=inspect.isclass(PUBLIC[name])).find(PUBLIC[name], name, globs={})


@pytest.mark.in_ci
@pytest.mark.parametrize("name", all_modules())
def test_examples_of_other_functions_run(name):
    module = import_module(name)
    public = {id(value) for value in PUBLIC.values()}
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner(optionflags=OPTIONS)
    output = []
    values = [module, *(value for value in vars(module).values() if getattr(value, "__module__", None) == name)]
    for value in values:
        if id(value) not in public:
            for test in finder.find(value, getattr(value, "__qualname__", name), module):
                runner.run(test, out=output.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)
