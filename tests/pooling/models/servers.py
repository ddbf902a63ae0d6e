"""Small servers on this machine that answer as chat completions and UMBRELA do, each in a process of its own.

`Server` starts `python -m tests.pooling.models.servers`, or takes such a process that an earlier test has started, and
sends it the function that answers. The process listens at a free port of this machine, prints its address, and says
under /_requests what came. It ends when its standard input does: also when a test fails, or pytest is killed.
"""

import atexit
import base64
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle

from tests.pooling.live import servers as threads
from tests.pooling.live.servers import REQUESTS, Answering, Asked, Reply

PROJECT = Path(__file__).resolve().parents[3]

DOCUMENT = re.compile(r"<document>\n(.*?)\n</document>", re.DOTALL)


def document_of(asked: Asked) -> str:
    """The document that the last message asks about."""
    return DOCUMENT.findall(asked.body["messages"][-1]["content"])[-1]


def completion(text: str | None, finish: str = "stop", **changes: Any) -> Reply:
    """The body of a chat completion, as the types of OpenAI's client have it."""
    message = {"role": "assistant", "content": text, "refusal": changes.pop("refusal", None)}
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": changes.pop("logprobs", None)}
    usage = {
        "prompt_tokens": 300,
        "completion_tokens": 40,
        "total_tokens": 340,
        "prompt_tokens_details": {"cached_tokens": 128},
        "completion_tokens_details": {"reasoning_tokens": 32},
    }
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "judge-2026-11-01",
        "system_fingerprint": "fp_1",
        "service_tier": "default",
        "choices": [choice],
        "usage": usage,
    }
    return Reply(body | changes, headers={"x-request-id": "req_1"})


def error(status: int, message: str = "no", headers: dict[str, str] | None = None, **about: Any) -> Reply:
    """An error in OpenAI's form."""
    return Reply(
        {"error": {"message": message, "type": "", "param": None, "code": None} | about}, status, headers or {}
    )


def logprobs(grade: int, shares: dict[int, float]) -> dict[str, Any]:
    """The log-probabilities of the answer {"grade": N}."""
    top = [{"token": str(value), "logprob": math.log(share), "bytes": None} for value, share in shares.items()]
    chosen = {"token": str(grade), "logprob": math.log(shares[grade]), "bytes": None, "top_logprobs": top}
    around = [{"token": text, "logprob": 0.0, "bytes": None, "top_logprobs": []} for text in ('{"', "grade", '":', "}")]
    return {"content": [*around[:3], chosen, around[3]]}


def grades_by(rule: Callable[[str], int]) -> Callable[[Asked], Reply]:
    """A model that grades by a rule of the document."""
    return lambda asked: completion(json.dumps({"grade": rule(document_of(asked))}))


class Together:
    """Answers when so many requests wait at once. If fewer come, the answers break after 20 seconds."""

    def __init__(self, number: int, reply: Reply) -> None:
        self._number, self._reply = number, reply
        self._barrier = threading.Barrier(number)

    def __reduce__(self) -> tuple[Any, ...]:
        return Together, (self._number, self._reply)  # a barrier belongs to one process

    def __call__(self, _: Asked) -> Reply:
        self._barrier.wait(timeout=20)
        return self._reply


class Killing:
    """Answers, and kills a process when so many requests have come."""

    def __init__(self, pid: int, left: int, reply: Reply) -> None:
        self._pid, self._left, self._reply = pid, left, reply
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return Killing, (self._pid, self._left, self._reply)

    def __call__(self, _: Asked) -> Reply:
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.kill(self._pid, signal.SIGKILL)
        return self._reply


def umbrela(asked: Asked) -> Reply:
    """UMBRELA's envelope. A document with "unreadable" gets its silent 0."""
    query = asked.body["query"]["text"]
    judgments = []
    for candidate in asked.body["candidates"]:
        text = candidate["doc"]["segment"]
        is_read = "unreadable" not in text
        judgments.append(
            {
                "query": query,
                "passage": text,
                "prediction": "##final score: 2" if is_read else "",
                "judgment": 2 if is_read else 0,
                "result_status": int(is_read),
            }
        )
    artifacts = [{"name": "judgments", "kind": "json", "data": judgments}]
    return Reply(
        {
            "schema_version": "castorini.cli.v1",
            "status": "success",
            "exit_code": 0,
            "artifacts": artifacts,
            "errors": [],
        }
    )


class Server:
    """A server in a process of its own, from the begin of a `with` block to its end."""

    def __init__(self, answer: Answering) -> None:
        self._answer = answer
        self._last: dict[str, Any] | None = None

    def __enter__(self) -> "Server":
        self._process = _idle.pop() if _idle else Process()
        self.url = self._process.tell("open", self._answer)
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._last = self._known()
            self._process.tell("close")
        except (OSError, RuntimeError):
            self._process.end()
            raise
        _idle.append(self._process)

    def answer_with(self, answer: Answering) -> None:
        """Answer with another function from now on, at the same address."""
        self._process.tell("change", answer)

    @property
    def asked(self) -> list[Asked]:
        """The requests that came, in their order."""
        return [Asked(**each) for each in self._known()["asked"]]

    @property
    def by_document(self) -> Counter[str]:
        """How often each document was asked for. A request that was cut has no body."""
        return Counter(document_of(asked) for asked in self.asked if asked.body)

    @property
    def most(self) -> int:
        """The most requests that were answered at the same time."""
        return int(self._known()["most"])

    def _known(self) -> dict[str, Any]:
        if self._last is not None:
            return self._last
        with urllib.request.urlopen(self.url + REQUESTS, timeout=30) as response:
            found: dict[str, Any] = json.load(response)
        return found


class Process:
    """A process for one server at a time. A command is a line of JSON, and so is the answer to it."""

    def __init__(self) -> None:
        paths = [str(PROJECT), os.environ.get("PYTHONPATH", "")]
        self._popen = subprocess.Popen(
            [sys.executable, "-m", "tests.pooling.models.servers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
        self._owner = os.getpid()
        atexit.register(self.end)

    def tell(self, command: str, answer: Answering | None = None) -> str:
        """Send a command, and return the address of the server."""
        assert self._popen.stdin
        assert self._popen.stdout
        print(json.dumps([command, _dumped(answer)]), file=self._popen.stdin, flush=True)
        line = self._popen.stdout.readline()
        if not line:
            raise RuntimeError(f"The process of a server has ended with {self._popen.wait()}.")
        return str(json.loads(line))

    def end(self) -> None:
        """End the process. A copy of the process that started it does nothing."""
        if os.getpid() != self._owner:
            return
        try:
            self._popen.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


_idle: list[Process] = []


def _dumped(answer: Answering | None) -> str:
    """Return a function as text. The modules of tests are not imported by the process, so what they define is sent."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tests.") and name.rpartition(".")[2].startswith(("test_", "conftest")):
            cloudpickle.register_pickle_by_value(module)
    return base64.b64encode(cloudpickle.dumps(answer)).decode()


def main() -> None:
    """Carry out the commands of the standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends pytest, and thereby the standard input
    server: threads.Server | None = None
    for line in sys.stdin:
        command, text = json.loads(line)
        answer = cloudpickle.loads(base64.b64decode(text))
        if command == "change" and server:
            server.answer = answer
        elif server:
            server.__exit__()
            server = None
        if command == "open":
            server = threads.Server(answer)
        print(json.dumps(server.url if server else ""), flush=True)
    os._exit(0)  # without waiting for an answer that is slow


if __name__ == "__main__":
    main()
