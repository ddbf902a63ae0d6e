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
LABELS = {
    "off_scale": ("A grade that is not on the scale", {"clip": "the nearest grade", "drop": "leave the line out"}),
    "duplicates": ("A document that occurs again with another grade", {}),
    "rounding": ("A fraction", {}),
    "decimals": ("A whole number written as 1.0", {"whole": "read as 1"}),
    "negative": ("A negative grade", {"not_judged": "not judged", "off_scale": "a grade that is not on the scale"}),
}
KIND_CHOICES = [("", "choose"), *ImportKind.choices]


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
        label="Precision of scores",
        help_text="float32 ties more scores, like trec_eval before version 10",
    )
    text_format = forms.ChoiceField(
        choices=[*TextFormat.choices, ("markdown", "Markdown")],
        required=False,
        label="Texts are",
        help_text="unless the file states it, as folders and WARC do",
    )
    too_complex = forms.ChoiceField(
        choices=[("refuse", "refuse the import"), ("text", "keep the words without markup")],
        required=False,
        label="HTML that is too complex to sanitise",
    )
    keep_all = forms.BooleanField(required=False, label="Also keep documents outside the pool")
    off_scale = forms.ChoiceField(required=False)
    duplicates = forms.ChoiceField(required=False)
    rounding = forms.ChoiceField(required=False)
    decimals = forms.ChoiceField(required=False)
    negative = forms.ChoiceField(required=False)
    mapping = forms.CharField(
        max_length=200, required=False, label="Replace grades", help_text="such as 1=2,2=3 or Relevant=1"
    )
    own_scale = forms.CharField(
        max_length=100, required=False, label="The judges' own grades", help_text="before they are replaced: 0,1"
    )
    judge_kind = forms.ChoiceField(
        choices=[("", "not stated"), *JudgeKind.choices], required=False, label="The judges are"
    )
    description = forms.CharField(
        max_length=500, required=False, label="Description", help_text="such as model, prompt and version"
    )

    GROUPS = {
        "runs": ("score_precision",),
        "documents": ("text_format", "too_complex", "keep_all"),
        "judgements": (*LABEL_OPTIONS, "mapping", "own_scale", "judge_kind", "description"),
    }

    def __init__(self, data: Mapping[str, Any] | None = None, initial: Mapping[str, Any] | None = None) -> None:
        from agreement.judge_files.options import CHOICES  # loads pandas

        super().__init__(data, initial=DEFAULTS | dict(initial or {}), auto_id="option_%s")
        for name, (label, words) in LABELS.items():
            field = cast("forms.ChoiceField", self.fields[name])
            first = "" if name == "rounding" else "error"
            others = [choice for choice in CHOICES[name] if choice != "error"]
            field.choices = [(first, "an error"), *((choice, words.get(choice, choice)) for choice in others)]
            field.label = label

    def values(self) -> dict[str, Any]:
        """Return all options, with defaults for those that were not sent."""
        cleaned = self.cleaned()
        return {name: cleaned[name] or default for name, default in DEFAULTS.items()}

    def groups(self, kinds: Sequence[str]) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields for the present kinds of files."""
        return [(kind, [self[name] for name in self.GROUPS[kind]]) for kind in kinds if kind in self.GROUPS]


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
