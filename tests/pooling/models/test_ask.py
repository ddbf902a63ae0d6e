"""Pairs are asked for in a drawn order, several at a time, within a budget, and none twice."""

import json
import threading
import time

import pytest

from pooling.models.answers import Pair, Usage
from pooling.models.ask import MOST_FAILURES, ask, in_drawn_order
from pooling.models.budget import Budget, Price
from pooling.models.chat import ChatJudge
from pooling.models.dry_run import dry_run
from pooling.models.endpoint import ChatEndpoint
from pooling.models.functions import CallableJudge
from pooling.models.scale import checked_scale
from pooling.models.starting_prompts import PROMPTS
from pooling.outgoing import AllowedHosts, Forbidden, Limits
from tests.pooling.models.servers import Server, Together, completion, document_of, error, grades_by

SCALE = checked_scale([(0,), (1,), (2,), (3,)])
QUICK = Limits(seconds=5, attempts=2)


def pairs_of(number):
    return [Pair(str(n % 7), f"d{n}", {"title": "tea"}, f"text {n}") for n in range(number)]


def judge_at(url, **settings):
    return ChatJudge(ChatEndpoint(f"{url}/v1", "judge", **settings), PROMPTS["direct"], SCALE)


def grade(text):
    return int(text.split()[1]) % 4


@pytest.mark.in_ci
def test_every_pair_has_its_answer_in_the_drawn_order():
    pairs = pairs_of(40)
    with Server(grades_by(grade)) as server:
        first = list(ask(judge_at(server.url), pairs, seed=1, concurrency=1))
        second = list(ask(judge_at(server.url), pairs[::-1], seed=1, concurrency=1))
        other = list(ask(judge_at(server.url), pairs, seed=2, concurrency=1))
    assert {answer.doc_id: answer.grade for answer in first} == {pair.doc_id: grade(pair.text) for pair in pairs}
    order = [answer.doc_id for answer in first]
    assert order == [answer.doc_id for answer in second] == [pair.doc_id for pair in in_drawn_order(pairs, 1)]
    assert order != [answer.doc_id for answer in other]
    assert order != sorted(order)


def test_saved_answers_are_skipped():
    saved = {}
    with Server(grades_by(grade)) as server:
        judge = judge_at(server.url)
        work = ask(judge, pairs_of(30), seed=1, is_saved=saved.__contains__)
        for answer in work:
            saved[answer.key] = answer
            if len(saved) == 10:
                break
        again = ask(judge, pairs_of(30), seed=1, is_saved=saved.__contains__)
        before = set(saved)
        late = {answer.key for answer in again}
    assert again.skipped == 10
    assert len(late) == 20
    assert not late & before
    saved_documents = [f"text {saved[key].doc_id[1:]}" for key in before]
    assert all(server.by_document[text] == 1 for text in saved_documents)


def test_concurrency_is_used_and_not_exceeded():
    with Server(Together(8, completion('{"grade": 1}'))) as server:
        answers = list(ask(judge_at(server.url), pairs_of(64), seed=1, concurrency=8))
    assert [answer.grade for answer in answers] == [1] * 64
    assert server.most == 8


@pytest.mark.parametrize("concurrency", [1, 4])
def test_the_budget_stops_before_the_next_request(concurrency):
    # Each request costs 340 tokens, and 300 + 100 are reserved after the first answer (more before it).
    with Server(grades_by(grade)) as server:
        work = ask(
            judge_at(server.url, max_tokens=100), pairs_of(50), seed=1, concurrency=concurrency, budget=Budget(3_400)
        )
        answers = list(work)
        assert len(server.asked) == len(answers)
    assert work.stopped == "The budget does not allow another request."
    assert 7 <= len(answers) <= 10
    assert work.spent.total == 340 * len(answers) <= 3_400
    assert work.spent.reasoning == 32 * len(answers)
    assert work.left == 50 - len(answers)


def test_money_counts_cached_tokens_and_reasoning():
    # 172 fresh at 1, 128 cached at 0.1 and 40 of output at 10, each for a million: 0.0005848
    price = Price(1, 10, 0.1)
    with Server(grades_by(grade)) as server:
        work = ask(
            judge_at(server.url, max_tokens=40), pairs_of(50), seed=1, concurrency=1, budget=Budget(None, 0.003, price)
        )
        answers = list(work)
    assert work.cost == pytest.approx(0.0005848 * len(answers))
    assert 0.0015 < work.cost <= 0.003
    assert work.stopped


def test_no_request_fits_a_budget_of_zero():
    with Server(grades_by(grade)) as server:
        work = ask(judge_at(server.url), pairs_of(5), seed=1, budget=Budget(0))
        assert list(work) == []
        assert server.asked == []
    assert work.stopped


def test_tokens_that_are_not_reported_count_as_reserved():
    with Server(lambda _: completion('{"grade": 1}', usage=None)) as server:
        work = ask(judge_at(server.url, max_tokens=100), pairs_of(50), seed=1, budget=Budget(10_000))
        answers = list(work)
    assert 1 < len(answers) < 50
    assert work.spent.is_estimated
    assert 100 * len(answers) < work.spent.total <= 10_000


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Budget(-1), "tokens must be a number from 0, not -1"),
        (lambda: Budget(float("nan")), "must be a number"),
        (lambda: Budget(cost=True, price=Price(1, 1)), "must be a number"),
        (lambda: Budget(cost=5), "needs the price"),
        (lambda: Price(float("inf")), "price of input must be a number"),
    ],
)
def test_what_is_no_budget_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_a_wrong_key_ends_the_work_at_once():
    with Server(lambda _: error(401, "wrong key")) as server:
        work = ask(judge_at(server.url), pairs_of(100), seed=1, concurrency=4)
        answers = list(work)
        assert len(server.asked) <= 8
    assert work.stopped == "The server answered 401: 'wrong key'."
    assert work.left == 100 - len(answers)


def test_a_server_that_is_gone_ends_the_work():
    with Server(lambda _: error(500)) as server:
        work = ask(judge_at(server.url), pairs_of(200), seed=1, concurrency=2, limits=Limits(seconds=5, attempts=1))
        answers = list(work)
    assert MOST_FAILURES <= len(answers) <= MOST_FAILURES + 4
    assert work.stopped.startswith("20 requests in a row had no answer: The server answered 500")


def test_some_failures_do_not_end_the_work():
    def sometimes(asked):
        return error(400, "bad") if grade(document_of(asked)) == 0 else completion('{"grade": 1}')

    with Server(sometimes) as server:
        work = ask(judge_at(server.url), pairs_of(40), seed=1)
        answers = list(work)
    assert len(answers) == 40
    assert work.stopped == ""
    assert sum(answer.reason == "not_answered" for answer in answers) == 10


def test_a_document_without_text_is_not_asked_for():
    pairs = [Pair("1", "d1", {"title": "tea"}, " \n"), Pair("1", "d2", {"title": "tea"}, lambda: "text 2")]
    with Server(grades_by(grade)) as server:
        answers = {answer.doc_id: answer for answer in ask(judge_at(server.url), pairs, seed=1)}
    assert (answers["d1"].grade, answers["d1"].reason) == (None, "no_text")
    assert answers["d2"].grade == 2
    assert list(server.by_document) == ["text 2"]


def test_stop_from_another_thread():
    with Server(grades_by(grade)) as server:
        work = ask(judge_at(server.url), pairs_of(1_000), seed=1, concurrency=4)
        answers = []
        for answer in work:
            answers.append(answer)
            if len(answers) == 5:
                stopping = threading.Thread(target=work.stop)
                stopping.start()
                stopping.join()
        assert len(server.asked) <= 5 + 8
    assert 5 <= len(answers) <= 5 + 8
    assert work.stopped == "Stopped on request."
    assert work.left == 1_000 - len(answers)


def test_each_attempt_is_seen():
    seen, replies = [], iter([error(503, headers={"Retry-After": "0"}), completion('{"grade": 1}')])
    with Server(lambda _: next(replies)) as server:
        note = lambda pair, attempt: seen.append((pair.doc_id, attempt.status))  # noqa: E731
        list(ask(judge_at(server.url), pairs_of(1), seed=1, on_attempt=note, limits=QUICK))
    assert seen == [("d0", 503), ("d0", 200)]


def test_a_pair_that_occurs_twice_is_refused():
    pairs = pairs_of(3)
    with pytest.raises(ValueError, match="The pair of topic 1, document d1 occurs twice with repeat 0"):
        ask(CallableJudge(len, SCALE, "f"), [*pairs, pairs[1]], seed=1)
    assert len(in_drawn_order([*pairs, pairs[1]._replace(repeat=1)], 1)) == 4


@pytest.mark.parametrize("concurrency", [0, 101, 2.0, True])
def test_an_invalid_concurrency_is_refused(concurrency):
    with pytest.raises(ValueError, match="concurrency must be an integer from 1 to 100"):
        ask(CallableJudge(len, SCALE, "f"), [], seed=1, concurrency=concurrency)


def test_a_forbidden_host_ends_the_work():
    with Server(grades_by(grade)) as server:
        with pytest.raises(Forbidden):
            list(ask(judge_at(server.url), pairs_of(3), seed=1, allowed=AllowedHosts()))
        assert server.asked == []


def test_a_dry_run_of_three_estimates_all():
    price = Price(1, 10)
    with Server(grades_by(grade)) as server:
        judge = judge_at(server.url)
        tried = dry_run(judge, pairs_of(100), seed=1, price=price, concurrency=5)
        assert len(server.asked) == 3
        keys = {answer.key for answer in tried.answers}
        work = ask(judge, pairs_of(100), seed=1, is_saved=keys.__contains__)
        assert len(list(work)) == 97
    assert work.skipped == 3
    assert tried.prompts[0][1].content == server.asked[0].body["messages"][1]["content"]
    found = tried.estimate
    assert found.pairs == 100
    assert found.usage.output == 4_000
    assert found.usage.input == pytest.approx(30_000, rel=0.01)
    assert found.cost == pytest.approx((found.usage.input + 40_000) / 1e6)
    assert found.seconds == pytest.approx(sum(answer.seconds for answer in tried.answers) / 3 * 100 / 5)
    assert tried.summary().startswith("Estimated from 3 answers: 100 documents take")


def test_a_dry_run_says_why_it_has_no_estimate():
    def words(reply):
        with Server(lambda _: reply) as server:
            tried = dry_run(judge_at(server.url), pairs_of(5), seed=1, limits=QUICK)
        assert tried.estimate is None
        return tried.summary()

    assert words(error(401, "wrong key")) == "The server answered 401: 'wrong key'."
    assert "no numbers of tokens" in words(completion('{"grade": 1}', usage=None))
    assert dry_run(CallableJudge(len, SCALE, "f"), [], seed=1).summary() == "No document has a text."


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (2, (2, "")),
        ('{"grade": 3}', (3, "")),
        (None, (None, "no_grade")),
        ("3", (None, "no_grade")),
        (2.0, (None, "no_grade")),
        (True, (None, "no_grade")),
        (9, (None, "off_scale")),
    ],
)
def test_a_function_as_a_judge(returned, expected):
    answer = next(iter(ask(CallableJudge(lambda *_: returned, SCALE, "f"), pairs_of(1), seed=1)))
    assert (answer.grade, answer.reason) == expected


def test_a_function_that_raises_fails_its_pair_only():
    def judge(topic, text):
        if text == "text 3":
            raise RuntimeError("no model")
        return 1

    answers = {a.doc_id: a for a in ask(CallableJudge(judge, SCALE, "f"), pairs_of(5), seed=1)}
    assert answers["d3"].detail == "The function raised RuntimeError: no model"
    assert [answers[f"d{n}"].grade for n in (0, 1, 2, 4)] == [1, 1, 1, 1]
    with pytest.raises(TypeError, match="function must be a callable, not str"):
        CallableJudge("f", SCALE, "f")


def test_an_answer_can_be_kept_as_json():
    with Server(grades_by(grade)) as server:
        answer = next(iter(ask(judge_at(server.url), pairs_of(1), seed=1)))
    record = json.loads(json.dumps(answer.to_record()))
    assert record["usage"] == vars(Usage(300, 40, 32, 128))
    assert record["attempts"][0]["status"] == 200
    assert len(record["raw_sha256"]) == len(record["key"]) == 64


@pytest.mark.slow
@pytest.mark.alone
def test_a_thousand_documents_take_little_longer_than_their_server():
    def slow(asked):
        time.sleep(0.05)
        return completion('{"grade": 1}')

    with Server(slow) as server:
        began = time.perf_counter()
        assert sum(1 for _ in ask(judge_at(server.url), pairs_of(1_000), seed=1, concurrency=8)) == 1_000
        assert time.perf_counter() - began < 1_000 / 8 * 0.05 * 1.8  # 1.07 on an idle machine
