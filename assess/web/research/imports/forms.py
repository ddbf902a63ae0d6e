"""The forms of the import page. Domain functions check what the values mean."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms

from assess.errors import Refused
from assess.lib.forms import RefusingForm
from assess.models import ImportKind, JudgeKind, Run, TextFormat, Upload
from assess.transfer.uploads.options import DEFAULTS, LABEL_OPTIONS
from assess.transfer.uploads.receive import MAX_PASTED
from assess.transfer.uploads.server_path import MAX_PATH

MAX_NAME = 255
MAX_PATTERN = 100
LABELS = {  # of options for irregular labels: label, help, and words for the values
    "off_scale": (
        "Off scale",
        "a grade that is not on the collection's scale",
        {"clip": "clip: use the nearest grade", "drop": "drop: leave the line out"},
    ),
    "duplicates": ("Duplicates", "a document that occurs again in a topic with another grade", {}),
    "rounding": (
        "Rounding",
        "a fraction such as 1.5",
        {"half_up": "half up: 1.5 becomes 2", "up": "up: 1.2 becomes 2", "down": "down: 1.8 becomes 1"},
    ),
    "decimals": ("Decimals", "a whole number written as 1.0", {"whole": "whole: read as 1"}),
    "negative": (
        "Negative",
        "a grade below 0",
        {"not_judged": "not judged: leave the line out", "off_scale": "off scale: like other grades off the scale"},
    ),
}
RECORDED_AS = {"format": "text_format"}  # the names of options in the records of imports, if they differ
KIND_CHOICES = [("", "choose"), *ImportKind.choices]
PART_CHOICES = [choice for choice in ImportKind.choices if choice[0] != ImportKind.RUNS]  # of data sets


class PasteForm(RefusingForm):
    """Pasted text and its name."""

    name = forms.CharField(max_length=MAX_NAME, required=False, label="Name")
    text = forms.CharField(max_length=MAX_PASTED, strip=False, widget=forms.Textarea, label="Text")


class PathForm(RefusingForm):
    """A file on the server."""

    path = forms.CharField(max_length=MAX_PATH, strip=False, label="Path")


class OptionsForm(RefusingForm):
    """The options of an import; those of absent kinds keep their defaults."""

    score_precision = forms.ChoiceField(
        choices=Run.Precision.choices,
        required=False,
        label="Score precision",
        help_text="float32 ties more scores, like trec_eval before version 10",
    )
    system_pattern = forms.CharField(
        max_length=MAX_PATTERN,
        required=False,
        label="Name pattern",
        help_text="where the system is in the names of the files, such as {system}.run.gz; * is any text",
    )
    text_format = forms.ChoiceField(
        choices=[*TextFormat.choices, ("markdown", "Markdown")],
        required=False,
        label="Text format",
        help_text="unless the file states it, as folders and WARC do",
    )
    too_complex = forms.ChoiceField(
        choices=[("refuse", "refuse the import"), ("text", "keep the words without markup")],
        required=False,
        label="Too complex",
        help_text="HTML that cannot be sanitised within the limits of time and memory",
    )
    keep_all = forms.BooleanField(required=False, label="Also keep documents outside the pool")
    off_scale = forms.ChoiceField(required=False)
    duplicates = forms.ChoiceField(required=False)
    rounding = forms.ChoiceField(required=False)
    decimals = forms.ChoiceField(required=False)
    negative = forms.ChoiceField(required=False)
    mapping = forms.CharField(
        max_length=200, required=False, label="Map grades", help_text="such as 1=2,2=3 or Relevant=1"
    )
    own_scale = forms.CharField(
        max_length=100,
        required=False,
        label="Own scale",
        help_text="the judges' grades before they are mapped, such as 0,1",
    )
    name_pattern = forms.CharField(
        max_length=MAX_PATTERN,
        required=False,
        label="Name pattern",
        help_text="where the judge is in the names of the files, such as {judge}.umbrela.txt; * is any text",
    )
    judge_kind = forms.ChoiceField(
        choices=[("", "not stated"), *JudgeKind.choices], required=False, label="Kind", help_text="what the judges are"
    )
    description = forms.CharField(
        max_length=500,
        required=False,
        label="Description",
        help_text="of the judges, such as model, prompt and version",
    )
    as_members = forms.TypedMultipleChoiceField(
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="As member",
        help_text="whose judgements these are, if they are those of people in this collection. A single file becomes "
        "theirs; with several files, the names of the judges must be theirs.",
    )

    GROUPS = {
        "runs": ("score_precision", "system_pattern"),
        "documents": ("text_format", "too_complex", "keep_all"),
        "judgements": (
            *LABEL_OPTIONS,
            "mapping",
            "own_scale",
            "name_pattern",
            "judge_kind",
            "description",
            "as_members",
        ),
    }

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        people: Sequence[tuple[int, str]] = (),
    ) -> None:
        from agreement.judge_files.options import CHOICES  # loads pandas

        super().__init__(data, initial=DEFAULTS | dict(initial or {}), auto_id="option_%s")
        cast("forms.TypedMultipleChoiceField", self.fields["as_members"]).choices = people
        for name, (label, help_text, words) in LABELS.items():
            field = cast("forms.ChoiceField", self.fields[name])
            first = "" if name == "rounding" else "error"
            others = [choice for choice in CHOICES[name] if choice != "error"]
            field.choices = [(first, "refuse"), *((choice, words.get(choice, choice)) for choice in others)]
            field.label, field.help_text = label, help_text

    def values(self) -> dict[str, Any]:
        """Return all options, with defaults for those that were not sent."""
        cleaned = self.cleaned()
        return {name: cleaned[name] or default for name, default in DEFAULTS.items()}

    def groups(self, kinds: Sequence[str]) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields for the present kinds of files."""
        has_people = bool(cast("forms.TypedMultipleChoiceField", self.fields["as_members"]).choices)
        return [
            (kind, [self[name] for name in self.GROUPS[kind] if name != "as_members" or has_people])
            for kind in kinds
            if kind in self.GROUPS
        ]


class DataSetForm(RefusingForm):
    """A data set of ir-datasets, and what to import of it."""

    data_set = forms.CharField(max_length=200, label="Data set")
    kinds = forms.MultipleChoiceField(choices=PART_CHOICES, required=False, label="Import")


def describe_options(options: Mapping[str, Any]) -> list[str]:
    """Return the options of a recorded import with the labels of the form."""
    fields = OptionsForm().fields
    return [_describe(fields.get(RECORDED_AS.get(name, name)), name, value) for name, value in options.items()]


def _describe(field: forms.Field | None, name: str, value: Any) -> str:
    if isinstance(field, forms.BooleanField):
        return f"{field.label}: {'yes' if value else 'no'}"
    words = dict(cast("Any", field.choices)) if isinstance(field, forms.ChoiceField) else {}
    return f"{field.label if field else name}: {words.get(value, value)}"


def corrections(data: Mapping[str, str], uploads: Sequence[Upload]) -> dict[int, tuple[str, str]]:
    """Return what the user says about each file: its kind, and the name of its system or judge."""
    result = {}
    for upload in uploads:
        kind = data.get(f"kind_{upload.pk}", upload.kind)
        name = data.get(f"name_{upload.pk}", upload.given_name).strip()
        if kind not in ("", *ImportKind.values):
            raise Refused(f"{kind[:80]!r} is not a kind of file: {', '.join(ImportKind.values)}.")
        if len(name) > MAX_NAME or not name.isprintable():
            raise Refused(f"{name[:80]!r} is not a name of at most {MAX_NAME} printable characters.")
        result[upload.pk] = kind, name
    return result
