"""assay ask_model: a trial, the work with its budget, batch files, functions, the offline judge, and refusals."""

import json

import pytest
from django.core.management import CommandError, call_command

from assess.hosts import allow_host
from assess.models import Judgement, ModelAnswer, ModelJudge, State
from assess.pools.tasks import pooled_tasks
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.assess.asking.conftest import grade_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def ask(collection, capsys):
    def run(*arguments: str) -> str:
        call_command("ask_model", "--collection", collection.slug, *arguments)
        return capsys.readouterr().out

    return run


@pytest.fixture
def address(server) -> str:
    allow_host(server.url.removeprefix("http://"))
    return f"{server.url}/v1"


def test_a_trial_and_the_work(ask, address, server, monkeypatch, collection):
    monkeypatch.setenv("ASSAY_MODEL_SECRET", "Bearer very-secret")
    tried = ask("--judge", "gpt", "--address", address, "--model", "judge", "--confirm", "--try", "--price-input", "1")
    assert "[system] You judge documents" in tried
    assert "Estimated from 3 answers" in tried
    assert "very-secret" not in tried
    done = ask("--judge", "gpt", "--price-input", "1", "--price-output", "10")
    pairs = pooled_tasks(collection).count()
    assert f"gpt: {pairs} grades for {pairs} documents" in done
    assert f"{340 * pairs:,} tokens, {pairs * 700 / 1e6:.4f} in the currency" in done
    assert len(server.asked) == pairs


def test_a_budget_stops_and_the_next_call_goes_on(ask, address, server, collection):
    judge = ("--judge", "gpt", "--address", address, "--model", "m", "--parameter", "max_tokens=50", "--confirm")
    stopped = ask(*judge, "--most-tokens", "2000", "--concurrency", "1")
    assert "The budget does not allow another request." in stopped
    assert "0 documents" not in stopped
    done = ask("--judge", "gpt", "--most-tokens", "200000")
    assert "budget" not in done
    assert Judgement.objects.count() == len(server.asked) == pooled_tasks(collection).count()


def test_the_limit_is_sent_under_the_name_of_the_parameter(ask, address, server):
    limit = ("--parameter", "max_tokens=50", "--parameter", "token_limit=max_tokens")
    ask("--judge", "gpt", "--address", address, "--model", "m", *limit, "--confirm", "--try")
    assert {(each.body["max_tokens"], each.body.get("max_completion_tokens")) for each in server.asked} == {(50, None)}


def test_batch_files_are_written_and_their_answers_read(ask, address, server, tmp_path, collection):
    judge = ("--judge", "gpt", "--address", address, "--model", "m", "--confirm")
    written = ask(*judge, "--write-batch", str(tmp_path))
    assert written.split() == [str(tmp_path / "batch-1.jsonl")]
    requests = [json.loads(line) for line in (tmp_path / "batch-1.jsonl").read_text().splitlines()]
    answers = [_answered(request) for request in reversed(requests)]
    (tmp_path / "answers.jsonl").write_text("\n".join(answers[1:]))
    read = ask("--judge", "gpt", "--read-batch", str(tmp_path / "answers.jsonl"))
    assert f"Saved {len(answers) - 1} answers. Without an answer: 1 pair." in read
    (tmp_path / "all.jsonl").write_text("\n".join(answers))
    read = ask("--judge", "gpt", "--read-batch", str(tmp_path / "all.jsonl"))
    assert f"Saved 1 answer. Saved before: {len(answers) - 1}." in read
    assert Judgement.objects.filter(state=State.JUDGED).count() == pooled_tasks(collection).count()
    assert server.asked == []


def _answered(request) -> str:
    text = json.dumps({"grade": 2})
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    body = {"model": "m-1", "choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    response = {"status_code": 200, "request_id": "r", "body": body}
    return json.dumps({"custom_id": request["custom_id"], "response": response, "error": None})


def test_a_function_judges(ask, tmp_path, monkeypatch):
    (tmp_path / "own_judge.py").write_text("def grade(topic, text):\n    return (ord(text.strip('.')[-1]) - 97) % 4\n")
    monkeypatch.chdir(tmp_path)
    ask("--judge", "own", "--function", "own_judge:grade")
    judgements = Judgement.objects.select_related("task__document__content")
    assert all(each.relevance == grade_of(each.task.document.content.text) for each in judgements)
    assert len(judgements)


def test_the_offline_judge_needs_people_and_then_judges(ask, collection):
    with pytest.raises(CommandError, match="No person has judged in food yet"):
        ask("--judge", "words", "--offline")
    lines = "".join(f"{task.topic.query_id} 0 {task.document.doc_id} 1\n" for task in pooled_tasks(collection))
    import_judgements(collection, lines.encode(), "ada", options=JudgementOptions(judge_kind="human"))
    assert "words: " in ask("--judge", "words")
    assert Judgement.objects.filter(member__name="words").count() == pooled_tasks(collection).count()
    about = ModelAnswer.objects.first().about["parameters"]
    assert about["people"] == "judge:ada"
    assert "No language model" in about["about"]


@pytest.mark.in_ci
def test_a_repeat_is_asked(ask, address, server, collection):
    ask("--judge", "gpt", "--address", address, "--model", "m", "--confirm")
    before = len(server.asked)
    ask("--judge", "gpt", "--repeat", "2")
    assert len(server.asked) == before + 2
    assert ModelAnswer.objects.filter(repeat=1).count() == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--judge", "gpt"), "A new judge needs one of --address"),
        (("--judge", "gpt", "--offline", "--function", "a:b"), "A new judge needs one of --address"),
        (("--judge", "gpt", "--function", "nowhere:f"), "The function 'nowhere:f' cannot be used"),
        (("--judge", "gpt", "--address", "http://h.example/v1", "--parameter", "x"), "is written as NAME=VALUE"),
        (("--judge", "gpt", "--address", "http://h.example/v1", "--model", "m"), "is not allowed"),
        (("--judge", "g", "--address", "http://h.example/v1", "--prompt", "x"), "The prompt 'x' is unknown"),
        (("--judge", "g", "--offline", "--example", "1", "a", "x"), "must be a whole number, not 'x'"),
    ],
)
def test_what_is_refused(ask, arguments, sentence):
    with pytest.raises(CommandError) as refusal:
        ask(*arguments)
    assert sentence in str(refusal.value)
    assert not Judgement.objects.exists()


def test_a_function_that_is_missing_leaves_no_judge(ask):
    with pytest.raises(CommandError, match="cannot be used"):
        ask("--judge", "own", "--function", "nowhere:f", "--try")
    assert not ModelJudge.objects.exists()


def test_an_unconfirmed_address_is_asked_for_nothing(ask, address, server):
    with pytest.raises(CommandError, match="An owner must confirm first"):
        ask("--judge", "gpt", "--address", address, "--model", "m")
    assert server.asked == []
    assert ModelJudge.objects.count() == 1
