"""The figures of the steps about the whole class: coefficients, contested documents, prevalence and ranking."""

from fractions import Fraction

import pytest

import agreement
from assess.analysis.data import collection_ratings
from assess.models import Exercise, Seat
from assess.teaching import clock
from assess.teaching.reveal.everybody import Line
from assess.teaching.reveal.matrix import Cell
from assess.teaching.reveal.reveal import step_result
from tests.assess.exercise_factories import assignments_of, join_all, make_instructor, pasted_exercise, record_grade
from tests.assess.judged_exercises import (
    ALL,
    CONTESTED,
    PAIR,
    PREVALENCE,
    RANKING,
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
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended_exercise(db):
    return class_of_three()


@pytest.mark.parametrize(
    ("kappa", "shown", "tone"),
    [
        (-0.006, "−0.01", 0),
        (-0.004, "0.00", 1),
        (0.194, "0.19", 1),
        (0.196, "0.20", 2),
        (0.797, "0.80", 5),
        (None, "–", None),
    ],
)
def test_cell_has_the_colour_of_the_number_that_it_shows(kappa, shown, tone):
    reason = "one_category" if kappa is None else None
    cell = Cell("Ann", "Ben", agreement.Estimate(kappa, "pooled_kappa", reason=reason))
    assert (cell.shown, cell.tone) == (shown, tone)


# ---- all at once


def test_coefficients_equal_those_of_agreement(ended_exercise):
    result = figures(ended_exercise, ALL)
    ratings = collection_ratings(ended_exercise.collection, 1)
    expected = [
        agreement.mean_pairwise(ratings, "pooled_kappa").interval("analytic"),
        agreement.mean_pairwise(ratings, "cohen_kappa").interval("analytic"),
        agreement.fleiss_kappa(ratings).interval("analytic"),
        agreement.krippendorff_alpha(ratings, "nominal").interval("analytic"),
    ]
    assert [line.estimate for line in result.lines] == expected
    assert result.method.startswith("95% intervals: analytic: ")
    assert all(line.estimate.low <= line.estimate.value <= line.estimate.high for line in result.lines)
    assert f"Fleiss' kappa is {expected[2].value:.2f} ({expected[2].band})" in result.sentence
    for line, mark in result.rows:  # the mark shows the value and its interval on an axis from `start` to 1
        drawn = [
            result.start + share / 100 * (1 - result.start) for share in (mark.at, mark.left, mark.left + mark.width)
        ]
        assert drawn == pytest.approx(
            [line.estimate.value, max(line.estimate.low, result.start), min(line.estimate.high, 1)], abs=1e-3
        )
    assert (result.ticks[0][0], result.ticks[-1]) == (0, (100, "1.00"))


def test_shown_interval_ends_at_one():
    estimate = agreement.Estimate(0.9, "fleiss_kappa", low=0.72, high=1.08)
    assert Line("Fleiss' kappa", "", estimate).interval == "0.72 to 1.00"


@pytest.mark.slow
def test_alpha_is_ordinal_for_graded_judgements(db):
    exercise = class_of_three(binary=False)
    assert figures(exercise, ALL, rel=None).lines[3].name == "Krippendorff's alpha, ordinal"
    assert figures(exercise, ALL, rel=1).lines[3].name == "Krippendorff's alpha, nominal"
    assert len(figures(exercise, PAIR, rel=None).worked.labels) == 4
    assert figures(exercise, RANKING, rel=2).rel == 2
    refusal = step_result(exercise, PAIR, query_for(exercise, rel=9)).refusal
    assert refusal == "The relevance threshold must be one of 1, 2, 3, not 9."


def test_student_is_compared_with_the_majority(ended_exercise):
    result = own_figures(reveal_all(ended_exercise), "Cem", ALL)
    # Ann and Ben disagree on d03 and d10. Of the other ten, both find four relevant, and Cem finds four more relevant.
    assert (result.n, result.n_undecided) == (20, 4)
    assert result.pooled.observed == pytest.approx(12 / 20)


# ---- where you disagree


@pytest.mark.slow
def test_most_contested_documents_have_votes_without_names(db):
    exercise = class_of_three(show_comments=True)
    result = figures(exercise, CONTESTED)
    assert result.sentence.startswith("In this exercise, you disagree on 12 of 24 documents")
    for document in result.documents:
        assert sum(vote.n for vote in document.votes) == document.n == 3
        assert document.votes[1].n == document.n_relevant
        assert 0 < document.n_relevant < 3
        assert len(document.comments) == 3
        assert {comment.text.split()[-1] for comment in document.comments} == {document.title.split()[-1]}
    assert not {"Ann", "Ben", "Cem"} & set(repr(result.documents).split("'"))


def test_comments_are_shown_only_on_the_screen_and_if_chosen(ended_exercise):
    assert not any(document.comments for document in figures(ended_exercise, CONTESTED).documents)
    Exercise.objects.filter(pk=ended_exercise.pk).update(show_comments=True)
    assert all(document.comments for document in figures(reload(ended_exercise), CONTESTED).documents)
    result = own_figures(reveal_all(reload(ended_exercise)), "Ann", CONTESTED)
    assert not any(document.comments for document in result.documents)


def test_own_vote_is_marked(ended_exercise):
    reveal_all(ended_exercise)
    for nickname, relevant in RELEVANT_BY_STUDENT.items():
        for document in own_figures(ended_exercise, nickname, CONTESTED).documents:
            assert document.own.value == int(document.title.removeprefix("Title ") in relevant)


def test_unanimous_class_has_no_contested_documents(db):
    exercise = create_exercise(shared=4)
    clock.start(exercise)
    for seat in join_all(exercise, "Ann", "Ben"):
        judge_relevant(seat, {"d01", "d02", "d07"})
    exercise = reveal_all(end_exercise(exercise))
    assert "In this exercise, you all agree on every one of 4 documents" in figures(exercise, CONTESTED).sentence
    assert "none of the documents" in own_figures(exercise, "Ann", CONTESTED).sentence


# ---- prevalence


def test_prevalence_curve_passes_through_the_class(ended_exercise):
    result = figures(ended_exercise, PREVALENCE)
    ratings = collection_ratings(ended_exercise.collection, 1)
    assert (result.n_relevant, result.n_judgements) == (40, 72)  # 2 topics: 5 + 5 + 10
    assert result.fleiss == agreement.fleiss_kappa(ratings)
    through = agreement.kappa_from_proportions(
        Fraction(result.fleiss.observed), Fraction(40, 72), Fraction(40, 72), "pooled"
    )
    assert through.value == pytest.approx(result.fleiss.value, abs=1e-12)
    # They disagree on a third, so no judge can find less than a sixth relevant.
    possible = {point.percent: point.kappa is not None for point in result.points}
    assert (possible["10%"], possible["20%"], possible["80%"], possible["90%"]) == (False, True, True, False)
    half = next(point for point in result.points if point.percent == "50%")
    assert half.kappa == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))
    assert "The same agreement gives a kappa of" in result.sentence
    assert [topic.n_judgements for topic in result.topics] == [36, 36]


@pytest.fixture
def exercise_with_documents_of_one(db):
    """Ann and Ben judge topic 1 as in `class_of_three`; Ann alone finds all documents of topic 2 relevant."""
    exercise = create_exercise()
    clock.start(exercise)
    for seat in join_all(exercise, "Ann", "Ben"):
        for assignment in assignments_of(seat):
            first = assignment.task.topic.query_id == "1"
            if first or seat.nickname == "Ann":
                relevant = not first or assignment.task.document.doc_id in RELEVANT_BY_STUDENT[seat.nickname]
                record_grade(seat, assignment, int(relevant))
    return reveal_all(end_exercise(exercise))


@pytest.mark.in_ci
def test_prevalence_is_that_of_the_documents_of_kappa(exercise_with_documents_of_one):
    """In topic 1, both find 5 of 12 relevant and agree on 10: P(A) is 83 %, and 10 of 24 judgements are relevant."""
    result = figures(exercise_with_documents_of_one, PREVALENCE)
    assert (result.n_relevant, result.n_judgements) == (10, 24)
    assert result.sentence.startswith(
        "In this exercise, you agree on 83% of the documents judged by two or more (P(A)), and 42% of their "
        "judgements are relevant."
    )
    assert result.basis[1:4] == [
        "12 documents judged by two or more",
        "12 judged by only one, left out",
        "10 of 24 judgements relevant (grade 1 and above)",
    ]
    assert [(line.share, line.n_judgements, line.fleiss.n) for line in result.topics] == [("42%", 24, 12), ("–", 0, 0)]
    assert own_figures(exercise_with_documents_of_one, "Ann", PREVALENCE).sentence == (
        "In this exercise, you found 17 of 24 documents relevant, 71%; of all judgements of documents judged by two or "
        "more, 42% are relevant."
    )


def test_the_coefficients_state_their_documents(exercise_with_documents_of_one):
    result = figures(exercise_with_documents_of_one, ALL)
    assert result.basis[1:4] == [
        "12 documents judged by two or more",
        "12 judged by only one, left out of agreement and chance",
        "24 judgements",
    ]
    fleiss = next(line for line in result.lines if line.name == "Fleiss' kappa")
    assert fleiss.meaning == "one table for all, with chance from the grade shares of documents judged by two or more"


def test_class_with_one_category_has_no_point(db):
    exercise = create_exercise(shared=4)
    clock.start(exercise)
    for seat in join_all(exercise, "Ann", "Ben"):
        judge_relevant(seat, {f"d{number:02}" for number in range(1, 13)})
    result = figures(end_exercise(exercise), PREVALENCE)
    assert "line2d" in result.chart
    assert "var(--warn)" not in result.chart  # no dot
    assert "undefined (one category)" in result.sentence
    assert {point.kappa for point in result.points} == {1.0}


def test_student_sees_own_share_of_relevant_documents(ended_exercise):
    assert own_figures(reveal_all(ended_exercise), "Cem", PREVALENCE).sentence == (
        "In this exercise, you found 20 of 24 documents relevant, 83%; of all judgements of documents judged by two "
        "or more, 56% are relevant."
    )


# ---- the ranking


def judge_by_topic(seat: Seat, relevant: dict[str, set[str]]) -> None:
    for assignment in assignments_of(seat):
        task = assignment.task
        record_grade(seat, assignment, int(task.document.doc_id in relevant[task.topic.query_id]))


@pytest.mark.slow
def test_best_system_depends_on_the_gold(db):
    exercise = create_exercise()
    clock.start(exercise)
    # alpha ranks topic 1 from d01 down and topic 2 from d12 up; beta the other way round.
    early, late = {"d01", "d02"}, {"d11", "d12"}
    golds = {"Ann": {"1": early, "2": late}, "Ben": {"1": early, "2": late}, "Cem": {"1": late, "2": early}}
    for seat in join_all(exercise, *golds):
        judge_by_topic(seat, golds[seat.nickname])
    exercise = reveal_all(end_exercise(exercise))
    result = figures(exercise, RANKING)
    assert result.tops == [(("alpha",), 2), (("beta",), 1)]
    assert (result.n_pairs, result.n_changed) == (3, 2)
    assert result.taus.value == pytest.approx((1 - 1 - 1) / 3)  # of two systems tau is 1 or -1
    assert result.least[0] == pytest.approx(-1)
    assert [(line.system, line.n_best, line.ranks) for line in result.systems] == [
        ("alpha", 2, "1 to 2"),
        ("beta", 1, "1 to 2"),
    ]
    assert result.sentence.startswith(
        "In this exercise, alpha is the best under the judgements of 2 of 3 students, beta under the others; the best "
        "systems differ in 67% of the pairs of students."
    )
    # Three judges and two topics make nine mixed golds, so all of them are used.
    assert "all 9 mixed golds" in result.mixed
    assert own_figures(exercise, "Cem", RANKING).sentence.startswith(
        "In this exercise, under your judgements, beta is the best. The result is the same for 0 of the 2 other "
        "students."
    )


def test_tied_systems_are_reported_as_tied(ended_exercise):
    result = figures(ended_exercise, RANKING)
    assert result.sentence.startswith(
        "In this exercise, alpha and beta are tied for the best of 2 systems under the judgements of all 3 students"
    )
    assert "undefined (all systems tied)" in result.sentence
    assert "3 pairs of students without a tau_b" in result.tau_notes


def test_exercise_without_runs_has_no_ranking(db):
    exercise = pasted_exercise(make_instructor(), title="Pasted")
    clock.start(exercise)
    for seat in join_all(exercise, "Ann", "Ben"):
        for assignment in assignments_of(seat):
            record_grade(seat, assignment, 1)
    exercise = end_exercise(exercise)
    result = step_result(exercise, RANKING, query_for(exercise))
    assert result.figures is None
    assert "has no runs of systems" in result.refusal
