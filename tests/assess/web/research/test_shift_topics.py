"""The page Topics of the shift: its figures, its choices, its files, and who may see it."""

import csv
import re
from html import unescape
from io import StringIO

import pytest
from django.urls import reverse

from agreement.meta_evaluation import decisive_topics, topic_difficulty, variance_components
from assess.analysis.shift import topics as analysis
from assess.analysis.shift.ranking import collection_shift
from assess.collections.members import add_member
from assess.jobs import results
from assess.models import Role
from tests.assess.analysis.test_shift import DOCUMENTS, RUNS
from tests.assess.web.research.analysis.pages import judge
from tests.assess.web.research.analysis.shown_tables import tables_of
from tests.factories import small_collection
from tests.html import compact
from tests.shared_rows import shared_rows

REFERENCE = {"measure": "AP(rel=1)", "reference": "judge:first", "golds": ["judge:first", "judge:second"]}


def build():
    collection = small_collection(RUNS, "ranked", grades=["0=no", "1=some", "2=much"], depth=3)
    for name, grades in (("first", (1, 0, 2, 1, 0, 0)), ("second", (0, 1, 0, 0, 2, 1))):
        judge(collection, name, dict(zip(DOCUMENTS, grades, strict=True)))
    return collection, add_member(collection, "rita", Role.RESEARCHER)[0]


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker, tmp_path_factory):
    results.forget_all()
    with shared_rows(build, django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
        yield shared


@pytest.fixture(autouse=True)
def site(shared_site, settings, db):
    return shared_site.copy(settings)


@pytest.fixture
def collection(site):
    return site[0]


@pytest.fixture
def http(site, signed_in):
    return signed_in(site[1])


@pytest.fixture
def scores(collection):
    return collection_shift(collection, "AP(rel=1)", ("judge:first", "judge:second"), "judge:first").scores[
        "judge:first"
    ]


def get(http, status=200, name="shift_topics", arguments=(), **query) -> str:
    response = http.get(reverse(f"research:{name}", args=["ranked", *arguments]), REFERENCE | query)
    assert response.status_code == status, response.content.decode()[:2000]
    return response.content.decode()


def hero(html: str) -> str:
    return re.search(r'<p class="hero">(.*?)</p>', html, re.S)[1].replace("<br>", "\n")


@pytest.mark.in_ci
def test_the_sentences_are_those_of_the_library(http, scores):
    html = get(http, a="alpha", b="beta")
    assert variance_components(scores).summary() in hero(html)
    text = compact(html.replace("<br>", " "))
    assert compact(topic_difficulty(scores).summary()) in text
    assert compact(decisive_topics(scores, "alpha", "beta").summary()).replace("<", "&lt;") in text


@pytest.mark.in_ci
def test_the_tables_are_those_of_the_library(http, scores):
    tables = tables_of(get(http, a="beta", b="gamma"))
    expected = decisive_topics(scores, "beta", "gamma").topics
    titles = {"1": "1 first need", "2": "2 second need"}
    assert tables["decisive-topics"]["query_id"] == [titles[query_id] for query_id in expected["query_id"]]
    assert tables["decisive-topics"]["difference"] == [f"{value:z.3f}" for value in expected["difference"]]
    difficulty = topic_difficulty(scores).topics
    assert tables["topic-difficulty"]["query_id"] == [titles[query_id] for query_id in difficulty["query_id"]]
    assert tables["topic-difficulty"]["mean"] == [f"{value:z.3f}" for value in difficulty["mean"]]
    assert tables["variance"]["source"] == ["systems", "topics", "interaction"]
    assert tables["variance"]["f"][2] == "undefined (no repetition)"


@pytest.mark.slow
def test_by_default_the_two_best_systems_are_compared(http, collection, scores):
    best = scores.mean(axis=1).sort_index().sort_values(ascending=False, kind="stable").index[:2]
    assert "<h2>{} and {}</h2>".format(*best) in get(http)
    # a system that is named is compared with the best other one
    assert f"<h2>gamma and {best[0]}</h2>" in get(http, a="gamma")
    assert f"<h2>{best[1]} and {best[0]}</h2>" in get(http, b=best[0])
    assert f"<h2>{best[0]} and {best[1]}</h2>" in get(http, b=best[1])


@pytest.mark.slow
def test_the_chosen_systems_are_selected(http):
    html = compact(get(http, a="gamma", b="delta"))
    first, second = (re.search(rf'<select name="{name}" id="{name}">(.*?)</select>', html)[1] for name in "ab")
    assert '<option value="gamma" selected>gamma</option>' in first
    assert '<option value="delta" selected>delta</option>' in second
    assert 'name="gold_1"' not in html


@pytest.mark.in_ci
def test_files_are_those_of_the_page(http, scores):
    html = get(http, a="gamma", b="delta")
    address = re.search(r'href="([^"]*/decisive-topics.csv[^"]*)"', html)[1].replace("&amp;", "&")
    rows = list(csv.DictReader(StringIO(http.get(address).content.decode())))
    expected = decisive_topics(scores, "gamma", "delta").topics
    assert [float(row["score_a"]) for row in rows] == expected["score_a"].tolist()
    figure = re.search(r'href="([^"]*/topic-scores.svg[^"]*)"', html)[1].replace("&amp;", "&")
    drawn = http.get(figure).content.decode()
    assert drawn.startswith("<?xml")
    assert "gamma" in drawn
    assert "alpha" not in drawn
    assert "gamma" in get(http, name="shift_table", arguments=["decisive-topics", "tex"], a="gamma", b="delta")


@pytest.mark.in_ci
def test_topics_lead_to_their_documents(http):
    assert '<a href="/c/ranked/documents/?topic=1">1</a>' in compact(get(http)).replace("> ", ">").replace(" <", "<")


@pytest.mark.in_ci
def test_many_topics_are_not_drawn(http, monkeypatch):
    assert "chart-topic-scores" in get(http)
    monkeypatch.setattr(analysis, "MOST_DRAWN_TOPICS", 1)
    assert "chart-topic-scores" not in get(http)


def drawn(html: str, name: str) -> str:
    return re.search(rf'<figure class="chart chart-{name}">.*?</figure>', html, re.S)[0]


@pytest.mark.slow
def test_the_map_and_the_differences_come_before_the_tables(http, scores):
    html = get(http, a="gamma", b="delta")
    shown, differences = drawn(html, "score-map"), drawn(html, "score-differences")
    score, change = scores.loc["gamma", "1"], scores.loc["gamma", "1"] - scores.loc["delta", "1"]

    assert html.index(shown) < html.index(differences) < html.index("data-table=")
    assert re.search(rf"<title>gamma on topic 1: AP\S* {score:.3f}</title>", shown)
    assert f"<title>1: {change:+.3f} under judge:first</title>" in differences
    assert differences.count("<svg ") == 2  # the second one is for phones
    assert "gamma ahead under judge:first" in differences


@pytest.mark.slow
@pytest.mark.parametrize("name", ["score-map", "score-differences", "swap-differences"])
def test_figures_download_as_every_kind(http, name):
    html = get(http, name="swap" if name.startswith("swap") else "shift_topics", a="gamma", b="delta")
    files = re.findall(rf'href="([^"]+/shift/figures/{name}\.[^"]+)"', html)
    assert [file.partition("?")[0].rpartition(".")[2] for file in files] == ["svg", "pdf", "png"]
    for file, begin in zip(files, (b"<?xml", b"%PDF", b"\x89PNG"), strict=True):
        assert http.get(unescape(file)).content.startswith(begin)


@pytest.mark.slow
def test_a_swap_shows_the_differences_under_both_golds(http):
    html = get(http, name="swap", a="gamma", b="delta", gold_1="judge:first", gold_2="judge:second")
    figure = drawn(html, "swap-differences")
    assert html.index(figure) < html.index("data-table=")
    assert re.search(r"<title>1: [+-]\d\.\d{3} under judge:first, [+-]\d\.\d{3} under judge:second</title>", figure)


@pytest.mark.in_ci
def test_one_system_has_no_comparison(http):
    html = get(http, without_system=["beta", "gamma", "delta"])
    assert "The variance components are undefined (only one system; 1 system, 2 topics)." in html
    assert 'data-table="decisive-topics"' not in html
    assert "chart-score-differences" not in html
    assert 'data-table="topic-difficulty"' in html
    assert 'data-table="topic-difficulty"' in get(http, without_system=["beta", "gamma", "delta"], b="alpha")
    one = {"without_system": ["beta", "gamma", "delta"]}
    refused = get(http, 400, "shift_table", ["decisive-topics", "csv"], **one)
    assert "There is only one system, and a comparison needs two." in refused


@pytest.mark.in_ci
def test_unknown_and_equal_systems_are_refused(http):
    assert "There are no scores of system" in get(http, 400, a="alpha", b="omega")
    assert "Name two different systems" in get(http, 400, a="alpha", b="alpha")
    assert "There is no rule" in get(http, 400, golds="nobody", reference="nobody")
    assert "<script>" not in get(http, 400, a="<script>", b="alpha").split("<main")[1]


@pytest.mark.in_ci
@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER, Role.INSTRUCTOR])
def test_readers_see_the_page(collection, join, signed_in, role):
    html = get(signed_in(join(collection, "reader", role)))
    assert 'data-table="topic-difficulty"' in html
    assert ("/documents/?topic=" in html) == (role != Role.INSTRUCTOR)
    assert ('data-href="/c/ranked/documents/?topic=1"' in drawn(html, "score-map")) == (role != Role.INSTRUCTOR)


def test_assessors_and_outsiders_do_not(collection, join, signed_in):
    get(signed_in(join(collection, "asa", Role.ASSESSOR)), 403)
    other = small_collection(RUNS, "other", depth=2)
    get(signed_in(join(other, "olga", Role.OWNER)), 404)


def test_another_method_or_collection_is_refused(http):
    assert http.post(reverse("research:shift_topics", args=["ranked"])).status_code == 405
    assert http.get(reverse("research:shift_topics", args=["nothing"])).status_code == 404


@pytest.mark.slow
def test_the_page_needs_few_queries(http, django_assert_max_num_queries):
    get(http)
    with django_assert_max_num_queries(24):
        get(http)
