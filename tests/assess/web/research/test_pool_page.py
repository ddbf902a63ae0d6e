"""The page of the pool: its form, the preview, building, top-ups and undo."""

import csv
import html
import io
import json
import re
from collections.abc import Callable, Sequence

import pandas as pd
import pytest
from django.core.management import call_command
from django.db.models import Value
from django.db.models.functions import Concat

import pooling
from assess.collections.create import create_collection
from assess.models import AuditEvent, Job, Provenance, Role, Task, Topic
from assess.pools.building import kinds, strategies
from assess.pools.building import undo as undoing
from assess.pools.building.build import build_pool
from assess.pools.building.strategies import options_of
from assess.pools.building.undo import undo_pool
from assess.transfer.judgements import import_judgements
from assess.transfer.pool_export import FORMS, pool_file
from assess.transfer.runs import import_runs
from pooling.ranking import RankedRuns
from pooling.strategies import STRATEGIES
from pooling.strategies.selection import Selection
from tests.assess.command_output import tables
from tests.factories import SMALL_RUNS, small_collection, write_runs
from tests.html import compact

pytestmark = pytest.mark.django_db
with_worker = pytest.mark.django_db(transaction=True)
URL = "/c/small/pool/"
PARAMETERS = {"depth": "2", "size": "3", "budget": "4", "k": "60", "p": "0.8", "strata": "1:1 3:0.5", "tau": "0.25"}
PARAMETERS |= {"seed": "7"}
PACE = ["seconds", "judges"]
VALUES = {"depth": 2, "size": 3, "budget": 4, "k": 60, "p": 0.8, "strata": [(1, 1.0), (3, 0.5)]}
VALUES |= {"tau": 0.25, "seed": 7}
SUBMITTED = {name: {each: PARAMETERS[each] for each in options_of(name)} for name in pooling.STRATEGIES}


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def text(response) -> str:
    return compact(response.content.decode())


def preview(client, **values):
    return client.get(URL, {"preview": "1", **values})


def fields(page: str) -> list[str]:
    """The names of the fields of the form, after the five kinds."""
    return re.findall(r'<(?:input|select)[^>]* name="(\w+)"', page.partition("<main")[2].split("</form>")[0])[5:]


def inputs(page: str, action: str) -> dict[str, str]:
    """The values of a form's hidden fields."""
    form = re.search(rf'<form method="post" action="{action}">(.*?)</form>', page, re.S)[1]
    return dict(re.findall(r'<input type="hidden" name="(?!csrf)(\w+)" value="([^"]*)">', form))


def test_form_has_the_parameters_of_the_chosen_strategy_only(owner):
    page = text(owner.get(URL, {"strategy": "rbp"}))
    assert fields(page) == ["fields_of", "strategy", "size", "documents_per_topic", "p", "depth", "seed", *PACE]
    assert fields(page.partition("<summary>More")[0])[-1] == "p"
    assert 'name="p" value="0.8"' in page
    assert re.findall(r'value="(\w+)" checked', page) == ["fusion"]
    assert '<option value="rbp" selected>' in page


@pytest.fixture
def runs() -> pd.DataFrame:
    """The runs of the collection as the libraries take them."""
    rows = [
        (system, query_id, doc_id, -float(rank))
        for system, topics in SMALL_RUNS.items()
        for query_id, doc_ids in topics.items()
        for rank, doc_id in enumerate(doc_ids)
    ]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


@pytest.mark.slow
@with_worker
@pytest.mark.parametrize("strategy", sorted(pooling.STRATEGIES))
def test_preview_page_and_library_make_the_same_pool(owner, collection, runs, strategy):
    undo_pool(collection)
    page = text(preview(owner, strategy=strategy, **SUBMITTED[strategy]))
    response = owner.post(f"{URL}build/", inputs(page, f"{URL}build/"))
    call_command("worker", once=True, verbosity=0)
    assert '<span class="tag good">' in text(owner.get(response.url))
    expected = pooling.pool(runs, strategy, **{name: VALUES[name] for name in options_of(strategy)})
    pairs = Provenance.objects.values_list("task__topic__query_id", "task__document__doc_id")
    assert sorted(pairs) == sorted(zip(expected.frame["query_id"], expected.frame["doc_id"], strict=True))
    assert f'<dd class="big">{len(expected)}</dd>' in page
    stored = collection.pool_buildings.get().parameters
    assert stored.pop("score_precision") == "float64"
    assert json.loads(json.dumps(VALUES)) | stored == json.loads(json.dumps(VALUES))


def test_preview_changes_nothing(owner):
    before = tables()
    assert preview(owner, strategy="rrf", size=2).status_code == 200
    assert tables() == before


def test_preview_of_documents_that_the_pool_has_says_that_it_adds_none(owner):
    assert "It adds no document to the pool." in text(preview(owner, strategy="depth", depth=1))


def test_preview_counts_documents_topics_and_systems(owner, collection):
    """Depth 3: topic 1 has a b c d e f (4 pooled), topic 2 has x y z (all pooled). Only alpha has c, beta d."""
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n2 0 x 1\n", assessor="ada")
    page = text(preview(owner, strategy="depth", depth=3, seconds=60, judges=2))
    assert "It adds 2 new documents in 1 topic to the pool." in page
    assert '<dt>Per topic, mean</dt><dd class="big">4.5</dd><dd class="quiet">3 to 6</dd>' in page
    assert '<dt>In the pool already</dt><dd class="big">7</dd>' in page
    assert '<dt>Judged already</dt><dd class="big">3</dd>' in page
    # 6 documents without a judgement, 2 judges, 60 seconds
    assert '<dt>Cost of the rest</dt><dd class="big">0.2 h</dd><dd class="quiet">12 judgements of 60 s</dd>' in page
    assert row(page, "1") == ["6", "2", "4", "2"]
    assert row(page, "2") == ["3", "0", "3", "1"]
    # alpha: a b c, x y. Judged are a b of 3 and x of 2: (2/3 + 1/2) / 2 = 58%.
    assert row(page, "alpha") == ["5", "1", "58%"]
    assert row(page, "beta") == ["5", "1", "33%"]  # a b of 3, none of 2
    assert row(page, "gamma") == ["5", "2", "42%"]  # e f are its own; b of 3, x of 2


def test_without_judgements_no_share_is_shown(owner):
    page = text(preview(owner, strategy="depth", depth=1))
    assert row(page, "alpha")[-1] == "–"
    assert "with judgements" not in page


def test_target_leads_to_the_largest_depth_that_fits(owner, collection):
    """Depth 1 has 5 documents in 2 topics, depth 2 has 7, depth 3 has 9."""
    page = text(preview(owner, strategy="depth", documents_per_topic="4"))
    assert "Ranks of each run: 2 is the largest that keeps the pool within 4.0 documents per topic on average." in page
    assert inputs(page, f"{URL}build/") == {"strategy": "depth", "depth": "2"}
    assert build_pool(collection, documents_per_topic=4.5).description == "depth: the first 3 of each run"


def test_target_replaces_the_size(owner):
    page = text(preview(owner, strategy="rrf", size="50", documents_per_topic="2.5"))
    assert inputs(page, f"{URL}build/") == {"strategy": "rrf", "size": "2", "k": "60", "seed": "0"}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"strategy": "depth"}, "Enter “Ranks of each run”, or the documents per topic that the pool may have."),
        ({"strategy": "depth", "depth": "0"}, "Ranks of each run: Ensure this value is greater than or equal to 1."),
        ({"strategy": "depth", "depth": "ten"}, "Ranks of each run: Enter a whole number."),
        ({"strategy": "hedge"}, "Strategy: Select a valid choice."),
        ({"strategy": "rrf", "size": "9" * 50}, "Documents per topic: Ensure this value is less than or equal to"),
        ({"strategy": "rbp", "size": "3", "p": "1"}, "p must be a number between 0 and 1"),
        ({"strategy": "depth", "documents_per_topic": "0.5"}, "documents_per_topic must be at least"),
        ({"strategy": "depth", "documents_per_topic": "nan"}, "Or an average size: Enter a number."),
        ({"strategy": "stratified", "strata": "10", "seed": "1"}, "must be a last rank and a rate, such as 10:1."),
        ({"strategy": "stratified", "strata": "9:1 3:1", "seed": "1"}, "the last ranks of strata must increase"),
        ({"strategy": "random", "size": "3"}, "Seed: This field is required."),
        ({"strategy": "depth", "depth": "3", "seconds": "0"}, "Seconds per judgement: Ensure this value"),
    ],
)
def test_invalid_values_are_refused_and_stay_in_the_form(owner, values, sentence):
    response = preview(owner, **values)
    assert response.status_code == 400
    assert sentence in html.unescape(text(response))
    if "depth" in values:
        assert f'name="depth" value="{values["depth"]}"' in text(response)
    if "documents_per_topic" not in values:  # which is compared with the runs
        assert owner.post(f"{URL}build/", values).status_code == 400
        assert not Job.objects.exists()


@pytest.mark.slow
def test_tables_of_a_preview_download_as_csv(owner, collection):
    page = preview(owner, strategy="depth", depth=3).content.decode()

    def rows(table):
        address = re.search(rf'href="([^"]+/pool/{table}\.csv\?[^"]*)"', page)[1].replace("&amp;", "&")
        return list(csv.DictReader(io.StringIO(owner.get(address).content.decode())))

    context = preview(owner, strategy="depth", depth=3).context
    assert [row["query_id"] for row in rows("topics")] == [topic.query_id for topic in context["preview"].topics]
    assert sum(int(row["size"]) for row in rows("topics")) == context["preview"].size
    assert {row["system"]: int(row["contributed"]) for row in rows("runs")} == {
        row.system: row.contributed for row in context["preview"].systems
    }
    assert [float(row["mean"]) for row in rows("depths")] == [row.mean for row in context["preview"].by_depth]
    refused = owner.get(f"{URL}topics.csv", {"strategy": "depth", "depth": "0"})
    assert refused.status_code == 400


@pytest.mark.slow
@with_worker
def test_top_up_is_previewed_when_runs_have_arrived(owner, collection, tmp_path):
    assert "Top-up" not in text(owner.get(URL))
    import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["d", "new"], "2": ["x"]}}))
    page = text(owner.get(URL))
    assert "Top-up with the last strategy" in page
    assert "1 run arrived or changed since the last pool was built: delta." in page
    assert "It adds 1 new document in 1 topic to the pool." in page
    assert inputs(page, f"{URL}build/") == {"strategy": "depth", "depth": "2"}
    owner.post(f"{URL}build/", inputs(page, f"{URL}build/"))
    call_command("worker", once=True, verbosity=0)
    assert Task.objects.count() == 8
    assert "Top-up" not in text(owner.get(URL))


@pytest.fixture
def no_runs_are_small(monkeypatch):
    monkeypatch.setattr(kinds, "LINES_AT_ONCE", 10)


def work():
    call_command("worker", once=True, verbosity=0)


@pytest.mark.slow
@with_worker
@pytest.mark.parametrize("values", [{"strategy": "depth", "depth": 3}, {"strategy": "rbp", "documents_per_topic": 2.5}])
def test_preview_of_large_runs_is_computed_once_by_a_job(owner, request, values):
    here = text(preview(owner, **values))
    request.getfixturevalue("no_runs_are_small")
    waiting = preview(owner, **values)
    assert waiting.status_code == 202
    assert 'id="preview" aria-live="polite" hx-get="" hx-trigger="every 2s"' in text(waiting)
    assert preview(owner, **values).status_code == 202
    assert Job.objects.count() == 1
    work()
    ready = owner.get(URL, {"preview": "1", **values}, headers={"HX-Target": "preview"})
    assert (ready.status_code, ready["HX-Refresh"]) == (200, "true")
    later = preview(owner, **values)
    assert "HX-Refresh" not in later
    assert "Computed on " in text(later)
    assert inputs(text(later), f"{URL}build/") == inputs(here, f"{URL}build/")
    assert re.findall(r"<td.*?</td>", text(later)) == re.findall(r"<td.*?</td>", here)
    assert Job.objects.count() == 1
    assert preview(owner, strategy="depth", depth=2).status_code == 202


@pytest.mark.slow
@with_worker
def test_preview_is_computed_again_for_other_runs_and_pools(owner, collection, no_runs_are_small, tmp_path):
    values = {"strategy": "depth", "depth": 3}
    for change in (
        lambda: import_judgements(collection, b"1 0 a 1\n", assessor="ada"),  # comes too often to compute again
        lambda: import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["new"]}})),
        lambda: build_pool(collection, depth=3),
    ):
        preview(owner, **values)
        work()
        assert preview(owner, **values).status_code == 200
        change()
    assert preview(owner, **values).status_code == 202
    assert Job.objects.count() == 3


@with_worker
def test_preview_is_cancelled(owner, collection, no_runs_are_small):
    page = text(preview(owner, strategy="depth", depth=3))
    cancel = re.search(r'<form method="post" action="([^"]*/cancel/)">', page)[1]
    assert "Cancelled. Nothing was changed." in text(owner.post(cancel, follow=True))


@with_worker
def test_refusal_of_a_large_preview_is_shown(owner, collection, no_runs_are_small):
    values = {"strategy": "depth", "documents_per_topic": 0.5}
    preview(owner, **values)
    work()
    refused = preview(owner, **values)
    assert refused.status_code == 400
    assert Job.objects.get().error in html.unescape(text(refused))


@with_worker
def test_page_of_a_finished_preview_says_where_it_is(owner, collection, no_runs_are_small):
    preview(owner, strategy="depth", depth=3)
    work()
    page = owner.get(f"/c/small/jobs/{Job.objects.get().public_id}/")
    assert "The page “Pool” shows the preview for the same strategy and parameters." in text(page)


def test_topics_with_numbers_are_in_the_order_of_the_numbers(db, join, signed_in):
    runs = {"only": {each: [f"d{each}"] for each in ("11", "2", "1", "10", "a", "100")}}
    collection = small_collection(runs, slug="numbered")
    Topic.objects.bulk_create(Topic(collection=collection, query_id=each) for each in ("100", "11", "10", "a"))
    owner = signed_in(join(collection, "olga", Role.OWNER))
    page = text(owner.get("/c/numbered/pool/", {"preview": "1", "strategy": "depth", "depth": 1}))
    assert re.findall(r'<th scope="row" data-value="(\w+)">', page)[:6] == ["1", "2", "10", "11", "100", "a"]


def test_buildings_are_listed_with_their_seed(owner, collection):
    build_pool(collection, "random", size=3, seed=11)
    assert "random: 3 documents per topic, seed 11" in text(owner.get(URL))
    assert "depth: the first 2 of each run" in text(owner.get(URL))


def test_last_building_is_undone_on_request(owner, collection):
    build_pool(collection, depth=3)
    page = text(owner.get(URL))
    assert "This removes the 2 tasks that it added" in page
    response = owner.post(f"{URL}undo/", inputs(page, f"{URL}undo/"), follow=True)
    assert "Undid depth: the first 3 of each run. Removed 2 tasks and 0 assignments." in text(response)
    assert Task.objects.count() == 7


@pytest.mark.in_ci
@with_worker
def test_large_pool_is_undone_in_the_background(owner, collection, monkeypatch):
    monkeypatch.setattr(undoing, "MOST_AT_ONCE", 0)
    building = collection.pool_buildings.get()
    page = owner.post(f"{URL}undo/", {"building": building.pk}).url
    assert page == f"{URL}#jobs-here"
    assert Task.objects.exists()
    call_command("worker", once=True, verbosity=0)
    assert "Removed 7 tasks and 0 assignments. The pool has 0 tasks." in text(owner.get(page))
    assert not Task.objects.exists()


def test_undo_of_a_page_that_is_out_of_date_is_refused(owner, collection):
    page = text(owner.get(URL))
    build_pool(collection, depth=3)
    response = owner.post(f"{URL}undo/", inputs(page, f"{URL}undo/"))
    assert response.status_code == 400
    assert "Another pool was built or undone in the meantime; nothing was changed." in text(response)
    assert collection.pool_buildings.count() == 2


@pytest.mark.parametrize("building", ["", "x", "-1", "9" * 30])
def test_undo_needs_a_valid_building(owner, building):
    assert owner.post(f"{URL}undo/", {"building": building}).status_code == 400


def test_page_without_runs_says_what_is_missing(db, join, signed_in):
    collection = create_collection("bare", "Bare")
    page = text(signed_in(join(collection, "olga", Role.OWNER)).get("/c/bare/pool/"))
    assert "A pool needs runs and topics. This collection has 0 runs and 0 topics." in page


def test_chart_shows_depth_and_mean(owner):
    page = text(preview(owner, strategy="depth", depth=2))
    figure = re.search(r'<figure class="chart chart-depths">.*?</figure>', page, re.S)[0]
    assert figure.count("stroke-dasharray") == 3  # the mean, the depth, and their entry in the legend
    # Depth 1: topic 1 has a b e, topic 2 has x y z. Depth 3: 6 and 3 documents.
    assert '<td class="num">1</td><td class="num">3.0</td><td class="num">3</td><td class="num">3</td>' in page
    assert '<td class="num">3</td><td class="num">4.5</td><td class="num">3</td><td class="num">6</td>' in page


@pytest.mark.slow
def test_chart_downloads_with_the_query_of_the_preview(owner):
    page = preview(owner, strategy="depth", depth=2).content.decode()
    for kind, begin in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        (url,) = re.findall(rf'href="({URL}depths\.{kind}\?[^"]*)"', page)
        response = owner.get(html.unescape(url))
        assert response.content.startswith(begin)
        assert response["Content-Disposition"] == f'attachment; filename="small-pool-depths.{kind}"'
    assert owner.get(f"{URL}depths.gif", {"strategy": "depth", "depth": 2}).status_code == 404


@pytest.mark.slow
def test_figure_shows_the_documents_that_runs_share(owner, runs):
    page = text(preview(owner, strategy="depth", depth=2))
    figure = re.search(r'<figure class="chart chart-overlap">.*?</figure>', page, re.S)[0]
    shares = pooling.run_overlap(runs, depth=2)
    for a in shares.index:
        for b in shares.columns:
            assert f"<title>{100 * shares.loc[a, b]:.0f}% of the documents of {a} are also in {b}</title>" in figure
    (url,) = re.findall(rf'href="({URL}overlap\.svg\?[^"]*)"', page)
    assert owner.get(html.unescape(url)).content.startswith(b"<?xml")
    response = owner.get(f"{URL}overlap.svg", {"strategy": "every_document"})
    assert (response.status_code, "no run contributes" in response.content.decode()) == (400, True)


def test_pool_of_every_document_has_no_chart(owner):
    page = preview(owner, strategy="every_document").content.decode()
    assert "chart-depths" not in page
    assert "chart-overlap" not in page
    response = owner.get(f"{URL}depths.svg", {"strategy": "every_document"})
    assert (response.status_code, "this strategy has no depth" in response.content.decode()) == (400, True)


def row(page: str, name: str) -> list[str]:
    """The cells of a table row."""
    cells = re.search(rf'<th scope="row"[^>]*>(?:<span[^>]*>|</span>)*{name}\b.*?</th>(.*?)</tr>', page, re.S)[1]
    return [cell.strip() for cell in re.findall(r'<td class="num">(.*?)</td>', cells)]


def nearest(
    runs: RankedRuns, *, n_ranks: int, share: float = 0.5, reverse: bool = True, rates: Sequence[float] = (1.0,)
) -> Selection:
    """The first documents of every run, nearest first.

    A strategy that neither the page nor its words know.
    """
    return STRATEGIES["depth"](runs, depth=n_ranks if reverse else 1)


def shaped(runs: RankedRuns, *, depth: int, shape: Callable[[int], float]) -> Selection:
    """By a function."""
    return STRATEGIES["depth"](runs, depth=depth)


@pytest.fixture
def new_strategies(monkeypatch):
    for strategy in (nearest, shaped):
        monkeypatch.setitem(STRATEGIES, strategy.__name__, strategy)


def test_form_of_a_new_strategy_comes_from_its_function(owner, new_strategies):
    """The summary is the first line of the docstring. The rates are no field, and have a default."""
    page = text(owner.get(URL, {"strategy": "nearest"}))
    assert '<option value="nearest" selected>nearest: The first documents of every run, nearest first</option>' in page
    assert fields(page) == ["kind", "fields_of", "strategy", "n_ranks", "share", "reverse", *PACE]
    assert ">N ranks</label>" in page
    assert re.search(r'name="n_ranks"[^>]* required', page)
    assert 'name="share" value="0.5"' in page
    assert '<option value="True" selected>Yes</option>' in page


@pytest.mark.in_ci
@with_worker
@pytest.mark.parametrize(
    ("reverse", "n_tasks", "description"),
    [
        ({}, 9, "nearest: n_ranks = 3, share = 0.25, reverse = yes"),
        ({"reverse": "False"}, 6, "nearest: n_ranks = 3, share = 0.25, reverse = no"),
    ],
)
def test_pool_of_a_new_strategy_is_built_with_its_parameters(
    owner, collection, new_strategies, reverse, n_tasks, description
):
    """Depth 3 has 9 documents, depth 1 has 6."""
    undo_pool(collection)
    page = text(preview(owner, strategy="nearest", n_ranks="3", share="0.25", **reverse))
    owner.post(f"{URL}build/", inputs(page, f"{URL}build/"))
    call_command("worker", once=True, verbosity=0)
    assert Task.objects.count() == n_tasks
    later = text(owner.get(URL))
    assert description in later
    assert 'name="n_ranks" value="3"' in later
    assert f'<option value="{reverse.get("reverse", "True")}" selected>' in later


@pytest.mark.in_ci
def test_top_up_with_a_new_strategy_keeps_its_parameters(owner, collection, new_strategies, tmp_path):
    build_pool(collection, "nearest", n_ranks=3, reverse=False)
    import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["d", "new"], "2": ["x"]}}))
    fields = inputs(text(owner.get(URL)), f"{URL}build/")
    assert fields == {"strategy": "nearest", "n_ranks": "3", "share": "0.5", "reverse": "False"}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"strategy": "nearest"}, "N ranks: This field is required."),
        ({"strategy": "nearest", "n_ranks": "2.5"}, "N ranks: Enter a whole number."),
        ({"strategy": "nearest", "n_ranks": "9" * 50}, "N ranks: Ensure this value is less than or equal to"),
        ({"strategy": "nearest", "n_ranks": "2", "share": "much"}, "Share: Enter a number."),
        ({"strategy": "nearest", "n_ranks": "2", "reverse": "maybe"}, "Reverse: Select a valid choice."),
        ({"strategy": "shaped", "depth": "2"}, "shaped needs shape, which this page cannot ask for."),
    ],
)
def test_invalid_values_of_a_new_strategy_are_refused(owner, new_strategies, values, sentence):
    response = preview(owner, **values)
    assert response.status_code == 400
    assert sentence in html.unescape(text(response))
    assert owner.post(f"{URL}build/", values).status_code == 400
    assert not Job.objects.exists()


@pytest.mark.in_ci
def test_parameter_with_a_known_name_and_another_type_is_asked_for_by_its_type(monkeypatch, owner):
    def sharp(runs: RankedRuns, *, size: int, k: float | None = None, order: str = "best") -> Selection:
        return STRATEGIES["rrf"](runs, size=size)

    monkeypatch.setitem(STRATEGIES, "sharp", sharp)
    page = text(owner.get(URL, {"strategy": "sharp"}))
    assert '<option value="sharp" selected>sharp: sharp</option>' in page
    assert re.search(r'<input type="number" name="k" step="any"[^>]*>', page)
    assert 'name="order" value="best"' in page
    assert preview(owner, strategy="sharp", size="2", k="0.5", order="x").status_code == 200


def test_kind_brings_its_first_strategy_and_suggestions(owner):
    """The page had the fields of depth, whose depth is a size. For rank fusion, the depth is another thing."""
    page = owner.get(URL, {"kind": "fusion", "fields_of": "depth", "strategy": "depth", "depth": "2", "preview": "1"})
    assert page.context["form"].chosen == "rrf"
    assert 'name="size" value="50"' in text(page)
    assert re.search(r'name="depth" placeholder="all"', text(page))
    assert page.context["preview"].parameters == {"size": 50, "k": 60, "seed": 0}


def test_strategies_of_one_kind_share_their_values(owner):
    values = {"kind": "fusion", "fields_of": "rrf", "strategy": "rbp", "size": "3", "depth": "2", "seconds": "60"}
    page = owner.get(URL, values)
    assert page.context["preview"].parameters == {"size": 3, "p": 0.8, "depth": 2, "seed": 0}
    assert page.context["cost"]["seconds"] == 60


@pytest.mark.parametrize("kind", [each.name for each in kinds.KINDS])
def test_every_kind_has_a_live_preview(owner, kind):
    page = owner.get(URL, {"kind": kind})
    assert page.context["preview"].strategy in page.context["form"].of_kind[0]
    assert 'hx-target="#pool-preview"' in text(page)


def test_unknown_kind_is_refused(owner):
    response = preview(owner, kind="guess", strategy="depth", depth="2")
    assert response.status_code == 400
    assert "How documents are selected: Select a valid choice." in text(response)


def test_every_strategy_of_the_library_has_a_kind():
    assert {kinds.kind_of(name) for name in strategies.names()} == {each.name for each in kinds.KINDS}


def test_large_runs_are_previewed_only_on_request(owner, no_runs_are_small):
    page = text(owner.get(URL, {"kind": "fusion"}))
    assert "The runs are large, so a job computes the preview." in page
    assert "hx-vals" not in page
    assert not Job.objects.exists()


@pytest.mark.in_ci
def test_impossible_preview_is_no_error_before_anybody_asks(owner, collection):
    collection.topics.update(query_id=Concat(Value("other-"), "query_id"))
    response = owner.get(URL)
    assert response.status_code == 200
    assert "The runs have no topic of small" in text(response)
    assert preview(owner, strategy="depth", depth="2").status_code == 400


@pytest.mark.in_ci
def test_strategies_are_compared_side_by_side(owner, collection):
    """Depth 2 has 7 documents, all in the pool; 3 of them are judged. Depth 3 adds c d f of topic 1, see above."""
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n2 0 x 1\n", assessor="ada")
    page = preview(owner, strategy="depth", depth=3, seconds=60, compare=["depth", "random", "every_document"])
    rows = {each.strategy: (each, cost) for each, cost in page.context["comparison"]}
    assert list(rows) == ["depth", "random", "every_document"]
    same = preview(owner, strategy="depth", depth=3).context["preview"]
    assert rows["depth"][0] == same
    assert rows["depth"][0].judged_percent == pytest.approx(100 * 3 / 9)
    assert rows["depth"][0].unique == sum(each.unique for each in same.systems) == 4
    assert rows["depth"][1]["hours"] == pytest.approx(6 / 60)
    assert rows["random"][0].parameters == {"size": 50, "seed": 0}
    assert row(text(page), "depth: the first 3 of each run") == ["9", "2", "0.1", "4", "33%"]


@pytest.mark.slow
def test_compared_strategies_share_an_average_size(owner):
    page = preview(owner, strategy="rrf", size="", documents_per_topic="2.5", compare=["borda", "depth"])
    assert page.status_code == 400
    assert "documents_per_topic must be at least" in text(page)  # depth 1 has 3 documents per topic
    page = preview(owner, strategy="rrf", size="", documents_per_topic="4", compare=["borda", "depth"])
    assert [each.size for each, _ in page.context["comparison"]] == [8, 7]  # four of each topic; depth 2


def test_at_most_four_strategies_are_compared(owner):
    response = preview(owner, strategy="depth", depth=2, compare=["depth", "rrf", "borda", "rbp", "random"])
    assert response.status_code == 400
    assert "Choose at most 4 strategies to compare, not 5." in text(response)
    assert preview(owner, strategy="depth", depth=2, compare="guess").status_code == 400


@pytest.mark.in_ci
@with_worker
def test_comparison_of_large_runs_is_computed_by_jobs(owner, no_runs_are_small):
    values = {"strategy": "depth", "depth": 3, "compare": ["depth", "borda"]}
    for _ in range(2):
        assert preview(owner, **values).status_code == 202
        work()
    assert len(preview(owner, **values).context["comparison"]) == 2


def test_chart_of_a_strategy_without_a_depth_shows_the_runs(owner):
    page = preview(owner, strategy="rrf", size=2)
    assert "chart-depths" not in text(page)
    bars = {each.system: (shared, own) for each, shared, own in page.context["bars"]}
    most = max(each.contributed for each in page.context["preview"].systems)
    for each in page.context["preview"].systems:
        assert bars[each.system] == pytest.approx(
            (100 * (each.contributed - each.unique) / most, 100 * each.unique / most)
        )


def test_adaptive_strategies_have_a_sentence_each(owner):
    page = text(owner.get(URL))
    assert "<dt><b>move_to_front</b></dt><dd>Move to front: stay with a run while it gives relevant documents" in page
    assert 'href="/c/small/judging/#adaptive"' in page


def test_page_needs_few_queries(owner, django_assert_max_num_queries):
    with django_assert_max_num_queries(24):
        preview(owner, strategy="depth", depth=2)


def test_assessor_may_not_see_the_page(collection, join, signed_in):
    assert signed_in(join(collection, "ada", Role.ASSESSOR)).get(URL, {"kind": "depth"}).status_code == 403


@pytest.mark.slow
def test_the_menu_offers_the_pairs_of_the_pool_in_each_form(owner, collection):
    page = text(owner.get(URL))
    for form in FORMS:
        assert f'href="{URL}pairs/?format={form}" download' in page
        response = owner.get(f"{URL}pairs/", {"format": form, "seed": "7"})
        assert response.streaming
        assert b"".join(response.streaming_content) == b"".join(pool_file(collection, form, seed=7).pieces)
        subject = AuditEvent.objects.order_by("pk").last().subject
        assert subject == f"pool, {form}"


def test_a_wrong_request_of_the_pairs_is_refused_with_a_sentence_and_not_recorded(owner):
    for query, sentence in (
        ({"format": "xml"}, "The format &#x27;xml&#x27; is unknown."),
        ({"seed": "-1"}, "The seed must be a whole number, not &#x27;-1&#x27;."),
        ({"format": "doccano", "annotator": "a/b"}, "the annotator &#x27;a/b&#x27; is not allowed"),
    ):
        response = owner.get(f"{URL}pairs/", query)
        assert response.status_code == 400
        assert sentence in text(response)
    assert not AuditEvent.objects.filter(subject__startswith="pool").exists()
