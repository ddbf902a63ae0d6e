"""A worker runs the job, and the page of the job says what it found."""

import pytest
from django.core.management import call_command

from assess.jobs import queue
from assess.models import Role


@pytest.mark.django_db(transaction=True)
def test_worker_counts_and_the_page_says_so(isolated_storage, collection, join, signed_in):
    member = join(collection, "olga", Role.OWNER)
    job = queue.start("count_words", collection, member.user, {})
    call_command("worker", once=True, verbosity=0)
    job.refresh_from_db()
    assert job.error == ""
    page = signed_in(member).get(f"/c/small/jobs/{job.public_id}/").content.decode()
    assert "Count the words" in page
    documents = collection.documents.filter(content__isnull=False).count()
    assert f"{documents} documents, {job.result['words']:,} words." in page
