"""Run and qrels files beyond the oracle: fields, limits, options, many files."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest

from pooling import TrecFormatError, read_documents, read_qrels, read_run, read_runs, read_topics
from tests.cases import CASES

MARK = "\ufeff".encode()
RUN = b"7 Q0 d1 1 2.5 sys\n7 Q0 d2 2 -1 sys\n"


def run_line(query_id="1", doc_id="d", score="1", tag="r"):
    return f"{query_id} Q0 {doc_id} 1 {score} {tag}\n".encode()


def qrels_line(relevance):
    return f"1 0 d {relevance}\n".encode()


def refusal(read, data, **options):
    with pytest.raises(TrecFormatError) as caught:
        read(data, name="f", **options)
    return caught.value


def test_a_run_has_its_columns_and_types_in_the_order_of_the_lines():
    run = read_run(RUN)
    assert run.to_dict("list") == {
        "system": ["sys", "sys"],
        "query_id": ["7", "7"],
        "doc_id": ["d1", "d2"],
        "score": [2.5, -1.0],
    }
    assert run.dtypes.astype(str).tolist() == ["str", "str", "str", "float64"]


def test_qrels_have_their_columns_and_types():
    qrels = read_qrels(b"007 Q0 d1 -1\n007 0 d2 3\n")
    assert qrels.to_dict("list") == {"query_id": ["007", "007"], "doc_id": ["d1", "d2"], "relevance": [-1, 3]}
    assert qrels.dtypes.astype(str).tolist() == ["str", "str", "int64"]


def test_a_byte_order_mark_within_a_file_is_no_part_of_an_id():
    """Two files with a mark each were put together."""
    qrels = read_qrels(CASES / "bom_b.qrels")
    assert qrels["query_id"].tolist() == ["1", "1", "2", "2"]
    assert read_run(MARK + RUN + MARK + RUN.replace(b"d", b"e"))["query_id"].tolist() == ["7"] * 4
    assert read_topics(MARK + b"1\ta\n" + MARK + b"2\tb\n")["query_id"].tolist() == ["1", "2"]
    one, two = (b"<DOC><DOCNO>%b</DOCNO>a</DOC>\n" % doc_id for doc_id in (b"d", b"e"))
    assert [document.doc_id for document in read_documents(MARK + one + MARK + two)] == ["d", "e"]


def test_both_readers_give_the_same_types():
    by_columns, by_lines = read_run(run_line(score="1")), read_run(run_line(score="+1"))
    assert by_columns.dtypes.equals(by_lines.dtypes)
    assert read_qrels(qrels_line("1")).dtypes.equals(read_qrels(b" \xef\xbb\xbf1 0 d 1\n").dtypes)


@pytest.mark.parametrize("as_source", [lambda path: path, str, lambda path: path.read_bytes()])
def test_all_kinds_of_source_are_read_alike(tmp_path, as_source):
    path = tmp_path / "a.run"
    path.write_bytes(RUN)
    assert read_run(as_source(path)).equals(read_run(RUN))


def test_an_open_file_is_read_and_left_open():
    stream = io.BytesIO(RUN)
    assert read_run(stream).equals(read_run(RUN))
    assert not stream.closed


def test_a_gzip_file_is_detected_with_any_name(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(gzip.compress(RUN))
    assert read_run(path).equals(read_run(RUN))


@pytest.mark.parametrize(
    ("text", "score"), [("2", 2.0), ("+2.", 2.0), (".5", 0.5), ("-1e-3", -0.001), ("1E5", 1e5), ("1e-999", 0.0)]
)
def test_a_decimal_score_is_read(text, score):
    assert read_run(run_line(score=text))["score"].tolist() == [score]


@pytest.mark.parametrize(
    "text",
    ["1_000", "0x1p3", "0x10", "infinity", "-INF", "NaN", "1e999", "1e", "e5", ".", "+", "1.2.3", "١", "1f", "--1"],
)
def test_an_invalid_score_is_refused(text):
    error = refusal(read_run, run_line(score="1") + run_line(doc_id="e", score=text))
    assert (error.line, error.column, error.value) == (2, "score", text)


@pytest.mark.parametrize(("text", "grade"), [("0", 0), ("+1", 1), ("-2", -2), ("003", 3), ("2147483647", 2**31 - 1)])
def test_an_integer_relevance_is_read(text, grade):
    assert read_qrels(qrels_line(text))["relevance"].tolist() == [grade]


@pytest.mark.parametrize("text", ["1_0", "0x1", "2147483648", "-2147483649", "1e0", "1.0", "+", "²", "9" * 4000])
def test_an_invalid_relevance_is_refused(text):
    error = refusal(read_qrels, qrels_line(text))
    assert (error.line, error.column, error.value) == (1, "relevance", text)


@pytest.mark.parametrize(
    ("doc_id", "words"),
    [
        (b"a\xffb", "is not UTF-8"),
        (b"a\x00b", "U+0000"),
        (b"a\x0bb", "U+000B"),
        (b"a\rb", "U+000D"),
        (b"a\x7f", "U+007F"),
        (b"a\xc2\x85", "U+0085"),
        (b"\xed\xa0\x80", "is not UTF-8"),
        (b"d" * 513, "has 513 bytes"),
        ("é".encode() * 257, "has 514 bytes"),
    ],
)
def test_an_invalid_id_is_refused(doc_id, words):
    error = refusal(read_run, run_line() + b"1 Q0 " + doc_id + b" 2 0.5 r\n")
    assert (error.line, error.column) == (2, "doc_id")
    assert words in str(error)
    assert "\n" not in str(error)


def test_an_invalid_byte_in_an_ignored_field_is_refused():
    assert refusal(read_run, b"1 Q\x01 d 1 1 r\n").column == "iteration"


@pytest.mark.parametrize("doc_id", ["d" * 512, "é" * 256, "a\u00a0b", "a\u2003b", "#1", "a,b\"'", "\U0001f600"])
def test_an_unusual_id_is_kept_unchanged(doc_id):
    assert read_run(run_line(doc_id=doc_id))["doc_id"].tolist() == [doc_id]


def test_a_line_that_is_too_long_is_refused():
    error = refusal(read_run, run_line() + b"1 Q0 d" + b" " * 5000 + b" 1 1 r\n")
    assert error.line == 2
    assert "4,096" in str(error)


def test_a_comment_may_contain_anything():
    data = b"# \xff\x00 " + b"x" * 9000 + b"\n" + run_line() + b" \t # 1 2 3\n" + run_line(doc_id="e")
    assert read_run(data)["doc_id"].tolist() == ["d", "e"]


def test_a_topic_id_may_begin_with_a_number_sign():
    data = b"# a comment\n##\n#301 0 d1 1\n#\n##302 0 d1 0\n \t#303\t0  d1 1\r\n## also a comment"
    assert read_qrels(data)["query_id"].tolist() == ["#301", "##302", "#303"]
    assert read_run(b"#301 Q0 d 1 2.5 s\n# 1 2\n")["query_id"].tolist() == ["#301"]


def test_text_after_a_number_sign_is_no_comment_without_a_blank():
    error = refusal(read_qrels, b"# a comment\n#comment\n1 0 d1 1\n")
    assert error.line == 2


def test_line_numbers_count_comments_and_blank_lines():
    assert refusal(read_run, b"# one\n\n \t\n" + run_line(score="x")).line == 4


@pytest.mark.parametrize("data", [b"\n\n", b"# only\n", b"\xef\xbb\xbf", b"   "])
def test_a_file_without_data_is_refused(data):
    assert "no run lines" in str(refusal(read_run, data))
    assert "no judgements" in str(refusal(read_qrels, data))


def test_the_first_invalid_line_is_reported():
    data = run_line() + run_line(doc_id="e", score="x") + b"1 2 3\n"
    assert refusal(read_run, data).line == 2


def test_a_long_value_is_shortened_in_the_message_only():
    error = refusal(read_qrels, qrels_line("x" * 300))
    assert len(str(error)) < 200
    assert error.value == "x" * 300


def test_single_precision_ties_what_trec_eval_before_10_tied():
    data = run_line(doc_id="a", score="1.00000001") + run_line(doc_id="b", score="1.00000002")
    double, single = read_run(data), read_run(data, score_precision="float32")
    assert double["score"].nunique() == 2
    assert single["score"].tolist() == [1.0, 1.0]
    assert single["score"].dtype == np.float64


def test_a_score_beyond_single_precision_is_refused_in_float32_only():
    assert read_run(run_line(score="1e39"))["score"].tolist() == [1e39]
    assert refusal(read_run, run_line(score="1e39"), score_precision="float32").value == "1e39"


def test_an_unknown_precision_is_refused():
    with pytest.raises(ValueError, match=r"'float16' is unknown; choose from: .*float64.*float32"):
        read_run(RUN, score_precision="float16")


@pytest.mark.parametrize("system", ["", "a b", "a\nb", "x" * 513])
def test_an_invalid_system_name_is_refused(system):
    with pytest.raises(ValueError, match="an id is 1 to 512 bytes"):
        read_run(RUN, system=system)


def test_runs_are_concatenated_in_the_order_of_the_files(tmp_path):
    paths = []
    for tag in ("z", "a", "m"):
        paths.append(tmp_path / f"{tag}.run")
        paths[-1].write_bytes(run_line(tag=tag))
    runs = read_runs(paths, workers=2)
    assert runs["system"].tolist() == ["z", "a", "m"]
    assert runs.index.equals(pd.RangeIndex(3))
    assert runs.equals(read_runs(paths, workers=1))


def test_two_files_of_one_system_are_refused_with_both_names(tmp_path):
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_bytes(RUN)
    with pytest.raises(TrecFormatError, match=r"b\.run: tag 'sys' is also the tag of .*a\.run"):
        read_runs([tmp_path / "a.run", tmp_path / "b.run"])


def test_two_files_without_names_are_told_apart_by_their_places():
    with pytest.raises(TrecFormatError, match="input: tag 'sys' of file 3 is also the tag of input, file 1; each file"):
        read_runs([RUN, run_line(), RUN])


def test_an_empty_list_of_files_is_refused():
    with pytest.raises(ValueError, match="needs at least one"):
        read_runs([])


def test_a_file_beyond_its_limit_is_refused():
    error = refusal(read_run, RUN, max_bytes=len(RUN) - 1)
    assert "more than 34 bytes" in str(error)
    assert len(read_run(RUN, max_bytes=len(RUN))) == 2


@pytest.mark.parametrize(
    ("reader", "line"), [(read_qrels, b'"301" 0 "d1" 1\n'), (read_run, b'"301"\t"Q0"\t"d1"\t1\t2.5\t"bm25"\r\n')]
)
def test_ids_in_quotes_are_refused(reader, line):
    error = refusal(reader, b"# a\n" + line)
    assert str(error).startswith("f, line 2: the ids are in quotes: ")
    assert str(error).endswith("; runs and qrels have no quotes; write the file without them")
    frame, report = reader(b"# a\n" + line, name="f", on_error="report")
    assert (len(frame), report["line"].tolist()) == (0, [2])


def test_quotes_of_a_quoted_beir_header_are_no_part_of_an_id():
    qrels = read_qrels(b'"query-id"\t"corpus-id"\t"score"\n"q1"\t"d1"\t1\n')
    assert qrels.values.tolist() == [["q1", "d1", 1]]
