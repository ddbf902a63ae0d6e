"""Validates the answer that comes with a judgement, and finds the documents that it names."""

from assess.collections.scale import lowest_relevant_grade
from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.marginal.own_relevant import KINDS, relevant_doc_ids
from assess.models import Assignment, JudgementEvent, JudgementKind, MarginalAnswer, Member, State
from pooling.errors import shown
from pooling.ids import ALLOWED_ID, id_problem

Answer = MarginalAnswer.Answer
MOST_REPEATS = 200
ASKED = (*KINDS, JudgementKind.REPEAT)  # a hidden repeat looks like any other document


def marginal_answer(assignment: Assignment, member: Member, judgement_input: JudgementInput) -> MarginalAnswer | None:
    """Return the answer of a judgement, not saved; None without one.

    It is kept although the rule is off now: the page asked while it was on. Raises Refused if it is not valid.
    """
    if not judgement_input.marginal and not judgement_input.repeats:
        return None
    _check_answer(judgement_input)
    _check_judgement(assignment, member, judgement_input)
    return MarginalAnswer(answer=judgement_input.marginal, repeats=_repeated(assignment, member, judgement_input))


def check_imported_answer(doc_id: str, judgement_input: JudgementInput, least: int) -> None:
    """Raise Refused if the answer of an imported judgement is not valid. `least` is the lowest relevant grade.

    The documents that it repeats may have been judged differently since, so they need no relevant grade.
    """
    repeated = judgement_input.repeated
    if not judgement_input.marginal and not repeated:
        return
    _check_answer(judgement_input)
    _check_grade(judgement_input, least)
    if doc_id in repeated:
        raise Refused("A document cannot repeat itself.")
    for each in repeated:
        if problem := id_problem(each):
            raise Refused(f"A doc_id in repeats {problem}; {ALLOWED_ID}.")


def is_same_answer(event: JudgementEvent, judgement_input: JudgementInput) -> bool:
    """Whether the event has this answer. A document that it names may have been judged differently since."""
    stored = MarginalAnswer.objects.filter(event=event).first()
    if stored is None or not judgement_input.marginal:
        return stored is None and not judgement_input.marginal
    named = Assignment.objects.filter(member=event.member_id, public_id__in=judgement_input.repeats)
    doc_ids = sorted(set(named.values_list("task__document__doc_id", flat=True)))
    return (stored.answer, stored.repeats) == (judgement_input.marginal, doc_ids)


def _check_answer(judgement_input: JudgementInput) -> None:
    answer, count = judgement_input.marginal, len(judgement_input.repeats) + len(judgement_input.repeated)
    if answer not in Answer.values:
        raise Refused(f"The answer must be one of {', '.join(Answer.values)}, not {shown(answer)}.")
    if answer == Answer.NEW and count:
        raise Refused("A document that only adds something new cannot repeat others; choose “partly new”.")
    if answer != Answer.NEW and not count:
        raise Refused("Choose the documents that this one repeats.")
    if count > MOST_REPEATS:
        raise Refused(f"A document can repeat at most {MOST_REPEATS} others, not {count:,}.")


def _check_judgement(assignment: Assignment, member: Member, judgement_input: JudgementInput) -> None:
    if assignment.repeat not in ASKED:
        raise Refused("Whether a document adds something new is asked for regular documents only.")
    _check_grade(judgement_input, lowest_relevant_grade(member.collection))


def _check_grade(judgement_input: JudgementInput, least: int) -> None:
    grade = judgement_input.relevance
    if judgement_input.state != State.JUDGED or grade is None or grade < least:
        raise Refused(f"Only a relevant document, with a grade from {least}, can add something new.")


def _repeated(assignment: Assignment, member: Member, judgement_input: JudgementInput) -> list[str]:
    """Return the doc_ids that the answer names, or raise Refused if one of them cannot be repeated."""
    if not judgement_input.repeats:
        return []
    named = relevant_doc_ids(member, assignment, judgement_input.repeats)
    if set(judgement_input.repeats) - named.keys():
        raise Refused(
            "A document that this one repeats is not among your other relevant documents of this topic. "
            "You may have judged it again; choose from the list once more."
        )
    return sorted({named[public_id] for public_id in judgement_input.repeats})
