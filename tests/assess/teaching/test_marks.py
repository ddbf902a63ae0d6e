"""Marks and keys: for the instructor alone, counted by the step."""

import pytest
from django.urls import reverse

from agreement.exercises import textbook
from assess.models import Exercise
from assess.teaching import exercises, marks, worksheets
from assess.teaching import worksheet_answers as answering
from tests.assess.exercise_factories import given, instructor_of, joined, pasted_exercise, say
from tests.html import compact

pytestmark = pytest.mark.django_db

TABLE = "kappa-table-8.2"
SHEETS = [TABLE, "generated", "pair"]


@pytest.fixture
def iris(db):
    return instructor_of()


@pytest.fixture
def exercise(iris):
    made = pasted_exercise(iris, worksheets=SHEETS)
    exercises.open_worksheets(made, True)
    return made


@pytest.fixture
def class_of_two(exercise):
    return joined(exercise, "Ann", "Ben")


@pytest.fixture
def at_the_desk(client, iris):
    client.force_login(iris, backend="assess.people.backend.AccountBackend")
    return client


def address(exercise, name, **others):
    return reverse(f"teach:{name}", kwargs={"code": exercise.code, **others})


def test_a_right_step_has_its_marks_and_a_shown_one_has_none(exercise, class_of_two):
    ann, _ = class_of_two
    answering.answer(ann, TABLE, {"n": "400", "observed": "0,925", "rows_0": "1"})
    answering.answer(ann, TABLE, {"rows_0": "2"})
    answering.show_step(ann, TABLE, "expected_pooled")
    answering.answer(ann, TABLE, {"expected_pooled": "0.6653"})
    rows = {(row.seat, row.worksheet): row for row in marks.by_seat(exercise)[0][1]}
    row = rows["Ann", TABLE]
    assert (row.marks, row.of, row.steps) == (2, 19, 15)
    assert (row.right, row.shown, row.tries) == (3, 1, 5)
    assert [row.marks for row in marks.by_seat(exercise)[1][1]] == [0, 0, 0]


def test_a_choice_has_its_mark_only_where_the_first_one_was_right(exercise, class_of_two):
    ann, ben = class_of_two
    for option in ("good", "dubious", "fair"):
        answering.answer(ann, TABLE, {"band": option})
    answering.answer(ben, TABLE, {"band": "fair"})
    rows = [row for row in marks.steps(exercise) if (row.worksheet, row.step) == (TABLE, "band")]
    assert [(row.right, row.marks, row.tries) for row in rows] == [(True, 0, 3), (True, 1, 1)]
    assert [each[0].mark for each in (answering.standings(ann), answering.standings(ben))] == [0, 1]


def test_every_step_of_every_seat_is_a_row_of_the_export(exercise, class_of_two):
    _, ben = class_of_two
    answering.answer(ben, TABLE, {"n": "=400"})
    header, *rows = marks.table(exercise)
    assert header == ("seat", "worksheet", "step", "marks", "of", "answer", "right", "shown", "tries")
    assert len(rows) == 2 * 3 * 15
    assert rows[0][:5] == ("Ann", TABLE, "rows_0", 0, 1)
    assert next(row for row in rows if row.answer) == ("Ben", TABLE, "n", 0, 1, "=400", False, False, 1)


def test_the_steps_add_up_to_what_the_worksheet_has(exercise, class_of_two):
    ann, _ = class_of_two
    worksheet = worksheets.of_seat(ann, "generated")
    right = {field.name: getattr(field, "right_key", None) or field.answer for field in worksheet.fields}
    assert answering.answer(ann, "generated", right).mark == worksheet.marks
    assert sum(row.marks for row in marks.steps(exercise)) == worksheet.marks
    assert [row.marks for row in marks.by_seat(exercise)[0][1]] == [0, worksheet.marks, 0]


@pytest.mark.parametrize("key", worksheets.OWN)
def test_everybody_s_own_sheet_has_the_steps_of_the_outline(exercise, key):
    """Marks are counted by the outline, so that it has to fit whatever numbers a seat has, kappa undefined included."""
    outline = {field.name: field.marks for field in worksheets.outline(key).fields}
    for table in [((3, 1), (2, 4)), ((0, 0), (0, 5)), ((0, 2), (2, 0))]:
        own = worksheets._kappa(table, key=key, title="")
        assert {field.name: field.marks for field in own.fields} == outline


def test_marks_take_as_many_queries_for_ten_as_for_two(exercise, class_of_two, django_assert_num_queries):
    for seat in joined(exercise, *(f"student {number}" for number in range(8))):
        answering.answer(seat, TABLE, {"n": "400"})
    marks.table(exercise)
    with django_assert_num_queries(2):
        assert len(marks.by_seat(exercise)) == 10
    with django_assert_num_queries(2):
        marks.table(exercise)


# ---- the pages


def test_the_marks_page_has_every_seat_and_leads_to_the_keys(exercise, class_of_two, at_the_desk):
    ann, ben = class_of_two
    answering.answer(ann, TABLE, {"n": "400"})
    answering.show_step(ann, TABLE, "observed")
    page = compact(at_the_desk.get(address(exercise, "marks_page")).content.decode())
    assert "Ann, Kappa of two judges on 400 documents: 1 of 19" in page
    assert "1 shown" in page
    assert address(exercise, "key", key=TABLE) in page
    assert address(exercise, "key_for", key="pair", seat_id=ben.pk) in page


def test_the_marks_page_says_what_to_do_while_it_is_empty(exercise, iris, at_the_desk):
    assert "Nobody has joined yet" in at_the_desk.get(address(exercise, "marks_page")).content.decode()
    without = pasted_exercise(iris, title="Without")
    assert "has no worksheets" in at_the_desk.get(address(without, "marks_page")).content.decode()


def test_the_key_of_a_textbook_s_exercise_is_worked_out(exercise, at_the_desk):
    page = compact(at_the_desk.get(address(exercise, "key", key=TABLE)).content.decode())
    for line in textbook.exercise(TABLE).answers():
        assert line["answer"] in page
    assert "0.7875² + 0.2125² = 0.6653" in page


def test_the_key_to_own_numbers_has_those_of_every_seat(exercise, class_of_two, at_the_desk):
    page = compact(at_the_desk.get(address(exercise, "key", key="generated")).content.decode())
    for seat in class_of_two:
        assert f"<bdi>{seat.nickname}</bdi></a>: 0 of 19 marks" in page
        assert worksheets.of_seat(seat, "generated").field("kappa_pooled").answer in page


def test_the_key_beside_what_a_seat_wrote(exercise, class_of_two, at_the_desk):
    ann, _ = class_of_two
    answering.answer(ann, TABLE, {"n": "<i>399</i>", "observed": "37/40"})
    answering.show_step(ann, TABLE, "kappa_pooled")
    page = compact(at_the_desk.get(address(exercise, "key_for", key=TABLE, seat_id=ann.pk)).content.decode())
    assert "&lt;i&gt;399&lt;/i&gt;" in page
    assert "<i>399" not in page
    assert "<bdi>Ann</bdi>, 1 of 19 marks" in page
    assert page.count("✗ wrong") == 1
    assert page.count("✓ right") == 1
    assert '<td class="outcome">shown</td>' in page


def test_the_key_of_pairs_comes_when_judging_has_ended(exercise, iris, class_of_two, at_the_desk):
    ann, ben = class_of_two
    keys = address(exercise, "key", key="pair")
    assert "once judging has ended" in at_the_desk.get(keys).content.decode()
    exercises.start(exercise)
    for seat, grades in ((ann, (0, 1, 1)), (ben, (0, 0, 1))):
        for assignment, grade in zip(given(seat), grades, strict=False):
            say(seat, assignment, grade)
    exercises.end(exercise)
    assert at_the_desk.get(keys).content.decode().count("Table and answers") == 2
    assert (
        "once judging" not in at_the_desk.get(address(exercise, "key_for", key="pair", seat_id=ann.pk)).content.decode()
    )


def test_a_key_of_pairs_takes_as_many_queries_for_ten_as_for_two(exercise, class_of_two, django_assert_max_num_queries):
    joined(exercise, *(f"student {number}" for number in range(8)))
    exercises.start(exercise)
    exercises.end(exercise)
    exercise = Exercise.objects.select_related("collection").get(pk=exercise.pk)
    with django_assert_max_num_queries(5):
        assert len(marks.keys(exercise, "pair")) == 10


PAGES = [("marks_page", {}), ("key", {"key": TABLE}), ("key_for", {"key": TABLE})]


@pytest.mark.parametrize(("name", "others"), PAGES)
def test_only_the_exercise_s_instructor_gets_in(client, exercise, class_of_two, name, others):
    ann, _ = class_of_two
    seat_id = {"seat_id": ann.pk} if name == "key_for" else {}
    page = address(exercise, name, **others, **seat_id)
    assert client.get(page).status_code == 302
    for stranger in (instructor_of(name="ivan"), ann.member.user):
        client.force_login(stranger, backend="assess.people.backend.AccountBackend")
        assert client.get(page).status_code == 404
    client.force_login(exercise.instructor, backend="assess.people.backend.AccountBackend")
    assert client.get(page).status_code == 200
    assert client.post(page).status_code == 405


def test_what_does_not_exist_is_not_found(exercise, iris, class_of_two, at_the_desk):
    ann, _ = class_of_two
    (elsewhere,) = joined(pasted_exercise(iris, title="Other", worksheets=[TABLE]), "Ann")
    assert at_the_desk.get(address(exercise, "key", key="dcg")).status_code == 404  # exists, but not chosen
    assert at_the_desk.get(address(exercise, "key", key="nothing")).status_code == 404
    assert at_the_desk.get(address(exercise, "key_for", key="dcg", seat_id=ann.pk)).status_code == 404
    for seat_id in (elsewhere.pk, 10**9):
        assert at_the_desk.get(address(exercise, "key_for", key=TABLE, seat_id=seat_id)).status_code == 404


def test_a_worksheet_that_is_no_longer_offered_is_left_out(exercise, class_of_two, at_the_desk):
    Exercise.objects.filter(pk=exercise.pk).update(worksheets=["withdrawn", TABLE])
    exercise.refresh_from_db()
    assert [row.worksheet for row in marks.by_seat(exercise)[0][1]] == [TABLE]
    assert at_the_desk.get(address(exercise, "key", key="withdrawn")).status_code == 404
