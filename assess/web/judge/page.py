"""What the judging page and its script are given, made of an assessor's sheet and nothing else."""

import uuid

from django.urls import reverse

from assess.collections import guidelines
from assess.judging import topic_feedback as exits
from assess.judging import worklist
from assess.judging.worklist import Card, Sheet
from assess.models import Grade, Member, Passages, Reason, Topic, User
from assess.models.judgement import MOST_CONFIDENT
from assess.people.keymap import DEEDS, keys_of

NOWHERE = uuid.UUID(int=0)  # stands in an address where the script puts the task


def page_of(member: Member, sheet: Sheet, user: User) -> dict:
    """The template's context."""
    letters = dict(zip("nr", (grade.value for grade in sheet.grades), strict=True)) if len(sheet.grades) == 2 else {}
    page = {
        "collection": sheet.collection,
        "member": member,
        "topic": sheet.topic,
        "card": sheet.cards[0] if sheet.cards else None,
        "last": sheet.last,
        "before": before(member, sheet.topic, sheet.last),
        "grades": buttons(sheet.grades),
        "letters": letters,
        "legend": _legend(sheet, user),
        "reasons": Reason.choices,
        "confidences": CONFIDENCES,
        "guidelines": sheet.guidelines,
        "guidelines_html": guidelines.as_html(sheet.guidelines.text) if sheet.guidelines else "",
        "exit": exits.question(member, sheet.topic, done=not sheet.cards),
        "progress": {"topic": sheet.progress, "all": sheet.progress_in_all},
        "client_id": uuid.uuid4(),
        "undo_client_id": uuid.uuid4(),
    }
    return page | {"script": _script(member, sheet, user, letters, page["before"])}


def _legend(sheet: Sheet, user: User) -> list[tuple[str, str]]:
    """Each key and what it does on this page."""
    idle = set() if sheet.collection.ask_confidence else {"confidence"}
    idle |= {"mark"} if sheet.collection.passages == Passages.OFF else set()
    idle |= set() if sheet.guidelines else {"guidelines"}
    return [(key, DEEDS[deed][1]) for deed, key in keys_of(user.keymap).items() if deed not in idle]


CONFIDENCES = list(zip(range(1, MOST_CONFIDENT + 1), ("unsure", "fairly sure", "sure"), strict=True))


def before(member: Member, topic: Topic, last: Card | None) -> dict | None:
    """Where undo leads from a topic in which nothing is left to take back: title and address."""
    found = None if last else worklist.last_elsewhere(member, topic)
    if found is None:
        return None
    address = f"{_address(member, 'topic', topic_id=found.topic_id)}?task={found.public_id}"
    return {"title": found.topic.title, "address": address}


def _script(member: Member, sheet: Sheet, user: User, letters: dict[str, int], before: dict | None) -> dict:
    rules = sheet.collection
    return {
        "cards": [card.to_dict() for card in sheet.cards],
        "last": sheet.last.to_dict() if sheet.last else None,
        "before": before,
        "progress": {"topic": sheet.progress.to_dict(), "all": sheet.progress_in_all.to_dict()},
        "grades": [grade.value for grade in sheet.grades],
        "letters": letters,
        "query": sheet.topic.title,
        "member": member.pk,
        "user": user.pk,
        "userName": user.get_username(),
        "claimMinutes": rules.claim_minutes if rules.open_to_claims else None,
        "minVisibleMs": rules.painted_ms,
        "askConfidence": rules.ask_confidence,
        "passages": rules.passages,
        "guidelinesVersion": sheet.guidelines.version if sheet.guidelines else None,
        "preferences": {
            "keysOn": user.keys_on,
            "keys": keys_of(user.keymap),
            "highlightsOn": user.highlights_on,
        },
        "addresses": {
            "record": _address(member, "record", task=NOWHERE),
            "document": _address(member, "document", task=NOWHERE),
            "next": _address(member, "next", topic_id=sheet.topic.pk),
            "signIn": reverse("account:sign_in"),
        },
        "nowhere": str(NOWHERE),
    }


def buttons(grades: list[Grade]) -> list[dict]:
    """The scale as the page shows it: four tones from pale to deep, spread over however many grades there are."""
    steps = max(len(grades) - 1, 1)
    return [
        {
            "value": grade.value,
            "name": grade.name,
            "meaning": grade.meaning,
            "colour": grade.colour,
            "tone": round(3 * place / steps),
        }
        for place, grade in enumerate(grades)
    ]


def _address(member: Member, name: str, **arguments) -> str:
    return reverse(f"judge:{name}", kwargs={"slug": member.collection.slug, **arguments})
