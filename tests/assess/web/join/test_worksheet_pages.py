"""The students' worksheets: checked step by step, with or without JavaScript."""

import re
from itertools import chain

import pytest
from django.test import Client
from django.urls import reverse

from agreement.exercises import textbook
from assess.models import Exercise, Seat, WorksheetAnswer
from assess.teaching import clock, exercises, worksheet_answers, worksheets
from assess.teaching.layout import MAX_COLUMNS, split_tables
from tests.assess.exercise_factories import assignments_of, join_all, make_instructor, pasted_exercise, record_grade
from tests.html import compact

pytestmark = pytest.mark.django_db

TABLE = "kappa-table-8.2"
JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def exercise(db):
    exercise = pasted_exercise(make_instructor(), worksheets=[TABLE, "exercise-8.10", "generated", "pair"])
    clock.open_worksheets(exercise, True)
    return exercise


@pytest.fixture
def two_seats(exercise):
    return join_all(exercise, "Ann", "Ben")


@pytest.fixture
def ann(two_seats):
    return two_seats[0]


@pytest.fixture
def ann_browser(ann):
    return signed_in_client(ann)


def signed_in_client(seat: Seat) -> Client:
    client = Client()
    client.force_login(seat.member.user, backend="assess.people.backend.AccountBackend")
    return client


def address(seat, name="worksheet", key=TABLE):
    return reverse(f"join:{name}", kwargs={"code": seat.exercise.code, "key": key})


def post_answer(client, seat, field, text, key=TABLE):
    return client.post(address(seat, "worksheet_answer", key), {f"text-{field}": text}, **JSON)


def post_show(client, seat, field, key=TABLE):
    return client.post(address(seat, "worksheet_show", key), {"field": field}, **JSON)


def saved_answers(seat) -> list[tuple]:
    rows = WorksheetAnswer.objects.filter(seat=seat).order_by("pk")
    return list(rows.values_list("worksheet", "field", "text", "right", "shown", "tries"))


def run_exercise(exercise, *grades_by_seat) -> None:
    """Start the exercise, record the grades of each seat, and end it."""
    clock.start(exercise)
    for seat, grades in grades_by_seat:
        for assignment, grade in zip(assignments_of(seat), grades, strict=False):
            record_grade(seat, assignment, grade)
    clock.end(exercise)


# ---- the page


def test_page_has_story_table_and_fields_in_order(ann_browser, ann):
    page = compact(ann_browser.get(address(ann)).content.decode())
    worksheet = textbook.exercise(TABLE)
    assert re.findall(r'data-field="(\w+)"', page) == [field.name for field in worksheet.fields]
    assert '<th scope="row">' in page
    assert '<th scope="col" class="num">' in page
    assert "Manning" in page
    assert '<b id="total">0</b> of 19 marks' in page


@pytest.mark.parametrize("key", textbook.EXERCISES)
def test_wide_tables_are_split_completely(key):
    worksheet = textbook.exercise(key)
    for whole, broken in zip(worksheet.public_data()["exhibits"], split_tables(worksheet)["exhibits"], strict=True):
        widths = [len(part["columns"]) for part in broken["parts"]]
        assert max(widths) <= MAX_COLUMNS
        assert max(widths) - min(widths) < len(widths)
        assert concatenate(part["columns"] for part in broken["parts"]) == whole["columns"]
        for at, row in enumerate(whole["rows"]):
            assert {part["rows"][at]["name"] for part in broken["parts"]} == {row["name"]}
            assert concatenate(part["rows"][at]["cells"] for part in broken["parts"]) == row["cells"]


def concatenate(parts) -> list:
    return list(chain.from_iterable(parts))


@pytest.mark.parametrize("key", [TABLE, "exercise-8.10", "generated"])
def test_page_contains_no_answer_and_no_solution(ann_browser, ann, key):
    """The page contains no solution, and no answer with four digits anywhere."""
    page = compact(ann_browser.get(address(ann, key=key)).content.decode())
    worksheet = worksheets.worksheet_for(ann, key)
    for field in worksheet.fields:
        assert field.solution not in page
        if getattr(field, "digits", 0) and len(field.answer) > 4:
            assert field.answer not in page
        for hint in [mistake.hint for mistake in getattr(field, "mistakes", ())]:
            assert hint not in page
        assert 'data-state="right"' not in page


@pytest.mark.in_ci
def test_every_textbook_worksheet_can_be_finished(exercise, ann, ann_browser):
    Exercise.objects.filter(pk=exercise.pk).update(worksheets=list(textbook.EXERCISES))
    for key in textbook.EXERCISES:
        worksheet = textbook.exercise(key)
        right = {f"text-{field.name}": right_answer(field) for field in worksheet.fields}
        assert ann_browser.get(address(ann, key=key)).status_code == 200
        assert ann_browser.post(address(ann, "worksheet_answer", key), right).status_code == 302
        page = compact(ann_browser.get(address(ann, key=key)).content.decode())
        assert f'<b id="total">{worksheet.marks}</b> of {worksheet.marks} marks' in page


def right_answer(field) -> str:
    return getattr(field, "right_key", None) or field.answer


# ---- answers


def test_right_answer_is_saved_and_earns_its_mark(ann_browser, ann):
    data = post_answer(ann_browser, ann, "observed", "92,5 %").json()
    how = "(300 + 70) / 400 = 0.925"
    assert data == {"right": True, "shown": False, "state": "right", "hint": "", "how": how, "mark": 1, "total": 1}
    assert saved_answers(ann) == [(TABLE, "observed", "92,5 %", True, False, 1)]
    page = compact(ann_browser.get(address(ann)).content.decode())
    assert "✓ Correct." in page
    assert 'value="92,5 %"' in page


def test_wrong_answer_gets_a_hint_without_the_number(ann_browser, ann):
    data = post_answer(ann_browser, ann, "expected_pooled", "0.665").json()
    right = textbook.exercise(TABLE).field("expected_pooled")
    assert (data["right"], data["state"], data["mark"], data["how"]) == (False, "wrong", 0, "")
    assert "pooled" in data["hint"]
    assert right.answer not in str(data)
    page = compact(ann_browser.get(address(ann)).content.decode())
    assert "✗ Not yet." in page
    assert right.answer not in page


def test_last_answer_counts(ann_browser, ann):
    for text in ("399", "400", "400", "401"):
        post_answer(ann_browser, ann, "n", text)
    assert saved_answers(ann) == [(TABLE, "n", "401", False, False, 3)]
    assert post_answer(ann_browser, ann, "n", " 400 ").json()["total"] == 1


def test_empty_field_is_no_try_and_has_no_hint(ann_browser, ann):
    post_answer(ann_browser, ann, "n", "12")
    data = post_answer(ann_browser, ann, "n", "  ").json()
    assert (data["state"], data["hint"], saved_answers(ann)[0][5]) == ("open", "", 1)


def test_choice_is_checked(ann_browser, ann):
    assert post_answer(ann_browser, ann, "band", "good").json()["state"] == "wrong"
    assert post_answer(ann_browser, ann, "band", "fair").json()["state"] == "right"
    assert 'value="fair" checked' in compact(ann_browser.get(address(ann)).content.decode())


def test_choice_that_is_right_later_earns_no_mark(two_seats, ann_browser, ann):
    post_answer(ann_browser, ann, "band", "good")
    data = post_answer(ann_browser, ann, "band", "fair").json()
    assert (data["right"], data["mark"], data["total"], data["hint"]) == (True, 0, 0, worksheet_answers.NOT_FIRST)
    assert f"✓ Correct. {worksheet_answers.NOT_FIRST}" in compact(ann_browser.get(address(ann)).content.decode())
    _, ben = two_seats
    data = post_answer(signed_in_client(ben), ben, "band", "fair").json()
    assert (data["right"], data["mark"], data["total"], data["hint"]) == (True, 1, 1, "")
    assert "✓ Correct.</p>" in compact(signed_in_client(ben).get(address(ben)).content.decode())


@pytest.mark.parametrize("text", ["x" * 5_000, "\0 1e999", "<script>", "1/0", "½", "9" * 400, "'; --", "\ud7ff‮"])
def test_hostile_answers_are_cut_and_escaped(ann_browser, ann, text):
    response = post_answer(ann_browser, ann, "observed", text)
    assert (response.status_code, response.json()["right"]) == (200, False)
    assert len(WorksheetAnswer.objects.get().text) <= 200
    page = compact(ann_browser.get(address(ann)).content.decode())
    assert page.count("<script") == ann_browser.get(address(ann, key="exercise-8.10")).content.decode().count("<script")


def test_hint_explains_how_to_write_a_number(ann_browser, ann):
    assert "one comma or point" in post_answer(ann_browser, ann, "observed", "a lot").json()["hint"]


def test_unknown_field_or_worksheet_is_not_found_and_nothing_is_saved(ann_browser, ann):
    assert post_answer(ann_browser, ann, "no_such", "1").status_code == 404
    assert post_answer(ann_browser, ann, "n", "400", key="dcg").status_code == 404  # exists, but was not chosen
    assert post_answer(ann_browser, ann, "n", "400", key="nothing").status_code == 404
    assert ann_browser.post(address(ann, "worksheet_answer"), {}, **JSON).status_code == 404
    assert post_show(ann_browser, ann, "no_such").status_code == 404
    assert post_show(ann_browser, ann, "").status_code == 404
    mixed = {"text-n": "400", "text-no_such": "1"}
    assert ann_browser.post(address(ann, "worksheet_answer"), mixed).status_code == 404
    assert saved_answers(ann) == []


# ---- show a step


def test_shown_step_earns_no_mark(ann_browser, ann):
    data = post_show(ann_browser, ann, "expected_pooled").json()
    assert (data["state"], data["mark"]) == ("shown", 0)
    assert data["how"] == "0.7875² + 0.2125² = 0.6653"
    assert (post_answer(ann_browser, ann, "expected_pooled", "0.6653").json()["mark"], total(ann)) == (0, 0)
    assert saved_answers(ann) == [(TABLE, "expected_pooled", "0.6653", True, True, 1)]
    assert "0.7875² + 0.2125² = 0.6653" in ann_browser.get(address(ann)).content.decode()


def test_showing_a_right_step_costs_nothing(ann_browser, ann):
    post_answer(ann_browser, ann, "n", "400")
    assert post_show(ann_browser, ann, "n").json()["mark"] == 1
    assert saved_answers(ann) == [(TABLE, "n", "400", True, False, 1)]


def test_button_states_the_cost(ann_browser, ann):
    page = compact(ann_browser.get(address(ann)).content.decode())
    assert "Show me this step<small>(costs 1 mark)</small>" in page
    assert "Show me this step<small>(costs 2 marks)</small>" in page


def total(seat, key=TABLE) -> int:
    return worksheet_answers.sheet_for(seat, key).mark


# ---- without JavaScript


def test_plain_form_checks_all_answers(ann_browser, ann):
    response = ann_browser.post(
        address(ann, "worksheet_answer"), {"text-n": "400", "text-observed": "0.5", "text-rows_0": ""}
    )
    assert response.status_code == 302
    assert [row[1:4] for row in saved_answers(ann)] == [("n", "400", True), ("observed", "0.5", False)]


def test_plain_form_shows_a_step_and_saves_answers(ann_browser, ann):
    fields = {"text-n": "400", "text-observed": "", "field": "observed"}
    response = ann_browser.post(address(ann, "worksheet_show"), fields)
    assert response.url == f"{address(ann)}#observed"
    assert [row[1:5] for row in saved_answers(ann)] == [("n", "400", True, False), ("observed", "", False, True)]


def test_plain_form_redirects_to_the_quoted_field(ann_browser, ann):
    for field, anchor in (("observed", "#observed"), ("", "#n"), ("a\r\nSet-Cookie: b", "#a%0D%0ASet-Cookie%3A%20b")):
        response = ann_browser.post(address(ann, "worksheet_answer"), {"text-n": "400", "field": field})
        assert response.url == address(ann) + anchor
    assert (
        ann_browser.post(address(ann, "worksheet_answer"), {"text-n": "4", "field": "no_such"}, **JSON).status_code
        == 404
    )


# ---- generated numbers and the pair worksheet


def test_generated_numbers_differ_by_seat_and_stay(two_seats, ann_browser, ann):
    own, again, others = (worksheets.worksheet_for(seat, "generated") for seat in (ann, ann, two_seats[1]))
    assert own.exhibits == again.exhibits
    assert own.exhibits != others.exhibits
    data = post_answer(ann_browser, ann, "kappa_pooled", own.field("kappa_pooled").answer, key="generated").json()
    assert data["right"]


def test_pair_worksheet_has_the_table_of_both_after_the_end(exercise, two_seats):
    ann, ben = two_seats
    grades_by_seat = {seat: [(1, 1), (1, 0), (0, 0)] for seat in two_seats}
    documents = [each.task_id for each in assignments_of(ann)]
    clock.start(exercise)
    assert signed_in_client(ann).get(address(ann, key="pair")).status_code == 403
    for place, (seat, grades) in enumerate(grades_by_seat.items()):
        for assignment in assignments_of(seat):
            record_grade(seat, assignment, grades[documents.index(assignment.task_id) % 3][place])
    clock.end(exercise)
    table = worksheets.worksheet_for(reload(ann), "pair").exhibits[0]
    n = len(documents) // 3
    assert table.rows == (("nonrelevant", (n, 0)), ("relevant", (n, n)))
    assert worksheets.worksheet_for(reload(ben), "pair").exhibits[0].rows == (
        ("nonrelevant", (n, n)),
        ("relevant", (0, n)),
    )
    page = compact(signed_in_client(ann).get(address(ann, key="pair")).content.decode())
    assert "Ann: how many relevant" in page
    assert "Ben: how many relevant" in page


def reload(seat) -> Seat:
    return Seat.objects.select_related("exercise__collection", "member").get(pk=seat.pk)


def test_no_partner_or_no_common_document_is_refused(exercise, ann, ann_browser):
    run_exercise(exercise, (ann, [1]))
    assert "Ann and Ben have graded no document in common" in ann_browser.get(address(ann, key="pair")).content.decode()
    lonely = pasted_exercise(exercise.instructor, title="Lonely", worksheets=["pair"])
    (one,) = join_all(lonely, "Una")
    clock.open_worksheets(lonely, True)
    run_exercise(lonely, (one, [1]))
    assert "the only student in this exercise" in signed_in_client(one).get(address(one, key="pair")).content.decode()


# ---- access


def test_closed_worksheets_show_and_save_nothing(exercise, ann_browser, ann):
    post_answer(ann_browser, ann, "n", "400")
    clock.open_worksheets(exercise, False)
    page = ann_browser.get(address(ann))
    assert page.status_code == 403
    assert "The worksheets are closed." in page.content.decode()
    assert "relevant" not in page.content.decode()
    refusal = post_answer(ann_browser, ann, "n", "401")
    assert (refusal.status_code, "are closed" in refusal.json()["error"]) == (403, True)
    assert post_show(ann_browser, ann, "observed").status_code == 403
    assert ann_browser.post(address(ann, "worksheet_answer"), {"text-n": "2"}).status_code == 403
    assert saved_answers(ann) == [(TABLE, "n", "400", True, False, 1)]


def test_answers_of_others_are_neither_visible_nor_changed(two_seats, ann_browser, ann):
    ben = two_seats[1]
    post_answer(ann_browser, ann, "observed", "0.92345")
    post_show(ann_browser, ann, "expected_pooled")
    page = compact(signed_in_client(ben).get(address(ben)).content.decode())
    assert "0.92345" not in page
    assert "0.6653" not in page
    post_answer(signed_in_client(ben), ben, "observed", "0.1")
    assert saved_answers(ann)[0][2] == "0.92345"


def test_only_seats_of_the_exercise_have_access(exercise, ann):
    (stranger,) = join_all(pasted_exercise(exercise.instructor, title="Other", worksheets=[TABLE]), "Eve")
    posts = [(address(ann, "worksheet_answer"), {"text-n": "400"}), (address(ann, "worksheet_show"), {"field": "n"})]
    join_url = reverse("join:nickname", kwargs={"code": exercise.code})
    for client in (Client(), signed_in_client(stranger)):
        assert client.get(address(ann)).url == join_url
        assert [client.post(*post).url for post in posts] == [join_url, join_url]
    instructor_browser = Client()
    instructor_browser.force_login(exercise.instructor, backend="assess.people.backend.AccountBackend")
    assert instructor_browser.get(address(ann)).status_code == 404
    assert [instructor_browser.post(*post).status_code for post in posts] == [404, 404]
    assert saved_answers(ann) == []


def test_wrong_method_and_missing_token_are_refused(ann, ann_browser):
    assert ann_browser.post(address(ann)).status_code == 405
    assert ann_browser.get(address(ann, "worksheet_answer")).status_code == 405
    assert ann_browser.get(address(ann, "worksheet_show")).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ann.member.user, backend="assess.people.backend.AccountBackend")
    assert post_answer(strict, ann, "n", "400").status_code == 403
    assert saved_answers(ann) == []


def test_erased_seat_saves_nothing(exercise, ann, ann_browser):
    loaded = reload(ann)
    exercises.erase(exercise)
    with pytest.raises(worksheets.NoSuchWorksheet):
        worksheet_answers.save_answers(loaded, TABLE, {"n": "400"})
    assert WorksheetAnswer.objects.count() == 0


def test_number_of_queries_is_bounded(exercise, ann, ann_browser, django_assert_max_num_queries):
    run_exercise(exercise, *((seat, [1, 0, 1]) for seat in exercise.seats.select_related("member", "exercise")))
    for key in (TABLE, "generated", "pair"):
        ann_browser.post(
            address(ann, "worksheet_answer", key), {"text-n": "1", "text-observed": "0.1", "text-rows_0": "4"}
        )
        with django_assert_max_num_queries(7):  # session, user, seat, answers; the pair's: seats, scale, judgements
            ann_browser.get(address(ann, key=key))
        with django_assert_max_num_queries(11):  # plus the lock of the seat, the answer, and two for the transaction
            post_answer(ann_browser, ann, "n", "2", key=key)


def test_marks_by_worksheet(ann_browser, ann, django_assert_num_queries):
    post_answer(ann_browser, ann, "n", "400")
    with django_assert_num_queries(1):
        standings = worksheet_answers.worksheet_marks(ann)
    assert [(each.key, each.mark, each.of) for each in standings] == [
        (TABLE, 1, 19),
        ("exercise-8.10", 0, 24),
        ("generated", 0, 19),
        ("pair", 0, 19),
    ]
