"""What a release computes from its judgements: gold, agreement and shift. Loads pandas, and no Django.

`ReleaseSource` reads the judgements from the database, and `assay verify` from the files of the release. Both compute
the figures with this class.
"""

import io
import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import pandas as pd

import agreement
import pooling
from agreement.effectiveness.measure import parse_measure
from agreement.golds.people import HUMAN, derived_gold, needs_scale
from agreement.reports.agreement_report import agreement_data, agreement_text
from agreement.reports.results import result_json
from agreement.reports.shift_report import shift_text
from assess.errors import Refused, as_sentence
from assess.lib.long_work import report
from assess.releases.spec import PERSON, ReleaseSpec

RELEASED = "released gold"
MODEL_JUDGES = "reports/model_judges/"  # the folder of the report on model judges
COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]
BINARY = (0, 1)


class ReleaseFigures:
    """The figures of a release. `votes` are the grades of its judges, and `decisions` those of adjudicators."""

    spec: ReleaseSpec

    @property
    def votes(self) -> pd.DataFrame:
        raise NotImplementedError

    @property
    def decisions(self) -> pd.DataFrame:
        raise NotImplementedError

    @property
    def scale(self) -> tuple[int, ...]:
        raise NotImplementedError

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each member, by name, as `derived_gold` takes it."""
        return {member.name: HUMAN if member.kind == PERSON else member.kind for member in self.spec.members}

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

    def qrels(self) -> bytes:
        """Return the released gold as qrels, or refuse an empty one."""
        if self.gold.empty:
            raise Refused(
                f"There is no gold to release: the rule {self.spec.rule} gives no grade to any document of "
                f"{self.spec.collection} yet."
            )
        content = io.BytesIO()
        try:
            pooling.write_qrels(self.gold, content, rounding=self.spec.rounding or None)
        except ValueError as error:
            raise Refused(as_sentence(error)) from None
        return content.getvalue()

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

    @property
    def agreement_options(self) -> dict[str, Any]:
        return {
            "interval": "jackknife_topics",
            "min_topics": self.spec.min_topics,
            "min_documents": self.spec.min_documents,
        }

    def shift_of(self, runs: Iterable[pd.DataFrame], rules: Sequence[str]) -> agreement.RankingShift:
        """Rank the systems under the released gold and the golds of these rules, all with the same threshold."""
        golds = {RELEASED: self.gold} | {rule: self.gold_by(rule, self.spec.rel) for rule in rules}
        try:
            return agreement.ranking_shift(
                runs,
                {name: gold for name, gold in golds.items() if not gold.empty},
                self.spec.measure,
                RELEASED,
                evidence=self._evidence(rules),
                scale=self._scale_of_measure(),
                min_topics=self.spec.min_topics,
                min_judged=self.spec.min_judged,
            )
        except ValueError as error:
            raise Refused(str(error)) from None

    @property
    def scale_of_gold(self) -> tuple[int, ...]:
        """The scale of the released gold: 0 and 1 if it is binary."""
        return self.scale if self.spec.rel is None else BINARY

    def _scale_of_measure(self) -> tuple[int, ...] | None:
        """Return the scale for a measure that needs it, such as ERR. Others score fractions, which are not on it."""
        if "highest" not in parse_measure(self.spec.measure).needs:
            return None
        return self.scale_of_gold

    def _evidence(self, rules: Sequence[str]) -> dict[str, pd.DataFrame]:
        """Return the part of each combined gold that has two or more judges."""
        named = {RELEASED: self.spec.rule} | {rule: rule for rule in rules}
        combined = {name: rule for name, rule in named.items() if not rule.startswith("judge:")}
        return {name: self.gold_by(rule, self.spec.rel, at_least_judges=2) for name, rule in combined.items()}

    def agreement_files(self) -> dict[str, bytes]:
        """Return the report on the agreement as text and as data; nothing with fewer than two judges."""
        if self.agreement_report is None:
            return {}
        text = agreement_text(self.ratings, self.spec.agreement_rel, style="markdown", **self.agreement_options)
        data = json.dumps(self.agreement_report, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        return {"reports/agreement.md": text.encode(), "reports/agreement.json": data.encode()}


def shift_files(shift: agreement.RankingShift | None) -> dict[str, bytes]:
    """Return the report on the shift as text and as data; nothing without a second gold."""
    if shift is None or not shift.others:
        return {}
    return {
        "reports/shift.md": shift_text(shift, style="markdown").encode(),
        "reports/shift.json": result_json(shift).encode(),
    }


def grades_frame(cells: Iterable[tuple[str, str, str, int | None]]) -> pd.DataFrame:
    """Return rows of judge, topic, document and grade as a table in the order of the rows' values."""
    frame = pd.DataFrame.from_records(sorted(cells), columns=COLUMNS)
    return frame.astype({"assessor": "str", "query_id": "str", "doc_id": "str", "relevance": "int64"})
