"""Files whose topics or documents match nothing in the collection: one sentence, and a repair on request."""

import html

import pytest
from django.urls import reverse

from assess.collections.create import create_collection
from assess.errors import Refused
from assess.models import ImportRecord, Judgement, Role, Run
from assess.pools.building.build import build_pool
from assess.transfer.documents import DocumentOptions
from assess.transfer.documents import import_files as import_documents
from assess.transfer.import_record import SourceFile, receipt
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_files
from assess.transfer.runs import RunOptions, import_runs
from assess.transfer.topics import import_topics
from assess.transfer.uploads.importing import check_uploads, import_uploaded
from tests.assess.transfer.uploads.uploaded import upload
from tests.realdata import PROJECT

CASES = PROJECT / "tests" / "data" / "cases"
BOB = CASES / "zeros_bob_spreadsheet.qrels"
RUNS = [CASES / f"zeros_{name}.run" for name in ("alpha", "beta", "gamma")]
SENTENCE = (
    "10 of 25 topics of zeros_bob_spreadsheet.qrels match nothing in zeros: '90' may be '090' (leading zeros); the "
    "option repair-ids with leading-zeros reads 10 so. They have 300 of 750 judgements. Import the topics first, or "
    "repair their ids."
)
REPAIRED = "10 topics of zeros_bob_spreadsheet.qrels are repaired (leading zeros): '90' is read as '090'."


def source(path):
    return SourceFile(path, path.name)


@pytest.fixture
def zeros(db, tmp_path):
    """A collection with the topics 090 to 114, the three runs and a pool."""
    collection = create_collection("zeros", "Zeros", ["0=no", "1=yes"])
    topics = tmp_path / "topics.tsv"
    topics.write_text("".join(f"{number:03}\tneed {number}\n" for number in range(90, 115)))
    import_topics(collection, topics)
    import_runs(collection, RUNS)
    build_pool(collection, depth=10)
    return collection


@pytest.fixture
def owner(zeros, join):
    return join(zeros, "olga", Role.OWNER)


def test_judgements_of_unknown_topics_are_refused_with_one_sentence(zeros):
    with pytest.raises(Refused) as error:
        import_files(zeros, [source(BOB)], JudgementOptions())
    assert str(error.value) == f"zeros_bob_spreadsheet.qrels, line 1: {SENTENCE}"


def test_the_report_has_one_sentence_and_imports_the_other_topics(zeros):
    result = import_files(zeros, [source(BOB)], JudgementOptions(on_error="report"))
    assert (result.added, result.left_out) == (450, {"invalid lines": 300})
    assert [note for note in result.notes if "match nothing" in note] == [
        f"zeros_bob_spreadsheet.qrels, line 1: {SENTENCE}"
    ]


def test_a_repair_of_judgements_is_applied_and_recorded(zeros):
    result = import_files(zeros, [source(BOB)], JudgementOptions(repair_ids="leading-zeros"))
    assert (result.read, result.added, REPAIRED in result.notes) == (750, 750, True)
    assert Judgement.objects.filter(task__topic__query_id="090").count() == 30
    record = ImportRecord.objects.get(kind="judgements")
    assert record.options["repair_ids"] == "leading-zeros"
    assert record.counts["repaired"] == {"topics": 10}
    assert receipt(record.counts).endswith(" Ids repaired: topics (10).")


@pytest.mark.parametrize("extra", ["", ",confidence,comment"])
def test_tables_are_repaired_as_well(zeros, tmp_path, extra):
    table = tmp_path / "bob.csv"
    cells = ",," if extra else ""
    table.write_text(f"assessor,query_id,doc_id,relevance{extra}\nbob,90,D0000,1{cells}\nbob,100,D0000,0{cells}\n")
    with pytest.raises(
        Refused, match=r"bob.csv, line 2: 1 of 2 topics of bob.csv matches nothing in zeros: '90' may be"
    ):
        import_files(zeros, [source(table)], JudgementOptions())
    import_files(zeros, [source(table)], JudgementOptions(repair_ids="leading-zeros"))
    assert set(Judgement.objects.values_list("task__topic__query_id", flat=True)) == {"090", "100"}


def test_documents_of_judgements_are_repaired(zeros, tmp_path):
    qrels = tmp_path / "bob.qrels"
    qrels.write_text("100 0 doc_D0001 1\n100 0 doc_D0002 0\n")
    result = import_files(zeros, [source(qrels)], JudgementOptions(repair_ids="prefix"))
    assert "2 documents of bob.qrels are repaired (prefix): 'doc_D0001' is read as 'D0001'." in result.notes


def test_the_check_of_the_page_shows_the_sentence_and_the_repair(owner):
    file = upload(owner, BOB.name, BOB.read_bytes())
    check = check_uploads(owner.collection, [file.pk], {})
    assert [sentence for _, _, sentence in check.problems] == [f"zeros_bob_spreadsheet.qrels, line 1: {SENTENCE}"]
    repaired = check_uploads(owner.collection, [file.pk], {"repair_ids": "leading-zeros"})
    assert (repaired.problem_count, REPAIRED in repaired.sentences) == (0, True)
    result = import_uploaded(owner.collection, "judgements", [file.pk], {"repair_ids": "leading-zeros"})
    assert (result.added, REPAIRED in result.notes) == (750, True)


def test_runs_with_unknown_topics_are_reported_and_repaired(zeros, owner, tmp_path):
    run = tmp_path / "delta.run"
    run.write_text("90 Q0 D0001 1 2 delta\n100 Q0 D0001 1 2 delta\n")
    sentence = (
        "1 of 2 topics of the runs matches nothing in zeros: '90' may be '090' (leading zeros); the option repair-ids "
        "with leading-zeros reads it so."
    )
    file = upload(owner, "delta.run", run.read_bytes())
    assert sentence in check_uploads(zeros, [file.pk], {}).sentences
    result = import_runs(zeros, [run], RunOptions(repair_run_ids="leading-zeros"))
    assert "1 topic of the runs is repaired (leading zeros): '90' is read as '090'." in result.notes
    record = Run.objects.get(system="delta").import_record
    assert (record.options["repair_run_ids"], record.counts["repaired"]) == ("leading-zeros", {"topics": 1})
    run.write_text(run.read_text().replace("delta", "epsilon"))
    assert sentence in import_runs(zeros, [run]).notes


def test_documents_outside_the_pool_are_reported_and_repaired(zeros, owner, tmp_path):
    file = tmp_path / "docs.tsv"
    file.write_text("doc_D0001\tsome text\ndoc_D0002\tother text\ndoc_Z\tno document of the pool\n")
    sentence = (
        "3 of 3 documents of the files match nothing in the pool: 'doc_D0001' may be 'D0001' (prefix); the option "
        "repair-ids with prefix reads 2 so."
    )
    uploaded = upload(owner, "docs.tsv", file.read_bytes())
    assert sentence in check_uploads(zeros, [uploaded.pk], {"text_format": "text"}).sentences
    repaired = "2 documents of the files are repaired (prefix): 'doc_D0001' is read as 'D0001'."
    assert repaired in check_uploads(zeros, [uploaded.pk], {"repair_document_ids": "prefix"}).sentences
    result = import_documents(zeros, [source(file)], DocumentOptions(repair_document_ids="prefix"))
    assert (result.added, repaired in result.notes) == (2, True)
    assert set(zeros.documents.exclude(content=None).values_list("doc_id", flat=True)) == {"D0001", "D0002"}
    record = ImportRecord.objects.get(kind="documents")
    assert (record.options["repair_document_ids"], record.counts["repaired"]) == ("prefix", {"documents": 2})


@pytest.mark.slow
def test_the_shift_page_says_which_topics_the_headline_does_not_count(zeros, owner, signed_in, tmp_path):
    for name in ("alpha", "beta", "gamma"):
        zeros.runs.get(system=name).delete()
        changed = (CASES / f"zeros_{name}.run").read_text().replace("\n09", "\n9").removeprefix("0")
        (tmp_path / f"{name}.run").write_text(changed)
    import_runs(zeros, sorted(tmp_path.glob("*.run")))
    ada = SourceFile(CASES / "zeros_ada.qrels", "ada", "ada")
    bob = SourceFile(BOB, "bob", "bob")
    import_files(zeros, [ada, bob], JudgementOptions(repair_ids="leading-zeros"))
    page = signed_in(owner).get(reverse("research:shift", args=[zeros.slug])).content.decode()
    text = " ".join(html.unescape(page).split())
    assert "15 topics, " in text.partition("10 of 25 topics of ")[0]
    assert "match nothing in the runs: '090' may be '90' (leading zeros)" in text
    assert "They have 300 of 750 judgements. The headline does not count them." in text
