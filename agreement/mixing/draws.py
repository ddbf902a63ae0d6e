"""The draws, block by block: scored, ranked, compared with every reference, and counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from agreement.mixing.choices import Choices
from agreement.mixing.kernel import References, compare
from agreement.mixing.scores import MeanScores, combination
from agreement.mixing.tally import Tally
from agreement.rank_correlation import levels

# tau_b, and whether it is defined; shape (n_references, n_choices).
Taus = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Reference:
    """A ranking to compare with.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems,)
    topics : tuple of int
        Positions of the topics that the scores are means over.
    """

    scores: np.ndarray
    topics: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ReferenceTaus:
    """tau_b of every draw with one reference.

    Attributes
    ----------
    n_topics : int
        Topics on which they were compared.
    values : ndarray of float, shape (draws,)
        By draw; where `defined` is False there is no value, and what stands there means nothing.
    defined : ndarray of bool, shape (draws,)
    n_systems : int
    """

    n_topics: int
    values: np.ndarray
    defined: np.ndarray
    n_systems: int

    @classmethod
    def empty(cls, n_topics: int, draws: int, n_systems: int) -> "ReferenceTaus":
        """Nothing defined yet."""
        return cls(n_topics, np.zeros(draws), np.zeros(draws, dtype=bool), n_systems)

    @property
    def reason(self) -> str | None:
        """Why those without a value have none: a key of `agreement.estimate.REASONS`; None where all have one."""
        if self.defined.all():
            return None
        return "no_topics" if not self.n_topics else "one_system" if self.n_systems < 2 else "all_tied"


@dataclass(frozen=True, eq=False)
class Part:
    """The references that rest on the same topics.

    Attributes
    ----------
    names : tuple of str
    topics : list of int
        Positions of the topics.
    means : MeanScores
        Over these topics.
    rankings : References
    by_combination : Taus or None
        tau_b under every combination of the judges of these topics, where it was made before.
    """

    names: tuple[str, ...]
    topics: list[int]
    means: MeanScores
    rankings: References
    by_combination: Taus | None = None

    @classmethod
    def of(cls, references: dict[str, Reference], rows: Sequence[np.ndarray]) -> "Part":
        """Of references on the same topics."""
        topics = list(next(iter(references.values())).topics)
        rankings = References.of(np.array([reference.scores for reference in references.values()]))
        return cls(tuple(references), topics, MeanScores.over([rows[topic] for topic in topics]), rankings)

    def prepared(self, choices: Choices) -> "Part":
        """With every combination compared once, where these are no more than the draws."""
        combinations = prod(self.means.n_judges)
        if combinations > choices.draws:
            return self
        every = Choices(choices.judged[self.topics], combinations, seed=None)
        found = [self._compared(places) for _, places in every.blocks()]
        values, defined = (np.concatenate(blocks, axis=1) for blocks in zip(*found, strict=True))
        return replace(self, by_combination=(values, defined))

    def taus(self, places: np.ndarray) -> Taus:
        """tau_b under each choice (n, n_topics), of all topics."""
        here = places[:, self.topics]
        if self.by_combination is None:
            return self._compared(here)
        which = combination(here, self.means.n_judges)
        values, defined = self.by_combination
        return values[:, which], defined[:, which]

    def _compared(self, places: np.ndarray) -> Taus:
        compared = compare(self.rankings, levels(self.means.of(places)))
        return compared.tau_b, compared.defined


def compare_draws(
    choices: Choices, rows: Sequence[np.ndarray], mean: np.ndarray, references: Mapping[str, Reference]
) -> tuple[Tally, dict[str, ReferenceTaus]]:
    """Every draw compared and counted.

    Parameters
    ----------
    choices : Choices
    rows : sequence of ndarray
        For every topic, as `agreement.mixing.scores.rows_of_topics` gives them.
    mean : ndarray of float, shape (n_systems,)
        Mean scores over all draws.
    references : mapping of name to Reference
        The first of them on all topics.
    """
    taus = {name: ReferenceTaus.empty(len(one.topics), choices.draws, len(mean)) for name, one in references.items()}
    tally = Tally.empty(mean)
    whole, *others = _parts(references, rows)
    others = [part.prepared(choices) for part in others]
    for block, places in choices.blocks():
        scores = whole.means.of(places)
        compact = levels(scores)
        compared = compare(whole.rankings, compact)
        tally.add(scores, compact, compared)
        _keep(taus, whole, block, (compared.tau_b, compared.defined))
        for part in others:
            _keep(taus, part, block, part.taus(places))
    return tally, taus


def _parts(references: Mapping[str, Reference], rows: Sequence[np.ndarray]) -> list[Part]:
    """References by their topics; those without a topic can be compared with nothing."""
    alike: dict[tuple[int, ...], dict[str, Reference]] = {}
    for name, reference in references.items():
        if reference.topics:
            alike.setdefault(reference.topics, {})[name] = reference
    return [Part.of(some, rows) for some in alike.values()]


def _keep(taus: dict[str, ReferenceTaus], part: Part, block: slice, found: Taus) -> None:
    for name, values, defined in zip(part.names, *found, strict=True):
        taus[name].values[block], taus[name].defined[block] = values, defined
