"""Collections are made with their scale, and people join them in one role each."""

import re

import pytest
from django.core.management import CommandError, call_command

from assess.collections.create import create_collection
from assess.collections.scale import scale_of, set_scale
from assess.errors import Refused
from assess.models import Collection, Member, Role, User
from assess.transfer.judgement_import import import_judgements
from tests.assess.command_output import output_of, refusal, tables

NO_SCALE = "make no scale; give 2 to 10 different values from 0 to 9."
NO_GRADE = "is not a grade; write value=name or value=name:meaning, the value from 0 to 9."


def create(*words) -> list[str]:
    return output_of("create_collection", "--owner", "olga", *words)


def add(user: str, role: str, *words) -> list[str]:
    return output_of("add_member", "--collection", "small", "--role", role, user, *words)


def refused_member(user: str, role: str, *words) -> str:
    return refusal("add_member", "--collection", "small", "--role", role, user, *words)


def grades_of(slug: str) -> list[tuple]:
    return list(Collection.objects.get(slug=slug).grades.values_list("value", "name", "meaning"))


def test_a_collection_is_made_with_its_owner_and_a_binary_scale(db):
    lines = create("news")
    assert lines[0] == "Made news: grades 0 Not relevant, 1 Relevant."
    assert grades_of("news") == [(0, "Not relevant", ""), (1, "Relevant", "")]
    owner = Member.objects.get()
    assert (owner.user.username, owner.role, owner.name) == ("olga", Role.OWNER, "owner-1")
    password = re.fullmatch(r"New user olga, password (\S{12,})", lines[1])[1]
    assert owner.user.check_password(password)


def test_an_owner_who_is_here_keeps_the_password(db):
    create("news")
    password = User.objects.get().password
    assert create("more") == ["Made more: grades 0 Not relevant, 1 Relevant."]
    assert User.objects.get().password == password


def test_a_scale_is_declared_with_names_and_meanings(db):
    create("news", "--grade=3=Best: the answer: all of it", "--grade=0=No", "--grade= 1= Some ")
    assert grades_of("news") == [(0, "No", ""), (1, "Some", ""), (3, "Best", "the answer: all of it")]


def test_a_scale_may_have_all_ten_digits(db):
    create("news", *(f"--grade={value}=grade {value}" for value in range(10)))
    assert scale_of(Collection.objects.get()) == tuple(range(10))


def test_title_and_guidelines_are_kept(db, tmp_path):
    guidelines = tmp_path / "guidelines.md"
    guidelines.write_text("# Wie man beurteilt\n\nÜberlegt.\n", encoding="utf-8")
    create("news", "--title", "Old news", "--guidelines", guidelines)
    collection = Collection.objects.get()
    assert collection.name == "Old news"
    assert list(collection.guidelines.values_list("version", "text")) == [(1, "# Wie man beurteilt\n\nÜberlegt.")]


def test_guidelines_that_are_no_text_are_refused(db, tmp_path):
    path = tmp_path / "guidelines.pdf"
    path.write_bytes(b"%PDF \xff")
    words = ("create_collection", "--owner", "olga", "news", "--guidelines")
    assert refusal(*words, path) == f"{path} is not text in UTF-8, as guidelines are."
    assert "No such file or directory" in refusal(*words, tmp_path / "missing")


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("a/b", "'a/b' cannot be the slug of a collection: Enter a valid “slug” consisting of letters, numbers, "),
        ("../x", "'../x' cannot be the slug of a collection: Enter a valid “slug”"),
        ("", "'' cannot be the slug of a collection: This field cannot be blank."),
        ("n" * 81, f"'{'n' * 81}' cannot be the slug of a collection: Ensure this value has at most 80 characters"),
        ("small", "There is already a collection 'small'; nothing was changed."),
    ],
)
def test_a_name_that_is_no_address_or_is_taken_is_refused(collection, slug, sentence):
    assert refusal("create_collection", "--owner", "olga", slug).startswith(sentence)


def test_a_title_that_is_too_long_is_refused(db):
    assert refusal("create_collection", "--owner", "olga", "news", "--title", "n" * 201).startswith(
        f"'{'n' * 100}' cannot be the name of a collection: Ensure this value has at most 200 characters"
    )


@pytest.mark.parametrize(
    ("grades", "sentence"),
    [
        (["1=Yes"], f"The grades 1=Yes {NO_SCALE}"),
        (["1=Yes", "1=Sure"], f"The grades 1=Yes, 1=Sure {NO_SCALE}"),
        (["0=No", "1=Yes", "1=Sure"], f"The grades 0=No, 1=Yes, 1=Sure {NO_SCALE}"),
        (["0=No", "12=Perfect"], f"'12=Perfect' {NO_GRADE}"),
        (["0=No", "-1=Spam"], f"'-1=Spam' {NO_GRADE}"),
        (["0=No", "٣=Arabic"], f"'٣=Arabic' {NO_GRADE}"),
        (["0=No", "Relevant"], f"'Relevant' {NO_GRADE}"),
        (["0=No", "1="], f"'1=' {NO_GRADE}"),
        (["0=No", "1=  :meaning"], f"'1=  :meaning' {NO_GRADE}"),
        (["0=No", f"1={'n' * 61}"], f"'1={'n' * 61}' {NO_GRADE}"),
        (["0=No", f"1=Yes:{'m' * 301}"], f"'1=Yes:{'m' * 301}' {NO_GRADE}"),
    ],
)
def test_what_makes_no_scale_is_refused_and_no_collection_is_made(db, grades, sentence):
    words = [f"--grade={grade}" for grade in grades]
    assert refusal("create_collection", "--owner", "olga", "news", *words) == sentence


def test_the_scale_can_be_changed_until_the_first_judgement(collection):
    set_scale(collection, ("0=No", "1=Some", "2=All"))
    assert scale_of(collection) == (0, 1, 2)
    import_judgements(collection, b"1 0 a 2\n", assessor="ada")
    before = tables()
    with pytest.raises(Refused, match=r"^small has judgements; its scale is frozen since the first of them\.$"):
        set_scale(collection, ("0=No", "1=Some", "2=All", "3=More"))
    assert tables() == before


def test_judgements_of_another_collection_freeze_no_scale(collection):
    other = create_collection("other", "Other")
    import_judgements(collection, b"1 0 a 1\n", assessor="ada")
    set_scale(other, ("0=No", "2=Yes"))
    assert scale_of(other) == (0, 2)


def test_a_new_person_gets_a_random_password_that_is_told_once(collection):
    passwords = []
    for user in ("ada", "bob"):
        first, second = add(user, "assessor")
        assert first == f"{user} is assessor of small, called assessor-{len(passwords) + 1}."
        passwords.append(re.fullmatch(rf"New user {user}, password (\S{{12,}})", second)[1])
        assert User.objects.get(username=user).check_password(passwords[-1])
    assert passwords[0] != passwords[1]
    create_collection("other", "Other")
    assert output_of("add_member", "--collection", "other", "--role", "researcher", "ada") == [
        "ada is researcher of other, called researcher-1."
    ]
    assert User.objects.get(username="ada").check_password(passwords[0])


def test_a_person_has_one_role_in_a_collection(collection):
    add("ada", "assessor")
    assert refused_member("ada", "researcher") == (
        "ada is already assessor of small; a person has one role in a collection."
    )


def test_a_pseudonym_is_kept_and_taken_once(collection):
    assert add("ada", "assessor", "--pseudonym", "Judge A")[0] == "ada is assessor of small, called Judge A."
    assert refused_member("bob", "assessor", "--pseudonym", "Judge A") == (
        "small already has a member called 'Judge A'; choose another pseudonym."
    )
    assert not User.objects.filter(username="bob").exists()


def test_a_number_that_somebody_chose_is_not_given_again(collection):
    add("ada", "assessor", "--pseudonym", "assessor-1")
    assert add("bob", "assessor")[0] == "bob is assessor of small, called assessor-2."


@pytest.mark.parametrize(
    ("user", "words", "sentence"),
    [
        ("", [], "'' cannot be the username of a user: This field cannot be blank."),
        ("a b", [], "'a b' cannot be the username of a user: Enter a valid username."),
        ("u" * 151, [], f"'{'u' * 100}' cannot be the username of a user: Ensure this value has at most 150 char"),
        ("ada", ["--pseudonym", "n" * 81], f"'{'n' * 81}' cannot be the name of a member: Ensure this value has at m"),
        ("ada", ["--pseudonym", "a\nb"], r"'a\nb' cannot be the name of a member: it is printable text without spac"),
        ("ada", ["--pseudonym", " a"], "' a' cannot be the name of a member: it is printable text without spaces ar"),
    ],
)
def test_names_that_cannot_be_are_refused(collection, user, words, sentence):
    assert refused_member(user, "assessor", *words).startswith(sentence)


def test_an_unknown_role_is_refused_by_its_option(collection):
    with pytest.raises(CommandError, match="argument --role: invalid choice: 'boss'"):
        call_command("add_member", "--collection", "small", "--role", "boss", "ada")


def test_grades_have_colours_of_their_own(db):
    create("news", "--grade=0=No #E9E7E1", "--grade=1=C# and more", "--grade=2=Yes  #35739b : the answer: #1 of all ")
    assert list(Collection.objects.get().grades.values_list("name", "colour", "meaning")) == [
        ("No", "#e9e7e1", ""),
        ("C# and more", "", ""),
        ("Yes", "#35739b", "the answer: #1 of all"),
    ]


@pytest.mark.parametrize("colour", ["", "35739", "35739b0", "blue", "٣5739b", "35739g", "35739b;x"])
def test_a_colour_that_is_none_is_refused(db, colour):
    words = ("--grade=0=No", f"--grade=1=Yes #{colour}:all")
    assert refusal("create_collection", "--owner", "olga", "news", *words) == (
        f"'#{colour}' of '1=Yes #{colour}:all' is not a colour; write #rrggbb, such as #35739b, behind the name."
    )
