"""The state of the adaptive order in each topic. No assessor's page reads these tables."""

from django.db import models
from django.utils import timezone

from assess.models.collection import Document, Topic


class AdaptiveOrder(models.Model):
    """The strategy of one topic and its state.

    `rankings` are the runs' rankings of the topic and never change; `state` is small and written at every step. Both
    are bytes of `pooling.adaptive`. `rule` is the gold rule that combines several judges for the strategy. `caught_up`
    is the number of events of the topic that the state includes. Strategy `cal` has neither rankings nor a state, but
    models (`LearnerModel`).
    """

    topic = models.OneToOneField(Topic, models.CASCADE, primary_key=True, related_name="adaptive_order")
    strategy = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    rule = models.CharField(max_length=80)
    rankings = models.BinaryField()
    state = models.BinaryField()
    caught_up = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.topic_id} by {self.strategy}"


class LearnerModel(models.Model):
    """What strategy `cal` has learned in one topic, whose models are numbered from 1.

    `judged` lists the judged documents (primary key, and 1 if relevant or else 0) in the order of judging; it is null
    after an erasure of judgements. It determines the model, with `rule`, `parameters`, the words of the topic and the
    documents: `document_count` of them, with primary keys up to `last_document` and texts with `documents_hash`.
    `batch_size` is the number of judgements after which the next model is trained. `ranking` has the primary keys of
    the first documents in the order of the model, and `digest` is the hash of their doc_ids. `is_outdated` after a
    judge was withdrawn or restored: the next model is due.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="learner_models")
    version = models.PositiveIntegerField()
    rule = models.CharField(max_length=80)
    parameters = models.JSONField()
    query = models.TextField()
    judged = models.JSONField(null=True)
    n_judged = models.PositiveIntegerField()
    batch_size = models.PositiveIntegerField()
    document_count = models.PositiveIntegerField()
    last_document = models.PositiveBigIntegerField()
    documents_hash = models.CharField(max_length=64)
    ranking = models.JSONField()
    digest = models.CharField(max_length=64)
    is_outdated = models.BooleanField(default=False)
    trained_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["topic", "version"], name="learner_version_once"),
            models.CheckConstraint(condition=models.Q(batch_size__gte=1), name="learner_batch_not_empty"),
        )

    def __str__(self) -> str:
        return f"{self.topic_id} version {self.version}"


class Proposal(models.Model):
    """A document that an assessor got, or that entered the pool, because of a model.

    `position` is its index in the model's ranking, from 0. `entered_pool` if it was not in the pool before.
    """

    model = models.ForeignKey(LearnerModel, models.CASCADE, related_name="proposals", db_index=False)
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    entered_pool = models.BooleanField(default=False)
    proposed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["model", "document"], name="proposal_once"),)

    def __str__(self) -> str:
        return f"{self.document_id} by {self.model_id}"
