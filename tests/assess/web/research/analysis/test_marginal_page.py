"""Marginal relevance for researchers: the page, the command, sets of topics, and the job for many answers."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from assess.collections.topic_sets import set_topics
from assess.marginal import report as marginal
from assess.marginal.report import export_diversity_qrels
from tests.assess.command_output import output_of, refusal
from tests.assess.judging.asking import asking_collection, join_judges, judge, judge_all
from tests.assess.web.research.analysis.pages import read

pytestmark = pytest.mark.site


@pytest.fixture
def collection(db):
    return asking_collection()


@pytest.fixture
def judges(collection, join):
    return join_judges(collection, join)


@pytest.fixture
def http(collection, signed_in, join):
    return signed_in(join(collection, "rhea", role="researcher"))


def test_command_writes_diversity_qrels(collection, judges, tmp_path):
    on = ["export_qrels", "--collection", collection.slug, "--diversity"]
    assert refusal(*on, "--gold", "only_judge") == (
        f"Nobody has answered yet whether a relevant document of {collection} adds something new."
    )
    judge_all(*judges)
    out = tmp_path / "diversity.qrels"
    assert output_of(*on, "--gold", "judge:ada", "--out", out)[0] == f"Wrote 4 lines to {out}."
    assert out.read_bytes() == export_diversity_qrels(collection, "judge:ada")
    assert refusal(*on, "--gold", "majority") == (
        "Subtopics are those of one judge: the gold must be one of judge:ada, judge:ben, only_judge, not 'majority'."
    )
    assert refusal(*on, "--gold", "only_judge") == (
        "Topic '1' has the answers of ada and ben; choose one judge with judge:NAME."
    )
    assert refusal(*on, "--gold", "judge:ada", "--rel", "1") == (
        "--rel and --diversity cannot be combined: subtopics have no grades."
    )


def test_topics_of_several_judges_in_one_file(collection, judges):
    ada, ben = judges
    judge(ada, "a", 1, "new")
    judge(ben, "x", 1, "new", query_id="2")
    assert export_diversity_qrels(collection, "only_judge") == b"1 1 a 1\n2 1 x 1\n"


def test_report_page_and_download(collection, judges, signed_in, join):
    http = signed_in(join(collection, "rhea", role="researcher"))
    page = reverse("research:marginal", args=[collection.slug])
    assert "Nobody has answered yet." in http.get(page).content.decode()
    judge_all(*judges)
    html = http.get(page).content.decode()
    assert "−0.500" in html
    download = http.get(reverse("research:diversity_qrels", args=[collection.slug]), {"gold": "judge:ada"})
    assert download.content == export_diversity_qrels(collection, "judge:ada")
    assert download["Assay-Checkpoint"]
    refused = http.get(reverse("research:diversity_qrels", args=[collection.slug]))
    assert (refused.status_code, "choose one judge" in refused.content.decode()) == (400, True)


def test_tables_download_as_csv(http, collection, judges):
    def csv(table, **query):
        answer = http.get(reverse(f"research:marginal_{table}", args=[collection.slug]), query)
        return answer.content.decode().splitlines()

    names = "judge,relevant,new,partly,nothing,unanswered,subtopics"
    assert csv("answers") == [names]
    judge_all(*judges)
    assert csv("answers") == [names, "ada,3,1,1,1,0,2", "ben,3,1,1,1,0,2"]
    head, pair = csv("pairs")
    assert head.startswith("judge_a,judge_b,documents,kappa,kappa_reason,pairs,")
    assert pair.split(",")[:3] == ["ada", "ben", "3"]
    assert float(pair.split(",")[3]) == pytest.approx(-0.5)
    for table in ("answers", "pairs"):
        page = f"marginal/{table}.csv"
        assert page in http.get(reverse("research:marginal", args=[collection.slug])).content.decode()
    set_topics(collection, ["2"], "test")
    judge(judges[0], "a", 1, "new", query_id="2")
    assert csv("answers", set="test") == [names, "ada,1,1,0,0,0,1"]
    assert len(csv("pairs", set="test")) == 1


def test_page_and_files_are_limited_to_a_set(http, collection, judges, tmp_path):
    ada, ben = judges
    judge_all(ada, ben)
    judge(ada, "a", 1, "new", query_id="2")
    judge(ada, "x", 1, "partly", ["a"], query_id="2")
    assert 'name="set"' not in read(http, "marginal", collection)
    set_topics(collection, ["2"], "test")
    html = read(http, "marginal", collection, set="test")
    assert '<span class="tag" data-topic-set>test set: 1 topic</span>' in html
    assert '<option value="test" selected>only the test set</option>' in html
    assert 'documents/?judge_a=ada&amp;grade_a=relevant&amp;set=test">2</a>' in html
    assert "diversity.txt?gold=judge%3Aada&amp;set=test" in html
    assert "ben" not in html
    assert "2 documents of 6" in read(http, "documents", collection, judge_a="ada", grade_a="relevant", set="test")
    of_set = "2 1 a 1\n2 1 x 1\n2 2 x 1\n"
    assert read(http, "diversity_qrels", collection, set="test") == of_set  # without the set, topic 1 has two judges
    out = tmp_path / "test.qrels"
    on = ["export_qrels", "--collection", collection.slug, "--diversity", "--set"]
    output_of(*on, "test", "--gold", "only_judge", "--out", out)
    assert out.read_text() == of_set
    assert "is in the development set yet." in refusal(*on, "development", "--gold", "only_judge")
    set_topics(collection, ["1"], "development")
    set_topics(collection, ["2"], "none")
    for name in ("marginal", "diversity_qrels"):
        assert "is in the test set yet." in read(http, name, collection, set="test", status=400)
        assert "set must be one of development, test" in read(http, name, collection, set="TEST", status=400)


def test_page_needs_few_queries_however_many_judges_answered(
    http, collection, judges, join, django_assert_max_num_queries
):
    judge_all(*judges)
    set_topics(collection, ["1"], "test")
    read(http, "marginal", collection)
    judge(judges[0], "d", 1, "new")
    with django_assert_max_num_queries(14):
        read(http, "marginal", collection, set="test")
    with django_assert_max_num_queries(12):  # from the cache
        read(http, "marginal", collection, set="test")


def tables(html: str) -> str:
    assert "<table" in html
    return html[html.index("<table") : html.rindex("</table>")]


@pytest.mark.django_db(transaction=True)
def test_job_compares_many_documents(http, collection, judges, monkeypatch):
    judge_all(*judges)
    at_once = tables(read(http, "marginal", collection))
    judge(judges[0], "d", 0)  # another state of the judgements, with the same answers
    monkeypatch.setattr(marginal, "PAIRS_AT_ONCE", 3)  # topic 1 has three documents: 4 pairs at most
    assert "Compare answers on marginal relevance" in read(http, "marginal", collection, status=202)
    call_command("worker", once=True, verbosity=0)
    assert tables(read(http, "marginal", collection)) == at_once


def test_instructors_and_assessors_do_not_see_the_page(collection, judges, signed_in, join):
    for role in ("assessor", "instructor"):
        http = signed_in(join(collection, f"a-{role}", role=role))
        assert http.get(reverse("research:marginal", args=[collection.slug])).status_code == 403
        assert http.get(reverse("research:marginal_answers", args=[collection.slug])).status_code == 403
        assert http.get(reverse("research:marginal_pairs", args=[collection.slug])).status_code == 403
