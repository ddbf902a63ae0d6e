"""assay create_collection --assessor: the assessors of a new collection."""

import pytest
from django.core.management import CommandError, call_command

from assess.models import Collection, Role

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
