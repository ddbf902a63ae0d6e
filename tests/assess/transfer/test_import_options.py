"""Importing judgements: to which judges the options apply."""

import pytest

from assess.errors import Refused
from assess.models import ImportedJudge, Judgement
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_by_judge, import_judgements
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, small_collection

GRADES = ("0=No", "1=Some", "2=Good", "3=Best")
HEADER = "assessor,query_id,doc_id,relevance"
PANEL = f"{HEADER}\nada,1,a,1\nbob,1,a,1\n"


@pytest.fixture
def graded(db):
    """The small collection on a scale from 0 to 3."""
    return small_collection(SMALL_RUNS, slug="graded", grades=GRADES)


@pytest.fixture
def export(graded, tmp_path):
    """A CSV file of ada and bob."""
    path = tmp_path / "export.csv"
    path.write_text(PANEL)
    return path


def run(*words):
    return output_of("import_judgements", "--collection", "graded", *words)


def refused(*words):
    before = tables()
    message = refusal("import_judgements", "--collection", "graded", *words)
    assert tables() == before
    return message


def grades() -> dict[str, int]:
    return dict(Judgement.objects.values_list("member__name", "relevance"))


# ---- options for one judge


def test_mapping_and_own_scale_of_one_assessor_of_a_csv_file(export):
    run("--map", "ada:1=2", "--judge-scale", "ada:0,1", export)
    assert grades() == {"ada": 2, "bob": 1}
    judges = ImportedJudge.objects.values_list("member__name", "own_scale", "mapping")
    assert sorted(judges) == [("ada", [0, 1], {"1": 2}), ("bob", None, {})]


def test_descriptions_of_the_assessors_of_a_csv_file(export):
    run("--description", "ada=GPT-4", "--description", "=the others, t=0", export)
    assert dict(ImportedJudge.objects.values_list("member__name", "description")) == {
        "ada": "GPT-4",
        "bob": "the others, t=0",
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--map", "export:1=2"), "There is no file of the judge 'export'; the judges are ada, bob."),
        (("--judge-scale", "eve:0,1"), "There is no file of the judge 'eve'; the judges are ada, bob."),
        (
            ("--description", "GPT-4, t=0"),
            "There is no file of the judge 'GPT-4, t'; the judges are ada, bob. A description of all judges that "
            "contains = is written as =TEXT.",
        ),
    ],
)
def test_unknown_names_are_refused(export, words, message):
    assert refused(*words, export) == message


def test_refusal_lists_at_most_ten_judges(graded):
    many = HEADER + "".join(f"\nj{number:02},1,a,1" for number in range(11))
    with pytest.raises(Refused, match=r"'eve'; the judges are j00, .*, j09, \.\.\.\.$"):
        import_by_judge(graded, [(None, many.encode())], JudgementOptions(mapping={"eve": {1: 2}}))


# ---- names of files and members


def test_name_of_a_csv_file_is_refused(export):
    assert refused(f"model={export}") == (
        f"{export}: the file has the column assessor, which names its judges, so the name 'model' cannot be given. "
        "Give the path alone, or remove the column."
    )


def test_only_the_named_file_is_refused(export, tmp_path):
    qrels = tmp_path / "a.qrels"
    qrels.write_text("1 0 a 1\n")
    run(f"model={qrels}", export)
    assert grades() == {"ada": 1, "bob": 1, "model": 1}


def test_members_are_added_to_those_of_the_options(graded, join):
    ada, _ = join(graded, "ada"), join(graded, "bob")
    import_judgements(graded, b"1 0 a 1\n", options=JudgementOptions(judge_kind="human"), as_members=[ada.name])
    assert grades() == {"assessor-1": 1}
    both = f"{HEADER}\nassessor-1,1,b,1\nassessor-2,1,b,2\n".encode()
    import_judgements(graded, both, options=JudgementOptions(as_members=["assessor-1"]), as_members=["assessor-2"])
    assert grades()["assessor-2"] == 2


@pytest.mark.parametrize("name", [None, "file"])
def test_single_file_is_that_of_the_only_member(graded, join, name):
    join(graded, "ada")
    import_by_judge(graded, [(name, b"1 0 a 1\n")], JudgementOptions(as_members=["assessor-1"]))
    assert grades() == {"assessor-1": 1}


def test_given_name_has_precedence_over_the_only_member(graded, join, tmp_path):
    join(graded, "ada")
    path = tmp_path / "file.qrels"
    path.write_text("1 0 a 1\n")
    run("--as-member", "assessor-1", f"model={path}")
    assert grades() == {"model": 1}
