"""The prompts of a collection. Each version is kept; a change makes a new one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import QuerySet

from assess import audit
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import Action, Collection, ModelPrompt, User
from pooling.errors import shown

if TYPE_CHECKING:
    from pooling.models import Prompt

LONGEST_NAME = 80
MOST_VERSIONS = 200


def prompt_of(row: ModelPrompt) -> "Prompt":
    """Return a version as the library has it."""
    from pooling.models import Prompt  # loads the HTTP client

    return Prompt(row.name, row.system, row.user, row.version, row.form, tuple(row.criteria), row.scale_order)


@transaction.atomic
def save_prompt(
    collection: Collection,
    name: str,
    system: str,
    user: str,
    form: str = "json",
    criteria: Sequence[str] = (),
    scale_order: str = "ascending",
    actor: User | None = None,
) -> ModelPrompt:
    """Save a version of a prompt. If the newest version has the same texts and order, return it instead."""
    checked = _checked(name, system, user, form, criteria, scale_order)
    lock_active(collection)
    newest = newest_prompt(collection, checked.name)
    if newest and newest.hash == checked.hash:
        return newest
    if collection.prompts.count() >= MOST_VERSIONS:
        raise Refused(f"A collection has at most {MOST_VERSIONS} versions of prompts.")
    row = collection.prompts.create(
        name=checked.name,
        version=newest.version + 1 if newest else 1,
        system=checked.system,
        user=checked.user,
        form=form,
        criteria=list(criteria),
        scale_order=scale_order,
        hash=checked.hash,
        made_by=actor,
    )
    audit.record(Action.PROMPT_SAVED, actor=actor, collection=collection, details={"prompt": row.pk})
    return row


def newest_prompt(collection: Collection, name: str) -> ModelPrompt | None:
    """Return the newest version of a prompt."""
    return collection.prompts.filter(name=name).order_by("-version").first()


def newest_prompts(collection: Collection) -> QuerySet[ModelPrompt]:
    """Return the newest version of each prompt."""
    later = collection.prompts.order_by("name", "-version")
    newest: dict[str, int] = {}
    for name, pk in later.values_list("name", "pk"):
        newest.setdefault(name, pk)
    return collection.prompts.filter(pk__in=newest.values()).order_by("name")


def starting_names() -> list[str]:
    """Return the names of the prompts that every collection can start with."""
    from pooling.models import PROMPTS  # loads the HTTP client

    return list(PROMPTS)


def chosen_prompt(collection: Collection, name: str, actor: User | None = None) -> ModelPrompt:
    """Return the newest version of a prompt; one of the starting prompts is saved when it is first chosen."""
    from pooling.models import PROMPTS  # loads the HTTP client

    if row := newest_prompt(collection, name):
        return row
    if name not in PROMPTS:
        known = sorted({*collection.prompts.values_list("name", flat=True), *PROMPTS})
        raise Refused(f"The prompt {shown(name)} is unknown. {collection} has {', '.join(known)}.")
    first = PROMPTS[name]
    return save_prompt(collection, name, first.system, first.user, first.form, first.criteria, actor=actor)


def _checked(name: str, system: str, user: str, form: str, criteria: Sequence[str], scale_order: str) -> "Prompt":
    from pooling.models import Prompt  # loads the HTTP client

    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused(f"The name of a prompt must have 1 to {LONGEST_NAME} printable characters.")
    if "\0" in system + user:
        raise Refused("A prompt cannot contain a NUL character.")
    system, user = (text.replace("\r\n", "\n") for text in (system, user))
    try:
        return Prompt(name, system, user, form=form, criteria=tuple(criteria), scale_order=scale_order)
    except ValueError as error:
        raise Refused(str(error)) from None
