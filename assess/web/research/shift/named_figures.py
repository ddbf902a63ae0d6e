"""Every figure of the shift pages by name, as a file and as part of a page.

The heat map of many golds is a table of the page: a drawn figure would take seconds and be wider than the page. `place`
are the options of a drawing on a page: no title, because the page has a heading, and the width for a phone.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from assess.analysis.figures import inline_svg
from assess.analysis.pending import kept_drawing
from assess.errors import Refused
from assess.web.figures.shown import DESK, MAP, PHONE
from assess.web.research.shift.source import Source
from pooling.words import count, with_minus

if TYPE_CHECKING:
    from agreement import RankingShift
    from agreement.shift.gold_pairs import GoldPair


JUDGE = "judge:"
FIRST, LAST = 9, 12  # letters of a long name: its end often tells similar names apart
MOST_DRAWN_GOLDS = 6  # a screen of 1,024 px has no room for more beside the sidebar; a table is narrower
STEPS = (0.5, 0.7, 0.8, 0.9)  # of the shades


def heat_map_table(shift: "RankingShift", coefficient: str) -> SafeString:
    """Return a coefficient between all golds, times 100, the reference first. Judges appear without `judge:`."""
    golds = [shift.reference, *shift.others]
    pairs = {names: pair for pair in shift.pairs for names in _both_orders(pair)}
    labels = [_label(gold) for gold in golds]
    heads = "".join(f'<th scope="col"><span>{label}</span></th>' for label in labels)
    rows = "".join(
        f'<tr><th scope="row">{label}</th>{_cells(pairs, gold, golds, coefficient)}</tr>'
        for gold, label in zip(golds, labels, strict=True)
    )
    caption = f"{coefficient} times 100 between {len(golds)} golds. A name without a rule is that of a judge."
    return mark_safe(  # noqa: S308 - the names are escaped
        f'<p class="quiet">{caption}</p><table class="heat-map" aria-label="{caption}">'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _both_orders(pair: "GoldPair") -> list[tuple[str, str]]:
    return [(pair.gold_a, pair.gold_b), (pair.gold_b, pair.gold_a)]


def _label(gold: str) -> str:
    name = gold.removeprefix(JUDGE)
    shown = name if len(name) <= FIRST + LAST + 1 else f"{name[:FIRST]}…{name[-LAST:]}"
    return f'<abbr title="{escape(gold)}">{escape(shown)}</abbr>' if shown != name else str(escape(shown))


def _cells(pairs: dict[tuple[str, str], "GoldPair"], gold: str, others: Sequence[str], coefficient: str) -> str:
    return "".join("<td>–</td>" if gold == other else _cell(pairs[gold, other], coefficient) for other in others)


def _cell(pair: "GoldPair", coefficient: str) -> str:
    estimate: Any = getattr(pair, coefficient)
    value = None if estimate is None else estimate.value
    level = "none" if value is None else f"s{sum(value >= step for step in STEPS)}"
    shown = "undefined" if value is None else with_minus(f"{value:z.3f}")
    text = "?" if value is None else with_minus(f"{value * 100:z.0f}")
    title = escape(f"{pair.gold_a} and {pair.gold_b}: {shown}, {count(pair.n_topics, 'topic')}")
    return f'<td class="{level}" title="{title}">{text}</td>'


def slope(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import slope_chart  # loads pandas

    return slope_chart(source.shift, _against(source), kind, **place)


def _against(source: Source) -> str:
    if source.against is None:
        raise Refused(f"{source.shift.reference} is the only gold, and the chart needs a second one.")
    return source.against


def ranges(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import range_chart  # loads pandas

    return range_chart(source.shift, kind, **place)


def leaders(source: Source, kind: str, **place: Any) -> bytes:
    from agreement.plots import value_intervals  # loads matplotlib

    board = source.leaderboard()
    measure = board.attrs["measures"][0]
    columns = {"system": "name", measure: "value", f"{measure}_low": "low", f"{measure}_high": "high"}
    method = "Intervals: Student's t of the mean over topics."
    values = board[list(columns)].rename(columns=columns)
    place = {"title": f"{measure} under {board.attrs['gold']}"} | place
    return value_intervals(values, kind=kind, value=measure, rows="system", method=method, of="system", **place)


def heat_map(source: Source, kind: str, **place: Any) -> bytes:
    return source.heat_map(kind, **place)


def mixed(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import mixed_chart  # loads pandas

    return mixed_chart(source.mixed(), kind, **place)


def topic_scores(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.topics import topics_chart  # loads pandas

    return topics_chart(source.shift, source.compared_systems, kind, **place)


def score_map(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.topics import map_chart  # loads pandas

    return map_chart(source.shift, source.compared_systems, kind, **place)


def score_differences(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.topics import differences_chart  # loads pandas

    if source.topics.decisive is None:
        raise Refused("There is only one system, and a comparison needs two.")
    return differences_chart(source.topics.decisive, source.shift, kind, **place)


def swap_differences(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.topics import swap_chart  # loads pandas

    return swap_chart(source.why_swapped(), kind, **place)


def swapped_pairs(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import swapped_pairs_chart  # loads pandas

    return swapped_pairs_chart(source.shift, source.pair, source.swaps(), kind, **place)


def different_pairs(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import different_pairs_chart  # loads pandas

    return different_pairs_chart(source.shift, source.differences(), kind, **place)


def tau_by_measure(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import measures_chart  # loads pandas

    return measures_chart(source.shift.reference, source.measures_frame(), kind, **place)


def leverage(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import leverage_chart  # loads pandas

    return leverage_chart(source.leverage(), kind, **place)


def intervals(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import interval_chart  # loads pandas

    return interval_chart(source.intervals().topics, kind, **place)


def intervals_judges(source: Source, kind: str, **place: Any) -> bytes:
    from assess.analysis.shift.charts import interval_chart  # loads pandas

    return interval_chart(source.intervals().judges, kind, **place)


FIGURES: dict[str, Callable[..., bytes]] = {
    "slope": slope,
    "ranges": ranges,
    "leaders": leaders,
    "heat-map": heat_map,
    "mixed": mixed,
    "intervals": intervals,
    "intervals-judges": intervals_judges,
    "topic-scores": topic_scores,
    "score-map": score_map,
    "score-differences": score_differences,
    "swap-differences": swap_differences,
    "swapped-pairs": swapped_pairs,
    "different-pairs": different_pairs,
    "tau-by-measure": tau_by_measure,
    "leverage": leverage,
}
INTERVALS = ("ranges", "leaders", "mixed", "intervals", "intervals-judges")
TESTED = ("swapped-pairs", "different-pairs")
MAPS = ("score-map", "tau-by-measure", *TESTED)
BARS = ("score-differences", "swap-differences", "leverage")
FOR_PHONE = (*INTERVALS, *BARS, *MAPS)  # a phone has a drawing of its own
OF_TWO_SYSTEMS = ("topic-scores", "score-map", "score-differences")
LABELS = {
    "slope": "Slope chart of the systems' ranks under two golds",
    "ranges": "Chart of the rank of each system and the range of its ranks over the golds",
    "leaders": "Chart of the mean score of each system with its interval",
    "heat-map": "Heat map of the coefficients between the golds",
    "mixed": "Chart of the ranks of each system over the mixed golds",
    "intervals": "Chart of the ranks with their intervals over topics",
    "intervals-judges": "Chart of the ranks with their intervals over topics and judges",
    "topic-scores": "Chart of the scores of the systems on each topic",
    "score-map": "Heat map of the scores of the systems on the topics",
    "score-differences": "Chart of the differences of two systems on each topic",
    "swap-differences": "Chart of the differences of two systems on each topic, under two golds",
    "swapped-pairs": "Map of the pairs of systems that swap",
    "different-pairs": "Map of the pairs of systems that differ significantly",
    "tau-by-measure": "Heat map of tau_b with the reference under each gold by each measure",
    "leverage": "Chart of the pairs of systems that another grade of a document swaps",
}


def widths_of(name: str) -> tuple[float | None, float | None]:
    """Return the widths of the two forms of a figure; None if it has no such form, or the width of its file."""
    return (MAP if name in MAPS else DESK, PHONE) if name in FOR_PHONE else (None, None)


def on_page(name: str, source: Source, width: float | None = None) -> SafeString:
    """Return a figure as an element of a page, some of them with a width. The table on the page has its numbers."""
    if name == "heat-map" and len(source.shift.golds) > MOST_DRAWN_GOLDS:
        return heat_map_table(source.shift, source.coefficient)
    key = drawing_key(name, source, width)
    file = kept_drawing(source.collection, key, lambda: _draw(name, source, width))
    return inline_svg(file, f"{LABELS[name]}; the table shows the same numbers.", _links(source, name))


def drawing_key(name: str, source: Source, width: float | None = None) -> str:
    """Return the key of a figure of a page in the cache of results."""
    from assess.analysis.shift.parts import part_key  # loads pandas

    options: dict[str, Any] = {"figure": name, "against": source.against, "coefficient": source.coefficient}
    options |= _further_inputs(name, source)
    options |= {"width": width} if width else {}
    state = STATES[name](source) if name in STATES else source.state
    return part_key("drawing", state, source.inputs, options)


def _further_inputs(name: str, source: Source) -> dict[str, Any]:
    """Return what else a figure depends on."""
    if name in OF_TWO_SYSTEMS:
        return {"systems": source.compared_systems}
    if name in TESTED:
        return {"test": source.test, "correction": source.correction}
    if name == "tau-by-measure":
        return {"measures": source.measures}
    return {"gold": source.gold} if name == "leverage" else {}


def _swap_state(source: Source) -> tuple[Any, ...]:
    why = source.why_swapped()
    return why.systems, why.golds, why.topics.to_csv()


def _leverage_state(source: Source) -> tuple[Any, ...]:
    moving = source.leverage().moving
    return (moving[["query_id", "doc_id", "pairs_swapped", "top_changed"]].to_csv(),)


# What is drawn, of figures whose numbers are known: reading the state of the collection would take more queries.
STATES: dict[str, Callable[[Source], tuple[Any, ...]]] = {
    "swap-differences": _swap_state,
    "leverage": _leverage_state,
}


def _draw(name: str, source: Source, width: float | None) -> bytes:
    place = {"title": ""} | ({"width": width} if width else {})
    return FIGURES[name](source, "svg", **place)


def _links(source: Source, name: str) -> Callable[[Mapping[str, str]], str]:
    """Return what a click on a mark opens: the ranking under its two golds, the documents of its topic, or two systems.

    A figure has hundreds of marks, so each address is made once.
    """
    pages = ("documents", "shift", "swap", "shift_topics")
    documents, shift, swap, topics = (reverse(f"research:{page}", args=[source.collection.slug]) for page in pages)

    @cache
    def of_topic(topic: str) -> str:
        return f"{documents}?{urlencode({'topic': topic})}"

    @cache
    def of_golds(golds: str) -> str:
        reference, against = golds.split("\n")
        return shift + source.inputs.query(reference=reference, against=against)

    def of_systems(systems: str) -> str:
        reference, against = source.shift.reference, source.against
        chosen = dict(zip("ab", systems.split("\n"), strict=True), reference=reference, against=against)
        if name == "swapped-pairs":
            return swap + source.inputs.query(**chosen, gold_1=reference, gold_2=against)
        return topics + source.inputs.query(**chosen)

    def address(names: Mapping[str, str]) -> str:
        if "systems" in names:
            return of_systems(names["systems"])
        if "topic" in names and source.is_researcher:
            return of_topic(names["topic"])
        return of_golds(names["gold"]) if "gold" in names else ""

    return address
