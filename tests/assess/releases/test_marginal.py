"""A release has the answers about marginal relevance, as they were when the gold was released."""

import csv
import io
import json

import pytest

from assess.models import Collection, MarginalAnswer, Member, Release
from assess.releases.verify import verify_stored
from tests.assess.judging.asking import judge, undo
from tests.assess.releases.conftest import release, text_of

pytestmark = pytest.mark.django_db
ANSWERS = {("ada", "a"): ("new", ""), ("ada", "b"): ("partly", '["a"]')}


@pytest.fixture
def ada(collection, judges) -> Member:
    """Ada answered on topic 1."""
    Collection.objects.update(ask_marginal=True)
    ada = Member.objects.select_related("collection").get(pk=judges["ada"].pk)
    judge(ada, "a", 1, "new")
    judge(ada, "b", 1, "partly", ["a"])
    return ada


def answers_in(stored: Release) -> dict[tuple[str, str], tuple[str, str]]:
    rows = csv.DictReader(io.StringIO(text_of(stored, "judgements.csv"), newline=""))
    return {(row["assessor"], row["doc_id"]): (row["marginal"], row["repeats"]) for row in rows if row["marginal"]}


@pytest.mark.slow
def test_release_has_the_answers_and_keeps_them(collection, ada, without_reports):
    stored = release(collection)
    assert answers_in(stored) == ANSWERS
    assert "- `judgements.csv`: all judgements under pseudonyms, and what relevant documents add" in text_of(
        stored, "README.md"
    )
    undo(ada, "b")
    judge(ada, "b", 1, "nothing", ["a"])
    judge(ada, "a", 0)
    assert verify_stored(stored).problems == []
    assert answers_in(release(collection)) == {("ada", "b"): ("nothing", '["a"]')}


@pytest.mark.in_ci
def test_changed_answer_is_named(collection, ada, without_reports):
    stored = release(collection)
    MarginalAnswer.objects.filter(answer="partly").update(answer="nothing")
    problems = verify_stored(stored).problems
    assert (
        "judgements.csv: judge 'ada' topic '1' document 'b' has marginal partly in the release and nothing in the "
        "database."
    ) in problems


@pytest.mark.slow
def test_release_without_answers_has_the_files_of_earlier_versions(collection, judges, without_reports):
    stored = release(collection)
    assert "marginal" not in json.loads(text_of(stored, "release.json"))
    assert text_of(stored, "judgements.csv").splitlines()[0].endswith(",label_confidence,adjudicated")
    Collection.objects.update(ask_marginal=True)
    ada = Member.objects.select_related("collection").get(pk=judges["ada"].pk)
    judge(ada, "a", 1, "new")  # the first answer comes after the release
    assert verify_stored(stored).problems == []
