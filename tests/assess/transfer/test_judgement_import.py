"""Importing judgements: no partial imports, and one ledger line for each judgement."""

import gzip
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.judging import worklist
from assess.judging.ledger import ledger_problems
from assess.lib.batches import ATTEMPTS
from assess.models import Judgement, JudgementEvent, JudgementImport, Member, Role, Task
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from assess.pools.pooled_documents import missing_documents
from assess.pools.tasks import pooled_tasks
from assess.transfer import judgement_readers
from assess.transfer import judgements as judgement_import
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.database

GRADES = ("0=No", "1=Some", "2=Good", "3=Best")
HEADER = "assessor,query_id,doc_id,relevance"
FULL = f"{HEADER},state,repeat,judged_at,reason,comment,guidelines_version,active_ms"
HOW = f"{HEADER},comment,confidence,passages"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@pytest.fixture
def graded(db):
    """The small collection on a scale from 0 to 3."""
    return small_collection(SMALL_RUNS, slug="graded", grades=GRADES)


@pytest.fixture
def file(tmp_path):
    """A function that writes a file of judgements."""

    def file(content: str | bytes, name: str = "judgements"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return file


def import_judgements(*words):
    return output_of("import_judgements", "--collection", "graded", *words)


def refused(*words):
    return refusal("import_judgements", "--collection", "graded", *words)


def judgements_of(collection) -> list[tuple]:
    rows = Judgement.objects.filter(task__topic__collection=collection).order_by("pk")
    return list(rows.values_list("member__name", "task__topic__query_id", "task__document__doc_id", "relevance"))


def test_qrels_are_judgements_of_the_named_assessor(graded, file):
    path = file("1 0 a 3\n1 0 b 0\n2 0 x 1\n")
    assert import_judgements("--assessor", "ada", path) == ["Read 3 judgements: 3 new, 0 already imported."]
    assert judgements_of(graded) == [("ada", "1", "a", 3), ("ada", "1", "b", 0), ("ada", "2", "x", 1)]


def test_csv_names_its_assessors(graded, file):
    path = file(f"{HEADER}\nada,1,a,3\nbob,1,a,0\n")
    assert import_judgements(path) == ["Read 2 judgements: 2 new, 0 already imported."]
    assert judgements_of(graded) == [("ada", "1", "a", 3), ("bob", "1", "a", 0)]


def test_every_column_is_saved_in_judgement_and_ledger(graded, file):
    import_judgements(file(f"{FULL}\nada,1,a,,cannot_judge,1,2026-01-02T03:04:05+01:00,language,Dutch?,2,4200\n"))
    judgement, event = Judgement.objects.get(), JudgementEvent.objects.get()
    for row in (judgement, event):
        assert (row.state, row.relevance, row.reason, row.comment) == ("cannot_judge", None, "language", "Dutch?")
        assert (row.guidelines_version, row.active_ms) == (2, 4200)
    assert (judgement.repeat, judgement.judged_at) == (1, datetime(2026, 1, 2, 2, 4, 5, tzinfo=UTC))
    assert (event.judgement, event.member, event.at) == (judgement, judgement.member, judgement.judged_at)
    assert (event.source, event.actor, event.client_id) == ("import", None, None)
    assert (event.before_state, event.before_relevance) == ("", None)


def test_optional_columns_are_saved_in_judgement_and_ledger(graded, file):
    header = f"{HEADER},away_ms,confidence,passages,highlights,input"
    import_judgements(file(f'{header}\nada,1,a,3,60000,2,"[[0,4],[5,9]]",true,key\n'))
    for row in (Judgement.objects.get(), JudgementEvent.objects.get()):
        assert (row.away_ms, row.confidence, row.passages) == (60_000, 2, [[0, 4], [5, 9]])
        assert (row.highlights, row.input) == (True, "key")


def test_missing_columns_have_default_values(graded, file):
    import_judgements("--assessor", "ada", file("1 0 a 3\n"))
    for row in (Judgement.objects.get(), JudgementEvent.objects.get()):
        assert (row.away_ms, row.confidence, row.passages, row.highlights, row.input) == (0, None, [], None, "")


def test_imported_judgements_complete_assignments(graded, file, join):
    ada = join(graded, "ada")
    assign(graded, judges=1)
    rows = f"{ada.name},1,a,3,\n{ada.name},1,b,,later\n{ada.name},2,x,1,\nbob,1,d,1,\n"
    import_judgements("--as-member", ada.name, file(f"{HEADER},state\n{rows}"))
    states = dict(ada.assignments.values_list("task__document__doc_id", "state"))
    assert {doc_id: state for doc_id, state in states.items() if state} == {"a": "judged", "b": "later", "x": "judged"}
    assert list(ledger_problems()) == []


def test_imported_judgements_take_slots_in_an_open_collection(graded, file, join):
    ada = join(graded, "ada")
    open_to_claims(graded, 1)
    one, other = worklist.upcoming(ada, graded.topics.get(query_id="1"), limit=2)  # which claims them
    rows = f"{ada.name},1,{one.doc_id},3,\n{ada.name},1,{other.doc_id},,later\n"
    import_judgements("--as-member", ada.name, file(f"{HEADER},state\n{rows}"))
    held = ada.assignments.values_list("task__document__doc_id", "state", "holds_place", "claimed_until")
    assert sorted(held) == sorted([(one.doc_id, "judged", True, None), (other.doc_id, "later", False, None)])
    assert list(ledger_problems()) == []


def test_each_judgement_has_one_ledger_line(graded, file):
    import_judgements(file(f"{HEADER},state\nada,1,a,3,\nada,1,b,,later\nbob,1,a,,undone\n"))
    verdicts = ("judgement_id", "state", "relevance")
    judgements = Judgement.objects.order_by("pk").values_list("pk", "state", "relevance")
    assert list(JudgementEvent.objects.order_by("pk").values_list(*verdicts)) == list(judgements)
    assert [state for _, state, _ in judgements] == ["judged", "later", "undone"]


def test_unknown_judges_become_members_without_a_user(graded, file):
    import_judgements(file(f"{HEADER}\nZoë van Dam,1,a,3\n"))
    member = Member.objects.get(name="Zoë van Dam")
    assert (member.collection, member.role, member.user) == (graded, Role.ASSESSOR, None)


def test_judgements_of_an_existing_assessor(graded, file, join):
    ada = join(graded, "ada")
    import_judgements("--as-member", ada.name, file("1 0 a 3\n"))
    assert Judgement.objects.get().member == ada
    assert graded.members.count() == 1


def test_member_with_another_role_cannot_be_the_judge(graded, file, join):
    join(graded, "rosa", Role.RESEARCHER)
    assert refused("--assessor", "researcher-1", file("1 0 a 3\n")) == (
        "researcher-1 is researcher of graded, not assessor; choose another name."
    )


def test_unpooled_documents_become_tasks_outside_the_pool(graded, file):
    path = file("1 0 a 3\n1 0 new 1\n2 0 a 1\n")
    assert import_judgements("--assessor", "ada", path) == [
        "Read 3 judgements: 3 new, 0 already imported.",
        "2 judged documents are not in the pool; they are kept outside it.",
    ]
    assert pooled_tasks(graded).count() == 7
    assert Task.objects.filter(topic__collection=graded).count() == 9
    assert missing_documents(graded) == []


def test_importing_again_changes_nothing(graded, file):
    path = file(f"{FULL}\nada,1,a,3,,,,,'=1+1,,\nada,1,b,,cannot_judge,,,other,,,\n")
    import_judgements(path)
    before = tables()
    assert import_judgements(path) == ["Read 2 judgements: 0 new, 2 already imported."]
    assert tables() == before


def test_longer_file_adds_only_new_judgements(graded, file):
    import_judgements("--assessor", "ada", file("1 0 a 3\n"))
    before = tables()["Judgement"]
    path = file("1 0 b 2\n1 0 a 3\n")
    assert import_judgements("--assessor", "ada", path) == ["Read 2 judgements: 1 new, 1 already imported."]
    assert tables()["Judgement"][:1] == before


@pytest.mark.parametrize(
    ("saved", "imported", "words"),
    [
        ("3,,,", "2,,,", ("grade 3", "grade 2")),
        ("3,,,", ",later,,", ("grade 3", "later")),
        (",undone,,", "0,,,", ("undone", "grade 0")),
        (
            ",cannot_judge,broken,",
            ",cannot_judge,other,",
            ("cannot judge (broken)", "cannot judge (other)"),
        ),
        (
            "3,,,sure",
            "3,,,unsure",
            ("grade 3 with the comment 'sure'", "grade 3 with the comment 'unsure'"),
        ),
    ],
)
def test_judgement_that_differs_from_the_saved_one_is_refused(graded, file, saved, imported, words):
    import_judgements(file(f"{HEADER},state,reason,comment\nada,1,a,{saved}\n"))
    path = file(f"{HEADER},state,reason,comment\nbob,1,a,1,,,\nada,1,a,{imported}\n")
    assert refused(path) == (
        f"{path}, line 3, 'ada' on document 'a' of topic '1': the collection has {words[0]}, "
        f"but the file has {words[1]}; nothing was changed."
    )


@pytest.mark.parametrize(
    ("saved", "imported", "words"),
    [
        (",2,", ",1,", ("grade 3 with confidence 2", "grade 3 with confidence 1")),
        (",,", ",1,", ("grade 3", "grade 3 with confidence 1")),
        (
            'sure,2,"[[0,4]]"',
            'sure,2,"[[0,5]]"',
            (
                "grade 3 with the comment 'sure' and confidence 2 and passages [[0, 4]]",
                "grade 3 with the comment 'sure' and confidence 2 and passages [[0, 5]]",
            ),
        ),
    ],
)
def test_different_confidence_or_passage_is_refused(graded, file, saved, imported, words):
    import_judgements(file(f"{HOW}\nada,1,a,3,{saved}\n"))
    path = file(f"{HOW}\nada,1,a,3,{imported}\n")
    assert refused(path) == (
        f"{path}, line 2, 'ada' on document 'a' of topic '1': the collection has {words[0]}, "
        f"but the file has {words[1]}; nothing was changed."
    )


def test_file_without_optional_columns_does_not_contradict_them(graded, file):
    path = file(f'{HOW}\nada,1,a,3,sure,2,"[[0,4]]"\n')
    import_judgements(path)
    before = tables()
    import_judgements(path)
    import_judgements(file(f"{HEADER}\nada,1,a,3\n"))
    assert tables() == before


PASSAGES_REFUSED = "Passages must be [start, end) pairs in ascending order, at most 200, without overlap."


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("confidence", "4", "Confidence must be between 1 (unsure) and 3 (sure), not 4."),
        ("confidence", "0", "Confidence must be between 1 (unsure) and 3 (sure), not 0."),
        ("passages", '"[[4,4]]"', PASSAGES_REFUSED),
        ("passages", '"[[0,4],[3,9]]"', PASSAGES_REFUSED),
        ("input", "voice", "Input must be one of key, pointer, form, group, not 'voice'."),
        ("away_ms", "86400001", "away_ms must be between 0 and 86400000 (one day), not 86400001."),
    ],
)
def test_invalid_optional_column_is_refused(graded, file, column, value, sentence):
    path = file(f"{HEADER},{column}\nada,1,a,3,{value}\n")
    assert refused(path) == f"{path}, line 2, 'ada' on document 'a' of topic '1': {sentence}"


def test_qrels_do_not_contradict_comments(graded, file):
    import_judgements(file(f"{HEADER},comment\nada,1,a,3,sure\n"))
    before = tables()
    import_judgements("--assessor", "ada", file("1 0 a 3\n"))
    assert tables() == before


def test_first_judgement_and_hidden_repeat_are_both_saved(graded, file):
    import_judgements(file(f"{HEADER},repeat\nada,1,a,3,0\nada,1,a,1,1\n"))
    assert sorted(Judgement.objects.values_list("repeat", "relevance")) == [(0, 3), (1, 1)]


def test_unknown_grade_names_assessor_item_grade_file_and_line(graded, file):
    path = file("1 0 a 3\n1 0 b 4\n")
    assert refused("--assessor", "ada", path) == (
        f"{path}, line 2: 'ada' on document 'b' of topic '1': grade 4 is not on the scale; it must be one of 0, 1, 2, "
        "3, or use --off-scale clip or drop"
    )


def test_negative_grade_is_refused(graded, file):
    path = file("1 0 a -1\n")
    assert "line 1: 'ada' on document 'a' of topic '1': grade -1 is negative" in refused("--assessor", "ada", path)


@pytest.mark.parametrize("begin", [b"", BYTE_ORDER_MARK])
def test_lines_of_qrels_are_counted_with_blank_lines_and_comments(graded, file, begin):
    path = file(begin + b"# by ada, of course, and nobody, else\r\n\r\n1 0 a 3\r\n \t \n  # a comment\n1\t0  b   9\n")
    assert refused("--assessor", "ada", path).startswith(f"{path}, line 6: 'ada' on document 'b' of topic '1': grade 9")


def test_qrels_with_commas_are_not_read_as_csv(graded, file):
    import_judgements("--assessor", "ada", file("1 0 a,b,c,d 1\n"))
    assert judgements_of(graded) == [("ada", "1", "a,b,c,d", 1)]


@pytest.mark.parametrize(
    "content",
    [
        BYTE_ORDER_MARK + f"{HEADER}\nada,1,a,3\n".encode(),
        f"{HEADER}\r\nada,1,a,3\r\n".encode(),
        b'"assessor","query_id","doc_id","relevance"\n"ada","1","a","3"\n',
        gzip.compress(f"{HEADER}\nada,1,a,3\n".encode(), mtime=0),
        f"{HEADER}\nada,1,a,3".encode(),
    ],
    ids=["byte-order mark", "CRLF", "all quoted", "gzip", "no newline at the end"],
)
def test_csv_variants_of_other_programs(graded, file, content):
    import_judgements(file(content))
    assert judgements_of(graded) == [("ada", "1", "a", 3)]


def test_qrels_are_named_after_their_file(graded, file):
    import_judgements(file("1 0 a 3\n", name="gpt-4.qrels"))
    assert judgements_of(graded) == [("gpt-4", "1", "a", 3)]


def test_qrels_without_a_file_name_require_an_assessor(graded):
    with pytest.raises(Refused, match=r"which do not name the judge\. State the name of the judge"):
        judgement_import.import_judgements(graded, b"1 0 a 3\n")


def test_csv_with_assessor_option_is_refused(graded, file):
    path = file(f"{HEADER},state\nada,1,a,3,judged\n")
    assert refused("--assessor", "ada", path) == (
        f"{path} is a CSV file, which names its assessors; remove 'ada' as the name of its judge."
    )


REASONS = "The reason must be one of broken, language, expertise, topic, other"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("ada,9,a,1,,,,,,,", "ada' on document 'a' of topic '9': graded has no topic '9'; import the topics first."),
        ("ada,1,a,1,,7,,,,,", "ada' on document 'a' of topic '1': Repeat must be 0, or 1 for a hidden repeat, not 7."),
        (
            "ada,1,a,1,sure,,,,,,",
            "ada' on document 'a' of topic '1': State must be one of judged, cannot_judge, later, undone, not 'sure'.",
        ),
        (
            "ada,1,a,1,later,,,,,,",
            "ada' on document 'a' of topic '1': State later cannot have a grade, but grade 1 was submitted.",
        ),
        ("ada,1,a,,cannot_judge,,,,,,", f"ada' on document 'a' of topic '1': {REASONS}, not ''."),
        ("ada,1,a,,cannot_judge,,,dull,,,", f"ada' on document 'a' of topic '1': {REASONS}, not 'dull'."),
        (
            "ada,1,a,1,,,,broken,,,",
            "ada' on document 'a' of topic '1': State judged cannot have a reason; only cannot_judge has one.",
        ),
        (
            f"ada,1,a,1,,,,,{'c' * 5001},,",
            "ada' on document 'a' of topic '1': The comment has 5,001 characters; at most 5,000 are allowed.",
        ),
        (
            "ada,1,a,1,,,,,,,86400001",
            "ada' on document 'a' of topic '1': active_ms must be between 0 and 86400000 (one day), not 86400001.",
        ),
        ("ada,1,a b,1,,,,,,,", "ada' on document 'a b' of topic '1': The doc_id contains white space; an id is 1 to"),
        (
            f"ada,1,{'d' * 513},1,,,,,,,",
            f"ada' on document '{'d' * 60}…' of topic '1': The doc_id has 513 bytes; an id is 1 to 512 bytes",
        ),
        (
            '"a\nda",1,a,1,,,,,,,',
            r"a\nda' on document 'a' of topic '1': 'a\nda' is not a valid member name: use printable characters",
        ),
        (" ada,1,a,1,,,,,,,", " ada' on document 'a' of topic '1': ' ada' is not a valid member name"),
        (
            f"{'n' * 81},1,a,1,,,,,,,",
            f"{'n' * 60}…' on document 'a' of topic '1': '{'n' * 81}' is not a valid name for a member: Ensure this "
            "value has at most 80 characters (it has 81).",
        ),
    ],
)
def test_invalid_line_is_refused_and_nothing_is_imported(graded, file, line, sentence):
    path = file(f"{FULL}\nbob,1,a,1,,,,,,,\n{line}\n")
    assert refused(path).startswith(f"{path}, line 3, '{sentence}")


def test_identical_duplicate_is_accepted_with_a_note(graded, file):
    path = file(f"{HEADER}\nada,1,a,3\nbob,1,a,3\nada,1,a,3\n")
    assert import_judgements(path) == [
        "Read 2 judgements: 2 new, 0 already imported.",
        "ada: 1 document repeated with the same grade.",
    ]


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [("3,", "2,", "grade 2"), ("3,sure", "3,unsure", "a comment, confidence or passage")],
)
def test_contradicting_duplicate_is_refused(graded, file, first, second, what):
    path = file(f"{HEADER},comment\nada,1,a,{first}\nbob,1,a,3,\nada,1,a,{second}\n")
    assert refused(path).startswith(f"{path}, line 4: 'ada' on document 'a' of topic '1': {what} contradicts line 2; ")


def test_second_line_without_a_grade_is_refused(graded, file):
    path = file(f"{HEADER},state\nada,1,a,3,\nada,1,a,,later\n")
    assert refused(path) == (
        f"{path}, line 3: 'ada' on document 'a' of topic '1' is already on line 2; "
        "an assessor judges a document of a topic once in each repeat."
    )


def test_invalid_csv_is_refused_with_file_and_line(graded, file):
    path = file(f"{HEADER},repeat\nada,1,a,3,0\nada,1,b,1,x\n")
    assert refused(path) == f"{path}, line 3: repeat must be a whole number of at most nine digits, not 'x'."


def test_csv_that_is_not_utf_8_is_refused_with_file_and_line(graded, file):
    path = file(f"{HEADER},comment".encode() + b"\nada,1,a,3,\nada,1,b\xe9,3,\n")
    assert refused(path) == f"{path}, line 3: byte 0xE9 is not valid UTF-8."


def test_invalid_qrels_are_refused_with_file_and_line(graded, file):
    path = file("1 0 a 3\n1 0 b\n")
    assert refused("--assessor", "ada", path) == (
        f"{path}, line 2: 3 columns; a qrels line has 4: query_id iteration doc_id relevance"
    )


def test_too_large_decompressed_file_is_refused(graded, file, monkeypatch):
    path = file(gzip.compress(f"{HEADER}\nada,1,{'a' * 50_000},1\n".encode(), mtime=0))
    monkeypatch.setattr(judgement_readers, "MAX_FILE_BYTES", 10_000)
    assert refused(path) == (f"{path}: the file expands to more than 10,000 bytes; this is the limit for one file")


def test_refusal_while_writing_rolls_everything_back(graded, file, monkeypatch):
    def refuse(*_):
        raise Refused("at the last moment")

    monkeypatch.setattr(judgement_import, "record_staged", refuse)
    assert refused("--assessor", "new judge", file("1 0 new 1\n")) == "at the last moment"


def test_judgements_are_imported_into_the_named_collection(graded, collection, file):
    import_judgements("--assessor", "ada", file("1 0 a 3\n"))
    assert len(judgements_of(graded)) == 1
    assert judgements_of(collection) == []
    assert scale_of(collection) == (0, 1)


def test_number_of_statements_does_not_grow_with_the_lines(graded, file):
    import_judgements(file("1 0 a 1\n", name="first"))  # SQLite begins its sequences of keys
    counts = []
    for doc_ids in ("a", "abde"):
        lines = "".join(f"1 0 {doc_id} 1\n" for doc_id in doc_ids)
        with CaptureQueriesContext(connection) as queries:
            import_judgements(file(lines, name=f"judge-{len(doc_ids)}"))
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.fixture
def changed_after_planning(monkeypatch):
    """A function that lets another action happen after each of the next plans of an import."""

    def prepare(*actions):
        remaining, make_plan = iter(actions), judgement_import.make_plan

        def plan_and_act(*words):
            plan = make_plan(*words)
            if action := next(remaining, None):
                with monkeypatch.context() as without_actions:
                    without_actions.setattr(judgement_import, "make_plan", make_plan)
                    action()
            return plan

        monkeypatch.setattr(judgement_import, "make_plan", plan_and_act)

    return prepare


def test_same_judgements_imported_at_the_same_time_are_saved_once(graded, file, changed_after_planning):
    path = file("1 0 a 3\n1 0 new 1\n", "ada")
    changed_after_planning(lambda: import_judgements(path))
    assert import_judgements(path)[0] == "Read 2 judgements: 0 new, 2 already imported."
    assert judgements_of(graded) == [("ada", "1", "a", 3), ("ada", "1", "new", 1)]
    assert list(ledger_problems()) == []


def test_other_judgement_saved_at_the_same_time_is_not_overwritten(graded, file, changed_after_planning):
    changed_after_planning(lambda: import_judgements("--assessor", "ada", file("1 0 a 0\n", "other")))
    with pytest.raises(CommandError, match="the collection has grade 0, but the file has grade 3"):
        import_judgements("--assessor", "ada", file("1 0 a 3\n"))
    assert judgements_of(graded) == [("ada", "1", "a", 0)]


def test_line_that_was_left_out_counts_once_when_planned_again(graded, file, changed_after_planning):
    import_judgements("--assessor", "ada", file("1 0 a 0\n", "first"))
    changed_after_planning(lambda: import_judgements("--assessor", "bob", file("2 0 x 1\n", "bob")))
    path = file("1 0 a 3\n1 0 b 2\n")
    report = import_judgements("--on-error", "report", "--assessor", "ada", path)
    assert report[0] == "Read 1 judgement: 1 new, 0 already imported."
    counts = JudgementImport.objects.latest("pk").counts
    assert (counts["judgements"], counts["invalid"]) == (1, 1)


def test_import_succeeds_although_others_keep_changing_the_collection(graded, file, changed_after_planning):
    paths = [file(f"2 0 x{number} 1\n", f"judge-{number}") for number in range(ATTEMPTS)]
    changed_after_planning(*[lambda path=path: import_judgements(path) for path in paths])
    path = file("1 0 a 3\n", "ada")
    assert import_judgements(path)[0] == "Read 1 judgement: 1 new, 0 already imported."
    assert len(judgements_of(graded)) == len(paths) + 1
    assert list(ledger_problems()) == []
