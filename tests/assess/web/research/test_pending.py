"""Figures that take long: a job computes them, and the page shows its progress until they are there."""

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from assess.analysis import pending
from assess.jobs import results
from assess.jobs.pending import RETRY_AFTER
from assess.models import Job, JobState, Role
from tests.assess.web.research.analysis.pages import judge
from tests.slow_cases import slow_cases

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = ["agreement", "agreement_time", "shift"]


@pytest.fixture(autouse=True)
def nothing_is_small(monkeypatch):
    monkeypatch.setattr(pending, "JUDGEMENTS_AT_ONCE", 0)
    monkeypatch.setattr(pending, "RATINGS_OF_PAIRS_AT_ONCE", 0)
    monkeypatch.setattr(pending, "JUDGEMENTS_HELD_OUT_AT_ONCE", 0)


@pytest.fixture
def owner(collection, join, signed_in):
    judge(collection, "first", {("1", "a"): 1, ("1", "b"): 0})
    judge(collection, "second", {("1", "a"): 1, ("1", "b"): 1})
    return signed_in(join(collection, "olga", Role.OWNER))


def work():
    call_command("worker", once=True, verbosity=0)


def compute_and_draw(owner, page, query=None):
    """Let a job compute the figures of a page, and a second one draw them."""
    work()
    assert owner.get(page, query).status_code == 202
    work()
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_page_waits_for_the_job_and_then_shows_the_figures(owner, name):
    page = reverse(f"research:{name}", args=["small"])
    waiting = owner.get(page)
    assert waiting.status_code == 202
    assert 'hx-trigger="every 2s"' in waiting.content.decode()
    assert owner.get(page).status_code == 202
    assert Job.objects.count() == 1
    compute_and_draw(owner, page)
    ready = owner.get(page, headers={"HX-Target": "job"})
    assert (ready.status_code, ready["HX-Refresh"]) == (200, "true")
    assert "HX-Refresh" not in owner.get(page)
    computed = name.partition("_")[0]
    assert set(Job.objects.values_list("kind", flat=True)) == {computed, f"{computed}_figures"}


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("agreement", "agreement.charts"),
        ("shift", "shift.named_figures"),
        ("shift_topics", "shift.named_figures"),
        *slow_cases(
            [
                ("agreement_topics", "agreement.charts"),
                ("agreement_judges", "agreement.charts"),
                ("agreement_time", "agreement.charts"),
                ("agreement_golds", "agreement.charts"),
                ("leaderboard", "shift.named_figures"),
                ("shift_intervals", "shift.named_figures"),
                ("shift_mixed", "shift.named_figures"),
                ("swap", "shift.named_figures"),
            ]
        ),
    ],
)
def test_page_of_a_large_collection_draws_nothing_itself(owner, monkeypatch, name, drawn):
    def refuse(*_):
        raise AssertionError(f"{name} draws a figure")

    page = reverse(f"research:{name}", args=["small"])
    query = {"a": "alpha", "b": "beta", "reference": "judge:first", "golds": ["judge:first", "judge:second"]}
    query = query if name in ("swap", "shift", "shift_topics") else {}
    with monkeypatch.context() as patched:
        patched.setattr(f"assess.web.research.{drawn}.kept_drawing", refuse)
        while not Job.objects.filter(kind__endswith="_figures"):  # first, jobs compute the numbers
            work()
            assert owner.get(page, query).status_code == 202
    work()
    assert owner.get(page, query).status_code == 200
    assert not Job.objects.exclude(state="done")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "limit"),
    [("shift", "JUDGEMENTS"), ("shift", "RUN_LINES"), ("agreement", "RATINGS_OF_PAIRS")],
)
def test_figures_are_computed_at_once_within_all_limits(owner, monkeypatch, name, limit):
    monkeypatch.setattr(pending, "JUDGEMENTS_AT_ONCE", 100)
    monkeypatch.setattr(pending, "RATINGS_OF_PAIRS_AT_ONCE", 100)
    assert owner.get(reverse(f"research:{name}", args=["small"])).status_code == 200
    monkeypatch.setattr(pending, f"{limit}_AT_ONCE", 0)
    results.forget_all()
    assert owner.get(reverse(f"research:{name}", args=["small"])).status_code == 202


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("agreement", {"reference": "dawid_skene"}),
        ("shift", {"golds": ["judge:first", "dawid_skene"]}),
        ("documents", {"order": "leverage", "gold": "dawid_skene"}),
    ],
)
def test_dawid_skene_has_a_limit_of_its_own(owner, collection, monkeypatch, name, query):
    judge(collection, "third", {("1", "a"): 0})
    for limit in ("JUDGEMENTS", "RATINGS_OF_PAIRS"):
        monkeypatch.setattr(pending, f"{limit}_AT_ONCE", 100)
    page = reverse(f"research:{name}", args=["small"])
    monkeypatch.setattr(pending, "JUDGEMENTS_OF_DAWID_SKENE_AT_ONCE", 4)
    assert owner.get(page, query).status_code == 202
    while owner.get(page, query).status_code == 202:
        work()
    results.forget_all()
    monkeypatch.setattr(pending, "JUDGEMENTS_OF_DAWID_SKENE_AT_ONCE", 5)
    assert owner.get(page, query).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_figures_are_computed_again_after_a_judgement(owner, collection, name):
    page = reverse(f"research:{name}", args=["small"])
    owner.get(page)
    compute_and_draw(owner, page)
    assert owner.get(page).status_code == 200
    judge(collection, "third", {("1", "a"): 0})
    assert owner.get(page).status_code == 202


@pytest.mark.in_ci
def test_figures_and_downloads_of_a_shift_wait_too(owner):
    for url in (reverse("research:shift_csv", args=["small"]), reverse("research:shift_figure", args=["small", "svg"])):
        assert owner.get(url).status_code == 202
    work()
    assert owner.get(reverse("research:shift_csv", args=["small"])).status_code == 200


def test_failed_job_is_shown_and_repeated_later(owner):
    page = reverse("research:shift", args=["small"])
    owner.get(page)
    Job.objects.update(state=JobState.FAILED, error="The run is damaged.", ended_at=timezone.now())
    assert "The run is damaged." in owner.get(page).content.decode()
    Job.objects.update(ended_at=timezone.now() - 2 * RETRY_AFTER)
    assert owner.get(page).status_code == 202


@pytest.mark.in_ci
def test_many_different_figures_at_once_are_refused(owner):
    for k in range(1, 6):
        assert owner.get(reverse("research:shift", args=["small"]), {"measure": f"P@{k}"}).status_code == 202
    refused = owner.get(reverse("research:shift", args=["small"]), {"measure": "P@6"})
    assert refused.status_code == 400
    assert "running already" in refused.content.decode()


def test_jobs_that_only_compute_are_not_listed(owner):
    owner.get(reverse("research:shift", args=["small"]))
    assert "Rank the systems" not in owner.get(reverse("research:collection", args=["small"])).content.decode()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["swap", "leverage", "shift_mixed", "shift_intervals", "shift_measures"])
def test_parts_of_a_shift_are_computed_by_a_job(owner, monkeypatch, name):
    monkeypatch.setattr(pending, "JUDGEMENTS_AT_ONCE", 100)
    monkeypatch.setattr(pending, "_is_small_for_part", lambda *_: False)
    page = reverse(f"research:{name}", args=["small"])
    query = {"a": "alpha", "b": "beta", "reference": "judge:first", "golds": ["judge:first", "judge:second"]}
    assert owner.get(page, query).status_code == 202
    assert list(Job.objects.values_list("kind", "state")) == [(f"shift_{name.removeprefix('shift_')}", "waiting")]
    work()
    assert Job.objects.get().state == "done", Job.objects.get().error
    assert owner.get(page, query).status_code == 200
    shown = owner.get(reverse("research:job", args=["small", Job.objects.get().public_id])).content.decode()
    assert "The figures are computed." in shown


@pytest.mark.slow
def test_heat_map_of_many_golds_is_drawn_by_a_job(owner, monkeypatch):
    monkeypatch.setattr(pending, "JUDGEMENTS_AT_ONCE", 100)
    monkeypatch.setattr(pending, "MOST_DRAWN_GOLDS", 5)  # there are two judges, and four usual golds are expected
    file = reverse("research:shift_chart", args=["small", "heat-map", "svg"])
    assert owner.get(file).status_code == 202
    work()
    assert owner.get(file).content.startswith(b"<?xml")
    assert list(Job.objects.values_list("kind", flat=True)) == ["shift_heat_map"]
    monkeypatch.setattr(pending, "MOST_DRAWN_GOLDS", 6)
    assert owner.get(file.replace("svg", "png")).content.startswith(b"\x89PNG")
