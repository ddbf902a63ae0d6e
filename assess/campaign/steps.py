"""The steps of a campaign, from the topics to the release: what is done, and what comes next."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from assess.adjudication.adjudicate import adjudications_of
from assess.campaign.overview import AssessorProgress, Overview
from assess.models import Collection
from pooling.words import count

MOST_NAMES = 5


class StepState(StrEnum):
    """Steps after the next one are open. An optional step is never the next one."""

    DONE = "done"
    NEXT = "next"
    OPEN = "open"
    OPTIONAL = "optional"


@dataclass(frozen=True)
class Step:
    """One step: what its state is in a sentence, and the page on which it is done.

    Some steps can be done on another page instead: `other_view`, with `other_button`.
    """

    name: str
    state: StepState
    sentence: str
    view: str
    button: str
    other_view: str = ""
    other_button: str = ""

    @property
    def is_next(self) -> bool:
        return self.state == StepState.NEXT


def campaign_steps(collection: Collection, overview: Overview) -> list[Step]:
    """Return all steps. The first one that is open and not optional is the next one, except in the archive."""
    preparation, judging = _preparation(collection, overview), _judging(collection, overview)
    agreement, shift = _figures(overview)
    result = [*preparation, *judging, agreement, _adjudication(collection), shift, _release(collection)]
    if collection.archived_at:
        return result
    for number, step in enumerate(result):
        if step.state == StepState.OPEN:
            result[number] = replace(step, state=StepState.NEXT)
            break
    return result


def _preparation(collection: Collection, overview: Overview) -> Iterator[Step]:
    """The topics, runs, pool and documents."""
    topics, runs = overview.topics, len(overview.runs)
    sentence = count(topics, "topic") + "." if topics else "There are no topics yet."
    yield Step("Topics", _done(topics), sentence, "import", "Import topics")
    sentence = f"{count(runs, 'run')}, {overview.lines:,} lines." if runs else "There are no runs yet."
    other = ("baselines", "Make baseline runs") if _can_make_baselines(collection, overview) else ("", "")
    is_exhaustive = bool(overview.pooled)  # every document is judged, so no run is needed yet
    yield Step("Runs", _done(runs, is_optional=is_exhaustive), sentence, "import", "Import runs", *other)
    sentence = f"{count(overview.pooled, 'task')}." if overview.pooled else "There is no pool yet."
    yield Step("Pool", _done(overview.pooled), sentence, "pool", "Build the pool")
    yield Step("Documents", _done(overview.has_texts), _documents(overview), "import", "Import documents")


def _can_make_baselines(collection: Collection, overview: Overview) -> bool:
    """Whether standard systems can rank the documents of a collection that has no runs."""
    if overview.runs or not overview.topics:
        return False
    return collection.documents.filter(content__isnull=False).exists()


def _documents(overview: Overview) -> str:
    if overview.without_text:
        return f"{overview.without_text:,} of the pooled documents have no text yet."
    return "All pooled documents have a text." if overview.pooled else "Assessors need the texts of the documents."


def _judging(collection: Collection, overview: Overview) -> Iterator[Step]:
    """The people, guidelines and assignments. Nobody needs them if all judgements were imported."""
    people = sum(row.member.user_id is not None for row in overview.assessors)
    is_imported = bool(overview.judged) and not people
    sentence = count(people, "assessor") + "." if people else "There are no assessors yet."
    yield Step("People", _done(people, is_imported), sentence, "people", "Invite assessors")
    version = collection.guidelines.count()
    sentence = f"Version {version} is published." if version else "Assessors have no guidelines yet."
    yield Step("Guidelines", _done(version, is_optional=True), sentence, "judging", "Write guidelines")
    pilots = collection.pilots.count()
    sentence = (
        f"{count(pilots, 'pilot')}." if pilots else "With a few documents, a pilot shows whether the assessors agree."
    )
    yield Step("Pilot", _done(pilots, is_optional=True), sentence, "pilot", "Start a pilot")
    is_assigned = bool(overview.assigned) or overview.open_to_claims
    yield Step("Work", _done(is_assigned, is_imported), _assigned(collection, overview), "assign", "Assign tasks")
    is_judged = bool(overview.judged) and not overview.open
    yield Step("Judgements", _done(is_judged, is_imported), _judged(overview), "work", "Monitor the work")


def _assigned(collection: Collection, overview: Overview) -> str:
    if overview.open_to_claims:
        return f"Open to claims, with {count(collection.judges_per_task or 0, 'assessor')} for each document."
    return count(overview.assigned, "assignment") + "." if overview.assigned else "Nothing is assigned yet."


def _judged(overview: Overview) -> str:
    """The judgements so far, and whose action is pending."""
    sentence = count(overview.judged, "judgement") + "." if overview.judged else "There are no judgements yet."
    waiting = sorted((row for row in overview.assessors if row.open), key=_most_open_first)
    if not waiting:
        return sentence
    names = [f"{row.member.name} ({row.open:,} open)" for row in waiting[:MOST_NAMES]]
    more = f" and {len(waiting) - MOST_NAMES} more" if len(waiting) > MOST_NAMES else ""
    return f"{sentence} Waiting for {', '.join(names)}{more}."


def _most_open_first(row: AssessorProgress) -> tuple[int, str]:
    return -row.open, row.member.name


def _figures(overview: Overview) -> Iterator[Step]:
    judges = sum(row.judged > 0 for row in overview.assessors)
    sentence = f"{count(judges, 'judge')} so far." if judges else "Agreement needs the judgements of two judges."
    yield Step("Agreement", StepState.OPEN, sentence, "agreement", "See the agreement")
    can_rank = bool(overview.runs and overview.judged)
    sentence = "The systems can be ranked." if can_rank else "A ranking of the systems needs runs and judgements."
    yield Step("Shift", StepState.OPEN, sentence, "shift", "See the ranking shift")


def _adjudication(collection: Collection) -> Step:
    summaries = adjudications_of(collection)
    documents, decided = sum(each.documents for each in summaries), sum(each.decided for each in summaries)
    sentence = "Somebody who did not judge them decides disputed documents."
    if documents:
        sentence = f"{decided:,} of {count(documents, 'disputed document')} decided."
    is_done = bool(documents) and decided == documents
    return Step("Adjudication", _done(is_done, is_optional=True), sentence, "adjudication", "Choose documents")


def _release(collection: Collection) -> Step:
    releases = collection.releases.count()
    sentence = f"{count(releases, 'release')}." if releases else "A release freezes a gold with its reports."
    return Step("Release", _done(releases, is_optional=True), sentence, "releases", "Release a gold")


def _done(done: object, is_optional: bool = False) -> StepState:
    if done:
        return StepState.DONE
    return StepState.OPTIONAL if is_optional else StepState.OPEN
