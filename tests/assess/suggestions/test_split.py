"""Agreement with and without assisted judgements, on pages, in the command and in exports."""

import csv
import io

import pytest
from django.http import QueryDict
from django.urls import reverse

from assess.analysis.agreement import agreement_figures
from assess.analysis.documents.filters import choices_for, read_filter
from assess.analysis.documents.listing import listed
from assess.analysis.judges.assisted import AssistedJudgements, assisted_judgements
from assess.analysis.selection import Selection
from assess.errors import Refused
from assess.judging.ledger import ledger_problems
from assess.models import Assistance, Member, Role
from assess.transfer.exports import export_judgements, judgement_records
from assess.transfer.judgements import import_judgements
from tests.assess.command_output import output_of
from tests.assess.suggestions.suggesting import cards, judge, judge_study, judges_of, suggesting_collection
from tests.factories import small_collection
from tests.html import compact

pytestmark = pytest.mark.django_db
SENTENCE = "2 of 11 judgements were made with the suggestion of a model: ada 2 by model-a."
HEADER = b"assessor,query_id,doc_id,relevance,repeat,assisted,suggested\n"


@pytest.fixture
def collection():
    return suggesting_collection()


@pytest.fixture
def study(collection, join):
    judge_study(collection, join)
    return collection


def agreed(collection, assisted):
    """The number of common documents and P(A) of each pair."""
    pairs = agreement_figures(collection, Selection(assisted=assisted)).pairs
    columns = ("assessor_a", "assessor_b", "n", "percent_agreement")
    return {(a, b): (n, p) for a, b, n, p in pairs[list(columns)].itertuples(index=False)}


def page_of(name, *arguments, **query):
    return reverse(f"research:{name}", args=["small", *arguments], query=query)


# ---- figures


@pytest.mark.in_ci
def test_agreement_is_split_by_hand(study):
    assert agreed(study, "") == {
        ("ada", "ben"): (3, pytest.approx(2 / 3)),  # b and d of a, b and d
        ("ada", "model-a"): (2, 1.0),  # both assisted
        ("ben", "model-a"): (3, pytest.approx(1 / 3)),  # b of a, b and c
    }
    assert agreed(study, "without") == {
        ("ada", "ben"): (1, 1.0),  # d
        ("ben", "model-a"): (3, pytest.approx(1 / 3)),
    }
    assert agreed(study, "only") == {("ada", "model-a"): (2, 1.0)}


@pytest.mark.in_ci
def test_sentences_count_the_assisted_judgements(study):
    found = assisted_judgements(study)
    assert found.sentence == SENTENCE
    assert found.pairs == ["ada graded 2 documents with the suggestion of model-a, so the two are not independent."]
    assert found.of_pair("model-a", "ada") == found.pairs[0]
    assert found.of_pair("ada", "ben") == ""
    assert assisted_judgements(study, Selection(assisted="without")).sentence == (
        "Judgements that were made with the suggestion of a model are left out."
    )
    assert assisted_judgements(study, Selection(assisted="only")).sentence == (
        "Only judgements made with the suggestion of a model (ada 2 by model-a), and the grades of models."
    )


def test_nothing_is_reported_without_assisted_judgements(join):
    collection = suggesting_collection(is_on=False)
    ada, _ = judges_of(collection, join)
    judge(ada, "a", 1)
    assert assisted_judgements(collection) == AssistedJudgements()
    assert assisted_judgements(collection).sentence == ""


def test_judgement_that_was_undone_counts_no_more(collection, join):
    ada, _ = judges_of(collection, join)
    cards(ada)
    judge(ada, "a", 2)
    judge(ada, "a", None, state="undone")
    assert assisted_judgements(collection).by_pair.total() == 0


def test_selection_of_an_earlier_job_has_all_judgements():
    values = Selection(assisted="only").to_input()
    assert Selection.from_input(values).assisted == "only"
    del values["assisted"]
    assert Selection.from_input(values) == Selection()


# ---- pages and command


@pytest.mark.slow
def test_pages_offer_the_parts_and_say_what_was_assisted(study, join, signed_in):
    http = signed_in(join(study, "rita", Role.RESEARCHER))
    html = compact(http.get(page_of("agreement")).content.decode())
    assert SENTENCE in html
    assert "ada graded 2 documents with the suggestion of model-a, so the two are not independent." in html
    assert '<option value="without"' in html
    html = compact(http.get(page_of("agreement", assisted="without")).content.decode())
    assert "Judgements that were made with the suggestion of a model are left out." in html
    assert "?assisted=without" in html  # links keep it
    ada, ben, model = (Member.objects.get(name=name).pk for name in ("ada", "ben", "model-a"))
    assert "so the two are not independent" in http.get(page_of("pair", ada, model)).content.decode()
    assert "not independent" not in http.get(page_of("pair", ada, ben)).content.decode()
    assert http.get(page_of("agreement", assisted="both")).status_code == 400
    for tab in ("agreement_topics", "agreement_golds", "agreement_judges", "agreement_time"):
        assert SENTENCE in compact(http.get(page_of(tab)).content.decode())


@pytest.mark.in_ci
def test_list_of_documents_has_the_part(study, join, signed_in):
    http = signed_in(join(study, "rita", Role.RESEARCHER))
    query = {"judge_a": "ada", "assisted": "without", "rel": "all"}
    html = compact(http.get(page_of("documents", **query)).content.decode())
    assert "without assisted judgements" in html
    for part, number in (("", 3), ("without", 1), ("only", 2)):
        wanted = read_filter(QueryDict(f"judge_a=ada&rel=all&assisted={part}"), choices_for(study))
        assert len(listed(study, wanted)) == number


@pytest.mark.in_ci
def test_pages_offer_nothing_without_assisted_judgements(join, signed_in):
    collection = suggesting_collection(is_on=False)
    ada, _ = judges_of(collection, join)
    judge(ada, "a", 1)
    html = signed_in(join(collection, "rita", Role.RESEARCHER)).get(page_of("agreement")).content.decode()
    assert "ssisted" not in html


def test_command_splits_the_report(study):
    options = ("agreement_report", "--collection", "small")
    lines = output_of(*options)
    assert lines[0] == SENTENCE
    assert "so the two are not independent" in lines[1]
    csv_lines = {part: output_of(*options, "--csv", "--assisted", part) for part in ("without", "only")}
    judges = {part: {row["assessor_a"] for row in csv.DictReader(lines)} for part, lines in csv_lines.items()}
    assert "ben" in judges["without"]
    assert "ben" not in judges["only"]


# ---- exports


def rows_of(content: bytes):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_export_has_model_and_grade(study):
    rows = rows_of(export_judgements(study))
    assisted = {
        (row["assessor"], row["doc_id"]): (row["assisted"], row["suggested"]) for row in rows if row["assisted"]
    }
    assert assisted == {("ada", "a"): ("model-a", "2"), ("ada", "b"): ("model-a", "0")}
    records = {
        (row["assessor"], row["doc_id"]): row["suggested"] for row in judgement_records(study) if row["assisted"]
    }
    assert records == {("ada", "a"): 2, ("ada", "b"): 0}


def test_export_without_assisted_judgements_is_that_of_before(join):
    collection = suggesting_collection(is_on=False)
    judge(judges_of(collection, join)[0], "a", 1)
    assert b"assisted" not in export_judgements(collection)
    assert all("assisted" not in row for row in judgement_records(collection))


def test_import_keeps_it(study):
    exported = export_judgements(study)
    copy = small_collection(
        {"alpha": {"1": ["a", "b", "c", "d"], "2": ["a", "x"]}}, "copy", ["0=none", "1=some", "2=much"], 4
    )
    import_judgements(copy, exported)
    assert rows_of(export_judgements(copy)) == rows_of(exported)
    assert Assistance.objects.filter(event__member__collection=copy).count() == 2
    assert list(ledger_problems()) == []


def test_file_with_another_suggestion_is_refused(collection):
    import_judgements(collection, HEADER + b"eva,1,a,1,0,model-a,2\n")
    import_judgements(collection, b"assessor,query_id,doc_id,relevance,repeat\neva,1,a,1,0\n")  # it does not say
    with pytest.raises(Refused, match="the suggestion 2 of 'model-a', but the file has grade 1 with the suggestion 1"):
        import_judgements(collection, HEADER + b"eva,1,a,1,0,model-a,1\n")


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ("0,model-a,", "An assisted judgement needs both the model (assisted) and its grade (suggested)."),
        ("0,,1", "An assisted judgement needs both the model (assisted) and its grade (suggested)."),
        ("1,model-a,1", "Only a judgement with repeat 0 can be assisted, not one with repeat 1."),
        ("0,model-a,7", "The suggested grade must be one of 0, 1, 2, not 7."),
        (f"0,{'m' * 81},1", "The name of the model (assisted) can have at most 80 characters"),
    ],
)
def test_invalid_assistance_is_refused(collection, cells, sentence):
    events = collection.members.count()
    with pytest.raises(Refused) as refused:
        import_judgements(collection, HEADER + f"ada,1,a,1,{cells}\n".encode())
    assert sentence in str(refused.value)
    assert collection.members.count() == events
