"""Adding and removing documents with known grades."""

import pytest

from assess.calibration.known_grades import KnownGradeRow, add_known_grades, decided_rows, read_rows, remove_known_grade
from assess.calibration.overview import change_calibration, known_documents
from assess.calibration.practice import next_document, prepare
from assess.errors import Refused
from assess.models import Assignment, KnownGrade, Task
from tests.assess.calibration.conftest import judge
from tests.assess.command_output import output_of, refusal, tables

HEADER = "query_id,doc_id,relevance,explanation\n"


def test_csv_is_read_in_any_order_of_columns():
    rows = read_rows('doc_id,relevance,query_id,explanation\np1, 2 ,1,"Says, why."\n')
    assert rows == [KnownGradeRow("1", "p1", "2", "Says, why.", "line 2: ")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "The first line must name the columns"),
        ("query_id,doc_id\n1,p1\n", "relevance is missing"),
        (HEADER + "1,p1,7,why\n", "line 2: relevance must be one of 0, 1, 2, not '7'."),
        (HEADER + "1,p1,2,why\n9,p2,2,why\n", "line 3: small has no topic '9'."),
        (HEADER + "1,nothing,2,why\n", "line 2: small has no document 'nothing' with a text."),
        (HEADER + "1,p1,2,\n", "line 2: A practice document needs an explanation"),
        (HEADER + "1,p1,2,why\n1,p1,2,why\n", "line 3: Document 'p1' has a known grade for topic '1'."),
        (HEADER + f"1,p1,2,{'x' * 2_001}\n", "line 2: An explanation may have 2,000 characters."),
        (HEADER, "There must be between 1 and 500 rows, not 0."),
    ],
)
def test_invalid_rows_change_nothing(graded, content, message):
    before = tables()
    with pytest.raises(Refused) as error:
        add_known_grades(graded, read_rows(content), "practice")
    assert message in str(error.value)
    assert tables() == before


def test_document_outside_the_pool_gets_a_task_that_is_not_pooled(practice):
    known = {each.doc_id: each for each in known_documents(practice)}
    assert [each.relevance for each in known.values()] == [2, 0, 1]
    assert not any(each.is_pooled or each.judged for each in known.values())


def test_judged_documents_stay(practice, ada):
    change_calibration(practice, practice="admit")
    practice.refresh_from_db()
    ada.collection = practice
    prepare(ada)
    first = next_document(ada)
    judge(ada, first.public_id, 1)
    with pytest.raises(Refused, match="Somebody has judged"):
        remove_known_grade(practice, first.task.known_grade.pk)
    other = KnownGrade.objects.exclude(task=first.task).first()
    remove_known_grade(practice, other.pk)
    assert not Assignment.objects.filter(task=other.task, repeat=5).exists()


def test_decided_documents_can_be_taken(graded):
    assert decided_rows(graded) == []


def test_commands(graded, ada, tmp_path):
    file = tmp_path / "known.csv"
    file.write_text(HEADER + "1,p1,2,why\n")
    assert output_of("import_known_grades", "--collection", "small", "--use", "practice", str(file)) == [
        "Added 1 known grade for practice."
    ]
    assert Task.objects.get(document__doc_id="p1").known_grade.explanation == "why"
    assert output_of("calibration", "--collection", "small", "--practice", "admit", "--threshold", "0.5") == [
        "assessor-1: 0 of 0 hits, has not begun"
    ]
    assert "between 0 and 1, not 2" in refusal("calibration", "--collection", "small", "--threshold", "2")
    assert output_of("calibration", "--collection", "small", "--admit", "assessor-1") == [
        "assessor-1: 0 of 0 hits, admitted"
    ]
