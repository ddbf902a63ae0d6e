"""A collection whose documents can be searched."""

import uuid

from assess.collections.members import add_member
from assess.documents.contents import connect_contents, new_content, write_contents
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Collection, JudgementEvent, Member, Role, Search, Topic
from assess.search.find import search
from assess.search.index import index_documents
from assess.search.permission import open_result, permit_search
from tests.factories import SMALL_RUNS, small_collection

# Documents that no run retrieved.
TEXTS = {
    "mill": ("The water mill", "The brook that gave the mill its name had run dry."),
    "brook": ("A brook", "Water flows from the hill to the village in every season."),
    "windmill": ("Windmills", "A mill that wind drives. It needs no water, and no brook."),
    "café": ("Le Café", "Das Café liegt an der Mühle, und der Müller trinkt Tee."),
    "tokyo": ("東京", "東京都は日本の首都である。"),
}


def add_documents(collection: Collection, texts=TEXTS) -> None:
    keys = write_contents([new_content(text, title=title) for title, text in texts.values()])
    connect_contents(collection, dict(zip(texts, keys, strict=True)), create=True)


def searchable_collection(slug: str = "small") -> Collection:
    collection = small_collection(SMALL_RUNS, slug)
    add_documents(collection)
    index_documents(collection)
    return collection


def add_searcher(collection: Collection, name: str = "ada") -> Member:
    member, _ = add_member(collection, name, Role.ASSESSOR, name)
    permitted = collection.members.filter(search_permission__isnull=False).values_list("name", flat=True)
    permit_search(collection, [*permitted, name])
    return member


def first_topic(collection: Collection) -> Topic:
    return collection.topics.get(query_id="1")


def found(member: Member, query: str) -> list[str]:
    """The doc_ids that a query finds, best first."""
    made = search(member, first_topic(member.collection), query)
    names = dict(member.collection.documents.values_list("pk", "doc_id"))
    return [names[key] for key in made.documents]


def open_document(member: Member, query: str, doc_id: str, topic: Topic | None = None) -> tuple[Search, Assignment]:
    """Search, and open the result with this doc_id."""
    made = search(member, topic or first_topic(member.collection), query)
    document = member.collection.documents.get(doc_id=doc_id)
    return made, open_result(member, made, made.documents.index(document.pk) + 1)


def judge(member: Member, assignment: Assignment, relevance: int = 1) -> JudgementEvent:
    return record_judgement(member, assignment.public_id, JudgementInput("judged", relevance), uuid.uuid4())
