"""Intraclass correlation, the number of judges, benchmarks and tests of totals on the pages, and who may see them."""

import re

import pytest
from django.urls import reverse

from agreement import Ratings, benchmark_probabilities, bhapkar, generalisability, icc, mcnemar, stuart_maxwell
from agreement.coefficients.intraclass import KINDS
from assess.analysis.agreement import pair_figures
from assess.analysis.data import collection_ratings
from assess.analysis.judges.pair_statistics import PairBenchmarks, reached_band
from assess.analysis.selection import Selection
from assess.models import Role
from tests.assess.web.research.analysis.pages import judge, read
from tests.assess.web.research.analysis.shown_tables import tables_of

pytestmark = pytest.mark.site

FILES = [
    ("agreement_table", "intraclass"),
    ("agreement_table", "enough"),
    ("pair_table", "benchmarks"),
    ("pair_table", "tests"),
]
PAIRS = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]


def ids(judges) -> list[int]:
    return [member.pk for member in judges]


def address(collection, judges, view: str, table: str, kind: str = "csv") -> str:
    pair = ids(judges) if view == "pair_table" else []
    return reverse(f"research:{view}", args=[collection.slug, *pair, table, kind])


def shown_value(html: str, kind: str) -> str:
    shown = tables_of(html)["intraclass"]
    return shown["value"][shown["kind"].index(kind)].partition("±")[0].strip()


def test_every_intraclass_correlation_is_below_the_coefficients(http, collection, two_judges):
    html = read(http, "agreement", collection)
    ratings = collection_ratings(collection, 1)
    for kind in KINDS:
        assert shown_value(html, kind) == icc(ratings, kind).shown()
    shown = tables_of(html)["intraclass"]
    assert shown["n"] == ["7"] * 6
    assert shown["n_dropped"] == ["0"] * 6
    assert "a 95% interval from the F distribution" in html


@pytest.mark.usefixtures("low_thresholds")
def test_decision_study_says_how_many_judges_are_enough(http, collection):
    for name, grades in (("first", (1, 1, 1, 0, 1, 0, 0)), ("second", (1, 1, 0, 0, 1, 0, 0))):
        judge(collection, name, dict(zip(PAIRS, grades, strict=True)))
    html = read(http, "agreement", collection)
    study = generalisability(collection_ratings(collection, 1), "nested")
    shown = tables_of(html)["enough"]
    assert shown["n_judges"] == [str(number) for number in range(1, 11)]
    decision = study.decision_study(10)
    for name in ("generalisability", "dependability"):
        assert shown[name] == [f"{value:z.3f}" for value in decision[name]]
    sentence = re.search(r"<p data-enough>(.*?)</p>", html)[1]
    assert study.judges_needed(0.8)
    assert f"The mean of {study.judges_needed(0.8)} judges" in sentence
    assert "n = 7 documents of 2 topics that all 2 judges judged; 0 that only some of them judged are left out." in html


def test_little_data_has_a_preliminary_sentence_and_figures(http, collection, two_judges):
    html = read(http, "agreement", collection)
    assert (
        "<p data-enough>Preliminary: 2 topics and 7 documents in common to all judges; answers need 10 topics, "
        "50 documents in common. " in html
    )
    assert len(tables_of(html)["enough"].rows) == 10
    assert "dubious (preliminary)" in read(http, "pair", collection, *ids(two_judges))


@pytest.mark.parametrize(
    ("grades", "reason"),
    [
        ({"first": "1100..."}, "one judge"),
        ({"first": "110....", "second": "...1010"}, "no overlap"),
        ({"first": "1......", "second": "0......"}, "fewer than two items"),
        ({"first": "1111111", "second": "1111111"}, "no variance"),
    ],
)
def test_without_enough_data_the_section_has_a_reason(http, collection, grades, reason):
    for name, given in grades.items():
        judge(collection, name, {pair: int(grade) for pair, grade in zip(PAIRS, given, strict=True) if grade != "."})
    html = read(http, "agreement", collection)
    assert f"How many judges would be enough is undefined ({reason})." in html
    assert re.search(r"n = \d documents? of \d topics? that (all \d judges|the only judge) judged", html)
    assert "enough" not in tables_of(html)
    assert shown_value(html, "ICC(2,1)") == f"undefined ({reason})"
    assert "undefined" in read(http, "agreement_table", collection, "enough", "csv")


def test_one_topic_has_the_study_without_topics(http, collection):
    for name, given in (("first", "1100"), ("second", "1010")):
        judge(collection, name, {pair: int(grade) for pair, grade in zip(PAIRS, given, strict=False)})
    html = read(http, "agreement", collection)
    assert "how reliably it orders documents;" in html
    judges = [collection.members.get(name=name) for name in ("first", "second")]
    html = read(http, "pair", collection, *ids(judges))
    assert "The probability of each band is undefined (no standard error), n = 4." in html


def test_an_agreement_page_without_judgements_has_no_section(http, collection):
    assert "How many judges" not in read(http, "agreement", collection)


@pytest.mark.usefixtures("low_thresholds")
def test_pair_has_the_probability_of_each_band(http, collection, two_judges):
    third = dict(zip(PAIRS, (1, 0, 1, 1, 0, 1, 0), strict=True))
    judges = (two_judges[0], judge(collection, "third", third))
    html = read(http, "pair", collection, *ids(judges))
    row = pair_figures(collection, "first", "third", Selection(rel=1)).row
    shown = tables_of(html)["benchmarks"]
    for name, estimate in (("pooled_kappa", row.pooled), ("cohen_kappa", row.cohen)):
        bands = benchmark_probabilities(estimate)
        assert shown[f"{name}_probability"] == [f"{value:z.3f}" for value in bands.to_frame()["probability"]]
        assert shown[f"{name}_cumulative"] == [f"{value:z.3f}" for value in bands.to_frame()["cumulative"]]
        assert f"interval: at least {reached_band(estimate)} (Landis and Koch)" in html
    assert shown["scale"][:1] + shown["band"][:1] == ["Landis and Koch", "almost perfect"]


def test_pair_has_every_test_of_the_totals(http, collection, two_judges):
    html = read(http, "pair", collection, *ids(two_judges))
    ratings: Ratings = collection_ratings(collection, 1)
    tests = [test(ratings, "first", "second") for test in (mcnemar, stuart_maxwell, bhapkar)]
    shown = tables_of(html)["tests"]
    assert shown["test"] == ["McNemar, exact", "Stuart and Maxwell", "Bhapkar"]
    assert shown["statistic"] == ["1", f"{tests[1].statistic:.3f}", f"{tests[2].statistic:.3f}"]
    assert shown["p"] == [f"{test.p:.3f}" for test in tests]
    assert shown["n_disagreeing"] == ["2"] * 3
    assert "McNemar’s exact test of the totals" in html  # the line above


def test_judges_who_never_differ_have_no_test(http, collection):
    grades = {pair: number % 2 for number, pair in enumerate(PAIRS)}
    judges = [judge(collection, name, grades) for name in ("first", "second")]
    assert set(tables_of(read(http, "pair", collection, *ids(judges)))["tests"]["p"]) == {"undefined (no disagreement)"}


def test_kappas_without_a_standard_error_have_a_reason():
    one = Ratings.from_matrix([[0, 1], [0, 1]], (0, 1), ("a", "b"), axis="assessors")
    from agreement import cohen_kappa

    frame = PairBenchmarks.of(cohen_kappa(one), cohen_kappa(one)).frame()
    assert len(frame) == 14
    assert frame["pooled_kappa_probability"].isna().all()
    assert set(frame["cohen_kappa_cumulative_reason"]) == {"no_standard_error"}


@pytest.mark.parametrize(("view", "table"), FILES)
@pytest.mark.parametrize("kind", ["csv", "tex"])
def test_who_may_download(client, collection, two_judges, join, django_user_model, view, table, kind):
    backend = "assess.people.backend.AccountBackend"
    url = address(collection, two_judges, view, table, kind)
    for role, status in ((Role.OWNER, 200), (Role.RESEARCHER, 200), (Role.INSTRUCTOR, 200), (Role.ASSESSOR, 403)):
        client.force_login(join(collection, f"a-{role.value}", role).user, backend=backend)
        assert client.get(url).status_code == status
    client.force_login(django_user_model.objects.create_user("outsider"), backend=backend)
    assert client.get(url).status_code == 404


@pytest.mark.parametrize(("view", "table"), FILES)
def test_downloads_are_read_only(http, collection, two_judges, view, table):
    assert http.post(address(collection, two_judges, view, table)).status_code == 405
    assert http.get(address(collection, two_judges, view, "unknown")).status_code == 404


def test_pair_page_is_for_readers(client, collection, two_judges, join, django_user_model):
    backend = "assess.people.backend.AccountBackend"
    url = reverse("research:pair", args=[collection.slug, *ids(two_judges)])
    for role, status in ((Role.OWNER, 200), (Role.INSTRUCTOR, 200), (Role.ASSESSOR, 403)):
        client.force_login(join(collection, f"a-{role.value}", role).user, backend=backend)
        assert client.get(url).status_code == status
    client.force_login(django_user_model.objects.create_user("outsider"), backend=backend)
    assert client.get(url).status_code == 404


def test_pair_page_needs_no_more_queries(http, collection, two_judges, django_assert_num_queries):
    read(http, "pair", collection, *ids(two_judges))
    with django_assert_num_queries(41):  # one of them: whether any judgement was assisted
        read(http, "pair", collection, *ids(two_judges))
