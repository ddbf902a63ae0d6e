"""A release: its checksums, and its gold, agreement and shift computed again from the judgements in it."""

import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import pandas as pd

from agreement.reports.folder import manifest as manifest_of
from assay.verify.blindness import check_blindness
from assay.verify.judgements import line_problems
from assay.verify.result import Head, Report
from assay.verify.runs import read_copies
from assess.errors import Refused
from assess.judging.chain_format import checkpoint_hash
from assess.judging.judgement_csv import JUDGED, CsvError, Line, read
from assess.releases.archive import MANIFEST, sha256
from assess.releases.certificates import FILE
from assess.releases.changes import grades_in
from assess.releases.compare import JUDGEMENTS, Difference, differences_of, figure_differences
from assess.releases.figures import MODEL_JUDGES, RELEASED, ReleaseFigures, grades_frame, shift_files
from assess.releases.read import SPEC, json_object, manifest_problems, spec_in
from assess.releases.spec import ReleaseSpec
from pooling.errors import shown
from pooling.words import count

TOPICS = "topics.jsonl"
ROWS, QRELS, SCALE, RUNS, CROISSANT = "judgements.csv", "qrels.txt", "scale.jsonl", "runs.jsonl", "croissant.json"
SHIFT, AGREEMENT = "reports/shift.json", "reports/agreement.json"
MOST_GRADES = 10  # of a scale: grades are digits
LARGEST_ROWS = 1 << 28  # bytes of the judgements, which are held in memory
OTHERS = "computed from the other files"
DEFINING = ("assay", "python", "numpy", "pandas", "scipy", "ir-measures")  # versions that change figures or texts
TOLERANCE = 1e-9  # of figures that other versions of the software computed
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OverflowError, Refused)
NO_EVENTS = (
    "The events of the ledger are not in a release, so their hashes were not computed again: `assay verify_release` "
    "does that with the database. The salts of comments are not in it either, so no comment was compared with its hash."
)
NO_TEXTS = (
    "The texts of the documents are not in a release, so the pool and what the judges saw were not computed again."
)
NO_TRUST = (
    "The report on model judges was not computed again, because it needs the runs and the draws: "
    "`assay verify_release` does that with the database."
)


class OfflineRelease(ReleaseFigures):
    """A release as its files have it."""

    def __init__(self, spec: ReleaseSpec, files: Mapping[str, bytes]) -> None:
        self.spec, self.files = spec, files

    @cached_property
    def lines(self) -> list[Line]:
        content = self.files.get(ROWS, b"")
        if len(content) > LARGEST_ROWS:
            raise Refused(f"{ROWS}: the judgements have at most {LARGEST_ROWS:,} bytes; these have more.")
        return list(read(io.StringIO(content.decode(), newline="")))

    @cached_property
    def votes(self) -> pd.DataFrame:
        judges = {member.name for member in self.spec.members if member.is_judge}
        return _frame(line for line in self.lines if line.assessor in judges and is_regular(line))

    @cached_property
    def decisions(self) -> pd.DataFrame:
        return _frame(line for line in self.lines if line.adjudicated and line.state == JUDGED)

    @cached_property
    def scale(self) -> tuple[int, ...]:
        grades = tuple(int(row["value"]) for row in json_rows(self.files, SCALE))
        if not 2 <= len(grades) <= MOST_GRADES:
            raise Refused(f"{SCALE}: a scale has 2 to {MOST_GRADES} grades, not {len(grades):,}.")
        return grades

    @cached_property
    def versions(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The versions of the software that define figures: then, and now."""
        then = json_object(self.files, MANIFEST).get("versions")
        now = manifest_of([], [], None, {})["versions"]
        return {name: (then or {}).get(name) for name in DEFINING}, {name: now[name] for name in DEFINING}

    @property
    def same_versions(self) -> bool:
        return self.versions[0] == self.versions[1]


def is_regular(line: Line) -> bool:
    """Whether a row is a vote: no repeat, no decision, with a grade."""
    return not line.adjudicated and line.repeat == 0 and line.relevance is not None


def _frame(lines: Iterator[Line]) -> pd.DataFrame:
    return grades_frame((line.assessor, line.query_id, line.doc_id, line.relevance) for line in lines)


def json_rows(files: Mapping[str, bytes], name: str) -> list[dict[str, Any]]:
    """Return the objects of a file with one JSON object for each line."""
    rows = [json.loads(line) for line in files[name].decode().splitlines()]
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("a line is not a JSON object")
    return rows


def verify_release(file: str, files: Mapping[str, bytes], runs: Sequence[str] = (), head: str | None = None) -> Report:
    """Check the files of a release, with the reader's copies of the runs."""
    spec, manifest = spec_in(files), json_object(files, MANIFEST)
    release = OfflineRelease(spec, files)
    report = Report(file, "release", f"the release {spec.file_name} of the collection {spec.collection}")
    report.heads += [Head(f"the ledger of {spec.collection} at the release", spec.checkpoint)]
    report.heads += [Head("the manifest of the release", sha256(files[MANIFEST]))]
    _checksums(report, files, manifest)
    for name, step in _steps(report, release, manifest, runs):
        try:
            step()
        except MALFORMED as error:
            report.add(name, f"it cannot be computed again: {_sentence(error)}")
    report.unchecked += [NO_EVENTS, NO_TEXTS]
    if any(name.startswith(MODEL_JUDGES) for name in files):
        report.unchecked.append(NO_TRUST)
    if spec.previous is not None:
        report.unchecked.append(
            f"Version {spec.previous.version} is not in the file, so the change log was not computed again."
        )
    report.check_head(head)
    return report


def _sentence(error: Exception) -> str:
    text = (
        f"{type(error).__name__}, {error}" if isinstance(error, KeyError | TypeError | AttributeError) else str(error)
    )
    return f"{text.rstrip('.')}."


def _steps(
    report: Report, release: OfflineRelease, manifest: Mapping[str, Any], runs: Sequence[str]
) -> list[tuple[str, Callable[[], None]]]:
    """Return each step with the file that it is about."""
    return [
        (SPEC, lambda: _settings(report, release, manifest)),
        (ROWS, lambda: _judgements(report, release)),
        (QRELS, lambda: _gold(report, release)),
        (AGREEMENT, lambda: _agreement(report, release)),
        (SHIFT, lambda: _shift(report, release, runs)),
        (FILE, lambda: _blindness(report, release)),
        (CROISSANT, lambda: _croissant(report, release.files)),
    ]


def _checksums(report: Report, files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> None:
    problems = list(manifest_problems(files, manifest))
    for problem in problems:
        name, _, sentence = problem.partition(": ")
        report.add(name, sentence)
    if not problems:
        report.checked.append(f"The checksums of {count(len(files) - 1, 'file')} are those of the manifest.")


def _settings(report: Report, release: OfflineRelease, manifest: Mapping[str, Any]) -> None:
    """Compare the settings with the manifest, and the checkpoint with the chains that it was computed from."""
    spec, before = release.spec, len(report.differences)
    computed = checkpoint_hash(spec.collection, spec.chains)
    _compare(report, SPEC, "checkpoint", spec.checkpoint, computed)
    _compare(report, SPEC, "events", spec.events, sum(int(length) for _, length, _ in spec.chains))
    ledger = manifest.get("ledger") or {}
    stated = {"release": spec.name, "version": spec.version, "collection": spec.collection}
    for name, value in (stated | {"created_at": spec.created_at}).items():
        _compare(report, MANIFEST, name, manifest.get(name), value)
    _compare(report, MANIFEST, "ledger.checkpoint", ledger.get("checkpoint"), spec.checkpoint)
    _compare(report, MANIFEST, "ledger.events", ledger.get("events"), spec.events)
    systems = [row.get("system") for row in json_rows(release.files, RUNS)]
    _compare(report, RUNS, "systems", systems, spec.systems)
    if len(report.differences) == before:
        report.checked.append(
            f"The head of the ledger is that of the {count(len(spec.chains), 'chain')} with "
            f"{count(spec.events, 'event')} that the release names."
        )


def _compare(report: Report, file: str, place: str, found: object, expected: object) -> None:
    if found != expected:
        report.differences.append(Difference(file, place, "", str(found), str(expected), source=OTHERS))


def _judgements(report: Report, release: OfflineRelease) -> None:
    """Compare the rows with each other, with the scale, and with the chains of their judges."""
    try:
        lines = release.lines
    except CsvError as error:
        report.add(ROWS, f"{error}.")
        return
    before, spec = len(report.differences), release.spec
    for number, sentence in line_problems(lines):
        report.add(ROWS, sentence, number)
    names, topics, scale = {member.name for member in spec.members}, set(spec.query_ids), set(release.scale)
    for line in lines:
        for what, value, known in (
            ("judge", line.assessor, names),
            ("topic", line.query_id, topics),
            ("grade", line.relevance, scale | {None}),
        ):
            if value not in known:
                report.add(ROWS, f"the {what} {shown(str(value))} is not one of the release.", line.number)
        if (line.guidelines_version or 0) > spec.guidelines:
            sentence = (
                f"version {line.guidelines_version} of the guidelines is later than the last one, {spec.guidelines}."
            )
            report.add(ROWS, sentence, line.number)
    _compare_lengths(report, release)
    if len(report.differences) == before:
        report.checked.append(
            f"{count(len(lines), 'judgement')} of {count(len(names), 'member')} are on the scale and topics of the "
            "release, each once, and no judge has more of them than the ledger has events."
        )


def _compare_lengths(report: Report, release: OfflineRelease) -> None:
    """Each judgement has an event or more."""
    lengths = {int(member): int(length) for member, length, _ in release.spec.chains}
    rows = Counter(line.assessor for line in release.lines)
    for member in release.spec.members:
        if rows[member.name] > lengths.get(member.pk, 0):
            report.add(
                ROWS,
                f"judge {shown(member.name)} has {count(rows[member.name], 'judgement')}, and the chain of the ledger "
                f"has {count(lengths.get(member.pk, 0), 'event')}.",
            )


def _gold(report: Report, release: OfflineRelease) -> None:
    computed, released = release.qrels(), release.files[QRELS]
    found = differences_of(QRELS, released, computed, JUDGEMENTS)
    report.differences += found
    if not found:
        report.checked.append(
            f"The gold by the rule {release.spec.rule}, computed again from the judgements, has the same "
            f"{count(len(grades_in(released)), 'grade')}."
        )


def _agreement(report: Report, release: OfflineRelease) -> None:
    computed = release.agreement_files()
    if not computed and AGREEMENT not in release.files:
        report.unchecked.append("Fewer than two judges judged, so the release has no agreement.")
    elif _compare_figures(report, release, computed):
        report.checked.append(
            f"The agreement of {count(len(release.judges), 'judge')} was computed again: it is the same."
        )


def _shift(report: Report, release: OfflineRelease, runs: Sequence[str]) -> None:
    """Rank the systems again with the reader's copies of all runs."""
    rows = json_rows(release.files, RUNS)
    if SHIFT not in release.files:
        report.unchecked.append("The release has no shift, because it has no runs or only one gold.")
        return
    if not runs:
        report.unchecked.append(
            f"The {count(len(rows), 'run')} are not in a release, so the shift was not computed again: name your "
            "copies by --run."
        )
        return
    copies = read_copies(runs, rows, report)
    if missing := [str(row["system"]) for row in rows if row["system"] not in copies]:
        report.unchecked.append(f"The shift was not computed again: there is no copy of the run {shown(missing[0])}.")
        return
    rules = [name for name in _golds(release.files[SHIFT]) if name != RELEASED]
    computed = shift_files(release.shift_of([copies[name] for name in sorted(copies)], rules))
    if _compare_figures(report, release, computed):
        report.checked.append(
            f"The shift of {count(len(rows), 'system')} under {count(len(rules) + 1, 'gold')} was computed again: it "
            "is the same."
        )


def _golds(content: bytes) -> list[str]:
    """Return the names of the golds of a report on the shift, in its order."""
    tables = json.loads(content)
    names = [row["gold"] for rows in tables.values() if isinstance(rows, list) for row in rows if "gold" in row]
    return list(dict.fromkeys(names))


def _compare_figures(report: Report, release: OfflineRelease, computed: Mapping[str, bytes]) -> bool:
    """Compare reports. Other versions of the software may use other words, so then only numbers are compared."""
    found, is_other = [], False
    for name, content in computed.items():
        released = release.files.get(name)
        if released == content:
            continue
        is_other = True
        if released is None:
            found += [Difference(name, found="the release does not have this file, which its judgements lead to.")]
        elif release.same_versions:
            found += differences_of(name, released, content, JUDGEMENTS)
        elif name.endswith(".json"):
            found += [each for each in figure_differences(name, released, content) if _differ(each)]
    report.differences += found
    if is_other and not release.same_versions:
        then, now = release.versions
        changed = ", ".join(f"{name} {then[name]} (now {now[name]})" for name in now if then[name] != now[name])
        report.unchecked.append(
            f"The texts of {', '.join(sorted(computed))} were not compared, because other versions of the software "
            f"computed them: {changed}."
        )
    return not found


def _differ(difference: Difference) -> bool:
    """Whether both values are numbers that differ by more than rounding."""
    try:
        found, expected = float(difference.found or ""), float(difference.expected or "")
    except ValueError:
        return False
    return not math.isclose(found, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _blindness(report: Report, release: OfflineRelease) -> None:
    topics, scale = json_rows(release.files, TOPICS), json_rows(release.files, SCALE)
    check_blindness(report, release.spec, release.files, release.lines, topics, scale)


def _croissant(report: Report, files: Mapping[str, bytes]) -> None:
    """Compare the checksums of the description in Croissant."""
    listed = json_object(files, CROISSANT)["distribution"]
    for each in listed:
        name = each["contentUrl"]
        if sha256(files.get(name, b"")) != each["sha256"]:
            report.differences.append(
                Difference(
                    CROISSANT, f"{name}: sha256", "", each["sha256"], sha256(files.get(name, b"")), source=OTHERS
                )
            )
