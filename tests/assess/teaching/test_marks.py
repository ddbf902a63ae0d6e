"""Marks by step, and keys. Only the instructor sees them."""

import pytest
from django.urls import reverse

from agreement.exercises import textbook
from assess.models import Exercise
from assess.teaching import clock, marks, worksheet_answers, worksheets
from tests.assess.exercise_factories import assignments_of, join_all, make_instructor, pasted_exercise, record_grade
from tests.html import compact

pytestmark = pytest.mark.django_db

TABLE = "kappa-table-8.2"
SHEETS = [TABLE, "generated", "pair"]


@pytest.fixture
def instructor(db):
    return make_instructor()


@pytest.fixture
def exercise(instructor):
    exercise = pasted_exercise(instructor, worksheets=SHEETS)
    clock.open_worksheets(exercise, True)
    return exercise


@pytest.fixture
def two_seats(exercise):
    return join_all(exercise, "Ann", "Ben")


@pytest.fixture
def browser(client, instructor):
    client.force_login(instructor, backend="assess.people.backend.AccountBackend")
    return client


def address(exercise, name, **others):
    return reverse(f"teach:{name}", kwargs={"code": exercise.code, **others})


def words(response):
    """Return the content of a response with each run of white space as one space."""
    return " ".join(response.content.decode().split())


@pytest.mark.slow
def test_right_step_earns_marks_and_shown_step_does_not(exercise, two_seats):
    ann, _ = two_seats
    worksheet_answers.save_answers(ann, TABLE, {"n": "400", "observed": "0,925", "rows_0": "1"})
    worksheet_answers.save_answers(ann, TABLE, {"rows_0": "2"})
    worksheet_answers.show_step(ann, TABLE, "expected_pooled")
    worksheet_answers.save_answers(ann, TABLE, {"expected_pooled": "0.6653"})
    rows = {(row.seat, row.worksheet): row for row in marks.marks_by_seat(exercise)[0][1]}
    row = rows["Ann", TABLE]
    assert (row.marks, row.of, row.steps) == (2, 19, 15)
    assert (row.right, row.shown, row.tries) == (3, 1, 5)
    assert [row.marks for row in marks.marks_by_seat(exercise)[1][1]] == [0, 0, 0]


@pytest.mark.in_ci
def test_choice_earns_marks_only_at_the_first_try(exercise, two_seats):
    ann, ben = two_seats
    for option in ("good", "dubious", "fair"):
        worksheet_answers.save_answers(ann, TABLE, {"band": option})
    worksheet_answers.save_answers(ben, TABLE, {"band": "fair"})
    rows = [row for row in marks.step_rows(exercise) if (row.worksheet, row.step) == (TABLE, "band")]
    assert [(row.right, row.marks, row.tries) for row in rows] == [(True, 0, 3), (True, 1, 1)]
    assert [
        each[0].mark for each in (worksheet_answers.worksheet_marks(ann), worksheet_answers.worksheet_marks(ben))
    ] == [0, 1]


def test_export_has_a_row_for_every_step_and_seat(exercise, two_seats):
    _, ben = two_seats
    worksheet_answers.save_answers(ben, TABLE, {"n": "=400"})
    header, rows = marks.step_table(exercise)
    assert header == ("seat", "worksheet", "step", "marks", "of", "answer", "right", "shown", "tries")
    assert len(rows) == 2 * 3 * 15
    assert rows[0][:5] == ("Ann", TABLE, "rows_0", 0, 1)
    assert next(row for row in rows if row.answer) == ("Ben", TABLE, "n", 0, 1, "=400", False, False, 1)


def test_steps_add_up_to_the_marks_of_the_worksheet(exercise, two_seats):
    ann, _ = two_seats
    worksheet = worksheets.worksheet_for(ann, "generated")
    right = {field.name: getattr(field, "right_key", None) or field.answer for field in worksheet.fields}
    assert worksheet_answers.save_answers(ann, "generated", right).mark == worksheet.marks
    assert sum(row.marks for row in marks.step_rows(exercise)) == worksheet.marks
    assert [row.marks for row in marks.marks_by_seat(exercise)[0][1]] == [0, worksheet.marks, 0]


@pytest.mark.parametrize("key", worksheets.PER_SEAT_TITLES)
def test_outline_has_the_steps_of_every_seat(exercise, key):
    """Marks are counted with the outline, so it must fit any numbers of a seat, also with an undefined kappa."""
    outline = {field.name: field.marks for field in worksheets.outline(key).fields}
    for table in [((3, 1), (2, 4)), ((0, 0), (0, 5)), ((0, 2), (2, 0))]:
        worksheet = worksheets._kappa_worksheet(table, key=key, title="")
        assert {field.name: field.marks for field in worksheet.fields} == outline


def test_number_of_queries_for_marks_does_not_grow_with_seats(exercise, two_seats, django_assert_num_queries):
    for seat in join_all(exercise, *(f"student {number}" for number in range(8))):
        worksheet_answers.save_answers(seat, TABLE, {"n": "400"})
    marks.step_table(exercise)
    with django_assert_num_queries(2):
        assert len(marks.marks_by_seat(exercise)) == 10
    with django_assert_num_queries(2):
        marks.step_table(exercise)


# ---- the pages


def test_marks_page_lists_seats_and_links_to_keys(exercise, two_seats, browser):
    ann, ben = two_seats
    worksheet_answers.save_answers(ann, TABLE, {"n": "400"})
    worksheet_answers.show_step(ann, TABLE, "observed")
    page = compact(browser.get(address(exercise, "marks_page")).content.decode())
    assert "Ann, Kappa of two judges on 400 documents: 1 of 19" in page
    assert "1 shown" in page
    assert address(exercise, "key", key=TABLE) in page
    assert address(exercise, "key_for", key="pair", seat_id=ben.pk) in page


def test_empty_marks_page_states_what_to_do(exercise, instructor, browser):
    assert "Nobody has joined yet" in browser.get(address(exercise, "marks_page")).content.decode()
    without = pasted_exercise(instructor, title="Without")
    assert "has no worksheets" in browser.get(address(without, "marks_page")).content.decode()


def test_key_of_textbook_worksheet_shows_solutions(exercise, browser):
    page = compact(browser.get(address(exercise, "key", key=TABLE)).content.decode())
    for line in textbook.exercise(TABLE).answer_key():
        assert line["answer"] in page
    assert "0.7875² + 0.2125² = 0.6653" in page


def test_key_of_generated_worksheet_shows_every_seat(exercise, two_seats, browser):
    page = compact(browser.get(address(exercise, "key", key="generated")).content.decode())
    for seat in two_seats:
        assert f"<bdi>{seat.nickname}</bdi></a>: 0 of 19 marks" in page
        assert worksheets.worksheet_for(seat, "generated").field("kappa_pooled").answer in page


def test_key_of_a_seat_shows_its_answers(exercise, two_seats, browser):
    ann, _ = two_seats
    worksheet_answers.save_answers(ann, TABLE, {"n": "<i>399</i>", "observed": "37/40"})
    worksheet_answers.show_step(ann, TABLE, "kappa_pooled")
    page = compact(browser.get(address(exercise, "key_for", key=TABLE, seat_id=ann.pk)).content.decode())
    assert "&lt;i&gt;399&lt;/i&gt;" in page
    assert "<i>399" not in page
    assert "<bdi>Ann</bdi>, 1 of 19 marks" in page
    assert page.count("✗ wrong") == 1
    assert page.count("✓ right") == 1
    assert '<td class="outcome">shown</td>' in page


def test_key_of_pairs_is_available_after_judging_has_ended(exercise, instructor, two_seats, browser):
    ann, ben = two_seats
    keys = address(exercise, "key", key="pair")
    assert "available after judging has ended" in browser.get(keys).content.decode()
    clock.start(exercise)
    for seat, grades in ((ann, (0, 1, 1)), (ben, (0, 0, 1))):
        for assignment, grade in zip(assignments_of(seat), grades, strict=False):
            record_grade(seat, assignment, grade)
    clock.end(exercise)
    assert browser.get(keys).content.decode().count("Table and answers") == 2
    assert (
        "after judging has ended"
        not in browser.get(address(exercise, "key_for", key="pair", seat_id=ann.pk)).content.decode()
    )


def test_number_of_queries_for_pair_keys_does_not_grow_with_seats(exercise, two_seats, django_assert_max_num_queries):
    join_all(exercise, *(f"student {number}" for number in range(8)))
    clock.start(exercise)
    clock.end(exercise)
    exercise = Exercise.objects.select_related("collection").get(pk=exercise.pk)
    with django_assert_max_num_queries(5):
        assert len(marks.seat_keys(exercise, "pair")) == 10


PAGES = [("marks_page", {}), ("key", {"key": TABLE}), ("key_for", {"key": TABLE})]


@pytest.mark.parametrize(("name", "others"), PAGES)
def test_only_the_instructor_has_access(client, exercise, two_seats, name, others):
    ann, _ = two_seats
    seat_id = {"seat_id": ann.pk} if name == "key_for" else {}
    page = address(exercise, name, **others, **seat_id)
    assert client.get(page).status_code == 302
    for stranger in (make_instructor(name="ivan"), ann.member.user):
        client.force_login(stranger, backend="assess.people.backend.AccountBackend")
        assert client.get(page).status_code == 404
    client.force_login(exercise.instructor, backend="assess.people.backend.AccountBackend")
    assert client.get(page).status_code == 200
    assert client.post(page).status_code == 405


def test_unknown_worksheet_or_seat_is_not_found(exercise, instructor, two_seats, browser):
    ann, _ = two_seats
    (elsewhere,) = join_all(pasted_exercise(instructor, title="Other", worksheets=[TABLE]), "Ann")
    assert browser.get(address(exercise, "key", key="dcg")).status_code == 404  # exists, but not chosen
    assert browser.get(address(exercise, "key", key="nothing")).status_code == 404
    assert browser.get(address(exercise, "key_for", key="dcg", seat_id=ann.pk)).status_code == 404
    for seat_id in (elsewhere.pk, 10**9):
        assert browser.get(address(exercise, "key_for", key=TABLE, seat_id=seat_id)).status_code == 404


def test_withdrawn_worksheet_is_left_out(exercise, two_seats, browser):
    Exercise.objects.filter(pk=exercise.pk).update(worksheets=["withdrawn", TABLE])
    exercise.refresh_from_db()
    assert [row.worksheet for row in marks.marks_by_seat(exercise)[0][1]] == [TABLE]
    assert browser.get(address(exercise, "key", key="withdrawn")).status_code == 404
