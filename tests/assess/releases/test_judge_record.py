"""A release has the record of a model judge, as it was when the gold was released."""

import json
from datetime import date

import pytest

from assess.releases.verify import verify_stored
from assess.transfer.judge_record import ModelRecord, change_record
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from tests.assess.releases.conftest import release, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_release_keeps_the_record(collection, judges, without_reports):
    import_judgements(collection, b"1 0 a 1\n", "gpt", options=JudgementOptions(judge_kind="model"))
    assert "record" not in text_of(release(collection, "before"), "release.json")
    record = ModelRecord("gpt-4o", "Is it?", "2", "temperature=0", date(2024, 8, 31))
    change_record(collection, "gpt", "model", "", record)
    stored = release(collection)
    members = json.loads(text_of(stored, "release.json"))["members"]
    assert {member["name"]: member.get("record") for member in members} == {
        "ada": None,
        "bob": None,
        "gpt": {
            "model": "gpt-4o",
            "prompt": "Is it?",
            "prompt_version": "2",
            "parameters": "temperature=0",
            "graded_on": "2024-08-31",
        },
    }
    sentence = "The judge gpt is a model: gpt-4o, prompt version 2, temperature=0, graded until 2024-08-31."
    assert sentence in text_of(stored, "paper/methods.md")
    change_record(collection, "gpt", "model", "", ModelRecord("gpt-5"))
    assert verify_stored(stored).problems == []
