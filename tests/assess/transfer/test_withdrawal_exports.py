"""Exports of a collection with a withdrawn judge, and the command that withdraws one."""

import pytest

from assess.deletion import is_exported
from assess.judging.ledger import ledger_problems
from assess.models import AuditEvent
from assess.transfer.exports import count_withdrawn, export_judgements, record_export
from assess.transfer.judgements import import_judgements
from assess.transfer.withdrawal import restore_judge, withdraw_judge
from tests.assess.command_output import output_of, refusal
from tests.assess.transfer.test_withdrawal import GPT, without_gpt

pytestmark = pytest.mark.database


@pytest.fixture
def judged(collection):
    """A collection with three imported judges, of which gpt alone graded three documents."""
    without_gpt(collection)
    import_judgements(collection, GPT, "gpt")
    return collection


def test_export_has_the_judgements_of_withdrawn_judges_on_request(judged):
    whole = export_judgements(judged)
    withdraw_judge(judged, "gpt")
    assert (count_withdrawn(judged), count_withdrawn(judged, "")) == (6, 6)
    assert b"gpt" not in export_judgements(judged)
    assert export_judgements(judged, with_withdrawn=True) == whole


def test_export_command_says_what_it_leaves_out(judged, tmp_path, capsys):
    withdraw_judge(judged, "gpt")
    out = tmp_path / "out.csv"
    assert output_of("export_judgements", "--collection", "small", "--out", out)[0] == f"Wrote 10 judgements to {out}."
    assert capsys.readouterr().err == "Left out 6 judgements of withdrawn judges (see --with-withdrawn).\n"
    output_of("export_judgements", "--collection", "small", "--with-withdrawn", "--out", out)
    assert out.read_text().count("gpt") == 6
    assert capsys.readouterr().err == ""
    recorded = AuditEvent.objects.filter(action="exported").order_by("pk").values_list("details__withdrawn", flat=True)
    assert list(recorded) == ["left out", "included"]


def test_collection_with_a_withdrawn_judge_needs_an_export_with_their_judgements(judged):
    record_export(judged, "judgements")
    assert is_exported(judged)
    withdraw_judge(judged, "gpt")
    assert not is_exported(judged)
    record_export(judged, "judgements")
    assert not is_exported(judged)
    record_export(judged, "judgements", with_withdrawn=True)
    assert is_exported(judged)
    record_export(judged, "judgements")
    restore_judge(judged, "gpt")
    assert is_exported(judged)  # by the export with all


def test_command(judged):
    assert output_of("withdraw_judge", "--collection", "small", "gpt") == [
        "Withdrew gpt: 6 judgements left out. --restore undoes this.",
        "Golds change: 6 documents have a grade of gpt, 3 of them of nobody else.",
    ]
    assert refusal("withdraw_judge", "--collection", "small", "gpt") == "gpt is withdrawn already."
    assert output_of("withdraw_judge", "--collection", "small", "gpt", "--restore") == [
        "Restored gpt: 6 judgements count again."
    ]
    assert list(ledger_problems()) == []
