"""The judgements of a collection as they were at a checkpoint.

A judgement without later events is read as the database has it, so that a changed row is noticed. A judgement that was
changed later is rebuilt from its events up to the checkpoint.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from assess.judging.judgement_csv import OF_JUDGEMENT
from assess.judging.ledger.judgements import FIELDS as EVENT_FIELDS
from assess.judging.ledger.judgements import rebuilt
from assess.lib.batches import BATCH
from assess.marginal.stored import NOT_ANSWERED, Answered
from assess.models import Assistance, Judgement, JudgementEvent, JudgementKind, MarginalAnswer
from assess.releases.spec import Chain
from assess.suggestions.stored import ALONE, Assisted

FIELDS = OF_JUDGEMENT
CHUNK = 5_000


class Row(NamedTuple):
    """One judgement. `values` are those of FIELDS, `answer` is that about marginal relevance, and `assistance` the
    suggestion of a model."""

    member: int
    query_id: str
    doc_id: str
    values: tuple[Any, ...]
    answer: Answered = NOT_ANSWERED
    assistance: Assisted = ALONE

    @property
    def kind(self) -> int:
        return int(self.values[FIELDS.index("repeat")])

    @property
    def state(self) -> str:
        return str(self.values[FIELDS.index("state")])

    @property
    def relevance(self) -> int | None:
        grade: int | None = self.values[FIELDS.index("relevance")]
        return grade


def judgements_at(chains: Iterable[Chain], members: Iterable[int], query_ids: Iterable[str]) -> list[Row]:
    """Return the judgements of these members on these topics, by topic, document, member and kind."""
    lengths = {int(member): int(length) for member, length, _ in chains}
    wanted, topics = [pk for pk in members if pk in lengths], set(query_ids)
    versions = _versions_at(wanted, lengths)
    answers, assisted = _answers_at(wanted, versions), _assisted_at(wanted, versions)
    rows, changed = [], []
    for pk, version, current in _current(wanted):
        if current.query_id not in topics or pk not in versions:
            continue
        row = current._replace(answer=answers.get(pk, NOT_ANSWERED), assistance=assisted.get(pk, ALONE))
        if version == versions[pk]:
            rows.append(row)
        else:
            changed.append((pk, row))
    rows += _rebuilt(changed, versions)
    return sorted(rows, key=lambda row: (row.query_id, row.doc_id, row.member, row.kind))


def _versions_at(members: Sequence[int], lengths: Mapping[int, int]) -> Counter[int]:
    """Return how many events each judgement had, by its key."""
    events = JudgementEvent.objects.filter(member__in=members, position__isnull=False)
    rows = events.values_list("judgement", "member", "position").iterator(CHUNK)
    return Counter(judgement for judgement, member, position in rows if (position or 0) <= lengths[member])


def _answers_at(members: Sequence[int], versions: Mapping[int, int]) -> dict[int, Answered]:
    """Return the answers of the last of these events of each judgement, by its key."""
    answers = MarginalAnswer.objects.filter(event__member__in=members)
    rows = answers.values_list("event__judgement", "event__version", "answer", "repeats").iterator(CHUNK)
    return {
        judgement: Answered(answer, tuple(repeats))
        for judgement, version, answer, repeats in rows
        if version == versions.get(judgement)
    }


def _assisted_at(members: Sequence[int], versions: Mapping[int, int]) -> dict[int, Assisted]:
    """Return the suggestions with which the last of these events of each judgement was made, by its key."""
    rows = Assistance.objects.filter(event__member__in=members)
    values = rows.values_list("event__judgement", "event__version", "judge", "grade").iterator(CHUNK)
    return {key: Assisted(judge, grade) for key, version, judge, grade in values if version == versions.get(key)}


def _current(members: Sequence[int]) -> Iterator[tuple[int, int, Row]]:
    judgements = Judgement.objects.filter(member__in=members).values_list(
        "pk", "version", "member", "task__topic__query_id", "task__document__doc_id", *FIELDS
    )
    for pk, version, member, query_id, doc_id, *values in judgements.iterator(CHUNK):
        yield pk, version, Row(member, query_id, doc_id, tuple(values))


def _rebuilt(changed: Sequence[tuple[int, Row]], versions: Mapping[int, int]) -> Iterator[Row]:
    known = dict(changed)
    keys = sorted(known)
    for start in range(0, len(keys), BATCH):
        events = JudgementEvent.objects.filter(judgement__in=keys[start : start + BATCH])
        ordered = events.order_by("judgement", "version").values_list(
            "judgement_id", "version", "at", *EVENT_FIELDS, named=True
        )
        for key, group in groupby(ordered, key=attrgetter("judgement_id")):
            values = rebuilt(list(group)[: versions[key]]) | {"repeat": known[key].kind}
            yield known[key]._replace(values=tuple(values[name] for name in FIELDS))


def is_regular_grade(row: Row) -> bool:
    return row.kind == JudgementKind.REGULAR and row.relevance is not None
