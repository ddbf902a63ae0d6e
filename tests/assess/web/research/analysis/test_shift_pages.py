"""The page of the ranking shift, its downloads and its headline."""

import csv
import io
import re

import pytest

from assess.transfer.import_record import SourceFile
from assess.transfer.runs import RunOptions, import_runs
from tests.assess.command_output import output_of
from tests.assess.web.research.analysis.pages import judge, read
from tests.factories import SMALL_RUNS

pytestmark = pytest.mark.site


def test_shift_page_shows_ranks_taus_and_downloads(http, collection, two_judges):
    html = read(http, "shift", collection, reference="judge:first")
    for words in ("judge:second", "union", "intersection", "majority", "AP(rel=1)", "Comparison of golds"):
        assert words in html.replace("AP</span>", "AP(rel=1)</span>")
    assert "<img" not in html  # the chart on the page follows the theme
    drawn = re.search(r'<figure class="chart chart-slope">.*?</figure>', html, re.S)[0]
    assert set(re.findall(r'data-system="([^"]+)"', drawn)) == set(SMALL_RUNS)
    chart = re.search(r'href="([^"]+/figures/slope.svg[^"]+)"', html)[1].replace("&amp;", "&")
    svg, pdf, png = (http.get(chart.replace("slope.svg", f"slope.{kind}")) for kind in ("svg", "pdf", "png"))
    assert svg.content.startswith(b"<?xml")
    assert pdf.content.startswith(b"%PDF")
    assert png.content.startswith(b"\x89PNG")
    assert svg.content == http.get(chart).content
    rows = list(csv.DictReader(io.StringIO(read(http, "shift_csv", collection, reference="judge:first"))))
    assert {row["system"] for row in rows} == set(SMALL_RUNS)
    assert {row["gold"] for row in rows} == {"judge:first", "judge:second", "union", "intersection", "majority"}


def hero_and_list(html: str) -> tuple[str, list[str]]:
    """The headline of a page, and the sentences about what it leaves out."""
    left_out = re.search(r'<ul class="quiet left-out">(.*?)</ul>', html, re.S)
    items = re.findall(r"<li>(.*?)</li>", left_out[1], re.S) if left_out else []
    return re.search(r'<p class="hero">(.*?)</p>', html, re.S)[1], items


def test_shift_page_answers_if_there_is_enough_data(http, collection, two_judges, settings):
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_JUDGED = 2, 0.8
    # Every system retrieves 5 documents of two topics, of which the pool holds 5, 4 and 4: 13 of 15 are judged.
    hero, left_out = hero_and_list(read(http, "shift", collection, reference="judge:first"))
    assert hero.startswith("Yes, ")
    assert "(of 4 golds, the one that differs most from judge:first)" in hero
    assert "2 topics, 87% of the first 10 judged" in hero
    assert left_out == []
    settings.HEADLINE_MIN_JUDGED = 0.9
    hero, left_out = hero_and_list(read(http, "shift", collection, reference="judge:first"))
    assert hero == (
        "Preliminary: 2 topics in common, 87% of the first 10 judged; answers need 2 topics, 90% of the top ten "
        "judged. "
        "Yes, substantially. Under judge:second (of 4 golds, the one that differs most from judge:first), "
        "2 of 3 system pairs swap (tau_b −0.816, 2 topics, 87% of the first 10 judged) and the best system changes "
        "from beta to alpha and gamma."
    )
    assert left_out[0].startswith("Preliminary for judge:second, union, intersection and majority: 2 topics in common")
    assert len(left_out) == 1  # one sentence for all golds


def test_thresholds_are_set_on_the_page(http, collection, two_judges):
    golds = {"reference": "judge:first", "against": "judge:second"}
    html = read(http, "shift", collection, **golds)
    assert hero_and_list(html)[0].startswith("Preliminary: 2 topics in common, ")
    assert "answers need 10 topics, half of the top ten judged</a>" in html
    assert re.search(r'<details class="thresholds"\s*>', html)
    assert 'name="min_topics" id="min_topics" min="1" value="10"' in html
    assert "min_topics=" not in html  # in no address
    html = read(http, "shift", collection, **golds, min_topics="2", min_judged="0.8")
    hero, left_out = hero_and_list(html)
    assert (hero.startswith("Yes, substantially. "), left_out) == (True, [])
    assert "answers need 2 topics, 80% of the top ten judged</a>" in html
    assert '<details class="thresholds" open>' in html
    assert html.count("min_topics=2&amp;min_judged=0.8") >= 11  # all pages, and the files


@pytest.mark.parametrize(
    "name",
    [
        *("shift", "shift_golds", "shift_swaps", "swap", "leverage", "shift_mixed"),
        *("shift_intervals", "shift_measures", "shift_differences", "shift_topics", "leaderboard"),
    ],
)
def test_every_page_of_the_shift_has_the_same_rule(http, collection, two_judges, name):
    golds = {"reference": "judge:first", "against": "judge:second"}
    few = read(http, name, collection, **golds)
    assert re.search(
        r'<p class="hero">\s*Preliminary: 2 [^;]*; answers need 10 topics, half of the top ten judged\.', few
    )
    assert "answers need 10 topics, half of the top ten judged</a>" in few
    enough = read(http, name, collection, **golds, min_topics="2")
    assert "Preliminary" not in enough
    assert "answers need 2 topics, half of the top ten judged</a>" in enough
    assert re.search(r'href="[^"]*/shift/mixed/[^"]*min_topics=2', enough)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("min_topics", "0", "min_topics must be a whole number from 1 to 1,000,000, not"),
        ("min_topics", "2.5", "min_topics must be a whole number from 1 to 1,000,000, not"),
        ("min_topics", "٣", "min_topics must be a whole number from 1 to 1,000,000, not"),
        ("min_judged", "2", "min_judged must be a share from 0 to 1, not"),
        ("min_judged", "nan", "min_judged must be a share from 0 to 1, not"),
        ("min_judged", "half", "min_judged must be a share from 0 to 1, not"),
    ],
)
def test_invalid_thresholds_are_refused(http, collection, two_judges, parameter, value, message):
    html = read(http, "shift", collection, status=400, **{parameter: value})
    assert message in html


def test_thresholds_compute_nothing_again(http, collection, two_judges, monkeypatch):
    read(http, "shift", collection)
    monkeypatch.setattr("assess.analysis.shift.ranking._compute_shift", None)
    assert "Preliminary" not in read(http, "shift", collection, min_topics="2")


def test_judgements_on_one_topic_are_not_the_headline(http, collection, two_judges, settings):
    """Neither the third judge nor the golds that differ from a judge only by the third judge's few grades."""
    settings.HEADLINE_MIN_TOPICS = 2
    judge(collection, "third", {("1", "a"): 0, ("1", "b"): 0, ("1", "d"): 1})
    hero, left_out = hero_and_list(read(http, "shift", collection, reference="judge:first"))
    assert "judge:third" not in hero
    assert left_out[1].startswith("Preliminary for judge:third: 1 topic in common with judge:first, ")


def test_combined_golds_need_two_judges_too(http, collection, settings):
    settings.HEADLINE_MIN_TOPICS = 2
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]
    judge(collection, "first", dict(zip(pairs, (1, 1, 1, 0, 1, 0, 0), strict=True)))
    judge(collection, "second", {("2", "x"): 0, ("2", "y"): 0, ("2", "z"): 1})
    html = read(http, "shift", collection, reference="judge:first")
    hero, left_out = hero_and_list(html)
    assert hero.startswith("Preliminary: 1 topic in common, ")
    assert ". Yes, substantially. Under judge:second (of 4 golds, the one that differs most" in hero
    assert left_out[0].startswith("Preliminary for judge:second, union, intersection and majority: 1 topic in common")
    few = re.search(r"Golds with too little data \(4\)(.*?)</details>", html, re.S)[1]
    names = re.findall(r"<li>([^ ]+): 1 topic in common with judge:first, ", few)
    assert names == ["judge:second", "union", "intersection", "majority"]
    assert few.count("(counting only the documents of the evidence)") == 3
    note = "The evidence of a gold that combines judges is its documents with two or more judges."
    assert note in html
    assert note in output_of("ranking_shift", "--collection", collection.slug)
    assert note not in output_of("ranking_shift", "--collection", collection.slug, "--gold", "judge:first")
    assert "<h2>judge:first and judge:second</h2>" in html  # the chart is still drawn, with a note
    assert "Preliminary: these two golds have too little data." in html


def test_golds_of_judges_without_a_common_document(http, collection):
    judge(collection, "first", {("1", "a"): 1, ("1", "b"): 0})
    judge(collection, "second", {("2", "x"): 1, ("2", "y"): 0})
    html = read(http, "shift", collection, reference="judge:first")
    hero, _ = hero_and_list(html)
    assert hero.startswith("Cannot be determined: no gold has a topic in common with judge:first. A comparison needs")
    assert "judge:second: no topic in common with judge:first, tau_b undefined (no topic in common)." in html


def test_new_judgement_changes_the_next_shift(http, collection, two_judges):
    before = read(http, "shift_csv", collection)
    judge(collection, "third", {("1", "a"): 0})
    assert "judge:third" not in before
    assert "judge:third" in read(http, "shift_csv", collection)


def test_single_gold_is_ranked_without_a_chart(http, collection):
    judge(collection, "only", {("1", "a"): 1, ("1", "b"): 0})
    html = read(http, "shift", collection)
    assert "Which system is best?" in html
    assert "<img" not in html


def test_shift_page_states_the_precision_of_scores(http, collection, two_judges):
    assert "Scores are read as float64." in read(http, "shift", collection)
    collection.runs.filter(system="beta").update(score_precision="float32")
    assert "Scores of 1 of 3 runs are read as float32 (beta), the others as float64." in read(http, "shift", collection)
    collection.runs.update(score_precision="float32")
    assert "Scores are read as float32." in read(http, "shift", collection)
    report = output_of("ranking_shift", "--collection", collection.slug)
    assert "Scores are read as float32." in report
    assert re.search(r'data-system="beta".*?<td>float32</td>', read(http, "runs", collection), re.DOTALL)


def test_a_tie_in_float32_only_changes_the_ranking(http, collection, two_judges, tmp_path):
    path = tmp_path / "delta.run"
    # 2^24 + 1 and 2^24: float32 ties them, and the tie ranks b, the greater doc_id, before a
    path.write_text("1 Q0 a 1 16777217 delta\n1 Q0 b 2 16777216 delta\n", encoding="utf-8")
    import_runs(collection, [path])
    import_runs(collection, [SourceFile(path, path.name, "single")], RunOptions(score_precision="float32"))
    judge(collection, "third", {("1", "a"): 1, ("1", "b"): 0})

    rows = csv.DictReader(io.StringIO(read(http, "shift_csv", collection, measure="P@1", reference="judge:third")))

    scores = {row["system"]: float(row["score"]) for row in rows if row["gold"] == "judge:third"}
    assert (scores["delta"], scores["single"]) == (1, 0)


def test_baselines_are_labelled(http, collection, two_judges):
    assert ">baseline</span>" not in read(http, "shift", collection)
    collection.runs.filter(system="beta").update(is_baseline=True)
    labelled = re.findall(
        r'<th scope="row">\s*(?:<[^>]*>)*(\w+)(?:</span>)? <span class="tag">baseline</span>',
        read(http, "shift", collection),
    )
    assert labelled == ["beta"]
    rows = list(csv.DictReader(io.StringIO(read(http, "shift_csv", collection))))
    assert {row["is_baseline"] for row in rows if row["system"] == "beta"} == {"True"}
    assert {row["is_baseline"] for row in rows if row["system"] != "beta"} == {"False"}
