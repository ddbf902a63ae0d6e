"""Commands at the door: files that are not there, collections that are not there, and who may be asked."""

import pytest
from django.core.management import CommandError, call_command, get_commands

from assess import collections
from tests.assess.command_output import output_of, refusal
from tests.factories import SMALL_RUNS, write_documents, write_runs, write_topics

IMPORTS = ("import_runs", "import_topics", "import_documents", "import_judgements")
EMPTY = {
    "import_runs": "the file has no run lines; a run has at least one line",
    "import_topics": "the file has no topics; a topics file has at least one",
    "import_documents": "the file has no documents; a documents file has at least one",
    "import_judgements": "the file has no judgements; a qrels file has at least one line",
}
WORDS = {"import_documents": ["--all"], "import_judgements": ["--assessor", "ada"]}


def refused(command, *words):
    return refusal(command, "--collection", "small", *WORDS.get(command, []), *words)


@pytest.mark.parametrize("command", IMPORTS)
def test_a_missing_file_is_told(collection, tmp_path, command):
    path = tmp_path / "missing"
    assert refused(command, path) == f"{path}: No such file or directory; nothing was changed."


@pytest.mark.parametrize("command", IMPORTS)
def test_a_directory_is_no_file(collection, tmp_path, command):
    assert refused(command, tmp_path) == f"{tmp_path}: Is a directory; nothing was changed."


@pytest.mark.parametrize("command", IMPORTS)
def test_a_file_that_cannot_be_read_is_told(collection, tmp_path, command):
    path = tmp_path / "loop"
    path.symlink_to(path)  # unreadable for root too, who runs tests in many a container
    assert refused(command, path) == f"{path}: Too many levels of symbolic links; nothing was changed."


@pytest.mark.parametrize("command", IMPORTS)
@pytest.mark.parametrize("content", [b"", b"\n \n"], ids=["no byte", "blank lines"])
def test_an_empty_file_is_refused(collection, tmp_path, command, content):
    path = tmp_path / "empty"
    path.write_bytes(content)
    assert refused(command, path) == f"{path}: {EMPTY[command]}"


@pytest.mark.parametrize("command", IMPORTS)
def test_a_file_of_bytes_that_are_no_text_names_file_and_line(collection, tmp_path, command):
    path = tmp_path / "binary"
    path.write_bytes(b"\xff\xfe\x00 Q0 \x00 \xff\n")
    assert refused(command, path).startswith(f"{path}, line 1: ")


@pytest.mark.parametrize(
    "words",
    [
        *([command, "file"] for command in IMPORTS),
        ["build_pool", "--depth", "2"],
        ["assign", "--judges", "1"],
        ["add_member", "ada", "--role", "assessor"],
        ["export_judgements"],
        ["export_qrels", "--gold", "union"],
        ["lacking_documents"],
        ["agreement_report"],
        ["ranking_shift"],
        ["reassign", "--from", "ada"],
        ["set_judging"],
        ["set_guidelines", "file"],
        ["adapt_order", "--strategy", "hedge"],
        ["verify_ledger"],
    ],
    ids=lambda words: words[0],
)
def test_an_unknown_collection_is_refused_with_those_that_are_here(collection, words):
    assert refusal(*words, "--collection", "smal") == (
        "There is no collection 'smal'; there are: small. Make one with create_collection."
    )


def test_every_command_on_a_collection_is_tried_above():
    ours = {name for name, app in get_commands().items() if app == "assess"}
    marks = test_an_unknown_collection_is_refused_with_those_that_are_here.pytestmark
    tried = {words[0] for words in marks[0].args[1]}
    assert ours - tried == {"create_collection", "demo", "forget_exercises", "owner_link", "serve"}


@pytest.mark.parametrize(("command", "option"), [("build_pool", "--depth"), ("assign", "--judges")])
@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5"])
def test_a_number_that_is_none_is_refused_by_its_option(collection, command, option, number):
    with pytest.raises(CommandError, match=f"argument {option}: '{number}' is not a whole number from 1 on"):
        call_command(command, "--collection", "small", f"{option}={number}")


def test_a_researcher_goes_the_whole_way_by_commands(db, tmp_path):
    here = ("--collection", "walk")
    output_of("create_collection", "walk", "--owner", "olga")
    output_of("import_topics", *here, write_topics(tmp_path))
    output_of("import_runs", *here, *write_runs(tmp_path, SMALL_RUNS))
    assert output_of("build_pool", *here, "--depth", "1") == [
        "The pool has 6 documents (topic-document pairs), 6 of them new.",
        "6 pooled documents have no text yet: import_documents brings it.",
    ]
    output_of("import_documents", *here, write_documents(tmp_path, "abexyz"))
    output_of("add_member", *here, "ada", "--role", "assessor")
    output_of("add_member", *here, "bob", "--role", "assessor")
    seed = collections.find("walk").seed
    assert output_of("assign", *here, "--judges", "2") == [
        f"Gave out 12 assignments of 6 tasks to 2 assessors; each has 6 to 6 in all (seed {seed})."
    ]
    qrels = tmp_path / "ada.qrels"
    qrels.write_text("1 0 a 1\n1 0 b 0\n2 0 x 1\n", encoding="utf-8")
    assert output_of("import_judgements", *here, "--assessor", "assessor-1", qrels) == [
        "Read 3 judgements: 3 new, 0 were here already."
    ]
    out = tmp_path / "out.qrels"
    assert output_of("export_qrels", *here, "--gold", "union", "--out", out) == [f"Wrote 3 lines to {out}."]
    assert out.read_text(encoding="utf-8") == qrels.read_text(encoding="utf-8")
