"""The forms of the import page. Domain functions check what the values mean."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms

from agreement.cli.options import parse_columns
from assess.errors import Refused
from assess.models import ImportKind, Upload
from assess.transfer.kinds import KINDS, OPTIONS
from assess.transfer.options import Option
from assess.transfer.uploads.data_set import PARTS
from assess.transfer.uploads.receive import MAX_PASTED
from assess.transfer.uploads.server_path import MAX_PATH
from assess.web.requests import RefusingForm
from pooling.formats.fields import OTHER_NAMES

MAX_NAME = 255
RECORDED_AS = {"format": "text_format"}  # the names of options in the records of imports, if they differ
KIND_CHOICES = [("", "choose"), *ImportKind.choices]
COLUMN_LABELS = {
    "assessor": "Column of the judge",
    "query_id": "Column of the topic",
    "doc_id": "Column of the document",
    "relevance": "Column of the grade",
}
PART_CHOICES = [choice for choice in ImportKind.choices if choice[0] in PARTS]  # of data sets


class PasteForm(RefusingForm):
    """Pasted text and its name."""

    name = forms.CharField(max_length=MAX_NAME, required=False, label="Name")
    text = forms.CharField(max_length=MAX_PASTED, strip=False, widget=forms.Textarea, label="Text")


class PathForm(RefusingForm):
    """A file on the server."""

    path = forms.CharField(max_length=MAX_PATH, strip=False, label="Path")


class OptionsForm(RefusingForm):
    """The options that the kinds of imports declare; those of absent kinds keep their defaults."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        people: Sequence[tuple[int, str]] = (),
        headers: Sequence[str] = (),
    ) -> None:
        values = {name: option.default for name, option in OPTIONS.items()} | dict(initial or {})
        if isinstance(chosen := values["columns"], dict):
            values |= {"columns": ""} | {f"column_{name}": column for name, column in chosen.items()}
        super().__init__(data, initial=values, auto_id="option_%s")
        self.has_people = bool(people)
        self.fields |= {name: _field(option, people) for name, option in OPTIONS.items()}
        self.columns = [f"column_{name}" for name in OTHER_NAMES] if headers else []
        self.fields |= {f"column_{name}": _column_field(name, headers) for name in OTHER_NAMES if headers}

    def values(self) -> dict[str, Any]:
        """Return all options, with defaults for those that were not sent. Refuse values outside the choices."""
        cleaned = self.cleaned()
        values = {name: cleaned[name] or option.default for name, option in OPTIONS.items()}
        chosen = {name.removeprefix("column_"): cleaned[name] for name in self.columns if cleaned[name]}
        if chosen:
            values["columns"] = chosen | (parse_columns(values["columns"]) if values["columns"] else {})
        for name, option in OPTIONS.items():
            option.check(values[name])
        return values

    def groups(self, kinds: Sequence[str]) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields for the present kinds of files."""
        named = [(kind, KINDS[kind].options.declared()) for kind in kinds]
        return [
            (
                kind,
                [self[name] for name in (*options, *self._columns_of(kind)) if name != "as_members" or self.has_people],
            )
            for kind, options in named
            if options
        ]

    def _columns_of(self, kind: str) -> list[str]:
        return self.columns if kind == ImportKind.JUDGEMENTS else []


def _column_field(name: str, headers: Sequence[str]) -> forms.Field:
    """Return the field that says which column of the uploaded tables is the judge, topic, document or grade."""
    choices = [("", "as recognised"), *((header, header) for header in headers)]
    return forms.ChoiceField(choices=choices, required=False, label=COLUMN_LABELS[name])


def _field(option: Option, people: Sequence[tuple[int, str]]) -> forms.Field:
    """Return the field of an option. Its choices are not checked here, because all refuse them with one sentence."""
    words: dict[str, Any] = {"required": False, "label": option.label, "help_text": option.help}
    if option.default is False:
        return forms.BooleanField(**words)
    if option.default == ():  # members
        return forms.TypedMultipleChoiceField(coerce=int, choices=people, widget=forms.CheckboxSelectMultiple, **words)
    if option.choices:
        return forms.CharField(widget=forms.Select(choices=list(option.choices.items())), **words)
    return forms.CharField(max_length=option.max_length, **words)


class Question(NamedTuple):
    """A question about files: the option that answers it, its label, a sentence for each file, and the answers."""

    option: str
    label: str
    files: Sequence[str]
    choices: Sequence[Mapping[str, str]]


def questions_of(result: Mapping[str, Any]) -> list[Question]:
    """Return the questions that a check left open."""
    return [
        Question(each["option"], OPTIONS[each["option"]].label, each["files"], each["choices"])
        for each in result.get("questions", [])
    ]


def other_options(options: Mapping[str, Any], questions: Sequence[Question]) -> list[tuple[str, Any]]:
    """Return the options of a check that no question is about, as fields of a form with the answers."""
    asked = {question.option for question in questions}
    values = [(name, value) for name, value in options.items() if name not in asked and value]
    return [(name, each) for name, value in values for each in (value if isinstance(value, list) else [value])]


class DataSetForm(RefusingForm):
    """A data set of ir-datasets, and what to import of it."""

    data_set = forms.CharField(max_length=200, label="Data set")
    kinds = forms.MultipleChoiceField(choices=PART_CHOICES, required=False, label="Import")


def describe_options(options: Mapping[str, Any]) -> list[str]:
    """Return the options of a recorded import with the labels of the form."""
    return [_describe(OPTIONS.get(RECORDED_AS.get(name, name)), name, value) for name, value in options.items()]


def _describe(option: Option | None, name: str, value: Any) -> str:
    if option is None:
        return f"{name}: {value}"
    if option.default is False:
        return f"{option.label}: {'yes' if value else 'no'}"
    return f"{option.label}: {option.choices.get(value, value)}"


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
