"""The scores of the baselines: by hand, next to independent computations, and for degenerate collections."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from assess.baselines import systems
from assess.baselines.systems import SYSTEMS, Queries, TopDocuments, bm25, query_likelihood, tfidf_cosine, tie_order
from assess.baselines.term_counts import TermCounts, words

TEXTS = ["hot tea hot", "cold milk", "tea and milk and cake", "", "cake"]
QUERIES = ["hot tea", "milk milk cake", "coffee", ""]
LETTERS = st.text("abcd ", max_size=12)


def scores_of(system, texts, queries, folder, size=None) -> np.ndarray:
    counts = TermCounts(folder)
    size = size or max(len(texts), 1)
    for start in range(0, len(texts), size):
        counts.add(texts[start : start + size])
    return np.concatenate([block for _, block in system(counts, Queries.of(queries, counts))])


def matching(texts, queries):
    return np.array([[bool(set(words(text)) & set(words(query))) for query in queries] for text in texts])


def test_words():
    assert words("Tea, TEA: über-Straße_2\n茶") == ["tea", "tea", "über", "strasse_2", "茶"]


def test_bm25_by_hand(tmp_path):
    # n = 5, mean |d| = (3 + 2 + 5 + 0 + 1) / 5 = 2.2.
    # hot: df 1, idf ln(1 + 4.5 / 1.5) = ln 4; tea: df 2, idf ln(1 + 3.5 / 2.5) = ln 2.4.
    # Document 0: |d| 3, k1 * (1 - b + b * 3 / 2.2) = 0.9 * (0.6 + 1.2 / 2.2) = 1.030909; tf 2 and 1.
    length = 0.9 * (0.6 + 0.4 * 3 / 2.2)
    expected = math.log(4) * 2 / (2 + length) + math.log(2.4) * 1 / (1 + length)
    got = scores_of(bm25, TEXTS, QUERIES, tmp_path)
    assert got[0, 0] == pytest.approx(expected, rel=1e-12)
    assert got[1, 0] == -np.inf


def test_query_likelihood_by_hand(tmp_path):
    # 11 words; hot 2, tea 2. Document 0 has 3 words: hot 2, tea 1.
    p = 2 / 11
    expected = math.log(1 + 2 / (1000 * p)) + math.log(1 + 1 / (1000 * p)) + 2 * math.log(1000 / 1003)
    got = scores_of(query_likelihood, TEXTS, QUERIES, tmp_path)
    assert got[0, 0] == pytest.approx(expected, rel=1e-12)


def test_tfidf_by_hand(tmp_path):
    # Weights of document 0: hot (1 + ln 2) * (1 + ln(6 / 2)), tea 1 * (1 + ln(6 / 3)).
    # Weights of the query: hot 1 + ln 3, tea 1 + ln 2.
    hot, tea = 1 + math.log(3), 1 + math.log(2)
    document, query = np.array([(1 + math.log(2)) * hot, tea]), np.array([hot, tea])
    expected = document @ query / np.linalg.norm(document) / np.linalg.norm(query)
    assert scores_of(tfidf_cosine, TEXTS, QUERIES, tmp_path)[0, 0] == pytest.approx(expected, rel=1e-12)


def plain_bm25(texts, queries):
    bags = [Counter(words(text)) for text in texts]
    n, mean = len(bags), sum(sum(bag.values()) for bag in bags) / len(bags)
    scores = np.zeros((len(texts), len(queries)))
    for row, bag in enumerate(bags):
        for column, query in enumerate(queries):
            for term in words(query):
                df = sum(term in each for each in bags)
                if bag[term]:
                    idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
                    length = 0.9 * (1 - 0.4 + 0.4 * sum(bag.values()) / mean)
                    scores[row, column] += idf * bag[term] / (bag[term] + length)
    return scores


def plain_likelihood(texts, queries):
    """The logarithm of the smoothed likelihood, minus that of the collection's language model."""
    bags = [Counter(words(text)) for text in texts]
    everything = sum(bags, Counter())
    size = sum(everything.values())
    scores = np.zeros((len(texts), len(queries)))
    for row, bag in enumerate(bags):
        for column, query in enumerate(queries):
            for term in words(query):
                if everything[term]:
                    p = everything[term] / size
                    smoothed = (bag[term] + 1000 * p) / (sum(bag.values()) + 1000)
                    scores[row, column] += math.log(smoothed) - math.log(p)
    return scores


def plain_tfidf(texts, queries):
    vectorizer = TfidfVectorizer(analyzer=words, sublinear_tf=True)
    vectors = vectorizer.fit_transform(texts)
    return (vectors @ vectorizer.transform(queries).T).toarray()


ORACLES = {"bm25": plain_bm25, "ql": plain_likelihood, "tfidf": plain_tfidf}


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("size", [1, 2, 5], ids="{} at once".format)
def test_scores_are_those_of_an_independent_computation(tmp_path, monkeypatch, name, size):
    monkeypatch.setattr(systems, "BLOCK", size)
    got = scores_of(SYSTEMS[name], TEXTS, QUERIES, tmp_path, size)
    expected = np.where(matching(TEXTS, QUERIES), ORACLES[name](TEXTS, QUERIES), -np.inf)
    np.testing.assert_allclose(got, expected, rtol=1e-10)


@pytest.mark.parametrize("name", SYSTEMS)
@given(texts=st.lists(LETTERS, min_size=1, max_size=8), queries=st.lists(LETTERS, min_size=1, max_size=3))
def test_random_texts_give_the_scores_of_an_independent_computation(tmp_path_factory, name, texts, queries):
    got = scores_of(SYSTEMS[name], texts, queries, tmp_path_factory.mktemp("counts"))
    matches = matching(texts, queries)
    assert ((got > -np.inf) == matches).all()
    if matches.any():
        expected = ORACLES[name](texts, queries)
        np.testing.assert_allclose(got[matches], expected[matches], rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("texts", [[""], ["", "  ,"], ["a"]], ids=["empty", "no words", "one word"])
def test_degenerate_collections(tmp_path, name, texts):
    got = scores_of(SYSTEMS[name], texts, ["", "zzz"], tmp_path)
    assert (got == -np.inf).all()
    assert got.shape == (len(texts), 2)


def test_bm25_without_the_factor_that_ranks_nothing(tmp_path):
    # Table 1 of Kamphuis et al. 2020, "Lucene (accurate)": there is no factor (k1 + 1).
    got = scores_of(bm25, ["a", "b"], ["a"], tmp_path)
    assert got[0, 0] == pytest.approx(math.log(2) / 1.9)  # idf ln(1 + 1.5 / 1.5); tf 1, |d| is the mean


def test_first_documents_are_in_the_order_of_documents():
    doc_ids = ["a", "é", "z", "b"]  # in UTF-8 bytes: a, b, z, é
    top = TopDocuments(2, 3, tie_order(doc_ids))
    top.add(0, np.array([[1.0, -np.inf], [1.0, 2.0]]))
    top.add(2, np.array([[1.0, -np.inf], [1.0, 3.0]]))
    documents, scores = top.of(0)
    assert [doc_ids[at] for at in documents] == ["é", "z", "b"]
    assert scores.tolist() == [1.0, 1.0, 1.0]
    assert [doc_ids[at] for at in top.of(1)[0]] == ["b", "é"]
