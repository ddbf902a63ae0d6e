"""The warning of grades 0 in qrels of UMBRELA: after the import, and on the pages of its judge."""

import pytest
from django.urls import reverse

from assess.models import ImportedJudge, Member, Role
from assess.transfer.judge_record import zeros_warnings
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from pooling.models import ZERO_WARNING
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact

pytestmark = pytest.mark.django_db

QRELS = b"1 0 a 3\n1 0 b 0\n1 0 c 0\n1 0 d 1\n"
ZEROS = f"2 grades of 0 by gpt may be none: {ZERO_WARNING}"


def imported(collection, name="gpt", qrels=QRELS, **options):
    return import_judgements(collection, qrels, name, options=JudgementOptions(judge_kind="model", **options)).notes


@pytest.fixture
def collection(db):
    return small_collection(SMALL_RUNS, "food", ("0=Not relevant", "1=Related", "2=Relevant", "3=Perfect"))


@pytest.mark.parametrize(
    "options",
    [{"model": "UMBRELA gpt-4o"}, {"prompt": "the prompt of Umbrela"}, {"description": "graded by umbrela 0.2"}],
)
def test_the_import_names_the_zeros(collection, options):
    assert ZEROS in imported(collection, **options)
    assert zeros_warnings(collection) == [ZEROS]


def test_the_name_of_the_judge_is_enough(collection):
    assert f"1 grade of 0 by Umbrela-gpt may be none: {ZERO_WARNING}" in imported(
        collection, "Umbrela-gpt", b"1 0 a 0\n1 0 b 1\n"
    )


def test_several_judges_share_one_sentence(collection):
    imported(collection, model="umbrela")
    imported(collection, "two", b"1 0 a 0\n", model="umbrela")
    assert zeros_warnings(collection) == [f"2 grades of 0 by gpt, 1 grade of 0 by two may be none: {ZERO_WARNING}"]


def test_other_judges_and_files_without_zeros_have_no_warning(collection):
    assert not [note for note in imported(collection, model="gpt-4o") if ZERO_WARNING in note]
    assert not [note for note in imported(collection, "two", b"1 0 a 3\n", model="umbrela") if ZERO_WARNING in note]
    assert zeros_warnings(collection) == []


def test_a_record_that_is_completed_later_counts(collection):
    imported(collection)
    ImportedJudge.objects.update(model="umbrela")
    member = Member.objects.get(name="gpt")
    assert zeros_warnings(collection, [member.pk]) == zeros_warnings(collection) == [ZEROS]
    assert zeros_warnings(collection, []) == []


def test_both_pages_show_the_warning(collection, join, signed_in):
    imported(collection, model="umbrela")
    http = signed_in(join(collection, "rita", Role.RESEARCHER))
    judge = Member.objects.get(name="gpt")
    sentence = compact(ZEROS)
    for address in (
        reverse("research:imported_judge", args=[collection.slug, judge.pk]),
        reverse("research:model_judges", args=[collection.slug]),
    ):
        assert sentence in compact(http.get(address).content.decode())
