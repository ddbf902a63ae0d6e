"""Worksheets as students meet them: one step after the other, with or without a script."""

import re
from itertools import chain

import pytest
from django.test import Client
from django.urls import reverse

from agreement.exercises import textbook
from assess.models import Exercise, Seat, WorksheetAnswer
from assess.teaching import exercises, worksheets
from assess.teaching import worksheet_answers as answering
from assess.teaching.layout import MOST_COLUMNS, in_parts
from tests.assess.exercise_factories import given, instructor_of, joined, pasted_exercise, say
from tests.html import compact

pytestmark = pytest.mark.django_db

TABLE = "kappa-table-8.2"
JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def exercise(db):
    made = pasted_exercise(instructor_of(), worksheets=[TABLE, "exercise-8.10", "generated", "pair"])
    exercises.open_worksheets(made, True)
    return made


@pytest.fixture
def seats_of_two(exercise):
    return joined(exercise, "Ann", "Ben")


@pytest.fixture
def ann(seats_of_two):
    return seats_of_two[0]


@pytest.fixture
def anns(ann):
    return signed_in(ann)


def signed_in(seat: Seat) -> Client:
    client = Client()
    client.force_login(seat.member.user, backend="assess.people.backend.AccountBackend")
    return client


def address(seat, name="worksheet", key=TABLE):
    return reverse(f"join:{name}", kwargs={"code": seat.exercise.code, "key": key})


def write(client, seat, field, text, key=TABLE):
    return client.post(address(seat, "worksheet_answer", key), {f"text-{field}": text}, **JSON)


def ask(client, seat, field, key=TABLE):
    return client.post(address(seat, "worksheet_show", key), {"field": field}, **JSON)


def kept(seat) -> list[tuple]:
    rows = WorksheetAnswer.objects.filter(seat=seat).order_by("pk")
    return list(rows.values_list("worksheet", "field", "text", "right", "shown", "tries"))


def judged(exercise, *said) -> None:
    """Start, let every seat say its grades, and end."""
    exercises.start(exercise)
    for seat, grades in said:
        for assignment, grade in zip(given(seat), grades, strict=False):
            say(seat, assignment, grade)
    exercises.end(exercise)


# ---- the page


def test_the_page_has_the_story_the_table_and_all_fields_in_order(anns, ann):
    page = compact(anns.get(address(ann)).content.decode())
    worksheet = textbook.exercise(TABLE)
    assert re.findall(r'data-field="(\w+)"', page) == [field.name for field in worksheet.fields]
    assert '<th scope="row">' in page
    assert '<th scope="col" class="num">' in page
    assert "Manning" in page
    assert '<b id="total">0</b> of 19 marks' in page


@pytest.mark.parametrize("key", textbook.EXERCISES)
def test_a_long_ranking_is_broken_and_loses_nothing(key):
    worksheet = textbook.exercise(key)
    for whole, broken in zip(worksheet.shown()["exhibits"], in_parts(worksheet)["exhibits"], strict=True):
        widths = [len(part["columns"]) for part in broken["parts"]]
        assert max(widths) <= MOST_COLUMNS
        assert max(widths) - min(widths) < len(widths)
        assert joined_up(part["columns"] for part in broken["parts"]) == whole["columns"]
        for at, row in enumerate(whole["rows"]):
            assert {part["rows"][at]["name"] for part in broken["parts"]} == {row["name"]}
            assert joined_up(part["rows"][at]["cells"] for part in broken["parts"]) == row["cells"]


def joined_up(parts) -> list:
    return list(chain.from_iterable(parts))


@pytest.mark.parametrize("key", [TABLE, "exercise-8.10", "generated"])
def test_no_answer_and_no_working_is_in_the_page_before_it_is_found(anns, ann, key):
    """No step's working; and no number that is asked to four digits, wherever it may stand."""
    page = compact(anns.get(address(ann, key=key)).content.decode())
    worksheet = worksheets.of_seat(ann, key)
    for field in worksheet.fields:
        assert field.solution not in page
        if getattr(field, "digits", 0) and len(field.answer) > 4:
            assert field.answer not in page
        for hint in [slip.hint for slip in getattr(field, "slips", ())]:
            assert hint not in page
        assert 'data-state="right"' not in page


def test_every_built_in_worksheet_can_be_shown_and_finished(exercise, ann, anns):
    Exercise.objects.filter(pk=exercise.pk).update(worksheets=list(textbook.EXERCISES))
    for key in textbook.EXERCISES:
        worksheet = textbook.exercise(key)
        right = {f"text-{field.name}": right_of(field) for field in worksheet.fields}
        assert anns.get(address(ann, key=key)).status_code == 200
        assert anns.post(address(ann, "worksheet_answer", key), right).status_code == 302
        page = compact(anns.get(address(ann, key=key)).content.decode())
        assert f'<b id="total">{worksheet.marks}</b> of {worksheet.marks} marks' in page


def right_of(field) -> str:
    return getattr(field, "right_key", None) or field.answer


# ---- a field is left


def test_a_right_answer_is_told_kept_and_has_its_mark(anns, ann):
    told = write(anns, ann, "observed", "92,5 %").json()
    assert told == {
        "right": True,
        "shown": False,
        "state": "right",
        "hint": "",
        "how": "(300 + 70) / 400 = 0.925",
        "mark": 1,
        "total": 1,
    }
    assert kept(ann) == [(TABLE, "observed", "92,5 %", True, False, 1)]
    page = compact(anns.get(address(ann)).content.decode())
    assert "✓ Correct." in page
    assert 'value="92,5 %"' in page


def test_a_wrong_answer_gets_the_hint_of_its_slip_and_never_the_number(anns, ann):
    told = write(anns, ann, "expected_pooled", "0.665").json()
    right = textbook.exercise(TABLE).field("expected_pooled")
    assert (told["right"], told["state"], told["mark"], told["how"]) == (False, "wrong", 0, "")
    assert "pooled" in told["hint"]
    assert right.answer not in str(told)
    page = compact(anns.get(address(ann)).content.decode())
    assert "✗ Not yet." in page
    assert right.answer not in page


def test_an_answer_may_be_mended_and_the_last_one_counts(anns, ann):
    for text in ("399", "400", "400", "401"):
        write(anns, ann, "n", text)
    assert kept(ann) == [(TABLE, "n", "401", False, False, 3)]
    assert write(anns, ann, "n", " 400 ").json()["total"] == 1


def test_an_emptied_field_is_no_try_and_gets_no_hint(anns, ann):
    write(anns, ann, "n", "12")
    told = write(anns, ann, "n", "  ").json()
    assert (told["state"], told["hint"], kept(ann)[0][5]) == ("open", "", 1)


def test_a_choice_is_checked_like_a_number(anns, ann):
    assert write(anns, ann, "band", "good").json()["state"] == "wrong"
    assert write(anns, ann, "band", "fair").json()["state"] == "right"
    assert 'value="fair" checked' in compact(anns.get(address(ann)).content.decode())


def test_a_choice_that_was_not_right_at_once_is_right_without_a_mark(seats_of_two, anns, ann):
    write(anns, ann, "band", "good")
    told = write(anns, ann, "band", "fair").json()
    assert (told["right"], told["mark"], told["total"], told["hint"]) == (True, 0, 0, answering.NOT_FIRST)
    assert f"✓ Correct. {answering.NOT_FIRST}" in compact(anns.get(address(ann)).content.decode())
    _, ben = seats_of_two
    told = write(signed_in(ben), ben, "band", "fair").json()
    assert (told["right"], told["mark"], told["total"], told["hint"]) == (True, 1, 1, "")
    assert "✓ Correct.</p>" in compact(signed_in(ben).get(address(ben)).content.decode())


@pytest.mark.parametrize("text", ["x" * 5_000, "\0 1e999", "<script>", "1/0", "½", "9" * 400, "'; --", "\ud7ff‮"])
def test_hostile_answers_are_kept_within_bounds_and_told_harmlessly(anns, ann, text):
    response = write(anns, ann, "observed", text)
    assert (response.status_code, response.json()["right"]) == (200, False)
    assert len(WorksheetAnswer.objects.get().text) <= 200
    page = compact(anns.get(address(ann)).content.decode())
    assert page.count("<script") == anns.get(address(ann, key="exercise-8.10")).content.decode().count("<script")


def test_the_hint_says_how_to_write_what_cannot_be_read(anns, ann):
    assert "one comma or point" in write(anns, ann, "observed", "a lot").json()["hint"]


def test_unknown_fields_and_worksheets_are_not_found_and_nothing_is_kept(anns, ann):
    assert write(anns, ann, "no_such", "1").status_code == 404
    assert write(anns, ann, "n", "400", key="dcg").status_code == 404  # exists, but was not chosen
    assert write(anns, ann, "n", "400", key="nothing").status_code == 404
    assert anns.post(address(ann, "worksheet_answer"), {}, **JSON).status_code == 404
    assert ask(anns, ann, "no_such").status_code == 404
    assert ask(anns, ann, "").status_code == 404
    mixed = {"text-n": "400", "text-no_such": "1"}
    assert anns.post(address(ann, "worksheet_answer"), mixed).status_code == 404
    assert kept(ann) == []


# ---- a step is shown


def test_a_step_that_is_shown_has_no_mark_whatever_is_written_then(anns, ann):
    told = ask(anns, ann, "expected_pooled").json()
    assert (told["state"], told["mark"]) == ("shown", 0)
    assert told["how"] == "0.7875² + 0.2125² = 0.6653"
    assert (write(anns, ann, "expected_pooled", "0.6653").json()["mark"], total(ann)) == (0, 0)
    assert kept(ann) == [(TABLE, "expected_pooled", "0.6653", True, True, 1)]
    assert "0.7875² + 0.2125² = 0.6653" in anns.get(address(ann)).content.decode()


def test_showing_what_was_found_costs_nothing(anns, ann):
    write(anns, ann, "n", "400")
    assert ask(anns, ann, "n").json()["mark"] == 1
    assert kept(ann) == [(TABLE, "n", "400", True, False, 1)]


def test_the_button_says_what_it_costs(anns, ann):
    page = compact(anns.get(address(ann)).content.decode())
    assert "Show me this step<small>(costs its mark)</small>" in page
    assert "Show me this step<small>(costs its 2 marks)</small>" in page


def total(seat, key=TABLE) -> int:
    return answering.sheet(seat, key).mark


# ---- without a script


def test_the_plain_form_checks_all_that_was_written(anns, ann):
    response = anns.post(address(ann, "worksheet_answer"), {"text-n": "400", "text-observed": "0.5", "text-rows_0": ""})
    assert response.status_code == 302
    assert [row[1:4] for row in kept(ann)] == [("n", "400", True), ("observed", "0.5", False)]


def test_the_plain_form_s_button_shows_a_step_and_loses_nothing(anns, ann):
    fields = {"text-n": "400", "text-observed": "", "field": "observed"}
    response = anns.post(address(ann, "worksheet_show"), fields)
    assert response.url == f"{address(ann)}#observed"
    assert [row[1:5] for row in kept(ann)] == [("n", "400", True, False), ("observed", "", False, True)]


def test_the_plain_form_leads_back_to_the_field_whatever_is_said_to_be_one(anns, ann):
    for field, anchor in (("observed", "#observed"), ("", "#n"), ("a\r\nSet-Cookie: b", "#a%0D%0ASet-Cookie%3A%20b")):
        response = anns.post(address(ann, "worksheet_answer"), {"text-n": "400", "field": field})
        assert response.url == address(ann) + anchor
    assert anns.post(address(ann, "worksheet_answer"), {"text-n": "4", "field": "no_such"}, **JSON).status_code == 404


# ---- numbers of one's own, and the own pair's


def test_generated_numbers_are_one_s_own_and_stay_so(seats_of_two, anns, ann):
    own, again, others = (worksheets.of_seat(seat, "generated") for seat in (ann, ann, seats_of_two[1]))
    assert own.exhibits == again.exhibits
    assert own.exhibits != others.exhibits
    told = write(anns, ann, "kappa_pooled", own.field("kappa_pooled").answer, key="generated").json()
    assert told["right"]


def test_the_pair_s_table_is_of_the_two_judges_once_judging_has_ended(exercise, seats_of_two):
    ann, ben = seats_of_two
    said = {seat: [(1, 1), (1, 0), (0, 0)] for seat in seats_of_two}
    documents = [each.task_id for each in given(ann)]
    exercises.start(exercise)
    assert signed_in(ann).get(address(ann, key="pair")).status_code == 403
    for place, (seat, grades) in enumerate(said.items()):
        for assignment in given(seat):
            say(seat, assignment, grades[documents.index(assignment.task_id) % 3][place])
    exercises.end(exercise)
    table = worksheets.of_seat(anew(ann), "pair").exhibits[0]
    n = len(documents) // 3
    assert table.rows == (("nonrelevant", (n, 0)), ("relevant", (n, n)))
    assert worksheets.of_seat(anew(ben), "pair").exhibits[0].rows == (("nonrelevant", (n, n)), ("relevant", (0, n)))
    page = compact(signed_in(ann).get(address(ann, key="pair")).content.decode())
    assert "Ann: how many relevant" in page
    assert "Ben: how many relevant" in page


def anew(seat) -> Seat:
    return Seat.objects.select_related("exercise__collection", "member").get(pk=seat.pk)


def test_who_has_no_partner_or_no_document_in_common_is_told_so(exercise, ann, anns):
    judged(exercise, (ann, [1]))
    assert "No document was graded by both Ann and Ben" in anns.get(address(ann, key="pair")).content.decode()
    lonely = pasted_exercise(exercise.instructor, title="Lonely", worksheets=["pair"])
    (one,) = joined(lonely, "Una")
    exercises.open_worksheets(lonely, True)
    judged(lonely, (one, [1]))
    assert "alone in this exercise" in signed_in(one).get(address(one, key="pair")).content.decode()


# ---- whose it is, and when


def test_closed_worksheets_show_and_take_nothing(exercise, anns, ann):
    write(anns, ann, "n", "400")
    exercises.open_worksheets(exercise, False)
    page = anns.get(address(ann))
    assert page.status_code == 403
    assert "The worksheets are closed now" in page.content.decode()
    assert "relevant" not in page.content.decode()
    refusal = write(anns, ann, "n", "401")
    assert (refusal.status_code, "closed now" in refusal.json()["error"]) == (403, True)
    assert ask(anns, ann, "observed").status_code == 403
    assert anns.post(address(ann, "worksheet_answer"), {"text-n": "2"}).status_code == 403
    assert kept(ann) == [(TABLE, "n", "400", True, False, 1)]


def test_what_one_wrote_is_seen_and_changed_by_nobody_else(seats_of_two, anns, ann):
    ben = seats_of_two[1]
    write(anns, ann, "observed", "0.92345")
    ask(anns, ann, "expected_pooled")
    page = compact(signed_in(ben).get(address(ben)).content.decode())
    assert "0.92345" not in page
    assert "0.6653" not in page
    write(signed_in(ben), ben, "observed", "0.1")
    assert kept(ann)[0][2] == "0.92345"


def test_only_the_seats_of_the_exercise_get_in(exercise, ann):
    (stranger,) = joined(pasted_exercise(exercise.instructor, title="Other", worksheets=[TABLE]), "Eve")
    posts = [(address(ann, "worksheet_answer"), {"text-n": "400"}), (address(ann, "worksheet_show"), {"field": "n"})]
    door = reverse("join:nickname", kwargs={"code": exercise.code})
    for client in (Client(), signed_in(stranger)):
        assert client.get(address(ann)).url == door
        assert [client.post(*post).url for post in posts] == [door, door]
    at_the_desk = Client()
    at_the_desk.force_login(exercise.instructor, backend="assess.people.backend.AccountBackend")
    assert at_the_desk.get(address(ann)).status_code == 404
    assert [at_the_desk.post(*post).status_code for post in posts] == [404, 404]
    assert kept(ann) == []


def test_the_wrong_verb_and_a_missing_token_are_refused(ann, anns):
    assert anns.post(address(ann)).status_code == 405
    assert anns.get(address(ann, "worksheet_answer")).status_code == 405
    assert anns.get(address(ann, "worksheet_show")).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ann.member.user, backend="assess.people.backend.AccountBackend")
    assert write(strict, ann, "n", "400").status_code == 403
    assert kept(ann) == []


def test_an_erased_seat_writes_nothing(exercise, ann, anns):
    loaded = anew(ann)
    exercises.erase(exercise)
    with pytest.raises(worksheets.NoSuchWorksheet):
        answering.answer(loaded, TABLE, {"n": "400"})
    assert WorksheetAnswer.objects.count() == 0


def test_answers_cost_few_queries_however_many_there_are(exercise, ann, anns, django_assert_max_num_queries):
    judged(exercise, *((seat, [1, 0, 1]) for seat in exercise.seats.select_related("member", "exercise")))
    for key in (TABLE, "generated", "pair"):
        anns.post(address(ann, "worksheet_answer", key), {"text-n": "1", "text-observed": "0.1", "text-rows_0": "4"})
        with django_assert_max_num_queries(7):  # session, user, seat, answers; the pair's: seats, scale, judgements
            anns.get(address(ann, key=key))
        with django_assert_max_num_queries(11):  # the seat's lock, the answer, and the transaction's own two besides
            write(anns, ann, "n", "2", key=key)


def test_the_seat_s_page_may_tell_how_far_one_is(anns, ann, django_assert_num_queries):
    write(anns, ann, "n", "400")
    with django_assert_num_queries(1):
        standings = answering.standings(ann)
    assert [(each.key, each.mark, each.of) for each in standings] == [
        (TABLE, 1, 19),
        ("exercise-8.10", 0, 24),
        ("generated", 0, 19),
        ("pair", 0, 19),
    ]
