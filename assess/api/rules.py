"""How documents are judged: the rules, and the versions of the guidelines."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status
from pydantic import Field

from assess.access import OWNERS, RESEARCHERS
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.members import member_of, user_of
from assess.collections.guidelines import MAX_WITH_IMAGES, guidelines_versions, publish_guidelines
from assess.judging.rules import RULES, SUGGESTIONS, change_or_start
from assess.models import Job, Member, Scope
from assess.suggestions.choice import set_suggestions, suggesting_name

router = Router(tags=["rules of judging"])
Value = str | int | float | bool | None
MAX_NAME = Member._meta.get_field("name").max_length


class RuleOut(Schema):
    """A rule of judging, its value, and what a change does."""

    name: str
    label: str
    effect: str
    value: Value


class NewRules(Body):
    """The values of rules, by name. Rules that are not named stay."""

    rules: dict[str, Value] = Field(min_length=1, max_length=100)


class ChangedRules(Schema):
    """The names of the rules that have changed, and what happened to open work."""

    changed: list[str]
    notes: list[str]


class SuggestingModel(Schema):
    """The name of the model that makes suggestions; null for none."""

    judge: str | None = Field(max_length=MAX_NAME)


class VersionOut(Schema):
    """A version of the guidelines, and how many judgements were made under it."""

    version: int
    created_at: datetime
    judgements: int


class GuidelinesOut(Schema):
    """A version of the guidelines with its text, which is Markdown."""

    version: int
    text: str
    sha256: str
    created_at: datetime


class NewGuidelines(Body):
    """The text of a new version."""

    text: str = Field(max_length=2 * MAX_WITH_IMAGES)


@router.get("/collections/{slug}/rules", response=list[RuleOut])
def rules(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The rules of judging with their values, and last the name of the model that makes suggestions, or null."""
    collection = member_of(request, slug, RESEARCHERS).collection
    names = ("name", "label", "effect")
    values = {rule.name: getattr(collection, rule.name) for rule in RULES}
    values[SUGGESTIONS.name] = suggesting_name(collection) or None
    listed = (*RULES, SUGGESTIONS)
    return [{**{name: getattr(rule, name) for name in names}, "value": values[rule.name]} for rule in listed]


@router.post("/collections/{slug}/rules", response={200: ChangedRules, 202: JobOut})
def change_rules(request: HttpRequest, slug: str, new: NewRules) -> Status[dict[str, Any]]:
    """Change rules, all of them or none; with many assignments to change, in a job."""
    collection = member_of(request, slug, RESEARCHERS, Scope.MANAGE).collection
    done = change_or_start(collection, user_of(request), new.rules)
    if isinstance(done, Job):
        return Status(202, shown_job(done))
    return Status(200, {"changed": [rule.name for rule in done.rules], "notes": done.notes})


@router.post("/collections/{slug}/suggestions", response=SuggestingModel)
def change_suggestions(request: HttpRequest, slug: str, new: SuggestingModel) -> dict[str, str | None]:
    """Choose the model whose grades assessors see next to the document, or none with null."""
    collection = member_of(request, slug, OWNERS, Scope.MANAGE).collection
    set_suggestions(collection, new.judge or "", user_of(request))
    return {"judge": suggesting_name(collection) or None}


@router.get("/collections/{slug}/guidelines", response=list[VersionOut])
def guidelines(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The versions of the guidelines, the newest first."""
    return guidelines_versions(member_of(request, slug, RESEARCHERS).collection)


@router.get("/collections/{slug}/guidelines/{version}", response=GuidelinesOut)
def version(request: HttpRequest, slug: str, version: int) -> Any:
    """One version of the guidelines."""
    return get_object_or_404(member_of(request, slug, RESEARCHERS).collection.guidelines, version=version)


@router.post("/collections/{slug}/guidelines", response={201: GuidelinesOut})
def publish(request: HttpRequest, slug: str, new: NewGuidelines) -> Status[Any]:
    """Publish a new version. If the latest one has this text, it is the answer."""
    collection = member_of(request, slug, RESEARCHERS, Scope.MANAGE).collection
    return Status(201, publish_guidelines(collection, new.text))
