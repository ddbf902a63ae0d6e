"""How much does it matter which judge? Rankings of the systems under golds that mix the judges.

A *mixed gold* takes, for each topic, all judgements of one of its judges, chosen at random with equal chances and
independently of the other topics (Voorhees 2000). A topic's judges are those who judged a document of it or more
(repeat 0 only; -1 and missing are no judgement). Golds are drawn `draws` times; where there are no more combinations
than that, each combination is taken once instead, and nothing is left to chance.

Under each mixed gold a system's score is its mean over all topics that anybody judged, and its rank is 1 + the number
of systems that are better; ties share a rank, and scores closer than 1e-12 are tied. Told of every system: mean,
standard deviation (over the golds, divided by their number), least and greatest score, and mean, least and greatest
rank. Of every two systems: under how many golds each is ahead, and under how many they are tied.

Each ranking is compared by Kendall's tau_b with

- the ranking by the mean scores over all mixed golds ("mean over all draws");
- that under the gold of every single judge ("judge:NAME"). Where a judge has not judged all topics, both rankings
  are by the means over the topics that he judged: nothing is known of the others. A judge who is the only one on
  all his topics is thus compared with himself, tau_b 1; `n_topics` says what each comparison rests on;
- golds of your own (`references`), on the topics that they have in common with the judgements.

tau_b is undefined where either ranking ties all systems (reason `all_tied`), where there is one system
(`one_system`), and where there is no topic in common (`no_topics`).

References
----------
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness.
Information Processing & Management 36(5), 697-716.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from agreement.effectiveness.judge_scores import JudgeScores, scores_by_judge
from agreement.effectiveness.measure import Measure, parse_measure
from agreement.effectiveness.ranked_runs import prepare
from agreement.effectiveness.scores import score_table
from agreement.mixing.choices import Choices
from agreement.mixing.draws import Reference, compare_draws
from agreement.mixing.result import JUDGE, MEAN, MixedGolds, mixed_result
from agreement.mixing.scores import mean_of_draws, rows_of_topics

__all__ = ["MixedGolds", "mixed_golds", "mixed_scores"]


def mixed_golds(
    runs,
    judgements: pd.DataFrame,
    measure: str | Measure,
    draws: int = 100_000,
    seed: int | None = None,
    references: Mapping[str, pd.DataFrame] | None = None,
    **given,
) -> MixedGolds:
    """Rank the systems under golds that take one of its judges for each topic.

    Takes time in proportion to draws, topics, and the square of the number of systems. Judges who judged all topics
    add little; each other set of topics adds as much as its combinations, or the draws where these are fewer. Holds
    some MB, and 9 bytes for each draw and reference.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `agreement.effectiveness.prepare`.
    judgements : DataFrame
        Columns assessor, query_id, doc_id, relevance (numbers), and perhaps repeat.
    measure : str or Measure
        As for `agreement.effectiveness.parse_measure`.
    draws : int
        How many golds to draw; all combinations where there are no more than that.
    seed : int, optional
        From 0; needed where golds are drawn at random.
    references : mapping of name to DataFrame, optional
        Golds (query_id, doc_id, relevance) to compare with, besides those of the judges and the mean scores.
    **given
        scale, collection_size and known, as for `agreement.effectiveness.evaluate`.

    Raises
    ------
    ValueError
        No seed where golds are drawn at random; no whole number of draws; nobody judged anything; a reference has
        the name of another; an unknown measure; runs or golds that cannot be scored.
    """
    measure = parse_measure(measure) if isinstance(measure, str) else measure
    ranked_runs = prepare(runs)
    tables = {name: score_table(ranked_runs, gold, measure, **given) for name, gold in (references or {}).items()}
    return mixed_scores(scores_by_judge(ranked_runs, judgements, measure, **given), draws, seed, tables)


def mixed_scores(
    cube: JudgeScores,
    draws: int = 100_000,
    seed: int | None = None,
    references: Mapping[str, pd.DataFrame] | None = None,
) -> MixedGolds:
    """The same from scores by judge, of whatever measure.

    Parameters
    ----------
    cube : JudgeScores
        As `agreement.effectiveness.judge_scores.scores_by_judge` gives it.
    draws, seed
        As for `mixed_golds`.
    references : mapping of name to DataFrame, shape (n_systems, n_topics), optional
        Scores of the same systems in the same order, a column for each query_id.
    """
    if not cube.query_ids:
        raise ValueError("there is no judgement: no gold can be mixed")
    choices = Choices.planned(cube.judged, draws, seed)
    rows = rows_of_topics(cube)
    mean = mean_of_draws(rows, choices.counts())
    named = _references(cube, mean)
    for name, table in (references or {}).items():
        if name in named:
            raise ValueError(f"each reference has a name of its own; {name!r} is there already")
        named[name] = _common(cube, table)
    tally, taus = compare_draws(choices, rows, mean, named)
    return mixed_result(cube, choices, tally, taus)


def _references(cube: JudgeScores, mean: np.ndarray) -> dict[str, Reference]:
    """The mean over all draws, and every judge."""
    named = {MEAN: Reference(mean, tuple(range(len(cube.query_ids))))}
    for judge, name in enumerate(cube.judges):
        topics = np.flatnonzero(cube.judged[:, judge])
        named[f"{JUDGE}{name}"] = Reference(cube.scores[:, topics, judge].mean(axis=1), tuple(topics.tolist()))
    return named


def _common(cube: JudgeScores, table: pd.DataFrame) -> Reference:
    """A reference by its scores on the topics that somebody judged."""
    topics = [place for place, query_id in enumerate(cube.query_ids) if query_id in table.columns]
    common = table[[cube.query_ids[place] for place in topics]].to_numpy()
    return Reference(common.mean(axis=1) if topics else np.zeros(len(table)), tuple(topics))
