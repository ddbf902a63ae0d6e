"""What the pages and the API show of a model judge: how far it is, what it cost, and which answers have no grade."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from django.db.models import Count, F, Q, QuerySet, Sum

from assess.asking.ask import options_of, result_of
from assess.asking.pairs import NO_ANSWER
from assess.asking.rules import is_confirmed
from assess.jobs import queue
from assess.lib.blocks import blocks
from assess.models import Collection, Job, ModelAnswer, ModelJudge, ModelWork
from assess.pools.tasks import pooled_tasks

MOST_SHOWN = 50
BEGIN = 300  # characters of an answer
PRICES = ("price_input", "price_output")
KEPT = (*PRICES, "most_cost", "most_tokens", "concurrency", "per_second")


@dataclass(frozen=True)
class JudgeState:
    """How far a judge is: grades, answers without one, tokens, what they cost, and whether a job asks it now."""

    judge: ModelJudge
    grades: int
    cannot_judge: int
    failed: int
    tokens: int
    cost: float
    is_asked: bool
    has_open_work: bool

    @property
    def words(self) -> str:
        """The state in a few words."""
        if self.is_asked:
            return "is being asked"
        if self.has_open_work:
            return "not complete"
        return "complete" if self.grades else "not asked yet"


def states_of(collection: Collection) -> list[JudgeState]:
    """Return the state of every model judge of a collection."""
    counted = Q(answers__repeat=0, answers__is_current=True)
    rows = collection.model_judges.select_related("prompt", "member").annotate(
        grades=Count("answers", filter=counted & Q(answers__grade__isnull=False)),
        cannot=Count("answers", filter=counted & Q(answers__grade=None) & ~Q(answers__reason=NO_ANSWER)),
        failed=Count("answers", filter=counted & Q(answers__reason=NO_ANSWER)),
    )
    spent, asked = _spent(collection), _asked(collection)
    unfinished = set(
        ModelWork.objects.filter(judge__collection=collection, finished_at=None).values_list("judge", flat=True)
    )
    return [
        JudgeState(
            row, row.grades, row.cannot, row.failed, *spent.get(row.pk, (0, 0.0)), row.pk in asked, row.pk in unfinished
        )
        for row in rows
    ]


def _spent(collection: Collection) -> dict[int, tuple[int, float]]:
    """Return the tokens of each judge and what they cost, by key. A trial has no price before an order follows."""
    answers = ModelAnswer.objects.filter(judge__collection=collection).order_by().values("judge")
    cost = F("input_tokens") * F("work__price_input") + F("output_tokens") * F("work__price_output")
    sums = answers.annotate(tokens=Sum(F("input_tokens") + F("output_tokens")), cost=Sum(cost))
    return {row["judge"]: (row["tokens"], (row["cost"] or 0.0) / 1_000_000) for row in sums}


def unanswered(judge: ModelJudge) -> int:
    """Return how many pairs of the pool have no answer of the judge. Its examples are none."""
    answered = ModelAnswer.objects.filter(judge=judge, repeat=0, is_current=True).exclude(reason=NO_ANSWER)
    waiting = pooled_tasks(judge.collection).exclude(pk__in=answered.values("task"))
    shown = {(query_id, doc_id) for query_id, doc_id, _ in judge.examples}
    if not shown:
        return waiting.count()
    return sum(pair not in shown for pair in waiting.values_list("topic__query_id", "document__doc_id"))


def jobs_of(judge: ModelJudge) -> Q:
    """Return the condition on the jobs that try or ask a judge."""
    orders = list(judge.work.order_by("-pk").values_list("pk", flat=True)[:MOST_SHOWN])
    return Q(input__judge=judge.pk) | Q(input__work__in=orders)


def is_asked(judge: ModelJudge) -> bool:
    """Whether a job asks the judge now."""
    return judge.pk in _asked(judge.collection)


def last_options(judge: ModelJudge) -> dict[str, Any]:
    """Return the prices, the budget and the pace of the last order, or the prices of the last trial."""
    if work := judge.work.filter(repeat=0).first():
        return {name: value for name, value in vars(options_of(work)).items() if value and name in KEPT}
    tried = judge.collection.jobs.filter(kind="try_model", input__judge=judge.pk).first()
    return {name: tried.input[name] for name in PRICES if tried.input.get(name)} if tried else {}


def _asked(collection: Collection) -> set[int]:
    """Return the keys of the judges that a job asks now."""
    jobs = Job.objects.filter(collection=collection, kind="ask_model", state__in=queue.UNFINISHED)
    works = [job.input.get("work") for job in jobs]
    return set(ModelWork.objects.filter(pk__in=works).values_list("judge", flat=True))


def answers_without_grade(judge: ModelJudge) -> list[dict[str, Any]]:
    """Return the first current answers without a grade, with the raw text."""
    answers = judge.answers.filter(is_current=True, repeat=0, grade=None)
    return [_shown(row) for row in _with_pairs(answers)[:MOST_SHOWN]]


def suspicious_answers(judge: ModelJudge) -> list[dict[str, Any]]:
    """Return the first answers that repeat an order which the document contains."""
    answers = judge.answers.filter(is_current=True, repeats_instruction=True)
    return [_shown(row) for row in _with_pairs(answers)[:MOST_SHOWN]]


def warnings_of(judge: ModelJudge) -> list[str]:
    """Return sentences about the grades of a judge, such as zeros of UMBRELA that may be none."""
    if judge.kind != ModelJudge.Kind.UMBRELA:
        return []
    from pooling.models import ZERO_WARNING  # loads the HTTP client

    zeros = judge.answers.filter(is_current=True, repeat=0, grade=0)
    doubtful = sum(row.about["warning"] == ZERO_WARNING for row in zeros.iterator())
    return [f"{doubtful:,} of the grades 0 may be none: {ZERO_WARNING}"] if doubtful else []


def orders_of(judge: ModelJudge) -> list[dict[str, Any]]:
    """Return the orders to a judge, the newest first, with what became of each."""
    return [{"work": work, "result": result_of(work)} for work in judge.work.select_related("judge")[:MOST_SHOWN]]


def reasons_of(judge: ModelJudge) -> dict[str, int]:
    """Return how often each reason prevents a grade."""
    answers = judge.answers.filter(is_current=True, repeat=0, grade=None)
    found = Counter(answers.values_list("reason", flat=True)).most_common()
    return {reason.replace("_", " "): number for reason, number in found}


def sending(judge: ModelJudge) -> dict[str, Any]:
    """Return to which host documents are sent, and whether an owner has confirmed it."""
    return {"host": judge.host, "is_confirmed": not judge.host or is_confirmed(judge)}


def answer_rows(judge: ModelJudge) -> Iterator[dict[str, Any]]:
    """Yield all answers with their records and the raw answers."""
    for row in chain.from_iterable(blocks(judge.answers.all())):
        raw = row.original().decode(errors="replace")
        yield row.about | {"raw": raw, "is_current": row.is_current, "answered_at": row.answered_at.isoformat()}


def answers_file(judge: ModelJudge) -> BinaryIO:
    """Return a temporary file of all answers as compressed lines of JSON."""
    file: BinaryIO = TemporaryFile()  # noqa: SIM115 - the response closes it
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as stream:
        for row in answer_rows(judge):
            stream.write(json.dumps(row).encode() + b"\n")
    file.seek(0)
    return file


def _with_pairs(answers: QuerySet[ModelAnswer]) -> QuerySet[ModelAnswer]:
    return answers.select_related("task__topic", "task__document").order_by("task__topic", "task")


def _shown(row: ModelAnswer) -> dict[str, Any]:
    about = row.about
    return {
        "query_id": row.task.topic.query_id,
        "doc_id": row.task.document.doc_id,
        "grade": row.grade,
        "reason": row.reason.replace("_", " "),
        "detail": about["detail"],
        "text": about["text"][:BEGIN],
    }
