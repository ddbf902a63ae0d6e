"""What an import of judgements reads, uses and leaves out: for each judge, before anything is saved, and in the record.

The check of files shows for each judge: the rows read and used, those left out by reason, the grades, the documents in
and outside the pool, and the judge of the collection with the most documents in common.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from assess.models import Collection, Judgement, Role, State
from assess.pools.new_tasks import Pair
from assess.pools.tasks import pooled_tasks
from assess.transfer.judgement_lines import FileLine, FileOfJudgements

REASONS = {
    "invalid": "invalid lines",
    "empty": "empty cells",
    "no_judgement": "rows without a judgement",
    "not_judged": "negative labels, which mean not judged",
    "dropped": "labels off the scale",
    "repeated": "repeated documents",
}  # count of `agreement.judge_files` -> words


def left_out(files: Iterable[FileOfJudgements]) -> dict[str, int]:
    """Return the numbers of rows that are no judgements, by reason."""
    total: Counter[str] = Counter()
    for file in files:
        total += Counter({f"lines with a {kind}": number for kind, number in file.skipped.items()})
        total["empty rows"] += file.empty_rows
        for counts in file.counts.values():
            total.update(_left_out(counts))
    return dict(+total)


def _left_out(counts: dict[str, int]) -> dict[str, int]:
    return {words: counts[name] for name, words in REASONS.items() if counts.get(name)}


def judge_rows(collection: Collection, files: Sequence[FileOfJudgements], kind: str) -> list[dict[str, Any]]:
    """Return what the check says about each judge. `kind` is that of the judges, if it was stated."""
    pooled = set(pooled_tasks(collection).values_list("topic__query_id", "document__doc_id"))
    others = _judged(collection)
    rows = []
    for file in files:
        lines = _by_judge(file.lines)
        for judge, counts in file.counts.items():
            pairs = {(line.query_id, line.doc_id) for line in lines[judge]}
            rows.append(
                {
                    "judge": judge,
                    "file": file.name,
                    "kind": kind,
                    "is_new": judge not in others,
                    "read": counts["lines"],
                    "used": counts["judgements"],
                    "left_out": _left_out(counts),
                    "grades": sorted(_grades(lines[judge]).items()),
                    "pooled": len(pairs & pooled),
                    "unpooled": len(pairs - pooled),
                    "common": _most_in_common(pairs, {name: own for name, own in others.items() if name != judge}),
                }
            )
    return rows


def _by_judge(lines: Iterable[FileLine]) -> defaultdict[str, list[FileLine]]:
    by_judge: defaultdict[str, list[FileLine]] = defaultdict(list)
    for line in lines:
        by_judge[line.assessor].append(line)
    return by_judge


def _judged(collection: Collection) -> dict[str, set[Pair]]:
    """The documents that each judge of the collection has judged."""
    judged = Judgement.objects.filter(
        member__collection=collection, member__role=Role.ASSESSOR, repeat=0, state=State.JUDGED
    )
    by_judge: dict[str, set[Pair]] = {}
    rows = judged.values_list("member__name", "task__topic__query_id", "task__document__doc_id")
    for judge, query_id, doc_id in rows.iterator():
        by_judge.setdefault(judge, set()).add((query_id, doc_id))
    return by_judge


def _grades(lines: Iterable[FileLine]) -> Counter[int]:
    grades = (line.judgement_input.relevance for line in lines if line.repeat == 0)
    return Counter(grade for grade in grades if grade is not None)


def _most_in_common(pairs: set[Pair], others: dict[str, set[Pair]]) -> tuple[str, int] | None:
    numbers = {name: len(pairs & own) for name, own in others.items()}
    name = max(sorted(numbers), key=lambda each: numbers[each], default="")
    return (name, numbers[name]) if name else None
