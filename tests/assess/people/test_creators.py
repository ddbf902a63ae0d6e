"""Who may create collections."""

import pytest

from assess.models import ROLES_OF_PEOPLE, User
from assess.people.creators import may_create_collections

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(collection, join):
    return {role.value: join(collection, role.value, role).user for role in ROLES_OF_PEOPLE} | {
        "site owner": User.objects.create_superuser("root"),
        "outsider": User.objects.create_user("eve"),
    }


@pytest.mark.parametrize(
    ("setting", "creators"),
    [("site-owners", {"site owner"}), ("researchers", {"site owner", "owner", "researcher"})],
)
def test_setting_decides_who_may_create_collections(settings, people, setting, creators):
    settings.COLLECTION_CREATORS = setting
    assert {name for name, user in people.items() if may_create_collections(user)} == creators


def test_a_role_that_was_taken_away_no_longer_counts(settings, people):
    settings.COLLECTION_CREATORS = "researchers"
    people["researcher"].memberships.all().delete()
    assert not may_create_collections(people["researcher"])
