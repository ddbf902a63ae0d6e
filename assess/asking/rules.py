"""What an owner decides about models in a collection: whether documents may leave the site, and to which hosts."""

from typing import Any

from django.db import transaction

from assess import audit
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.judging.model_grades import are_shown_early, open_assignments
from assess.models import (
    Action,
    Collection,
    ConfirmedHost,
    ModelJudge,
    ModelRules,
    User,
)
from pooling.words import count

FORBIDDEN = "The documents of {} must not be sent to a model. An owner decides this in the rules on models."


def rules_of(collection: Collection) -> ModelRules:
    """Return the rules of a collection; those by default if nothing was decided."""
    return ModelRules.objects.filter(collection=collection).first() or ModelRules(collection=collection)


@transaction.atomic
def change_rules(collection: Collection, actor: User | None = None, **values: bool) -> ModelRules:
    """Change the rules that are named. A job that asks at the moment ends before its next request."""
    lock_active(collection)
    rules = rules_of(collection)
    changed = {name: value for name, value in values.items() if getattr(rules, name) != value}
    for name, value in changed.items():
        setattr(rules, name, value)
    if changed:
        rules.save()
        audit.record(Action.MODEL_RULES, actor=actor, collection=collection, details=changed)
    return rules


@transaction.atomic
def confirm_host(judge: ModelJudge, actor: User | None = None) -> ConfirmedHost:
    """Allow documents of the collection to be sent to the host of a judge. An owner does this once for each host."""
    collection, host = judge.collection, judge.host
    lock_active(collection)
    if not host:
        raise Refused(f"{judge} sends no documents to another host.")
    if rules_of(collection).keep_documents:
        raise Refused(FORBIDDEN.format(collection))
    row, is_new = ConfirmedHost.objects.get_or_create(
        collection=collection, host=host, defaults={"confirmed_by": actor}
    )
    if is_new:
        audit.record(Action.HOST_CONFIRMED, actor=actor, collection=collection, subject=host)
    return row


def check_may_ask(judge: ModelJudge) -> None:
    """Raise Refused if the documents of the collection must not be sent to the host of the judge."""
    host = judge.host
    if not host:
        return
    if rules_of(judge.collection).keep_documents:
        raise Refused(FORBIDDEN.format(judge.collection))
    if not is_confirmed(judge):
        raise Refused(f"An owner must confirm first that documents of {judge.collection} may be sent to {host}.")


def is_confirmed(judge: ModelJudge) -> bool:
    """Whether an owner has confirmed the host of a judge."""
    return judge.collection.confirmed_hosts.filter(host=judge.host).exists()


def check_people_finished(collection: Collection) -> None:
    """Refuse to make a model from the grades of people while they judge, unless an owner decides otherwise."""
    if are_shown_early(collection) or not (waiting := open_assignments(collection)):
        return
    raise Refused(
        f"People have {count(waiting, 'open assignment')} in {collection}. Their grades are not given to a model "
        "before they have finished, unless an owner decides otherwise in the rules on models."
    )


def described_rules(collection: Collection) -> dict[str, Any]:
    """Return the rules and the confirmed hosts, for a release and the API."""
    rules = rules_of(collection)
    hosts = list(collection.confirmed_hosts.values_list("host", flat=True))
    return {"keep_documents": rules.keep_documents, "show_early": rules.show_early, "hosts": hosts}
