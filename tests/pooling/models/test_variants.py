"""Variants of a prompt: the scale in the other order, paraphrases, what is refused, and how a server is asked."""

from dataclasses import replace

import pytest

from agreement.trust import robustness
from pooling.models import (
    PARAPHRASES,
    PROMPTS,
    ChatEndpoint,
    ChatJudge,
    Pair,
    Prompt,
    answers_frame,
    ask,
    checked_scale,
    prompt_variants,
)
from tests.pooling.models.servers import Server, completion

SCALE = checked_scale([(0, "Not relevant"), (1, "Related", "on the subject"), (2, "Relevant")])
DIRECT = PROMPTS["direct"]
VARIANTS = prompt_variants(DIRECT, PARAPHRASES["direct"])


def content(prompt):
    return [message.content for message in prompt.messages(SCALE, {"title": "tea"}, "Tea.")]


def test_only_the_lines_of_the_scale_change_their_order():
    own, other = content(DIRECT), content(VARIANTS["direct, scale reversed"])
    assert "0 = Not relevant\n1 = Related: on the subject\n2 = Relevant" in own[0]
    assert "2 = Relevant\n1 = Related: on the subject\n0 = Not relevant" in other[0]
    assert sorted("\n".join(own).splitlines()) == sorted("\n".join(other).splitlines())
    assert own[1] == other[1]


def test_the_reverse_of_the_reverse_is_the_prompt():
    back = list(prompt_variants(VARIANTS["direct, scale reversed"]).values())[1]
    assert (back.hash, content(back)) == (DIRECT.hash, content(DIRECT))


def test_names_and_hashes_differ():
    assert list(VARIANTS) == ["direct", "direct, scale reversed", "direct_2", "direct_3"]
    assert [prompt.name for prompt in VARIANTS.values()] == list(VARIANTS)
    assert len({prompt.hash for prompt in VARIANTS.values()}) == 4


@pytest.mark.parametrize(
    ("paraphrase", "message"),
    [
        (replace(DIRECT, system=""), "The fields of 'direct' must be those of 'direct', description, document, "),
        (replace(DIRECT, form="line"), "The form of 'direct' must be those of 'direct', json, not line"),
        (PROMPTS["criteria"], "The criteria of 'criteria' must be those of 'direct', none, not topicality, coverage"),
        (replace(DIRECT, user=DIRECT.user + "."), "Two prompts have the name 'direct'"),
        (replace(DIRECT, name="same"), "The prompts 'direct' and 'same' have the same text"),
    ],
)
def test_what_is_no_paraphrase_is_refused(paraphrase, message):
    with pytest.raises(ValueError, match=message):
        prompt_variants(DIRECT, [paraphrase])


def test_a_prompt_without_paraphrases_has_one_variant():
    assert list(prompt_variants(Prompt("mine", "", "{title} {document} {scale}"))) == ["mine", "mine, scale reversed"]


def test_each_variant_is_asked_with_the_same_schema_and_compared():
    """A model that names the first grade of the scale: it depends on the order, and on nothing else."""

    def first_grade(asked):
        system = asked.body["messages"][0]["content"]
        grade = next(line[0] for line in system.splitlines() if line[1:4] == " = ")
        return completion(f'{{"grade": {grade}}}')

    pairs = [Pair(f"{topic}", f"d{n}", {"title": "tea"}, "Tea.") for topic in range(3) for n in range(2)]
    with Server(first_grade) as server:
        endpoint = ChatEndpoint(f"{server.url}/v1", "judge")
        answers = {
            name: answers_frame(ask(ChatJudge(endpoint, prompt, SCALE), pairs, seed=1))
            for name, prompt in VARIANTS.items()
        }
        asked = [request.body for request in server.asked]
    enums = {str(body["response_format"]["json_schema"]["schema"]["properties"]["grade"]["enum"]) for body in asked}
    assert enums == {"[0, 1, 2]"}
    assert len(asked) == 24
    found = robustness(answers, (0, 1, 2)).frame.set_index("variant")
    assert found["changed"].to_dict() == {"direct, scale reversed": 1, "direct_2": 0, "direct_3": 0}
    assert found["difference"].tolist() == [2, 0, 0]


def test_a_variant_has_request_keys_of_its_own():
    pair = Pair("1", "d1", {"title": "tea"}, "Tea.")
    endpoint = ChatEndpoint("http://localhost:1/v1", "judge")
    assert len({ChatJudge(endpoint, prompt, SCALE).key(pair) for prompt in VARIANTS.values()}) == 4
