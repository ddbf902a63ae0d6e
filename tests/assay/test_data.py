"""Every command finds its data in the same place and says if there is another database; missing tables are handled."""

import shutil
import sqlite3
import stat
import sys

import pytest

from assess.lib import data_dir
from assess.lib.data_dir import DataDir, find_data_dir, other_databases
from assess.lib.environment import make_data_dir
from tests.assay.process import PROJECT, assay

pytestmark = [pytest.mark.slow, pytest.mark.deploy]


@pytest.fixture
def platform_dir(tmp_path, monkeypatch):
    """A platform data directory and a checkout of the test's own."""
    monkeypatch.setattr(data_dir, "user_data_dir", lambda *_, **__: str(tmp_path / "platform"))
    monkeypatch.setattr(data_dir, "PROJECT", tmp_path / "repository")
    (tmp_path / "repository").mkdir()
    for name in ("manage.py", "pyproject.toml"):
        (tmp_path / "repository" / name).touch()
    return tmp_path / "platform"


def put_database(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "assay.sqlite3").touch()
    return folder


def test_the_first_place_that_is_named_is_used(platform_dir, tmp_path):
    environment = {"ASSAY_DATA": str(tmp_path / "b")}
    option = str(tmp_path / "a")
    assert find_data_dir(option, use_checkout=True, environment=environment) == DataDir(tmp_path / "a", "--data")
    assert find_data_dir(use_checkout=True, environment=environment) == DataDir(tmp_path / "b", "ASSAY_DATA")
    checkout = DataDir(tmp_path / "repository" / "var", "checkout")
    assert find_data_dir(use_checkout=True, environment={"ASSAY_DATA": ""}) == checkout
    assert find_data_dir(use_checkout=False, environment={}) == DataDir(platform_dir, "platform")


def test_an_installation_has_no_checkout(platform_dir, tmp_path):
    (tmp_path / "repository" / "manage.py").unlink()
    assert find_data_dir(use_checkout=True, environment={}) == DataDir(platform_dir, "platform")


def test_new_directories_are_private(tmp_path):
    make_data_dir(tmp_path / "assay" / "demo")
    make_data_dir(tmp_path / "assay" / "demo")
    assert [stat.S_IMODE((tmp_path / path).stat().st_mode) for path in ("assay", "assay/demo")] == [0o700, 0o700]


def test_databases_in_unused_places_are_found(platform_dir, tmp_path):
    environment = {"ASSAY_DATA": str(put_database(tmp_path / "b"))}
    put_database(platform_dir)
    put_database(tmp_path / "repository" / "var")
    chosen = find_data_dir(str(tmp_path / "a"), use_checkout=False, environment=environment)
    others = other_databases(chosen, use_checkout=False, environment=environment)
    assert [other.source for other in others] == ["ASSAY_DATA", "platform", "checkout"]


def test_the_chosen_place_is_not_another_one(platform_dir):
    put_database(platform_dir)
    chosen = find_data_dir(str(platform_dir), use_checkout=False, environment={})
    assert other_databases(chosen, use_checkout=False, environment={}) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other platforms have other data directories")
def test_first_command_creates_a_private_database_in_the_platform_directory(home, tmp_path):
    done = assay("create_collection", "robust", "--owner", "rita", **home)
    database = tmp_path / "share" / "assay" / "assay.sqlite3"
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"assay: Created the database {database}.\n"
    assert "New user rita, password " in done.stdout
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (database.parent, database)]
    assert modes == [0o700, 0o600]


def test_another_database_is_named_in_one_line(home, migrated, tmp_path):
    other = put_database(tmp_path / "other")
    done = assay("verify_ledger", "--data", migrated, **home, ASSAY_DATA=other)
    assert done.returncode == 0
    assert done.stderr == (
        f"assay: Using the data in {migrated}. There is another database in {other}; choose it with --data DIR.\n"
    )


def test_command_on_an_outdated_database_asks_for_migrate(home, migrated):
    with sqlite3.connect(migrated / "assay.sqlite3") as database:
        database.execute("DELETE FROM django_migrations WHERE app = 'assess' AND name LIKE '0002%'")
    done = assay("verify_ledger", "--data", migrated, **home)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "assay: The database is not up to date with this version of Assay. Run `assay migrate` first.\n"
    )


def test_command_on_a_newer_database_asks_for_an_upgrade(home, migrated):
    with sqlite3.connect(migrated / "assay.sqlite3") as database:
        row = ("assess", "9999_later", "2030-01-01")
        database.execute("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", row)
    done = assay("verify_ledger", "--data", migrated, **home)
    assert done.returncode == 1
    assert done.stderr == "assay: The database was created by a newer version of Assay. Upgrade Assay to use it.\n"


@pytest.mark.parametrize(
    "arguments",
    [("changepassword", "rita"), ("createsuperuser", "--noinput", "--username", "rita", "--email", "rita@example.org")],
)
def test_django_command_without_tables_asks_for_migrate(home, tmp_path, arguments):
    done = assay(*arguments, "--data", tmp_path / "empty", **home)
    assert done.returncode == 1
    assert done.stderr.endswith("Run `assay migrate` first.\n")
    assert "Traceback" not in done.stderr


def test_unreachable_database_is_one_sentence(home, tmp_path):
    url = "postgres://nobody@127.0.0.1:1/assay"
    done = assay("verify_ledger", "--data", tmp_path, **home, DATABASE_URL=url)
    assert done.returncode == 1
    assert done.stderr.startswith("assay: The database cannot be reached: ")
    assert "Traceback" not in done.stderr


def test_data_directory_that_cannot_be_created_is_one_sentence(home, tmp_path):
    (tmp_path / "file").touch()
    done = assay("verify_ledger", "--data", tmp_path / "file" / "data", **home)
    assert done.returncode == 1
    assert done.stderr.startswith(f"assay: The data directory {tmp_path / 'file' / 'data'} cannot be created: ")


def test_settings_of_another_project_are_not_used(home, migrated):
    done = assay("verify_ledger", "--data", migrated, **home, DJANGO_SETTINGS_MODULE="other.settings")
    assert done.returncode == 0, done.stderr


def test_path_with_special_characters(home, empty_database, tmp_path):
    folder = tmp_path / "my data #1 100% ä"
    folder.mkdir()
    shutil.copy(empty_database, folder)
    done = assay("verify_ledger", "--data", folder, **home)
    assert (done.returncode, done.stderr) == (0, "")


def test_manage_py_and_a_server_in_the_checkout_use_var():
    assert find_data_dir(use_checkout=True, environment={}).path == PROJECT / "var"
