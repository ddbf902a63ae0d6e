"""Checks of Python, of the packages that Assay needs, and of foreign packages with the names of ours."""

import sys
import tomllib
from collections.abc import Iterator
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from pathlib import Path

from packaging.requirements import Requirement

from assay.doctor.result import Result, ok, problem
from assay.version import installed_version

DISTRIBUTION = "ir-assay"
PACKAGES = ("assay", "assess", "pooling", "agreement")
OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parents[2]  # the folder that holds our four packages


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
