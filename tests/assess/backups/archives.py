"""Changes archives, with or without the checksums in their manifest."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

from assess.backups.manifest import NAME, Manifest, parse

Content = dict[str, bytes]


def content_of(path: Path) -> Content:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def manifest_of(path: Path) -> Manifest:
    return parse(content_of(path)[NAME])


def write(path: Path, content: Content) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def rewritten(path: Path, change: Callable[[Content, dict], object], *, fix: bool = False) -> Path:
    """Return a copy of an archive after `change(files, manifest)`. `fix` makes its checksums right again."""
    content = content_of(path)
    manifest = json.loads(content.pop(NAME))
    change(content, manifest)
    if fix:
        manifest["files"] = {
            name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in content.items()
        }
    return write(path.with_name("changed.zip"), content | {NAME: json.dumps(manifest).encode()})
