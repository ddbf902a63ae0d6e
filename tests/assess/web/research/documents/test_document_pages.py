"""The list of judged documents, and the page of one document."""

import csv
import io
import re
import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.adjudication.adjudicate import create_adjudication
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import GradesOpening, Role, Task
from tests.assess.adjudication.conftest import disputed, people, task_of  # noqa: F401 - some are fixtures
from tests.factories import set_content
from tests.html import compact


@pytest.fixture
def http(people, signed_in):  # noqa: F811
    return signed_in(people["olga"])


def get(http, name, *arguments, status=200, **query) -> str:
    response = http.get(reverse(f"research:{name}", args=["small", *arguments]), query)
    assert response.status_code == status, response.content.decode()[:3000]
    content = response.content.decode()
    return compact(content) if "html" in response["content-type"] else content


def listed(html: str) -> list[str]:
    """The titles of the documents in the list, in order."""
    return re.findall(r'dir="auto">Title (\w+)</a>', html)


def test_list_has_the_most_disputed_documents_first(http):
    html = get(http, "documents")
    assert "The judges gave different grades to 3 of the 7 documents that two or more graded." in html
    # equal distance: by topic and document
    assert listed(html) == ["b", "x", "z", "a", "d", "e", "y"]


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("query", "documents", "sentence"),
    [
        ({"distance": "1"}, ["b", "x", "z"], "3 documents of 7: its grades are 1 or more steps apart."),
        ({"topic": "2"}, ["x", "z", "y"], "3 documents of 7: its topic is 2."),
        ({"topic": ["1", "2"], "distance": "1"}, ["b", "x", "z"], "its topic is 1 or 2"),
        (
            {"judge_a": "ann", "grade_a": "1", "judge_b": "bob", "grade_b": "0"},
            ["b", "x", "z"],
            "3 documents of 7: ann gave grade 1 and bob gave grade 0.",
        ),
        (
            {"judge_a": "ann", "grade_a": "nonrelevant", "judge_b": "bob", "grade_b": "relevant"},
            [],
            "0 documents of 7: ann gave a grade below 1 and bob gave grade 1 or more.",
        ),
        ({"gold": "judge:bob", "grade": "1"}, ["a"], "its grade in the gold judge:bob is grade 1"),
        ({"gold": "judge:bob", "grade": "any", "topic": "2"}, ["x", "z", "y"], "it has a grade in the gold judge:bob"),
        ({"judge_a": "ann", "judge_b": "bob", "unjudged": "only_one"}, [], "only one of ann and bob graded it."),
        ({"shared": "yes", "kind": "model"}, [], "two or more judges of the kind model graded it."),
        ({"judge_a": "ann", "since": "2999-01-01"}, [], "ann gave any grade and judged since 2999-01-01."),
        ({"until": "9999-12-31", "topic": "2"}, ["x", "z", "y"], "its topic is 2 and judged until 9999-12-31."),
        ({"guidelines": "7"}, [], "0 documents of 7: judged with version 7 of the guidelines."),
        ({"order": "topic", "topic": "1"}, ["a", "b", "d", "e"], "4 documents of 7"),
    ],
)
def test_query_string_chooses_documents(http, query, documents, sentence):
    html = get(http, "documents", **query)
    assert listed(html) == documents
    assert sentence in html


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"judge_a": "eve"}, "judge_a must be one of ann, bob, not &#x27;eve&#x27;."),
        ({"grade_a": "1"}, "grade_a needs judge_a, the name of a judge."),
        ({"judge_a": "ann", "grade_a": "2"}, "grade_a must be one of 0, 1, relevant, nonrelevant, not &#x27;2&#x27;."),
        ({"topic": "3"}, "topic must be the query_id of a topic of this collection, not &#x27;3&#x27;."),
        ({"distance": "2"}, "distance must be one of 1, not &#x27;2&#x27;."),
        ({"order": "size"}, "order must be one of disagreement, leverage, topic, not &#x27;size&#x27;."),
        ({"rel": "2"}, "rel must be one of 1, all, not &#x27;2&#x27;."),
        ({"since": "May"}, "since must be a day, such as 2026-05-04, not &#x27;May&#x27;."),
        ({"unjudged": "later", "judge_a": "ann"}, "unjudged needs judge_a and judge_b, and no grades."),
        ({"unjudged": "x"}, "unjudged must be one of cannot_judge, later, only_one, not &#x27;x&#x27;."),
        ({"shared": "no"}, "shared must be one of yes, not &#x27;no&#x27;."),
        ({"window": "x"}, "window must be the number of a window, not &#x27;x&#x27;."),
        ({"guidelines": "new"}, "guidelines must be the number of a version, not &#x27;new&#x27;."),
        ({"page": "2"}, "page must be a number from 1 to 1, not &#x27;2&#x27;."),
        ({"grade": "1", "gold": "best"}, "best"),
        ({"order": "leverage", "measure": "XY"}, "XY"),
    ],
)
def test_invalid_parameters_are_refused(http, query, sentence):
    assert sentence in get(http, "documents", status=400, **query)


def test_documents_that_could_not_be_judged_are_listed(http, disputed):  # noqa: F811
    judge = disputed.members.create(name="cy", role=Role.ASSESSOR)
    cannot = JudgementInput("cannot_judge", reason="broken")
    record_imported([ImportedJudgement(judge, task_of(disputed, "1", "d").pk, 0, cannot, timezone.now())])
    html = get(http, "documents", cannot_judge="cy")
    assert listed(html) == ["d"]
    assert "1 document of 7: cy could not judge it." in html
    assert '<span class="chip">cannot judge</span>' in html


def test_documents_that_were_only_postponed_are_listed_on_request(http, disputed):  # noqa: F811
    task = task_of(disputed, "2", "x")
    task.judgements.update(state="undone", relevance=None)
    judge = disputed.members.create(name="cy", role=Role.ASSESSOR)
    record_imported([ImportedJudgement(judge, task.pk, 0, JudgementInput("later"), timezone.now())])
    assert "x" not in listed(get(http, "documents"))
    html = get(http, "documents", later="cy")
    assert listed(html) == ["x"]
    assert "1 document of 6: cy postponed it." in html
    assert '<span class="chip">later</span>' in html


def test_csv_has_a_column_for_each_judge(http):
    rows = list(csv.DictReader(io.StringIO(get(http, "documents_file", "csv", topic="1"))))
    assert [row["doc_id"] for row in rows] == ["b", "a", "d", "e"]
    names = ("query_id", "doc_id", "n_cannot", "n_later", "n", "lowest", "highest", "apart", "distance", "decision")
    values = ("1", "b", "0", "0", "2", "0", "1", "1", "1.0", "")
    assert rows[0] == dict(zip(names, values, strict=True)) | {"judge:ann": "1", "judge:bob": "0"}


@pytest.mark.slow
def test_order_by_leverage(http):
    # AP with the gold of ann: topic 1 has relevant a, b; topic 2 x, z.
    html = get(http, "documents", order="leverage", gold="judge:ann", measure="AP")
    assert set(listed(html)) == {"b", "x", "z"}
    assert re.search(
        r"Preliminary: 2 topics; answers need 10 topics. \d of 3 disputed documents can change the "
        r"ranking on their own \(AP\(?",
        html,
    )
    html = get(http, "documents", order="leverage", gold="judge:ann", measure="AP", min_topics="2")
    assert re.search(r'<p class="hero">\d of 3 disputed documents can change', html)
    rows = list(csv.DictReader(io.StringIO(get(http, "documents_file", "csv", order="leverage", gold="judge:ann"))))
    taus = [float(row["tau"]) for row in rows]
    assert taus == sorted(taus)


def test_pages_of_the_list(http, monkeypatch):
    monkeypatch.setattr("assess.web.research.documents.context.PAGE_SIZE", 3)
    assert listed(get(http, "documents", page="2")) == ["a", "d", "e"]
    html = get(http, "documents", page="3")
    assert "Documents 7 to 7 of 7." in html
    assert 'rel="prev" href="?page=2"' in html
    assert 'rel="next"' not in html


def test_document_page_shows_text_topic_and_grades(http, disputed):  # noqa: F811
    task = task_of(disputed, "1", "b")
    html = get(http, "document", task.pk)
    assert "2 judges gave 2 different grades, from 0 to 1." in html
    assert "Text of b." in html
    assert "What the first user wants." in html
    assert "Only the thing itself." in html
    grades = re.findall(r'<th scope="row" data-value="\w+">(\w+)</th><td data-value="(\d)">', html)
    assert grades == [("ann", "1"), ("bob", "0")]
    # alpha has b at rank 2, beta at 1, gamma at 2
    systems = re.findall(r'<th scope="row"><span data-system="(\w+)">.*?</th><td class="num">(\d)</td></tr>', html)
    assert systems == [("beta", "1"), ("alpha", "2"), ("gamma", "2")]
    assert "3 of 3 systems retrieved it, the best at rank 1" in html


@pytest.mark.slow
def test_document_page_shows_the_effect_of_each_other_grade(http, disputed):  # noqa: F811
    task = task_of(disputed, "1", "b")
    html = get(http, "document", task.pk, gold="judge:bob", measure="P@1")
    # Under bob only a is relevant: P@1 is 1/2 for alpha, 0 for beta and gamma. With b, beta has 1/2 too.
    # Pairs before: alpha > beta, alpha > gamma, beta = gamma; after: alpha = beta, alpha > gamma, beta > gamma.
    # tau_b = (1 concordant - 0) / sqrt(2 * 2) = 0.5; no pair is in opposite order; the best systems change.
    row = re.search(r'<th scope="row">1</th>(.*?)</tr>', html[html.index('id="effect"') :])[1]
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row) == ["0.500", "0", "yes", "0.5000"]
    assert "With grade 1, no system pair swaps (tau_b 0.500), and the best system changes." in html


@pytest.mark.in_ci
def test_invalid_gold_and_measure_are_refused_beside_the_document(http, disputed):  # noqa: F811
    task = task_of(disputed, "1", "b").pk
    for query, sentence in (
        ({"gold": "best"}, "best"),
        ({"measure": "XY"}, "XY"),
        ({"measure": "AP(rel=5)"}, "not 5."),
    ):
        html = get(http, "document", task, status=400, **query)
        assert sentence in re.search(r'<p class="refusal">(.*?)</p>', html)[1]
        assert "2 judges gave 2 different grades" in html
    disputed.runs.all().delete()
    assert "There are no runs yet" in get(http, "document", task)


def test_history_comments_passages_and_confidence(http, disputed, people):  # noqa: F811
    member, task = people["cleo"], task_of(disputed, "1", "b")
    assignment = task.assignments.create(topic=task.topic, member=member, position=0)
    first = JudgementInput("judged", 0, active_ms=2_000)
    record_judgement(member, assignment.public_id, first, uuid.uuid4(), actor=member.user)
    second = JudgementInput("judged", 1, comment="I see <it>.", confidence=3, passages=[[0, 4]], active_ms=3_000)
    record_judgement(member, assignment.public_id, second, uuid.uuid4(), actor=member.user, seen_version=1)
    html = get(http, "document", task.pk)
    assert "I see &lt;it&gt;." in html
    assert '<blockquote dir="auto">Text</blockquote>' in html
    assert '<mark title="marked by cleo">Text</mark> of b.' in html
    assert "3 of 3" in html
    assert "<td>5 s</td>" in html
    assert "History: 4 events" in html
    assert re.findall(r"<td>cleo</td><td>([^<]*)</td><td>([^<]*)</td>", html) == [
        ("nothing", "grade 0"),
        ("grade 0", "grade 1"),
    ]


def test_every_table_of_a_document_is_a_file(http, disputed):  # noqa: F811
    task = task_of(disputed, "1", "b").pk

    def rows(part, **query):
        return list(csv.DictReader(io.StringIO(get(http, "document_file", task, part, "csv", **query))))

    assert [(row["judge"], row["grade"]) for row in rows("judgements")] == [("ann", "1"), ("bob", "0")]
    assert [(row["judge"], row["before"], row["after"], row["source"]) for row in rows("history")] == [
        ("ann", "nothing", "grade 1", "import"),
        ("bob", "nothing", "grade 0", "import"),
    ]
    assert [(row["system"], row["rank"]) for row in rows("systems")] == [("beta", "1"), ("alpha", "2"), ("gamma", "2")]
    (effect,) = rows("effect", gold="judge:bob", measure="P@1")
    assert effect.pop("tau").startswith(("0.5", "0.4999"))
    assert effect == {
        "grade": "1",
        "tau_reason": "",
        "pairs_swapped": "0",
        "top_changed": "True",
        "largest_change": "0.5",
    }
    assert http.get(reverse("research:document_file", args=["small", task, "nonsense", "csv"])).status_code == 404


def test_html_is_in_a_sandboxed_frame(http, disputed):  # noqa: F811
    task = task_of(disputed, "1", "b")
    set_content(
        disputed.documents.filter(doc_id="b"), text="<p onclick=x>One <b>two</b></p><script>x</script>", format="html"
    )
    html = http.get(reverse("research:document", args=["small", task.pk])).content.decode()
    frame = re.search(r'<iframe sandbox title="Text of the document"\s+srcdoc="([^"]*)"', html)[1]
    assert "&lt;p&gt;One &lt;b&gt;two&lt;/b&gt;&lt;/p&gt;" in frame
    assert "onclick" not in frame


@pytest.mark.slow
def test_previous_and_next_follow_the_list(http, disputed):  # noqa: F811
    before, task, after = (task_of(disputed, *cell).pk for cell in (("1", "b"), ("2", "x"), ("2", "z")))
    html = get(http, "document", task, distance="1")
    assert "2 of 3" in html
    links = dict(re.findall(r'rel="(prev|next)"[^>]*href="([^"]*)"', html))
    assert links == {
        "prev": f"/c/small/documents/{before}/?distance=1",
        "next": f"/c/small/documents/{after}/?distance=1",
    }
    assert 'rel="next"' not in get(http, "document", after, distance="1")
    assert 'class="button" id="' not in get(http, "document", task, topic="1")  # it is not in this list


def test_unknown_and_foreign_documents_are_not_found(http, disputed):  # noqa: F811
    task = task_of(disputed, "1", "b").pk
    assert http.get(reverse("research:document", args=["small", 10**6])).status_code == 404
    assert http.post(reverse("research:open_grades", args=["small", 10**6])).status_code == 404
    assert http.get(reverse("research:open_grades", args=["small", task])).status_code == 405


# ---- blind adjudication


def test_lists_and_pages_record_what_was_opened(http, disputed, people):  # noqa: F811
    olga = people["olga"]
    get(http, "document", task_of(disputed, "1", "b").pk)
    assert opened(olga) == ["b"]
    get(http, "documents", topic="2")
    assert opened(olga) == ["b", "x", "y", "z"]
    get(http, "documents_file", "csv", topic="1")
    assert opened(olga) == ["a", "b", "d", "e", "x", "y", "z"]


def test_chosen_documents_are_a_file_and_are_recorded_as_opened(http, disputed, people):  # noqa: F811
    tasks = [task_of(disputed, "1", doc_id).pk for doc_id in "bd"]
    address = reverse("research:chosen_documents", args=["small"])
    assert f'<button formaction="{address}?topic=1">' in get(http, "documents", topic="1")
    GradesOpening.objects.all().delete()
    response = http.post(f"{address}?topic=1", {"task": [*tasks, 0, "x"]})
    assert response["content-disposition"] == 'attachment; filename="small-chosen-documents.csv"'
    lines = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert [(line["query_id"], line["doc_id"]) for line in lines] == [("1", "b"), ("1", "d")]
    assert opened(people["olga"]) == ["b", "d"]
    refused = http.post(f"{address}?topic=2", {"task": tasks})
    assert (refused.status_code, "No document is selected." in refused.content.decode()) == (400, True)


def opened(member) -> list[str]:
    return sorted(GradesOpening.objects.filter(member=member).values_list("task__document__doc_id", flat=True))


@pytest.fixture
def to_decide(disputed, people) -> Task:  # noqa: F811
    """A document that olga is to decide."""
    task = task_of(disputed, "1", "b")
    create_adjudication(disputed, [task], ["olga"], "one document")
    return task


def test_adjudicator_does_not_see_the_document_in_lists(http, to_decide, people):  # noqa: F811
    html = get(http, "documents")
    assert listed(html) == ["x", "z", "a", "d", "e", "y"]
    assert "1 document assigned to you for a decision is not listed" in html
    assert "b" not in [row["doc_id"] for row in csv.DictReader(io.StringIO(get(http, "documents_file", "csv")))]
    response = http.post(reverse("research:chosen_documents", args=["small"]), {"task": [to_decide.pk]})
    assert response.status_code == 400
    assert "b" not in opened(people["olga"])


def test_adjudicator_is_warned_before_the_grades_open(http, to_decide, people):  # noqa: F811
    html = get(http, "document", to_decide.pk, distance="1")
    assert "You are to decide this document. If you open its grades, the decision counts as not blind." in html
    assert "ann" not in html
    file = http.get(reverse("research:document_file", args=["small", to_decide.pk, "judgements", "csv"]))
    assert file.url == f"/c/small/documents/{to_decide.pk}/"
    assert opened(people["olga"]) == []
    action = re.search(r'<form method="post" action="([^"]*/open/[^"]*)"', html)[1]
    response = http.post(action)
    assert response.url == f"/c/small/documents/{to_decide.pk}/?distance=1"
    assert opened(people["olga"]) == ["b"]
    assert "2 judges gave 2 different grades" in get(http, "document", to_decide.pk)


def test_other_researchers_see_the_document(to_decide, people, signed_in):  # noqa: F811
    http = signed_in(people["rita"])
    html = get(http, "documents")
    assert "b" in listed(html)
    assert "in adjudication 1" in html
    assert html.count('type="checkbox"') == 6


@pytest.mark.slow
def test_number_of_queries_is_constant(http, disputed, django_assert_num_queries, django_assert_max_num_queries):  # noqa: F811
    task = task_of(disputed, "1", "b").pk
    get(http, "documents", topic="1")
    with django_assert_max_num_queries(22) as few:
        get(http, "documents", topic="1")
    with django_assert_num_queries(len(few)):
        get(http, "documents")
    get(http, "document", task)
    with django_assert_max_num_queries(30):
        get(http, "document", task)
