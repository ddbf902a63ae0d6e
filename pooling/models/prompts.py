"""Prompts: a system text and a user text with declared fields.

A field is a name in braces: `{title}`, `{description}` and `{narrative}` of the topic, `{guidelines}`, `{scale}`,
`{document}`, `{passage}` and `{examples}`. Other braces stay as they are, so that a prompt can show JSON. The texts are
split at their fields before any value is put in, so a value that contains `{title}` stays as it is.

Nothing of a run (system, rank, score) is a field, and only the listed fields of a topic are read.

Document, passage and examples are foreign text. They may stand in the user text only, each between delimiters that
`pooling.models.defang` removes from their inside. The other values are defanged too.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pooling.errors import shown
from pooling.formats.courses.pairs import encoded
from pooling.models.defang import defanged, delimited
from pooling.models.scale import Scale, scale_text, values_of

TOPIC_FIELDS = ("title", "description", "narrative")
FOREIGN_FIELDS = ("document", "passage", "examples")
FIELDS = (*TOPIC_FIELDS, "guidelines", "scale", *FOREIGN_FIELDS)
FORMS = ("json", "line")
SCALE_ORDERS = ("ascending", "descending")
MAX_PROMPT = 50_000  # characters of each text
MAX_CRITERIA = 20
RENDERING = 1  # counted up if the same prompt and values would give other messages
_BRACES = re.compile(r"\{([^{}\"\n]{1,80})\}")
_NAME = re.compile(r"[a-z][a-z_]{0,39}\Z")


class Example(NamedTuple):
    """A document with a known grade that a prompt shows. Its pair must be set aside from evaluation.

    Parameters
    ----------
    title : str
        The query.
    text : str
        The document.
    grade : int
        Its grade.

    Examples
    --------
    >>> from pooling.models import Example
    >>> Example("green tea", "Tea is made from leaves.", 1).grade
    1
    """

    title: str
    text: str
    grade: int


class Message(NamedTuple):
    """A part of a request to a model."""

    role: str
    content: str


@dataclass(frozen=True)
class Prompt:
    """A prompt. It is checked when it is made.

    Parameters
    ----------
    name : str
        What people call it.
    system, user : str
        The texts with fields. The user text has `{document}` or `{passage}`, and one of the fields of a topic.
    version : int
        Counted up by the author with each change, from 1.
    form : {"json", "line"}
        What the prompt asks for: a JSON object with `grade`, or a text whose last line is `Grade: 2`.
    criteria : tuple of str
        With "json": names of further grades that the object has before `grade`.
    scale_order : {"ascending", "descending"}
        Whether the text of the scale begins with the lowest or the highest grade. The form of the answer is the same.

    Raises
    ------
    ValueError
        If a field is unknown or missing, or stands where it must not.

    Examples
    --------
    >>> from pooling.models import Prompt
    >>> prompt = Prompt("short", "Grade the document. {scale}", "Query: {title}\\n{document}")
    >>> prompt.hash[:12], prompt.fields
    ('62bb27c32381', ('document', 'scale', 'title'))
    >>> Prompt("wrong", "", "{title} {rank} {document}")
    Traceback (most recent call last):
    ValueError: The prompt 'wrong' has the unknown field {rank}; allowed are {title}, {description}, {narrative}, \
{guidelines}, {scale}, {document}, {passage}, {examples}.
    """

    name: str
    system: str
    user: str
    version: int = 1
    form: str = "json"
    criteria: tuple[str, ...] = ()
    scale_order: str = SCALE_ORDERS[0]

    def __post_init__(self) -> None:
        for text in (self.system, self.user):
            if len(text) > MAX_PROMPT:
                raise ValueError(f"A text of a prompt must have at most {MAX_PROMPT:,} characters, not {len(text):,}.")
            for unknown in _unknown(text):
                allowed = ", ".join(f"{{{name}}}" for name in FIELDS)
                raise ValueError(
                    f"The prompt {shown(self.name)} has the unknown field {{{unknown}}}; allowed are {allowed}."
                )
        self._check_places()
        self._check_form()

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of both texts, by name."""
        return tuple(sorted({*_fields(self.system), *_fields(self.user)}))

    @property
    def hash(self) -> str:
        """The checksum of the texts, the form and the order of the scale, in hexadecimal digits."""
        content = [RENDERING, self.system, self.user, self.form, *self.criteria]
        content += ["scale descending"] if self.is_descending else []  # no criterion has this name
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    @property
    def is_descending(self) -> bool:
        """Whether the text of the scale begins with the highest grade."""
        return self.scale_order == SCALE_ORDERS[1]

    def record(self) -> dict[str, Any]:
        """Return what is kept with each grade."""
        return {"name": self.name, "version": self.version, "form": self.form, "hash": self.hash}

    def messages(
        self,
        scale: Scale,
        topic: Mapping[str, str],
        document: str,
        passage: str = "",
        guidelines: str = "",
        examples: Sequence[Example] = (),
    ) -> list[Message]:
        """Return the messages of a request.

        Parameters
        ----------
        scale : tuple of PoolGrade
            The scale, as `checked_scale` returns it.
        topic : mapping
            `title`, `description` and `narrative`; others are ignored.
        document, passage : str
            The text to judge, and a part of it.
        guidelines : str
            What people read.
        examples : sequence of Example
            Documents with known grades.
        """
        values = {name: defanged(str(topic.get(name) or "")) for name in TOPIC_FIELDS}
        listed = scale[::-1] if self.is_descending else scale
        values |= {"guidelines": defanged(guidelines), "scale": defanged(scale_text(listed))}
        values |= {"document": delimited("document", document), "passage": delimited("passage", passage)}
        values["examples"] = "\n".join(_example(example, self.form) for example in examples)
        fill = _filler({name: encoded(value).decode() for name, value in values.items()})
        texts = (("system", fill(self.system)), ("user", fill(self.user)))
        return [Message(role, text) for role, text in texts if text.strip()]

    def _check_places(self) -> None:
        if misplaced := sorted(set(_fields(self.system)).intersection(FOREIGN_FIELDS)):
            raise ValueError(
                f"The field {{{misplaced[0]}}} must stand in the user text of the prompt {shown(self.name)}, because "
                "foreign text must not come with the role of the system."
            )
        fields = self.fields
        if not {"document", "passage"}.intersection(fields):
            raise ValueError(f"The prompt {shown(self.name)} needs {{document}} or {{passage}} in its user text.")
        if not set(TOPIC_FIELDS).intersection(fields):
            raise ValueError(f"The prompt {shown(self.name)} needs {{title}}, {{description}} or {{narrative}}.")

    def _check_form(self) -> None:
        if self.form not in FORMS:
            raise ValueError(f"The form of a prompt must be 'json' or 'line', not {shown(self.form)}.")
        if self.scale_order not in SCALE_ORDERS:
            allowed = "'ascending' or 'descending'"
            raise ValueError(f"The scale of a prompt must be {allowed}, not {shown(self.scale_order)}.")
        names = self.criteria
        if self.form != "json" and names:
            raise ValueError("Criteria need the form 'json'.")
        if len(set(names)) < len(names) or len(names) > MAX_CRITERIA or "grade" in names:
            raise ValueError(f"Criteria must be at most {MAX_CRITERIA} different names, and none of them 'grade'.")
        if wrong := next((name for name in names if not _NAME.match(name)), None):
            raise ValueError(f"A criterion must be a name of small letters and underscores, not {shown(wrong)}.")
        if type(self.version) is not int or self.version < 1:
            raise ValueError(f"The version of a prompt must be an integer from 1, not {self.version!r}.")


def check_examples(prompt: Prompt, scale: Scale, examples: Sequence[Example]) -> None:
    """Raise ValueError if examples and prompt do not fit: examples without a field, a field without, an odd grade."""
    if bool(examples) != ("examples" in prompt.fields):
        have = (
            "has no field {examples} for the examples" if examples else "has the field {examples}, but there are none"
        )
        raise ValueError(f"The prompt {shown(prompt.name)} {have}.")
    for example in examples:
        if example.grade not in values_of(scale):
            raise ValueError(f"The grade {example.grade!r} of an example is not on the scale {values_of(scale)}.")


def grade_line(grade: int, form: str) -> str:
    """Return a grade as an answer in the form of a prompt.

    Examples
    --------
    >>> grade_line(2, "json"), grade_line(2, "line")
    ('{"grade": 2}', 'Grade: 2')
    """
    return json.dumps({"grade": grade}) if form == "json" else f"Grade: {grade}"


def answer_schema(prompt: Prompt, scale: Scale) -> dict[str, Any]:
    """Return the JSON schema of the answer: an object of grades, in which `grade` is last.

    Examples
    --------
    >>> from pooling.models.scale import checked_scale
    >>> prompt = Prompt("short", "", "{title} {document}")
    >>> answer_schema(prompt, checked_scale([(0,), (1,)]))["properties"]
    {'grade': {'type': 'integer', 'enum': [0, 1]}}
    """
    names = [*prompt.criteria, "grade"]
    grade = {"type": "integer", "enum": values_of(scale)}
    properties = {name: dict(grade) for name in names}
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def _example(example: Example, form: str) -> str:
    title = defanged(example.title)
    document = delimited("document", example.text)
    return f"<example>\nQuery: {title}\n{document}\n{grade_line(example.grade, form)}\n</example>"


def _filler(values: Mapping[str, str]) -> Callable[[str], str]:
    def fill(text: str) -> str:
        return _BRACES.sub(lambda match: values.get(match[1], match[0]), text)

    return fill


def _fields(text: str) -> Iterator[str]:
    return (match[1] for match in _BRACES.finditer(text) if match[1] in FIELDS)


def _unknown(text: str) -> Iterable[str]:
    """Yield what looks like a field and is none: braces with a letter in them, but no quotation marks as in JSON."""
    return (
        match[1]
        for match in _BRACES.finditer(text)
        if match[1] not in FIELDS and any(letter.isalpha() for letter in match[1])
    )
