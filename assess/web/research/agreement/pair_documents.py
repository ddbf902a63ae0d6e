"""The documents on which two judges differ most, with links to them."""

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from django.http import QueryDict
from django.urls import reverse

from assess.adjudication.openings import record_openings, unseen_to_decide
from assess.collections.scale import scale_of
from assess.models import Member
from assess.web.research.agreement.page_tables import Viewer

if TYPE_CHECKING:
    from assess.analysis.documents.rows import ListedDocument

SHOWN = 5
READ = 50  # of the most disputed documents of the pair, by all judges


class PairDocument(NamedTuple):
    """A document with the grades of both judges, and its address."""

    row: "ListedDocument"
    grade_a: int
    grade_b: int
    url: str


def differing_documents(member: Member, viewer: Viewer, a: str, b: str) -> list[PairDocument]:
    """Return the documents on which the grades of two judges are farthest apart, without those that the member decides.

    The member sees grades, so the documents count as opened. Instructors, who may not open documents, get none.
    """
    address = urlsplit(viewer.documents(judge_a=a, judge_b=b))
    if not address.path:
        return []
    from assess.analysis.documents.filters import choices_for, read_filter  # loads pandas
    from assess.analysis.documents.listing import listed
    from assess.analysis.documents.rows import listed_rows

    wanted = read_filter(QueryDict(address.query), choices_for(member.collection))
    chosen = listed(member.collection, wanted, unseen_to_decide(member))
    found = [_of_pair(row, a, b, address.query, member) for row in listed_rows(chosen[:READ])]
    position = scale_of(member.collection).index
    differing = [document for document in found if document and document.grade_a != document.grade_b]
    shown = sorted(differing, key=lambda each: -abs(position(each.grade_a) - position(each.grade_b)))[:SHOWN]
    record_openings(member, [document.row.task for document in shown])
    return shown


def _of_pair(row: "ListedDocument", a: str, b: str, query: str, member: Member) -> PairDocument | None:
    """Return a row with the grades of both judges; None if one gave no grade."""
    grades = {judge: grade for grade, judges in row.grades for judge in judges}
    if a not in grades or b not in grades:
        return None
    url = reverse("research:document", args=[member.collection.slug, row.task])
    return PairDocument(row, grades[a], grades[b], f"{url}?{query}")
