"""The form that draws documents for people. The domain function validates the number."""

from django import forms

from assess.models.rules import MOST_JUDGES
from assess.pools.samples.draw import MOST_SEED, MOST_TASKS
from assess.web.requests import RefusingForm

PER_TOPIC = 10


class DrawForm(RefusingForm):
    """How many documents of the pool of each topic are drawn."""

    per_topic = forms.IntegerField(
        label="Documents in each topic",
        min_value=1,
        max_value=MOST_TASKS,
        initial=PER_TOPIC,
        help_text="A larger number enlarges an earlier draw.",
    )
    seed = forms.IntegerField(
        label="Seed", required=False, min_value=0, max_value=MOST_SEED, help_text="Empty: that of the collection."
    )
    judges = forms.IntegerField(
        label="Assign to how many assessors each",
        required=False,
        min_value=1,
        max_value=MOST_JUDGES,
        help_text="Empty: the documents are assigned or claimed like the others.",
    )
