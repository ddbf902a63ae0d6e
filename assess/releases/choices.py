"""What a researcher chooses for a release, and what is refused. Loads pandas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug

from assess.analysis.measures import parsed_measure
from assess.collections.scale import check_threshold
from assess.errors import Refused
from assess.jobs import queue
from assess.models import Collection, Job, Release, Role, User
from pooling.errors import shown
from pooling.writing import ROUNDINGS

MAX_NAME = Release._meta.get_field("name").max_length or 0
MAX_TEXT = 10_000
MAX_LINE = 300


@dataclass(frozen=True)
class ReleaseChoices:
    """What a researcher chooses. Empty `judges` and `topics` stand for all; an empty measure for the default."""

    name: str
    rule: str
    rel: int | None = None
    judges: Sequence[str] = ()
    topics: Sequence[str] = ()
    notes: str = ""
    authors: str = ""
    licence: str = ""
    measure: str = ""
    rounding: str = ""


def start_release(collection: Collection, user: User, choices: Mapping[str, Any]) -> Job:
    """Check the choices, which are the arguments of `ReleaseChoices`, and release the gold in a job."""
    check_choices(collection, ReleaseChoices(**choices))
    return queue.start("release", collection, user, {"actor": user.pk, **choices})


def check_choices(collection: Collection, choices: ReleaseChoices) -> None:
    """Refuse what cannot be released."""
    try:
        validate_slug(choices.name)
    except ValidationError:
        raise Refused(
            f"The name of a release has letters, digits, hyphens and underscores, not {shown(choices.name)}."
        ) from None
    if len(choices.name) > MAX_NAME:
        raise Refused(f"The name of a release has at most {MAX_NAME} characters, not {len(choices.name)}.")
    for label, text, limit in (
        ("notes", choices.notes, MAX_TEXT),
        ("authors", choices.authors, MAX_LINE),
        ("licence", choices.licence, MAX_LINE),
    ):
        if len(text) > limit or "\0" in text:
            raise Refused(f"The {label} have at most {limit:,} characters and no NUL, not {len(text):,} characters.")
    if choices.rel is not None:
        check_threshold(collection, choices.rel)
    if choices.rounding and choices.rounding not in ROUNDINGS:
        raise Refused(f"The rounding must be one of {', '.join(ROUNDINGS)}, not {shown(choices.rounding)}.")
    _check_judges(collection, choices.judges)
    _check_known("topic", choices.topics, set(collection.topics.values_list("query_id", flat=True)))
    _check_measure(choices)


def _check_judges(collection: Collection, judges: Sequence[str]) -> None:
    roles = dict(collection.members.values_list("name", "role"))
    _check_known("judge", judges, set(roles))
    if withdrawn := [name for name in judges if roles[name] == Role.WITHDRAWN]:
        raise Refused(f"The judge {shown(withdrawn[0])} is withdrawn. Restore it first, or release without it.")


def _check_known(noun: str, chosen: Sequence[str], known: set[str]) -> None:
    if unknown := [name for name in chosen if name not in known]:
        raise Refused(f"There is no {noun} {shown(unknown[0])} in this collection.")


def _check_measure(choices: ReleaseChoices) -> None:
    if not choices.measure:
        return
    rel = parsed_measure(choices.measure).parameters.get("rel")
    if choices.rel is not None and rel not in (None, 1):
        raise Refused(
            f"The gold is binary: relevant documents have the grade 1, so the measure must have rel=1, not rel={rel}."
        )
