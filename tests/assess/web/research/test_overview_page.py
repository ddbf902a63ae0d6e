"""The overview: phases, tiles, what waits for whom, the latest events, and the slope chart."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.analysis.shift.ranking import shift_of
from assess.analysis.shift_query import ShiftInputs
from assess.campaign.counts import counts_of
from assess.campaign.latest import latest_events
from assess.campaign.overview import overview
from assess.campaign.phases import phases
from assess.campaign.steps import campaign_steps
from assess.campaign.waiting import disputed_documents, waiting
from assess.collections.create import create_collection
from assess.jobs.pending import Pending
from assess.models import Job, Role
from assess.pools.assign import assign
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgements import import_judgements
from assess.web.research import overview_views
from assess.web.research.shift import slope
from assess.web.research.shift.slope import LETTER, MOST_LABELLED, WIDTHS, slope_svg
from tests.slow_cases import slow_cases

pytestmark = pytest.mark.django_db


@pytest.fixture
def http(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.RESEARCHER))


def page(http, name: str = "collection", **query: int) -> str:
    return http.get(reverse(f"research:{name}", args=["small"]), query).content.decode()


def judged(collection) -> None:
    import_judgements(collection, b"1 0 a 1\n1 0 b 1\n2 0 x 0\n", "north")
    import_judgements(collection, b"1 0 a 1\n1 0 b 0\n2 0 x 0\n", "south")


def of_small(collection):
    state = overview(collection)
    return waiting(collection, state.assessors, counts_of(collection))


def test_number_of_queries_is_constant(http, collection, django_assert_max_num_queries):
    judged(collection)
    page(http)
    with django_assert_max_num_queries(38) as few:
        page(http)
    counted = [each["sql"] for each in few.captured_queries if "assess_invitation" in each["sql"]]
    assert len(counted) == 1  # the sidebar uses the counts of the page
    import_judgements(collection, b"1 0 a 0\n2 0 x 1\n", "west")
    with django_assert_max_num_queries(len(few.captured_queries)):
        page(http)


def test_phases_of_a_collection_with_a_pool(collection, join):
    def states():
        return [
            (each.name, each.is_done, each.is_present)
            for each in phases(campaign_steps(collection, overview(collection)))
        ]

    assert states()[:2] == [("Set up", True, False), ("Prepare", False, True)]
    assert [name for name, *_ in states()] == ["Set up", "Prepare", "Judge", "Analyse", "Publish"]
    join(collection, "ada")
    assign(collection, judges=1)
    assert states()[1:3] == [("Prepare", True, False), ("Judge", False, True)]


def test_page_shows_phases_and_progress(http, collection, join):
    join(collection, "ada")
    assign(collection, judges=1)
    html = page(http)
    assert html.count('aria-current="step"') == 2  # of the phases and of the steps
    assert re.search(r"<b>0%</b>", html)
    assert "has 7 open documents and has not started." in html


def test_what_waits(collection, join):
    assert of_small(collection) == []
    ada, bob = join(collection, "ada"), join(collection, "bob")
    assign(collection, judges=1)
    judged(collection)
    kinds = {each.kind: each.sentence for each in of_small(collection)}
    assert kinds == {
        "waiting": f"{ada.name}, {bob.name} have 7 open documents and have not started.",
        "check": "1 judged topic has no relevant document.",
    }
    Job.objects.create(kind="index", collection=collection, state="failed", ended_at=timezone.now())
    assert next(iter(of_small(collection))).sentence == "1 background job failed in the last day."
    collection.archived_at = timezone.now()
    assert of_small(collection) == []


def test_disputed_documents_are_those_with_two_grades(collection):
    assert disputed_documents(collection) == 0
    judged(collection)
    assert disputed_documents(collection) == 1


def test_latest_events_come_first(collection):
    judged(collection)
    events = latest_events(collection)
    assert [event.at for event in events] == sorted((event.at for event in events), reverse=True)
    assert events[0].sentence == "3 judgements imported from 1 file (2 times)."
    assert any(event.sentence.startswith("Pool built: ") for event in events)
    assert all(timezone.now() - event.at < timedelta(hours=1) for event in events)


def test_latest_events_that_are_alike_are_one_with_the_latest_time(collection, monkeypatch):
    for number in range(9):
        import_judgements(collection, b"1 0 a 1\n", f"judge{number}")
    import_judgements(collection, b"1 0 a 1\n1 0 b 1\n", "last")
    import_judgements(collection, b"1 0 a 1\n", "after")
    times = list(collection.imports.order_by("-pk").values_list("imported_at", flat=True))
    after, last, alike = latest_events(collection)[:3]
    assert (after.sentence, after.at) == ("1 judgement imported from 1 file.", times[0])
    assert last.sentence == "2 judgements imported from 1 file."
    assert (alike.sentence, alike.at) == ("1 judgement imported from 1 file (9 times).", times[2])
    monkeypatch.setattr("assess.campaign.latest.MOST_READ", 5)
    assert latest_events(collection)[2].sentence == "1 judgement imported from 1 file (at least 3 times)."


def test_figures_are_fetched_when_there_is_something_to_compare(http, collection):
    address = reverse("research:overview_figures", args=["small"])
    assert address not in page(http)
    judged(collection)
    html = page(http)
    assert f'hx-get="{address}"' in html
    assert reverse("research:agreement", args=["small"]) in html.partition("<main")[2]  # without a script


@pytest.mark.slow
def test_figures(http, collection):
    judged(collection)
    html = page(http, "overview_figures")
    assert "hx-get" not in html
    assert re.search(r"Agreement, pooled kappa</h2>\s*<b>0\.\d\d</b>", html)
    assert re.search(r"Rank changes</h2>\s*<b>\d+ of 3</b>", html)
    assert re.search(r"Disputed documents</h2>\s*<b>1</b>", html)
    assert html.count("data-system=") == 6  # three systems, wide and for a phone


@pytest.mark.slow
def test_the_agreement_is_that_of_the_headline(http, collection):
    """Pairs with too little data are left out on both pages, if others have enough."""
    for name in ("north", "south"):
        import_judgements(collection, b"1 0 a 1\n1 0 b 0\n2 0 x 0\n", name)
    import_judgements(collection, b"1 0 a 0\n1 0 b 1\n", "few")
    enough = {"min_topics": 2, "min_documents": 3}
    answer, tile = (page(http, name, **enough) for name in ("agreement", "overview_figures"))
    assert re.search(r"is 1\.00 \(\w+\) over 1 pair", answer)
    assert re.search(r"pooled kappa</h2>\s*<b>1\.00</b>", tile)
    assert "over 1 of 3 pairs" in tile
    assert "preliminary" not in tile


@pytest.mark.slow
def test_the_agreement_beside_a_model_is_that_of_people(http, collection):
    for name, text in (("north", b"1 0 a 1\n1 0 b 1\n2 0 x 0\n"), ("south", b"1 0 a 1\n1 0 b 1\n2 0 x 0\n")):
        import_judgements(collection, text, name, options=JudgementOptions(judge_kind="human"))
    assert "Agreement, pooled kappa" in page(http, "overview_figures")
    import_judgements(collection, b"1 0 a 0\n1 0 b 0\n", "gpt", options=JudgementOptions(judge_kind="model"))
    html = page(http, "overview_figures")
    assert re.search(r"Agreement of people, pooled kappa</h2>\s*<b>1\.00</b>", html)
    assert "?kind=human" in html


def test_a_job_is_waited_for(http, collection, monkeypatch):
    judged(collection)

    def pend(*_):
        raise Pending(Job(kind="agreement"))

    monkeypatch.setattr(overview_views, "figures_of", pend)
    html = page(http, "overview_figures")
    assert 'hx-trigger="every 3s"' in html
    assert "A job computes it." in html


@pytest.mark.parametrize("role", [Role.ASSESSOR, Role.INSTRUCTOR])
def test_others_may_not_open_it(collection, join, signed_in, role):
    client = signed_in(join(collection, "ada", role))
    for name in ("collection", "overview_figures", "find", "jobs"):
        assert client.get(reverse(f"research:{name}", args=["small"])).status_code == 403


@pytest.mark.in_ci
@pytest.mark.parametrize("size", ["wide", *slow_cases(["panel", "narrow"])])
def test_slope_chart_has_each_system_with_its_numbers(collection, size):
    judged(collection)
    shift = shift_of(collection, ShiftInputs("AP", reference="judge:north"))
    svg = slope_svg(shift, "judge:south", size)
    for row in shift.ranks_under("judge:south").itertuples():
        label = f"{row.system}: rank {row.reference_rank} to {row.rank}, {row.reference_score:.3f} to {row.score:.3f}"
        assert f'aria-label="{label}"' in svg
    places = [float(y) for y in re.findall(r'<circle cx="\d+" cy="([\d.]+)"', svg)]
    assert len(set(places)) == 3  # no two lines begin or end at the same place
    assert "unlabelled" not in svg
    assert MOST_LABELLED == 25


@pytest.mark.in_ci
@pytest.mark.parametrize(("size", "width"), [*WIDTHS.items()][:1] + slow_cases([*WIDTHS.items()][1:]))
def test_names_of_the_golds_are_inside_the_slope_chart(collection, monkeypatch, size, width):
    judged(collection)
    monkeypatch.setattr(slope, "MOST_LABELLED", 0)  # as with many systems, which have no names beside their lines
    shift = shift_of(collection, ShiftInputs("AP", reference="judge:north"))
    svg = slope_svg(shift, "judge:south", size)
    right = re.search(r'<text x="(\d+)" y="18" class="quiet">judge:south</text>', svg)[1]
    assert int(right) + len("judge:south") * LETTER <= width


@pytest.mark.in_ci
def test_the_page_keeps_the_room_of_the_slope_chart(http, collection):
    """Nothing moves when the chart arrives."""
    judged(collection)
    html = page(http)
    drawn = re.findall(r'<svg class="slope[^"]*"[^>]*viewBox="0 0 (\d+) (\d+)"', page(http, "overview_figures"))
    kept = re.findall(r"aspect-ratio: (\d+) / (\d+);", html)
    assert kept == drawn
    assert len(kept) == 2


def test_names_of_systems_are_escaped(collection):
    collection.runs.filter(system="beta").update(system='<b>&"x')
    judged(collection)
    shift = shift_of(collection, ShiftInputs("AP", reference="judge:north"))
    svg = slope_svg(shift, "judge:south")
    assert "<b>" not in svg
    assert "&lt;b&gt;&amp;&quot;x" in svg


def test_files_are_dropped_on_the_overview_of_an_empty_collection(db, join, signed_in):
    empty = create_collection("empty", "Empty", ["0=No", "1=Yes"])
    http = signed_in(join(empty, "olga", Role.OWNER))
    html = http.get(reverse("research:collection", args=["empty"])).content.decode()
    assert f'data-then="{reverse("research:import", args=["empty"])}"' in html
    empty.topics.create(query_id="1", title="tea")
    assert 'id="drop"' not in http.get(reverse("research:collection", args=["empty"])).content.decode()


def test_imported_judgements_are_counted_where_nothing_is_assigned(http, collection):
    judged(collection)
    tile = page(http).partition('id="judged"')[2].partition("</section>")[0]
    assert "<b>6</b>" in tile  # two judges, three documents each
    assert "imported judgements; nothing is assigned." in tile
    assert "0%" not in tile
