"""Importing judgements: to which judges the options apply."""

import pytest

from assess.errors import Refused
from assess.models import ImportedJudge, Judgement
from assess.transfer.import_options import ImportOptions
from assess.transfer.judgement_import import import_files
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
        import_files(graded, [(None, many.encode())], ImportOptions(mapping={"eve": {1: 2}}))
