"""assay create_collection: assessors, scale, descriptions and copied settings. assay change_collection changes them."""

import pytest
from django.core.management import CommandError, call_command

from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.models import Collection, Role
from tests.assess.command_output import output_of, refusal

pytestmark = pytest.mark.django_db


def test_assessors_are_added_and_new_users_get_a_password(django_user_model, capsys):
    django_user_model.objects.create_user("ada")
    call_command("create_collection", "robust", "--owner", "rita", "--assessor", "ada", "--assessor", "bob")
    members = Collection.objects.get().members.values_list("user__username", "role")
    assert dict(members) == {"rita": Role.OWNER, "ada": Role.ASSESSOR, "bob": Role.ASSESSOR}
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in lines if line.startswith("New user")] == ["rita,", "bob,"]


def test_person_with_two_roles_is_refused_and_nothing_is_created():
    with pytest.raises(CommandError, match="rita is already owner"):
        call_command("create_collection", "robust", "--owner", "rita", "--assessor", "rita")
    assert not Collection.objects.exists()


def test_scale_of_a_template_and_descriptions():
    texts = ("--description", "Seven systems.", "--assessor-description", "Which drinks are hot?")
    lines = output_of("create_collection", "robust", "--owner", "rita", "--scale", "dl", *texts)
    assert lines[0] == (
        "Created robust with the grades 0 Irrelevant, 1 Related, 2 Highly relevant, 3 Perfectly relevant."
    )
    collection = Collection.objects.get()
    assert collection.description == "Seven systems."
    assert collection.assessor_description == "Which drinks are hot?"


def test_settings_are_copied_only_for_an_owner_or_researcher():
    source = create_collection("source", "Source", ["0=no", "5=yes"])
    assert "rita cannot copy the settings of source" in refusal(
        "create_collection", "robust", "--owner", "rita", "--copy-from", "source"
    )
    assert Collection.objects.count() == 1
    add_member(source, "rita", Role.RESEARCHER)
    output_of("create_collection", "robust", "--owner", "rita", "--copy-from", "source")
    assert list(Collection.objects.get(slug="robust").grades.values_list("value", flat=True)) == [0, 5]


def test_names_and_descriptions_are_changed(collection):
    assert output_of("change_collection", "--collection", "small", "--title", "Drinks") == ["Changed: name."]
    assert output_of("change_collection", "--collection", "small", "--title", "Drinks") == ["Nothing has changed."]
    collection.refresh_from_db()
    assert collection.name == "Drinks"


def test_collection_is_archived_and_restored(collection):
    assert output_of("change_collection", "--collection", "small", "--archive") == [
        "Archived small. It can be read and exported, and nothing in it changes."
    ]
    assert "small is archived and cannot be changed" in refusal("build_pool", "--collection", "small", "--depth", "3")
    output_of("change_collection", "--collection", "small", "--restore", "--title", "Again")
    collection.refresh_from_db()
    assert (collection.archived_at, collection.name) == (None, "Again")


def test_without_options_nothing_is_changed(collection):
    assert "Give at least one of" in refusal("change_collection", "--collection", "small")
