"""Reads all uploaded files without saving anything, and says what an import would do and which lines are invalid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings

import pooling
from assess.errors import Refused
from assess.models import Collection, ImportKind, Upload
from assess.pools.tasks import pooled_tasks
from assess.transfer.import_options import check_names, checks_for
from assess.transfer.import_record import SourceFile, open_source
from assess.transfer.imports import Progress, changed_topics, read_topic_files
from assess.transfer.judgement_import import check_files, judge_of_file, skipped_sentence
from assess.transfer.judgement_lines import plain_title, read_file
from assess.transfer.judgement_plan import contradictions
from assess.transfer.uploads import options as upload_options
from assess.transfer.uploads.data_set import add_first_rows
from assess.transfer.uploads.progress import byte_progress
from pooling._io.streams import open_input
from pooling.errors import FormatError
from pooling.formats.irds import irds_id
from pooling.words import count, first_names

MAX_PROBLEMS = 1_000
MAX_SENTENCE = 1_000


@dataclass
class Check:
    """What was found. A problem has the name of the file, the line (null for the whole file) and a sentence."""

    uploads: list[int]
    sentences: list[str] = field(default_factory=list)
    problems: list[tuple[str, int | None, str]] = field(default_factory=list)
    problem_count: int = 0

    def add(self, file: str, line: int | None, sentence: str) -> None:
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            clean = sentence[:MAX_SENTENCE].replace("\0", "␀").encode(errors="replace").decode()
            self.problems.append((file, line, clean))

    def add_error(self, file: str, error: Exception) -> None:
        self.add(file, getattr(error, "line", None), f"{str(error).rstrip('.')}.")


@dataclass
class _Reading:
    """One check: the collection, its topics including those that were read, and the results."""

    collection: Collection
    options: Mapping[str, Any]
    query_ids: set[str]
    progress: Progress
    check: Check
    titles: dict[str, list[str]] = field(default_factory=dict)  # title -> query_ids, of the topics in the files


def check_uploads(collection: Collection, uploads: Sequence[int], options: Mapping[str, Any]) -> Check:
    """Read the files, topics first. Raises Refused if a file is missing."""
    found = upload_options.uploads_of(collection, uploads)
    if not found:
        raise Refused("There are no files to check. Upload some first.")
    reading = _Reading(
        collection,
        upload_options.DEFAULTS | dict(options),
        set(collection.topics.values_list("query_id", flat=True)),
        byte_progress("Checking the files", found),
        Check(list(uploads)),
    )
    for upload in found:
        if not upload.kind:
            reading.check.add(upload.name, None, upload.error or f"{upload.name}: choose what this file contains.")
    for kind in upload_options.kinds_of(found):
        present = [upload for upload in found if upload.kind == kind]
        files = upload_options.sources(present)
        try:
            add_first_rows(present)
            _CHECKS[kind](reading, present, files)
        except (Refused, FormatError) as error:
            reading.check.add_error(getattr(error, "file", files[0].name if len(files) == 1 else ""), error)
    return reading.check


def _check_topics(reading: _Reading, _uploads: Sequence[Upload], files: Sequence[SourceFile]) -> None:
    valid = []
    for file in files:
        try:
            read_topic_files([file], reading.progress)
            valid.append(file)
        except FormatError as error:
            _add_invalid_lines(reading.check, file, ImportKind.TOPICS, error)
    read = read_topic_files(valid)  # refuses a topic that is in two files
    known = len(read.keys() & reading.query_ids)
    reading.query_ids |= read.keys()
    for query_id, (_, texts) in read.items():
        reading.titles.setdefault(plain_title(texts["title"]), []).append(query_id)
    existing = {topic.query_id: topic for topic in reading.collection.topics.all()}
    changed = len(changed_topics(read, existing))
    sentence = f"Topics: {count(len(read), 'topic')}, {len(read) - known:,} new, {known:,} in the collection already."
    others = f" The texts of {changed:,} of them differ and will be replaced." if changed else ""
    reading.check.sentences.append(sentence + others)


def _check_runs(reading: _Reading, uploads: Sequence[Upload], _files: Sequence[SourceFile]) -> None:
    systems: dict[str, str] = {}
    query_ids: set[str] = set()
    for file in upload_options.runs_of(uploads, reading.options):
        frame, report = pooling.read_run(
            file.path,
            system=file.given_name or None,
            name=file.name,
            progress=reading.progress,
            score_precision=reading.options["score_precision"],
            on_error="report",
        )
        _add_report(reading.check, file, report)
        query_ids |= set(frame["query_id"].unique())
        for system in frame["system"].unique()[:1]:
            if earlier := systems.get(system):
                sentence = f"{file.name} and {earlier} are both runs of system {system}. State the system of one."
                reading.check.add(file.name, None, sentence)
            systems[system] = file.name
    unknown = sorted(query_ids - reading.query_ids)
    existing = reading.collection.runs.filter(system__in=list(systems)).count()
    sentence = (
        f"{uploads[0].label}s: {count(len(systems), 'system')}, {count(len(query_ids), 'topic')}, {_unknown(unknown)}"
    )
    reading.check.sentences.append(sentence + (f" {existing:,} of them imported already." if existing else ""))


def _add_report(check: Check, file: SourceFile, report: Any) -> None:
    for row in report.itertuples(index=False):
        line = None if row.line is None or row.line != row.line else int(row.line)
        where = f"{file.name}, line {line}" if line else file.name
        check.add(file.name, line, f"{where}: {row.what}; {row.allowed}.")


def _add_invalid_lines(check: Check, file: SourceFile, kind: str, first: FormatError) -> None:
    """Read a file to its end to list all invalid lines, if the first problem is a line and not the whole file."""
    found: list[FormatError] = []
    if first.line is not None and not irds_id(file.path):
        with open_input(file.path, max_bytes=settings.MAX_EXPANDED_BYTES, name=file.name) as stream:
            found = pooling.problems(stream, kind, limit=MAX_PROBLEMS, name=file.name)
    for error in found or [first]:
        check.add_error(file.name, error)


def _check_documents(reading: _Reading, _uploads: Sequence[Upload], files: Sequence[SourceFile]) -> None:
    collection, keep_all = reading.collection, reading.options["keep_all"]
    rows = collection.documents.values_list("doc_id", "content")
    has_text = {doc_id: content is not None for doc_id, content in rows}
    if not has_text and not keep_all:
        raise Refused(
            f"{collection} has no pool yet, so no document would be kept. Build the pool first, or keep every document."
        )
    pooled = set(pooled_tasks(collection).values_list("document__doc_id", flat=True))
    read: set[str] = set()
    empty = 0
    for file in files:
        try:
            for document in upload_options.read_documents(file, reading.progress):
                if document.text.strip():
                    read.add(document.doc_id)
                else:
                    empty += 1
        except FormatError as error:
            _add_invalid_lines(reading.check, file, ImportKind.DOCUMENTS, error)
    texts = {doc_id for doc_id in read if has_text.get(doc_id)}
    kept = len(read - texts) if keep_all else len(read & has_text.keys() - texts)
    missing = sum(not has_text[doc_id] for doc_id in pooled - read)
    reading.check.sentences.append(
        f"Documents: {count(len(read), 'document')}, {kept:,} to be imported, {len(texts):,} that have a text already, "
        f"{len(read) - kept - len(texts):,} not in the pool."
        + (f" Documents with an empty text, which count as missing: {empty:,}." if empty else "")
        + (f" Pooled documents that still have no text: {missing:,}." if missing else "")
    )


def _check_judgements(reading: _Reading, _uploads: Sequence[Upload], files: Sequence[SourceFile]) -> None:
    options = replace(upload_options.judgement_options(reading.collection, reading.options), on_error="report")
    checks = checks_for(reading.collection, options)
    checks = checks._replace(
        query_ids=checks.query_ids | reading.query_ids,
        query_ids_by_title={**checks.query_ids_by_title, **reading.titles},
    )
    read = []
    named = {file.given_name for file in files if file.given_name}
    for file in files:
        try:
            judge = judge_of_file(upload_options.judge_of(file, reading.options), len(files), options, named)
            with open_source(file) as stream:
                read.append(read_file(stream, judge, checks, reading.progress, named=judge in named))
        except (FormatError, Refused) as error:
            reading.check.add_error(file.name, error)
    for judgements in read:
        for problem in judgements.problems:
            reading.check.add(judgements.name, problem.number or None, problem.sentence)
    names = {name for judgements in read for name in judgements.names}
    check_names(options, names)
    check_files(read, options)
    for judgements, problem in contradictions(reading.collection, read, options.as_members):
        reading.check.add(judgements.name, problem.number, problem.sentence)
    reading.check.sentences += [skipped_sentence(judgements) for judgements in read if judgements.skipped]
    lines = [line for judgements in read for line in judgements.lines]
    reading.check.sentences.append(
        f"Judgements: {count(len(lines), 'judgement')} of {count(len(names), 'judge')} "
        f"({first_names(sorted(names))}) on {count(len({line.query_id for line in lines}), 'topic')}."
    )


def _unknown(names: Sequence[str]) -> str:
    return f"{count(len(names), 'unknown topic')} ({first_names(names)})." if names else "0 unknown topics."


_CHECKS = {
    ImportKind.TOPICS.value: _check_topics,
    ImportKind.RUNS.value: _check_runs,
    ImportKind.DOCUMENTS.value: _check_documents,
    ImportKind.JUDGEMENTS.value: _check_judgements,
}
