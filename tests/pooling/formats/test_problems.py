"""The invalid lines of a file, up to a limit."""

import gzip

import pytest

from pooling import problems

FILES = {
    "runs": (b"1 Q0 a 1 2.5 r\n1 Q0 b 2 x r\n1 Q0 c 3\n1 Q0 d 4 1 r\n", [2, 3]),
    "topics": (b"1\ta\n2\n3\tc\n3\td\n", [2, 4]),
    "documents": (b'{"doc_id": 1, "text": "a"}\n{}\nx\n{"doc_id": 1, "text": "b"}\n', [2, 3, 4]),
    "judgements": (b"query-id\tcorpus-id\tscore\nq\td\n1\ta\t1\nq\td e\t1\n", [2, 4]),
}


@pytest.mark.parametrize(("kind", "expected"), FILES.items())
def test_every_invalid_line_is_listed_with_its_file(kind, expected):
    data, lines = expected
    found = problems(data, kind, name="f")
    assert [problem.line for problem in found] == lines
    assert {problem.file for problem in found} == {"f"}


def test_the_judgements_of_another_program_are_checked():
    data = b'{"query_id": "1", "label": ["a"]}\n{"query_id": "1", "doc_id": "d", "label": ["a", "b"]}\n'
    assert [problem.line for problem in problems(data, "judgements")] == [1, 2]


@pytest.mark.parametrize("kind", FILES)
def test_a_valid_file_has_no_problems(kind):
    valid = {"runs": b"1 Q0 a 1 2 r\n", "topics": b"1\ta\n", "documents": b"1\ta\n", "judgements": b"1 0 a 1\n"}
    assert problems(valid[kind], kind) == []


@pytest.mark.parametrize("kind", FILES)
def test_a_corrupt_or_empty_file_is_one_problem(kind):
    assert [problem.line for problem in problems(gzip.compress(b"1\ta\n" * 1000)[:-9], kind)] == [None]
    assert len(problems(b"", kind)) == 1


@pytest.mark.parametrize("kind", FILES)
def test_the_list_is_limited(kind):
    assert len(problems(b"x\n" * 5_000, kind)) <= 1_000
    assert len(problems(FILES[kind][0], kind, limit=1)) == 1


def test_unknown_options_are_refused():
    with pytest.raises(ValueError, match="kind 'run' is unknown; choose from: runs, topics"):
        problems(b"", "run")
    with pytest.raises(ValueError, match="limit must be at least 1, not 0"):
        problems(b"", "runs", limit=0)
