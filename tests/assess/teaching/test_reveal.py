"""The reveal's figures: what is shown of a class that judged, to whom, and when."""

from fractions import Fraction

import pytest

import agreement
from assess.analysis.data import collection_ratings
from assess.errors import Refused
from assess.models import Exercise, Judgement, Seat
from assess.teaching import clock
from assess.teaching.clock import NotYet
from assess.teaching.pairing import class_pairs
from assess.teaching.reveal import reveal
from assess.teaching.reveal.query import RevealQuery, judged_seats, parse_query
from assess.teaching.reveal.reveal import all_step_results, step_result
from assess.teaching.reveal.steps import STEPS
from tests.assess.exercise_factories import given, instructor_of, joined, pasted_exercise, say
from tests.assess.judged_exercises import (
    ALL,
    CLASS,
    CONTESTED,
    HABITS,
    PAIR,
    PREVALENCE,
    RANKING,
    class_of_three,
    ended,
    fresh,
    judge,
    made,
)

pytestmark = pytest.mark.django_db


def seat_of(exercise: Exercise, nickname: str) -> Seat:
    return Seat.objects.select_related("exercise__collection").get(exercise=exercise, nickname=nickname)


def asked(exercise: Exercise, rel: int | None = 1, **query) -> RevealQuery:
    return parse_query(exercise, {name: str(value) for name, value in query.items()}, rel)


def figures(exercise: Exercise, number: int, **query):
    shown = step_result(exercise, number, asked(exercise, **query))
    assert not shown.refusal, shown.refusal
    return shown.figures


def own(exercise: Exercise, nickname: str, number: int):
    shown = reveal.own_result(seat_of(exercise, nickname), number)
    assert not shown.refusal, shown.refusal
    return shown.figures


@pytest.fixture
def over(db):
    return class_of_three()


def shown_first(exercise: Exercise) -> Exercise:
    clock.reveal(exercise, len(STEPS))
    return exercise


# ---- when, and to whom


def test_nothing_is_shown_while_somebody_may_judge(db):
    exercise = made()
    joined(exercise, "Ann")
    for deed, phase in ((clock.start, "running"), (clock.pause, "paused"), (clock.resume, "running")):
        deed(exercise)
        with pytest.raises(NotYet, match=f"The exercise is {phase}. The reveal opens after it has ended"):
            step_result(exercise, PAIR, RevealQuery(rel=1))
        with pytest.raises(NotYet):
            all_step_results(exercise, RevealQuery(rel=1))
        assert reveal.own_results(seat_of(exercise, "Ann")) == []


def test_students_see_their_column_of_the_steps_that_were_shown_and_of_no_other(over):
    assert reveal.own_results(seat_of(over, "Ann")) == []
    clock.reveal(over, CLASS)
    assert [shown.number for shown in reveal.own_results(seat_of(over, "Ann"))] == [CLASS, PAIR]
    assert own(over, "Ann", CLASS).mean.defined
    for number in (0, ALL, RANKING, len(STEPS) + 1):
        with pytest.raises(NotYet, match="This step has not been shown yet"):
            reveal.own_result(seat_of(over, "Ann"), number)
    clock.reveal(over, 0)
    assert reveal.own_results(seat_of(over, "Ann")) == []


def test_where_students_see_nothing_of_their_own_they_never_do(db):
    exercise = shown_first(class_of_three(show_own=False))
    assert reveal.own_results(seat_of(exercise, "Ann")) == []
    with pytest.raises(NotYet):
        reveal.own_result(seat_of(exercise, "Ann"), PAIR)


# ---- my partner and I


def test_the_pair_s_table_is_worked_out_by_hand(over):
    pair = figures(over, PAIR)
    # Of each of two topics: both find d01 d02 d07 d08 relevant, Ann alone d03, Ben alone d10, neither the other six.
    assert pair.worked.rows == (("nonrelevant", (12, 2), 14), ("relevant", (2, 8), 10))
    assert (pair.a, pair.b, pair.worked.n) == ("Ann", "Ben", 24)
    # Both find 10 of 24 relevant: P(A) = 20/24, P(E) = (14/24)^2 + (10/24)^2 = 296/576, kappa = (480 - 296) / 280.
    assert pair.worked.pooled.value == pytest.approx(float(Fraction(184, 280)), abs=1e-12)
    assert "give the same grade to 20 of 24 documents, 83%. Chance alone would give 51%" in pair.sentence
    assert "is 0.66 (dubious)" in pair.sentence
    assert [step.name for step in pair.worked.steps].count("kappa") == 2


def test_the_instructor_chooses_the_pair(over):
    ann, ben, cem = over.seats.order_by("joined_at")
    chosen = figures(over, PAIR, a=cem.pk, b=ben.pk)
    assert (chosen.a, chosen.b) == ("Cem", "Ben")
    assert figures(over, PAIR, a=cem.pk).b == "Ann"  # after the last comes the first
    with pytest.raises(Refused, match="Choose two different students, not Ann twice"):
        asked(over, a=ann.pk, b=ann.pk)
    for nobody in ("0", "Ann", "999999"):
        with pytest.raises(Refused, match="judged nothing in this exercise"):
            asked(over, a=nobody)
    with pytest.raises(Refused, match="chance must be one of pooled, unpooled, not 'sometimes'"):
        asked(over, chance="sometimes")


def test_everybody_s_partner_is_the_next_who_judged_something(db):
    exercise = made()
    clock.start(exercise)
    ann, _idle, cem = joined(exercise, "Ann", "Idle", "Cem")
    for seat in (ann, cem):
        judge(seat, HABITS[seat.nickname])
    shown_first(ended(exercise))
    assert (own(exercise, "Ann", PAIR).a, own(exercise, "Ann", PAIR).b) == ("Ann", "Cem")
    assert own(exercise, "Cem", PAIR).b == "Ann"
    found = class_pairs(fresh(exercise))  # the worksheet's pair is the same
    assert [pair.partner.nickname for pair in found.values()] == ["Cem", "Cem", "Ann"]
    for shown in reveal.own_results(seat_of(exercise, "Idle")):
        assert "You judged n" in (shown.refusal or shown.figures.sentence)


# ---- every pair


@pytest.mark.parametrize(("chance", "name"), [("pooled", "pooled_kappa"), ("unpooled", "cohen_kappa")])
def test_the_matrix_holds_every_pair_s_kappa(over, chance, name):
    matrix = figures(over, CLASS, chance=chance)
    ratings = collection_ratings(over.collection, 1)
    assert [row.name for row in matrix.rows] == ["Ann", "Ben", "Cem"]
    for place, row in enumerate(matrix.rows):
        assert row.cells[place] is None
        for cell in filter(None, row.cells):
            expected = agreement.overall(ratings, name, "pooled", row.name, cell.other)
            assert cell.estimate.value == pytest.approx(expected.value, abs=1e-12)
            assert (cell.estimate.n, cell.estimate.band) == (expected.n, expected.band)
            assert f"{row.name} and {cell.other}: {expected.shown()}, n = 24" in cell.title
    assert matrix.mean.value == pytest.approx(agreement.mean_pairwise(ratings, name).value, abs=1e-12)
    assert matrix.sentence.startswith("Two of you agree poorly: on average, a pair gives the same grade to 67%")
    assert f"{chance} kappa, which corrects for chance, is {matrix.mean.value:.2f}" in matrix.sentence
    assert "between Ann and Ben" in matrix.sentence


def test_a_student_s_row_has_the_nearest_first_and_its_place_in_the_class(over):
    row = own(shown_first(over), "Ben", CLASS)
    matrix = figures(over, CLASS)
    assert [cell.other for cell in row.cells] == ["Ann", "Cem"]
    assert row.mean == matrix.rows[1].mean
    means = sorted((each.mean.value for each in matrix.rows), reverse=True)
    assert row.place == 1 + means.index(row.mean.value)
    assert f"The mean over all pairs of the class is {matrix.mean.value:.2f}" in row.sentence


def test_pairs_without_a_kappa_and_students_without_judgements_are_told(db):
    exercise = made(shared=4)
    clock.start(exercise)
    for seat in joined(exercise, "Ann", "Ben", "Cem", "Idle"):
        if seat.nickname != "Idle":
            judge(seat, {f"d{number:02}" for number in range(1, 13)} if seat.nickname == "Cem" else set())
    exercise = ended(exercise)
    matrix = figures(exercise, CLASS)
    assert matrix.undefined == "1 pair undefined (one category)"
    assert matrix.rows[0].cells[1].tone is None
    assert matrix.rows[0].cells[1].shown == "–"
    assert matrix.rows[0].mean.n_averaged == 1
    assert matrix.absent == "Idle judged nothing."
    assert "undefined (one category)" in figures(exercise, PAIR).sentence
    assert "Idle" not in [seat.nickname for seat in judged_seats(exercise)]


@pytest.mark.parametrize(("nobody", "words"), [([], "nobody has"), (["Ann"], "only Ann has")])
def test_fewer_than_two_judges_are_a_sentence_at_every_step(db, nobody, words):
    exercise = made(shared=4)
    clock.start(exercise)
    for seat in joined(exercise, "Ann", "Ben"):
        if seat.nickname in nobody:
            judge(seat, {"d01"})
    exercise = ended(exercise)
    for shown in all_step_results(exercise, asked(exercise)):
        assert shown.figures is None
        assert words in shown.refusal


# ---- all at once


def test_the_coefficients_of_all_are_agreement_s_with_the_exercise_s_seed(over):
    found = figures(over, ALL)
    ratings = collection_ratings(over.collection, 1)
    how = {"interval": "topics", "seed": over.seed, "draws": 1000}
    expected = [
        agreement.mean_pairwise(ratings, "pooled_kappa", **how),
        agreement.mean_pairwise(ratings, "cohen_kappa", **how),
        agreement.fleiss_kappa(ratings, pi_items="pooled", **how),
        agreement.krippendorff_alpha(ratings, "nominal", **how),
    ]
    assert [line.estimate for line in found.lines] == expected
    assert f"1000 draws, seed {over.seed}" in found.method
    assert "only 2 topics" in found.method
    assert f"Fleiss' kappa is {expected[2].value:.2f} ({expected[2].band})" in found.sentence
    for line, mark in found.rows:  # what is drawn is the value and its interval, on an axis from `start` to 1
        drawn = [
            found.start + share / 100 * (1 - found.start) for share in (mark.at, mark.left, mark.left + mark.width)
        ]
        assert drawn == pytest.approx(
            [line.estimate.value, max(line.estimate.low, found.start), line.estimate.high], abs=1e-3
        )
    assert (found.ticks[0][0], found.ticks[-1]) == (0, (100, "1.00"))


def test_a_graded_class_may_keep_its_grades_and_alpha_is_then_ordinal(db):
    exercise = class_of_three(binary=False)
    assert figures(exercise, ALL, rel=None).lines[3].name == "Krippendorff's alpha, ordinal"
    assert figures(exercise, ALL, rel=1).lines[3].name == "Krippendorff's alpha, nominal"
    assert len(figures(exercise, PAIR, rel=None).worked.labels) == 4
    assert figures(exercise, RANKING, rel=2).rel == 2
    assert "cuts nothing" in step_result(exercise, PAIR, asked(exercise, rel=9)).refusal


def test_a_student_meets_the_majority_of_the_others(over):
    found = own(shown_first(over), "Cem", ALL)
    # Ann and Ben are split over d03 and d10; of the other ten, both find four relevant, and Cem these and four more.
    assert (found.n, found.n_undecided) == (20, 4)
    assert found.pooled.observed == pytest.approx(12 / 20)


# ---- where you part


def test_the_most_contested_come_first_with_their_votes_and_no_names(db):
    exercise = class_of_three(show_comments=True)
    found = figures(exercise, CONTESTED)
    assert found.sentence.startswith("You disagree on 12 of 24 documents")
    for document in found.documents:
        assert sum(vote.n for vote in document.votes) == document.n == 3
        assert document.votes[1].n == document.n_relevant
        assert 0 < document.n_relevant < 3
        assert len(document.comments) == 3
        assert {comment.text.split()[-1] for comment in document.comments} == {document.title.split()[-1]}
    assert not {"Ann", "Ben", "Cem"} & set(repr(found.documents).split("'"))


def test_comments_are_shown_only_where_that_was_said_and_never_on_other_devices(over):
    assert not any(document.comments for document in figures(over, CONTESTED).documents)
    Exercise.objects.filter(pk=over.pk).update(show_comments=True)
    assert all(document.comments for document in figures(fresh(over), CONTESTED).documents)
    shown = own(shown_first(fresh(over)), "Ann", CONTESTED)
    assert not any(document.comments for document in shown.documents)


def test_a_student_s_own_vote_is_marked_among_the_others(over):
    shown_first(over)
    for nickname, relevant in HABITS.items():
        for document in own(over, nickname, CONTESTED).documents:
            assert document.own.value == int(document.title.removeprefix("Title ") in relevant)


def test_a_class_of_one_mind_has_nothing_to_part_over(db):
    exercise = made(shared=4)
    clock.start(exercise)
    for seat in joined(exercise, "Ann", "Ben"):
        judge(seat, {"d01", "d02", "d07"})
    exercise = shown_first(ended(exercise))
    assert "You all agree on every one of 4 documents" in figures(exercise, CONTESTED).sentence
    assert "none of the documents" in own(exercise, "Ann", CONTESTED).sentence


# ---- prevalence


def test_the_curve_passes_through_the_class_and_ends_where_it_must(over):
    found = figures(over, PREVALENCE)
    ratings = collection_ratings(over.collection, 1)
    assert (found.n_relevant, found.n_judgements) == (40, 72)  # 2 topics: 5 + 5 + 10
    assert found.fleiss == agreement.fleiss_kappa(ratings, pi_items="pooled")
    through = agreement.kappa_from_proportions(
        Fraction(found.fleiss.observed), Fraction(40, 72), Fraction(40, 72), "pooled"
    )
    assert through.value == pytest.approx(found.fleiss.value, abs=1e-12)
    # They differ on a third: who finds less than a sixth relevant could not.
    possible = {point.percent: point.kappa is not None for point in found.points}
    assert (possible["10%"], possible["20%"], possible["80%"], possible["90%"]) == (False, True, True, False)
    half = next(point for point in found.points if point.percent == "50%")
    assert half.kappa == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))
    assert "The same agreement gives a kappa of" in found.sentence
    assert [topic.n_judgements for topic in found.topics] == [36, 36]


def test_a_class_that_found_everything_relevant_has_a_curve_and_no_point(db):
    exercise = made(shared=4)
    clock.start(exercise)
    for seat in joined(exercise, "Ann", "Ben"):
        judge(seat, {f"d{number:02}" for number in range(1, 13)})
    found = figures(ended(exercise), PREVALENCE)
    assert found.dot is None
    assert "undefined (one category)" in found.sentence
    assert {point.kappa for point in found.points} == {1.0}


def test_a_student_sees_the_own_share_of_relevant_documents(over):
    assert own(shown_first(over), "Cem", PREVALENCE).sentence == (
        "You found 20 of 24 documents relevant, 83%; the whole class found 56% relevant."
    )


# ---- the ranking


def by_topic(seat: Seat, relevant: dict[str, set[str]]) -> None:
    for assignment in given(seat):
        task = assignment.task
        say(seat, assignment, int(task.document.doc_id in relevant[task.topic.query_id]))


def test_who_is_the_gold_decides_which_system_is_best(db):
    exercise = made()
    clock.start(exercise)
    # alpha ranks topic 1 from d01 down and topic 2 from d12 up; beta the other way round.
    early, late = {"d01", "d02"}, {"d11", "d12"}
    golds = {"Ann": {"1": early, "2": late}, "Ben": {"1": early, "2": late}, "Cem": {"1": late, "2": early}}
    for seat in joined(exercise, *golds):
        by_topic(seat, golds[seat.nickname])
    exercise = shown_first(ended(exercise))
    found = figures(exercise, RANKING)
    assert found.tops == [(("alpha",), 2), (("beta",), 1)]
    assert (found.n_pairs, found.n_changed) == (3, 2)
    assert found.taus.value == pytest.approx((1 - 1 - 1) / 3)  # of two systems tau is 1 or -1
    assert found.least[0] == pytest.approx(-1)
    assert [(line.system, line.n_best, line.ranks) for line in found.systems] == [
        ("alpha", 2, "1 to 2"),
        ("beta", 1, "1 to 2"),
    ]
    assert found.sentence.startswith(
        "alpha is the best with 2 of 3 students as the gold, and beta with the others; 67% of the pairs of students "
        "have different best systems."
    )
    # Three judges of two topics are nine mixed golds: all of them are taken, and no chance is needed.
    assert "all 9 mixed golds" in found.mixed
    assert own(exercise, "Cem", RANKING).sentence.startswith(
        "With you as the gold, beta is the best. With 0 of the 2 other students, the result is the same."
    )


def test_systems_that_tie_are_told_as_tied(over):
    found = figures(over, RANKING)
    assert found.sentence.startswith(
        "alpha and beta are tied for the best of 2 systems with each of the 3 students as the gold"
    )
    assert "undefined (all systems tied)" in found.sentence
    assert "3 pairs of students without a tau_b" in found.told_of_tau


def test_an_exercise_of_pasted_documents_has_no_ranking_and_says_so(db):
    exercise = pasted_exercise(instructor_of(), title="Pasted")
    clock.start(exercise)
    for seat in joined(exercise, "Ann", "Ben"):
        for assignment in given(seat):
            say(seat, assignment, 1)
    exercise = ended(exercise)
    shown = step_result(exercise, RANKING, asked(exercise))
    assert shown.figures is None
    assert "has no runs of systems" in shown.refusal


# ---- kept


def test_figures_are_kept_until_somebody_judges(over, django_assert_num_queries):
    wanted = asked(over)
    before = step_result(over, CLASS, wanted).figures
    with django_assert_num_queries(4):  # seats; runs, events and members say whether anything has changed
        assert step_result(over, CLASS, wanted).figures == before
    clock.extend(over, 5)
    ann = over.seats.get(nickname="Ann")
    judge(ann, HABITS["Cem"])
    after = figures(ended(over), CLASS)
    assert after.mean.value > before.mean.value
    assert after.rows[0].cells[2].estimate.value == 1


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_a_step_takes_as_many_queries_for_ten_students_as_for_three(db, number, django_assert_max_num_queries):
    exercise = made(shared=6)
    clock.start(exercise)
    for seat in joined(exercise, *HABITS, *(f"Late {number}" for number in range(7))):
        judge(seat, HABITS.get(seat.nickname, {"d01", seat.nickname[-1]}))
    exercise = shown_first(ended(exercise))
    with django_assert_max_num_queries(14):
        step_result(exercise, number, RevealQuery(*judged_seats(exercise)[:2], rel=1))
    ann = seat_of(exercise, "Ann")
    with django_assert_max_num_queries(10):
        reveal.own_result(ann, number)


def test_what_the_same_nickname_says_in_another_exercise_does_not_count(over):
    other = made_other(over)
    assert [row.name for row in figures(over, CLASS).rows] == ["Ann", "Ben", "Cem"]
    assert Judgement.objects.filter(member__collection=other.collection).exists()


def made_other(exercise: Exercise) -> Exercise:
    other = pasted_exercise(exercise.instructor, title="Other")
    clock.start(other)
    for seat in joined(other, "Ann", "Zoe"):
        for assignment in given(seat):
            say(seat, assignment, 1)
    return other
