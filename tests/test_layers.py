"""Who may import whom, and how many modules a package may have (docs: "Where things are" in CONTRIBUTING.md)."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
LIBRARIES = ("pooling", "agreement")
PACKAGES = (*LIBRARIES, "assess", "assay")
# The packages of assess, bottom to top. A package may import those of lower layers and of its own. A module of an
# optional feature that the core calls is named with its package, in the layer of the core that calls it.
PAGES_LAYER = ("web", "management")  # with the pages of optional features
LAYERS = (
    ("errors", "lib", "templatetags"),
    ("models",),
    ("prepared", "audit", "throttle"),
    ("access", "hosts", "jobs", "mail"),
    ("collections",),
    ("documents",),
    ("pools", "near_duplicates.group_documents"),
    (
        "judging",
        "calibration.admission",
        "calibration.hidden_checks",
        "marginal.answers",
        "marginal.own_relevant",
        "marginal.stored",
        "near_duplicates.by_group",
        "near_duplicates.queue_order",
        "suggestions",
    ),
    ("people",),
    ("analysis",),
    ("search",),
    ("transfer", "deletion"),
    (
        "adjudication",
        "asking",
        "baselines",
        "calibration",
        "engines",
        "marginal",
        "model_judges",
        "near_duplicates",
        "norming",
    ),
    ("releases",),
    ("teaching", "work"),
    ("living",),
    ("campaign", "purge", "backups", "health", "status"),
    ("demo",),
    PAGES_LAYER,
    ("api",),
)
# Optional features: each is one package with its rules, its queue, its pages and its URLs.
FEATURES = (
    *(
        "adjudication",
        "asking",
        "baselines",
        "calibration",
        "engines",
        "living",
        "marginal",
        "model_judges",
        "near_duplicates",
        "norming",
        "search",
        "suggestions",
    ),
)
PAGES = ("views", "forms", "urls")
ENTRY_POINTS = ("settings", "urls", "wsgi", "asgi", "apps", "gunicorn_hooks")
MOST_MODULES = 25
UNLIMITED = ("measures", "commands", "migrations")


def modules(package: str) -> list[Path]:
    return sorted((PROJECT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> set[str]:
    """Every module that a file imports, anywhere in the file; `from a import b` counts as a.b."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: use absolute imports, which this test can read"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def violations(package: str, is_forbidden) -> list[str]:
    return [
        f"{name_of(path)} imports {name}"
        for path in modules(package)
        for name in imports(path)
        if is_forbidden(path, name)
    ]


def is_page(name: str) -> bool:
    """Whether a module has the pages of an optional feature: `views`, `judge_views`, `forms` or `urls`."""
    parts = name.split(".")
    return len(parts) > 2 and parts[1] in FEATURES and parts[2].rpartition("_")[2] in PAGES


def layer_of(name: str) -> int | None:
    """The layer of a module of assess; None for an entry point and for names outside assess."""
    if is_page(name):
        return LAYERS.index(PAGES_LAYER)
    parts = name.split(".")
    heights = {part: height for height, layer in enumerate(LAYERS) for part in layer}
    own = [".".join(parts[1:end]) for end in (3, 2)] if parts[0] == "assess" else []
    return next((heights[part] for part in own if part in heights), None)


def test_all_packages_are_read():
    assert all(len(modules(package)) > 3 for package in ("pooling", "agreement", "assess"))


@pytest.mark.slow
@pytest.mark.parametrize("package", LIBRARIES)
def test_libraries_do_not_import_django_or_the_application(package):
    assert violations(package, lambda _, name: within(name, "django", "assess", "assay")) == []


def test_pooling_does_not_import_agreement():
    assert violations("pooling", lambda _, name: within(name, "agreement")) == []


@pytest.mark.in_ci
def test_agreement_imports_only_formats_and_the_document_order_from_pooling():
    formats = (
        "pooling.trec",
        "pooling.changed_ids",
        "pooling.choices",
        "pooling.documents",
        "pooling.draws.draw",
        "pooling.draws.files",
        "pooling.formats",
        "pooling.formula_cells",
        "pooling.id_repair",
        "pooling.ids",
        "pooling.inputs",
        "pooling.option_names",
        "pooling.palette",
        "pooling.paths",
        "pooling.result",
        "pooling.run_warnings",
        "pooling.text_tables",
        "pooling.topics",
        "pooling.errors",
        "pooling.words",
        "pooling.unmatched",
        "pooling.writing",
    )
    allowed = (*formats, "pooling.ranking", "pooling.run_cache", "pooling.errors")
    assert violations("agreement", lambda _, name: within(name, "pooling") and not within(name, *allowed)) == []


def test_every_module_of_assess_has_a_layer():
    tops = {name_of(path).split(".")[1] for path in modules("assess") if name_of(path) != "assess"}
    assert tops - {"migrations", *ENTRY_POINTS} == {part for layer in LAYERS for part in layer if "." not in part}


@pytest.mark.slow
def test_imports_in_assess_point_down():
    def is_forbidden(path, name):
        importer, imported = layer_of(name_of(path)), layer_of(name)
        return importer is not None and imported is not None and imported > importer

    assert violations("assess", is_forbidden) == []


@pytest.mark.slow
def test_pages_and_commands_do_not_import_each_other():
    # The registry of figures lists those of the pages, which declare them.
    web = [path.name for path in (PROJECT / "assess/web").iterdir() if path.name != "figures"]
    sides = ("assess.management", *(f"assess.web.{name}" for name in web))

    def side_of(name):
        return None if name.endswith("urls") else next((side for side in sides if within(name, side)), None)

    def is_forbidden(path, name):
        return None not in (side_of(name_of(path)), side_of(name)) and side_of(name_of(path)) != side_of(name)

    assert violations("assess", is_forbidden) == []


@pytest.mark.in_ci
def test_modules_of_assess_have_no_import_cycle():
    graph = {name_of(path): {name for name in imports(path) if within(name, "assess")} for path in modules("assess")}
    graph = {
        module: {next((part for part in (name, name.rpartition(".")[0]) if part in graph), None) for name in names}
        - {None, module, module.rpartition(".")[0]}
        for module, names in graph.items()
        if not within(module, "assess.migrations")
    }
    finished, path = set(), []

    def visit(module):
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module in finished:
            return
        path.append(module)
        for name in sorted(graph.get(module, ())):
            visit(name)
        path.pop()
        finished.add(module)

    for module in sorted(graph):
        visit(module)


def test_no_package_has_too_many_modules():
    folders = {path.parent for package in PACKAGES for path in modules(package)}
    crowded = [
        f"{folder.relative_to(PROJECT)}: {count}"
        for folder in sorted(folders)
        if folder.name not in UNLIMITED and (count := len(list(folder.glob("*.py")))) > MOST_MODULES
    ]
    assert crowded == []


def test_no_package_has_fewer_than_four_modules():
    """A smaller one belongs to the package above it."""
    small = {PROJECT / "assess/templatetags", PROJECT / "assess/migrations"}  # Django names these folders
    folders = {path.parent for package in PACKAGES for path in modules(package)} - small
    assert [str(folder) for folder in sorted(folders) if len(list(folder.glob("*.py"))) < 4] == []


def test_serving_the_judging_page_does_not_load_pandas():
    code = (
        "import django, sys; django.setup(); import assess.urls, assess.judging.record, assess.judging.worklist; "
        "print(sorted({'pandas', 'scipy', 'matplotlib', 'pyarrow'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_code_behind_the_judging_page_cannot_read_runs_or_provenance():
    words = {"Run", "Provenance", "runfiles", "analysis", "agreement", "shift", "exports"}
    judging = [path for path in modules("assess/judging") if path.stem in ("worklist", "record")]
    assert len(judging) == 2
    for path in (*judging, *modules("assess/web/judge")):
        names = {name.rsplit(".", 1)[-1] for name in imports(path)}
        assert not names & words, path
        assert "provenance" not in path.read_text(encoding="utf-8").lower(), path


# Why a file may be longer than 400 lines.
LONG = {
    "assay/__init__.py": "the list of all public names",
    "agreement/estimate.py": "one class, and more than half of the lines are its docstrings",
    "agreement/ratings.py": "one class, and more than half of the lines are its docstrings",
    "pooling/trec.py": "its docstrings specify the formats",
    "assess/migrations/0001_initial.py": "makemigrations wrote it",
}


def test_files_have_at_most_400_lines_or_a_reason():
    long = {
        path.relative_to(PROJECT).as_posix()
        for package in PACKAGES
        for path in modules(package)
        if len(path.read_text(encoding="utf-8").splitlines()) > 400
    }
    assert long == LONG.keys()
