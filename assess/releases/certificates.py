"""The blindness certificate of each judge of a release: what this person could see, and when. Loads no Django.

It is computed from the settings of the release (the roles from the audit log, under pseudonyms), from its judgements,
and from the hashes of what was displayed for each of them. `assay verify` computes it again from the files.

Owners, researchers and instructors of a collection can see its runs, pools, everybody's grades, golds and figures;
assessors cannot. Runs can be seen since the collection has any. What an imported judge could see is not known.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from assess.lib.csv_file import csv_text
from assess.releases.spec import PERSON, ReleaseSpec
from pooling.formats.fields import LARGEST_CELL
from pooling.formula_cells import plain
from pooling.words import count

FILE, DISPLAYED, REPORT = "blindness.json", "displayed.csv", "reports/blindness.md"
READING = ("owner", "researcher", "instructor")
THINGS = {
    "runs": "the runs",
    "pools": "the pools",
    "grades_of_others": "the grades of others",
    "golds": "the golds",
    "figures": "the figures",
}
HEADINGS = {
    "seen": "could see while judging",
    "guidelines": "guidelines (judgements)",
    "texts": "document texts",
}
NORMING_AFTER = 4  # the repeat of a judgement after a group discussed its grades
HASHES = ("document_hash", "topic_hash", "scale_hash", "guidelines_hash")
COLUMNS = ("judge", "query_id", "doc_id", "repeat", "adjudicated", *HASHES)
Key = tuple[str, str, str, int, bool]  # judge, topic, document, repeat, and whether it is a decision
Hashes = tuple[str, str, str, str]  # as hexadecimal digits; empty if unknown
UNKNOWN: Hashes = ("", "", "", "")


class Judged(NamedTuple):
    """A judgement of the release."""

    key: Key
    judged_at: datetime | None
    guidelines_version: int | None


@dataclass(frozen=True)
class Certificates:
    """What certificates are computed from."""

    spec: ReleaseSpec
    judged: Sequence[Judged]
    displayed: Mapping[Key, Hashes]

    def all(self) -> list[dict[str, Any]]:
        """Return the certificate of each member with judgements in the release."""
        own: dict[str, list[Judged]] = {member.name: [] for member in self.spec.members}
        for row in self.judged:
            own.setdefault(row.key[0], []).append(row)
        kinds = {member.name: member.kind for member in self.spec.members}
        return [self._certificate(name, kinds.get(name, ""), rows) for name, rows in sorted(own.items()) if rows]

    def _certificate(self, name: str, kind: str, rows: list[Judged]) -> dict[str, Any]:
        times = sorted(row.judged_at for row in rows if row.judged_at)
        first, last = (_written(times[0]), _written(times[-1])) if times else (None, None)
        roles = self.spec.blindness.get("roles", {}).get(name)
        seen = None if kind != PERSON or roles is None else could_see(roles, self.spec.blindness.get("runs_since"))
        decisions = self.spec.blindness.get("decisions", {}).get(name)
        if seen is not None and (after := [row.judged_at for row in rows if _is_discussed(row)]):
            since = _written(min(at for at in after if at))
            seen["grades_of_others"].append({"as": "member of a norming group", "since": since, "until": None})
        return {
            "judge": name,
            "kind": kind,
            "roles": [dict(zip(("role", "since", "until"), role, strict=True)) for role in roles or []],
            "could_see": seen,
            "while_judging": None if seen is None else {what: _before(seen[what], last) for what in THINGS},
            **({"decisions": {"n": decisions[0], "blind": decisions[1]}} if decisions else {}),
            "judgements": {"n": len(rows), "first_at": first, "last_at": last},
            "versions": self._versions(rows),
        }

    def _versions(self, rows: Sequence[Judged]) -> dict[str, Any]:
        """Return the versions of what was displayed, with the numbers of judgements made under each."""
        hashes = [self.displayed.get(row.key, UNKNOWN) for row in rows]
        guidelines = Counter((row.guidelines_version or 0, each[3]) for row, each in zip(rows, hashes, strict=True))
        topics = Counter((row.key[1], each[1]) for row, each in zip(rows, hashes, strict=True))
        documents = {(row.key[2], each[0]) for row, each in zip(rows, hashes, strict=True) if each[0]}
        return {
            "guidelines": [
                {"version": version or None, "sha256": digest or None, "n": n}
                for (version, digest), n in sorted(guidelines.items())
            ],
            "scale": [
                {"sha256": digest or None, "n": n} for digest, n in sorted(Counter(each[2] for each in hashes).items())
            ],
            "topics": [
                {"query_id": topic, "sha256": digest or None, "n": n} for (topic, digest), n in sorted(topics.items())
            ],
            "documents": {
                "documents": len({document for document, _ in documents}),
                "texts": len(documents),
                "judgements_without_hash": sum(not each[0] for each in hashes),
            },
        }


def _is_discussed(row: Judged) -> bool:
    return row.key[3] == NORMING_AFTER and row.judged_at is not None


def _before(periods: Sequence[Mapping[str, Any]], last: str | None) -> bool:
    """Whether one of the periods began before the last judgement, or in the same second."""
    return any(last is None or each["since"] <= last for each in periods)


def could_see(roles: Sequence[Sequence[Any]], runs_since: str | None) -> dict[str, list[dict[str, Any]]]:
    """Return what the roles show, and when. Times in this format are in order as texts."""
    reading = [(role, since, until) for role, since, until in roles if role in READING]
    runs = [
        (role, max(since, runs_since), until)
        for role, since, until in reading
        if runs_since is not None and (until is None or until >= runs_since)
    ]
    periods = {what: runs if what == "runs" else reading for what in THINGS}
    return {
        what: [{"as": role, "since": since, "until": until} for role, since, until in own]
        for what, own in periods.items()
    }


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def data_bytes(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the certificates as JSON."""
    return (json.dumps({"certificates": rows}, indent=1, ensure_ascii=False) + "\n").encode()


def displayed_csv(displayed: Mapping[Key, Hashes]) -> bytes:
    """Return the hashes of what was displayed for each judgement; empty if unknown."""
    rows = [(*key[:4], str(key[4]).lower(), *hashes) for key, hashes in sorted(displayed.items(), key=_order)]
    return csv_text([COLUMNS, *rows]).encode()


def _order(row: tuple[Key, Hashes]) -> tuple[Any, ...]:
    judge, query_id, doc_id, repeat, adjudicated = row[0]
    return query_id, doc_id, judge, repeat, adjudicated


def read_displayed(content: bytes) -> dict[Key, Hashes]:
    """Return the rows of `displayed.csv`. Raises ValueError if it is not such a file."""
    try:
        return dict(_rows(content))
    except csv.Error as error:
        raise ValueError(f"{DISPLAYED} is not CSV: {error}") from None


def _rows(content: bytes) -> Iterator[tuple[Key, Hashes]]:
    csv.field_size_limit(LARGEST_CELL)
    reader = csv.DictReader(io.StringIO(content.decode(), newline=""), strict=True)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError(f"{DISPLAYED}: the header must be {','.join(COLUMNS)}")
    for row in reader:
        key = (plain(row["judge"]), plain(row["query_id"]), plain(row["doc_id"]), int(row["repeat"]))
        document, topic, scale, guidelines = (row[name] or "" for name in HASHES)
        yield (*key, row["adjudicated"] == "true"), (document, topic, scale, guidelines)


def sentences(certificates: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the judges could see while they judged: one sentence for all who saw nothing, and one for each other.

    A pseudonym is the only name.
    """
    people = [each for each in certificates if each["could_see"] is not None]
    blind = [each for each in people if not any(each["while_judging"].values())]
    if blind:
        yield (
            f"{count(len(blind), 'judge')} could see no runs, pools, grades of others, golds or figures before the "
            "last judgement."
        )
    for each in people:
        if each not in blind:
            yield f"{each['judge']} {_seen(each)}."
    if unknown := len(certificates) - len(people):
        yield f"What {count(unknown, 'judge')} without a known role could see is not known."


def _seen(certificate: Mapping[str, Any]) -> str:
    what = [THINGS[name] for name, is_seen in certificate["while_judging"].items() if is_seen]
    periods = [period for own in certificate["could_see"].values() for period in own]
    last = certificate["judgements"]["last_at"]
    earlier = [each for each in periods if last is None or each["since"] <= last]
    parts = dict.fromkeys(f"as {each['as']} from {each['since'][:10]}{_until(each)}" for each in earlier)
    listed = what[0] if len(what) == 1 else f"{', '.join(what[:-1])} and {what[-1]}"
    return f"could see {listed} before the last judgement ({'; '.join(parts)})"


def _until(period: Mapping[str, Any]) -> str:
    return f" to {period['until'][:10]}" if period["until"] else ""


def table_rows(certificates: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """Yield one row for each judge, for people to read, with the columns of HEADINGS."""
    for each in certificates:
        versions, seen = each["versions"], each["while_judging"]
        listed = [THINGS[what] for what, is_seen in (seen or {}).items() if is_seen]
        yield {
            "judge": each["judge"],
            "kind": each["kind"],
            "roles": "; ".join(map(_role, each["roles"])) or "not known",
            "seen": "not known" if seen is None else ", ".join(listed) or "nothing",
            "judgements": f"{each['judgements']['n']:,}",
            "guidelines": ", ".join(f"{row['version'] or 'none'} ({row['n']:,})" for row in versions["guidelines"]),
            "scales": str(sum(row["sha256"] is not None for row in versions["scale"]) or "not known"),
            "texts": f"{versions['documents']['texts']:,}" if versions["documents"]["texts"] else "not known",
        }


def _role(role: Mapping[str, Any]) -> str:
    return f"{role['role']} {role['since'][:10]} to {role['until'][:10] if role['until'] else 'the release'}"
