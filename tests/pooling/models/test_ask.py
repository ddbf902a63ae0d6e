"""Asking for pairs: the order, the budget, the keys, and failures."""

import threading

import pytest

from pooling.models import PROMPTS, ChatEndpoint
from pooling.models.ask import Budget, Pair, ask_pairs, request_key
from pooling.models.prompts import ScaleGrade
from pooling.outgoing import ANY_HOST, Client, Limits
from tests.pooling.live.servers import Asked, Reply, Server
from tests.pooling.models.test_chat import completion

SCALE = [ScaleGrade(grade, "x") for grade in range(4)]
PROMPT = PROMPTS["direct"]
PAIRS = [Pair("1", f"d{number}", {"title": "bread"}, f"text number {number}.") for number in range(30)]


def graded(asked: Asked) -> Reply:
    """The grade is the last digit of the number in the text, modulo four."""
    text = asked.body["messages"][1]["content"].partition("text number ")[2].partition(".")[0]
    return Reply(completion(f'{{"grade": {int(text) % 4}}}'))


def ask(answer, pairs=PAIRS, seed=7, **options):
    with Server(answer) as server, Client(ANY_HOST, Limits(seconds=3, attempts=1)) as client:
        endpoint = ChatEndpoint(f"{server.url}/v1", "small")
        return list(ask_pairs(endpoint, client, PROMPT, pairs, SCALE, seed=seed, **options)), server.asked, endpoint


def test_each_pair_is_asked_once_and_has_its_grade():
    answers, asked, _ = ask(graded)
    assert len(asked) == len(PAIRS)
    assert {each.pair.doc_id: each.answer.grade.grade for each in answers} == {
        f"d{number}": number % 4 for number in range(30)
    }


def test_the_order_is_that_of_the_seed():
    def order(seed):
        return [each.pair.doc_id for each in ask(graded, seed=seed, concurrency=1)[0]]

    assert sorted(order(1)) == sorted(pair.doc_id for pair in PAIRS)
    assert order(1) != [pair.doc_id for pair in PAIRS]
    assert sorted(order(1)) == sorted(order(2))


def test_known_keys_are_not_asked_for():
    with Server(graded) as server, Client(ANY_HOST) as client:
        endpoint = ChatEndpoint(f"{server.url}/v1", "small")
        first = list(ask_pairs(endpoint, client, PROMPT, PAIRS[:10], SCALE, seed=1))
        known = {each.key for each in first}
        again = list(ask_pairs(endpoint, client, PROMPT, PAIRS, SCALE, seed=1, known=known))
        assert len(server.asked) == 30
    assert {each.pair.doc_id for each in again} == {pair.doc_id for pair in PAIRS[10:]}


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_budget_ends_the_work(concurrency):
    """Each answer costs 150 tokens. A limit of 1,500 is reached after ten; four threads know no mean at first."""
    budget = Budget(tokens=1_500)
    answers, asked, _ = ask(graded, budget=budget, concurrency=concurrency)
    assert len(answers) == len(asked) == budget.answers
    assert 10 <= len(asked) <= 10 + concurrency
    assert budget.estimate(30)[0] == 4_500


def test_a_budget_in_money():
    budget = Budget(cost=0.01, prompt_price=10, completion_price=40)  # 0.0024 for each answer
    answers, _, _ = ask(graded, budget=budget, concurrency=1)
    assert len(answers) == 5
    assert budget.spent == pytest.approx(5 * (120 * 10 + 30 * 40) / 1_000_000)


def test_a_failed_pair_is_named_and_the_others_go_on():
    def some(asked: Asked) -> Reply:
        if "text number 3." in asked.body["messages"][1]["content"]:
            return Reply({"error": {"message": "content policy"}}, 400)
        return graded(asked)

    answers, _, _ = ask(some)
    failed = [each for each in answers if each.problem]
    assert [each.pair.doc_id for each in failed] == ["d3"]
    assert failed[0].is_permanent
    assert len(answers) == 30


def test_a_reader_that_goes_away_stops_the_requests():
    started = threading.Event()

    def slow(asked: Asked) -> Reply:
        started.wait(0.05)
        return graded(asked)

    with Server(slow) as server, Client(ANY_HOST) as client:
        answers = ask_pairs(ChatEndpoint(f"{server.url}/v1", "m"), client, PROMPT, PAIRS, SCALE, seed=1, concurrency=2)
        next(answers)
        answers.close()
        assert len(server.asked) < 30


def test_another_question_has_another_key():
    endpoint, pair = ChatEndpoint("http://a/v1", "small"), PAIRS[0]
    keys = {
        request_key(endpoint, PROMPT, SCALE, pair),
        request_key(endpoint, PROMPT, SCALE, pair._replace(text="other")),
        request_key(endpoint, PROMPT, SCALE, pair._replace(repeat=1)),
        request_key(endpoint, PROMPT, SCALE[:3], pair),
        request_key(endpoint, PROMPTS["criteria"], SCALE, pair),
        request_key(ChatEndpoint("http://a/v1", "large"), PROMPT, SCALE, pair),
        request_key(ChatEndpoint("http://b/v1", "small"), PROMPT, SCALE, pair),
        request_key(ChatEndpoint("http://a/v1", "small", parameters={"temperature": 1}), PROMPT, SCALE, pair),
    }
    assert len(keys) == 8
    secret = ChatEndpoint("http://a/v1", "small", "secret")
    assert request_key(secret, PROMPT, SCALE, pair) == request_key(endpoint, PROMPT, SCALE, pair)


def test_an_invalid_concurrency_is_refused():
    with pytest.raises(ValueError, match="between 1 and 64"):
        ask(graded, concurrency=0)
