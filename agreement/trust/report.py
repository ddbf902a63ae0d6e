"""The whole report on model judges: agreement with people, the ranking, the annotator test, gaming, and a verdict each.

`trust_report` joins the parts of `agreement.trust`. The first person is the reference. The report states its scale,
its thresholds and its seed, and gives each table unrounded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.measure import MeasureLike
from agreement.effectiveness.ranked_runs import Runs
from agreement.trust.alternative_annotator import EPSILON, AlternativeAnnotatorTest
from agreement.trust.annotator_tests import annotator_test_of
from agreement.trust.calibration import Calibration, calibration, is_probability
from agreement.trust.corrections import Corrections, corrections_of
from agreement.trust.gaming import GamingTests, gaming_tests
from agreement.trust.gaming.oracle_steps import TEST as ORACLE_STEPS
from agreement.trust.gaming.oracle_steps import OracleRuns
from agreement.trust.people_agreement import PeopleAgreement, Threshold, agreement_with_people
from agreement.trust.ranking import DRAWS, MODEL, TOP, ModelRanking, ranking_of_judges
from agreement.trust.scored_judges import ONLY_DRAWN, ScoredJudges
from agreement.trust.verdict import TrustThresholds, Verdict, verdict
from pooling.draws.draw import Draw
from pooling.inputs import Input
from pooling.result import Result
from pooling.words import count

MOST_DRAWN = 6  # models that have figures of their own
OF_A_DRAW = (
    "{reference} graded only the documents of a draw. The ranking under {reference} is that of the corrected scores;"
    " agreement, annotator test and over-rating are those on the drawn documents, each counted once."
)


@dataclass(frozen=True, eq=False, repr=False)
class TrustReport(Result):
    """What model judges may be used for; returned by `trust_report`.

    Attributes
    ----------
    verdicts : tuple of Verdict
        One for each model, in the order of the models.
    agreement : PeopleAgreement
    ranking : ModelRanking
    annotator_tests : tuple of AlternativeAnnotatorTest
        The published test, and the one with topics as the sample.
    gaming : dict of str to GamingTests
        By the name of the model.
    calibrations : dict of str to Calibration
        Of the models that give probabilities.
    measure, reference : str
    scale : tuple of float
    rel : float
    seed : int
    notes : tuple of str
        What was assumed.
    corrections : Corrections
        Scores corrected by the grades of a recorded draw, and plans.
    """

    verdicts: tuple[Verdict, ...]
    agreement: PeopleAgreement
    ranking: ModelRanking
    annotator_tests: tuple[AlternativeAnnotatorTest, AlternativeAnnotatorTest]
    gaming: dict[str, GamingTests]
    calibrations: dict[str, Calibration]
    measure: str
    reference: str
    scale: tuple[float, ...]
    rel: float
    seed: int
    notes: tuple[str, ...] = field(default=())
    corrections: Corrections = field(default_factory=Corrections)

    def to_frame(self) -> pd.DataFrame:
        """One row for each model: the verdict and its main numbers.

        Returns
        -------
        DataFrame
            Columns model, verdict, n_topics (in common with the reference), tau_b (all systems), difference, low and
            high (from another person, on the same pairs), kappa, passes (the published annotator test), winning_rate,
            winning_rate_by_topics, first_by_judge and first_by_people (runs that become first if re-ranked), seen_loss
            (the smallest loss of quality that the model sees; NA if it is unknown) and seen_loss_p (corrected for all
            tests of the model), flagged (tests of gaming with a corrected p below 0.05, but for re-ranking and oracle
            steps, which have their own columns, and for siding with the majority), and sentence.
        """
        return pd.DataFrame([self._row(verdict) for verdict in self.verdicts])

    def _row(self, verdict: Verdict) -> dict[str, Any]:
        model = verdict.model
        ranking = _first(self.ranking.frame, judge=model, systems="all")
        against = _first(self.ranking.against_people, model=model, systems="all")
        rates = [_first(test.models, model=model)["winning_rate"] for test in self.annotator_tests]
        again = self.gaming[model].reranking
        steps = _first(self.gaming[model].to_frame(), test=ORACLE_STEPS)
        return {
            "model": model,
            "verdict": verdict.kind,
            "n_topics": ranking["n_topics"],
            "tau_b": ranking.get("tau_b", pd.NA),
            **{name: against.get(name, pd.NA) for name in ("difference", "low", "high")},
            "kappa": self.agreement.kappa(model),
            "passes": self.annotator_tests[0].passes(model),
            "winning_rate": rates[0],
            "winning_rate_by_topics": rates[1],
            "first_by_judge": again.first_by_judge,
            "first_by_people": pd.NA if again.first_by_people is None else again.first_by_people,
            "seen_loss": steps["effect"],
            "seen_loss_p": steps["p_adjusted"],
            "flagged": ", ".join(self.gaming[model].flagged()),
            "sentence": str(verdict),
        }

    def tables(self) -> dict[str, pd.DataFrame]:
        """Each table by name, not rounded."""
        tables = {"verdicts": self.to_frame(), **self.ranking.tables(), **self.agreement.tables()}
        tables["annotator_test"] = _joined(
            {"documents": self.annotator_tests[0].models, "topics": self.annotator_tests[1].models}, "sample"
        )
        tables["annotator_test_people"] = _joined(
            {"documents": self.annotator_tests[0].people, "topics": self.annotator_tests[1].people}, "sample"
        )
        for name in ("tests", "reranked", "over_rated", "disagreement", "oracle_steps", "left_out"):
            parts = {model: tests.tables()[name] for model, tests in self.gaming.items() if name in tests.tables()}
            tables |= {f"gaming_{name}": _joined(parts, "model")} if parts else {}
        if scores := self.corrections.scores:
            tables["corrected_scores"] = _joined({model: one.to_frame() for model, one in scores.items()}, "model")
        if len(self.corrections.ranking):
            tables["corrected_ranking"] = self.corrections.ranking
        if plans := self.corrections.plans:
            tables["plan"] = _joined({model: plan.to_frame() for model, plan in plans.items()}, "model")
        if self.calibrations:
            tables["calibration"] = _joined({model: one.bins for model, one in self.calibrations.items()}, "model")
        return tables

    def summary(self) -> str:
        """How many models are safe, and for what."""
        kinds = pd.Series([verdict.kind for verdict in self.verdicts]).value_counts()
        words = {"safe": "safe", "safe_except_top": f"safe except among the best {self.ranking.top}"}
        words |= {"not_safe": "not safe", "too_early": "too early to say"}
        found = ", ".join(f"{kinds[kind]} {word}" for kind, word in words.items() if kind in kinds)
        return (
            f"{count(len(self.verdicts), 'model')} for ranking {count(len(self._systems), 'system')} by {self.measure},"
            f" compared with {self.reference}: {found}."
        )

    def drawn_models(self) -> list[str]:
        """The models that have figures of their own: the closest to people first."""
        by_tau = self.to_frame().sort_values("tau_b", ascending=False, kind="stable")
        return list(by_tau["model"].head(MOST_DRAWN))

    @property
    def only_drawn(self) -> bool:
        """Whether the reference graded only a draw, so that its ranking is that of the corrected scores."""
        return bool((self.ranking.frame["reason"] == ONLY_DRAWN).all())

    @property
    def _systems(self) -> list[str]:
        return list(next(iter(self.gaming.values())).reranking.systems["system"])

    @property
    def thresholds(self) -> TrustThresholds:
        """What the verdicts need."""
        return self.verdicts[0].thresholds

    def _sentence(self) -> str:
        return self.summary()


def trust_report(
    runs: Runs,
    people: Mapping[str, Input],
    models: Mapping[str, Input],
    measure: MeasureLike = "nDCG@10",
    *,
    scale: Sequence[float] | None = None,
    rel: float | None = None,
    model_rel: Threshold = None,
    draw: Draw | None = None,
    groups: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
    topics: Mapping[str, str] | None = None,
    thresholds: TrustThresholds | None = None,
    epsilon: float = EPSILON,
    top: int = TOP,
    draws: int = DRAWS,
    confidence: float = 0.95,
    seed: int,
) -> TrustReport:
    """Say what each model judge may be used for.

    Parameters
    ----------
    runs : runs
        The runs of the systems.
    people, models : mapping of str to table, path or dictionary
        The grades of each judge: query_id, doc_id, relevance. The first person is the reference.
    measure : str or measure, optional
        A measure for which higher is better.
    scale : sequence of float, optional
        The grades of people, lowest first; by default 0 to the highest grade of a person.
    rel : float, optional
        Lowest grade of people that counts as relevant; by default the middle of the scale, rounded up.
    model_rel : float or mapping of str to float, optional
        The same for models with other grades, one for all or by name.
    draw : Draw, optional
        The recorded draw of pairs that the reference graded; scores are then corrected, and more grades planned.
    groups : mapping of str to str, optional
        The group of each system that belongs to one, such as the family of models that it uses.
    documents, topics : mapping of str to str, optional
        Texts by doc_id, and queries by query_id, for the tests of over-rating.
    thresholds : TrustThresholds, optional
        What a verdict needs.
    epsilon : float, optional
        Of the alternative annotator test.
    top : int, optional
        How many of the best systems are also compared by themselves.
    draws : int, optional
        Draws of topics for the intervals of rankings.
    confidence : float, optional
        Level of the intervals.
    seed : int
        Seed of everything random.

    Returns
    -------
    TrustReport

    Raises
    ------
    ValueError
        As in the parts: `ranking_under_model`, `agreement_with_people`, `alternative_annotator_test`.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import trust_report
    >>> runs = pd.DataFrame(
    ...     [(f"s{s}", f"{q}", f"d{d}", -(d * (s + 2) + q) % 7) for s in range(6) for q in range(9) for d in range(7)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> pairs = pd.DataFrame([(f"{q}", f"d{d}") for q in range(9) for d in range(7)], columns=["query_id", "doc_id"])
    >>> nist, llm = (pairs.assign(relevance=[(i * step) % 3 for i in range(63)]) for step in (1, 4))
    >>> print(trust_report(runs, {"nist": nist}, {"llm": llm}, draws=20, seed=1).summary())
    1 model for ranking 6 systems by nDCG@10, compared with nist: 1 too early to say.
    """
    judges = ScoredJudges.of(runs, people, models, measure, scale, draw)
    scale, rel, notes = _scale_and_threshold(judges, scale, rel)
    if judges.only_drawn:
        notes.append(OF_A_DRAW.format(reference=judges.reference))
    ranking = ranking_of_judges(judges, top=top, draws=draws, confidence=confidence, seed=seed)
    agreement = agreement_with_people(
        judges.people, judges.models, scale=scale, rel=rel, model_rel=model_rel, confidence=confidence
    )
    published, by_topics = (
        annotator_test_of(judges, agreement, rel, epsilon, blocks=blocks) for blocks in (False, True)
    )
    oracle = OracleRuns.of(judges, seed)
    given: dict[str, Any] = {"groups": groups, "documents": documents, "topics": topics, "confidence": confidence}
    gaming = {
        model: gaming_tests(
            judges, model, rel=rel, model_rel=agreement.threshold(model), oracle=oracle, seed=seed, **given
        )
        for model in judges.models
    }
    corrections = corrections_of(judges, draw, scale=scale, confidence=confidence, seed=seed)
    notes += _different_topics(ranking)
    verdicts = [
        _verdict(model, ranking, agreement, published, gaming[model], corrections, thresholds)
        for model in judges.models
    ]
    return TrustReport(
        tuple(verdicts),
        agreement,
        ranking,
        (published, by_topics),
        gaming,
        _calibrations(judges, rel, confidence),
        judges.measure.name,
        judges.reference,
        scale,
        rel,
        seed,
        tuple(notes),
        corrections,
    )


def _scale_and_threshold(
    judges: ScoredJudges, scale: Sequence[float] | None, rel: float | None
) -> tuple[tuple[float, ...], float, list[str]]:
    """Return the scale and the lowest relevant grade, with a note for each that was not given."""
    notes = []
    if scale is None:
        scale = _scale_of(judges)
        notes.append(f"No scale was declared; it is {', '.join(f'{grade:g}' for grade in scale)}.")
    if rel is None:
        rel = scale[len(scale) // 2]
        notes.append(f"No lowest relevant grade was given; it is {rel:g}.")
    return tuple(scale), rel, notes


def _different_topics(ranking: ModelRanking) -> list[str]:
    """A note if models cannot be compared with each other, because they judged different topics."""
    rows = ranking.frame[(ranking.frame["kind"] == MODEL) & (ranking.frame["systems"] == "all")]
    if rows["n_topics"].nunique() < 2:
        return []
    listed = ", ".join(f"{row['judge']} {row['n_topics']}" for _, row in rows.iterrows())
    return [
        f"The models have different numbers of topics in common with {ranking.reference}: {listed}. Compare them on"
        " topics that all of them judged."
    ]


def _scale_of(judges: ScoredJudges) -> tuple[float, ...]:
    """0 to the highest grade of a person; ValueError for fractions."""
    grades = np.concatenate([gold["relevance"].to_numpy(np.float64) for gold in judges.people.values()])
    if (grades != np.rint(grades)).any():
        raise ValueError("The grades of people are fractions, so the scale must be declared: pass scale.")
    return tuple(range(max(int(grades.max()), 1) + 1))


def _verdict(
    model: str,
    ranking: ModelRanking,
    agreement: PeopleAgreement,
    test: AlternativeAnnotatorTest,
    gaming: GamingTests,
    corrections: Corrections,
    thresholds: TrustThresholds | None,
) -> Verdict:
    again = gaming.reranking
    return verdict(
        ranking,
        model,
        thresholds=thresholds,
        kappa=agreement.kappa(model),
        people_kappa=agreement.people_kappas(),
        passes_alternative_annotator_test=test.passes(model),
        can_buy_first=(again.first_by_judge, len(again.systems)),
        corrected=_first(corrections.ranking, model=model).get("sentence", ""),
    )


def _calibrations(judges: ScoredJudges, rel: float, confidence: float) -> dict[str, Calibration]:
    reference = judges.people[judges.reference]
    return {
        model: calibration(reference, gold, rel, confidence=confidence)
        for model, gold in judges.models.items()
        if is_probability(gold, model)
    }


def _first(frame: pd.DataFrame, **wanted: str) -> dict[str, Any]:
    """The first row with these values, or an empty one."""
    for column, value in wanted.items():
        frame = frame[frame[column] == value] if column in frame else frame[:0]
    rows: list[Any] = frame.head(1).to_dict("records")
    return rows[0] if rows else {}


def _joined(parts: Mapping[str, pd.DataFrame], column: str) -> pd.DataFrame:
    """The tables one below the other, each with its name in a column."""
    named = [table.drop(columns=column, errors="ignore").assign(**{column: name}) for name, table in parts.items()]
    joined = pd.concat(named, ignore_index=True)
    return joined[[column, *(name for name in joined if name != column)]]
