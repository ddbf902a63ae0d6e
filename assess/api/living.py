"""New runs: what they lack, and the top-up."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from assess.access import RESEARCHERS
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.members import member_of, user_of
from assess.jobs import queue
from assess.living.new_runs import DEPTH, MOST_DEPTH
from assess.models import Scope

router = Router(tags=["pool"])


class TopUpChoices(Schema):
    """The runs, by default those from which no pool was built, and how many documents of each topic count."""

    systems: list[str] = Field([], max_length=100)
    depth: int = Field(DEPTH, ge=1, le=MOST_DEPTH)


class NewTopUp(TopUpChoices, Body):
    """Also how many assessors judge each document; by default as many as most documents have."""

    judges: int | None = Field(None, ge=1, le=100)


class RunHolesOut(Schema):
    """How much of the first documents of a run is not judged."""

    system: str
    holes: int
    documents: int
    topics: int


class LivingOut(Schema):
    """The unjudged documents of some runs."""

    systems: list[str]
    depth: int
    runs: list[RunHolesOut]
    to_judge: int
    waiting: int
    judges: int
    hours: float | None


@router.get("/collections/{slug}/top-up", response=LivingOut)
def state(request: HttpRequest, slug: str, choices: Query[TopUpChoices]) -> Any:
    """Say how many of the first documents of runs are not judged. Nothing is changed."""
    from assess.living.state import living_state  # loads pandas

    return living_state(member_of(request, slug, RESEARCHERS).collection, choices.systems, choices.depth)


@router.post("/collections/{slug}/top-up", response={202: JobOut})
def top_up(request: HttpRequest, slug: str, new: NewTopUp) -> Status[dict[str, Any]]:
    """Pool and assign the missing documents of runs in a job."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    return Status(202, shown_job(queue.start("top_up", member.collection, user_of(request), new.dict())))
