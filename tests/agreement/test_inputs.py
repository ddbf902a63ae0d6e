"""Every public function gives the same result for every kind of input."""

from collections.abc import Mapping

import ir_measures
import pandas as pd
import pytest

from agreement import (
    Ratings,
    ap_bounds,
    cohen_kappa,
    compare_systems,
    correlation_intervals_with_judges,
    evaluate,
    judged_share,
    leverage,
    make_gold,
    mixed_golds,
    over_time,
    parse_measure,
    pr_curve,
    rank_intervals,
    rank_intervals_with_judges,
    ranking_shift,
    score_bounds,
    score_table,
    self_agreement,
    why_swapped,
)
from agreement.measures.extended_inferred_ap import extended_inferred_ap
from agreement.measures.stat_ap import stat_ap
from tests.agreement.random_collections import random_gold, random_judgements, random_runs, seeded
from tests.input_kinds import GOLD_INPUTS, JUDGEMENT_INPUTS, RUN_INPUTS, TABLES, nested

RNG = seeded(5)
RUNS = random_runs(RNG)
JUDGEMENTS = random_judgements(RNG)
GOLDS = JUDGEMENTS.rename(columns={"assessor": "gold"})
ANN, BOB = (GOLDS[GOLDS["gold"] == name].drop(columns="gold").reset_index(drop=True) for name in ("ann", "bob"))
SAMPLED = ANN.assign(inclusion_probability=0.5, stratum="top")
SCALE = (0, 1, 2, 3)


def same(result, wanted):
    """Whether two results have the same tables."""
    assert type(result) is type(wanted)
    if isinstance(wanted, pd.DataFrame):
        pd.testing.assert_frame_equal(result, wanted)
    elif isinstance(wanted, Mapping):
        assert result.keys() == wanted.keys()
        for name in wanted:
            same(result[name], wanted[name])
    elif hasattr(wanted, "tables"):
        same(result.tables(), wanted.tables())
    else:
        assert result == wanted


# tests/pooling/test_inputs.py has all kinds. Here it matters that every function converts its input.
@pytest.fixture(params=["polars", "nested dictionaries", "tuples of ir_measures", "list of paths"])
def kind(request):
    return request.param


@pytest.fixture
def runs(kind, tmp_path_factory):
    """A function that makes the runs in the kind of input; an iterator can be used only once."""
    return lambda: RUN_INPUTS[kind](RUNS, tmp_path_factory.mktemp("runs"))


@pytest.fixture
def golds(kind, tmp_path_factory):
    return lambda: GOLD_INPUTS[kind](GOLDS, tmp_path_factory.mktemp("golds"))


@pytest.fixture
def judgements(kind, tmp_path_factory):
    return lambda: JUDGEMENT_INPUTS[kind](JUDGEMENTS, tmp_path_factory.mktemp("judgements"))


@pytest.mark.slow
def test_rankings_under_golds(runs, golds):
    same(ranking_shift(runs(), golds(), "AP"), ranking_shift(RUNS, GOLDS, "AP"))
    same(evaluate(runs(), golds(), ["AP", "nDCG"]), evaluate(RUNS, GOLDS, ["AP", "nDCG"]))
    same(judged_share(runs(), golds()), judged_share(RUNS, GOLDS))


def test_rankings_under_judges(runs, judgements):
    same(mixed_golds(runs(), judgements(), "AP"), mixed_golds(RUNS, JUDGEMENTS, "AP"))
    same(leverage(runs(), judgements(), "AP", ANN), leverage(RUNS, JUDGEMENTS, "AP", ANN))
    intervals = [
        rank_intervals_with_judges(one, two, "AP", draws=50, seed=1)
        for one, two in ((runs(), judgements()), (RUNS, JUDGEMENTS))
    ]
    same(*intervals)
    correlations = [
        correlation_intervals_with_judges(one, {"all": two, "ann": three}, "AP", draws=50, seed=1).to_frame()
        for one, two, three in ((runs(), judgements(), JUDGEMENTS), (RUNS, JUDGEMENTS, JUDGEMENTS))
    ]
    same(*correlations)


def test_agreement_of_judges(judgements):
    same(make_gold(judgements(), "union"), make_gold(JUDGEMENTS, "union"))
    ours, wanted = (Ratings.from_judgements(one, SCALE) for one in (judgements(), JUDGEMENTS))
    assert (ours.codes == wanted.codes).all()
    assert cohen_kappa(ours, "ann", "bob") == cohen_kappa(wanted, "ann", "bob")


SOME_TABLES = ("pandas with categories", "polars", "columns of PyTerrier")
GOLD_KINDS = {
    "nested dictionaries": lambda: nested(ANN, "relevance"),
    **{name: lambda convert=TABLES[name]: convert(ANN) for name in SOME_TABLES},
}


@pytest.mark.in_ci
@pytest.mark.parametrize("name", GOLD_KINDS)
def test_functions_of_one_gold(name):
    gold = GOLD_KINDS[name]

    same(score_table(RUNS, gold(), "AP"), score_table(RUNS, ANN, "AP"))
    same(pr_curve(RUNS, gold()), pr_curve(RUNS, ANN))
    same(ap_bounds(RUNS, gold(), collection_size=9), ap_bounds(RUNS, ANN, collection_size=9))
    same(score_bounds(RUNS, gold(), "P@2"), score_bounds(RUNS, ANN, "P@2"))
    same(why_swapped(RUNS, "a", "b", gold(), BOB, "AP"), why_swapped(RUNS, "a", "b", ANN, BOB, "AP"))
    same(leverage(RUNS, JUDGEMENTS, "AP", gold()), leverage(RUNS, JUDGEMENTS, "AP", ANN))


@pytest.mark.in_ci
@pytest.mark.parametrize("name", SOME_TABLES)
def test_functions_that_need_more_columns(name):
    convert = TABLES[name]
    timed = JUDGEMENTS.assign(judged_at=range(len(JUDGEMENTS)))
    repeated = pd.concat([JUDGEMENTS.assign(repeat=repeat) for repeat in (0, 1)], ignore_index=True)

    same(stat_ap(RUNS, convert(SAMPLED)), stat_ap(RUNS, SAMPLED))
    same(extended_inferred_ap(RUNS, convert(SAMPLED)), extended_inferred_ap(RUNS, SAMPLED))
    same(self_agreement(convert(repeated), SCALE), self_agreement(repeated, SCALE))
    same(
        over_time(convert(timed), SCALE, window=2)[["items", "n", "pooled_kappa"]],
        over_time(timed, SCALE, window=2)[["items", "n", "pooled_kappa"]],
    )


def test_functions_of_scores():
    table = score_table(RUNS, ANN, "AP")
    long = evaluate(RUNS, ANN, "AP")
    by_system = {system: dict(row) for system, row in table.iterrows()}

    for scores in (long, by_system):
        same(compare_systems(scores), compare_systems(table))
        ours, wanted = (rank_intervals(one, draws=50, seed=1) for one in (scores, table))
        pd.testing.assert_frame_equal(ours, wanted)


@pytest.mark.parametrize("measure", ["nDCG@2", "ndcg_cut_2", ir_measures.nDCG @ 2, parse_measure("nDCG@2")], ids=repr)
def test_measures_as_names_and_objects(measure):
    wanted = evaluate(RUNS, ANN, "nDCG@2")

    same(evaluate(RUNS, ANN, measure), wanted)
    same(evaluate(RUNS, ANN, [measure]), wanted)
    assert ranking_shift(RUNS, GOLDS, measure).measure == "nDCG@2"
    same(score_table(RUNS, ANN, measure), score_table(RUNS, ANN, "nDCG@2"))
    assert mixed_golds(RUNS, JUDGEMENTS, measure).measure == "nDCG@2"
    assert leverage(RUNS, JUDGEMENTS, measure, ANN).measure == "nDCG@2"
    assert why_swapped(RUNS, "a", "b", ANN, BOB, measure).measure == "nDCG@2"


def test_a_measure_of_another_type_is_refused():
    with pytest.raises(TypeError, match=r"measure must be a name such as 'AP' .* or a measure of ir_measures, not 10"):
        evaluate(RUNS, ANN, [10])


def elsewhere(frame):
    """The same rows with other topics."""
    return frame.assign(query_id="q" + frame["query_id"])


@pytest.mark.parametrize(
    "call",
    [
        lambda: evaluate(RUNS, {"nist": elsewhere(ANN)}, "AP"),
        lambda: evaluate(RUNS, {"ann": ANN, "nist": elsewhere(ANN)}, "AP"),
        lambda: judged_share(RUNS, {"nist": elsewhere(ANN)}),
        lambda: ranking_shift(RUNS, {"ann": ANN, "nist": elsewhere(ANN)}, "AP"),
        lambda: why_swapped(RUNS, "a", "b", {"ann": ANN}, {"nist": elsewhere(ANN)}, "AP"),
    ],
)
def test_a_named_gold_without_a_topic_of_the_runs(call):
    sentence = (
        "The runs and the gold 'nist' have no topic in common: a topic of the runs is '1', and a topic of .* is 'q1'"
    )
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda gold: score_table(RUNS, gold, "AP"),
        lambda gold: pr_curve(RUNS, gold),
        lambda gold: score_bounds(RUNS, gold, "AP"),
        lambda gold: ap_bounds(RUNS, gold, collection_size=9),
        lambda gold: leverage(RUNS, JUDGEMENTS, "AP", gold),
        lambda gold: stat_ap(RUNS, gold.assign(inclusion_probability=1.0)),
        lambda gold: extended_inferred_ap(RUNS, gold.assign(stratum="a")),
    ],
)
def test_a_gold_without_a_topic_of_the_runs(call):
    with pytest.raises(ValueError, match="a topic of the runs is '1', and a topic of the gold is 'q1'"):
        call(elsewhere(ANN))


def test_a_judge_without_a_topic_of_the_runs():
    away = pd.concat([JUDGEMENTS, elsewhere(random_gold(RNG)).assign(assessor="zoe")])

    for function in (mixed_golds, rank_intervals_with_judges):
        with pytest.raises(ValueError, match="The runs and judge 'zoe' have no topic in common"):
            function(RUNS, away, "AP", seed=1)


def test_references_of_mixed_golds_in_every_form():
    named = {"ann": ANN}

    wanted = mixed_golds(RUNS, JUDGEMENTS, "AP", references=named).taus
    for references in (GOLDS[GOLDS["gold"] == "ann"], {"ann": nested(ANN, "relevance")}):
        same(mixed_golds(RUNS, JUDGEMENTS, "AP", references=references).taus, wanted)


def test_evidence_of_golds_in_every_form():
    evidence = GOLDS[GOLDS["gold"] == "ann"]

    wanted = ranking_shift(RUNS, GOLDS, "AP", evidence={"ann": ANN}).basis
    same(ranking_shift(RUNS, GOLDS, "AP", evidence=evidence).basis, wanted)


def test_names_of_two_golds():
    unnamed = why_swapped(RUNS, "a", "b", ANN, nested(BOB, "relevance"), "AP")
    assert unnamed.golds == ("gold 1", "gold 2")
    assert why_swapped(RUNS, "a", "b", {"gold": ANN}, {"nist": BOB}, "AP").golds == ("gold", "nist")
    assert why_swapped(RUNS, "a", "b", *(GOLDS[GOLDS["gold"] == name] for name in ("ann", "bob")), "AP").golds == (
        "ann",
        "bob",
    )
