"""What an instructor takes away can be opened by a spreadsheet, and nothing in it runs there."""

import csv
import io

import openpyxl
import pytest
from django.urls import reverse

from assess.judging import judgement_csv
from assess.lib.spreadsheets import xlsx
from assess.models import Role
from assess.teaching import clock, worksheet_answers
from tests.assess.classroom import exercise_of, instructor_of, judge_all, signed_in, sit_down

EVIL = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "'=1"]


def sheet_of(content: bytes):
    return openpyxl.load_workbook(io.BytesIO(content)).active


@pytest.fixture
def lesson(collection):
    """Two students have judged, one with a comment that would run."""
    prof = instructor_of(collection)
    exercise = exercise_of(collection, prof, worksheets=["dcg"])
    for nickname, comment in (("=Ada", "=HYPERLINK(1)"), ("Bob", "fine")):
        _, seat = sit_down(exercise, nickname)
        if exercise.phase == "waiting":
            clock.start(exercise)
        judge_all(seat, grade=lambda at: at % 2, comment=comment)
    clock.end(exercise)
    clock.open_worksheets(exercise, True)
    return exercise, signed_in(prof.user)


def take(lesson, name: str, kind: str):
    exercise, browser = lesson
    answer = browser.get(reverse(f"teach:{name}", args=[exercise.code, kind]))
    assert answer.status_code == 200
    wanted = f'attachment; filename="{exercise.collection.slug}-{name}.{kind}"'
    assert answer["Content-Disposition"] == wanted
    return answer.content


@pytest.mark.django_db
def test_the_judgements_are_the_same_in_both_files(lesson):
    lines = list(judgement_csv.read(io.StringIO(take(lesson, "judgements", "csv").decode(), newline="")))
    header, *rows = sheet_of(take(lesson, "judgements", "xlsx")).iter_rows(values_only=True)
    assert header == judgement_csv.COLUMNS
    assert len(rows) == len(lines) == 8
    for row, line in zip(rows, lines, strict=True):
        named = dict(zip(header, row, strict=True))
        assert (named["assessor"], named["query_id"], named["doc_id"]) == (line.assessor, line.query_id, line.doc_id)
        assert (named["relevance"], named["comment"]) == (line.relevance, line.comment)
        assert isinstance(named["relevance"], int)


@pytest.mark.django_db
def test_a_nickname_and_a_comment_that_look_like_formulas_stay_text(lesson):
    text = take(lesson, "judgements", "csv").decode()
    assert "\n'=Ada," in text
    assert ",'=HYPERLINK(1)," in text
    cells = [cell for row in sheet_of(take(lesson, "judgements", "xlsx")) for cell in row]
    evil = [cell for cell in cells if str(cell.value).startswith("=")]
    assert {cell.value for cell in evil} == {"=Ada", "=HYPERLINK(1)"}
    assert {(cell.data_type, cell.quotePrefix) for cell in evil} == {("s", True)}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_kappa_of_the_export_is_that_of_the_page(lesson, kind):
    from assess.analysis.agreement import agreement_figures

    exercise, _ = lesson
    ada, bob = said_in(take(lesson, "judgements", kind), kind)
    assert ada.keys() == bob.keys()
    # By hand: how often they say the same, and how often they would by chance, each with their own share of ones.
    same = sum(ada[item] == bob[item] for item in ada) / len(ada)
    ones = [sum(column.values()) / len(column) for column in (ada, bob)]
    chance = ones[0] * ones[1] + (1 - ones[0]) * (1 - ones[1])
    row = agreement_figures(exercise.collection, 1).pairs[0]
    assert (row.a, row.b, row.raw.n) == ("=Ada", "Bob", len(ada))
    assert row.cohen.value == pytest.approx((same - chance) / (1 - chance), abs=1e-12)


def said_in(content: bytes, kind: str) -> tuple[dict, dict]:
    """What the two students said in the file, by topic and document."""
    if kind == "csv":
        lines = judgement_csv.read(io.StringIO(content.decode(), newline=""))
        rows = [(line.assessor, line.query_id, line.doc_id, line.relevance) for line in lines]
    else:
        rows = [row[:4] for row in sheet_of(content).iter_rows(min_row=2, values_only=True)]
    said = {"=Ada": {}, "Bob": {}}
    for assessor, query_id, doc_id, relevance in rows:
        said[assessor][query_id, doc_id] = relevance
    return said["=Ada"], said["Bob"]


@pytest.mark.django_db
def test_the_marks_of_every_step(lesson):
    exercise, _ = lesson
    ada = exercise.seats.select_related("exercise__collection").get(nickname="=Ada")
    fields = [line.field["name"] for line in worksheet_answers.sheet_for(ada, "dcg").lines]
    worksheet_answers.save_answers(ada, "dcg", {fields[0]: "=2+2"})
    rows = list(csv.DictReader(io.StringIO(take(lesson, "marks", "csv").decode(), newline="")))
    assert len(rows) == 2 * len(fields)
    assert rows[0]["seat"] == "'=Ada"
    assert rows[0]["answer"] == "'=2+2"
    header, *cells = sheet_of(take(lesson, "marks", "xlsx")).iter_rows(values_only=True)
    assert list(header) == list(rows[0])
    assert cells[0][header.index("answer")] == "=2+2"
    assert isinstance(cells[0][header.index("of")], int)


@pytest.mark.django_db
def test_an_exercise_without_anybody_gives_tables_without_rows(collection):
    prof = instructor_of(collection)
    exercise = exercise_of(collection, prof)
    clock.start(exercise)
    clock.end(exercise)
    for name in ("judgements", "marks"):
        content = take((exercise, signed_in(prof.user)), name, "csv").decode()
        assert content.count("\n") == 1
        assert sheet_of(take((exercise, signed_in(prof.user)), name, "xlsx")).max_row == 1


@pytest.mark.django_db
def test_while_somebody_may_judge_no_judgement_and_no_figure_is_given_out(collection):
    prof = instructor_of(collection)
    exercise = exercise_of(collection, prof)
    clock.start(exercise)
    for nickname in ("Ada", "Bob"):
        judge_all(sit_down(exercise, nickname)[1])
    browser, slug = signed_in(prof.user), exercise.collection.slug
    files = [reverse("teach:judgements", args=[exercise.code, kind]) for kind in ("csv", "xlsx")]
    pages = [reverse(f"research:{name}", args=[slug]) for name in ("agreement", "agreement_csv", "shift", "shift_csv")]
    ids = exercise.collection.members.filter(role=Role.ASSESSOR).values_list("pk", flat=True)
    pages.append(reverse("research:pair", args=[slug, *ids]))
    for address in (*files, *pages):
        answer = browser.get(address)
        assert answer.status_code == 400
        assert "after it has ended, so that nobody is influenced by the grades of others" in answer.content.decode()
        assert "Content-Disposition" not in answer
    clock.end(exercise)
    for address in (*files, pages[0], pages[1], pages[-1]):
        assert browser.get(address).status_code == 200


@pytest.mark.django_db
def test_another_kind_of_file_is_not_there(lesson):
    exercise, browser = lesson
    for name in ("judgements", "marks"):
        assert browser.get(reverse(f"teach:{name}", args=[exercise.code, "ods"])).status_code == 404


@pytest.mark.django_db
def test_an_owner_of_the_source_does_not_get_the_students_judgements(lesson, collection, join):
    exercise, _ = lesson
    browser = signed_in(join(collection, "owner", Role.OWNER).user)
    assert browser.get(reverse("teach:judgements", args=[exercise.code, "csv"])).status_code == 404


# ---- the file itself


@pytest.mark.parametrize("text", EVIL)
def test_no_text_becomes_a_formula(text):
    cell = sheet_of(xlsx("t", ["column"], [[text]]))["A2"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == (text, "s", True)


def test_what_a_spreadsheet_cannot_hold_does_not_spoil_the_file():
    row = ["a\0b\x1b", "\ud800", "x" * 40_000, 2**60, True, None, "", 1.5]
    values = next(sheet_of(xlsx("t/[x]", list("abcdefgh"), [row])).iter_rows(min_row=2, values_only=True))
    assert values == ("a\ufffdb\ufffd", "\ufffd", "x" * 32_767, str(2**60), "True", None, None, 1.5)
