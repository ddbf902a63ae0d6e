"""Leave-one-out: by hand, the oracle, a reference implementation, properties, edge cases, and the runs of TREC 2019."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness.ranked_runs import prepare as prepare_for_scores
from agreement.effectiveness.scores import score_table
from agreement.rank_correlation import competition_ranks as agreed_ranks
from pooling import read_qrels
from pooling.evaluation.leave_one_out import competition_ranks, leave_one_out
from pooling.pools.pool import pool
from pooling.ranking import prepare
from tests.examples import examples
from tests.oracles import oracle
from tests.pooling.evaluation.test_coverage import GOLD, GROUPS, gold_of, golds_of_few, run_of, runs_of_few
from tests.realdata import dl19_runs, real_data

few = examples(10)  # every example scores several golds


def mean_ap(runs, gold):
    return score_table(runs, gold, "AP").mean(axis=1)


def bpref(runs, gold):
    return score_table(runs, gold, "Bpref").mean(axis=1)


def case():
    expected = oracle("golds_and_pools")["leave_one_out"]
    return run_of(expected["runs"]), gold_of(dict.fromkeys(expected["truth"], 1)), expected


def by_system(result, column):
    return result.frame.set_index("system")[column].to_dict()


def gold_within(gold, pooled):
    """The gold where only the pooled documents are judged."""
    there = pd.MultiIndex.from_frame(gold[GOLD[:2]]).isin(pd.MultiIndex.from_frame(pooled[GOLD[:2]]))
    return gold.assign(relevance=gold["relevance"].where(there, -1))


def fraction(text):
    numerator, _, denominator = str(text).partition("/")
    return int(numerator) / int(denominator or 1)


class TestTheOracle:
    def test_scores_with_and_without_the_contribution(self):
        runs, gold, expected = case()
        result = leave_one_out(runs, gold, mean_ap, depth=expected["pool_depth"])
        for name, one in expected["leave_one_out"].items():
            assert by_system(result, "score")[name] == pytest.approx(fraction(one["AP_full"]))
            assert by_system(result, "score_without")[name] == pytest.approx(
                fraction(one["AP_without_own_contribution"])
            )
            assert by_system(result, "n_lost_relevant")[name] == len(one["unique_relevant_lost"])

    def test_ranks_and_summary_by_hand(self):
        # AP: A 2/3, B 5/9, C 2/3, so ranks 1, 3, 1. Without A, the gold is b, e: A 1/4, B 1/2, C (1 + 1)/2 = 1: A is
        # third. Without C it is a, b: A 1, B (1 + 2/3)/2 = 5/6, C (1/2)/2 = 1/4: C is third. Without B nothing
        # relevant is lost, only d, which the truth does not judge.
        runs, gold, _ = case()
        result = leave_one_out(runs, gold, mean_ap, depth=2)
        assert result.frame["rank"].tolist() == [1, 3, 1]
        assert result.frame["rank_without"].tolist() == [3, 3, 3]
        assert result.frame["rank_change"].tolist() == [2, 0, 2]
        assert result.largest_fall == pytest.approx(2 / 3 - 1 / 4)
        assert result.fell_most == ("A", "C")
        assert (result.largest_rank_fall, result.fell_deepest) == (2, ("A", "C"))
        assert result.mean_absolute_change == pytest.approx(2 / 3 * (2 / 3 - 1 / 4))
        assert result.mean_absolute_rank_change == pytest.approx(4 / 3)
        assert result.frame["relative_change"].tolist() == pytest.approx([-5 / 8, 0, -5 / 8])

    def test_the_description_has_every_number(self):
        runs, gold, _ = case()
        result = leave_one_out(runs, gold, mean_ap, depth=2)
        assert (result.n_topics, result.n_judged, result.n_outside) == (1, 3, 1)  # f lies below depth 2
        assert result.describe() == (
            "If it is left out of the pool, a run loses at most 0.4167 of score (A, C) and at most 2 ranks (A, C);"
            " the mean absolute change is 0.2778 in score and 1.33 in rank (depth with depth 2; systems: 3; topics: 1;"
            " judged documents in the pool: 3, outside of it: 1, not judged)."
        )

    def test_judgements_outside_the_pool_can_be_kept(self):
        runs, gold, _ = case()
        result = leave_one_out(runs, gold, mean_ap, depth=2, outside="kept")
        # With f, four are relevant: A (1 + 1)/4; C has e, b, f: 3/4. Without A: b, e, f of three, A (1/2)/3.
        assert by_system(result, "score") == pytest.approx({"A": 1 / 2, "B": 5 / 12, "C": 3 / 4})
        assert by_system(result, "score_without")["A"] == pytest.approx(1 / 6)


class TestGroups:
    def test_similar_runs_hide_the_contribution_of_their_group(self):
        # s and t contribute a, u contributes b. Without s, t still contributes a; without both, a is lost.
        runs, gold = run_of({"s": "a", "t": "a", "u": "b"}), gold_of({"a": 1, "b": 1})
        alone = leave_one_out(runs, gold, mean_ap, depth=1)
        grouped = leave_one_out(runs, gold, mean_ap, depth=1, by="group", groups=GROUPS)
        assert alone.frame["n_lost"].tolist() == [0, 0, 1]
        assert grouped.frame["group"].tolist() == ["one", "one", "two"]
        assert grouped.frame["n_lost"].tolist() == [1, 1, 1]
        assert grouped.frame["score_without"].tolist() == [0, 0, 0]
        assert "its group is left out" in grouped.describe()

    @pytest.mark.slow
    @few
    @given(runs_of_few, golds_of_few)
    def test_groups_of_one_system_equal_by_system(self, runs, gold):
        alone = leave_one_out(runs, gold, mean_ap, depth=2)
        grouped = leave_one_out(runs, gold, mean_ap, depth=2, by="group", groups={name: name for name in "stu"})
        pd.testing.assert_frame_equal(grouped.frame.drop(columns="group"), alone.frame)


class TestAgainstReference:
    @pytest.mark.slow
    @few
    @given(runs_of_few, golds_of_few, st.integers(1, 4), st.sampled_from([mean_ap, bpref]))
    def test_depth_pools(self, runs, gold, depth, score):
        self.check(runs, gold, score, leave_one_out(runs, gold, score, depth=depth), {"depth": depth})

    @pytest.mark.slow
    @few
    @given(runs_of_few, golds_of_few, st.sampled_from(["rrf", "combsum", "borda"]), st.integers(1, 4))
    def test_pools_of_fixed_size(self, runs, gold, strategy, size):
        result = leave_one_out(runs, gold, mean_ap, strategy, size=size)
        self.check(runs, gold, mean_ap, result, {"strategy": strategy, "size": size})

    @pytest.mark.slow
    @few
    @given(runs_of_few, golds_of_few, st.integers(1, 4))
    def test_random_pools(self, runs, gold, size):
        result = leave_one_out(runs, gold, mean_ap, "random", size=size, seed=7)
        assert result.parameters["seed"] == 7
        self.check(runs, gold, mean_ap, result, {"strategy": "random", "size": size, "seed": 7})

    def check(self, runs, gold, score, result, options):
        whole = score(runs, gold_within(gold, pool(runs, **options).frame))
        for row in result.frame.itertuples():
            others = runs[runs["system"] != row.system]
            left = pool(others, **options).frame if len(others) else gold.iloc[:0]
            without = score(runs, gold_within(gold, left))
            place = without.index.get_loc(row.system)
            assert row.score == pytest.approx(whole[row.system])
            assert row.score_without == pytest.approx(without[row.system])
            assert row.rank_without == agreed_ranks(without.to_numpy())[place]


class TestScoringFunction:
    def test_every_gold_has_the_rows_of_the_qrels(self):
        runs, gold, _ = case()
        gold = gold.set_index(pd.Index([7, 3, 5, 1]))
        seen = []
        leave_one_out(runs, gold, lambda _, left: seen.append(left) or mean_ap(runs, left), depth=2)
        assert all(left[GOLD[:2]].equals(gold[GOLD[:2]]) for left in seen)

    def test_it_is_not_called_if_no_judgement_is_lost(self):
        runs, gold, _ = case()
        seen = []
        leave_one_out(runs, gold, lambda _, left: seen.append(left) or mean_ap(runs, left), depth=2)
        assert len(seen) == 3  # the whole gold, without A, without C

    def test_an_iterable_is_prepared_with_all_ranks(self):
        runs, gold, _ = case()
        frames = (frame for _, frame in runs.groupby("system"))
        result = leave_one_out(frames, gold, lambda ranked, _: ranked.retrieved.sum(axis=1), depth=2)
        assert result.frame["score"].tolist() == [3, 3, 3]

    def test_prepared_runs_are_passed_on(self):
        runs, gold, _ = case()
        prepared = prepare(runs)
        expected = leave_one_out(runs, gold, mean_ap, depth=2).frame
        result = leave_one_out(prepared, gold, lambda passed, gold: mean_ap(runs, gold) * (passed is prepared), depth=2)
        pd.testing.assert_frame_equal(result.frame, expected)

    def test_the_order_of_a_series_does_not_matter(self):
        runs, gold, _ = case()
        result = leave_one_out(runs, gold, lambda *arguments: mean_ap(*arguments).iloc[::-1], depth=2)
        pd.testing.assert_frame_equal(result.frame, leave_one_out(runs, gold, mean_ap, depth=2).frame)

    @pytest.mark.parametrize(
        ("scores", "sentence"),
        [
            (pd.Series({"A": 1.0, "B": 1.0}), "'C' is missing"),
            (np.ones((3, 1)), r"not shape \(3, 1\)"),
            (np.array([1.0, np.nan, 1.0]), "that of 'B' is not"),
        ],
    )
    def test_invalid_scores_are_refused(self, scores, sentence):
        runs, gold, _ = case()
        with pytest.raises(ValueError, match=sentence):
            leave_one_out(runs, gold, lambda *_: scores, depth=2)


class TestEdgeCases:
    def test_a_single_system_loses_everything_and_no_topic_disappears(self):
        result = leave_one_out(run_of({"s": "ab"}), gold_of({"a": 1, "b": 0}), mean_ap)
        assert result.frame[["score", "score_without", "rank_change"]].values.tolist() == [[1.0, 0.0, 0.0]]

    def test_identical_runs_lose_nothing(self):
        result = leave_one_out(run_of({"s": "ab", "t": "ab"}), gold_of({"a": 1}), mean_ap, depth=1)
        assert (result.largest_fall, result.fell_most, result.fell_deepest) == (0.0, (), ())
        assert result.describe().startswith("No run loses score if it is left out of the pool (depth with depth 1;")

    def test_disjoint_runs_lose_all_their_documents(self):
        result = leave_one_out(run_of({"s": "ab", "t": "cd"}), gold_of(dict.fromkeys("abcd", 1)), mean_ap, depth=2)
        assert result.frame["n_lost_relevant"].tolist() == [2, 2]
        assert result.frame["score_without"].tolist() == [0, 0]

    def test_a_score_of_0_has_no_relative_change(self):
        frame = leave_one_out(run_of({"s": "a", "t": "b"}), gold_of({"a": 1}), mean_ap, depth=1).frame
        assert frame["relative_change"].isna().tolist() == [False, True]
        assert frame["reason"].tolist() == ["", "the score is 0"]

    def test_a_topic_that_no_run_has_counts_for_the_mean(self):
        gold = pd.concat([gold_of({"a": 1}), gold_of({"z": 1}, "2")])
        result = leave_one_out(run_of({"s": "a", "t": "a"}), gold, mean_ap, depth=1, outside="kept")
        assert result.frame["score"].tolist() == [0.5, 0.5]

    def test_the_default_depth_is_100(self):
        assert leave_one_out(run_of({"s": "a"}), gold_of({"a": 1}), mean_ap).parameters == {"depth": 100}

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            ({"by": "run"}, "by must be 'system' or 'group', not 'run'"),
            ({"by": "group"}, "needs groups"),
            ({"by": "group", "groups": {"s": "one"}}, "system 'A' has no group"),
            ({"outside": "dropped"}, "outside must be 'not judged' or 'kept', not 'dropped'"),
            ({"strategy": "deepest"}, "strategy 'deepest' is unknown"),
            ({"depth": 0}, "depth"),
            ({"size": 3}, "no parameter 'size'"),
            ({"strategy": "random", "size": 3}, "needs a seed"),
        ],
    )
    def test_invalid_arguments_are_refused(self, options, sentence):
        runs, gold, _ = case()
        with pytest.raises(ValueError, match=sentence):
            leave_one_out(runs, gold, mean_ap, **options)

    def test_an_empty_gold_is_refused(self):
        runs, gold, _ = case()
        with pytest.raises(ValueError, match="gold is empty"):
            leave_one_out(runs, gold.iloc[:0], mean_ap)


class TestRanks:
    def test_tied_systems_share_the_best_rank(self):
        assert competition_ranks(np.array([0.5, 0.7, 0.5 + 1e-13, 0.1])).tolist() == [2, 1, 2, 4]

    @given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.5 + 1e-13, 1.0]), min_size=1))
    def test_ranks_match_the_agreement_package(self, scores):
        assert competition_ranks(np.array(scores)).tolist() == agreed_ranks(scores).tolist()


@pytest.mark.soak
def test_runs_of_trec_2019_lose_less_with_deeper_pools():
    # 37 passage runs of the Deep Learning track; NIST judged pools of depth 10, and more.
    runs = dl19_runs()
    nist = read_qrels(real_data("dl19", "judges", "nist.qrels"))
    prepared = prepare_for_scores(runs)  # both libraries accept it

    def score(_, gold):
        return score_table(prepared, gold, "nDCG@10").mean(axis=1)

    results = [leave_one_out(prepared, nist, score, depth=depth) for depth in (10, 20, 50)]
    assert [one.n_judged for one in results] == [2494, 3126, 4182]
    assert results[0].fell_most == results[0].fell_deepest == ("ICT-CKNRM_B50",)
    assert [round(one.largest_fall, 4) for one in results] == [0.0627, 0.0127, 0.0015]
    assert [one.largest_rank_fall for one in results] == [4, 1, 0]


def test_a_measure_in_place_of_a_function_is_refused():
    runs, gold, _ = case()
    with pytest.raises(ValueError, match=r"score must be a function of runs and gold .*, not 'nDCG@10'"):
        leave_one_out(runs, gold, "nDCG@10")
