"""Servers as in production, on a new database: gunicorn with its workers, or `assay serve`. They can be killed and
started again."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

PROJECT = Path(__file__).resolve().parents[2]
LONGEST_START = 60  # seconds within which a new server must answer
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """`gunicorn -w 2 --threads 4` on a free port of this machine."""

    def __init__(self, data: Path, database_url: str | None):
        self.data = data
        self.port = _free_port()
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")},
            "DJANGO_SETTINGS_MODULE": "assess.settings",
            "ASSAY_DATA": str(data),
            "ASSAY_PLAIN_HTTP": "1",
            "ASSAY_SECRET_KEY": secrets.token_urlsafe(),
        }
        self.environment.pop("DATABASE_URL", None)
        if database_url:
            self.environment["DATABASE_URL"] = database_url
        self.process: subprocess.Popen | None = None

    @property
    def log(self) -> Path:
        return self.data / "server.log"

    def run(self, *words: str) -> str:
        """Run a Python program with the server's settings and database; return its output."""
        done = subprocess.run(
            [sys.executable, *words], cwd=PROJECT, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)} failed:\n{done.stderr}")
        return done.stdout

    def run_json(self, *words: str):
        """Run a Python program that prints JSON; return the parsed output."""
        return json.loads(self.run(*words))

    def words(self) -> tuple[str, ...]:
        return ("-m", "gunicorn", "assess.wsgi", "-w", "2", "--threads", "4", "--bind", f"127.0.0.1:{self.port}")

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self.words()],
                cwd=PROJECT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a process group of its own, so that one signal kills all its processes
            )
        self._await_answer()

    def _await_answer(self) -> None:
        deadline = time.monotonic() + LONGEST_START
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            with suppress(OSError):
                connection = HTTPConnection("127.0.0.1", self.port, timeout=LONGEST_START)
                connection.request("GET", "/account/sign-in/")
                connection.getresponse().read()
                return
            time.sleep(0.02)
        raise RuntimeError(f"The server does not answer:\n{self.log.read_text()[-3000:]}")

    def kill_all(self) -> None:
        """Kill the master and all its workers with SIGKILL, without a warning."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.kill_all()

    def cpu_seconds(self) -> float:
        """Return the CPU time that all processes of the server have used so far."""
        return sum(self._stat(pid, 11) + self._stat(pid, 12) for pid in self._pids()) / CLOCK_TICKS

    def resident_mb(self) -> float:
        """Return the memory that all workers use now."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self._pids()[1:])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def _pids(self) -> list[int]:
        master = self.process.pid
        children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        return [master, *map(int, children)]

    def _stat(self, pid: int, field: int) -> int:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[field])


class AssayServe(Server):
    """`assay serve` on a free port of this machine."""

    def words(self) -> tuple[str, ...]:
        return ("manage.py", "serve", "--port", str(self.port))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serving(data: Path, database_url: str | None = None, kind: type[Server] = Server):
    """Yield a running server with an empty, migrated database: SQLite in the folder, or a new one at the URL."""
    with prepared(data, database_url, kind) as server:
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextmanager
def prepared(data: Path, database_url: str | None = None, kind: type[Server] = Server):
    """Yield a server with an empty, migrated database that is not started.

    The variable MIGRATED_DATABASE names a migrated SQLite database, of which it gets a copy.
    """
    with without_tables(data, database_url, kind) as server:
        if not database_url and (migrated := os.environ.get("MIGRATED_DATABASE")):
            shutil.copy(migrated, data / "assay.sqlite3")
        else:
            server.run("manage.py", "migrate", "--verbosity", "0")
        yield server


@contextmanager
def without_tables(data: Path, database_url: str | None = None, kind: type[Server] = Server):
    """Yield a server whose database has no tables, and that is not started."""
    with _database(database_url) as url:
        yield kind(data, url)


@contextmanager
def _database(url: str | None):
    if not url:
        yield None
        return
    import psycopg
    from psycopg import sql

    parts = urlsplit(url)
    name = sql.Identifier(f"assay_load_{os.getpid()}")
    with psycopg.connect(urlunsplit(parts._replace(path="/postgres")), autocommit=True) as admin:
        admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        admin.execute(sql.SQL("CREATE DATABASE {}").format(name))
        try:
            yield urlunsplit(parts._replace(path=f"/assay_load_{os.getpid()}"))
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
