"""Every row of the oracle `trec_files.json`: valid files are read, invalid ones are refused with the expected error."""

import json

import pytest

from pooling import TrecFormatError, read_qrels, read_run, read_runs
from tests.oracles import oracle

ROWS = oracle("trec_files")
GOOD = [row for row in ROWS if row["wanted"].startswith("ok")]
BAD = [row for row in ROWS if row["wanted"].startswith("error")]

# The content that pytrec_eval cannot read, or reads differently.
READ_BY_HAND = {
    ("run", "blank-line"): {"1": {"a": 2.0, "b": 1.0, "c": 0.5}},
    ("run", "comment-line"): {"1": {"a": 2.0, "b": 1.0}},
    ("run", "bom"): {"1": {"a": 2.0, "b": 1.0}},
    ("run", "nbsp-in-docno"): {"1": {"a\u00a0x": 2.0, "b": 1.0}},
    ("qrels", "blank-line-middle"): {"1": {"a": 1, "b": 0}},
    ("qrels", "blank-line-end"): {"1": {"a": 1, "b": 0}},
    ("qrels", "comment-line"): {"1": {"a": 1, "b": 0}},
}

# The line that the error names (None: the whole file), its column, and a part of its message.
REFUSED = {
    ("run", "5-columns(no tag)"): (1, None, ["5 columns", "has 6"]),
    ("run", "7-columns"): (1, None, ["7 columns", "has 6"]),
    ("run", "score-nan"): (1, "score", ["'nan'", "finite"]),
    ("run", "score-text"): (1, "score", ["'abc'", "number"]),
    ("run", "score-comma"): (1, "score", ["'2,0'", "number"]),
    ("run", "score-inf"): (1, "score", ["'inf'", "finite"]),
    ("run", "dup-same-score"): (3, "doc_id", ["document 'a'", "line 1"]),
    ("run", "dup-other-score"): (3, "doc_id", ["document 'a'", "line 1"]),
    ("run", "empty-file"): (None, None, ["no run lines"]),
    ("run", "two-tags"): (2, "tag", ["'s'", "'r' on line 1"]),
    ("qrels", "float-label"): (1, "relevance", ["'1.7'", "integer"]),
    ("qrels", "text-label"): (1, "relevance", ["'yes'", "integer"]),
    ("qrels", "5-columns"): (1, None, ["5 columns", "has 4"]),
    ("qrels", "3-columns"): (1, None, ["3 columns", "has 4"]),
    ("qrels", "dup-same-label"): (3, "doc_id", ["document 'a'", "line 1"]),
    ("qrels", "dup-other-label"): (3, "doc_id", ["document 'a'", "line 1"]),
    ("qrels", "empty-file"): (None, None, ["no judgements"]),
}


def named(row):
    return f"{row['kind']}-{row['case']}"


def read(row, **options):
    reader = {"run": read_run, "qrels": read_qrels}[row["kind"]]
    return reader(row["text"].encode(), name="file", **options)


def as_nested_dict(frame):
    value = "score" if "score" in frame else "relevance"
    rows = frame[["query_id", "doc_id", value]].itertuples(index=False)
    nested = {}
    for query_id, doc_id, number in rows:
        nested.setdefault(query_id, {})[doc_id] = number
    return nested


@pytest.mark.parametrize("row", GOOD, ids=named)
def test_a_valid_file_is_read(row):
    key = row["kind"], row["case"]
    expected = READ_BY_HAND.get(key) or json.loads(row["pytrec_eval"].removeprefix("ok "))
    assert as_nested_dict(read(row)) == expected


@pytest.mark.parametrize("row", BAD, ids=named)
def test_an_invalid_file_is_refused_with_the_location(row):
    line, column, words = REFUSED[row["kind"], row["case"]]
    with pytest.raises(TrecFormatError) as caught:
        read(row)
    error = caught.value
    assert (error.file, error.line, error.column) == ("file", line, column)
    assert str(error).startswith("file: " if line is None else f"file, line {line}: ")
    assert all(word in str(error) for word in words), str(error)


def test_two_tags_are_allowed_when_the_system_is_named():
    row = next(row for row in BAD if row["case"] == "two-tags")
    run = read(row, system="mine")
    assert run["system"].unique().tolist() == ["mine"]
    assert run["doc_id"].tolist() == ["a", "b"]


@pytest.fixture
def two_files(tmp_path):
    for name in "ba":
        (tmp_path / f"{name}.run").write_text(f"1 Q0 d1 1 2.5 {name}\n")
        (tmp_path / f"{name}.qrels").write_text(f"1 0 {name} 1\n")
    return tmp_path


def test_read_runs_takes_one_path_or_a_pattern(two_files):
    first, both = two_files / "a.run", [two_files / "a.run", two_files / "b.run"]
    assert read_runs(str(first)).equals(read_runs([first]))
    assert read_runs(first).equals(read_runs([first]))
    assert read_runs(first.read_bytes()).equals(read_runs([first]))
    with first.open("rb") as file:
        assert read_runs(file).equals(read_runs([first]))
    assert read_runs(str(two_files / "*.run")).equals(read_runs(both))
    assert read_runs([two_files / "*.run"]).equals(read_runs(both))
    with pytest.raises(ValueError, match=r"There is no file for runs that matches '.*\*\.gz'"):
        read_runs(str(two_files / "*.gz"))
    with pytest.raises(FileNotFoundError, match=r"c\.run"):
        read_runs(str(two_files / "c.run"))


def test_one_file_may_be_a_pattern_that_matches_only_it(two_files):
    assert read_run(str(two_files / "a*.run"))["system"].tolist() == ["a"]
    assert read_qrels(two_files / "b*.qrels")["doc_id"].tolist() == ["b"]
    with pytest.raises(ValueError, match=r"'.*\*\.run' matches 2 files; use read_runs"):
        read_run(str(two_files / "*.run"))
    with pytest.raises(ValueError, match=r"'.*\*\.qrels' matches 2 files; read_qrels reads one"):
        read_qrels(two_files / "*.qrels")
