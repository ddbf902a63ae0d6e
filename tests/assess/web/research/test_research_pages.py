"""The researcher's and the instructor's pages: what they say, offer, and say when there is nothing."""

import csv
import io
import re

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from assess import collections
from assess.judging.judgement_input import Saying
from assess.judging.record import Said, record_elsewhere
from assess.models import Document, Role, Task
from assess.pools import build as pools
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact


@pytest.fixture
def rita(collection, join):
    return join(collection, "rita", Role.OWNER)


@pytest.fixture
def desk(rita, signed_in):
    return signed_in(rita)


def judge(collection, name: str, grades: dict[tuple[str, str], int]):
    """Judgements of somebody who never signs in."""
    member = collection.members.get_or_create(name=name, defaults={"role": Role.ASSESSOR})[0]
    tasks = {
        (task.topic.query_id, task.document.doc_id): task.pk
        for task in Task.objects.select_related("topic", "document")
    }
    record_elsewhere(
        [Said(member, tasks[pair], 0, Saying("judged", grade), timezone.now()) for pair, grade in grades.items()]
    )
    return member


@pytest.fixture
def two_judges(collection):
    """Two who agree on 5 of 7: both relevant 2, both nonrelevant 3, one each way."""
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]
    return (
        judge(collection, "first", dict(zip(pairs, (1, 1, 1, 0, 0, 0, 0), strict=True))),
        judge(collection, "second", dict(zip(pairs, (1, 1, 0, 1, 0, 0, 0), strict=True))),
    )


def read(desk, name, collection, *arguments, status=200, **query) -> str:
    response = desk.get(reverse(f"research:{name}", args=[collection.slug, *arguments]), query)
    assert response.status_code == status
    content = response.content.decode()
    return compact(content) if "html" in response["content-type"] else content


def test_a_new_collection_says_what_to_do_first_and_next(desk, rita, join, db):
    empty = collections.create("empty", "Empty")
    member = collections.add_member(empty, "rita", Role.OWNER)[0]
    desk.force_login(member.user, backend="assess.people.backend.AccountBackend")
    html = read(desk, "collection", empty)
    assert "No topics yet: import them." in html
    assert "import_topics --collection empty topics.tsv" in html
    assert "There are no runs yet" in read(desk, "shift", empty)
    assert "There are no judgements yet" in read(desk, "agreement", empty)


def test_the_next_deed_follows_the_campaign(desk, collection, join):
    assert "Nobody can judge yet" in read(desk, "collection", collection)
    join(collection, "ada")
    assert "Nothing is given out yet" in read(desk, "collection", collection)
    pools.assign(collection, judges=1)
    assert "<h2>Next</h2>" not in read(desk, "collection", collection)
    Document.objects.filter(doc_id__in="ab").update(text=None)
    html = read(desk, "collection", collection)
    assert "2 pooled documents have no text yet" in html
    assert read(desk, "lacking", collection) == "a\nb\n"


def test_the_agreement_page_answers_in_words_and_in_figures(desk, collection, two_judges):
    # P(A) = 5/7; pooled P(E) = (6/14)² + (8/14)² = 25/49, kappa = (35 - 25) / (49 - 25) = 5/12 = 0.417;
    # both say relevant 3 times of 7, so Cohen's is the same. By topic: n = 4 and 3, the second all nonrelevant.
    html = read(desk, "agreement", collection)
    assert "The judges agree little: the average pair says the same of 71% of the documents that both judged" in html
    row = re.search(r"first and second</a></th>(.*?)</tr>", html, re.S)[1]
    assert re.findall(r'class="num">([^<]*)</td>', row)[:6] == ["7", "0", "0", "0.714", "0.417", "0.417"]
    assert "undefined (one category)" in html
    assert re.search(r"Average of 1 pair; 0 pairs without", html)


def test_the_average_is_over_the_same_pairs_in_words_in_figures_and_in_the_report(desk, collection, two_judges):
    """A third judge agrees with the first on one document: P(A) = 1, but their kappa is undefined (one category)."""
    judge(collection, "third", {("1", "a"): 1})
    judge(collection, "fourth", {("2", "z"): 0})
    html = read(desk, "agreement", collection)
    assert "says the same of 71% of the documents" in html
    foot = re.search(r"average pair</th>(.*?)</tr>", html, re.S)[1]
    assert re.findall(r'class="num">([^<\s]+)', foot)[:3] == ["7", "0.714", "0.417"]
    assert re.search(r"<small>-?0\.\d\d to \d\.\d\d</small>", foot)
    assert f"topics, then documents resampled, 2000 draws, seed {collection.seed}" in html
    assert "1 pair of judges has no document in common." in html
    out = io.StringIO()
    call_command("agreement_report", "--collection", collection.slug, "--rel", 1, stdout=out)
    assert "pooled kappa 0.417, dubious, n = 7, P(A) = 0.714" in out.getvalue()


@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife", "topics"])
def test_the_report_gives_intervals_where_asked_and_the_same_ones_again(collection, two_judges, interval):
    def report():
        out = io.StringIO()
        call_command(
            "agreement_report", "--collection", collection.slug, "--rel", 1, "--interval", interval, stdout=out
        )
        return out.getvalue()

    assert "95% interval" in report() or "95 %" in report()
    assert report() == report()


def test_the_pair_page_works_the_table_out(desk, collection, two_judges):
    html = read(desk, "pair", collection, *(member.pk for member in two_judges))
    assert "first and second agree on 71.4% of 7 documents; chance alone would give 51.0%" in html
    for words in ("(3 + 2) / 7", "(3/7)(3/7)", "0.4167", "Topic by topic"):
        assert words in html


def test_two_who_share_no_document_are_told_so(desk, collection):
    judges = judge(collection, "first", {("1", "a"): 1}), judge(collection, "second", {("1", "b"): 1})
    html = read(desk, "pair", collection, *(member.pk for member in judges))
    assert "have judged no document in common" in html
    assert "undefined (no overlap)" in html
    assert "cannot be told yet" in read(desk, "agreement", collection)


def test_a_judge_without_judgements_is_told_so(desk, collection, two_judges, join):
    idle = join(collection, "idle")
    html = read(desk, "pair", collection, two_judges[0].pk, idle.pk, status=400)
    assert f"{idle.name} has not judged anything yet." in html


def test_what_is_asked_for_and_unknown_is_refused_by_name(desk, collection, two_judges):
    assert "rel=7 is not on the scale; it is one of 1." in read(desk, "agreement", collection, rel="7", status=400)
    assert "nonsense" in read(desk, "shift", collection, measure="nonsense", status=400)
    assert "Relevant from grade 9 cuts nothing" in read(desk, "shift", collection, measure="AP(rel=9)", status=400)
    assert "nobody" in read(desk, "shift", collection, reference="judge:nobody", status=400)
    assert "there is no judge" in read(desk, "qrels", collection, gold="judge:nobody", status=400)
    assert read(desk, "shift_figure", collection, "exe", status=404)
    ids = [member.pk for member in two_judges]
    assert read(desk, "pair", collection, ids[0], ids[0], status=404)


def test_graded_judgements_are_cut_where_asked_or_kept_apart(join, signed_in, db):
    collection = small_collection(SMALL_RUNS, "graded", grades=["0=none", "1=some", "2=much"])
    desk = signed_in(join(collection, "rita", Role.RESEARCHER))
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e")]
    judge(collection, "first", dict(zip(pairs, (0, 1, 2, 2), strict=True)))
    judge(collection, "second", dict(zip(pairs, (0, 2, 2, 1), strict=True)))
    shares = {
        rel: re.search(r"same of (\d+)%", read(desk, "agreement", collection, rel=rel))[1] for rel in ("1", "2", "all")
    }
    assert shares == {"1": "100", "2": "50", "all": "50"}


def test_the_shift_page_shows_ranks_taus_and_the_way_to_the_files(desk, collection, two_judges):
    html = read(desk, "shift", collection, reference="judge:first")
    for words in ("judge:second", "union", "intersection", "majority", "AP(rel=1)", "Between golds"):
        assert words in html.replace("AP</span>", "AP(rel=1)</span>")
    chart = re.search(r'<img src="([^"]+)"', html)[1].replace("&amp;", "&")
    svg, pdf = desk.get(chart), desk.get(chart.replace("shift.svg", "shift.pdf"))
    assert svg.content.startswith(b"<?xml")
    assert pdf.content.startswith(b"%PDF")
    assert svg.content == desk.get(chart).content
    rows = list(csv.DictReader(io.StringIO(read(desk, "shift_csv", collection, reference="judge:first"))))
    assert {row["system"] for row in rows} == set(SMALL_RUNS)
    assert {row["gold"] for row in rows} == {"judge:first", "judge:second", "union", "intersection", "majority"}


def test_a_new_judgement_is_in_the_very_next_shift(desk, collection, two_judges):
    before = read(desk, "shift_csv", collection)
    judge(collection, "third", {("1", "a"): 0})
    assert "judge:third" not in before
    assert "judge:third" in read(desk, "shift_csv", collection)


def test_one_gold_alone_is_ranked_without_a_chart(desk, collection):
    judge(collection, "only", {("1", "a"): 1, ("1", "b"): 0})
    html = read(desk, "shift", collection)
    assert "is the only gold" in html
    assert "<img" not in html


def test_no_download_holds_a_formula(join, signed_in, db):
    collection = small_collection({"=cmd()": SMALL_RUNS["alpha"], "+evil": SMALL_RUNS["beta"]})
    desk = signed_in(join(collection, "rita", Role.OWNER))
    judge(collection, "=judge", {("1", "a"): 1, ("1", "b"): 0})
    judge(collection, "other", {("1", "a"): 1, ("1", "b"): 0})
    for name in ("judgements_csv", "agreement_csv", "shift_csv"):
        cells = [cell for row in csv.reader(io.StringIO(read(desk, name, collection))) for cell in row]
        assert "'=judge" in cells or "judge:=judge" in cells
        assert not [cell for cell in cells if re.match(r"[=+@\t\r]|-(?![\d.])", cell)]


def test_judgements_and_golds_are_downloaded_under_pseudonyms(desk, collection, join):
    ada = collections.add_member(collection, "ada.lovelace", Role.ASSESSOR)[0]
    task = Task.objects.first()
    record_elsewhere([Said(ada, task.pk, 0, Saying("judged", 1), timezone.now())])
    text = read(desk, "judgements_csv", collection)
    assert "assessor-1" in text
    assert "lovelace" not in text
    assert read(desk, "qrels", collection, gold="union").count("\n") == 1


def test_an_instructor_finds_agreement_and_shift_and_nothing_to_export(collection, join, signed_in, two_judges):
    tom = join(collection, "tom", Role.INSTRUCTOR)
    desk = signed_in(tom)
    home = compact(desk.get(reverse("teach:home")).content.decode())
    assert reverse("research:agreement", args=[collection.slug]) in home
    page = read(desk, "agreement", collection)
    assert reverse("research:collection", args=[collection.slug]) + '"' not in page
    assert desk.get(reverse("research:judgements_csv", args=[collection.slug])).status_code == 403


def test_somebody_without_a_collection_is_told_how_to_get_one(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("new"), backend="assess.people.backend.AccountBackend")
    assert "You are not a member of any collection yet." in client.get("/").content.decode()
    assert "You are not an instructor of any collection yet." in client.get(reverse("teach:home")).content.decode()


@pytest.mark.parametrize(("name", "queries"), [("collection", 14), ("agreement", 13), ("shift", 10)])
def test_the_number_of_queries_is_known(desk, collection, two_judges, django_assert_num_queries, name, queries):
    read(desk, name, collection)
    with django_assert_num_queries(queries):
        read(desk, name, collection)
