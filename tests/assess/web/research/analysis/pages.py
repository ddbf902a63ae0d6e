"""Helpers for tests of pages that show what judges did."""

from django.urls import reverse
from django.utils import timezone

from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Role, Task
from tests.html import compact


def judge(collection, name: str, grades: dict[tuple[str, str], int]):
    """Record judgements of an assessor without a user."""
    member = collection.members.get_or_create(name=name, defaults={"role": Role.ASSESSOR})[0]
    tasks = {
        (task.topic.query_id, task.document.doc_id): task.pk
        for task in Task.objects.select_related("topic", "document")
    }
    record_imported(
        [
            ImportedJudgement(member, tasks[pair], 0, JudgementInput("judged", grade), timezone.now())
            for pair, grade in grades.items()
        ]
    )
    return member


def read(http, name, collection, *arguments, status=200, **query) -> str:
    response = http.get(reverse(f"research:{name}", args=[collection.slug, *arguments]), query)
    assert response.status_code == status
    content = response.content.decode()
    return compact(content) if "html" in response["content-type"] else content
