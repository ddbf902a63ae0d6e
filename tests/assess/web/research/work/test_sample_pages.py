"""The page that draws samples, what the pages on when to stop show of them, and what assessors see: nothing."""

import csv
import io
import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from assess.collections.archive import archive_collection
from assess.collections.topic_sets import set_topics
from assess.models import Assignment, Provenance, Role, SampledTask, Task, TopicSample
from assess.pools.assign import assign
from assess.pools.building.undo import undo_pool
from assess.pools.claims import open_to_claims
from assess.pools.samples.draw import draw_sample
from assess.work.sample_rules import Goal, sample_figures
from assess.work.stopping import gain_of
from assess.work.stopping_table import recall_text, rule_text
from tests.assess.command_output import output_of, refusal, tables
from tests.assess.pools.samples.imported import drawn, grade, import_all
from tests.assess.web.research.work.pages import address, read, refused
from tests.html import compact

RELEVANT = {"a", "d", "x", "n03", "n04", "n11", "n12", "n17"}
FORM = {"size": "10", "population": "collection", "topics": "", "seed": "4", "pace": "60", "judges": "2"}
LOW_GOAL = {"recall": "0.5", "confidence": "0.7", "target": "3"}


@pytest.fixture
def whole(collection, tmp_path):
    return import_all(collection, tmp_path)


@pytest.fixture
def topic(whole):
    return whole.topics.get(query_id="1")


@pytest.fixture
def sampled(whole, topic, join):
    """A sample of all documents of topic 1, which one assessor has graded."""
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    grade(join(whole, "ada"), drawn(whole), RELEVANT)
    return whole


def page(http, collection, topic, **query) -> str:
    response = http.get(address(collection, "stopping_topic", topic.pk), query)
    assert response.status_code == 200
    return compact(response.content.decode())


# ---- drawing


@pytest.mark.slow
def test_preview_shows_the_cost_and_changes_nothing(http, whole):
    before = tables()
    html = read(http, whole, "sample", preview="1", **FORM)
    assert tables() == before
    new = 20 - len(set(drawn_pairs(whole)))
    assert '<dt>Documents drawn</dt><dd class="big">20</dd><dd class="quiet">in 2 topics</dd>' in html
    assert f'<dt>Not in the pool yet</dt><dd class="big">{new}</dd>' in html
    # 20 documents without a grade, 2 assessors, 60 an hour
    assert '<dd class="big">0.7 h</dd><dd class="quiet">40 judgements, 60 an hour</dd>' in html
    assert "comes from 29 documents, with seed 4." in html


def drawn_pairs(collection):
    """The pooled pairs that a sample with the form's values contains."""
    draw_sample(collection, 10, seed=4)
    rows = SampledTask.objects.exclude(task__provenance__systems=[])
    pairs = list(rows.values_list("task", flat=True))
    undo_pool(collection)
    return pairs


@pytest.mark.django_db(transaction=True)
def test_owner_draws_on_the_page(http, whole, owner):
    response = http.post(address(whole, "sample"), FORM)
    call_command("worker", once=True, verbosity=0)
    html = compact(http.get(response.url).content.decode())
    assert "Drew 20 documents in 2 topics with seed 4;" in html
    sample = TopicSample.objects.get(topic__query_id="1")
    assert (sample.size, sample.drawn_by_id) == (10, owner.user_id)
    html = read(http, whole, "sample")
    assert f"<td>{owner.user.username}</td>" in html
    assert "all 29 documents of the collection that had a text" in html


def test_link_fills_in_the_form(http, whole):
    html = read(http, whole, "sample", size="37", topics="2", population="pool")
    assert 'name="size" value="37"' in html
    assert 'name="topics" value="2"' in html
    assert '<option value="pool" selected>' in html
    assert 'id="preview"' not in html


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"size": "0"}, "Documents for each topic: Ensure this value is greater than or equal to 1."),
        ({"size": "ten"}, "Documents for each topic: Enter a whole number."),
        ({"population": "runs"}, "Drawn from: Select a valid choice. runs is not one of the available choices."),
        ({"topics": "1 9"}, "There is no topic &#x27;9&#x27; in small. Nothing was drawn."),
        ({"seed": "-1"}, "Seed: Ensure this value is greater than or equal to 0."),
        ({"pace": "0"}, "Documents an hour: Ensure this value is greater than or equal to 0.01."),
        ({"judges": "0"}, "Assessors for each document: Ensure this value is greater than or equal to 1."),
    ],
)
def test_wrong_values_are_refused(http, whole, values, sentence):
    html = read(http, whole, "sample", status=400, preview="1", **FORM | values)
    assert sentence in html
    if "topics" not in values:
        assert refused(http, whole, "sample", **FORM | values)[0] == sentence


def test_collection_without_all_texts_can_draw_from_the_pool(http, collection):
    html = read(http, collection, "sample", status=400, preview="1", **FORM)
    assert "A sample of the whole collection needs all documents: import them, or draw from the pool." in html
    assert 'id="preview"' in read(http, collection, "sample", preview="1", **FORM | {"population": "pool"})


def test_archived_collection_has_no_form(http, whole):
    archive_collection(whole)
    assert 'name="size"' not in read(http, whole, "sample")
    assert "Include a sample" not in page(http, whole, whole.topics.first())


def test_the_page_of_the_pool_undoes_the_draw(http, whole):
    draw_sample(whole, 5, seed=4)
    html = read(http, whole, "pool")
    assert "collection_sample: 5 documents per topic, seed 4" in html
    building = whole.pool_buildings.latest("pk").pk
    http.post(address(whole, "undo_pool"), {"building": building})
    assert not TopicSample.objects.exists()


# ---- figures


def test_topic_without_a_sample_offers_one(http, whole, topic, join):
    html = page(http, whole, topic)
    assert "with confidence 0.95 needs at least 14 relevant documents in the sample." in html
    assert "Fewer relevant documents are known so far" in html
    assert f'href="{address(whole, "sample")}?size=100&amp;topics=1&amp;population=collection"' in html
    grade(join(whole, "ada"), "abde", RELEVANT)  # two are relevant
    html = page(http, whole, topic, **LOW_GOAL)
    assert "The quantile bound for recall 0.5 with confidence 0.7 needs at least 2 relevant documents" in html
    assert "29 of the 29 documents with a text are enough with a probability of 95%" in html
    assert "?size=29&amp;topics=1" in html


@pytest.mark.in_ci
def test_figures_are_shown_with_their_guarantees(http, sampled, topic):
    figures = sample_figures(sampled, [gain_of(topic, 1)], Goal(0.5, 0.7, 3))[topic.pk]
    html = page(http, sampled, topic, **LOW_GOAL)
    for text in (recall_text(figures.recall), rule_text(figures.quantile), rule_text(figures.target)):
        assert f"<td>{text}</td>" in html
    for guarantee in (figures.recall.guarantee, figures.quantile.guarantee, figures.target.guarantee):
        assert guarantee in html
    assert "A random sample of 29 from all 29 documents of the collection that had a text, seed 4, drawn on" in html
    assert "29 are judged, 8 of them relevant." in html
    assert "has 4 documents and found 2 of the relevant ones." in html
    assert figures.recall.value == 0.25
    assert rule_text(figures.quantile) == "continue: 2 of 6 sampled relevant documents reached"


def test_undefined_figures_say_why(http, whole, topic):
    draw_sample(whole, 12, query_ids=["1"], seed=4)
    html = page(http, whole, topic)
    assert html.count("<td>undefined (12 documents of the sample are not judged yet)</td>") == 3


@pytest.mark.in_ci
def test_missing_documents_of_the_target_method_can_be_drawn(http, whole, topic, join):
    draw_sample(whole, 12, query_ids=["1"], seed=4)
    grade(join(whole, "ada"), drawn(whole), RELEVANT)
    missing = 10 - len(RELEVANT & set(drawn(whole)))
    html = page(http, whole, topic)
    assert f"The target method needs {missing} more relevant documents in the sample." in html
    assert "?size=29&amp;topics=1&amp;population=collection" in html
    draw_sample(whole, 29, query_ids=["1"])
    assert "use the 12 documents drawn before, because their size must not depend" in page(http, whole, topic)


@pytest.mark.slow
def test_overview_csv_and_command_have_the_figures(http, sampled, topic):
    figures = sample_figures(sampled, [gain_of(topic, 1)], Goal(0.5, 0.7, 3))[topic.pk]
    html = read(http, sampled, "stopping", **LOW_GOAL)
    assert '<td class="num">29 of 29</td>' in html
    assert f"<td>{recall_text(figures.recall)}</td>" in html
    assert "stopping.csv?rel=1&amp;recall=0.5&amp;confidence=0.7&amp;target=3" in html
    assert f'stopping/{topic.pk}/?rel=1&amp;recall=0.5&amp;confidence=0.7&amp;target=3">1</a>' in html
    response = http.get(address(sampled, "stopping_csv"), LOW_GOAL)
    first, second = csv.DictReader(io.StringIO(response.content.decode()))
    assert (first["query_id"], float(first["recall"]), first["n_sampled_reached"]) == ("1", 0.25, "2")
    assert float(first["recall_high"]) == pytest.approx(figures.recall.high)
    assert (second["recall"], second["recall_reason"]) == ("", "the topic has no sample")
    lines = output_of("stopping", "--collection", "small", "--recall", "0.5", "--confidence", "0.7", "--target", "3")
    assert f"  recall: {recall_text(figures.recall)}" in lines
    assert f"  target method: {rule_text(figures.target)}" in lines
    assert "  no sample" in lines
    table = output_of("stopping", "--collection", "small", "--csv", "--recall", "0.5", "--confidence", "0.7")
    assert next(iter(csv.DictReader(table)))["recall"] == first["recall"]


@pytest.mark.slow
def test_limited_to_a_set(http, sampled):
    assert 'name="set"' not in read(http, sampled, "stopping")
    set_topics(sampled, ["2"], "test")
    html = read(http, sampled, "stopping", set="test")
    assert '<span class="tag" data-topic-set>test set: 1 topic</span>' in html
    assert '<option value="test" selected>only the test set</option>' in html
    assert "stopping.csv?rel=1&amp;set=test" in html
    assert len(re.findall(r'<th scope="row".*?><span class="topic".*?><a href=', html)) == 1
    rows = http.get(address(sampled, "stopping_csv"), {"set": "test"}).content.decode().splitlines()
    assert [row.split(",")[0] for row in rows] == ["query_id", "2"]
    lines = output_of("stopping", "--collection", "small", "--set", "test")
    assert lines[0].startswith("2: ")
    assert not any(line.startswith("1: ") for line in lines)
    html = read(http, sampled, set="test").partition('id="topics"')[2]
    assert len(re.findall(r'<th scope="row".*?><span class="topic".*?><a href=', html)) == 1
    for name in ("stopping", "stopping_csv", "work"):
        assert "set must be one of development, test" in read(http, sampled, name, status=400, set="all")
        assert "No topic of small is in the development set yet." in read(
            http, sampled, name, status=400, set="development"
        )
    assert "No topic of small is in the development set" in refusal(
        "stopping", "--collection", "small", "--set", "development"
    )


@pytest.mark.parametrize("name", ["stopping", "stopping_csv"])
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"recall": "1"}, "recall must be between 0 and 1, without these, not 1."),
        ({"confidence": "nan"}, "Confidence: Enter a number."),
        ({"target": "0"}, "Target: Ensure this value is greater than or equal to 1."),
        ({"rel": "7"}, "rel must be one of 1"),
    ],
)
def test_wrong_goals_are_refused(http, whole, name, values, sentence):
    assert sentence in read(http, whole, name, status=400, **values)


def test_command_refuses_wrong_values(whole):
    assert "recall must be between 0 and 1" in refusal("stopping", "--collection", "small", "--recall", "2")
    assert "The relevance threshold must be one of 1, not 3." in refusal(
        "stopping", "--collection", "small", "--rel", "3"
    )


# ---- the progress


@pytest.mark.in_ci
def test_progress_shows_what_each_topic_found(http, sampled, topic):
    html = read(http, sampled).partition('id="topics"')[2]
    assert f'><a href="/c/small/work/stopping/{topic.pk}/">1</a><small dir="auto" title="first need">' in html
    gain = gain_of(topic, 1)
    assert f'<td class="num">8</td><td class="num">{gain.since_relevant}</td>' in html
    assert re.search(r'<span title="\w+ and all other systems">\d\.\d{3}</span>', html)


@pytest.mark.in_ci
def test_number_of_queries_does_not_depend_on_the_topics(http, whole, django_assert_max_num_queries):
    draw_sample(whole, 5, query_ids=["1"], seed=4)
    read(http, whole, "stopping")
    with django_assert_max_num_queries(25) as few:
        read(http, whole, "stopping")
    for number in range(3, 9):
        whole.topics.create(query_id=str(number), title="another")
    draw_sample(whole, 5, seed=4)
    with django_assert_max_num_queries(len(few.captured_queries)):
        read(http, whole, "stopping")
    with django_assert_max_num_queries(18):
        read(http, whole, "sample")


# ---- who may see it


@pytest.mark.in_ci
def test_only_members_who_research_may_open_the_pages(whole, topic, join, signed_in, client, django_user_model):
    names = [("sample",), ("stopping",), ("stopping_csv",), ("stopping_topic", topic.pk)]
    for role, status in ((Role.OWNER, 200), (Role.RESEARCHER, 200), (Role.ASSESSOR, 403), (Role.INSTRUCTOR, 403)):
        http = signed_in(join(whole, role.value, role))
        for name, *rest in names:
            assert http.get(address(whole, name, *rest)).status_code == status, (role, name)
        if status == 403:
            assert http.post(address(whole, "sample"), FORM).status_code == 403
    client.force_login(django_user_model.objects.create_user("outsider"))
    for name, *rest in names:
        assert client.get(address(whole, name, *rest)).status_code == 404
    assert client.post(address(whole, "sample"), FORM).status_code == 404
    assert not whole.jobs.exists()


def test_wrong_methods_are_refused(http, whole):
    assert http.put(address(whole, "sample")).status_code == 405
    assert http.post(address(whole, "stopping_csv")).status_code == 405


def neutral(content: str) -> str:
    """A page without what differs between any two requests: tokens, and the random ids of tasks."""
    content = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID", content)
    content = re.sub(r'(csrfmiddlewaretoken" value=")[^"]+', r"\1", content)
    return re.sub(r'(csrf[^"]*content=")[^"]+', r"\1", content)


@pytest.mark.in_ci
@pytest.mark.parametrize("is_open", [True, False])
def test_assessors_cannot_tell_a_sampled_document(whole, topic, join, signed_in, is_open):
    """The page and its data are equal, byte by byte, whether the only document is one of a sample or of the runs."""
    ada = join(whole, "ada")
    http = signed_in(ada)
    draw_sample(whole, 29, query_ids=["1"], seed=4)
    Assignment.objects.all().delete()
    kept = Task.objects.get(topic=topic, document__doc_id="n03")
    Provenance.objects.exclude(task=kept).delete()
    if is_open:
        open_to_claims(whole, 1)
    else:
        assign(whole, 1)
    everything_an_assessor_gets(http, whole, topic)  # the first look claims the document
    as_sampled = everything_an_assessor_gets(http, whole, topic)
    Provenance.objects.filter(task=kept).update(systems=["alpha"], best_rank=1)
    SampledTask.objects.all().delete()
    TopicSample.objects.all().delete()
    as_pooled = everything_an_assessor_gets(http, whole, topic)
    assert as_sampled == as_pooled
    assert "n03" in as_sampled[1]


def everything_an_assessor_gets(http, collection, topic) -> list[str]:
    addresses = [
        reverse("judge:topics", args=[collection.slug]),
        reverse("judge:topic", args=[collection.slug, topic.pk]),
        reverse("judge:next", args=[collection.slug, topic.pk]),
    ]
    responses = [http.get(each) for each in addresses]
    assert {response.status_code for response in responses} == {200}
    return [neutral(response.content.decode()) for response in responses]
