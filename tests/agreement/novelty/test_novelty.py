"""Subtopics from answers about marginal relevance, diversity qrels, and agreement: by hand, oracle, properties."""

import io
import math
from itertools import combinations

import ir_measures
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Qrel, ScoredDoc, alpha_nDCG

from agreement.novelty import diversity_qrels, make_subtopics, novelty_agreement

COLUMNS = ["query_id", "doc_id", "answer", "repeats"]


def table(*rows, query_id="1"):
    return pd.DataFrame([(query_id, *row) for row in rows], columns=COLUMNS)


def covered(answers):
    """The subtopics of each document."""
    result = {}
    for _, subtopic, doc_id in make_subtopics(answers).itertuples(index=False):
        result.setdefault(doc_id, set()).add(subtopic)
    return result


@st.composite
def answer_tables(draw):
    """Answers in the order of judging, with links to any other document: judges change their minds."""
    doc_ids = [f"d{n}" for n in range(draw(st.integers(0, 7)))]
    rows = []
    for doc_id in doc_ids:
        others = [each for each in doc_ids if each != doc_id]
        repeats = draw(st.lists(st.sampled_from(others), unique=True)) if others else []
        answer = draw(st.sampled_from(["partly", "nothing"] if repeats else ["new", ""]))
        rows.append((doc_id, answer, repeats))
    return table(*rows)


def test_links_to_one_document_each_make_one_subtopic():
    chain = table(("a", "new", []), ("b", "nothing", ["a"]), ("c", "nothing", ["b"]), ("d", "new", []))
    assert covered(chain) == {"a": {"1"}, "b": {"1"}, "c": {"1"}, "d": {"2"}}


def test_partly_adds_one_of_its_own_and_nothing_new_repeats_all_of_it():
    answers = table(("a", "new", []), ("b", "partly", ["a"]), ("c", "nothing", ["b"]), ("d", "partly", ["b"]))
    assert covered(answers) == {"a": {"1"}, "b": {"1", "2"}, "c": {"1", "2"}, "d": {"1", "2", "3"}}


def test_document_that_repeats_two_does_not_join_them():
    answers = table(("a", "new", []), ("b", "new", []), ("c", "nothing", ["a", "b"]))
    assert covered(answers) == {"a": {"1"}, "b": {"2"}, "c": {"1", "2"}}


def test_links_to_documents_that_are_no_longer_relevant_are_ignored():
    answers = table(("b", "nothing", ["gone"]), ("c", "partly", ["gone"]), ("d", "nothing", ["b", "gone"]))
    assert covered(answers) == {"b": {"1"}, "c": {"2"}, "d": {"1"}}


def test_documents_that_repeat_each_other_are_one_subtopic():
    answers = table(("c", "nothing", ["b"]), ("a", "nothing", ["b"]), ("b", "nothing", ["a"]))
    assert covered(answers) == {"a": {"1"}, "b": {"1"}, "c": {"1"}}


def test_subtopics_of_topics_are_counted_separately():
    both = pd.concat([table(("a", "new", [])), table(("a", "new", []), ("b", "", []), query_id="2")])
    assert make_subtopics(both)["subtopic"].tolist() == ["1", "1", "2"]


@given(answer_tables())
def test_each_document_is_covered_and_covers_what_it_repeats(answers):
    subtopics = covered(answers)
    assert list(subtopics) == answers["doc_id"].tolist()
    for row in answers.itertuples():
        repeated = set().union(*(subtopics[each] for each in row.repeats))
        assert repeated <= subtopics[row.doc_id]
        if row.answer == "nothing":
            begun_here = subtopics[row.doc_id] - repeated
            assert not begun_here
    everything = set().union(*subtopics.values())
    assert everything == {str(number) for number in range(1, len(everything) + 1)}


@given(answer_tables())
def test_judges_agree_with_themselves(answers):
    result = novelty_agreement(answers, answers)
    assert result.kappa.value in (1, None)
    assert result.pair_kappa.value in (1, None)
    subtopics = covered(answers)
    pairs = [bool(subtopics[a] & subtopics[b]) for a, b in combinations(subtopics, 2)]
    assert result.pairs.loc[True, True] == sum(pairs)
    assert result.pairs.to_numpy().sum() == len(pairs)


def test_no_documents():
    empty = table()
    assert make_subtopics(empty).empty
    assert diversity_qrels(make_subtopics(empty)) == ""
    result = novelty_agreement(empty, empty)
    assert (result.kappa.status, result.pair_kappa.status) == ("undefined", "undefined")


def test_agreement_by_hand():
    a = table(("w", "new", []), ("x", "nothing", ["w"]), ("y", "new", []), ("z", "partly", ["y"]), ("only", "new", []))
    b = table(("w", "new", []), ("x", "nothing", ["w"]), ("y", "partly", ["w"]), ("z", "", []))
    result = novelty_agreement(a, b)
    # Both answered for w, x and y, and agree on w and x: P(A) = 2/3. P(E) = (2 * 1 + 0 * 1 + 1 * 1) / 9 = 1/3.
    assert result.kappa.n == 3
    assert result.kappa.value == pytest.approx(1 / 2)
    # Of six pairs, a: wx, yz; b: wx, wy, xy. P(A) = (1 + 2) / 6; P(E) = (2 * 3 + 4 * 3) / 36 = 1/2.
    assert result.pairs.to_numpy().tolist() == [[1, 1], [2, 2]]
    assert result.pair_kappa.value == pytest.approx(0)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (("a", "maybe", []), "the answer must be one of new, partly, nothing, not 'maybe' (document 'a' of topic '1')"),
        (("a", "new", ["b"]), "must not name documents that it repeats"),
        (("a", "", ["b"]), "must not name documents"),
        (("a", "partly", []), "must name the documents that it repeats"),
        (("a", "nothing", "b"), "repeats must be a list of doc_ids, not 'b'"),
        (("a", "nothing", ["a"]), "a document cannot repeat itself (document 'a' of topic '1')"),
    ],
)
def test_invalid_answers(row, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the sentence is compared
        make_subtopics(table(row))
    assert sentence in str(error.value)


def test_invalid_tables():
    with pytest.raises(ValueError, match="document 'a' of topic '1' occurs twice"):
        make_subtopics(table(("a", "new", []), ("a", "new", [])))
    with pytest.raises(ValueError, match="no column 'repeats'"):
        make_subtopics(table().drop(columns="repeats"))
    with pytest.raises(ValueError, match="no column 'subtopic'"):
        diversity_qrels(pd.DataFrame({"query_id": [], "doc_id": []}))
    with pytest.raises(ValueError, match="doc_id 'a b' contains white space"):
        diversity_qrels(make_subtopics(table(("a b", "new", []))))
    with pytest.raises(ValueError, match="must be a positive number, not 'x'"):
        diversity_qrels(pd.DataFrame({"query_id": ["1"], "subtopic": ["x"], "doc_id": ["a"]}))


def test_file_is_sorted_by_bytes_and_by_the_number_of_the_subtopic():
    rows = [("10", "10", "a"), ("10", "9", "a"), ("2", "1", "é"), ("2", "1", "z")]
    frame = pd.DataFrame(rows, columns=["query_id", "subtopic", "doc_id"])
    assert diversity_qrels(frame) == "10 9 a 1\n10 10 a 1\n2 1 z 1\n2 1 é 1\n"


@pytest.mark.parametrize("kind", ["int64", "Int64", "category", object, "string"])
def test_whole_numbers_as_ids_are_strings(kind):
    frame = pd.DataFrame({"query_id": [10, 2], "subtopic": [1, 12], "doc_id": [7, 30]})
    assert diversity_qrels(frame.astype(kind)) == diversity_qrels(frame.astype("str")) == "10 1 7 1\n2 12 30 1\n"


@pytest.mark.parametrize("column", ["query_id", "subtopic", "doc_id"])
@pytest.mark.parametrize("value", [1.5, 301.0, True, None])
def test_other_values_are_no_ids(column, value):
    row = {"query_id": "1", "subtopic": "1", "doc_id": "a", column: value}
    frame = pd.DataFrame({name: [each] for name, each in row.items()}, dtype=object)
    with pytest.raises(ValueError, match=f"a {column} must be a string or a whole number, not {value}"):
        diversity_qrels(frame)


# ---- alpha-nDCG, after Clarke et al. (2008): the gain of a subtopic is halved each time it occurs again

ANSWERS = table(
    ("a", "new", []), ("b", "nothing", ["a"]), ("c", "partly", ["a"]), ("d", "new", []), ("e", "nothing", ["c", "d"])
)
RUNS = {"repeats": "abecdx", "diverse": "cdxaeb", "short": "bx"}


def alpha_dcg(ranking, subtopics, depth):
    seen, total = {}, 0.0
    for rank, doc_id in enumerate(ranking[:depth], 1):
        for subtopic in subtopics.get(doc_id, ()):
            total += 0.5 ** seen.get(subtopic, 0) / math.log2(rank + 1)
            seen[subtopic] = seen.get(subtopic, 0) + 1
    return total


def ideal(subtopics, depth):
    """The ranking that takes the document with the largest gain at each rank."""
    ranking, seen = [], {}
    left = sorted(subtopics, reverse=True)  # pyndeval takes the largest doc_id of equal ones
    while left and len(ranking) < depth:
        best = max(left, key=lambda doc_id: sum(0.5 ** seen.get(each, 0) for each in subtopics[doc_id]))
        left.remove(best)
        ranking.append(best)
        for each in subtopics[best]:
            seen[each] = seen.get(each, 0) + 1
    return ranking


@pytest.mark.parametrize("depth", [5, 10])
@pytest.mark.parametrize("system", RUNS)
def test_alpha_ndcg_of_ir_measures_reads_the_file(system, depth):
    qrels = list(ir_measures.read_trec_qrels(io.StringIO(diversity_qrels(make_subtopics(ANSWERS)))))
    assert Qrel("1", "e", 1, "3") in qrels
    run = [ScoredDoc("1", doc_id, -float(rank)) for rank, doc_id in enumerate(RUNS[system])]
    measured = ir_measures.calc_aggregate([alpha_nDCG @ depth], qrels, run)[alpha_nDCG @ depth]
    subtopics = covered(ANSWERS)
    best = alpha_dcg(ideal(subtopics, depth), subtopics, depth)
    assert measured == pytest.approx(alpha_dcg(RUNS[system], subtopics, depth) / best, abs=1e-6)


def test_the_result_shows_itself():
    a = table(("x", "new", []), ("y", "nothing", ["x"]), ("z", "new", []))
    b = table(("x", "new", []), ("y", "partly", ["x"]), ("z", "new", []))
    result = novelty_agreement(a, b)

    assert repr(result).splitlines()[0] == (
        "NoveltyAgreement: Kappa of the answers is 0.400 (3 documents), and that of shared subtopics 1.000 (3 pairs)."
    )
    assert result.to_frame()["value"].tolist() == pytest.approx([0.4, 1])
    assert result.to_frame()["n"].tolist() == [3, 3]
    assert "pairs of documents & 1.000 & 3" in result.to_latex()
    assert "<td>0.400</td>" in result._repr_html_()


def test_ids_that_are_numbers_become_strings():
    numbers = table((1, "new", []), (2, "nothing", [1]), query_id=7)
    strings = table(("1", "new", []), ("2", "nothing", ["1"]), query_id="7")

    assert make_subtopics(numbers).equals(make_subtopics(strings))
    assert novelty_agreement(numbers, strings).kappa.n == 2
    with pytest.raises(ValueError, match=r"^a doc_id must be a string or a whole number, not 1\.5$"):
        make_subtopics(table((1.5, "new", [])))
