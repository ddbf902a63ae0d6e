"""Stores what is known about imported judges, and the original files with the counts and options of each import."""

from collections.abc import Mapping, Sequence
from typing import Any

from assess.errors import Refused
from assess.lib.batches import BATCH, reserve_keys
from assess.models import NOT_WITHDRAWN, Collection, ImportedFile, ImportedJudge, JudgementImport, Member, Role
from assess.transfer.judge_record import RECORD_FIELDS, label_of
from assess.transfer.judgement_lines import FileOfJudgements
from pooling.errors import shown

MAX_NAME = ImportedFile._meta.get_field("name").max_length or 0


def find_judges(
    collection: Collection, names: set[str], as_members: Sequence[str]
) -> tuple[dict[str, Member], list[Member]]:
    """Return all members by name, with new ones for unknown judges, and the new ones, which are not saved yet.

    A new one has a reserved primary key. A person is a judge only if `as_members` names them.
    """
    members = check_judges(collection, names, as_members)
    unknown_names = sorted(names - members.keys())
    keys = reserve_keys(Member, len(unknown_names)) if unknown_names else ()
    new = [
        Member(pk=key, collection=collection, role=Role.ASSESSOR, name=name)
        for key, name in zip(keys, unknown_names, strict=True)
    ]
    return members | {member.name: member for member in new}, new


def check_judges(collection: Collection, names: set[str], as_members: Sequence[str]) -> dict[str, Member]:
    """Return all members by name. Raises Refused if one of the judges is a member and may not be a judge."""
    members = {member.name: member for member in collection.members.select_related("user")}
    if unknown := [name for name in as_members if name not in members]:
        assessors = (name for name, member in members.items() if member.is_person and member.role == Role.ASSESSOR)
        raise Refused(
            f"{collection} has no member with the pseudonym {unknown[0]!r}; judgements can be imported as those of "
            f"{', '.join(sorted(assessors)) or 'nobody'}."
        )
    _refuse_accounts(collection, names - members.keys(), members)
    for name in sorted(names & members.keys()):
        if members[name].role == Role.WITHDRAWN:
            raise Refused(
                f"The judge {name} of {collection} is withdrawn; nothing was imported. Restore the judge on the People "
                f"page or with withdraw_judge --restore, or choose another name."
            )
        if members[name].role != Role.ASSESSOR:
            raise Refused(f"{name} is {members[name].role} of {collection}, not assessor; choose another name.")
        if members[name].is_person and name not in as_members:
            raise Refused(
                f"{name} is a person in {collection}. If the judgements are theirs, import them as member "
                f"{name}; otherwise choose another name for the judge."
            )
    return members


def _refuse_accounts(collection: Collection, names: set[str], members: Mapping[str, Member]) -> None:
    """Refuse a judge with the name of the account of a member, whose name in the collection is another one."""
    accounts = {member.user.username: member.name for member in members.values() if member.user is not None}
    for name in sorted(names & accounts.keys()):
        raise Refused(
            f"{name} is the account of {accounts[name]}, a person in {collection}. If the judgements are theirs, "
            f"name their judge {accounts[name]} in the file, and import them as member {accounts[name]}; otherwise "
            "choose another name for the judge."
        )


def saved_declarations(collection: Collection) -> dict[str, ImportedJudge]:
    """Return what was declared about each imported judge, by name. An import of a withdrawn one is refused later."""
    judges = ImportedJudge.objects.filter(NOT_WITHDRAWN, member__collection=collection).select_related("member")
    return {judge.member.name: judge for judge in judges}


def describe_judges(
    members: Mapping[str, Member],
    options: Mapping[str, Mapping[str, Any]],
    record: Mapping[str, Any],
    descriptions: Mapping[str, str],
) -> None:
    """Store kind, description, record, own scale and mapping of the judges without an account.

    `record` has the kind and what is stated about a model. What was stored before is never changed: another value is
    refused. The caller holds the lock of the collection.
    """
    existing = {judge.member_id: judge for judge in ImportedJudge.objects.filter(member__in=members.values())}
    new: list[ImportedJudge] = []
    changed: list[ImportedJudge] = []
    for name, member in members.items():
        if member.is_person:
            continue
        own_scale, mapping = options[name].get("own_scale"), options[name].get("mapping", {})
        judge = existing.get(member.pk) or ImportedJudge(member=member, own_scale=own_scale, mapping=mapping)
        if (judge.own_scale, judge.mapping) != (own_scale, mapping):
            from agreement.judge_files import saved_mapping  # loads pandas

            declared = saved_mapping(judge.mapping)
            raise Refused(
                f"Somebody else imported {name} at the same time with the mapping {declared or 'none'} and the own "
                f"scale {judge.own_scale or 'none'}; nothing was imported. Run the import again."
            )
        stated = {**record, "description": descriptions.get(name, "")}
        is_changed = [_fill(judge, field, value) for field, value in stated.items()]
        if judge.pk is None:
            new.append(judge)
        elif any(is_changed):
            changed.append(judge)
    ImportedJudge.objects.bulk_create(new, batch_size=BATCH)
    ImportedJudge.objects.bulk_update(changed, ["kind", "description", *RECORD_FIELDS], batch_size=BATCH)


def _fill(judge: ImportedJudge, field: str, value: Any) -> bool:
    """Set a field that is empty. Returns whether it changed."""
    saved = getattr(judge, field)
    if not value or value == saved:
        return False
    if saved:
        raise Refused(
            f"The {label_of(field)} of {judge.member.name} is {shown(str(saved))}, not {shown(str(value))}; "
            "nothing was changed."
        )
    setattr(judge, field, value)
    return True


def store_imports(
    collection: Collection,
    files: Sequence[tuple[FileOfJudgements, Mapping[str, int]]],
    members: Mapping[str, Member],
) -> None:
    """Store files, and one record for each of their judges. `files` have the numbers of added judgements by judge.

    A file that added nothing is not stored.
    """
    files = [(file, added) for file, added in files if any(added.values())]
    known = collection.imported_files.filter(sha256__in=[file.sha256 for file, _ in files]).defer("content")
    stored = {row.sha256: row for row in known}
    records = []
    for file, added in files:
        row = stored[file.sha256] = _stored_file(collection, file, stored.get(file.sha256))
        # Also judges whose lines were all known or invalid.
        names = sorted(file.names & members.keys())
        records += [_record(file, row, members[name], added.get(name, 0)) for name in names]
    JudgementImport.objects.bulk_create(records, batch_size=BATCH)


def _stored_file(collection: Collection, file: FileOfJudgements, stored: ImportedFile | None) -> ImportedFile:
    """Store a file if it is new. The same file may be imported again as that of another judge."""
    if stored is None:
        return ImportedFile.objects.create(
            collection=collection,
            sha256=file.sha256,
            name=file.name[-MAX_NAME:],
            size=len(file.raw),
            content=file.compressed,
            judges=sorted(file.names),
        )
    if not file.names <= set(stored.judges):
        stored.judges = sorted(file.names.union(stored.judges))
        stored.save(update_fields=["judges"])
    return stored


def _record(file: FileOfJudgements, stored: ImportedFile, member: Member, added: int) -> JudgementImport:
    return JudgementImport(
        member=member,
        file=stored,
        file_name=file.name[-MAX_NAME:],
        sha256=file.sha256,
        options=file.options.get(member.name, {}),
        counts=file.counts.get(member.name, {}),
        added=added,
    )
