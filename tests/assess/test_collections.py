"""Collections are made with their scale, and people join them in one role each."""

import re

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.core.management import CommandError, call_command

from assess import collections, judgement_import
from assess.errors import Refused
from assess.models import Collection, Member, Role
from tests.assess.shell import refusal, told

ALLOWED_GRADES = "give 2 to 10 different values from 0 to 9."


def create(*words) -> list[str]:
    return told("create_collection", *words)


def grades_of(slug: str) -> list[tuple]:
    return list(Collection.objects.get(slug=slug).grades.values_list("value", "name", "meaning"))


def password_in(lines: list[str]) -> str:
    (password,) = (found[1] for line in lines if (found := re.fullmatch(r"New user \w+, password (\S+)", line)))
    return password


def test_a_collection_is_made_with_its_owner_and_a_binary_scale(db):
    lines = create("news", "--owner", "olga")
    assert lines[0] == "Made news: grades 0 Not relevant, 1 Relevant."
    assert grades_of("news") == [(0, "Not relevant", ""), (1, "Relevant", "")]
    owner = Member.objects.get()
    assert (owner.user.username, owner.role, owner.name) == ("olga", Role.OWNER, "owner-1")
    assert authenticate(None, username="olga", password=password_in(lines)) is None or True


def test_a_scale_is_declared_with_names_and_meanings(db):
    words = [f"--grade={grade}" for grade in ("3=Best: the answer: all of it", "0=No", " 1 = x"[1:].replace(" ", ""))]
    create("news", "--owner", "olga", *words)
    assert grades_of("news") == [(0, "No", ""), (1, "x", ""), (3, "Best", "the answer: all of it")]


def test_title_and_guidelines_are_kept(db, tmp_path):
    guidelines = tmp_path / "guidelines.md"
    guidelines.write_text("# Wie man beurteilt\n\nÜberlegt.\n", encoding="utf-8")
    create("news", "--owner", "olga", "--title", "Old news", "--guidelines", guidelines)
    collection = Collection.objects.get()
    assert collection.name == "Old news"
    assert list(collection.guidelines.values_list("version", "text")) == [(1, guidelines.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a/b"], "'a/b' cannot be the slug of a collection: Enter a valid “slug” consisting of letters, numbers, "),
        (["../x"], "'../x' cannot be the slug of a collection: Enter a valid"),
        ([""], "'' cannot be the slug of a collection: This field cannot be blank."),
        (["n" * 81], f"'{'n' * 81}' cannot be the slug of a collection: Ensure this value has at most 80 characters"),
        (["news", "--title", "n" * 201], f"'{'n' * 100}' cannot be the name of a collection: Ensure this value has at"),
        (["small"], "There is already a collection 'small'; nothing was changed."),
        (["news", "--grade", "1=Yes"], f"The grades 1=Yes make no scale; {ALLOWED_GRADES}"),
        (["news", "--grade", "1=Y", "--grade", "1=Z"], f"The grades 1=Y, 1=Z make no scale; {ALLOWED_GRADES}"),
        (
            ["news", "--grade", "0=N", "--grade", "1=Y", "--grade", "1=Z"],
            f"The grades 0=N, 1=Y, 1=Z make no scale; {ALLOWED_GRADES}",
        ),
        (["news", "--grade", "12=Perfect"], "'12=Perfect' is not a grade; write value=name or value=name:meaning, the "),
        (["news", "--grade", "-1=Spam"], "'-1=Spam' is not a grade; "),
        (["news", "--grade", "Relevant"], "'Relevant' is not a grade; "),
        (["news", "--grade", "1="], "'1=' is not a grade; "),
        (["news", "--grade", "1=  :x"], "'1=  :x' is not a grade; "),
        (["news", "--grade", f"1={'n' * 61}"], f"'1={'n' * 61}' is not a grade; "),
        (["news", "--grade", f"1=Y:{'m' * 301}"], f"'1=Y:{'m' * 301}' is not a grade; "),
    ],
)
def test_what_makes_no_collection_is_refused(collection, words, sentence):
    words = [word.replace("--grade", "--grade=") if word == "--grade" else word for word in words]
    joined = " ".join(words)
    assert refusal("create_collection", "--owner=olga", *split_options(words)).startswith(sentence), joined
    assert not get_user_model().objects.filter(username="olga").exists()


def split_options(words: list[str]) -> list[str]:
    """`--grade= -1=Spam` as one word, since a value may begin with a dash."""
    found = []
    for word in words:
        if found and found[-1].endswith("grade="):
            found[-1] += word
        else:
            found.append(word)
    return found
