"""Compares a release with its manifest and with the database, and names every difference. Loads pandas.

The release is computed again from its `release.json` and the ledger up to its checkpoint, so judging that has continued
makes no difference. Other versions of Assay or its libraries may compute or draw slightly different figures: then the
reports, figures and texts are not compared.

Facts of a release that are not in the ledger are computed again too; those that cannot be computed are named.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from assess.errors import Refused
from assess.judging.checkpoints import chain_differences
from assess.judging.ledger.chains import chain_problems
from assess.judging.ledger.judgements import judgement_problems
from assess.lib.long_work import report
from assess.models import Action, AuditEvent, Checkpoint, Collection, JudgementEvent, JudgementKind, Release
from assess.releases.archive import MANIFEST, sha256, unzipped
from assess.releases.build import build_files
from assess.releases.compare import file_differences
from assess.releases.freeze import qrels_of
from assess.releases.read import json_object, manifest_problems, spec_in
from assess.releases.source import ReleaseSource
from assess.releases.spec import ReleaseSpec
from assess.releases.state.facts import facts_of
from assess.releases.state.sight_facts import blindness_of
from assess.releases.stored import withdrawn_sentence

ADJUDICATIONS = (Action.ADJUDICATION_CREATED, Action.ADJUDICATION_UNDONE)
MEMBERSHIP = (Action.MEMBER_ADDED, Action.MEMBER_REMOVED, Action.ROLE_CHANGED, Action.IMPORT_UNDONE)
ERASED = (Action.MEMBERS_ERASED, Action.PERSON_ERASED)
OF_ADJUDICATION = ("decided", "blind", "undecided")
OF_ROLES = ("researching_judges",)


def fact_problems(collection: Collection, spec: ReleaseSpec, notes: list[str]) -> Iterator[str]:
    """Yield the facts that the database does not lead to, and note those that cannot be computed again."""
    checkpoint = Checkpoint.objects.filter(collection=collection, hash=spec.checkpoint).first()
    if checkpoint is None:
        notes.append(_note([*OF_ADJUDICATION, *OF_ROLES], "the checkpoint of the release is not in this database"))
        return
    at = checkpoint.created_at
    comparable: list[str] = []
    if _changed(collection, at, (*ADJUDICATIONS, *ERASED)) or _decided_later(spec):
        notes.append(_note(OF_ADJUDICATION, "adjudications, decisions or people have changed since"))
    else:
        comparable += OF_ADJUDICATION
    if spec.blindness:
        yield from _blindness_problems(collection, spec, at, notes)
    if _changed(collection, at, (Action.ROLE_CHANGED, *ERASED)):
        notes.append(_note(OF_ROLES, "roles or people have changed since"))
    else:
        comparable += OF_ROLES
    released, now = asdict(spec.facts), asdict(facts_of(collection, spec.members, spec.query_ids))
    for name in comparable:
        if released[name] != now[name]:
            yield f"release.json: {name} is {released[name]} in the release and {now[name]} in the database."


def _blindness_problems(collection: Collection, spec: ReleaseSpec, at: datetime, notes: list[str]) -> Iterator[str]:
    """Compare what the members could see with the audit log, unless it has changed since."""
    if _changed(collection, at, (*MEMBERSHIP, *ADJUDICATIONS, *ERASED)) or _decided_later(spec):
        notes.append(_note(["blindness"], "roles, decisions or people have changed since"))
        return
    now = blindness_of(collection, spec.members, spec.query_ids)
    for name in sorted(spec.blindness.keys() | now.keys()):
        if spec.blindness.get(name) != now.get(name):
            yield f"release.json: blindness.{name} is not what the audit log of the database says."


def _note(names: Iterable[str], reason: str) -> str:
    return f"release.json: the facts {', '.join(names)} were not computed again, because {reason}."


def _changed(collection: Collection, at: datetime, actions: Iterable[str]) -> bool:
    return AuditEvent.objects.filter(collection=collection, action__in=list(actions), at__gt=at).exists()


def _decided_later(spec: ReleaseSpec) -> bool:
    lengths = {int(member): int(length) for member, length, _ in spec.chains}
    decisions = JudgementEvent.objects.filter(
        member__collection__slug=spec.collection, judgement__repeat=JudgementKind.DECISION, position__isnull=False
    )
    rows = decisions.values_list("member", "position")
    return any((position or 0) > lengths.get(member, 0) for member, position in rows)


JSON_LINES = ("topics.jsonl", "scale.jsonl", "runs.jsonl", "pool.jsonl")
DATA = ("qrels.txt", "judgements.csv", "changes.csv", "pool.json", "blindness.json", "displayed.csv", *JSON_LINES)
OF_CHANGES = ("CHANGES.md", "changes.csv")


@dataclass(frozen=True)
class Verification:
    """`problems` are empty if the release and the database agree. `notes` say what was not compared."""

    name: str
    manifest_sha256: str
    files: int
    problems: list[str]
    notes: list[str] = field(default_factory=list)


def verify_stored(release: Release) -> Verification:
    """Verify a stored release."""
    if release.archive is None:
        raise Refused(withdrawn_sentence(release))
    files = unzipped(bytes(release.archive))
    problems = []
    if sha256(files.get(MANIFEST, b"")) != release.manifest_sha256 or release.manifest.encode() != files.get(MANIFEST):
        problems.append(f"{MANIFEST}: it is not the one that was stored with the release.")
    checked = verify_files(files, release.collection)
    return replace(checked, problems=problems + checked.problems)


def verify_files(files: Mapping[str, bytes], collection: Collection | None = None) -> Verification:
    """Verify the files of a release. Without a collection, it is the one that the release names."""
    spec, manifest = spec_in(files), json_object(files, MANIFEST)
    collection = collection or Collection.objects.filter(slug=spec.collection).first()
    if collection is None:
        raise Refused(f"There is no collection {spec.collection} in this database.")
    problems = [*manifest_problems(files, manifest), *_stored_problems(files, collection, spec)]
    report("Reading the ledger")
    problems += [f"The ledger: {problem}." for problem in chain_differences(collection, spec.chains)]
    problems += [*judgement_problems(collection, None), *chain_problems(collection)]
    notes: list[str] = []
    problems += fact_problems(collection, spec, notes)
    try:
        problems += _differences(files, manifest, collection, spec, notes)
    except Refused as refusal:
        problems.append(f"The release cannot be computed again. {refusal}")
    return Verification(spec.file_name, sha256(files[MANIFEST]), len(files), problems, notes)


def _stored_problems(files: Mapping[str, bytes], collection: Collection, spec: ReleaseSpec) -> Iterator[str]:
    """Compare with the stored release of this name and version, if this database has it."""
    stored = Release.objects.filter(collection=collection, name=spec.name, version=spec.version)
    checksum = stored.values_list("manifest_sha256", flat=True).first()
    if checksum and checksum != sha256(files[MANIFEST]):
        yield f"{MANIFEST}: its checksum is not the one that the database has for {spec.file_name}."


def _differences(
    files: Mapping[str, bytes],
    manifest: Mapping[str, Any],
    collection: Collection,
    spec: ReleaseSpec,
    notes: list[str],
) -> Iterator[str]:
    previous = Release.objects.filter(collection=collection, name=spec.name, version=spec.version - 1).first()
    computed = build_files(ReleaseSource(spec, collection, qrels_of(previous)))
    now = json.loads(computed[MANIFEST])["versions"]
    same_versions = manifest.get("versions") == now
    if not same_versions:
        notes.append(_versions_note(manifest.get("versions"), now))
    left_out = set()
    if spec.previous and spec.previous.has_grades and qrels_of(previous) is None:
        notes.append("The version before is not stored here, so the change log was not compared.")
        left_out |= {*OF_CHANGES, "croissant.json"}
    for name in sorted((files.keys() | computed.keys()) - left_out - {MANIFEST}):
        if same_versions or name in DATA:
            yield from _file(name, files.get(name), computed.get(name))


def _file(name: str, released: bytes | None, computed: bytes | None) -> Iterator[str]:
    if released is None:
        yield f"{name}: the release does not have this file, which the database leads to."
    elif computed is None:
        yield f"{name}: the database does not lead to this file."
    else:
        yield from file_differences(name, released, computed)


def _versions_note(then: Any, now: Mapping[str, str]) -> str:
    then = then if isinstance(then, dict) else {}
    changed = [f"{name} {then.get(name)} (now {number})" for name, number in now.items() if then.get(name) != number]
    return f"Only the data were compared, because the release was computed with other versions: {', '.join(changed)}."
