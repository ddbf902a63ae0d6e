"""Each measure by hand, its properties, and what it says of nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness import MEASURES, evaluate, parse_measure, prepare
from tests.agreement.scoring import gold_of, known_of, run_of, score, scored_run_of, scores, some_gold, some_run
from tests.examples import examples

# ranks: 1 relevant (2), 2 unjudged, 3 not (0), 4 relevant (1), 5 pooled and not judged; of 3 relevant
RUN, GOLD = run_of({"q": "abcde"}), gold_of({"q": {"a": 2, "c": 0, "d": 1, "e": -1, "z": 1}})
LOG3, LOG5 = 0.6309297535714575, 0.43067655807339306  # 1 / log2(3), 1 / log2(5)

BY_HAND = {
    "AP": (1 / 1 + 2 / 4) / 3,
    "AP@3": 1 / 3,
    "AP(rel=2)": 1,
    "AP(judged_only=True)": (1 / 1 + 2 / 3) / 3,  # the ranking is a, c, d
    "P@4": 2 / 4,
    "P@10": 2 / 10,
    "P(rel=2)@4": 1 / 4,
    "R@1": 1 / 3,
    "R@10": 2 / 3,
    "R(rel=2)@1": 1,
    "RR": 1,
    "RR(rel=1,judged_only=True)": 1,
    "Rprec": 1 / 3,  # a is among the first 3
    "Success@1": 1,
    "Success(rel=3)@5": 0,
    "nDCG@2": 2 / (2 + LOG3),
    "nDCG(dcg='exp-log2')@4": (3 + LOG5) / (3 + LOG3 + 1 / 2),
    "DCG": 2 + LOG5,
    "DCG@3": 2,
    "DCG(discount='max2')": 2 + 1 / 2,  # log2(4) = 2
    "DCG(gain='exponential')": 3 + LOG5,
    "SetP": 2 / 5,
    "SetP(relative=True)": 2 / 3,  # 3 relevant documents are the most that 5 can hold
    "SetP(judged_only=True)": 2 / 3,
    "SetR": 2 / 3,
    "SetF": 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3),
    "SetF(beta=2.0)": 3 * (2 / 5) * (2 / 3) / (2 * 2 / 5 + 2 / 3),
    "F@4": 4 / 7,  # P 1/2, R 2/3: 2 P R / (P + R) = (2/3) / (7/6)
    "F(beta=2.0)@4": 5 * (1 / 2) * (2 / 3) / (4 * 1 / 2 + 2 / 3),
    "E": 1 - 1 / 2,  # P 2/5, R 2/3: (8/15) / (16/15)
    "E@4": 1 - 4 / 7,
    "E(beta=2.0)": 1 - 5 * (2 / 5) * (2 / 3) / (4 * 2 / 5 + 2 / 3),
    "Specificity": (17 - 3) / 17,  # 20 documents, 17 nonrelevant, 3 of them retrieved
    "SetAccuracy": (2 + 14) / 20,
    "Judged@2": 1 / 2,
    "Judged": 3 / 5,
    "NumRel": 3,
    "NumRet": 5,
    "NumRet(rel=2)": 1,
    "Coverage": 1 / 2,  # a and z were known, a was retrieved
    "Coverage@1": 1 / 2,
    "Novelty": 1 / 2,  # of a and d only a was known
    "Novelty@1": 0,
}
OPTIONS = {"collection_size": 20, "known": known_of({"q": "abz", "other": "d"}), "scale": (0, 1, 2)}
# Measures of which an empty ranking has the most, because less is better.
FROM_ABOVE = {"E", "RBPResidual"}
EVERY = [
    f"{name}@{0.5 if name == 'IPrec' else 2}" if name in {"F", "IPrec", "P", "R", "Success"} else name
    for name in MEASURES
]


def test_by_hand():
    assert dict(zip(BY_HAND, scores(RUN, GOLD, BY_HAND, **OPTIONS), strict=True)) == pytest.approx(BY_HAND, abs=1e-15)


def test_e_is_the_complement_of_f():
    for beta in (0.5, 1, 2):
        assert score(RUN, GOLD, f"E(beta={beta})@4") == 1 - score(RUN, GOLD, f"F(beta={beta})@4")
        # trec_eval's set_F has beta where textbooks have its square
        wanted = 1 - score(RUN, GOLD, f"SetF(beta={beta**2})")
        assert score(RUN, GOLD, f"E(beta={beta})") == pytest.approx(wanted, abs=1e-15)


def test_everything_is_new_to_a_reader_who_knew_nothing():
    nobody = known_of({})

    assert score(RUN, GOLD, "Coverage", known=nobody) == 0
    assert score(RUN, GOLD, "Novelty", known=nobody) == 1


def test_known_documents_count_once_and_only_in_their_topic():
    twice = known_of({"q": "aazz", "p": "d"})

    assert score(RUN, GOLD, "Coverage", known=twice) == 1 / 2
    assert score(RUN, GOLD, "Novelty", known=twice) == 1 / 2


@pytest.mark.parametrize("name", EVERY)
def test_empty_ranking(name):
    """No relevant document; a topic that the run lacks; a gold that judged nothing of the topic."""
    gold = gold_of({"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 0}, "4": {"d": -1, "e": -2}})
    runs = run_of({"1": "a", "3": "c", "4": "de"})

    values = evaluate(runs, gold, name, **OPTIONS).set_index("query_id")["value"]

    worst = 1 if name.partition("@")[0] in FROM_ABOVE else 0
    assert values["2"] == (1 if name == "NumRel" else worst)
    if name not in ("NumRet", "Judged", "Judged@2", "RBPResidual", "Specificity", "SetAccuracy"):
        assert values["3"] == values["4"] == worst


@pytest.mark.slow
@given(some_run, some_gold)
@examples(40)
def test_ranges_and_a_topic_alone(run, grades):
    ranked, options = (
        prepare(scored_run_of(run)),
        {"scale": (0, 1, 2, 3), "collection_size": 7, "known": known_of({"1": "ab"})},
    )
    matrix = ranked.under(gold_of(grades), **options)
    first = matrix.query_ids[0]
    alone = ranked.under(gold_of({first: grades[first]}), **options)

    for name in EVERY:
        values = parse_measure(name)(matrix)
        assert values.shape == (1, len(grades))
        assert (values >= 0).all()
        assert (values <= 1 + 1e-12).all() or name in ("DCG", "NumRel", "NumRet")
        assert parse_measure(name)(alone)[0, 0] == pytest.approx(values[0, 0], abs=1e-12)


@given(some_run, some_gold, st.integers(1, 3))
def test_a_threshold_is_a_binary_gold(run, grades, rel):
    ranked, cut = (
        prepare(scored_run_of(run)),
        {
            topic: {doc: int(grade >= rel) for doc, grade in docs.items() if grade >= 0}
            for topic, docs in grades.items()
        },
    )
    graded, binary = ranked.under(gold_of(grades)).judged_only(), ranked.under(gold_of(cut)).judged_only()
    places = [graded.query_ids.index(topic) for topic in binary.query_ids]

    for name in ("AP", "P@3", "R@3", "RR", "Rprec", "Success@1", "SetP", "SetR", "SetF", "F@2", "E", "Bpref"):
        measure, _, cutoff = name.partition("@")
        with_rel = parse_measure(f"{measure}(rel={rel})@{cutoff}".rstrip("@"))
        assert with_rel(graded)[:, places].tolist() == parse_measure(name)(binary).tolist()


@given(some_gold)
def test_the_ideal_ranking_scores_one(grades):
    ideal = {topic: sorted(docs, key=docs.get, reverse=True) for topic, docs in grades.items()}
    matrix = prepare(run_of(ideal)).under(gold_of(grades))
    there_is = [float(max(grades[topic].values()) > 0) for topic in matrix.query_ids]

    for name in ("AP", "nDCG", "nDCG(dcg='exp-log2')", "nDCG@2", "RR", "Rprec", "SetR", "Success@1", "IPrec11"):
        assert parse_measure(name)(matrix)[0] == pytest.approx(there_is, abs=1e-12)
