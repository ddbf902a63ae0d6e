"""A collection with the grades of a model, which two assessors judge."""

import uuid

from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assistance, Collection, Member, Topic
from assess.suggestions.choice import set_suggestions
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.assess.judging.asking import asking_collection, join_judges, task

MODEL = b"1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n"  # nothing about d and x


def suggesting_collection(is_on=True):
    collection = asking_collection()
    Collection.objects.filter(pk=collection.pk).update(ask_marginal=False)
    import_judgements(collection, MODEL, "model-a", options=JudgementOptions(judge_kind="model"))
    collection.refresh_from_db()
    if is_on:
        set_suggestions(collection, "model-a")
    return collection


def judges_of(collection, join):
    """Two assessors who judge all documents, with the rules as they are now."""
    return [fresh(judge) for judge in join_judges(collection, join)]


def fresh(member):
    return Member.objects.select_related("collection").get(pk=member.pk)


def cards(member, query_id="1"):
    """The cards that a page gets, by document."""
    topic = Topic.objects.get(collection=member.collection, query_id=query_id)
    return {card.doc_id: card for card in worklist.upcoming(fresh(member), topic)}


def judge(member, doc_id, grade=1, token=None, client_id=None, **fields):
    judgement = JudgementInput(fields.pop("state", "judged"), grade, **fields)
    suggestion = token and uuid.UUID(token)
    return record_judgement(
        fresh(member), task(member, doc_id), judgement, client_id or uuid.uuid4(), suggestion=suggestion
    )


def recorded():
    """Document, model and suggested grade of each assisted event, in the order of the ledger."""
    rows = Assistance.objects.order_by("event")
    return list(rows.values_list("event__judgement__task__document__doc_id", "judge", "grade"))


def judge_study(collection, join):
    """Ada follows the model on a and b, and judges d alone; ben judges a, b, c and d alone, and differs on a and c."""
    ada, ben = judges_of(collection, join)
    cards(ada)
    for doc_id, grade in (("a", 2), ("b", 0), ("d", 1)):
        judge(ada, doc_id, grade)
    for doc_id, grade in (("a", 1), ("b", 0), ("c", 2), ("d", 1)):
        judge(ben, doc_id, grade)
