"""Every table of the shift pages by name: its frame, its columns and its caption."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from assess.web.research.shift.source import COEFFICIENTS, Source
from assess.web.research.shift.tables import MOST_ROWS, Column, PageTable

if TYPE_CHECKING:
    import pandas as pd

JUDGE = "judge:"
FEW_ROWS = 6


def text(key: str, label: str) -> Column:
    return Column(key, label, is_text=True)


SYSTEM = text("system", "system")


def ranks(source: Source) -> PageTable:
    from assess.analysis.shift.ranks import ranks_frame

    columns = [text("gold", "gold"), SYSTEM, Column("n_topics", "topics"), Column("score", "score", 3)]
    columns += [Column("rank", "rank"), Column("change", "change")]
    frame = ranks_frame(source.shift, list(source.collection.runs.all()))
    return PageTable("ranks", f"Ranks and scores under each gold by {source.shift.measure}.", columns, frame)


def ranges(source: Source) -> PageTable:
    from assess.analysis.shift.ranks import range_frame

    columns = [SYSTEM, Column("rank", f"rank under {source.shift.reference}"), Column("best", "best rank")]
    columns += [Column("worst", "worst rank"), Column("mean", "mean rank", 2), Column("n_golds", "golds")]
    caption = (
        f"The ranks of each system over {len(source.shift.golds)} golds by {source.shift.measure}. Each gold ranks the "
        "systems on the topics that it has in common with the reference."
    )
    return PageTable("ranges", caption, columns, range_frame(source.shift))


def groups(source: Source) -> PageTable:
    from assess.analysis.shift.ranks import groups_frame

    columns = [text("group", "system"), text("gold", "gold"), Column("n_runs", "runs"), Column("n_topics", "topics")]
    columns += [Column("mean", "mean", 3, "reason"), Column("sd", "sd", 3, "reason"), Column("lowest", "lowest", 3)]
    columns += [Column("highest", "highest", 3), Column("rank", "rank")]
    caption = (
        f"Scores by {source.shift.measure}, the reference first. Mean and sd (divisor n - 1) are over the runs of a "
        "group; a system without a group is one run. Groups are ranked by their means."
    )
    return PageTable("groups", caption, columns, groups_frame(source.shift, source.groups))


def golds(source: Source) -> PageTable:
    from assess.analysis.shift.ranks import compared_frame

    return _compared("golds", compared_frame(source.shift, only_reference=True), FEW_ROWS)


def all_golds(source: Source) -> PageTable:
    from assess.analysis.shift.ranks import compared_frame

    return _compared("all-golds", compared_frame(source.shift), MOST_ROWS)


def _compared(name: str, frame: "pd.DataFrame", most_rows: int) -> PageTable:
    columns = [text("gold_a", "gold"), text("gold_b", "and"), Column("n_topics", "topics")]
    columns += [Column(key, label, 3, f"{key}_reason") for key, label in COEFFICIENTS.items()]
    columns += [Column("swapped", "swapped"), Column("n_pairs", "system pairs"), text("top_a", "best under the first")]
    columns += [
        text("top_b", "best under the second"),
    ]
    caption = (
        "Coefficients between the rankings under two golds, on the topics that both golds contain. With tied systems, "
        "tau is undefined but tau_b is not. tau_AP is symmetric and corrected for ties; RBO has p = 0.9."
    )
    return PageTable(name, caption, columns, frame, most_rows)


def swaps(source: Source) -> PageTable:
    pair = source.pair
    columns = [text("ahead_a", f"leads under {pair.gold_a}"), Column("difference_a", "first lead", 3)]
    columns += [Column("p_a", "p of the first", 3), Column("significant_a", "significant", is_text=True)]
    columns += [text("ahead_b", f"leads under {pair.gold_b}"), Column("difference_b", "second lead", 3)]
    columns += [Column("p_b", "p of the second", 3), Column("significant_b", "also significant", is_text=True)]
    caption = (
        f"Pairs of systems that {pair.gold_a} and {pair.gold_b} put in opposite order by {source.shift.measure}, the "
        f"largest leads first. Both leads are tested over the topics: {test_sentence(source)}"
    )
    return PageTable("swaps", caption, columns, source.swaps())


def test_sentence(source: Source) -> str:
    """Return the name of the test, the correction and the seed."""
    from assess.analysis.shift.swaps import ALPHA, DRAWN, SEED, TUKEY

    correction = "corrected for all pairs" if source.test == TUKEY else f"correction {source.correction}"
    seed = f", seed {SEED}" if source.test in DRAWN else ""
    return f"test {source.test}, {correction}, level {ALPHA}{seed}."


def differences(source: Source) -> PageTable:
    columns = [text("system_a", "system"), text("system_b", "and"), Column("n_topics", "topics")]
    columns += [Column("difference", "difference", 3), Column("low", "low", 3), Column("high", "high", 3)]
    columns += [Column("p", "p", 3), Column("p_adjusted", "p corrected", 3, "reason")]
    columns += [
        Column("significant", "significant", is_text=True),
    ]
    caption = (
        f"Differences of the mean scores by {source.shift.measure} under {source.shift.reference}, the largest first, "
        f"with an interval of the difference: {test_sentence(source)}"
    )
    return PageTable("differences", caption, columns, source.differences())


def measures(source: Source) -> PageTable:
    columns = [text("gold_b", "gold"), text("measure", "measure"), Column("n_topics", "topics")]
    columns += [Column("tau_b", "tau_b", 3, "tau_b_reason"), Column("swapped", "swapped")]
    columns += [Column("n_pairs", "system pairs"), text("top_a", "best under the reference")]
    columns += [
        text("top_b", "best under the gold"),
    ]
    caption = f"Each gold compared with {source.shift.reference} by each measure."
    return PageTable("measures", caption, columns, source.measures_frame(), most_rows=200)


def mixed_systems(source: Source) -> PageTable:
    mixed = source.mixed()
    columns = [SYSTEM, Column("rank", "rank of the mean"), Column("least_rank", "best rank")]
    columns += [Column("greatest_rank", "worst rank"), Column("mean_rank", "mean rank", 2)]
    columns += [Column("mean", "mean score", 3), Column("sd", "sd", 3)]
    columns += [Column("least", "lowest score", 3), Column("greatest", "highest score", 3)]
    caption = f"Ranks and scores by {mixed.measure} over {mixed.draws:,} mixed golds."
    return PageTable("mixed-systems", caption, columns, mixed.systems_frame)


def mixed_taus(source: Source) -> PageTable:
    columns = [
        text("reference", "compared with"),
        Column("n_topics", "topics"),
        Column("q50", "median tau_b", 3, "reason"),
    ]
    columns += [Column("q2_5", "2.5 %", 3), Column("q97_5", "97.5 %", 3), Column("least", "lowest", 3)]
    columns += [Column("greatest", "highest", 3), Column("n_undefined", "undefined")]
    caption = "tau_b of the ranking under each mixed gold with the ranking by the mean score, and under each judge."
    return PageTable("mixed-taus", caption, columns, source.mixed().taus)


def mixed_tops(source: Source) -> PageTable:
    columns = [
        SYSTEM,
        Column("at_top", "golds at rank 1"),
        Column("alone_at_top", "alone"),
        Column("share", "share", 3),
    ]
    caption = "The systems at rank 1 under any mixed gold. Tied systems are all counted."
    return PageTable("mixed-tops", caption, columns, source.mixed().top_changes)


def mixed_orders(source: Source) -> PageTable:
    columns = [text("system_a", "system"), text("system_b", "and"), Column("a_above_b", "first above second")]
    columns += [Column("tied", "tied"), Column("b_above_a", "second above first")]
    caption = "Under how many mixed golds each system of a pair is ahead."
    return PageTable("mixed-orders", caption, columns, source.mixed().orders)


def intervals(source: Source) -> PageTable:
    found = source.intervals()
    return _intervals("intervals", f"under {found.gold}, resampling topics", found.topics)


def intervals_judges(source: Source) -> PageTable:
    return _intervals("intervals-judges", "resampling topics and their judges", source.intervals().judges)


def _intervals(name: str, what: str, frame: "pd.DataFrame") -> PageTable:
    columns = [SYSTEM, Column("rank", "rank"), Column("low", "low", reason="reason"), Column("high", "high")]
    columns += [Column("score", "mean score", 3), Column("share_top", "share at rank 1", 3)]
    about = frame.attrs
    caption = (
        f"Ranks of the systems {what}: {about['confidence']:.0%} intervals, {about['n_topics']} topics, "
        f"{about['draws']:,} draws, seed {about['seed']}."
    )
    return PageTable(name, caption, columns, frame)


def swap_topics(source: Source) -> PageTable:
    why = source.why_swapped()
    columns = [text("query_id", "topic"), Column("difference_1", f"difference under {why.golds[0]}", 3)]
    columns += [
        Column("difference_2", f"difference under {why.golds[1]}", 3),
        Column("contribution", "contribution", 4),
    ]
    columns += [Column("share", "share", 3), Column("n_regraded", "documents"), text("method", "method")]
    a, b = why.systems
    caption = f"Scores of {a} minus {b} on each topic. The contributions sum to the change of the mean difference."
    return PageTable("swap-topics", caption, columns, why.topics)


def swap_documents(source: Source) -> PageTable:
    why = source.why_swapped()
    frame, shown = why.documents, [Column("grade_1", "grade 1"), Column("grade_2", "grade 2")]
    if not shows_grades(source, *why.golds):
        frame, shown = frame.drop(columns=["grade_1", "grade_2"]), []
    columns = [text("query_id", "topic"), text("doc_id", "document"), *shown]
    columns += [Column("rank_a", f"rank by {why.systems[0]}"), Column("rank_b", f"rank by {why.systems[1]}")]
    columns += [Column("contribution", "contribution", 4), Column("error", "standard error", 4)]
    caption = "The documents whose grade differs. The contribution of a document is its Shapley value. "
    caption += f"Grade 1 is that of {why.golds[0]}, grade 2 that of {why.golds[1]}." if shown else ""
    return PageTable("swap-documents", caption, columns, frame)


def shows_grades(source: Source, *golds: str) -> bool:
    """Return whether the member may see the grades of these golds: only researchers see those of a named judge."""
    return source.is_researcher or not names_a_judge(*golds)


def names_a_judge(*golds: str) -> bool:
    """Return whether a gold is the grades of one named judge."""
    return any(gold.startswith(JUDGE) for gold in golds)


def leverage(source: Source) -> PageTable:
    found = source.leverage()
    columns = [text("query_id", "topic"), text("doc_id", "document"), Column("gold_grade", "gold grade")]
    columns += [Column("grade", "new grade"), Column("pairs_swapped", "pairs swapped")]
    columns += [Column("tau", "tau_b", 3, "reason"), Column("top_changed", "best system changes", is_text=True)]
    columns += [
        Column("largest_change", "largest change", 4),
    ]
    caption = (
        f"Documents that judges graded differently, and what one other grade does to the ranking under {found.gold} by "
        f"{found.measure}. The largest effect comes first."
    )
    return PageTable("leverage", caption, columns, found.documents.drop(columns="judges"))


OF_READERS: dict[str, Callable[[Source], PageTable]] = {
    "ranks": ranks,
    "ranges": ranges,
    "groups": groups,
    "golds": golds,
    "all-golds": all_golds,
    "swaps": swaps,
    "swap-topics": swap_topics,
    "swap-documents": swap_documents,
    "measures": measures,
    "differences": differences,
    "mixed-systems": mixed_systems,
    "mixed-taus": mixed_taus,
    "mixed-tops": mixed_tops,
    "mixed-orders": mixed_orders,
    "intervals": intervals,
    "intervals-judges": intervals_judges,
}
OF_RESEARCHERS: dict[str, Callable[[Source], PageTable]] = {"leverage": leverage}
