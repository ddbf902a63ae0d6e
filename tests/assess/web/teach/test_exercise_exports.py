"""An instructor's downloads open in a spreadsheet, and no cell becomes a formula."""

import csv
import io
import re

import openpyxl
import pytest
from django.urls import reverse

from assess.analysis.selection import Selection
from assess.judging import judgement_csv
from assess.lib.spreadsheets import xlsx
from assess.models import Exercise, Role
from assess.teaching import clock, worksheet_answers
from assess.teaching.lesson.new_exercise import settings_of
from assess.teaching.lesson.practice import OWN, PracticeSpec
from assess.teaching.worksheets import outline, worksheet_for
from pooling.formula_cells import plain
from tests.assess.classroom import add_instructor, create_exercise, join_exercise, judge_all, signed_in_client
from tests.assess.exercise_factories import PASTED
from tests.html import compact

EVIL = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "'=1"]


def worksheet_in(content: bytes):
    return openpyxl.load_workbook(io.BytesIO(content)).active


@pytest.fixture
def judged_exercise(collection):
    """Two students have judged, one with a comment that looks like a formula."""
    instructor = add_instructor(collection)
    exercise = create_exercise(collection, instructor, worksheets=["dcg"])
    for nickname, comment in (("=Ada", "=HYPERLINK(1)"), ("Bob", "fine")):
        _, seat = join_exercise(exercise, nickname)
        if exercise.phase == "waiting":
            clock.start(exercise)
        judge_all(seat, grade=lambda at: at % 2, comment=comment)
    clock.end(exercise)
    clock.open_worksheets(exercise, True)
    return exercise, signed_in_client(instructor.user)


def download(judged_exercise, name: str, kind: str):
    exercise, browser = judged_exercise
    response = browser.get(reverse(f"teach:{name}", args=[exercise.code, kind]))
    assert response.status_code == 200
    disposition = f'attachment; filename="{exercise.collection.slug}-{name}.{kind}"'
    assert response["Content-Disposition"] == disposition
    return response.content


@pytest.mark.in_ci
@pytest.mark.django_db
def test_both_files_contain_the_same_judgements(judged_exercise):
    lines = list(judgement_csv.read(io.StringIO(download(judged_exercise, "judgements", "csv").decode(), newline="")))
    header, *rows = worksheet_in(download(judged_exercise, "judgements", "xlsx")).iter_rows(values_only=True)
    assert header == judgement_csv.COLUMNS
    assert len(rows) == len(lines) == 8
    for row, line in zip(rows, lines, strict=True):
        named = dict(zip(header, row, strict=True))
        assert (named["assessor"], named["query_id"], named["doc_id"]) == (line.assessor, line.query_id, line.doc_id)
        assert (named["relevance"], named["comment"]) == (line.relevance, line.comment)
        assert isinstance(named["relevance"], int)


@pytest.mark.django_db
def test_formulas_in_nicknames_and_comments_stay_text(judged_exercise):
    text = download(judged_exercise, "judgements", "csv").decode()
    assert "\n'=Ada," in text
    assert ",'=HYPERLINK(1)," in text
    cells = [cell for row in worksheet_in(download(judged_exercise, "judgements", "xlsx")) for cell in row]
    evil = [cell for cell in cells if str(cell.value).startswith("=")]
    assert {cell.value for cell in evil} == {"=Ada", "=HYPERLINK(1)"}
    assert {(cell.data_type, cell.quotePrefix) for cell in evil} == {("s", True)}


@pytest.mark.in_ci
@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_kappa_of_the_export_equals_that_of_the_page(judged_exercise, kind):
    from assess.analysis.agreement import agreement_figures

    exercise, _ = judged_exercise
    ada, bob = grades_in(download(judged_exercise, "judgements", kind), kind)
    assert ada.keys() == bob.keys()
    # By hand: the share of equal grades, and the share expected by chance from each student's share of ones.
    same = sum(ada[item] == bob[item] for item in ada) / len(ada)
    ones = [sum(column.values()) / len(column) for column in (ada, bob)]
    chance = ones[0] * ones[1] + (1 - ones[0]) * (1 - ones[1])
    row = agreement_figures(exercise.collection, Selection(rel=1)).pairs.iloc[0]
    assert (row["assessor_a"], row["assessor_b"], row["n"]) == ("=Ada", "Bob", len(ada))
    assert row["cohen_kappa"] == pytest.approx((same - chance) / (1 - chance), abs=1e-12)


def grades_in(content: bytes, kind: str) -> tuple[dict, dict]:
    """Return the grades of both students in the file, by topic and document."""
    if kind == "csv":
        lines = judgement_csv.read(io.StringIO(content.decode(), newline=""))
        rows = [(line.assessor, line.query_id, line.doc_id, line.relevance) for line in lines]
    else:
        rows = [row[:4] for row in worksheet_in(content).iter_rows(min_row=2, values_only=True)]
    grades = {"=Ada": {}, "Bob": {}}
    for assessor, query_id, doc_id, relevance in rows:
        grades[assessor][query_id, doc_id] = relevance
    return grades["=Ada"], grades["Bob"]


@pytest.mark.django_db
def test_the_marks_of_every_step(judged_exercise):
    exercise, _ = judged_exercise
    ada = exercise.seats.select_related("exercise__collection").get(nickname="=Ada")
    fields = [line.field["name"] for line in worksheet_answers.sheet_for(ada, "dcg").lines]
    worksheet_answers.save_answers(ada, "dcg", {fields[0]: "=2+2"})
    rows = list(csv.DictReader(io.StringIO(download(judged_exercise, "marks", "csv").decode(), newline="")))
    assert len(rows) == 2 * len(fields)
    assert rows[0]["seat"] == "'=Ada"
    assert rows[0]["answer"] == "'=2+2"
    header, *cells = worksheet_in(download(judged_exercise, "marks", "xlsx")).iter_rows(values_only=True)
    assert list(header) == list(rows[0])
    assert cells[0][header.index("answer")] == "=2+2"
    assert isinstance(cells[0][header.index("of")], int)


@pytest.mark.django_db
def test_exercise_without_seats_exports_empty_tables(collection):
    instructor = add_instructor(collection)
    exercise = create_exercise(collection, instructor)
    clock.start(exercise)
    clock.end(exercise)
    for name in ("judgements", "marks"):
        content = download((exercise, signed_in_client(instructor.user)), name, "csv").decode()
        assert content.count("\n") == 1
        assert worksheet_in(download((exercise, signed_in_client(instructor.user)), name, "xlsx")).max_row == 1


@pytest.mark.slow
@pytest.mark.django_db
def test_no_judgement_and_no_figure_is_available_before_the_end(collection):
    instructor = add_instructor(collection)
    exercise = create_exercise(collection, instructor)
    clock.start(exercise)
    for nickname in ("Ada", "Bob"):
        judge_all(join_exercise(exercise, nickname)[1])
    browser, slug = signed_in_client(instructor.user), exercise.collection.slug
    files = [reverse("teach:judgements", args=[exercise.code, kind]) for kind in ("csv", "xlsx")]
    pages = [reverse(f"research:{name}", args=[slug]) for name in ("agreement", "agreement_csv", "shift", "shift_csv")]
    ids = exercise.collection.members.filter(role=Role.ASSESSOR).values_list("pk", flat=True)
    pages.append(reverse("research:pair", args=[slug, *ids]))
    for address in (*files, *pages):
        response = browser.get(address)
        assert response.status_code == 400
        assert "afterwards, so that nobody is influenced by the grades of others" in response.content.decode()
        assert "Content-Disposition" not in response
    clock.end(exercise)
    for address in (*files, pages[0], pages[1], pages[-1]):
        assert browser.get(address).status_code == 200


@pytest.mark.django_db
def test_unknown_file_type_is_not_found(judged_exercise):
    exercise, browser = judged_exercise
    for name in ("judgements", "marks"):
        assert browser.get(reverse(f"teach:{name}", args=[exercise.code, "ods"])).status_code == 404


@pytest.mark.django_db
def test_owner_of_the_source_has_no_access(judged_exercise, collection, join):
    exercise, _ = judged_exercise
    browser = signed_in_client(join(collection, "owner", Role.OWNER).user)
    assert browser.get(reverse("teach:judgements", args=[exercise.code, "csv"])).status_code == 404


# ---- the file itself


@pytest.mark.parametrize("text", EVIL)
def test_text_never_becomes_a_formula(text):
    cell = worksheet_in(xlsx("t", ["column"], [[text]]))["A2"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == (text, "s", True)


def test_invalid_characters_are_replaced_in_a_spreadsheet():
    row = ["a\0b\x1b", "\ud800", "x" * 40_000, 2**60, True, None, "", 1.5]
    values = next(worksheet_in(xlsx("t/[x]", list("abcdefgh"), [row])).iter_rows(min_row=2, values_only=True))
    assert values == ("a\ufffdb\ufffd", "\ufffd", "x" * 32_767, str(2**60), "True", None, None, 1.5)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_gradebook_has_one_row_for_each_student(judged_exercise, kind):
    exercise, _ = judged_exercise
    right_answers(exercise, 2)
    content = download(judged_exercise, "gradebook", kind)
    if kind == "csv":
        header, *rows = csv.reader(io.StringIO(content.decode()))
        rows = [[plain(cell) for cell in row] for row in rows]
    else:
        header, *rows = ([str(cell) for cell in row] for row in worksheet_in(content).iter_rows(values_only=True))
    assert list(header) == ["nickname", "dcg", "marks", "of", "percentage", "judged", "documents"]
    of = outline("dcg").marks
    first = [row[:4] + row[5:] for row in rows]
    marks = str(sum(field.marks for field in outline("dcg").fields[:2]))
    assert first == [["=Ada", marks, marks, str(of), "4", "4"], ["Bob", "0", "0", str(of), "4", "4"]]
    assert float(rows[0][4]) == pytest.approx(100 * int(marks) / of)


@pytest.mark.django_db
def test_gradebook_for_moodle_and_canvas(judged_exercise):
    exercise, browser = judged_exercise
    right_answers(exercise, 1)

    def rows_of(kind):
        response = browser.get(reverse("teach:gradebook", args=[exercise.code, kind]))
        assert response["Content-Disposition"].endswith(f'-gradebook-{kind}.csv"')
        return list(csv.reader(io.StringIO(response.content.decode())))

    header, ada, bob = rows_of("moodle")
    assert (header[0], header[-2:]) == ("Username", ["Total", "Percentage"])
    assert (ada[0], ada[-2], bob[0], bob[-2]) == ("'=Ada", "1", "Bob", "0")
    header, points, ada, bob = rows_of("canvas")
    assert header[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert header[5].startswith(f"{exercise.title}: ")
    assert points == ["    Points Possible", "", "", "", "", str(outline("dcg").marks)]
    assert (bob[0], bob[3], bob[5]) == ("Bob", "Bob", "0")
    assert ada[5] == "1"
    assert browser.get(reverse("teach:gradebook", args=[exercise.code, "pdf"])).status_code == 404


@pytest.mark.django_db
def test_marks_page_shows_totals(judged_exercise):
    exercise, browser = judged_exercise
    right_answers(exercise, 1)
    html = compact(browser.get(reverse("teach:marks_page", args=[exercise.code])).content.decode())
    of = outline("dcg").marks
    cells = re.findall(r'<td class="num(?: nowrap)?">([^<]*)</td>', html)
    assert [cell.strip() for cell in cells[:3]] == [f"1 of {of}", f"{100 / of:.0f}", "4 of 4"]


@pytest.mark.django_db
def test_exercise_is_duplicated(judged_exercise):
    exercise, browser = judged_exercise
    html = browser.get(f"{reverse('teach:new')}?copy={exercise.code}").content.decode()
    assert f'value="{exercise.title}"' in html
    assert f'name="minutes" value="{exercise.minutes}"' in html
    assert browser.get(f"{reverse('teach:new')}?copy=AAAAAA").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("pasted", [False, True], ids=["collection", "pasted text"])
def test_duplicate_has_all_settings(collection, pasted):
    """The form of the duplicate, submitted as it is, makes an exercise with the same settings and documents."""
    instructor = add_instructor(collection)
    texts = {"source": "", **PASTED} if pasted else {"query_ids": ["1"]}
    practice = PracticeSpec(OWN, text="Green tea.", grade=1, topic="tea", explanation="It is about tea.")
    options = {"shared": 3, "more_each": 1, "minutes": 20, "show_own": False, "show_comments": True, "days": 12}
    original = create_exercise(collection, instructor, worksheets=["dcg"], practice=practice, **options, **texts)
    browser = signed_in_client(instructor.user)
    form = browser.get(f"{reverse('teach:new')}?copy={original.code}").context["form"]
    values = {field.html_name: field.value() for field in form if field.value() not in (None, False)}
    response = browser.post(f"{reverse('teach:new')}?source={original_source(original)}", values | {"anyway": "on"})
    copy = Exercise.objects.exclude(pk=original.pk).get()
    assert response.url == reverse("teach:exercise", args=[copy.code])
    assert settings_of(copy) == settings_of(original)
    for exercise in (original, copy):
        assert (exercise.practice.text, exercise.practice.relevance) == ("Green tea.", 1)
    assert contents_of(copy) == contents_of(original)


def original_source(exercise) -> str:
    return settings_of(exercise).source


def contents_of(exercise) -> list[tuple]:
    documents = exercise.collection.documents.values_list("doc_id", "content__text")
    return sorted([*documents, *exercise.collection.topics.values_list("query_id", "title", "description")])


def right_answers(exercise, number: int) -> None:
    """Answer the first fields of the worksheet of the first student."""
    seat = exercise.seats.order_by("pk").first()
    fields = worksheet_for(seat, "dcg").fields[:number]
    worksheet_answers.save_answers(seat, "dcg", {field.name: field.answer for field in fields})
