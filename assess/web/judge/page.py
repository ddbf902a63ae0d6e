"""Builds the context of the judging page and the data for its script, only from what `worklist` returns.

`worklist` reads no ranks and no other assessor's judgements, so the page cannot reveal them.
"""

import uuid
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.urls import reverse

from assess.collections.guidelines import guidelines_html
from assess.judging import worklist
from assess.judging.feedback import feedback_question
from assess.judging.history import STATES
from assess.judging.pace import recent_times
from assess.judging.worklist import Card, Sheet
from assess.marginal.own_relevant import RelevantDocuments
from assess.models import MarginalAnswer, Member, Passages, Reason, State, Topic, User
from assess.models.judgement import MOST_CONFIDENT
from assess.people.keymap import ACTIONS, keys_for
from assess.search.judge_address import searched_words
from assess.web.grades import grade_buttons

NOWHERE = uuid.UUID(int=0)  # placeholder in addresses, which the script replaces with a task
NO_TOPIC = 0  # placeholder in addresses, which the script replaces with a topic
CONFIDENCES = list(zip(range(1, MOST_CONFIDENT + 1), ("unsure", "fairly sure", "sure"), strict=True))


def judging_context(member: Member, sheet: Sheet, user: User, back: str = "") -> dict[str, Any]:
    """Return the context of the template. With `back`, one document is judged again and the page returns there."""
    letters = dict(zip("nr", (grade.value for grade in sheet.grades), strict=True)) if len(sheet.grades) == 2 else {}
    if back:
        sheet = replace(sheet, last=None)  # undo would open another document
    before = None if back else undo_link(member, sheet.topic, sheet.last)
    asks = not sheet.collection.continuous
    feedback = feedback_question(member, sheet.topic, done=not sheet.cards) if asks else None
    page = {
        "collection": sheet.collection,
        "member": member,
        "topic": sheet.topic,
        "card": sheet.cards[0] if sheet.cards else None,
        "last": sheet.last,
        "last_words": _describe(sheet.last, sheet) if sheet.last else "",
        "before": before,
        "grades": grade_buttons(sheet.grades),
        "letters": letters,
        "legend": _legend(sheet, user),
        "reasons": Reason.choices,
        "confidences": CONFIDENCES,
        "guidelines": sheet.guidelines,
        "guidelines_html": guidelines_html(sheet.guidelines.text) if sheet.guidelines else "",
        "feedback": feedback,
        "following": sheet.following,
        "back": back,
        "back_query": back.partition("?")[2],
        "progress": {"topic": sheet.progress, "all": sheet.progress_in_all},
        "client_id": uuid.uuid4(),
        "undo_client_id": uuid.uuid4(),
        "openid": settings.OPENID_PROVIDER,
    }
    marginal = worklist.relevant_before(member, sheet.topic, sheet.cards)
    page |= {"marginal_answers": MarginalAnswer.Answer.choices} if marginal is not None else {}
    return page | {
        "marginal": _listed_for(sheet, marginal or {}),
        "script": _script(member, sheet, user, letters, before)
        | {"back": back, "query": _highlighted(member, sheet.topic, back)}
        | {"marginal": None if marginal is None else lists_as_json(marginal)},
    }


def _highlighted(member: Member, topic: Topic, back: str) -> str:
    """Return the words to highlight: those of the topic, and those of the search from which the page was opened."""
    return f"{topic.title} {searched_words(member, back) if back else ''}".rstrip()


def lists_as_json(marginal: dict[int, RelevantDocuments]) -> dict[int, dict[str, Any]]:
    """Return the relevant documents by topic, as the page's script reads them."""
    return {topic: listed.to_dict() for topic, listed in marginal.items()}


def _listed_for(sheet: Sheet, marginal: dict[int, RelevantDocuments]) -> RelevantDocuments | None:
    """Return what the plain form lists: the relevant documents of the topic, without the document on the page."""
    listed = marginal.get(sheet.topic.pk, RelevantDocuments())
    shown = sheet.cards[0].document if sheet.cards else ""
    documents = [each for each in listed.documents if each["document"] != shown]
    return replace(listed, documents=documents) if documents else None


def _describe(card: Card, sheet: Sheet) -> str:
    """Return the judgement of a card in words, as the page's script does."""
    names = {grade.value: grade.name for grade in sheet.grades}
    if card.state == State.JUDGED and card.relevance is not None:
        return f"{card.relevance} {names.get(card.relevance, '')}"
    return STATES[State(card.state)] if card.state in STATES else ""


def _legend(sheet: Sheet, user: User) -> list[tuple[str, str]]:
    """Return each key that works on this page, and its action."""
    unused = set() if sheet.collection.ask_confidence else {"confidence"}
    unused |= {"mark"} if sheet.collection.passages == Passages.OFF else set()
    unused |= set() if sheet.guidelines else {"guidelines"}
    return [(key, ACTIONS[action][1]) for action, key in keys_for(user.keymap).items() if action not in unused]


def undo_link(member: Member, topic: Topic, last: Card | None) -> dict[str, str] | None:
    """Return title and address of the last judgement in another topic, if this topic has nothing left to undo."""
    assignment = None if last else worklist.last_elsewhere(member, topic)
    if assignment is None:
        return None
    address = f"{_address(member, 'topic', topic_id=assignment.topic_id)}?task={assignment.public_id}"
    return {"title": assignment.topic.title, "address": address}


def _script(
    member: Member, sheet: Sheet, user: User, letters: dict[str, int], before: dict[str, str] | None
) -> dict[str, Any]:
    rules = sheet.collection
    return {
        "cards": [card.to_dict() for card in sheet.cards],
        "last": sheet.last.to_dict() if sheet.last else None,
        "before": before,
        "progress": _progress(member, sheet),
        "pace": recent_times(member) if user.pace_on else None,
        "continuous": rules.continuous,
        "topic": sheet.topic.pk,
        "grades": [grade.value for grade in sheet.grades],
        "letters": letters,
        "member": member.pk,
        "user": user.pk,
        "userName": user.get_username(),
        "claimMinutes": rules.claim_minutes if rules.open_to_claims else None,
        "minVisibleMs": rules.min_visible_ms,
        "askConfidence": rules.ask_confidence,
        "passages": rules.passages,
        "guidelinesVersion": sheet.guidelines.version if sheet.guidelines else None,
        "preferences": {
            "keysOn": user.keys_on,
            "keys": keys_for(user.keymap),
            "highlightsOn": user.highlights_on,
        },
        "addresses": {
            "record": _address(member, "record", task=NOWHERE),
            "document": _address(member, "document", task=NOWHERE),
            "next": _address(member, "next", topic_id=NO_TOPIC),
            "relevant": _address(member, "relevant", topic_id=NO_TOPIC),
            "topic": _address(member, "topic", topic_id=NO_TOPIC),
            "signIn": reverse("account:sign_in"),
        },
        "nowhere": str(NOWHERE),
    }


def _progress(member: Member, sheet: Sheet) -> dict[str, Any]:
    """Return the progress in all topics together, and in each topic that the page may show."""
    shown = sheet.progress_by_topic if sheet.collection.continuous else {}
    parts = {sheet.topic.pk: sheet.progress} | shown
    topics = {_address(member, "next", topic_id=pk): part.to_dict() for pk, part in parts.items()}
    return {"all": sheet.progress_in_all.to_dict(), "topics": topics}


def _address(member: Member, name: str, **arguments: object) -> str:
    return reverse(f"judge:{name}", kwargs={"slug": member.collection.slug, **arguments})
