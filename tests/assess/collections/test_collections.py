"""Creating collections with a scale, and adding members with one role each."""

import re

import pytest
from django.core.management import CommandError, call_command

from assess.collections.create import create_collection
from assess.collections.scale import scale_of, set_scale
from assess.errors import Refused
from assess.models import Collection, Member, Role, User
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import output_of, refusal, tables

SCALE_RULE = "A scale needs 2 to 10 grades with different values from 0 to 9, not"
GRADE_RULE = "Write value=name or value=name:meaning, with a value from 0 to 9."


def create(*arguments) -> list[str]:
    return output_of("create_collection", "--owner", "olga", *arguments)


def add(user: str, role: str, *words) -> list[str]:
    return output_of("add_member", "--collection", "small", "--role", role, user, *words)


def refused_member(user: str, role: str, *words) -> str:
    return refusal("add_member", "--collection", "small", "--role", role, user, *words)


def grades_of(slug: str) -> list[tuple]:
    return list(Collection.objects.get(slug=slug).grades.values_list("value", "name", "meaning"))


def test_create_collection_makes_an_owner_and_a_binary_scale(db):
    lines = create("news")
    assert lines[0] == "Created news with the grades 0 Not relevant, 1 Relevant."
    assert grades_of("news") == [(0, "Not relevant", ""), (1, "Relevant", "")]
    owner = Member.objects.get()
    assert (owner.user.username, owner.role, owner.name) == ("olga", Role.OWNER, "owner-1")
    password = re.fullmatch(r"New user olga, password (\S{12,})", lines[1])[1]
    assert owner.user.check_password(password)


def test_existing_user_as_owner_keeps_the_password(db):
    create("news")
    password = User.objects.get().password
    assert create("more") == ["Created more with the grades 0 Not relevant, 1 Relevant."]
    assert User.objects.get().password == password


def test_grades_have_names_and_meanings(db):
    create("news", "--grade=3=Best: the answer: all of it", "--grade=0=No", "--grade= 1= Some ")
    assert grades_of("news") == [(0, "No", ""), (1, "Some", ""), (3, "Best", "the answer: all of it")]


def test_scale_with_all_ten_digits(db):
    create("news", *(f"--grade={value}=grade {value}" for value in range(10)))
    assert scale_of(Collection.objects.get()) == tuple(range(10))


def test_title_and_guidelines_are_saved(db, tmp_path):
    guidelines = tmp_path / "guidelines.md"
    guidelines.write_text("# Wie man beurteilt\n\nÜberlegt.\n", encoding="utf-8")
    create("news", "--title", "Old news", "--guidelines", guidelines)
    collection = Collection.objects.get()
    assert collection.name == "Old news"
    assert list(collection.guidelines.values_list("version", "text")) == [(1, "# Wie man beurteilt\n\nÜberlegt.")]


def test_guidelines_file_must_be_utf8_text(db, tmp_path):
    path = tmp_path / "guidelines.pdf"
    path.write_bytes(b"%PDF \xff")
    words = ("create_collection", "--owner", "olga", "news", "--guidelines")
    assert refusal(*words, path) == f"{path} is not a UTF-8 text file."
    assert "No such file or directory" in refusal(*words, tmp_path / "missing")


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("a/b", "'a/b' is not a valid slug for a collection: Enter a valid “slug” consisting of letters, numbers, "),
        ("../x", "'../x' is not a valid slug for a collection: Enter a valid “slug”"),
        ("", "'' is not a valid slug for a collection: This field cannot be blank."),
        ("n" * 81, f"'{'n' * 81}' is not a valid slug for a collection: Ensure this value has at most 80 characters"),
        ("small", "Collection 'small' already exists; nothing was changed."),
    ],
)
def test_invalid_or_existing_slug_is_refused(collection, slug, sentence):
    assert refusal("create_collection", "--owner", "olga", slug).startswith(sentence)


def test_too_long_title_is_refused(db):
    assert refusal("create_collection", "--owner", "olga", "news", "--title", "n" * 201).startswith(
        f"'{'n' * 100}' is not a valid name for a collection: Ensure this value has at most 200 characters"
    )


@pytest.mark.parametrize(
    ("grades", "sentence"),
    [
        (["1=Yes"], f"{SCALE_RULE} 1=Yes."),
        (["1=Yes", "1=Sure"], f"{SCALE_RULE} 1=Yes, 1=Sure."),
        (["0=No", "1=Yes", "1=Sure"], f"{SCALE_RULE} 0=No, 1=Yes, 1=Sure."),
        (["0=No", "12=Perfect"], f"Invalid grade '12=Perfect'. {GRADE_RULE}"),
        (["0=No", "-1=Spam"], f"Invalid grade '-1=Spam'. {GRADE_RULE}"),
        (["0=No", "٣=Arabic"], f"Invalid grade '٣=Arabic'. {GRADE_RULE}"),
        (["0=No", "Relevant"], f"Invalid grade 'Relevant'. {GRADE_RULE}"),
        (["0=No", "1="], f"Invalid grade '1='. {GRADE_RULE}"),
        (["0=No", "1=  :meaning"], f"Invalid grade '1=  :meaning'. {GRADE_RULE}"),
        (["0=No", f"1={'n' * 61}"], f"Invalid grade '1={'n' * 61}'. {GRADE_RULE}"),
        (["0=No", f"1=Yes:{'m' * 301}"], f"Invalid grade '1=Yes:{'m' * 301}'. {GRADE_RULE}"),
    ],
)
def test_invalid_scale_is_refused_and_no_collection_is_created(db, grades, sentence):
    words = [f"--grade={grade}" for grade in grades]
    assert refusal("create_collection", "--owner", "olga", "news", *words) == sentence


def test_the_scale_can_be_changed_until_the_first_judgement(collection):
    set_scale(collection, ("0=No", "1=Some", "2=All"))
    assert scale_of(collection) == (0, 1, 2)
    import_judgements(collection, b"1 0 a 2\n", assessor="ada")
    before = tables()
    with pytest.raises(Refused, match=r"^The scale of small is frozen because small has judgements\.$"):
        set_scale(collection, ("0=No", "1=Some", "2=All", "3=More"))
    assert tables() == before


def test_judgements_of_another_collection_do_not_freeze_the_scale(collection):
    other = create_collection("other", "Other")
    import_judgements(collection, b"1 0 a 1\n", assessor="ada")
    set_scale(other, ("0=No", "2=Yes"))
    assert scale_of(other) == (0, 2)


def test_new_user_gets_a_random_password_which_is_printed_once(collection):
    passwords = []
    for user in ("ada", "bob"):
        first, second = add(user, "assessor")
        assert first == f"{user} is now assessor of small, with the pseudonym assessor-{len(passwords) + 1}."
        passwords.append(re.fullmatch(rf"New user {user}, password (\S{{12,}})", second)[1])
        assert User.objects.get(username=user).check_password(passwords[-1])
    assert passwords[0] != passwords[1]
    create_collection("other", "Other")
    assert output_of("add_member", "--collection", "other", "--role", "researcher", "ada") == [
        "ada is now researcher of other, with the pseudonym researcher-1."
    ]
    assert User.objects.get(username="ada").check_password(passwords[0])


def test_user_has_one_role_in_a_collection(collection):
    add("ada", "assessor")
    assert refused_member("ada", "researcher") == (
        "ada is already assessor of small; a user has one role in each collection."
    )


def test_pseudonym_is_saved_and_unique(collection):
    assert (
        add("ada", "assessor", "--pseudonym", "Judge A")[0]
        == "ada is now assessor of small, with the pseudonym Judge A."
    )
    assert refused_member("bob", "assessor", "--pseudonym", "Judge A") == (
        "small already has a member named 'Judge A'; choose another pseudonym."
    )
    assert not User.objects.filter(username="bob").exists()


def test_default_pseudonym_skips_chosen_names(collection):
    add("ada", "assessor", "--pseudonym", "assessor-1")
    assert add("bob", "assessor")[0] == "bob is now assessor of small, with the pseudonym assessor-2."


@pytest.mark.parametrize(
    ("user", "words", "sentence"),
    [
        ("", [], "'' is not a valid username for a user: This field cannot be blank."),
        ("a b", [], "'a b' is not a valid username for a user: Enter a valid username."),
        ("u" * 151, [], f"'{'u' * 100}' is not a valid username for a user: Ensure this value has at most 150 char"),
        (
            "ada",
            ["--pseudonym", "n" * 81],
            f"'{'n' * 81}' is not a valid name for a member: Ensure this value has at",
        ),
        ("ada", ["--pseudonym", "a\nb"], r"'a\nb' is not a valid member name: use printable characters, without spac"),
        ("ada", ["--pseudonym", " a"], "' a' is not a valid member name: use printable characters, without spaces at"),
    ],
)
def test_invalid_names_are_refused(collection, user, words, sentence):
    assert refused_member(user, "assessor", *words).startswith(sentence)


def test_unknown_role_is_refused(collection):
    with pytest.raises(CommandError, match="argument --role: invalid choice: 'boss'"):
        call_command("add_member", "--collection", "small", "--role", "boss", "ada")


def test_grades_have_colours(db):
    create("news", "--grade=0=No #E9E7E1", "--grade=1=C# and more", "--grade=2=Yes  #35739b : the answer: #1 of all ")
    assert list(Collection.objects.get().grades.values_list("name", "colour", "meaning")) == [
        ("No", "#e9e7e1", ""),
        ("C# and more", "", ""),
        ("Yes", "#35739b", "the answer: #1 of all"),
    ]


@pytest.mark.parametrize("colour", ["", "35739", "35739b0", "blue", "٣5739b", "35739g", "35739b;x"])
def test_invalid_colour_is_refused(db, colour):
    words = ("--grade=0=No", f"--grade=1=Yes #{colour}:all")
    assert refusal("create_collection", "--owner", "olga", "news", *words) == (
        f"Invalid colour '#{colour}' in grade '1=Yes #{colour}:all'. Write #rrggbb after the name, such as #35739b."
    )
