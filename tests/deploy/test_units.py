"""The systemd units: their syntax, their protection, and the command line of the web application."""

import shlex
import shutil
import stat
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.deploy.running import running, status_behind_proxy, wait_for_health
from tests.wheel.installed import free_port

pytestmark = pytest.mark.deploy

PROJECT = Path(__file__).resolve().parents[2]
UNITS = PROJECT / "deploy" / "systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
TIMERS = sorted(path.name for path in UNITS.glob("*.timer"))
# What differs among the services; the rest of each [Service] section protects the system.
OWN = {"Type", "ExecStart", "KillMode", "Restart", "RestartSec", "TimeoutStopSec", "StateDirectory", "EnvironmentFile"}
HOST = "assay.example.org"
TOKEN = "a-token-of-20-letters"


def settings(unit: str) -> dict[str, list[str]]:
    """The [Service] section; a setting may be repeated."""
    lines = (UNITS / unit).read_text(encoding="utf-8").partition("[Service]")[2].partition("[Install]")[0].splitlines()
    values: dict[str, list[str]] = {}
    for line in lines:
        if line and not line.startswith("#"):
            name, _, value = line.partition("=")
            values.setdefault(name, []).append(value)
    return values


def command(unit: str) -> list[str]:
    (line,) = settings(unit)["ExecStart"]
    return shlex.split(line)


def test_all_units_exist():
    names = ("assay-migrate", "assay-purge", "assay-worker", "assay")
    assert [f"{name}.service" for name in names] == SERVICES
    assert TIMERS == ["assay-purge.timer"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_accepts_the_units(tmp_path):
    for name in (*SERVICES, *TIMERS):
        text = (UNITS / name).read_text(encoding="utf-8")
        for program in ("assay", "gunicorn"):  # systemd looks whether they exist
            text = text.replace(f"/opt/assay/bin/{program} ", "/bin/true ")
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = ["systemd-analyze", "verify", "--man=no", *SERVICES, *TIMERS]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert [line for line in (done.stdout + done.stderr).splitlines() if "assay" in line] == []


def test_all_services_are_protected_alike():
    protection = {name: {key: value for key, value in settings(name).items() if key not in OWN} for name in SERVICES}
    first = protection["assay.service"]
    assert all(protection[name] == first for name in SERVICES)
    assert first["UMask"] == ["0077"]
    assert first["User"] == ["assay"]
    assert first["ProtectSystem"] == ["strict"]
    assert first["NoNewPrivileges"] == first["PrivateTmp"] == ["yes"]


def test_only_the_migration_reads_the_password_of_the_owner():
    files = {name: settings(name)["EnvironmentFile"] for name in SERVICES}
    assert files.pop("assay-migrate.service") == ["/etc/assay/assay.env", "-/etc/assay/migration.env"]
    assert all(read == ["/etc/assay/assay.env"] for read in files.values())


@pytest.mark.parametrize("timer", TIMERS)
def test_timers_run_every_night(timer):
    unit = RawConfigParser()
    unit.optionxform = str
    unit.read(UNITS / timer)
    assert unit["Timer"]["OnCalendar"] in ("02:30", "03:00")
    assert unit["Timer"]["Persistent"] == "yes"


@pytest.mark.slow
def test_web_application_runs_with_the_command_line_of_the_unit(tmp_path):
    """The commands of assay-migrate, assay-worker and assay.service, with the file mode mask of the units."""
    port = free_port()
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(PROJECT),
        "ASSAY_DATA": str(tmp_path / "data"),
        "MPLCONFIGDIR": str(tmp_path / "cache"),
        "ASSAY_ALLOWED_HOSTS": HOST,
        "ASSAY_BEHIND_PROXY": "1",
        "ASSAY_MIN_FREE_MB": "1",
        "ASSAY_METRICS_TOKEN": TOKEN,
        "TMPDIR": str(tmp_path),
    }
    (tmp_path / "data").mkdir(mode=0o700)
    names = ("assay-migrate", "assay-worker", "assay")
    migrate, worker, serve = (here(command(f"{name}.service"), port) for name in names)
    for words in (migrate, [*worker, "--once"]):
        subprocess.run(["sh", "-c", 'umask 077; exec "$@"', "sh", *words], env=environment, check=True)
    with running(["sh", "-c", 'umask 077; exec "$@"', "sh", *serve], environment, tmp_path, tmp_path / "data"):
        assert wait_for_health(port) == (
            200,
            {"status": "degraded", "checks": {"database": True, "migrations": True, "disk": True, "worker": False}},
        )
        for _ in range(12):
            assert status_behind_proxy(port, "/account/sign-in/", HOST) == 200
        # Whichever of the two processes answers, it has the requests of both.
        assert [sign_ins(port) for _ in range(6)] == [12] * 6
        assert len(list(tmp_path.glob("assay-metrics-*"))) == 1
    assert list(tmp_path.glob("assay-metrics-*")) == []
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"assay.sqlite3", "secret_key"}
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)


def sign_ins(port: int) -> float:
    """How often the sign-in page was answered, according to /metrics."""
    request = Request(f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    with urlopen(request, timeout=60) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    (family,) = (family for family in families if family.name == "assay_requests")
    (in_progress,) = (family for family in families if family.name == "assay_requests_in_progress")
    assert [sample.value for sample in in_progress.samples] == [0]
    return sum(sample.value for sample in family.samples if sample.labels["view"] == "account:sign_in")


def here(words: list[str], port: int) -> list[str]:
    """A command line with the programs of this environment, at another port."""
    program = Path(words[0]).name
    return [sys.executable, "-m", program, *(word.replace(":8000", f":{port}") for word in words[1:])]
