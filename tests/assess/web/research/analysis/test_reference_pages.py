"""The default reference on the pages, in their files and in the commands, and its choice there."""

import csv
import io
import re

import pytest
from django.urls import reverse

from assess.analysis.reference import set_reference
from assess.collections.archive import archive_collection
from assess.models import AuditEvent, Collection, ImportedJudge, Role
from tests.assess.command_output import output_of, refusal
from tests.assess.web.research.analysis.pages import judge, read

pytestmark = pytest.mark.site

PAIRS = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]
AUTOMATIC = "Reference: people:majority, because 2 people judged."
PAGES = (
    *("shift", "shift_golds", "shift_swaps", "shift_intervals", "shift_measures", "shift_differences", "shift_topics"),
    "leverage",
)


@pytest.fixture
def judges(collection):
    """A model whose name comes first and who judged most, and two people."""
    for name, grades in (("a-model", "1110100"), ("zoe", "01011.."), ("yan", "110011.")):
        judge(collection, name, {pair: int(g) for pair, g in zip(PAIRS, grades, strict=True) if g != "."})
    ImportedJudge.objects.create(member=collection.members.get(name="a-model"), kind="model")


def shown(html: str) -> str:
    """The sentence about the reference."""
    return re.search(r"<p class=\"quiet\" data-reference>(.*?)</p>", html, re.S)[1]


def post(client, collection, **fields):
    return client.post(reverse("research:change_reference", args=[collection.slug]), {"page": "shift", **fields})


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_page_says_which_reference_and_why(http, collection, judges, name):
    assert shown(read(http, name, collection)) == AUTOMATIC
    set_reference(collection, "judge:zoe")
    assert shown(read(http, name, collection)) == "Reference: judge:zoe, because it is chosen for this collection."
    asked = {"gold" if name == "leverage" else "reference": "judge:a-model"}
    assert shown(read(http, name, collection, **asked)) == (
        "Reference: judge:a-model, because it was asked for. By default, it is judge:zoe, because it is chosen for "
        "this collection."
    )


def test_files_have_the_reference_of_the_page(http, collection, judges):
    def pairs(**query) -> set[str]:
        text = read(http, "shift_table", collection, "measures", "csv", **query)
        return {row["gold_a"] for row in csv.DictReader(io.StringIO(text))}

    assert pairs() == {"people:majority"}
    assert pairs(reference="judge:a-model") == {"judge:a-model"}
    assert "Each gold compared with people:majority" in read(http, "shift_table", collection, "measures", "tex")
    rows = csv.DictReader(io.StringIO(read(http, "shift_csv", collection)))
    assert {row["gold"] for row in rows} == {
        *("judge:a-model", "judge:yan", "judge:zoe", "people:union", "people:intersection", "people:majority"),
        "corrected:a-model",
    }
    set_reference(collection, "judge:yan")  # the figures are not those of the cache
    assert pairs() == {"judge:yan"}


def test_gold_of_all_judges_can_still_be_the_reference(http, collection, judges):
    html = read(http, "shift", collection, reference="majority")
    assert shown(html).startswith("Reference: majority, because it was asked for.")
    assert '<option value="majority" selected>majority</option>' in html


def test_agreement_has_the_same_reference(http, collection, judges):
    html = read(http, "agreement", collection)
    assert shown(html) == AUTOMATIC
    assert "Each judge against majority of the people" in html
    set_reference(collection, "judge:yan")
    html = read(http, "agreement", collection)
    assert shown(html) == "Reference: judge:yan, because it is chosen for this collection."
    assert "Each judge against yan" in html
    assert "Each judge against zoe" in read(http, "agreement", collection, reference="judge:zoe")


def test_reference_is_chosen_on_the_page(http, collection, judges):
    html = read(http, "shift", collection, reference="judge:zoe", measure="nDCG@10")
    assert "Use judge:zoe by default in this collection</button>" in html
    query = re.search(r'name="query" value="([^"]*)"', html)[1].replace("&amp;", "&")
    response = post(http, collection, reference="judge:zoe", query=query)
    assert response.url == reverse("research:shift", args=[collection.slug]) + "?measure=nDCG%4010"
    html = http.get(response.url).content.decode()
    assert "The default reference is judge:zoe." in html
    assert "by default in this collection</button>" not in html
    collection.refresh_from_db()
    assert collection.reference == "judge:zoe"
    event = AuditEvent.objects.get(action="collection_changed")
    assert (event.actor.username, event.details) == ("rita", {"fields": ["reference"]})
    assert post(http, collection, reference="", page="agreement").url.endswith("/agreement/")
    collection.refresh_from_db()
    assert collection.reference == ""


def test_reference_is_chosen_in_the_settings(http, collection, judges):
    html = read(http, "settings", collection)
    assert shown(html) == AUTOMATIC
    assert '<option value="people:majority">people:majority: the lower median</option>' in html
    response = post(http, collection, reference="people:union", page="settings")
    assert response.url == reverse("research:settings", args=[collection.slug]) + "#reference"
    html = read(http, "settings", collection)
    assert "The default reference is people:union." in html
    assert '<option value="people:union" selected>' in html
    response = post(http, collection, reference="judge:nobody", page="settings")
    assert response.status_code == 400
    assert "The reference must be a gold of this collection" in response.content.decode()
    Collection.objects.update(reference="judge:gone")
    assert '<option value="judge:gone" selected>judge:gone: has no grades</option>' in read(
        http, "settings", collection
    )


@pytest.mark.parametrize(
    ("role", "status"), [("owner", 302), ("researcher", 302), ("instructor", 403), ("assessor", 403)]
)
def test_who_may_choose(collection, judges, join, signed_in, role, status):
    client = signed_in(join(collection, "someone", Role(role)))
    assert post(client, collection, reference="union").status_code == status
    collection.refresh_from_db()
    assert collection.reference == ("union" if status == 302 else "")


def test_outsider_does_not_find_it(client, collection, judges, django_user_model):
    client.force_login(django_user_model.objects.create_user("new"), backend="assess.people.backend.AccountBackend")
    assert post(client, collection, reference="union").status_code == 404


@pytest.mark.parametrize("fields", [{"page": "//evil"}, {"reference": "z" * 200}, {"query": "z" * 9_000}])
def test_invalid_choices_are_refused(http, collection, judges, fields):
    assert post(http, collection, **{"reference": "union"} | fields).status_code == 400
    collection.refresh_from_db()
    assert collection.reference == ""
    assert http.get(reverse("research:change_reference", args=[collection.slug])).status_code == 405


def test_archived_collection_offers_no_choice(http, collection, judges):
    archive_collection(collection)
    assert "by default in this collection</button>" not in read(http, "shift", collection)
    assert "Save the reference" not in read(http, "settings", collection)
    assert post(http, collection, reference="union").status_code == 400


def test_commands(collection, judges):
    shift, change = ("ranking_shift", "--collection", "small"), ("change_collection", "--collection", "small")
    assert AUTOMATIC in output_of(*shift)
    assert output_of(*change, "--reference", "judge:zoe") == ["Default reference: judge:zoe."]
    assert "Reference: judge:zoe, because it is chosen for this collection." in output_of(*shift)
    assert any("the reference is judge:a-model." in line for line in output_of(*shift, "--reference", "judge:a-model"))
    assert output_of(*change, "--reference", "judge:zoe") == ["The reference is the same."]
    assert "must be a gold of this collection" in refusal(*change, "--reference", "judge:nobody")
    output_of(*change, "--reference", "automatic")
    assert AUTOMATIC in output_of(*shift)


def test_truth_by_default_elsewhere(http, collection, judges):
    golds = re.findall('<option value="([^"]+)"', read(http, "collection", collection))
    assert golds[golds.index("people:majority") + 1] == "judge:a-model"
    default = http.get(reverse("research:qrels", args=["small"])).content
    assert default == http.get(reverse("research:qrels", args=["small"]), {"gold": "people:majority"}).content
    assert default != http.get(reverse("research:qrels", args=["small"]), {"gold": "majority"}).content
    assert 'name="gold" value="people:majority"' in read(http, "documents", collection, order="leverage")
    html = read(http, "releases", collection)
    assert re.search(r'<option value="people:majority" selected>', html)
    assert 'value="people:majority"' in read(http, "adjudication", collection)  # the gold for leverage
