"""The page Model judges: empty, with judges, its choices, files and the draw; who may open it, and its queries."""

import csv
import io

import pytest
from django.urls import reverse

from assess.collections.archive import archive_collection
from assess.collections.topic_sets import set_topics
from assess.models import Assignment, Member, PoolBuilding, Role, TopicSample
from assess.transfer.judge_record import ModelRecord, change_record
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.withdrawal import withdraw_judge
from pooling.words import with_minus
from tests.html import compact

pytestmark = pytest.mark.django_db

ADA = b"1 0 a 1\n1 0 b 1\n1 0 c 0\n1 0 d 0\n"
GPT = b"1 0 a 1\n1 0 b 0\n1 0 c 0\n1 0 d 0\n"


def url(name: str = "model_judges", *arguments) -> str:
    return reverse(f"research:{name}", args=["small", *arguments])


def html(response) -> str:
    return compact(response.content.decode())


@pytest.fixture
def people(collection, join):
    return {role: join(collection, role.value, role) for role in (Role.OWNER, Role.RESEARCHER, Role.ASSESSOR)}


@pytest.fixture
def http(people, signed_in):
    return signed_in(people[Role.OWNER])


@pytest.fixture
def gpt(collection):
    import_judgements(collection, ADA, "ada", options=JudgementOptions(judge_kind="human"))
    import_judgements(collection, GPT, "gpt", options=JudgementOptions(judge_kind="model", model="gpt-4o"))
    return Member.objects.get(name="gpt")


def rows(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_empty_page_says_how_to_import(http):
    page = html(http.get(url()))
    assert f'<a href="{url("import")}">Import its grades</a>' in page
    assert "Draw documents" not in page
    assert url() not in html(http.get(url("people")))  # not in the sidebar


@pytest.mark.slow
def test_page_shows_record_and_agreement(http, gpt, settings):
    """P(A) = 3/4. Of 8 grades 3 are relevant, so P(E) = (3/8)^2 + (5/8)^2 = 34/64; kappa = 14/30 = .467."""
    page = html(http.get(url()))
    assert "Too early to say: gpt and judge:ada have 4 documents of 1 topic in common." in page
    assert "An answer needs 10 topics and 50 documents." in page
    settings.HEADLINE_MIN_TOPICS = settings.HEADLINE_MIN_DOCUMENTS = 1
    page = html(http.get(url()))
    # one topic: no interval
    assert "Pooled kappa of all grades of gpt and judge:ada is 0.467 on 4 documents of 1 topic." in page
    assert "gpt-4o" in page
    assert f'href="{url("imported_judge", gpt.pk)}"' in page
    assert url() in html(http.get(url("people")))  # in the sidebar
    (row,) = rows(http.get(url("model_judges_table", "csv")))
    assert (row["judge"], row["model"], row["judged"], row["n"]) == ("gpt", "gpt-4o", "4", "4")
    assert float(row["pooled_kappa"]) == pytest.approx(14 / 30)
    assert float(row["bias"]) == pytest.approx(-1 / 4)


@pytest.mark.slow
def test_answer_has_its_interval(http, collection, gpt, settings):
    settings.HEADLINE_MIN_TOPICS = settings.HEADLINE_MIN_DOCUMENTS = 2
    import_judgements(collection, b"2 0 x 1\n2 0 y 0\n", "ada", options=JudgementOptions(judge_kind="human"))
    import_judgements(collection, b"2 0 x 1\n2 0 y 1\n", "gpt", options=JudgementOptions(judge_kind="model"))
    (row,) = rows(http.get(url("model_judges_table", "csv")))
    limits = f"({float(row['pooled_kappa_low']):.2f} to {float(row['pooled_kappa_high']):.2f})"
    answer = f"is {float(row['pooled_kappa']):.3f} {limits} on 6 documents of 2 topics."
    assert with_minus(answer) in html(http.get(url()))


def test_model_without_people_has_no_agreement(http, collection):
    import_judgements(collection, GPT, "gpt", options=JudgementOptions(judge_kind="model"))
    page = html(http.get(url()))
    assert "No person has judged yet" in page
    (row,) = rows(http.get(url("model_judges_table", "csv")))
    assert (row["judged"], row["n"]) == ("4", "0")


@pytest.mark.slow
def test_model_with_no_common_document_is_listed(http, collection):
    import_judgements(collection, b"2 0 a 1\n", "ada", options=JudgementOptions(judge_kind="human"))
    import_judgements(collection, GPT, "gpt", options=JudgementOptions(judge_kind="model"))
    assert http.get(url()).status_code == 200
    (row,) = rows(http.get(url("model_judges_table", "csv")))
    assert (row["n"], row["pooled_kappa"]) == ("0", "")


def test_withdrawn_model_is_not_listed(http, collection, gpt):
    withdraw_judge(collection, "gpt")
    assert "No model has judged yet." in html(http.get(url()))


@pytest.mark.slow
def test_changed_record_is_shown_at_once(http, collection, gpt):
    http.get(url())
    change_record(collection, "gpt", "model", "", ModelRecord("gpt-5", prompt_version="v7"))
    page = html(http.get(url()))
    assert "gpt-5" in page
    assert "v7" in page


@pytest.mark.slow
def test_choices_are_in_the_address(http, collection, gpt, settings):
    settings.HEADLINE_MIN_TOPICS = settings.HEADLINE_MIN_DOCUMENTS = 1
    import_judgements(collection, ADA, "bob", options=JudgementOptions(judge_kind="human"))
    import_judgements(collection, GPT, "llama", options=JudgementOptions(judge_kind="model"))
    query = {"judge": "llama", "people": "people:majority", "measure": "P@5"}
    page = html(http.get(url(), query))
    assert "Pooled kappa of all grades of llama and people:majority is 0.467" in page
    assert "measure=P%405&amp;golds=people%3Amajority&amp;golds=judge%3Allama" in page
    assert "judge=llama&amp;people=people%3Amajority&amp;measure=P%405" in page  # the files


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"judge": "ada"}, "judge must be one of gpt, not &#x27;ada&#x27;."),
        ({"people": "judge:gpt"}, "people must be one of judge:ada, not &#x27;judge:gpt&#x27;."),
        ({"people": "majority"}, "people must be one of judge:ada, not &#x27;majority&#x27;."),
        ({"measure": "x" * 201}, "measure must be a measure such as nDCG@10"),
        ({"set": "TEST"}, "set must be one of development, test"),
    ],
)
def test_unknown_choices_are_refused(http, gpt, query, message):
    for address in (url(), url("model_judges_table", "csv")):
        response = http.get(address, query)
        assert response.status_code == 400
        assert message in html(response)


def test_topics_of_a_set(http, collection, gpt):
    import_judgements(collection, b"2 0 x 1\n", "gpt", options=JudgementOptions(judge_kind="model"))
    set_topics(collection, ["2"], "test")
    (row,) = rows(http.get(url("model_judges_table", "csv"), {"set": "test"}))
    assert (row["judged"], row["n"]) == ("1", "0")


@pytest.mark.parametrize("role", [Role.OWNER, Role.RESEARCHER])
def test_owners_and_researchers_draw_and_undo(signed_in, people, gpt, role):
    http = signed_in(people[role])
    page = html(http.post(url("draw_for_people"), {"per_topic": "2", "seed": "5"}, follow=True))
    drawn = sum(TopicSample.objects.values_list("size", flat=True))
    assert f"Drew {drawn} documents in " in page
    assert "with seed 5." in page
    building = PoolBuilding.objects.latest("pk")
    assert f'action="{url("undo_pool")}"' in page
    http.post(url("undo_pool"), {"building": building.pk})
    assert not TopicSample.objects.exists()


@pytest.mark.in_ci
def test_drawn_documents_are_assigned(http, people, gpt):
    page = html(http.post(url("draw_for_people"), {"per_topic": "2", "judges": "1"}, follow=True))
    drawn = sum(TopicSample.objects.values_list("size", flat=True))
    assert f"Added {drawn} assignments of drawn documents." in page
    assert Assignment.objects.filter(member=people[Role.ASSESSOR]).count() == drawn


@pytest.mark.in_ci
def test_draw_stays_if_it_cannot_be_assigned(http, people, gpt):
    page = html(http.post(url("draw_for_people"), {"per_topic": "2", "judges": "2"}, follow=True))
    assert "The drawn documents were not assigned. 2 judges per task require as many assessors" in page
    assert TopicSample.objects.exists()
    assert not Assignment.objects.exists()


@pytest.mark.slow
def test_refused_draws_change_nothing(http, collection, gpt):
    for fields in ({"per_topic": "0"}, {"per_topic": "x"}, {}, {"per_topic": "1", "seed": "-1"}):
        assert http.post(url("draw_for_people"), fields).status_code == 400
    archive_collection(collection)
    assert http.post(url("draw_for_people"), {"per_topic": "1"}).status_code == 400
    assert 'id="draw"' not in html(http.get(url()))
    assert not TopicSample.objects.exists()


def test_others_are_refused(signed_in, people, gpt, django_user_model, client):
    assessor = signed_in(people[Role.ASSESSOR])
    assert assessor.get(url()).status_code == 403
    assert assessor.post(url("draw_for_people"), {"per_topic": "1"}).status_code == 403
    outsider = django_user_model.objects.create_user("outsider")
    client.force_login(outsider, backend="assess.people.backend.AccountBackend")
    assert client.get(url()).status_code == 404
    assert client.post(url("draw_for_people"), {"per_topic": "1"}).status_code == 404
    assert not TopicSample.objects.exists()


@pytest.mark.slow
def test_number_of_queries_does_not_grow(http, collection, gpt, django_assert_num_queries):
    http.get(url())
    with django_assert_num_queries(20):
        http.get(url())
    for name in ("llama", "qwen"):
        import_judgements(collection, GPT, name, options=JudgementOptions(judge_kind="model"))
    http.get(url())
    with django_assert_num_queries(20):
        http.get(url())
