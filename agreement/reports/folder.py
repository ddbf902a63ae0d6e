"""A folder of results that can be made again: files, and `manifest.json` that says from what and how.

The manifest has the command, the inputs with their size and SHA-256, the versions of what computed, the seed, and the
SHA-256 of every file written. It holds no time and no name of a machine: the same inputs and versions give the same
folder, byte for byte.

A folder is written aside and moved into place whole, so that what is there is complete.
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

from agreement.version import VERSION

PACKAGES = ("numpy", "pandas", "scipy", "ir-measures", "pyarrow", "matplotlib")
BLOCK = 1 << 20


def check_free(folder: Path) -> None:
    """Refuse a folder that holds something, and one whose parent is not there.

    Raises
    ------
    ValueError
        The folder is not empty, is a file, or cannot be written to.
    """
    folder = folder.resolve()
    if folder.is_dir() and any(folder.iterdir()):
        raise ValueError(f"{folder}: the folder is not empty; results go to a new or an empty one")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: a file of that name is there; results go to a new or an empty folder")
    if not folder.parent.is_dir():
        raise ValueError(f"{folder}: the folder {folder.parent} is not there; make it first")
    if not os.access(folder.parent, os.W_OK):
        raise ValueError(f"{folder}: nothing can be written to the folder {folder.parent}; name another")


def manifest(
    command: Iterable[str], inputs: Iterable[str | Path], seed: int | None, files: Mapping[str, bytes]
) -> dict:
    """What the files were made from, and how.

    Parameters
    ----------
    command : iterable of str
        The command line.
    inputs : iterable of path
        The files read.
    seed : int or None
        None where nothing was drawn.
    files : mapping of name to bytes
        The files to be written.
    """
    return {
        "command": list(command),
        "inputs": [_described(Path(path)) for path in inputs],
        "seed": seed,
        "versions": {
            "assay": VERSION,
            "python": platform.python_version(),
            **{name: _version(name) for name in PACKAGES},
        },
        "files": [{"name": name, "sha256": hashlib.sha256(content).hexdigest()} for name, content in files.items()],
    }


def write_folder(folder: Path, files: Mapping[str, bytes], manifest: dict) -> None:
    """Write the files and `manifest.json`, all or none of them; names may lie in folders below.

    Raises
    ------
    ValueError
        As for `check_free`.
    """
    check_free(folder)
    folder = folder.resolve()
    told = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, content in {**files, "manifest.json": told.encode()}.items():
            path = aside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        aside.chmod(0o755)  # mkdtemp's is for the owner alone
        aside.replace(folder)  # an empty folder there gives way
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def _described(path: Path) -> dict:
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
