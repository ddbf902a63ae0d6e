"""The search engines of a collection: saved with an encrypted secret, changed, and deleted."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction

from assess import audit
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.hosts import allowed_hosts
from assess.lib.secrets import LostKey, decrypt, encrypt
from assess.models import Action, Collection, SearchEngine, User

if TYPE_CHECKING:
    from pooling.live import Engine

PURPOSE = "assess.engines"
MOST = 50
LONGEST_NAME = 80
LONGEST_SECRET = 4_000


def engine_from(settings: Mapping[str, Any], secret: str = "") -> "Engine":
    """Return the engine that settings describe. Raises Refused if a setting is invalid."""
    from pooling.live import Engine  # loads the HTTP client

    values = dict(settings)
    try:
        return Engine.of(values.pop("kind"), values.pop("address"), **values, secret=secret)
    except KeyError as missing:
        raise Refused(f"The setting {missing.args[0]} is required.") from None
    except (ValueError, TypeError) as error:
        raise Refused(str(error)) from None


def open_engine(engine: SearchEngine | None, settings: Mapping[str, Any]) -> "Engine":
    """Return the engine with its secret, ready to be asked."""
    try:
        secret = decrypt(engine.secret, secret_purpose(engine)) if engine and engine.secret else ""
    except LostKey:
        raise Refused(
            f"The secret of {engine} was encrypted with another secret key of the site. Enter it again."
        ) from None
    return engine_from(settings, secret)


def secret_purpose(engine: SearchEngine) -> str:
    """Return what the secret is for. It cannot be read as that of another collection."""
    return f"{PURPOSE} {engine.collection_id}"


@transaction.atomic
def save_engine(
    collection: Collection,
    name: str,
    settings: Mapping[str, Any],
    secret: str | None = None,
    actor: User | None = None,
) -> SearchEngine:
    """Save a new engine, or change the one with this name. With `secret` None, the former secret stays.

    If the address changes its host, the former secret is not sent there: it must be entered again.
    """
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused(f"The name of an engine must have 1 to {LONGEST_NAME} printable characters.")
    if secret and len(secret) > LONGEST_SECRET:
        raise Refused(f"A secret must have at most {LONGEST_SECRET:,} characters.")
    engine = engine_from(settings, secret or "")
    lock_active(collection)
    row = collection.engines.filter(name=name).first() or SearchEngine(collection=collection, name=name)
    if row.pk is None and collection.engines.count() >= MOST:
        raise Refused(f"A collection has at most {MOST} engines. Delete one first.")
    _check_host(engine)
    _keep_or_replace(row, engine, secret)
    row.settings = engine.record()
    row.save()
    audit.record(Action.ENGINE_SAVED, actor=actor, collection=collection, details={"engine": row.pk})
    return row


@transaction.atomic
def delete_engine(engine: SearchEngine, actor: User | None = None) -> None:
    """Delete an engine with its secret. Its runs and their answers stay."""
    lock_active(engine.collection)
    audit.record(Action.ENGINE_DELETED, actor=actor, collection=engine.collection, details={"engine": engine.pk})
    engine.delete()


def _keep_or_replace(row: SearchEngine, engine: "Engine", secret: str | None) -> None:
    if secret is not None:
        row.secret = encrypt(secret, secret_purpose(row)) if secret else ""
    elif row.secret and _host(row.settings["address"]) != _host(engine.address):
        raise Refused("The address has another host, to which the former secret is not sent. Enter the secret again.")


def _check_host(engine: "Engine") -> None:
    from pooling.outgoing import Forbidden

    try:
        allowed_hosts().check(engine.address.partition("?")[0])
    except Forbidden as error:
        raise Refused(str(error)) from None


def _host(address: str) -> str:
    """Return scheme, host and port of an address."""
    return "/".join(address.split("/", 3)[:3]).lower()
