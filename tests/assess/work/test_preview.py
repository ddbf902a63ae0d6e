"""The preview of an assignment says what each person gets, and is what is saved."""

from collections import Counter

import pytest

from assess.errors import Refused
from assess.models import Assignment
from assess.pools.assign import assign
from assess.work.preview import preview
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import tables


@pytest.fixture
def three(collection, add_assessors):
    return add_assessors(collection, "ada", "ben", "cleo")


@pytest.mark.in_ci
@pytest.mark.parametrize(
    "options",
    [
        {"judges": 2},
        {"judges": 1, "by_topic": True},
        {"judges": 2, "share": 0.3, "repeats": 0.5},
        {"shared": 2, "exclude": ["assessor-2"]},
        {"judges": 2, "limit": 3},
        {"judges": 1, "topics": ["1"], "exclude": ["assessor-3"]},
    ],
)
@pytest.mark.parametrize("has_started", [False, True])
def test_preview_equals_what_is_saved(collection, three, options, has_started):
    if has_started:
        assign(collection, 1, topics=["2"])
        for member in three:
            for task in upcoming(member, query_id="2"):
                judge(member, task)
    before = tables()
    shown = preview(collection, 60, **options)
    assert tables() == before
    had = Counter(Assignment.objects.values_list("member__name", flat=True))
    result = assign(collection, preview=shown.fingerprint, **options)
    has = Counter(Assignment.objects.values_list("member__name", flat=True))
    assert {row.name: row.new + row.repeats for row in shown.people if row.new} == dict(has - had)
    assert (shown.added, shown.repeats, shown.shortfall) == (result.added, result.repeats, result.shortfall)


def test_hours_topics_and_common_documents(collection, three):
    shown = preview(collection, 14, judges=3)
    assert [(row.new, row.total, row.topics, row.hours) for row in shown.people] == [(7, 7, 2, 0.5)] * 3
    assert (shown.hours, shown.least_common, shown.most_common) == (1.5, 7, 7)
    assert [row.common for row in shown.matrix] == [[None, 7, 7], [7, None, 7], [7, 7, None]]


def test_common_documents_include_existing_ones(collection, three):
    assign(collection, 1)
    shown = preview(collection, 60, judges=2)
    pairs = Counter()
    assign(collection, 2)
    for a in three:
        for b in three:
            mine, theirs = (set(member.assignments.values_list("task", flat=True)) for member in (a, b))
            pairs[a.name, b.name] = len(mine & theirs)
    for row, a in zip(shown.matrix, three, strict=True):
        assert row.common == [None if a == b else pairs[a.name, b.name] for b in three]


@pytest.mark.parametrize("pace", [0, -1, 10_001, float("nan")])
def test_pace_has_a_range(collection, three, pace):
    with pytest.raises(Refused, match="The pace must be above 0 and at most 10,000 documents an hour"):
        preview(collection, pace, judges=1)
