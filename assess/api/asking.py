"""Models that judge: prompts, judges, what they are asked for, and the rules of the owner."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status
from pydantic import Field

from assess import audit
from assess.access import OWNERS, RESEARCHERS
from assess.api.bodies import Body
from assess.api.jobs import JobOut, shown_job
from assess.api.lines import ndjson
from assess.api.members import member_of, user_of
from assess.asking import state
from assess.asking.ask import MOST_CONCURRENCY, MOST_SAMPLE, MOST_SEED, WorkOptions, change_work, go_on, start_work
from assess.asking.judges import LONGEST_SECRET, delete_judge, save_judge
from assess.asking.policy import MOST_SAMPLE as MOST_OF_TOPIC
from assess.asking.policy import MOST_TOP, PolicyRule, decide_policy, end_policy, policy_record
from assess.asking.prompts import chosen_prompt, newest_prompts, save_prompt
from assess.asking.rules import change_rules, confirm_host, described_rules
from assess.asking.trial import start_trial
from assess.errors import Refused
from assess.models import ModelJudge, ModelPrompt, Scope

if TYPE_CHECKING:
    import pandas as pd

router = Router(tags=["models"])
TEXT = Field("", max_length=50_000)
NO_CHECKS: dict[str, Any] = {"answer": "", "change": "", "notes": [], "askings": [], "figures": [], "ranking": []}


class NewPrompt(Body):
    """A prompt with fields such as {title}, {scale} and {document}."""

    system: str = TEXT
    user: str = Field(max_length=50_000)
    form: str = Field("json", max_length=4)
    criteria: list[str] = Field([], max_length=20)
    scale_order: str = Field("ascending", max_length=10)


class PromptOut(Schema):
    """A version of a prompt."""

    name: str
    version: int
    system: str
    user: str
    form: str
    criteria: list[str]
    scale_order: str
    hash: str


class ExampleIn(Body):
    """A document that a prompt shows, and that is never asked for."""

    query_id: str = Field(max_length=255)
    doc_id: str = Field(max_length=255)
    grade: int = Field(ge=0, le=9)


class NewModelJudge(Body):
    """A model judge: `settings` are those of `pooling.models.ChatEndpoint`, or address and overrides for UMBRELA.

    `secret` is the value of the header. It is encrypted and never shown; null keeps the former one.
    """

    kind: str = Field("chat", max_length=20)
    settings: dict[str, Any] = {}
    prompt: str = Field("direct", max_length=80)
    secret: str | None = Field(None, max_length=LONGEST_SECRET)
    examples: list[ExampleIn] = Field([], max_length=20)


class ModelJudgeOut(Schema):
    """A model judge without its secret, and how far it is."""

    name: str
    kind: str
    settings: dict[str, Any]
    prompt: str
    has_secret: bool
    host: str
    is_confirmed: bool
    state: str
    grades: int
    cannot_judge: int
    tokens: int
    cost: float


class WorkIn(Body):
    """How a model is asked. Prices are of a million tokens; `sample` pairs are asked for again, as a check."""

    seed: int | None = Field(None, ge=0, le=MOST_SEED)
    concurrency: int = Field(4, ge=1, le=MOST_CONCURRENCY)
    per_second: float | None = Field(None, ge=0.01, le=100)
    price_input: float = Field(0, ge=0, le=1_000_000)
    price_output: float = Field(0, ge=0, le=1_000_000)
    most_cost: float | None = Field(None, ge=0)
    most_tokens: int | None = Field(None, ge=1, le=2**62)
    ask_failed_again: bool = False
    sample: int | None = Field(None, ge=1, le=MOST_SAMPLE)

    def options(self) -> WorkOptions:
        return WorkOptions(**self.dict())


class AskingOut(Schema):
    """One asking for the sample; 0 is the one whose grades are in the ledger. `model` is what the server names."""

    repeat: int
    started_at: datetime | None
    pairs: int
    grades: int
    model: str


class CheckFigure(Schema):
    """A figure of the checks with its interval. `note` says why there is no value, or no interval."""

    name: str
    figure: str
    value: float | None
    value_low: float | None
    value_high: float | None
    n: int
    topics: int
    note: str | None


class RankingChange(Schema):
    """The rankings of the systems by the grades of the first and of the last check, the other grades being the same."""

    n_topics: int
    n_systems: int
    tau_b: float | None
    rms_change: float | None
    swapped: int
    n_pairs: int
    top_a: str
    top_b: str


class ChecksOut(Schema):
    """What the repeats of a judge say: how far it agrees with itself, and what changed from the first to the last.

    Without a repeat, both sentences are empty. `ranking` has no row with one repeat, or without runs.
    """

    answer: str
    change: str
    notes: list[str]
    askings: list[AskingOut]
    figures: list[CheckFigure]
    ranking: list[RankingChange]


class ModelRulesIn(Body):
    """The rules that change; null leaves a rule as it is."""

    keep_documents: bool | None = None
    show_early: bool | None = None


class ModelRulesOut(Schema):
    """The rules on models, and the hosts to which documents may be sent."""

    keep_documents: bool
    show_early: bool
    hosts: list[str]


class PolicyIn(Body):
    """Where people judge after a model: below a probability, in the first ranks, at random in each topic."""

    judge: str = Field(max_length=80)
    unsure_below: float | None = Field(None, ge=0, le=1)
    top: int | None = Field(None, ge=1, le=MOST_TOP)
    per_topic: int | None = Field(None, ge=1, le=MOST_OF_TOPIC)
    judges: int = Field(1, ge=1, le=20)
    seed: int | None = Field(None, ge=0, le=MOST_SEED)


class PolicyOut(Schema):
    """The policy that holds; null if no model counts."""

    policy: dict[str, Any] | None


@router.get("/collections/{slug}/prompts", response=list[PromptOut])
def prompts(request: HttpRequest, slug: str) -> list[ModelPrompt]:
    """The newest version of each prompt."""
    return list(newest_prompts(member_of(request, slug, RESEARCHERS).collection))


@router.put("/collections/{slug}/prompts/{prompt}", response=PromptOut)
def put_prompt(request: HttpRequest, slug: str, prompt: str, new: NewPrompt) -> ModelPrompt:
    """Save a version of a prompt. The same texts as those of the newest version make none."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    return save_prompt(member.collection, prompt, **new.dict(), actor=user_of(request))


@router.get("/collections/{slug}/model-judges", response=list[ModelJudgeOut])
def model_judges(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The models that this site asks."""
    return [_shown(each) for each in state.states_of(member_of(request, slug, RESEARCHERS).collection)]


@router.put("/collections/{slug}/model-judges/{judge}", response=ModelJudgeOut)
def put_model_judge(request: HttpRequest, slug: str, judge: str, new: NewModelJudge) -> dict[str, Any]:
    """Save a model judge, or change the one with this name that has no judgements."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    collection, user = member.collection, user_of(request)
    is_chat = new.kind == ModelJudge.Kind.CHAT
    if new.kind == ModelJudge.Kind.FUNCTION:
        raise Refused("A Python function is asked by the command ask_model.")
    save_judge(
        collection,
        judge,
        new.kind,
        new.settings,
        chosen_prompt(collection, new.prompt, user) if is_chat else None,
        secret=new.secret,
        examples=[(each.query_id, each.doc_id, each.grade) for each in new.examples],
        actor=user,
    )
    return next(_shown(each) for each in state.states_of(collection) if each.judge.name == judge)


@router.delete("/collections/{slug}/model-judges/{judge}", response={204: None})
def delete_model_judge(request: HttpRequest, slug: str, judge: str) -> Status[None]:
    """Delete a model judge that has no judgements, with its secret."""
    delete_judge(judge_of(request, slug, judge), user_of(request))
    return Status(204, None)


@router.post("/collections/{slug}/model-judges/{judge}/confirmation", response={204: None})
def confirm(request: HttpRequest, slug: str, judge: str) -> Status[None]:
    """Allow documents of the collection to be sent to the host of the judge. Only an owner does this."""
    member = member_of(request, slug, OWNERS, Scope.MANAGE)
    confirm_host(get_object_or_404(member.collection.model_judges, name=judge), user_of(request))
    return Status(204, None)


@router.post("/collections/{slug}/model-judges/{judge}/trial", response={202: JobOut})
def try_model(request: HttpRequest, slug: str, judge: str, work: WorkIn) -> Status[dict[str, Any]]:
    """Ask for three documents in a job, whose result has prompts, answers, grades and an estimate for the pool."""
    return Status(202, shown_job(start_trial(judge_of(request, slug, judge), work.options(), user_of(request))))


@router.post("/collections/{slug}/model-judges/{judge}/work", response={202: JobOut})
def ask(request: HttpRequest, slug: str, judge: str, work: WorkIn) -> Status[dict[str, Any]]:
    """Ask for the grades of the pool in a job. Each answer is saved with its judgement when it arrives."""
    _, job = start_work(judge_of(request, slug, judge), work.options(), user_of(request))
    return Status(202, shown_job(job))


@router.post("/collections/{slug}/model-judges/{judge}/continue", response={202: JobOut})
def continue_work(request: HttpRequest, slug: str, judge: str, work: WorkIn) -> Status[dict[str, Any]]:
    """Continue what was paused, stopped by the budget, or not answered, with these prices and this budget."""
    found = judge_of(request, slug, judge).work.select_related("judge__collection").filter(finished_at=None).first()
    if found is None:
        raise Refused("Nothing is left to ask for.")
    return Status(202, shown_job(go_on(change_work(found, work.options()), user_of(request))))


@router.get("/collections/{slug}/model-judges/{judge}/checks", response=ChecksOut)
def checks(request: HttpRequest, slug: str, judge: str) -> dict[str, Any]:
    """How far the judge agrees with itself when the same sample is asked for again, and what changed meanwhile."""
    from assess.asking.checks import checks_of  # loads pandas

    member = member_of(request, slug, RESEARCHERS)
    judges = member.collection.model_judges.select_related("collection", "member")
    found = checks_of(get_object_or_404(judges, name=judge), at_once=True)
    tables = {name: _rows(getattr(found, name, None)) for name in ("askings", "figures", "ranking")}
    return {"answer": found.answer, "change": found.change, "notes": found.notes, **tables} if found else NO_CHECKS


def _rows(frame: "pd.DataFrame | None") -> list[dict[str, Any]]:
    if frame is None:
        return []
    return frame.astype(object).where(frame.notna(), None).to_dict("records")  # type: ignore[return-value]


@router.get("/collections/{slug}/model-judges/{judge}/answers", response={200: str})
def answers(request: HttpRequest, slug: str, judge: str) -> StreamingHttpResponse:
    """All answers as NDJSON, each with its record and the raw answer. The export is recorded in the audit log."""
    member = member_of(request, slug, RESEARCHERS)
    found = get_object_or_404(member.collection.model_judges, name=judge)
    audit.record_export(member.collection, "answers of a model", user_of(request))
    return ndjson(state.answer_rows(found))


@router.get("/collections/{slug}/model-rules", response=ModelRulesOut)
def rules(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The rules on models, and the hosts that an owner has confirmed."""
    return described_rules(member_of(request, slug, RESEARCHERS).collection)


@router.post("/collections/{slug}/model-rules", response=ModelRulesOut)
def post_rules(request: HttpRequest, slug: str, new: ModelRulesIn) -> dict[str, Any]:
    """Change the rules on models."""
    member = member_of(request, slug, OWNERS, Scope.MANAGE)
    stated = {name: value for name, value in new.dict().items() if value is not None}
    change_rules(member.collection, user_of(request), **stated)
    return described_rules(member.collection)


@router.get("/collections/{slug}/model-policy", response=PolicyOut)
def policy(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The policy by which grades of a model count; null if none does."""
    return {"policy": policy_record(member_of(request, slug, RESEARCHERS).collection)}


@router.post("/collections/{slug}/model-policy", response=PolicyOut)
def post_policy(request: HttpRequest, slug: str, new: PolicyIn) -> dict[str, Any]:
    """Assign to people what this policy gives them. The grades of the model count for the rest."""
    member = member_of(request, slug, OWNERS, Scope.MANAGE)
    decide_policy(member.collection, PolicyRule(**new.dict()), user_of(request))
    return {"policy": policy_record(member.collection)}


@router.delete("/collections/{slug}/model-policy", response={204: None})
def delete_policy(request: HttpRequest, slug: str) -> Status[None]:
    """End the policy: no grade of a model counts. Assignments stay."""
    end_policy(member_of(request, slug, OWNERS, Scope.MANAGE).collection, user_of(request))
    return Status(204, None)


def judge_of(request: HttpRequest, slug: str, name: str) -> ModelJudge:
    """Return a model judge for a request that changes something."""
    member = member_of(request, slug, RESEARCHERS, Scope.MANAGE)
    judges = member.collection.model_judges.select_related("collection", "prompt", "member")
    found: ModelJudge = get_object_or_404(judges, name=name)
    return found


def _shown(each: state.JudgeState) -> dict[str, Any]:
    judge = each.judge
    return {
        "name": judge.name,
        "kind": judge.kind,
        "settings": judge.settings,
        "prompt": str(judge.prompt or ""),
        "has_secret": bool(judge.secret),
        **state.sending(judge),
        "state": each.words,
        "grades": each.grades,
        "cannot_judge": each.cannot_judge,
        "tokens": each.tokens,
        "cost": each.cost,
    }
