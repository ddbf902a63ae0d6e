"""Stores what is known about imported judges, and the original files with the counts and options of each import."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from assess.errors import Refused
from assess.models import Collection, ImportedFile, ImportedJudge, JudgeKind, JudgementImport, Member, Role
from assess.transfer.judgement_lines import FileOfJudgements

MAX_NAME = ImportedFile._meta.get_field("name").max_length or 0


def check_kind(kind: str) -> None:
    """Refuse an unknown kind of judge; empty means "not stated"."""
    if kind not in ("", *JudgeKind.values):
        raise Refused(f"The kind of a judge must be one of {', '.join(JudgeKind.values)}, not {kind!r}.")


def find_or_create_judges(collection: Collection, names: set[str], as_members: Sequence[str]) -> dict[str, Member]:
    """Return the member of each judge. A person is a judge only if `as_members` names them."""
    members = {member.name: member for member in collection.members.all()}
    if unknown := [name for name in as_members if name not in members]:
        raise Refused(
            f"{collection} has no member {unknown[0]!r}; --as-member names a member whose judgements these are."
        )
    for name in sorted(names):
        if name not in members:
            members[name] = Member.objects.create(collection=collection, role=Role.ASSESSOR, name=name)
        elif members[name].role != Role.ASSESSOR:
            raise Refused(f"{name} is {members[name].role} of {collection}, not assessor; choose another name.")
        elif members[name].user_id is not None and name not in as_members:
            raise Refused(
                f"{name} is a person in {collection}. If the judgements are theirs, use --as-member {name}; otherwise "
                "choose another name for the judge, such as --assessor NAME."
            )
    return members


def saved_declarations(collection: Collection) -> dict[str, ImportedJudge]:
    """Return what was declared about each imported judge, by name."""
    judges = ImportedJudge.objects.filter(member__collection=collection).select_related("member")
    return {judge.member.name: judge for judge in judges}


def describe_judges(
    members: Mapping[str, Member], options: Mapping[str, Mapping[str, Any]], kind: str, descriptions: Mapping[str, str]
) -> None:
    """Store kind, description, own scale and mapping of the judges without an account.

    What was stored before is never changed: a different kind, description, mapping or own scale is refused.
    """
    existing = {judge.member_id: judge for judge in ImportedJudge.objects.filter(member__in=members.values())}
    for name, member in members.items():
        if member.user_id is not None:
            continue
        judge = existing.get(member.pk) or ImportedJudge(
            member=member, own_scale=options[name].get("own_scale"), mapping=options[name].get("mapping", {})
        )
        for field, value in {"kind": kind, "description": descriptions.get(name, "")}.items():
            _fill(judge, field, value)
        judge.save()


def _fill(judge: ImportedJudge, field: str, value: str) -> None:
    saved = getattr(judge, field)
    if value and saved and value != saved:
        raise Refused(f"The {field} of {judge.member.name} is {saved!r}, not {value!r}; nothing was changed.")
    setattr(judge, field, value or saved)


def store_import(
    collection: Collection, file: FileOfJudgements, members: Mapping[str, Member], added: Mapping[str, int]
) -> None:
    """Store the file and one record for each of its judges, unless the file added nothing."""
    if not any(added.values()):
        return
    stored, _ = ImportedFile.objects.get_or_create(
        collection=collection,
        sha256=file.sha256,
        defaults={
            "name": file.name[-MAX_NAME:],
            "size": len(file.raw),
            "content": zlib.compress(file.raw),
            "judges": sorted(file.names),
        },
    )
    if more := file.names - set(stored.judges):  # the same file may be imported as the file of several judges
        stored.judges = sorted({*stored.judges, *more})
        stored.save(update_fields=["judges"])
    names = sorted(file.names & members.keys())
    JudgementImport.objects.bulk_create(
        JudgementImport(
            member=members[name],
            file=stored,
            file_name=file.name[-MAX_NAME:],
            sha256=file.sha256,
            options=file.options.get(name, {}),
            counts=file.counts.get(name, {}),
            added=added.get(name, 0),
        )
        for name in names
    )
