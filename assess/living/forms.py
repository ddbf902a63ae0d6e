"""The form of a top-up."""

from django import forms

from assess.lib.forms import RefusingForm
from assess.living.new_runs import DEPTH, MOST_DEPTH

MOST_JUDGES = 100


class TopUpForm(RefusingForm):
    """How deep, and by how many assessors."""

    depth = forms.IntegerField(label="Documents of each topic", min_value=1, max_value=MOST_DEPTH, initial=DEPTH)
    judges = forms.IntegerField(label="Assessors for each document", min_value=1, max_value=MOST_JUDGES)
    remind = forms.BooleanField(label="Send a reminder to the assessors", required=False)
