"""Every task gets its assessors: different ones, evenly, and each assessor has an individual order."""

from collections import Counter, defaultdict

import pytest
from django.db.models import Count

from assess.collections.create import create_collection
from assess.errors import Refused
from assess.models import Assignment, Role
from assess.pools.assign import assign, fingerprint
from assess.pools.building.build import build_pool
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import small_collection

# One system, two topics of eight documents.
RUNS = {"only": {query_id: [f"d{query_id}{n}" for n in range(8)] for query_id in ("1", "2")}}


def long_topics(slug: str = "long", seed: int = 7):
    collection = small_collection(RUNS, slug=slug, depth=8)
    collection.seed = seed
    collection.save()
    return collection


def holders(collection) -> dict[tuple, set[str]]:
    """Return the assessors of each task."""
    result = defaultdict(set)
    rows = Assignment.objects.filter(task__topic__collection=collection)
    for row in rows.select_related("task__topic", "task__document", "member__user"):
        result[row.task.topic.query_id, row.task.document.doc_id].add(row.member.user.username)
    return dict(result)


def order_of(member) -> list[tuple]:
    """Return the tasks in the assessor's own order."""
    rows = member.assignments.order_by("task__topic", "position")
    return list(rows.values_list("task__topic__query_id", "task__document__doc_id"))


def loads(collection) -> Counter:
    return Counter(name for names in holders(collection).values() for name in names)


@pytest.mark.parametrize("by_topic", [False, True])
@pytest.mark.parametrize("judges", [1, 2, 3])
def test_every_task_gets_that_many_different_assessors(collection, add_assessors, judges, by_topic):
    add_assessors(collection, "ada", "bob", "cy")
    done = assign(collection, judges, by_topic)
    assert (done.added, done.tasks, done.assessors) == (7 * judges, 7, 3)
    assert {len(names) for names in holders(collection).values()} == {judges}
    assert len(holders(collection)) == 7


@pytest.mark.parametrize("judges", [1, 2])
def test_no_two_loads_differ_by_more_than_one(collection, add_assessors, judges):
    add_assessors(collection, "ada", "bob", "cy")
    done = assign(collection, judges)
    counts = loads(collection).values()
    assert max(counts) - min(counts) <= 1
    assert (done.least, done.most) == (min(counts), max(counts))


def test_by_topic_keeps_a_topic_with_its_assessors(collection, add_assessors):
    add_assessors(collection, "ada", "bob", "cy", "di")
    assign(collection, 2, by_topic=True)
    teams = defaultdict(set)
    for (query_id, _), names in holders(collection).items():
        teams[query_id].add(frozenset(names))
    assert {query_id: len(sets) for query_id, sets in teams.items()} == {"1": 1, "2": 1}
    (first,), (second,) = teams.values()
    assert not first & second  # four people for two topics of two: nobody has both


@pytest.mark.parametrize("by_topic", [False, True])
def test_assigning_again_creates_no_assignments(collection, add_assessors, by_topic):
    add_assessors(collection, "ada", "bob", "cy")
    assign(collection, 2, by_topic)
    before = tables()
    assert assign(collection, 2, by_topic).added == 0
    assert tables() == before


@pytest.mark.parametrize("by_topic", [False, True])
def test_new_assessors_and_tasks_do_not_move_existing_assignments(collection, add_assessors, by_topic):
    add_assessors(collection, "ada", "bob")
    assign(collection, 2, by_topic)
    before = tables()["Assignment"]
    add_assessors(collection, "cy")
    build_pool(collection, depth=3)
    assert assign(collection, 2, by_topic).added == 2 * 2
    assert tables()["Assignment"][: len(before)] == before
    assert {len(names) for names in holders(collection).values()} == {2}


def test_additional_judge_of_a_task_is_another_assessor(collection, add_assessors):
    add_assessors(collection, "ada", "bob")
    assign(collection, 1)
    assert assign(collection, 2).added == 7
    assert set(map(frozenset, holders(collection).values())) == {frozenset({"ada", "bob"})}


def test_late_assessor_gets_the_new_tasks(collection, add_assessors):
    add_assessors(collection, "ada")
    assign(collection, 1)
    add_assessors(collection, "bob")
    build_pool(collection, depth=3)
    assign(collection, 1)
    assert loads(collection) == {"ada": 7, "bob": 2}


def test_each_assessor_has_an_order_of_their_own(db, add_assessors):
    collection = long_topics()
    members = add_assessors(collection, "ada", "bob", "cy")
    assign(collection, 3)
    orders = [order_of(member) for member in members]
    assert len({tuple(order) for order in orders}) == 3
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[2])


def test_no_assessor_has_the_order_of_the_ranking(db, add_assessors):
    collection = long_topics()
    pooled = [(query_id, doc_id) for query_id in ("1", "2") for doc_id in RUNS["only"][query_id]]
    members = add_assessors(collection, "ada", "bob", "cy")
    assign(collection, 3)
    assert [order_of(member) for member in members if order_of(member) == pooled] == []


@pytest.mark.parametrize("by_topic", [False, True])
def test_same_seed_gives_the_same_tasks_in_the_same_order(db, add_assessors, by_topic):
    plans = []
    for slug, seed in (("one", 7), ("two", 7), ("three", 8)):
        collection = long_topics(slug, seed)
        members = add_assessors(collection, "ada", "bob", "cy")
        assign(collection, 2, by_topic)
        plans.append([order_of(member) for member in members])
    assert plans[0] == plans[1]
    assert plans[0] != plans[2]


@pytest.mark.parametrize("names", [[], ["ada"]])
def test_fewer_assessors_than_judges_are_refused(collection, add_assessors, names):
    add_assessors(collection, *names)
    assert refusal("assign", "--collection", "small", "--judges", 2) == (
        f"2 judges per task require as many assessors who can sign in; small has {len(names) or 'none'}. Add assessors "
        "first."
    )


def test_one_judge_per_task_is_singular(collection):
    assert refusal("assign", "--collection", "small", "--judges", 1).startswith("1 judge per task requires as many")


def test_researchers_and_judges_who_cannot_sign_in_get_no_tasks(collection, join):
    join(collection, "rosa", Role.RESEARCHER)
    collection.members.create(name="imported", role=Role.ASSESSOR)
    assert "small has none." in refusal("assign", "--collection", "small", "--judges", 1)


def test_assigning_needs_a_pool(db, join):
    collection = create_collection("empty", "Empty")
    join(collection, "ada")
    assert refusal("assign", "--collection", "empty", "--judges", 1) == (
        "empty has no pooled documents yet. Build the pool first."
    )


def test_less_than_one_judge_is_refused(collection, join):
    join(collection, "ada")
    with pytest.raises(Refused, match=r"^the number of judges per task must be a whole number from 1, not 0\.$"):
        assign(collection, 0)


def test_judged_document_outside_the_pool_is_not_assigned(collection, join):
    join(collection, "ada")
    import_judgements(collection, b"1 0 outside 1\n", assessor="imported")
    assert assign(collection, 1).tasks == 7
    assert ("1", "outside") not in holders(collection)


def test_share_of_the_tasks_goes_to_several_assessors(db, add_assessors):
    collection = long_topics()
    add_assessors(collection, "ada", "bob", "cy")
    lines = output_of("assign", "--collection", "long", "--judges", 3, "--share", 0.25)
    assert lines == [
        "Created 24 assignments of 16 tasks to 3 assessors. Each assessor has 8 assignments in total (seed 7)."
    ]
    assert Counter(len(names) for names in holders(collection).values()) == {3: 4, 1: 12}


def test_shared_tasks_go_to_everyone(db, add_assessors):
    collection = long_topics()
    add_assessors(collection, "ada", "bob", "cy")
    output_of("assign", "--collection", "long", "--everyone", 4)
    assert Counter(len(names) for names in holders(collection).values()) == {3: 4, 1: 12}


def test_by_topic_with_a_share_for_a_second_assessor(db, add_assessors):
    collection = long_topics()
    add_assessors(collection, "ada", "bob", "cy")
    output_of("assign", "--collection", "long", "--judges", 2, "--by-topic", "--share", 0.25)
    assessors = holders(collection)
    assert Counter(map(len, assessors.values())) == {1: 12, 2: 4}
    for query_id in ("1", "2"):
        assert len(set.intersection(*(names for (topic, _), names in assessors.items() if topic == query_id))) == 1


def test_limit_is_kept_and_the_shortfall_is_reported(db, add_assessors):
    collection = long_topics()
    add_assessors(collection, "ada", "bob", "cy")
    lines = output_of("assign", "--collection", "long", "--judges", 2, "--limit", 7, "--repeats", 0.2)
    # Three assessors take 21 of 32 first judgements. A repeat never takes the place of one.
    expected = "11 of 16 tasks lack 11 assessors because of the limits; 3 of 3 assessors lack 3 repeats."
    assert lines[1] == f"Not everything could be assigned: {expected}"
    assert max(loads(collection).values()) <= 7
    assert set(Assignment.objects.values_list("member").annotate(n=Count("pk")).values_list("n", flat=True)) == {7}


def test_share_and_shared_cannot_be_combined(db, add_assessors):
    add_assessors(long_topics(), "ada")
    assert refusal("assign", "--collection", "long", "--everyone", 1, "--share", 0.5) == (
        "The options share and shared cannot be combined; choose one."
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--judges", 1, "--share", 1.5], "a share must be between 0 and 1, not 1.5."),
        (["--everyone", 17], "only 16 tasks can be shared by everyone, not 17."),
        (["--judges", 1, "--everyone", 2], "not allowed with argument --judges"),
        ([], "one of the arguments --judges --everyone is required"),
        (["--judges", 1, "--limit", 0], "'0' is not a whole number from 1"),
    ],
)
def test_invalid_options_are_refused(db, add_assessors, options, message):
    add_assessors(long_topics(), "ada")
    assert message in refusal("assign", "--collection", "long", *options)


def test_imported_judgement_is_not_assigned_again(collection, add_assessors):
    ada, bob = add_assessors(collection, "ada", "bob")
    import_judgements(collection, b"1 0 a 1\n", as_members=[ada.name])
    assert assign(collection, 1).added == 6
    assert holders(collection)["1", "a"] == {"ada"}
    assert ada.assignments.get(task__document__doc_id="a").state == "judged"
    assert assign(collection, 2).added == 7
    assert holders(collection)["1", "a"] == {"ada", "bob"}
    assert bob.assignments.count() == 7


def test_excluded_assessor_gets_nothing_new_but_existing_work_counts(collection, add_assessors):
    add_assessors(collection, "ada", "bob", "cy")
    assign(collection, 1, exclude=["assessor-3"])
    assert loads(collection)["cy"] == 0
    ada_has = loads(collection)["ada"]
    done = assign(collection, 2, exclude=["assessor-1"])
    assert loads(collection)["ada"] == ada_has
    assert {len(names) for names in holders(collection).values()} == {2}
    assert (done.assessors, done.shortfall) == (2, "")


def test_everyone_means_those_who_are_not_excluded(collection, add_assessors):
    add_assessors(collection, "ada", "bob", "cy")
    done = assign(collection, shared=7, exclude=["assessor-3"])
    assert (done.added, done.shortfall, loads(collection)["cy"]) == (14, "", 0)


def test_only_the_chosen_topics_are_assigned(collection, add_assessors):
    add_assessors(collection, "ada", "bob")
    assign(collection, 1, topics=["2"])
    assert {query_id for query_id, _ in holders(collection)} == {"2"}
    assign(collection, 1)
    assert len(holders(collection)) == 7


def test_limit_counts_the_work_in_other_topics(collection, add_assessors):
    add_assessors(collection, "ada")
    assign(collection, 1, topics=["2"])
    done = assign(collection, 1, topics=["1"], limit=4)
    assert loads(collection) == {"ada": 4}
    assert "because of the limits" in done.shortfall


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"exclude": ["eve"]}, "'eve' cannot be excluded: small has the assessors assessor-1, assessor-2."),
        ({"topics": ["9"]}, "small has no topic '9'."),
        ({"exclude": ["assessor-1"], "judges": 2}, "small has 1 besides those who are excluded"),
    ],
)
def test_unknown_people_and_topics_are_refused(collection, add_assessors, options, problem):
    add_assessors(collection, "ada", "bob")
    before = tables()
    with pytest.raises(Refused, match=problem):
        assign(collection, **options)
    assert tables() == before


def test_plan_of_a_changed_collection_is_refused(collection, add_assessors):
    add_assessors(collection, "ada", "bob")
    preview = fingerprint(collection)
    add_assessors(collection, "cy")
    with pytest.raises(Refused, match="has changed since this preview"):
        assign(collection, 1, preview=preview)
    assert assign(collection, 1, preview=fingerprint(collection)).added == 7


def test_command_excludes_people_and_chooses_topics(collection, add_assessors):
    add_assessors(collection, "ada", "bob")
    words = ("--judges", "1", "--topics", "2", "--exclude", "assessor-2")
    assert output_of("assign", "--collection", "small", *words) == [
        "Created 3 assignments of 3 tasks to 1 assessor. Each assessor has 3 assignments in these topics "
        f"(seed {collection.seed})."
    ]
