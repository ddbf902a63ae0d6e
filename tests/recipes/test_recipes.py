"""The recipes of CONTRIBUTING.md lead to features that work: all are applied to one copy of the checkout.

Each check uses the feature as a person does: with a command, a page, a worker or an outbox. It runs in the copy.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from django.conf import settings

from tests.migrated_once import kept_database
from tests.realdata import PROJECT
from tests.recipes import background_job, file_format, language, mail, measure, page_figure, strategy

pytestmark = [pytest.mark.slow, pytest.mark.examples]

RECIPES = {
    "measure": measure,
    "strategy": strategy,
    "file_format": file_format,
    "background_job": background_job,
    "page_figure": page_figure,
    "mail": mail,
    "language": language,
}
COPIED = ("agreement", "assay", "assess", "benchmarks", "pooling", "templates", "tests", "manage.py", "pyproject.toml")
IGNORED = shutil.ignore_patterns("__pycache__")
CHECKS = "tests/recipes/checks"


def apply(recipe: ModuleType, folder: Path) -> None:
    """Write the new files of a recipe, and make its changes. Each text to replace must be in its file once."""
    for name, text in recipe.NEW.items():
        assert not (folder / name).exists(), f"{name} exists already"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, before, after in recipe.CHANGES:
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{name} has {text.count(before)} times {before!r}"
        (folder / name).write_text(text.replace(before, after), encoding="utf-8")


def run(folder: Path, *words: str) -> None:
    """Run a Python program in the folder with settings of its own."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ASSAY_", "PYTEST_", "DJANGO_")) and name != "DATABASE_URL"
    }
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A copy of the checkout with all recipes applied."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        copy = shutil.copytree if (PROJECT / name).is_dir() else shutil.copy
        copy(PROJECT / name, folder / name, **({"ignore": IGNORED} if copy is shutil.copytree else {}))
    for recipe in RECIPES.values():
        apply(recipe, folder)
    (folder / "var" / "test").mkdir(parents=True)
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3") and kept_database().exists():
        shutil.copy(kept_database(), folder / "var" / "test")  # the recipes add no migration
    return folder


def test_features_work(checkout):
    if shutil.which("msgfmt"):
        run(checkout, "manage.py", "compilemessages", "--locale", language.NAME, "--ignore", "tests")
    elif sys.platform == "linux":
        pytest.fail("compilemessages needs msgfmt, of the package gettext.")
    names = [name for name in RECIPES if name != "language" or shutil.which("msgfmt")]
    checks = [f"{CHECKS}/check_{name}.py" for name in names]
    run(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", *checks)


def test_linters_accept_the_code(checkout):
    touched = {
        path
        for recipe in RECIPES.values()
        for path in (*recipe.NEW, *(change[0] for change in recipe.CHANGES))
        if path.endswith(".py")
    }
    run(checkout, "-m", "ruff", "check", *sorted(touched))
    run(checkout, "-m", "ruff", "format", "--check", *sorted(touched))


def section(title: str) -> str:
    """The text of one recipe in CONTRIBUTING.md."""
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipes = text.partition("\n## Recipes\n")[2].partition("\n## ")[0]
    return recipes.partition(f"\n### {title}\n")[2].partition("\n### ")[0]


@pytest.mark.parametrize("name", RECIPES)
def test_contributing_names_every_file_of_the_recipe(name):
    recipe = RECIPES[name]
    title = {"strategy": "Pooling strategy", "mail": "Email"}.get(name, name.replace("_", " ").capitalize())
    paths = {path.replace(recipe.NAME, "NAME", 1) for path in recipe.NEW}
    paths |= {path for path, _, _ in recipe.CHANGES}
    assert paths <= set(re.findall(r"`([^`]+)`", section(title)))


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_has_a_check(name):
    assert (PROJECT / CHECKS / f"check_{name}.py").is_file()
