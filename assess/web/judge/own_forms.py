"""What the assessor's own pages are asked for. A value that is not allowed is refused by name, not passed over."""

from django import forms

from assess.errors import Refused
from assess.judging.history import SHOWN, STATES, JudgementFilter, topics

LONGEST_SEARCH = 200


class WantedForm(forms.Form):
    """Which of the own judgements to list."""

    topic = forms.ModelChoiceField(None, required=False, empty_label="all topics")
    state = forms.ChoiceField(
        label="Said", required=False, choices=[("", "all"), *((state.value, STATES[state]) for state in SHOWN)]
    )
    grade = forms.ChoiceField(required=False)
    q = forms.CharField(label="Words in title, id or comment", required=False, max_length=LONGEST_SEARCH)

    def __init__(self, member, grades, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["topic"].queryset = topics(member)
        self.fields["topic"].label_from_instance = lambda topic: f"{topic.query_id} {topic.title}"[:60]
        self.fields["grade"].choices = [
            ("", "all"),
            *((grade.value, f"{grade.value} {grade.name}") for grade in grades),
        ]
        if member.collection.hide_doc_ids:
            self.fields["q"].label = "Words in title or comment"
        self.fields["q"].widget.input_type = "search"

    def wanted(self) -> JudgementFilter:
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{name}={self.data[name][:40]}: {problem}")
        asked = self.cleaned_data
        return JudgementFilter(
            topic=asked["topic"].pk if asked["topic"] else None,
            state=asked["state"],
            grade=int(asked["grade"]) if asked["grade"] else None,
            text=asked["q"],
        )


class ExitForm(forms.Form):
    """The answer to the question at the end of a topic; its rules are in `assess.judging.topic_feedback`."""

    difficulty = forms.IntegerField(required=False)
    comment = forms.CharField(required=False)
    earlier = forms.BooleanField(required=False)

    def told(self) -> dict:
        if not self.is_valid():
            name, (problem, *_) = next(iter(self.errors.items()))
            raise Refused(f"{name}: {problem}")
        return self.cleaned_data
