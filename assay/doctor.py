"""`assay doctor`: checks the installation, the data directory and the database.

One line for each check; the exit code is 1 if there is a problem. Checked are Python, the packages that Assay needs,
foreign packages with the names of ours, file permissions, and the database.
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from pathlib import Path

from packaging.requirements import Requirement

from assay.version import installed_version

DISTRIBUTION = "ir-assay"
PACKAGES = ("assay", "assess", "pooling", "agreement")
OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parents[1]  # the folder that holds our four packages


class Status(StrEnum):
    """`fixed` means that the doctor has changed something; `problem` that somebody must."""

    OK = "ok"
    FIXED = "fixed"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Result:
    """One line of the report. The text of a problem says what to do."""

    status: Status
    text: str

    def __str__(self) -> str:
        return f"{self.status:<8} {self.text}"


def ok(text: str) -> Result:
    return Result(Status.OK, text)


def fixed(text: str) -> Result:
    return Result(Status.FIXED, text)


def problem(text: str) -> Result:
    return Result(Status.PROBLEM, text)


def main(arguments: list[str], data: str | None, prog: str, use_checkout: bool) -> int:
    """Run all checks. If the installation is broken, the data are not checked, because that needs it."""
    parser = argparse.ArgumentParser(
        prog=f"{prog} doctor",
        description="Check Python, the required packages, the database, its migrations and file permissions. "
        "Permissions that let others read the data are corrected.",
    )
    parser.parse_args(arguments)
    if not _print(check_installation()):
        return 1
    return 0 if _print(_check_data(data, prog, use_checkout)) else 1


def _print(results: Iterator[Result]) -> bool:
    """Print results as they are found; whether none is a problem."""
    healthy = True
    for result in results:
        print(result, flush=True)
        healthy = healthy and result.status is not Status.PROBLEM
    return healthy


def _check_data(data: str | None, prog: str, use_checkout: bool) -> Iterator[Result]:
    import django
    from django.core.exceptions import ImproperlyConfigured

    from assay.django_commands import set_environment, unused_database_note
    from assess.lib.data_dir import find_data_dir

    chosen = find_data_dir(data, use_checkout=use_checkout)
    yield ok(f"Data directory {chosen.path} ({chosen.source})")
    if note := unused_database_note(chosen, use_checkout):
        yield ok(f"Note: {note}")
    set_environment("doctor", chosen, prog, use_checkout and not data)
    try:
        django.setup()
    except ImproperlyConfigured as error:
        yield problem(str(error))
        return
    if not os.environ.get("DATABASE_URL") and not os.access(chosen.path, os.W_OK):
        yield problem(f"{chosen.path} cannot be written: change its owner or choose another with --data DIR")
        return
    yield from check_permissions(chosen.path)
    yield from check_database(prog)


def check_permissions(directory: Path) -> Iterator[Result]:
    """Only the owner may read the data directory, the database, its copies and the secret key."""
    from assess.lib.private_files import PRIVATE_DIR, PRIVATE_FILE, is_private, make_private

    for path in [directory, *_private_paths(directory)]:
        try:
            was_private = is_private(path)
            if not was_private:
                make_private(path)
        except OSError as error:
            yield problem(
                f"{path}: the permissions cannot be changed ({error.strerror}); run `assay doctor` as its owner"
            )
            continue
        mode = PRIVATE_DIR if path.is_dir() else PRIVATE_FILE
        yield (
            ok(f"{path} is private")
            if was_private
            else fixed(f"{path} could be read by others; its mode is now {mode:o}")
        )


def _private_paths(directory: Path) -> list[Path]:
    """The existing files and directories that must not be readable by others."""
    databases = ("*.sqlite3", "*.sqlite3-wal", "*.sqlite3-shm")
    patterns = (*databases, "secret_key", "erasures.jsonl", "demo_logins.json", "backups", "backups/*")
    return sorted(path for pattern in patterns for path in directory.glob(pattern))


def check_database(prog: str) -> Iterator[Result]:
    """Whether the database can be reached and has the tables of this version. The settings must be loaded."""
    from django.db import connection
    from django.db.utils import DatabaseError

    from assess.lib import earlier_migrations, tables

    name = f"{connection.vendor} database {connection.settings_dict['NAME']}"
    try:
        state = tables.state()
    except DatabaseError as error:
        first_line = str(error).strip().partition("\n")[0]
        yield problem(f"The {name} cannot be used ({first_line}): check DATABASE_URL and that the server runs")
        return
    if state is tables.State.EMPTY:
        yield ok(f"The {name} does not exist yet; the first command creates it")
        return
    yield ok(f"The {name} can be read")
    yield {
        tables.State.CURRENT: ok("All migrations are applied"),
        tables.State.BEHIND: problem(
            f"Some migrations have not been applied: run `{prog} migrate`, or `{prog} serve`, which backs up first"
        ),
        tables.State.TOO_OLD: problem(earlier_migrations.TOO_OLD),
        tables.State.NEWER: problem(tables.NEWER),
    }[state]


def check_installation() -> Iterator[Result]:
    """Python, the required packages, and the names of our packages."""
    yield ok(f"Assay {installed_version()} in {ROOT}")
    yield _python()
    yield from _requirements()
    yield from (_package(name) for name in PACKAGES)


def _python() -> Result:
    running = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        return problem(f"Python {running} is too old: install Python 3.11 or newer")
    return ok(f"Python {running}")


def _requirements() -> Iterator[Result]:
    """One line if all packages are recent enough, else one line for each that is not."""
    needed = [requirement for requirement in map(Requirement, _required()) if _applies(requirement)]
    wrong = [(requirement, found) for requirement in needed if not _fits(requirement, found := _version(requirement))]
    if not wrong:
        yield ok(f"{len(needed)} required packages")
    for requirement, found in wrong:
        state = f"{requirement.name} {found} is not compatible" if found else f"{requirement.name} is missing"
        yield problem(f"{state}: run `pip install '{requirement.name}{requirement.specifier}'`")


def _required() -> list[str]:
    """The requirements of the checkout that we run from, else those of the installed distribution."""
    if _is_checkout():
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        return list(project["project"]["dependencies"])
    return requires(DISTRIBUTION) or []


def _is_checkout() -> bool:
    return (ROOT / "pyproject.toml").is_file()


def _applies(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def _version(requirement: Requirement) -> str | None:
    try:
        return version(requirement.name)
    except PackageNotFoundError:
        return None


def _fits(requirement: Requirement, found: str | None) -> bool:
    return found is not None and requirement.specifier.contains(found, prereleases=True)


def _package(name: str) -> Result:
    """Whether `import name` finds our package. PyPI has other projects of the same names."""
    spec = PathFinder.find_spec(name)
    found = Path(spec.origin).resolve().parent if spec and spec.origin else None
    if found != ROOT / name:
        place = f"is imported from {found}" if found else "cannot be imported"
        return problem(f"Package {name} {place}, not from {ROOT / name}: uninstall or rename the other one")
    others = sorted(set(packages_distributions().get(name, [])) - {DISTRIBUTION})
    if others and not _is_checkout():
        return problem(
            f"Package {name} also belongs to the distribution {', '.join(others)}: run `pip uninstall {others[0]}`, "
            f"then `pip install --force-reinstall --no-deps {DISTRIBUTION}`"
        )
    return ok(f"Package {name}")
