"""Adaptive strategies: by hand, properties, serialisation, unusual runs, and invalid arguments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.adaptive import ADAPTIVE, Rankings, State, rankings_of
from pooling.adaptive.serialization import pack
from pooling.ranking import prepare
from tests.examples import examples
from tests.pooling.runs import ROWS, lists, run
from tests.pooling.runs import rankings_of as expected_rankings

DRAWING = ("active_sampling", "ask_people_order")  # at random, whatever the ranks
UNSEEDED = ("hedge", "rbp_adaptive", "ntcir_order")


class AnyDraw(ADAPTIVE["active_sampling"]):
    """Active sampling that also accepts documents that it did not propose."""

    def _check_draw(self, state, position):
        pass


BY_RANKINGS = {
    name: strategy() if name in UNSEEDED else strategy(seed=3)
    for name, strategy in (ADAPTIVE | {"active_sampling": AnyDraw}).items()
    if name != "cal"
}
EACH = pytest.mark.parametrize("strategy", BY_RANKINGS.values(), ids=BY_RANKINGS)
BY_RANK = [strategy for name, strategy in BY_RANKINGS.items() if name not in DRAWING]
CHOOSERS = sorted(set(BY_RANKINGS) - {*UNSEEDED, *DRAWING})
TWO = run(lists(s="abc", t="def"))
GRADES = st.dictionaries(st.text("abé", min_size=1, max_size=2), st.integers(0, 2))


def state_after(strategy, runs, judged, query_id="1"):
    """The state after judgements."""
    return strategy.step(strategy.start(runs, query_id), judged)


def proposed(strategy, state, relevant=()):
    """The documents that the strategy proposes from a state on, until none is left."""
    doc_ids = []
    while (doc_id := strategy.next(state)) is not None:
        doc_ids.append(doc_id)
        state = strategy.step(state, {doc_id: int(doc_id in relevant)})
    return doc_ids


def test_the_registry_has_every_strategy():
    assert list(ADAPTIVE) == [
        *("rbp_adaptive", "move_to_front", "hedge", "bandit_random", "bandit_greedy", "bandit_ucb", "bandit_thompson"),
        *("maxmean", "maxmean_ns", "cal", "active_sampling", "ntcir_order", "ask_people_order"),
    ]


# By hand.


def test_move_to_front_stays_with_a_run_until_a_document_is_not_relevant():
    strategy = ADAPTIVE["move_to_front"](seed=1)
    # a is not relevant: s falls to -1, t is in front with 0.
    assert strategy.next(state_after(strategy, TWO, {"a": 0})) == "d"
    # d is relevant, and t continues; so is e.
    assert strategy.next(state_after(strategy, TWO, {"a": 0, "d": 1})) == "e"
    assert strategy.next(state_after(strategy, TWO, {"a": 0, "d": 1, "e": 1})) == "f"
    # e is not: t falls to -1, as s. b is not: s falls to -2, behind t.
    assert strategy.next(state_after(strategy, TWO, {"a": 0, "d": 1, "e": 0, "b": 0})) == "f"
    # b is: s is back in front, with 0 before -1.
    assert strategy.next(state_after(strategy, TWO, {"a": 0, "d": 1, "e": 0, "b": 1})) == "c"


def test_maxmean_chooses_the_run_with_the_highest_expected_rate():
    strategy = ADAPTIVE["maxmean"](seed=1)
    # s (1+0)/(2+1) = 1/3; t (1+0)/(2+0) = 1/2.
    assert strategy.next(state_after(strategy, TWO, {"a": 0})) == "d"
    # t (1+1)/(2+2) = 1/2, s 1/3.
    assert strategy.next(state_after(strategy, TWO, {"a": 0, "d": 1, "e": 0})) == "f"
    # t has nothing left, so s is next, though t's 2/5 is more.
    assert strategy.next(state_after(strategy, TWO, {"a": 0, "d": 1, "e": 0, "f": 0})) == "b"


def test_maxmean_ns_with_rate_0_uses_the_latest_judgement_only():
    judged = {"d": 1, "a": 0, "b": 1, "e": 0}
    # With rate 0: s (1+1)/(2+1) = 2/3 by b; t (1+0)/(2+1) = 1/3 by e.
    strategy = ADAPTIVE["maxmean_ns"](seed=1)
    assert strategy.next(state_after(strategy, TWO, judged)) == "c"
    # With rate 1/2: s judged 1/2 + 1, relevant 1: 2/3.5; t judged 1.5, relevant 1/2: 1.5/3.5.
    strategy = ADAPTIVE["maxmean_ns"](seed=1, rate=0.5)
    state = state_after(strategy, TWO, judged)
    assert state.memory["judged"].tolist() == [1.5, 1.5]
    assert state.memory["relevant"].tolist() == [1.0, 0.5]


def test_ucb_starts_with_runs_without_judgements():
    strategy = ADAPTIVE["bandit_ucb"](seed=1)
    assert strategy.next(state_after(strategy, TWO, {"a": 1, "b": 1})) == "d"


def test_ucb_by_hand():
    # s: 5 of 5 relevant, t: 0 of 1, n = 6. UCB1: s 1 + sqrt(2 ln 6 / 5) = 1.847, t 0 + sqrt(2 ln 6 / 1) = 1.893.
    # Tuned: s 1 + sqrt(ln 6 / 5 * 1/4) = 1.299, t 0 + sqrt(ln 6 * 1/4) = 0.669.
    runs = run(lists(s="abcdefx", t="yz"))
    judged = dict.fromkeys("abcde", 1) | {"y": 0}
    plain, tuned = ADAPTIVE["bandit_ucb"](seed=1, tuned=False), ADAPTIVE["bandit_ucb"](seed=1)
    assert plain.next(state_after(plain, runs, judged)) == "z"
    assert tuned.next(state_after(tuned, runs, judged)) == "f"


def test_greedy_without_exploration_uses_the_share_of_relevant_documents():
    strategy = ADAPTIVE["bandit_greedy"](seed=1, c=0)
    # s 1/2, t 1/1.
    assert strategy.next(state_after(strategy, TWO, {"a": 1, "b": 0, "d": 1})) == "e"


def test_greedy_explores_first():
    # c K / (d^2 n) = 0.01 * 2 / (0.01 * 2) = 1 at the second document: any run, whatever the first one was.
    strategies = [ADAPTIVE["bandit_greedy"](seed=seed) for seed in range(20)]
    assert {strategy.next(state_after(strategy, TWO, {"d": 1})) for strategy in strategies} == {"a", "e"}


def test_thompson_sampling_prefers_the_better_run():
    # After 3 of 3 and 0 of 3 the chance that s draws more than t is that Beta(4, 1) > Beta(1, 4): 69/70.
    runs = run(lists(s="abcx", t="defy"))
    judged = dict.fromkeys("abc", 1) | dict.fromkeys("def", 0)
    strategies = [ADAPTIVE["bandit_thompson"](seed=seed) for seed in range(40)]
    choices = [strategy.next(state_after(strategy, runs, judged)) for strategy in strategies]
    assert choices.count("x") >= 36


def test_hedge_by_hand():
    # N = 3: the values of ranks 1, 2, 3 are ln(3)/2 = 0.549, ln(3/2)/2 = 0.203, 0.
    # A document that a run of 2 lacks is at rank 3.
    # a 0.549 + 0, b 0.203 + 0.549, c 0 + 0.203: b.
    runs, strategy = run(lists(s="ab", t="bc")), ADAPTIVE["hedge"](beta=0.01)
    assert strategy.next(strategy.start(runs, "1")) == "b"
    # b relevant: trust s 100^0.203 = 2.55, t 100^0.549 = 12.55; a 2.55 * 0.549 = 1.40, c 12.55 * 0.203 = 2.54.
    assert strategy.next(state_after(strategy, runs, {"b": 1})) == "c"
    # b not relevant: trust s 0.393, t 0.080; a 0.216, c 0.016.
    assert strategy.next(state_after(strategy, runs, {"b": 0})) == "a"


def test_adaptive_rbp_by_hand():
    # p = 1/2: weights 1/2, 1/4. At the start every run matters 1 * (0 + 1/2)^3; a and c are tied, c has the larger lot.
    runs, strategy = run(lists(s="ab", t="cd")), ADAPTIVE["rbp_adaptive"](p=0.5)
    assert strategy.next(strategy.start(runs, "1")) == "c"
    # c relevant: t matters 1/2 * (1/2 + 1/4)^3 = 0.211, d 0.053; s matters 0.125, a 0.0625.
    assert strategy.next(state_after(strategy, runs, {"c": 1})) == "a"
    # a is not: s matters 1/2 * (0 + 1/4)^3 = 0.008, b 0.002; d 0.053.
    assert strategy.next(state_after(strategy, runs, {"c": 1, "a": 0})) == "d"
    # a is too: s and t matter the same; b and d are tied, d has the larger lot.
    assert strategy.next(state_after(strategy, runs, {"c": 1, "a": 1})) == "d"


def test_power_weights_the_best_runs():
    # s has a base of 1/2, t of 0; both have a residual of 1/2. With power 0 they are tied: d has the larger lot.
    runs, judged = run(lists(s="ab", t="cd")), {"a": 1, "c": 0}
    assert [
        s.next(state_after(s, runs, judged)) for s in (ADAPTIVE["rbp_adaptive"](p=0.5, power=k) for k in (0, 3))
    ] == [
        "d",
        "b",
    ]


@pytest.mark.parametrize(("credit", "counts"), [("one", [1, 0]), ("all", [1, 1])])
def test_credit_goes_to_one_run_or_to_all_with_the_document(credit, counts):
    runs = run(lists(s="xa", t="yx"))
    strategy = ADAPTIVE["maxmean"](seed=1, credit=credit)
    # y is not relevant: t is behind s, and s proposes x.
    state = state_after(strategy, runs, {"y": 0, "x": 1})
    assert state.memory["relevant"].tolist() == counts


# Properties of all strategies.


@EACH
@examples(8)
@given(ROWS, GRADES)
def test_every_document_is_proposed_once(strategy, rows, grades):
    for query_id, rankings in expected_rankings(rows).items():
        doc_ids = proposed(strategy, strategy.start(run(rows), query_id), {d for d, grade in grades.items() if grade})
        assert sorted(doc_ids) == sorted({doc_id for ranking in rankings.values() for doc_id, _ in ranking})


@EACH
@examples(8)
@given(ROWS, GRADES)
def test_next_and_step_do_not_modify_the_state(strategy, rows, grades):
    state = state_after(strategy, run(rows), grades, rows[0][1])
    before = state.to_bytes()
    first = strategy.next(state)
    strategy.step(state, {first: 1} if first else {"c": 1})
    assert strategy.next(state) == first
    assert state.to_bytes() == before


@EACH
@examples(8)
@given(ROWS, GRADES)
def test_a_deserialised_state_continues_identically(strategy, rows, grades):
    state = state_after(strategy, run(rows), grades, rows[0][1])
    whole = State.from_bytes(state.to_bytes())
    apart = State.from_bytes(state.to_bytes(rankings=False), rankings=Rankings.from_bytes(state.rankings.to_bytes()))
    expected = proposed(strategy, state, {"a", "b"})
    assert proposed(strategy, whole, {"a", "b"}) == proposed(strategy, apart, {"a", "b"}) == expected
    assert whole.to_bytes() == apart.to_bytes() == state.to_bytes()


@EACH
@examples(8)
@given(ROWS, GRADES)
def test_judgements_may_be_passed_one_by_one_or_together(strategy, rows, grades):
    together = state_after(strategy, run(rows), grades, rows[0][1])
    state = strategy.start(run(rows), rows[0][1])
    for doc_id, grade in grades.items():
        state = strategy.step(state, {doc_id: grade})
    assert state.to_bytes() == together.to_bytes()
    assert strategy.step(state, grades).to_bytes() == together.to_bytes()  # a request that is repeated


@EACH
@examples(8)
@given(ROWS, GRADES, GRADES)
def test_a_changed_judgement_replaces_the_old_one_from_the_start(strategy, rows, grades, changed):
    state = strategy.step(state_after(strategy, run(rows), grades, rows[0][1]), changed)
    assert state.to_bytes() == state_after(strategy, run(rows), grades | changed, rows[0][1]).to_bytes()


@EACH
@examples(8)
@given(ROWS, st.sets(st.text("abé", min_size=1, max_size=2)))
def test_excluded_documents_are_not_proposed(strategy, rows, held):
    state = strategy.start(run(rows), rows[0][1])
    doc_id = strategy.next(state, exclude=held)
    left = set(state.rankings.doc_ids) - held
    assert doc_id in left if left else doc_id is None


@EACH
def test_the_order_of_the_runs_does_not_matter(strategy):
    frames = [run(lists(s="abc")), run(lists(t="cd")), run(lists(u="xa"))]
    assert strategy.start(frames, "1").to_bytes() == strategy.start(reversed(frames), "1").to_bytes()


@pytest.mark.parametrize("strategy", BY_RANK, ids=lambda strategy: strategy.name)
def test_identical_runs_are_proposed_rank_by_rank(strategy):
    assert proposed(strategy, strategy.start(run(lists(s="dbca", t="dbca", u="dbca")), "1"), "ba") == list("dbca")


@pytest.mark.parametrize("strategy", BY_RANK, ids=lambda strategy: strategy.name)
def test_one_run_is_proposed_rank_by_rank(strategy):
    assert proposed(strategy, strategy.start(run(lists(s="dbca")), "1"), "b") == list("dbca")


@EACH
def test_all_documents_of_disjoint_runs_are_proposed(strategy):
    assert sorted(proposed(strategy, strategy.start(run(lists(s="ab", t="cd", u="e")), "1"), "ae")) == list("abcde")


@pytest.mark.parametrize("strategy", BY_RANK, ids=lambda strategy: strategy.name)
def test_tied_documents_of_one_run_are_sorted_by_doc_id(strategy):
    runs = run([("s", "1", doc_id, 1.0) for doc_id in ["d9", "d10", "é", "z"]])
    assert proposed(strategy, strategy.start(runs, "1")) == ["é", "z", "d9", "d10"]


@EACH
def test_a_run_without_the_topic_is_skipped(strategy):
    runs = run([*lists(s="ab"), *lists("2", t="cd")])
    assert sorted(proposed(strategy, strategy.start(runs, "1"))) == ["a", "b"]


@EACH
def test_prepared_runs_give_the_same_result(strategy):
    assert strategy.start(prepare(TWO), "1").to_bytes() == strategy.start(TWO, "1").to_bytes()


@EACH
def test_a_topic_that_no_run_has_is_refused(strategy):
    with pytest.raises(ValueError, match="no run has topic '7'"):
        strategy.start(TWO, "7")


@EACH
def test_documents_in_no_run_are_ignored(strategy):
    assert state_after(strategy, TWO, {"found by hand": 1}).to_bytes() == strategy.start(TWO, "1").to_bytes()


@EACH
@pytest.mark.parametrize("relevance", [-1, None, float("nan"), "1"])
def test_an_invalid_relevance_is_refused(strategy, relevance):
    with pytest.raises(ValueError, match=r"the relevance of document 'a' must be a number from 0, not"):
        state_after(strategy, TWO, {"a": relevance})


def test_grades_from_rel_on_are_relevant():
    strategy = ADAPTIVE["maxmean"](seed=1, rel=2)
    assert state_after(strategy, TWO, {"a": 1, "b": 2, "c": 1.5}).judged == {"a": 0, "b": 1, "c": 0}


def test_depth_limits_the_ranks():
    strategy = ADAPTIVE["hedge"](depth=2)
    assert sorted(proposed(strategy, strategy.start(TWO, "1"))) == ["a", "b", "d", "e"]


def test_runs_prepared_with_the_depth_of_the_strategy_are_accepted():
    strategy = ADAPTIVE["hedge"](depth=2)
    assert strategy.start(prepare(TWO, depth=2), "1").to_bytes() == strategy.start(TWO, "1").to_bytes()
    with pytest.raises(ValueError, match="prepared with depth=2; prepare them with depth=3"):
        ADAPTIVE["hedge"](depth=3).start(prepare(TWO, depth=2), "1")


@pytest.mark.parametrize(
    ("name", "one", "same"),
    [
        ("hedge", {"rel": 1}, {"rel": 1.0}),
        ("hedge", {"rel": 2}, {"rel": np.int64(2)}),
        ("hedge", {"rel": 1.5}, {"rel": np.float64(1.5)}),
        ("rbp_adaptive", {"power": 2}, {"power": 2.0}),
        ("maxmean_ns", {"seed": 1, "rate": 0}, {"seed": np.int32(1), "rate": 0.0}),
    ],
)
def test_equal_numbers_of_different_types_give_the_same_strategy(name, one, same):
    state = state_after(ADAPTIVE[name](**one), TWO, {"a": 2})
    assert ADAPTIVE[name](**one) == ADAPTIVE[name](**same)
    assert ADAPTIVE[name](**same).step(State.from_bytes(state.to_bytes()), {"a": 2}).to_bytes() == state.to_bytes()


@pytest.mark.parametrize("name", CHOOSERS)
def test_random_numbers_depend_on_seed_topic_and_number_of_judgements(name):
    runs = run([*lists("1", **{s: [f"{s}{n}" for n in range(9)] for s in "stuvwxyz"}), *lists("2", s="a")])
    firsts = {ADAPTIVE[name](seed=seed).next(ADAPTIVE[name](seed=seed).start(runs, "1")) for seed in range(40)}
    assert len(firsts) > 4
    strategy = ADAPTIVE[name](seed=2)
    assert proposed(strategy, strategy.start(runs, "1")) == proposed(strategy, strategy.start(runs, "1"))


# What is refused.


def test_a_state_of_another_strategy_is_refused():
    state = ADAPTIVE["maxmean"](seed=1).start(TWO, "1")
    with pytest.raises(ValueError, match=r"the state was made by maxmean\(.*seed=1.*\) and cannot be used with hedge"):
        ADAPTIVE["hedge"]().next(state)
    with pytest.raises(ValueError, match="cannot be used"):
        ADAPTIVE["maxmean"](seed=2).step(state, {"a": 1})


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("maxmean", {}, "strategy 'maxmean' draws at random and needs a seed"),
        ("maxmean", {"seed": -1}, "seed must be a whole number from 0, not -1"),
        ("maxmean", {"seed": "1"}, "seed must be a whole number from 0, not '1'"),
        ("maxmean", {"seed": 1, "rel": float("inf")}, "rel must be a number above 0, not inf"),
        ("hedge", {"rel": "1"}, "rel must be a number above 0, not '1'"),
        ("hedge", {"beta": "a"}, "beta must be between 0 and 1, both excluded, not 'a'"),
        ("hedge", {"beta": None}, "beta must be .*, not None"),
        ("rbp_adaptive", {"p": float("nan")}, "p must be .*, not nan"),
        ("rbp_adaptive", {"power": True}, "power must be a number from 0, not True"),
        ("bandit_greedy", {"seed": 1, "c": "0"}, "c must be a number from 0, not '0'"),
        ("maxmean_ns", {"seed": 1, "rate": [1]}, r"rate must be between 0 and 1, not \[1\]"),
        ("bandit_ucb", {"seed": 1, "tuned": "no"}, "tuned must be True or False, not 'no'"),
        ("bandit_ucb", {"seed": 1, "tuned": 0}, "tuned must be True or False, not 0"),
        ("maxmean", {"seed": 1, "credit": "none"}, "credit must be 'one' or 'all', not 'none'"),
        ("maxmean", {"seed": 1, "depth": 0}, "depth must be a whole number from 1, not 0"),
        ("maxmean", {"seed": 1, "rel": 0}, "rel must be a number above 0, not 0"),
        ("maxmean_ns", {"seed": 1, "rate": 1.5}, "rate must be between 0 and 1, not 1.5"),
        ("bandit_greedy", {"seed": 1, "c": -1}, "c must be a number from 0, not -1"),
        ("bandit_greedy", {"seed": 1, "d": 0}, "d must be above 0 and at most 1, not 0"),
        ("hedge", {"beta": 1}, "beta must be between 0 and 1, both excluded, not 1"),
        ("rbp_adaptive", {"p": 1}, "p must be between 0 and 1, both excluded, not 1"),
        ("rbp_adaptive", {"power": -1}, "power must be a number from 0, not -1"),
    ],
)
def test_invalid_parameters_are_refused(name, parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        ADAPTIVE[name](**parameters)


def test_a_single_string_to_exclude_is_refused():
    strategy = BY_RANKINGS["hedge"]
    state = strategy.start(run(lists(s=["d0", "d1"])), "1")
    with pytest.raises(ValueError, match="exclude must be a collection of doc_ids, such as a list, not 'd0'"):
        strategy.next(state, exclude="d0")
    assert strategy.next(state, exclude=["d0"]) == "d1"


@pytest.mark.parametrize("others", [lists(s="bac", t="def"), lists(s="abc", t="deg"), lists(s="def", t="abc")])
def test_a_state_with_other_rankings_is_refused(others):
    kept = state_after(BY_RANKINGS["maxmean"], TWO, {"a": 1}).to_bytes(rankings=False)
    with pytest.raises(ValueError, match="was made with other rankings than the given ones of topic '1'"):
        State.from_bytes(kept, rankings_of(run(others), "1"))
    with pytest.raises(ValueError, match="the state of topic '1' was made with other rankings"):
        State.from_bytes(state_after(BY_RANKINGS["maxmean"], TWO, {"a": 1}).to_bytes(), rankings_of(run(others), "1"))
    assert State.from_bytes(kept, rankings_of(TWO, "1")).judged == {"a": 1}


def corrupted(data, rng):
    """The bytes with a bit flipped, a part cut out, some put in, or two parts exchanged."""
    kind, begin, end = rng.integers(4), *sorted(rng.integers(len(data), size=2).tolist())
    if kind == 0:
        return data[:begin] + bytes([data[begin] ^ (1 << int(rng.integers(8)))]) + data[begin + 1 :]
    if kind == 1:
        return data[:begin] + data[end + 1 :]
    if kind == 2:
        return data[:begin] + rng.bytes(int(rng.integers(1, 9))) + data[begin:]
    return data[end:] + data[begin:end] + data[:begin]


def test_corrupted_bytes_are_always_refused():
    state, rng = state_after(BY_RANKINGS["move_to_front"], TWO, {"a": 1, "d": 0}), np.random.default_rng(20)
    whole, apart, alone = state.to_bytes(), state.to_bytes(rankings=False), state.rankings.to_bytes()
    readers = (
        *((whole, State.from_bytes), (apart, lambda data: State.from_bytes(data, state.rankings))),
        (alone, Rankings.from_bytes),
    )
    for data, read in readers:
        for wrong in (corrupted(data, rng) for _ in range(700)):
            if wrong != data:
                with pytest.raises(ValueError, match=r"bytes|a state of version"):
                    read(wrong)


def test_every_flipped_bit_is_detected():
    data = state_after(BY_RANKINGS["hedge"], TWO, {"a": 1}).to_bytes()
    for bit in range(8 * len(data)):
        wrong = bytearray(data)
        wrong[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ValueError, match=r"bytes|a state of version"):
            State.from_bytes(bytes(wrong))


@examples(60)
@given(st.data())
def test_truncated_bytes_are_refused(data):
    strategy = BY_RANKINGS["maxmean"]
    whole = state_after(strategy, TWO, {"a": 1}).to_bytes()
    with pytest.raises(ValueError, match="bytes"):
        State.from_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])


def test_bytes_of_something_else_are_refused():
    state = state_after(BY_RANKINGS["maxmean"], TWO, {"a": 1})
    with pytest.raises(ValueError, match="these are not the bytes"):
        State.from_bytes(b"PK\x03\x04 and more of it")
    with pytest.raises(ValueError, match="these are not the bytes"):
        State.from_bytes(None)
    with pytest.raises(ValueError, match="these bytes do not contain a state"):
        State.from_bytes(state.rankings.to_bytes())
    with pytest.raises(ValueError, match="these bytes do not contain a state"):
        State.from_bytes(pack({}, {"state": np.frombuffer(state.rankings.to_bytes(), np.uint8)}), state.rankings)
    with pytest.raises(ValueError, match="these bytes do not contain rankings"):
        Rankings.from_bytes(state.to_bytes())
    with pytest.raises(ValueError, match="do not include the rankings"):
        State.from_bytes(state.to_bytes(rankings=False))
    with pytest.raises(ValueError, match="the state of topic '1' was made with other rankings"):
        State.from_bytes(state.to_bytes(rankings=False), rankings_of(run(lists("2", s="ab")), "2"))


def test_bytes_of_another_version_are_refused():
    data = bytearray(state_after(BY_RANKINGS["maxmean"], TWO, {}).to_bytes())
    for version in (1, 3):
        data[len(b"assay-adaptive")] = version
        with pytest.raises(ValueError, match=f"a state of version {version} cannot be read; the version must be 2"):
            State.from_bytes(bytes(data))


@EACH
def test_whole_numbers_are_doc_ids_and_topics(strategy):
    runs = run([("s", "7", "1", 2.0), ("s", "7", "2", 1.0)])
    start = strategy.start(runs, 7)
    assert start.to_bytes() == strategy.start(runs, "7").to_bytes()
    assert strategy.step(start, {1: 3, np.int64(2): 0}).judged == {"1": 1, "2": 0}
    assert strategy.next(start, exclude=[1]) == "2"


@pytest.mark.parametrize("doc_id", [1.0, True, None, np.float64(1), b"1", ("1",)])
def test_an_id_of_another_type_is_refused(doc_id):
    strategy = ADAPTIVE["maxmean"](seed=1)
    state = strategy.start(TWO, "1")
    with pytest.raises(ValueError, match="a doc_id must be a string or a whole number, not"):
        strategy.step(state, {"a": 1, doc_id: 1})
    with pytest.raises(ValueError, match="a doc_id must be a string or a whole number, not"):
        strategy.next(state, [doc_id])
    with pytest.raises(ValueError, match="a query_id must be a string or a whole number, not"):
        strategy.start(TWO, doc_id)


def test_a_document_that_is_given_as_a_string_and_as_a_number_is_refused():
    strategy = ADAPTIVE["maxmean"](seed=1)
    state = strategy.start(run(lists(s=["1", "2"])), "1")
    with pytest.raises(ValueError, match="document '1' occurs twice, as a string and as a number"):
        strategy.step(state, {"1": 1, 1: 0})


def test_the_repr_of_a_state_and_its_rankings_is_one_line():
    state = state_after(ADAPTIVE["maxmean"](seed=1), TWO, {"a": 1})
    assert repr(state) == f"State of {state.strategy}: topic '1', 1 of 6 documents judged"
    assert repr(state.rankings) == "Rankings: topic '1', 2 runs, 6 documents"
