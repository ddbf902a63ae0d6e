"""Judgements of the classic collections, read as qrels and as the labels of a judge."""

import pickle

import pytest

from agreement import read_judgements
from pooling import OpenQuestionError, TrecFormatError, problems, read_qrels
from pooling.formats.smart.known import compared
from tests.classic import CODES, SMART

LISTED = {
    "cacm.qrels": [["1", "2", 1], ["2", "3", 1]],
    "cisi.rel": [["1", "1", 1], ["2", "2", 1], ["2", "1", 1]],
    "adi.rel": [["1", "1", 1], ["2", "2", 1], ["2", "1", 1]],
    "med_old.rel": [["1", "1", 1], ["1", "2", 1]],
}
CLEAR = {
    "med.rel": [["1", "1", 1], ["1", "2", 1]],
    "med_three.rel": [["1", "1", 1], ["1", "2", 1]],
    "npl.rel": [["1", "1", 1], ["2", "1", 1], ["2", "2", 1]],
    "lisa.rel": [["1", "1", 1], ["2", "2", 1], ["2", "1", 1]],
}
CRANFIELD = [["1", "1", 3], ["1", "2", 1], ["2", "2", 4], ["2", "3", 0]]


@pytest.mark.parametrize(("name", "rows"), LISTED.items())
def test_grades_that_are_all_0_are_refused_until_listed_means_relevant(name, rows):
    with pytest.raises(OpenQuestionError, match=r"grades are 0; .* --listed-relevant") as question:
        read_qrels(SMART / name)
    assert question.value.option == "listed_relevant"
    assert read_qrels(SMART / name, listed_relevant=True).values.tolist() == rows
    with pytest.raises(OpenQuestionError):
        read_judgements({"nist": SMART / name}, scale=(0, 1))
    read = read_judgements({"nist": SMART / name}, scale=(0, 1), listed_relevant=True)
    assert read.judgements[["query_id", "doc_id", "relevance"]].values.tolist() == rows


@pytest.mark.parametrize(("name", "rows"), CLEAR.items())
def test_the_other_shapes_need_no_answer(name, rows):
    assert read_qrels(SMART / name).values.tolist() == rows
    read = read_judgements({"nist": SMART / name}, scale=(0, 1))
    assert read.judgements[["query_id", "doc_id", "relevance"]].values.tolist() == rows


@pytest.mark.parametrize("name", ["cran.rel", "cran_odd.rel"])
def test_codes_of_cranfield_are_refused_until_their_direction_is_declared(name):
    with pytest.raises(OpenQuestionError, match="codes without a 0") as question:
        read_qrels(SMART / name)
    assert [choice.value for choice in question.value.choices] == ["1=4,2=3,3=2,4=1,-1=0", "1=1,2=2,3=3,4=4,-1=0"]
    assert "readme" in question.value.choices[0].label  # the default
    assert read_qrels(SMART / name, mapping=CODES).values.tolist() == CRANFIELD
    for mapping in (CODES, {"nist": CODES}):
        read = read_judgements({"nist": SMART / name}, scale=(0, 1, 2, 3, 4), mapping=mapping)
        assert read.judgements["relevance"].tolist() == [3, 1, 4, 0]


def test_the_code_minus_1_is_never_left_to_mean_not_judged():
    with pytest.raises(OpenQuestionError, match="the mapping does not name the codes -1"):
        read_qrels(SMART / "cran.rel", mapping={1: 4, 2: 3, 3: 2, 4: 1})
    assert read_qrels(SMART / "cran.rel", mapping=CODES | {-1: 5})["relevance"].tolist() == [3, 1, 4, 5]


def test_a_question_is_reported_as_a_problem_of_the_whole_file():
    qrels, report = read_qrels(SMART / "cisi.rel", on_error="report")
    assert (len(qrels), len(report)) == (0, 1)
    assert [str(problem.line) for problem in problems(SMART / "cisi.rel", "judgements")] == ["None"]


def test_a_question_survives_another_process():
    with pytest.raises(OpenQuestionError) as question:
        read_qrels(SMART / "cran.rel")
    copy = pickle.loads(pickle.dumps(question.value))
    assert (str(copy), copy.choices) == (str(question.value), question.value.choices)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"1 28 0 0.0\n" * 19 + b"1 29 0 0.0\n2 30 0 1\n", 21),
        (b"1 2 1\n1 3 1\n" * 10 + b"1 x 1\n", 21),
        (b"1\n  4  5\n  /\n2\n  x\n  /\n", 5),
        (b"Query 1\n1 Relevant Refs:\n4 x -1\n", 3),
    ],
)
def test_a_line_that_breaks_the_shape_is_named(content, line):
    with pytest.raises(TrecFormatError, match=f"line {line}: "):
        read_qrels(content, listed_relevant=True)


def test_lines_keep_their_numbers():
    with pytest.raises(TrecFormatError, match="line 4: document '2' of topic '1' is already on line 1"):
        read_qrels(b"1 2 1\n\n# note\n01 0002 1\n")


@pytest.mark.parametrize("content", [b"1 0 d1 0\n1 0 d2 0\n", b"1 0 0 0\n2 0 0 0\n", b"1 Q0 0 0\n"])
def test_qrels_of_trec_whose_grades_are_all_0_are_those_of_a_judge(content):
    assert not read_qrels(content)["relevance"].any()
    assert read_qrels(content, listed_relevant=True)["relevance"].eq(1).all()


def test_listed_relevant_changes_no_file_with_other_grades():
    assert read_qrels(b"1 0 d1 0\n1 0 d2 2\n", listed_relevant=True)["relevance"].tolist() == [0, 2]


def test_judgements_are_compared_with_the_known_files():
    notes = []
    read_qrels(SMART / "npl.rel", notes=notes)
    assert notes[0].endswith("has 3 judgements of 2 topics, but NPL has 2,083 judgements of 93 topics.")
    assert "as the cut CISI has" in compared("judgements", 2492, "cisi.rel", 50)
    assert "but the complete CISI" in compared("judgements", 2492, "cisi.rel", 49)
    assert compared("judgements", 8, "some.rel", 3) == ""
