"""assay doctor: one line for each check, and exit code 1 if there is a problem."""

import stat

import pytest

from assay import doctor
from assay.doctor import Status, check_installation
from tests.assay.process import assay

pytestmark = [pytest.mark.slow, pytest.mark.deploy]


def problems() -> list[str]:
    return [result.text for result in check_installation() if result.status is Status.PROBLEM]


def test_healthy_installation_has_no_problem(home, migrated):
    done = assay("doctor", "--data", migrated, **home)
    assert done.returncode == 0, done.stdout
    assert {line.split()[0] for line in done.stdout.splitlines()} == {"ok"}
    assert done.stdout.splitlines()[-1] == "ok       All migrations are applied"


def test_open_permissions_are_tightened_and_reported(home, migrated):
    data = migrated
    data.chmod(0o755)
    (data / "secret_key").write_text("x" * 50)
    for name in ("assay.sqlite3", "secret_key"):
        (data / name).chmod(0o644)
    done = assay("doctor", "--data", data, **home)
    fixed = [line for line in done.stdout.splitlines() if line.startswith("fixed")]
    assert fixed == [
        f"fixed    {data} could be read by others; its mode is now 700",
        f"fixed    {data / 'assay.sqlite3'} could be read by others; its mode is now 600",
        f"fixed    {data / 'secret_key'} could be read by others; its mode is now 600",
    ]
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (data, data / "assay.sqlite3", data / "secret_key")]
    assert modes == [0o700, 0o600, 0o600]
    assert done.returncode == 0


def test_unreachable_database_is_a_problem(home, tmp_path):
    done = assay("doctor", "--data", tmp_path, **home, DATABASE_URL="postgres://nobody@127.0.0.1:1/assay")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("problem  The postgresql database assay cannot be used (")


@pytest.mark.parametrize(
    ("requirement", "sentence"),
    [
        ("no-such-package>=1", "no-such-package is missing: run `pip install 'no-such-package>=1'`"),
        ("Django>=99", "is not compatible: run `pip install 'Django>=99'`"),
    ],
)
def test_missing_or_old_package_is_a_problem(monkeypatch, requirement, sentence):
    monkeypatch.setattr(doctor, "_required", lambda: [requirement, "no-such-package; sys_platform == 'none'"])
    (text,) = problems()
    assert text.endswith(sentence)


def test_old_python_is_a_problem(monkeypatch):
    monkeypatch.setattr(doctor.sys, "version_info", (3, 10, 4))
    assert problems() == ["Python 3.10.4 is too old: install Python 3.11 or newer"]


def test_foreign_package_earlier_on_the_path_is_a_problem(monkeypatch, tmp_path):
    (tmp_path / "agreement").mkdir()
    (tmp_path / "agreement" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    (text,) = problems()
    assert text.startswith(f"Package agreement is imported from {tmp_path / 'agreement'}, not from ")


def test_foreign_distribution_with_the_same_package_is_a_problem(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "packages_distributions", lambda: {"pooling": ["ir-assay", "pooling"]})
    monkeypatch.setattr(doctor, "_is_checkout", lambda: False)
    monkeypatch.setattr(doctor, "_required", list)
    (text,) = problems()
    assert text == (
        "Package pooling also belongs to the distribution pooling: run `pip uninstall pooling`, "
        "then `pip install --force-reinstall --no-deps ir-assay`"
    )


def test_foreign_package_is_reported_although_it_hides_ours(home, tmp_path):
    (tmp_path / "assess").mkdir()
    (tmp_path / "assess" / "__init__.py").touch()
    done = assay("doctor", cwd=tmp_path, **home)
    assert done.returncode == 1
    assert f"problem  Package assess is imported from {tmp_path / 'assess'}" in done.stdout
    assert "Traceback" not in done.stderr
