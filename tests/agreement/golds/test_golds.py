"""Golds by rule: computed by hand, worked values, and the relation of graded and binary golds."""

import statistics

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Ratings, as_golds, dawid_skene, gold_name, make_gold
from agreement.golds.rules import RULES
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


def adjudicated(labels, by="z"):
    """Adjudications of one topic: document -> grade."""
    rows = [(by, "q", doc, grade, True) for doc, grade in labels.items()]
    return pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance", "adjudicated"])


def with_adjudications(labels, final):
    return pd.concat([judged(labels).assign(adjudicated=False), adjudicated(final)])


@pytest.mark.parametrize(
    ("rule", "worked"),
    [
        ("union", "union"),
        ("max", "union"),
        ("at_least:1", "union"),
        ("intersection", "intersection"),
        ("min", "intersection"),
        ("at_least:3", "intersection"),  # of three judges
        ("majority", "majority"),
        ("median", "majority"),
        ("at_least:2", "majority"),
    ],
)
def test_worked_binary_golds(rule, worked):
    gold = make_gold(judged(COMBINED["labels"]), rule, rel=COMBINED["threshold"])

    assert grades(gold) == COMBINED[worked]


@pytest.mark.parametrize(
    ("rule", "worked"),
    [
        ("union", "graded_max"),
        ("max", "graded_max"),
        ("at_least:1", "graded_max"),
        ("intersection", "graded_min"),
        ("min", "graded_min"),
        ("at_least:3", "graded_min"),
        ("majority", "graded_median_low"),
        ("median", "graded_median_low"),
        ("at_least:2", "graded_median_low"),
    ],
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


def test_the_mean_may_be_a_fraction():
    labels = judged({"x": (0, 3), "y": (2, None), "z": (1, 1, 2)})

    # x: (0 + 3) / 2, y: 2 / 1, z: (1 + 1 + 2) / 3
    assert grades(make_gold(labels, "mean")) == {"x": 1.5, "y": 2.0, "z": 4 / 3}
    assert grades(make_gold(labels, "mean", rel=2)) == {"x": 0, "y": 1, "z": 0}
    assert make_gold(labels, "mean", rel=2)["relevance"].dtype == "int64"


def test_the_mean_is_computed_before_the_cut():
    # Two of three are below 1, and yet the mean is (0 + 0 + 3) / 3 = 1
    labels = judged({"x": (0, 0, 3)})

    assert grades(make_gold(labels, "mean", rel=1)) == {"x": 1}
    assert grades(make_gold(labels, "majority", rel=1)) == {"x": 0}


def test_at_least_n_judges_by_hand():
    labels = judged({"x": (0, 3, 2), "y": (2, None), "z": (1, 1, 0)})

    # The second highest grades: x 3 2 0, z 1 1 0. Only one judged y: another might have found it relevant, or not
    assert grades(make_gold(labels, "at_least:2")) == {"x": 2, "z": 1}
    assert grades(make_gold(labels, "at_least:2", rel=2)) == {"x": 1, "z": 0}
    assert grades(make_gold(labels, "at_least:10")) == {}


def test_both_agree_keeps_items_on_which_two_or_more_judges_agree():
    labels = judged({"x": (2, 3), "y": (2, None), "z": (1, 1, 1), "w": (0, 0, 1)})

    assert grades(make_gold(labels, "both_agree")) == {"z": 1}
    # 2 and 3 agree that x is relevant at 2; w is agreed to be not
    assert grades(make_gold(labels, "both_agree", rel=2)) == {"x": 1, "z": 0, "w": 0}
    assert grades(make_gold(labels, "both_agree", rel=2, at_least_judges=3)) == {"z": 0, "w": 0}


def test_adjudication_decides_before_agreement():
    labels = {"agreed": (2, 2), "open": (0, 2), "settled": (0, 3), "overruled": (1, 1), "alone": (1,)}
    judgements = with_adjudications(labels, {"settled": 1, "overruled": 3, "unseen": 2})

    gold = make_gold(judgements, "adjudicated")

    assert grades(gold) == {"agreed": 2, "settled": 1, "overruled": 3, "alone": 1, "unseen": 2}
    assert gold["doc_id"].tolist() == sorted(gold["doc_id"])
    assert grades(make_gold(judgements, "adjudicated", rel=2)) == {
        "agreed": 1,
        "settled": 0,
        "overruled": 1,
        "alone": 0,
        "unseen": 1,
    }


def test_judges_on_one_side_of_the_threshold_need_no_adjudication():
    assert grades(make_gold(judged({"x": (2, 3)}), "adjudicated", rel=2)) == {"x": 1}
    assert grades(make_gold(judged({"x": (2, 3)}), "adjudicated")) == {}


def test_adjudicated_items_are_decided_for_any_number_of_judges():
    judgements = with_adjudications({"x": (0, 3), "y": (1,), "z": (1,)}, {"x": 1, "y": 2})

    assert grades(make_gold(judgements, "adjudicated", at_least_judges=2)) == {"x": 1, "y": 2}


def test_an_adjudication_without_a_grade_decides_nothing():
    assert grades(make_gold(with_adjudications({"x": (1, 1)}, {"x": -1}), "adjudicated")) == {"x": 1}


@pytest.mark.parametrize("rule", ["union", "min", "mean", "at_least:1", "both_agree", "judge:a", "dawid_skene"])
def test_an_adjudication_is_not_a_vote(rule):
    judgements = with_adjudications({"x": (1, 1), "y": (0, 0)}, {"x": 0, "y": 1, "z": 1})

    assert grades(make_gold(judgements, rule, rel=1)) == {"x": 1, "y": 0}


def test_a_judge_may_adjudicate_their_own_items():
    judgements = pd.concat([judged({"x": (0, 1)}).assign(adjudicated=None), adjudicated({"x": 1}, by="a")])

    assert grades(make_gold(judgements, "adjudicated")) == {"x": 1}


def test_contradicting_adjudications_are_refused():
    judgements = pd.concat([adjudicated({"x": 0, "y": 1}, by="s"), adjudicated({"x": 1, "y": 1}, by="t")])

    with pytest.raises(ValueError, match="two adjudicated grades: topic 'q', document 'x'"):
        make_gold(judgements, "adjudicated")


def test_dawid_skene_uses_the_most_likely_grade():
    labels = judged({"v": (0, 0, 0), "w": (1, 1, 0), "x": (2, 2, 2), "y": (0, 0, 1), "z": (1, 1, 1)})
    truth = dawid_skene(Ratings.from_judgements(labels, (0, 1, 2)))

    gold = make_gold(labels, "dawid_skene", scale=(0, 1, 2))

    assert grades(gold) == grades(truth.to_gold())
    assert gold["gold"].unique().tolist() == ["dawid_skene(scale=0 1 2)"]
    assert gold.attrs == {
        "rule": "dawid_skene",
        "rel": None,
        "at_least_judges": 1,
        "scale": (0, 1, 2),
        "max_iterations": 1000,
        "tolerance": 1e-10,
        "reason": None,
        "warnings": truth.warnings,
    }


def test_dawid_skene_of_relevance_is_estimated_after_the_cut():
    labels = judged({"v": (0, 0, 1), "w": (3, 2, 0), "x": (2, 2, 2), "y": (0, 0, 1), "z": (1, 2, 1)})
    truth = dawid_skene(Ratings.from_judgements(labels, (0, 1, 2, 3)).binary(2))

    assert grades(make_gold(labels, "dawid_skene", rel=2)) == grades(truth.to_gold())


def test_an_undefined_truth_gives_an_empty_gold_with_the_reason():
    gold = make_gold(judged({"x": (0,), "y": (1,)}), "dawid_skene", rel=1)

    assert gold.columns.tolist() == ["gold", "query_id", "doc_id", "relevance"]
    assert len(gold) == 0
    assert gold.attrs["reason"] == "one_assessor"


def test_dawid_skene_needs_a_declared_scale():
    with pytest.raises(ValueError, match="dawid_skene needs scale or rel"):
        make_gold(judged({"x": (0, 1)}), "dawid_skene")


def test_an_unknown_grade_is_refused():
    with pytest.raises(ValueError, match="not on the scale 0, 1: assessor 'b', topic 'q', document 'x', grade 3"):
        make_gold(judged({"x": (0, 3)}), "union", scale=(0, 1))


def test_items_with_too_few_judges_are_not_in_the_gold():
    labels = judged({"x": (0, 3), "y": (2, None)})

    assert grades(make_gold(labels, "union", at_least_judges=2)) == {"x": 3}
    assert grades(make_gold(labels, "judge:a", at_least_judges=2)) == {"x": 0}
    with pytest.raises(ValueError, match="at_least_judges must be a whole number from 1, not 0"):
        make_gold(labels, "union", at_least_judges=0)


def test_the_gold_states_its_rule():
    labels = judged({"x": (0, 3)})

    gold = make_gold(labels, "majority", rel=2, at_least_judges=2)

    assert gold.columns.tolist() == ["gold", "query_id", "doc_id", "relevance"]
    assert gold["gold"].tolist() == ["majority(rel=2, at_least_judges=2)"]
    assert gold.attrs == {"rule": "majority", "rel": 2, "at_least_judges": 2}
    assert make_gold(labels, "judge:a")["gold"].tolist() == ["judge:a"]
    assert make_gold(labels, "at_least:2", rel=1)["gold"].tolist() == ["at_least:2(rel=1)"]
    assert gold_name("mean", scale=(0, 1)) == "mean(scale=0 1)"


def test_missing_judgements_decide_nothing():
    labels = judged({"x": (-1, 3), "y": (-1, -1)})

    assert grades(make_gold(labels, "intersection")) == {"x": 3}
    assert grades(make_gold(labels, "judge:a")) == {}


def test_only_repeat_zero_decides():
    labels = pd.concat([judged({"x": (0,)}).assign(repeat=0), judged({"x": (3,)}).assign(repeat=1)])

    assert grades(make_gold(labels, "union")) == {"x": 0}


@pytest.mark.parametrize("rule", ["best", "at_least", "at_least:0", "at_least:-1", "at_least:two", "Union", ""])
def test_unknown_rules_are_refused(rule):
    with pytest.raises(ValueError, match=rf"no rule '{rule}'\. The rules are judge:NAME, union, .*, at_least:N"):
        make_gold(judged({"x": (0, 3)}), rule)


def test_unknown_judges_are_refused():
    with pytest.raises(ValueError, match=r"no judge 'z'\. The judges are a, b"):
        make_gold(judged({"x": (0, 3)}), "judge:z")


def test_a_second_judgement_is_refused():
    with pytest.raises(ValueError, match="judged twice by one assessor: assessor 'a', topic 'q', document 'x'"):
        make_gold(pd.concat([judged({"x": (0,)})] * 2), "union")


@pytest.mark.parametrize("rule", [*RULES, "at_least:2"])
@pytest.mark.parametrize("rel", [None, 1])
def test_no_judgements_give_an_empty_gold(rule, rel):
    gold = make_gold(judged({}), rule, rel=rel, scale=(0, 1))

    assert len(gold) == 0
    assert gold.columns.tolist() == ["gold", "query_id", "doc_id", "relevance"]


@pytest.mark.parametrize("rule", [*RULES, "at_least:2"])
def test_all_rules_follow_judges_who_agree(rule):
    labels = judged({"x": (0, 0), "y": (1, 1), "z": (1, 1), "w": (0, 0)})

    assert grades(make_gold(labels, rule, scale=(0, 1))) == {"x": 0, "y": 1, "z": 1, "w": 0}


item = st.lists(st.integers(0, 3), min_size=1, max_size=6)


BY_VOTES = {
    "union": lambda votes, _: votes >= 1,
    "intersection": lambda votes, n: votes == n,
    "majority": lambda votes, n: 2 * votes > n,
    "max": lambda votes, _: votes >= 1,
    "min": lambda votes, n: votes == n,
    "median": lambda votes, n: 2 * votes > n,
}


@pytest.mark.slow
@given(
    st.sampled_from(sorted(BY_VOTES)),
    st.lists(item, min_size=1, max_size=8),
    st.integers(0, 4),
    st.randoms(use_true_random=False),
)
def test_a_graded_gold_cut_at_any_grade_is_the_binary_gold(rule, items, rel, random):
    labels = {str(number): grades for number, grades in enumerate(items)}
    shuffled = judged(labels).sample(frac=1, random_state=random.randrange(2**32))

    holds = BY_VOTES[rule]
    expected = {doc: int(holds(sum(g >= rel for g in votes), len(votes))) for doc, votes in labels.items()}

    assert {doc: int(grade >= rel) for doc, grade in grades(make_gold(shuffled, rule)).items()} == expected
    assert grades(make_gold(shuffled, rule, rel=rel)) == expected


REFERENCES = {
    "mean": (1, lambda votes: statistics.fmean(votes), lambda votes, rel: sum(votes) >= rel * len(votes)),
    "at_least:1": (1, lambda votes: max(votes), lambda votes, rel: any(g >= rel for g in votes)),
    "at_least:3": (3, lambda votes: sorted(votes)[-3], lambda votes, rel: sum(g >= rel for g in votes) >= 3),
}


@pytest.mark.slow
@given(st.sampled_from(sorted(REFERENCES)), st.lists(item, min_size=1, max_size=8), st.integers(0, 4))
def test_rules_against_a_reference_for_each_item(rule, items, rel):
    n, graded, binary = REFERENCES[rule]
    labels = {str(number): votes for number, votes in enumerate(items)}
    enough = {doc: votes for doc, votes in labels.items() if len(votes) >= n}

    assert grades(make_gold(judged(labels), rule)) == {doc: graded(votes) for doc, votes in enough.items()}
    assert grades(make_gold(judged(labels), rule, rel)) == {
        doc: int(binary(votes, rel)) for doc, votes in enough.items()
    }


@given(st.lists(item, min_size=1, max_size=8), st.integers(0, 4))
def test_agreement_rules_against_a_reference_for_each_item(items, rel):
    labels = {str(number): votes for number, votes in enumerate(items)}
    cut = {doc: {int(g >= rel) for g in votes} for doc, votes in labels.items()}
    agreed = {doc: max(votes) for doc, votes in cut.items() if len(votes) == 1}

    assert grades(make_gold(judged(labels), "adjudicated", rel)) == agreed
    assert grades(make_gold(judged(labels), "both_agree", rel)) == {
        d: g for d, g in agreed.items() if len(labels[d]) > 1
    }


def test_golds_by_name():
    union, majority = (make_gold(judged({"x": (0, 3)}), rule) for rule in ("union", "majority"))

    assert list(as_golds([union, majority])) == ["union", "majority"]
    assert list(as_golds(pd.concat([majority, union]))) == ["majority", "union"]
    assert list(as_golds({"mine": union})) == ["mine"]
    assert list(as_golds(union.drop(columns="gold"))) == ["gold"]
    for golds in ([union, union], [], {}):
        with pytest.raises(ValueError, match="different names"):
            as_golds(golds)


def test_an_empty_gold_keeps_its_name():
    rows = [("a", "1", "x", 1), ("b", "1", "x", 0)]
    judgements = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])

    golds = as_golds([make_gold(judgements, "union"), make_gold(judgements, "both_agree", rel=1)])

    assert {name: len(gold) for name, gold in golds.items()} == {"union": 1, "both_agree(rel=1)": 0}


def test_a_row_of_golds_without_a_name_is_refused():
    frame = pd.DataFrame({"gold": ["g", None], "query_id": "1", "doc_id": ["x", "y"], "relevance": 1})
    with pytest.raises(ValueError, match="Each row of golds must name its gold"):
        as_golds(frame)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rel": float("nan")}, "rel must be a grade from 0"),
        ({"rel": -1}, "rel must be a grade from 0"),
        ({"rel": "1"}, "rel must be a grade from 0"),
        ({"at_least_judges": 2.5}, "at_least_judges must be a whole number from 1, not 2.5"),
        ({"at_least_judges": 0}, "at_least_judges must be a whole number from 1, not 0"),
    ],
)
def test_an_invalid_option_is_refused(options, message):
    judgements = pd.DataFrame({"assessor": ["a"], "query_id": "1", "doc_id": "x", "relevance": 1})
    with pytest.raises(ValueError, match=message):
        make_gold(judgements, "union", **options)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("repeat", None, "repeat must be a whole number"),
        ("repeat", "first", "repeat must be a whole number"),
        ("adjudicated", "no", "adjudicated must be true or false, not 'no'"),
        ("adjudicated", 2, "adjudicated must be true or false, not 2"),
    ],
)
def test_an_invalid_value_of_a_column_is_refused(column, value, message):
    judgements = pd.DataFrame({"assessor": ["a"], "query_id": "1", "doc_id": "x", "relevance": 1, column: [value]})
    with pytest.raises(ValueError, match=message):
        make_gold(judgements, "union")


def test_repeats_may_be_text():
    judgements = pd.DataFrame(
        {"assessor": "a", "query_id": "1", "doc_id": "x", "relevance": [1, 0], "repeat": ["0", "1"]}
    )
    assert make_gold(judgements, "union")["relevance"].tolist() == [1]


@pytest.mark.parametrize("rule", ["mean", "majority", "union", "intersection", "both_agree", "at_least:1"])
def test_negative_grades_do_not_count(rule):
    rows = [("ada", "1", "x", -2), ("bob", "1", "x", 2), ("cy", "1", "x", 2), ("ada", "1", "y", -1)]
    judgements = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    gold = make_gold(judgements, rule)
    assert gold[["doc_id", "relevance"]].to_numpy().tolist() == [["x", 2]]


def test_judgements_of_several_judges_are_not_a_gold():
    judgements = judged({"x": (0, 3)})

    with pytest.raises(ValueError, match=r"these are judgements of '.*', '.*'\. Use make_gold"):
        as_golds(judgements)
    one = judgements[judgements["assessor"] == judgements["assessor"].iloc[0]]
    assert list(as_golds(one)) == ["gold"]


@pytest.mark.parametrize("marks", [("", "true"), ("FALSE", "TRUE"), (None, "true"), (False, True)])
def test_marks_of_a_file_are_read(marks):
    """In a file of judgements, the column is empty or has a word, in any letters."""
    vote, decision = marks
    judgements = pd.concat(
        [judged({"x": (0, 1)}).assign(adjudicated=vote), adjudicated({"x": 1}).assign(adjudicated=decision)]
    )
    assert grades(make_gold(judgements, "adjudicated")) == {"x": 1}
