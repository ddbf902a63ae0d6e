"""A check of files: each kind of finding, from small files."""

import json
import zipfile

import pytest

from agreement import check_files
from agreement.cli.main import main
from tests.cases import CASES

TOPICS = "1\tgreen tea\n2\twhite tea\n"
DOCUMENTS = '{"doc_id": "d1", "text": "Tea."}\n{"doc_id": "d2", "text": " "}\n'
RUN = "1 Q0 d1 1 3.0 bm25\n1 Q0 d2 2 2.0 bm25\n2 Q0 d1 1 1.0 bm25\n2 Q0 d2 2 0.5 bm25\n"
ADA = "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n2 0 d2 0\n"


@pytest.fixture
def write(tmp_path):
    """A function that writes a file and returns its path."""

    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def found(checks, subject):
    """The sentences of a subject."""
    return [finding.sentence for finding in checks.findings if finding.subject == subject]


def test_files_that_belong_together_are_clean(write):
    documents = DOCUMENTS.replace('" "', '"x"')
    files = [write("topics.tsv", TOPICS), write("docs.jsonl", documents), write("a.run", RUN), write("ada.qrels", ADA)]
    checks = check_files(files)
    assert checks.is_clean
    assert [(file.kind, file.items) for file in checks.files] == [
        ("topics", 2),
        ("documents", 2),
        ("runs", 4),
        ("judgements", 4),
    ]
    assert checks.text().endswith("Checked 4 files: no errors and no warnings.\n")
    notes = {"judged in the first ten", "grades", "recognised by its name"}
    assert {finding.subject for finding in checks.findings} == notes


def test_zeros_that_a_spreadsheet_cut_are_found():
    checks = check_files([*sorted(CASES.glob("zeros_*.run")), *sorted(CASES.glob("zeros_*.qrels"))])
    (sentence,) = found(checks, "topics that match nothing")
    assert sentence == (
        "10 of 25 topics of zeros_bob_spreadsheet match nothing in the runs: '90' may be '090' (leading zeros); "
        "--repair-ids leading-zeros reads 10 so."
    )
    assert found(checks, "topics without a run") == []


def test_runs_that_lack_the_same_topics_share_a_sentence(write):
    one = "1 Q0 d1 1 3.0 {0}\n"
    files = [write("topics.tsv", TOPICS), write("a.run", one.format("a")), write("b.run", one.format("b"))]
    assert found(check_files(files), "topics without a run") == [
        "a, b have no document for 1 of 2 topics (2); they score 0."
    ]


def test_empty_texts_and_unknown_documents(write):
    files = [write("docs.jsonl", DOCUMENTS), write("a.run", RUN.replace("d1", "d7")), write("ada.qrels", ADA)]
    checks = check_files(files)
    assert found(checks, "empty texts") == ["The text is empty in 1 of 2 documents (d2); nobody can judge them."]
    assert found(checks, "documents that match nothing") == [
        "1 of 2 documents of the runs matches nothing in the documents, such as 'd7'."
    ]


def test_ties_are_counted(write):
    checks = check_files([write("a.run", RUN.replace("2.0", "3.0"))])
    (sentence,) = found(checks, "ties")
    assert sentence.startswith("bm25: 2 of 4 documents (50%) have the score of another document")


def test_few_ties_are_no_finding(write):
    lines = "".join(f"1 Q0 d{n} {n} {100 - n}.0 a\n" for n in range(30))
    assert found(check_files([write("a.run", lines + "1 Q0 e 31 71.0 a\n")]), "ties") == []


def test_what_is_judged_of_the_first_ten(write):
    checks = check_files([write("a.run", RUN), write("ada.qrels", "1 0 d1 1\n2 0 d9 0\n")])
    (sentence,) = found(checks, "judged in the first ten")
    assert sentence == "Of the first 10 documents of each topic, 25% are judged; least in bm25: 25%."
    assert not checks.is_clean


def test_grades_of_the_judges(write):
    files = [write("ada.qrels", ADA), write("bob.qrels", "1 0 d1 3\n1 0 d2 2\n"), write("cem.qrels", "9 0 x 0\n")]
    checks = check_files(files)
    assert found(checks, "grades")[0] == "ada gave the grades 0 (2), 1 (2)."
    assert found(checks, "different scales") == [
        "ada, cem gave grades up to 1, and bob higher ones. Declare the scale, and which grade a 1 means."
    ]
    assert found(checks, "one grade only") == ["cem gave one grade only, so kappa with this judge is undefined or 0."]
    assert found(checks, "nothing relevant") == ["cem found nothing relevant in 1 judgement."]
    assert found(checks, "judges without a common document") == [
        "ada and cem have no judged document in common, so no agreement can be computed."
    ]


def test_topics_without_a_relevant_document(write):
    checks = check_files([write("ada.qrels", "1 0 d1 1\n2 0 d1 0\n3 0 d1 0\n")])
    assert found(checks, "topics without relevant documents") == [
        "ada found nothing relevant for 2 of 3 topics (2, 3)."
    ]


def test_invalid_lines_are_errors_and_the_rest_is_counted(write):
    lines = "".join(f"1 0 d{n} x\n" for n in range(8))
    checks = check_files(judgements=[write("ada.qrels", ADA + lines)])
    errors = found(checks, "invalid line")
    assert len(errors) == 6
    assert "ada.qrels, line 5: " in errors[0]
    assert errors[-1].endswith("3 more invalid lines.")
    assert checks.files[0].invalid == 8


def test_repeated_documents_and_systems(write):
    files = [write("a.run", RUN), write("b.run", RUN), write("ada.qrels", ADA + "1 0 d1 1\n")]
    checks = check_files(files)
    assert found(checks, "repeated judgements")[0].endswith("ada.qrels: 1 document occurs again in a topic.")
    assert found(checks, "repeated system")[0].endswith("the system 'bm25' is in an earlier file too.")


def test_a_stated_kind_is_used(write):
    path = write("list.txt", "1\tgreen tea\n")
    assert check_files(topics=path).files[0].label == "topics, as stated"


def test_files_that_cannot_be_read_are_errors(write, tmp_path):
    checks = check_files([write("empty.txt", ""), tmp_path / "missing.run"])
    assert checks.count("error") == 2
    assert "the file is empty" in found(checks, "unreadable file")[0]
    assert found(checks, "unreadable file")[1] == f"{tmp_path / 'missing.run'}: No such file or directory."


def test_no_file_is_refused():
    with pytest.raises(ValueError, match="There is no file to check"):
        check_files()


def test_command_prints_and_sets_the_exit_code(write, capsys):
    clean, damaged = write("ada.qrels", ADA), write("bob.qrels", "1 0 d1 x\n")
    assert main(["check", clean]) == 0
    assert "no errors and no warnings" in capsys.readouterr().out
    assert main(["check", "--judgements", damaged]) == 1
    assert "label 'x' is not allowed" in capsys.readouterr().out
    assert main(["check"]) == 2
    assert "There is no file to check" in capsys.readouterr().err


def test_command_prints_json(write, capsys):
    main(["check", "--json", write("ada.qrels", ADA), write("a.run", RUN)])
    result = json.loads(capsys.readouterr().out)
    assert result["counts"] == {"error": 0, "warning": 0, "note": 2}
    assert result["files"][1]["label"] == "TREC run"
    assert result["findings"][0]["counts"] == {"mean": 1.0, "least": 1.0}


def test_ranks_that_contradict_scores_are_a_warning(write):
    (sentence,) = found(check_files([write("a.run", RUN.replace("3.0", "1.0"))]), "order of a run")
    assert "a.run: the rank column contradicts the scores" in sentence


def test_a_run_of_ranks_alone_is_a_note(write):
    checks = check_files([write("a.tsv", "1\td1\t1\n1\td2\t2\n")])
    (sentence,) = found(checks, "order of a run")
    assert sentence.count("a.tsv") == 1
    assert "the score is 1/rank" in sentence
    assert checks.is_clean


def test_what_is_in_two_files_is_a_warning(write):
    documents = DOCUMENTS.replace('" "', '"x"')
    files = [write("a.tsv", TOPICS), write("b.tsv", TOPICS), write("a.jsonl", documents), write("b.jsonl", documents)]
    table = "assessor,query_id,doc_id,relevance\nada,1,d1,1\nada,2,d1,0\n"
    checks = check_files([*files, write("ada.csv", table), write("again.csv", table)])
    assert found(checks, "repeated topics")[0].endswith("b.tsv: 2 topics (1, 2) are in an earlier file too.")
    assert found(checks, "repeated documents")[0].endswith("b.jsonl: 2 documents (d1, d2) are in an earlier file too.")
    assert found(checks, "repeated judges")[0].endswith("again.csv: 1 judge (ada) is in an earlier file too.")


def test_each_run_of_an_archive_is_checked(tmp_path):
    path = tmp_path / "runs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.run", RUN.replace("bm25", "a"))
        archive.writestr("b.run", RUN.replace("bm25", "b") + "1 Q0 d3 3 x b\n")
    checks = check_files([path])
    assert (checks.files[0].items, checks.files[0].invalid) == (8, 1)
    assert "b.run, line 5" in found(checks, "invalid line")[0]


def test_listed_documents_are_relevant_on_request(capsys):
    path = str(CASES.parent / "smart" / "cisi.rel")
    assert main(["check", path]) == 1
    assert "--listed-relevant" in capsys.readouterr().out
    main(["check", "--listed-relevant", path])
    assert "gave the grades 1 (" in capsys.readouterr().out
