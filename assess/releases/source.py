"""Everything that the files of a release are computed from, read once. Loads pandas."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import pandas as pd

import agreement
from assess.analysis.data import judges_in
from assess.collections import runfiles
from assess.collections.scale import GradeSpec, grades_of
from assess.lib.long_work import report
from assess.model_judges.draw import DrawForPeople, draw_with_grades, topics_with_draw
from assess.models import Collection, Guidelines, JudgementKind, Run, Topic
from assess.releases.figures import ReleaseFigures, grades_frame
from assess.releases.spec import ReleaseSpec
from assess.releases.state.ledger_rows import Row, is_regular_grade, judgements_at
from assess.releases.state.pool_state import PoolState, pool_state
from assess.releases.trust import ReleasedTrust, released_trust


@dataclass(frozen=True)
class ReleaseSource(ReleaseFigures):
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

    @cached_property
    def pairs_of_judges(self) -> pd.DataFrame:
        """The rows of the report on agreement with all topics in one table, one for each pair of judges."""
        pairs = pd.DataFrame(self.agreement_report["pairs"] if self.agreement_report else [])
        return pairs[pairs["across"] == "pooled"] if len(pairs) else pairs

    @cached_property
    def shift(self) -> agreement.RankingShift | None:
        """The systems under the released gold and the golds of the judges; None without runs or grades."""
        if not self.runs or self.gold.empty:
            return None
        report("Ranking the systems")
        rules = judges_in(self.votes, self.kinds, has_decisions=False).golds()
        return self.shift_of(map(runfiles.load, self.runs), [rule for rule in rules if rule != self.spec.rule])

    @cached_property
    def trust(self) -> ReleasedTrust:
        """The report on the model judges."""
        return released_trust(self, self.runs, self._draw)

    def _draw(self, people: str) -> DrawForPeople:
        """Return the draw from the pool as it was at the release, with the grades of a gold of people."""
        sampled = topics_with_draw(self.topics, self.spec.buildings)
        return draw_with_grades(sampled, self.pool.frame, self.gold_by(people, self.spec.rel))


def _frame(rows: list[Row], names: dict[int, str]) -> pd.DataFrame:
    return grades_frame((names[row.member], row.query_id, row.doc_id, row.relevance) for row in rows)
