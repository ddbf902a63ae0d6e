"""The form of a judgement's request. `assess.judging.judgement_input` validates the judgement itself."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from assess.documents.display import passage_text
from assess.errors import Refused
from assess.judging import worklist
from assess.judging.judgement_csv import PASSAGES
from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.models import Assignment, Member, State, TextFormat
from assess.web.requests import RefusingForm

REQUEST_FIELDS = ("client_id", "member", "seen_version", "suggestion", "passage_text")  # not part of the JudgementInput
MOST_ID_CHARACTERS = 20_000  # more ids than an answer can have


class SharedFields(dict[str, forms.Field]):
    """Fields that no form modifies. Django copies a form's fields for every request; this avoids the copies."""

    def __deepcopy__(self, _memo: object) -> "SharedFields":
        return self


class JudgementForm(RefusingForm):
    """A judgement, as the plain form and the page's script send it.

    Without a state, a grade means judged, and a reason means cannot judge.
    """

    client_id = forms.UUIDField()
    member = forms.IntegerField()
    seen_version = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    suggestion = forms.UUIDField(required=False)
    state = forms.CharField(max_length=12, required=False)
    relevance = forms.IntegerField(required=False)
    reason = forms.CharField(max_length=12, required=False)
    comment = forms.CharField(required=False)
    confidence = forms.IntegerField(required=False)
    passages = forms.CharField(required=False)
    passage_text = forms.CharField(required=False, max_length=20_000)
    active_ms = forms.IntegerField(required=False)
    away_ms = forms.IntegerField(required=False)
    highlights = forms.NullBooleanField(required=False)
    input = forms.CharField(max_length=7, required=False)
    guidelines_version = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    marginal = forms.CharField(max_length=7, required=False)
    repeats = forms.CharField(required=False)

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        # Optional fields that were not sent keep the defaults of JudgementInput, and need no validation.
        self.fields = {name: field for name, field in self.fields.items() if field.required or name in data}

    def clean_comment(self) -> str:
        # Browsers send a line end as two characters, but the page counts it as one.
        comment: str = self.cleaned_data["comment"]
        return comment.replace("\r\n", "\n")

    def clean_passages(self) -> list[list[int]]:
        # Match the shape first: the JSON parser would recurse as deeply as a hostile request nests brackets.
        text = self.cleaned_data["passages"]
        if text in ("", "[]"):
            return []
        if not PASSAGES.fullmatch(text):
            raise ValidationError(f"{text[:40]!r} is not a list of [start, end) spans such as [[0,12]].")
        spans: list[list[int]] = json.loads(text)
        return spans

    def clean_repeats(self) -> tuple[UUID, ...]:
        """Read the ids as the script sends them, a JSON array, or as the plain form does, one value for each."""
        values = self.data.getlist("repeats") if isinstance(self.data, QueryDict) else [self.data["repeats"]]
        ids = ",".join(values)[:MOST_ID_CHARACTERS].replace('"', "").strip("[]").split(",")
        try:
            return tuple(dict.fromkeys(UUID(each) for each in ids if each))
        except ValueError:
            raise ValidationError(f"{values[-1][:40]!r} is not the id of a document.") from None

    @property
    def pasted(self) -> str | None:
        """The text of a passage, which the plain form asks for. The page's script never sends it."""
        return self.cleaned_data["passage_text"] if "passage_text" in self.data else None

    def refilled_values(self) -> dict[str, Any]:
        """Return the valid values of a refused form, to fill in the page's form again."""
        self.is_valid()
        names = ("relevance", "reason", "comment", "confidence")
        return {
            name: self.cleaned_data.get(name, getattr(JudgementInput, name))
            for name in names
            if name not in self.errors
        }

    def judgement_input(self) -> JudgementInput:
        """Return the judgement, or raise Refused with the first error."""
        values = {name: value for name, value in self.cleaned().items() if name not in REQUEST_FIELDS}
        values["state"] = values.get("state") or (State.CANNOT_JUDGE if values.get("reason") else State.JUDGED)
        # Clamp the times instead of refusing them: a timer that ran overnight must not cost a grade.
        for name in ("active_ms", "away_ms"):
            values[name] = min(max(values.get(name) or 0, 0), LONGEST_MS)
        return JudgementInput(**values)


JudgementForm.base_fields = SharedFields(JudgementForm.base_fields)


def with_pasted(judgement_input: JudgementInput, member: Member, task: UUID, words: str | None) -> JudgementInput:
    """Add the passage that an assessor without JavaScript pasted. If `words` is None, nothing changes.

    Offsets are the same as on the page: characters of the displayed text. For HTML these are all text nodes,
    concatenated.

    Raises Refused if the text does not contain the words, Assignment.DoesNotExist if the assessor does not have the
    task.
    """
    if words is None or member.collection.closed_because:
        return judgement_input
    card = worklist.full_text(member, task)
    if card is None:
        raise Assignment.DoesNotExist
    return replace(
        judgement_input, passages=merged_passages([*card.passages, *([find_passage(card, words)] if words else [])])
    )


def find_passage(card: worklist.Card, words: str) -> list[int]:
    """Return [start, end) of the first occurrence of the words; all white space is equal.

    In HTML, white space does not count: copied text has some between blocks, where the text nodes have none.
    """
    gap = "" if card.format == TextFormat.HTML else " "
    text = passage_text(card.text or "", card.format)
    wanted = gap.join(words.split())
    # The search of a plain string takes linear time, unlike that of a regular expression.
    at = gap.join(text.split()).find(wanted)
    if at < 0 or not wanted:
        raise Refused(
            f"The document does not contain the passage “{_shortened(words)}”; copy it from the document in one piece."
        )
    return [_position(text, at, gap), _position(text, at + len(wanted) - 1, gap) + 1]


def _position(text: str, offset: int, gap: str) -> int:
    """Return where the character is whose offset is counted with `gap` in place of each run of white space."""
    for word in re.finditer(r"\S+", text):
        if offset < len(word[0]):
            return word.start() + offset
        offset -= len(word[0]) + len(gap)
    raise ValueError(f"The text ends {offset} characters before the offset.")


def merged_passages(passages: list[list[int]]) -> list[list[int]]:
    """Return the passages in order, overlapping ones merged."""
    result: list[list[int]] = []
    for start, end in sorted(passages):
        if result and start <= result[-1][1]:
            result[-1] = [result[-1][0], max(end, result[-1][1])]
        else:
            result.append([start, end])
    return result


def _shortened(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 60 else f"{line[:60]}…"
