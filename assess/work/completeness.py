"""How complete the relevant documents of topics are by capture-recapture between systems, searchers and the learner."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, TextField
from django.db.models.functions import Cast

from assess.models import NOT_WITHDRAWN, Judgement, OpenedResult, Proposal, Provenance, State
from assess.work.stopping import TopicGain

if TYPE_CHECKING:
    from pooling import CaptureRecapture

SEARCHERS, LEARNER = "all searchers", "the learner"  # no names of systems, which have no spaces
SYSTEMS, FINDERS, OTHERS = "all systems", "searchers and learner", "all other systems"
TOO_FEW = "fewer than two sources found a relevant document"

Sources = dict[str, set[int]]  # the relevant tasks that each source found


@dataclass(frozen=True)
class Completeness:
    """The share found of the estimated number of relevant documents, with an exact 95 % interval.

    `compared` names the two sources. `value` is None for a `reason`, and so are the limits.
    """

    compared: str
    value: float | None
    low: float | None
    high: float | None
    reason: str


def completeness(gain: TopicGain) -> "CaptureRecapture | None":
    """Compare what each system, the searchers and the learner found with what all others found.

    None if there are fewer than two sources.
    """
    from pooling import capture_recapture

    found = {source: {str(task) for task in tasks} for source, tasks in _sources([gain])[gain.topic.pk].items()}
    return capture_recapture(dict(sorted(found.items())), against="others") if len(found) > 1 else None


def completeness_of(gains: Sequence[TopicGain]) -> dict[int, Completeness]:
    """Return one estimate for each topic, by the topic's key. The number of queries is constant.

    All systems are compared with the searchers and the learner if these found something relevant; otherwise, the system
    that found most is compared with all others.
    """
    return {topic: _estimate(sources) for topic, sources in _sources(gains).items()}


def _estimate(sources: Sources) -> Completeness:
    from pooling import capture_recapture

    names, found = _pair(sources)
    if not all(found):
        return Completeness("", None, None, None, TOO_FEW)
    pairs = capture_recapture({name: set(map(str, tasks)) for name, tasks in zip(names, found, strict=True)}).pairs
    value, low, high = (float(pairs[f"completeness{end}"].iloc[0]) for end in ("", "_low", "_high"))
    return Completeness(" and ".join(names), value, low, high, "")


def _pair(sources: Sources) -> tuple[tuple[str, str], tuple[set[int], set[int]]]:
    systems = {name: tasks for name, tasks in sources.items() if name not in (SEARCHERS, LEARNER)}
    finders = sources.get(SEARCHERS, set()) | sources.get(LEARNER, set())
    together = set().union(*systems.values())
    if finders or not systems:
        return (SYSTEMS, FINDERS), (together, finders)
    most = max(systems, key=lambda name: (len(systems[name]), name))
    others = set().union(*(tasks for name, tasks in systems.items() if name != most))
    return (most, OTHERS), (systems[most], others)


def _sources(gains: Sequence[TopicGain]) -> dict[int, Sources]:
    """Return the sources that each topic has, with the relevant tasks that they found."""
    topics = {gain.topic.pk: gain.relevant_tasks for gain in gains}
    found: dict[int, Sources] = {topic: defaultdict(set) for topic in topics}
    tasks: dict[tuple[int, int], int] = {}
    for topic, document, task, systems in _pooled(list(topics)):
        tasks[topic, document] = task
        for system in systems:
            if task in topics[topic]:
                found[topic][system].add(task)
            else:
                found[topic][system]  # the system is a source, also without a relevant document
    opened = OpenedResult.objects.filter(search__topic__in=topics).values_list("search__topic", "document")
    proposed = Proposal.objects.filter(model__topic__in=topics).values_list("model__topic", "document")
    for source, rows in ((SEARCHERS, opened), (LEARNER, proposed)):
        for topic, document in rows.order_by().distinct():
            if known := tasks.get((topic, document)):
                found[topic][source] |= {known} & topics[topic]
    return found


def _pooled(topics: list[int]) -> Iterator[tuple[int, int, int, list[str]]]:
    """Yield topic, document, task and systems of the judged documents."""
    judged = Judgement.objects.filter(NOT_WITHDRAWN, task=OuterRef("task"), state=State.JUDGED)
    rows = Provenance.objects.filter(Exists(judged), task__topic__in=topics).annotate(
        names=Cast("systems", TextField())
    )
    # Many documents come from the same systems, so each list of names is parsed once.
    parsed: dict[str, list[str]] = {}
    for topic, document, task, names in rows.values_list("task__topic", "task__document", "task", "names"):
        if names not in parsed:
            parsed[names] = json.loads(names)
        yield topic, document, task, parsed[names]
