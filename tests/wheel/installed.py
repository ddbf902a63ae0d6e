"""Building the wheel, and running commands in a virtual environment where it is installed."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

PROJECT = Path(__file__).resolve().parents[2]
LONGEST_START = 300  # seconds until a server must answer; before that it loads the demo, perhaps on a busy machine


def build_wheel(folder: Path) -> Path:
    """Build the wheel from the checkout with the build backend of this environment."""
    words = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(PROJECT)]
    subprocess.run(words, check=True, capture_output=True, text=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def receive_interrupts() -> None:
    """In a new process: let Ctrl-C reach it, even if the tests run in the background, where shells ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Shell:
    """Runs command lines as a new user would: in an own directory and home, with a virtual environment on the PATH."""

    def __init__(self, venv: Path, folder: Path, **variables: str):
        self.folder, self.port = folder, free_port()
        inherited = {name: os.environ[name] for name in ("LANG", "SSL_CERT_FILE") if name in os.environ}
        self.environment = inherited | {
            "PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / "share"),
            "ASSAY_PORT": str(self.port),
            **variables,
        }

    def run(self, line: str) -> str:
        """The standard output of a command line. Fails with everything it printed if it does not succeed."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", line],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise AssertionError(f"{line}\nfailed with exit code {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    @contextmanager
    def serving(self, line: str) -> Iterator[str]:
        """Run a command line that serves a site; yields the address once it answers, then ends it as Ctrl-C does."""
        with (self.folder / "server.log").open("w+") as log:
            process = subprocess.Popen(
                ["bash", "-c", f"exec {line}"],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
                preexec_fn=receive_interrupts,
            )
            try:
                yield self._wait(process, line)
                process.send_signal(signal.SIGINT)
                if process.wait(60):
                    raise AssertionError(f"{line}\nended with exit code {process.returncode}")
            finally:
                process.kill()
                process.wait()
                log.seek(0)
                self.log = log.read()

    def _wait(self, process: subprocess.Popen, line: str) -> str:
        address = f"http://127.0.0.1:{self.port}/"
        deadline = time.monotonic() + LONGEST_START
        while process.poll() is None and time.monotonic() < deadline:
            try:
                with urlopen(f"{address}account/sign-in/", timeout=5) as answer:
                    if "<h1>Sign in</h1>" in answer.read().decode():
                        return address
            except OSError:  # nothing listens yet, or the server listens but does not answer yet
                time.sleep(0.1)
        raise AssertionError(f"{line}\ndid not serve the sign-in page:\n{(self.folder / 'server.log').read_text()}")
