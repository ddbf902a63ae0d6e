"""The figures of the reveal: what is shown, to whom, and when."""

from fractions import Fraction

import pytest

import agreement
from assess.analysis.data import collection_ratings
from assess.errors import Refused
from assess.models import Exercise, Judgement
from assess.teaching import clock
from assess.teaching.clock import NotYet
from assess.teaching.pairing import class_pairs
from assess.teaching.reveal import reveal
from assess.teaching.reveal.query import RevealQuery
from assess.teaching.reveal.reveal import all_step_results, step_result
from assess.teaching.reveal.steps import STEPS
from tests.assess.exercise_factories import assignments_of, join_all, pasted_exercise, record_grade
from tests.assess.judged_exercises import (
    CLASS,
    PAIR,
    RELEVANT_BY_STUDENT,
    class_of_three,
    create_exercise,
    end_exercise,
    figures,
    judge_relevant,
    own_figures,
    query_for,
    reload,
    reveal_all,
    seat_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended_exercise(db):
    return class_of_three()


# ---- when, and to whom


def test_nothing_is_shown_before_the_end(db):
    exercise = create_exercise()
    join_all(exercise, "Ann")
    for action in (clock.start, clock.pause, clock.resume):
        action(exercise)
        with pytest.raises(NotYet, match=r"The exercise has not ended yet\. The reveal opens afterwards"):
            step_result(exercise, PAIR, RevealQuery(rel=1))
        with pytest.raises(NotYet):
            all_step_results(exercise, RevealQuery(rel=1))
        assert reveal.own_results(seat_of(exercise, "Ann")) == []


def test_students_see_own_results_of_shown_steps_only(ended_exercise):
    assert reveal.own_results(seat_of(ended_exercise, "Ann")) == []
    clock.reveal(ended_exercise, CLASS)
    assert [result.number for result in reveal.own_results(seat_of(ended_exercise, "Ann"))] == [CLASS, PAIR]
    assert own_figures(ended_exercise, "Ann", CLASS).mean.defined
    clock.reveal(ended_exercise, 0)
    assert reveal.own_results(seat_of(ended_exercise, "Ann")) == []


@pytest.mark.slow
def test_no_own_results_without_show_own(db):
    exercise = reveal_all(class_of_three(show_own=False))
    assert reveal.own_results(seat_of(exercise, "Ann")) == []


# ---- my partner and I


def test_pair_by_hand(ended_exercise):
    pair = figures(ended_exercise, PAIR)
    # In both topics, both find d01 d02 d07 d08 relevant, only Ann d03, only Ben d10, and neither the other six.
    assert pair.worked.rows == (("nonrelevant", (12, 2), 14), ("relevant", (2, 8), 10))
    assert (pair.a, pair.b, pair.worked.n) == ("Ann", "Ben", 24)
    # Both find 10 of 24 relevant: P(A) = 20/24, P(E) = (14/24)^2 + (10/24)^2 = 296/576, kappa = (480 - 296) / 280.
    assert pair.worked.pooled.value == pytest.approx(float(Fraction(184, 280)), abs=1e-12)
    assert "give the same grade to 20 of 24 documents, 83%. Chance alone would give 51%" in pair.sentence
    assert "is 0.66 (dubious)" in pair.sentence
    assert [step.name for step in pair.worked.steps].count("kappa") == 2
    assert [(step.name, value) for step, value in pair.steps][:2] == [("P(A)", "0.83"), ("P(nonrelevant)", "0.58")]
    assert [value for step, value in pair.steps if step.name == "kappa"] == ["0.66", "0.66"]


def test_instructor_chooses_the_pair(ended_exercise):
    ann, ben, cem = ended_exercise.seats.order_by("joined_at")
    chosen = figures(ended_exercise, PAIR, a=cem.pk, b=ben.pk)
    assert (chosen.a, chosen.b) == ("Cem", "Ben")
    assert figures(ended_exercise, PAIR, a=cem.pk).b == "Ann"  # the first follows the last
    with pytest.raises(Refused, match="Choose two different students, not Ann twice"):
        query_for(ended_exercise, a=ann.pk, b=ann.pk)
    for unknown in ("0", "Ann", "999999"):
        with pytest.raises(Refused, match="no judgements in this exercise"):
            query_for(ended_exercise, a=unknown)
    with pytest.raises(Refused, match="chance must be one of pooled, unpooled, not 'sometimes'"):
        query_for(ended_exercise, chance="sometimes")


@pytest.mark.slow
def test_partner_is_the_next_student_who_judged(db):
    exercise = create_exercise()
    clock.start(exercise)
    ann, _idle, cem = join_all(exercise, "Ann", "Idle", "Cem")
    for seat in (ann, cem):
        judge_relevant(seat, RELEVANT_BY_STUDENT[seat.nickname])
    reveal_all(end_exercise(exercise))
    assert (own_figures(exercise, "Ann", PAIR).a, own_figures(exercise, "Ann", PAIR).b) == ("Ann", "Cem")
    assert own_figures(exercise, "Cem", PAIR).b == "Ann"
    pairs = class_pairs(reload(exercise))  # the worksheet has the same pairs
    assert [pair.partner.nickname for pair in pairs.values()] == ["Cem", "Cem", "Ann"]
    for result in reveal.own_results(seat_of(exercise, "Idle")):
        assert "You judged n" in (result.refusal or result.figures.sentence)


# ---- every pair


@pytest.mark.parametrize(("chance", "name"), [("pooled", "pooled_kappa"), ("unpooled", "cohen_kappa")])
def test_matrix_contains_kappa_of_every_pair(ended_exercise, chance, name):
    matrix = figures(ended_exercise, CLASS, chance=chance)
    ratings = collection_ratings(ended_exercise.collection, 1)
    assert [row.name for row in matrix.rows] == ["Ann", "Ben", "Cem"]
    for place, row in enumerate(matrix.rows):
        assert row.cells[place] is None
        for cell in filter(None, row.cells):
            expected = agreement.overall(ratings, name, "pooled", row.name, cell.other)
            assert cell.estimate.value == pytest.approx(expected.value, abs=1e-12)
            assert (cell.estimate.n, cell.estimate.band) == (expected.n, expected.band)
            assert f"{row.name} and {cell.other}: {expected.shown(2)}, n = 24" in cell.title
    assert matrix.mean.value == pytest.approx(agreement.mean_pairwise(ratings, name).value, abs=1e-12)
    assert matrix.sentence.startswith(
        "In this exercise, the students agree poorly: on average, a pair gives the same grade to 67%"
    )
    assert f"{chance} kappa, which corrects for chance, is {matrix.mean.value:.2f}" in matrix.sentence
    assert "between Ann and Ben" in matrix.sentence


def test_own_row_has_highest_kappa_first_and_place_in_class(ended_exercise):
    row = own_figures(reveal_all(ended_exercise), "Ben", CLASS)
    matrix = figures(ended_exercise, CLASS)
    assert [cell.other for cell in row.cells] == ["Ann", "Cem"]
    assert row.mean == matrix.rows[1].mean
    means = sorted((each.mean.value for each in matrix.rows), reverse=True)
    assert row.place == 1 + means.index(row.mean.value)
    assert f"The mean over all pairs of the class is {matrix.mean.value:.2f}" in row.sentence


@pytest.mark.slow
def test_pairs_without_kappa_and_students_without_judgements_are_listed(db):
    exercise = create_exercise(shared=4)
    clock.start(exercise)
    for seat in join_all(exercise, "Ann", "Ben", "Cem", "Idle"):
        if seat.nickname != "Idle":
            judge_relevant(seat, {f"d{number:02}" for number in range(1, 13)} if seat.nickname == "Cem" else set())
    exercise = end_exercise(exercise)
    matrix = figures(exercise, CLASS)
    assert matrix.undefined == "1 pair undefined (one category)"
    assert matrix.rows[0].cells[1].tone is None
    assert matrix.rows[0].cells[1].shown == "–"
    assert matrix.rows[0].mean.n_averaged == 1
    assert matrix.absent == "Idle judged no documents."
    assert "undefined (one category)" in figures(exercise, PAIR).sentence


@pytest.mark.parametrize(("judged_names", "words"), [([], "nobody has"), (["Ann"], "only Ann has")])
def test_fewer_than_two_judges_are_refused_at_every_step(db, judged_names, words):
    exercise = create_exercise(shared=4)
    clock.start(exercise)
    for seat in join_all(exercise, "Ann", "Ben"):
        if seat.nickname in judged_names:
            judge_relevant(seat, {"d01"})
    exercise = end_exercise(exercise)
    for result in all_step_results(exercise, query_for(exercise)):
        assert result.figures is None
        assert words in result.refusal


# ---- cache


def test_figures_are_cached_until_somebody_judges(ended_exercise, django_assert_num_queries):
    query = query_for(ended_exercise)
    before = step_result(ended_exercise, CLASS, query).figures
    with django_assert_num_queries(3):  # seats; then runs and members, to see whether anything has changed
        assert step_result(ended_exercise, CLASS, query).figures == before
    clock.extend(ended_exercise, 5)
    ann = ended_exercise.seats.get(nickname="Ann")
    judge_relevant(ann, RELEVANT_BY_STUDENT["Cem"])
    after = figures(end_exercise(ended_exercise), CLASS)
    assert after.mean.value > before.mean.value
    assert after.rows[0].cells[2].estimate.value == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_number_of_queries_does_not_grow_with_students(db, number, django_assert_max_num_queries):
    exercise = create_exercise(shared=6)
    clock.start(exercise)
    for seat in join_all(exercise, *RELEVANT_BY_STUDENT, *(f"Late {number}" for number in range(7))):
        judge_relevant(seat, RELEVANT_BY_STUDENT.get(seat.nickname, {"d01", seat.nickname[-1]}))
    exercise = reveal_all(end_exercise(exercise))
    with django_assert_max_num_queries(21):
        step_result(exercise, number, RevealQuery(seat_of(exercise, "Ann"), seat_of(exercise, "Ben"), rel=1))
    ann = seat_of(exercise, "Ann")
    with django_assert_max_num_queries(25):
        reveal.own_results(ann)


def test_same_nickname_in_another_exercise_does_not_count(ended_exercise):
    other = make_other_exercise(ended_exercise)
    assert [row.name for row in figures(ended_exercise, CLASS).rows] == ["Ann", "Ben", "Cem"]
    assert Judgement.objects.filter(member__collection=other.collection).exists()


def make_other_exercise(exercise: Exercise) -> Exercise:
    other = pasted_exercise(exercise.instructor, title="Other")
    clock.start(other)
    for seat in join_all(other, "Ann", "Zoe"):
        for assignment in assignments_of(seat):
            record_grade(seat, assignment, 1)
    return other
