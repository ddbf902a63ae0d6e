"""An owner chooses the model that makes suggestions: who may, which model, and where it is listed."""

import pytest
from django.urls import reverse

from assess.collections.archive import archive_collection
from assess.errors import Refused
from assess.judging.rules import rules_with_values
from assess.models import AuditEvent, ImportedJudge, Member, Role
from assess.suggestions.choice import models_with_grades, set_suggestions, suggesting_name
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.transfer.withdrawal import withdraw_judge
from tests.assess.command_output import output_of, refusal
from tests.assess.suggestions.suggesting import suggesting_collection
from tests.html import compact

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return suggesting_collection(is_on=False)


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


def settings(collection):
    return reverse("research:settings", args=[collection.slug])


def address(collection):
    return reverse("research:change_suggestions", args=[collection.slug])


def test_they_are_off_until_an_owner_chooses_a_model(collection, owner):
    assert suggesting_name(collection) == ""
    assert set_suggestions(collection, "model-a", owner.user) is True
    assert set_suggestions(collection, "model-a", owner.user) is False
    assert suggesting_name(collection) == "model-a"
    assert set_suggestions(collection, "", owner.user) is True
    assert suggesting_name(collection) == ""
    events = AuditEvent.objects.filter(action="suggestions_changed").order_by("pk")
    assert [(event.actor, event.details) for event in events] == [
        (owner.user, {"from": "off", "to": "model-a"}),
        (owner.user, {"from": "model-a", "to": "off"}),
    ]


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.INSTRUCTOR, Role.ASSESSOR])
def test_only_owners_choose(collection, join, role):
    member = join(collection, "rita", role)
    with pytest.raises(Refused, match="Only an owner of small can turn suggestions on or off"):
        set_suggestions(collection, "model-a", member.user)
    assert suggesting_name(collection) == ""


def test_only_a_model_with_grades_can_be_chosen(collection, join):
    join(collection, "ada")
    import_judgements(collection, b"1 0 a 1\n", "crowd", options=JudgementOptions(judge_kind="crowd"))
    empty = Member.objects.create(collection=collection, name="empty", role=Role.ASSESSOR)
    ImportedJudge.objects.create(member=empty, kind="model")
    for name in ("ada", "crowd", "nobody"):
        with pytest.raises(Refused) as refused:
            set_suggestions(collection, name)
        assert str(refused.value) == f"Suggestions come from a model with grades in small (model-a), not from '{name}'."
    with pytest.raises(Refused, match="The model 'empty' has no grades in small, so it cannot make suggestions"):
        set_suggestions(collection, "empty")
    assert [each.name for each in models_with_grades(collection)] == ["model-a"]


def test_archived_collection_stays_as_it_is(collection):
    archive_collection(collection)
    with pytest.raises(Refused, match="is archived and cannot be changed"):
        set_suggestions(collection, "model-a")


def test_withdrawn_or_deleted_model_makes_none(collection):
    set_suggestions(collection, "model-a")
    withdraw_judge(collection, "model-a")
    assert suggesting_name(collection) == ""
    set_suggestions(collection, "")
    assert suggesting_name(collection) == ""


def test_rules_list_the_model(collection):
    rule, value = rules_with_values(collection)[-1]
    assert (rule.option, value) == ("suggestions", "off")
    set_suggestions(collection, "model-a")
    assert rules_with_values(collection)[-1][1] == "model-a"


def test_command_turns_them_on_and_off(collection):
    options = ("set_judging", "--collection", "small")
    assert output_of(*options, "--suggestions", "model-a")[-2:] == ["* suggestions      model-a", "* changed now"]
    assert output_of(*options)[-1] == "  suggestions      model-a"
    assert "* suggestions      off" in output_of(*options, "--no-suggestions")
    message = refusal(*options, "--suggestions", "ada", "--order", "shuffled")
    assert "not from 'ada'" in message
    collection.refresh_from_db()
    assert collection.order == "fixed"


@pytest.mark.in_ci
def test_settings_page_offers_the_models(collection, owner, signed_in):
    http = signed_in(owner)
    page = compact(http.get(settings(collection)).content.decode())
    assert "Assessors see no grades of a model next to the document." in page
    assert "so they agree more with it and with each other" in page
    done = http.post(address(collection), {"judge": "model-a"})
    assert done.status_code == 302
    page = compact(http.get(done.url).content.decode())
    assert "Assessors see the grades of model-a from now on." in page
    assert '<option value="model-a" selected>' in page
    page = compact(http.get(http.post(address(collection), {"judge": "model-a"}).url).content.decode())
    assert "Nothing has changed." in page
    refused = http.post(address(collection), {"judge": "ada"})
    assert (refused.status_code, "not from &#x27;ada&#x27;" in refused.content.decode()) == (400, True)


def test_settings_page_without_a_model(owner, collection, signed_in):
    withdraw_judge(collection, "model-a")
    page = compact(signed_in(owner).get(settings(collection)).content.decode())
    assert "No model has graded documents of this collection yet." in page
