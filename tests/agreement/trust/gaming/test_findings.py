"""Tests of bias: a biased judge is found, unbiased ones are flagged at the stated rate, and what lacks is said."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from agreement import score_table
from agreement.trust.gaming import gaming_tests
from agreement.trust.gaming.contested import contested
from agreement.trust.gaming.finding import TopicMean
from agreement.trust.gaming.groups import group_findings, leave_out
from agreement.trust.gaming.oracle_steps import OracleRuns, _seen_loss, oracle_steps
from agreement.trust.gaming.over_rating import disagreement_by_topic, over_rating
from agreement.trust.gaming.rank_bias import rank_bias
from agreement.trust.scored_judges import ScoredJudges
from tests.agreement.trust.judged_runs import PAIR, judged_runs, pairs_of

RUNS, PEOPLE, MODELS = judged_runs(n_systems=16, n_topics=25)
JUDGES = ScoredJudges.of(RUNS, PEOPLE, MODELS, "nDCG@10")
GROUPS = {f"s{number:02}": "even" for number in range(0, 16, 2)}


def owned_by(group: set[str]) -> np.ndarray:
    """Which documents are at the top mostly of the runs of a group, in the order of the grades of people."""
    top = RUNS.assign(rank=RUNS.groupby(["system", "query_id"])["score"].rank(ascending=False))
    top = top[top["rank"] <= 5].assign(inside=lambda rows: rows["system"].isin(group))
    share = top.groupby(PAIR)["inside"].mean().rename("share").reset_index()
    return (PEOPLE["p0"].merge(share, on=PAIR, how="left")["share"].fillna(0) > 0.6).to_numpy()


def favouring(group: set[str], grade: int = 3, seed: int = 3) -> pd.DataFrame:
    """Grades that are people's, but for most documents that only the runs of a group have at the top."""
    is_changed = owned_by(group) & (np.random.default_rng(seed).random(len(PEOPLE["p0"])) < 0.8)
    return PEOPLE["p0"].assign(relevance=PEOPLE["p0"]["relevance"].where(~is_changed, grade))


def test_a_judge_that_favours_a_group_is_found():
    judges = ScoredJudges.of(RUNS, PEOPLE, {"biased": favouring(set(GROUPS))}, "nDCG@10")
    (finding,) = group_findings(judges, "biased", GROUPS, seed=1)
    assert finding.effect > 0.02
    assert finding.low > 0
    assert finding.p < 0.005


def test_a_judge_that_errs_like_people_favours_nobody():
    (finding,) = group_findings(JUDGES, "good", GROUPS, seed=1)
    assert finding.low < 0 < finding.high
    assert finding.p > 0.05


@pytest.mark.slow
def test_unbiased_judges_are_flagged_at_the_stated_rate():
    """200 judges who err as people do, on the same truth: each test flags at most 5 %, and two standard errors more."""
    rng = np.random.default_rng(5)
    pairs = pairs_of(25, 20)
    truth = rng.integers(0, 4, len(pairs))
    documents = {doc_id: "word " * int(rng.integers(5, 200)) for doc_id in pairs["doc_id"].unique()}

    def judge() -> pd.DataFrame:
        grades = np.where(rng.random(len(pairs)) < 0.8, truth, rng.integers(0, 4, len(pairs)))
        return pairs.assign(relevance=grades)

    p_values: dict[str, list[float]] = {"group": [], "top": [], "length": []}
    for number in range(200):
        judges = ScoredJudges.of(RUNS, {"p": judge()}, {"m": judge()}, "nDCG@10")
        p_values["group"].append(group_findings(judges, "m", GROUPS, seed=number)[0].p)
        p_values["top"].append(rank_bias(judges, "m").p)
        p_values["length"].append(over_rating(judges, "m", 2, documents, None)[0][0].p)
    for test, values in p_values.items():
        flagged = np.mean(np.array(values) < 0.05)
        assert flagged <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200), test


def test_leaving_a_group_out_gives_the_tau_of_the_others():
    table = leave_out(JUDGES, "good", GROUPS).set_index("left_out")
    assert table["n_systems"].to_dict() == {"": 16, "even": 8}
    odd = [f"s{number:02}" for number in range(1, 16, 2)]
    x, y = (score_table(RUNS, gold, "nDCG@10").mean(axis=1)[odd] for gold in (PEOPLE["p0"], MODELS["good"]))
    assert table.loc["even", "tau_b"] == pytest.approx(stats.kendalltau(x, y).statistic)


def test_groups_are_checked():
    with pytest.raises(ValueError, match="groups names the system 'x', which has no run"):
        group_findings(JUDGES, "good", {"x": "a"})
    (finding,) = group_findings(JUDGES, "good", {"s00": "one"})
    assert finding.reason == "fewer than 2 runs in the group or outside"
    assert group_findings(JUDGES, "good", None)[0].reason == "no groups declared"


def test_a_judge_that_is_wrong_at_the_top_is_found():
    """Documents that only the best runs have at the top get the lowest grade."""
    low = favouring({f"s{number:02}" for number in range(11, 16)}, grade=0)
    found = rank_bias(ScoredJudges.of(RUNS, PEOPLE, {"low": low}, "nDCG@10"), "low")
    assert found.effect < 0
    assert found.p < 0.05
    assert rank_bias(JUDGES, "good").p > 0.05


@pytest.mark.parametrize(("systems", "reason"), [(3, "fewer than 4 systems or 2 topics")])
def test_few_systems_have_no_bias_at_the_top(systems, reason):
    few = RUNS[RUNS["system"].isin(sorted(RUNS["system"].unique())[:systems])]
    assert rank_bias(ScoredJudges.of(few, PEOPLE, MODELS, "nDCG@10"), "good").reason == reason


def test_identical_systems_have_no_bias_at_the_top():
    one = RUNS[RUNS["system"] == "s00"]
    same = pd.concat(one.assign(system=name) for name in "abcd")
    assert rank_bias(ScoredJudges.of(same, PEOPLE, MODELS, "nDCG@10"), "good").reason == "all systems are tied"


def long_lover() -> tuple[dict[str, str], pd.DataFrame]:
    """Texts, and a model that calls long documents relevant."""
    rng = np.random.default_rng(2)
    documents = {f"d{number:02}": "text " * int(rng.integers(2, 400)) for number in range(20)}
    length = PEOPLE["p0"]["doc_id"].map(lambda doc_id: len(documents[doc_id].split()))
    return documents, PEOPLE["p0"].assign(relevance=np.where(length > 200, 3, PEOPLE["p0"]["relevance"]))


def test_a_judge_that_likes_long_documents_is_found():
    documents, grades = long_lover()
    judges = ScoredJudges.of(RUNS, PEOPLE, {"long": grades}, "nDCG@10")
    findings, shares = over_rating(judges, "long", 2, documents, None)
    assert findings[0].effect > 0.1
    assert findings[0].p < 1e-6
    assert findings[1].reason == "no texts"
    by_quarter = shares.set_index("quarter")["share"]
    assert by_quarter[1] == 0
    assert by_quarter[4] == 1


def test_overlap_is_the_share_of_the_words_of_the_query():
    documents = {f"d{number:02}": "red blue" if number % 2 else "green" for number in range(20)}
    topics = dict.fromkeys(PEOPLE["p0"]["query_id"].unique(), "Red, blue? BLUE!")
    findings, shares = over_rating(JUDGES, "good", 2, documents, topics)
    assert findings[1].test == "over-rating by query words"
    assert shares[shares["by"] == "query words"][["least", "most"]].to_numpy().min() == 0
    assert shares[shares["by"] == "query words"][["least", "most"]].to_numpy().max() == 1


def test_without_texts_over_rating_is_undefined():
    findings, shares = over_rating(JUDGES, "good", 2, None, None)
    assert [finding.reason for finding in findings] == ["no texts", "no texts"]
    assert shares.empty


def test_slopes_are_those_of_a_regression_within_topics():
    documents, grades = long_lover()
    judges = ScoredJudges.of(RUNS, PEOPLE, {"long": grades}, "nDCG@10")
    rows = PEOPLE["p0"].merge(grades, on=PAIR, suffixes=("", "_model"))
    rows = rows[rows["relevance"] == 0]
    length = np.log1p(rows["doc_id"].map(lambda doc_id: len(documents[doc_id].split())))
    x = ((length - length.mean()) / length.std(ddof=0)).to_numpy()
    dummies = pd.get_dummies(rows["query_id"]).to_numpy(float)
    slope = np.linalg.lstsq(np.column_stack([x, dummies]), (rows["relevance_model"] >= 2).to_numpy(float))[0][0]
    assert over_rating(judges, "long", 2, documents, None)[0][0].effect == pytest.approx(slope)


def test_disagreement_on_one_topic_is_found():
    grades = PEOPLE["p0"].assign(
        relevance=np.where(PEOPLE["p0"]["query_id"] == "t03", 3 - PEOPLE["p0"]["relevance"], PEOPLE["p0"]["relevance"])
    )
    judges = ScoredJudges.of(RUNS, PEOPLE, {"odd": grades}, "nDCG@10")
    finding, table = disagreement_by_topic(judges, "odd", (2, 2))
    assert finding.p < 1e-9
    assert "topic t03 has most (100%)" in finding.sentence
    assert table.set_index("query_id").loc["t03", "share"] == 1
    counts = np.array([[20 if topic == "t03" else 0, 0 if topic == "t03" else 20] for topic in table["query_id"]])
    assert finding.p == pytest.approx(stats.chi2_contingency(counts, correction=False).pvalue)


def test_disagreement_without_any_is_undefined():
    judges = ScoredJudges.of(RUNS, PEOPLE, {"copy": PEOPLE["p0"]}, "nDCG@10")
    assert disagreement_by_topic(judges, "copy", (2, 2))[0].reason == "fewer than 2 topics, or the same on all"


@pytest.mark.in_ci
def test_a_perfect_judge_sees_the_smallest_loss_and_a_reversed_one_none():
    oracle = OracleRuns.of(JUDGES, seed=1)
    judges = ScoredJudges.of(RUNS, PEOPLE, {"copy": PEOPLE["p0"], **MODELS}, "nDCG@10")
    perfect, steps = oracle_steps(judges, "copy", oracle)
    assert perfect.effect == steps["least"].min()
    assert (steps["right"] == 1).all()
    assert oracle_steps(judges, "reverse", oracle)[0].reason.startswith("not even the largest differences")
    good = oracle_steps(judges, "good", oracle)[0]
    assert perfect.effect <= good.effect
    assert good.low <= good.effect


def test_the_loss_is_that_from_which_on_all_classes_are_right():
    least, right = np.array([0.0, 0.1, 0.2, 0.3]), np.array([0.99, 0.9, 0.95, 1.0])
    assert _seen_loss(least, right) == 0.2
    assert _seen_loss(least, right * 0.5) is None


def test_contested_documents_by_hand():
    """On x, two of three people say relevant; on y, one does. The model follows the majority on x only."""
    grades = {"a": (1, 1), "b": (1, 0), "c": (0, 0)}
    people = {name: pd.DataFrame({"query_id": "1", "doc_id": ["x", "y"], "relevance": g}) for name, g in grades.items()}
    model = pd.DataFrame({"query_id": "1", "doc_id": ["x", "y"], "relevance": [1, 1]})
    runs = pd.DataFrame({"system": "s", "query_id": "1", "doc_id": ["x"], "score": 1.0})
    finding = contested(ScoredJudges.of(runs, people, {"m": model}, "P@1"), "m", (1, 1))
    assert finding.effect == 0  # 1 of 2, less one half
    assert finding.p is None
    assert finding.sentence == "Of 2 documents on which people differ, the judge sides with the majority on 50%."


def test_one_person_has_no_contested_documents():
    judges = ScoredJudges.of(RUNS, {"p0": PEOPLE["p0"]}, MODELS, "nDCG@10")
    assert contested(judges, "good", (2, 2)).reason == "no document on which three people differ"


def test_topic_means_are_those_of_students_t():
    values = np.array([0.1, 0.4, 0.2, 0.3])
    found = TopicMean.of(values, 0.9)
    expected = stats.ttest_1samp(values, 0)
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval(0.9)))


def test_two_topics_have_no_interval():
    assert TopicMean.of(np.array([1.0, 2.0]), 0.95).low is None


@pytest.mark.slow
def test_all_tests_of_a_model_are_one_table_with_corrected_p():
    documents, _ = long_lover()
    found = gaming_tests(JUDGES, "random", rel=2, model_rel=2, groups=GROUPS, documents=documents, seed=1)
    frame = found.to_frame()
    assert frame["test"].tolist() == [
        "re-ranking",
        "group preference: even",
        "bias at the top",
        "oracle steps",
        "over-rating by length",
        "over-rating by query words",
        "disagreement by topic",
        "contested documents",
    ]
    assert ((frame["p_adjusted"] >= frame["p"]) | frame["p"].isna()).all()
    assert (frame["effect"].isna() == frame["reason"].notna()).all()
    assert set(found.tables()) == {"tests", "reranked", "over_rated", "disagreement", "oracle_steps", "left_out"}
    again = gaming_tests(JUDGES, "random", rel=2, model_rel=2, groups=GROUPS, documents=documents, seed=1)
    pd.testing.assert_frame_equal(again.to_frame(), frame)


@pytest.mark.parametrize("text", ["<a " * 300_000, "\x00" * 1_000_000, "-_" * 500_000])
def test_hostile_texts_cost_linear_time(text):
    documents = {f"d{number:02}": text if number == 1 else "short" for number in range(20)}
    over_rating(JUDGES, "good", 2, documents, {"t00": text})


def test_without_a_threshold_tests_of_relevance_are_undefined():
    frame = gaming_tests(JUDGES, "random", rel=2, model_rel=None, seed=1).to_frame().set_index("test")
    assert frame.loc["contested documents", "reason"] == "no threshold of relevance declared"
    assert set(frame.index[frame["effect"].notna()]) <= {"re-ranking", "bias at the top", "oracle steps"}
