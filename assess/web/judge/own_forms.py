"""The forms of the assessor's own pages. An invalid value is refused, not ignored."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.utils.text import Truncator

from assess.errors import Refused
from assess.judging.history import SHOWN, STATES, JudgementFilter, topics
from assess.lib.forms import RefusingForm
from assess.models import Grade, Member, Topic

MAX_SEARCH_LENGTH = 200
MAX_TITLE_LENGTH = 60


class JudgementFilterForm(forms.Form):
    """Which of the assessor's judgements to list."""

    topic = forms.ModelChoiceField(Topic.objects.none(), required=False, empty_label="all topics")
    state = forms.ChoiceField(
        label="Judgement", required=False, choices=[("", "all"), *((state.value, STATES[state]) for state in SHOWN)]
    )
    grade = forms.ChoiceField(required=False)
    q = forms.CharField(label="Words in title, id or comment", required=False, max_length=MAX_SEARCH_LENGTH)

    def __init__(self, member: Member, grades: Iterable[Grade], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        topic_field = cast("forms.ModelChoiceField[Topic]", self.fields["topic"])
        topic_field.queryset = topics(member)
        topic_field.label_from_instance = _topic_label  # type: ignore[assignment,method-assign]
        cast("forms.ChoiceField", self.fields["grade"]).choices = [
            ("", "all"),
            *((grade.value, f"{grade.value} {grade.name}") for grade in grades),
        ]
        if member.collection.hide_doc_ids:
            self.fields["q"].label = "Words in title or comment"
        cast("forms.TextInput", self.fields["q"].widget).input_type = "search"

    def judgement_filter(self) -> JudgementFilter:
        """Return the filter, or raise Refused with the first error."""
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{name}={self.data[name][:40]}: {problem}")
        values = self.cleaned_data
        return JudgementFilter(
            topic=values["topic"].pk if values["topic"] else None,
            state=values["state"],
            grade=int(values["grade"]) if values["grade"] else None,
            text=values["q"],
        )


def _topic_label(topic: Topic) -> str:
    return Truncator(f"{topic.query_id} {topic.title}").chars(MAX_TITLE_LENGTH)


class TopicFeedbackForm(RefusingForm):
    """The answer to the question at the end of a topic. `assess.judging.topics.feedback` validates it."""

    difficulty = forms.IntegerField(required=False)
    comment = forms.CharField(required=False)
    earlier = forms.BooleanField(required=False)
