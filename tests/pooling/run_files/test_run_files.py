"""Run files that are prepared without a DataFrame: the same rankings and the same errors as from `read_runs`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import evaluate
from pooling import TrecFormatError, prepare, read_run, read_runs
from pooling.ranking import prepare_topics
from pooling.run_files import fields
from pooling.run_files.chunks import run_paths
from pooling.run_files.fields import fields_of, without_separators
from tests.examples import examples
from tests.pooling.run_cache.test_cached_runs import rankings, write_runs


def rewritten(path, old, new):
    path.write_text(path.read_text().replace(old, new))


def assert_same(runs, expected):
    assert rankings(runs) == rankings(expected)
    assert runs.systems.tolist() == expected.systems.tolist()
    assert runs.documents.sort_values().tolist() == expected.documents.sort_values().tolist()
    assert runs.retrieved.tolist() == expected.retrieved.tolist()


@pytest.fixture
def paths(tmp_path):
    return write_runs(tmp_path)


def test_files_have_the_rankings_of_their_frames(paths, tmp_path):
    expected = prepare(read_runs(paths), keep_scores=True)
    for runs in (paths, tuple(map(str, paths)), f"{tmp_path}/*.run"):
        prepared = prepare(runs, keep_scores=True)
        assert_same(prepared, expected)
        assert prepared.scores.tolist() == expected.scores.tolist()
    assert_same(prepare(paths, depth=3), prepare(read_runs(paths), depth=3))
    for topics in (["1"], ["2", "9"], ["1", "2", "3"], []):
        assert_same(prepare_topics(paths, topics), prepare_topics([read_run(path) for path in paths], topics))


@pytest.mark.parametrize("unusual", ["\r\n", "\t", "  ", "# a comment\n", "é"])
@pytest.mark.parametrize("n_unusual", [1, 7])
def test_files_of_unusual_form_share_the_documents_of_the_others(paths, unusual, n_unusual):
    old = {"\r\n": "\n", "\t": " ", "  ": " ", "# a comment\n": "1 Q0", "é": "system"}[unusual]
    for path in paths[:n_unusual]:
        rewritten(path, old, unusual + "1 Q0" if unusual.startswith("#") else unusual)

    assert_same(prepare(paths), prepare(read_runs(paths)))


def test_a_file_without_a_line_feed_at_its_end(paths):
    paths[0].write_text(paths[0].read_text().rstrip("\n"))

    assert_same(prepare(paths), prepare(read_runs(paths)))


def test_tied_documents_are_ordered_without_their_separators(tmp_path):
    # "!" is the character after the space that ends a field
    doc_ids = ["d", "d!", "d!!", "d-1", "dd", "D", "d~"]
    (tmp_path / "a.run").write_text("".join(f"1 Q0 {doc_id} 0 1.5 a\n" for doc_id in doc_ids))

    assert rankings(prepare(tmp_path / "a.run"))["a", "1"] == sorted(doc_ids, reverse=True)


@pytest.mark.parametrize("topics", [["1"], ["2"], ["1", "2"]])
@pytest.mark.parametrize("depth", [None, 1])
def test_a_document_that_occurs_twice_is_refused_with_its_line(tmp_path, paths, topics, depth):
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 d1 1 9 bad\n2 Q0 d1 1 9 bad\n2 Q0 d2 2 8 bad\n2 Q0 d1 3 7 bad\n")
    message = r"bad\.run.*line 4.*document 'd1' of topic '2' is already on line 2"
    for call in (
        lambda: prepare([*paths, bad], depth=depth),
        lambda: prepare_topics([*paths, bad], topics),
        lambda: evaluate([*paths, bad], {topic: {"d1": 1} for topic in topics}, "AP"),
    ):
        with pytest.raises(TrecFormatError) as error:
            call()
        assert error.match(message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 Q0 d1 1 high bad\n", "score 'high' is not allowed"),
        ("1 Q0 d1 1 nan bad\n", "score 'nan' is not allowed"),
        ("1 Q0 d1 1 9\n", "5 columns"),
        ("1 Q0 d1 1 9 bad more\n", "7 columns"),
        ("1 Q0 d1 1 9 bad\n1 Q0 d2 2 8 other\n", "tag 'other' differs from 'bad'"),
        (f"1 Q0 {'d' * 5000} 1 9 bad\n", "the line has 5,01"),
        (f"1 Q0 {'d' * 600} 1 9 bad\n", "doc_id"),
        ("1 Q0 d\x01 1 9 bad\n", "doc_id"),
        ("", "the file has no run lines"),
    ],
)
def test_an_invalid_file_has_the_error_of_read_run(tmp_path, paths, line, message):
    bad = tmp_path / "bad.run"
    bad.write_text(line)
    with pytest.raises(TrecFormatError) as expected:
        read_run(bad)
    with pytest.raises(TrecFormatError, match=message) as error:
        prepare([*paths, bad])
    assert str(error.value) == str(expected.value)


def test_two_files_of_a_system_are_refused(tmp_path, paths):
    (tmp_path / "z.run").write_text("1 Q0 d1 1 9 system0\n")
    with pytest.raises(ValueError, match="system 'system0' occurs twice, in DataFrames 1 and 8 of 8"):
        prepare([*paths, tmp_path / "z.run"])


def test_only_paths_are_read_as_files(paths):
    assert run_paths({"a": paths[0]}) is run_paths(read_run(paths[0])) is run_paths([]) is None
    assert run_paths([paths[0], read_run(paths[1])]) is None
    assert run_paths("irds:vaswani") is None


# The fields


def columns(data, n_columns):
    result = fields_of(data, n_columns)
    return result and [without_separators(result.column(number)).to_pylist() for number in range(n_columns)]


def test_fields_by_hand():
    assert columns(b"a bb\nc d\n", 2) == [["a", "c"], ["bb", "d"]]
    assert columns(b"a bb\nc d", 2) == [["a", "c"], ["bb", "d"]]


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\n", b"a\n", b"a b c\n", b"a b c\nd\n", b" a b\n", b"a b \n", b"a  b\n", b"a b\n\n", b"a b\n\nc d\n"),
        *(b"a\nb c d\n", b"a\tb\n", b"a b\r\n", b"a b\x00\n", b"a \x7f\n", b"#a b\n", b"a \xc3\xa9\n"),
        b"a " + b"b" * 4095 + b"\n",
    ],
)
def test_unusual_content_is_declined(data):
    assert fields_of(data, 2) is None


def test_a_large_file_is_declined_and_read_in_another_way(paths, monkeypatch):
    expected = prepare(read_runs(paths))
    monkeypatch.setattr(fields, "MAX_FIELDS_BYTES", 100)
    assert fields_of(b"a b\n" * 26, 2) is None
    assert_same(prepare(paths), expected)


def test_the_longest_line_is_allowed():
    assert columns(b"a " + b"b" * 4094 + b"\n", 2) == [["a"], ["b" * 4094]]


@given(st.lists(st.lists(st.text("ab-!~", min_size=1, max_size=9), min_size=3, max_size=3), min_size=1, max_size=20))
@examples(100)
def test_the_fields_are_those_of_split(lines):
    data = "".join(" ".join(line) + "\n" for line in lines).encode()
    assert np.array(columns(data, 3)).T.tolist() == lines
