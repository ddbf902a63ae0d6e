"""Imported judges on the agreement page and in the report: kind, description, options, counts and thresholds."""

import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import ImportedFile, Role, Task
from assess.people import erasure
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_by_judge
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact

GRADED = b"1 0 a 3\n1 0 b 2\n1 0 d 1\n1 0 e 0\n2 0 x 7\n"
BINARY = b"1 0 a 1\n1 0 b 1\n1 0 d 0\n1 0 e 0\n2 0 x 1\n"


@pytest.fixture
def graded(db):
    return small_collection(SMALL_RUNS, slug="graded", grades=("0=No", "1=Some", "2=Good", "3=Best"))


@pytest.fixture
def judges(graded):
    """A model whose file was clipped, and a binary judge with a declared mapping."""
    clip = JudgementOptions(off_scale="clip", judge_kind="model", description={"": "<b>GPT</b>, prompt 3"})
    import_by_judge(graded, [("gpt", GRADED)], clip)
    import_by_judge(
        graded, [("clicks", BINARY)], JudgementOptions(own_scale=(0, 1), mapping={1: 2}, judge_kind="derived")
    )
    return graded


def judge_on_the_site(member, grades):
    tasks = Task.objects.filter(topic__collection=member.collection)
    record_imported(
        [
            ImportedJudgement(member, task.pk, 0, JudgementInput("judged", grade), timezone.now())
            for grade, task in zip(grades, tasks, strict=False)
        ]
    )


def page(http, collection, status=200, name="agreement", **query) -> str:
    response = http.get(reverse(f"research:{name}", args=[collection.slug]), query)
    assert response.status_code == status
    return compact(response.content.decode())


def report(*words) -> list[str]:
    out = io.StringIO()
    call_command("agreement_report", "--collection", "graded", *words, stdout=out)
    return out.getvalue().splitlines()


def test_page_lists_imported_judges_with_counts_and_options(judges, join, signed_in):
    html = page(signed_in(join(judges, "olga", Role.OWNER)), judges, name="agreement_judges")
    html = html[html.index("Imported judges") :]
    row = re.search(r'<th scope="row">gpt</th>(.*?)</tr>', html)[1]
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row) == [
        "model",
        "&lt;b&gt;GPT&lt;/b&gt;, prompt 3",
        "input",
        "5",
        "5",
        "1 label off the scale clipped",
        "off scale clip",
    ]
    row = re.search(r'<th scope="row">clicks</th>(.*?)</tr>', html)[1]
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row)[5:] == ["3 labels mapped (1=2)", "mapping 1=2, own scale 0 1"]


@pytest.mark.parametrize(
    ("rel", "sentence"),
    [
        ("2", "The judges are compared at the threshold 2: grade 2 and above is relevant."),
        ("3", "clicks gave no grade from 3 on, so kappa with this judge is not meaningful."),
    ],
)
def test_page_states_the_threshold_for_judges_with_fewer_grades(judges, join, signed_in, rel, sentence):
    html = page(signed_in(join(judges, "rita", Role.RESEARCHER)), judges, rel=rel)
    assert "clicks has 2 grades (0, 2), the scale has 4." in html
    assert sentence in html


@pytest.mark.in_ci
def test_page_mentions_a_judge_who_looks_binary(graded, join, signed_in):
    import_by_judge(graded, [("gpt", GRADED[:-8]), ("yesno", BINARY)])
    html = page(signed_in(join(graded, "olga", Role.OWNER)), graded)
    assert "yesno gave only the grades 0, 1 of the scale 0, 1, 2, 3." in html
    assert "--map" not in html


@pytest.mark.slow
def test_people_who_used_two_grades_on_the_site_are_not_mentioned(graded, join, signed_in):
    import_by_judge(graded, [("gpt", GRADED[:-8])])
    judge_on_the_site(join(graded, "ada"), range(2))
    assert "gave only the grades" not in page(signed_in(join(graded, "olga", Role.OWNER)), graded)
    assert not any("gave only the grades" in line for line in report())
    assert "assessor-1 gave no grade from 2 on, so kappa with this judge is not meaningful." in report("--rel", "2")


def test_imported_judge_who_looks_binary_is_compared_with_people(graded, join):
    import_by_judge(graded, [("yesno", BINARY)])
    judge_on_the_site(join(graded, "ada"), range(3))
    assert any(line.startswith("yesno gave only the grades 0, 1 of the scale 0, 1, 2, 3.") for line in report())


def test_page_without_imports_has_no_table(graded, join, signed_in):
    http = signed_in(join(graded, "olga", Role.OWNER))
    assert "Imported judges" not in page(http, graded, name="agreement_judges")


def test_person_whose_judgements_were_imported_is_human(graded, join, signed_in):
    ada = join(graded, "ada")
    import_by_judge(graded, [(ada.name, b"1 0 a 1\n")], JudgementOptions(as_members=[ada.name]))
    assert "assessor-1 (human), input: 1 line, 1 added; as it is." in "\n".join(report())


# ---- the original files


def imported(http, collection) -> str:
    html = page(http, collection, name="agreement_judges")
    return html[html.index("Imported judges") :]


def original(http, collection, file_id):
    return http.get(f"/c/{collection.slug}/imported/{file_id}/")


def file_of(judge: str):
    return ImportedFile.objects.get(judgement_imports__member__name=judge)


@pytest.mark.in_ci
@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER])
def test_original_is_downloaded_from_the_row(judges, join, signed_in, role):
    http = signed_in(join(judges, "olga", role))
    row = re.search(r'<th scope="row">gpt</th>(.*?)</tr>', imported(http, judges))[1]
    response = http.get(re.search(r'href="([^"]+)" download', row)[1])
    assert (response.status_code, response.content) == (200, GRADED)
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"] == 'attachment; filename="input"'


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("/data/scores/gpt.txt.gz", 'attachment; filename="gpt.txt.gz"'),
        ('a"b\r\nX-Other: 1', 'attachment; filename="a\\"b__X-Other: 1"'),
        ("é.txt", "attachment; filename*=utf-8''%C3%A9.txt"),
        ("", "attachment"),
    ],
)
def test_original_has_the_name_of_the_file(judges, join, signed_in, name, header):
    file = file_of("gpt")
    ImportedFile.objects.filter(pk=file.pk).update(name=name)
    response = original(signed_in(join(judges, "olga", Role.OWNER)), judges, file.pk)
    assert (response.status_code, response["Content-Disposition"]) == (200, header)


@pytest.mark.parametrize(("role", "status"), [(Role.ASSESSOR, 403), (Role.INSTRUCTOR, 403)])
def test_original_is_not_for_assessors_and_instructors(judges, join, signed_in, role, status):
    http = signed_in(join(judges, "ada", role))
    assert original(http, judges, file_of("gpt").pk).status_code == status
    assert original(http, judges, 10**9).status_code == status  # whether the file exists or not


def test_original_does_not_exist_for_outsiders(judges, collection, join, signed_in):
    http = signed_in(join(collection, "eve", Role.OWNER))
    assert original(http, judges, file_of("gpt").pk).status_code == 404
    assert original(http, collection, file_of("gpt").pk).status_code == 404  # a file of another collection


@pytest.mark.parametrize("file_id", [0, 10**9, 10**30, -1, "x"])
def test_unknown_original_is_not_found(judges, join, signed_in, file_id):
    assert original(signed_in(join(judges, "olga", Role.OWNER)), judges, file_id).status_code == 404


@pytest.mark.in_ci
def test_page_for_instructors_has_no_downloads(judges, join, signed_in):
    html = imported(signed_in(join(judges, "prof", Role.INSTRUCTOR)), judges)
    assert "/imported/" not in html


@pytest.mark.in_ci
def test_row_of_a_deleted_original_says_so(graded, join, signed_in):
    panel = "assessor,query_id,doc_id,relevance\n" + "".join(f"{who},1,a,1\n" for who in ("ada", "bob", "eve"))
    import_by_judge(graded, [(None, panel.encode())])
    erasure.erase([graded.members.get(name="eve")], "asked for")
    row = re.search(r'<th scope="row">ada</th>.*?</tr>', imported(signed_in(join(graded, "olga", Role.OWNER)), graded))[
        0
    ]
    assert "<td>deleted</td>" in row


@pytest.mark.in_ci
def test_page_is_not_for_assessors(judges, join, signed_in):
    page(signed_in(join(judges, "ada", Role.ASSESSOR)), judges, status=403)


def test_page_does_not_exist_for_outsiders(judges, collection, join, signed_in):
    page(signed_in(join(collection, "eve", Role.OWNER)), judges, status=404)


def test_report_lists_imported_judges(judges):
    lines = report("--rel", "2")
    start = lines.index("Imported judges:")
    assert lines[start - 1] == (
        "clicks has 2 grades (0, 2), the scale has 4. The judges are compared at the threshold 2: grade 2 and above is "
        "relevant."
    )
    assert lines[start + 1 : start + 3] == [
        "  clicks (derived), input: 5 lines, 5 added; 3 labels mapped (1=2); options: mapping 1=2, own scale 0 1.",
        "  gpt (model: <b>GPT</b>, prompt 3), input: 5 lines, 5 added; 1 label off the scale clipped; options: off "
        "scale clip.",
    ]


@pytest.mark.in_ci
def test_report_compares_at_the_threshold_of_a_judge_with_two_grades(judges):
    lines = report()
    assert any("relevant from grade 2" in line for line in lines)
    assert any("The judges are compared at the threshold 2" in line for line in lines)
    assert lines == report("--rel", 2)


def test_judges_with_different_thresholds_need_a_choice(judges):
    import_by_judge(judges, [("yes", BINARY)], JudgementOptions(own_scale=(0, 1), mapping={1: 3}, judge_kind="derived"))
    with pytest.raises(CommandError, match=r"different thresholds \(.*\); choose one with --rel N"):
        report()
