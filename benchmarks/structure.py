"""The size of Assay's code, and how much of it three ways through the program cross.

A file is a Python file of the four packages, migrations included. Lines of code have code on them; blank lines,
comments and docstrings do not count. A module has one importer if exactly one other file imports it, anywhere in that
file; packages, commands and migrations are left out, because Python and Django find these by name. Imports of a module
whose name is computed are not seen.

The three ways are in `benchmarks.crossed`. A way crosses a function that it calls, and a module with such a function.
Each way runs in a process of its own. The pages are those of the demo collection, on SQLite.

Run: python -m benchmarks.structure
"""

import ast
import io
import json
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks import databases
from benchmarks.tiny import PROJECT, size

PACKAGES = size(("assay", "assess", "pooling", "agreement"), ("assay",))
SHORT = 40  # lines
FOUND_BY_NAME = ("__init__", "__main__")
FOLDERS_FOUND_BY_NAME = {"commands", "migrations"}
WAYS = {"kappa": "assay kappa", "shift": "a run file to the ranking shift", "judgement": "one judgement"}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
NOT_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class Source(NamedTuple):
    """A file with its text and its syntax tree."""

    path: Path
    text: str
    tree: ast.Module


def main() -> None:
    sources = {package: [*_sources(package)] for package in PACKAGES}
    sources["all"] = [source for package in PACKAGES for source in sources[package]]
    lonely = _with_one_importer(sources["all"])
    print(f"{'':10} {'files':>6} {'code':>8} {'docstrings':>11} {f'under {SHORT}':>9} {'one importer':>13}")
    for name, files in sources.items():
        code, docs = (sum(map(len, lines)) for lines in zip(*map(_lines, files), strict=True))
        short = sum(len(source.text.splitlines()) < SHORT for source in files)
        alone = sum(source.path in lonely for source in files)
        print(f"{name:10} {len(files):>6,} {code:>8,} {docs:>11,} {short:>9,} {alone:>13,}")
    print(f"\n{'':32} {'modules':>8} {'functions':>10}")
    with databases.server_with_database(None) as (server, _):
        for way, title in WAYS.items():
            crossed = server.run_json("-m", "benchmarks.structure", way)
            print(f"{title:32} {len(crossed):>8,} {sum(map(len, crossed.values())):>10,}", flush=True)


def _sources(package: str) -> Iterator[Source]:
    for path in sorted((PROJECT / package).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        yield Source(path, text, ast.parse(text))


def _lines(source: Source) -> tuple[set[int], set[int]]:
    """Return the numbers of the lines of code, and of those of docstrings."""
    docs = {line for node in _docstrings(source.tree) for line in range(node.lineno, node.end_lineno + 1)}
    code = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source.text).readline)
        if token.type not in NOT_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return code - docs, docs


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            yield node.body[0].value


def _with_one_importer(sources: list[Source]) -> set[Path]:
    """Return the modules that exactly one other file imports."""
    paths = {_name(source.path): source.path for source in sources}
    importers = Counter(
        imported for source in sources for imported in _imported(source, paths) if imported != _name(source.path)
    )
    return {path for name, path in paths.items() if importers[name] == 1 and not _is_found_by_name(path)}


def _name(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(source: Source, known: dict[str, Path]) -> set[str]:
    """Return the modules that a file imports. `from a import b` imports a.b if that is a module, and a otherwise."""
    names = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in known else str(node.module) for name in inner.values()}
    return names & set(known)


def _is_found_by_name(path: Path) -> bool:
    return path.stem in FOUND_BY_NAME or not FOLDERS_FOUND_BY_NAME.isdisjoint(path.parts)


def _print_crossed(way: str) -> None:
    from benchmarks import crossed

    print(json.dumps(getattr(crossed, way)()))


if __name__ == "__main__":
    _print_crossed(sys.argv[1]) if sys.argv[1:] else main()
