"""The archive of a release is deleted with the data of a person in it. Its manifest stays, and names nobody."""

import pytest

from assess.errors import Refused
from assess.models import Action, AuditEvent, Release
from assess.people.erasure import erase
from assess.people.person_erasure import Grades, erase_person
from assess.releases.stored import archive_of
from assess.releases.verify import verify_stored
from tests.assess.command_output import all_models
from tests.assess.releases.conftest import files_of, record, release, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def stored(collection, judges, without_reports):
    record(judges["ada"], "a", 1, comment="I am Zelda.")
    stored = release(collection, rule="judge:ada")
    assert "I am Zelda." in text_of(stored, "judgements.csv")
    return stored


def check_withdrawn(stored: Release) -> None:
    again = Release.objects.get(pk=stored.pk)
    assert (again.archive, again.withdrawn_at is None) == (None, False)
    assert again.manifest == stored.manifest
    assert "ada" not in str(again.spec)
    assert "judge:ada" not in again.manifest
    assert '"ada"' not in again.manifest
    with pytest.raises(Refused, match="The files of main-1 were deleted"):
        archive_of(again)
    with pytest.raises(Refused, match="The files of main-1 were deleted"):
        verify_stored(again)
    assert AuditEvent.objects.get(action=Action.RELEASE_WITHDRAWN).subject == "main-1"


@pytest.mark.slow
@pytest.mark.parametrize("grades", list(Grades))
def test_erased_person_leaves_no_archive(stored, judges, grades):
    erase_person(judges["ada"].user, grades)
    check_withdrawn(stored)
    rows = "\n".join(str(list(model.objects.values_list())) for model in all_models())
    assert "Zelda" not in rows


def test_erased_member_leaves_no_archive(stored, judges):
    erase([judges["ada"]], "requested")
    check_withdrawn(stored)


def test_rule_over_people_stays_with_the_manifest(collection, judges, without_reports):
    stored = release(collection, rule="people:majority")
    erase([judges["ada"]], "requested")
    assert Release.objects.get(pk=stored.pk).spec["rule"] == "people:majority"


@pytest.mark.slow
def test_releases_without_the_person_stay(collection, judges, without_reports):
    without = release(collection, "without", judges=["bob"])
    erase_person(judges["ada"].user, Grades.DELETE)
    assert files_of(Release.objects.get(pk=without.pk)) == files_of(without)


@pytest.mark.slow
def test_next_version_says_that_the_grades_before_are_unknown(stored, collection, judges):
    erase_person(judges["ada"].user, Grades.DELETE)
    second = release(collection, rule="union")
    assert second.version == 2
    assert "The grades of the version before are not known any more." in text_of(second, "CHANGES.md")
    assert "changes.csv" not in files_of(second)
    assert verify_stored(second).problems == []
