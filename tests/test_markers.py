"""The markers of the tests: the Makefile selects tests by them, and pyproject.toml describes them."""

import re
import tomllib

import pytest

from assess.settings import BASE_DIR

MAKEFILE = (BASE_DIR / "Makefile").read_text(encoding="utf-8")
LINES = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"][
    "markers"
]
REGISTERED = {re.match(r"\w+", line)[0] for line in LINES}
OPERATORS = {"and", "or", "not"}


def marker_names(expression: str) -> set[str]:
    """The names in an expression of -m, without the arguments of markers."""
    return set(re.findall(r"\w+", re.sub(r"\(\w+=\w+\)", "", expression))) - OPERATORS


def makefile_calls() -> list[str]:
    """The arguments of every pytest call."""
    return re.findall(r"-m pytest (.*(?:\\\n.*)*)", MAKEFILE)


def expressions_of(call: str) -> list[str]:
    """The expressions of -m in a pytest call, with the variable FAST replaced."""
    fast = re.search(r"^FAST := (.+)$", MAKEFILE, re.MULTILINE)[1]
    found = re.findall(r"-m (?:\"([^\"]*)\"|(\w+))", call)
    return [(quoted or word).replace("$(FAST)", fast) for quoted, word in found]


def makefile_expressions() -> list[str]:
    return [expression for call in makefile_calls() for expression in expressions_of(call)]


def marked_calls() -> list[tuple[set[str], tuple[str, ...]]]:
    """The markers that a pytest call selects, and its paths, for each call that has both."""
    found = []
    for call in makefile_calls():
        paths = tuple(re.findall(r"(?<![=\w])tests/[\w./]+", call))
        for expression in expressions_of(call):
            selected = marker_names(re.sub(r"not \w+", "", expression))
            if selected and paths:
                found.append((selected, paths))
    return found


def files_marked(marker: str) -> list[str]:
    """The test files that contain the text of a marker."""
    return [
        path.relative_to(BASE_DIR).as_posix()
        for path in sorted((BASE_DIR / "tests").rglob("test_*.py"))
        if re.search(rf"pytest\.mark\.{re.escape(marker)}(?!\w)", path.read_text(encoding="utf-8"))
    ]


def test_the_makefile_selects_by_registered_markers():
    """A misspelt name in an expression would select nothing, or everything, without an error."""
    expressions = makefile_expressions()
    assert len(expressions) >= 8
    assert {name for expression in expressions for name in marker_names(expression)} <= REGISTERED


def test_every_registered_marker_is_in_the_makefile():
    """Tests with a marker that no target names would run in `make test` or nowhere."""
    assert {name for expression in makefile_expressions() for name in marker_names(expression)} == REGISTERED


def test_calls_with_paths_find_every_file_with_their_markers():
    """Each worker imports all tests of the paths, so the Makefile names the folders that have such tests."""
    assert ({"examples"}, ("tests/recipes", "tests/test_benchmarks.py")) in marked_calls()
    for markers, paths in marked_calls():
        files = set.intersection(*(set(files_marked(marker)) for marker in markers))
        assert files
        assert [file for file in files if not file.startswith(paths)] == []


@pytest.mark.parametrize("marker", [*sorted(REGISTERED), "database(slow=True)"])
def test_every_marker_marks_tests(marker):
    assert files_marked(marker)


def test_the_expressions_are_found():
    assert marker_names("slow and database(slow=True) and not alone") == {"slow", "database", "alone"}
    assert "slow and database(slow=True)" in makefile_expressions()
