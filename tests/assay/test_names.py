"""`import assay` is fast, and offers the public names of both libraries and the client of a site."""

import subprocess
import sys
from pathlib import Path

import pytest

import agreement
import assay
import pooling
from agreement.version import VERSION
from tests.each_value import each_value

PROJECT = Path(__file__).resolve().parents[2]
HEAVY = ("pandas", "numpy", "scipy", "django", "matplotlib", "pyarrow", "agreement", "assess", "httpx2")


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_every_public_name_of_both_libraries_and_the_client_are_offered():
    assert set(assay.__all__) == {*agreement.__all__, *pooling.__all__, "Site"}
    assert len(set(assay.__all__)) == len(assay.__all__)
    assert set(assay.__all__) <= set(dir(assay))


@each_value("name", sorted({*agreement.__all__, *pooling.__all__}))
def test_name_is_that_of_its_library(name):
    home = agreement if name in agreement.__all__ else pooling
    assert getattr(assay, name) is getattr(home, name)


def test_names_in_both_libraries_are_known_and_taken_from_agreement():
    both = set(agreement.__all__) & set(pooling.__all__)
    different = {name for name in both if getattr(agreement, name) is not getattr(pooling, name)}
    assert different == assay.IN_BOTH
    assert issubclass(assay.RankedRuns, pooling.RankedRuns)
    assert all(name in assay.__doc__ for name in assay.IN_BOTH)


def test_import_loads_no_library_and_few_modules():
    code = (
        "import sys; before = set(sys.modules); import assay; assay.__all__; dir(assay); "
        f"print(len(set(sys.modules) - before), sorted(set({HEAVY}) & set(sys.modules)))"
    )
    loaded, heavy = run_python(code).split(" ", 1)
    assert heavy == "[]"
    assert int(loaded) < 30


def test_version_and_names_of_pooling_do_not_load_agreement():
    code = "import sys, assay; print(assay.__version__); assay.FormatError; print('agreement' in sys.modules)"
    assert run_python(code).split() == [VERSION, "False"]


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'assay' has no attribute 'cohens_kappa'"):
        assay.cohens_kappa  # noqa: B018


@pytest.mark.slow
def test_names_can_be_imported_from_the_package():
    assert run_python("from assay import Ratings, cohen_kappa, pool; print(Ratings.__name__)") == "Ratings"


def test_package_is_typed():
    assert (PROJECT / "assay" / "py.typed").is_file()


def test_citation_has_the_same_version():
    lines = (PROJECT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {VERSION}" in lines
