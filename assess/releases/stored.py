"""Stored releases: finding one, and handing it out as a zip file or a folder."""

import json
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from assess.adjudication.openings import RELEASE_EXPORT
from assess.errors import Refused
from assess.models import Collection, Release, User
from assess.releases.archive import MANIFEST, file_in
from assess.transfer.exports import record_export
from pooling.errors import shown


def releases_of(collection: Collection) -> QuerySet[Release]:
    """Return the releases by name, newest version first, without their archives, which may be large."""
    return collection.releases.defer("archive", "manifest").order_by("name", "-version")


def find_release(collection: Collection, name: str, version: int | None = None) -> Release:
    """Return a version of a release, by default the last one."""
    versions = collection.releases.filter(name=name).order_by("-version")
    release = versions.first() if version is None else versions.filter(version=version).first()
    if release is None:
        wanted = "" if version is None else f", version {version}"
        raise Refused(f"{collection} has no release {shown(name)}{wanted}.")
    return release


def archive_of(release: Release, actor: User | None = None) -> bytes:
    """Return the zip file of a release, which leaves the collection: an entry of the audit log."""
    with transaction.atomic():
        # Again and locked, because an erasure may have deleted the archive since the release was read.
        content = Release.objects.select_for_update().values_list("archive", flat=True).get(pk=release.pk)
        if content is None:
            raise Refused(withdrawn_sentence(release))
        record_export(release.collection, f"{RELEASE_EXPORT}{release}", actor)
    return bytes(content)


@dataclass(frozen=True)
class ListedFile:
    """A file of a release, with its checksum."""

    name: str
    sha256: str


def files_of(release: Release) -> list[ListedFile]:
    """Return the files that the manifest of a release lists."""
    return [ListedFile(entry["name"], entry["sha256"]) for entry in json.loads(release.manifest)["files"]]


def file_of(release: Release, name: str, actor: User | None = None) -> bytes | None:
    """Return the manifest or a listed file, which leaves the collection; None if there is no such file."""
    if name not in {MANIFEST, *(each.name for each in files_of(release))}:
        return None
    return file_in(archive_of(release, actor), name)


def withdrawn_sentence(release: Release) -> str:
    return (
        f"The files of {release} were deleted, because they contained data of a person who was erased. The checksum of "
        f"its manifest is {release.manifest_sha256}."
    )
