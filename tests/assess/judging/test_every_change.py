"""What verify_ledger does not notice, of every change of a protected table, is exactly what docs/ledger.md lists.

The changes are those of `tests.assess.judging.changes`, each made alone in a filled collection, with a head that was
kept outside the database.
"""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection

import pooling
from assess.judging import covered
from assess.judging.checkpoints import create_checkpoint, find_checkpoint
from assess.judging.ledger import ledger_problems
from assess.judging.ledger.database import PROTECTED
from assess.models import Document
from assess.transfer.documents import DocumentOptions, import_documents
from tests.assess.judging.changes import Change, all_changes, changes_of, undone
from tests.assess.judging.filled import fill
from tests.assess.releases.stored import small_release

pytestmark = [pytest.mark.django_db, pytest.mark.database(slow=True)]

DOCS = Path(__file__).resolve().parents[3] / "docs" / "ledger.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


@pytest.fixture
def head(collection, join, monkeypatch):
    """The hash of a checkpoint of a filled collection, in which the text of a judged document was replaced."""
    monkeypatch.setattr(covered, "SETTLED", timedelta(0))  # so that the entries of this test are covered
    fill(collection, join)
    judged = Document.objects.filter(tasks__judgements__events__topic_hash__isnull=False).order_by("pk")[0]
    texts = [pooling.Document(judged.doc_id, "", "Another text.", {}, 1)]
    import_documents(collection, texts, DocumentOptions(replace=True))
    checkpoint = create_checkpoint(collection, "test")
    small_release(collection)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert list(ledger_problems()) == []
    return checkpoint.hash


def documented() -> dict[tuple[str, str], str]:
    """Return the reasons in the docs, by table and change."""
    section = DOCS.read_text(encoding="utf-8").partition("## What verify_ledger does not notice")[2]
    rows = ROW.findall(section)
    return {(table, what.strip(" `")): reason for table, all_, reason in rows for what in all_.split(",")}


def is_noticed(change: Change, head: str) -> bool:
    """Whether the database refuses the change, or verify_ledger prints a difference."""
    with undone():
        if not change.make():
            return True
        return find_checkpoint(head) is None or next(ledger_problems(), None) is not None
    raise AssertionError


def assert_as_documented(changes: list[Change], head: str) -> None:
    unnoticed = {(each.table, each.what) for each in changes if not is_noticed(each, head)}
    listed = {(each.table, each.what) for each in changes} & documented().keys()
    assert sorted(unnoticed) == sorted(listed)


@pytest.mark.slow
@pytest.mark.parametrize("model", PROTECTED, ids=lambda model: model.__name__)
def test_every_change_is_noticed_or_listed(head, model):
    assert_as_documented(list(changes_of(model)), head)


@pytest.mark.in_ci
def test_some_changes_are_noticed_or_listed(head):
    assert_as_documented(list(all_changes())[::40], head)


def test_the_docs_list_only_changes_that_exist_and_give_reasons(db):
    known = {(each.table, each.what) for model in PROTECTED for each in changes_of(model)}
    assert documented().keys() <= known
    assert all(len(reason) > 20 for reason in documented().values())
