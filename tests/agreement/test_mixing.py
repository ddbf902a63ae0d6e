"""Golds that take one judge for each topic: by hand, all combinations one by one, and what chance must not change."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from agreement import mixing_kernel, mixing_scores
from agreement.effectiveness import evaluate, prepare
from agreement.golds import make_gold
from agreement.judge_scores import JudgeScores
from agreement.mixing import mixed_golds, mixed_scores
from agreement.mixing_choices import Choices
from agreement.rank_correlation import competition_ranks, levels, order_counts, tau_b, tau_b_batch
from tests.oracles import oracle

MEAN = "mean over all draws"
RUN_COLUMNS = ["system", "query_id", "doc_id", "score"]
JUDGEMENT_COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]


def two_opposite_judges(topics=("1", "2")):
    """a ranks d before e, b the other way; x holds d relevant on every topic, y holds e."""
    runs = [
        (system, topic, doc, -float(place))
        for system, docs in (("a", "de"), ("b", "ed"))
        for topic in topics
        for place, doc in enumerate(docs)
    ]
    judgements = [
        (judge, topic, doc, int(doc == liked)) for judge, liked in ("xd", "ye") for topic in topics for doc in "de"
    ]
    return pd.DataFrame(runs, columns=RUN_COLUMNS), pd.DataFrame(judgements, columns=JUDGEMENT_COLUMNS)


def random_world(seed, n_systems=4, n_topics=3, judges="uvw", skipping=0.0, n_docs=6):
    """Systems that rank all documents by chance; judges who may skip whole topics, and see documents as they like."""
    rng = np.random.default_rng(seed)
    runs = [
        (f"s{system}", f"q{topic}", f"d{document}", float(score))
        for system in range(n_systems)
        for topic in range(n_topics)
        for document, score in enumerate(rng.permutation(n_docs))
    ]
    judgements = [
        (judge, f"q{topic}", f"d{document}", int(rng.integers(3)))
        for judge in judges
        for topic in range(n_topics)
        if judge == judges[0] or rng.random() >= skipping
        for document in range(n_docs)
    ]
    return pd.DataFrame(runs, columns=RUN_COLUMNS), pd.DataFrame(judgements, columns=JUDGEMENT_COLUMNS)


def judges_of_topics(judgements):
    return {topic: sorted(rows["assessor"].unique()) for topic, rows in judgements.groupby("query_id")}


def gold_of(judgements, choice):
    """The gold that takes for each topic what the chosen judge said."""
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


def test_tau_by_hand_is_undefined_where_a_draw_ties_all_systems():
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


def test_the_four_combinations_of_the_oracle():
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


@hypothesis_settings(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1), skipping=st.sampled_from([0.0, 0.5]), measure=st.sampled_from(["AP", "P@2"]))
def test_all_combinations_agree_with_one_gold_at_a_time(seed, skipping, measure):
    runs, judgements = random_world(seed, judges="uv", skipping=skipping)
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


@pytest.mark.parametrize("draws", [18, 10, 5])
def test_a_judge_of_some_topics_is_compared_on_these(draws):
    """With 10 draws the 9 combinations of w's topics are compared, and the draws of v's; with 5 the draws of both."""
    runs, judgements = random_world(3, n_systems=6, n_topics=4)
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


def test_random_draws_against_pytrec_eval_and_scipy():
    runs, judgements = random_world(6, n_systems=7, n_topics=5)

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


def test_references_are_compared_on_the_topics_in_common():
    runs, judgements = random_world(9, n_systems=6, n_topics=4, judges="uv")
    union = make_gold(judgements, "union")
    some = pd.concat([union[union["query_id"] != "q2"], union[union["query_id"] == "q0"].assign(query_id="other")])
    none = union.assign(query_id="other" + union["query_id"])

    mixed = mixed_golds(runs, judgements, "AP", references={"union": union, "some": some, "none": none})

    assert mixed.references == (MEAN, "judge:u", "judge:v", "union", "some", "none")
    golds = drawn_golds(mixed, judgements)
    table_of = tables_under(runs)
    assert mixed.tau_values("union").tolist() == taus_on(["q0", "q1", "q2", "q3"], union, table_of, golds)
    assert mixed.tau_values("some").tolist() == taus_on(["q0", "q1", "q3"], some, table_of, golds)
    assert row(mixed.taus, reference="some")["n_topics"] == 3
    missing = row(mixed.taus, reference="none")
    assert (missing["n_topics"], missing["n_defined"], missing["n_undefined"]) == (0, 0, 16)
    assert missing["reason"] == "no_topics"


def same(a, b, exact=True):
    for name, table in a.tables().items():
        pd.testing.assert_frame_equal(table, b.tables()[name], check_exact=exact, rtol=1e-12, atol=1e-12)
    for reference in a.references:
        assert np.array_equal(a.tau_values(reference), b.tau_values(reference))


def test_the_same_seed_gives_the_same_and_another_seed_another():
    runs, judgements = random_world(11, n_topics=8, skipping=0.2)

    mixed = mixed_golds(runs, judgements, "AP", draws=300, seed=1)

    same(mixed, mixed_golds(runs, judgements, "AP", draws=300, seed=1))
    other = mixed_golds(runs, judgements, "AP", draws=300, seed=2)
    assert not np.array_equal(mixed.choices.judges(), other.choices.judges())


def test_the_order_of_the_rows_changes_nothing():
    runs, judgements = random_world(12, n_topics=6)

    mixed = mixed_golds(runs, judgements, "AP", draws=100, seed=1)

    shuffled = mixed_golds(runs[::-1], judgements.sample(frac=1, random_state=5), "AP", draws=100, seed=1)
    same(mixed, shuffled)


@pytest.mark.parametrize("draws", [300, 10_000])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_how_draws_are_cut_into_blocks_changes_nothing(monkeypatch, draws, size):
    runs, judgements = random_world(13, n_topics=6, skipping=0.2)
    whole = mixed_golds(runs, judgements, "AP", draws=draws, seed=1)
    blocks = Choices.blocks

    monkeypatch.setattr(Choices, "blocks", lambda self: blocks(self, size))

    assert whole.exhaustive == (draws == 10_000)
    same(whole, mixed_golds(runs, judgements, "AP", draws=draws, seed=1), exact=False)  # sd is a sum of blocks


@pytest.mark.parametrize("size", [1, 300, 3000])
def test_how_topics_are_put_into_tables_changes_nothing_but_rounding(monkeypatch, size):
    runs, judgements = random_world(14, n_topics=7)
    whole = mixed_golds(runs, judgements, "AP", draws=200, seed=1)

    monkeypatch.setattr(mixing_scores, "TABLE_BYTES", size)

    same(whole, mixed_golds(runs, judgements, "AP", draws=200, seed=1), exact=False)


@hypothesis_settings(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1), n_systems=st.integers(1, 9), n_values=st.sampled_from([1, 2, 5, 10**6]))
def test_one_comparison_gives_what_tau_b_and_order_counts_give(seed, n_systems, n_values):
    rng = np.random.default_rng(seed)
    scores = rng.integers(n_values, size=(40, n_systems)) / 7
    references = rng.integers(n_values, size=(3, n_systems)) / 3

    compared = mixing_kernel.compare(mixing_kernel.References.of(references), levels(scores))

    batch = tau_b_batch(references, scores)
    assert np.array_equal(compared.defined, batch.defined)
    assert np.array_equal(np.where(batch.defined, compared.tau_b, 0), batch.values)
    assert np.array_equal(compared.wins, order_counts(scores)[0])


def test_more_rankings_than_are_compared_at_once_and_more_systems_than_a_byte_counts():
    rng = np.random.default_rng(18)
    scores, references = rng.integers(400, size=(30, 300)) / 400, rng.random((2, 300))
    few = rng.random((700, 4))

    large = mixing_kernel.compare(mixing_kernel.References.of(references), levels(scores))
    long = mixing_kernel.compare(mixing_kernel.References.of(few[:2]), levels(few))

    assert np.array_equal(large.tau_b, tau_b_batch(references, scores).values)
    assert np.array_equal(large.wins, order_counts(scores)[0])
    assert np.array_equal(long.tau_b, tau_b_batch(few[:2], few).values)
    assert np.array_equal(long.wins, order_counts(few)[0])


def test_near_ties_that_are_not_transitive_go_by_the_pairs():
    # of a, b and c each is as good as the next within 1e-12, but a is better than c
    scores = 0.5 + np.array([1.6e-12, 0.8e-12, 0.0])[:, None, None] + np.zeros((3, 1, 2))
    scores[:, 0, 1] = 0.1, 0.2, 0.3
    cube = JudgeScores(scores, np.ones((1, 2), dtype=bool), ("a", "b", "c"), ("1",), ("x", "y"), "AP")

    mixed = mixed_scores(cube)

    # under x: a > c alone; under y: c > b > a
    assert mixed.orders.values.tolist() == [["a", "b", 0, 1, 1], ["a", "c", 1, 0, 1], ["b", "c", 0, 1, 1]]
    assert mixed.tau_values("judge:x").tolist() == pytest.approx([1, -(3**-0.5)])
    assert mixed.systems_frame.set_index("system")["mean_rank"].to_dict() == {"a": 2, "b": 1.5, "c": 1.5}


@hypothesis_settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1))
def test_counts_add_up_and_means_lie_between_least_and_greatest(seed):
    mixed = mixed_golds(*random_world(seed, n_topics=5), "AP", draws=50, seed=seed)

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


def test_other_names_for_the_systems_change_names_only():
    runs, judgements = random_world(15, n_topics=5)
    mixed = mixed_golds(runs, judgements, "AP", draws=50, seed=1)
    names = {"s0": "z", "s1": "y", "s2": "x", "s3": "w"}

    renamed = mixed_golds(runs.assign(system=runs["system"].map(names)), judgements, "AP", draws=50, seed=1)

    before = mixed.systems_frame.assign(system=mixed.systems_frame["system"].map(names)).sort_values("system")
    pd.testing.assert_frame_equal(
        before.reset_index(drop=True), renamed.systems_frame.sort_values("system", ignore_index=True), check_dtype=False
    )
    assert np.array_equal(mixed.tau_values(), renamed.tau_values())


def test_one_judge_is_one_gold():
    runs, judgements = random_world(16, judges="u")

    mixed = mixed_golds(runs, judgements, "AP")

    assert (mixed.draws, mixed.exhaustive) == (1, True)
    assert mixed.tau_values("judge:u").tolist() == mixed.tau_values().tolist() == [1]
    assert mixed.systems_frame["sd"].tolist() == [0, 0, 0, 0]
    assert mixed.summary() == "Not to be said: u is the only judge, so that there is one gold and nothing to mix."


def test_judges_who_share_no_topic_are_one_gold():
    runs, judgements = two_opposite_judges()
    judgements = judgements[(judgements["assessor"] == "x") == (judgements["query_id"] == "1")]

    mixed = mixed_golds(runs, judgements, "AP")

    assert mixed.draws == 1
    assert "every topic has one judge" in mixed.summary()
    assert mixed.taus["n_topics"].tolist() == [2, 1, 1]


def test_one_system_has_scores_and_no_order():
    runs, judgements = two_opposite_judges()

    mixed = mixed_golds(runs[runs["system"] == "a"], judgements, "AP")

    assert mixed.systems_frame[["mean", "least", "greatest", "greatest_rank"]].values.tolist() == [[0.75, 0.5, 1, 1]]
    assert len(mixed.orders) == len(mixed.unsettled()) == 0
    assert mixed.taus["reason"].tolist() == ["one_system"] * 3
    assert mixed.summary() == "Not to be said: tau_b is undefined (fewer than two systems)."


def test_a_topic_that_no_run_has_scores_0():
    runs, judgements = two_opposite_judges()

    mixed = mixed_golds(runs[runs["query_id"] == "1"], judgements, "AP")

    assert (mixed.n_topics, mixed.draws) == (2, 4)
    assert mixed.systems_frame["greatest"].tolist() == [0.5, 0.5]


def test_only_the_first_judgement_of_each_judge_is_mixed():
    runs, judgements = two_opposite_judges()
    turned = judgements.assign(relevance=1 - judgements["relevance"], repeat=1)
    unjudged = pd.DataFrame([("z", "1", "d", -1, 0), ("z", "2", "e", None, 0)], columns=[*JUDGEMENT_COLUMNS, "repeat"])

    mixed = mixed_golds(runs, pd.concat([judgements.assign(repeat=0), turned, unjudged]), "AP")

    same(mixed, mixed_golds(runs, judgements, "AP"))
    assert mixed.judges == ("x", "y")


def test_more_combinations_than_any_machine_number():
    topics = [f"{number:03}" for number in range(70)]

    mixed = mixed_golds(*two_opposite_judges(topics), "AP", draws=10, seed=0)

    assert mixed.combinations == 2**70
    assert not mixed.exhaustive
    assert mixed.choices.judges().shape == (10, 70)


def test_as_many_combinations_as_draws_are_all_taken():
    assert mixed_golds(*two_opposite_judges(), "AP", draws=4).exhaustive
    assert not mixed_golds(*two_opposite_judges(), "AP", draws=3, seed=1).exhaustive


@pytest.mark.parametrize("seed", [None, -1, 1.5, "1", True])
def test_chance_needs_a_seed(seed):
    with pytest.raises(ValueError, match=r"the seed is a whole number from 0.*\(3\).*\(4\); got"):
        mixed_golds(*two_opposite_judges(), "AP", draws=3, seed=seed)


@pytest.mark.parametrize("draws", [0, -5, 2.5, None, True])
def test_draws_are_a_whole_number(draws):
    with pytest.raises(ValueError, match="draws is a whole number from 1; got"):
        mixed_golds(*two_opposite_judges(), "AP", draws=draws, seed=1)


def test_without_judgements_nothing_can_be_mixed():
    runs, judgements = two_opposite_judges()

    with pytest.raises(ValueError, match="there is no judgement"):
        mixed_golds(runs, judgements.assign(relevance=-1), "AP")


def test_names_of_references_are_their_own():
    runs, judgements = two_opposite_judges()
    gold = make_gold(judgements, "union")

    with pytest.raises(ValueError, match="'judge:x' is there already"):
        mixed_golds(runs, judgements, "AP", references={"judge:x": gold})


def test_an_unknown_reference_or_share_is_refused():
    mixed = mixed_golds(*two_opposite_judges(), "AP")

    with pytest.raises(ValueError, match="the reference is one of mean over all draws, judge:x, judge:y; got 'z'"):
        mixed.tau_values("z")
    with pytest.raises(ValueError, match=r"the share is above 0 and at most 0\.5; got 0\.7"):
        mixed.unsettled(0.7)


def test_pairs_that_stand_either_way_round():
    mixed = mixed_golds(*two_opposite_judges(), "AP")

    assert len(mixed.unsettled(0.25)) == 1  # each is ahead in one of four
    assert len(mixed.unsettled(0.26)) == 0


def cube_of(*topics):
    """Two judges; a topic is a pair of score lists."""
    scores = np.array(topics).transpose(2, 0, 1)
    systems = tuple("abcdefgh"[: len(scores)])
    names = tuple(map(str, range(len(topics))))
    return JudgeScores(scores, np.ones((len(topics), 2), dtype=bool), systems, names, ("x", "y"), "AP")


def test_summary_where_nothing_changes():
    assert mixed_scores(cube_of([[0.9, 0.5], [0.8, 0.4]])).summary() == (
        "Not at all: over all 2 mixed golds (2 judges, 1 topic, AP), tau_b with the ranking by mean scores is 1.000 in "
        "the median and 1.000 or more in 39 of 40, no pair of systems turns over in 1 of 20 or more, and the best is "
        "always a."
    )


def test_summary_where_the_top_changes():
    # means over both: a 0.75, b 0.65, c 0.1; b is before a under y, one pair of three: tau_b = (2 - 1) / 3
    assert mixed_scores(cube_of([[0.9, 0.5, 0.1], [0.6, 0.8, 0.1]])).summary() == (
        "Much at the whole, and yes at the top: over all 2 mixed golds (2 judges, 1 topic, AP), tau_b with the ranking "
        "by mean scores is 0.333 in the median and 0.333 or more in 39 of 40, 1 of 3 pairs of systems turns over in 1 "
        "of 20 or more, and the best is a in 50%, and at times 1 other."
    )


def test_summary_where_the_top_stays_and_others_change():
    summary = mixed_scores(cube_of([[0.9, 0.5, 0.3], [0.8, 0.3, 0.4]])).summary()

    assert summary.startswith("Much at the whole, and not at the top: over all 2 mixed golds")
    assert summary.endswith("and the best is always a.")


def test_summary_where_the_best_are_always_tied():
    summary = mixed_scores(cube_of([[0.9, 0.9, 0.4, 0.3], [0.8, 0.8, 0.3, 0.4]])).summary()

    assert summary.startswith("Somewhat at the whole, and not at the top:")
    assert summary.endswith("and the best is always a tie of 2 systems.")


def test_summary_where_systems_are_at_times_tied():
    summary = mixed_scores(cube_of([[0.9, 0.4, 0.3], [0.8, 0.4, 0.4]])).summary()

    assert summary.startswith("Somewhat at the whole, and not at the top:")  # tau_b = 2 / sqrt(3 * 2)


def test_summary_of_a_single_draw():
    summary = mixed_scores(cube_of([[0.9, 0.5], [0.5, 0.9]]), draws=1, seed=0).summary()

    assert summary.startswith("Not at all: over 1 mixed gold (2 judges, 1 topic, AP, seed 0)")


def test_summary_tells_the_seed():
    runs, judgements = random_world(17)

    summary = mixed_golds(runs, judgements, "AP", draws=20, seed=7).summary()

    assert "over 20 mixed golds (3 judges, 3 topics, AP, seed 7)" in summary


def test_summary_tells_how_many_golds_tie_all_systems():
    tied_under_y = [[0.9, 0.5], [0.5, 0.5]]

    summary = mixed_scores(cube_of(tied_under_y, tied_under_y)).summary()

    assert "1.000 or more in 39 of 40 (undefined in 1: all systems tied)" in summary


def test_what_goes_into_files():
    mixed = mixed_golds(*two_opposite_judges(), "AP")

    told = json.loads(json.dumps(mixed.to_dict(), allow_nan=False))
    assert (told["measure"], told["draws"], told["seed"], told["n_topics"]) == ("AP", 4, None, 2)
    assert told["judges"] == ["x", "y"]
    assert told["taus"][0]["mean"] is None
    assert told["taus"][0]["reason"] == "all_tied"
    assert told["orders"] == [{"system_a": "a", "system_b": "b", "a_above_b": 1, "tied": 2, "b_above_a": 1}]
    assert {name: len(table) for name, table in mixed.tables().items()} == {
        "taus": 3,
        "top_changes": 2,
        "systems": 2,
        "orders": 1,
    }
