"""Score and rank the draws block by block, compare them with every reference, and count."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from agreement.mixing.choices import Choices
from agreement.mixing.kernel import References, Tally, compare
from agreement.mixing.scores import MeanScores, combination_index
from agreement.rank_correlation import levels

# tau_b, and whether it is defined; each of shape (n_references, n_choices).
Taus = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Reference:
    """A ranking to compare with.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems,)
        Mean scores, higher is better.
    topics : tuple of int
        Positions of the topics of these means.
    """

    scores: np.ndarray
    topics: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ReferenceTaus:
    """tau_b of every draw with one reference.

    Attributes
    ----------
    n_topics : int
        Number of topics compared.
    values : ndarray of float, shape (draws,)
        tau_b of every draw; ignore values where `defined` is False.
    defined : ndarray of bool, shape (draws,)
        Whether tau_b is defined.
    n_systems : int
        Number of systems.
    """

    n_topics: int
    values: np.ndarray
    defined: np.ndarray
    n_systems: int

    @classmethod
    def empty(cls, n_topics: int, draws: int, n_systems: int) -> "ReferenceTaus":
        """Return taus of which none is defined yet."""
        return cls(n_topics, np.zeros(draws), np.zeros(draws, dtype=bool), n_systems)

    @property
    def reason(self) -> str | None:
        """Reason of the undefined values: "no_topics", "one_system" or "all_tied"; None if all are defined."""
        if self.defined.all():
            return None
        return "no_topics" if not self.n_topics else "one_system" if self.n_systems < 2 else "all_tied"


@dataclass(frozen=True, eq=False)
class Part:
    """The references that use the same topics.

    Attributes
    ----------
    names : tuple of str
        Names of the references.
    topics : list of int
        Positions of the topics.
    means : MeanScores
        Mean scores over these topics.
    rankings : References
        Rankings of the references.
    by_combination : Taus or None
        tau_b under every combination of the judges of these topics, if it was computed in advance.
    """

    names: tuple[str, ...]
    topics: list[int]
    means: MeanScores
    rankings: References
    by_combination: Taus | None = None

    @classmethod
    def from_references(cls, references: dict[str, Reference], rows: Sequence[np.ndarray]) -> "Part":
        """Return the part of references that all use the same topics."""
        topics = list(next(iter(references.values())).topics)
        rankings = References.from_scores(np.array([reference.scores for reference in references.values()]))
        return cls(tuple(references), topics, MeanScores.over([rows[topic] for topic in topics]), rankings)

    def prepared(self, choices: Choices) -> "Part":
        """Compare every combination in advance if there are at most as many as draws."""
        combinations = prod(self.means.n_judges)
        if combinations > choices.draws:
            return self
        every = Choices(choices.judged[self.topics], combinations, seed=None)
        compared = [self._compared(chosen) for _, chosen in every.blocks()]
        values, defined = (np.concatenate(blocks, axis=1) for blocks in zip(*compared, strict=True))
        return replace(self, by_combination=(values, defined))

    def taus(self, chosen: np.ndarray) -> Taus:
        """Return tau_b under each choice; choices of all topics, shape (n, n_topics)."""
        on_topics = chosen[:, self.topics]
        if self.by_combination is None:
            return self._compared(on_topics)
        index = combination_index(on_topics, self.means.n_judges)
        values, defined = self.by_combination
        return values[:, index], defined[:, index]

    def _compared(self, chosen: np.ndarray) -> Taus:
        compared = compare(self.rankings, levels(self.means.under(chosen)))
        return compared.tau_b, compared.defined


def compare_draws(
    choices: Choices,
    rows: Sequence[np.ndarray],
    mean: np.ndarray,
    references: Mapping[str, Reference],
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Tally, dict[str, ReferenceTaus]]:
    """Compare every draw with every reference, and count orders, tops and extremes.

    Shapes: `rows` (n_judges of the topic, n_systems); `mean` (n_systems,).
    """
    taus = {name: ReferenceTaus.empty(len(one.topics), choices.draws, len(mean)) for name, one in references.items()}
    tally = Tally.empty(mean)
    whole, *others = _parts(references, rows)
    others = [part.prepared(choices) for part in others]
    for block, chosen in choices.blocks():
        if progress:
            progress(block.start, choices.draws)
        scores = whole.means.under(chosen)
        compact = levels(scores)
        compared = compare(whole.rankings, compact)
        tally.add(scores, compact, compared)
        _store(taus, whole, block, (compared.tau_b, compared.defined))
        for part in others:
            _store(taus, part, block, part.taus(chosen))
    return tally, taus


def _parts(references: Mapping[str, Reference], rows: Sequence[np.ndarray]) -> list[Part]:
    """Group references by their topics; references without a topic cannot be compared and are left out."""
    by_topics: dict[tuple[int, ...], dict[str, Reference]] = {}
    for name, reference in references.items():
        if reference.topics:
            by_topics.setdefault(reference.topics, {})[name] = reference
    return [Part.from_references(same_topics, rows) for same_topics in by_topics.values()]


def _store(taus: dict[str, ReferenceTaus], part: Part, block: slice, compared: Taus) -> None:
    for name, values, defined in zip(part.names, *compared, strict=True):
        taus[name].values[block], taus[name].defined[block] = values, defined
