"""The offline judge: cross-fitted by topic, the same for the same seed, and refusals in one sentence."""

import builtins
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import read_documents, read_qrels, read_topics
from pooling.models.answers import Pair
from pooling.models.offline import ABOUT, offline_judge
from pooling.models.regression import fit_grades
from pooling.models.scale import checked_scale
from tests.realdata import real_data

SCALE = checked_scale([(0,), (1,), (2,)])
WORDS = ["tea", "leaf", "stone", "bridge", "river", "bread"]


def sample(topics=8, documents=30, seed=0):
    """Pairs whose human grade is the number of query words in the text, at most 2, with some noise."""
    rng = np.random.default_rng(seed)
    texts = {f"d{n}": " ".join(rng.choice(WORDS, 6)) for n in range(documents)}
    titles = {str(n): " ".join(rng.choice(WORDS, 2, replace=False)) for n in range(topics)}
    pairs = [Pair(q, d, {"title": title}, text) for q, title in titles.items() for d, text in texts.items()]
    words = [len(set(pair.topic["title"].split()) & set(pair.text.split())) for pair in pairs]
    relevance = np.clip(np.array(words) + rng.choice([-1, 0, 1], len(words), p=[0.1, 0.8, 0.1]), 0, 2)
    human = pd.DataFrame({"query_id": [p.query_id for p in pairs], "doc_id": [p.doc_id for p in pairs]})
    return pairs, human.assign(relevance=relevance)


def test_regression_by_hand():
    # Scores 1, 2, 2, 3, 4 with grades 0, 2, 1, 0, 2. P(>= 1): 0, 1, 0, 1; 2 with weight 2 and 3 pool to 2/3.
    # P(>= 2): 0, 0.5, 0, 1; they pool to 1/3.
    fit = fit_grades(np.array([1.0, 2, 2, 3, 4]), np.array([0, 2, 1, 0, 2]), (0, 1, 2))
    assert fit.steps == pytest.approx(np.array([[0, 2 / 3, 2 / 3, 1], [0, 1 / 3, 1 / 3, 1]]))
    assert fit.probabilities(np.array([1.5])) == pytest.approx(np.array([[2 / 3, 1 / 6, 1 / 6]]))
    assert fit.probabilities(np.array([0.0, 9.0])) == pytest.approx(np.array([[1, 0, 0], [0, 0, 1]]))


def test_regression_against_scikit_learn():
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(1)
    scores, relevance, asked = rng.integers(0, 30, 200) / 7, rng.integers(0, 4, 200), rng.random(50) * 5
    chances = fit_grades(scores, relevance, (0, 1, 2, 3)).probabilities(asked)
    for grade in (1, 2, 3):
        oracle = IsotonicRegression(out_of_bounds="clip").fit(scores, relevance >= grade).predict(asked)
        assert chances[:, grade:].sum(axis=1) == pytest.approx(oracle)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 2)), min_size=1, max_size=40))
def test_probabilities_are_probabilities_and_the_expected_grade_never_falls(rows):
    scores, relevance = (np.array(column) for column in zip(*rows, strict=True))
    chances = fit_grades(scores, relevance, (0, 1, 2)).probabilities(np.linspace(0, 1, 20))
    assert (chances >= 0).all()
    assert chances.sum(axis=1) == pytest.approx(np.ones(20))
    assert (np.diff(chances @ np.arange(3)) >= -1e-9).all()


def test_the_grades_follow_the_words():
    pairs, human = sample()
    graded = offline_judge(pairs, human, SCALE, seed=1)
    both = graded.frame.merge(human, on=["query_id", "doc_id"], suffixes=("", "_human"))
    assert both["expected"].corr(both["relevance_human"], method="spearman") > 0.5
    assert set(graded.frame["relevance"]) == {0, 1, 2}
    assert graded.record["kind"] == "offline"
    assert graded.record["about"] == ABOUT
    assert "No language model." in ABOUT
    assert (graded.record["human_grades"], graded.record["human_topics"], graded.record["folds"]) == (240, 8, 5)
    assert graded.notes == []


def test_no_grade_rests_on_the_human_grades_of_its_topic():
    pairs, human = sample()
    first = offline_judge(pairs, human, SCALE, seed=1).frame
    changed = human.assign(relevance=human["relevance"].where(human["query_id"] != "3", 2 - human["relevance"]))
    second = offline_judge(pairs, changed, SCALE, seed=1).frame
    fold = first.loc[first["query_id"] == "3", "fold"].iloc[0]
    same = first["fold"] == fold
    pd.testing.assert_frame_equal(first[same], second[same])
    assert not first[~same]["expected"].equals(second[~same]["expected"])


def test_the_same_seed_gives_the_same_grades_in_any_order():
    pairs, human = sample()
    first = offline_judge(pairs, human, SCALE, seed=1)
    again = offline_judge(pairs[::-1], human.sample(frac=1, random_state=3), SCALE, seed=1)
    pd.testing.assert_frame_equal(first.frame, again.frame)
    assert first.record == again.record
    assert not first.frame["fold"].equals(offline_judge(pairs, human, SCALE, seed=2).frame["fold"])


def test_topics_without_human_grades_use_all_others():
    pairs, human = sample()
    graded = offline_judge(pairs, human[human["query_id"] != "3"], SCALE, seed=1, folds=100)
    assert set(graded.frame.loc[graded.frame["query_id"] == "3", "fold"]) == {-1}
    assert graded.record["folds"] == 7
    assert graded.notes == ["1 topic without human grades (3) use those of all others."]


def test_what_is_left_out_is_named():
    pairs, human = sample()
    pairs = [
        *pairs,
        Pair("0", "empty", {"title": "tea"}, " "),
        *(Pair("none", f"d{n}", {"title": "xylophone"}, pairs[n].text) for n in range(3)),
    ]
    more = pd.DataFrame({"query_id": ["0", "0"], "doc_id": ["elsewhere", "d1x"], "relevance": [1, -1]})
    graded = offline_judge(pairs, pd.concat([human, more]), SCALE, seed=1)
    assert graded.notes == [
        "1 pair without a text have no grade (topic 0, document empty).",
        "1 human grade of documents that are not among the pairs were not used.",
        "1 topic without human grades (none) use those of all others.",
        "No document has a word of 1 topic (none).",
    ]
    assert "empty" not in set(graded.frame["doc_id"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda pairs, human: (pairs, human.assign(relevance=5)), "The grade 5 of topic 0, document d0 is not on the"),
        (
            lambda pairs, human: (pairs, human.assign(query_id="x" + human["query_id"])),
            "at least 2 topics, not 0. The pairs have topic '0', document 'd0', and the human grades have topic 'x0'",
        ),
        (lambda pairs, human: (pairs, human[human["query_id"] == "1"]), "at least 2 topics, not 1"),
        (lambda _, human: ([], human), "at least 2 topics, not 0. The pairs are empty"),
        (lambda pairs, human: (pairs, pd.concat([human, human])), "have a pair twice"),
        (lambda pairs, human: ([*pairs, pairs[0]], human), "occurs twice"),
        (lambda pairs, human: ([*pairs[1:], pairs[0]._replace(text="x")], human), "has two different texts"),
    ],
)
def test_what_cannot_be_judged_is_refused(change, words):
    pairs, human = change(*sample())
    with pytest.raises(ValueError, match=words):
        offline_judge(pairs, human, SCALE, seed=1)


@pytest.mark.parametrize("folds", [1, 0, 2.0, True])
def test_invalid_folds_are_refused(folds):
    with pytest.raises(ValueError, match="folds must be an integer from 2"):
        offline_judge(*sample(), SCALE, seed=1, folds=folds)


def test_texts_without_words():
    pairs, human = sample()
    graded = offline_judge([pair._replace(text="! ?") for pair in pairs], human, SCALE, seed=1)
    assert set(graded.frame["score"]) == {0.0}
    assert graded.frame["relevance"].nunique() == 1


def test_without_bm25s_a_sentence_names_the_extra(monkeypatch):
    load = builtins.__import__

    def without(name, *others, **more):
        if name == "bm25s":
            raise ImportError(name)
        return load(name, *others, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ValueError, match=r"needs bm25s, which the extra ir-assay\[models\] installs"):
        offline_judge(*sample(), SCALE, seed=1)


@pytest.mark.parametrize("piece", ["<a ", "a", "-", "\x00", "tea "])
def test_a_large_text_takes_linear_time(piece):
    pairs, human = sample(topics=2, documents=3)
    large = [pair._replace(text=piece * (1_000_000 // len(piece))) if pair.doc_id == "d0" else pair for pair in pairs]
    began = time.thread_time()
    offline_judge(large, human, SCALE, seed=1)
    assert time.thread_time() - began < 2


@pytest.mark.slow
def test_on_real_texts_documents_of_other_topics_get_lower_grades():
    """The documents of DL 2019 that people judged are mostly relevant, so those of other topics are added."""
    nist = read_qrels(real_data("dl19", "judges", "nist.qrels"))
    texts = {document.doc_id: document.text for document in read_documents(real_data("dl19", "documents.jsonl.gz"))}
    topics = {topic["query_id"]: topic for topic in read_topics(real_data("dl19", "topics.tsv")).to_dict("records")}
    judged = nist[nist["doc_id"].isin(texts) & nist["query_id"].isin(topics)]
    strangers = pd.DataFrame(
        [(query_id, doc_id) for query_id in topics for doc_id in sorted(texts)[::100]], columns=["query_id", "doc_id"]
    ).assign(relevance=0)
    human = pd.concat([judged, strangers])[["query_id", "doc_id", "relevance"]].drop_duplicates(["query_id", "doc_id"])
    pairs = [Pair(row.query_id, row.doc_id, topics[row.query_id], texts[row.doc_id]) for row in human.itertuples()]
    graded = offline_judge(pairs, human, checked_scale([(0,), (1,), (2,), (3,)]), seed=1)
    both = graded.frame.merge(human, on=["query_id", "doc_id"], suffixes=("", "_human"))
    assert both["expected"].corr(both["relevance_human"], method="spearman") > 0.4  # 0.48
