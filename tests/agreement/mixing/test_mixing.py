"""Golds that take one judge for each topic: by hand, all combinations one by one, and what chance must not change."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from agreement.effectiveness import evaluate, prepare
from agreement.effectiveness.judge_scores import JudgeScores
from agreement.golds.make_gold import make_gold
from agreement.mixing import mixed_golds, mixed_scores
from agreement.rank_correlation import competition_ranks, order_counts, tau_b
from tests.agreement.mixing_examples import JUDGEMENT_COLUMNS, assert_same, random_collection, two_opposite_judges
from tests.examples import examples
from tests.oracles import oracle

MEAN = "mean over all draws"


def judges_of_topics(judgements):
    return {topic: sorted(rows["assessor"].unique()) for topic, rows in judgements.groupby("query_id")}


def gold_of(judgements, choice):
    """The gold with the judgements of the chosen judge of each topic."""
    chosen = judgements["query_id"].map(choice) == judgements["assessor"]
    return judgements[chosen].drop(columns="assessor")


def means_under(runs, gold, measure):
    return evaluate(runs, gold, measure, per_query=False).set_index("system")["value"].sort_index()


def one_by_one(runs, judgements, measure):
    """Mean scores under every mixed gold, each scored anew: draws x systems."""
    judges = judges_of_topics(judgements)
    choices = [dict(zip(judges, choice, strict=True)) for choice in product(*judges.values())]
    ranked = prepare(runs)
    return pd.DataFrame([means_under(ranked, gold_of(judgements, choice), measure) for choice in choices]).to_numpy()


def row(frame, **wanted):
    found = frame[(frame[list(wanted)] == pd.Series(wanted)).all(axis=1)]
    assert len(found) == 1
    return found.iloc[0].to_dict()


def test_two_opposite_judges_by_hand():
    mixed = mixed_golds(*two_opposite_judges(), "AP")

    # a's AP is 1 under x and 1/2 under y: means 1, 3/4, 3/4, 1/2 under xx, xy, yx, yy; b's the other way round
    assert (mixed.draws, mixed.combinations, mixed.exhaustive, mixed.seed) == (4, 4, True, None)
    assert (mixed.n_topics, mixed.judges, mixed.systems) == (2, ("x", "y"), ("a", "b"))
    # sd: sqrt((1/16 + 0 + 0 + 1/16) / 4)
    spread = {"mean": 0.75, "sd": pytest.approx(32**-0.5), "least": 0.5, "greatest": 1.0}
    ranks = {"mean_rank": 1.25, "least_rank": 1, "greatest_rank": 2}
    assert row(mixed.systems_frame, system="a") == {"system": "a", "rank": 1, **spread, **ranks}
    assert row(mixed.systems_frame, system="b") == {"system": "b", "rank": 1, **spread, **ranks}
    assert mixed.orders.values.tolist() == [["a", "b", 1, 2, 1]]
    assert mixed.top_changes.values.tolist() == [["a", 3, 1, 0.75], ["b", 3, 1, 0.75]]
    assert mixed.choices.judges().tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_tau_is_undefined_if_a_draw_ties_all_systems():
    mixed = mixed_golds(*two_opposite_judges(), "AP")

    assert mixed.tau_values("judge:x").tolist() == [1, -1]
    found = row(mixed.taus, reference="judge:x")
    assert (found["mean"], found["sd"], found["least"], found["q25"], found["q75"], found["greatest"]) == (
        0,
        1,
        -1,
        -1,
        1,
        1,
    )
    assert (found["n_topics"], found["n_defined"], found["n_undefined"], found["reason"]) == (2, 2, 2, "all_tied")
    nothing = mixed.taus.iloc[0]  # the mean scores over all draws tie a and b
    assert (nothing["reference"], nothing["n_defined"], nothing["reason"]) == (MEAN, 0, "all_tied")
    assert nothing[["mean", "sd", "least", "q2_5", "greatest"]].isna().all()
    assert len(mixed.tau_values()) == 0
    assert (mixed.draw_of_least_tau("judge:x"), mixed.draw_of_least_tau()) == (3, None)


def test_all_four_combinations_against_the_oracle():
    case = oracle("golds_and_pools")["mixing"]
    systems, topics = ("A", "B", "C"), ("1", "2")
    scores = np.array([[[float(Fraction(ap)) for ap in case["AP"][f"{s}/{t}"]] for t in topics] for s in systems])
    cube = JudgeScores(scores, np.ones((2, 2), dtype=bool), systems, topics, ("0", "1"), "AP")

    mixed = mixed_scores(cube)

    combinations = case["all_combinations"]
    assert mixed.choices.judges().tolist() == [combination["judges"] for combination in combinations]
    wanted = [combination["tau_b_vs_judge0"] for combination in combinations]
    assert mixed.tau_values("judge:0") == pytest.approx(wanted, abs=1e-12)
    frame = mixed.systems_frame.set_index("system")
    for system, (least, greatest) in case["range_per_system"].items():
        of_draws = [Fraction(combination["map"][system]) for combination in combinations]
        assert frame.loc[system, "least"] == pytest.approx(float(Fraction(least)), abs=1e-12)
        assert frame.loc[system, "greatest"] == pytest.approx(float(Fraction(greatest)), abs=1e-12)
        assert frame.loc[system, "mean"] == pytest.approx(float(sum(of_draws) / 4), abs=1e-12)
        assert frame.loc[system, "sd"] == pytest.approx(np.std([float(value) for value in of_draws]), abs=1e-12)


@pytest.mark.slow
@examples(12)
@given(seed=st.integers(0, 2**32 - 1), skipping=st.sampled_from([0.0, 0.5]), measure=st.sampled_from(["AP", "P@2"]))
def test_all_combinations_agree_with_one_gold_at_a_time(seed, skipping, measure):
    runs, judgements = random_collection(seed, judges="uv", skipping=skipping)
    scores = one_by_one(runs, judgements, measure)

    mixed = mixed_golds(runs, judgements, measure)

    assert mixed.exhaustive
    assert mixed.draws == len(scores)
    frame = mixed.systems_frame.sort_values("system")
    ranks = np.array([competition_ranks(means) for means in scores])
    assert frame["mean"].to_numpy() == pytest.approx(scores.mean(axis=0), abs=1e-12)
    assert frame["sd"].to_numpy() == pytest.approx(scores.std(axis=0), abs=1e-12)
    assert frame["least"].to_numpy() == pytest.approx(scores.min(axis=0), abs=1e-12)
    assert frame["greatest"].to_numpy() == pytest.approx(scores.max(axis=0), abs=1e-12)
    assert frame["mean_rank"].to_numpy() == pytest.approx(ranks.mean(axis=0), abs=1e-12)
    assert frame["least_rank"].tolist() == ranks.min(axis=0).tolist()
    assert frame["greatest_rank"].tolist() == ranks.max(axis=0).tolist()
    wins, ties = order_counts(scores)
    upper = np.triu_indices(scores.shape[1], k=1)
    assert mixed.orders["a_above_b"].tolist() == wins[upper].tolist()
    assert mixed.orders["tied"].tolist() == ties[upper].tolist()
    assert mixed.orders["b_above_a"].tolist() == wins.T[upper].tolist()
    of_mean = [tau_b(means, scores.mean(axis=0)).value for means in scores]
    assert mixed.tau_values().tolist() == pytest.approx([tau for tau in of_mean if tau is not None], abs=1e-12)


def taus_on(topics, gold, table_of, golds):
    """tau_b with the ranking under a gold, by the mean scores on these topics; without what is undefined."""
    reference = table_of(gold)[topics].mean(axis=1)
    taus = [tau_b(table_of(one)[topics].mean(axis=1), reference).value for one in golds]
    return pytest.approx([tau for tau in taus if tau is not None], abs=1e-12)


def tables_under(runs):
    ranked = prepare(runs)
    return lambda gold: evaluate(ranked, gold, "AP").pivot(index="system", columns="query_id", values="value")


@pytest.mark.slow
@pytest.mark.parametrize("draws", [18, 10, 5])
def test_a_judge_is_compared_on_their_topics(draws):
    """With 10 draws the 9 combinations of w's topics are compared, and the draws of v's; with 5 the draws of both."""
    runs, judgements = random_collection(3, n_systems=6, n_topics=4)
    seen = {"u": ["q0", "q1", "q2", "q3"], "v": ["q1", "q2", "q3"], "w": ["q1", "q3"]}  # 1 * 3 * 2 * 3 combinations
    judgements = judgements[[row.query_id in seen[row.assessor] for row in judgements.itertuples()]]

    mixed = mixed_golds(runs, judgements, "AP", draws=draws, seed=4)

    assert (mixed.combinations, mixed.draws) == (18, draws)
    golds = drawn_golds(mixed, judgements)
    for judge, topics in seen.items():
        own = make_gold(judgements, f"judge:{judge}")
        assert row(mixed.taus, reference=f"judge:{judge}")["n_topics"] == len(topics)
        assert mixed.tau_values(f"judge:{judge}").tolist() == taus_on(topics, own, tables_under(runs), golds)


def drawn_golds(mixed, judgements):
    names = np.array(mixed.judges)
    return [
        gold_of(judgements, dict(zip(mixed.query_ids, names[chosen], strict=True))) for chosen in mixed.choices.judges()
    ]


@pytest.mark.slow
def test_random_draws_against_pytrec_eval_and_scipy():
    runs, judgements = random_collection(6, n_systems=7, n_topics=5)

    mixed = mixed_golds(runs, judgements, "AP", draws=20, seed=8)

    assert not mixed.exhaustive
    assert mixed.combinations == 3**5
    means = np.array([by_pytrec_eval(runs, gold) for gold in drawn_golds(mixed, judgements)])
    assert mixed.systems_frame.sort_values("system")["mean"].to_numpy() == pytest.approx(means.mean(axis=0), abs=1e-6)
    reference = by_pytrec_eval(runs, make_gold(judgements, "judge:v"))
    taus = [kendalltau(np.round(draw, 6), np.round(reference, 6)).statistic for draw in means]
    assert mixed.tau_values("judge:v") == pytest.approx(taus, abs=1e-12)


def by_pytrec_eval(runs, gold):
    qrels = {
        topic: dict(zip(rows["doc_id"], rows["relevance"].tolist(), strict=True)) for topic, rows in by_topic(gold)
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
    means = []
    for _, run in runs.groupby("system"):
        ranking = {topic: dict(zip(rows["doc_id"], rows["score"], strict=True)) for topic, rows in by_topic(run)}
        means.append(np.mean([found["map"] for found in evaluator.evaluate(ranking).values()]))
    return means


def by_topic(frame):
    return frame.groupby("query_id")


@pytest.mark.slow
def test_references_are_compared_on_common_topics():
    runs, judgements = random_collection(9, n_systems=6, n_topics=4, judges="uv")
    union = make_gold(judgements, "union")
    some = pd.concat([union[union["query_id"] != "q2"], union[union["query_id"] == "q0"].assign(query_id="other")])

    mixed = mixed_golds(runs, judgements, "AP", references={"union": union, "some": some})

    assert mixed.references == (MEAN, "judge:u", "judge:v", "union", "some")
    golds = drawn_golds(mixed, judgements)
    table_of = tables_under(runs)
    assert mixed.tau_values("union").tolist() == taus_on(["q0", "q1", "q2", "q3"], union, table_of, golds)
    assert mixed.tau_values("some").tolist() == taus_on(["q0", "q1", "q3"], some, table_of, golds)
    assert row(mixed.taus, reference="some")["n_topics"] == 3


def test_a_reference_without_a_judged_topic_is_undefined():
    runs, judgements = random_collection(9, n_systems=6, n_topics=4, judges="uv")
    last = judgements["query_id"] == "q3"

    mixed = mixed_golds(runs, judgements[~last], "AP", references={"last": make_gold(judgements[last], "union")})

    missing = row(mixed.taus, reference="last")
    assert (missing["n_topics"], missing["n_defined"], missing["n_undefined"]) == (0, 0, 8)
    assert missing["reason"] == "no_topics"


@pytest.mark.slow
@examples(10)
@given(seed=st.integers(0, 2**32 - 1))
def test_counts_add_up_and_means_lie_between_least_and_greatest(seed):
    mixed = mixed_golds(*random_collection(seed, n_topics=5), "AP", draws=50, seed=seed)

    assert (mixed.orders[["a_above_b", "tied", "b_above_a"]].sum(axis=1) == 50).all()
    assert mixed.top_changes["at_top"].sum() >= 50 >= mixed.top_changes["alone_at_top"].sum()
    frame = mixed.systems_frame
    assert ((frame["least"] <= frame["mean"] + 1e-12) & (frame["mean"] <= frame["greatest"] + 1e-12)).all()
    assert frame["least_rank"].min() == 1
    assert frame["rank"].is_monotonic_increasing
    assert (mixed.taus["n_defined"] + mixed.taus["n_undefined"] == 50).all()
    assert mixed.taus["least"].dropna().ge(-1).all()
    assert mixed.taus["greatest"].dropna().le(1).all()
    assert (mixed.choices.counts().sum(axis=1) == 50).all()


def test_one_judge_is_one_gold():
    runs, judgements = random_collection(16, judges="u")

    mixed = mixed_golds(runs, judgements, "AP")

    assert (mixed.draws, mixed.exhaustive) == (1, True)
    assert mixed.tau_values("judge:u").tolist() == mixed.tau_values().tolist() == [1]
    assert mixed.systems_frame["sd"].tolist() == [0, 0, 0, 0]
    assert mixed.summary() == "Cannot be determined: u is the only judge, so there is only one gold and nothing to mix."


def test_judges_without_a_common_topic_are_one_gold():
    runs, judgements = two_opposite_judges()
    judgements = judgements[(judgements["assessor"] == "x") == (judgements["query_id"] == "1")]

    mixed = mixed_golds(runs, judgements, "AP")

    assert mixed.draws == 1
    assert "every topic has one judge" in mixed.summary()
    assert mixed.taus["n_topics"].tolist() == [2, 1, 1]


def test_one_system_has_scores_but_no_order():
    runs, judgements = two_opposite_judges()

    mixed = mixed_golds(runs[runs["system"] == "a"], judgements, "AP")

    assert mixed.systems_frame[["mean", "least", "greatest", "greatest_rank"]].values.tolist() == [[0.75, 0.5, 1, 1]]
    assert len(mixed.orders) == len(mixed.unsettled()) == 0
    assert mixed.taus["reason"].tolist() == ["one_system"] * 3
    assert mixed.summary() == "Cannot be determined: tau_b is undefined (fewer than two systems)."


def test_a_topic_without_runs_scores_0():
    runs, judgements = two_opposite_judges()

    mixed = mixed_golds(runs[runs["query_id"] == "1"], judgements, "AP")

    assert (mixed.n_topics, mixed.draws) == (2, 4)
    assert mixed.systems_frame["greatest"].tolist() == [0.5, 0.5]


def test_only_the_first_judgement_of_each_judge_is_mixed():
    runs, judgements = two_opposite_judges()
    turned = judgements.assign(relevance=1 - judgements["relevance"], repeat=1)
    unjudged = pd.DataFrame([("z", "1", "d", -1, 0), ("z", "2", "e", None, 0)], columns=[*JUDGEMENT_COLUMNS, "repeat"])

    mixed = mixed_golds(runs, pd.concat([judgements.assign(repeat=0), turned, unjudged]), "AP")

    assert_same(mixed, mixed_golds(runs, judgements, "AP"))
    assert mixed.judges == ("x", "y")


def test_no_judgements_are_refused():
    runs, judgements = two_opposite_judges()

    with pytest.raises(ValueError, match="There is no judgement"):
        mixed_golds(runs, judgements.assign(relevance=-1), "AP")


def test_a_reference_name_used_twice_is_refused():
    runs, judgements = two_opposite_judges()
    gold = make_gold(judgements, "union")

    with pytest.raises(ValueError, match="'judge:x' is already used"):
        mixed_golds(runs, judgements, "AP", references={"judge:x": gold})


def test_an_unknown_reference_or_share_is_refused():
    mixed = mixed_golds(*two_opposite_judges(), "AP")

    with pytest.raises(ValueError, match="The reference must be one of mean over all draws, judge:x, judge:y, not 'z'"):
        mixed.tau_values("z")
    with pytest.raises(ValueError, match=r"share must be above 0 and at most 0\.5, not 0\.7"):
        mixed.unsettled(0.7)


def test_unsettled_pairs():
    mixed = mixed_golds(*two_opposite_judges(), "AP")

    assert len(mixed.unsettled(0.25)) == 1  # each is ahead in one of four
    assert len(mixed.unsettled(0.26)) == 0


def test_tables_and_to_dict():
    mixed = mixed_golds(*two_opposite_judges(), "AP")

    data = json.loads(json.dumps(mixed.to_dict(), allow_nan=False))
    assert (data["measure"], data["draws"], data["seed"], data["n_topics"]) == ("AP", 4, None, 2)
    assert data["judges"] == ["x", "y"]
    assert data["taus"][0]["mean"] is None
    assert data["taus"][0]["reason"] == "all_tied"
    assert data["orders"] == [{"system_a": "a", "system_b": "b", "a_above_b": 1, "tied": 2, "b_above_a": 1}]
    assert {name: len(table) for name, table in mixed.tables().items()} == {
        "taus": 3,
        "top_changes": 2,
        "systems": 2,
        "orders": 1,
    }
