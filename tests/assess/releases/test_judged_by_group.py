"""A release says how many grades were copied from near-duplicates."""

import pytest

from assess.models import Collection, DuplicateGroup, Member
from assess.releases.verify import verify_stored
from tests.assess.claiming import judge
from tests.assess.near_duplicates.grouped import judged, task_of
from tests.assess.releases.conftest import release, text_of

pytestmark = pytest.mark.django_db
SENTENCE = "In 1 case, the grade is the one that the judge gave to a near-duplicate."


@pytest.mark.slow
def test_methods_count_the_grades_by_group(collection, judges, without_reports):
    assert "near-duplicate" not in text_of(release(collection), "paper/methods.md")
    ada = Member.objects.get(pk=judges["ada"].pk)
    for doc_id in "ab":
        judge(ada, task_of(ada, doc_id), "undone")
    Collection.objects.update(near_duplicates="once")
    group = DuplicateGroup.objects.create(collection=collection)
    for doc_id in "ab":
        group.members.create(document=collection.documents.get(doc_id=doc_id))
    judge(ada, task_of(ada, "a"), input="key", guidelines_version=1)
    assert [judged(ada)[doc_id][2] for doc_id in "ab"] == ["key", "group"]
    stored = release(collection)
    assert SENTENCE in text_of(stored, "paper/methods.md")
    assert verify_stored(stored).problems == []
