"""The page of a shift from pasted scores: its figures are those of the library, and nothing is stored."""

import pandas as pd
import pytest
from django.urls import reverse

from agreement import shift_from_scores
from assess.models import Role
from assess.web.research.shift import score_views
from pooling.words import with_minus
from tests.assess.web.research.analysis.shown_tables import tables_of
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact

COLUMNS = ["gold", "system", "query_id", "measure", "value"]
VALUES = {"first": {"bm25": 0.5, "lsa": 0.3}, "second": {"bm25": 0.2, "lsa": 0.4}}
ROWS = [
    (gold, system, str(topic), "AP", value + topic / 100)
    for gold, systems in VALUES.items()
    for system, value in systems.items()
    for topic in range(12)
]
TABLE = pd.DataFrame(ROWS, columns=COLUMNS)
CSV = TABLE.to_csv(index=False)


@pytest.fixture
def collection(db):
    return small_collection(SMALL_RUNS, slug="ranked", depth=2)


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "rita", Role.RESEARCHER))


def post(http, scores, status=200, slug="ranked", **options) -> str:
    response = http.post(reverse("research:shift_scores", args=[slug]), {"scores": scores, **options})
    assert response.status_code == status, response.content.decode()[:2000]
    return response.content.decode()


def test_the_form_is_shown_first(http):
    html = http.get(reverse("research:shift_scores", args=["ranked"])).content.decode()
    assert "Table of scores" in html
    assert "data-table" not in html


def test_the_figures_are_those_of_the_library(http):
    html = post(http, CSV)
    shift = shift_from_scores(TABLE)
    assert with_minus(shift.summary()) in compact(html)
    shown = tables_of(html)
    assert shown["score-ranks"]["score"] == [f"{score:.3f}" for score in shift.ranks["score"]]
    pair = shift.pair("first", "second")
    assert shown["score-pairs"]["tau_b"] == [f"{pair.tau_b.value:.3f}"]
    assert shown["score-pairs"]["swapped"] == [str(pair.swapped)]
    assert "<svg" in html


@pytest.mark.in_ci
def test_the_topics_that_an_answer_needs_can_be_chosen(http):
    few = post(http, CSV, min_topics="1000")
    assert '<p class="hero">Preliminary: ' in few
    assert "answers need 1,000 topics</span>" in few
    enough = post(http, CSV, min_topics="1")
    assert "Preliminary: " not in enough
    assert "answers need 1 topic</span>" in enough
    address = reverse("research:shift_scores", args=["ranked"])
    html = http.get(address, {"min_topics": "3"}).content.decode()
    assert '/shift/golds/?min_topics=3"' in html
    assert 'name="min_topics" value="3"' in html
    assert http.get(address, {"min_topics": "0"}).status_code == 400


@pytest.mark.in_ci
def test_the_reference_can_be_chosen(http):
    assert tables_of(post(http, CSV, reference="second"))["score-pairs"]["gold_a"] == ["second"]


def test_output_of_trec_eval_needs_the_name_of_its_gold(http):
    printed = "map\t301\t0.25\nrunid\tall\tbm25\nmap\tall\t0.25\n"
    assert "does not name its gold" in post(http, printed, 400)
    assert tables_of(post(http, printed, gold="nist"))["score-ranks"]["gold"] == ["nist"]


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ("", "Table of scores"),
        ("gold,system,query_id,measure,value\na,b,1,AP,high\n", "line 2"),
        ("gold,system,query_id\n", "fields"),
        ('gold,system,query_id,measure,value\na,b,"1,AP,1\n', "line 2"),
    ],
)
def test_invalid_tables_are_refused_in_one_sentence(http, scores, sentence):
    html = post(http, scores, 400)
    assert sentence in html
    assert "Traceback" not in html


def test_large_tables_are_refused(http, monkeypatch):
    for name, what in (("MAX_ROWS", "48 rows"), ("MAX_SYSTEMS", "2 systems"), ("MAX_VIEWS", "2 golds and measures")):
        with monkeypatch.context() as patch:
            patch.setattr(score_views, name, 1)
            assert f"The table has {what}; at most 1 are compared here" in post(http, CSV, 400)


def test_names_are_escaped(http):
    html = post(http, CSV.replace("bm25", "<script>x</script>"))
    assert "<script>x" not in html


@pytest.mark.parametrize(("role", "status"), [(Role.OWNER, 200), (Role.INSTRUCTOR, 403), (Role.ASSESSOR, 403)])
def test_roles(collection, join, signed_in, role, status):
    post(signed_in(join(collection, "other", role)), CSV, status)


def test_outsiders_bad_names_and_methods(http, join, signed_in):
    other = small_collection(SMALL_RUNS, slug="other", depth=2)
    post(signed_in(join(other, "olga", Role.OWNER)), CSV, 404)
    post(http, CSV, 404, slug="nothing")
    assert http.put(reverse("research:shift_scores", args=["ranked"])).status_code == 405


@pytest.mark.in_ci
def test_the_page_needs_few_queries(http, django_assert_max_num_queries):
    post(http, CSV)
    with django_assert_max_num_queries(12):
        post(http, CSV)
