"""What the page of a model judge shows of its repeats. Pandas is imported inside, and only if there are repeats."""

from typing import Any

from assess.models import ModelJudge
from assess.web.figures.shown import ShownTable
from assess.web.figures.tables import Column, Table

OF_CHECKS = (
    Column("figure", "", "text"),
    Column("value", "value"),
    Column("n", "pairs", "count"),
    Column("topics", "topics", "count"),
    Column("note", "note", "text"),
)
OF_RANKING = (
    Column("tau_b", "tau_b of the rankings", "share"),
    Column("swapped", "pairs of systems that swap", "count"),
    Column("n_pairs", "pairs of systems", "count"),
    Column("n_systems", "systems", "count"),
    Column("n_topics", "topics", "count"),
    Column("top_a", "best first", "system"),
    Column("top_b", "best last", "system"),
)
CAPTION = (
    "± is the farther limit of a 95% interval over topics. The askings of a pair include the one for the ledger. "
    "Repeats alone: the askings before the last check."
)
OF_RANKING_CAPTION = "Rankings under all grades of the judge, in which those of the first and the last check stand."


def check_part(judge: ModelJudge) -> dict[str, Any]:
    """Return the context of the checks; nothing without a repeat."""
    if not judge.answers.filter(repeat__gt=0, is_current=True).exists():
        return {}
    from assess.asking.checks import checks_of  # loads pandas

    found = checks_of(judge, at_once=True)
    if found is None:
        return {}
    ranking = found.ranking
    return {
        "checks": found,
        "check_figures": ShownTable(Table("checks", found.figures, OF_CHECKS, CAPTION), []),
        "check_ranking": None
        if ranking is None
        else ShownTable(Table("check-ranking", ranking, OF_RANKING, OF_RANKING_CAPTION), []),
    }
