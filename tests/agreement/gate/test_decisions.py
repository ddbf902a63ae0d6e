"""The decision of the gate: by hand, published, against scipy and statsmodels, properties, and degenerate data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel
from statsmodels.stats.power import TTestPower

from agreement import gate_candidate
from agreement.gate.decision import CODES, combined, decide
from agreement.gate.difference import mean_difference, power_of_gate, topics_needed
from tests.agreement.gate.small import at_ranks, gold_of, random_pair, run_of, scores


def gate(old, new, gold, measure="RR", **options):
    return gate_candidate({"old": old}, {"new": new}, gold, measure, **options)


# Differences of RR: -1/2, -1/2, -2/3, so that mean = -5/9, s = 0.096225, t(0.975, 2) = 4.302653, and the limits are
# -0.555556 -+ 4.302653 * 0.096225 / sqrt(3) = -0.794591 and -0.316520.
def test_a_loss_by_hand():
    found = gate(at_ranks(1, 1, 1), at_ranks(2, 2, 3), gold_of(3)).golds[0]

    assert (found.decision, found.n_topics) == ("loss", 3)
    assert (found.baseline, found.candidate) == (1, pytest.approx(4 / 9))
    assert found.difference == pytest.approx(-5 / 9)
    assert (found.low, found.high) == pytest.approx((-0.794591, -0.316520), abs=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "margin", "decision"),
    [
        ((2, 2, 3), (1, 1, 1), 0.0, "win_or_tie"),  # the same limits with the other sign: low = 0.316520
        ((1, 1, 1), (2, 2, 3), 0.3165, "loss"),
        ((1, 1, 1), (2, 2, 3), 0.3166, "inconclusive"),
        ((1, 1, 1), (2, 2, 3), 0.7945, "inconclusive"),
        ((1, 1, 1), (2, 2, 3), 0.7946, "win_or_tie"),
        ((1, 2, 3), (2, 1, 3), 0.01, "inconclusive"),  # -1/2, 1/2, 0
    ],
)
def test_the_interval_is_compared_with_the_margin(old, new, margin, decision):
    found = gate(at_ranks(*old), at_ranks(*new), gold_of(3), margin=margin)

    assert (found.decision, found.code) == (decision, CODES[decision])


def test_the_margin_itself_is_accepted():
    assert decide(-0.01, 0.5, 0.01) == "win_or_tie"
    assert decide(-0.5, -0.01, 0.01) == "inconclusive"
    assert decide(0.0, 0.0, 0.0) == "win_or_tie"


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_limits_are_those_of_scipy(seed, alpha):
    old, new, gold = random_pair(seed, n_topics=12, n_docs=8)
    before, after = scores(old, gold, "nDCG@5"), scores(new, gold, "nDCG@5")

    found = gate(old, new, gold, "nDCG@5", alpha=alpha).golds[0]
    wanted = ttest_rel(after, before).confidence_interval(1 - alpha)

    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
    assert found.difference == pytest.approx((after - before).mean(), abs=1e-12)


@pytest.mark.parametrize("n", [2, 5, 20, 50, 400])
@pytest.mark.parametrize("effect", [0.05, 0.2, 0.8, 3.0])
@pytest.mark.parametrize("alpha", [0.01, 0.05])
def test_power_is_that_of_statsmodels(n, effect, alpha):
    wanted = TTestPower().power(effect, n, alpha / 2, alternative="larger")

    assert power_of_gate(0.1, n, 0.1 * effect, alpha) == pytest.approx(wanted, abs=1e-9)


# Julious (2004) on non-inferiority with one-sided 2.5 % and a power of 80 %: a parallel design needs
# 2 (1.959964 + 0.841621)^2 / d^2 of each group, a paired one half of that. For d = 0.25 this is 125.6, and the
# quantiles of t add about z^2 / 2 = 1.92 topics: 128.
def test_topics_of_a_published_design():
    assert topics_needed(1.0, 0.25, 0.05) == 128


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.3])
def test_one_topic_less_is_not_enough(margin):
    n = topics_needed(0.1, margin, 0.05)

    assert power_of_gate(0.1, n, margin, 0.05) >= 0.8
    assert n == 2 or power_of_gate(0.1, n - 1, margin, 0.05) < 0.8


def test_no_number_of_topics_is_enough_without_a_margin():
    assert topics_needed(0.1, 0.0, 0.05) is None
    assert power_of_gate(0.1, 1000, 0.0, 0.05) == pytest.approx(0.025)
    assert topics_needed(1e9, 0.01, 0.05) is None


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12), st.floats(0, 0.5))
def test_the_opposite_of_a_win_is_a_loss_of_the_other_run(differences, margin):
    d = np.array(differences)
    one, other = mean_difference(d, 0.05), mean_difference(-d, 0.05)

    assert one.reason == other.reason
    if one.low is not None:
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-12)
        both = {decide(one.low, one.high, margin), decide(other.low, other.high, margin)}
        assert both != {"loss"}


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 0.5), st.floats(0, 0.5))
def test_a_larger_margin_never_turns_a_win_into_something_else(low, width, margin, more):
    if decide(low, low + width, margin) == "win_or_tie":
        assert decide(low, low + width, margin + more) == "win_or_tie"
    if decide(low, low + width, margin + more) == "loss":
        assert decide(low, low + width, margin) == "loss"


@pytest.mark.parametrize("margin", [0, 0.01])
def test_identical_runs_are_a_tie_without_width(margin):
    found = gate(at_ranks(1, 2, 5), at_ranks(1, 2, 5), gold_of(3), margin=margin)

    assert (found.decision, found.golds[0].reason) == ("win_or_tie", "no_difference")
    assert (found.golds[0].difference, found.golds[0].low, found.golds[0].high) == (0, 0, 0)
    assert (found.golds[0].power, found.golds[0].topics_needed) == (None, None)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [((1,), (3,), "one_topic"), ((3,), (3,), "one_topic"), ((1, 1), (2, 2), "same_difference")],
)
def test_without_variance_there_is_no_interval(old, new, reason):
    found = gate(at_ranks(*old), at_ranks(*new), gold_of(len(old)))

    assert (found.decision, found.golds[0].reason, found.golds[0].low) == ("inconclusive", reason, None)
    assert found.to_frame().loc[0, ["low", "high", "power", "topics_needed"]].isna().all()


def test_a_missing_topic_scores_0_and_is_named():
    found = gate(at_ranks(1, 1, 1, 2), at_ranks(1, 1), gold_of(4))

    assert found.topics["candidate"].tolist() == [1, 1, 0, 0]
    assert "The candidate has no document for 2 topics, so that they score 0: 3, 4." in found.notes


def test_topics_without_a_gold_are_counted():
    found = gate(at_ranks(1, 1, 1), at_ranks(1, 2, 1), gold_of(2))

    assert found.golds[0].n_topics == 2
    assert "1 topic of the baseline is not in the gold, and not used: 3." in found.notes


GOLDS = {
    "r": gold_of(3),
    "a": {topic: {doc: int(doc == "a") for doc in grades} for topic, grades in gold_of(3).items()},
}


def test_golds_that_disagree():
    found = gate(at_ranks(1, 1, 1), at_ranks(2, 2, 3), GOLDS)  # r moves down, and a moves from rank 2 to rank 1

    assert [gold.interval_decision for gold in found.golds] == ["loss", "inconclusive"]  # a: the same difference
    assert (found.decision, found.code) == ("depends_on_the_judge", 4)
    shift = found.shifts[0]
    assert (shift.gold, shift.reference, shift.n_topics) == ("a", "r", 3)
    assert shift.shift == pytest.approx(5 / 9 + 1 / 2)
    assert "loss under r; inconclusive under a" in found.summary()


def test_golds_are_compared_on_their_common_topics():
    golds = {"r": gold_of(3), "less": gold_of(2)}
    found = gate(at_ranks(1, 1, 1), at_ranks(2, 1, 3), golds)

    assert [gold.n_topics for gold in found.golds] == [2, 2]
    assert found.notes[0] == "1 topic of r is not in every gold and left out: 3."
    assert found.shifts[0].shift == 0


@pytest.mark.parametrize(
    ("decisions", "decision"),
    [
        (("win_or_tie", "win_or_tie"), "win_or_tie"),
        (("inconclusive", "inconclusive"), "inconclusive"),
        (("win_or_tie", "inconclusive"), "depends_on_the_judge"),
        (("win_or_tie", "loss", "too_many_unjudged"), "too_many_unjudged"),
    ],
)
def test_precedence(decisions, decision):
    assert combined(decisions) == decision


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"margin": -0.1}, "margin must be a number of at least 0, not -0.1"),
        ({"margin": float("nan")}, "margin must be a number of at least 0"),
        ({"alpha": 1}, "alpha must be between 0 and 1"),
        ({"max_unjudged": 2}, "max_unjudged must be a share from 0 to 1, not 2"),
        ({"bounds": "x"}, "bounds must be one of decide, report, not 'x'"),
        ({"measure": "E"}, "less of E is. Use F, which is 1 - E."),
        ({"measure": "RBPResidual(rel=1)"}, "less of RBPResidual"),
        (
            {"new": {"a": at_ranks(1), "b": at_ranks(1)}},
            "must be the run of one system; it has systems a, b",
        ),
        ({"new": {"new": run_of({"q9": "ra"})}}, "a topic of the candidate is 'q9'"),
        ({"golds": {"a": gold_of(1), "b": {"z": {"r": 1}}}}, "The golds a, b have no topic in common"),
        ({"golds": {"1": {"r": -1}}}, "must have a judged document"),
    ],
)
def test_refusals(options, words):
    given = {"old": {"old": at_ranks(1, 1)}, "new": {"new": at_ranks(1, 2)}, "golds": gold_of(2), "measure": "RR"}
    given |= options
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        gate_candidate(given.pop("old"), given.pop("new"), given.pop("golds"), **given)


def test_runs_with_the_same_name_are_called_by_their_roles():
    found = gate_candidate(at_ranks(1, 2), at_ranks(1, 2), gold_of(2), "RR")

    assert (found.baseline, found.candidate) == ("baseline", "candidate")


def test_tables_are_not_rounded():
    found = gate(at_ranks(1, 1, 1), at_ranks(2, 2, 3), GOLDS)

    assert list(found.tables()) == ["golds", "shifts", "topics"]
    assert found.tables()["golds"]["low"][0] == found.golds[0].low
    assert found.topics["query_id"].tolist() == ["1", "2", "3"] * 2
