"""Freezes a gold: collects what belongs to it, computes its files, and stores them as a release. Loads pandas."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from assess import audit
from assess.analysis.imported_judges import threshold_of_imported
from assess.analysis.query import suggested_measures
from assess.asking.policy import stated_about_models
from assess.collections.archive import lock_active
from assess.collections.run_groups import groups_by_system
from assess.collections.sight import sighted_judges
from assess.collections.topic_sets import sets_by_topic
from assess.errors import Refused
from assess.judging.chain_format import checkpoint_hash
from assess.judging.checkpoints import chain_differences, create_checkpoint
from assess.lib.long_work import about_to_save, report
from assess.models import Action, Collection, JudgeKind, MarginalAnswer, Release, Role, User
from assess.releases.archive import MANIFEST, file_in, sha256, zipped
from assess.releases.build import build_files
from assess.releases.changes import counted
from assess.releases.choices import ReleaseChoices, check_choices
from assess.releases.source import ReleaseSource
from assess.releases.spec import (
    ChangeLogEntry,
    ModelSettings,
    PreviousVersion,
    ReleasedMember,
    ReleaseSpec,
    written_time,
)
from assess.releases.state.facts import facts_of, released_members
from assess.releases.state.sight_facts import blindness_of
from assess.suggestions.stored import suggesting_names


@dataclass(frozen=True)
class ReleaseResult:
    """A stored release, as the job that made it reports it."""

    release: int
    name: str
    version: int
    files: int
    size: int
    manifest_sha256: str


def create_release(
    collection: Collection, choices: ReleaseChoices, actor: User | None = None, at: datetime | None = None
) -> Release:
    """Freeze a gold and store it. `at` is the time that the release states, by default now."""
    at = at or timezone.now()
    with transaction.atomic():
        lock_active(collection)
        check_choices(collection, choices)
        # In a transaction of its own: computing the files takes long, and judging goes on meanwhile.
        checkpoint = create_checkpoint(collection, "release", only_chains=True)
    source = release_source(collection, choices, at, checkpoint.chains)
    files = build_files(source)
    content = zipped(files, source.spec.file_name)  # before the transaction, for which judges wait
    report("Saving the release")
    with transaction.atomic():
        lock_active(collection)
        if _next_version(collection, choices.name) != source.spec.version:
            raise Refused(f"Somebody else released {choices.name} at the same time. Release it again.")
        # Under the lock, because somebody may have been erased while the files were computed.
        _check_unchanged(source)
        release = Release.objects.create(
            collection=collection,
            name=choices.name,
            version=source.spec.version,
            spec=source.spec.to_json(),
            checkpoint=checkpoint,
            manifest=files[MANIFEST].decode(),
            manifest_sha256=sha256(files[MANIFEST]),
            archive=content,
            size=len(content),
            created_by=actor,
            created_at=at,
        )
        details = {"checkpoint": checkpoint.hash, "manifest": release.manifest_sha256}
        audit.record(Action.RELEASED, actor=actor, collection=collection, subject=str(release), details=details)
        about_to_save()
    return release


def release_source(
    collection: Collection, choices: ReleaseChoices, at: datetime, chains: list[list[int | str]]
) -> ReleaseSource:
    """Return what the release is computed from, with these chains of the ledger."""
    previous = Release.objects.filter(collection=collection, name=choices.name).order_by("-version").first()
    query_ids = sorted(choices.topics) or sorted(collection.topics.values_list("query_id", flat=True))
    sets = sets_by_topic(collection)
    members = released_members(collection, chains, choices.judges)
    sighted = sighted_judges(collection)
    spec = ReleaseSpec(
        collection=collection.slug,
        title=collection.name,
        name=choices.name,
        version=previous.version + 1 if previous else 1,
        rule=choices.rule,
        rel=choices.rel,
        judges=sorted(choices.judges),
        topics=sorted(choices.topics),
        notes=choices.notes,
        authors=choices.authors,
        licence=choices.licence,
        measure=choices.measure or _default_measure(collection, choices),
        rounding=choices.rounding,
        created_at=written_time(at),
        seed=collection.seed,
        checkpoint=checkpoint_hash(collection.slug, chains),
        events=sum(int(length) for _, length, _ in chains),
        chains=chains,
        members=members,
        query_ids=query_ids,
        systems=sorted(collection.runs.values_list("system", flat=True)),
        buildings=sorted(collection.pool_buildings.values_list("pk", flat=True)),
        guidelines=collection.guidelines.aggregate(last=Max("version"))["last"] or 0,
        min_topics=settings.HEADLINE_MIN_TOPICS,
        min_documents=settings.HEADLINE_MIN_DOCUMENTS,
        min_judged=settings.HEADLINE_MIN_JUDGED,
        agreement_rel=choices.rel if choices.rel is not None else threshold_of_imported(collection),
        facts=facts_of(collection, members, query_ids),
        previous=_previous_version(previous),
        log=_log(previous),
        topic_sets={query_id: name for query_id, name in sorted(sets.items()) if query_id in set(query_ids)},
        blindness=blindness_of(collection, members, query_ids),
        sighted={member.name: sighted[member.pk] for member in members if member.pk in sighted},
        model_judges=_model_settings(collection, members),
        about_models=stated_about_models(collection),
        suggestions=suggesting_names(collection),
        marginal=MarginalAnswer.objects.filter(event__member__in=[member.pk for member in members]).exists(),
    )
    return ReleaseSource(spec, collection, qrels_of(previous))


def _model_settings(collection: Collection, members: Sequence[ReleasedMember]) -> ModelSettings | None:
    """Return the settings of the report on model judges; None if no judge is a model."""
    if not any(member.is_judge and member.kind == JudgeKind.MODEL for member in members):
        return None
    return ModelSettings(collection.reference, groups_by_system(collection))


def _previous_version(previous: Release | None) -> PreviousVersion | None:
    if previous is None:
        return None
    return PreviousVersion(previous.version, previous.manifest_sha256, previous.archive is not None)


def _default_measure(collection: Collection, choices: ReleaseChoices) -> str:
    return "AP" if choices.rel is not None else suggested_measures(collection)[0]


def qrels_of(release: Release | None) -> bytes | None:
    """Return the qrels of a stored release; None if there is none, or its archive was deleted."""
    return file_in(bytes(release.archive), "qrels.txt") if release and release.archive else None


def _log(previous: Release | None) -> list[ChangeLogEntry]:
    """Return the change log up to the version before."""
    if previous is None:
        return []
    earlier = [ChangeLogEntry(**entry) for entry in previous.spec["log"]]
    entry = ChangeLogEntry(previous.version, written_time(previous.created_at), previous.spec.get("notes", ""))
    after = qrels_of(previous)
    if after is None:
        return [*earlier, entry]
    same_name = Release.objects.filter(collection=previous.collection, name=previous.name)
    return [*earlier, counted(entry, qrels_of(same_name.filter(version=previous.version - 1).first()), after)]


def _next_version(collection: Collection, name: str) -> int:
    last = Release.objects.filter(collection=collection, name=name).aggregate(last=Max("version"))["last"]
    return (last or 0) + 1


def _check_unchanged(source: ReleaseSource) -> None:
    """Refuse to store data of somebody who was erased or withdrawn while the files were computed."""
    members = source.collection.members.exclude(role=Role.WITHDRAWN)
    names = dict(members.values_list("pk", "name"))
    members_changed = any(names.get(member.pk) != member.name for member in source.spec.members)
    if members_changed or any(chain_differences(source.collection, source.spec.chains)):
        raise Refused("Somebody was erased, renamed or withdrawn while the release was computed. Release it again.")


def release_in_background(collection: Collection, actor: int | None, **choices: Any) -> ReleaseResult:
    """Create a release as a background job. `actor` is the primary key of the user, or None."""
    user = None if actor is None else User.objects.filter(pk=actor).first()
    release = create_release(collection, ReleaseChoices(**choices), user)
    files = len(json.loads(release.manifest)["files"]) + 1  # and the manifest
    return ReleaseResult(release.pk, release.name, release.version, files, release.size, release.manifest_sha256)
