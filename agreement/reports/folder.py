"""A folder of reproducible results: files, and a `manifest.json` that states how they were computed.

The manifest contains the command, the inputs with their size and SHA-256, the versions of the software, the seed, and
the SHA-256 of each written file. It contains no time and no name of a machine: the same inputs and versions give the
same bytes.

A folder is written under a temporary name and then renamed, so that an existing folder is complete.
"""

import hashlib
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from agreement.version import VERSION

PACKAGES = ("numpy", "pandas", "scipy", "ir-measures", "pyarrow", "matplotlib")
BLOCK = 1 << 20


def check_free(folder: Path) -> None:
    """Refuse a folder that is not empty or cannot be created."""
    folder = folder.resolve()
    if folder.is_dir() and any(folder.iterdir()):
        raise ValueError(f"{folder}: the folder is not empty. Name a new or an empty folder.")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: there is a file with this name. Name a new or an empty folder.")
    if not folder.parent.is_dir():
        raise ValueError(f"{folder}: the parent folder {folder.parent} does not exist.")
    if not os.access(folder.parent, os.W_OK):
        raise ValueError(f"{folder}: the parent folder {folder.parent} is not writable.")


def manifest(
    command: Iterable[str], inputs: Iterable[str | Path], seed: int | None, files: Mapping[str, bytes]
) -> dict[str, Any]:
    """The content of `manifest.json`."""
    return {
        "command": list(command),
        "inputs": [_entry(Path(path)) for path in inputs],
        "seed": seed,
        "versions": {
            "assay": VERSION,
            "python": platform.python_version(),
            **{name: _version(name) for name in PACKAGES},
        },
        "files": [{"name": name, "sha256": hashlib.sha256(content).hexdigest()} for name, content in files.items()],
    }


def write_folder(folder: Path, files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> None:
    """Write the files and `manifest.json`, all or none of them; names may contain subfolders."""
    check_free(folder)
    folder = folder.resolve()
    content_of_manifest = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, content in {**files, "manifest.json": content_of_manifest.encode()}.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        temporary.chmod(0o755)  # mkdtemp permits only the owner
        temporary.replace(folder)  # replaces an empty folder
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _entry(path: Path) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            size += len(block)
    return {"file": str(path), "bytes": size, "sha256": digest.hexdigest()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
