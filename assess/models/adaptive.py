"""The state of the adaptive order in each topic. No assessor's page reads this table."""

from django.db import models

from assess.models.collection import Topic


class AdaptiveOrder(models.Model):
    """The strategy of one topic and its state.

    `rankings` are the runs' rankings of the topic and never change; `state` is small and written at every step. Both
    are bytes of `pooling.adaptive`. `rule` is the gold rule that combines several judges for the strategy. `caught_up`
    is the number of events of the topic that the state includes.
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
