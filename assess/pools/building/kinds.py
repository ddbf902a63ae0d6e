"""The kinds of strategies that build a pool: what a researcher chooses first. The strategies of a kind come second."""

from dataclasses import dataclass

from assess.models import Collection
from assess.pools.building.every_document import EVERY_DOCUMENT
from assess.pools.building.strategies import growing_parameter, names

LINES_AT_ONCE = 50_000  # of all runs; the preview of so many takes a tenth of a second
OTHER = "other"  # strategies without a kind of their own, such as those that a site adds


@dataclass(frozen=True)
class StrategyKind:
    """A kind with the reason to choose it. `strategies` begin with the one that most collections use."""

    name: str
    label: str
    reason: str
    strategies: tuple[str, ...]


KINDS = (
    StrategyKind(
        "depth", "By depth", "The first documents of every run: the usual pool, fair to all runs.", ("depth", "ntcir")
    ),
    StrategyKind("budget", "By a budget", "A fixed number of documents over all topics.", ("take", "fair_take")),
    StrategyKind(
        "fusion",
        "By rank fusion",
        "The same number for each topic: those that the runs together rank best.",
        ("rrf", "combsum", "combmnz", "combmax", "combmin", "combmed", "combanz", "borda", "condorcet", "dcg", "rbp"),
    ),
    StrategyKind(
        "sample",
        "Random sample",
        "Documents with known probabilities, for estimates from few judgements.",
        ("random", "stratified", "stat_ap", "ask_people"),
    ),
    StrategyKind("all", "All documents", "Every imported document, also without runs.", (EVERY_DOCUMENT,)),
)


def kinds() -> list[StrategyKind]:
    """Return the kinds, with one more if there are strategies that have none."""
    known = {strategy for kind in KINDS for strategy in kind.strategies}
    if others := tuple(name for name in names() if name not in known):
        return [*KINDS, StrategyKind(OTHER, "Other strategies", "Strategies that were added later.", others)]
    return list(KINDS)


def kind_of(strategy: str) -> str:
    """Return the name of the kind of a strategy."""
    return next((kind.name for kind in KINDS if strategy in kind.strategies), OTHER)


def strategy_of_kind(kind: str, strategy: str) -> str:
    """Return the strategy if it is of this kind, or the first one of the kind. An unknown kind changes nothing."""
    known = {each.name: each.strategies for each in kinds()}
    return strategy if strategy in known.get(kind, (strategy,)) else known[kind][0]


def has_depth(strategy: str) -> bool:
    """Whether a pool of this strategy grows with the depth, so that sizes by depth say something about it."""
    return growing_parameter(strategy) == "depth"


def is_quick(collection: Collection, strategy: str | None, previews: int = 1) -> bool:
    """Whether a page can compute so many previews at once."""
    lines = 0 if strategy == EVERY_DOCUMENT else sum(collection.runs.values_list("line_count", flat=True))
    return lines * previews <= LINES_AT_ONCE
