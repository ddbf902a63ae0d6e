"""The model judges of a collection: saved with an encrypted secret, opened to be asked, and deleted.

A judge does not change once it has judgements: another model, prompt or parameter is another judge.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from django.db import transaction

from assess import audit
from assess.asking.pairs import text_of
from assess.asking.prompts import prompt_of
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.hosts import allowed_hosts
from assess.lib.secrets import LostKey, decrypt, encrypt
from assess.models import Action, Collection, ModelJudge, ModelPrompt, User
from assess.models.model_judge import host_of
from assess.transfer.imported_judges import check_judges
from pooling.errors import shown

if TYPE_CHECKING:
    from pooling.models import ChatJudge, Scale, UmbrelaJudge

    Opened: TypeAlias = ChatJudge | UmbrelaJudge

PURPOSE = "assess.asking"
MOST = 100
LONGEST_NAME = 80
LONGEST_SECRET = 4_000
UMBRELA_SETTINGS = ("address", "overrides", "header")
CHAT_SETTINGS = (
    *("address", "model", "temperature", "max_tokens", "token_limit", "logprobs", "seed", "reasoning_effort", "extra"),
    "header",
)
TEXTS = ("address", "model", "reasoning_effort", "header", "token_limit")
OBJECTS = ("extra", "overrides")
REQUIRED = {ModelJudge.Kind.CHAT: {"address": "", "model": ""}, ModelJudge.Kind.UMBRELA: {"address": ""}}
Example: TypeAlias = tuple[str, str, int]  # query_id, doc_id, grade


@transaction.atomic
def save_judge(
    collection: Collection,
    name: str,
    kind: str,
    settings: Mapping[str, Any],
    prompt: ModelPrompt | None = None,
    *,
    secret: str | None = None,
    examples: Sequence[Example] = (),
    actor: User | None = None,
) -> ModelJudge:
    """Save a new judge, or change the one with this name that has no judgements. With `secret` None it stays.

    If the address changes its host, the former secret is not sent there: it must be entered again.
    """
    _check_texts(name, secret)
    lock_active(collection)
    row = collection.model_judges.filter(name=name).first() or ModelJudge(collection=collection, name=name)
    _check_free(row)
    former = row.settings.get("address", "")
    row.kind, row.prompt, row.examples = _kind(kind), prompt, [list(each) for each in examples]
    row.settings = _checked_settings(row, settings, secret or "")
    _keep_or_replace(row, former, secret)
    row.save()
    row.answers.filter(recorded_at=None).delete()  # those of a trial with other settings
    audit.record(Action.MODEL_SAVED, actor=actor, collection=collection, details={"judge": row.pk})
    return row


@transaction.atomic
def change_secret(judge: ModelJudge, secret: str, actor: User | None = None) -> None:
    """Replace the secret of a judge, also of one that has judgements. An empty one removes it."""
    _check_texts(judge.name, secret)
    lock_active(judge.collection)
    _checked_settings(judge, judge.settings, secret)
    judge.secret = encrypt(secret, secret_purpose(judge)) if secret else ""
    judge.save(update_fields=["secret"])
    audit.record(Action.MODEL_SAVED, actor=actor, collection=judge.collection, details={"judge": judge.pk})


@transaction.atomic
def delete_judge(judge: ModelJudge, actor: User | None = None) -> None:
    """Delete a judge that has no judgements, with its secret and the answers of its trials."""
    lock_active(judge.collection)
    if judge.member_id:
        raise Refused(f"{judge} has judged. Withdraw the judge on the People page instead; its judgements stay.")
    audit.record(Action.MODEL_DELETED, actor=actor, collection=judge.collection, details={"judge": judge.pk})
    judge.delete()


def open_judge(judge: ModelJudge) -> "Opened":
    """Return the judge with its secret, ready to be asked. Refused if the key of the secret is lost."""
    try:
        secret = decrypt(judge.secret, secret_purpose(judge)) if judge.secret else ""
    except LostKey:
        raise Refused(
            f"The secret of {judge} was encrypted with another secret key of the site. Enter it again."
        ) from None
    return _opened(judge, judge.settings, secret)


def secret_purpose(judge: ModelJudge) -> str:
    """Return what the secret is for. It cannot be read as that of another collection."""
    return f"{PURPOSE} {judge.collection_id}"


def scale_of_models(collection: Collection) -> "Scale":
    """Return the scale of a collection as models are asked for it."""
    from pooling.models import checked_scale  # loads the HTTP client

    return checked_scale(list(collection.grades.order_by("value").values_list("value", "name", "meaning")))


def guidelines_of(judge: ModelJudge) -> tuple[int | None, str]:
    """Return version and text of the guidelines that the prompt shows; none if it does not show them."""
    latest = judge.collection.guidelines.last()
    shows = judge.prompt is not None and "{guidelines}" in judge.prompt.system + judge.prompt.user
    return (latest.version, latest.text) if latest and shows else (None, "")


def parameters_of(judge: ModelJudge) -> str:
    """Return the parameters in one line, for the record of the judge."""
    left_out = ("address", "model", "header", "function")
    known = {
        name: value
        for name, value in judge.settings.items()
        if name not in left_out and value not in (None, {}, "", "auto")
    }
    if judge.prompt and judge.prompt.scale_order != "ascending":
        known["scale_order"] = judge.prompt.scale_order
    return ", ".join(f"{name} {value}" for name, value in sorted(known.items()))[:500]


def _opened(judge: ModelJudge, settings: Mapping[str, Any], secret: str) -> "Opened":
    from pooling.models import ChatEndpoint, ChatJudge, Example, UmbrelaJudge  # loads the HTTP client

    try:
        scale = scale_of_models(judge.collection)
        if judge.kind == ModelJudge.Kind.UMBRELA:
            return UmbrelaJudge(scale=scale, secret=secret, **settings)
        if judge.prompt is None:
            raise Refused("A judge of this kind needs a prompt.")
        examples = [Example(*each) for each in _example_texts(judge)]
        endpoint = ChatEndpoint(secret=secret, **settings)
        return ChatJudge(endpoint, prompt_of(judge.prompt), scale, guidelines_of(judge)[1], examples)
    except (ValueError, TypeError) as error:
        raise Refused(str(error)) from None


def _checked_settings(judge: ModelJudge, settings: Mapping[str, Any], secret: str) -> dict[str, Any]:
    """Return the settings as they are stored. Raises Refused if one is invalid, or its host is not allowed."""
    _check_names(judge, settings)
    if not judge.has_server:
        return dict(settings)
    settings = REQUIRED[ModelJudge.Kind(judge.kind)] | dict(settings)
    _check_types(settings)
    opened = _opened(judge, settings, secret)
    check_allowed(str(settings["address"]))
    if judge.kind == ModelJudge.Kind.CHAT:
        return opened.endpoint.record()  # type: ignore[union-attr]  # of a ChatJudge
    return {name: getattr(opened, name) for name in UMBRELA_SETTINGS}


def _check_names(judge: ModelJudge, settings: Mapping[str, Any]) -> None:
    allowed = {
        ModelJudge.Kind.CHAT: CHAT_SETTINGS,
        ModelJudge.Kind.UMBRELA: UMBRELA_SETTINGS,
        ModelJudge.Kind.FUNCTION: ("function",),
        ModelJudge.Kind.OFFLINE: (),
    }[ModelJudge.Kind(judge.kind)]
    if unknown := [name for name in settings if name not in allowed]:
        raise Refused(f"The setting {shown(unknown[0])} is unknown; allowed are {', '.join(allowed) or 'none'}.")


def _check_types(settings: Mapping[str, Any]) -> None:
    """Raise Refused if a text or an object is something else. The library checks numbers."""
    for names, kind, noun in ((TEXTS, str, "text"), (OBJECTS, dict, "JSON object")):
        for name in names:
            if name in settings and not isinstance(settings[name], kind):
                raise Refused(f"The setting {name} must be a {noun}, not {shown(repr(settings[name]))}.")


def check_allowed(address: str) -> None:
    """Raise Refused if the site does not allow the host of an address."""
    from pooling.outgoing import Forbidden  # loads the HTTP client

    try:
        allowed_hosts().check(address.partition("?")[0])
    except Forbidden as error:
        raise Refused(str(error)) from None


def _example_texts(judge: ModelJudge) -> list[tuple[str, str, int]]:
    """Return title, text and grade of the documents that a prompt shows."""
    found = []
    for query_id, doc_id, grade in judge.examples:
        topic = judge.collection.topics.filter(query_id=query_id).first()
        text = text_of(judge.collection, doc_id)
        if topic is None or not text:
            raise Refused(
                f"The example {shown(query_id)}, {shown(doc_id)} has no topic or no text in {judge.collection}."
            )
        found.append((topic.title, text, grade))
    return found


def _check_texts(name: str, secret: str | None) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise Refused(
            f"The name of a judge must have 1 to {LONGEST_NAME} printable characters, without blanks around it."
        )
    if secret and len(secret) > LONGEST_SECRET:
        raise Refused(f"A secret must have at most {LONGEST_SECRET:,} characters.")


def _kind(kind: str) -> str:
    if kind not in ModelJudge.Kind.values:
        raise Refused(f"The kind of a judge must be one of {', '.join(ModelJudge.Kind.values)}, not {shown(kind)}.")
    return kind


def _check_free(judge: ModelJudge) -> None:
    """Raise Refused if the judge has judged, or if somebody else has its name."""
    if judge.member_id:
        raise Refused(f"{judge} has judged, so it does not change. Save the new settings under another name.")
    if judge.pk is None and judge.collection.model_judges.count() >= MOST:
        raise Refused(f"A collection has at most {MOST} model judges. Delete one first.")
    if judge.collection.members.filter(name=judge.name).exists():
        raise Refused(f"{judge.collection} has a judge {judge.name} already. Choose another name.")
    check_judges(judge.collection, {judge.name}, [])


def _keep_or_replace(judge: ModelJudge, former: str, secret: str | None) -> None:
    if secret is not None or not judge.has_server:
        judge.secret = encrypt(secret, secret_purpose(judge)) if secret and judge.has_server else ""
    elif judge.secret and host_of(former) != judge.host:
        raise Refused("The address has another host, to which the former secret is not sent. Enter the secret again.")
