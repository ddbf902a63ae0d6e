"""Golds by rule: by hand, against worked values, and what graded and binary have to do with each other."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import as_golds, make_gold
from tests.oracles import oracle

COMBINED = oracle("golds_and_pools")["combine_qrels"]


def judged(labels):
    """Judgements of one topic: document -> grades of the judges a, b, c, ..., None for not judged."""
    rows = [
        (judge, "q", doc, grade)
        for doc, grades in labels.items()
        for judge, grade in zip("abcdef", grades, strict=False)
        if grade is not None
    ]
    return pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])


def grades(gold):
    return dict(zip(gold["doc_id"], gold["relevance"].tolist(), strict=True))


@pytest.mark.parametrize("rule", ["union", "intersection", "majority"])
def test_worked_binary_golds(rule):
    gold = make_gold(judged(COMBINED["labels"]), rule, rel=COMBINED["threshold"])

    assert grades(gold) == COMBINED[rule]


@pytest.mark.parametrize(
    ("rule", "worked"),
    [("union", "graded_max"), ("intersection", "graded_min"), ("majority", "graded_median_low")],
)
def test_worked_graded_golds(rule, worked):
    assert grades(make_gold(judged(COMBINED["labels"]), rule)) == COMBINED[worked]


def test_by_hand():
    labels = judged({"x": (0, 3), "y": (2, None), "z": (1, 1)})

    assert grades(make_gold(labels, "judge:a")) == {"x": 0, "y": 2, "z": 1}
    assert grades(make_gold(labels, "judge:b")) == {"x": 3, "z": 1}
    assert grades(make_gold(labels, "union", rel=2)) == {"x": 1, "y": 1, "z": 0}
    assert grades(make_gold(labels, "intersection", rel=2)) == {"x": 0, "y": 1, "z": 0}
    # x: one of two is a tie, and a tie is no majority
    assert grades(make_gold(labels, "majority", rel=2)) == {"x": 0, "y": 1, "z": 0}


def test_items_that_too_few_judged_are_not_in_the_gold():
    labels = judged({"x": (0, 3), "y": (2, None)})

    assert grades(make_gold(labels, "union", at_least_judges=2)) == {"x": 3}


def test_the_rule_travels_with_the_gold():
    labels = judged({"x": (0, 3)})

    gold = make_gold(labels, "majority", rel=2, at_least_judges=2)

    assert gold.columns.tolist() == ["gold", "query_id", "doc_id", "relevance"]
    assert gold["gold"].tolist() == ["majority(rel=2, at_least_judges=2)"]
    assert gold.attrs == {"rule": "majority", "rel": 2, "at_least_judges": 2}
    assert make_gold(labels, "judge:a")["gold"].tolist() == ["judge:a"]


def test_what_is_not_judged_decides_nothing():
    labels = judged({"x": (-1, 3), "y": (-1, -1)})

    assert grades(make_gold(labels, "intersection")) == {"x": 3}
    assert grades(make_gold(labels, "judge:a")) == {}


def test_a_negative_grade_is_a_grade():
    assert grades(make_gold(judged({"x": (-2, 0)}), "intersection")) == {"x": -2}


def test_only_repeat_zero_decides():
    labels = pd.concat([judged({"x": (0,)}).assign(repeat=0), judged({"x": (3,)}).assign(repeat=1)])

    assert grades(make_gold(labels, "union")) == {"x": 0}


def test_unknown_rules_and_judges_are_refused_with_what_there_is():
    labels = judged({"x": (0, 3)})

    with pytest.raises(ValueError, match=r"no rule 'best'; there are judge:NAME, union, intersection, majority"):
        make_gold(labels, "best")
    with pytest.raises(ValueError, match="no judge 'z'; there are: a, b"):
        make_gold(labels, "judge:z")


def test_a_second_judgement_is_refused():
    with pytest.raises(ValueError, match="judged twice: assessor a, topic q, document x"):
        make_gold(pd.concat([judged({"x": (0,)})] * 2), "union")


def test_no_judgements_make_an_empty_gold():
    gold = make_gold(judged({}), "majority", rel=1)

    assert len(gold) == 0
    assert gold.columns.tolist() == ["gold", "query_id", "doc_id", "relevance"]


item = st.lists(st.integers(0, 3), min_size=1, max_size=6)


@given(st.lists(item, min_size=1, max_size=8), st.integers(0, 4), st.randoms(use_true_random=False))
def test_a_graded_gold_cut_at_any_grade_is_the_rule_of_the_sets(items, rel, random):
    labels = {str(number): grades for number, grades in enumerate(items)}
    shuffled = judged(labels).sample(frac=1, random_state=random.randrange(2**32))

    for rule, holds in (
        ("union", lambda votes, _: votes >= 1),
        ("intersection", lambda votes, n: votes == n),
        ("majority", lambda votes, n: 2 * votes > n),
    ):
        graded = grades(make_gold(shuffled, rule))
        wanted = {doc: int(holds(sum(g >= rel for g in given_), len(given_))) for doc, given_ in labels.items()}
        assert {doc: int(grade >= rel) for doc, grade in graded.items()} == wanted
        assert grades(make_gold(shuffled, rule, rel=rel)) == wanted


def test_golds_by_name():
    union, majority = (make_gold(judged({"x": (0, 3)}), rule) for rule in ("union", "majority"))

    assert list(as_golds([union, majority])) == ["union", "majority"]
    assert list(as_golds(pd.concat([majority, union]))) == ["majority", "union"]
    assert list(as_golds({"mine": union})) == ["mine"]
    assert list(as_golds(union.drop(columns="gold"))) == ["gold"]
    for golds in ([union, union], [], {}):
        with pytest.raises(ValueError, match="a name of its own"):
            as_golds(golds)
