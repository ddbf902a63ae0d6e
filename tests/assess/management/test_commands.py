"""Errors that all commands share: missing files, unknown collections and invalid options."""

import pytest
from django.core.management import CommandError, call_command, get_commands

from assess.collections.create import find_collection
from tests.assess.command_output import output_of, refusal
from tests.factories import SMALL_RUNS, write_documents, write_runs, write_topics

ON_PEOPLE = {
    "audit_log",
    "deactivate_account",
    "end_sessions",
    "erase_person",
    "remove_second_factor",
    "reset_link",
    "set_email",
    "unlock_sign_in",
}
IMPORTS = ("import_runs", "import_topics", "import_documents", "import_judgements", "import_pool", "import_scale")
EMPTY = {
    "import_runs": "the file has no run lines; a run has at least one line",
    "import_topics": "the file has no topics; a topics file has at least one",
    "import_documents": "the file has no documents; a documents file has at least one",
    "import_judgements": "the file has no judgements; a qrels file has at least one line",
    "import_pool": "the file is empty; a pool is a JSON object with a list of doc_ids for each query_id, such as "
    '{"14": ["d3", "d7"]}',
    "import_scale": 'the file has no labels; the text of a label has its grade at the end, such as "Relevant (1)"',
}
WORDS = {"import_documents": ["--all"], "import_judgements": ["--assessor", "ada"]}


def refused(command, *words):
    return refusal(command, "--collection", "small", *WORDS.get(command, []), *words)


@pytest.mark.parametrize("command", IMPORTS)
def test_missing_file_is_reported(collection, tmp_path, command):
    path = tmp_path / "missing"
    assert refused(command, path) == f"{path}: No such file or directory; nothing was changed."


@pytest.mark.parametrize("command", [command for command in IMPORTS if command != "import_documents"])
def test_directory_is_refused(collection, tmp_path, command):
    assert refused(command, tmp_path) == f"{tmp_path}: Is a directory; nothing was changed."


@pytest.mark.parametrize("command", IMPORTS)
def test_unreadable_file_is_reported(collection, tmp_path, command):
    path = tmp_path / "loop"
    path.symlink_to(path)  # unreadable for root too, who may run tests in a container
    assert refused(command, path) == f"{path}: Too many levels of symbolic links; nothing was changed."


@pytest.mark.parametrize("command", IMPORTS)
@pytest.mark.parametrize("content", [b"", b"\n \n"], ids=["no byte", "blank lines"])
def test_empty_file_is_refused(collection, tmp_path, command, content):
    path = tmp_path / "empty"
    path.write_bytes(content)
    assert refused(command, path) == f"{path}: {EMPTY[command]}"


@pytest.mark.parametrize("command", [command for command in IMPORTS if command != "import_pool"])  # no lines
def test_binary_file_is_refused_with_file_and_line(collection, tmp_path, command):
    path = tmp_path / "binary"
    path.write_bytes(b"\xff\xfe\x00 Q0 \x00 \xff\n")
    assert refused(command, path).startswith(f"{path}, line 1: ")


@pytest.mark.parametrize(
    "words",
    [
        *([command, "file"] for command in IMPORTS),
        ["build_pool", "--depth", "2"],
        ["undo_pool"],
        ["draw_sample", "--size", "5"],
        ["stopping"],
        ["index_documents"],
        ["permit_search"],
        ["search_report"],
        ["export_searches"],
        ["export_draw"],
        ["find_duplicates"],
        ["accept_duplicates", "--threshold", "0.8"],
        ["inconsistent_groups"],
        ["assign", "--judges", "1"],
        ["unassign"],
        ["add_member", "ada", "--role", "assessor"],
        ["export_judgements"],
        ["export_qrels", "--gold", "union"],
        ["create_release", "--name", "main", "--gold", "union"],
        ["export_release", "--name", "main", "--out", "folder"],
        ["verify_release", "--name", "main"],
        ["missing_documents"],
        ["agreement_report"],
        ["ranking_shift"],
        ["reassign", "--from", "ada"],
        ["pilot"],
        ["export_pool"],
        ["adjudicate", "--adjudicators", "ada"],
        ["undo_adjudication", "--number", "1"],
        ["norming", "--documents", "2"],
        ["calibration"],
        ["import_pool", "file"],
        ["import_scale", "file"],
        ["import_known_grades", "file", "--use", "check"],
        ["work"],
        ["remind", "--address", "https://example.org"],
        ["set_judging"],
        ["set_topics"],
        ["group_runs"],
        ["set_guidelines", "file"],
        ["adapt_order", "--strategy", "hedge"],
        ["replay_learner"],
        ["verify_ledger"],
        ["checkpoint"],
        ["remove_member", "assessor-1"],
        ["undo_import"],
        ["withdraw_judge", "nist"],
        ["change_collection", "--archive"],
        ["make_baselines"],
        ["top_up"],
        ["ask_model", "--judge", "gpt"],
        ["changed_texts"],
        ["invite", "--role", "assessor"],
        ["change_role", "assessor-1", "owner"],
    ],
    ids=lambda words: words[0],
)
def test_unknown_collection_is_refused_with_a_list(collection, words):
    assert refusal(*words, "--collection", "smal") == (
        "There is no collection 'smal'. Existing collections: small. Create one with create_collection."
    )


def test_every_collection_command_is_tested_above():
    ours = {name for name, app in get_commands().items() if app == "assess"}
    marks = test_unknown_collection_is_refused_with_a_list.pytestmark
    tested = {words[0] for words in marks[0].args[1]}
    others = {
        "allow_host",
        "create_collection",
        "delete_collection",
        "demo",
        *ON_PEOPLE,
        "migrate",
        "owner_link",
        "purge",
        "rehearse_restore",
        "serve",
    }
    assert ours - tested == others | {"backup", "restore", "status", "worker"}


@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5"])
def test_invalid_number_is_refused(collection, number):
    with pytest.raises(CommandError, match=f"argument --judges: '{number}' is not a whole number from 1"):
        call_command("assign", "--collection", "small", f"--judges={number}")


@pytest.mark.parametrize("number", ["0", "-1"])
def test_depth_below_one_is_refused(collection, number):
    message = f"depth must be a whole number from 1, not {number}."
    assert refusal("build_pool", "--collection", "small", f"--depth={number}") == message


@pytest.mark.parametrize("number", ["two", "1.5"])
def test_depth_that_is_no_whole_number_is_refused(collection, number):
    assert f"argument --depth: invalid int value: '{number}'" in refusal(
        "build_pool", "--collection", "small", f"--depth={number}"
    )


def test_systems_are_named_after_their_files(collection, tmp_path):
    for name in ("first", "second"):
        (tmp_path / f"{name}.run").write_text("1 Q0 a 1 1.0 my-system\n")
    files = sorted(tmp_path.glob("*.run"))
    assert "both runs of system my-system" in refused("import_runs", *files)

    output_of("import_runs", "--collection", "small", "--name-by-file", *files)
    assert set(collection.runs.values_list("system", flat=True)) == {"alpha", "beta", "gamma", "first", "second"}


def test_commands_cover_the_whole_workflow(db, tmp_path):
    on_collection = ("--collection", "walk")
    output_of("create_collection", "walk", "--owner", "olga")
    output_of("import_topics", *on_collection, write_topics(tmp_path))
    output_of("import_runs", *on_collection, *write_runs(tmp_path, SMALL_RUNS))
    assert output_of("build_pool", *on_collection, "--depth", "1") == [
        "The pool has 6 tasks, 6 of them new.",
        "Pooled documents without text: 6. import_documents adds texts.",
    ]
    output_of("import_documents", *on_collection, write_documents(tmp_path, "abexyz"))
    output_of("add_member", *on_collection, "ada", "--role", "assessor")
    output_of("add_member", *on_collection, "bob", "--role", "assessor")
    seed = find_collection("walk").seed
    assert output_of("assign", *on_collection, "--judges", "2") == [
        f"Created 12 assignments of 6 tasks to 2 assessors. Each assessor has 6 assignments in total (seed {seed})."
    ]
    qrels = tmp_path / "ada.qrels"
    qrels.write_text("1 0 a 1\n1 0 b 0\n2 0 x 1\n", encoding="utf-8")
    assert output_of("import_judgements", *on_collection, "--as-member", "assessor-1", qrels) == [
        "Read 3 judgements: 3 new, 0 already imported."
    ]
    out = tmp_path / "out.qrels"
    assert output_of("export_qrels", *on_collection, "--gold", "union", "--out", out)[0] == f"Wrote 3 lines to {out}."
    assert out.read_text(encoding="utf-8") == qrels.read_text(encoding="utf-8")
