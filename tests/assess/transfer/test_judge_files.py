"""Importing the files of many judges: what is stored with a judge, names of members, and irregular files."""

import csv
import gzip
import hashlib

import pytest

import agreement
from assess.analysis.data import collection_ratings
from assess.collections.create import find_collection
from assess.errors import Refused
from assess.judging.ledger import ledger_problems
from assess.models import ImportedFile, ImportedJudge, Judgement, JudgementEvent, JudgementImport, Member, Role
from assess.people import erasure
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_by_judge
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, small_collection
from tests.realdata import real_data

GRADES = ("0=No", "1=Some", "2=Good", "3=Best")
HEADER = "assessor,query_id,doc_id,relevance"
ODD = "1 0 a 7\n1 0 b 1.0\n1 0 e 1\n1 0 e 2\n1 0 d -1\n2 0 x 0.5\n"
CLEANED = [
    "--off-scale=clip",
    "--decimals=whole",
    "--duplicates=highest",
    "--negative=not_judged",
    "--rounding=half_up",
]
SENTENCE = (
    "odd: 1 whole label written with decimals, 1 label rounded (half_up), 1 negative label read as not judged, 1 label "
    "off the scale clipped, 1 document repeated with different grades (the highest was kept)."
)


@pytest.fixture
def graded(db):
    """The small collection on a scale from 0 to 3."""
    return small_collection(SMALL_RUNS, slug="graded", grades=GRADES)


@pytest.fixture
def write(tmp_path):
    """A function that writes a file."""

    def write(name: str, content: str | bytes):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def run(*words):
    return output_of("import_judgements", "--collection", "graded", *words)


def refused(*words):
    return refusal("import_judgements", "--collection", "graded", *words)


def grades_of(name: str) -> dict[str, int]:
    return dict(Judgement.objects.filter(member__name=name).values_list("task__document__doc_id", "relevance"))


def test_many_files_by_name_pattern_and_argument(graded, write):
    for name in ("one.umbrela.txt", "two.umbrela.txt"):
        write(name, "1 0 a 1\n")
    nist = write("a.qrels", "1 0 a 2\n1 0 b 0\n")
    pattern = nist.parent / "*.umbrela.txt"
    assert run(f"nist={nist}", pattern) == ["Read 4 judgements: 4 new, 0 already imported."]
    assert set(Member.objects.values_list("name", flat=True)) == {"nist", "one.umbrela", "two.umbrela"}
    run("--name-pattern", "{judge}.umbrela.txt", pattern)
    assert grades_of("one") == grades_of("two") == {"a": 1}


def test_files_are_imported_together_or_not_at_all(graded, write):
    first, second = write("first.qrels", "1 0 a 1\n"), write("second.qrels", "1 0 a 8\n")
    assert refused(first, second).startswith(f"{second}, line 1: 'second' on document 'a' of topic '1': grade 8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--assessor", "ada", "a.qrels", "b.qrels"), "--assessor ada names the judge of one file, but there are 2;"),
        (("none*.qrels",), "No file matches the pattern 'none*.qrels'."),
        (("x/a.qrels", "a.qrels"), "Two files have the name 'a'."),
        (("--duplicates", "median", "a.qrels"), "--duplicates median needs a rounding"),
        (("--map", "1=8", "a.qrels"), "The judge's grade 1 becomes 8, which is not on the scale 0, 1, 2, 3"),
        (("--map", "b:1=2", "a.qrels"), "There is no file of the judge 'b'; the judges are a."),
        (("--map", "1", "a.qrels"), "--map must be written as 1=2,2=3 or Relevant=1, each grade once, not '1'."),
        (
            ("--description", "x", "--description", "y", "a.qrels"),
            "There are two descriptions of all judges; give one.",
        ),
        (
            ("--as-member", "nobody", "a.qrels"),
            "graded has no member with the pseudonym 'nobody'; judgements can be imported as those of nobody.",
        ),
    ],
)
def test_arguments_that_do_not_fit_are_refused(graded, write, monkeypatch, words, message):
    monkeypatch.chdir(write("a.qrels", "1 0 a 1\n").parent)
    assert refused(*words).startswith(message)


def test_irregular_labels_are_cleaned_counted_and_printed(graded, write):
    path = write("odd.txt", ODD)
    assert run(*CLEANED, path) == ["Read 4 judgements: 4 new, 0 already imported.", SENTENCE]
    assert grades_of("odd") == {"a": 3, "b": 1, "e": 2, "x": 1}
    assert list(ledger_problems()) == []


def test_file_counts_and_options_are_stored_with_the_judge(graded, write):
    content = gzip.compress(ODD.encode(), mtime=0)
    path = write("odd.txt.gz", content)
    run(*CLEANED, "--kind", "model", "--description", "gpt, prompt 3, 2024-08", path)
    judge = ImportedJudge.objects.get()
    assert (judge.member.name, judge.kind, judge.description) == ("odd", "model", "gpt, prompt 3, 2024-08")
    assert (judge.own_scale, judge.mapping) == (None, {})
    record = JudgementImport.objects.get()
    assert (record.member, record.file_name, record.added) == (judge.member, str(path), 4)
    assert record.options == {
        "scale": [0, 1, 2, 3],
        "off_scale": "clip",
        "duplicates": "highest",
        "rounding": "half_up",
        "decimals": "whole",
        "negative": "not_judged",
    }
    expected = {"lines": 6, "judgements": 4, "clipped": 1, "not_judged": 1, "contradicting_pairs": 1, "repeated": 1}
    assert {name: record.counts[name] for name in expected} == expected
    file = ImportedFile.objects.get()
    assert (file.original(), file.size, file.collection) == (content, len(content), graded)
    assert file.sha256 == record.sha256 == hashlib.sha256(content).hexdigest()


def test_importing_again_changes_nothing(graded, write):
    path = write("odd.txt", ODD)
    run(*CLEANED, path)
    before = tables()
    assert run(*CLEANED, path) == ["Read 4 judgements: 0 new, 4 already imported.", SENTENCE]
    assert tables() == before


def test_the_same_file_cleaned_differently_is_refused(graded, write):
    path = write("odd.txt", ODD)
    run(*CLEANED, path)
    other = [word.replace("highest", "lowest") for word in CLEANED]
    assert refused(*other, path).startswith(f"{path}, line 3, 'odd' on document 'e' of topic '1': the collection has")


def test_report_prints_invalid_lines_and_imports_the_others(graded, write):
    path = write("odd.txt", f"{ODD}9 0 a 1\n1 0\n2 0 y 3\n")
    lines = run("--on-error", "report", path)
    assert lines[0] == "Read 2 judgements: 2 new, 0 already imported."
    assert lines[1] == (
        "odd: 7 invalid lines left out, 1 document repeated with different grades (the first was kept)."
    )
    assert [line.partition(" line ")[2][:1] for line in lines[2:]] == list("1245678")
    assert (
        lines[7]
        == f"{path}, line 7, 'odd' on document 'a' of topic '9': graded has no topic '9'; import the topics first."
    )
    assert grades_of("odd") == {"e": 1, "y": 3}
    counts = JudgementImport.objects.get().counts
    assert (counts["lines"], counts["judgements"], counts["invalid"]) == (9, 2, 7)


def test_report_never_overwrites_a_judgement(graded, write):
    run(write("odd.txt", "1 0 a 1\n"))
    events = JudgementEvent.objects.count()
    lines = run("--on-error", "report", write("odd.txt", "1 0 a 2\n1 0 b 2\n"))
    assert lines[0] == "Read 1 judgement: 1 new, 0 already imported."
    assert lines[-1].endswith("the collection has grade 1, but the file has grade 2; nothing was changed.")
    assert (grades_of("odd"), JudgementEvent.objects.count()) == ({"a": 1, "b": 2}, events + 1)


def test_report_of_an_empty_file_imports_the_others(graded, write):
    lines = run("--on-error", "report", write("empty.txt", ""), write("full.txt", "1 0 a 1\n"))
    assert lines[0] == "Read 1 judgement: 1 new, 0 already imported."
    assert lines[1].endswith("empty.txt: the file has no judgements; a qrels file has at least one line")
    assert list(Member.objects.values_list("name", flat=True)) == ["full"]


def test_report_of_csv(graded, write):
    path = write("panel.csv", f"{HEADER},confidence\nada,1,a,9,\nada,1,b,1,3\nada,1,c\nbob,1,a,1,8\nbob,9,a,1,\n")
    lines = run("--on-error", "report", path)
    assert lines[0] == "Read 1 judgement: 1 new, 0 already imported."
    assert [line.partition(" line ")[2][:1] for line in lines if line.startswith(str(path))] == list("2456")
    assert Judgement.objects.get().confidence == 3
    assert set(Member.objects.values_list("name", flat=True)) == {"ada"}


def test_options_apply_to_csv(graded, write):
    path = write(
        "panel.csv", f"{HEADER},state\nada,1,a,9,\nada,1,b,2.0,judged\nada,1,c,,later\nbob,1,a,1,\nbob,1,a,2,\n"
    )
    run("--off-scale", "clip", "--decimals", "whole", "--duplicates", "last", path)
    assert grades_of("ada") == {"a": 3, "b": 2, "c": None}
    assert grades_of("bob") == {"a": 2}
    counts = {record.member.name: record.counts for record in JudgementImport.objects.all()}
    assert (counts["ada"]["lines"], counts["ada"]["judgements"], counts["ada"]["clipped"]) == (3, 3, 1)
    assert (counts["bob"]["contradicting_pairs"], counts["bob"]["repeated"]) == (1, 1)


@pytest.mark.slow
def test_own_scale_and_mapping_apply_again(graded, write):
    declared = ("--judge-scale", "bin:0,1", "--map", "bin:1=2")
    run(*declared, write("bin.txt", "1 0 a 1\n1 0 b 0\n"), write("graded.txt", "1 0 a 1\n"))
    assert (grades_of("bin"), grades_of("graded")) == ({"a": 2, "b": 0}, {"a": 1})
    judge = ImportedJudge.objects.get(member__name="bin")
    assert (judge.own_scale, judge.mapping) == ([0, 1], {"1": 2})
    path = write("bin.txt", "1 0 a 1\n1 0 c 1\n")
    run(path)
    assert grades_of("bin") == {"a": 2, "b": 0, "c": 2}
    assert refused("--map", "1=3", path) == (
        "bin was imported with the mapping {1: 2}, not {1: 3}; choose another name."
    )
    assert refused("--judge-scale", "0,1,2", path) == (
        "bin was imported with the own scale [0, 1], not [0, 1, 2]; choose another name."
    )
    assert refused("--map", "1=3", write("graded.txt", "1 0 b 1\n")).startswith(
        "graded was imported with the mapping none"
    )


@pytest.mark.slow
def test_kind_and_description_are_filled_in_but_never_changed(graded, write):
    path = write("gpt.txt", "1 0 a 1\n")
    run(path)
    judge = ImportedJudge.objects.get()
    assert (judge.kind, judge.description) == ("", "")
    run("--kind", "model", "--description", "gpt=GPT, first prompt", path)
    judge.refresh_from_db()
    assert (judge.kind, judge.description) == ("model", "GPT, first prompt")
    assert refused("--kind", "human", path) == "The kind of gpt is 'model', not 'human'; nothing was changed."
    assert refused("--description", "other", path).startswith("The description of gpt is 'GPT, first prompt', not 'ot")


def test_descriptions_of_single_judges(graded, write):
    words = ("--description", "=all of them = models", "--description", "b=the second")
    run(*words, write("a.txt", "1 0 a 1\n"), write("b.txt", "1 0 a 1\n"))
    described = dict(ImportedJudge.objects.values_list("member__name", "description"))
    assert described == {"a": "all of them = models", "b": "the second"}


def test_unknown_kind_is_refused(graded):
    with pytest.raises(Refused, match="The kind of a judge must be one of human, crowd, model, derived, not 'robot'"):
        import_by_judge(graded, [("a", b"1 0 a 1\n")], JudgementOptions(judge_kind="robot"))


def test_label_confidence_is_kept_and_exported(graded, write):
    path = write("gpt.csv", f"{HEADER},label_confidence\ngpt,1,a,1,0.85\ngpt,1,b,0,\n")
    run(path)
    for model in (Judgement, JudgementEvent):
        assert sorted(model.objects.values_list("relevance", "label_confidence")) == [(0, None), (1, 0.85)]
    exported = write("export.csv", "")
    output_of("export_judgements", "--collection", "graded", "--out", exported)
    assert [row["label_confidence"] for row in csv.DictReader(exported.open())] == ["0.85", ""]
    before = tables()
    run(exported)
    assert tables() == before
    assert list(ledger_problems()) == []
    other = write("other.csv", f"{HEADER},label_confidence\ngpt,1,a,1,0.5\n")
    assert "grade 1 with label confidence 0.85, but the file has grade 1 with label confidence 0.5" in refused(other)


@pytest.mark.parametrize("text", ["-0.5", "nan", "inf", "high", "1e999"])
def test_invalid_label_confidence_is_refused(graded, write, text):
    path = write("gpt.csv", f"{HEADER},label_confidence\ngpt,1,a,1,{text}\n")
    assert refused(path) == f"{path}, line 2: label_confidence must be a decimal number from 0, not {text!r}."


# ---- names of members


@pytest.mark.parametrize("content", ["1 0 a 1\n", f"{HEADER}\nassessor-1,1,a,1\n"], ids=["qrels", "CSV"])
def test_name_of_a_person_is_not_used_as_a_judge(graded, write, join, content):
    ada = join(graded, "ada")
    path = write("assessor-1.txt", content)
    assert refused(path) == (
        "assessor-1 is a person in graded. If the judgements are theirs, import them as member assessor-1; "
        "otherwise choose another name for the judge."
    )
    run("--as-member", "assessor-1", path)
    assert Judgement.objects.get().member == ada
    assert not ImportedJudge.objects.exists()
    assert JudgementImport.objects.get().member == ada


def test_name_of_an_account_is_not_used_as_a_judge(graded, write, join):
    join(graded, "ada")
    assert refused(write("ada.txt", "1 0 a 1\n")) == (
        "ada is the account of assessor-1, a person in graded. If the judgements are theirs, name their judge "
        "assessor-1 in the file, and import them as member assessor-1; otherwise choose another name for the judge."
    )
    assert refused("--as-member", "zed", write("b.txt", "1 0 a 1\n")).endswith(
        "judgements can be imported as those of assessor-1."
    )


def test_assessor_option_does_not_turn_a_person_into_a_judge(graded, write, join):
    join(graded, "ada")
    assert refused("--assessor", "assessor-1", write("x.txt", "1 0 a 1\n")).startswith(
        "assessor-1 is a person in graded."
    )


def test_member_of_another_role_is_refused_even_by_name(graded, write, join):
    join(graded, "rosa", Role.RESEARCHER)
    path = write("x.txt", "1 0 a 1\n")
    assert refused("--as-member", "researcher-1", path).startswith(
        "researcher-1 is researcher of graded, not assessor;"
    )


def test_earlier_imported_judge_is_not_a_person(graded, write):
    Member.objects.create(collection=graded, role=Role.ASSESSOR, name="old")  # from before imported judges were stored
    run("--kind", "crowd", write("old.txt", "1 0 a 1\n"))
    assert ImportedJudge.objects.get().member.name == "old"


# ---- erasure


def test_erasure_deletes_files_with_the_judgements_of_the_member(graded, write):
    run(write("panel.csv", f"{HEADER}\nada,1,a,1\nbob,1,a,2\n"), write("other.txt", "1 0 a 1\n"))
    erasure.erase([graded.members.get(name="ada")], "asked for")
    assert list(ImportedFile.objects.values_list("name", flat=True)) == [str(write("other.txt", ""))]
    kept = JudgementImport.objects.get(member__name="bob")
    assert (kept.file, kept.file_name.endswith("panel.csv"), kept.counts["judgements"]) == (None, True, 1)
    assert list(ledger_problems()) == []


def test_erasure_finds_files_in_which_all_lines_were_known(graded, write):
    run(write("first.csv", f"{HEADER}\nada,1,a,1\n"))
    run(write("second.csv", f"{HEADER}\nada,1,a,1\nbob,1,a,2\n"))
    assert dict(JudgementImport.objects.values_list("member__name", "added")) == {"ada": 0, "bob": 1}
    erasure.erase([graded.members.get(name="ada")], "asked for")
    assert not ImportedFile.objects.exists()


# ---- real judges


def llmjudge_collection(judges):
    """A collection with the topics of the judges' files."""
    topics = real_data("llmjudge", "queries.tsv")
    grades = [word for grade in GRADES for word in ("--grade", grade)]
    output_of("create_collection", "graded", "--owner", "olga", *grades)
    output_of("import_topics", "--collection", "graded", topics)
    return [str(real_data("llmjudge", "scores") / f"{judge}.txt.gz") for judge in judges]


@pytest.mark.slow
def test_three_language_models(db):
    paths = llmjudge_collection(["Olz-halfbin", "h2oloo-zeroshot2", "willia-umbrela1"])
    lines = run("--off-scale", "clip", "--kind", "model", *paths)
    assert lines[:2] == [
        "Read 13,269 judgements: 13,269 new, 0 already imported.",
        "h2oloo-zeroshot2: 1 label off the scale clipped.",
    ]
    assert ImportedJudge.objects.filter(kind="model").count() == 3


@pytest.mark.slow
def test_published_kappa_of_an_imported_model(db):
    paths = llmjudge_collection(["willia-umbrela1"])
    run("--kind", "human", f"nist={real_data('llmjudge', 'nist_test.qrels')}")
    run("--kind", "model", *paths)
    ratings = collection_ratings(find_collection("graded"))
    assert round(agreement.cohen_kappa(ratings, "nist", "willia-umbrela1").value, 4) == 0.2863
    assert round(agreement.krippendorff_alpha(ratings, "ordinal").value, 6) == 0.491793


@pytest.mark.soak
def test_all_33_language_models_with_one_command(db):
    lines = run("--off-scale", "clip", "--kind", "model", *llmjudge_collection(["*"]))
    assert lines[:3] == [
        "Read 145,959 judgements: 145,959 new, 0 already imported.",
        "RMITIR-llama70B: 2 labels off the scale clipped.",
        "h2oloo-zeroshot2: 1 label off the scale clipped.",
    ]
    assert Member.objects.filter(imported_judge__kind="model").count() == 33
    assert ImportedFile.objects.count() == 33
    assert list(ledger_problems()) == []
