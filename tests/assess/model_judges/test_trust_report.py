"""The report on the page Model judges: verdict, figures, tables, files, the job, and what is missing."""

import csv
import io
import re
import sys

import pytest
from django.urls import reverse

from assess.collections.topic_sets import set_topics
from assess.jobs import results
from assess.model_judges import to_grade, trust
from assess.model_judges.choices import choices_of
from assess.model_judges.draw import draw_for_people
from assess.models import Job, Role, SampledTask
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.html import compact

pytestmark = pytest.mark.django_db

ADA = b"1 0 a 1\n1 0 b 1\n1 0 c 0\n1 0 d 0\n1 0 e 0\n2 0 x 1\n2 0 y 0\n2 0 z 0\n"
BOB = b"1 0 a 1\n1 0 b 0\n1 0 c 0\n1 0 d 0\n1 0 e 0\n2 0 x 1\n2 0 y 1\n2 0 z 0\n"
GPT = b"1 0 a 0\n1 0 b 1\n1 0 c 0\n1 0 d 0\n1 0 e 0\n2 0 x 1\n2 0 y 0\n2 0 z 0\n"


def url(name: str = "model_judges", *arguments) -> str:
    return reverse(f"research:{name}", args=["small", *arguments])


def html(response) -> str:
    return compact(response.content.decode())


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def http(owner, signed_in):
    return signed_in(owner)


@pytest.fixture
def judged(collection):
    for name, content, kind in (("ada", ADA, "human"), ("bob", BOB, "human"), ("gpt", GPT, "model")):
        import_judgements(collection, content, name, options=JudgementOptions(judge_kind=kind))
    return collection


@pytest.mark.slow
def test_page_has_verdict_figures_and_tables(http, judged):
    page = html(http.get(url()))
    assert 'data-verdict="too_early"' in page
    assert "It is too early to say whether gpt is safe for ranking these systems: 2 topics of the 10 needed" in page
    for words in ("All models", "Circularity and gaming", "Runs re-ranked by the model", "tau_b at most 0.05 below"):
        assert words in page
    assert page.count("<figure") == 3


@pytest.mark.slow
def test_an_interval_that_is_not_reliable_has_a_tag(http, judged, monkeypatch):
    tag = "few topics: interval not reliable"
    assert tag not in html(http.get(url())), "there is no interval"
    monkeypatch.setattr(sys.modules["agreement.trust.verdict"], "_reasons", lambda *_: [])
    assert tag in html(http.get(url(), {"people": "judge:ada"}))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["verdicts", "tests", "reranked"])
@pytest.mark.parametrize("kind", ["csv", "tex", "md"])
def test_tables_have_files(http, judged, name, kind):
    response = http.get(url("trust_table", name, kind))
    assert response.status_code == 200
    if kind == "csv":
        assert list(csv.DictReader(io.StringIO(response.content.decode())))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ranking", "bought", "grades"])
@pytest.mark.parametrize(("kind", "begin"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_figures_have_files(http, judged, name, kind, begin):
    assert http.get(url("trust_figure", name, kind)).content.startswith(begin)


@pytest.mark.slow
def test_models_are_compared_on_held_out_topics(http, judged):
    assert "Compare the models on the test set" not in html(http.get(url()))
    set_topics(judged, ["1"], "development")
    set_topics(judged, ["2"], "test")
    page = html(http.get(url()))
    address = re.search(r'<a href="([^"]*)">Compare the models on the test set', page)[1].replace("&amp;", "&")
    held_out = html(http.get(url() + address))
    assert "1 topic of the 10 needed" in held_out
    assert "Compare the models on the test set" not in held_out
    (row,) = csv.DictReader(io.StringIO(http.get(url("trust_table", "verdicts", "csv") + address).content.decode()))
    assert row["n_topics"] == "1"


@pytest.mark.slow
def test_models_that_judged_different_topics_are_named(http, judged):
    import_judgements(judged, GPT[:40], "llama", options=JudgementOptions(judge_kind="model"))
    page = html(http.get(url()))
    assert "The models have different numbers of topics in common with people:majority: gpt 2, llama 1." in page


def test_unknown_files_are_404(http, judged):
    assert http.get(url("trust_table", "secrets", "csv")).status_code == 404
    assert http.get(url("trust_figure", "ranking", "gif")).status_code == 404


@pytest.mark.slow
def test_a_finished_draw_corrects_the_scores(http, judged):
    """Both people graded all documents of the pool, so a draw of all of them is finished."""
    assert "Scores corrected by people" not in html(http.get(url()))
    draw_for_people(judged, 4)
    page = html(http.get(url()))
    assert "Scores corrected by people" in page
    assert http.get(url("trust_figure", "scores", "svg")).status_code == 200
    rows = list(csv.DictReader(io.StringIO(http.get(url("trust_table", "corrected", "csv")).content.decode())))
    assert all(float(row["low"]) == pytest.approx(float(row["high"])) for row in rows)


@pytest.mark.slow
def test_grades_of_a_draw_rank_by_corrected_scores(http, collection):
    """People graded only what was drawn, so nothing says what the rest is: no ranking under people, no figure of it."""
    import_judgements(collection, GPT, "gpt", options=JudgementOptions(judge_kind="model"))
    draw_for_people(collection, 2, seed=1)
    drawn = list(SampledTask.objects.values_list("task__topic__query_id", "task__document__doc_id"))
    lines = "".join(f"{query_id} 0 {doc_id} {n % 2}\n" for n, (query_id, doc_id) in enumerate(drawn))
    first, rest = lines[: lines.index("\n") + 1], lines
    import_judgements(collection, first.encode(), "ada", options=JudgementOptions(judge_kind="human"))
    waits = f"The report waits for the draw: judge:ada has graded 1 of {len(drawn)} drawn documents."
    assert waits in html(http.get(url()))
    import_judgements(collection, rest.encode(), "ada", options=JudgementOptions(judge_kind="human"))
    page = html(http.get(url()))
    assert "The ranking by corrected scores" in page
    assert "people graded only the drawn documents" in page
    assert "The ranking under each judge compared with people" not in page
    for name in ("ranking", "bought"):
        assert http.get(url("trust_figure", name, "svg")).status_code == 400
    assert http.get(url("trust_figure", "scores", "svg")).status_code == 200
    rows = list(csv.DictReader(io.StringIO(http.get(url("trust_table", "corrected_ranking", "csv")).content.decode())))
    assert [row["model"] for row in rows] == ["gpt"]


@pytest.mark.slow
def test_a_model_that_lacks_a_document_of_the_draw_is_named(http, collection):
    """Without its grade, nothing corrects the scores under the model, and the page says so."""
    import_judgements(collection, GPT[8:], "gpt", options=JudgementOptions(judge_kind="model"))
    draw_for_people(collection, 2, seed=1)
    drawn = SampledTask.objects.values_list("task__topic__query_id", "task__document__doc_id")
    lines = "".join(f"{query_id} 0 {doc_id} 1\n" for query_id, doc_id in drawn)
    import_judgements(collection, lines.encode(), "ada", options=JudgementOptions(judge_kind="human"))
    page = html(http.get(url()))
    assert "Not corrected, because a pair of the draw has no grade of the model: gpt." in page
    assert "The ranking by corrected scores" not in page


@pytest.mark.slow
def test_a_draw_that_grew_while_people_graded_needs_the_whole_pool(http, judged):
    draw_for_people(judged, 1)
    first = SampledTask.objects.select_related("task__topic", "task__document")[:2]
    lines = "".join(f"{one.task.topic.query_id} 0 {one.task.document.doc_id} 1\n" for one in first)
    import_judgements(judged, lines.encode(), "zoe", options=JudgementOptions(judge_kind="human"))
    draw_for_people(judged, 2)
    rest = SampledTask.objects.select_related("task__topic", "task__document")
    lines = "".join(f"{one.task.topic.query_id} 0 {one.task.document.doc_id} 1\n" for one in rest)
    import_judgements(judged, lines.encode(), "zoe", options=JudgementOptions(judge_kind="human"))
    page = html(http.get(url(), {"people": "judge:zoe"}))
    assert "The draw was enlarged after its first document was graded" in page
    assert "data-verdict" in html(http.get(url(), {"people": "judge:ada"})), "ada graded the whole pool"


@pytest.mark.slow
def test_files_that_need_a_draw_are_missing_without_one(http, judged):
    assert http.get(url("trust_table", "corrected", "csv")).status_code == 404
    assert http.get(url("trust_figure", "plan", "svg")).status_code == 400


@pytest.fixture
def partly_judged(judged):
    """zoe graded two documents of topic 1, and models more."""
    import_judgements(judged, b"1 0 a 1\n1 0 e 0\n", "zoe", options=JudgementOptions(judge_kind="human"))
    return judged


@pytest.mark.slow
def test_what_people_should_grade_next(http, partly_judged):
    page = html(http.get(url(), {"people": "judge:zoe"}))
    assert "<summary>Which documents people should grade next</summary>" in page
    response = http.get(url("trust_table", "to_grade", "csv"), {"people": "judge:zoe"})
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    pairs = {(row["query_id"], row["doc_id"]) for row in rows}
    assert pairs == {("1", "b"), ("1", "c"), ("1", "d"), ("2", "x"), ("2", "y"), ("2", "z")}
    gains = [float(row["gain"]) for row in rows]
    assert gains == sorted(gains, reverse=True)
    assert "systems; people's grades vary by " in rows[0]["why"]
    for kind in ("tex", "md"):
        assert http.get(url("trust_table", "to_grade", kind), {"people": "judge:zoe"}).status_code == 200


@pytest.mark.slow
def test_nothing_to_grade_is_no_list(http, judged):
    assert "Which documents people should grade next" not in html(http.get(url()))
    assert http.get(url("trust_table", "to_grade", "csv")).status_code == 404


@pytest.mark.slow
def test_list_is_cut_and_says_so(http, partly_judged, monkeypatch):
    monkeypatch.setattr(to_grade, "MOST_LISTED", 2)
    assert "The first 2 of 6 documents." in html(http.get(url(), {"people": "judge:zoe"}))


@pytest.mark.slow
def test_list_is_computed_with_the_report_and_not_again(http, partly_judged, monkeypatch):
    """A large collection computes both in a job."""
    monkeypatch.setattr(trust, "JUDGEMENTS_AT_ONCE", 3)
    monkeypatch.setattr(to_grade, "who_judges", None)
    assert http.get(url(), {"people": "judge:zoe"}).status_code == 202
    monkeypatch.undo()
    monkeypatch.setattr(trust, "JUDGEMENTS_AT_ONCE", 3)
    trust.compute_trust(partly_judged, **Job.objects.get(kind="trust").input)
    monkeypatch.setattr(to_grade, "who_judges", None)
    assert "Which documents people should grade next" in html(http.get(url(), {"people": "judge:zoe"}))


@pytest.mark.in_ci
def test_gold_of_fractions_has_no_list(http, partly_judged):
    """Known grades of people must be on the scale."""
    partly_judged.reference = "people:mean"
    partly_judged.save()
    response = http.get(url(), {"people": "people:mean"})
    assert response.status_code == 200
    assert "Which documents people should grade next" not in html(response)


@pytest.mark.slow
def test_a_large_collection_starts_a_job_and_shows_the_rest(http, judged, monkeypatch):
    monkeypatch.setattr(trust, "JUDGEMENTS_AT_ONCE", 3)
    response = http.get(url())
    assert response.status_code == 202
    page = html(response)
    assert 'id="job"' in page
    assert "Model judges</h2>" in page
    job = Job.objects.get(kind="trust")
    trust.compute_trust(judged, **job.input)
    assert "data-verdict" in html(http.get(url()))
    assert Job.objects.filter(kind="trust").count() == 1


@pytest.mark.slow
def test_the_report_changes_with_a_judgement_and_a_choice(http, judged, owner):
    first = trust.trust_or_pending(judged, owner.user, choices_of({}, judged))
    assert trust.trust_or_pending(judged, owner.user, choices_of({}, judged)).summary() == first.summary()
    by_ap = trust.trust_or_pending(judged, owner.user, choices_of({"measure": "P@2"}, judged))
    assert by_ap.measure == "P@2"
    import_judgements(judged, GPT, "llama", options=JudgementOptions(judge_kind="model"))
    assert len(trust.trust_or_pending(judged, owner.user, choices_of({}, judged)).verdicts) == 2


def test_without_runs_people_or_models_there_is_no_report(http, judged):
    judged.runs.all().delete()
    results.forget_all()
    page = html(http.get(url()))
    assert "The report needs runs, grades of a model and grades of people." in page
    assert http.get(url("trust_table", "verdicts", "csv")).status_code == 400


@pytest.mark.in_ci
def test_an_unknown_measure_is_a_sentence(http, judged):
    assert "no report" not in html(http.get(url(), {"measure": "nDCG@0"}))
    response = http.get(url(), {"measure": "nonsense@5"})
    assert response.status_code in (200, 400)
    assert "nonsense" in html(response)


@pytest.mark.slow
def test_models_without_common_topics_have_a_sentence(http, collection):
    import_judgements(collection, ADA, "ada", options=JudgementOptions(judge_kind="human"))
    import_judgements(collection, b"2 0 z 1\n", "gpt", options=JudgementOptions(judge_kind="model"))
    assert http.get(url()).status_code == 200
