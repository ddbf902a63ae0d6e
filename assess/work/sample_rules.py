"""What the random sample of a topic says: recall with an interval, the quantile bound QBCB, and the target method.

The review is all judging but that of the sample (`assess.pools.samples.entered`), in the order of judging. A document
of the sample that the review would have judged later has the place where the review reached it. Recall is that of the
review. The relevant documents are those of `TopicGain`.

A document that nobody could judge counts as not relevant. Recall and the quantile bound use the documents that were
drawn before anything of the sample was judged, because the size of their sample must be fixed before. The target method
draws until it has enough, so it uses all, as far as they are judged without a gap.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil
from typing import TYPE_CHECKING

from assess.errors import Refused
from assess.models import Collection, State
from assess.pools.samples.drawn import DrawnSample, samples_of
from assess.pools.samples.entered import reached_times
from assess.work.stopping import TopicGain, first_judged, judgements_of_people
from pooling.words import count

if TYPE_CHECKING:
    from pooling import RecallEstimate, StoppingRule

MOST_TARGET = 1_000


@dataclass(frozen=True)
class Goal:
    """What the rules must reach: recall with a confidence, and the relevant documents of the target method."""

    recall: float = 0.8
    confidence: float = 0.95
    target: int = 10

    def __post_init__(self) -> None:
        for name in ("recall", "confidence"):
            if not 0 < getattr(self, name) < 1:
                raise Refused(f"{name} must be between 0 and 1, without these, not {getattr(self, name):g}.")
        if not 1 <= self.target <= MOST_TARGET:
            raise Refused(f"target must be between 1 and {MOST_TARGET:,}, not {self.target}.")


@dataclass(frozen=True)
class SampleFigures:
    """The figures of one topic. `n_judged`, `n_not_judgeable` and `n_relevant` count documents of the sample.

    `n_reached` of the relevant ones were reached by the review, which has `n_review` documents. `n_missing` relevant
    documents are missing for the target method although the whole sample is judged.
    """

    sample: DrawnSample
    n_judged: int
    n_not_judgeable: int
    n_relevant: int
    n_reached: int
    n_review: int
    n_missing: int
    recall: "RecallEstimate"
    quantile: "StoppingRule"
    target: "StoppingRule"

    @property
    def n_open(self) -> int:
        """The documents of the sample without an answer."""
        return self.sample.size - self.n_judged - self.n_not_judgeable

    @property
    def size_for_target(self) -> int:
        """The size of a sample that has the missing relevant documents on average, at most all documents."""
        more = ceil(self.n_missing * self.sample.size / max(self.n_relevant, 1))
        return min(self.sample.size + more, self.sample.population_size)


@dataclass(frozen=True)
class SampleAdvice:
    """What a sample of a topic needs for the quantile bound: at least `relevant_needed` relevant documents.

    A sample of `size` documents has them with a probability of 95 % if only the relevant documents found so far exist,
    and more probably if there are more. `size` is None if these are too few. The population has `documents`.
    """

    relevant_needed: int
    size: int | None
    documents: int


def sample_advice(gain: TopicGain, goal: Goal) -> SampleAdvice:
    """Return what a sample of the whole collection needs."""
    from pooling.stopping.quantile_bound import sample_needed, sample_size_needed  # loads pandas

    documents = gain.topic.collection.documents.filter(content__isnull=False).count()
    found = min(gain.n_relevant, documents)
    size = sample_size_needed(documents, found, recall=goal.recall, confidence=goal.confidence)
    return SampleAdvice(sample_needed(goal.recall, goal.confidence), size, documents)


def sample_figures(collection: Collection, gains: Sequence[TopicGain], goal: Goal) -> dict[int, SampleFigures]:
    """Return the figures of each topic that has a sample, by the topic's key. The number of queries is constant."""
    samples = samples_of([gain.topic for gain in gains])
    if not samples:
        return {}
    reached, judged_at = reached_times(list(samples)), first_judged(collection, samples)
    refused = judgements_of_people(collection).filter(task__sampled__isnull=False, state=State.CANNOT_JUDGE)
    not_judgeable = set(refused.values_list("task", flat=True))
    return {
        gain.topic.pk: _figures(
            gain, samples[gain.topic.pk], review_order(gain, reached, judged_at), not_judgeable, goal
        )
        for gain in gains
        if gain.topic.pk in samples
    }


def _figures(gain: TopicGain, sample: DrawnSample, review: list[int], refused: set[int], goal: Goal) -> SampleFigures:
    judged, relevant = {each.task for each in gain.judged}, gain.relevant_tasks
    not_judgeable = (refused & set(sample.tasks)) - judged
    is_open = [task not in judged and task not in not_judgeable for task in sample.tasks]
    recall, quantile, target = _rules(sample, is_open, review, relevant, goal)
    n_relevant = sum(task in relevant for task in sample.tasks)
    return SampleFigures(
        sample=sample,
        n_judged=sum(task in judged for task in sample.tasks),
        n_not_judgeable=len(not_judgeable),
        n_relevant=n_relevant,
        n_reached=len(relevant.intersection(sample.tasks, review)),
        n_review=len(review),
        n_missing=0 if any(is_open) else max(goal.target - n_relevant, 0),
        recall=recall,
        quantile=quantile,
        target=target,
    )


def _rules(
    sample: DrawnSample, is_open: list[bool], review: list[int], relevant: set[int], goal: Goal
) -> "tuple[RecallEstimate, StoppingRule, StoppingRule]":
    """Return the library's figures; undefined as long as they wait for judgements of the sample."""
    from pooling import quantile_bound, sampled_recall, target_method

    fixed = sample.tasks[: sample.fixed_size]
    without_gap = sample.tasks[: is_open.index(True) if any(is_open) else None]
    found = relevant.intersection(fixed)
    recall = sampled_recall(len(found), len(found.intersection(review)), confidence=goal.confidence)
    order, known = list(map(str, review)), set(map(str, relevant))
    quantile = quantile_bound(map(str, fixed), order, known, recall=goal.recall, confidence=goal.confidence)
    target = target_method(map(str, without_gap), order, known, target=goal.target, confidence=goal.confidence)
    if n_open := sum(is_open[: sample.fixed_size]):
        recall = replace(recall, value=None, low=None, high=None, status="undefined", reason=_open_reason(n_open))
        quantile = _undefined(quantile, n_open)
    if target.n_needed is None and any(is_open):
        target = _undefined(target, sum(is_open))
    return recall, quantile, target


def _undefined(rule: "StoppingRule", n_open: int) -> "StoppingRule":
    reason = _open_reason(n_open)
    return replace(rule, n_needed=None, stop_after=None, n_judged=None, status="undefined", reason=reason)


def _open_reason(n_open: int) -> str:
    return f"{count(n_open, 'document')} of the sample {'is' if n_open == 1 else 'are'} not judged yet"


def review_order(
    gain: TopicGain, reached: Mapping[int, datetime | None], judged_at: Mapping[int, datetime]
) -> list[int]:
    """Return the judged tasks that the review has reached, in its order.

    `reached` says when it reached those that a sample brought into the pool (None: not). The others are reached when
    they are judged, which `judged_at` says.
    """
    places = []
    for number, each in enumerate(gain.judged):
        judged = judged_at.get(each.task)
        at = reached.get(each.task, judged)
        if at is not None and judged is not None:  # not if it was judged between the two queries
            places.append((max(at, judged), number, each.task))
    return [task for _, _, task in sorted(places)]
