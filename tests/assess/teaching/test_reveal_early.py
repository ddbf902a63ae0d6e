"""A class exercise has its own threshold: sentences compare students who judged half of their documents."""

import pytest

from assess.models import Exercise
from assess.teaching import clock
from assess.teaching.reveal.reveal import all_step_results
from tests.assess.exercise_factories import assignments_of, join_all, record_grade
from tests.assess.judged_exercises import (
    ALL,
    CLASS,
    CONTESTED,
    PAIR,
    PREVALENCE,
    RANKING,
    create_exercise,
    end_exercise,
    figures,
    own_figures,
    query_for,
    reveal_all,
)

pytestmark = pytest.mark.django_db

EARLY, LATE = {"d01", "d02"}, {"d11", "d12"}
# Of each student: the relevant documents of topics 1 and 2, and the number of documents judged.
ANN, BEN, ZOE = ({"1": EARLY, "2": LATE}, 24), ({"1": EARLY | {"d03"}, "2": LATE}, 24), ({"1": LATE, "2": EARLY}, 7)


def judged_exercise(options: dict[str, int] | None = None, **students: tuple[dict[str, set[str]], int]) -> Exercise:
    exercise = create_exercise(**(options or {}))
    clock.start(exercise)
    for seat in join_all(exercise, *students):
        relevant, n = students[seat.nickname]
        # the documents in the order of the run alpha, so that the first seven are those of topic 1
        assignments = sorted(assignments_of(seat), key=lambda a: (a.task.topic.query_id, a.task.document.doc_id))
        for assignment in assignments[-n:]:
            task = assignment.task
            record_grade(seat, assignment, int(task.document.doc_id in relevant[task.topic.query_id]))
    return reveal_all(end_exercise(exercise))


@pytest.fixture
def exercise(db) -> Exercise:
    """Ann and Ben judge all 24 documents, Zoe only the last seven of topic 2."""
    return judged_exercise(Ann=ANN, Ben=BEN, Zoe=ZOE)


@pytest.mark.slow
def test_every_sentence_says_in_this_exercise(exercise):
    for number in (PAIR, CLASS, ALL, CONTESTED, PREVALENCE, RANKING):
        assert figures(exercise, number).sentence.startswith("In this exercise, ")
    for number in (PAIR, CLASS, ALL, PREVALENCE, RANKING):
        assert own_figures(exercise, "Ann", number).sentence.startswith("In this exercise, ")


@pytest.mark.slow
def test_seven_judgements_of_a_student_are_not_in_the_sentence_about_pairs(exercise):
    matrix = figures(exercise, CLASS)
    # Ann and Ben disagree on one of 24 documents: 4 and 5 relevant
    assert matrix.compared_mean.n_averaged == 1
    assert matrix.mean.n_averaged + len(matrix.mean.skipped) == 3
    assert matrix.sentence.startswith("In this exercise, the students agree well: on average, a pair gives the same")
    assert "to 96% of its documents" in matrix.sentence
    assert "Zoe" not in matrix.sentence
    assert matrix.left_out == "Too early to say: Zoe judged 7 of 24, and 50% of their documents are needed."
    assert [row.name for row in matrix.rows] == ["Ann", "Ben", "Zoe"]  # the table has every pair
    ann = own_figures(exercise, "Ann", CLASS)
    assert ann.of == 2


@pytest.mark.slow
def test_seven_judgements_of_a_student_are_not_in_the_ranking(exercise):
    ranking = figures(exercise, RANKING)
    assert ranking.sentence.startswith("In this exercise, alpha is the best of 2 systems under the judgements of all 2")
    assert "Zoe" not in ranking.sentence
    assert (ranking.n_judges, ranking.n_pairs, ranking.n_changed) == (2, 1, 0)
    assert ranking.mixed_sentence.startswith("In this exercise: No. Over all 4 mixed golds (2 judges, 2 topics")
    assert ranking.left_out.startswith(
        "Too early to say: Zoe judged 7 of 24, and 50% of their documents are needed. Under their judgements: Zoe: "
    )
    assert "mean tau_b" in ranking.left_out
    assert own_figures(exercise, "Ann", RANKING).n_others == 1


@pytest.mark.slow
def test_a_pair_with_few_judgements_is_too_early(exercise):
    zoe, ann = exercise.seats.get(nickname="Zoe"), exercise.seats.get(nickname="Ann")
    pair = figures(exercise, PAIR, a=ann.pk, b=zoe.pk)
    assert pair.sentence == (
        "Too early to say in this exercise: Zoe judged 7 of 24, and 50% of their documents are needed."
    )
    assert pair.worked.n == 7  # the table is still shown


@pytest.mark.slow
@pytest.mark.parametrize("number", [CLASS, ALL, RANKING])
def test_a_student_with_few_judgements_sees_why(exercise, number):
    assert own_figures(exercise, "Zoe", number).sentence == (
        "Too early to say in this exercise: you judged 7 of 24 documents, and 50% are needed."
    )


@pytest.mark.slow
def test_the_threshold_is_a_setting(exercise, settings):
    settings.EXERCISE_MIN_JUDGED = 0.25
    assert figures(exercise, CLASS).left_out == ""
    assert figures(exercise, RANKING).n_judges == 3
    settings.EXERCISE_MIN_JUDGED = 0.3
    assert "Zoe judged 7 of 24, and 30% of their documents are needed." in figures(exercise, CLASS).left_out


@pytest.mark.slow
def test_a_class_with_few_judgements_is_too_early(db):
    exercise = judged_exercise(Ann=ANN, Zoe=ZOE)
    reason = (
        "Too early to say in this exercise: only one student has judged 50% of their documents, and two students are "
        "needed."
    )
    for number in (CLASS, ALL, CONTESTED, PREVALENCE, RANKING):
        assert figures(exercise, number).sentence == reason
    assert figures(exercise, PAIR).sentence.startswith("Too early to say in this exercise: Zoe judged 7 of 24")
    assert figures(exercise, RANKING).mixed_sentence == ""
    assert all(result.figures for result in all_step_results(exercise, query_for(exercise)))


@pytest.mark.slow
def test_a_class_without_enough_judgements_of_anybody_is_too_early(db):
    exercise = judged_exercise(Kim=ZOE, Lou=ZOE)
    assert figures(exercise, CLASS).sentence.startswith("Too early to say in this exercise: no student has judged 50%")


@pytest.mark.slow
def test_a_ranking_needs_judgements_of_the_first_documents(db, settings):
    settings.EXERCISE_MIN_TOP_JUDGED = 0.5
    exercise = judged_exercise(options={"shared": 4}, Ann=ANN, Ben=BEN)
    ranking = figures(exercise, RANKING)  # 15 percent or more, depending on the sample
    reason = f"Too early to say in this exercise: {ranking.judged} of the first ten documents of the systems are judged"
    assert ranking.sentence == own_figures(exercise, "Ann", RANKING).sentence == f"{reason}, and 50% are needed."
    assert ranking.mixed_sentence == ""
    settings.EXERCISE_MIN_TOP_JUDGED = 0.1
    assert figures(exercise, RANKING).sentence.startswith("In this exercise, ")
