"""What an instructor takes away from an exercise: judgements and marks, as CSV and as a spreadsheet."""

from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from assess.errors import Refused
from assess.judging import judgement_csv
from assess.models import Exercise
from assess.teaching import exercises
from assess.web.teach.access import exercise_view
from assess.web.teach.views import screen

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@require_safe
@exercise_view
def judgements(request, exercise, kind):
    """The raw judgements, students by their nicknames, once judging has ended."""
    from assess.transfer.exports import judgement_rows

    try:
        exercises.check_ended(exercise, "its judgements are given out")
    except Refused as refusal:
        return screen(request, exercise, refusal)
    return _table(exercise, "judgements", kind, judgement_csv.COLUMNS, judgement_rows(exercise.collection))


@require_safe
@exercise_view
def marks(_request, exercise, kind):
    """The marks of every seat, by worksheet and step."""
    from assess.teaching.marks import table  # it leads to the worksheets, and they to numpy

    header, *rows = table(exercise)
    return _table(exercise, "marks", kind, header, rows)


def _table(exercise: Exercise, name: str, kind: str, header: Sequence[str], rows: Sequence[Sequence]):
    if kind not in TYPES:
        raise Http404
    if kind == "csv":
        content = "".join(map(judgement_csv.line, (header, *rows))).encode()
    else:
        from assess.lib.spreadsheets import xlsx

        content = xlsx(name, header, [[judgement_csv.format_value(cell) for cell in row] for row in rows])
    response = HttpResponse(content, content_type=TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="{exercise.collection.slug}-{name}.{kind}"'
    return response
