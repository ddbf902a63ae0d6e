"""The pages of the ranking shift: what they show, and who may see it."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from assess.analysis.shift import ranks
from assess.collections.members import add_member
from assess.jobs import results
from assess.models import Collection, GradesOpening, Member, Role
from tests.assess.analysis.test_shift import DOCUMENTS, RUNS
from tests.assess.web.research.analysis.pages import judge
from tests.factories import small_collection
from tests.html import compact
from tests.shared_rows import shared_rows

PAGES = (
    *("shift", "shift_golds", "shift_swaps", "swap", "leverage", "shift_mixed", "shift_intervals", "shift_measures"),
    *("shift_differences", "shift_topics"),
)
FIGURES = {
    "shift": ["slope", "ranges"],
    "shift_golds": ["heat-map"],
    "shift_mixed": ["mixed"],
    "shift_intervals": ["intervals", "intervals-judges"],
    "shift_topics": ["topic-scores"],
    "shift_swaps": ["swapped-pairs"],
    "shift_differences": ["different-pairs"],
    "shift_measures": ["tau-by-measure"],
    "leverage": ["leverage"],
}
THREE_GOLDS = ["judge:first", "judge:second", "majority"]  # few, because every two are compared
REFERENCE = {"reference": "judge:first", "against": "judge:second", "golds": THREE_GOLDS}


@dataclass
class Ranked:
    collection: Collection
    rita: Member


def build_ranked() -> Ranked:
    """Four systems, and three judges who disagree."""
    collection = small_collection(RUNS, "ranked", grades=["0=no", "1=some", "2=much"], depth=3)
    for name, grades in (("first", (1, 0, 2, 1, 0, 0)), ("second", (0, 1, 0, 0, 2, 1)), ("third", (1, 1, 0, 0, 1, 0))):
        judge(collection, name, dict(zip(DOCUMENTS, grades, strict=True)))
    return Ranked(collection, add_member(collection, "rita", Role.RESEARCHER)[0])


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker, tmp_path_factory):
    results.forget_all()
    with shared_rows(build_ranked, django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
        yield shared


@pytest.fixture(autouse=True)
def always_isolate(shared_site, settings, db) -> Ranked:
    """Keep the computed figures between the tests, which do not change the judgements."""
    return shared_site.copy(settings)


@pytest.fixture
def collection(always_isolate):
    return always_isolate.collection


@pytest.fixture
def rita(always_isolate):
    return always_isolate.rita


@pytest.fixture
def http(rita, signed_in):
    return signed_in(rita)


def get(http, name, *arguments, status=200, **query):
    response = http.get(reverse(f"research:{name}", args=["ranked", *arguments]), query)
    assert response.status_code == status, response.content.decode()[:2000]
    return response


def read(http, name, *arguments, status=200, **query) -> str:
    return compact(get(http, name, *arguments, status=status, **query).content.decode())


def link_to(html: str, file: str) -> str:
    return re.search(rf'href="([^"]*/{re.escape(file)}[^"]*)"', html)[1].replace("&amp;", "&")


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_figures_follow_the_theme_and_are_three_files(http, name):
    html = get(http, name, **REFERENCE).content.decode()
    assert "<img" not in html
    for figure in FIGURES[name]:
        drawn = re.search(rf'<figure class="chart chart-{figure}.*?</figure>', html, re.S)[0]
        assert figure == "slope" or "var(--ink)" in drawn  # the style sheet colours the slope chart
        assert "#1d2026" not in drawn
        for kind, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
            assert http.get(link_to(html, f"{figure}.{kind}")).content.startswith(start)


@pytest.mark.in_ci
def test_tables_are_latex_as_on_the_page(http):
    text = read(http, "shift_table", "golds", "tex", **REFERENCE)
    assert r"\begin{table}" in text
    assert r"\label{tab:golds}" in text
    assert "tau" in text


@pytest.mark.slow
def test_heat_map_has_a_choice_of_coefficients(http):
    for coefficient, title in (("tau_b", "tau_b between"), ("tau_ap_b", "tau_AP"), ("rbo", "RBO"), ("tau", "tau bet")):
        html = read(http, "shift_golds", coefficient=coefficient)
        assert title in html
        assert f'<option value="{coefficient}" selected>' in html
    assert "coefficient must be one of" in read(http, "shift_golds", coefficient="x", status=400)


@pytest.mark.slow
def test_who_judged_is_read_once(http, django_assert_max_num_queries):
    get(http, "shift")
    with django_assert_max_num_queries(15) as queries:
        get(http, "shift")
    by_judge = [each["sql"] for each in queries.captured_queries if 'COUNT("assess_judgement"."id")' in each["sql"]]
    assert len(by_judge) == 1


@pytest.mark.in_ci
@pytest.mark.parametrize("name", PAGES)
def test_choices_are_part_of_every_link_and_pages_need_few_queries(http, name, django_assert_max_num_queries):
    query = {"without_judge": "third", "without_system": "delta", "golds": ["judge:first", "judge:second", "mean"]}
    get(http, name, **(REFERENCE | query))
    with django_assert_max_num_queries(27):
        html = get(http, name, **(REFERENCE | query)).content.decode()
    assert "without judge third" in html
    # The first link is in the navigation of the collection.
    for address in re.findall(r'href="(/c/ranked/shift[^"]*)"', html)[1:]:
        parts = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
        assert parts["without_judge"] == ["third"], address
        assert parts["without_system"] == ["delta"], address
        assert parts["golds"] == query["golds"], address


@pytest.mark.slow
def test_golds_judges_and_systems_can_be_chosen(http):
    html = read(http, "shift", golds=["judge:first", "dawid_skene"], at_least="2")
    checked = re.findall(r'name="golds" value="([^"]+)" checked', html)
    assert checked == ["judge:first", "dawid_skene", "at_least:2"]
    assert read(http, "shift", golds=["judge:second", "mean"], reference="judge:first").count("judge:first") > 2
    assert "without_judge must be one of" in read(http, "shift", without_judge="nobody", status=400)
    assert "without_system must be one of" in read(http, "shift", without_system="omega", status=400)
    assert "needs a number of judges from 1 to 9,999" in read(http, "shift", golds="at_least:x", status=400)
    assert "There is no rule" in read(http, "shift", golds="nobody", status=400)
    assert "at most 60 golds" in read(http, "shift", golds=[f"at_least:{n}" for n in range(1, 63)], status=400)


def test_many_golds_are_folded(http, monkeypatch):
    monkeypatch.setattr(ranks, "MOST_COLUMNS", 2)
    first, folded = read(http, "shift", **REFERENCE).split("<summary>The other 1 gold</summary>")
    assert "majority</th>" not in first
    assert "majority</th>" in folded
    assert "judge:second</th>" in first


@pytest.mark.in_ci
def test_swapped_pairs_lead_to_their_topics_and_documents(http, collection):
    html = get(http, "shift_swaps", **REFERENCE).content.decode()
    address = re.search(r'href="(/c/ranked/shift/swap/[^"]*gold_1=[^"]*)"', html)[1].replace("&amp;", "&")
    swap = http.get(address).content.decode()
    query = parse_qs(urlsplit(address).query)
    assert f"Why do {query['a'][0]} and {query['b'][0]} differ" in swap
    (task,) = set(re.findall(r'href="/c/ranked/documents/(\d+)/">a</a>', swap))
    assert collection.topics.get(query_id="1").tasks.get(pk=task).document.doc_id == "a"


@pytest.mark.in_ci
def test_a_swap_needs_two_systems(http):
    assert "Name two different systems" in read(http, "swap", a="alpha", b="alpha", status=400)
    assert "There is no run of system" in read(http, "swap", a="alpha", b="omega", status=400)
    assert "Why do" in read(http, "swap", a="alpha")


@pytest.mark.in_ci
def test_leverage_leads_to_adjudication(http, collection, rita):
    html = read(http, "leverage")
    assert 'action="/c/ranked/adjudication/create/"' in html
    assert "Adjudicate the first 6" in html
    tasks = {int(pk) for pk in re.findall(r'type="checkbox" name="task" value="(\d+)"', html)}
    assert tasks == {int(pk) for pk in re.findall(r'type="hidden" name="task" value="(\d+)"', html)}
    assert tasks <= set(collection.topics.values_list("tasks", flat=True))
    assert len(tasks) == 6
    adjudication = collection.adjudications.create(number=1)
    adjudication.tasks.create(task_id=min(tasks), adjudicator=rita)
    assert f'name="task" value="{min(tasks)}"' not in read(http, "leverage")
    text = get(http, "shift_table", "leverage", "csv").content.decode()
    assert "judges" not in text.splitlines()[0]


@pytest.mark.slow
def test_grades_of_one_judge_are_recorded_as_opened(http, rita):
    get(http, "leverage")
    get(http, "swap", gold_1="majority", gold_2="union", a="alpha", b="beta")
    assert not GradesOpening.objects.exists()
    get(http, "leverage", gold="judge:first")
    assert set(GradesOpening.objects.values_list("member", flat=True)) == {rita.pk}
    GradesOpening.objects.all().delete()
    get(http, "shift_table", "swap-documents", "csv", a="alpha", b="beta", gold_1="judge:first", gold_2="union")
    assert GradesOpening.objects.exists()


@pytest.mark.slow
def test_instructors_see_no_grades_of_one_judge(collection, join, signed_in):
    http = signed_in(join(collection, "tom", Role.INSTRUCTOR))
    swap = {"a": "alpha", "b": "beta", "gold_1": "judge:first", "gold_2": "judge:second"}
    html = read(http, "swap", **swap)
    assert "grade_1" not in html
    assert "by document" not in html
    assert "/documents/" not in html
    assert "grade_1" not in get(http, "shift_table", "swap-documents", "csv", **swap).content.decode()
    assert "grade_1" in read(http, "swap", a="alpha", b="beta", gold_1="union", gold_2="majority")
    assert not GradesOpening.objects.exists()
    assert "Leverage" not in html
    files = (("shift_table", ["leverage", "csv"]), ("shift_chart", ["leverage", "svg"]))
    for name, arguments in (("leverage", []), *files):
        get(http, name, *arguments, status=403)


def test_unknown_files_are_not_found(http):
    for name, *file in (("shift_table", "ranges", "exe"), ("shift_table", "x", "csv"), ("shift_chart", "slope", "exe")):
        get(http, name, *file, status=404)
    get(http, "shift_chart", "x", "svg", status=404)


@pytest.mark.in_ci
def test_tests_and_corrections_can_be_chosen(http):
    for test in ("t", "wilcoxon", "sign", "randomisation", "tukey"):
        html = read(http, "shift_differences", test=test, correction="bonferroni")
        assert f"test {test}" in html
        assert ("seed 1" in html) == (test in ("randomisation", "tukey"))
    assert "test must be one of t, wilcoxon" in read(http, "shift_differences", test="anova", status=400)
    assert "correction must be one of holm" in read(http, "shift_swaps", correction="x", status=400)


def test_few_topics_are_stated_with_their_power(http):
    for name in ("shift_differences", "shift_swaps"):
        assert "fewer than 50" in read(http, name, **REFERENCE)


@pytest.mark.slow
def test_measures_can_be_chosen(http):
    html = read(http, "shift_measures", measures=["RR", "", "P@2"])
    assert re.findall(r'name="measures" value="([^"]+)" checked', html) == ["RR", "P@2"]
    assert "at most 10 measures" in read(http, "shift_measures", measures=[f"P@{n}" for n in range(1, 12)], status=400)


@pytest.mark.slow
def test_a_single_gold_has_pages_without_comparisons(http, collection):
    one = {"golds": "judge:first"}
    assert "There is only one gold" in read(http, "shift_swaps", **one)
    assert "No two golds can be compared." in read(http, "shift_golds", **one)
    assert "chart-slope" not in read(http, "shift", **one)
    assert "No two golds can be compared" in read(http, "shift_measures", **one)


@pytest.mark.slow
def test_collection_without_judgements_says_so(join, signed_in):
    empty = small_collection(RUNS, "empty", depth=2)
    http = signed_in(join(empty, "olga", Role.OWNER))
    for name in PAGES:
        response = http.get(reverse(f"research:{name}", args=["empty"]))
        assert response.status_code == 200
        assert "There are no judgements yet" in response.content.decode()


@pytest.mark.in_ci
def test_intervals_of_correlations_are_computed_on_request(http):
    plain = http.get(reverse("research:shift", args=["ranked"]), REFERENCE).content.decode()
    assert "Compute intervals of tau_b" in plain
    assert 'id="correlations"' not in plain
    html = http.get(reverse("research:shift", args=["ranked"]), REFERENCE | {"intervals": "topics"}).content.decode()
    assert 'data-table="correlation-intervals"' in html
    assert "2,000 draws, seed 1" in html
    assert "fewer than five systems" in html
    refused = http.get(reverse("research:shift", args=["ranked"]), REFERENCE | {"intervals": "judges"})
    assert refused.status_code == 400
    assert "intervals must be one of" in refused.content.decode()


def drawn(html: str, name: str) -> str:
    """Return a figure of a page, which comes before all tables."""
    figure = re.search(rf'<figure class="chart chart-{name}">.*?</figure>', html, re.S)[0]
    assert html.index(figure) < html.index("data-table=")
    return figure


@pytest.mark.in_ci
def test_swaps_are_a_map_whose_cells_explain_them(http):
    html = read(http, "shift_swaps", **REFERENCE)
    figure = drawn(html, "swapped-pairs")
    n_swapped = int(re.search(r"(\d+) of 6 system pairs swap", html)[1])
    cells = set(re.findall(r'data-systems="(\w+)&#10;(\w+)" data-href="([^"]+)"', figure))
    assert n_swapped == len({(a, b) for a, b, _ in cells}) > 0
    a, b, address = min(cells)
    query = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
    assert urlsplit(address).path == reverse("research:swap", args=["ranked"])
    assert (query["a"], query["b"], query["gold_1"], query["gold_2"]) == ([a], [b], ["judge:first"], ["judge:second"])
    assert "the lead under judge:second is " in figure


@pytest.mark.in_ci
def test_differences_are_a_map_of_all_pairs_that_opens_their_topics(http):
    figure = drawn(read(http, "shift_differences"), "different-pairs")
    on_desk = figure.partition('class="on-phone"')[0]
    assert on_desk.count("data-systems=") == 6
    assert "not significant</title>" in on_desk
    assert not re.search(r"difference −", on_desk)  # the system of the row is ahead
    assert reverse("research:shift_topics", args=["ranked"]) in on_desk


@pytest.mark.in_ci
def test_measures_are_a_map_of_golds(http):
    figure = drawn(read(http, "shift_measures", measures=["AP", "P@1"]), "tau-by-measure")
    assert "judge:second by P@1: tau_b" in figure
    assert "judge:second by nDCG@10" not in figure


@pytest.mark.in_ci
def test_documents_with_leverage_are_bars_without_grades(http):
    html = read(http, "leverage", gold="majority")
    figure = drawn(html, "leverage")
    assert re.search(r"<title>\w+ · \d: \d pairs? swapped", figure)
    assert not any("grade" in title for title in re.findall(r"<title>(.*?)</title>", figure))


def test_one_system_has_no_map(http):
    one = {"without_system": ["beta", "gamma", "delta"]}
    for page in ("shift_swaps", "shift_differences"):
        assert "<figure" not in read(http, page, **one)
    for name in ("swapped-pairs", "different-pairs"):
        get(http, "shift_chart", name, "svg", status=400, **one)
