"""What changed since the version before: the researcher's notes, and the qrels lines that are new, changed or gone."""

from collections.abc import Iterator
from dataclasses import replace

from assess.lib.csv_file import quoted
from assess.releases.spec import ChangeLogEntry, ReleaseSpec
from pooling.words import count

HEADER = "query_id,doc_id,before,after\n"
Pair = tuple[str, str]


def grades_in(qrels: bytes) -> dict[Pair, str]:
    """Return the grade of each topic and document of a qrels file."""
    lines = (line.split() for line in qrels.decode().splitlines())
    return {(query_id, doc_id): grade for query_id, _, doc_id, grade in lines}


def changed_grades(before: bytes, after: bytes) -> Iterator[tuple[Pair, str, str]]:
    """Yield topic and document with the old and the new grade, empty if there is none, by topic and document."""
    old, new = grades_in(before), grades_in(after)
    for pair in sorted(old.keys() | new.keys()):
        if old.get(pair) != new.get(pair):
            yield pair, old.get(pair, ""), new.get(pair, "")


def log_entry(spec: ReleaseSpec, before: bytes | None, after: bytes) -> ChangeLogEntry:
    """Return the entry of this version."""
    return counted(ChangeLogEntry(spec.version, spec.created_at, spec.notes), before, after)


def counted(entry: ChangeLogEntry, before: bytes | None, after: bytes) -> ChangeLogEntry:
    """Return the entry with the numbers of changes, if the qrels of the version before are known."""
    if before is None:
        return entry
    rows = list(changed_grades(before, after))
    added, removed = sum(not old for _, old, _ in rows), sum(not new for *_, new in rows)
    return replace(entry, added=added, removed=removed, changed=len(rows) - added - removed)


def changes_files(spec: ReleaseSpec, before: bytes | None, after: bytes) -> dict[str, bytes]:
    """Return the change log of all versions, newest first, and the changed grades if the version before is known."""
    entries = [log_entry(spec, before, after), *reversed(spec.log)]
    parts = [f"# Changes of {spec.name}\n", *(_part(entry) for entry in entries)]
    files = {"CHANGES.md": "\n".join(parts).encode()}
    if before is not None:
        rows = (
            f"{quoted(query_id)},{quoted(doc_id)},{old},{new}\n"
            for (query_id, doc_id), old, new in changed_grades(before, after)
        )
        files["changes.csv"] = (HEADER + "".join(rows)).encode()
    return files


def counts_sentence(entry: ChangeLogEntry) -> str:
    """Return the computed part of an entry."""
    if entry.added is None:
        return "First version." if entry.version == 1 else "The grades of the version before are not known any more."
    return (
        f"Compared with version {entry.version - 1}: {count(entry.added, 'grade')} added, {entry.changed:,} changed, "
        f"{entry.removed:,} removed."
    )


def _part(entry: ChangeLogEntry) -> str:
    notes = f"{entry.notes}\n\n" if entry.notes else ""
    return f"## Version {entry.version}, {entry.created_at[:10]}\n\n{notes}{counts_sentence(entry)}\n"
