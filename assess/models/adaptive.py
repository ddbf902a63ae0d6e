"""Where an adaptive order stands in a topic. A table of its own, that no assessor's page reads."""

from django.db import models

from assess.models.collection import Topic


class AdaptiveOrder(models.Model):
    """`rankings` are the runs' lists of the topic and never change; `state` is small and written at every step.

    Both are bytes of `pooling.adaptive`; `rule` names the gold rule that feeds the strategy where several judge.
    `caught_up` is the number of the topic's events that the state has learnt from: where it is the number that there
    are, there is nothing to catch up with.
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
