"""Files of model judges: fractions, duplicates, empty files and invalid labels."""

import pytest

from agreement.trust.model_files import read_model_grades
from pooling import FormatError, TrecFormatError
from tests.realdata import real_data

REPEATED = b"1 0 a 1\n1 0 b 0\n1 0 a 2\n1 0 a 3\n"


def grades_of(content: bytes, **options):
    gold = read_model_grades({"m": content}, **options).golds["m"]
    return dict(zip(gold["doc_id"], gold["relevance"].tolist(), strict=True))


def test_fractions_are_kept_and_whole_grades_are_integers():
    golds = read_model_grades({"share": b"1 0 a 0.25\n", "mean": b"1 0 a 2.0\n"}).golds
    assert golds["share"]["relevance"].tolist() == [0.25]
    assert golds["mean"]["relevance"].dtype == "int64"


@pytest.mark.parametrize(
    ("rule", "grade"), [("first", 1), ("last", 3), ("highest", 3), ("lowest", 1), ("mean", 2)]
)  # the grades of a are 1, 2 and 3
def test_rules_for_duplicates(rule, grade):
    assert grades_of(REPEATED, duplicates=rule) == {"a": grade, "b": 0}


def test_contradicting_duplicates_are_an_error_with_both_grades_and_lines():
    with pytest.raises(TrecFormatError, match=r"m, line 3: document 'a' of topic '1' has grade 2 and, on line 1, 1;"):
        grades_of(REPEATED)


def test_the_same_grade_again_is_noted():
    read = read_model_grades({"m": b"1 0 a 1\n1 0 a 1\n"})
    assert len(read.golds["m"]) == 1
    assert read.notes == ["m: 1 document graded more than once, 0 with different grades."]


def test_an_empty_file_is_left_out_with_a_note():
    read = read_model_grades({"empty": b"", "m": b"1 0 a 1\n"})
    assert list(read.golds) == ["m"]
    assert read.notes == ["empty: the file has no judgements; the judge is left out."]


def test_only_empty_files_are_an_error():
    with pytest.raises(ValueError, match="No file of a model judge has a judgement"):
        read_model_grades({"empty": b""})


def test_negative_grades_mean_not_judged():
    read = read_model_grades({"m": b"1 0 a 1\n1 0 b -1\n"})
    assert read.golds["m"]["doc_id"].tolist() == ["a"]
    assert read.notes == ["m: 1 negative grade read as not judged."]


@pytest.mark.parametrize("label", [b"high", b"nan", b"inf", b"99999999999"])
def test_labels_that_are_no_number_are_refused(label):
    with pytest.raises(FormatError, match=r"m, line 2: label .* is not allowed; the grade of a model judge"):
        grades_of(b"1 0 a 1\n1 0 b " + label + b"\n")


def test_mapping_replaces_grades_all_at_once():
    read = read_model_grades({"exam": b"1 0 a 5\n1 0 b 4\n1 0 c 1\n"}, mapping={"exam": {5: 4, 4: 3}})
    assert read.golds["exam"]["relevance"].tolist() == [4, 3, 1]


def test_mapping_of_an_unknown_judge_is_refused():
    with pytest.raises(ValueError, match="names the judge 'x'; the judges are m"):
        read_model_grades({"m": b"1 0 a 1\n"}, mapping={"x": {1: 2}})


def test_unknown_rule_is_refused():
    with pytest.raises(ValueError, match=r"duplicates must be one of error, first, .*, not 'median'"):
        grades_of(REPEATED, duplicates="median")


@pytest.mark.slow
def test_the_28_model_judges_of_dl19():
    folder = real_data("dl19", "model_judges")
    files = [path for path in sorted(folder.glob("*.txt")) if "pairwise" not in path.name]
    read = read_model_grades(files, duplicates="last")
    assert len(read.golds) == 28
    assert read.notes == [
        "llama3.2.umbrela: 9,260 documents graded more than once, 8,245 with different grades (last).",
        "llama3.2.exam_graded_max: the file has no judgements; the judge is left out.",
    ]
