"""Top-ups: pools of new runs without what is judged already, and what they record."""

import hashlib

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import FormatError, pool, read_pool, write_pool
from pooling.strategies import NEED_SCORES, STRATEGIES
from tests.examples import examples
from tests.pooling.runs import ROWS, lists, pairs_of, run

NEW = run([*lists("1", s="abc", t="bd"), *lists("2", s="xy")])
GOLD = pd.DataFrame([("1", "a", 1), ("1", "c", 0), ("3", "z", 1)], columns=["query_id", "doc_id", "relevance"])
OPTIONS = {"depth": {"depth": 2}, "ntcir": {"depth": 2}, "take": {"budget": 3}, "fair_take": {"budget": 3}}
OPTIONS |= {"stratified": {"strata": [(1, 1.0), (9, 0.5)], "seed": 4}}
OPTIONS |= {name: {"size": 3, "seed": 4} for name in ("random", "stat_ap", "ask_people")}


def test_only_documents_without_a_judgement_are_pooled():
    # To depth 2: a and b, b and d of topic 1; x and y of topic 2. a is judged; c and z are not selected.
    made = pool(NEW, depth=2, judged=GOLD)
    assert pairs_of(made) == [("1", "b"), ("1", "d"), ("2", "x"), ("2", "y")]
    lines = "1 a\n1 c\n3 z\n"
    expected = {"documents": 3, "left_out": 1, "sha256": hashlib.sha256(lines.encode()).hexdigest()}
    assert made.parameters == {"depth": 2, "judged": expected}
    assert made.describe() == (
        "depth (depth 2) over 2 systems: 4 tasks in 2 topics, 2 each; 1 document left out because it is judged"
    )


def test_the_old_pool_and_the_top_up_are_the_pool_of_all_runs():
    old, new = run(lists(s="abcd", t="bde")), run(lists(u="xayd"))
    first = pool(old, depth=2)
    gold = first.frame[["query_id", "doc_id"]].assign(relevance=0)
    top_up = pool(new, depth=2, judged=gold)
    assert pairs_of(top_up) == [("1", "x")]
    everything = pool(pd.concat([old, new]), depth=2)
    assert sorted([*pairs_of(first), *pairs_of(top_up)]) == pairs_of(everything)


def test_a_negative_relevance_is_not_a_judgement():
    assert ("1", "a") in pairs_of(pool(NEW, depth=2, judged=GOLD.assign(relevance=[-1, 0, 1])))


def test_judgements_may_lack_the_relevance_and_repeat_documents():
    judged = pd.concat([GOLD, GOLD])
    assert pool(NEW, depth=2, judged=judged).parameters["judged"]["documents"] == 3
    assert pairs_of(pool(NEW, depth=2, judged=GOLD[["query_id", "doc_id"]])) == pairs_of(
        pool(NEW, depth=2, judged=judged)
    )


def test_query_ids_that_are_numbers_match():
    judged = GOLD.astype({"query_id": int})
    assert pairs_of(pool(NEW, depth=2, judged=judged)) == pairs_of(pool(NEW, depth=2, judged=GOLD))


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_every_strategy_selects_as_without_judgements(name):
    options = OPTIONS.get(name, {"size": 3})
    everything, made = pool(NEW, name, **options), pool(NEW, name, judged=GOLD, **options)
    left = everything.frame[~((everything.frame["query_id"] == "1") & everything.frame["doc_id"].isin(["a", "c"]))]
    pd.testing.assert_frame_equal(made.frame, left.reset_index(drop=True))
    assert made.parameters["judged"]["left_out"] == len(everything) - len(made)
    assert name in NEED_SCORES or made.describe().startswith(name)


@examples(30)
@given(ROWS, st.sets(st.text("abé", min_size=1, max_size=2)), st.integers(1, 4))
def test_a_top_up_is_the_pool_minus_the_judged_documents(rows, doc_ids, depth):
    topics = sorted({row[1] for row in rows})
    judged = pd.DataFrame([(q, d, 0) for q in topics for d in sorted(doc_ids)], columns=list(GOLD))
    expected = [pair for pair in pairs_of(pool(run(rows), depth=depth)) if pair[1] not in doc_ids]
    assert pairs_of(pool(run(rows), depth=depth, judged=judged)) == expected


def test_everything_judged_leaves_an_empty_pool_that_can_be_stored(tmp_path):
    judged = pool(NEW, depth=2).frame[["query_id", "doc_id"]]
    made = pool(NEW, depth=2, judged=judged)
    assert len(made) == 0
    end = "no document is left to judge; 5 documents left out because they are judged"
    assert made.describe() == f"depth (depth 2) over 2 systems: {end}"
    assert made.systems == ["s", "t"]
    write_pool(made, tmp_path / "pool.json")
    back = read_pool(tmp_path / "pool.json")
    assert (back.parameters, back.systems, back.describe()) == (made.parameters, made.systems, made.describe())


def test_no_judgements_leave_out_nothing():
    made = pool(NEW, depth=2, judged=GOLD[:0])
    assert pairs_of(made) == pairs_of(pool(NEW, depth=2))
    assert made.parameters["judged"] | {"sha256": ""} == {"documents": 0, "left_out": 0, "sha256": ""}


def test_a_top_up_is_stored_with_its_record(tmp_path):
    made = pool(NEW, depth=2, judged=GOLD)
    for name in ("a.json", "b.json"):
        write_pool(made, tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    again = read_pool(tmp_path / "a.json")
    assert again.parameters == made.parameters
    pd.testing.assert_frame_equal(again.frame, made.frame)


@pytest.mark.parametrize(
    "wrong", ['"judged":1', '"judged":{"documents":3}', '"judged":{"documents":-1,"left_out":1,"sha256":"x"}']
)
def test_a_damaged_record_is_refused(tmp_path, wrong):
    path = tmp_path / "pool.json"
    write_pool(pool(NEW, depth=2), path)
    path.write_text(path.read_text().replace('"parameters":{"depth":2}', f'"parameters":{{"depth":2,{wrong}}}'))
    with pytest.raises(FormatError, match="judged documents"):
        read_pool(path)


def test_the_rest_of_a_sample_is_still_a_sample():
    # Whether a is in the pool was decided by the judgements, whether b to d are by the draw; all certain ones are gone.
    judged = pd.DataFrame({"query_id": "1", "doc_id": list("abcd")})
    rest = pool(run(lists(s="abcd")), "random", seed=1, size=2, judged=judged)
    with pytest.raises(ValueError, match="draw one stratified sample"):
        rest.union(pool(run(lists(s="abcd")), "random", seed=2, size=2))


@pytest.mark.parametrize(
    ("judged", "sentence"),
    [
        (GOLD.drop(columns="doc_id"), "judged documents need the columns query_id, doc_id; missing: doc_id"),
        (GOLD.replace({"doc_id": {"a": None}}), "judged documents need a query_id and a doc_id in every row"),
        (GOLD.astype({"relevance": "str"}), "every relevance of judged must be a finite number"),
        (GOLD.assign(relevance=[1, None, 0]), "every relevance of judged must be a finite number"),
        (GOLD.assign(doc_id="a b"), "doc_id 'a b' "),
        (GOLD.assign(query_id="q1"), "a topic of the runs is '1', and a topic of the judged documents is 'q1'"),
    ],
)
def test_invalid_judgements_are_refused(judged, sentence):
    with pytest.raises(ValueError, match=sentence):
        pool(NEW, depth=2, judged=judged)
