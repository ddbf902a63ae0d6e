"""Runs the steps of deploy/Dockerfile without a container: `python -m tests.deploy.image`.

Every path of the image is a path in a temporary folder. The packages come from the package index, or from pip's cache,
and are compared with their hashes. The step that creates the image's user is left out, because only root can do that.
"""

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.deploy.running import running, status_behind_proxy, wait_for_health
from tests.wheel.installed import free_port

PROJECT = Path(__file__).resolve().parents[2]
DOCKERFILE = PROJECT / "deploy" / "Dockerfile"
PATHS = re.compile(r"/(opt|src|data|backups|tmp)\b")
HOST = "assay.example.org"


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile as (name, arguments), without comments."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(name, " ".join(rest.split())) for name, _, rest in (line.partition(" ") for line in joined.splitlines())]


def context_files() -> list[Path]:
    """The files that .dockerignore lets into the image: those below a line with `!`."""
    allowed = [line[1:] for line in (PROJECT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *allowed]
    names = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [Path(name) for name in names if (PROJECT / name).is_file()]


@dataclass
class Image:
    """The file system below `root`, the environment and the commands, as far as the steps have been run."""

    root: Path
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})
    folder: str = "/"
    commands: dict[str, list[str]] = field(default_factory=dict)

    def local(self, text: str) -> str:
        """A text in which the paths of the image are those below `root`."""
        return PATHS.sub(rf"{self.root}/\1", text)

    def run_step(self, name: str, arguments: str) -> None:
        """Run one instruction."""
        step = getattr(self, f"_{name.lower()}", None)
        if step:
            step(arguments)

    def _from(self, _arguments: str) -> None:
        self.environment = {"PATH": f"{self.root}/usr/bin:{os.environ['PATH']}"} | pip_settings()

    def _workdir(self, arguments: str) -> None:
        self.folder = self.local(arguments)
        Path(self.folder).mkdir(parents=True, exist_ok=True)

    def _env(self, arguments: str) -> None:
        for pair in shlex.split(arguments):
            name, _, value = pair.partition("=")
            if name != "PIP_NO_CACHE_DIR":  # the cache saves minutes, and the hashes are compared all the same
                self.environment[name] = self.local(value).replace("$PATH", self.environment["PATH"])

    def _copy(self, arguments: str) -> None:
        *sources, target = arguments.split()
        if sources[0].startswith("--from="):  # the same path in the other stage
            return
        place = Path(self.folder, self.local(target))
        for source in sources:
            for path in [path for path in context_files() if path.is_relative_to(source)]:
                into = place / path.relative_to(source) if path != Path(source) else place
                into = into / path.name if target.endswith("/") else into
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / path, into)

    def _run(self, arguments: str) -> None:
        if not arguments.startswith("groupadd"):
            subprocess.run(["sh", "-ec", self.local(arguments)], cwd=self.folder, env=self.environment, check=True)

    def _cmd(self, arguments: str) -> None:
        self.commands["CMD"] = json.loads(self.local(arguments))

    def _entrypoint(self, arguments: str) -> None:
        self.commands["ENTRYPOINT"] = json.loads(self.local(arguments))

    def _healthcheck(self, arguments: str) -> None:
        self.commands["HEALTHCHECK"] = json.loads(self.local(arguments.partition("CMD ")[2]))


def pip_settings() -> dict[str, str]:
    """Where this machine's pip finds packages and keeps its cache."""
    return {name: value for name, value in os.environ.items() if name.startswith(("HOME", "PIP_", "SSL_"))}


def build(root: Path) -> Image:
    """Run all steps in an empty folder."""
    python = root / "usr" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(Path(sys.base_prefix, "bin", "python3").resolve())
    image = Image(root)
    for name, arguments in instructions(DOCKERFILE.read_text(encoding="utf-8")):
        print(f"{name} {arguments[:100]}", flush=True)
        image.run_step(name, arguments)
    return image


def try_image(image: Image) -> None:
    """Migrate, serve, ask for the health as the image does, and look at a page and at the files."""
    port, data = str(free_port()), image.root / "data"
    environment = image.environment | {"ASSAY_ALLOWED_HOSTS": HOST, "ASSAY_BEHIND_PROXY": "1"}
    commands = {name: [word.replace(":8000", f":{port}") for word in words] for name, words in image.commands.items()}
    start, check = commands["ENTRYPOINT"], commands["HEALTHCHECK"]
    subprocess.run([*start, "assay", "migrate", "-v0"], env=environment, cwd=data, check=True)
    with running([*start, *commands["CMD"]], environment, image.root, data):
        print("/health:", *wait_for_health(int(port)))
        subprocess.run(check, env=environment, check=True)
        for path in ("/account/sign-in/", "/static/assess/assay.css"):
            print(path, status_behind_proxy(int(port), path, HOST))
    if subprocess.run(check, env=environment, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        raise AssertionError("The health check passes although the server has stopped.")
    if public := [path for path in data.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077]:
        raise AssertionError(f"Others can read {public}.")


def main() -> None:
    with TemporaryDirectory() as name:
        try_image(build(Path(name)))


if __name__ == "__main__":
    main()
