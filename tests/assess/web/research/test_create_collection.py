"""The page that creates a collection, with and without the script that shows a scale at once."""

import re

import pytest
from django.urls import reverse

from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.collections.scale import GradeSpec, grades_of, scale_template
from assess.models import AuditEvent, Collection, Role
from tests.html import compact

pytestmark = pytest.mark.django_db
PAGE = "/collections/new/"
CUSTOM = {
    "grade-0-value": "0",
    "grade-0-name": "No",
    "grade-1-value": "4",
    "grade-1-name": "Very",
    "grade-1-colour": "#22663b",
    "grade-1-meaning": "hot & strong",
}


@pytest.fixture
def root(client, django_user_model):
    client.force_login(
        django_user_model.objects.create_superuser("root"), backend="assess.people.backend.AccountBackend"
    )
    return client


def send(client, status=302, **fields):
    response = client.post(PAGE, {"name": "Hot drinks", "start": "binary", "filled": "binary", **fields})
    assert response.status_code == status
    return response


def text(response) -> str:
    return compact(response.content.decode())


def row_names(html: str) -> list[str]:
    return [
        re.search(r'value="([^"]*)"', tag)[1]
        for tag in re.findall(r'<input[^>]*name="grade-\d-name"[^>]*>', html)
        if "value=" in tag
    ]


def test_address_is_known_by_name():
    assert reverse("create_collection") == PAGE


def test_collection_is_created_with_a_binary_scale_and_its_owner(root):
    page = text(root.get(PAGE))
    assert row_names(page) == ["Not relevant", "Relevant"]
    binary = {
        f"grade-{at}-{name}": value
        for at, grade in enumerate(scale_template("binary"))
        for name, value in vars(grade).items()
    }
    response = send(root, description="Seven systems.", assessor_description="Which are hot?", **binary)
    collection = Collection.objects.get()
    assert response.url == reverse("research:collection", args=["hot-drinks"])
    assert (collection.name, collection.description) == ("Hot drinks", "Seven systems.")
    assert collection.assessor_description == "Which are hot?"
    assert grades_of(collection) == list(scale_template("binary"))
    member = collection.members.get()
    assert (member.user.username, member.role) == ("root", Role.OWNER)
    assert AuditEvent.objects.get(action="collection_created").actor == member.user
    assert "Created Hot drinks. You are its owner." in text(root.get(response.url))


def test_custom_scale_is_created(root):
    send(root, start="custom", filled="binary", **CUSTOM)
    assert grades_of(Collection.objects.get()) == [
        GradeSpec(0, "No"),
        GradeSpec(4, "Very", "hot & strong", "#22663b"),
    ]


def test_edited_template_is_created(root):
    send(root, **CUSTOM)
    assert [grade.name for grade in grades_of(Collection.objects.get())] == ["No", "Very"]


def test_chosen_scale_wins_over_rows_that_were_not_filled_again(root):
    send(root, start="dl", filled="binary", **CUSTOM)
    assert grades_of(Collection.objects.get()) == list(scale_template("dl"))


@pytest.mark.parametrize(("name", "slugs"), [("Hot drinks", ["hot-drinks", "hot-drinks-2"]), ("飲物", ["collection"])])
def test_address_is_made_from_the_name_if_there_is_none(root, name, slugs):
    for slug in slugs:
        send(root, name=name, **CUSTOM)
        assert Collection.objects.filter(slug=slug).exists()


def test_chosen_address_is_kept(root):
    send(root, slug="Drinks_2026", **CUSTOM)
    assert Collection.objects.get().slug == "Drinks_2026"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Name: This field is required."),
        ({"name": "a" * 201}, "Name: Ensure this value has at most 200 characters"),
        ({"slug": "a/b"}, "Name in addresses: Enter a valid"),
        ({"slug": "small"}, "Collection &#x27;small&#x27; already exists"),
        ({"start": "likert"}, "Start from: Select a valid choice."),
        ({"start": "copy:small"}, "Start from: Select a valid choice."),
        ({"grade-1-value": "0"}, "A scale needs 2 to 10 grades with different values from 0 to 9, not 0=No, 0=Very."),
        ({"grade-1-value": ""}, "The grade &#x27;Very&#x27; needs a value from 0 to 9."),
        ({"grade-1-value": "10"}, "Value: Ensure this value is less than or equal to 9."),
        ({"grade-1-colour": "#123456"}, "Colour: Select a valid choice."),
        ({"grade-1-name": ""}, "Grade 4 needs a name."),
        ({"description": "a" * 5_001}, "The description for researchers can have at most 5,000 characters"),
    ],
)
def test_invalid_input_creates_nothing_and_stays_on_the_page(root, fields, sentence):
    create_collection("small", "Small")
    html = text(send(root, 400, **{**CUSTOM, "assessor_description": "Kept text", **fields}))
    assert sentence in html
    assert "Kept text" in html
    assert 'value="hot &amp; strong"' in html
    assert Collection.objects.count() == 1


def test_template_fills_the_rows_and_creates_nothing(root):
    html = text(send(root, 200, start="dl", step="scale", **CUSTOM))
    assert row_names(html) == ["Irrelevant", "Related", "Highly relevant", "Perfectly relevant"]
    assert 'name="filled" value="dl"' in html
    assert 'value="Hot drinks"' in html
    assert not Collection.objects.exists()


def test_custom_scale_starts_with_the_rows_that_are_there(root):
    html = text(send(root, 200, start="custom", step="scale", **CUSTOM))
    assert row_names(html) == ["No", "Very"]


def test_preview_shows_the_buttons_of_assessors(root):
    html = text(send(root, 200, step="preview", **CUSTOM))
    assert '<span class="button tone-3 custom-colour" style="--colour: light-dark(#22663b, ' in html
    assert "<b>4</b> <span>Very</span>" in html
    assert "<dt>4</dt><dd>hot &amp; strong</dd>" in html


def test_preview_explains_what_is_wrong(root):
    html = text(send(root, 200, step="preview", **{**CUSTOM, "grade-1-value": "0"}))
    assert "A scale needs 2 to 10 grades" in html[html.index('id="preview"') :]


def test_there_are_empty_rows_for_more_grades(root):
    html = text(send(root, 200, step="preview", **CUSTOM))
    assert len(re.findall(r'name="grade-\d-name"', html)) == 4


def test_settings_of_an_own_collection_are_copied(root, django_user_model):
    source = create_collection("source", "My source", ["0=no", "5=yes"], guidelines="Read it all.")
    create_collection("foreign", "Foreign source")
    add_member(source, "root", Role.RESEARCHER)
    html = text(root.get(PAGE))
    assert '<option value="copy:source">My source</option>' in html
    assert "Foreign source" not in html
    filled = text(send(root, 200, start="copy:source", step="scale"))
    assert row_names(filled) == ["no", "yes"]
    send(root, start="copy:source")
    copy = Collection.objects.get(slug="hot-drinks")
    assert [grade.value for grade in grades_of(copy)] == [0, 5]
    assert copy.guidelines.get().text == "Read it all."


@pytest.mark.parametrize("slug", ["foreign", "missing"])
def test_foreign_and_missing_collections_get_the_same_refusal(root, slug):
    create_collection("foreign", "Foreign source")
    html = text(send(root, 400, start=f"copy:{slug}", step="scale"))
    assert f"root cannot copy the settings of {slug}: only its owners and researchers can." in html


def test_page_needs_few_queries(root, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        root.get(PAGE)
