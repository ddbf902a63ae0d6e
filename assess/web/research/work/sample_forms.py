"""The forms of the pages on when to stop and on samples. Domain modules validate the values."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms

from assess.models import SampledFrom
from assess.models.rules import MOST_JUDGES
from assess.pools.samples.draw import MOST_SEED, MOST_TASKS
from assess.web.requests import RefusingForm
from assess.web.research.work.forms import DEFAULT_PACE
from assess.work.preview import MAX_PACE
from assess.work.sample_rules import MOST_TARGET, Goal

STEP = forms.NumberInput(attrs={"step": "any"})
DEFAULT_SIZE = 100
POPULATIONS = ((SampledFrom.COLLECTION, "all documents with a text"), (SampledFrom.POOL, "the pool of the topic"))


class GoalForm(RefusingForm):
    """What the stopping rules must reach. An empty field has its default."""

    recall = forms.FloatField(label="Recall", required=False, widget=STEP, help_text="For the quantile bound.")
    confidence = forms.FloatField(label="Confidence", required=False, widget=STEP)
    target = forms.IntegerField(
        label="Target",
        required=False,
        min_value=1,
        max_value=MOST_TARGET,
        help_text="Relevant documents in the sample, for the target method.",
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__({**vars(Goal()), **{name: value for name, value in data.items() if value}}, auto_id="goal_%s")

    def goal(self) -> Goal:
        """Return the goal, or raise Refused."""
        return Goal(**self.cleaned())


def goal_query(goal: Goal) -> dict[str, str]:
    """Return the parameters of an address that lead to this goal; those of the defaults are left out."""
    defaults = vars(Goal())
    return {name: f"{value:g}" for name, value in vars(goal).items() if value != defaults[name]}


class SampleForm(RefusingForm):
    """A sample to draw. `arguments()` returns those of `draw_sample`."""

    size = forms.IntegerField(
        label="Documents for each topic",
        min_value=1,
        max_value=MOST_TASKS,
        initial=DEFAULT_SIZE,
        help_text="A larger number enlarges an existing sample.",
    )
    population = forms.ChoiceField(label="Drawn from", choices=POPULATIONS, initial=SampledFrom.COLLECTION)
    topics = forms.CharField(
        label="Topics",
        required=False,
        max_length=100_000,
        help_text="Their ids, separated by spaces. Empty: all topics.",
    )
    seed = forms.IntegerField(
        label="Seed",
        required=False,
        min_value=0,
        max_value=MOST_SEED,
        help_text="Decides the random order. Empty: that of the sample or the collection.",
    )
    pace = forms.FloatField(
        label="Documents an hour",
        min_value=0.01,
        max_value=MAX_PACE,
        widget=STEP,
        help_text="Only for the hours in the preview.",
    )
    judges = forms.IntegerField(
        label="Assessors for each document",
        min_value=1,
        max_value=MOST_JUDGES,
        help_text="Only for the hours in the preview.",
    )

    def __init__(self, pace: float | None, judges: int | None, data: Mapping[str, Any] | None = None) -> None:
        initial = {"pace": min(round(pace or DEFAULT_PACE), MAX_PACE), "judges": judges or 1}
        super().__init__(data, initial=initial, auto_id="sample_%s")

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `draw_sample` but the user, or raise Refused with the first error."""
        values = self.cleaned()
        return {
            "size": values["size"],
            "population": values["population"],
            "query_ids": values["topics"].split(),
            "seed": values["seed"],
        }


def sample_query(size: int, query_id: str, population: str = SampledFrom.COLLECTION) -> str:
    """Return the query string that fills in the form."""
    return urlencode({"size": size, "topics": query_id, "population": population})
