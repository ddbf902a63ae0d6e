"""The draw of a collection: of a pool that was drawn, and of the order ask_people_order."""

import pandas as pd
import pytest

import pooling
from assess.errors import Refused
from assess.models import AdaptiveOrder
from assess.pools.adaptive_order import begin_adaptive_order, strategies, summaries
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.pools.recorded_draw import recorded_draw
from assess.releases.state.pool_state import pool_state
from pooling.draws import Draw, read_draw
from tests.assess.command_output import output_of, refusal
from tests.assess.pools.adaptive import DEPTH, doc_ids, frames, judge, judge_next, pooled

pytestmark = pytest.mark.database
ORDER = "ask_people_order"


def drawn_of(draw, query_id="1"):
    return sorted(draw.drawn.loc[draw.drawn["query_id"] == query_id, "doc_id"])


@pytest.mark.parametrize(
    ("strategy", "parameters"),
    [
        ("random", {"size": 4, "depth": 6}),
        ("stratified", {"strata": [(3, 1.0), (8, 0.5)]}),
        ("ask_people", {"size": 4, "depth": 6}),
        ("ask_people", {"size": 4, "depth": 6, "gain": {"1": {"d10": 2.0, "d35": 1.0}}}),
    ],
)
def test_draw_of_a_pool_that_was_drawn(adaptive, strategy, parameters):
    undo_pool(adaptive)
    build_pool(adaptive, strategy, seed=5, **parameters)
    draw = recorded_draw(adaptive)
    runs = pooling.prepare(frames(adaptive))
    sample = pooling.pool(runs, strategy, seed=5, **parameters)
    whole = pooling.pool(runs, depth=parameters.get("depth", 8))
    pd.testing.assert_frame_equal(draw.frame, Draw.from_pools(whole, sample, runs).frame)
    assert {query_id: drawn_of(draw, query_id) for query_id in "12"} == {
        topic.query_id: pooled(topic) for topic in adaptive.topics.all()
    }


def test_a_release_keeps_the_probabilities_of_ask_people(adaptive):
    undo_pool(adaptive)
    build_pool(adaptive, "ask_people", size=4, depth=6, seed=5)
    state = pool_state(adaptive, list(adaptive.pool_buildings.values_list("pk", flat=True)), ["1", "2"])
    columns = ["query_id", "doc_id", "inclusion_probability"]
    both = state.frame[columns].merge(recorded_draw(adaptive).drawn[columns], on=columns[:2])
    assert len(both) == len(state.frame) == 8
    assert (both["inclusion_probability_x"] == both["inclusion_probability_y"]).all()
    assert not state.notes


def test_the_order_is_offered_with_a_sentence():
    assert ORDER in strategies()
    assert dict(summaries())[ORDER].startswith("The order of ask_people: at random, sooner if a grade teaches more")


def test_draw_of_the_documents_judged_so_far(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, ORDER)
    other = adaptive.topics.get(query_id="2")
    judged = [judge_next(ada, topic) for _ in range(5)]
    judge_next(ada, other)
    draw = recorded_draw(adaptive)
    assert (len(draw), draw.is_fixed, draw.seed) == (6, False, 11)
    assert drawn_of(draw) == sorted(judged)
    assert draw.frame.loc[draw.frame["query_id"] == "1", "doc_id"].tolist() == pooled(topic)
    # The pool has the first 12 ranks, but the shares are those of all ranks. So the keys are compared, not a pool.
    strategy = pooling.ADAPTIVE[ORDER](seed=11)
    state = strategy.start(frames(adaptive), "1")
    keys = dict(zip(state.rankings.doc_ids, state.memory["keys"], strict=True))
    order = sorted(pooled(topic), key=keys.get)
    assert order[:5] == judged
    share = dict(zip(state.rankings.doc_ids, strategy._shares(state.rankings), strict=True))
    expected = {doc_id: min(1, share[doc_id] * keys[order[5]]) for doc_id in judged}
    rows = draw.drawn[draw.drawn["query_id"] == "1"]
    assert dict(zip(rows["doc_id"], rows["inclusion_probability"], strict=True)) == pytest.approx(expected, rel=1e-12)


def test_with_the_depth_of_the_pool_the_order_is_the_strategy(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, ORDER, depth=DEPTH)
    judged = [judge_next(ada, topic) for _ in range(4)]
    judge_next(ada, adaptive.topics.get(query_id="2"))
    sample = pooling.pool(frames(adaptive), "ask_people", size=4, depth=DEPTH, seed=11).frame
    of_topic = sample[sample["query_id"] == "1"]
    assert sorted(of_topic["doc_id"]) == sorted(judged)
    draw = recorded_draw(adaptive).drawn
    draw = draw[draw["query_id"] == "1"]
    assert draw["inclusion_probability"].tolist() == pytest.approx(of_topic["inclusion_probability"].tolist())


def test_gains_of_a_topic_are_stored_with_it(adaptive, topic):
    begin_adaptive_order(adaptive, ORDER, gain={"1": {"d01": 5.0}, "9": {"d02": 1.0}}, tau=0.01)
    stored = {order.topic.query_id: order.parameters["gain"] for order in AdaptiveOrder.objects.all()}
    assert stored == {"1": {"1": {"d01": 5.0}}, "2": {"2": {}}}


def test_documents_judged_out_of_order_are_no_sample(adaptive, ada, topic):
    assign(adaptive, judges=1)
    begin_adaptive_order(adaptive, ORDER)
    upcoming = doc_ids(ada, topic)
    judge_next(ada, adaptive.topics.get(query_id="2"))
    judge(ada, topic, upcoming[3])
    with pytest.raises(Refused, match=f"document '{upcoming[3]}' of topic '1' was judged before '{upcoming[0]}'"):
        recorded_draw(adaptive)


def test_before_a_topic_is_judged_there_is_no_sample(adaptive):
    begin_adaptive_order(adaptive, ORDER)
    with pytest.raises(Refused, match="topic '1' has no sample: no document is judged yet"):
        recorded_draw(adaptive)


def test_other_pools_are_no_draw(adaptive):
    with pytest.raises(Refused, match=r"The pool is not one random draw: it was built by depth\. An estimate needs"):
        recorded_draw(adaptive)
    build_pool(adaptive, "random", size=4, seed=5)
    with pytest.raises(Refused, match="it was built by depth, random"):
        recorded_draw(adaptive)


def test_runs_that_changed_are_refused(adaptive):
    undo_pool(adaptive)
    build_pool(adaptive, "random", size=4, seed=5)
    building = adaptive.pool_buildings.get()
    building.run_checksums["canary-0"] = "other"
    building.save()
    with pytest.raises(Refused, match="no longer has the runs"):
        recorded_draw(adaptive)


def test_the_command_writes_the_draw(adaptive, tmp_path):
    assert "not one random draw" in refusal("export_draw", "--collection", "small", "--out", tmp_path / "draw.json")
    undo_pool(adaptive)
    build_pool(adaptive, "ask_people", size=4, depth=6, seed=5)
    output = output_of("export_draw", "--collection", "small", "--out", tmp_path / "draw.json")
    assert f"Wrote 8 drawn pairs to {tmp_path / 'draw.json'}." in output
    pd.testing.assert_frame_equal(read_draw(tmp_path / "draw.json").frame, recorded_draw(adaptive).frame)
