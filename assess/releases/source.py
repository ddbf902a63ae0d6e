"""Everything that the files of a release are computed from, read once. Loads pandas."""

from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import pandas as pd

import agreement
from agreement.reports.agreement_report import agreement_data
from agreement.shift.thresholds import Thresholds
from assess.analysis.data import derived_gold, judges_in, needs_scale
from assess.analysis.measures import scale_for
from assess.collections import runfiles
from assess.collections.scale import GradeSpec, grades_of
from assess.errors import Refused
from assess.lib.long_work import report
from assess.models import Collection, Guidelines, JudgeKind, JudgementKind, Run, Topic
from assess.releases.spec import ReleaseSpec
from assess.releases.state.facts import PERSON
from assess.releases.state.ledger_rows import Row, is_regular_grade, judgements_at
from assess.releases.state.pool_state import PoolState, pool_state

RELEASED = "released gold"
COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]


@dataclass(frozen=True)
class ReleaseSource:
    """The specification, and what the database has for it. `previous_qrels` is the file of the version before."""

    spec: ReleaseSpec
    collection: Collection
    previous_qrels: bytes | None = None

    @cached_property
    def rows(self) -> list[Row]:
        report("Reading the judgements")
        return judgements_at(self.spec.chains, [member.pk for member in self.spec.members], self.spec.query_ids)

    @cached_property
    def topics(self) -> list[Topic]:
        return sorted(self.collection.topics.filter(query_id__in=self.spec.query_ids), key=lambda topic: topic.query_id)

    @cached_property
    def grades(self) -> list[GradeSpec]:
        return grades_of(self.collection)

    @cached_property
    def runs(self) -> list[Run]:
        return sorted(self.collection.runs.filter(system__in=self.spec.systems), key=lambda run: run.system)

    @cached_property
    def guidelines(self) -> list[Guidelines]:
        return list(self.collection.guidelines.filter(version__lte=self.spec.guidelines).order_by("version"))

    @cached_property
    def pool(self) -> PoolState:
        report("Reading the pool")
        created_at = datetime.fromisoformat(self.spec.created_at)
        return pool_state(self.collection, self.spec.buildings, self.spec.query_ids, created_at)

    @property
    def scale(self) -> tuple[int, ...]:
        return tuple(grade.value for grade in self.grades)

    @cached_property
    def votes(self) -> pd.DataFrame:
        """The grades of the judges: assessor, query_id, doc_id, relevance."""
        judges = {member.pk: member.name for member in self.spec.members if member.is_judge}
        return _frame([row for row in self.rows if row.member in judges and is_regular_grade(row)], judges)

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """The grades of the adjudicators."""
        names = {member.pk: member.name for member in self.spec.members}
        decided = [row for row in self.rows if row.kind == JudgementKind.DECISION and row.relevance is not None]
        return _frame(decided, names)

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each member, by name, as `derived_gold` takes it."""
        return {member.name: JudgeKind.HUMAN if member.kind == PERSON else member.kind for member in self.spec.members}

    @cached_property
    def gold(self) -> pd.DataFrame:
        return self.gold_by(self.spec.rule, self.spec.rel)

    def gold_by(self, rule: str, rel: int | None = None, at_least_judges: int = 1) -> pd.DataFrame:
        """Return a gold by any rule from the judgements of the release."""
        marked = [self.votes.assign(adjudicated=False), self.decisions.assign(adjudicated=True)]
        judgements = self.votes if self.decisions.empty else pd.concat(marked, ignore_index=True)
        scale = self.scale if needs_scale(rule) and rel is None else None
        try:
            return derived_gold(judgements, rule, self.kinds, rel, at_least_judges, scale)
        except ValueError as error:
            raise Refused(str(error)) from None

    @cached_property
    def ratings(self) -> agreement.Ratings:
        return agreement.Ratings.from_judgements(self.votes, self.scale)

    @property
    def judges(self) -> list[str]:
        """The judges with a grade."""
        return sorted(self.votes["assessor"].unique())

    @cached_property
    def agreement_report(self) -> dict[str, Any] | None:
        """The report on the agreement as data; None with fewer than two judges."""
        if len(self.judges) < 2:
            return None
        report("Computing the agreement")
        return agreement_data(self.ratings, self.spec.agreement_rel, **self.agreement_options)

    @cached_property
    def pairs_of_judges(self) -> pd.DataFrame:
        """The rows of the report on agreement with all topics in one table, one for each pair of judges."""
        pairs = pd.DataFrame(self.agreement_report["pairs"] if self.agreement_report else [])
        return pairs[pairs["across"] == "pooled"] if len(pairs) else pairs

    @property
    def agreement_options(self) -> dict[str, Any]:
        return {
            "interval": "jackknife_topics",
            "min_topics": self.spec.min_topics,
            "min_documents": self.spec.min_documents,
        }

    @cached_property
    def shift(self) -> agreement.RankingShift | None:
        """The systems under the released gold and the golds of the judges; None without runs or grades.

        All golds have the threshold of the released one.
        """
        if not self.runs or self.gold.empty:
            return None
        report("Ranking the systems")
        rules = judges_in(self.votes, self.kinds, has_decisions=False).golds()
        rules = [rule for rule in rules if rule != self.spec.rule]
        golds = {RELEASED: self.gold} | {rule: self.gold_by(rule, self.spec.rel) for rule in rules}
        thresholds = Thresholds(self.spec.min_topics, self.spec.min_judged)
        try:
            return agreement.ranking_shift(
                map(runfiles.load, self.runs),
                {name: gold for name, gold in golds.items() if not gold.empty},
                self.spec.measure,
                RELEASED,
                evidence=self._evidence(rules),
                scale=scale_for(self.collection, self.spec.measure, self.spec.rel),
                **asdict(thresholds),
            )
        except ValueError as error:
            raise Refused(str(error)) from None

    def _evidence(self, rules: list[str]) -> dict[str, pd.DataFrame]:
        """Return the part of each combined gold that has two or more judges."""
        named = {RELEASED: self.spec.rule} | {rule: rule for rule in rules}
        combined = {name: rule for name, rule in named.items() if not rule.startswith("judge:")}
        return {name: self.gold_by(rule, self.spec.rel, at_least_judges=2) for name, rule in combined.items()}


def _frame(rows: list[Row], names: dict[int, str]) -> pd.DataFrame:
    cells = [(names[row.member], row.query_id, row.doc_id, row.relevance) for row in rows]
    frame = pd.DataFrame.from_records(sorted(cells), columns=COLUMNS)
    return frame.astype({"assessor": "str", "query_id": "str", "doc_id": "str", "relevance": "int64"})
