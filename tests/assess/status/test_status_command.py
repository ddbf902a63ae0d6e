"""`assay status` prints the state of the site, and exits with 1 if something needs somebody to act."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from assess.models import Worker
from tests.assess.command_output import output_of
from tests.assess.status.well import make_well, verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def well(settings):
    make_well(settings)


def failed_output(*words: str) -> str:
    out = io.StringIO()
    with pytest.raises(CommandError, match=r"^2 things need somebody to act\.$"):
        call_command("status", *words, stdout=out)
    return out.getvalue()


def test_site_that_is_well(well):
    lines = output_of("status")
    assert lines[0] == "The site is well: nothing needs somebody to act."
    assert "Background jobs" in lines
    assert "  differences: 0" in lines


def test_problems_come_with_advice(well):
    verify(differences=1)
    Worker.objects.all().delete()
    assert failed_output().splitlines()[:3] == [
        "2 things need somebody to act.",
        "- No worker is running. Start the service assay-worker, or run assay worker.",
        "- The ledger of judgements has 1 difference. Run assay verify_ledger, which prints each of them.",
    ]


def test_json(well):
    figures = json.loads("\n".join(output_of("status", "--json")))
    assert figures["problems"] == []
    assert figures["ledger"] | {"at": ""} == {"at": "", "chains": 2, "events": 7, "differences": 0}
    assert figures["backup"]["is_verified"] is True
    Worker.objects.all().delete()
    verify(differences=1)
    assert [each["section"] for each in json.loads(failed_output("--json"))["problems"]] == ["jobs", "ledger"]
