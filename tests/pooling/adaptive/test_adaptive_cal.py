"""Continuous active learning on a handful of short texts."""

import sys
import zlib

import numpy as np
import pytest

from pooling.adaptive import ADAPTIVE, State
from tests.pooling.runs import lists, run

sklearn = pytest.importorskip("sklearn")

TEXTS = {
    "a": "the harbour and the ships in the harbour",
    "b": "ships sail from the harbour",
    "c": "sailing ships of the harbour town",
    "d": "how to bake bread at home",
    "e": "bread and butter",
    "f": "bake a cake with butter",
    "g": "the town hall of the town",
}
RUNS = run(lists(s="dagfb", t="edcb"))
CAL = ADAPTIVE["cal"]


def cal(**parameters):
    return CAL(**{"texts": TEXTS, "seed": 1} | parameters)


def proposed(strategy, state, relevant):
    doc_ids = []
    while (doc_id := strategy.next(state)) is not None:
        doc_ids.append(doc_id)
        state = strategy.step(state, {doc_id: int(doc_id in relevant)})
    return doc_ids


def test_the_words_of_the_topic_rank_the_documents():
    strategy = cal(queries={"1": "ships harbour"}, presumed=3)
    assert set(proposed(strategy, strategy.start(RUNS, "1"), "abc")[:3]) == set("abc")


def test_without_a_query_documents_go_by_rank_until_one_is_relevant():
    strategy = cal()
    state = strategy.start(RUNS, "1")
    # d is at ranks 1 and 2, e at 1: d is the best, and teaches nothing; then b, at 5 and 4, before e, at 1.
    assert strategy.next(state) == "d"
    state = strategy.step(state, {"d": 0})
    assert strategy.next(state) == "b"
    # b is relevant; what is like it goes first.
    assert strategy.next(strategy.step(state, {"b": 1})) in ("a", "c")


def test_the_batch_grows_by_a_tenth_rounded_up():
    # B is 1, 2, 3, 4: it learns after 1, 3, 6 and 10 judgements.
    texts = {f"d{n:02}": f"word{n % 3} and word{n % 5}" for n in range(12)}
    strategy = cal(texts=texts)
    state, learnt = strategy.start(run(lists(s=list(texts))), "1"), []
    for doc_id in texts:
        state = strategy.step(state, {doc_id: int(doc_id < "d03")})
        learnt.append(state.memory["batch"].tolist())
    assert [tuple(pair) for n, pair in enumerate(learnt) if n == 0 or pair != learnt[n - 1]] == [
        *((2, 1), (3, 3), (4, 6), (5, 10)),
    ]


def test_the_scores_match_a_reference_implementation():
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    # Of 6 unjudged documents a tenth is less than 1: one is presumed not to be relevant.
    strategy = cal(queries={"1": "ships harbour"}, c=2.0)
    state = strategy.step(strategy.start(RUNS, "1"), {"b": 1})
    documents = sorted(TEXTS)
    vectorizer = TfidfVectorizer(sublinear_tf=True).fit([TEXTS[doc_id] for doc_id in documents])
    unjudged = [n for n, doc_id in enumerate(documents) if doc_id != "b"]
    permutation = np.random.default_rng([1, zlib.crc32(b"1"), 1, 0]).permutation(unjudged)
    presumed = [documents[n] for n in sorted(permutation[:1])]
    examples = vectorizer.transform([*(TEXTS[doc_id] for doc_id in ["b", *presumed]), "ships harbour"])
    model = LogisticRegression(C=2.0, solver="liblinear", dual=True, max_iter=1000, random_state=0)
    model.fit(examples, [1, 0, 1])
    expected = model.decision_function(vectorizer.transform([TEXTS[doc_id] for doc_id in documents]))
    np.testing.assert_allclose(state.memory["scores"], expected, rtol=1e-9)


@pytest.mark.parametrize(("presumed", "drawn"), [(100, 4), (4, 4), (3, 3)])
def test_at_most_a_tenth_of_the_unjudged_documents_is_presumed_not_relevant(presumed, drawn, monkeypatch):
    # 45 documents, one judged: 44 are not, and a tenth of them is 4.
    texts, labels = {f"d{n:02}": f"word{n % 3} and word{n % 5}" for n in range(45)}, []
    monkeypatch.setattr("pooling.adaptive.cal.relevance_scores", lambda *given: labels.append(given[2]))
    strategy = cal(texts=texts, presumed=presumed)
    strategy.step(strategy.start(run(lists(s=list(texts))), "1"), {"d00": 1})
    assert sorted(labels[-1].tolist()) == [0] * drawn + [1]


def test_a_deserialised_state_continues_with_a_new_strategy():
    strategy = cal(queries={"1": "ships harbour"})
    state = strategy.step(strategy.start(RUNS, "1"), {"a": 1, "d": 0})
    read = State.from_bytes(state.to_bytes())
    anew = cal(queries={"1": "ships harbour"})
    assert proposed(anew, read, "abc") == proposed(strategy, state, "abc")
    assert not any(text.encode() in state.to_bytes() for text in TEXTS.values())


def test_texts_may_be_a_function():
    by_mapping, by_function = cal(), cal(texts=lambda doc_id: TEXTS[doc_id])
    assert proposed(by_function, by_function.start(RUNS, "1"), "abc") == proposed(
        by_mapping, by_mapping.start(RUNS, "1"), "abc"
    )


def test_the_vectors_of_a_topic_are_cached():
    looked_up = []
    strategy = cal(texts=lambda doc_id: looked_up.append(doc_id) or TEXTS[doc_id])
    proposed(strategy, strategy.start(RUNS, "1"), "abc")
    assert sorted(looked_up) == sorted(TEXTS)


def test_excluded_documents_are_not_proposed_and_others_once():
    strategy = cal()
    state = strategy.start(RUNS, "1")
    assert strategy.next(state, exclude=set("abcdef")) == "g"
    assert strategy.next(state, exclude=set("abcdefg")) is None
    assert sorted(proposed(strategy, state, "abc")) == list("abcdefg")


def test_a_changed_judgement_replaces_the_old_one_from_the_start():
    strategy = cal()
    state = strategy.step(strategy.start(RUNS, "1"), {"d": 1, "b": 1, "e": 0})
    expected = strategy.step(strategy.start(RUNS, "1"), {"d": 0, "b": 1, "e": 0})
    assert strategy.step(state, {"d": 0}).to_bytes() == expected.to_bytes()


def test_all_relevant_or_all_judged_is_accepted():
    strategy = cal()
    state = strategy.step(strategy.start(RUNS, "1"), dict.fromkeys(TEXTS, 1))
    assert strategy.next(state) is None


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"seed": None}, "strategy 'cal' draws at random and needs a seed"),
        ({"seed": -1}, "seed must be a whole number from 0, not -1"),
        ({"texts": None}, "strategy 'cal' needs the parameter 'texts'"),
        ({"texts": 7}, "texts must be a mapping or a function, not int"),
        ({"queries": "ships"}, "queries must be a mapping, not str"),
        ({"c": "1"}, "c must be a number above 0, not '1'"),
        ({"presumed": 0}, "presumed must be a whole number from 1, not 0"),
        ({"c": 0}, "c must be a number above 0, not 0"),
    ],
)
def test_invalid_parameters_are_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        cal(**parameters)


def test_a_document_without_a_text_is_named():
    with pytest.raises(ValueError, match="document 'g' has no text; strategy 'cal' needs the text of every document"):
        cal(texts={doc_id: text for doc_id, text in TEXTS.items() if doc_id != "g"}).start(RUNS, "1")


def test_documents_without_any_word_are_refused():
    with pytest.raises(ValueError, match="none of the 7 documents contains a word"):
        cal(texts=dict.fromkeys(TEXTS, "")).start(RUNS, "1")


def test_a_missing_scikit_learn_is_reported(monkeypatch):
    for module in ("sklearn", "sklearn.feature_extraction.text", "sklearn.linear_model"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ValueError, match="strategy 'cal' needs scikit-learn, which is not installed"):
        cal().start(RUNS, "1")
