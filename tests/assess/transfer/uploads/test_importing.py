"""Uploaded files are checked, and imported as jobs, one kind after the other."""

import bz2
import gzip
import lzma

import pytest
from django.core.management import call_command
from django.utils import timezone

import pooling
from assess.errors import Refused
from assess.jobs.run import Cancelled
from assess.lib import long_work
from assess.models import (
    Document,
    ImportRecord,
    Job,
    JobState,
    Judgement,
    Role,
    Run,
    Topic,
    Upload,
)
from assess.transfer.preview import MAX_PROBLEMS, Check
from assess.transfer.uploads.importing import check_uploads, import_uploaded, start_import
from assess.transfer.uploads.storage import stored_path
from tests.assess.command_output import tables
from tests.assess.transfer.uploads.uploaded import (
    DOCUMENTS,
    QRELS,
    RUN,
    TOPICS,
    empty_collection,
    upload,
    upload_files,
)
from tests.realdata import dl19_run_paths, real_data

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


def work():
    call_command("worker", once=True, verbosity=0)


def start(owner, *uploads, **options) -> Job:
    return start_import(owner.collection, owner.user, [file.pk for file in uploads], options)


def check(owner, *uploads, **options):
    return check_uploads(owner.collection, [file.pk for file in uploads], options)


# ---- check


def test_check_says_what_an_import_would_do_and_saves_nothing(owner):
    files = [
        upload(owner, "delta.run", RUN + b"9 Q0 x 1 9 delta\n"),
        upload(owner, "topics.tsv", TOPICS),
        upload(owner, "documents.jsonl", DOCUMENTS),
        upload(owner, "ann.qrels", QRELS),
    ]
    before = tables()
    result = check(owner, *files)
    assert tables() == before
    assert result.problems == []
    assert result.sentences[0] == (
        "Topics: 2 topics, 1 new, 1 in the collection already. The texts of 1 of them differ and will be replaced."
    )
    assert result.sentences[1] == "TREC runs: 1 system, 3 topics, 1 unknown topic (9)."
    assert result.sentences[2].startswith("Documents: 1 document, 0 to be imported, 1 that have a text already")
    assert result.sentences[3] == "Judgements: 2 judgements of 1 judge (ann) on 1 topic."


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_are_previewed_and_checked(owner, compress):
    file = upload(owner, "delta", compress(RUN))
    assert (file.kind, file.label) == ("runs", "TREC run")
    assert file.first_rows["rows"][0] == ["1", "Q0", "a", "1", "9", "delta"]
    assert check(owner, file).sentences == ["TREC runs: 1 system, 2 topics, 0 unknown topics."]


def test_invalid_lines_are_listed_with_file_and_line(owner):
    invalid = b"".join(b"1 Q0 d%d 1 nan delta\n" % n for n in range(MAX_PROBLEMS + 5))
    result = check(owner, upload(owner, "delta.run", invalid), upload(owner, "ann.qrels", b"1 0 a 7\n8 0 a 1\n"))
    assert result.problem_count == MAX_PROBLEMS + 5 + 2
    assert len(result.problems) == MAX_PROBLEMS
    assert result.problems[1][:2] == ("delta.run", 2)
    assert result.problems[1][2].startswith("delta.run, line 2: score 'nan'")


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("topics.tsv", TOPICS + b"4\n5\tfive\n6\n", [3, 5]),
        ("documents.jsonl", DOCUMENTS + b'{"doc_id": "x"}\n' + DOCUMENTS.replace(b'"a"', b'"b"') + b"{}\n", [2, 4]),
    ],
)
def test_all_invalid_lines_of_a_file_are_listed(owner, compress, name, content, lines):
    problems = check(owner, upload(owner, name, compress(content))).problems
    assert [line for _, line, _ in problems] == lines
    assert all(sentence.startswith(f"{name}, line ") for _, _, sentence in problems)


def test_two_runs_of_one_system_are_a_problem_until_one_is_named(owner):
    first, second = upload(owner, "a.run", RUN), upload(owner, "b.run", RUN.replace(b"9", b"7"))
    assert "both runs of system delta" in check(owner, first, second).problems[0][2]
    Upload.objects.filter(pk=second.pk).update(given_name="epsilon")
    assert check(owner, first, second).problems == []
    start(owner, first, second)
    work()
    assert {"delta", "epsilon"} < set(Run.objects.values_list("system", flat=True))


@pytest.mark.parametrize(
    ("name", "content", "options", "sentence"),
    [
        ("", RUN, {}, ""),
        ("", RUN.replace(b"9 delta", b"8 delta"), {}, "which was imported with different content on"),
        ("", RUN, {"score_precision": "float32"}, "with the score precision float64, not float32. State another"),
        ("delta 2", RUN, {}, "System 'delta 2' contains white space; an id is 1 to 512"),
    ],
)
def test_check_finds_what_an_import_of_runs_refuses(owner, name, content, options, sentence):
    start(owner, upload(owner, "delta.run", RUN))
    work()
    file = upload(owner, "again.run", content)
    Upload.objects.filter(pk=file.pk).update(given_name=name)
    found = check(owner, file, **options)
    start(owner, file, **options)
    work()
    error = Job.objects.filter(kind="import_runs").latest("pk").error
    assert [problem for _, _, problem in found.problems] == ([error] if sentence else [])
    assert sentence in error


def test_known_run_whose_file_is_missing_can_be_imported_again(owner, settings):
    start(owner, upload(owner, "delta.run", RUN))
    work()
    stored = settings.RUNS_DIR / f"{Run.objects.get(system='delta').file_checksum}.parquet"
    stored.unlink()
    file = upload(owner, "delta.run", RUN)
    assert check(owner, file).sentences == [
        "TREC runs: 1 system, 2 topics, 0 unknown topics. 1 of them imported already."
    ]
    assert not stored.exists()
    start(owner, file)
    work()
    assert stored.exists()


def test_documents_need_a_pool_or_the_option(join):
    owner = empty_collection(join)
    file = upload(owner, "documents.jsonl", DOCUMENTS)
    assert "has no pool yet" in check(owner, file).problems[0][2]
    assert check(owner, file, keep_all=True).problems == []


def test_limit_applies_to_the_expanded_file(owner, settings):
    settings.MAX_EXPANDED_BYTES = 2_000
    file = upload(owner, "bomb.jsonl.gz", gzip.compress(DOCUMENTS + b" " * 5_000))
    assert file.size < 2_000
    assert "expands to more than 2,000 bytes" in check(owner, file).problems[0][2]
    start(owner, file)
    work()
    assert "expands to more than 2,000 bytes" in Job.objects.get(kind="import_documents").error


def test_invalid_mapping_is_a_problem(owner):
    result = check(owner, upload(owner, "ann.qrels", QRELS), mapping="1=x")
    assert len(result.problems) == 1


def test_contradicting_lines_of_a_file_are_problems(owner):
    result = check(owner, upload(owner, "ann.qrels", QRELS + b"1 0 c 1\n1 0 a 0\n"))
    assert [(file, line) for file, line, _ in result.problems] == [("ann.qrels", 4)]
    assert "grade 0 contradicts line 1" in result.problems[0][2]
    assert check(owner, *owner.collection.uploads.all(), duplicates="last").problems == []


def test_lines_that_contradict_saved_judgements_are_problems(owner):
    start(owner, upload(owner, "ann.qrels", QRELS))
    work()
    before = tables()
    assert check(owner, upload(owner, "ann.qrels", QRELS + b"1 0 c 1\n")).problems == []
    result = check(owner, upload(owner, "more.csv", b"assessor,query_id,doc_id,relevance\nann,1,b,0\nann,1,a,0\n"))
    assert [(file, line) for file, line, _ in result.problems] == [("more.csv", 3)]
    assert "the collection has grade 1, but the file has grade 0" in result.problems[0][2]
    Upload.objects.all().delete()
    assert tables() == before


def test_judgements_of_a_member_need_the_option(owner, join):
    ada = join(owner.collection, "ada")
    file = upload(owner, f"{ada.name}.qrels", QRELS)
    assert (
        check(owner, file).problems[0][2].startswith(f"{ada.name} is a person in small. If the judgements are theirs,")
    )
    assert check(owner, file, as_members=[ada.pk]).problems == []
    other = upload(owner, "other.qrels", QRELS)
    assert check(owner, other, as_members=[ada.pk]).sentences == [
        f"Judgements: 2 judgements of 1 judge ({ada.name}) on 1 topic."
    ]
    start(owner, other, as_members=[ada.pk])
    work()
    assert set(Judgement.objects.values_list("member", flat=True)) == {ada.pk}


def test_member_who_has_left_is_refused(owner):
    problems = check(owner, upload(owner, "ann.qrels", QRELS), as_members=[0]).problems
    assert problems[0][2] == "Some of the chosen members have left the collection. Choose the members again."


def test_names_of_judges_and_systems_come_from_the_names_of_files(owner):
    judges = upload(owner, "gpt.umbrela.txt", QRELS), upload(owner, "llama.umbrela.txt", QRELS)
    runs = upload(owner, "epsilon.x.run", RUN), upload(owner, "zeta.y.run", RUN)
    options = {"name_pattern": "{judge}.umbrela.txt", "system_pattern": "{system}.*.run"}
    result = check(owner, *judges, *runs, **options)
    assert result.problems == []
    assert "Judgements: 4 judgements of 2 judges (gpt, llama) on 1 topic." in result.sentences
    start(owner, *judges, *runs, **options)
    work()
    work()
    assert {"epsilon", "zeta"} < set(Run.objects.values_list("system", flat=True))
    assert set(Judgement.objects.values_list("member__name", flat=True)) == {"gpt", "llama"}


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("judge.txt", "A name pattern must contain {judge} once"),
        ("{judge}.txt", "The name of the file 'ann.qrels' does not match the pattern '{judge}.txt'."),
        ("*a*b*{judge}", "A name pattern has at most 2 *, not 3."),
    ],
)
def test_pattern_that_does_not_fit_is_a_problem(owner, pattern, words):
    assert words in check(owner, upload(owner, "ann.qrels", QRELS), name_pattern=pattern).problems[0][2]


# ---- import


def test_kinds_are_imported_in_order_by_one_job_each(join):
    owner = empty_collection(join)
    files = [
        upload(owner, "ann.qrels", QRELS),
        upload(owner, "documents.jsonl", DOCUMENTS),
        upload(owner, "delta.run", RUN),
        upload(owner, "topics.tsv", TOPICS + b"2\tsecond\n"),
    ]
    paths = [stored_path(file) for file in files]
    start(owner, *files, keep_all=True)
    for _ in files:
        work()
    jobs = list(Job.objects.order_by("pk"))
    assert [(job.kind, job.state, job.error) for job in jobs] == [
        (f"import_{kind}", JobState.DONE, "") for kind in ("topics", "runs", "documents", "judgements")
    ]
    assert [job.result["next_job"] for job in jobs] == [*(str(job.public_id) for job in jobs[1:]), ""]
    assert (Topic.objects.count(), Run.objects.count(), Judgement.objects.count()) == (3, 1, 2)
    assert Document.objects.get(doc_id="a").content.text == "Text."
    assert not Upload.objects.exists()
    assert not any(path.exists() for path in paths)
    records = ImportRecord.objects.order_by("pk")
    assert [record.files[0]["name"] for record in records] == [
        "topics.tsv",
        "delta.run",
        "documents.jsonl",
        "ann.qrels",
    ]
    assert {record.user for record in records} == {owner.user}
    assert records[0].files[0]["sha256"] == files[-1].sha256


def test_invalid_file_imports_nothing_of_its_kind_and_stops_the_others(owner):
    good, bad = upload(owner, "delta.run", RUN), upload(owner, "bad.run", RUN.replace(b"delta", b"bad") + b"x\n")
    judgements = upload(owner, "ann.qrels", QRELS)
    before = Run.objects.count(), Judgement.objects.count()
    start(owner, good, bad, judgements)
    work()
    work()
    job = Job.objects.get()
    assert job.state == JobState.FAILED
    assert job.error.startswith("bad.run, line 4: ")
    assert (Run.objects.count(), Judgement.objects.count()) == before
    assert Upload.objects.count() == 3


def test_cancelled_import_changes_nothing(owner):
    from assess.jobs import queue

    file = upload(owner, "delta.run", RUN)
    queue.cancel(start(owner, file))
    work()
    assert not Run.objects.filter(system="delta").exists()
    assert Upload.objects.count() == 1


class Canceller:
    """A watcher that cancels the work while it reads, or at the moment when it saves."""

    def __init__(self, moment: str):
        self.moment, self.stages = moment, []

    def report(self, stage, _done, _total):
        self.stages.append(stage)
        if self.moment == "read":
            raise Cancelled

    def save(self):
        raise Cancelled


@pytest.mark.parametrize("moment", ["read", "save"])
@pytest.mark.parametrize(
    ("kind", "content"),
    [("topics", TOPICS), ("runs", RUN), ("documents", DOCUMENTS.replace(b'"a"', b'"new"')), ("judgements", QRELS)],
)
def test_import_that_is_cancelled_while_it_runs_changes_nothing(owner, kind, content, moment):
    file, watcher = upload(owner, f"file of {kind}", content), Canceller(moment)
    assert file.kind == kind
    before = tables()
    with pytest.raises(Cancelled), long_work.watched_by(watcher):
        import_uploaded(owner.collection, kind, [file.pk], {"keep_all": True}, owner.user.pk)
    assert tables() == before
    assert watcher.stages[0] == f"Importing the {kind}"
    assert stored_path(file).exists()


def test_check_is_cancelled_while_it_runs(owner):
    file = upload(owner, "delta.run", RUN)
    with pytest.raises(Cancelled), long_work.watched_by(Canceller("read")):
        check(owner, file)


def test_removed_file_is_refused(owner):
    file = upload(owner, "delta.run", RUN)
    start(owner, file)
    file.delete()
    work()
    assert "removed or imported in the meantime" in Job.objects.get().error


def test_unrecognised_file_is_not_imported(owner):
    file = upload(owner, "noise.bin", b"\x00\x01\x02 nothing")
    assert file.kind == ""
    assert file.error
    assert check(owner, file).problems[0][0] == "noise.bin"
    with pytest.raises(Refused, match=r"noise.bin: choose what this file contains"):
        start(owner, file)


def test_running_import_keeps_its_files_from_the_purge(owner):
    from assess.transfer.uploads.storage import KEPT_FOR, delete_abandoned

    file = upload(owner, "delta.run", RUN)
    Upload.objects.update(touched_at=timezone.now() - KEPT_FOR)
    start(owner, file)
    assert delete_abandoned() == 0
    work()
    assert Run.objects.filter(system="delta").exists()


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(37, marks=pytest.mark.soak)])
def test_real_runs_topics_and_judgements_are_imported(join, count):
    owner, runs = empty_collection(join), dl19_run_paths()[:count]
    judges = sorted(real_data("dl19", "judges").glob("judge*.qrels"))
    keys = upload_files(owner, real_data("dl19", "topics.tsv"), *judges, *runs)
    result = check_uploads(owner.collection, keys, {})
    assert result.problems == []
    assert f"TREC runs: {count} systems, 43 topics, 0 unknown topics." in result.sentences
    start_import(owner.collection, owner.user, keys, {})
    for _ in range(3):
        work()
    assert [job.error for job in Job.objects.all()] == ["", "", ""]
    assert (Topic.objects.count(), Run.objects.count()) == (43, count)
    assert set(Judgement.objects.values_list("member__name", flat=True)) == {path.stem for path in judges}


def test_a_problem_of_a_whole_file_has_no_line():
    _, report = pooling.read_run(b"", name="empty.run", on_error="report")
    check = Check([])
    check.add_report("empty.run", report)
    ((file, line, sentence),) = check.problems
    assert (file, line) == ("empty.run", None)
    assert sentence.startswith("empty.run: ")
