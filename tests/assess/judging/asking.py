"""A collection whose assessors are asked what a relevant document adds, and their answers."""

import uuid

from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Collection
from assess.pools.assign import assign
from tests.factories import small_collection

DOCS = {"alpha": {"1": ["a", "b", "c", "d"], "2": ["a", "x"]}}


def asking_collection():
    collection = small_collection(DOCS, grades=["0=none", "1=some", "2=much"], depth=4)
    Collection.objects.filter(pk=collection.pk).update(ask_marginal=True, order="fixed")
    collection.refresh_from_db()
    return collection


def join_judges(collection, join):
    """Two assessors who judge all documents."""
    judges = [join(collection, name) for name in ("ada", "ben")]
    for judge, name in zip(judges, ("ada", "ben"), strict=True):
        judge.name = name
        judge.save()
    assign(collection, judges=2)
    return judges


def task(member, doc_id, query_id="1", repeat=0):
    of_document = Assignment.objects.filter(member=member, task__document__doc_id=doc_id)
    return of_document.get(topic__query_id=query_id, repeat=repeat).public_id


def judge(member, doc_id, grade=1, marginal="", repeats=(), client_id=None, query_id="1"):
    ids = tuple(task(member, each, query_id) for each in repeats)
    judgement = JudgementInput("judged", grade, marginal=marginal, repeats=ids)
    return record_judgement(member, task(member, doc_id, query_id), judgement, client_id or uuid.uuid4())


def undo(member, doc_id):
    record_judgement(member, task(member, doc_id), JudgementInput("undone"), uuid.uuid4())


def judge_all(ada, ben):
    for doc_id, answer, repeats in (("a", "new", []), ("b", "nothing", ["a"]), ("c", "partly", ["a"])):
        judge(ada, doc_id, 1, answer, repeats)
    judge(ada, "d", 0)
    for doc_id, answer, repeats in (("c", "new", []), ("b", "partly", ["c"]), ("a", "nothing", ["c", "b"])):
        judge(ben, doc_id, 2, answer, repeats)
