"""docs/serving.md names files, units and settings that exist."""

import re
from pathlib import Path

import pytest

import assess.settings

pytestmark = [pytest.mark.slow, pytest.mark.deploy]

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs" / "serving.md").read_text(encoding="utf-8")


def test_files_exist():
    paths = set(re.findall(r"\bdeploy/[\w./*-]*\w", PAGE))
    assert {"deploy/Caddyfile", "deploy/compose.yaml", "deploy/postgresql-roles.sql"} <= paths
    missing = [path for path in paths - {"deploy/.env"} if not list(PROJECT.glob(path))]
    assert missing == []


def test_units_exist():
    units = set(re.findall(r"\bassay[\w-]*\.(?:service|timer)\b", PAGE))
    assert {unit for unit in units if not (PROJECT / "deploy" / "systemd" / unit).is_file()} == set()


def test_every_setting_is_listed():
    variables = set(re.findall(r"^([A-Z_]{8,})  ", assess.settings.__doc__, re.M))
    assert len(variables) > 10
    assert {name for name in variables if f"| `{name}` |" not in PAGE} == set()


def test_links_within_the_page_lead_to_a_heading():
    headings = {
        re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-")
        for title in re.findall(r"^#+ (.*)", PAGE, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= headings
