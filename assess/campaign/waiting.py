"""What waits for somebody in a collection: for the list *Next for you*."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Exists, F, Max, Min, OuterRef

from assess.campaign.counts import Counts
from assess.campaign.overview import AssessorProgress
from assess.collections.scale import lowest_relevant_grade
from assess.living.changed_texts import changed_texts, has_replaced_texts
from assess.living.new_runs import new_runs
from assess.models import NOT_WITHDRAWN, Collection, Judgement, JudgementKind, State
from pooling.words import count, first_names

MOST_NAMES = 3


@dataclass(frozen=True)
class Waiting:
    """`kind` is one word, and `view` with `button` leads to the page where somebody can act."""

    kind: str
    sentence: str
    view: str
    button: str


def waiting(collection: Collection, assessors: list[AssessorProgress], counts: Counts) -> list[Waiting]:
    """Return what waits, the most urgent first. In an archived collection nothing does."""
    if collection.archived_at:
        return []
    people, documents = _people(assessors, counts), _documents(counts)
    return [*_jobs(counts), *people, *_runs(collection), *documents, *_texts(collection), *_topics(collection)]


def _jobs(counts: Counts) -> Iterator[Waiting]:
    if counts.failed:
        yield Waiting(
            "failed", f"{count(counts.failed, 'background job')} failed in the last day.", "collection", "Jobs"
        )


def _people(assessors: list[AssessorProgress], counts: Counts) -> Iterator[Waiting]:
    idle = [row for row in assessors if row.open and not (row.judged or row.cannot_judge or row.later)]
    if idle:
        names = first_names([row.member.name for row in idle], MOST_NAMES)
        verb = "has" if len(idle) == 1 else "have"
        documents = count(sum(row.open for row in idle), "open document")
        yield Waiting(
            "waiting", f"{names} {verb} {documents} and {verb} not started.", "work_people", "Send a reminder"
        )
    if counts.lapsed:
        invitations = count(counts.lapsed, "invitation")
        yield Waiting("people", f"{invitations} ended without being used in the last week.", "people", "Invite again")


def _runs(collection: Collection) -> Iterator[Waiting]:
    if runs := new_runs(collection):
        names = first_names([run.system for run in runs], MOST_NAMES)
        verb = "is" if len(runs) == 1 else "are"
        sentence = f"{count(len(runs), 'run')} ({names}) {verb} newer than the pool."
        yield Waiting("runs", sentence, "living", "See what they lack")


def _documents(counts: Counts) -> Iterator[Waiting]:
    if counts.undecided:
        documents = count(counts.undecided, "disputed document")
        verb = "waits" if counts.undecided == 1 else "wait"
        yield Waiting("decide", f"{documents} {verb} for a decision.", "adjudication", "See who decides")


def _texts(collection: Collection) -> Iterator[Waiting]:
    # Few collections replace texts, and only for them are the judgements read.
    if has_replaced_texts(collection) and (found := changed_texts(collection)).changes:
        yield Waiting("stale", found.sentence(), "changed_texts", "See what changed")


def _topics(collection: Collection) -> Iterator[Waiting]:
    number = _topics_without_relevant_documents(collection)
    if number:
        verb = "has" if number == 1 else "have"
        sentence = f"{count(number, 'judged topic')} {verb} no relevant document."
        yield Waiting("check", sentence, "topics", "See which")


def _topics_without_relevant_documents(collection: Collection) -> int:
    judged = Judgement.objects.filter(
        NOT_WITHDRAWN, task__topic=OuterRef("pk"), state=State.JUDGED, repeat=JudgementKind.REGULAR
    )
    relevant = judged.filter(relevance__gte=lowest_relevant_grade(collection))
    return collection.topics.filter(Exists(judged), ~Exists(relevant)).count()


def disputed_documents(collection: Collection) -> int:
    """Return how many tasks two judges graded differently."""
    grades = Judgement.objects.filter(
        NOT_WITHDRAWN, task__topic__collection=collection, state=State.JUDGED, repeat=JudgementKind.REGULAR
    )
    ranges = grades.order_by().values("task").annotate(lowest=Min("relevance"), highest=Max("relevance"))
    return ranges.filter(lowest__lt=F("highest")).count()
