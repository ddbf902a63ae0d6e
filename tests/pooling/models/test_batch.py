"""Batch files: their limits and keys, and answers in any order with errors, gaps and strangers."""

import json

import pytest

from pooling.errors import FormatError
from pooling.models.answers import Pair
from pooling.models.batch import read_batch, write_batch
from pooling.models.chat import ChatJudge
from pooling.models.endpoint import ChatEndpoint
from pooling.models.scale import checked_scale
from pooling.models.starting_prompts import PROMPTS
from tests.pooling.models.servers import completion

SCALE = checked_scale([(0,), (1,), (2,), (3,)])
JUDGE = ChatJudge(
    ChatEndpoint("http://models.example/v1", "judge", secret="Bearer sk-very-secret"), PROMPTS["direct"], SCALE
)
PAIRS = [Pair("1", f"d{n}", {"title": "tea"}, f"text {n} \u2028 end") for n in range(10)]


def lines_of(paths):
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def answer_line(key, text='{"grade": 2}', status=200, **about):
    body = completion(text).body
    return {"id": "b", "custom_id": key, "response": {"status_code": status, "request_id": "r1", "body": body}} | about


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_each_request_is_a_line(tmp_path):
    files = write_batch(JUDGE, PAIRS, tmp_path, seed=1)
    assert [path.name for path in files] == ["batch-1.jsonl"]
    rows = lines_of(files)
    assert {row["custom_id"] for row in rows} == {JUDGE.key(pair) for pair in PAIRS}
    assert all(len(row["custom_id"]) == 64 for row in rows)
    assert {(row["method"], row["url"]) for row in rows} == {("POST", "/v1/chat/completions")}
    by_key = {row["custom_id"]: row["body"] for row in rows}
    assert all(by_key[JUDGE.key(pair)] == JUDGE.body(pair) for pair in PAIRS)
    assert b"very-secret" not in files[0].read_bytes()
    (tmp_path / "again").mkdir()
    assert write_batch(JUDGE, PAIRS[::-1], tmp_path / "again", seed=1)[0].read_bytes() == files[0].read_bytes()


def test_files_have_limits_of_lines_and_bytes(tmp_path):
    files = write_batch(JUDGE, PAIRS, tmp_path, seed=1, name="lines", most_lines=4)
    assert [len(path.read_bytes().splitlines()) for path in files] == [4, 4, 2]
    size = max(len(line) + 1 for line in files[0].read_bytes().splitlines())
    by_size = write_batch(JUDGE, PAIRS, tmp_path, seed=1, name="bytes", most_bytes=3 * size)
    assert len(by_size) == 4
    assert all(path.stat().st_size <= 3 * size for path in by_size)
    assert b"".join(path.read_bytes() for path in by_size) == b"".join(path.read_bytes() for path in files)
    with pytest.raises(ValueError, match=r"The request of topic 1, document d\d has [\d,]+ bytes; a file"):
        write_batch(JUDGE, PAIRS, tmp_path, seed=1, name="one", most_bytes=100)


def test_an_existing_file_is_not_written_over(tmp_path):
    (tmp_path / "batch-1.jsonl").write_text("mine")
    with pytest.raises(FileExistsError):
        write_batch(JUDGE, PAIRS, tmp_path, seed=1)
    assert (tmp_path / "batch-1.jsonl").read_text() == "mine"


def test_answers_are_found_by_key_and_missing_ones_named(tmp_path):
    keys = [JUDGE.key(pair) for pair in PAIRS]
    output = write_lines(
        tmp_path / "out.jsonl",
        [answer_line(keys[3], '{"grade": 3}'), answer_line(keys[0]), answer_line(keys[1], "relevant")],
    )
    expired = {"code": "batch_expired", "message": "This request could not be executed in time."}
    refused = {"status_code": 400, "request_id": "r", "body": {"error": {"code": "content_filter", "message": "x"}}}
    errors = write_lines(
        tmp_path / "err.jsonl",
        [
            {"custom_id": keys[2], "response": None, "error": expired},
            {"custom_id": keys[4], "response": refused, "error": None},
        ],
    )
    without_text = Pair("2", "d0", {"title": "tea"}, "")
    found = read_batch(JUDGE, [*PAIRS, without_text], [output], [errors])
    assert [(answer.doc_id, answer.grade, answer.reason) for answer in found.answers] == [
        ("d0", 2, ""),
        ("d1", None, "no_grade"),
        ("d2", None, "not_answered"),
        ("d3", 3, ""),
        ("d4", None, "content_filter"),
    ]
    assert found.answers[0].usage.total == 340
    assert found.answers[0].reported["request_id"] == "r1"
    assert "This request could not be executed in time." in found.answers[2].detail
    assert [pair.doc_id for pair in found.missing] == ["d5", "d6", "d7", "d8", "d9"]
    assert found.without_text == (without_text,)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"no json", "'no json' is no JSON object"),
        (b"[" * 100_000, "is no JSON object"),
        (b"[]", "is no JSON object"),
        (b"{}", "custom_id 'None' belongs to no pair"),
        (b'{"custom_id": ["x"]}', "belongs to no pair"),
        (b'{"custom_id": "other"}', "custom_id 'other' belongs to no pair; the keys are those of this pool"),
        (b'{"custom_id": "\xff"}', "is no JSON object"),
    ],
)
def test_a_line_of_another_form_is_refused_with_its_place(tmp_path, line, words):
    path = tmp_path / "out.jsonl"
    path.write_bytes(json.dumps(answer_line(JUDGE.key(PAIRS[0]))).encode() + b"\n\n" + line + b"\n")
    with pytest.raises(FormatError) as error:
        read_batch(JUDGE, PAIRS, [path])
    assert str(error.value).startswith("out.jsonl, line 3: ")
    assert words in str(error.value)


def test_a_key_that_occurs_twice_is_refused(tmp_path):
    path = write_lines(tmp_path / "out.jsonl", [answer_line(JUDGE.key(PAIRS[0]))] * 2)
    with pytest.raises(FormatError, match=r"line 2: custom_id .* occurs twice"):
        read_batch(JUDGE, PAIRS, [path])


@pytest.mark.parametrize(
    "row", [{}, {"response": 3}, {"response": {"body": 3}}, {"error": "late"}, {"error": {"message": ["x"]}}]
)
def test_an_odd_answer_concerns_its_pair_only(tmp_path, row):
    path = write_lines(tmp_path / "out.jsonl", [{"custom_id": JUDGE.key(PAIRS[0])} | row])
    found = read_batch(JUDGE, PAIRS[:1], [path])
    assert [(answer.grade, answer.reason) for answer in found.answers] == [(None, "not_answered")]
