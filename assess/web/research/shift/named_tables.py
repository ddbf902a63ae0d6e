"""Every table of the shift pages by name: its frame, its columns and its caption."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assess.errors import Refused
from assess.web.figures.tables import Column, Row, Table
from assess.web.research.shift.source import COEFFICIENTS, CORRECTIONS, Source
from assess.web.research.shift.tables import SYSTEM, TOPIC, best, column, page_table, system, text
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

JUDGE = "judge:"


def ranks(source: Source) -> Table:
    from assess.analysis.shift.ranks import ranks_frame  # loads pandas

    columns = [text("gold", "gold"), SYSTEM, column("n_topics", "topics"), column("score", "score", 3)]
    columns += [column("rank", "rank"), column("change", "change")]
    frame = ranks_frame(source.shift, list(source.collection.runs.all()))
    return page_table("ranks", f"Ranks and scores under each gold by {source.shift.measure}.", columns, frame)


def ranges(source: Source) -> Table:
    from assess.analysis.shift.ranks import range_frame  # loads pandas

    columns = [SYSTEM, column("rank", f"rank under {source.shift.reference}"), column("best", "best rank")]
    columns += [column("worst", "worst rank"), column("mean", "mean rank", 2), column("n_golds", "golds")]
    caption = (
        f"The ranks of each system over {count(len(source.shift.golds), 'gold')} by {source.shift.measure}. Each gold "
        "ranks the systems on the topics that it has in common with the reference."
    )
    return page_table("ranges", caption, columns, range_frame(source.shift))


def groups(source: Source) -> Table:
    from assess.analysis.shift.ranks import groups_frame  # loads pandas

    columns = [text("group", "system"), text("gold", "gold"), column("n_runs", "runs"), column("n_topics", "topics")]
    columns += [column("mean", "mean", 3, "reason"), column("sd", "sd", 3, "reason"), column("lowest", "lowest", 3)]
    columns += [column("highest", "highest", 3), column("rank", "rank")]
    caption = (
        f"Scores by {source.shift.measure}, the reference first. Mean and sd (divisor n - 1) are over the runs of a "
        "group; a system without a group is one run. Groups are ranked by their means."
    )
    return page_table("groups", caption, columns, groups_frame(source.shift, source.groups))


def golds(source: Source) -> Table:
    from assess.analysis.shift.ranks import compared_frame  # loads pandas

    return _compared(source, "golds", compared_frame(source.shift, only_reference=True))


def all_golds(source: Source) -> Table:
    from assess.analysis.shift.ranks import compared_frame  # loads pandas

    return _compared(source, "all-golds", compared_frame(source.shift))


def _compared(source: Source, name: str, frame: "pd.DataFrame") -> Table:
    columns = [text("gold_a", "gold"), text("gold_b", "and"), column("n_topics", "topics")]
    columns += [column(key, label, 3, f"{key}_reason") for key, label in COEFFICIENTS.items()]
    columns += [column("swapped", "swapped"), column("n_pairs", "system pairs"), best("top_a", "best under the first")]
    columns += [
        best("top_b", "best under the second"),
    ]
    caption = (
        "Coefficients between the rankings under two golds, on the topics that both golds contain. With tied systems, "
        "tau is undefined but tau_b is not. tau_AP is symmetric and corrected for ties; RBO has p = 0.9. "
        f"{source.inputs.thresholds.tag().capitalize()}."
    )
    return page_table(name, caption, columns, frame)


def correlation_intervals(source: Source) -> Table:
    found = source.correlations()
    columns = [text("gold_a", "gold"), text("gold_b", "and"), text("coefficient", "coefficient")]
    columns += [column("estimate", "value", 3), column("low", "low", 3, "reason"), column("high", "high", 3, "reason")]
    columns += [column("n_topics", "topics"), column("n_systems", "systems"), text("warnings", "warnings")]
    caption = f"Coefficients between the ranking under {source.shift.reference} and each other. {found.describe()}"
    return page_table("correlation-intervals", caption, columns, found.to_frame().drop(columns="method"))


def swaps(source: Source) -> Table:
    pair = source.pair
    columns = [system("ahead_a", f"leads under {pair.gold_a}"), column("difference_a", "first lead", 3)]
    columns += [column("p_adjusted_a", "p of the first", 3), column("significant_a", "significant", is_text=True)]
    columns += [system("ahead_b", f"leads under {pair.gold_b}"), column("difference_b", "second lead", 3)]
    columns += [column("p_adjusted_b", "p of the second", 3), column("significant_b", "also significant", is_text=True)]
    caption = (
        f"Pairs of systems that {pair.gold_a} and {pair.gold_b} put in opposite order by {source.shift.measure}, the "
        f"largest leads first. Both leads are tested over the topics: {test_sentence(source)}"
    )
    return page_table("swaps", caption, columns, source.swaps())


def test_sentence(source: Source) -> str:
    """Return the name of the test, the correction and the seed."""
    from assess.analysis.shift.swaps import ALPHA, DRAWN, SEED, TUKEY  # loads pandas

    correction = "corrected for all pairs" if source.test == TUKEY else f"correction {CORRECTIONS[source.correction]}"
    seed = f", seed {SEED}" if source.test in DRAWN else ""
    return f"test {source.test}, {correction}, level {ALPHA}{seed}."


def differences(source: Source) -> Table:
    columns = [system("system_a", "system"), system("system_b", "and"), column("n_topics", "topics")]
    columns += [column("difference", "difference", 3), column("low", "low", 3), column("high", "high", 3)]
    columns += [column("p", "p", 3), column("p_adjusted", "p corrected", 3, "reason")]
    columns += [
        column("significant", "significant", is_text=True),
    ]
    caption = (
        f"Differences of the mean scores by {source.shift.measure} under {source.shift.reference}, the largest first, "
        f"with an interval of the difference: {test_sentence(source)}"
    )
    return page_table("differences", caption, columns, source.differences())


@dataclass(frozen=True)
class _Scored(Column):
    """The mean score of a system; a star follows it in the best group."""

    def text(self, row: Row) -> str:
        return super().text(row) + ("*" if row[f"{self.name}_is_in_best_group"] else "")

    def sort_value(self, row: Row) -> str:
        return str(row[self.name])


def leaderboard(source: Source) -> Table:
    board = source.leaderboard()
    about = board.attrs
    columns = [SYSTEM, *(_Scored(measure, measure) for measure in about["measures"])]
    columns += [Column("judged", "first ten judged", "share")]
    caption = (
        f"Mean scores under {about['gold']} over {count(about['n_topics'], 'topic')}; ± is half the "
        f"{1 - about['alpha']:.0%} interval of the mean over topics. With a star: not significantly different from the "
        f"best system (paired t test, correction {CORRECTIONS[about['correction']]})."
    )
    return Table("leaderboard", board, columns, caption, label="leaderboard", is_wide=True)


def measures(source: Source) -> Table:
    columns = [text("gold_b", "gold"), text("measure", "measure"), column("n_topics", "topics")]
    columns += [column("tau_b", "tau_b", 3, "tau_b_reason"), column("swapped", "swapped")]
    columns += [column("n_pairs", "system pairs"), best("top_a", "best under the reference")]
    columns += [
        best("top_b", "best under the gold"),
    ]
    caption = f"Each gold compared with {source.shift.reference} by each measure."
    return page_table("measures", caption, columns, source.measures_frame())


def mixed_systems(source: Source) -> Table:
    mixed = source.mixed()
    columns = [SYSTEM, column("rank", "rank of the mean"), column("least_rank", "best rank")]
    columns += [column("greatest_rank", "worst rank"), column("mean_rank", "mean rank", 2)]
    columns += [column("mean", "mean score", 3), column("sd", "sd", 3)]
    columns += [column("least", "lowest score", 3), column("greatest", "highest score", 3)]
    caption = f"Ranks and scores by {mixed.measure} over {count(mixed.draws, 'mixed gold')}."
    return page_table("mixed-systems", caption, columns, mixed.systems_frame)


def mixed_taus(source: Source) -> Table:
    columns = [
        text("reference", "compared with"),
        column("n_topics", "topics"),
        column("q50", "median tau_b", 3, "reason"),
    ]
    columns += [column("q2_5", "2.5%", 3), column("q97_5", "97.5%", 3), column("least", "lowest", 3)]
    columns += [column("greatest", "highest", 3), column("n_undefined", "undefined")]
    caption = "tau_b of the ranking under each mixed gold with the ranking by the mean score, and under each judge."
    return page_table("mixed-taus", caption, columns, source.mixed().taus)


def mixed_tops(source: Source) -> Table:
    columns = [
        SYSTEM,
        column("at_top", "golds at rank 1"),
        column("alone_at_top", "alone"),
        column("share", "share", 3),
    ]
    caption = "The systems at rank 1 under any mixed gold. Tied systems are all counted."
    return page_table("mixed-tops", caption, columns, source.mixed().top_changes)


def mixed_orders(source: Source) -> Table:
    columns = [system("system_a", "system"), system("system_b", "and"), column("a_above_b", "first above second")]
    columns += [column("tied", "tied"), column("b_above_a", "second above first")]
    caption = "Under how many mixed golds each system of a pair is ahead."
    return page_table("mixed-orders", caption, columns, source.mixed().orders)


def intervals(source: Source) -> Table:
    found = source.intervals()
    return _intervals("intervals", f"under {found.gold}, resampling topics", found.topics)


def intervals_judges(source: Source) -> Table:
    return _intervals("intervals-judges", "resampling topics and their judges", source.intervals().judges)


def _intervals(name: str, what: str, frame: "pd.DataFrame") -> Table:
    columns = [SYSTEM, column("rank", "rank"), column("low", "low", reason="reason"), column("high", "high")]
    columns += [column("score", "mean score", 3), column("share_top", "share at rank 1", 3)]
    about = frame.attrs
    caption = (
        f"Ranks of the systems {what}: {about['confidence']:.0%} intervals, {count(about['n_topics'], 'topic')}, "
        f"{count(about['draws'], 'draw')}, seed {about['seed']}."
    )
    return page_table(name, caption, columns, frame)


def variance(source: Source) -> Table:
    components = source.topics.components
    columns = [text("source", "source"), column("df", "degrees of freedom"), column("mean_square", "mean square", 4)]
    columns += [column("f", "F", 2, "reason"), column("p", "p", 3), column("estimate", "estimate", 5)]
    columns += [column("component", "component", 5), column("share", "share", 3)]
    caption = (
        f"Analysis of variance of the scores by {source.shift.measure} under {source.shift.reference}: "
        f"{count(components.n_systems, 'system')}, {count(components.n_topics, 'topic')}."
    )
    return page_table("variance", caption, columns, components.to_frame())


def topic_difficulty(source: Source) -> Table:
    columns = [TOPIC, column("rank", "difficulty"), column("mean", "mean score", 3)]
    columns += [column("discrimination", "discrimination", 3, "reason"), column("low", "low", 3)]
    columns += [column("high", "high", 3), column("sd", "sd", 3), column("least", "lowest", 3)]
    columns += [column("greatest", "highest", 3)]
    difficulty = source.topics.difficulty
    caption = (
        f"Scores of {count(difficulty.n_systems, 'system')} on each topic by {source.shift.measure} under "
        f"{source.shift.reference}, the hardest topic first, with {difficulty.confidence:.0%} intervals of the means."
    )
    return page_table("topic-difficulty", caption, columns, difficulty.to_frame())


def decisive_topics(source: Source) -> Table:
    decisive = source.topics.decisive
    if decisive is None:
        raise Refused("There is only one system, and a comparison needs two.")
    a, b = decisive.systems
    columns = [TOPIC, column("score_a", a, 3), column("score_b", b, 3)]
    columns += [column("difference", "difference", 3), column("contribution", "contribution", 4)]
    columns += [column("share", "share", 3), column("variance_share", "share of variance", 3)]
    columns += [column("difference_without", "difference without", 3)]
    columns += [column("p_without", "p without", 3, "reason"), column("order_changes", "order changes", is_text=True)]
    columns += [column("significance_changes", "significance changes", is_text=True)]
    caption = (
        f"Scores of {a} minus {b} on each topic by {source.shift.measure} under {source.shift.reference}, the largest "
        "contribution first. The contributions sum to the mean difference. Without: the other topics alone, paired t "
        f"test, level {decisive.alpha:g}."
    )
    return page_table("decisive-topics", caption, columns, decisive.to_frame())


def swap_topics(source: Source) -> Table:
    why = source.why_swapped()
    columns = [TOPIC, column("difference_1", f"difference under {why.golds[0]}", 3)]
    columns += [
        column("difference_2", f"difference under {why.golds[1]}", 3),
        column("contribution", "contribution", 4),
    ]
    columns += [column("share", "share", 3), column("n_regraded", "documents"), text("method", "method")]
    a, b = why.systems
    caption = f"Scores of {a} minus {b} on each topic. The contributions sum to the change of the mean difference."
    return page_table("swap-topics", caption, columns, why.topics)


def swap_documents(source: Source) -> Table:
    why = source.why_swapped()
    frame, shown = why.documents, [column("grade_1", "grade 1"), column("grade_2", "grade 2")]
    if not shows_grades(source, *why.golds):
        frame, shown = frame.drop(columns=["grade_1", "grade_2"]), []
    columns = [TOPIC, text("doc_id", "document"), *shown]
    columns += [column("rank_a", f"rank by {why.systems[0]}"), column("rank_b", f"rank by {why.systems[1]}")]
    columns += [column("contribution", "contribution", 4), column("error", "standard error", 4)]
    caption = "The documents whose grade differs. The contribution of a document is its Shapley value. "
    caption += f"Grade 1 is that of {why.golds[0]}, grade 2 that of {why.golds[1]}." if shown else ""
    return page_table("swap-documents", caption, columns, frame)


def shows_grades(source: Source, *golds: str) -> bool:
    """Return whether the member may see the grades of these golds: only researchers see those of a named judge."""
    return source.is_researcher or not names_a_judge(*golds)


def names_a_judge(*golds: str) -> bool:
    """Return whether a gold is the grades of one named judge."""
    return any(gold.startswith(JUDGE) for gold in golds)


def leverage(source: Source) -> Table:
    found = source.leverage()
    columns = [TOPIC, text("doc_id", "document"), column("gold_grade", "gold grade")]
    columns += [column("grade", "new grade"), column("pairs_swapped", "pairs swapped")]
    columns += [column("tau", "tau_b", 3, "reason"), column("top_changed", "best system changes", is_text=True)]
    columns += [
        column("largest_change", "largest change", 4),
    ]
    caption = (
        f"Documents that judges graded differently, and what one other grade does to the ranking under {found.gold} by "
        f"{found.measure}. The largest effect comes first."
    )
    return page_table("leverage", caption, columns, found.documents.drop(columns="judges"))


OF_READERS: dict[str, Callable[[Source], Table]] = {
    "ranks": ranks,
    "ranges": ranges,
    "groups": groups,
    "golds": golds,
    "all-golds": all_golds,
    "correlation-intervals": correlation_intervals,
    "swaps": swaps,
    "swap-topics": swap_topics,
    "swap-documents": swap_documents,
    "leaderboard": leaderboard,
    "measures": measures,
    "differences": differences,
    "mixed-systems": mixed_systems,
    "mixed-taus": mixed_taus,
    "mixed-tops": mixed_tops,
    "mixed-orders": mixed_orders,
    "intervals": intervals,
    "intervals-judges": intervals_judges,
    "variance": variance,
    "topic-difficulty": topic_difficulty,
    "decisive-topics": decisive_topics,
}
OF_RESEARCHERS: dict[str, Callable[[Source], Table]] = {"leverage": leverage}
