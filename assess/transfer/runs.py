"""Imports runs: reads run files, one system each, checks them, and saves all in one transaction.

A system that was imported before with the same lines is skipped. If any of the input is invalid, nothing is imported.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction

import pooling
from assess.collections.archive import lock_active
from assess.collections.score_precision import notes_on_precision
from assess.errors import Refused
from assess.lib.long_work import about_to_save
from assess.models import Collection, ImportKind, Run
from assess.transfer.import_record import (
    Imported,
    ImportedBy,
    Progress,
    SourceFile,
    as_source,
    file_details,
    name_by_pattern,
    save_record,
)
from assess.transfer.options import ImportOptions, option, repair_option
from assess.transfer.preview import Preview
from pooling._io.zip_entries import run_files
from pooling.errors import FormatError
from pooling.unmatched import pairs_of, unmatched
from pooling.words import count, first_names

if TYPE_CHECKING:
    import pandas as pd

SYSTEM = "{system}"  # in a pattern of the names of files
MAX_PATTERN = 100


@dataclass(frozen=True)
class RunOptions(ImportOptions):
    """How run files are read. The precision is stored with the runs; their files keep the scores as written."""

    score_precision: str = option(
        Run.Precision.FLOAT64.value,
        "Score precision",
        "float32 ties more scores, like trec_eval before version 10",
        choices=dict(Run.Precision.choices),
        subject="The score precision",
    )
    system_pattern: str = option(
        "",
        "Name pattern",
        "where the system is in the names of the files, such as {system}.run.gz; * is any text",
        flag="--name-pattern",
        metavar="PATTERN",
        max_length=MAX_PATTERN,
    )
    repair_run_ids: str = repair_option("topics")


class ReadRun(NamedTuple):
    """A run that was read: its file, its system and its lines, and sentences about what should be known of them."""

    file: SourceFile
    system: str
    lines: "pd.DataFrame"
    notes: list[str]


def import_runs(
    collection: Collection,
    files: Iterable[SourceFile | Path],
    options: RunOptions | None = None,
    progress: Progress = None,
    by: ImportedBy | None = None,
) -> Imported:
    """Import run files. A system is named as the user states, or by the pattern, or else by the tag in its file."""
    options = options or RunOptions()
    sources = list(map(as_source, files))
    checks = _Checks(collection, options)
    topics = _Topics(collection, set(collection.topics.values_list("query_id", flat=True)), options)
    # One at a time, because all of them may exceed the memory.
    rows, notes = [], []
    for source in sources:
        of_source: list[str] = []
        for file in named_files([source], options):
            run = checks.accept(topics.match(read(file, options, progress)))
            rows.append(_stored(collection, run, options))
            of_source += run.notes
        notes.append(of_source)
    new = [row for row in rows if row.system not in checks.existing]
    result = Imported(sum(row.line_count for row in rows), len(new), len(rows) - len(new))
    result.repaired = topics.repaired_counts()
    result.notes = [*topics.notes(), *(note for of_file in notes for note in of_file)]
    details = [
        detail | ({"notes": of_file} if of_file else {})
        for detail, of_file in zip(file_details(sources), notes, strict=True)
    ]
    save(collection, new, details, options, result, by or ImportedBy())
    return result


def named_files(files: Iterable[SourceFile], options: RunOptions) -> list[SourceFile]:
    """Return the files, also those in ZIP archives, with their systems, if the user states them or the pattern does.

    Raises FormatError if an archive cannot be read.
    """
    each = [run for file in files for run in _runs_of(file)]
    pattern = options.system_pattern
    return [replace(file, given_name=name_by_pattern(file, pattern, SYSTEM)) for file in each] if pattern else each


def _runs_of(file: SourceFile) -> list[SourceFile]:
    """Return the files of a ZIP archive, or the file itself."""
    from pooling.trec import MAX_BYTES  # loads pandas

    entries = [Path(entry) for entry in run_files(file.path, MAX_BYTES)]
    if entries == [file.path]:
        return [file]
    return [replace(file, path=entry, name=f"{file.name}/{entry.relative_to(file.path)}") for entry in entries]


def read(file: SourceFile, options: RunOptions, progress: Progress = None) -> ReadRun:
    """Read a run with the scores as written. Raises FormatError at the first invalid line."""
    system = file.given_name
    if system is not None and (problem := pooling.id_problem(system)):
        raise Refused(f"System {system!r} {problem}; {pooling.ALLOWED_ID}.")
    notes: list[pooling.RunWarning] = []
    lines = pooling.read_run(file.path, system=system, name=file.name, progress=progress, notes=notes)
    if options.score_precision != Run.Precision.FLOAT64:  # refuses scores that are too large
        notes.clear()  # more scores are tied
        precision = options.score_precision
        pooling.read_run(file.path, system=system, name=file.name, score_precision=precision, notes=notes)
    return ReadRun(file, str(lines["system"].iloc[0]), lines, [f"{note}" for note in notes])


class _Topics:
    """The topics of the runs of one import, those of the collection, and the repair of the former."""

    def __init__(self, collection: Collection, query_ids: set[str], options: RunOptions) -> None:
        self.collection, self.known, self.repair = str(collection), query_ids, options.repair_run_ids or None
        self.found: set[str] = set()
        self.repaired: dict[str, str] = {}

    def match(self, run: ReadRun) -> ReadRun:
        """Return the run with repaired ids of topics, if a repair is asked for."""
        own = set(run.lines["query_id"].unique())
        pairs = pairs_of(own, self.known, self.repair) if self.repair else {}
        self.repaired |= pairs
        self.found |= {pairs.get(query_id, query_id) for query_id in own}
        if not pairs:
            return run
        return run._replace(lines=run.lines.assign(query_id=run.lines["query_id"].replace(pairs)))

    def repaired_counts(self) -> dict[str, int]:
        return {"topics": len(self.repaired)} if self.repaired else {}

    def notes(self, only_repairable: bool = False) -> list[str]:
        """Return sentences about repaired ids, and about topics that the collection does not have."""
        from pooling.id_repair import REPAIR_OPTION, repaired_note  # loads pandas

        notes = [repaired_note("topic", "the runs", self.repair or "", self.repaired)] if self.repaired else []
        topics = unmatched(self.found, self.known)
        if not self.known or not topics.ids or (only_repairable and topics.repair is None):
            return notes  # runs may be imported before the topics
        return [*notes, topics.sentence("topic", "the runs", self.collection, f"{REPAIR_OPTION}{topics.repair}")]


class _Checks:
    """The checks of the runs of one import. `existing` are the runs of the collection by system."""

    def __init__(self, collection: Collection, options: RunOptions) -> None:
        self.options = options
        self.existing = {run.system: run for run in collection.runs.all()}
        self.names: dict[str, str] = {}  # of the accepted files, by system

    def accept(self, run: ReadRun) -> ReadRun:
        """Return the run. Raises Refused if its system has another run, in this import or in the collection."""
        if other := self.names.get(run.system):
            raise Refused(
                f"{run.file.name} and {other} are both runs of system {run.system}; a system has one run. State "
                "another system for one of them."
            )
        if saved := self.existing.get(run.system):
            self._refuse_other(run, saved)
        self.names[run.system] = run.file.name
        return run

    def _refuse_other(self, run: ReadRun, saved: Run) -> None:
        from assess.collections import runfiles  # loads pandas

        which = f"{run.file.name} is a run of system {run.system}, which was imported with"
        if not runfiles.has_lines(saved, run.lines):
            raise Refused(f"{which} different content on {saved.imported_at:%Y-%m-%d}. State another system for it.")
        if saved.score_precision != self.options.score_precision:
            raise Refused(
                f"{which} the score precision {saved.score_precision}, not {self.options.score_precision}. State "
                "another system for it."
            )


def check(preview: Preview, files: Sequence[SourceFile], options: RunOptions) -> None:
    """Say which systems and topics the files have, and why an import would refuse them."""
    checks = _Checks(preview.collection, options)
    topics = _Topics(preview.collection, preview.query_ids, options)
    for file in named_files(files, options):
        try:
            run = checks.accept(topics.match(read(file, options, preview.progress)))
            preview.contents.add_run(run.system, run.lines)
            preview.check.sentences += run.notes
        except FormatError as error:
            _add_invalid_lines(preview, file, options, error)
        except Refused as refusal:
            preview.check.add_error(file.name, refusal)
    known = len(checks.names.keys() & checks.existing.keys())
    preview.check.sentences.append(
        f"TREC runs: {count(len(checks.names), 'system')}, {count(len(topics.found), 'topic')}, "
        f"{_unknown(sorted(topics.found - preview.query_ids))}."
        + (f" {known:,} of them imported already." if known else "")
    )
    preview.check.sentences += topics.notes(only_repairable=True)  # the sentence before has the other topics


def _unknown(query_ids: Sequence[str]) -> str:
    return count(len(query_ids), "unknown topic") + (f" ({first_names(query_ids)})" if query_ids else "")


def _add_invalid_lines(preview: Preview, file: SourceFile, options: RunOptions, first: FormatError) -> None:
    """Read a file to its end to list all invalid lines, if the first problem is a line and not the whole file."""
    if first.line is None:
        preview.check.add_error(file.name, first)
        return
    _, report = pooling.read_run(
        file.path,
        system=file.given_name,
        name=file.name,
        score_precision=options.score_precision,
        on_error="report",
    )
    preview.check.add_report(file.name, report)


def _stored(collection: Collection, run: ReadRun, options: RunOptions) -> Run:
    """Store the file of a run, also of a known one, whose file may be missing. Return its row, which is not saved."""
    from assess.collections import runfiles  # loads pandas

    return Run(
        collection=collection,
        system=run.system,
        source_checksum=runfiles.checksum_of(run.file.path),
        file_checksum=runfiles.store(run.lines),
        line_count=len(run.lines),
        topic_count=run.lines["query_id"].nunique(),
        score_precision=options.score_precision,
    )


def save(
    collection: Collection,
    runs: Sequence[Run],
    files: Sequence[Mapping[str, Any]],
    options: RunOptions,
    result: Imported,
    by: ImportedBy,
) -> None:
    """Save new runs in one transaction. `files` are the details of the files for the record."""
    recorded = {"score_precision": str(options.score_precision)}
    recorded |= {"repair_run_ids": options.repair_run_ids} if options.repair_run_ids else {}
    with transaction.atomic():
        lock_active(collection)
        about_to_save()
        record = save_record(collection, ImportKind.RUNS, by, files, counts=result.counts(), options=recorded)
        for run in runs:
            run.import_record = record
        Run.objects.bulk_create(runs)
    if runs:
        result.notes += notes_on_precision(list(collection.runs.all()))
