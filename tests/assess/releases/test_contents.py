"""The files of a release for papers and for other tools are valid, and their numbers are those of the judgements."""

import json
import re
import runpy
from types import SimpleNamespace

import ir_datasets
import mlcroissant
import pytest
import yaml
from sklearn.metrics import cohen_kappa_score

from agreement import ranking_shift
from assess.pools.building.build import build_pool
from assess.releases.contents import methods as paragraph
from assess.releases.state.pool_state import pool_state
from tests.agreement.shift.test_shift import SYSTEMS, gold_of, runs_of
from tests.agreement.shift.test_summary import TEN
from tests.assess.releases.conftest import GRADES, files_of, release, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(collection, judges, without_reports, tmp_path):
    stored = release(collection, authors="Ada Doe and Bo Roe", licence="cc-by-4.0", notes="With “quotes”: & % _ .")
    for name, content in files_of(stored).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path


def test_croissant_is_valid_and_reads_the_records(folder):
    dataset = mlcroissant.Dataset(folder / "croissant.json")
    issues = dataset.metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    rows = list(dataset.records("judgements"))
    assert len(rows) == 14
    assert rows[0] == {
        "judgements/assessor": b"ada",
        "judgements/query_id": b"1",
        "judgements/doc_id": b"a",
        "judgements/relevance": 1,
    }
    assert [row["topics/title"] for row in dataset.records("topics")] == [b"first need", b"second need"]


def test_croissant_lists_every_other_file_with_its_checksum(folder):
    listed = {
        entry["@id"]: entry["sha256"] for entry in json.loads((folder / "croissant.json").read_text())["distribution"]
    }
    manifest = json.loads((folder / "manifest.json").read_text())
    checksums = {entry["name"]: entry["sha256"] for entry in manifest["files"]}
    assert listed == {name: checksum for name, checksum in checksums.items() if name != "croissant.json"}


def test_ir_datasets_reads_topics_and_qrels(folder, monkeypatch):
    monkeypatch.setattr(ir_datasets.registry, "_registered", dict(ir_datasets.registry._registered))
    runpy.run_path(str(folder / "ir_dataset.py"))
    dataset = ir_datasets.load("small/main-1")
    assert [query.narrative for query in dataset.queries_iter()] == ["Only the thing itself.", ""]
    assert [(row.query_id, row.doc_id, row.relevance) for row in dataset.qrels_iter()][:2] == [
        ("1", "a", 1),
        ("1", "b", 0),
    ]
    assert dataset.qrels_defs() == {0: "Not relevant", 1: "Relevant"}


def test_dataset_card_has_the_metadata_of_hugging_face(folder):
    _, header, text = (folder / "README.md").read_text().split("---\n", 2)
    metadata = yaml.safe_load(header)
    assert metadata["license"] == "cc-by-4.0"
    assert metadata["size_categories"] == ["n<1K"]
    assert {"config_name": "judgements", "data_files": "judgements.csv"} in metadata["configs"]
    assert "With “quotes”: & % _ ." in text
    assert "author = {Ada Doe and Bo Roe}" in text
    for name in re.findall(r"^- `([^`]*)`", text, re.M):
        assert (folder / name).exists() or name == "reports/"  # left out for speed


def test_ir_metadata_follows_the_schema(folder):
    metadata = yaml.safe_load((folder / "ir_metadata.yml").read_text())
    assert metadata["actor"] == {"name": "Ada Doe and Bo Roe", "role": "experimenter"}
    assert metadata["data"]["test collection"]["qrels"] == "qrels.txt"
    assert metadata["schema-version"] == 0.1


def test_methods_count_the_judgements(folder):
    methods = (folder / "paper/methods.md").read_text()
    assert "Small has 2 topics and 3 runs." in methods
    assert "The pool has 7 topic-document pairs of 7 documents (depth: the first 2 of each run)." in methods
    assert "2 judges (2 people) made 14 judgements of 7 topic-document pairs on " in methods
    assert "Two or more judges graded 7 of these pairs (100.0%)." in methods
    assert "it grades 7 pairs of 2 topics. Its grades are 0: 6 (85.7%), 1: 1 (14.3%)." in methods
    assert "Agreement is measured on " in methods
    assert ". Preliminary: " in methods
    assert " in common. The judges agree " in methods
    assert "a ledger of 14 events" in methods


def sentences_on_shift(systems: dict[str, str], **options) -> list[str]:
    golds = {"released": gold_of("x", TEN), "judge:z": gold_of("z", TEN)}
    shift = ranking_shift(runs_of(systems, TEN), golds, **options)
    return list(paragraph._shift(SimpleNamespace(shift=shift)))


def test_methods_say_what_was_measured_and_leave_out_the_rest():
    (few,) = sentences_on_shift(SYSTEMS, measure="AP", min_topics=11)
    (enough,) = sentences_on_shift(SYSTEMS, measure="AP")
    assert few.startswith("3 systems are ranked by AP. Preliminary: 10 topics in common, ")
    assert "; answers need 11 topics, half of the top ten judged. Yes, substantially. Under judge:z," in few
    assert enough.startswith("3 systems are ranked by AP. Yes, substantially. Under judge:z,")
    assert sentences_on_shift({"a": "xyz"}, measure="AP") == []  # a ranking needs two systems


def test_tables_have_the_values_of_another_program(folder):
    kappa = cohen_kappa_score(list(GRADES["ada"].values()), list(GRADES["bob"].values()))
    assert (
        f"| ada        | bob        |  7 |      2 | 0.714 |         {kappa:.3f} |"
        in (folder / "paper/tables.md").read_text()
    )
    assert rf"ada & bob & 7 & 2 & 0.714 & {kappa:.3f} \\" in (folder / "paper/tables.tex").read_text()
    assert "| ada   | person |  7 |       4 |       3 |" in (folder / "paper/tables.md").read_text()


@pytest.mark.slow
def test_bibtex_escapes_names(collection, judges, without_reports):
    collection.name = "R&D 100% {x}"
    collection.save()
    entry = text_of(release(collection), "citation.bib")
    assert r"R\&D 100\% \{x\}" in entry
    assert entry.startswith("@misc{small-main-1,\n")


@pytest.fixture
def sampled(collection):
    """A pool of depth 2 and of a sample of half of the ranks up to 3."""
    build_pool(collection, "stratified", strata=[(1, 1.0), (3, 0.5)], seed=3)
    return collection


def test_pool_has_the_probabilities_of_the_sample(sampled):
    buildings = list(sampled.pool_buildings.order_by("pk").values_list("pk", flat=True))
    both = pool_state(sampled, buildings, ["1", "2"]).frame.set_index(["query_id", "doc_id"])
    assert set(both["inclusion_probability"][[("1", "a"), ("1", "b"), ("2", "x")]]) == {1.0}  # of depth 2
    only = pool_state(sampled, buildings[:1], ["1", "2"]).frame
    assert len(only) == 7  # what the later building added is left out
    assert set(only["inclusion_probability"]) == {1.0}


def test_probabilities_are_unknown_without_the_runs(sampled):
    sampled.runs.filter(system="beta").delete()
    buildings = sampled.pool_buildings.values_list("pk", flat=True)
    state = pool_state(sampled, list(buildings), ["1"])
    assert state.frame["inclusion_probability"].isna().all()
    assert state.notes == [
        "The inclusion probabilities are not known. "
        "The collection no longer has the runs from which the pool was drawn."
    ]
