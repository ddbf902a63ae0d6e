"""The TREC 2019 Deep Learning track (passages) imported by commands gives the published figures."""

import csv
import io
from statistics import fmean

import pytest
from django.core.management import call_command

from assess.models import Collection, Document, Provenance, Task
from tests.oracles import oracle
from tests.realdata import real_data

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.usefixtures("isolated_storage")]

GRADES = ("0=Irrelevant", "1=Related", "2=Highly relevant", "3=Perfectly relevant")
# Per-topic means of Cohen's kappa at relevance >= 2; topic 168216, which all eight judged, is left out.
PUBLISHED = {("1", "2"): 0.380724, ("3", "4"): 0.369349, ("5", "6"): 0.468242, ("7", "8"): 0.337673}
SHARED_TOPIC = "168216"


def manage(*arguments) -> str:
    out = io.StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def rows(text: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(text)))


# number of runs -> lines, pooled documents, those with a text
ALL, FEW = 37, 6
SIZES = {ALL: ("1,419,989", 2_495, 1_329), FEW: ("128,954", 1_067, 761)}


@pytest.fixture(params=[FEW, pytest.param(ALL, marks=pytest.mark.soak)])
def dl19(db, request):
    """The collection, created by commands from the first runs or from all."""
    runs = sorted(real_data("dl19", "runs").glob("*.run.gz"))[: request.param]
    lines, _, _ = SIZES[len(runs)]
    grades = [word for grade in GRADES for word in ("--grade", grade)]
    manage("create_collection", "dl19", "--owner", "rita", *grades)
    manage("import_topics", "--collection", "dl19", real_data("dl19", "topics.tsv"))
    assert f"Read {lines} lines of {len(runs)} runs: {len(runs)} new" in manage(
        "import_runs", "--collection", "dl19", *runs
    )
    manage("build_pool", "--collection", "dl19", "--depth", 10)
    manage("import_documents", "--collection", "dl19", real_data("dl19", "documents.jsonl.gz"))
    for judge in ("nist", *(f"judge{n}" for n in range(1, 9))):
        path = real_data("dl19", "judges", f"{judge}.qrels")
        manage("import_judgements", "--collection", "dl19", path, "--assessor", judge)
    return Collection.objects.get(slug="dl19")


def test_figures_match_the_published_ones(dl19):
    _, n_pooled, n_with_text = SIZES[dl19.runs.count()]
    assert Provenance.objects.count() == n_pooled
    assert Task.objects.filter(provenance__isnull=False, document__content__isnull=False).count() == n_with_text
    assert not Document.objects.filter(content__isnull=False).exclude(tasks__provenance__isnull=False).exists()

    pairs = rows(manage("agreement_report", "--collection", "dl19", "--rel", 2, "--per-topic", "--csv"))
    for (a, b), published in PUBLISHED.items():
        kappas = [
            float(row["cohen_kappa"])
            for row in pairs
            if (row["assessor_a"], row["assessor_b"]) == (f"judge{a}", f"judge{b}")
            and row["across"] == "topic"
            and row["query_id"] != SHARED_TOPIC
            and row["cohen_kappa"]
        ]
        assert fmean(kappas) == pytest.approx(published, abs=5e-7), (a, b)

    official = oracle("dl19_published_measures")["runs"]
    for measure, options, name in (("AP(rel=2)", "passages-eval", "map"), ("nDCG@10", "passages-eval", "ndcg_cut_10")):
        output = manage("ranking_shift", "--collection", "dl19", "--gold", "judge:nist", "--measure", measure, "--csv")
        scores = {row["system"]: float(row["score"]) for row in rows(output)}
        assert len(scores) == dl19.runs.count()
        assert {system: round(score, 4) for system, score in scores.items()} == {
            system: pytest.approx(published[options][name], abs=1e-9)
            for system, published in official.items()
            if system in scores
        }
