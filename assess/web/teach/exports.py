"""Downloads of an exercise: its judgements and marks, as CSV and as a spreadsheet."""

from collections.abc import Iterable, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from assess import audit
from assess.judging import judgement_csv
from assess.models import Exercise
from assess.teaching.clock import check_ended
from assess.web.requests import refusals_shown_by
from assess.web.teach.access import exercise_view
from assess.web.teach.views import exercise_page

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@require_safe
@exercise_view
@refusals_shown_by(exercise_page)
def judgements(_request: HttpRequest, exercise: Exercise, kind: str) -> HttpResponse:
    """The judgements after judging has ended, with the students' nicknames."""
    from assess.transfer.exports import judgement_rows  # loads pandas

    check_ended(exercise, "Its judgements can be downloaded")
    return _table(exercise, "judgements", kind, judgement_csv.COLUMNS, judgement_rows(exercise.collection))


@require_safe
@exercise_view
def marks(_request: HttpRequest, exercise: Exercise, kind: str) -> HttpResponse:
    """The marks of every seat, by worksheet and step."""
    from assess.teaching.marks import step_table  # loads numpy

    header, rows = step_table(exercise)
    return _table(exercise, "marks", kind, header, rows)


@require_safe
@exercise_view
def gradebook(_request: HttpRequest, exercise: Exercise, kind: str) -> HttpResponse:
    """One row for each student, as a table, or for the import of Moodle or Canvas."""
    from assess.teaching.lesson.gradebook import KINDS, gradebook_table  # loads numpy

    if kind not in KINDS:
        raise Http404
    header, rows = gradebook_table(exercise, kind)
    if kind in TYPES:
        return _table(exercise, "gradebook", kind, header, rows)
    return _table(exercise, f"gradebook-{kind}", "csv", header, rows)


def _table(
    exercise: Exercise, name: str, kind: str, header: Sequence[str], rows: Iterable[Sequence[object]]
) -> HttpResponse:
    if kind not in TYPES:
        raise Http404
    audit.record_export(exercise.collection, name, exercise.instructor)
    if kind == "csv":
        content = "".join(map(judgement_csv.line, (header, *rows))).encode()
    else:
        from assess.lib.spreadsheets import xlsx  # loads openpyxl

        content = xlsx(name, header, [[judgement_csv.format_value(cell) for cell in row] for row in rows])
    response = HttpResponse(content, content_type=TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="{exercise.collection.slug}-{name}.{kind}"'
    return response
