"""Tries a model with three documents before all: what it reads, what it answers, and what the whole pool takes.

The answers are saved. An order that follows adds them to the ledger, and does not ask for them again.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction

from assess.asking.answers import new_answer
from assess.asking.ask import WorkOptions
from assess.asking.judges import open_judge
from assess.asking.pairs import PoolPairs, answered_tasks
from assess.asking.rules import check_may_ask
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.hosts import allowed_hosts
from assess.jobs import queue
from assess.models import Collection, Job, ModelJudge, User

if TYPE_CHECKING:
    from pooling.models import Answer, DryRun

MOST_SHOWN = 4_000  # characters of a prompt or an answer


@dataclass(frozen=True)
class Trial:
    """What a model read and answered for three documents, and the estimate for the pool as a sentence."""

    judge: int
    summary: str
    documents: list[dict[str, Any]] = field(default_factory=list)
    estimate: dict[str, Any] | None = None


def start_trial(judge: ModelJudge, options: WorkOptions, user: User | None = None) -> Job:
    """Start a job that asks for three documents."""
    check_trial(judge, options)
    if judge.collection.jobs.filter(kind="try_model", input__judge=judge.pk, state__in=queue.UNFINISHED).exists():
        raise queue.AlreadyRunning(f"{judge} is being tried already. Wait for its answers.")
    given = {name: getattr(options, name) for name in ("seed", "concurrency", "price_input", "price_output")}
    return queue.start("try_model", judge.collection, user, {"judge": judge.pk, **given})


def check_trial(judge: ModelJudge, options: WorkOptions) -> None:
    """Raise Refused if the model cannot be tried."""
    with transaction.atomic():  # a lock needs one on PostgreSQL; the trial itself must not hold it
        lock_active(judge.collection)
    options.check()
    check_may_ask(judge)
    if not judge.has_server:
        raise Refused(f"{judge} needs no trial: it asks no server.")
    open_judge(judge)


def try_model(collection: Collection, judge: int, **options: Any) -> Trial:
    """Ask for three documents, one after the other: the function of the job."""
    row = ModelJudge.objects.select_related("collection", "prompt").filter(collection=collection, pk=judge).first()
    if row is None:
        raise Refused("The model judge was deleted.")
    return run_trial(row, WorkOptions(**options))


def run_trial(judge: ModelJudge, options: WorkOptions) -> Trial:
    """Ask for three documents, save the answers, and estimate what the pool takes."""
    from pooling.models import Price, dry_run  # loads the HTTP client
    from pooling.outgoing import Forbidden

    check_may_ask(judge)
    pool, opened = PoolPairs(judge), open_judge(judge)
    seed = judge.collection.seed if options.seed is None else options.seed
    try:
        tried = dry_run(
            opened,
            pool.pairs(answered_tasks(judge)),
            seed=seed,
            price=Price(options.price_input, options.price_output),
            concurrency=options.concurrency,
            allowed=allowed_hosts(),
        )
    except Forbidden as error:
        raise Refused(str(error)) from None
    for answer in tried.answers:
        usage = answer.usage
        tokens = (usage.input, usage.output) if usage else (0, 0)
        new_answer(judge, None, pool.task(answer.query_id, answer.doc_id), answer, tokens).save()
    return _shown(judge, tried)


def _shown(judge: ModelJudge, tried: "DryRun") -> Trial:
    prompts = [*tried.prompts, *[[]] * len(tried.answers)]
    documents = [_document(answer, messages) for answer, messages in zip(tried.answers, prompts, strict=False)]
    return Trial(judge.pk, tried.summary(), documents, asdict(tried.estimate) if tried.estimate else None)


def _document(answer: "Answer", messages: Sequence[Any]) -> dict[str, Any]:
    usage = answer.usage
    return {
        "query_id": answer.query_id,
        "doc_id": answer.doc_id,
        "messages": [{"role": each.role, "content": each.content[:MOST_SHOWN]} for each in messages],
        "grade": answer.grade,
        "reason": answer.reason,
        "detail": answer.detail,
        "answer": (answer.text or answer.raw.decode(errors="replace"))[:MOST_SHOWN],
        "seconds": answer.seconds,
        "tokens": usage.total if usage else None,
        "repeats_instruction": answer.repeats_instruction,
    }
