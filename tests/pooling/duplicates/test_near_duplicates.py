"""Near-duplicates: pairs, groups and examples."""

import gzip
import json
from functools import cache
from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import jaccard, near_duplicates, shingles
from pooling.duplicates import find
from pooling.duplicates.find import FOUND, NEIGHBOURS, PERMUTATIONS, probability, rows_for
from tests.realdata import real_data

WORDS = [f"w{number}" for number in range(40)]


def text(*numbers) -> str:
    return " ".join(f"w{number}" for number in numbers)


def random_texts(seed: int, documents: int = 60) -> dict[str, str]:
    """Documents of which many are changed copies of earlier ones."""
    rng = np.random.default_rng(seed)
    texts = []
    for _ in range(documents):
        words = list(rng.choice(WORDS, 30))
        if texts and rng.random() < 0.7:
            words = texts[rng.integers(len(texts))].split()
            for at in rng.integers(len(words), size=rng.integers(6)):
                words[at] = rng.choice(WORDS)
        texts.append(" ".join(words))
    return {f"d{at}": each for at, each in enumerate(texts)}


def compared(texts, threshold: float, size: int = 3) -> set[tuple[str, str]]:
    """The pairs by comparing every document with every other one, as sets of tuples of words."""
    sets = {doc_id: set() for doc_id in texts}
    for doc_id, each in texts.items():
        words = each.lower().split()
        sets[doc_id] = {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
    return {
        (a, b)
        for a, b in combinations(sorted(texts), 2)
        if len(sets[a] & sets[b]) >= threshold * len(sets[a] | sets[b])
    }


def pairs_of(found) -> set[tuple[str, str]]:
    return set(found.pairs[["doc_id", "other"]].itertuples(index=False, name=None))


def test_pairs_by_hand():
    # Shingles of two words. a: 01 12 23 34, b: 01 12 23 35, c: 12 23 34 45. a and b share 3 of 5, a and c 3 of 5,
    # b and c 2 of 6.
    texts = {"a": text(0, 1, 2, 3, 4), "b": text(0, 1, 2, 3, 5), "c": text(1, 2, 3, 4, 5), "x": text(9, 8, 7)}
    found = near_duplicates(texts, 0.6, shingle_size=2)
    assert found.pairs.values.tolist() == [["a", "b", 0.6], ["a", "c", 0.6]]
    assert found.groups() == (("a", "b", "c"),)  # b and c are connected by a
    assert near_duplicates(texts, 0.61, shingle_size=2).groups() == ()


@pytest.mark.parametrize("threshold", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_equal_those_of_comparing_all(seed, threshold):
    texts = random_texts(seed)
    expected = compared(texts, threshold)
    assert len(expected) > 3
    with patch.object(find, "_same_sets", lambda _, with_words: (with_words, [])):  # pairs of copies are listed, too
        assert pairs_of(near_duplicates(texts, threshold)) == expected


@pytest.mark.in_ci
@given(st.lists(st.lists(st.sampled_from(WORDS[:4]), max_size=8).map(" ".join), max_size=8))
def test_properties(texts):
    named = {f"d{at}": each for at, each in enumerate(texts)}
    found = near_duplicates(named, 0.5)
    assert (found.pairs["similarity"] >= 0.5).all()
    for doc_id, other, similarity in found.pairs.itertuples(index=False, name=None):
        assert doc_id < other
        assert similarity == jaccard(shingles(named[doc_id]), shingles(named[other]))
    members = [doc_id for group in found.groups() for doc_id in group]
    assert len(members) == len(set(members))
    assert found.documents + len(found.without_words) == len(named)
    again = near_duplicates(dict(reversed(named.items())), 0.5)
    assert again.pairs.equals(found.pairs)
    # A higher threshold gives pairs of the lower one, and finer groups.
    assert pairs_of(near_duplicates(named, 0.9)) <= pairs_of(found)
    for group in found.groups(0.9):
        assert any(set(group) <= set(coarser) for coarser in found.groups())


def test_groups_at_a_higher_threshold_are_those_found_with_it():
    texts = random_texts(7)
    assert near_duplicates(texts, 0.3).groups(0.8) == near_duplicates(texts, 0.8).groups()


@pytest.mark.parametrize("texts", [{}, {"a": ""}, {"a": "one two three"}, {"a": "", "b": "..."}])
def test_nothing_to_compare(texts):
    found = near_duplicates(texts)
    assert found.groups() == ()
    assert list(found.pairs.columns) == ["doc_id", "other", "similarity"]
    assert found.without_words == tuple(doc_id for doc_id, each in texts.items() if not each.strip("."))


def test_copies_are_paired_with_the_first_one_and_are_one_group():
    found = near_duplicates({f"d{at}": "the same text" for at in range(5)} | {"e": ""}, 1)
    assert pairs_of(found) == {("d0", f"d{at}") for at in range(1, 5)}
    assert found.groups() == (("d0", "d1", "d2", "d3", "d4"),)


def test_ids_are_ordered_by_bytes():
    found = near_duplicates({"é": "one two three", "z": "one two three", "A": "one two three"})
    assert found.groups() == (("A", "z", "é"),)


def test_examples_are_the_pairs_nearest_to_the_threshold():
    found = near_duplicates(random_texts(1), 0.2)
    above, below = found.examples(0.6, 2)
    similarities = found.pairs["similarity"]
    assert above["similarity"].tolist() == sorted(similarities[similarities >= 0.6])[:2]
    assert below["similarity"].tolist() == sorted(similarities[similarities < 0.6], reverse=True)[:2]
    with pytest.raises(ValueError, match=r"threshold must be from 0.2 to 1, not 0.1"):
        found.examples(0.1)
    with pytest.raises(ValueError, match=r"not 1\.5"):
        found.groups(1.5)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"threshold": 0.05}, "threshold must be from 0.1 to 1, not 0.05"),
        ({"threshold": 1.1}, "threshold must be from 0.1 to 1, not 1.1"),
        ({"threshold": float("nan")}, "not nan"),
        ({"shingle_size": 0}, "shingle_size"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"seed": True}, "seed"),
    ],
)
def test_invalid_parameters_are_refused(options, problem):
    with pytest.raises(ValueError, match=problem):
        near_duplicates({"a": "one"}, **options)


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.5, 0.8, 0.95, 1])
def test_bands_find_pairs_at_the_threshold(threshold):
    rows = rows_for(threshold)
    assert probability(threshold, rows) >= FOUND or rows == 1
    assert rows == PERMUTATIONS or probability(threshold, rows + 1) < FOUND


@pytest.mark.slow
def test_documents_with_the_same_boilerplate_are_not_all_compared():
    boilerplate = text(*range(100))
    texts = {f"d{at}": f"{boilerplate} own{at}" for at in range(400)}
    with patch.object(find, "jaccard", side_effect=jaccard) as compare:
        found = near_duplicates(texts, 0.9)
    assert len(found.groups()) == 1
    assert len(found.groups()[0]) == 400
    bands = PERMUTATIONS // rows_for(0.9)
    assert compare.call_count <= 400 * NEIGHBOURS * bands
    assert compare.call_count < 400 * 399 / 2 * 0.9


@cache
def passages() -> dict[str, str]:
    with gzip.open(real_data("dl19", "documents.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return {row["doc_id"]: row["text"] for row in map(json.loads, lines)}


@pytest.mark.slow
def test_passages_of_dl19_equal_those_of_comparing_all_by_words():
    some = dict(list(passages().items())[:900])
    found = near_duplicates(some, 0.6)
    sets = {doc_id: set(shingles(each).tolist()) for doc_id, each in some.items()}
    expected = {
        (a, b)
        for a, b in combinations(sorted(some), 2)
        if len(sets[a]) <= len(sets[b]) / 0.6 and len(sets[a] & sets[b]) >= 0.6 * len(sets[a] | sets[b])
    }
    assert len(expected) > 10
    listed = {pair for pair in expected if pair in pairs_of(found)}
    assert pairs_of(found) <= expected
    # Of identical passages, only those with the first one are pairs.
    assert all(sets[a] == sets[b] or (a, b) in listed or _same_elsewhere(a, b, sets) for a, b in expected)


def _same_elsewhere(a: str, b: str, sets) -> bool:
    """Whether one of the two is a copy of an earlier document, which is in the pair instead."""
    return any(sets[c] == sets[d] and d != c for c in (a, b) for d in sets if d < c)


def test_the_result_shows_itself():
    found = near_duplicates({"a": "one two", "b": "one two", "c": "three four", "d": ""})

    assert found.to_frame() is found.pairs
    assert repr(found).startswith(
        "NearDuplicates: 1 pair in 1 group among 3 documents, 1 without words (similarity 0.8 or more)\n"
    )
    assert "a & b" in found.to_latex()
    assert "<td>b</td>" in found._repr_html_()
