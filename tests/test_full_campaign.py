"""A whole campaign from run files to a shifted ranking, with the commands and pages that users have.

Three systems, two topics, a pool of depth 2. The figures below are worked out by hand from the grades that Ada and
Bob give in the browser.
"""

import io
import re
import uuid

import pytest
from django.core.management import call_command
from django.urls import reverse

from assess.judging.worklist import topics_with_progress
from assess.models import Collection, Judgement, JudgementEvent, Provenance
from tests.factories import SMALL_RUNS, write_documents, write_runs, write_topics
from tests.html import compact

pytestmark = pytest.mark.usefixtures("isolated_storage")
JUDGEMENT_FORM = re.compile(r'id="judgement" action="([^"]+)"')

# What the two find relevant. The pool holds a b d e of topic 1 and x y z of topic 2.
ADA = {("1", "a"), ("1", "b"), ("2", "x"), ("2", "y")}
BOB = {("1", "b"), ("1", "e"), ("2", "z")}


def manage(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture
def campaign(db, tmp_path):
    """A collection that is ready to be judged."""
    manage("create_collection", "campaign", "--owner", "rita", "--title", "A campaign")
    for name in ("ada", "bob"):
        manage("add_member", "--collection", "campaign", "--role", "assessor", "--pseudonym", name, name)
    manage("import_topics", "--collection", "campaign", write_topics(tmp_path))
    assert "Read 15 lines of 3 runs: 3 new" in manage(
        "import_runs", "--collection", "campaign", *write_runs(tmp_path, SMALL_RUNS)
    )
    output = manage("build_pool", "--collection", "campaign", "--depth", 2)
    assert "The pool has 7 tasks" in output
    assert "Pooled documents without text: 7." in output
    manage("import_documents", "--collection", "campaign", write_documents(tmp_path, "abcdefxyz"))
    assert "Created 14 assignments of 7 tasks to 2 assessors" in manage(
        "assign", "--collection", "campaign", "--judges", 2
    )
    return Collection.objects.get(slug="campaign")


def judge_everything(client, collection, name: str, relevant: set):
    """Judge all documents with the plain form."""
    member = collection.members.get(name=name)
    client.force_login(member.user, backend="assess.people.backend.AccountBackend")
    for topic, _ in topics_with_progress(member):
        page = reverse("judge:topic", args=[collection.slug, topic.pk])
        while form := JUDGEMENT_FORM.search(html := compact(client.get(page).content.decode())):
            doc_id = re.search(r'id="doc-meta"[^>]*>([^<]*)<', html)[1]
            grade = int((topic.query_id, doc_id) in relevant)
            fields = {"relevance": grade, "client_id": uuid.uuid4(), "active_ms": 1_500, "member": member.pk}
            assert client.post(form[1], fields).status_code == 302
        assert "This topic is done" in html


def check_agreement(campaign, client):
    """Check the pair page, the agreement page and the report."""
    # Ada judges 4 of 7 relevant, Bob 3 of 7; they agree on b (yes) and d (no): P(A) = 2/7.
    # Pooled: P(E) = (7/14)² + (7/14)² = 1/2, kappa = (2/7 - 1/2) / (1/2) = -3/7.
    # Unpooled: P(E) = (4/7)(3/7) + (3/7)(4/7) = 24/49, kappa = (14/49 - 24/49) / (25/49) = -2/5.
    html = compact(client.get(reverse("research:agreement", args=["campaign"])).content.decode())
    row = re.search(r"ada and bob</a></th>(.*?)</tr>", html, re.S)[1]
    assert re.findall(r'class="num">(?:<[^>]*>)?([^<>\s]+)', row)[:5] == ["7", "0", "0", "0.286", "-0.429"]
    a, b = (campaign.members.get(name=name).pk for name in ("ada", "bob"))
    worked = compact(client.get(reverse("research:pair", args=["campaign", a, b])).content.decode())
    for words in ("(1 + 1) / 7", "0.5² + 0.5²", "−0.4286", "(3/7)(4/7) + (4/7)(3/7)", "−0.4"):
        assert words in worked
    report = manage("agreement_report", "--collection", "campaign", "--rel", 1, "--per-topic")
    assert "7 documents judged by both, 0 documents judged by only one of them." in report
    assert re.search(r"pooled kappa +-0.429 +dubious +7 +pooled\n.*cohen kappa +-0.400 +dubious +7", report)


def check_shift(client):
    """Check that each judge has another best system."""
    # By AP over two topics. alpha ranks a b c | x y, beta b d a | y z, gamma e b f | z x.
    # Under Ada (a b | x y): alpha (1, 1), beta ((1 + 2/3)/2, 1/2), gamma ((1/2)/2, (1/2)/2).
    # Under Bob (b e | z): alpha ((1/2)/2, 0), beta (1/2, 1/2), gamma (1, 1). The ranking is reversed.
    command = ("ranking_shift", "--collection", "campaign", "--gold", "judge:ada", "--gold", "judge:bob")
    assert manage(*command).startswith("Preliminary: ")
    output = manage(*command, "--min-topics", 2)
    assert "3 of 3 system pairs swap" in output
    assert "the best system changes from alpha to gamma" in output
    csv = manage("ranking_shift", "--collection", "campaign", "--gold", "judge:ada", "--gold", "judge:bob", "--csv")
    scores = {tuple(line.split(",")[:2]): float(line.split(",")[3]) for line in csv.splitlines()[1:]}
    assert scores == pytest.approx(
        {
            ("judge:ada", "alpha"): 1,
            ("judge:ada", "beta"): (5 / 6 + 1 / 2) / 2,
            ("judge:ada", "gamma"): 1 / 4,
            ("judge:bob", "alpha"): 1 / 8,
            ("judge:bob", "beta"): 1 / 2,
            ("judge:bob", "gamma"): 1,
        },
        abs=1e-15,
    )
    page = compact(
        client.get(reverse("research:shift", args=["campaign"]), {"reference": "judge:ada"}).content.decode()
    )
    assert 'class="num">-1.000</td>' in page
    chart = client.get(
        reverse("research:shift_figure", args=["campaign", "svg"]), {"reference": "judge:ada", "against": "judge:bob"}
    )
    assert chart["Content-Type"] == "image/svg+xml"
    assert b"gamma" in chart.content


def check_exports(client, tmp_path):
    """Check that qrels and raw judgements are sorted and use pseudonyms."""
    gold = tmp_path / "union.qrels"
    manage("export_qrels", "--collection", "campaign", "--gold", "union", "--out", gold)
    assert gold.read_text() == "1 0 a 1\n1 0 b 1\n1 0 d 0\n1 0 e 1\n2 0 x 1\n2 0 y 1\n2 0 z 1\n"
    everything = client.get(reverse("research:judgements_csv", args=["campaign"])).content.decode().splitlines()
    assert everything[1].startswith("ada,1,a,1,judged,0,20")
    assert len(everything) == 15


def check_added_run(tmp_path):
    """Check that the pool grows without changing judgements."""
    before = list(Judgement.objects.order_by("pk").values())
    manage("import_runs", "--collection", "campaign", *write_runs(tmp_path, {"delta": {"1": ["q", "a"]}}))
    assert "The pool has 8 tasks, 1 of them new." in manage("build_pool", "--collection", "campaign", "--depth", 2)
    assert list(Judgement.objects.order_by("pk").values()) == before
    best = Provenance.objects.get(task__document__doc_id="a")
    assert (best.systems, best.best_rank) == (["alpha", "delta"], 1)


@pytest.mark.slow
def test_from_run_files_to_a_shifted_ranking(campaign, client, tmp_path):
    judge_everything(client, campaign, "ada", ADA)
    judge_everything(client, campaign, "bob", BOB)
    assert Judgement.objects.count() == JudgementEvent.objects.count() == 14
    rita = campaign.members.get(role="owner")
    client.force_login(rita.user, backend="assess.people.backend.AccountBackend")
    check_agreement(campaign, client)
    check_shift(client)
    check_exports(client, tmp_path)
    check_added_run(tmp_path)
