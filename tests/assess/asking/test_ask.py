"""Asking a model for the grades of a pool: the ledger, failures, budgets, repeats, and what is refused."""

import gzip
import hashlib
import json
from decimal import Decimal

import pytest
from django.apps import apps

from assess.analysis.reference import default_gold
from assess.asking.ask import WorkOptions, create_work, go_on, result_of, start_work
from assess.asking.judges import change_secret, delete_judge, open_judge, save_judge
from assess.asking.prompts import chosen_prompt, save_prompt
from assess.asking.rules import change_rules, confirm_host
from assess.asking.state import unanswered
from assess.asking.trial import start_trial
from assess.deletion import delete_collection
from assess.errors import Refused
from assess.hosts import allow_host, remove_host
from assess.judging.ledger.problems import ledger_problems
from assess.living.changed_texts import changed_texts
from assess.living.judge_again import judge_again
from assess.models import (
    Action,
    Assignment,
    AuditEvent,
    ImportedJudge,
    Job,
    JudgeKind,
    Judgement,
    JudgementEvent,
    Member,
    ModelAnswer,
    ModelJudge,
    State,
)
from assess.pools.building.undo import undo_pool
from assess.pools.tasks import pooled_tasks
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.exports import record_export
from pooling import Document
from tests.assess.asking.conftest import SECRET, asked_all, grade_of, judge_at, work
from tests.pooling.live.servers import Reply
from tests.pooling.models.servers import Server, completion, document_of, error, logprobs, umbrela

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.mark.in_ci
def test_every_pair_of_the_pool_gets_a_judgement_of_the_model(collection, server):
    order = asked_all(judge_at(collection, server))
    judgements = Judgement.objects.filter(member__name="gpt").select_related("task__document__content")
    assert len(judgements) == pooled_tasks(collection).count()
    assert all(each.relevance == grade_of(each.task.document.content.text) for each in judgements)
    assert order.finished_at
    assert order.stopped == ""
    assert len(server.asked) == len(judgements)
    assert {asked.headers["authorization"] for asked in server.asked} == {SECRET}
    assert not Assignment.objects.exists()


def test_the_ledger_has_the_record_of_each_answer(collection, server):
    judge = judge_at(collection, server)
    asked_all(judge)
    judge.refresh_from_db()
    event = JudgementEvent.objects.filter(member=judge.member).first()
    assert event.source == JudgementEvent.Source.MODEL
    row = ModelAnswer.objects.get(task=event.judgement.task)
    assert event.client_id.bytes == hashlib.sha256(row.record.encode()).digest()[:16]
    assert row.about["parameters"]["model"] == "judge"
    assert row.about["reported"]["model"] == "judge-2026-11-01"
    assert (row.input_tokens, row.output_tokens) == (300, 40)
    assert json.loads(row.original())["choices"][0]["message"]["content"] == row.about["text"]
    assert list(ledger_problems(collection)) == []


@pytest.mark.in_ci
def test_a_changed_record_or_raw_answer_is_found(collection, server):
    judge = judge_at(collection, server)
    asked_all(judge)
    judge.refresh_from_db()
    first, second = ModelAnswer.objects.order_by("pk")[:2]
    ModelAnswer.objects.filter(pk=first.pk).update(record=first.record.replace("judge", "other"))
    ModelAnswer.objects.filter(pk=second.pk).update(body=gzip.compress(b"{}"))
    problems = list(ledger_problems(collection))
    assert len(problems) == 2
    assert "is not the one in the ledger" in problems[0]
    assert "differs from its checksum" in problems[1]


def test_the_record_of_the_judge_says_what_it_is(collection, server):
    asked_all(judge_at(collection, server))
    record = ImportedJudge.objects.get(member__name="gpt")
    assert record.kind == JudgeKind.MODEL
    assert record.model == "judge-2026-11-01"
    assert record.prompt_version.startswith("direct 1 ")
    assert "temperature 0" in record.parameters
    assert record.graded_on is not None


def test_probabilities_become_the_confidence_of_the_label(collection):
    def sure(asked):
        return completion('{"grade": 2}', logprobs=logprobs(2, {2: 0.7, 1: 0.2, 0: 0.1}))

    with Server(sure) as server:
        asked_all(judge_at(collection, server))
    assert {round(each.label_confidence, 6) for each in Judgement.objects.all()} == {0.7}


@pytest.mark.in_ci
def test_an_unreadable_answer_is_cannot_judge_and_can_be_asked_for_again(collection):
    def sometimes(asked):
        if "of b" in document_of(asked):
            return completion("I would say \ud800 2\0")
        return completion('{"grade": 1}')

    with Server(sometimes) as server:
        judge = judge_at(collection, server)
        asked_all(judge)
        cannot = Judgement.objects.get(state=State.CANNOT_JUDGE)
        assert cannot.comment.startswith("no_grade: ")
        assert result_of(judge.work.get()).cannot_judge == 1
        server.answer_with(lambda _: completion('{"grade": 1}'))
        before = len(server.asked)
        asked_all(judge, ask_failed_again=True)
        assert len(server.asked) == before + 1
    cannot.refresh_from_db()
    assert (cannot.state, cannot.relevance, cannot.version) == (State.JUDGED, 1, 2)
    assert ModelAnswer.objects.filter(task=cannot.task).count() == 2
    assert list(ledger_problems(collection)) == []


@pytest.mark.in_ci
def test_a_failure_of_the_server_is_no_judgement_and_is_asked_for_again(collection, monkeypatch):
    monkeypatch.setattr("pooling.models.chat.LIMITS", _quick())

    def down(asked):
        return error(400, "no such field") if "of b" in document_of(asked) else completion('{"grade": 1}')

    with Server(down) as server:
        judge = judge_at(collection, server)
        order = asked_all(judge)
        assert order.finished_at is None
        assert order.stopped == "1 request had no usable answer. Continue to ask again."
        assert Judgement.objects.filter(state=State.CANNOT_JUDGE).count() == 0
        server.answer_with(lambda _: completion('{"grade": 1}'))
        go_on(order)
        work()
    order.refresh_from_db()
    assert order.finished_at
    assert Judgement.objects.count() == pooled_tasks(collection).count()


def _quick():
    from pooling.outgoing import Limits

    return Limits(seconds=5, attempts=2)


def test_quota_ends_the_work_and_says_so(collection):
    def no_money(_):
        return error(429, "You exceeded your quota.", code="insufficient_quota")

    with Server(no_money) as server:
        order = asked_all(judge_at(collection, server), concurrency=1)
        assert len(server.asked) <= 2
    assert "quota" in order.stopped
    assert not Judgement.objects.exists()


def test_a_budget_stops_the_work_and_a_larger_one_continues_it(collection, server):
    judge = judge_at(collection, server, max_tokens=50)
    order = asked_all(judge, most_cost=0.003, price_input=1.0, price_output=10.0, concurrency=1)
    spent = result_of(order)
    assert "budget" in order.stopped
    assert 0 < spent.grades < spent.pairs
    assert spent.cost <= 0.003
    assert Decimal(str(round(spent.cost, 6))) == Decimal(spent.grades * (300 + 400)) / 1_000_000
    go_on(order, most_cost=1.0)
    work()
    order.refresh_from_db()
    assert order.finished_at
    assert len(server.asked) == spent.pairs


def test_a_trial_is_paid_for_once(collection, server):
    judge = judge_at(collection, server)
    start_trial(judge, WorkOptions(price_input=1.0, price_output=2.0))
    work()
    tried = Job.objects.get(kind="try_model").result
    assert len(tried["documents"]) == len(server.asked) == 3
    assert tried["documents"][0]["messages"][0]["role"] == "system"
    assert "Estimated from 3 answers" in tried["summary"]
    assert not Judgement.objects.exists()
    order = asked_all(judge)
    assert len(server.asked) == order.pairs
    assert result_of(order).tokens == 340 * order.pairs


def test_a_trial_of_former_settings_is_forgotten(collection, server):
    judge = judge_at(collection, server)
    start_trial(judge, WorkOptions())
    work()
    judge_at(collection, server, temperature=1.0)
    assert not ModelAnswer.objects.exists()


def test_a_repeat_asks_for_the_same_sample_and_adds_no_judgement(collection, server):
    judge = judge_at(collection, server)
    asked_all(judge)
    judgements = Judgement.objects.count()
    first, second = asked_all(judge, sample=3), asked_all(judge, sample=3)
    assert (first.repeat, second.repeat) == (1, 2)
    tasks = [set(order.answers.values_list("task", flat=True)) for order in (first, second)]
    assert len(tasks[0]) == 3
    assert tasks[0] == tasks[1]
    assert Judgement.objects.count() == judgements
    assert first.finished_at


@pytest.mark.in_ci
def test_a_document_with_a_new_text_is_asked_for_again(collection, server):
    judge = judge_at(collection, server)
    asked_all(judge)
    asked = len(server.asked)
    new = Document("b", "Title b", "Another text of d.", {}, 0)
    import_documents(collection, [new], DocumentOptions(replace=True))
    result = judge_again(collection)
    assert result.notes == ["gpt can be asked again for 1 document."]
    assert unanswered(judge) == 1
    asked_all(judge)
    assert len(server.asked) == asked + 1
    assert "Another text of d." in server.asked[-1].body["messages"][1]["content"]
    judgement = Judgement.objects.get(member__name="gpt", task__document__doc_id="b")
    assert (judgement.relevance, judgement.version) == (grade_of("d"), 2)
    assert changed_texts(collection).changes == []
    assert list(ledger_problems(collection)) == []


def test_examples_are_never_asked_for(collection, server):
    judge_at(collection, server)
    prompt = chosen_prompt(collection, "few_shot")
    settings = {"address": f"{server.url}/v1", "model": "judge"}
    judge = save_judge(collection, "shots", "chat", settings, prompt, secret=SECRET, examples=[("1", "a", 3)])
    asked_all(judge)
    assert not Judgement.objects.filter(task__topic__query_id="1", task__document__doc_id="a").exists()
    assert "Text of a." in server.asked[0].body["messages"][1]["content"]


def test_umbrela_is_asked_and_its_silent_zeros_are_cannot_judge(collection):
    with Server(umbrela) as server:
        allow_host(server.url.removeprefix("http://"))
        judge = save_judge(collection, "umbrela", "umbrela", {"address": server.url})
        confirm_host(judge)
        asked_all(judge)
    assert set(Judgement.objects.values_list("relevance", flat=True)) == {2}


def test_nothing_of_a_run_is_sent(collection, server):
    asked_all(judge_at(collection, server))
    sent = json.dumps([asked.body for asked in server.asked])
    assert not any(run.system in sent for run in collection.runs.all())
    assert "rank" not in sent


def test_models_never_enter_the_default_gold_beside_people(collection, server):
    from assess.transfer.judgement_options import JudgementOptions
    from assess.transfer.judgements import import_judgements

    asked_all(judge_at(collection, server))
    assert default_gold(collection) == "judge:gpt"
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n", "ada", options=JudgementOptions(judge_kind="human"))
    assert default_gold(collection) == "judge:ada"


class TestRefused:
    def test_an_unconfirmed_host(self, collection, server):
        allow_host(server.url.removeprefix("http://"))
        settings = {"address": f"{server.url}/v1", "model": "judge"}
        judge = save_judge(collection, "gpt", "chat", settings, chosen_prompt(collection, "direct"))
        with pytest.raises(Refused, match="An owner must confirm first that documents of food may be sent to http://"):
            create_work(judge, WorkOptions())
        assert server.asked == []

    def test_a_host_that_the_site_does_not_allow(self, collection, server):
        settings = {"address": f"{server.url}/v1", "model": "judge"}
        with pytest.raises(Refused, match="is not allowed"):
            save_judge(collection, "gpt", "chat", settings, chosen_prompt(collection, "direct"))
        judge = judge_at(collection, server)
        remove_host(server.url.removeprefix("http://"))
        order = asked_all(judge)
        assert "is not allowed" in Job.objects.get().error
        assert order.finished_at is None
        assert server.asked == []

    def test_documents_that_must_stay(self, collection, server):
        judge = judge_at(collection, server)
        change_rules(collection, keep_documents=True)
        with pytest.raises(Refused, match="must not be sent to a model"):
            create_work(judge, WorkOptions())

    def test_a_rule_that_changes_while_the_job_waits(self, collection, server):
        start_work(judge_at(collection, server), WorkOptions())
        change_rules(collection, keep_documents=True)
        work()
        assert "must not be sent" in Job.objects.get().error
        assert server.asked == []

    def test_a_judge_that_has_judged_does_not_change(self, collection, server):
        judge = judge_at(collection, server)
        asked_all(judge)
        with pytest.raises(Refused, match="has judged, so it does not change"):
            judge_at(collection, server, temperature=1.0)
        judge.refresh_from_db()
        with pytest.raises(Refused, match="Withdraw the judge"):
            delete_judge(judge)

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            ({"concurrency": 0}, "The concurrency must be between 1 and 32, not 0."),
            ({"per_second": 1000}, "The requests in a second must be between 0.01 and 100.0, not 1000."),
            ({"most_cost": 5, "price_input": 1}, "A budget of money needs both prices"),
            ({"most_cost": float("nan"), "price_input": 1, "price_output": 1}, "The budget of cost must be a number"),
            ({"most_tokens": 10**20}, "The budget in tokens must be between 1 and"),
            ({"price_input": -1}, "The price of input must be a number from 0"),
            ({"sample": 0}, "The sample must be between 1 and 10,000, not 0."),
            ({"seed": -1}, "The seed must be between 0"),
        ],
    )
    def test_options(self, collection, server, options, sentence):
        with pytest.raises(Refused) as refusal:
            create_work(judge_at(collection, server), WorkOptions(**options))
        assert sentence in str(refusal.value)

    @pytest.mark.parametrize(
        ("values", "sentence"),
        [
            ({"kind": "x"}, "The kind of a judge must be one of chat, umbrela, function, offline, not 'x'."),
            ({"name": ""}, "The name of a judge must have 1 to 80"),
            ({"name": "a\nb"}, "The name of a judge must have 1 to 80"),
            ({"settings": {"model": "m"}}, "must begin with http"),
            (
                {"settings": {"stream": True}},
                "The setting 'stream' is unknown; allowed are address, model",
            ),
            ({"kind": "offline", "settings": {"a": 1}}, "The setting 'a' is unknown; allowed are none."),
            ({"settings": {"address": "file:///etc/passwd", "model": "m"}}, "must begin with http"),
            ({"settings": {"address": "http://x.example/v1", "model": "m", "temperature": 9}}, "temperature must be"),
            ({"settings": {"address": "http://x.example/v1?api_key=1", "model": "m"}}, "secret"),
            ({"prompt": None}, "needs a prompt"),
            ({"examples": [("1", "a", 1)]}, "has no field {examples}"),
        ],
    )
    def test_settings(self, collection, values, sentence):
        given = {"name": "gpt", "kind": "chat", "settings": {"address": "http://x.example/v1", "model": "m"}}
        given |= {"prompt": chosen_prompt(collection, "direct")} | values
        name, kind, settings, prompt = (given.pop(key) for key in ("name", "kind", "settings", "prompt"))
        with pytest.raises(Refused) as refusal:
            save_judge(collection, name, kind, settings, prompt, **given)
        assert sentence in str(refusal.value)
        assert not ModelJudge.objects.exists()

    def test_a_name_that_a_judge_has(self, collection, server):
        Member.objects.create(collection=collection, role="assessor", name="gpt")
        with pytest.raises(Refused, match="has a judge gpt already"):
            judge_at(collection, server)

    def test_a_prompt_with_a_rank(self, collection):
        with pytest.raises(Refused, match=r"unknown field \{rank\}"):
            save_prompt(collection, "own", "", "{title} {rank} {document}")


def test_versions_of_a_prompt_are_kept(collection):
    first = save_prompt(collection, "own", "", "{title} {document}")
    assert save_prompt(collection, "own", "", "{title} {document}") == first
    second = save_prompt(collection, "own", "", "{title} {document} {scale}")
    assert (first.version, second.version) == (1, 2)
    assert first.hash != second.hash


def test_a_second_judge_reads_the_scale_in_the_other_order(collection, server):
    first = judge_at(collection, server)
    text = first.prompt
    reversed_prompt = save_prompt(collection, "reversed", text.system, text.user, scale_order="descending")
    assert reversed_prompt.hash != text.hash
    second = save_judge(collection, "gpt-reversed", "chat", first.settings, reversed_prompt, secret=SECRET)
    for judge in (first, second):
        asked_all(judge)
        judge.refresh_from_db()
    systems = ["".join(part["content"] for part in each.body["messages"]) for each in server.asked]
    assert sum(each.index("3 = Perfect") < each.index("0 = Not relevant") for each in systems) == len(systems) / 2
    records = [judge.member.imported_judge.parameters for judge in (first, second)]
    assert ["scale_order descending" in each for each in records] == [False, True]
    with pytest.raises(Refused, match="must be 'ascending' or 'descending', not 'random'"):
        save_prompt(collection, "own", "", "{title} {document}", scale_order="random")


def test_the_secret_is_in_no_table_and_in_no_job(collection, server):
    judge = judge_at(collection, server)
    asked_all(judge)
    rows = [str(row) for model in apps.get_models() for row in model.objects.values()]
    assert not any("very-secret" in row for row in rows)
    assert open_judge(judge).endpoint.secret == SECRET


def test_a_secret_is_not_sent_to_another_host(collection, server):
    judge_at(collection, server)
    with Server(lambda _: Reply({})) as other:
        allow_host(other.url.removeprefix("http://"))
        settings = {"address": f"{other.url}/v1", "model": "judge"}
        with pytest.raises(Refused, match="Enter the secret again"):
            save_judge(collection, "gpt", "chat", settings, chosen_prompt(collection, "direct"))


def test_a_judge_saved_before_the_name_of_the_limit_was_a_setting_opens(collection, server):
    judge = judge_at(collection, server)
    assert judge.settings.pop("token_limit") == "auto"
    judge.save()
    assert open_judge(judge).endpoint.token_limit == "auto"
    asked_all(judge)
    judge.refresh_from_db()
    assert "token_limit" not in judge.member.imported_judge.parameters


def test_a_secret_can_be_replaced_after_the_judge_has_judged(collection, server):
    judge = judge_at(collection, server)
    asked_all(judge)
    change_secret(judge, "Bearer other")
    assert open_judge(judge).endpoint.secret == "Bearer other"


def test_what_is_done_is_in_the_audit_log(collection, server):
    asked_all(judge_at(collection, server))
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {Action.PROMPT_SAVED, Action.MODEL_SAVED, Action.HOST_CONFIRMED, Action.MODEL_ASKED} <= actions


def test_a_collection_with_a_model_judge_can_be_deleted(collection, server):
    judge = judge_at(collection, server)
    asked_all(judge)
    change_rules(collection, show_early=True)
    record_export(collection, "judgements")
    delete_collection(collection.slug, collection.slug)
    assert not ModelAnswer.objects.exists()
    assert not ModelJudge.objects.exists()


def test_a_pool_with_answers_of_a_trial_can_be_undone(collection, server):
    start_trial(judge_at(collection, server), WorkOptions())
    work()
    undo_pool(collection)
    assert not ModelAnswer.objects.exists()
