"""Batch files for a model whose vendor answers them within a day, or for a site without a connection.

The files leave the site with a person, so they need the same confirmation as a request.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from assess.asking.answers import Recorder, recorder_for
from assess.asking.ask import WorkOptions, check_order, create_work, finish, order_values, save_trials
from assess.asking.judges import open_judge
from assess.asking.pairs import NO_ANSWER, PoolPairs, answered_tasks
from assess.audit import record_export
from assess.collections.archive import lock_active
from assess.errors import Refused, as_sentence
from assess.judging.record_model import Judged
from assess.lib.long_work import report
from assess.models import ModelAnswer, ModelJudge, ModelWork, User
from pooling.errors import FormatError
from pooling.words import count

if TYPE_CHECKING:
    from _typeshed import SupportsRead

    from pooling.models import Answer, ChatJudge

WAITING = "The batch files wait for their answers."
ANSWERS = "answers.jsonl"  # what refusals call the file


@dataclass(frozen=True)
class BatchResult:
    """How many answers were read, and how many of them were new, saved before, and without a grade.

    An answer that is an error of the vendor counts as none: its pair is among the `missing`, which have no answer.
    """

    read: int
    saved: int
    known: int
    without_grade: int
    missing: int

    def sentence(self) -> str:
        """Return the numbers as sentences."""
        parts = [f"Saved {count(self.saved, 'answer')}."]
        if self.known:
            parts.append(f"Saved before: {self.known:,}.")
        if self.without_grade:
            parts.append(f"Without a grade: {count(self.without_grade, 'answer')}.")
        if self.missing:
            parts.append(f"Without an answer: {count(self.missing, 'pair')}.")
        return " ".join(parts)


def write_batches(
    judge: ModelJudge, options: WorkOptions, folder: Path, user: User | None = None
) -> tuple[ModelWork, list[Path]]:
    """Write the requests of all pairs without an answer to `batch-1.jsonl` and so on, and create their order.

    The same files again belong to the same order. The export is recorded in the audit log.
    """
    from pooling.models import write_batch  # loads the HTTP client

    opened, pool, done = _chat(judge), PoolPairs(judge), answered_tasks(judge)
    work, is_new = _order(judge, options, user, is_left=not pool.tasks or bool(pool.tasks - done))
    try:
        paths = write_batch(opened, pool.pairs(done), folder, seed=work.seed)
        if not paths:
            raise Refused("No document that is left to ask for has a text.")
    except (ValueError, FileExistsError, Refused) as error:
        if is_new:
            work.delete()
        raise Refused(str(error)) from None
    record_export(judge.collection, "batch files for a model", user)
    return work, paths


@transaction.atomic
def _order(judge: ModelJudge, options: WorkOptions, user: User | None, *, is_left: bool) -> tuple[ModelWork, bool]:
    """Return the order whose files wait for answers, or a new one, and whether it is new."""
    if options.sample:
        raise Refused("A batch asks for the grades of all documents, not for a sample again.")
    check_order(judge, options)
    if not is_left:
        raise Refused("Nothing is left to ask for.")
    waiting = judge.work.filter(finished_at=None, stopped=WAITING, repeat=0, **order_values(judge, options))
    if found := waiting.first():
        return found, False
    work = create_work(judge, options, user)
    work.stopped = WAITING
    work.save(update_fields=["stopped"])
    return work, True


def batch_file(judge: ModelJudge, options: WorkOptions, user: User | None = None) -> IO[bytes]:
    """Return an open file with the lines of all batch files, one after the other. It is deleted when it is closed."""
    with ExitStack() as stack:  # closes the file after a refusal
        whole = stack.enter_context(TemporaryFile(prefix="assay-batch-"))
        with TemporaryDirectory(prefix="assay-batch-") as folder:
            for path in write_batches(judge, options, Path(folder), user)[1]:
                with path.open("rb") as part:
                    shutil.copyfileobj(part, whole)
                path.unlink()  # so that the disk never has everything twice
        whole.seek(0)
        stack.pop_all()
        return whole


@contextmanager
def answers_path(file: "SupportsRead[bytes]") -> Iterator[Path]:
    """Copy what was sent to a file for the time of a `with` block."""
    with TemporaryDirectory(prefix="assay-batch-") as folder:
        path = Path(folder, ANSWERS)
        with path.open("wb") as stream:
            shutil.copyfileobj(file, stream)
        yield path


def read_batches(judge: ModelJudge, paths: Sequence[Path], user: User | None = None) -> BatchResult:
    """Save the answers of batch files with their judgements. Answers that are saved already change nothing."""
    from pooling.models import read_batch  # loads the HTTP client

    opened, pool = _chat(judge), PoolPairs(judge)
    work = _work_of(judge)
    try:
        found = read_batch(opened, list(pool.pairs(set())), paths)
    except FormatError as error:
        raise Refused(as_sentence(error)) from None
    former = _saved(judge)
    new = [answer for answer in found.answers if not _is_known(answer, former.get(_task(pool, answer)))]
    if new and work.finished_at:
        raise Refused(_no_batch(judge))
    is_complete = not pool.tasks - answered_tasks(judge)
    if new or (is_complete and not work.finished_at):
        _save(recorder_for(judge, work, user), pool, new)
    missing = len(pool.tasks - answered_tasks(judge))
    without = sum(answer.grade is None and answer.reason != NO_ANSWER for answer in found.answers)
    return BatchResult(len(found.answers), len(new), len(found.answers) - len(new), without, missing)


@transaction.atomic
def _work_of(judge: ModelJudge) -> ModelWork:
    """Return the order that waits for answers, or the last one: its answers may be read again."""
    lock_active(judge.collection)
    work = judge.work.filter(repeat=0).order_by(F("finished_at").desc(nulls_first=True), "-pk").first()
    if work is None:
        raise Refused(_no_batch(judge))
    return work


def _no_batch(judge: ModelJudge) -> str:
    return f"No batch of {judge} waits for answers. Write its files first."


def _saved(judge: ModelJudge, **only: int) -> dict[int, tuple[str, str]]:
    """Return the reasons and the checksums of the answers of a judge, by task."""
    rows = ModelAnswer.objects.filter(judge=judge, repeat=0, is_current=True, **only)
    return {task: (reason, sha256) for task, reason, sha256 in rows.values_list("task", "reason", "sha256")}


def _is_known(answer: "Answer", former: tuple[str, str] | None) -> bool:
    """Whether an answer to the pair is saved. After an error of the vendor, another answer takes its place."""
    if former is None:
        return False
    reason, sha256 = former
    return reason != NO_ANSWER or sha256 == answer.to_record()["raw_sha256"]


def _task(pool: PoolPairs, answer: "Answer") -> int:
    return pool.task(answer.query_id, answer.doc_id)


def _save(recorder: Recorder, pool: PoolPairs, new: "Sequence[Answer]") -> None:
    """Save answers with their judgements, and how far the order is now."""
    save_trials(recorder)
    for number, answer in enumerate(new):
        report("Saving the answers", number, len(new))
        _save_once(recorder, pool.judged(answer.query_id, answer.doc_id), answer)
    recorder.work.stopped = ""  # type: ignore[union-attr]  # an order was given
    finish(recorder.work, pool)  # type: ignore[arg-type]


@transaction.atomic
def _save_once(recorder: Recorder, judged: Judged, answer: "Answer") -> None:
    """Save an answer, unless another request with the same file has saved it meanwhile."""
    ModelJudge.objects.select_for_update(no_key=True).only("pk").get(pk=recorder.judge.pk)
    if _is_known(answer, _saved(recorder.judge, task=judged.task).get(judged.task)):
        return
    usage = answer.usage
    recorder.save(judged, answer, (usage.input, usage.output) if usage else (0, 0))


def _chat(judge: ModelJudge) -> "ChatJudge":
    if judge.kind != ModelJudge.Kind.CHAT:
        raise Refused(f"Batch files are those of chat completions; {judge} is another kind of judge.")
    return open_judge(judge)  # type: ignore[return-value]  # of this kind
