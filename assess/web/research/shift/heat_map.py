"""The heat map of many golds as a table of a page. A drawn figure would take seconds and be wider than the page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from agreement import RankingShift
    from agreement.shift.gold_pairs import GoldPair

JUDGE = "judge:"
FIRST, LAST = 9, 12  # letters of a long name: its end often tells similar names apart
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
    shown = "undefined" if value is None else f"{value:z.3f}"
    text = "?" if value is None else f"{value * 100:z.0f}".replace("-", "−")
    title = escape(f"{pair.gold_a} and {pair.gold_b}: {shown}, {pair.n_topics} topics")
    return f'<td class="{level}" title="{title}">{text}</td>'
