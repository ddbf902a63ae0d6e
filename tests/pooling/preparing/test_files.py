"""Run files that are prepared without a DataFrame: the same rankings and the same errors as from `read_runs`."""

import pytest

from agreement import evaluate
from pooling import TrecFormatError, prepare, read_run, read_runs
from pooling.preparing.files import run_paths
from pooling.ranking import prepare_topics
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


def test_tied_documents_are_in_byte_order(tmp_path):
    # "!" is the first character that an id may have
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
