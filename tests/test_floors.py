"""The floors of the house: who may import whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
DOORS = (
    "assess.web.judge",
    "assess.web.research",
    "assess.web.teach",
    "assess.web.join",
    "assess.web.account",
    "assess.management",
    "assess.api",
)


def modules(package: str) -> list[Path]:
    return sorted((PROJECT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> set[str]:
    """Every module that a file names in an import, wherever in the file, `from a import b` as a.b."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here, so that this test can read them"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def offences(package: str, forbidden) -> list[str]:
    return [
        f"{name_of(path)} imports {name}"
        for path in modules(package)
        for name in imports(path)
        if forbidden(path, name)
    ]


def test_the_walk_sees_the_packages():
    assert all(len(modules(package)) > 3 for package in ("pooling", "agreement", "assess"))


@pytest.mark.parametrize("package", ["pooling", "agreement"])
def test_the_libraries_know_nothing_of_django_or_of_the_application(package):
    assert offences(package, lambda _, name: within(name, "django", "assess")) == []


def test_pooling_takes_nothing_from_agreement():
    assert offences("pooling", lambda _, name: within(name, "agreement")) == []


def test_agreement_takes_only_file_formats_and_the_order_from_pooling():
    allowed = ("pooling.trec", "pooling.ranking", "pooling.errors")
    assert offences("agreement", lambda _, name: within(name, "pooling") and not within(name, *allowed)) == []


def test_nothing_below_imports_a_view_a_command_or_the_api():
    def forbidden(path, name):
        return not within(name_of(path), *DOORS, "assess.urls") and within(name, *DOORS)

    assert offences("assess", forbidden) == []


def test_a_room_of_pages_does_not_import_another():
    def forbidden(path, name):
        own = next((door for door in DOORS if within(name_of(path), door)), None)
        return own is not None and within(name, *(door for door in DOORS if door != own))

    assert offences("assess", forbidden) == []


def test_models_import_no_domain_module():
    allowed = ("assess.models",)
    found = offences("assess/models", lambda _, name: within(name, "assess") and not within(name, *allowed))
    assert found == []


@pytest.mark.parametrize("module", ["assess.urls", "assess.judging.record", "assess.judging.worklist"])
def test_serving_the_judging_page_never_loads_pandas(module):
    code = (
        f"import django, sys; django.setup(); import {module}; "
        "print(sorted({'pandas', 'scipy', 'matplotlib', 'pyarrow'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_serves_judging_cannot_see_runs_or_provenance():
    words = {"Run", "Provenance", "runfiles", "analysis", "agreeing", "shifting", "releasing"}
    for path in (
        PROJECT / "assess/judging/worklist.py",
        PROJECT / "assess/judging/record.py",
        *modules("assess/judge"),
    ):
        named = {name.rsplit(".", 1)[-1] for name in imports(path)}
        assert not named & words, path
        assert "provenance" not in path.read_text(encoding="utf-8").lower(), path
