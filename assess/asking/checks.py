"""Does a model judge repeat itself, and has it changed? What its repeats say. Loads pandas.

A repeat asks for the same sample of pairs each time. Self-agreement takes all askings of the sample, including the one
for the ledger. Drift compares the first and the last repeat on the pairs of both; the askings before the last
say what the judge changes without a cause. With runs, the systems are ranked under all grades of the judge, in which
those of the sample are replaced.
"""

from dataclasses import dataclass
from typing import Any

import pandas as pd
from django.db.models import Max

from agreement.effectiveness.ranked_runs import prepare_for
from agreement.trust import Drift, RepeatAgreement, drift, repeat_agreement
from assess.analysis.data import collection_gold, judgements_state
from assess.analysis.query import suggested_measures
from assess.analysis.reference import JUDGE
from assess.analysis.thresholds import site_thresholds
from assess.asking.pairs import NO_ANSWER
from assess.collections import runfiles
from assess.collections.scale import scale_of
from assess.jobs import results
from assess.models import ModelAnswer, ModelJudge
from pooling.words import count

PAIR = ["query_id", "doc_id"]
RUN_LINES_AT_ONCE = 20_000  # they are ranked in less than a second
FIGURES = {
    "identical": "same grade, two askings",
    "krippendorff_alpha": "Krippendorff's alpha of the askings",
    "changed": "changed, first to last check",
    "difference": "mean difference in grades",
    "repeats": "changed by repeats alone",
    "beyond repeats": "changed beyond repeats",
}
TOO_LARGE = (
    "The effect on the ranking is left out on this page, because the runs have more than "
    f"{RUN_LINES_AT_ONCE:,} lines. The command ask_model prints it after a repeat."
)


@dataclass(frozen=True)
class Checks:
    """What the repeats of a judge say.

    `answer` is a sentence on self-agreement, and `change` one on drift, empty with one repeat. `askings` has a row for
    each asking: repeat, started_at, pairs, grades and model, as the server names it. `figures` has name, figure, value,
    value_low, value_high, n (pairs), topics and note, why there is no value or no interval. `ranking` is that of
    `agreement.trust.Drift`; None without one.
    """

    answer: str
    change: str
    askings: pd.DataFrame
    figures: pd.DataFrame
    ranking: pd.DataFrame | None
    notes: tuple[str, ...] = ()


def checks_of(judge: ModelJudge, *, at_once: bool = False) -> Checks | None:
    """Return what the repeats of a judge say, from the cache if nothing has changed; None without a repeat.

    With `at_once`, the ranking is left out if the runs are too large to wait for.
    """
    if not _answers(judge).filter(repeat__gt=0).exists():
        return None
    collection = judge.collection
    runs = list(collection.runs.all())
    answered = _answers(judge).aggregate(last=Max("pk"))["last"]
    key = results.key_of("model_checks", judge.pk, answered, judgements_state(collection, runs))
    if (known := results.get(key)) is not None:
        return known  # type: ignore[no-any-return]
    if at_once and sum(run.line_count for run in runs) > RUN_LINES_AT_ONCE:
        return _checks(judge, [], (TOO_LARGE,))
    found = _checks(judge, runs)
    results.keep(key, found)
    return found


def _answers(judge: ModelJudge) -> Any:
    return ModelAnswer.objects.filter(judge=judge, is_current=True).exclude(reason=NO_ANSWER)


def _checks(judge: ModelJudge, runs: list[Any], notes: tuple[str, ...] = ()) -> Checks:
    answers, scale = _frame(judge), scale_of(judge.collection)
    agreed = repeat_agreement(answers, scale)
    askings = _askings(judge, answers)
    changed = _drift(judge, answers, runs)
    ranking = None if changed is None or changed.shift is None else changed.tables()["ranking"]
    figures = _of_repeats(agreed, answers) + ([] if changed is None else _of_drift(changed))
    change = "" if changed is None else _change(changed, askings)
    return Checks(_answer(agreed), change, askings, _typed(figures), ranking, notes)


def _frame(judge: ModelJudge) -> pd.DataFrame:
    """Return the answers to the sample: query_id, doc_id, repeat, relevance (NA without a grade), model."""
    answers = _answers(judge)
    rows = answers.filter(task__in=answers.filter(repeat__gt=0).values("task")).order_by("pk")
    columns = ("task__topic__query_id", "task__document__doc_id", "repeat", "grade", "model")
    frame = pd.DataFrame(list(rows.values_list(*columns)), columns=[*PAIR, "repeat", "relevance", "model"])
    return frame.astype({"query_id": "str", "doc_id": "str", "relevance": "Float64"})


def _askings(judge: ModelJudge, answers: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each asking, the first one first."""
    started = dict(judge.work.order_by("-pk").values_list("repeat", "started_at"))
    rows = [
        (number, started.get(int(str(number))), len(part), int(part["relevance"].notna().sum()), _models(part))
        for number, part in answers.groupby("repeat")
    ]
    return pd.DataFrame(rows, columns=["repeat", "started_at", "pairs", "grades", "model"])


def _models(part: pd.DataFrame) -> str:
    return ", ".join(sorted({name for name in part["model"] if name}))


def _drift(judge: ModelJudge, answers: pd.DataFrame, runs: list[Any]) -> Drift | None:
    """Compare the first repeat with the last; None if there is one, or if they have no pair in common."""
    first, last = (int(answers.loc[answers["repeat"] > 0, "repeat"].agg(end)) for end in ("min", "max"))
    parts = [answers[answers["repeat"] == number][[*PAIR, "relevance"]] for number in (first, last)]
    both = parts[0][PAIR].merge(parts[1][PAIR], on=PAIR)
    if first == last or both.empty:
        return None
    earlier = answers[answers["repeat"] < last][[*PAIR, "repeat", "relevance"]]
    repeats = earlier if earlier["repeat"].nunique() > 1 else None
    before, after = (part.merge(both, on=PAIR) for part in parts)
    return drift(before, after, scale_of(judge.collection), repeats=repeats, **_ranked(judge, runs))


def _ranked(judge: ModelJudge, runs: list[Any]) -> dict[str, Any]:
    """Return what `drift` needs to rank the systems: nothing without runs or grades in the ledger."""
    # A worker may have made the member since the judge was read.
    name = ModelJudge.objects.filter(pk=judge.pk).values_list("member__name", flat=True).get()
    if not runs or name is None:
        return {}
    gold = collection_gold(judge.collection, f"{JUDGE}{name}")
    if gold.empty:
        return {}
    needed = site_thresholds()
    return {
        "runs": prepare_for(map(runfiles.load, runs), [gold]),
        "gold": gold,
        "measure": suggested_measures(judge.collection)[0],
        "min_topics": needed.min_topics,
        "min_judged": needed.min_judged,
    }


def _answer(agreed: RepeatAgreement) -> str:
    """Return the sentence on self-agreement. If all answers are the same, it names the sample only."""
    if agreed.identical.defined and agreed.identical.value == 1:
        alone = f" In this sample of {count(agreed.n_compared, 'pair')}, no grade differs; those of other pairs may."
        return agreed.summary() + alone
    return agreed.summary()


def _change(changed: Drift, askings: pd.DataFrame) -> str:
    """Return the sentence on drift, with the days of both checks and the versions that the server named."""
    first, last = (row for _, row in askings[askings["repeat"] > 0].iloc[[0, -1]].iterrows())
    start = f"Check {first['repeat']}{_day(first)} and check {last['repeat']}{_day(last)}: {changed.summary()}"
    if first["model"] == last["model"] or not (first["model"] and last["model"]):
        return start
    return f"{start} The server named {first['model']} first, and {last['model']} last."


def _day(asking: "pd.Series[Any]") -> str:
    return "" if pd.isna(asking["started_at"]) else f" of {asking['started_at']:%Y-%m-%d}"


def _of_repeats(agreed: RepeatAgreement, answers: pd.DataFrame) -> list[dict[str, Any]]:
    rows = agreed.to_frame().to_dict("records")
    topics = answers["query_id"].nunique()
    return [
        _row(str(row["coefficient"]), row["value"], row["low"], row["high"], agreed.n_compared, topics, row["reason"])
        for row in rows
    ]


def _of_drift(changed: Drift) -> list[dict[str, Any]]:
    rows = changed.frame.to_dict("records")
    names = ("figure", "value", "low", "high", "n", "n_topics", "reason")
    return [_row(*(row[name] for name in names)) for row in rows]


def _row(name: Any, value: Any, low: Any, high: Any, n: Any, topics: Any, note: Any) -> dict[str, Any]:
    limits = {"value_low": low, "value_high": high}
    return {"name": name, "figure": FIGURES[name], "value": value, **limits, "n": n, "topics": topics, "note": note}


def _typed(rows: list[dict[str, Any]]) -> pd.DataFrame:
    types = {"value": "Float64", "value_low": "Float64", "value_high": "Float64", "note": "string"}
    return pd.DataFrame(rows).astype(types)
