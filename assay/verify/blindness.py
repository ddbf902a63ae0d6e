"""The blindness certificates of a release, computed again from its roles, its judgements and what was displayed."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from assay.verify.result import Report
from assess.judging.chain_format import scale_hash, text_hash
from assess.judging.judgement_csv import Line
from assess.releases.certificates import DISPLAYED, FILE, Certificates, Hashes, Judged, Key, data_bytes, read_displayed
from assess.releases.compare import Difference, figure_differences
from assess.releases.spec import ReleaseSpec
from pooling.errors import shown
from pooling.words import count

OTHERS = "computed from the other files"
NO_CERTIFICATES = "The release has no blindness certificates, because an earlier version of Assay made it."
Rows = Sequence[Mapping[str, Any]]


def check_blindness(
    report: Report, spec: ReleaseSpec, files: Mapping[str, bytes], lines: Sequence[Line], topics: Rows, scale: Rows
) -> None:
    """Compare the certificates with the roles and the judgements, and the displayed hashes with the texts."""
    if not spec.blindness:
        report.unchecked.append(NO_CERTIFICATES)
        return
    before = len(report.differences)
    _marks(report, spec, lines)
    displayed = read_displayed(files[DISPLAYED])
    judged = [Judged(_key(line), line.judged_at, line.guidelines_version) for line in lines]
    _same_rows(report, judged, displayed)
    certificates = Certificates(spec, judged, displayed).all()
    found = figure_differences(FILE, files[FILE], data_bytes(certificates))
    report.differences += [each._replace(source=OTHERS) for each in found]
    _guidelines(report, files, judged, displayed)
    if len(report.differences) == before:
        report.checked.append(
            f"The blindness certificates of {count(len(certificates), 'judge')} are those of their roles and "
            "judgements."
        )
    _texts(report, displayed, topics, scale)


def _key(line: Line) -> Key:
    return line.assessor, line.query_id, line.doc_id, line.repeat, bool(line.adjudicated)


def _marks(report: Report, spec: ReleaseSpec, lines: Sequence[Line]) -> None:
    for line in lines:
        expected = spec.sighted.get(line.assessor, "")
        if line.saw_runs != expected:
            what = f"judge {shown(line.assessor)}"
            report.differences.append(
                Difference("judgements.csv", what, "saw_runs", line.saw_runs, expected, line.number, OTHERS)
            )


def _same_rows(report: Report, judged: Sequence[Judged], displayed: Mapping[Key, Hashes]) -> None:
    keys = {row.key for row in judged}
    for key in sorted(keys ^ displayed.keys()):
        where = "judgements.csv" if key in keys else DISPLAYED
        report.add(DISPLAYED, f"{_words(key)} is only in {where}.")


def _words(key: Key) -> str:
    return f"judge {shown(key[0])} topic {shown(key[1])} document {shown(key[2])}"


def _guidelines(
    report: Report, files: Mapping[str, bytes], judged: Sequence[Judged], displayed: Mapping[Key, Hashes]
) -> None:
    """A version never changes, so its text is the one that was displayed."""
    shown_under = {(row.guidelines_version, displayed.get(row.key, ("", "", "", ""))[3]) for row in judged}
    for version, digest in sorted((version, digest) for version, digest in shown_under if version and digest):
        name = f"guidelines/{version}.md"
        if hashlib.sha256(files.get(name, b"")).hexdigest() != digest:
            report.add(name, "the text is not the one that was displayed to the judges.")


def _texts(report: Report, displayed: Mapping[Key, Hashes], topics: Rows, scale: Rows) -> None:
    """Say how many judgements were made under another text than the one in the release. That is no difference."""
    fields = ("query_id", "title", "description", "narrative")
    now = {row["query_id"]: text_hash(*(row[name] for name in fields)).hex() for row in topics}
    grades = scale_hash((row["value"], row["name"], row["meaning"]) for row in scale).hex()
    others = {
        "text of their topic": sum(bool(each[1]) and each[1] != now.get(key[1]) for key, each in displayed.items()),
        "wording of the grades": sum(bool(each[2]) and each[2] != grades for each in displayed.values()),
    }
    for what, number in others.items():
        if number:
            report.unchecked.append(
                f"{count(number, 'judgement')} were made under another {what} than the one in the release."
            )
    if unknown := sum(not each[0] for each in displayed.values()):
        report.unchecked.append(f"For {count(unknown, 'judgement')}, the displayed text of the document is not known.")
