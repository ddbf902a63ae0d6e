"""A collection whose documents all have a text, and judging of its sample."""

import uuid

import pooling
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, SampledTask, Task
from assess.transfer.documents import DocumentOptions, import_documents
from tests.assess.claiming import fresh
from tests.factories import write_documents

OTHERS = [f"n{number:02}" for number in range(20)]
IMPORTED = [*"abcdefxyz", *OTHERS]


def import_all(collection, folder, doc_ids=IMPORTED):
    import_documents(
        collection, pooling.read_documents(write_documents(folder, doc_ids)), DocumentOptions(keep_all=True)
    )
    return collection


def drawn(collection, query_id="1") -> list[str]:
    """The documents of a sample in the order of drawing."""
    rows = SampledTask.objects.filter(sample__topic__collection=collection, sample__topic__query_id=query_id)
    return list(rows.order_by("position").values_list("task__document__doc_id", flat=True))


def grade(member, doc_ids, relevant, query_id="1") -> None:
    """Let an assessor, who gets the tasks if necessary, grade documents in this order."""
    for doc_id in doc_ids:
        task = Task.objects.get(
            topic__query_id=query_id, topic__collection=member.collection_id, document__doc_id=doc_id
        )
        assignment, _ = Assignment.objects.get_or_create(
            task=task, member=member, repeat=0, defaults={"topic_id": task.topic_id, "position": task.pk}
        )
        record_judgement(
            fresh(member), assignment.public_id, JudgementInput("judged", int(doc_id in relevant)), uuid.uuid4()
        )
