"""The pages of the ranking shift, without single documents."""

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db.models import prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from assess.models import Member
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.shift import named_tables
from assess.web.research.shift.drawing import wait_for_figures
from assess.web.research.shift.leader_views import leaderboard_page
from assess.web.research.shift.page import refused, shift_page, shown_figure, shown_table
from assess.web.research.shift.source import COEFFICIENTS, CORRECTIONS, TESTS, Source
from assess.web.research.shift.tables import Link, Record, best_systems
from assess.web.research.views import figures_view

if TYPE_CHECKING:
    import pandas as pd

    from assess.analysis.shift.draws import RankIntervals


def measures_sentence(frame: "pd.DataFrame") -> tuple[str, tuple[str, ...]]:
    """Return which gold and measure give the ranking that differs most from the reference's, and the golds it names."""
    known = frame.dropna(subset=["tau_b"])
    if known.empty:
        return "No two golds can be compared under these measures.", ()
    ordered = known.sort_values("tau_b", kind="stable")
    least, most = ordered.iloc[0], ordered.iloc[-1]
    sentence = (
        f"tau_b with {least['gold_a']} lies between {least['tau_b']:.3f} ({least['gold_b']} by {least['measure']}) and "
        f"{most['tau_b']:.3f} ({most['gold_b']} by {most['measure']})."
    )
    return sentence, (least["gold_b"], most["gold_b"])


def intervals_sentence(intervals: "RankIntervals") -> str:
    """Return how many systems have a rank that other topics, and other judges, could not change."""
    parts = []
    for frame in (intervals.topics, intervals.judges):
        known = frame.dropna(subset=["low", "high"])
        if known.empty:
            return "The ranks have no intervals: fewer than two topics are judged."
        fixed = int((known["low"] == known["high"]).sum())
        parts.append(f"{fixed} of {len(frame)} systems keep their rank if {frame.attrs['resampled']} are resampled")
    top = intervals.judges.iloc[0]
    share = f"{top['system']} is at rank 1 in {top['share_top']:.0%} of the draws of topics and judges"
    return f"{' and '.join(parts)}; {share}."


def _source(request: SignedInRequest, member: Member) -> Source:
    # One query for the runs of the shift and their precision, and one for the scale of measures and commands.
    prefetch_related_objects([member.collection], "runs", "grades")
    return Source.from_request(request, member)


@figures_view
@refusals_shown_by(refused)
def shift(request: SignedInRequest, member: Member) -> HttpResponse:
    """The ranking of the systems under every gold."""
    from assess.analysis.shift.ranks import shift_figures  # loads pandas

    source = _source(request, member)
    if not source.shift.others:
        return leaderboard_page(request, source)
    if source.against:
        wait_for_figures(source, "ranges")
    figures = shift_figures(source.shift, list(member.collection.runs.all()), source.against)
    content = {
        "figures": figures,
        "figure": shown_figure(source, "slope") if source.against else None,
        "ranges_figure": shown_figure(source, "ranges") if source.against else None,
        "ranges": shown_table(source, named_tables.ranges(source)),
        "groups": shown_table(source, named_tables.groups(source)) if source.groups else None,
        "compared": shown_table(source, named_tables.golds(source)),
        "ranks": shown_table(source, named_tables.ranks(source)),
    }
    if source.has_correlations:
        content["correlations"] = shown_table(source, named_tables.correlation_intervals(source))
    return render(request, "research/shift/shift.html", shift_page(request, source, **content))


@figures_view
@refusals_shown_by(refused)
def golds(request: SignedInRequest, member: Member) -> HttpResponse:
    """Every two golds: a heat map of a coefficient, and all coefficients as a table."""
    source = _source(request, member)
    query = {"coefficient": source.coefficient}
    defined = [pair for pair in source.shift.pairs if pair.tau_b.value is not None]
    content = {
        "figure": shown_figure(source, "heat-map", query),
        "compared": shown_table(source, named_tables.all_golds(source)),
        "coefficients": COEFFICIENTS,
        "coefficient": source.coefficient,
        "least": (least := min(defined, key=lambda pair: pair.tau_b.value or 0.0, default=None)),
        "preliminary": source.preliminary_between(least.gold_a, least.gold_b) if least else "",
    }
    return render(request, "research/shift/golds.html", shift_page(request, source, **content))


@figures_view
@refusals_shown_by(refused)
def swaps(request: SignedInRequest, member: Member) -> HttpResponse:
    """The pairs of systems that swap between the reference and another gold, with tests of both leads."""
    source = _source(request, member)
    if not source.against:
        return render(request, "research/shift/swaps.html", shift_page(request, source))
    table, link = named_tables.swaps(source), _swap_link(source)
    if len(table.data):
        wait_for_figures(source, "swapped-pairs")
    tested = {"test": source.test, "correction": source.correction}
    both = table.data["significant_a"] & table.data["significant_b"]
    content = {
        "figure": shown_figure(source, "swapped-pairs", tested) if len(table.data) else None,
        "swaps": shown_table(source, table, {"ahead_a": link, "ahead_b": link}, query=tested),
        "pair": source.pair,
        "n_both": int(both.sum()),
        "preliminary": source.preliminary_between(source.against),
        "note": table.data.attrs.get("note"),
        **_tests(source),
    }
    return render(request, "research/shift/swaps.html", shift_page(request, source, **content))


def _swap_link(source: Source) -> Link:
    """Return the address of the explanation of a swapped pair."""
    address = reverse("research:swap", args=[source.collection.slug])

    def link(row: Record) -> str:
        golds = {"gold_1": row["gold_a"], "gold_2": row["gold_b"]}
        named = {"reference": source.shift.reference, "against": source.against}
        return address + source.inputs.query(**named, a=row["ahead_a"], b=row["ahead_b"], **golds)

    return link


def _tests(source: Source) -> dict[str, object]:
    chosen = {"test": source.test, "correction": source.correction}
    names = {"corrections": [*CORRECTIONS.items()], "correction_name": CORRECTIONS[source.correction]}
    return {"tests": TESTS, **chosen, **names}


@figures_view
@refusals_shown_by(refused)
def differences(request: SignedInRequest, member: Member) -> HttpResponse:
    """Which differences between systems are significant under the reference."""
    source = _source(request, member)
    table = named_tables.differences(source)
    is_drawn = len(source.shift.systems) > 1
    if is_drawn:
        wait_for_figures(source, "different-pairs")
    tested = {"test": source.test, "correction": source.correction}
    content = {
        "figure": shown_figure(source, "different-pairs", tested) if is_drawn else None,
        "differences": shown_table(source, table, query=tested),
        "preliminary": source.preliminary(),
        "n_significant": int(table.data["significant"].sum()),
        "note": table.data.attrs.get("note"),
        **_tests(source),
    }
    return render(request, "research/shift/differences.html", shift_page(request, source, **content))


@figures_view
@refusals_shown_by(refused)
def measures(request: SignedInRequest, member: Member) -> HttpResponse:
    """The golds compared by several measures and thresholds, side by side."""
    source = _source(request, member)
    table = named_tables.measures(source)
    by_gold: dict[str, dict[str, object]] = {}
    tau_b = next(column for column in table.columns if column.name == "tau_b")
    for row in table.records:
        shown = {"tau_b": {"text": tau_b.text(row), "value": tau_b.sort_value(row)}, "best": best_systems(row["top_b"])}
        by_gold.setdefault(row["gold_b"], {})[row["measure"]] = shown
    names, (sentence, named) = list(dict.fromkeys(table.data["measure"])), measures_sentence(table.data)
    query = {"measures": source.measures}
    if by_gold:
        wait_for_figures(source, "tau-by-measure")
    content = {
        "figure": shown_figure(source, "tau-by-measure", query) if by_gold else None,
        "compared": shown_table(source, table, query=query),
        "names": names,
        "by_gold": [(gold, [cells.get(name) for name in names]) for gold, cells in by_gold.items()],
        "chosen": source.measures,
        "sentence": sentence,
        "preliminary": source.preliminary_between(*named),
    }
    return render(request, "research/shift/measures.html", shift_page(request, source, **content))


@figures_view
@refusals_shown_by(refused)
def mixed(request: SignedInRequest, member: Member) -> HttpResponse:
    """The systems under golds that take one judge for each topic."""
    source = _source(request, member)
    golds = source.mixed()
    wait_for_figures(source, "mixed")
    content = {
        "mixed": golds,
        "figure": shown_figure(source, "mixed"),
        "mixed_systems": shown_table(source, named_tables.mixed_systems(source)),
        "taus": shown_table(source, named_tables.mixed_taus(source)),
        "tops": shown_table(source, named_tables.mixed_tops(source)),
        "orders": shown_table(source, named_tables.mixed_orders(source)),
    }
    return render(request, "research/shift/mixed.html", shift_page(request, source, **content))


@figures_view
@refusals_shown_by(refused)
def intervals(request: SignedInRequest, member: Member) -> HttpResponse:
    """Intervals of the ranks, resampling topics, and topics with their judges."""
    source = _source(request, member)
    sentence = intervals_sentence(source.intervals())
    wait_for_figures(source, "intervals", "intervals-judges")
    content = {
        "sentence": sentence,
        "preliminary": source.preliminary(),
        "figure": shown_figure(source, "intervals"),
        "judges_figure": shown_figure(source, "intervals-judges"),
        "topics": shown_table(source, named_tables.intervals(source)),
        "with_judges": shown_table(source, named_tables.intervals_judges(source)),
    }
    return render(request, "research/shift/intervals.html", shift_page(request, source, **content))


@figures_view
@refusals_shown_by(refused)
def topics(request: SignedInRequest, member: Member) -> HttpResponse:
    """How hard each topic is under the reference, and which topics decide the comparison of two systems."""
    from assess.analysis.shift.topics import MOST_DRAWN_TOPICS  # loads pandas

    source = _source(request, member)
    figures, pair = source.topics, dict(zip("ab", source.compared_systems, strict=False))
    is_drawn = 0 < figures.difficulty.n_topics <= MOST_DRAWN_TOPICS
    link = {"query_id": _topic_link(source)} if source.is_researcher else {}
    decisive = shown_table(source, named_tables.decisive_topics(source), link, query=pair) if figures.decisive else None
    drawn = {"topic-scores": is_drawn, "score-map": True, "score-differences": figures.decisive}
    wait_for_figures(source, *(name for name, is_shown in drawn.items() if is_shown))
    content = {
        "components": figures.components,
        "preliminary": source.preliminary(),
        "difficulty": figures.difficulty,
        "decisive": figures.decisive,
        "decisive_topics": decisive,
        "topics": shown_table(source, named_tables.topic_difficulty(source), link),
        "variance": shown_table(source, named_tables.variance(source)),
        "figure": shown_figure(source, "topic-scores", pair) if is_drawn else None,
        "map_figure": shown_figure(source, "score-map", pair),
        "differences_figure": shown_figure(source, "score-differences", pair) if figures.decisive else None,
        **pair,
    }
    return render(request, "research/shift/topics.html", shift_page(request, source, **content))


def _topic_link(source: Source) -> Link:
    """Return the address of the documents of a topic. Instructors may not open documents."""
    address = reverse("research:documents", args=[source.collection.slug])

    def link(row: Record) -> str:
        return f"{address}?{urlencode({'topic': row['query_id']})}"

    return link
