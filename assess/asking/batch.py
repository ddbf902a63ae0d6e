"""Batch files for a model whose vendor answers them within a day, or for a site without a connection.

The files leave the site with a person, so they need the same confirmation as a request.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assess.asking.answers import recorder_for
from assess.asking.ask import WorkOptions, create_work, finish, save_trials
from assess.asking.judges import open_judge
from assess.asking.pairs import PoolPairs, answered_tasks
from assess.errors import Refused
from assess.lib.long_work import report
from assess.models import ModelJudge, ModelWork, User
from pooling.words import count

if TYPE_CHECKING:
    from pooling.models import ChatJudge

WAITING = "The batch files wait for their answers."


@dataclass(frozen=True)
class BatchResult:
    """How many answers were new, how many were saved before, and how many pairs have none."""

    saved: int
    known: int
    missing: int

    def sentence(self) -> str:
        """Return the numbers as sentences."""
        parts = [f"Saved {count(self.saved, 'answer')}."]
        if self.known:
            parts.append(f"Saved before: {self.known:,}.")
        if self.missing:
            parts.append(f"Without an answer: {count(self.missing, 'pair')}.")
        return " ".join(parts)


def write_batches(
    judge: ModelJudge, options: WorkOptions, folder: Path, user: User | None = None
) -> tuple[ModelWork, list[Path]]:
    """Write the requests of all pairs without an answer to `batch-1.jsonl` and so on, and create their order."""
    from pooling.models import write_batch  # loads the HTTP client

    opened = _chat(judge)
    work = create_work(judge, options, user)
    pool = PoolPairs(judge)
    try:
        paths = write_batch(opened, pool.pairs(answered_tasks(judge)), folder, seed=work.seed)
    except (ValueError, FileExistsError) as error:
        work.delete()
        raise Refused(str(error)) from None
    work.stopped = WAITING
    work.save(update_fields=["stopped"])
    return work, paths


def read_batches(judge: ModelJudge, paths: Sequence[Path], user: User | None = None) -> BatchResult:
    """Save the answers of batch files with their judgements. Answers that are saved already change nothing."""
    from pooling.models import read_batch  # loads the HTTP client

    work = judge.work.filter(finished_at=None, repeat=0).first()
    if work is None:
        raise Refused(f"No batch of {judge} waits for answers. Write its files first.")
    opened, pool = _chat(judge), PoolPairs(judge)
    found = read_batch(opened, list(pool.pairs(set())), paths)
    recorder = recorder_for(judge, work, user)
    save_trials(recorder)
    done = answered_tasks(judge)
    new = [answer for answer in found.answers if pool.task(answer.query_id, answer.doc_id) not in done]
    for number, answer in enumerate(new):
        report("Saving the answers", number, len(new))
        usage = answer.usage
        recorder.save(
            pool.judged(answer.query_id, answer.doc_id), answer, (usage.input, usage.output) if usage else (0, 0)
        )
    work.stopped = ""
    finish(work, pool)
    missing = len(pool.tasks - answered_tasks(judge))
    return BatchResult(len(new), len(found.answers) - len(new), missing)


def _chat(judge: ModelJudge) -> "ChatJudge":
    if judge.kind != ModelJudge.Kind.CHAT:
        raise Refused(f"Batch files are those of chat completions; {judge} is another kind of judge.")
    return open_judge(judge)  # type: ignore[return-value]  # of this kind
