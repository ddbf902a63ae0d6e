"""AP, nDCG and P: by hand, published, against pytrec_eval, properties, and where there is nothing to score."""

from fractions import Fraction

import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from agreement import evaluate, judged_share, parse_measure, prepare
from tests.oracles import oracle

TEXTBOOK = oracle("textbook")["cases"]
NAMES = {"map": "AP", "ndcg": "nDCG", "map_cut_2": "AP@2", "P_5": "P@5", "P_10": "P@10", "ndcg_cut_5": "nDCG@5"}
NAMES |= {"ndcg_cut_10": "nDCG@10"}


def run_of(rankings, system="s"):
    """A run from topic -> documents, best first."""
    rows = [(system, topic, doc, float(-place)) for topic, docs in rankings.items() for place, doc in enumerate(docs)]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def gold_of(grades):
    """A gold from topic -> document -> grade."""
    rows = [(topic, doc, grade) for topic, docs in grades.items() for doc, grade in docs.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def at_ranks(ranks, relevant_total, retrieved):
    """A run and a gold with relevant documents at these ranks, and others that were not retrieved."""
    docs = [f"d{rank:03}" for rank in range(1, retrieved + 1)]
    relevant = [f"d{rank:03}" for rank in ranks] + [f"n{k}" for k in range(relevant_total - len(ranks))]
    return run_of({"q": docs}), gold_of({"q": dict.fromkeys(relevant, 1)})


def score(runs, gold, measure):
    """The one value of one system and topic."""
    return evaluate(runs, gold, measure)["value"].item()


def test_by_hand():
    # ranks: 1 relevant, 2 unjudged, 3 not, 4 relevant; of 3 relevant: (1/1 + 2/4) / 3 = 1/2; P@4 = 2/4
    runs, gold = run_of({"q": "abcd"}), gold_of({"q": {"a": 2, "c": 0, "d": 1, "z": 1}})

    assert score(runs, gold, "AP") == 1 / 2
    assert score(runs, gold, "AP@3") == 1 / 3
    assert score(runs, gold, "AP(rel=2)") == 1
    assert score(runs, gold, "P@4") == 1 / 2
    assert score(runs, gold, "P(rel=2)@4") == 1 / 4
    # nDCG@2: 2 / (2 + 1/log2(3))
    assert score(runs, gold, "nDCG@2") == pytest.approx(2 / (2 + 0.6309297535714574), abs=1e-15)


@pytest.mark.parametrize(
    "case",
    [case for case in TEXTBOOK if "AP" in case["want"] and "relevant_at_ranks" in case["given"]],
    ids=lambda c: c["id"],
)
def test_published_average_precision(case):
    given_ = case["given"]
    runs, gold = at_ranks(given_["relevant_at_ranks"], given_["relevant_total"], given_["retrieved"])

    assert score(runs, gold, "AP") == pytest.approx(float(Fraction(case["want"]["AP"])), abs=1e-15)


def test_published_precision_at_every_rank():
    case = next(case for case in TEXTBOOK if case["id"] == "unc-pk")
    given_ = case["given"]
    runs, gold = at_ranks(given_["relevant_at_ranks"], given_["relevant_total"], given_["retrieved"])

    for cutoff, precision in case["want"]["P"].items():
        assert score(runs, gold, f"P@{cutoff}") == float(Fraction(precision))


def test_published_precision_of_a_judged_set():
    case = next(case for case in TEXTBOOK if case["id"] == "iir-ex8.10")
    given_ = case["given"]
    retrieved = [str(doc) for doc in given_["retrieved_docs"]]
    judges = list(zip(given_["judge1"], given_["judge2"], strict=True))

    for key, decide in (("both_judges", min), ("either_judge", max)):
        grades = {str(doc): decide(pair) for doc, pair in zip(given_["docs"], judges, strict=True)}
        value = score(run_of({"q": retrieved}), gold_of({"q": grades}), "P@5")
        assert value == float(Fraction(case["want"][key]["P"]))


def parsed_run(text):
    rows = [line.split() for line in text.splitlines()]
    return pd.DataFrame(
        [(tag, topic, doc, float(score)) for topic, _, doc, _, score, tag in rows],
        columns=["system", "query_id", "doc_id", "score"],
    )


def parsed_gold(text):
    rows = [line.split() for line in text.splitlines()]
    return pd.DataFrame(
        [(topic, doc, int(grade)) for topic, _, doc, grade in rows], columns=["query_id", "doc_id", "relevance"]
    )


def expectations():
    for case in oracle("measures")["cases"]:
        options = case["trec_eval_options"]
        if "-J" in options:  # judged documents only: another measure
            continue
        rel = f"(rel={options[options.index('-l') + 1]})" if "-l" in options else ""
        for key, hand in case["hand"].items():
            topic, name = key.split("/")
            if name in NAMES:
                measure, _, cutoff = NAMES[name].partition("@")
                measure += "" if measure == "nDCG" else rel
                yield pytest.param(
                    case, topic, f"{measure}@{cutoff}".rstrip("@"), hand["value"], id=f"{case['id']}-{name}-{topic}"
                )


@pytest.mark.parametrize(("case", "topic", "measure", "wanted"), list(expectations()))
def test_worked_cases(case, topic, measure, wanted):
    runs, gold = parsed_run(case["run"]), parsed_gold(case["qrels"])
    missing = "zero" if "-c" in case["trec_eval_options"] else "skip"

    scores = evaluate(runs, gold, measure, per_query=topic != "all", missing=missing)

    if topic != "all":
        scores = scores[scores["query_id"] == topic]
    assert scores["value"].item() == pytest.approx(wanted, abs=1e-15)


DOCS = ["a", "b", "C", "d10", "d9", "é", "z"]
TOPICS = ["1", "2", "3"]
# eighths: trec_eval's float32 keeps them apart or equal as float64 does
some_run = st.dictionaries(
    st.sampled_from(TOPICS),
    st.dictionaries(st.sampled_from(DOCS), st.integers(-8, 8).map(lambda n: n / 8), min_size=1),
    min_size=1,
)
some_gold = st.dictionaries(
    st.sampled_from(TOPICS), st.dictionaries(st.sampled_from(DOCS), st.integers(-2, 3), min_size=1), min_size=1
)
MEASURES = {"AP": "map", "AP@2": "map_cut_2", "nDCG": "ndcg", "nDCG@3": "ndcg_cut_3", "P@3": "P_3", "P@10": "P_10"}


PEERS = {"map", "map_cut.2", "ndcg", "ndcg_cut.3", "P.3", "P.10"}


@given(some_run, some_gold)
def test_against_pytrec_eval(run, grades):
    runs = pd.DataFrame(
        [("s", topic, doc, value) for topic, docs in run.items() for doc, value in docs.items()],
        columns=["system", "query_id", "doc_id", "score"],
    )
    scores = evaluate(runs, gold_of(grades), MEASURES).set_index(["measure", "query_id"])["value"]
    # A topic with negative grades only makes pytrec_eval write where it must not; its scores are 0.
    safe = {topic: docs for topic, docs in grades.items() if max(docs.values()) >= 0}
    peer = pytrec_eval.RelevanceEvaluator(safe, PEERS).evaluate(run) if safe else {}

    for topic in grades:
        for measure, name in MEASURES.items():
            wanted = peer[topic][name] if topic in peer else 0
            assert scores[measure, topic] == pytest.approx(wanted, abs=1e-12)


@given(some_run, some_gold, st.integers(1, 3))
def test_a_threshold_is_a_binary_gold(run, grades, rel):
    runs = run_of({topic: sorted(docs, key=docs.get) for topic, docs in run.items()})
    cut = {topic: {doc: int(grade >= rel) for doc, grade in docs.items()} for topic, docs in grades.items()}

    for measure, with_rel in (("AP", f"AP(rel={rel})"), ("P@3", f"P(rel={rel})@3")):
        graded, binary = evaluate(runs, gold_of(grades), with_rel), evaluate(runs, gold_of(cut), measure)
        assert graded["value"].tolist() == binary["value"].tolist()


@given(some_gold)
def test_the_ideal_ranking_scores_one(grades):
    ideal = {topic: sorted(docs, key=docs.get, reverse=True) for topic, docs in grades.items()}

    scores = evaluate(run_of(ideal), gold_of(grades), ["AP", "nDCG"])

    for row in scores.itertuples():
        assert row.value == pytest.approx(float(max(grades[row.query_id].values()) > 0), abs=1e-12)


@given(some_run, some_gold)
def test_several_systems_and_golds_at_once_are_each_alone(run, grades):
    rankings = {topic: sorted(docs) for topic, docs in run.items()}
    backwards = {topic: docs[::-1] for topic, docs in rankings.items()}
    runs = pd.concat([run_of(rankings, "one"), run_of(backwards, "two")])
    golds = {"whole": gold_of(grades), "first": gold_of(dict(list(grades.items())[:1]))}

    together = evaluate(prepare(runs), golds, ["AP", "nDCG@2"], per_query=False)

    assert together.columns.tolist() == ["gold", "system", "measure", "value"]
    alone = [
        evaluate(runs[runs["system"] == system], golds[gold], measure, per_query=False)["value"].item()
        for gold, system, measure, _ in together.itertuples(index=False)
    ]
    assert together["value"].tolist() == pytest.approx(alone, abs=1e-12)


def test_a_topic_that_the_run_lacks_scores_zero_or_is_skipped():
    runs, gold = run_of({"1": "a"}), gold_of({"1": {"a": 1}, "2": {"b": 1}})

    assert evaluate(runs, gold, "AP")["value"].tolist() == [1, 0]
    assert evaluate(runs, gold, "AP", per_query=False)["value"].tolist() == [0.5]
    assert evaluate(runs, gold, "AP", missing="skip")["query_id"].tolist() == ["1"]
    assert evaluate(runs, gold, "AP", per_query=False, missing="skip")["value"].tolist() == [1]
    with pytest.raises(ValueError, match="missing is one of zero, skip; got 'ignore'"):
        evaluate(runs, gold, "AP", missing="ignore")


def test_a_run_without_a_topic_of_the_gold():
    runs, gold = run_of({"1": "a"}), gold_of({"2": {"b": 1}})

    assert evaluate(runs, gold, "nDCG", per_query=False)["value"].tolist() == [0]
    assert len(evaluate(runs, gold, "nDCG", per_query=False, missing="skip")) == 0


def test_a_topic_without_relevant_documents_counts():
    runs, gold = run_of({"1": "a", "2": "b"}), gold_of({"1": {"a": 1}, "2": {"b": 0}})

    for measure in ("AP", "nDCG", "P@1"):
        assert evaluate(runs, gold, measure, per_query=False)["value"].tolist() == [0.5]


def test_rows_say_what_they_are():
    scores = evaluate(run_of({"1": "a"}), {"mine": gold_of({"1": {"a": 1}})}, ["AP (rel=2)", "P@5", "MAP(rel=1)"])

    assert scores.columns.tolist() == ["gold", "system", "query_id", "measure", "value"]
    assert set(scores["gold"]) == {"mine"}
    assert scores["measure"].tolist() == ["AP(rel=2)", "P@5", "AP"]


@pytest.mark.parametrize(
    "name",
    [
        "RR",
        "AP(",
        "AP(rel=x)",
        "AP(judged_only=True)",
        "nDCG(rel=2)",
        "nDCG(dcg='exp-log2')",
        "P",
        "P@0",
        "AP@0",
        "AP@True",
        "P@1.5",
        "AP(rel='a')",
        "AP(rel=1.5)",
        "nDCG@{}",
        "-" * 100_000,
        "DCG@10",
        "",
    ],
)
def test_what_is_no_measure_is_refused_with_what_there_is(name):
    with pytest.raises(ValueError, match=r"there is no measure .*; there are AP, AP@k"):
        parse_measure(name)


def test_how_much_of_the_top_was_judged():
    # top 3 of topic 1: a judged, b not; topic 2: c judged, d pooled but not judged, e not; f is below
    runs, gold = run_of({"1": "ab", "2": "cdef"}), gold_of({"1": {"a": 0}, "2": {"c": 2, "d": -1, "f": 1}})

    shares = judged_share(runs, {"mine": gold}, k=3)

    assert shares.to_dict("records") == [
        {"gold": "mine", "system": "s", "k": 3, "judged": 2, "retrieved": 5, "value": 0.4}
    ]
    with pytest.raises(ValueError, match="1 or more"):
        judged_share(runs, gold, k=0)


def test_of_nothing_retrieved_no_share_was_judged():
    shares = judged_share(run_of({"1": "a"}), gold_of({"2": {"a": 1}}))

    assert shares["value"].isna().tolist() == [True]
