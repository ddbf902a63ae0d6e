"""ZIP archives of runs and of data sets of BEIR, read without unpacking them."""

import gzip
import io
import zipfile
import zlib

import pytest

import pooling
from agreement import read_judgements
from pooling import FormatError, read_documents, read_qrels, read_run, read_runs, read_topics, recognise

RUN = "1 Q0 d1 1 2.5 {0}\n1 Q0 d2 2 1.5 {0}\n"
RUNS = {"runs/": "", "runs/bm25.run": RUN.format("bm25"), "runs/lsa.run.gz": gzip.compress(RUN.format("lsa").encode())}
FORKS = {"__MACOSX/runs/._bm25.run": b"\0\5", "runs/.DS_Store": b"\0"}
BEIR = {
    "scifact/corpus.jsonl": '{"_id": "d1", "title": "Tea", "text": "Green tea."}\n{"_id": "d2", "text": "Red tea."}\n',
    "scifact/queries.jsonl": '{"_id": "1", "text": "green tea"}\n',
    "scifact/qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\td1\t1\n1\td2\t0\n",
    "__MACOSX/scifact/._corpus.jsonl": b"\0\5",
}
OTHER_SPLIT = {"scifact/qrels/dev.tsv": "query-id\tcorpus-id\tscore\n1\td2\t1\n"}


def archive(files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return content.getvalue()


@pytest.fixture
def path(tmp_path):
    def write(files):
        (tmp_path / "a.bin").write_bytes(archive(files))
        return tmp_path / "a.bin"

    return write


def test_each_file_of_a_zip_is_a_run(path):
    file = path(RUNS | FORKS)
    assert recognise(file).format == "run_zip"
    assert recognise(file).kind == "runs"
    for source in (file, str(file), file.read_bytes(), io.BytesIO(file.read_bytes())):
        assert read_runs(source).groupby("system").size().to_dict() == {"bm25": 2, "lsa": 2}
    assert read_runs([file, b"1 Q0 d 1 1 other\n"])["system"].nunique() == 3
    assert sorted(pooling.pool(file, "depth", depth=1).to_frame()["doc_id"]) == ["d1"]
    assert read_run(f"{file}/runs/bm25.run")["system"].tolist() == ["bm25", "bm25"]


def test_the_names_of_large_entries_are_known_too():
    large = {"input.a": RUN.format("a") + "#" * 200_000, "input.b": RUN.format("b"), "c.txt": "text"}
    with_text, without = archive(large), archive({name: text for name, text in large.items() if name != "c.txt"})
    assert recognise(with_text).format == "zip"
    assert recognise(without).format == "run_zip"


def test_invalid_lines_name_the_archive_and_the_file(path):
    file = path(RUNS | {"runs/bad.run": "1 Q0 d1 1 high bad\n"})
    with pytest.raises(FormatError, match=r"a.bin/runs/bad.run, line 1: score 'high'"):
        read_runs(file)
    runs, problems = read_runs(file, on_error="report")
    assert len(runs) == 4
    assert problems["file"].tolist() == [f"{file}/runs/bad.run"]
    with pytest.raises(FormatError, match=r"a.bin/runs/b2.run: tag 'bm25' is also the tag of .*a.bin/runs/bm25.run"):
        read_runs(path(RUNS | {"runs/b2.run": RUN.format("bm25")}))


def test_a_zip_of_runs_may_not_expand_beyond_the_limit(path):
    file = path({"a.run": "#" * 9_000, "b.run": RUN.format("b")})
    with pytest.raises(FormatError, match="the files expand to more than 9,000 bytes; this is the limit"):
        read_runs(file, max_bytes=9_000)


@pytest.mark.parametrize("name", ["../a.run", "/a.run", "x//a.run"])
def test_paths_that_lead_out_of_the_archive_are_refused(path, name):
    with pytest.raises(FormatError, match="leads out of the archive"):
        read_runs(path({name: RUN.format("a")}))


def test_each_reader_takes_its_part_of_a_data_set_of_beir(path):
    file = path(BEIR)
    found = recognise(file)
    assert (found.kind, found.format) == ("documents", "beir_zip")
    assert "each reader takes its part" in found.note
    for source in (file, file.read_bytes()):
        assert [(d.doc_id, d.title) for d in read_documents(source)] == [("d1", "Tea"), ("d2", "")]
        assert read_topics(source)["title"].tolist() == ["green tea"]
        assert read_qrels(source).values.tolist() == [["1", "d1", 1], ["1", "d2", 0]]
        read = read_judgements({"nist": source}, scale=(0, 1))
        assert read.judgements.values.tolist() == [["nist", "1", "d1", 1], ["nist", "1", "d2", 0]]


def test_one_of_several_splits_is_named_by_its_path(path):
    file = path(BEIR | OTHER_SPLIT)
    message = (
        r"2 files of judgements: scifact/qrels/test.tsv, scifact/qrels/dev.tsv; name one of them, such as .*/test.tsv"
    )
    with pytest.raises(FormatError, match=message):
        read_qrels(file)
    with pytest.raises(FormatError, match=message):
        read_judgements({"nist": file}, scale=(0, 1))
    dev = f"{file}/scifact/qrels/dev.tsv"
    assert recognise(dev).format == "beir_qrels"
    assert read_qrels(dev).values.tolist() == [["1", "d2", 1]]
    assert read_judgements(f"nist={dev}", scale=(0, 1)).judgements.values.tolist() == [["nist", "1", "d2", 1]]
    with pytest.raises(OSError, match="train"):
        read_qrels(f"{file}/scifact/qrels/train.tsv")


def test_a_data_set_without_qrels_has_no_judgements(path):
    file = path({name: text for name, text in BEIR.items() if "qrels" not in name})
    assert recognise(file).format == "beir_zip"
    with pytest.raises(FormatError, match="the ZIP archive has no qrels"):
        read_qrels(file)
    _, problems = read_qrels(file, on_error="report")
    assert problems["what"].tolist() == ["the ZIP archive has no qrels"]


def test_limits_hold_for_the_part_that_is_read(path):
    file = path(BEIR | {"scifact/queries.jsonl": '{"_id": "1", "text": "a"}\n' + "\n" * 9_000})
    with pytest.raises(FormatError, match="expands to more than 5,000 bytes"):
        read_topics(file, max_bytes=5_000)
    with pytest.raises(FormatError, match="expands to more than 100 bytes"):
        list(read_documents(path(BEIR | {"scifact/corpus.jsonl": " " * 200 + "{}"}), max_bytes=100))


def test_progress_adds_up_to_the_size_of_the_archive(path):
    file, sizes = path(BEIR), []
    read_topics(file, progress=sizes.append)
    assert sum(sizes) == file.stat().st_size


@pytest.mark.parametrize("files", [RUNS, BEIR])
@pytest.mark.parametrize(
    "read", [read_runs, read_qrels, read_topics, lambda file: list(read_documents(file)), recognise]
)
def test_broken_archives_are_refused(tmp_path, files, read):
    whole = archive(files)
    (tmp_path / "cut.zip").write_bytes(whole[:-40])
    with pytest.raises(FormatError, match="the ZIP archive is corrupt"):
        read(tmp_path / "cut.zip")


def test_damaged_entries_are_refused(tmp_path):
    whole = bytearray(archive(BEIR))
    begin = whole.index(b"queries.jsonl") + len("queries.jsonl")
    whole[begin : begin + 8] = zlib.compress(b"x")[:8]
    (tmp_path / "damaged.zip").write_bytes(whole)
    with pytest.raises(FormatError, match="the ZIP archive is corrupt"):
        read_topics(tmp_path / "damaged.zip")
