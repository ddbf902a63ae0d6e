"""The pages that show what judging still finds, and how complete a topic is."""

import re

import pytest

from assess.collections.create import create_collection
from assess.models import (
    ImportedJudge,
    Judgement,
    JudgementKind,
    LearnerModel,
    OpenedResult,
    Proposal,
    Provenance,
    Role,
    Search,
    Topic,
)
from assess.web.research.work.figures import draw_completeness, drawn_completeness
from assess.work.completeness import Completeness, completeness
from assess.work.stopping import TopicGain, gain_of
from assess.work.stopping_table import StoppingRow, completeness_sentence
from tests.assess.claiming import judge, upcoming
from tests.assess.web.research.work.pages import address, read
from tests.html import compact


@pytest.fixture
def topic(collection):
    return collection.topics.get(query_id="1")


@pytest.fixture
def judged(collection, three, topic):
    """The first assessor has judged the whole topic: only a, b and d are relevant. Returns the doc_ids in order."""
    ada = three[0]
    Judgement.objects.update(relevance=0)
    while cards := upcoming(ada):
        judge(ada, cards[0])
    rows = list(
        Judgement.objects.filter(task__topic=topic).order_by("judged_at", "pk").select_related("task__document")
    )
    for row in rows:
        Judgement.objects.filter(pk=row.pk).update(relevance=int(row.task.document.doc_id in "abd"))
    return [row.task.document.doc_id for row in rows]


def page(http, collection, topic, status=200, **query):
    response = http.get(address(collection, "stopping_topic", topic.pk), query)
    assert response.status_code == status
    return compact(response.content.decode())


def lines(http, collection, name, topic, **query):
    response = http.get(address(collection, name, topic.pk), query)
    assert response["Content-Type"].startswith("text/csv")
    return response.content.decode().splitlines()


def test_the_curve_follows_the_order_of_judging(collection, judged, topic):
    gain = gain_of(topic, 1)
    assert gain.is_relevant == tuple(doc_id in "abd" for doc_id in judged)
    assert (gain.n_pooled, gain.n_judged, gain.n_relevant) == (4, 4, 3)
    last = max(n for n, doc_id in enumerate(judged) if doc_id in "abd")
    assert gain.since_relevant == len(judged) - 1 - last
    assert gain.efforts[-1] == ("100%", last + 1)


def test_a_document_counts_once_and_one_person_makes_it_relevant(collection, judged, three, topic):
    first = Judgement.objects.filter(task__topic=topic, relevance=0).get()
    second = Judgement.objects.get(pk=first.pk)
    second.pk, second.member, second.relevance = None, three[1], 1
    second.save()
    gain = gain_of(topic, 1)
    assert (gain.n_judged, gain.n_relevant) == (4, 4)


def test_models_and_hidden_repeats_do_not_count(collection, judged, topic):
    model = collection.members.create(name="gpt", role=Role.ASSESSOR)
    ImportedJudge.objects.create(member=model, kind="model")
    Judgement.objects.filter(task__topic=topic, task__document__doc_id="a").update(member=model)
    Judgement.objects.filter(task__topic=topic, relevance=0).update(repeat=JudgementKind.REPEAT)
    assert (gain_of(topic, 1).n_judged, gain_of(topic, 1).n_relevant) == (2, 2)


def test_completeness_compares_each_system_with_all_others(collection, judged, topic):
    # alpha pooled a and b, beta b and d, gamma e and b; a, b and d are relevant.
    pairs = completeness(gain_of(topic, 1)).pairs.set_index("source")
    assert pairs[["n_source", "n_other", "n_common"]].loc["alpha"].tolist() == [2, 2, 1]
    assert pairs.loc["alpha", "lincoln_petersen"] == 4
    assert pairs.loc["alpha", "chapman"] == 3.5
    assert pairs.loc["gamma", "n_source"] == 1


def test_searchers_and_the_learner_are_sources_too(collection, three, judged, topic):
    documents = {row.doc_id: row for row in collection.documents.all()}
    searched = Search.objects.create(
        member=three[0], topic=topic, query="a OR d", documents=[], matched=2, was_complete=True
    )
    for rank, doc_id in enumerate("ad", start=1):
        OpenedResult.objects.create(search=searched, document=documents[doc_id], rank=rank)
    numbers = dict.fromkeys(("n_judged", "document_count", "last_document"), 0)
    model = LearnerModel.objects.create(
        topic=topic, version=1, rule="union", parameters={"rel": 1}, batch_size=1, ranking=[], **numbers
    )
    Proposal.objects.create(model=model, document=documents["b"], position=0)

    pairs = completeness(gain_of(topic, 1)).pairs.set_index("source")

    # a and d are relevant results of the search, and b was proposed; the systems have found all three
    assert pairs[["n_source", "n_common"]].loc["all searchers"].tolist() == [2, 2]
    assert pairs[["n_source", "n_common"]].loc["the learner"].tolist() == [1, 1]


@pytest.mark.in_ci
def test_the_pages_show_the_curve_and_the_estimates(http, collection, judged, topic):
    overview = compact(http.get(address(collection, "stopping")).content.decode())
    assert f'<a href="/c/small/work/stopping/{topic.pk}/?rel=1">1</a>' in overview
    html = page(http, collection, topic)
    assert "3 of 4 judged documents are relevant." in html
    assert 'aria-label="3 relevant found in 4 documents judged."' in html
    figure = re.search(r'<figure class="chart chart-gain">.*?</figure>', html, re.S)[0]
    assert "stroke: var(--accent)" in figure
    for kind in ("svg", "pdf", "png"):
        assert f'href="{address(collection, "stopping_figure", topic.pk, kind)}?rel=1"' in html
    assert "assumes that the sources are independent" in html
    assert '<th scope="row"><span data-system="alpha">' in html
    assert "with confidence 0.95 needs at least 14 relevant documents in the sample." in html


@pytest.mark.in_ci
def test_the_tables_download_as_csv(http, collection, judged, topic):
    curve = lines(http, collection, "stopping_curve", topic)
    assert curve[:2] == ["query_id,n_judged,found", "1,0,0"]
    assert curve[-1] == "1,4,3"
    systems = lines(http, collection, "stopping_systems", topic, rel="1")
    assert systems[0].startswith("query_id,source,other,n_source,n_other,n_common,n_found,lincoln_petersen,chapman")
    assert [line.split(",")[1] for line in systems[1:]] == ["alpha", "beta", "gamma"]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "begin"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_the_curve_downloads_as_a_figure(http, collection, judged, topic, kind, begin):
    found = http.get(address(collection, "stopping_figure", topic.pk, kind), {"rel": "1"})
    assert found.content.startswith(begin)
    assert found["Content-Disposition"] == f'attachment; filename="small-gain-{topic.pk}.{kind}"'


def test_a_curve_has_no_other_kinds_of_figures(http, collection, topic):
    assert http.get(address(collection, "stopping_figure", topic.pk, "gif")).status_code == 404


def test_a_topic_without_judgements_says_what_to_do(http, collection, topic):
    html = page(http, collection, topic)
    assert 'No document of this topic is judged yet. <a href="/c/small/work/assign/">Assign tasks</a>' in html
    assert "<polyline" not in html.partition("<main")[2]
    assert lines(http, collection, "stopping_curve", topic) == ["query_id,n_judged,found", "1,0,0"]


@pytest.mark.in_ci
def test_one_system_has_nothing_to_be_compared_with(http, collection, judged, topic):
    Provenance.objects.filter(task__topic=topic).update(systems=["alpha"])
    assert "Fewer than two systems, searchers and learners found documents of this topic" in page(
        http, collection, topic
    )
    assert lines(http, collection, "stopping_systems", topic) == ["query_id,source"]


@pytest.mark.in_ci
def test_nothing_relevant_is_not_an_error(http, collection, judged, topic):
    Judgement.objects.update(relevance=0)
    html = page(http, collection, topic)
    assert "0 of 4 judged documents are relevant." in html
    assert "alpha found no relevant document" in html


def test_the_threshold_can_be_changed_and_an_unknown_one_is_refused(http, collection, judged, topic):
    html = page(http, collection, topic, status=400, rel="7")
    assert "rel must be one of 1, not &#x27;7&#x27;." in html


def test_a_topic_of_another_collection_is_missing(http, collection, topic):
    assert http.get(f"/c/small/work/stopping/{topic.pk + 1000}/").status_code == 404


def test_assessors_see_none_of_it(collection, judged, three, topic, signed_in):
    http = signed_in(three[0])
    assert http.get(address(collection, "stopping")).status_code == 403
    for part in ("topic", "curve", "systems"):
        assert http.get(address(collection, f"stopping_{part}", topic.pk)).status_code == 403, part


@pytest.mark.in_ci
def test_the_progress_pages_link_to_it(http, collection, three):
    html = read(http, collection)
    assert 'href="/c/small/work/stopping/"' in html
    assert ">When to stop</a>" in html


def drawings(html):
    figure = re.search(r'<figure class="chart chart-completeness">.*?</figure>', html, re.S)[0]
    return re.findall(r"<svg [^>]*viewBox.*?</svg>", figure, re.S)


@pytest.mark.in_ci
def test_the_answer_and_a_figure_of_completeness_stand_above_the_table(http, collection, judged, topic):
    html = read(http, collection, "stopping")
    drawn = drawings(html)

    # beta found b and d, all others a and b: 3 of (3 * 3) / 2 - 1 = 3.5
    answer = "In 0 of 2 topics, completeness is at least 0.95; the lowest is 0.857 (topic 1). 1 topic has no estimate."
    assert f'<p class="hero">{answer}</p>' in html
    assert html.index("<form") < html.index(answer) < html.index("chart-completeness") < html.index('id="stopping"')
    assert [float(re.search(r'viewBox="0 0 ([\d.]+) ', svg)[1]) for svg in drawn] == pytest.approx([435.6, 212.4])
    for svg in drawn:
        assert re.findall(r'data-topic="(\w+)"', svg) == ["1", "2"]
        assert "<title>1: 0.857, " in svg
        assert "<title>2: undefined (fewer than two sources found a relevant document)</title>" in svg
        assert f'data-href="{address(collection, "stopping_topic", topic.pk)}?rel=1"' in svg


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "begin"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_completeness_downloads_as_a_figure(http, collection, judged, kind, begin):
    files = address(collection, "stopping_completeness", kind)

    assert f'href="{files}?rel=1"' in read(http, collection, "stopping")
    found = http.get(files, {"rel": "1"})
    assert found.content.startswith(begin)
    assert found["Content-Disposition"] == f'attachment; filename="small-completeness.{kind}"'


def test_without_an_estimate_the_page_says_why_and_has_no_figure(http, collection, judged):
    Judgement.objects.update(relevance=0)
    reason = "No topic has an estimate yet: fewer than two sources found a relevant document."
    html = read(http, collection, "stopping")

    assert f'<p class="hero">{reason}</p>' in html
    assert "chart-completeness" not in html
    assert reason in http.get(address(collection, "stopping_completeness", "svg")).content.decode()


def test_without_topics_there_is_no_answer(join, signed_in, db):
    empty = create_collection("empty", "Empty")
    html = read(signed_in(join(empty, "olga", Role.OWNER)), empty, "stopping")

    assert "There are no topics yet." in html
    assert "hero" not in html


def row(query_id, value):
    estimate = Completeness("", value, value and value - 0.1, value and 1.0, "" if value else "too few")
    return StoppingRow(TopicGain(Topic(pk=int(query_id), query_id=query_id), 0), estimate, None)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], ""),
        ([None, None], "No topic has an estimate yet: too few."),
        ([0.95], "In 1 of 1 topic, completeness is at least 0.95; the lowest is 0.950 (topic 0)."),
        ([0.9, 0.96, 0.84], "In 1 of 3 topics, completeness is at least 0.95; the lowest is 0.840 (topic 2)."),
        (
            [0.5, None, 0.5, 0.5, None],
            "In 0 of 5 topics, completeness is at least 0.95; the lowest is 0.500 (topic 0 and 2 others). "
            "2 topics have no estimate.",
        ),
    ],
)
def test_a_sentence_says_how_complete_the_topics_are(values, expected):
    assert completeness_sentence([row(str(number), value) for number, value in enumerate(values)]) == expected


def test_many_topics_are_drawn_thin_and_without_names():
    rows = [row(str(number), None if number % 2 else 0.9) for number in range(140)]
    svg = draw_completeness(drawn_completeness(rows), "svg", width=6.05).decode()

    assert "70 topics without a value." in svg
    assert svg.count("data-topic=") == 70
    assert ">138</text>" not in svg
    assert ">58</text>" in draw_completeness(drawn_completeness(rows[:60]), "svg", width=6.05).decode()


@pytest.mark.in_ci
def test_the_number_of_queries_is_constant(http, collection, judged, django_assert_max_num_queries):
    read(http, collection, "stopping")
    with django_assert_max_num_queries(17) as few:
        read(http, collection, "stopping")
    for number in range(3, 9):
        collection.topics.create(query_id=str(number), title="another")
    with django_assert_max_num_queries(len(few.captured_queries)):
        assert '<span class="topic" data-topic="8"><a href=' in read(http, collection, "stopping")
