"""Annotations of Prodigy, as ``prodigy db-out`` writes them: JSONL with one annotation a line.

query_id and doc_id are in the task, usually within ``meta``. ``answer`` is ``accept``, ``reject`` or ``ignore``. There
are two kinds of task:

- a choice, with ``options`` and a list ``accept``: the label is the id of the only option that was accepted;
- a decision, in ``answer`` alone: the label is ``accept`` or ``reject``, which a mapping makes a grade. If the file has
  decisions about several values of the task's ``label``, or choices as well, the option `field` must name one: this
  value, ``accept`` for choices, or ``answer`` for decisions without a ``label``.

The judge is ``_annotator_id``, or else ``_session_id``. Prodigy makes both from the names of the data set and the
session, and from the time if the session has no name; then each session is another judge. A text of ``user_input`` is
the comment. Ignored tasks, rejected choices and choices without an option are no judgements, and are counted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pooling.errors import FormatError, Problems, raise_or_keep
from pooling.formats.exports.rows import (
    LabelField,
    Records,
    Row,
    comment_of,
    judge_name,
    no_judgement,
    one_label,
    pair_of,
    short_text,
    with_meta,
)

ANSWERS = ("accept", "reject", "ignore")


def prodigy(records: Records, file: str, problems: Problems, field: str | None = None) -> Iterator[Row]:
    """The judgements of a file of annotations."""
    chosen = LabelField(field)
    for number, task in records:
        try:
            yield _of_task(task, chosen, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)
    chosen.check_found(file)


def _of_task(task: Mapping[str, Any], chosen: LabelField, file: str, number: int) -> Row:
    judge = judge_name(task.get("_annotator_id") or task.get("_session_id"), "annotator", file, number)
    label = one_label(chosen.labels(_answers(task, file, number), file, number), file, number)
    if label is None:
        return no_judgement(number, judge)
    comment = comment_of(task) or comment_of({"comment": task.get("user_input")})
    return Row(number, judge, *pair_of(with_meta(task), file, number), label, comment)


def _answers(task: Mapping[str, Any], file: str, number: int) -> dict[str, list[Any]]:
    """The labels of a task, by their field; none if it was ignored."""
    answer, accepted, question = task.get("answer"), task.get("accept"), task.get("label")
    if answer not in ANSWERS:
        what = "answer is missing" if answer is None else f"answer {short_text(answer)!r} is not allowed"
        raise FormatError(what, f"an answer is one of {', '.join(ANSWERS)}", file, number, "answer")
    if "options" in task or isinstance(accepted, list):
        return {"accept": accepted if answer == "accept" and isinstance(accepted, list) else []}
    field = question if isinstance(question, str) and question else "answer"
    return {field: [] if answer == "ignore" else [answer]}
