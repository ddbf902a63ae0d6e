"""The pages of researchers and instructors, with and without data."""

import csv
import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from agreement.choices import ADDED
from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Checkpoint, Document, Role, Task
from tests.assess.web.research.analysis.pages import judge, read
from tests.factories import SMALL_RUNS, remove_content, small_collection

pytestmark = pytest.mark.site


def test_empty_collection_shows_the_first_steps(http, rita, join, db):
    empty = create_collection("empty", "Empty")
    member = add_member(empty, "rita", Role.OWNER)[0]
    http.force_login(member.user, backend="assess.people.backend.AccountBackend")
    html = read(http, "collection", empty)
    assert "<b>Topics.</b> There are no topics yet." in html
    assert '<a class="button main" href="/c/empty/import/">Import topics</a>' in html
    assert "There are no runs yet" in read(http, "shift", empty)
    for tab in ("", "_topics", "_judges", "_time", "_golds"):
        html = read(http, f"agreement{tab}", empty)
        assert "<p>There are no judgements yet.</p>" in html
        assert '<a class="button" href="/c/empty/">See the next step</a>' in html
        assert "<table" not in html


def test_steps_lead_to_their_pages(http, collection, join):
    assert "<b>People.</b>" in read(http, "collection", collection)
    join(collection, "ada")
    html = read(http, "collection", collection)
    assert "<b>Work.</b>" in html
    pages = re.findall(r'<li class="\w+" ?(?:aria-current="step")?><a href="([^"]+)">', html)
    assert len(pages) == 13
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
    assert numbers_in(row)[:6] == ["7", "0", "0", "0.714", "0.417", "0.417"]
    assert "undefined (one category)" in read(http, "agreement_topics", collection)
    assert numbers_in(row_of(html, "mean pooled kappa of the pairs")) == ["0.417", "0.714", "7", "1"]


def row_of(html: str, heading: str) -> str:
    return re.search(rf'<th scope="row">{re.escape(heading)}</th>(.*?)</tr>', html, re.S)[1]


def numbers_in(row: str) -> list[str]:
    return re.findall(r'class="num">(?:<(?:a|span) [^>]*>)*([^<\s]*)', row)


@pytest.mark.parametrize(("topics", "documents"), [(3, 7), (2, 8)])
def test_agreement_on_little_data_is_preliminary(http, collection, two_judges, settings, topics, documents):
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = topics, documents
    sentence = (
        "Preliminary: 2 topics and 7 documents in common; "
        f"answers need {topics} topics, {documents} documents in common."
    )
    html = read(http, "agreement", collection)
    assert (
        f'<p class="hero">{sentence} The judges agree poorly: on average, a pair agrees on 71% of the documents that '
        "both judged. Pooled kappa, which corrects for chance, is 0.42 (dubious) over 1 pair with 2 topics and 7 "
        "documents in common.</p>"
    ) in html
    assert "<li>first and second (2 topics, 7 documents, kappa 0.417).</li>" in html
    assert f"answers need {topics} topics, {documents} documents in common</a>" in html
    row = re.search(r"first and second</a></th>(.*?)</tr>", html, re.S)[1]
    assert row.count('<span class="quiet">dubious (preliminary)</span>') == 2  # the bands
    assert "dubious</span>" not in html
    pair = read(http, "pair", collection, *(member.pk for member in two_judges))
    assert f'<p class="hero">{sentence}</p>' in pair
    assert "dubious</span>" not in pair[: pair.index("Topic by topic")]


def test_a_few_judgements_of_a_third_judge_do_not_change_the_headline(http, collection, two_judges, settings):
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = 2, 7
    before = re.search(r'<p class="hero">(.*?)</p>', read(http, "agreement", collection))[1]
    judge(collection, "third", {("1", "a"): 0, ("1", "b"): 0, ("1", "d"): 1})
    html = read(http, "agreement", collection)
    assert f'<p class="hero">{before}</p>' in html
    assert "<li>Preliminary for 2 pairs of judges: 1 topic and 3 documents in common, kappa " in html
    assert "<li>first and third (1 topic, 3 documents, kappa −0.500).</li>" in html


@pytest.mark.parametrize("name", ["agreement", "agreement_topics", "agreement_judges", "agreement_golds"])
def test_every_page_of_agreement_has_the_same_rule(http, collection, two_judges, settings, name):
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = 10, 50  # the usual ones
    html = read(http, name, collection)
    assert '<p class="hero">Preliminary: ' in html
    assert "answers need 10 topics, 50 documents in common</a>" in html
    html = read(http, name, collection, min_topics="1", min_documents="7")
    assert "Preliminary" not in html
    assert "answers need 1 topic, 7 documents in common</a>" in html
    for tab in ("topics/", "judges/", "time/", "golds/"):
        assert f'/agreement/{tab}?min_topics=1&amp;min_documents=7"' in html


def test_the_page_of_a_pair_has_the_thresholds_of_its_link(http, collection, two_judges, settings):
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = 10, 50
    ids = [member.pk for member in two_judges]
    assert "Preliminary: 2 topics and 7 documents in common; " in read(http, "pair", collection, *ids)
    html = read(http, "pair", collection, *ids, min_topics="2", min_documents="7")
    assert "preliminary" not in html.lower().replace("an answer is preliminary", "")
    assert "min_documents must be a whole number" in read(
        http, "pair", collection, *ids, min_documents="none", status=400
    )


def test_averages_have_intervals_over_topics(http, collection):
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("2", "x"), ("2", "y"), ("2", "z")]
    judge(collection, "first", dict(zip(pairs, (1, 1, 0, 0, 1, 0), strict=True)))
    judge(collection, "second", dict(zip(pairs, (1, 0, 0, 0, 1, 0), strict=True)))
    html = read(http, "agreement", collection)
    assert re.search(r"<small>±\d\.\d\d</small>", row_of(html, "mean pooled kappa of the pairs"))
    assert "a jackknife that leaves out each topic once" in html


@pytest.mark.usefixtures("low_thresholds")
def test_sentence_figures_and_report_average_the_same_pairs(http, collection, two_judges):
    """A third judge agrees with the first on one document: P(A) = 1, but their kappa is undefined (one category)."""
    judge(collection, "third", {("1", "a"): 1})
    judge(collection, "fourth", {("2", "z"): 0})
    html = read(http, "agreement", collection)
    assert "agrees on 71% of the documents" in html
    row = row_of(html, "mean pooled kappa of the pairs")
    assert numbers_in(row) == ["0.417", "0.714", "7", "1"]
    assert "5 pairs left out: 4 one category, 1 no overlap" in row
    assert "±" not in row  # there are too few topics
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

    assert "Intervals: 95%" in report()
    assert report() == report()


@pytest.mark.parametrize("name", ADDED)
def test_report_has_further_statistics_on_request(collection, two_judges, name):
    def report(*options):
        out = io.StringIO()
        call_command("agreement_report", "--collection", collection.slug, "--rel", 1, *options, stdout=out)
        return out.getvalue()

    interval = ("--interval", "jackknife")
    short, longer = report(*interval), report(*interval, "--add", name)
    assert longer.startswith(short.rstrip())
    assert len(longer) > len(short)
    rows = list(csv.DictReader(io.StringIO(report(*interval, "--add", name, "--csv"))))
    assert {row["n"] for row in rows} == {"7"}
    assert {row["status"] for row in rows} == {"ok"}
    with pytest.raises(CommandError, match=r"--csv writes one table; name one --add, not 2\."):
        report("--csv", *(word for each in ADDED[:2] for word in ("--add", each)))


def test_pair_page_shows_the_steps(http, collection, two_judges):
    html = read(http, "pair", collection, *(member.pk for member in two_judges))
    assert "first and second agree on 71.4% of 7 documents; chance alone would give 51.0%" in html
    for words in ("(3 + 2) / 7", "(3/7)(3/7)", "0.4167", "Topic by topic"):
        assert words in html


def test_pair_page_links_to_the_documents_where_the_judges_differ(http, collection, two_judges):
    """first and second differ on 1/b and 2/z; the document is two clicks from the list of pairs."""
    html = read(http, "pair", collection, *(member.pk for member in two_judges))
    part = html.partition("<h2>Where they differ most</h2>")[2].partition("</section>")[0]
    addresses = re.findall(r'href="([^"]*)"', part)
    assert len(addresses) == 2
    for address in addresses:
        assert http.get(address.replace("&amp;", "&")).status_code == 200
    assert re.search(r"first \d, second \d", part)


def test_judges_who_agree_have_no_differing_documents(http, collection):
    judges = [judge(collection, name, {("1", "a"): 1, ("1", "b"): 0}) for name in ("first", "second")]
    assert "Where they differ most" not in read(http, "pair", collection, *(member.pk for member in judges))


def test_pair_without_common_documents(http, collection):
    judges = judge(collection, "first", {("1", "a"): 1}), judge(collection, "second", {("1", "b"): 1})
    html = read(http, "pair", collection, *(member.pk for member in judges))
    assert "have not judged any document in common" in html
    assert "undefined (no overlap)" in html
    assert "Cannot be determined: no two judges have judged the same" in read(http, "agreement", collection)


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


def test_thresholds_of_the_report_are_options(collection, two_judges, settings):
    def report(name, *options):
        out = io.StringIO()
        call_command(name, "--collection", collection.slug, *options, stdout=out)
        return out.getvalue()

    assert report("ranking_shift").startswith("Preliminary: 2 topics in common, ")
    assert report("ranking_shift", "--min-topics", "2").startswith("Yes, ")
    assert report("ranking_shift", "--min-topics", "2", "--min-judged", "0.9").startswith(
        "Preliminary: 2 topics in common, "
    )
    assert report("agreement_report").startswith("Preliminary: 2 topics and 7 documents in common; ")
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
        assert ("Preliminary: " in response.content.decode()) == (status == 200)
    client.force_login(django_user_model.objects.create_user("outsider"), backend=backend)
    assert client.get(address).status_code == 404
    assert client.post(address).status_code in (404, 405)


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
    ("name", "queries"),
    [
        *(("collection", 36), ("import", 20), ("pool", 21), ("shift", 15)),
        # Six of the first and the third: which judges could see the runs before. One of each: whether any judgement
        # was assisted.
        *(
            ("agreement", 24),
            ("agreement_topics", 17),
            ("agreement_judges", 24),
            ("agreement_time", 17),
            ("agreement_golds", 17),
        ),
    ],
)
def test_number_of_queries(http, collection, two_judges, django_assert_num_queries, name, queries):
    read(http, name, collection)
    with django_assert_num_queries(queries):
        read(http, name, collection)
