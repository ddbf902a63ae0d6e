"""Asks a model for the grades of the pool, as a job: each answer is saved with its judgement when it arrives.

A job that was killed, paused or stopped by its budget goes on with the pairs that have no answer. What was in flight
when a worker was killed is asked for again; what was saved is not.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from assess import audit
from assess.asking.answers import Recorder, note_version, recorder_for
from assess.asking.judges import open_judge
from assess.asking.offline import gold_of_people, offline_answers
from assess.asking.pairs import NO_ANSWER, PoolPairs, answered_tasks
from assess.asking.rules import check_may_ask, check_people_finished
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.hosts import allowed_hosts
from assess.jobs import queue
from assess.lib.long_work import report
from assess.models import Action, Collection, Job, ModelAnswer, ModelJudge, ModelWork, User
from pooling.words import count

if TYPE_CHECKING:
    from pooling.models import Asking, Budget, Pair
    from pooling.models.answers import Judge

CONCURRENCY, MOST_CONCURRENCY = 4, 32
MOST_PER_SECOND = 100.0
MOST_SEED = 2**31 - 1
MOST_SAMPLE = 10_000
MOST_TOKENS = 2**62
STAGE = "Asking the model"
FIXED = ("seed", "sample")  # of an order, as long as it lasts


@dataclass(frozen=True)
class WorkOptions:
    """How a model is asked: pace, prices of a million tokens, budget, and whether failed answers are asked for again.

    `sample` pairs are asked for again as a repeat; None asks for the grades of all pairs.
    """

    seed: int | None = None
    concurrency: int = CONCURRENCY
    per_second: float | None = None
    price_input: float = 0.0
    price_output: float = 0.0
    most_cost: float | None = None
    most_tokens: int | None = None
    ask_failed_again: bool = False
    sample: int | None = None

    def check(self) -> None:
        """Raise Refused with the first error."""
        _check_between("The concurrency", self.concurrency, 1, MOST_CONCURRENCY)
        _check_between("The requests in a second", self.per_second, 0.01, MOST_PER_SECOND)
        _check_between("The seed", self.seed, 0, MOST_SEED)
        _check_between("The sample", self.sample, 1, MOST_SAMPLE)
        _check_between("The budget in tokens", self.most_tokens, 1, MOST_TOKENS)
        if self.most_cost is not None and not (self.price_input and self.price_output):
            raise Refused("A budget of money needs both prices: of a million tokens read, and of a million written.")
        self.budget()

    def budget(self, spent_tokens: int = 0, spent_cost: float = 0.0) -> "Budget":
        """Return what may still be spent."""
        from pooling.models import Budget, Price  # loads the HTTP client

        tokens = None if self.most_tokens is None else max(self.most_tokens - spent_tokens, 0)
        cost = None if self.most_cost is None else max(self.most_cost - spent_cost, 0.0)
        try:
            return Budget(tokens, cost, Price(self.price_input, self.price_output))
        except ValueError as error:
            raise Refused(str(error)) from None


@dataclass(frozen=True)
class AskedResult:
    """How many pairs have a grade, how many cannot be judged, and how many have no answer yet."""

    judge: str
    pairs: int
    grades: int
    cannot_judge: int
    left: int
    tokens: int = 0
    cost: float = 0.0
    stopped: str = ""
    notes: list[str] = field(default_factory=list)


@transaction.atomic
def start_work(judge: ModelJudge, options: WorkOptions, user: User | None = None) -> tuple[ModelWork, Job]:
    """Create an order to a judge, and start its job."""
    work = create_work(judge, options, user)
    return work, _start(work, user)


@transaction.atomic
def create_work(judge: ModelJudge, options: WorkOptions, user: User | None = None) -> ModelWork:
    """Create an order to a judge. Refused if it must not be asked, or if it is being asked."""
    check_order(judge, options)
    collection, pairs = judge.collection, len(PoolPairs(judge))
    if not pairs:
        raise Refused(f"{collection} has no pool yet. Build it first: the pairs of the pool are judged.")
    values = order_values(judge, options)
    repeat = _next_repeat(judge) if options.sample else 0
    work = ModelWork.objects.create(
        judge=judge, repeat=repeat, pairs=min(pairs, options.sample or pairs), started_by=user, **values
    )
    audit.record(Action.MODEL_ASKED, actor=user, collection=collection, details={"judge": judge.pk, "work": work.pk})
    return work


def check_order(judge: ModelJudge, options: WorkOptions) -> None:
    """Lock the collection. Raise Refused if the judge must not be asked like this, or if it is being asked."""
    lock_active(judge.collection)
    options.check()
    _check_ready(judge)
    if judge.work.filter(finished_at=None, stopped="").exists():
        raise Refused(f"{judge} is being asked already. Wait, or continue what is not complete.")


def order_values(judge: ModelJudge, options: WorkOptions) -> dict[str, Any]:
    """Return the options as fields of an order. The seed is that of the collection if none is stated."""
    seed = judge.collection.seed if options.seed is None else options.seed
    return {**vars(options), "seed": seed}


def _check_ready(judge: ModelJudge) -> None:
    """Raise Refused if documents must not be sent, or if the judge is made from grades that people still give."""
    check_may_ask(judge)
    if judge.has_server:
        open_judge(judge)
    if judge.kind == ModelJudge.Kind.OFFLINE:
        gold_of_people(judge.collection)
    if judge.kind == ModelJudge.Kind.OFFLINE or judge.examples:
        check_people_finished(judge.collection)


@transaction.atomic
def go_on(work: ModelWork, user: User | None = None, **changes: Any) -> Job:
    """Continue an order that was paused, stopped or killed. `changes` are new values of its pace, prices or budget."""
    return _start(change_work(work, replace(options_of(work), **changes)), user)


@transaction.atomic
def change_work(work: ModelWork, options: WorkOptions) -> ModelWork:
    """Give an order that is not complete another pace, other prices or another budget. Seed and sample stay."""
    lock_active(work.judge.collection)
    if work.finished_at:
        raise Refused(f"{work.judge} has an answer for every document of this order.")
    options.check()
    for name, value in vars(options).items():
        if name not in FIXED:
            setattr(work, name, value)
    work.stopped = ""
    work.save()
    return work


def options_of(work: ModelWork) -> WorkOptions:
    """Return how an order is asked."""
    return WorkOptions(**{name: getattr(work, name) for name in WorkOptions.__dataclass_fields__})


def spent_on(work: ModelWork) -> tuple[int, int, float]:
    """Return the tokens of input and output that an order has taken, and what they cost."""
    sums = work.answers.aggregate(given=Sum("input_tokens"), written=Sum("output_tokens"))
    given, written = sums["given"] or 0, sums["written"] or 0
    return given, written, (given * work.price_input + written * work.price_output) / 1_000_000


def ask_model(collection: Collection, work: int) -> AskedResult:
    """Ask for all pairs of an order that have no answer: the function of the job."""
    row = ModelWork.objects.select_related("judge__collection", "judge__prompt", "judge__member", "started_by")
    order = row.get(pk=work, judge__collection=collection)
    if order.finished_at is None:
        carry_out(order)
    return result_of(order)


def carry_out(work: ModelWork, judge: "Judge | None" = None) -> None:
    """Ask for all pairs of an order that have no answer. `judge` is a Python function that a command has loaded."""
    pool = PoolPairs(work.judge)
    recorder = recorder_for(work.judge, work, work.started_by)
    if not work.repeat:
        save_trials(recorder)
    if work.judge.kind == ModelJudge.Kind.OFFLINE:
        _save_offline(work, pool, recorder)
    else:
        check_may_ask(work.judge)
        work.stopped = _ask_open(work, pool, recorder, judge or open_judge(work.judge))
    finish(work, pool)


def _ask_open(work: ModelWork, pool: PoolPairs, recorder: Recorder, judge: "Judge") -> str:
    """Ask for the pairs without an answer, and save each answer. Returns why the work ended early, if it did."""
    from pooling.outgoing import Forbidden  # loads the HTTP client

    done = answered_tasks(work.judge, work.repeat, with_failed=work.ask_failed_again)
    progress = _Progress(work, len(done))
    asking = _asking(work, judge, _pairs(work, pool, done), progress)
    progress.asking = asking
    before = asking.spent
    try:
        with asking:
            for answer in asking:
                tokens = asking.spent.input - before.input, asking.spent.output - before.output
                recorder.save(pool.judged(answer.query_id, answer.doc_id), answer, tokens)
                before = asking.spent
                progress.report()
    except Forbidden as error:
        raise Refused(str(error)) from None
    return asking.stopped


def _asking(work: ModelWork, judge: "Judge", pairs: "Iterable[Pair]", progress: "_Progress") -> "Asking":
    """Return what asks for the pairs, within what is left of the budget."""
    from pooling.models import ask  # loads the HTTP client
    from pooling.models.chat import LIMITS

    given, written, cost = spent_on(work)
    return ask(
        judge,
        pairs,
        seed=work.seed,
        concurrency=work.concurrency,
        budget=options_of(work).budget(given + written, cost),
        limits=replace(LIMITS, per_second=work.per_second),
        allowed=allowed_hosts(),
        on_wait=progress.report,
    )


class _Progress:
    """Reports how many pairs have an answer, at which rate, and what was spent."""

    def __init__(self, work: ModelWork, begun: int) -> None:
        self._pairs, self._begun, self._cost = work.pairs, begun, spent_on(work)[2]
        self._started = time.monotonic()
        self.asking: Asking | None = None

    def report(self) -> None:
        if asking := self.asking:
            report(self._stage(asking), self._begun + asking.asked, self._pairs)

    def _stage(self, asking: "Asking") -> str:
        seconds = time.monotonic() - self._started
        rate = f"{asking.asked / seconds:.1f} a second" if seconds > 1 else ""
        spent = f"{self._cost + asking.cost:.4f} spent" if asking.cost else f"{asking.spent.total:,} tokens"
        return f"{STAGE}: {', '.join(part for part in (rate, spent) if part)}"


def _pairs(work: ModelWork, pool: PoolPairs, done: set[int]) -> "Iterable[Pair]":
    """Return the pairs to ask for. The sample of a repeat is the same each time: those of the judge's first seed."""
    from pooling.models import in_drawn_order  # loads the HTTP client

    if not work.sample:
        return pool.pairs(done)
    seed = work.judge.collection.seed
    drawn = in_drawn_order((pair._replace(repeat=0) for pair in pool.pairs(set())), seed)[: work.sample]
    return [pair._replace(repeat=work.repeat) for pair in drawn if pool.task(pair.query_id, pair.doc_id) not in done]


def save_trials(recorder: Recorder) -> None:
    """Add the answers of a trial to the ledger and to the order: they are paid for, and not asked for again."""
    tried = recorder.judge.answers.filter(recorded_at=None, repeat=0, is_current=True).exclude(reason=NO_ANSWER)
    for row in tried.select_related("task__topic", "task__document__content"):
        recorder.record(row)
    recorder.judge.answers.filter(work=None, repeat=0).update(work=recorder.work)


def _save_offline(work: ModelWork, pool: PoolPairs, recorder: Recorder) -> None:
    """Compute and save the grades of the offline judge."""
    done = answered_tasks(work.judge)
    answers, work.notes = offline_answers(work, pool)
    for number, answer in enumerate(answers):
        report("Saving the grades", number, len(answers))
        if pool.task(answer.query_id, answer.doc_id) not in done:
            recorder.save(pool.judged(answer.query_id, answer.doc_id), answer, (0, 0))


def finish(work: ModelWork, pool: PoolPairs) -> None:
    """Mark an order as finished if every pair has an answer; otherwise say how many have none."""
    note_version(work.judge)
    answered = answered_tasks(work.judge, work.repeat)
    work.pairs = work.pairs if work.repeat else len(pool)
    left = work.pairs - len(answered) if work.repeat else len(pool.tasks - answered)
    if not left and not work.stopped:
        work.finished_at = timezone.now()
        # Those that a budget stopped before: nothing of them is left.
        former = work.judge.work.filter(repeat=work.repeat, finished_at=None)
        former.update(finished_at=work.finished_at)
    elif not work.stopped:
        work.stopped = f"{count(left, 'request')} had no usable answer. Continue to ask again."
    work.save(update_fields=["pairs", "stopped", "notes", "finished_at"])


def result_of(work: ModelWork) -> AskedResult:
    """Return how far an order is."""
    answers = ModelAnswer.objects.filter(judge=work.judge, repeat=work.repeat, is_current=True)
    grades = answers.exclude(grade=None).count()
    cannot = answers.filter(grade=None).exclude(reason=NO_ANSWER).count()
    given, written, cost = spent_on(work)
    return AskedResult(
        work.judge.name,
        work.pairs,
        grades,
        cannot,
        max(work.pairs - grades - cannot, 0),
        given + written,
        cost,
        work.stopped,
        work.notes,
    )


def _next_repeat(judge: ModelJudge) -> int:
    return (judge.work.order_by("-repeat").values_list("repeat", flat=True).first() or 0) + 1


def _start(work: ModelWork, user: User | None) -> Job:
    judge = work.judge
    if judge.kind == ModelJudge.Kind.FUNCTION:
        raise Refused(f"{judge} is a Python function. The command ask_model asks it.")
    unfinished = judge.collection.jobs.filter(kind="ask_model", state__in=queue.UNFINISHED)
    if any(job.input.get("work") == work.pk for job in unfinished):
        raise queue.AlreadyRunning(f"{judge} is being asked already. Wait, or pause the job.")
    return queue.start("ask_model", judge.collection, user, {"work": work.pk})


def _check_between(name: str, value: float | None, least: float, most: float) -> None:
    if value is not None and not least <= value <= most:
        raise Refused(f"{name} must be between {least:g} and {most:,}, not {value:g}.")


def result_sentence(result: dict[str, Any]) -> str:
    """Return what a job did, in a sentence or two."""
    done = f"{result['judge']}: {count(result['grades'], 'grade')} for {count(result['pairs'], 'document')}"
    cannot = f", {result['cannot_judge']:,} without a grade" if result["cannot_judge"] else ""
    return f"{done}{cannot}. {result['stopped']}".strip()
