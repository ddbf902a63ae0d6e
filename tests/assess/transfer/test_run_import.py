"""Importing runs: no partial imports, and stored files whose names do not come from user input."""

import gzip
import io
import re

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

import pooling
from assess.collections import runfiles
from assess.collections.create import create_collection
from assess.collections.score_precision import describe_precision
from assess.errors import Refused
from assess.models import Provenance, Run, Topic
from assess.pools.building.build import build_pool
from assess.transfer import runs
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, run_text, write_runs

pytestmark = pytest.mark.database

ALPHA = SMALL_RUNS["alpha"]
ONE_EXISTING_RUN = "Read 5 lines of 1 run: 0 new, 1 already imported."


@pytest.fixture
def bare(db):
    """An empty collection."""
    return create_collection("bare", "Bare")


@pytest.fixture
def paths(tmp_path):
    """Three run files of five lines each."""
    return write_runs(tmp_path, SMALL_RUNS)


def import_runs(*words):
    return output_of("import_runs", "--collection", "bare", *words)


def refused(*words):
    return refusal("import_runs", "--collection", "bare", *words)


def stored_files(settings):
    return sorted(path.name for path in settings.RUNS_DIR.iterdir())


def test_import_reports_counts_and_the_next_step(bare, paths):
    assert import_runs(*paths) == [
        "Read 15 lines of 3 runs: 3 new, 0 already imported.",
        "Next: build_pool adds the documents of these runs to the pool.",
    ]


def test_import_says_where_ranks_contradict_scores(bare, tmp_path):
    path = tmp_path / "delta.run"
    path.write_text("1 Q0 a 1 1 delta\n1 Q0 b 2 5 delta\n")
    lines = import_runs(path)
    assert lines[0] == "Read 2 lines of 1 run: 1 new, 0 already imported."
    assert lines[1].startswith(f"{path}: the rank column contradicts the scores in 1 of 1 topic checked (1 pair of")


def test_equal_scores_of_single_precision_are_compared_with_the_ranks(bare, tmp_path):
    path = tmp_path / "delta.run"
    path.write_text("1 Q0 a 1 1.00000001 delta\n1 Q0 b 2 1.0 delta\n")
    assert not any("rank" in line for line in import_runs(path))
    other = tmp_path / "gamma.run"
    other.write_text(path.read_text().replace("delta", "gamma"))
    assert "equal scores are ordered otherwise than by rank" in " ".join(
        import_runs(other, "--score-precision", "float32")
    )


def test_import_reports_the_time_taken(bare, paths):
    out = io.StringIO()
    call_command("import_runs", "--collection", "bare", *map(str, paths), stdout=out)
    assert re.search(r"^Took \d+\.\d s\.$", out.getvalue(), re.MULTILINE)


def test_run_is_stored_as_one_file_named_by_its_checksum(bare, paths, settings):
    before = tables()
    import_runs(*paths)
    rows = list(Run.objects.all())
    assert [(run.system, run.line_count, run.topic_count) for run in rows] == [(s, 5, 2) for s in SMALL_RUNS]
    assert stored_files(settings) == sorted(f"{run.file_checksum}.parquet" for run in rows)
    for run, path in zip(rows, paths, strict=True):
        stored = settings.RUNS_DIR / f"{run.file_checksum}.parquet"
        assert runfiles.checksum_of(stored) == run.file_checksum
        assert runfiles.checksum_of(path) == run.source_checksum
        assert pq.read_metadata(stored).num_rows == run.line_count
    after = tables()
    assert {name for name in after if after[name] != before[name]} == {"Run", "ImportRecord"}


def test_loaded_run_equals_the_imported_run(bare, paths):
    import_runs(*paths)
    for run, path in zip(Run.objects.all(), paths, strict=True):
        assert runfiles.load(run).to_dict("list") == pooling.read_run(path).to_dict("list")


def test_importing_again_changes_nothing(bare, paths, settings):
    import_runs(*paths)
    before, files = tables(), stored_files(settings)
    assert import_runs(*paths) == ["Read 15 lines of 3 runs: 0 new, 3 already imported."]
    assert (tables(), stored_files(settings)) == (before, files)


def test_compressed_file_with_the_same_lines_is_the_same_run(bare, paths, tmp_path):
    import_runs(paths[0])
    packed = tmp_path / "alpha.run.gz"
    packed.write_bytes(gzip.compress(paths[0].read_bytes(), mtime=0))
    assert import_runs(packed) == [ONE_EXISTING_RUN]


def test_same_lines_in_different_parquet_bytes_are_the_same_run(bare, paths, settings):
    import_runs(paths[0])
    run = Run.objects.get()
    draft = settings.RUNS_DIR / "draft"
    pq.write_table(pq.read_table(settings.RUNS_DIR / f"{run.file_checksum}.parquet"), draft, compression="snappy")
    run.file_checksum = runfiles.checksum_of(draft)
    run.save()
    draft.rename(settings.RUNS_DIR / f"{run.file_checksum}.parquet")
    assert import_runs(paths[0]) == [ONE_EXISTING_RUN]


def test_invalid_line_in_the_last_file_imports_nothing(bare, paths):
    with paths[-1].open("a", encoding="utf-8") as stream:
        stream.write("2 Q0 q 3 nan gamma\n")
    assert refused(*paths) == (f"{paths[-1]}, line 6: score 'nan' is not allowed; a score is a finite decimal number")


def test_existing_system_with_other_lines_is_refused(bare, paths):
    import_runs(*paths)
    paths[0].write_text(run_text("alpha", {"1": ["a", "b"]}), encoding="utf-8")
    assert re.fullmatch(
        re.escape(f"{paths[0]} is a run of system alpha, which was imported with different content on ")
        + r"\d{4}-\d\d-\d\d\. State another system for it\.",
        refused(*paths),
    )


def test_two_runs_of_one_system_are_refused(bare, paths, tmp_path):
    second = tmp_path / "second.run"
    second.write_text(run_text("alpha", {"1": ["z"]}), encoding="utf-8")
    assert refused(*paths, second) == (
        f"{second} and {paths[0]} are both runs of system alpha; a system has one run. "
        "State another system for one of them."
    )


def test_systems_are_named_by_a_pattern_of_the_file_names(bare, paths):
    import_runs("--name-pattern", "{system}.*", *paths)
    assert set(Run.objects.values_list("system", flat=True)) == {path.name.split(".")[0] for path in paths}
    assert "must contain {system} once" in refused("--name-pattern", "x", *paths)


def test_system_can_be_renamed(bare, paths):
    import_runs(paths[0])
    import_runs(paths[0], "--system", "alpha-2")
    first, second = Run.objects.all()
    assert (first.system, second.system) == ("alpha", "alpha-2")
    assert first.file_checksum == second.file_checksum
    assert set(runfiles.load(second)["system"]) == {"alpha-2"}


def test_invalid_system_name_is_refused(bare, paths):
    assert refused(paths[0], "--system", "my run").startswith("System 'my run' contains white space; an id is 1 to 512")
    assert refused(paths[0], "--system", "").startswith("System '' is empty; an id is 1 to 512")


@pytest.mark.parametrize("system", ["../../etc/passwd", "a/b", "..", "/etc/passwd", "C:\\x", "x.parquet"])
def test_names_of_systems_and_files_never_become_paths(bare, tmp_path, settings, system):
    path = tmp_path / "..run; $(x).gz.run"
    path.write_text(run_text(system, ALPHA), encoding="utf-8")
    import_runs(path)
    run = Run.objects.get()
    assert run.system == system
    assert [name for name in stored_files(settings) if not re.fullmatch(r"[0-9a-f]{64}\.parquet", name)] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([path.name, "runs"])
    assert set(runfiles.load(run)["system"]) == {system}


def test_too_large_decompressed_file_is_refused(bare, tmp_path, monkeypatch):
    path = tmp_path / "bomb.run.gz"
    path.write_bytes(gzip.compress(run_text("bomb", {"1": [f"d{n}" for n in range(1_000)]}).encode(), mtime=0))
    assert path.stat().st_size < 10_000
    monkeypatch.setitem(pooling.read_run.__kwdefaults__, "max_bytes", 10_000)
    assert refused(path) == (f"{path}: the file expands to more than 10,000 bytes; this is the limit for one file")


def test_truncated_compressed_file_is_refused(bare, tmp_path):
    path = tmp_path / "cut.run.gz"
    path.write_bytes(gzip.compress(run_text("cut", ALPHA).encode(), mtime=0)[:-9])
    assert refused(path) == f"{path}: the gzip data ends too early; a complete gzip file or plain text is allowed"


def test_missing_run_file_is_reported_and_restored_by_importing_again(bare, paths, settings):
    import_runs(*paths)
    run = Run.objects.get(system="beta")
    (settings.RUNS_DIR / f"{run.file_checksum}.parquet").unlink()
    with pytest.raises(Refused) as missing:
        runfiles.load(run)
    assert str(missing.value) == (
        "The file of run beta is missing from the data folder. "
        "Import the same run file again, or restore the data folder from a backup."
    )
    assert import_runs(paths[1]) == [ONE_EXISTING_RUN]
    assert len(runfiles.load(run)) == 5


def test_damaged_run_file_is_refused(collection, settings):
    run = collection.runs.get(system="gamma")
    stored = settings.RUNS_DIR / f"{run.file_checksum}.parquet"
    stored.write_bytes(stored.read_bytes()[:-1] + b"x")
    with pytest.raises(Refused, match="run gamma is damaged"):
        runfiles.load(run)
    assert refusal("build_pool", "--collection", "small", "--depth", 1).startswith(
        "The file of run gamma is damaged: its checksum differs from the stored one. Import the same run file again"
    )


def test_run_keeps_unusual_ids_and_exact_scores(bare, tmp_path):
    path = tmp_path / "odd.run"
    doc_ids = ["Ä/ö?=,\"'", "\u00a0", "日本語", "=cmd()"]
    scores = ["1e-300", "0.1", "12345678.123456789", "-0.0"]
    path.write_text("".join(f"q-1\tQ0 {d}  9 {s} odd\n" for d, s in zip(doc_ids, scores, strict=True)), "utf-8")
    runs.import_runs(bare, [path])
    frame = runfiles.load(Run.objects.get())
    assert frame["doc_id"].tolist() == doc_ids
    assert frame["score"].tolist() == [float(score) for score in scores]
    assert frame["query_id"].tolist() == ["q-1"] * 4


def test_added_run_is_pooled_with_the_others(collection, tmp_path):
    runs.import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["new"]}}))
    assert build_pool(collection, depth=2).added == 1


# 16777216 is 2^24: float32 holds no odd number beyond, so a and b are tied in float32 only, and b ranks first
TIED_IN_FLOAT32 = "1 Q0 a 1 16777217 {0}\n1 Q0 b 2 16777216 {0}\n1 Q0 c 3 5 {0}\n"


@pytest.fixture
def tied(tmp_path):
    path = tmp_path / "tied.run"
    path.write_text(TIED_IN_FLOAT32.format("tied"), encoding="utf-8")
    return path


def test_the_precision_is_stored_and_the_file_keeps_the_scores(bare, tied, settings):
    output = import_runs(tied, "--score-precision", "float32")

    run = Run.objects.get()
    assert (run.score_precision, output[2]) == ("float32", "Scores are read as float32.")
    stored = pq.read_table(settings.RUNS_DIR / f"{run.file_checksum}.parquet")
    assert stored["score"].to_pylist() == [16777217.0, 16777216.0, 5.0]
    expected = pooling.read_run(tied, score_precision="float32")
    assert runfiles.load(run).to_dict("list") == expected.to_dict("list")


def test_runs_are_read_as_float64_by_default(bare, tied):
    import_runs(tied)

    assert Run.objects.get().score_precision == "float64"
    assert runfiles.load(Run.objects.get())["score"].tolist() == [16777217.0, 16777216.0, 5.0]


def test_the_precision_decides_what_is_pooled(bare, tied):
    import_runs(tied, "--score-precision", "float32")
    import_runs(tied, "--system", "double")
    Topic.objects.create(collection=bare, query_id="1", title="need")

    output = output_of("build_pool", "--collection", "bare", "--depth", 1)

    systems = dict(Provenance.objects.values_list("task__document__doc_id", "systems"))
    assert systems == {"a": ["double"], "b": ["tied"]}
    assert output[1] == "Scores of 1 of 2 runs are read as float32 (tied), the others as float64."
    assert bare.pool_buildings.get().parameters == {"depth": 1, "score_precision": "mixed"}


def test_a_pool_of_one_precision_records_it(bare, tied):
    import_runs(tied, "--score-precision", "float32")
    Topic.objects.create(collection=bare, query_id="1", title="need")

    assert "Scores are read as float32." in output_of("build_pool", "--collection", "bare", "--depth", 1)
    assert bare.pool_buildings.get().parameters["score_precision"] == "float32"


def test_importing_again_with_another_precision_is_refused(bare, tied):
    import_runs(tied, "--score-precision", "float32")

    again = import_runs(tied, "--score-precision", "float32")
    assert again[0] == "Read 3 lines of 1 run: 0 new, 1 already imported."
    assert refused(tied) == (
        f"{tied} is a run of system tied, which was imported with the score precision float32, not float64. "
        "State another system for it."
    )
    assert Run.objects.get().score_precision == "float32"


def test_a_score_beyond_float32_imports_nothing(bare, tied):
    tied.write_text("1 Q0 a 1 1e39 tied\n", encoding="utf-8")

    assert refused(tied, "--score-precision", "float32").startswith(f"{tied}, line 1: score '1e39' is not allowed")
    assert not Run.objects.exists()
    assert import_runs(tied)[0] == "Read 1 line of 1 run: 1 new, 0 already imported."


def test_an_unknown_precision_is_refused(bare, tied):
    with pytest.raises(Refused, match="The score precision must be one of float64, float32, not 'float16'"):
        runs.RunOptions(score_precision="float16")
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.create(
            collection=bare, system="x", line_count=1, topic_count=1, score_precision="float16", file_checksum="0"
        )


def test_many_runs_of_single_precision_are_not_all_listed():
    runs = [Run(system=f"s{number}", score_precision="float32") for number in range(7)]

    assert describe_precision([*runs, Run(system="t")]) == (
        "Scores of 7 of 8 runs are read as float32 (s0, s1, s2, s3, s4, ...), the others as float64."
    )
    assert describe_precision([]) == ""
