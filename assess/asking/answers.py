"""Saves the answers of models when they arrive, each with its judgement in the ledger.

The client id of the event is the checksum of the answer's record. The chain of hashes covers it, so nobody can change
model, prompt, parameters, tokens or the checksum of the raw answer without a trace.
"""

import gzip
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from assess.asking.judges import guidelines_of, parameters_of
from assess.asking.pairs import NO_ANSWER
from assess.collections.guidelines import guidelines_hash
from assess.judging.chain import topic_hash
from assess.judging.chain_format import Display, scale_hash, text_hash
from assess.judging.judgement_input import LONGEST_COMMENT, JudgementInput
from assess.judging.record_model import Judged, record_by_model, record_id
from assess.models import (
    ImportedJudge,
    JudgeKind,
    Member,
    ModelAnswer,
    ModelJudge,
    ModelWork,
    Reason,
    Role,
    State,
    Task,
    User,
)

if TYPE_CHECKING:
    from pooling.models import Answer


@dataclass(frozen=True)
class Recorder:
    """Saves the answers of a judge to an order. `display` has the hashes of scale and guidelines that it read."""

    judge: ModelJudge
    work: ModelWork | None
    member: Member
    display: Display
    guidelines: int | None
    actor: User | None = None
    topics: dict[str, bytes] = field(default_factory=dict)  # the hashes of topics, by query_id

    @transaction.atomic
    def save(self, judged: Judged, answer: "Answer", tokens: tuple[int, int]) -> ModelAnswer:
        """Save an answer with the tokens that the budget counted, and its judgement if it is one."""
        row = new_answer(self.judge, self.work, judged.task, answer, tokens)
        self._record(judged, row)
        row.save(force_insert=True)
        return row

    @transaction.atomic
    def record(self, row: ModelAnswer) -> None:
        """Add the judgement of an answer that was saved before to the ledger."""
        task = row.task
        self._record(Judged(task.pk, task.topic.query_id, task.document.doc_id), row)
        row.save(update_fields=["recorded_at"])

    def _record(self, judged: Judged, row: ModelAnswer) -> None:
        """Add the judgement of an answer to the ledger. A repeat and a failure of the server are none."""
        if row.repeat or row.reason == NO_ANSWER or row.recorded_at:
            return
        display = self._displayed(judged)
        made = _input(row, self.guidelines)
        record_by_model(self.member, judged, made, display, record_id(row.record), self.actor)
        row.recorded_at = timezone.now()

    def _displayed(self, judged: Judged) -> Display:
        """Return the hashes of what the model read."""
        if judged.query_id not in self.topics:
            topic = self.judge.collection.topics.get(query_id=judged.query_id)
            self.topics[judged.query_id] = topic_hash(topic)
        document = judged.document_hash or _hash_now(judged.task)
        return self.display._replace(document_hash=document, topic_hash=self.topics[judged.query_id])


def _hash_now(task: int) -> bytes:
    """Return the hash of the present text of a task's document."""
    sha256 = Task.objects.filter(pk=task).values_list("document__content__sha256", flat=True).get()
    return bytes.fromhex(sha256) if sha256 else text_hash("")


def new_answer(
    judge: ModelJudge, work: ModelWork | None, task: int, answer: "Answer", tokens: tuple[int, int]
) -> ModelAnswer:
    """Return an answer to save. A former one to the same pair and repeat is kept, and no longer current."""
    former = ModelAnswer.objects.filter(judge=judge, task=task, repeat=answer.repeat, is_current=True)
    former.update(is_current=False)
    record = answer.to_record()
    version = str(record["reported"].get("model", ""))[:200].replace("\0", "\ufffd")
    return ModelAnswer(
        judge=judge,
        work=work,
        task_id=task,
        repeat=answer.repeat,
        key=answer.key,
        grade=answer.grade,
        reason=answer.reason,
        record=json.dumps(record, sort_keys=True),
        model=version.encode(errors="replace").decode(),
        body=gzip.compress(answer.raw, mtime=0),
        sha256=record["raw_sha256"],
        input_tokens=tokens[0],
        output_tokens=tokens[1],
        seconds=answer.seconds,
        repeats_instruction=answer.repeats_instruction,
    )


def recorder_for(judge: ModelJudge, work: ModelWork | None, actor: User | None = None) -> Recorder:
    """Return what saves the answers of a judge. A judge without a member gets one."""
    version, text = guidelines_of(judge)
    grades = judge.collection.grades.order_by("value").values_list("value", "name", "meaning")
    guidelines = bytes.fromhex(guidelines_hash(text)) if version else text_hash("")
    display = Display(scale_hash=scale_hash(grades), guidelines_hash=guidelines)
    return Recorder(judge, work, member_of(judge), display, version, actor)


@transaction.atomic
def member_of(judge: ModelJudge) -> Member:
    """Return the member whose judgements the answers of a judge are, with the record of the model."""
    locked = ModelJudge.objects.select_for_update().get(pk=judge.pk)
    if locked.member is None:
        member = Member.objects.create(collection=judge.collection, role=Role.ASSESSOR, name=judge.name)
        ImportedJudge.objects.create(member=member, kind=JudgeKind.MODEL, **_record_of(judge))
        locked.member = member
        locked.save(update_fields=["member"])
    judge.member = locked.member
    return locked.member


def note_version(judge: ModelJudge) -> None:
    """Complete the record of the judge: the versions that the server names, and the day of the last grade."""
    answers = ModelAnswer.objects.filter(judge=judge, is_current=True, repeat=0).exclude(grade=None).exclude(model="")
    versions = sorted(answers.order_by().values_list("model", flat=True).distinct())
    values: dict[str, Any] = {"graded_on": timezone.localdate()}
    if versions:
        values["model"] = ", ".join(versions)[:200]
    ImportedJudge.objects.filter(member=judge.member).update(**values)


def _input(row: ModelAnswer, guidelines: int | None) -> JudgementInput:
    if row.grade is None:
        words = f"{row.reason}: {row.about['detail']}"[:LONGEST_COMMENT].replace("\0", "\ufffd")
        words = words.encode(errors="replace").decode()
        return JudgementInput(State.CANNOT_JUDGE, reason=Reason.OTHER, comment=words, guidelines_version=guidelines)
    confidence = row.about["confidence"]
    share = confidence["probabilities"].get(str(row.grade)) if confidence else None
    return JudgementInput(State.JUDGED, row.grade, label_confidence=share, guidelines_version=guidelines)


def _record_of(judge: ModelJudge) -> dict[str, Any]:
    """Return what is known of the model before it has answered."""
    prompt = judge.prompt
    return {
        "description": judge.get_kind_display(),
        "model": str(judge.settings.get("model") or judge.settings.get("function") or judge.kind)[:200],
        "prompt": f"{prompt.system}\n\n{prompt.user}"[:20_000] if prompt else "",
        "prompt_version": f"{prompt.name} {prompt.version} {prompt.hash[:12]}" if prompt else "",
        "parameters": parameters_of(judge),
    }
