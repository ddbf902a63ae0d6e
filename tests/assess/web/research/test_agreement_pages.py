"""The agreement pages: filters, references, links to documents, and the files behind every table."""

import csv
import io
import re
from html import unescape
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone
from sklearn.metrics import cohen_kappa_score

from agreement import kappa_difference, make_gold
from assess.analysis import pending
from assess.analysis.data import collection_judgements, collection_ratings
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import GradesOpening, ImportedJudge, Judgement, JudgementKind, Member, Role, Task
from assess.web.research.agreement.views import _cell
from tests.assess.web.research.analysis.shown_tables import tables_of
from tests.factories import SMALL_RUNS, small_collection
from tests.llmjudge import llmjudge_collection

GRADES = ("0=No", "1=Some", "2=Good", "3=Best")
# Documents a, b, d, e of topic 1 and x, y, z of topic 2; "x" is "cannot judge", "." is not judged.
JUDGED = {"ada": "3210x13", "ben": "2200113", "gpt": "3100223"}
TABLE_PAGES = ("agreement", "agreement_golds", "agreement_topics", "agreement_judges", "agreement_time")


@pytest.fixture
def collection(db):
    return small_collection(SMALL_RUNS, slug="graded", grades=GRADES)


@pytest.fixture
def judges(collection):
    """Two people and a model. Ada judged two documents twice."""
    members = {name: judge(collection, name, grades) for name, grades in JUDGED.items()}
    judge(collection, "ada", "22.....", repeat=1)
    ImportedJudge.objects.create(member=members["gpt"], kind="model")
    return members


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "rita", Role.RESEARCHER))


def judge(collection, name: str, grades: str, repeat: int = 0, at=None, **values) -> Member:
    member = collection.members.get_or_create(name=name, defaults={"role": Role.ASSESSOR})[0]
    tasks = Task.objects.filter(topic__collection=collection).order_by("topic__query_id", "document__doc_id")
    judgements = {
        "x": JudgementInput("cannot_judge", reason="broken"),
        **{digit: JudgementInput("judged", int(digit), **values) for digit in "0123"},
    }
    record_imported(
        [
            ImportedJudgement(member, task.pk, repeat, judgements[grade], at or timezone.now())
            for task, grade in zip(tasks, grades, strict=True)
            if grade != "."
        ]
    )
    return member


def get(http, name: str, *arguments, status=200, slug="graded", **query):
    response = http.get(reverse(f"research:{name}", args=[slug, *arguments]), query)
    assert response.status_code == status, response.content.decode()[-3000:]
    return response.content.decode()


@pytest.mark.slow
def test_cells_link_to_their_documents(http, judges):
    html = get(http, "pair", judges["ada"].pk, judges["ben"].pk, rel="2", topic="1")
    cells = re.findall(r'<a href="(/c/graded/documents/[^"]+)">(\d+)</a>', html)
    queries = [(parse_qs(urlsplit(unescape(href)).query), n) for href, n in cells]
    base = {"rel": ["2"], "topic": ["1"]}
    pair = base | {"judge_a": ["ada"], "judge_b": ["ben"]}
    for a, b, n in (
        ("relevant", "relevant", "2"),
        ("nonrelevant", "nonrelevant", "2"),
        ("relevant", "nonrelevant", "0"),
    ):
        assert (pair | {"grade_a": [a], "grade_b": [b]}, n) in queries
    assert (pair | {"grade_a": ["relevant"]}, "2") in queries
    assert (pair | {"grade_b": ["nonrelevant"]}, "2") in queries
    assert (pair, "4") in queries
    whole = unescape(get(http, "pair", judges["ada"].pk, judges["ben"].pk))
    link = r"In all,\s+<a href=\"/c/graded/documents/\?rel=1&cannot_judge=ada\">1</a>\s+could not be judged by ada\."
    assert re.search(link, whole)


@pytest.mark.slow
def test_instructors_get_no_links_to_documents(collection, judges, join, signed_in):
    http = signed_in(join(collection, "tom", Role.INSTRUCTOR))
    pages = [get(http, name) for name in TABLE_PAGES] + [get(http, "pair", judges["ada"].pk, judges["ben"].pk)]
    assert not any("/documents/" in html for html in pages)
    assert not any("data-differing" in html for html in pages)
    assert not GradesOpening.objects.exists()


@pytest.mark.slow
def test_filters_select_judgements_and_stay_in_links(http, collection, judges):
    old = timezone.now() - timezone.timedelta(days=30)
    judge(collection, "zoltan", "3333333", at=old)
    html = get(http, "agreement", since=f"{timezone.localdate():%Y-%m-%d}", topic="2", rel="all")
    assert "3 judges" in html
    assert "zoltan" not in html
    assert f'href="/c/graded/agreement/topics/?rel=all&amp;topic=2&amp;since={timezone.localdate()}"' in html
    assert tables_of(html)["pairs"]["n"][0] == "2"  # ada and ben judged y and z of topic 2
    assert "1 judge<" in get(http, "agreement", until=f"{old:%Y-%m-%d}")


def test_guidelines_filter(http, collection, judges):
    for version in (1, 2):
        collection.guidelines.create(version=version, text="x", sha256="0" * 64)
    Judgement.objects.filter(task__topic__query_id="2").update(guidelines_version=2)
    assert tables_of(get(http, "agreement", guidelines="2"))["pairs"]["n"] == ["2", "2", "3"]


def test_topics_have_titles(http, judges):
    topics = tables_of(get(http, "agreement_topics"))["topics"]
    assert topics["query_id"] == ["1 first need", "2 second need"]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"weights": "cubic"}, "weights must be one of linear, quadratic, ordinal, not"),
        ({"topic": "9"}, "topic must be a query_id of this collection, not"),
        ({"guidelines": "7"}, "guidelines must be one of empty, not"),
        ({"since": "yesterday"}, "since must be a day such as 2026-01-31, not"),
        ({"until": "9999-12-31"}, "until must be a day from 1990 to 2200, not"),
        (
            {"since": "2026-02-02", "until": "2026-02-01"},
            "until must not be before since (2026-02-02), not 2026-02-01.",
        ),
        ({"kind": "robot"}, "kind must be one of empty, human, model, not"),
        ({"reference": "judge:zoe"}, "reference must be judge:NAME with a judge of this selection, or a gold, not"),
        ({"round": "pilot-9"}, "round must be one of all, not"),
    ],
)
def test_unknown_filters_are_refused(http, judges, query, sentence):
    assert sentence in get(http, "agreement", status=400, **query)


@pytest.mark.slow
def test_reference_is_the_majority_of_the_people_or_the_one_that_is_asked_for(http, judges):
    html = get(http, "agreement")
    assert "Each judge against majority of the people" in html
    shown = tables_of(html)["reference"]
    assert shown["judge"] == ["ada", "ben", "gpt"]
    # The lower median of the people is 2 2 0 0 1 1 3 in the order a b d e x y z; ada gave 3 2 1 0 . 1 3, gpt 3100223.
    assert (shown["n"][0], shown["percent_agreement"][0].split(" ")[0]) == ("6", f"{5 / 6:.3f}")
    assert (shown["n"][2], shown["percent_agreement"][2].split(" ")[0]) == ("7", "1.000")
    assert "contains each judge's own grades" in unescape(html)
    html = get(http, "agreement", reference="judge:gpt", kind="human")
    assert tables_of(html)["reference"]["judge"] == ["ada", "ben"]
    html = get(http, "agreement", reference="union", rel="all")
    # The union is 3 2 1 0 2 2 3 in the order a b d e x y z; gpt gave 3 1 0 0 2 2 3.
    shown = tables_of(html)["reference"]
    assert (shown["judge"][2], shown["n"][2]) == ("gpt", "7")
    assert shown["percent_agreement"][2].startswith(f"{5 / 7:.3f}")
    assert "contains each judge's own grades" in unescape(html)


@pytest.mark.slow
@pytest.mark.parametrize("rel", [None, 2])
def test_dawid_skene_is_a_reference(http, collection, judges, rel):
    """For binary figures, the errors of the judges are those of their binary judgements."""
    judgements = collection_judgements(collection)
    gold = make_gold(judgements, "dawid_skene", rel, scale=None if rel else (0, 1, 2, 3))
    if rel:
        judgements = judgements.assign(relevance=(judgements["relevance"] >= rel).astype(int))
    both = judgements.merge(gold, on=["query_id", "doc_id"], suffixes=("", "_gold"))
    html = get(http, "agreement", reference="dawid_skene", rel=rel or "all")
    shown = tables_of(html)["reference"]
    for judge, n, text in zip(shown["judge"], shown["n"], shown["cohen_kappa"], strict=True):
        part = both[both["assessor"] == judge]
        assert n == str(len(part))
        assert text.split(" ")[0] == f"{cohen_kappa_score(part['relevance'], part['relevance_gold']):z.3f}"
    assert shown["judge"] == sorted(JUDGED)
    assert "contains each judge's own grades" in unescape(html)


@pytest.mark.slow
def test_decisions_are_a_reference(http, collection, judges, join):
    assert "adjudicated" not in get(http, "agreement")
    rita = collection.members.get(role=Role.RESEARCHER)
    tasks = Task.objects.filter(topic__collection=collection).order_by("topic__query_id", "document__doc_id")
    for task, grade in zip(tasks[:2], (3, 2), strict=True):
        Judgement.objects.create(
            task=task,
            member=rita,
            repeat=JudgementKind.DECISION,
            state="judged",
            relevance=grade,
            judged_at=timezone.now(),
        )
    collection.members.filter(pk=rita.pk).update(name="changed")  # another state of the judgements
    shown = tables_of(get(http, "agreement", reference="adjudicated", rel="all"))["reference"]
    # The decisions on a and b are 3 2; ada gave 3 2, ben 2 2, gpt 3 1. All agree on e and z.
    assert (shown["judge"], shown["n"]) == (["ada", "ben", "gpt"], ["4", "4", "4"])
    assert [text[:5] for text in shown["percent_agreement"]] == ["1.000", "0.750", "0.750"]


def test_judges_page_counts_grades_repeats_and_what_could_not_be_judged(http, judges):
    tables = tables_of(get(http, "agreement_judges"))
    counts = ("judged", "cannot_judge", "grade_0", "grade_1", "grade_2", "grade_3")
    assert "".join(tables["judges"][name][0] for name in counts) == "611212"
    # Ada gave 3 and 2, and again 2 and 2: P(A) is 1 from grade 2 on, and kappa is undefined.
    assert tables["repeats"].texts() == [["ada", "2", "1.000", "undefined (one category)", "undefined (one category)"]]


@pytest.mark.slow
@pytest.mark.parametrize("chart", ["pairs", "reference", "time"])
def test_figures_are_drawn_with_every_judge(http, judges, chart):
    svg = get(http, "agreement_chart", chart, "svg")
    assert svg == get(http, "agreement_chart", chart, "svg")
    assert all(name in svg for name in JUDGED) or chart == "time"
    assert "pooled kappa" in svg


@pytest.mark.slow
def test_charts_without_data_are_refused(http, judges):
    sentences = {"matrix": "only for more than six", "pace": "the time of no judge is known"}
    for chart, sentence in sentences.items():
        assert sentence in get(http, "agreement_chart", chart, "pdf", status=400)
    assert "no two judges have a document in common" in get(
        http, "agreement_chart", "pairs", "png", status=400, since="2000-01-01", until="2000-01-02"
    )
    get(http, "agreement_chart", "pairs", "gif", status=404)


@pytest.mark.slow
def test_pace_is_drawn_if_it_is_known(http, collection, judges):
    judge(collection, "mia", "3200113", active_ms=9_000)
    judge(collection, "ned", "2100112", active_ms=30_000)
    svg = get(http, "agreement_chart", "pace", "svg")
    assert ">mia<" in svg
    assert ">ada<" not in svg
    assert tables_of(get(http, "agreement_judges"))["judges"]["seconds"] == ["–", "–", "–", "9.0", "30.0"]


FIGURES = {
    "agreement": ("pairs", [("ada and gpt: ", "judges", "ada\ngpt")], "/c/graded/agreement/"),
    "agreement_topics": ("topics", [("1 ", "topic", "1")], "/documents/?"),
    "agreement_judges": ("grades", [("ada: grade 3, 2 of 6 (33.3%)", "judge", "ada")], "/documents/?"),
    "agreement_time": ("judgements", [("ada: 6 judgements", "judge", "ada")], "/documents/?"),
    "agreement_golds": ("golds", [("majority: 0.", "gold", "majority")], ""),  # a rule leads nowhere
}


def drawn(html: str, chart: str) -> str:
    return re.search(rf'<figure class="chart chart-agreement-{chart}">.*?</figure>', html, re.S)[0]


@pytest.mark.slow
@pytest.mark.parametrize("page", FIGURES)
def test_a_page_shows_its_figure_before_its_tables(http, judges, page):
    chart, titles, _ = FIGURES[page]
    html = get(http, page)
    figure = drawn(html, chart)

    assert html.index(figure) < html.index("data-table=")
    assert figure.count("<svg ") == 2  # the second one is for phones
    for title, kind, name in titles:
        attribute = name.replace("\n", "&#10;")
        assert re.search(rf'<g class="mark[^>]*data-{kind}="{attribute}"[^>]*><title>{re.escape(title)}', figure)


@pytest.mark.slow
@pytest.mark.parametrize("page", FIGURES)
def test_a_figure_downloads_as_every_kind(http, judges, page):
    chart, *_ = FIGURES[page]
    files = re.findall(rf'href="([^"]+/charts/{chart}\.[^"]+)"', get(http, page))

    assert [file.rpartition(".")[2] for file in files] == ["svg", "pdf", "png"]
    for file, begin in zip(files, (b"<?xml", b"%PDF", b"\x89PNG"), strict=True):
        assert http.get(unescape(file)).content.startswith(begin)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page, (*_, address) in FIGURES.items() if address])
def test_marks_open_their_source_for_those_who_may(http, collection, judges, join, signed_in, page):
    chart, _, address = FIGURES[page]
    (opened, *_) = re.findall(r'data-href="([^"]+)"', drawn(get(http, page), chart))
    reader = signed_in(join(collection, "ina", Role.INSTRUCTOR))

    assert address in opened
    assert ("data-href=" in drawn(get(reader, page), chart)) == (page == "agreement")
    get(signed_in(join(collection, "asa", Role.ASSESSOR)), page, status=403)


@pytest.mark.slow
def test_a_selection_without_judgements_has_no_figure(http, judges):
    empty = {"since": "2000-01-01", "until": "2000-01-02"}
    for page, (chart, *_) in FIGURES.items():
        assert f"chart-agreement-{chart}" not in get(http, page, **empty)
        assert "There is nothing to draw" in get(http, "agreement_chart", chart, "svg", status=400, **empty)


@pytest.mark.slow
def test_figures_are_computed_once(http, judges, monkeypatch):
    caches["results"].clear()
    calls = []
    compute = pending._compute_page
    monkeypatch.setattr(pending, "_compute_page", lambda *given: calls.append(given[2]) or compute(*given))
    for _ in range(2):
        get(http, "agreement")
        get(http, "agreement", rel="all")
        get(http, "agreement_table", "reference", "csv")
    assert calls == ["agreement", "agreement"]


@pytest.mark.slow
def test_filter_replaces_a_part_of_the_page(http, judges):
    response = http.get("/c/graded/agreement/", headers={"HX-Request": "true", "HX-Target": "figures"})
    assert "HX-Refresh" not in response


@pytest.fixture
def many(db):
    return llmjudge_collection()


@pytest.mark.slow
def test_33_judges_have_a_matrix_and_the_kappas_of_scikit_learn(many, join, signed_in):
    http = signed_in(join(many, "rita", Role.OWNER))
    html = get(http, "agreement", slug="llmjudge", rel="all")
    assert "Each judge against nist" in html
    assert html.count("<title>") == 1 + 34 * 33 // 2  # of the page and of the cells
    shown = tables_of(html)["reference"]
    names = [name if kind != "range" else kind for name, kind in shown.columns]
    grades = {name: {} for name in many.members.values_list("name", flat=True)}
    for name, task, grade in Judgement.objects.values_list("member__name", "task", "relevance"):
        grades[name][task] = grade
    nist = [grades["nist"][task] for task in sorted(grades["nist"])]
    assert len(shown.rows) == 33
    for row in (dict(zip(names, cells, strict=True)) for cells in shown.texts()):
        judge = [grades[row["judge"]][task] for task in sorted(grades["nist"])]
        for name, weights in (("cohen_kappa", None), ("weighted_kappa", "linear")):
            kappa = cohen_kappa_score(nist, judge, labels=range(4), weights=weights)
            assert row[name].split(" ")[0] == f"{kappa:z.3f}"
    assert len(list(csv.reader(io.StringIO(get(http, "agreement_table", "pairs", "csv", slug="llmjudge"))))) == 1 + 561


@pytest.mark.slow
def test_golds_are_compared_by_judgements_set_aside(http, collection, judges):
    html = get(http, "agreement_golds")

    table = tables_of(html)["golds"]
    assert "Which gold rule predicts a held-out judgement best?" in html
    assert "seed 1" in html
    assert table["rule"] == ["majority", "union", "intersection", "dawid_skene", "glad", "mace"]


@pytest.mark.slow
def test_the_figure_of_golds_has_a_row_for_each_rule_on_a_desk_and_a_phone(http, collection, judges):
    html = get(http, "agreement_golds")
    table = tables_of(html)["golds"]
    figure = re.search(r'<figure class="chart chart-agreement-golds">.*?</figure>', html, re.DOTALL)[0]
    drawn = re.findall(r"<svg [^>]*viewBox.*?</svg>", figure, re.DOTALL)
    marks = [f"{rule}: {equal}, " for rule, equal in zip(table["rule"], table["equal"], strict=True)]

    assert html.index("chart-agreement-golds") < html.index('data-table="golds"')
    assert [float(re.search(r'viewBox="0 0 ([\d.]+) ', svg)[1]) for svg in drawn] == pytest.approx([435.6, 212.4])
    for svg in drawn:
        assert re.findall(r'data-gold="(\w+)"', svg) == table["rule"]
        assert all(f"<title>{mark}" in svg for mark in marks)
        assert "data-href" not in svg


def test_without_two_judges_of_a_document_there_is_no_figure_of_golds(http, collection):
    judge(collection, "ada", "3210...")
    html = get(http, "agreement_golds")

    assert "Cannot be determined: no item with two judges." in html
    assert "chart-agreement-golds" not in html
    assert "There is nothing to draw: no two judges have" in get(http, "agreement_chart", "golds", "svg", status=400)


@pytest.mark.slow
def test_a_pair_is_compared_with_another_one(http, collection, judges):
    ada, ben, gpt = (judges[name].pk for name in ("ada", "ben", "gpt"))
    plain = get(http, "pair", ada, ben, rel="2")
    assert [f'value="{ada}-{gpt}"' in plain, f'value="{ben}-{gpt}"' in plain] == [True, True]
    assert "data-difference" not in plain
    html = get(http, "pair", ada, ben, rel="2", compare=f"{ada}-{gpt}")
    ratings = collection_ratings(collection, 2)
    for name in ("pooled_kappa", "cohen_kappa"):
        expected = kappa_difference(ratings, ("ada", "ben"), ("ada", "gpt"), name)
        shown = " ".join(re.findall(rf'data-difference="{name}_difference">(.*?)</p>', html, re.DOTALL)[0].split())
        assert f"<b>{expected.shown()}</b>" in shown
        assert f"{expected.low:.3f}".replace("-", "−") in shown.replace("-", "−")
        assert f"n = {expected.n}, 2 topics, {expected.n_dropped} left out" in shown
    assert "selected>ada and gpt" in html
    assert 'name="rel" value="2"' in html


@pytest.mark.in_ci
def test_an_unknown_pair_is_refused(http, judges):
    ada, ben = judges["ada"].pk, judges["ben"].pk
    for compare in ("9999-1", f"{ada}-{ben}", "x" * 500):
        html = get(http, "pair", ada, ben, status=400, compare=compare)
        assert "compare must be a pair with ada or ben, not" in html


def test_two_judges_have_no_other_pair(db, join, signed_in):
    other = small_collection(SMALL_RUNS, slug="two", grades=GRADES)
    names = [judge(other, name, JUDGED[name]) for name in ("ada", "ben")]
    http = signed_in(join(other, "rita", Role.RESEARCHER))
    assert 'id="compared"' not in get(http, "pair", *(one.pk for one in names), slug="two")


def test_judges_without_a_common_document_have_an_empty_cell():
    matrix = SimpleNamespace(judges=["ann", "bob"])

    assert _cell(None, matrix, 0, 1, None, 0) == '<rect x="20" y="0" class="empty"/>'
