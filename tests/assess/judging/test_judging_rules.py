"""The rules of judging can be changed while people judge, with change_rules and with the command."""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from assess.collections.scale import set_scale
from assess.errors import Refused
from assess.judging import rules as judging_rules
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.judging.rules import change_rules, describe_rules
from assess.models import Assignment, Collection, Member, Task
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.assign import assign
from tests.assess.command_output import output_of, refusal, tables

HERE = ("--collection", "small")
# Every rule that only sets a column, and the order: a new value, the option of the command, the displayed text.
OTHERS = {
    "claim_minutes": (45, ["--claim-minutes=45"], "45"),
    "repeat_share": (0.125, ["--repeats=0.125"], "0.125"),
    "min_visible_ms": (0, ["--min-visible-ms=0"], "0"),
    "hide_doc_ids": (True, ["--hide-doc-ids=on"], "on"),
    "snippet_first": (True, ["--snippet-first=on"], "on"),
    "ask_confidence": (True, ["--confidence=on"], "on"),
    "passages": ("required", ["--passages=required"], "required: required for relevant documents"),
    "ask_at_topic_end": (False, ["--exit-question=off"], "off"),
    "continuous": (True, ["--continuous=on"], "on"),
    "ask_marginal": (True, ["--ask-marginal=on"], "on"),
    "near_duplicates": ("together", ["--near-duplicates=together"], "together: one after the other"),
    "order": ("fixed", ["--order=fixed"], "fixed: by document id, the same for everyone"),
}


def stored(collection, name):
    return getattr(Collection.objects.get(pk=collection.pk), name)


def changed(collection, **rules) -> list[str]:
    return [rule.name for rule in change_rules(collection, **rules).rules]


def test_every_rule_except_claiming_has_an_example():
    assert set(OTHERS) | {"judges_per_task"} == set(judging_rules.NAMES)


@pytest.mark.parametrize("name", OTHERS)
def test_rule_is_changed_alone_and_reported(collection, name):
    before = {other: stored(collection, other) for other in judging_rules.NAMES}
    value = OTHERS[name][0]
    assert changed(collection, **{name: value}) == [name]
    after = {other: stored(collection, other) for other in judging_rules.NAMES}
    assert after == before | {name: value}
    assert getattr(collection, name) == value, "the given object has the new value"
    assert changed(collection, **{name: value}) == []


@pytest.mark.parametrize("name", OTHERS)
def test_command_changes_a_rule_and_lists_all(collection, name):
    value, options, shown = OTHERS[name]
    lines = output_of("set_judging", *HERE, *options)
    assert stored(collection, name) == value
    option = options[0].removeprefix("--").split("=")[0]
    starred = [line.split(maxsplit=2) for line in lines[:-1] if line.startswith("*")]
    assert starred == [["*", option, shown]]
    assert lines[-1] == "* changed now"
    assert len(lines) == len(judging_rules.RULES) + 2  # with that on suggestions, and what the star means


def test_command_without_a_rule_lists_all_and_changes_nothing(collection):
    before = tables()
    lines = output_of("set_judging", *HERE)
    assert [line.split()[0] for line in lines] == [*(rule.option for rule in judging_rules.RULES), "suggestions"]
    assert "order            shuffled: shuffled for each assessor" in lines[0]
    assert lines[1].split(maxsplit=1)[1] == "assigned beforehand"
    assert tables() == before


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"claim_minutes": 0}, "Minutes until a claim expires: must be a whole number between 1 and 1,440, not 0."),
        (
            {"claim_minutes": 1441},
            "Minutes until a claim expires: must be a whole number between 1 and 1,440, not 1441.",
        ),
        (
            {"claim_minutes": None},
            "Minutes until a claim expires: must be a whole number between 1 and 1,440, not None.",
        ),
        (
            {"repeat_share": 1.01},
            "Hidden repeats: share of documents judged twice: must be a number between 0 and 1, not 1.01.",
        ),
        (
            {"repeat_share": -0.1},
            "Hidden repeats: share of documents judged twice: must be a number between 0 and 1, not -0.1.",
        ),
        (
            {"repeat_share": float("nan")},
            "Hidden repeats: share of documents judged twice: must be a number between 0 and 1, not nan.",
        ),
        (
            {"min_visible_ms": 5001},
            "Milliseconds that a document must be visible before a key counts: must be a whole number between 0 "
            "and 5,000, not 5001.",
        ),
        (
            {"min_visible_ms": -1},
            "Milliseconds that a document must be visible before a key counts: must be a whole number between 0 "
            "and 5,000, not -1.",
        ),
        (
            {"judges_per_task": 0},
            "Open claiming: judges per task: must be a whole number between 1 and 100, or empty, not 0.",
        ),
        ({"judges_per_task": 101}, "Open claiming: judges per task: must be a whole number between 1 and 100, or "),
        (
            {"passages": "maybe"},
            "Passage that decided the judgement: must be one of off, optional, required, not maybe.",
        ),
        ({"order": "rank"}, "Order of the documents: must be one of shuffled, fixed, adaptive, not rank."),
        ({"order": "adaptive"}, "An adaptive order needs a strategy"),
        ({"hide_doc_ids": "perhaps"}, "Hide doc_ids from assessors: must be on or off, not perhaps."),
        ({"scale": "0-3"}, "Unknown rule 'scale'; the rules are order, judges_per_task, claim_minutes"),
    ],
)
def test_invalid_rule_is_refused_and_nothing_is_changed(collection, rules, sentence):
    before = tables()
    with pytest.raises(Refused) as refused:
        change_rules(collection, **{"ask_confidence": True, **rules})
    assert str(refused.value).startswith(sentence)
    assert tables() == before


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--order=adaptive"], "argument --order: invalid choice: 'adaptive'"),
        (["--confidence=yes"], "argument --confidence: 'yes' must be on or off"),
        (["--repeats=some"], "argument --repeats: invalid float value: 'some'"),
        (["--judges-per-task=two"], "argument --judges-per-task: invalid int value: 'two'"),
    ],
)
def test_invalid_option_value_is_refused(collection, options, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("set_judging", *HERE, *options)


def test_command_prints_a_refusal(collection):
    assert refusal("set_judging", *HERE, "--repeats=2", "--confidence=on") == (
        "Hidden repeats: share of documents judged twice: must be a number between 0 and 1, not 2.0."
    )


def test_command_opens_and_closes_the_pool(collection):
    assert output_of("set_judging", *HERE, "--judges-per-task=2")[1].split() == ["*", "judges-per-task", "2"]
    assert stored(collection, "judges_per_task") == 2
    assert set(Task.objects.values_list("wanted", flat=True)) == {2}
    assert describe_rules(stored_collection(collection)).startswith(
        "Open to claims: any assessor can claim a document until it has 2 judges. They appear"
    )
    output_of("set_judging", *HERE, "--judges-per-task=1")
    assert set(Task.objects.values_list("wanted", flat=True)) == {1}
    output_of("set_judging", *HERE, "--assigned-only")
    assert stored(collection, "judges_per_task") is None
    assert set(Task.objects.values_list("wanted", flat=True)) == {0}


def test_effect_of_opening_on_assignments_is_reported(collection, join):
    for name in ("ada", "ben"):
        join(collection, name)
    assign(collection, judges=2)
    tasks = list(Task.objects.order_by("pk"))
    by_both = Member.objects.filter(role="assessor")
    record_imported(
        [ImportedJudgement(member, tasks[0].pk, 0, JudgementInput("judged", 1), timezone.now()) for member in by_both]
    )
    open_work = 2 * len(tasks) - 2
    assert change_rules(collection, judges_per_task=1).notes == [
        f"{open_work} assigned documents are now claims.",
        f"{len(tasks)} tasks already have more judges and keep them.",
    ]
    lines = output_of("set_judging", *HERE, "--assigned-only")
    assert lines[-2:] == ["* changed now", f"{open_work} claims stay with their assessors."]


def stored_collection(collection):
    return Collection.objects.get(pk=collection.pk)


def test_rules_change_while_people_judge_and_the_scale_does_not(collection, join):
    join(collection, "ada")
    assign(collection, judges=1)
    assignment = Assignment.objects.select_related("member").first()
    record_imported(
        [ImportedJudgement(assignment.member, assignment.task_id, 0, JudgementInput("judged", 1), timezone.now())]
    )
    new = {name: value for name, (value, *_) in OTHERS.items()}
    assert set(changed(collection, **new)) == set(OTHERS)
    with pytest.raises(Refused, match="The scale of small is frozen"):
        set_scale(collection, ("0=No", "1=Some", "2=All"))


def test_other_order_ends_the_adaptive_order(collection):
    begin_adaptive_order(collection, "move_to_front")
    assert collection.order == "adaptive"
    assert changed(collection, order="adaptive") == [], "it is adaptive already"
    change_rules(collection, order="fixed")
    assert (collection.order, stored(collection, "order")) == ("fixed", "fixed")
    assert not collection.topics.filter(adaptive_order__isnull=False).exists()


def test_collection_is_created_with_its_rules(db):
    output_of(
        *("create_collection", "news", "--owner", "olga", "--judges-per-task=3", "--passages=optional"),
        *("--hide-doc-ids=on", "--repeats=0.1"),
    )
    created = Collection.objects.get()
    rules = (created.judges_per_task, created.passages, created.hide_doc_ids, created.repeat_share)
    assert rules == (3, "optional", True, 0.1)


def test_collection_with_an_invalid_rule_is_not_created(db):
    sentence = refusal("create_collection", "news", "--owner", "olga", "--claim-minutes=0")
    assert sentence == "Minutes until a claim expires: must be a whole number between 1 and 1,440, not 0."


def test_guidelines_are_published_from_a_file(collection, tmp_path):
    path = tmp_path / "guidelines.md"
    path.write_text("\ufeff# Read\n\nThe *whole* document.\n", encoding="utf-8")
    assert output_of("set_guidelines", *HERE, path) == [
        "Published version 1 for small. Pages opened from now on show it."
    ]
    assert output_of("set_guidelines", *HERE, path) == [
        "Version 1 of small already has this text; nothing was changed."
    ]
    path.write_text("# Read twice", encoding="utf-8")
    assert output_of("set_guidelines", *HERE, path) == [
        "Published version 2 for small. Pages opened from now on show it."
    ]
    assert list(collection.guidelines.values_list("version", "text")) == [
        (1, "# Read\n\nThe *whole* document."),
        (2, "# Read twice"),
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b" \n", "The guidelines are empty."),
        (b"a\0b", "The guidelines contain a NUL character."),
        (b"%PDF \xff", "{path} is not a UTF-8 text file."),
        (b"x" * 20_001, "The guidelines have 20,001 characters without embedded images; at most 20,000 are allowed."),
    ],
)
def test_invalid_guidelines_file_is_refused(collection, tmp_path, content, sentence):
    path = tmp_path / "guidelines.md"
    path.write_bytes(content)
    assert refusal("set_guidelines", *HERE, path) == sentence.format(path=path)
    assert refusal("set_guidelines", *HERE, tmp_path / "none") == (
        f"{tmp_path / 'none'}: No such file or directory; nothing was changed."
    )
