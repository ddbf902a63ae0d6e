"""on_error="report": the valid lines, and a report of every invalid one."""

import gzip
import lzma

import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from pooling import TrecFormatError, read_qrels, read_run, read_runs
from pooling._io.lines import ALLOWED_FIELD, RUN_FIELDS
from pooling._io.streams import without_marks
from pooling.formats.tables import QUOTED_LINE, UTF_16
from tests.examples import examples
from tests.oracles import oracle
from tests.pooling.odd_files import ODD_QRELS, ODD_RUNS

READERS = {"run": read_run, "qrels": read_qrels}
ONCE = "a document occurs once in a topic"
ONE_TAG = "a run has one tag, unless the caller names the system"
PARTS = ["file", "line", "column", "value", "what", "allowed"]
ROWS = [pytest.param(row, id=f"{row['kind']}-{row['case']}") for row in oracle("trec_files")]


def rows_of(report):
    """The rows of a report, missing parts as None."""
    return [tuple(None if pd.isna(part) else part for part in row) for row in report.itertuples(index=False)]


def raised(read, data, **options):
    """What the reader raises, in the parts of a report; None where it raises nothing."""
    try:
        read(data, **options)
    except TrecFormatError as error:
        return tuple(getattr(error, part) for part in PARTS)
    return None


def test_valid_lines_are_returned_and_invalid_ones_reported():
    data = b"""\
1 Q0 a 1 9 r
1 Q0 b 2 nan r
# a comment

1 Q0 c 3 7
1 Q0 a 4 6 r
1 Q0 d\xff 5 5 r
1 Q0 e 6 4 s
2 Q0 a 7 3 r
"""
    run, report = read_run(data, on_error="report", name="a.run")

    assert run.to_dict("list") == {
        "system": ["r", "r"],
        "query_id": ["1", "2"],
        "doc_id": ["a", "a"],
        "score": [9.0, 3.0],
    }
    assert rows_of(report) == [
        ("a.run", 2, "score", "nan", "score 'nan' is not allowed", "a score is a finite decimal number"),
        ("a.run", 5, None, "1 Q0 c 3 7", "5 columns", f"a run line has 6: {' '.join(RUN_FIELDS)}"),
        ("a.run", 6, "doc_id", "a", "document 'a' of topic '1' is already on line 1", ONCE),
        ("a.run", 7, "doc_id", "d\\xff", "doc_id 'd\\\\xff' is not UTF-8", ALLOWED_FIELD),
        ("a.run", 8, "tag", "s", "tag 's' differs from 'r' on line 1", ONE_TAG),
    ]


def test_invalid_qrels_lines_are_reported():
    qrels, report = read_qrels(b"1 0 a 1\n1 0 b yes\n1 0 a 2\n1 0 c 0\n", on_error="report")

    assert qrels.to_dict("list") == {"query_id": ["1", "1"], "doc_id": ["a", "c"], "relevance": [1, 0]}
    assert report[["file", "line", "column", "value"]].to_numpy().tolist() == [
        ["input", 2, "relevance", "yes"],
        ["input", 3, "doc_id", "a"],
    ]


def test_the_first_line_of_a_repeated_document_is_kept():
    run, report = read_run(b"1 Q0 a 1 1 r\n1 Q0 a 1 2 r\n1 Q0 a 1 3 r\n", on_error="report")

    assert run["score"].tolist() == [1.0]
    assert report["line"].tolist() == [2, 3]
    assert report["what"].str.contains("already on line 1").all()


def test_an_invalid_line_does_not_affect_later_lines():
    # the tag and the document of line 1 are not taken, since its score is none
    run, report = read_run(b"1 Q0 a 1 x q\n1 Q0 a 1 1 r\n", on_error="report")

    assert run[["system", "score"]].to_numpy().tolist() == [["r", 1.0]]
    assert report["line"].tolist() == [1]


@pytest.mark.parametrize("row", ROWS)
def test_every_file_of_the_oracle_raises_and_reports_the_same_problem(row):
    read, data = READERS[row["kind"]], row["text"].encode()
    frame, report = read(data, on_error="report")
    refusal = raised(read, data)

    if row["wanted"].startswith("ok"):
        assert refusal is None
        assert report.empty
        assert_frame_equal(frame, read(data))
    else:
        assert rows_of(report)[0] == refusal


def without(data, bad):
    """The file with a comment in the place of the bad lines."""
    return b"\n".join(b"#" if number in bad else line for number, line in enumerate(data.split(b"\n"), start=1))


def n_lines_of_data(data):
    lines = without_marks(data).split(b"\n")
    contents = [line.removesuffix(b"\r").strip(b" \t") for line in lines]
    return sum(
        content != b""
        and not (content.strip(b"#") == b"" or (content.lstrip(b"#")[:1] in (b" ", b"\t") and content.startswith(b"#")))
        for content in contents
    )


def check_report(read, data, **options):
    frame, report = read(data, on_error="report", **options)
    refusal = raised(read, data, **options)

    assert rows_of(report)[:1] == ([] if refusal is None else [refusal])
    if refusal is None:
        assert_frame_equal(frame, read(data, **options), check_exact=True)
    elif len(frame):
        cleaned = without(data, set(report["line"]))
        assert_frame_equal(frame, read(cleaned, **options), check_exact=True)
    in_lines = report["line"].notna()
    assert report["line"][in_lines].is_monotonic_increasing
    assert report["line"][in_lines].is_unique


@examples(100)
@given(ODD_RUNS, st.sampled_from(["error", "ignore"]), st.sampled_from([None, "mine"]))
@example(b"1 Q0 a 1 1\n\xef\xbb\xbf1 Q0 a 1 1 r\n", "error", None)
def test_a_run_report_begins_with_the_raised_error_and_the_rest_is_valid(data, extra_columns, system):
    check_report(read_run, data, extra_columns=extra_columns, system=system)


@examples(100)
@given(ODD_QRELS)
def test_a_qrels_report_begins_with_the_raised_error_and_the_rest_is_valid(data):
    check_report(read_qrels, data)


@examples(100)
@given(ODD_QRELS)
def test_every_line_of_data_is_read_or_reported(data):
    assume(not data.startswith(b"\x1f\x8b"))  # it would be a gzip file
    # The whole file would be refused: quoted lines, and the byte-order mark of UTF-16.
    assume(not (QUOTED_LINE.match(data) or data.startswith(UTF_16)))
    qrels, report = read_qrels(data, on_error="report")
    assert len(qrels) + report["line"].notna().sum() == n_lines_of_data(data)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_frame_without_rows_has_the_types_of_any_other(read):
    bad, report = read(b"nothing good here\n", on_error="report")
    good, none = read({read_run: b"1 Q0 a 1 1 r\n", read_qrels: b"1 0 a 1\n"}[read], on_error="report")

    assert bad.empty
    assert none.empty
    assert bad.dtypes.equals(good.dtypes)
    assert report.dtypes.equals(none.dtypes)
    assert list(report) == PARTS


@pytest.mark.parametrize("data", [b"", b"\n\n", b"# only\n"])
def test_a_file_without_data_is_reported_as_a_whole(data):
    run, report = read_run(data, on_error="report", name="f")

    assert run.empty
    assert rows_of(report) == [("f", None, None, None, "the file has no run lines", "a run has at least one line")]


def test_no_line_of_a_corrupt_or_too_large_file_is_returned():
    good = b"1 Q0 a 1 1 r\n" + b"1 Q0 b 1 1 r\n" * 10_000
    broken, report = read_run(gzip.compress(good)[:-1], on_error="report")
    large, also = read_run(good, on_error="report", max_bytes=100)

    assert broken.empty
    assert large.empty
    assert report["what"].tolist() == ["the gzip data ends too early"]
    assert also["what"].tolist() == ["the file expands to more than 100 bytes"]


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_run(tmp_path / "nowhere.run", on_error="report")


@pytest.fixture
def run_files(tmp_path):
    """Five files: valid, with an invalid line, corrupt, with the tag of the first, and without a valid line."""
    contents = {
        "good.run": b"1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n",
        "a_bad_line.run": b"1 Q0 a 1 x s\n1 Q0 b 2 1 s\n",
        "broken.run": lzma.compress(b"1 Q0 a 1 2 t\n")[:-1],
        "same_tag.run": b"1 Q0 c 1 2 r\n1 Q0 d 1 x r\n",
        "all_bad.run": b"1 2 3\n",
    }
    paths = []
    for name, content in contents.items():
        paths.append(tmp_path / name)
        paths[-1].write_bytes(content)
    return paths


@pytest.mark.parametrize("workers", [1, 3])
def test_several_runs_have_one_report_in_the_order_of_the_files(run_files, workers):
    runs, report = read_runs(run_files, workers=workers, on_error="report")

    assert runs[["system", "doc_id"]].to_numpy().tolist() == [["r", "a"], ["r", "b"], ["s", "b"]]
    assert runs.index.equals(pd.RangeIndex(3))
    assert report.index.equals(pd.RangeIndex(5))
    places = zip(report["file"].str.rsplit("/").str[-1], report["line"], report["column"], strict=True)
    assert [tuple(None if pd.isna(part) else part for part in place) for place in places] == [
        ("a_bad_line.run", 1, "score"),
        ("broken.run", None, None),
        ("same_tag.run", 2, "score"),
        ("same_tag.run", None, "tag"),
        ("all_bad.run", 1, None),
    ]


def test_valid_runs_have_an_empty_report(run_files):
    runs, report = read_runs(run_files[:1], on_error="report")

    assert report.empty
    assert list(report) == PARTS
    assert_frame_equal(runs, read_runs(run_files[:1]))


def test_the_first_problem_of_the_first_invalid_file_is_raised(run_files):
    with pytest.raises(TrecFormatError, match=r"a_bad_line\.run, line 1: score 'x' is not allowed"):
        read_runs(run_files)


@pytest.mark.parametrize("read", [read_run, read_qrels, lambda data, **options: read_runs([data], **options)])
def test_an_unknown_on_error_option_is_refused(read):
    with pytest.raises(ValueError, match="on_error 'skip' is unknown; choose from: raise, report"):
        read(b"", on_error="skip")
