"""The pages of researchers and instructors, with and without data."""

import csv
import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Checkpoint, Document, Role, Task
from assess.transfer.imports import import_runs
from tests.assess.command_output import output_of
from tests.factories import SMALL_RUNS, remove_content, small_collection
from tests.html import compact


@pytest.fixture
def rita(collection, join):
    return join(collection, "rita", Role.OWNER)


@pytest.fixture
def http(rita, signed_in):
    return signed_in(rita)


def judge(collection, name: str, grades: dict[tuple[str, str], int]):
    """Record judgements of an assessor without a user."""
    member = collection.members.get_or_create(name=name, defaults={"role": Role.ASSESSOR})[0]
    tasks = {
        (task.topic.query_id, task.document.doc_id): task.pk
        for task in Task.objects.select_related("topic", "document")
    }
    record_imported(
        [
            ImportedJudgement(member, tasks[pair], 0, JudgementInput("judged", grade), timezone.now())
            for pair, grade in grades.items()
        ]
    )
    return member


@pytest.fixture
def two_judges(collection):
    """Two judges who agree on 5 of 7 documents: 2 relevant for both, 3 for neither, and 1 for each judge alone."""
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]
    return (
        judge(collection, "first", dict(zip(pairs, (1, 1, 1, 0, 0, 0, 0), strict=True))),
        judge(collection, "second", dict(zip(pairs, (1, 1, 0, 1, 0, 0, 0), strict=True))),
    )


@pytest.fixture
def low_thresholds(settings):
    """Let a sentence compare golds and judges with the little data of these tests."""
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = 1, 1


def read(http, name, collection, *arguments, status=200, **query) -> str:
    response = http.get(reverse(f"research:{name}", args=[collection.slug, *arguments]), query)
    assert response.status_code == status
    content = response.content.decode()
    return compact(content) if "html" in response["content-type"] else content


def test_empty_collection_shows_the_first_steps(http, rita, join, db):
    empty = create_collection("empty", "Empty")
    member = add_member(empty, "rita", Role.OWNER)[0]
    http.force_login(member.user, backend="assess.people.backend.AccountBackend")
    html = read(http, "collection", empty)
    assert '<h2 id="next">Next: Topics</h2><p>There are no topics yet.</p>' in html
    assert '<a class="button main" href="/c/empty/import/">Import topics</a>' in html
    assert "There are no runs yet" in read(http, "shift", empty)
    assert "There are no judgements yet" in read(http, "agreement", empty)


def test_steps_lead_to_their_pages(http, collection, join):
    assert "Next: People" in read(http, "collection", collection)
    join(collection, "ada")
    html = read(http, "collection", collection)
    assert "Next: Work" in html
    pages = re.findall(r'<li class="\w+" ?(?:aria-current="step")?><a href="([^"]+)">', html)
    assert len(pages) == 11
    assert {http.get(page).status_code for page in pages} == {200}


def test_documents_without_text_are_listed(http, collection):
    remove_content(Document.objects.filter(doc_id__in="ab"))
    assert "2 of the pooled documents have no text yet" in read(http, "collection", collection)
    assert read(http, "missing", collection) == "a\nb\n"


@pytest.mark.usefixtures("low_thresholds")
def test_agreement_page_has_a_sentence_and_figures(http, collection, two_judges):
    # P(A) = 5/7; pooled P(E) = (6/14)² + (8/14)² = 25/49, kappa = (35 - 25) / (49 - 25) = 5/12 = 0.417;
    # both judge 3 of 7 relevant, so Cohen's is the same. By topic: n = 4 and 3, the second all nonrelevant.
    html = read(http, "agreement", collection)
    assert (
        '<p class="hero">The judges agree poorly: on average, a pair agrees on 71% of the documents that both judged. '
        "Pooled kappa, which corrects for chance, is 0.42 (dubious) over 1 pair with 2 topics and 7 documents in "
        "common.</p>"
    ) in html
    row = re.search(r"first and second</a></th>(.*?)</tr>", html, re.S)[1]
    assert re.findall(r'class="num">([^<]*)</td>', row)[:6] == ["7", "0", "0", "0.714", "0.417", "0.417"]
    assert "undefined (one category)" in html
    assert re.search(r"Average of 1 pair; 0 pairs without", html)


@pytest.mark.parametrize(("topics", "documents"), [(3, 7), (2, 8)])
def test_agreement_on_little_data_is_too_early(http, collection, two_judges, settings, topics, documents):
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = topics, documents
    needed = f"An answer needs at least {topics} topics and {documents} documents that both judged."
    html = read(http, "agreement", collection)
    assert (
        '<p class="hero">Too early to say whether the judges agree: the two judges have 7 documents of 2 topics in '
        f"common. {needed}</p>"
    ) in html
    assert "<li>Too early to say for first and second (2 topics, 7 documents, kappa 0.417).</li>" in html
    row = re.search(r"first and second</a></th>(.*?)</tr>", html, re.S)[1]
    assert row.count("too early to say") == 2  # instead of the bands
    assert "dubious</span>" not in html
    pair = read(http, "pair", collection, *(member.pk for member in two_judges))
    assert f'<p class="hero">Too early to say whether they agree. {needed}</p>' in pair
    assert "dubious</span>" not in pair[: pair.index("Topic by topic")]


def test_a_few_judgements_of_a_third_judge_do_not_change_the_headline(http, collection, two_judges, settings):
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = 2, 7
    before = re.search(r'<p class="hero">(.*?)</p>', read(http, "agreement", collection))[1]
    judge(collection, "third", {("1", "a"): 0, ("1", "b"): 0, ("1", "d"): 1})
    html = read(http, "agreement", collection)
    assert f'<p class="hero">{before}</p>' in html
    assert "<li>Too early to say for first and third (1 topic, 3 documents, kappa -0.500); second and third" in html


def test_averages_have_intervals_over_topics(http, collection):
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("2", "x"), ("2", "y"), ("2", "z")]
    judge(collection, "first", dict(zip(pairs, (1, 1, 0, 0, 1, 0), strict=True)))
    judge(collection, "second", dict(zip(pairs, (1, 0, 0, 0, 1, 0), strict=True)))
    html = read(http, "agreement", collection)
    foot = re.search(r"average of all pairs</th>(.*?)</tr>", html, re.S)[1]
    assert re.search(r"<small class=\"nowrap\">-?\d\.\d\d to \d\.\d\d</small>", foot)
    assert "jackknife over topics: each topic left out once" in html


@pytest.mark.usefixtures("low_thresholds")
def test_sentence_figures_and_report_average_the_same_pairs(http, collection, two_judges):
    """A third judge agrees with the first on one document: P(A) = 1, but their kappa is undefined (one category)."""
    judge(collection, "third", {("1", "a"): 1})
    judge(collection, "fourth", {("2", "z"): 0})
    html = read(http, "agreement", collection)
    assert "agrees on 71% of the documents" in html
    foot = re.search(r"average of all pairs</th>(.*?)</tr>", html, re.S)[1]
    assert re.findall(r'class="num">([^<\s]+)', foot)[:3] == ["7", "0.714", "0.417"]
    assert "There are too few topics for a 95 % interval of the averages." in html
    assert "1 pair of judges has no document in common." in html
    out = io.StringIO()
    call_command("agreement_report", "--collection", collection.slug, "--rel", 1, stdout=out)
    assert "pooled kappa 0.417, dubious, n = 7, P(A) = 0.714" in out.getvalue()


@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife", "topics"])
def test_report_has_reproducible_intervals_on_request(collection, two_judges, interval):
    def report():
        out = io.StringIO()
        call_command(
            "agreement_report", "--collection", collection.slug, "--rel", 1, "--interval", interval, stdout=out
        )
        return out.getvalue()

    assert "95% interval" in report() or "95 %" in report()
    assert report() == report()


def test_pair_page_shows_the_steps(http, collection, two_judges):
    html = read(http, "pair", collection, *(member.pk for member in two_judges))
    assert "first and second agree on 71.4% of 7 documents; chance alone would give 51.0%" in html
    for words in ("(3 + 2) / 7", "(3/7)(3/7)", "0.4167", "Topic by topic"):
        assert words in html


def test_pair_without_common_documents(http, collection):
    judges = judge(collection, "first", {("1", "a"): 1}), judge(collection, "second", {("1", "b"): 1})
    html = read(http, "pair", collection, *(member.pk for member in judges))
    assert "have not judged any document in common" in html
    assert "undefined (no overlap)" in html
    assert "Too early to say whether the judges agree: no two judges have judged the same" in read(
        http, "agreement", collection
    )


def test_judge_without_judgements_is_refused(http, collection, two_judges, join):
    idle = join(collection, "idle")
    html = read(http, "pair", collection, two_judges[0].pk, idle.pk, status=400)
    assert f"{idle.name} has no judgements yet." in html


def test_unknown_parameters_are_refused(http, collection, two_judges):
    assert "rel must be one of 1, not &#x27;7&#x27;." in read(http, "agreement", collection, rel="7", status=400)
    assert "nonsense" in read(http, "shift", collection, measure="nonsense", status=400)
    assert "The relevance threshold must be one of 1, not 9." in read(
        http, "shift", collection, measure="AP(rel=9)", status=400
    )
    assert "nobody" in read(http, "shift", collection, reference="judge:nobody", status=400)
    assert "There is no judge" in read(http, "qrels", collection, gold="judge:nobody", status=400)
    assert read(http, "shift_figure", collection, "exe", status=404)
    ids = [member.pk for member in two_judges]
    assert read(http, "pair", collection, ids[0], ids[0], status=404)


@pytest.mark.usefixtures("low_thresholds")
def test_graded_judgements_can_be_binary_or_graded(join, signed_in, db):
    collection = small_collection(SMALL_RUNS, "graded", grades=["0=none", "1=some", "2=much"])
    http = signed_in(join(collection, "rita", Role.RESEARCHER))
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e")]
    judge(collection, "first", dict(zip(pairs, (0, 1, 2, 2), strict=True)))
    judge(collection, "second", dict(zip(pairs, (0, 2, 2, 1), strict=True)))
    shares = {
        rel: re.search(r"agrees on (\d+)%", read(http, "agreement", collection, rel=rel))[1]
        for rel in ("1", "2", "all")
    }
    assert shares == {"1": "100", "2": "50", "all": "50"}


def test_shift_page_shows_ranks_taus_and_downloads(http, collection, two_judges):
    html = read(http, "shift", collection, reference="judge:first")
    for words in ("judge:second", "union", "intersection", "majority", "AP(rel=1)", "Comparison of golds"):
        assert words in html.replace("AP</span>", "AP(rel=1)</span>")
    assert "<img" not in html  # the chart on the page follows the theme
    assert "var(--accent)" in re.search(r'<figure class="chart chart-slope">.*?</figure>', html, re.S)[0]
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
        "Too early to say: no gold has enough data to be compared with the reference. The one with the most data has 2 "
        "topics in common, and 87% of the first 10 judged. A comparison needs at least 2 topics in common, and 90% of "
        "the first 10 documents judged under each gold."
    )
    assert len(left_out) == 4


def test_judgements_on_one_topic_are_not_the_headline(http, collection, two_judges, settings):
    """Neither the third judge nor the golds that differ from a judge only by the third judge's few grades."""
    settings.HEADLINE_MIN_TOPICS = 2
    judge(collection, "third", {("2", "x"): 0, ("2", "y"): 0, ("2", "z"): 1})
    hero, left_out = hero_and_list(read(http, "shift", collection, reference="judge:first"))
    assert "judge:third" not in hero
    assert left_out[0].startswith("Too early to say for judge:third: 1 topic in common with judge:first, ")


def test_combined_golds_need_two_judges_too(http, collection, settings):
    settings.HEADLINE_MIN_TOPICS = 2
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]
    judge(collection, "first", dict(zip(pairs, (1, 1, 1, 0, 1, 0, 0), strict=True)))
    judge(collection, "second", {("2", "x"): 0, ("2", "y"): 0, ("2", "z"): 1})
    html = read(http, "shift", collection)
    hero, left_out = hero_and_list(html)
    assert hero.startswith("Too early to say: no gold has enough data to be compared with the reference. ")
    names = [
        re.match(r"Too early to say for ([^ ]+): 1 topic in common with judge:first, ", line)[1] for line in left_out
    ]
    assert names == ["judge:second", "union", "intersection", "majority"]
    assert "(counting only the documents of the evidence)" in left_out[1]
    note = "The evidence of a gold that combines judges is its documents with two or more judges."
    assert note in html
    assert note in output_of("ranking_shift", "--collection", collection.slug)
    assert note not in output_of("ranking_shift", "--collection", collection.slug, "--gold", "judge:first")
    assert "<h2>judge:first and judge:second</h2>" in html  # the chart is still drawn, with a note
    assert "There is too little data to compare these two golds." in html


def test_golds_of_judges_without_a_common_document(http, collection):
    judge(collection, "first", {("1", "a"): 1, ("1", "b"): 0})
    judge(collection, "second", {("2", "x"): 1, ("2", "y"): 0})
    hero, left_out = hero_and_list(read(http, "shift", collection))
    assert hero.startswith("Too early to say: no gold has enough data")
    assert left_out[0] == (
        "Too early to say for judge:second: no topic in common with judge:first, tau_b undefined (no topic in common)."
    )


def test_thresholds_of_the_report_are_options(collection, two_judges, settings):
    def report(name, *options):
        out = io.StringIO()
        call_command(name, "--collection", collection.slug, *options, stdout=out)
        return out.getvalue()

    assert report("ranking_shift").startswith("Too early to say: no gold has enough data")
    assert report("ranking_shift", "--min-topics", "2").startswith("Yes, ")
    assert report("ranking_shift", "--min-topics", "2", "--min-judged", "0.9").startswith("Too early to say: ")
    assert report("agreement_report").startswith("Too early to say whether the judges agree: ")
    assert report("agreement_report", "--min-topics", "2", "--min-documents", "7").startswith("The judges agree poorly")
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = 2, 7  # the defaults of the options
    assert report("ranking_shift").startswith("Yes, ")
    assert report("agreement_report").startswith("The judges agree poorly")
    for option in (("--min-topics", "0"), ("--min-judged", "2"), ("--min-judged", "half")):
        with pytest.raises(CommandError, match=rf"argument {option[0]}: '{option[1]}' is not a "):
            report("ranking_shift", *option)


@pytest.mark.parametrize("name", ["agreement", "shift"])
def test_headlines_are_for_readers_only(client, collection, two_judges, join, django_user_model, name):
    address = reverse(f"research:{name}", args=[collection.slug])
    backend = "assess.people.backend.AccountBackend"
    for role, status in ((Role.OWNER, 200), (Role.RESEARCHER, 200), (Role.INSTRUCTOR, 200), (Role.ASSESSOR, 403)):
        client.force_login(join(collection, f"a-{role.value}", role).user, backend=backend)
        response = client.get(address)
        assert response.status_code == status
        assert ("Too early to say" in response.content.decode()) == (status == 200)
    client.force_login(django_user_model.objects.create_user("outsider"), backend=backend)
    assert client.get(address).status_code == 404
    assert client.post(address).status_code in (404, 405)


def test_new_judgement_changes_the_next_shift(http, collection, two_judges):
    before = read(http, "shift_csv", collection)
    judge(collection, "third", {("1", "a"): 0})
    assert "judge:third" not in before
    assert "judge:third" in read(http, "shift_csv", collection)


def test_single_gold_is_ranked_without_a_chart(http, collection):
    judge(collection, "only", {("1", "a"): 1, ("1", "b"): 0})
    html = read(http, "shift", collection)
    assert "is the only gold" in html
    assert "<img" not in html


def test_downloads_contain_no_formulas(join, signed_in, db):
    collection = small_collection({"=cmd()": SMALL_RUNS["alpha"], "+evil": SMALL_RUNS["beta"]})
    http = signed_in(join(collection, "rita", Role.OWNER))
    judge(collection, "=judge", {("1", "a"): 1, ("1", "b"): 0})
    judge(collection, "other", {("1", "a"): 1, ("1", "b"): 0})
    for name in ("judgements_csv", "agreement_csv", "shift_csv"):
        cells = [cell for row in csv.reader(io.StringIO(read(http, name, collection))) for cell in row]
        assert "'=judge" in cells or "judge:=judge" in cells
        assert not [cell for cell in cells if re.match(r"[=+@\t\r]|-(?![\d.])", cell)]


def test_downloads_use_pseudonyms(http, collection, join):
    ada = add_member(collection, "ada.lovelace", Role.ASSESSOR)[0]
    task = Task.objects.first()
    record_imported([ImportedJudgement(ada, task.pk, 0, JudgementInput("judged", 1), timezone.now())])
    text = read(http, "judgements_csv", collection)
    head = http.get(reverse("research:judgements_csv", args=[collection.slug])).headers["Assay-Checkpoint"]
    assert head == Checkpoint.objects.last().hash
    assert "assessor-1" in text
    assert "lovelace" not in text
    assert read(http, "qrels", collection, gold="union").count("\n") == 1


def test_instructor_sees_agreement_and_shift_but_no_exports(collection, join, signed_in, two_judges):
    tom = join(collection, "tom", Role.INSTRUCTOR)
    http = signed_in(tom)
    home = http.get(reverse("teach:home")).content.decode()
    assert reverse("research:agreement", args=[collection.slug]) in home
    page = read(http, "agreement", collection)
    assert reverse("research:collection", args=[collection.slug]) + '"' not in page
    assert http.get(reverse("research:judgements_csv", args=[collection.slug])).status_code == 403


def test_user_without_a_collection_gets_a_hint(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("new"), backend="assess.people.backend.AccountBackend")
    assert "You are not a member of any collection yet." in client.get("/").content.decode()
    assert "You are not an instructor of any collection yet." in client.get(reverse("teach:home")).content.decode()


@pytest.mark.parametrize(
    ("name", "queries"), [("collection", 17), ("import", 14), ("agreement", 20), ("pool", 6), ("shift", 13)]
)
def test_number_of_queries(http, collection, two_judges, django_assert_num_queries, name, queries):
    read(http, name, collection)
    with django_assert_num_queries(queries):
        read(http, name, collection)


def test_shift_page_states_the_precision_of_scores(http, collection, two_judges):
    assert "Scores are read as float64." in read(http, "shift", collection)
    collection.runs.filter(system="beta").update(score_precision="float32")
    assert "Scores of 1 of 3 runs are read as float32 (beta), the others as float64." in read(http, "shift", collection)
    collection.runs.update(score_precision="float32")
    assert "Scores are read as float32." in read(http, "shift", collection)
    report = output_of("ranking_shift", "--collection", collection.slug)
    assert "Scores are read as float32." in report
    assert re.search(r"<th scope=\"row\">beta</th>.*?<td>float32</td>", read(http, "collection", collection), re.DOTALL)


def test_a_tie_in_float32_only_changes_the_ranking(http, collection, two_judges, tmp_path):
    path = tmp_path / "delta.run"
    # 2^24 + 1 and 2^24: float32 ties them, and the tie ranks b, the greater doc_id, before a
    path.write_text("1 Q0 a 1 16777217 delta\n1 Q0 b 2 16777216 delta\n", encoding="utf-8")
    import_runs(collection, [path])
    import_runs(collection, [path], "single", score_precision="float32")
    judge(collection, "third", {("1", "a"): 1, ("1", "b"): 0})

    rows = csv.DictReader(io.StringIO(read(http, "shift_csv", collection, measure="P@1", reference="judge:third")))

    scores = {row["system"]: float(row["score"]) for row in rows if row["gold"] == "judge:third"}
    assert (scores["delta"], scores["single"]) == (1, 0)


def test_baselines_are_labelled(http, collection, two_judges):
    assert ">baseline</span>" not in read(http, "shift", collection)
    collection.runs.filter(system="beta").update(is_baseline=True)
    labelled = re.findall(
        r'<th scope="row">\s*(\w+) <span class="tag">baseline</span>', read(http, "shift", collection)
    )
    assert labelled == ["beta"]
    rows = list(csv.DictReader(io.StringIO(read(http, "shift_csv", collection))))
    assert {row["is_baseline"] for row in rows if row["system"] == "beta"} == {"True"}
    assert {row["is_baseline"] for row in rows if row["system"] != "beta"} == {"False"}
