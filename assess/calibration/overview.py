"""What researchers see of the calibration: the known grades, the rules, and every assessor's practice and checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, F, Q

from assess import audit
from assess.calibration.known_grades import KINDS
from assess.calibration.practice import admit_experienced
from assess.collections.archive import lock_active
from assess.collections.members import active_assessors
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.models import (
    Action,
    Admission,
    Assignment,
    Collection,
    Judgement,
    JudgementKind,
    KnownGrade,
    PracticeRule,
    User,
)
from assess.pools.tasks import SETTLED
from pooling.errors import shown

if TYPE_CHECKING:
    import pandas as pd


WINDOW = 10  # checks of which the accuracy over time is the mean


def known_and_given(collection: Collection, kind: JudgementKind, query_ids: Sequence[str] = ()) -> "pd.DataFrame":
    """Return a row for each judgement of a document with a known grade, in the order of judging.

    With `query_ids`, only documents of these topics count.

    The columns are judge, query_id, doc_id, relevance (NA if it could not be judged), known, hit (0 or 1) and
    judged_at (in UTC).
    """
    import pandas as pd  # slow to import

    # Few documents have a known grade. By their keys, the database does not read the judgements of all the others.
    known = KnownGrade.objects.filter(task__topic__collection=collection).values("task")
    rows = Judgement.objects.filter(
        member__collection=collection, repeat=kind, state__in=SETTLED, task__in=known
    ).order_by("judged_at", "pk")
    if query_ids:
        rows = rows.filter(task__topic__query_id__in=query_ids)
    columns = ["judge", "query_id", "doc_id", "relevance", "known", "judged_at"]
    names = ("member__name", "task__topic__query_id", "task__document__doc_id", "relevance")
    frame = pd.DataFrame(list(rows.values_list(*names, "task__known_grade__relevance", "judged_at")), columns=columns)
    frame = frame.astype({"relevance": "Int64", "known": "int64"})
    frame["judged_at"] = pd.to_datetime(frame["judged_at"], utc=True)
    frame.insert(5, "hit", (frame["relevance"] == frame["known"]).fillna(False).astype("int64"))
    return frame


def accuracy_over_time(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the share of hits of each judge in windows of ten checks, in the order of judging.

    The columns are judge, window (from 1), first_at, last_at, n, hits and accuracy.
    """
    numbered = frame.assign(window=frame.groupby("judge").cumcount() // WINDOW + 1)
    windows = numbered.groupby(["judge", "window"], as_index=False).agg(
        first_at=("judged_at", "first"), last_at=("judged_at", "last"), n=("hit", "size"), hits=("hit", "sum")
    )
    return windows.assign(accuracy=(windows["hits"] / windows["n"]).astype("Float64"))


FIGURES = ("percent_agreement", "pooled_kappa", "cohen_kappa")
RULES = ("practice", "practice_measure", "practice_threshold", "hidden_checks")


@dataclass(frozen=True)
class KnownDocument:
    """A document with a known grade. `judged` counts the people who judged it for this use."""

    pk: int
    task: int
    use: str
    query_id: str
    doc_id: str
    relevance: int
    explanation: str
    is_pooled: bool
    judged: int


def known_documents(collection: Collection) -> list[KnownDocument]:
    rows = KnownGrade.objects.filter(task__topic__collection=collection).order_by("use", "pk")
    kinds = Q(pk__in=[])
    for use, kind in KINDS.items():
        kinds |= Q(use=use, task__judgements__repeat=kind, task__judgements__state__in=SETTLED)
    names = {"query_id": F("task__topic__query_id"), "doc_id": F("task__document__doc_id")}
    annotated = rows.annotate(
        judged=Count("task__judgements", filter=kinds), is_pooled=Q(task__provenance__isnull=False)
    )
    fields = ("pk", "task", "use", "relevance", "explanation", "judged", "is_pooled")
    return [KnownDocument(**row) for row in annotated.values(*fields, **names)]


def people_frame(collection: Collection) -> "pd.DataFrame":
    """Return the practice of every assessor who can sign in.

    The columns are judge, documents (assigned), done, hits, P(A), pooled and unpooled kappa with the known grades
    (documents that could not be judged count for no coefficient), each with its reason if it is undefined, and state.
    """
    names = [member.name for member in active_assessors(collection)]
    frame = _against_known(collection, JudgementKind.PRACTICE).set_index("judge").reindex(names).reset_index()
    assigned = Assignment.objects.filter(member__collection=collection, repeat=JudgementKind.PRACTICE)
    counts = dict(assigned.order_by().values_list("member__name").annotate(Count("pk")))
    admitted = dict(Admission.objects.filter(member__collection=collection).values_list("member__name", "below"))
    frame.insert(1, "documents", [counts.get(name, 0) for name in names])
    for column in ("done", "hits"):
        frame[column] = frame[column].fillna(0).astype("int64")
    rows = zip(names, frame["documents"], frame["done"], strict=True)
    frame["state"] = [_state(collection, admitted.get(name), documents, done) for name, documents, done in rows]
    return frame


def _state(collection: Collection, below: bool | None, documents: int, done: int) -> str:
    if below is not None:
        return "below the threshold" if below else "admitted"
    if collection.practice == PracticeRule.OFF:
        return "may judge"
    return "waits for admission" if documents and done == documents else "practises" if done else "has not begun"


def checks_table(collection: Collection, query_ids: Sequence[str] = ()) -> "pd.DataFrame":
    """Return the checks of every judge who judged one: the columns of `people_frame` without documents and state.

    With `query_ids`, only checks on these topics count.
    """
    return _against_known(collection, JudgementKind.CHECK, query_ids)


def _against_known(collection: Collection, kind: JudgementKind, query_ids: Sequence[str] = ()) -> "pd.DataFrame":
    import pandas as pd  # slow to import

    import agreement

    frame = known_and_given(collection, kind, query_ids)
    rows = []
    for judge, own in frame.groupby("judge"):
        graded = own[own["relevance"].notna()]
        matrix = [graded["relevance"].astype("int64").tolist(), graded["known"].tolist()]
        ratings = agreement.Ratings.from_matrix(matrix, scale_of(collection), axis="assessors")
        estimates = [getattr(agreement, name)(ratings) for name in FIGURES]
        figures = [each for estimate in estimates for each in (estimate.value, estimate.reason)]
        rows.append([judge, len(own), int(own["hit"].sum()), *figures])
    columns = ["judge", "done", "hits", *(f"{name}{end}" for name in FIGURES for end in ("", "_reason"))]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(FIGURES, "Float64"))


def change_calibration(collection: Collection, actor: User | None = None, **rules: Any) -> None:
    """Change the rules of practice and checks. Those who judged before the practice begins are admitted."""
    if unknown := rules.keys() - set(RULES):
        raise Refused(f"There is no rule {shown(min(unknown))}.")
    if not 0 <= (threshold := rules.get("practice_threshold", 0)) <= 1:
        raise Refused(f"The threshold must be between 0 and 1, not {threshold:g}.")
    _check_documents(collection, rules)
    with transaction.atomic():
        lock_active(collection)
        begins = collection.practice == PracticeRule.OFF and rules.get("practice", PracticeRule.OFF) != PracticeRule.OFF
        for name, value in rules.items():
            setattr(collection, name, value)
        collection.save(update_fields=list(rules))
        if begins:
            admit_experienced(collection)
        audit.record(Action.CALIBRATION_CHANGED, actor=actor, collection=collection, details=rules)


def _check_documents(collection: Collection, rules: dict[str, Any]) -> None:
    """Refuse practice or checks without documents."""
    needed = {
        KnownGrade.Use.PRACTICE: rules.get("practice", PracticeRule.OFF) != PracticeRule.OFF,
        KnownGrade.Use.CHECK: rules.get("hidden_checks", False),
    }
    for use, is_needed in needed.items():
        if is_needed and not KnownGrade.objects.filter(task__topic__collection=collection, use=use).exists():
            raise Refused(f"There are no documents for {use.label} yet. Add some first.")


def below_threshold(collection: Collection) -> list[str]:
    """Return the pseudonyms of the assessors whose practice is below the threshold and whom nobody admitted."""
    if collection.practice == PracticeRule.OFF:
        return []
    continuing = Admission.objects.filter(member__collection=collection, below=True)
    return sorted({*continuing.values_list("member__name", flat=True), *waiting(collection)})


def waiting(collection: Collection) -> list[str]:
    """Return the pseudonyms of the assessors who have practised and wait until a researcher admits them."""
    own = Assignment.objects.filter(
        member__collection=collection, member__admission=None, repeat=JudgementKind.PRACTICE
    )
    left = Count("pk", filter=~Q(state__in=SETTLED))
    rows = own.order_by().values_list("member__name").annotate(left=left)
    return sorted(name for name, number in rows if not number)
