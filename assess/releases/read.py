"""Reads the files of a release: its settings, its manifest and their checksums. Loads no Django."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assess.errors import Refused
from assess.releases.archive import MANIFEST, sha256
from assess.releases.spec import ReleaseSpec

SPEC = "release.json"


def spec_in(files: Mapping[str, bytes]) -> ReleaseSpec:
    """Return the settings of a release, or refuse files that are none."""
    try:
        return ReleaseSpec.from_json(json_object(files, SPEC))
    except (TypeError, KeyError, ValueError):
        raise Refused(f"{SPEC}: these are not the settings of a release by this version of Assay.") from None


def json_object(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    """Return the object in a JSON file of a release, or refuse."""
    if name not in files:
        raise Refused(f"This is not a release: it has no file {name}.")
    try:
        content = json.loads(files[name])
    # RecursionError: a foreign file with very many nested brackets.
    except (ValueError, RecursionError):
        raise Refused(f"{name}: the file is not valid JSON.") from None
    if not isinstance(content, dict):
        raise Refused(f"{name}: the file is not a JSON object.")
    return content


def manifest_problems(files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files that are missing, added, or not those of the manifest."""
    try:
        checksums = {entry["name"]: entry["sha256"] for entry in manifest["files"]}
    except (KeyError, TypeError):
        yield f"{MANIFEST}: it lists no files."
        return
    for name in sorted(checksums.keys() | files.keys() - {MANIFEST}):
        if name not in files:
            yield f"{name}: the file is missing."
        elif name not in checksums:
            yield f"{name}: the file is not in the manifest."
        elif sha256(files[name]) != checksums[name]:
            yield f"{name}: the file was changed after the release; its checksum is not that of the manifest."
