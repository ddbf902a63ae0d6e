"""All tests of circularity and gaming of one model judge, with p-values corrected for their number (Holm)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import pandas as pd

from agreement.significance import adjusted
from agreement.trust.gaming.contested import TEST as CONTESTED
from agreement.trust.gaming.contested import contested
from agreement.trust.gaming.finding import Finding
from agreement.trust.gaming.groups import group_findings, leave_out
from agreement.trust.gaming.oracle_steps import TEST as ORACLE_STEPS
from agreement.trust.gaming.oracle_steps import OracleRuns, oracle_steps
from agreement.trust.gaming.over_rating import disagreement_by_topic, over_rating
from agreement.trust.gaming.rank_bias import rank_bias
from agreement.trust.gaming.reranking import TEST as RERANKING
from agreement.trust.gaming.reranking import Reranking, reranked
from agreement.trust.scored_judges import ScoredJudges
from pooling.result import Result
from pooling.text_tables import rounded

LEVEL = 0.05
NO_THRESHOLD = "no threshold of relevance declared"
OF_RELEVANCE = {
    "over-rating by length": "Does the judge overrate long documents?",
    "over-rating by query words": "Does it overrate words of the query?",
    "disagreement by topic": "Does the judge disagree more on some topics?",
    "contested documents": "Does the judge side with the majority?",
}


@dataclass(frozen=True, eq=False, repr=False)
class GamingTests(Result):
    """The tests of one model; returned by `gaming_tests`.

    Attributes
    ----------
    model : str
    findings : tuple of Finding
    reranking : Reranking
    details : dict of str to DataFrame
        Tables by name: reranked (each run), left_out (tau_b without each group), over_rated (shares by quarter),
        disagreement (by topic) and oracle_steps (by true difference, with p-values corrected for their number).
    """

    model: str
    findings: tuple[Finding, ...]
    reranking: Reranking
    details: dict[str, pd.DataFrame]

    def to_frame(self) -> pd.DataFrame:
        """One row for each test.

        Returns
        -------
        DataFrame
            Columns test, question, effect, low, high, p, p_adjusted (Holm, over the tests that have a p), n (topics),
            sentence and reason.
        """
        frame = pd.DataFrame([asdict(finding) for finding in self.findings])
        for column in ("effect", "low", "high", "p"):
            frame[column] = pd.to_numeric(frame[column]).astype("Float64")
        known = frame["p"].notna()
        corrected = pd.Series(pd.NA, index=frame.index, dtype="Float64")
        corrected[known] = adjusted(frame.loc[known, "p"].to_numpy(float), "holm")
        frame.insert(list(frame.columns).index("p") + 1, "p_adjusted", corrected)
        return frame

    def flagged(self) -> list[str]:
        """The tests with a corrected p below 0.05.

        Re-ranking, whose runs are counted by themselves, seeing a loss of quality and siding with the majority are no
        faults.
        """
        frame = self.to_frame()
        is_harmless = frame["test"].isin([RERANKING, ORACLE_STEPS])
        is_harmless |= (frame["test"] == CONTESTED) & (frame["effect"] > 0).fillna(False)
        return list(frame.loc[(frame["p_adjusted"] < LEVEL).fillna(False) & ~is_harmless, "test"])

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tests and their details by name."""
        return {"tests": self.to_frame()} | {name: table for name, table in self.details.items() if len(table)}

    def summary(self) -> str:
        """What re-ranking by the judge buys."""
        return self.reranking.finding.sentence

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        return rounded(self.to_frame()[["test", "effect", "low", "high", "p_adjusted", "n"]])


def gaming_tests(
    judges: ScoredJudges,
    model: str,
    *,
    rel: float,
    model_rel: float | None,
    groups: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
    topics: Mapping[str, str] | None = None,
    oracle: OracleRuns | None = None,
    confidence: float = 0.95,
    seed: int,
) -> GamingTests:
    """Test whether a model judge can be gamed, and whether it favours some runs or documents.

    Parameters
    ----------
    judges : ScoredJudges
        The runs, the golds of people and models, and the measure. The first person is the reference.
    model : str
        The name of the model.
    rel : float
        Lowest grade of people that counts as relevant.
    model_rel : float or None
        The same for the model. None if it is unknown, for example of fractions: tests of relevance are then undefined.
    groups : mapping of str to str, optional
        The group of each system that belongs to one, such as the family of models that it uses.
    documents, topics : mapping of str to str, optional
        Texts by doc_id, and queries by query_id.
    oracle : OracleRuns, optional
        The spoiled rankings, if they are made already for another model.
    confidence : float, optional
        Level of the intervals.
    seed : int
        Seed of the randomisation and of the spoiled rankings.

    Returns
    -------
    GamingTests

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust.gaming import gaming_tests
    >>> from agreement.trust.scored_judges import ScoredJudges
    >>> runs = pd.DataFrame(
    ...     [(f"s{s}", f"{q}", f"d{d}", -(d * (s + 2) + q) % 7) for s in range(6) for q in range(9) for d in range(7)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> pairs = pd.DataFrame([(f"{q}", f"d{d}") for q in range(9) for d in range(7)], columns=["query_id", "doc_id"])
    >>> golds = [pairs.assign(relevance=[(row * step) % 3 for row in range(63)]) for step in (1, 4)]
    >>> judges = ScoredJudges.of(runs, {"nist": golds[0]}, {"llm": golds[1]}, "nDCG@5")
    >>> found = gaming_tests(judges, "llm", rel=1, model_rel=1, seed=1)
    >>> found.reranking.first_by_judge, found.reranking.first_by_people
    (6, 6)
    """
    again = reranked(judges, model, confidence=confidence)
    oracle = oracle or OracleRuns.of(judges, seed)
    steps, table = oracle_steps(judges, model, oracle, confidence=confidence, seed=seed)
    findings = [
        again.finding,
        *group_findings(judges, model, groups, confidence=confidence, seed=seed),
        rank_bias(judges, model, confidence=confidence),
        steps,
    ]
    details = {"reranked": again.systems, "oracle_steps": table}
    if groups and not judges.only_drawn:
        details["left_out"] = leave_out(judges, model, groups)
    if model_rel is None:
        findings += [Finding(test, question, reason=NO_THRESHOLD) for test, question in OF_RELEVANCE.items()]
        return GamingTests(model, tuple(findings), again, details)
    cuts = rel, model_rel
    rating, shares = over_rating(judges, model, model_rel, documents, topics, confidence=confidence)
    by_topic, disagreement = disagreement_by_topic(judges, model, cuts, confidence=confidence, seed=seed)
    findings += [*rating, by_topic, contested(judges, model, cuts, confidence=confidence)]
    details |= {"over_rated": shares, "disagreement": disagreement}
    return GamingTests(model, tuple(findings), again, details)
