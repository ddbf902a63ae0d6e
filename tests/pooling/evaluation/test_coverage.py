"""Coverage of pools: judged@k, sizes, overlap and contributions, by hand, against reference implementations, edges."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness.scores import score_table
from pooling.evaluation.coverage import (
    contributions,
    judged_at,
    pool_size_summary,
    pool_sizes,
    run_overlap,
    shared_documents,
)
from pooling.evaluation.coverage_report import coverage_text
from pooling.pools.pool import pool
from pooling.ranking import prepare
from tests.examples import examples
from tests.oracles import oracle

RUN, GOLD = ["system", "query_id", "doc_id", "score"], ["query_id", "doc_id", "relevance"]
GROUPS = {"s": "one", "t": "one", "u": "two"}

runs_of_few = (
    st.lists(
        st.tuples(
            st.sampled_from(["s", "t", "u"]),
            st.sampled_from(["9", "10"]),
            st.text("abé", min_size=1, max_size=2),
            st.sampled_from([0.0, 1.0, 2.0]),
        ),
        unique_by=lambda row: row[:3],
        min_size=1,
        max_size=40,
    )
    .filter(lambda rows: any(row[1] == "9" for row in rows))
    .map(lambda rows: pd.DataFrame(rows, columns=RUN))
)
golds_of_few = (
    st.lists(
        st.tuples(st.sampled_from(["9", "10", "11"]), st.text("abé", min_size=1, max_size=2), st.integers(-1, 2)),
        unique_by=lambda row: row[:2],
        min_size=1,
        max_size=20,
    )
    .filter(lambda rows: any(row[0] == "9" for row in rows))
    .map(lambda rows: pd.DataFrame(rows, columns=GOLD))
)
depths = st.integers(1, 6)
few = examples(20)  # every example prepares runs


def run_of(rankings, query_id="1"):
    rows = [
        (system, query_id, doc_id, -float(place))
        for system, ranking in rankings.items()
        for place, doc_id in enumerate(ranking)
    ]
    return pd.DataFrame(rows, columns=RUN)


def gold_of(grades, query_id="1"):
    return pd.DataFrame([(query_id, *item) for item in grades.items()], columns=GOLD)


def tops(runs, depth):
    """{system: set of (query_id, doc_id)} of the first `depth`, computed slowly."""
    found = {system: set() for system in runs["system"].unique()}
    for (system, query_id), lines in runs.groupby(["system", "query_id"]):
        ranking = sorted(((row.score, row.doc_id.encode()) for row in lines.itertuples()), reverse=True)
        found[system] |= {(query_id, doc_id.decode()) for _, doc_id in ranking[:depth]}
    return found


def case_runs():
    return run_of(oracle("golds_and_pools")["leave_one_out"]["runs"])


class TestJudgedAt:
    def test_by_hand(self):
        # s ranks a, b, c; a and c are judged. 1/1 of the first, 1/2 of the first two, 2/3 of all three.
        frame = judged_at(run_of({"s": "abc"}), gold_of({"a": 1, "c": 0}), [1, 2, 5])
        assert frame.values.tolist() == [["s", 1, 1.0, 1, 1, 1], ["s", 2, 0.5, 1, 2, 1], ["s", 5, 2 / 3, 2, 3, 1]]

    def test_a_topic_that_the_run_lacks_counts_as_0(self):
        gold = pd.concat([gold_of({"a": 1}), gold_of({"a": 1}, "2")])
        assert judged_at(run_of({"s": "a"}), gold, [1])["judged"].tolist() == [0.5]

    def test_minus_one_means_not_judged(self):
        assert judged_at(run_of({"s": "ab"}), gold_of({"a": -1, "b": 0}), [2])["judged"].tolist() == [0.5]

    def test_a_topic_without_gold_is_ignored(self):
        runs = pd.concat([run_of({"s": "ab"}), run_of({"s": "xy"}, "2")])
        frame = judged_at(runs, gold_of({"a": 1}), [2])
        assert frame[["judged", "n_documents", "n_topics"]].values.tolist() == [[0.5, 2, 1]]

    @few
    @given(runs_of_few, golds_of_few, depths)
    def test_it_matches_the_measure_of_the_agreement_package(self, runs, gold, k):
        frame = judged_at(runs, gold, [k])
        table = score_table(runs, gold, f"Judged@{k}")
        np.testing.assert_allclose(frame["judged"], table.mean(axis=1), atol=1e-15)
        assert frame["system"].tolist() == table.index.tolist()

    @pytest.mark.in_ci
    @few
    @given(runs_of_few, depths)
    def test_a_judged_pool_covers_its_depth(self, runs, depth):
        gold = pool(runs, depth=depth).frame.assign(relevance=0)
        frame = judged_at(runs, gold, [depth])
        assert (frame["n_judged"] == frame["n_documents"]).all()

    @pytest.mark.parametrize("k", [[], [0], [True], [1.5]])
    def test_a_cutoff_must_be_a_positive_whole_number(self, k):
        with pytest.raises(ValueError, match="k "):
            judged_at(run_of({"s": "a"}), gold_of({"a": 1}), k)

    def test_an_empty_gold_is_refused(self):
        with pytest.raises(ValueError, match="gold is empty"):
            judged_at(run_of({"s": "a"}), gold_of({"a": 1}).iloc[:0], [1])

    @pytest.mark.parametrize(
        ("gold", "sentence"),
        [
            (gold_of({"a": 1}).drop(columns="doc_id"), "missing: doc_id"),
            (pd.concat([gold_of({"a": 1})] * 2), "the gold has document 'a' of topic '1' twice"),
            (gold_of({"a": "relevant"}), "every relevance of a gold must be a finite number"),
            (gold_of({"a": float("nan")}), "every relevance of a gold must be a finite number"),
        ],
    )
    def test_an_invalid_gold_is_refused(self, gold, sentence):
        with pytest.raises(ValueError, match=sentence):
            judged_at(run_of({"s": "a"}), gold, [1])


class TestPoolSizes:
    def test_sizes_match_the_oracle(self):
        case = oracle("golds_and_pools")["pooling"]
        frame = pool_sizes(run_of(case["runs"]), [1, 2])
        assert frame["size"].tolist() == [len(case["depth1"]), len(case["depth2"])]
        assert frame["n_contributed"].tolist() == [3, 6]

    @pytest.mark.in_ci
    @few
    @given(runs_of_few, st.lists(depths, min_size=1, max_size=3))
    def test_sizes_match_the_pools(self, runs, wanted):
        frame = pool_sizes(runs, wanted).set_index(["depth", "query_id"])["size"]
        for depth in wanted:
            assert frame[depth].to_dict() == pool(runs, depth=depth).size_by_topic.to_dict()

    @few
    @given(runs_of_few, depths)
    def test_sizes_are_within_their_bounds(self, runs, depth):
        frame = pool_sizes(runs, [depth])
        assert (frame["size"] <= frame["n_contributed"]).all()
        assert (frame["size"] * frame["n_systems"] >= frame["n_contributed"]).all()

    def test_the_summary_by_hand(self):
        # At depth 2, topic 1 has a, b, c and topic 2 has x: 4 in all, mean and median 2; 4 + 1 were contributed.
        runs = pd.concat([run_of({"s": "ab", "t": "bc"}), run_of({"s": "x"}, "2")])
        assert pool_size_summary(pool_sizes(runs, [2])).values.tolist() == [[2, 4, 2.0, 2.0, 1, 3, 5, 2]]

    def test_a_depth_is_needed(self):
        with pytest.raises(ValueError, match="depth needs at least one positive whole number"):
            pool_sizes(run_of({"s": "a"}), [])


class TestOverlap:
    def test_by_hand(self):
        # s has a, b; t has b. Of s's two t has one, of t's one s has it; 1 of 2 in either.
        runs = run_of({"s": "ab", "t": "b"})
        assert shared_documents(runs, 5).values.tolist() == [[2, 1], [1, 1]]
        assert run_overlap(runs, 5).values.tolist() == [[1.0, 0.5], [1.0, 1.0]]
        assert run_overlap(runs, 5, "jaccard").values.tolist() == [[1.0, 0.5], [0.5, 1.0]]

    def test_a_document_of_two_topics_is_two_documents(self):
        runs = pd.concat([run_of({"s": "a"}), run_of({"t": "a"}, "2")])
        assert run_overlap(runs, 1).loc["s", "t"] == 0

    @few
    @given(runs_of_few, depths)
    def test_against_sets(self, runs, depth):
        found = tops(runs, depth)
        share, jaccard = run_overlap(runs, depth), run_overlap(runs, depth, "jaccard")
        for row, first in found.items():
            for column, second in found.items():
                assert share.loc[row, column] == len(first & second) / len(first)
                assert jaccard.loc[row, column] == len(first & second) / len(first | second)

    @few
    @given(runs_of_few, depths)
    def test_it_is_1_with_itself_and_jaccard_is_symmetric(self, runs, depth):
        jaccard = run_overlap(runs, depth, "jaccard").to_numpy()
        assert (np.diag(jaccard) == 1).all()
        assert (jaccard == jaccard.T).all()

    def test_the_order_of_documents_does_not_affect_the_overlap(self):
        assert (run_overlap(run_of({"s": "abc", "t": "cba"}), 3) == 1).all(axis=None)

    def test_an_unknown_measure_is_refused(self):
        with pytest.raises(ValueError, match="measure 'dice' is unknown; choose from: share, jaccard"):
            run_overlap(run_of({"s": "a"}), 1, "dice")


class TestContributions:
    def test_unique_relevant_documents_match_the_oracle(self):
        case = oracle("golds_and_pools")["leave_one_out"]
        frame = contributions(case_runs(), gold_of(dict.fromkeys(case["truth"], 1)), case["pool_depth"])
        lost = {name: len(one["unique_relevant_lost"]) for name, one in case["leave_one_out"].items()}
        assert frame.set_index("system")["n_unique_relevant"].to_dict() == lost

    def test_by_hand(self):
        # At depth 2: A has a, b; B has b, d; C has e, b. b is common, d is unique to B and not judged.
        frame = contributions(case_runs(), gold_of({"a": 1, "b": 2, "e": 0}), 2)
        assert frame.columns.tolist() == [
            *("system", "n_contributed", "n_unique", "n_relevant", "n_unique_relevant", "n_unique_judged")
        ]
        assert frame.values.tolist() == [["A", 2, 1, 2, 1, 1], ["B", 2, 1, 1, 0, 0], ["C", 2, 1, 1, 0, 1]]

    def test_documents_shared_within_a_group_are_unique_to_it(self):
        runs = run_of({"s": "ab", "t": "ac", "u": "bd"})
        frame = contributions(runs, gold_of({"a": 1, "d": 1}), 2, GROUPS)
        # Group one contributes a, b, c, of which u has b.
        assert frame.drop(columns="n_unique_judged").values.tolist() == [["one", 2, 3, 2, 1, 1], ["two", 1, 2, 1, 1, 1]]

    @few
    @given(runs_of_few, golds_of_few, depths, st.integers(1, 2))
    def test_against_sets(self, runs, gold, depth, rel):
        relevant = {(row.query_id, row.doc_id) for row in gold.itertuples() if row.relevance >= rel}
        found = tops(runs, depth)
        for row in contributions(runs, gold, depth, rel=rel).itertuples():
            others = set().union(*(found[name] for name in found if name != row.system))
            unique = found[row.system] - others
            assert (row.n_contributed, row.n_unique) == (len(found[row.system]), len(unique))
            assert (row.n_relevant, row.n_unique_relevant) == (
                len(found[row.system] & relevant),
                len(unique & relevant),
            )

    @pytest.mark.slow
    @few
    @given(runs_of_few, golds_of_few, depths)
    def test_groups_of_one_system_change_nothing(self, runs, gold, depth):
        alone = contributions(runs, gold, depth)
        grouped = contributions(runs, gold, depth, {name: name for name in "stu"})
        pd.testing.assert_frame_equal(grouped.drop(columns=["group", "n_systems"]), alone.drop(columns="system"))

    def test_without_a_gold_relevance_is_missing(self):
        frame = contributions(case_runs(), None, 2)
        assert frame["n_unique"].tolist() == [1, 1, 1]
        assert frame["n_unique_relevant"].isna().all()

    def test_a_single_system_contributes_everything(self):
        assert contributions(run_of({"s": "ab"}), None, 5)["n_unique"].tolist() == [2]

    def test_prepared_runs_give_the_same(self):
        gold = gold_of({"a": 1})
        whole = prepare(case_runs())
        pd.testing.assert_frame_equal(contributions(whole, gold, 2), contributions(case_runs(), gold, 2))

    def test_a_system_without_a_group_is_refused(self):
        with pytest.raises(ValueError, match="system 'u' has no group"):
            contributions(run_of({"s": "a", "u": "b"}), None, 1, {"s": "one"})


class TestReport:
    def test_the_summary_comes_first(self):
        gold = gold_of({"a": 1, "b": 1, "e": 1, "d": 0})
        text = coverage_text(case_runs(), gold, 2, groups={"A": "x", "B": "x", "C": "y"}, k=[1, 3])
        assert text.startswith(
            "To depth 2, 3 runs contribute 4 different documents in 1 topic: 4.0 per topic on average, 4 to 4. If no"
            " two runs had a document in common, there would be 6. A, B, C have the most documents that no other run"
            " has (1). Every run has at least one. In total, 2 relevant documents come from a single run. judged@1 is"
            " 100.0% on average over runs and 1 topic, and 100.0% for the lowest run (the same for all runs).\n\n"
        )
        assert "Contributions of each group to depth 2" in text

    def test_without_a_gold_judgements_are_not_mentioned(self):
        text = coverage_text(case_runs(), depth=2)
        assert "judged" not in text
        assert "relevant" not in text

    def test_one_run_has_no_overlap_table(self):
        assert "Overlap of the runs" not in coverage_text(run_of({"s": "a"}), depth=1)

    def test_runs_without_unique_documents(self):
        text = coverage_text(run_of({"s": "a", "t": "a"}), depth=1)
        assert "No run contributes a document that no other run has." in text

    def test_markdown(self):
        text = coverage_text(case_runs(), depth=2, style="markdown")
        head = "| system | n_contributed | n_unique |\n| ------ | ------------: |"
        assert f"## Contributions of each run to depth 2\n\n{head}" in text

    def test_an_unknown_style_is_refused(self):
        with pytest.raises(ValueError, match="style 'html' is unknown"):
            coverage_text(case_runs(), style="html")


def test_integer_ids_are_converted():
    runs = pd.DataFrame([("s", "1", "7", 2.0), ("s", "1", "8", 1.0)], columns=["system", "query_id", "doc_id", "score"])
    gold = pd.DataFrame([(1, 7, 1), (1, 8, 0)], columns=["query_id", "doc_id", "relevance"])

    assert judged_at(runs, gold, k=(2,))["judged"].tolist() == [1.0]
    assert contributions(runs, gold, depth=2)["n_relevant"].tolist() == [1]


def test_a_missing_id_is_refused():
    runs = pd.DataFrame([("s", "1", "7", 2.0)], columns=["system", "query_id", "doc_id", "score"])
    gold = pd.DataFrame([("1", None, 1)], columns=["query_id", "doc_id", "relevance"])
    with pytest.raises(ValueError, match="every row of a gold needs a doc_id"):
        judged_at(runs, gold)


def test_one_cutoff_or_depth_is_a_whole_number():
    runs = pd.DataFrame({"system": "s", "query_id": "1", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    gold = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    assert judged_at(runs, gold, k=2).equals(judged_at(runs, gold, k=[2]))
    assert pool_sizes(runs, np.int64(2)).equals(pool_sizes(runs, [2]))
    for wrong in (0, 2.0, "10", True):
        with pytest.raises(ValueError, match=f"k must be a whole number from 1, not {wrong!r}"):
            judged_at(runs, gold, k=wrong)
        with pytest.raises(ValueError, match=f"depth must be a whole number from 1, not {wrong!r}"):
            pool_sizes(runs, wrong)


@pytest.mark.parametrize("grade", [float("inf"), float("-inf"), float("nan"), "high", None])
def test_a_grade_that_is_no_finite_number_is_named(grade):
    runs = pd.DataFrame({"system": "s", "query_id": "301", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    gold = pd.DataFrame({"query_id": "301", "doc_id": ["a", "b"], "relevance": [1, grade]})
    shown = "nan" if grade is None else repr(grade)
    problem = f"must be a finite number, negative for not judged; that of document 'b' of topic '301' is {shown}$"
    with pytest.raises(ValueError, match=f"every relevance of a gold {problem}"):
        judged_at(runs, gold, k=1)
    with pytest.raises(ValueError, match=f"every relevance of judged {problem}"):
        pool(runs, depth=1, judged=gold)
