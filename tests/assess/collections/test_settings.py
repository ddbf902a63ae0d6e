"""Scales from templates, settings copied from another collection, and changes of names and descriptions."""

import pytest

from assess.collections.change import change_collection
from assess.collections.copied_settings import check_may_copy
from assess.collections.create import create_collection
from assess.collections.scale import SCALE_TEMPLATES, GradeSpec, check_grades, grades_of, scale_template, set_grades
from assess.errors import Refused
from assess.models import AuditEvent, Collection, Member, Order, Role

BINARY = [GradeSpec(0, "No"), GradeSpec(1, "Yes")]


@pytest.mark.parametrize("name", SCALE_TEMPLATES)
def test_templates_are_valid_scales(db, name):
    collection = create_collection("new", "New", scale_template(name))
    assert grades_of(collection) == list(scale_template(name))


def test_values_of_the_templates():
    values = {name: [grade.value for grade in scale_template(name)] for name in SCALE_TEMPLATES}
    assert values == {"binary": [0, 1], "trec": [0, 1, 2], "dl": [0, 1, 2, 3]}


def test_unknown_template_is_refused():
    with pytest.raises(Refused, match="There is no scale 'likert'; the templates are binary, trec, dl"):
        scale_template("likert")


@pytest.mark.parametrize(
    ("grades", "sentence"),
    [
        ([], "A scale needs 2 to 10 grades with different values from 0 to 9, not no grades."),
        ([BINARY[0]], "not 0=No."),
        ([*BINARY, GradeSpec(1, "Maybe")], "not 0=No, 1=Yes, 1=Maybe."),
        ([*BINARY, GradeSpec(10, "Ten")], "The value of a grade must be from 0 to 9, not 10."),
        ([*BINARY, GradeSpec(2, " ")], "Grade 2 needs a name."),
        ([*BINARY, GradeSpec(2, "a\nb")], "The name of grade 2 must be one line of printable characters."),
        ([*BINARY, GradeSpec(2, "a", "\0")], "The meaning of grade 2 must be one line of printable characters."),
        ([*BINARY, GradeSpec(2, "a" * 61)], "The name of grade 2 can have at most 60 characters, not 61."),
        ([*BINARY, GradeSpec(2, "a", "b" * 301)], "The meaning of grade 2 can have at most 300 characters, not 301."),
        ([*BINARY, GradeSpec(2, "a", colour="red")], "The colour of grade 2 must be written #rrggbb, not 'red'."),
    ],
)
def test_invalid_grades_are_refused(grades, sentence):
    with pytest.raises(Refused) as refusal:
        check_grades(grades)
    assert str(refusal.value).endswith(sentence)


def test_invalid_grades_leave_the_scale(collection):
    before = grades_of(collection)
    with pytest.raises(Refused):
        set_grades(collection, BINARY[:1])
    assert grades_of(collection) == before


@pytest.fixture
def source(db):
    source = create_collection("source", "Source", ["0=no", "2=yes #35739b:helps"], guidelines="First version.")
    Collection.objects.filter(pk=source.pk).update(
        judges_per_task=3, order=Order.ADAPTIVE, judging_open=False, repeat_share=0.25, description="Seven systems."
    )
    source.refresh_from_db()
    return source


def test_settings_are_copied(source):
    copy = create_collection("copy", "Copy", source=source)
    assert grades_of(copy) == [GradeSpec(0, "no"), GradeSpec(2, "yes", "helps", "#35739b")]
    assert copy.guidelines.get().text == "First version."
    assert (copy.judges_per_task, copy.repeat_share, copy.order) == (3, 0.25, Order.SHUFFLED)
    assert copy.judging_open
    assert copy.description == ""
    assert copy.seed != source.seed
    assert AuditEvent.objects.get(collection=copy).details == {"copied_from": "source"}


def test_given_settings_are_not_copied(source):
    copy = create_collection("copy", "Copy", BINARY, source=source, guidelines="Another.")
    assert grades_of(copy) == BINARY
    assert copy.guidelines.get().text == "Another."


@pytest.mark.parametrize(("role", "allowed"), [("owner", 1), ("researcher", 1), ("assessor", 0), ("instructor", 0)])
def test_owners_and_researchers_may_copy(source, join, role, allowed):
    user = join(source, "ada", Role(role)).user
    if allowed:
        check_may_copy(user, source)
    else:
        with pytest.raises(Refused, match="ada cannot copy the settings of source"):
            check_may_copy(user, source)


def test_owner_is_added(db, django_user_model):
    user = django_user_model.objects.create_user("olga")
    collection = create_collection("new", "New", owner=user)
    assert Member.objects.get(user=user).role == Role.OWNER
    assert AuditEvent.objects.get(collection=collection).actor == user


def test_change_is_audited_without_the_texts(collection):
    changed = change_collection(collection, name="New name", description=" A\r\nB ", assessor_description="")
    assert changed == ["description", "name"]
    collection.refresh_from_db()
    assert (collection.slug, collection.name, collection.description) == ("small", "New name", "A\nB")
    assert AuditEvent.objects.get(action="collection_changed").details == {"fields": ["description", "name"]}


def test_same_values_change_nothing(collection):
    assert change_collection(collection, name=collection.name) == []
    assert not AuditEvent.objects.filter(action="collection_changed").exists()


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"name": " "}, "not a valid name"),
        ({"name": "a" * 201}, "not a valid name"),
        ({"name": "a\0"}, "The name of a collection cannot contain a NUL character"),
        ({"description": "a" * 5_001}, "description for researchers can have at most 5,000 characters, not 5,001"),
        ({"assessor_description": "a\0"}, "description for assessors contains a NUL"),
    ],
)
def test_invalid_values_change_nothing(collection, values, problem):
    with pytest.raises(Refused, match=problem):
        change_collection(collection, **{"name": "Another", **values})
    collection.refresh_from_db()
    assert collection.name == "Small"
