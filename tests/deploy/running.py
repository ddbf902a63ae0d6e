"""Starts a server and asks it for its health."""

import json
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

LONGEST_START = 60  # seconds


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str], log_dir: Path, folder: Path) -> Iterator[None]:
    """A command that runs in `folder`. It is stopped with SIGTERM, and must then exit with 0."""
    with (log_dir / "server.log").open("w+") as log:
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            code = process.wait(LONGEST_START)
            log.seek(0)
            output = log.read()
    if code:
        raise RuntimeError(f"{command[0]} exited with {code}:\n{output[-3000:]}")


def wait_for_health(port: int) -> tuple[int, dict[str, Any]]:
    """The status and the answer of /health, as soon as the server answers."""
    deadline = time.monotonic() + LONGEST_START
    while time.monotonic() < deadline:
        with suppress(URLError, ConnectionError):
            try:
                return _read(f"http://127.0.0.1:{port}/health")
            except HTTPError as error:
                return error.code, json.load(error)
        time.sleep(0.05)
    raise RuntimeError(f"Nothing answers on port {port}.")


def _read(address: str) -> tuple[int, dict[str, Any]]:
    with urlopen(address, timeout=LONGEST_START) as answer:
        return answer.status, json.load(answer)


def status_behind_proxy(port: int, path: str, host: str) -> int:
    """The status of a page as the proxy requests it."""
    headers = {"Host": host, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    with urlopen(Request(f"http://127.0.0.1:{port}{path}", headers=headers), timeout=LONGEST_START) as answer:
        answer.read()
        return answer.status
