"""A release has the suggestions with which judgements were made, as they were when the gold was released."""

import csv
import io

import pytest

from assess.models import Assistance
from assess.releases.verify import verify_stored
from assess.suggestions.choice import set_suggestions
from tests.assess.releases.conftest import release, text_of
from tests.assess.suggestions.suggesting import cards, judge, judge_study, judges_of, suggesting_collection

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_release_says_so_and_finds_changes(join, without_reports):
    collection = suggesting_collection()
    judge_study(collection, join)
    stored = release(collection)
    sentence = "saw the grades of model-a as suggestions next to documents: 2 of 11 grades were given with one."
    assert sentence in text_of(stored, "README.md")
    rows = list(csv.DictReader(io.StringIO(text_of(stored, "judgements.csv"), newline="")))
    assert sum(row["assisted"] == "model-a" for row in rows) == 2
    assert verify_stored(stored).problems == []
    Assistance.objects.filter(grade=2).update(grade=1)
    assert any(
        "has suggested 2 in the release and 1 in the database" in each for each in verify_stored(stored).problems
    )


@pytest.mark.slow
def test_later_suggestions_do_not_change_a_release(join, without_reports):
    collection = suggesting_collection(is_on=False)
    ada, _ = judges_of(collection, join)
    judge(ada, "a", 1)
    stored = release(collection)
    assert "suggestions" not in text_of(stored, "release.json")
    set_suggestions(collection, "model-a")
    cards(ada)
    judge(ada, "b", 1)
    assert verify_stored(stored).problems == []
