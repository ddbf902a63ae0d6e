"""The state of the learner for researchers: the latest model of each topic, and what was judged since, and the results
of its jobs in words."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Subquery

from assess.models import Collection, Judgement, LearnerModel, Proposal, Role, State
from assess.pools.learning.current import CAL
from assess.pools.samples.entered import reached_times
from pooling.words import count

ASSIGNED_ONLY = (
    "The collection is not open to claims, so cal orders only documents that are assigned. Open it to claims (the rule "
    "“Judges per task”) to let other documents enter the pool."
)


def begun_sentences(query_ids: list[str], documents: int, is_open: bool) -> list[str]:
    """Describe a `LearningResult` by its fields."""
    topics = count(len(query_ids), "topic")
    return [
        f"cal now orders the documents of {topics}. It proposes from {count(documents, 'document')}.",
        *([] if is_open else [ASSIGNED_ONLY]),
    ]


def trained_sentence(result: dict[str, Any]) -> str:
    """Describe a `TrainResult`."""
    if not result["version"]:
        return f"Topic {result['query_id']} needs no new model."
    judged = count(result["judged"], "judged document")
    return f"Version {result['version']} of the model of topic {result['query_id']} has learned from {judged}."


@dataclass(frozen=True)
class TopicState:
    """One topic. `entered` documents came into the pool because they were proposed.

    Judgements are regular ones of documents that the review has reached: it learns nothing from the rest of a sample.

    `judged_since` can be larger than the batch while the next model is trained, or if no worker runs, and negative
    after judgements were undone.
    """

    query_id: str
    version: int
    learned_from: int
    judged_since: int
    batch_size: int
    entered: int
    trained_at: datetime


def learner_state(collection: Collection) -> list[TopicState]:
    """Return the state of each topic whose documents a learner orders; empty without a learner."""
    of_topic = LearnerModel.objects.filter(topic=OuterRef("topic")).order_by("-version")
    models = LearnerModel.objects.filter(
        topic__collection=collection, topic__adaptive_order__strategy=CAL, pk=Subquery(of_topic.values("pk")[:1])
    )
    columns = ("topic", "topic__query_id", "version", "n_judged", "batch_size", "trained_at")
    rows = list(models.order_by("topic").values_list(*columns))
    if not rows:
        return []
    judged, entered = _judged([topic for topic, *_ in rows]), _entered(collection)
    return [
        TopicState(query_id, version, learned, judged.get(topic, 0) - learned, batch, entered.get(topic, 0), trained_at)
        for topic, query_id, version, learned, batch, trained_at in rows
    ]


def _judged(topics: list[int]) -> dict[int, int]:
    unreached = [task for task, at in reached_times(topics).items() if at is None]
    judgements = Judgement.objects.filter(
        task__topic__in=topics, repeat=0, state=State.JUDGED, member__role=Role.ASSESSOR
    ).exclude(task__in=unreached)
    counts = judgements.order_by().values("task__topic").annotate(n=Count("task", distinct=True))
    return dict(counts.values_list("task__topic", "n"))


def _entered(collection: Collection) -> dict[int, int]:
    proposals = Proposal.objects.filter(model__topic__collection=collection, entered_pool=True)
    counts = proposals.order_by().values("model__topic").annotate(n=Count("document", distinct=True))
    return dict(counts.values_list("model__topic", "n"))
