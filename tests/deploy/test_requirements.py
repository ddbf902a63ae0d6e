"""The files with hashes for the image have the versions of requirements.txt and requirements-test.txt."""

import re
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.deploy]

PROJECT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[\w,]+\])?==([^\s;]+)", re.M)
NOT_IN_THE_IMAGE = {"colorama", "httpx2-jsfetch"}  # for Windows, and for Python in a browser


def pins(name: str) -> dict[str, str]:
    """The version of each package of a file."""
    text = (PROJECT / name).read_text(encoding="utf-8")
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in PIN.findall(text)}


def test_image_has_the_pinned_versions():
    """If this fails, requirements.txt has changed: run `make lock`."""
    locked = pins("deploy/requirements.txt")
    assert {name: version for name, version in locked.items() if name not in NOT_IN_THE_IMAGE} == pins(
        "requirements.txt"
    )


def test_wheel_is_built_with_the_pinned_versions():
    """If this fails, requirements-test.txt has changed: run `make lock`."""
    tools = pins("requirements.txt") | pins("requirements-test.txt")
    locked = pins("deploy/requirements-build.txt")
    assert {"build", "hatchling"} <= set(locked)
    assert {name: locked[name] for name in locked.keys() & tools.keys()} == {
        name: tools[name] for name in locked.keys() & tools.keys()
    }


@pytest.mark.parametrize("name", ["deploy/requirements.txt", "deploy/requirements-build.txt"])
def test_each_package_has_hashes_and_no_index_is_named(name):
    text = (PROJECT / name).read_text(encoding="utf-8")
    packages = re.split(r"\n(?=[a-z])", text[PIN.search(text).start() :])
    assert len(packages) == len(pins(name))
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", package) for package in packages)
    assert "://" not in text
