"""The record of an imported judge: its kind, and what a reader needs to know about a model.

A record belongs to one judge, so another prompt or another version of a model is another judge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from assess import audit
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import (
    Action,
    Collection,
    ImportedJudge,
    JudgeKind,
    Judgement,
    JudgementKind,
    Member,
    State,
    User,
)
from assess.transfer.withdrawal import imported_judge
from pooling.errors import shown
from pooling.words import count

MAX_PROMPT = 20_000  # characters
MOST_LETTERS = {"description": 500, "model": 200, "prompt": MAX_PROMPT, "prompt_version": 100, "parameters": 500}
EARLIEST = date(1990, 1, 1)
UMBRELA = "umbrela"
FIELDS_WITH_NAMES = ("member__name", "model", "prompt", "prompt_version", "description")
LABELS = {"prompt_version": "prompt version", "graded_on": "date"}


@dataclass(frozen=True)
class ModelRecord:
    """What is known about a model judge. Everything may be empty.

    `model` has the version of the model. `prompt` is its text or its name. `graded_on` is the day of the last grade.
    """

    model: str = ""
    prompt: str = ""
    prompt_version: str = ""
    parameters: str = ""
    graded_on: date | None = None

    @property
    def stated(self) -> dict[str, Any]:
        """The values that are known."""
        return {name: value for name, value in vars(self).items() if value}

    def checked(self, kind: str) -> "ModelRecord":
        """Return the record as it is stored, or refuse it. Only a judge of the kind model has one."""
        texts = {name: value.replace("\r\n", "\n").strip() for name, value in vars(self).items() if name in TEXTS}
        record = replace(self, **texts)
        for name, text in texts.items():
            _check_text(name, text)
        if record.graded_on and not EARLIEST <= record.graded_on <= timezone.localdate():
            raise Refused(f"The date must be between {EARLIEST} and today, not {record.graded_on}.")
        if record.stated and kind != JudgeKind.MODEL:
            label = label_of(next(iter(record.stated)))
            raise Refused(f"Only a judge of the kind model has a {label}; the kind is {kind or 'not stated'}.")
        return record


def _check_text(name: str, text: str) -> None:
    most = MOST_LETTERS[name]
    if len(text) > most:
        raise Refused(f"The {label_of(name)} can have at most {most:,} characters, not {len(text):,}.")
    if name == "prompt":
        if "\0" in text:
            raise Refused("The prompt cannot contain a NUL character.")
    elif not text.isprintable():
        raise Refused(f"The {label_of(name)} must be one line of printable characters, not {shown(text)}.")


RECORD_FIELDS = tuple(each.name for each in fields(ModelRecord))
TEXTS = tuple(name for name in RECORD_FIELDS if name != "graded_on")


def label_of(field: str) -> str:
    """Return the word for a field of a judge."""
    return LABELS.get(field, field)


def record_of(judge: ImportedJudge | None) -> ModelRecord:
    """Return the record that is stored for a judge."""
    return ModelRecord(**{name: getattr(judge, name) for name in RECORD_FIELDS}) if judge else ModelRecord()


def parse_date(text: str) -> date:
    """Return a date that is written as 2024-08-31. Raises ValueError if it is not one."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day without a time
    except ValueError:
        raise ValueError(f"The date must be written as 2024-08-31, not {shown(text)}.") from None


def change_record(
    collection: Collection, name: str, kind: str, description: str, record: ModelRecord, actor: User | None = None
) -> list[str]:
    """Change kind, description and record of an imported judge. Return the names of the fields that have changed."""
    if kind not in ("", *JudgeKind.values):
        raise Refused(f"The kind of a judge must be one of {', '.join(JudgeKind.values)}, not {shown(kind)}.")
    description = description.strip()
    _check_text("description", description)
    values = {"kind": kind, "description": description, **vars(record.checked(kind))}
    with transaction.atomic():
        lock_active(collection)
        member = imported_judge(collection, name)
        return _save(member, values, actor)


def _save(member: Member, values: Mapping[str, Any], actor: User | None) -> list[str]:
    judge, _ = ImportedJudge.objects.get_or_create(member=member)
    changed = sorted(field for field, value in values.items() if getattr(judge, field) != value)
    for field in changed:
        setattr(judge, field, values[field])
    if changed:
        judge.save(update_fields=changed)
        # The key instead of the name: entries of the log never contain one.
        details: dict[str, Any] = {"judge": member.pk, "fields": changed}
        if "kind" in changed:  # it decides whether the grades count as those of people
            details["kind"] = values["kind"]
        audit.record(Action.JUDGE_CHANGED, actor=actor, collection=member.collection, details=details)
    return changed


def zeros_warnings(collection: Collection, members: Iterable[int] | None = None) -> list[str]:
    """Return a sentence on the judges that name UMBRELA and have grades 0: its files do not show which zeros are real.

    A judge names it in its name or record, in small or capital letters. Judges that the site asks itself are left out,
    because their answers are read one by one. `members` are keys of judges; None: all.
    """
    named = Q()
    for field in FIELDS_WITH_NAMES:
        named |= Q(**{f"{field}__icontains": UMBRELA})
    judges = ImportedJudge.objects.filter(named, member__collection=collection, member__model_judge=None)
    if members is not None:
        judges = judges.filter(member__in=list(members))
    found = Judgement.objects.filter(
        member__in=judges.values("member"), repeat=JudgementKind.REGULAR, state=State.JUDGED, relevance=0
    )
    zeros = found.order_by("member__name").values_list("member__name").annotate(n=Count("pk"))
    return [_zeros_sentence(dict(zeros))] if zeros else []


def _zeros_sentence(zeros: dict[str, int]) -> str:
    from pooling.models import ZERO_WARNING  # loads the HTTP client

    of_judges = ", ".join(f"{count(n, 'grade')} of 0 by {name}" for name, n in zeros.items())
    return f"{of_judges} may be none: {ZERO_WARNING}"
