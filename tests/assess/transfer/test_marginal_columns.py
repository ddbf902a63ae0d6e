"""The answers about marginal relevance in the raw judgements: exported, limited to a set, and restored by an import."""

import csv
import io

import pytest

from assess.collections.create import create_collection
from assess.collections.topic_sets import set_topics
from assess.errors import Refused
from assess.judging.history import ledger_csv
from assess.judging.ledger import ledger_problems
from assess.marginal.report import export_diversity_qrels
from assess.models import AuditEvent, Collection, MarginalAnswer
from assess.transfer.exports import export_judgements
from assess.transfer.judgements import import_judgements
from assess.transfer.topics import import_topics
from tests.assess.command_output import output_of
from tests.assess.judging.asking import asking_collection, join_judges, judge, judge_all, undo
from tests.assess.web.research.analysis.pages import read
from tests.factories import write_topics

pytestmark = pytest.mark.django_db
HEADER = "assessor,query_id,doc_id,relevance,marginal,repeats\n"


@pytest.fixture
def collection():
    return asking_collection()


@pytest.fixture
def judges(collection, join):
    return join_judges(collection, join)


@pytest.fixture
def copy(tmp_path):
    """A collection with the same topics and scale, without judgements."""
    collection = create_collection("copy", "Copy", ["0=none", "1=some", "2=much"])
    import_topics(collection, write_topics(tmp_path))
    return collection


def answers_in(content: str) -> dict[tuple[str, str], tuple[str, str]]:
    rows = csv.DictReader(io.StringIO(content, newline=""))
    return {(row["assessor"], row["doc_id"]): (row["marginal"], row["repeats"]) for row in rows}


@pytest.mark.in_ci
def test_answers_are_exported_and_restored_by_an_import(collection, judges, copy):
    ada, ben = judges
    judge_all(ada, ben)
    judge(ada, "c", 0)  # an answer names documents that are not relevant any more, or undone
    undo(ben, "b")
    exported = export_judgements(collection)
    assert answers_in(exported.decode()) == {
        ("ada", "a"): ("new", ""),
        ("ada", "b"): ("nothing", '["a"]'),
        ("ada", "c"): ("", ""),
        ("ada", "d"): ("", ""),
        ("ben", "a"): ("nothing", '["b","c"]'),
        ("ben", "b"): ("", ""),
        ("ben", "c"): ("new", ""),
    }
    import_judgements(copy, exported)
    assert export_judgements(copy) == exported
    for name in ("judge:ada", "judge:ben"):
        assert export_diversity_qrels(copy, name) == export_diversity_qrels(collection, name)
    assert list(ledger_problems()) == []
    assert import_judgements(copy, exported).added == 0  # the same file again
    MarginalAnswer.objects.filter(event__member__collection=copy, answer="nothing").update(answer="partly")
    assert len(list(ledger_problems())) == 2  # the hashes of imported events cover the answers


def test_file_that_contradicts_a_saved_answer_is_refused(copy):
    import_judgements(copy, f"{HEADER}ada,1,a,1,new,\nada,1,b,1,,\n".encode())
    assert import_judgements(copy, f"{HEADER}ada,1,a,1,,\nada,1,b,1,,\n".encode()).same == 2
    for line, answer in (
        ('ada,1,a,1,partly,"[""b""]"', "answer partly and repeats b"),
        ("ada,1,b,1,new,", "answer new"),
    ):
        with pytest.raises(Refused, match=f"but the file has grade 1 with the {answer}; nothing was changed"):
            import_judgements(copy, f"{HEADER}{line}\n".encode())


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ("1,maybe,", "The answer must be one of new, partly, nothing, not 'maybe'."),
        ('1,,"[""b""]"', "The answer must be one of new, partly, nothing, not ''."),
        ('1,new,"[""b""]"', "A document that only adds something new cannot repeat others; choose “partly new”."),
        ("1,partly,", "Choose the documents that this one repeats."),
        ("0,new,", "Only a relevant document, with a grade from 1, can add something new."),
        ('1,partly,"[""a""]"', "A document cannot repeat itself."),
        ('1,partly,"[""b c""]"', "A doc_id in repeats contains white space"),
        ("1,partly,b", """repeats must be a list of doc_ids such as ["d1","d2"], not 'b'"""),
        ("1,partly,[1]", """repeats must be a list of doc_ids such as ["d1","d2"], not '[1]'"""),
        ("1,partly," + "[" * 9_000, "repeats must be a list of doc_ids"),
    ],
)
def test_invalid_answer_is_refused_with_its_line(copy, cells, sentence):
    with pytest.raises(Refused) as refused:
        import_judgements(copy, f"{HEADER}ada,1,a,{cells}\n".encode())
    assert "line 2" in str(refused.value)
    assert sentence in str(refused.value)
    assert not MarginalAnswer.objects.exists()


def test_own_file_of_an_assessor_has_the_answers_and_no_hidden_doc_ids(collection, judges):
    ada, ben = judges
    judge_all(ada, ben)
    rows = list(csv.DictReader(ledger_csv(ada)))
    assert [(row["doc_id"], row["marginal"], row["repeats"]) for row in rows] == [
        ("a", "new", ""),
        ("b", "nothing", '["a"]'),
        ("c", "partly", '["a"]'),
        ("d", "", ""),
    ]
    Collection.objects.update(hide_doc_ids=True)
    ada.collection.refresh_from_db()
    rows = list(csv.DictReader(ledger_csv(ada)))
    assert {(row["doc_id"], row["repeats"]) for row in rows} == {("", "")}
    assert [row["marginal"] for row in rows] == ["new", "nothing", "partly", ""]


def test_judgements_of_a_set_are_not_all_judgements(collection, judges, join, signed_in, tmp_path):
    ada, ben = judges
    judge_all(ada, ben)
    judge(ada, "x", query_id="2")
    set_topics(collection, ["2"], "test")
    out = tmp_path / "test.csv"
    lines = output_of("export_judgements", "--collection", collection.slug, "--set", "test", "--out", out)
    assert lines[0] == f"Wrote 1 judgement to {out}."
    assert answers_in(out.read_text()).keys() == {("ada", "x")}
    http = signed_in(join(collection, "olga", role="owner"))
    assert read(http, "judgements_csv", collection, set="test") == out.read_text()
    assert AuditEvent.objects.filter(action="exported").values_list("subject", flat=True).distinct().get() == (
        "judgements, test set"  # a deletion needs an export of all judgements
    )
    assert "judgements.csv?set=test" in read(http, "collection", collection)
    refused = read(http, "judgements_csv", collection, set="development", status=400)
    assert "No topic of" in refused
    assert AuditEvent.objects.filter(action="exported").count() == 2
