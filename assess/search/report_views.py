"""What searching added beyond the runs: the report, its tables as CSV, and the documents behind its counts."""

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from assess.access import RESEARCHERS
from assess.adjudication.openings import record_openings, unseen_to_decide
from assess.analysis.query import set_choices, suggested_measures
from assess.collections.topic_sets import describe_set, sets_by_topic, topics_in_set
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.models import Member
from assess.search.report_options import PARTS, checked_rule, rules_for
from assess.web.figures.page import Asked, MakeTable, Page
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest
from assess.web.research.documents.views import documents_view
from assess.web.research.views import figures_view_for
from pooling.errors import shown
from pooling.words import count

if TYPE_CHECKING:
    from assess.search.found_documents import FoundDocument
    from assess.search.report import SearchReport

MAX_MEASURE_LENGTH = 60
PAGE_SIZE = 100  # documents
WHICH = {  # the kind of documents that are counted, and what was done with them by a searcher
    "opened": ("document", "opened by {}"),
    "judged": ("document", "opened and judged by {}"),
    "relevant": ("relevant document", "opened by {}"),
    "only": ("relevant document", "found only by searching"),
    "unique": ("relevant document", "found by {} and nobody else"),
    "added": ("judged document", "found only by searching"),
}


@figures_view_for(RESEARCHERS)
def report(request: SignedInRequest, member: Member) -> HttpResponse:
    """The report under a gold (`?gold=`) and a measure (`?measure=`), of one set of topics with `?set=`."""
    return render(request, "research/search/report.html", _context(request, member))


def _part(name: str) -> MakeTable:
    def make(asked: Asked) -> Table:
        from assess.search.report_tables import report_table  # loads pandas

        computed, hidden = _report(asked.request, asked.member), unseen_to_decide(asked.member)
        if name == "documents":
            tasks = [each.task for each in computed.documents if each.task not in hidden]
            for start in range(0, len(tasks), BATCH):
                record_openings(asked.member, tasks[start : start + BATCH])
        return Table(name, report_table(computed, name, hidden))

    return make


SEARCH_REPORT = Page(file="search-{name}", tables={part: _part(part) for part in PARTS})


@documents_view
def report_documents(request: SignedInRequest, member: Member) -> HttpResponse:
    """The documents behind a count of the report: `?which=`, of a `?searcher=` or a `?topic=`, on pages."""
    page = _context(request, member)
    hidden = unseen_to_decide(member)
    chosen = [each for each in _chosen(request, page["report"]) if each.task not in hidden]
    pages = Paginator(chosen, PAGE_SIZE).get_page(request.GET.get("page"))
    record_openings(member, [each.task for each in pages.object_list])
    page |= {
        "documents": pages.object_list,
        "pages": pages,
        "sentence": _sentence(request, len(chosen)),
        "hidden": len(hidden),
    }
    return render(request, "research/search/report_documents.html", page)


def _context(request: SignedInRequest, member: Member) -> dict[str, Any]:
    rules = rules_for(member.collection)
    computed, measures = _report(request, member), suggested_measures(member.collection)
    name = computed.topic_set
    return {
        "collection": member.collection,
        "member": member,
        "here": "search",
        "report": computed,
        "measures": measures if computed.measure in measures else [computed.measure, *measures],
        "rules": [(rule, f"{rule} ({meaning})") for rule, meaning in rules.items()],
        "reference_sentence": f"Gold: {computed.rule}, {rules[computed.rule]}.",
        "sets": set_choices(sets_by_topic(member.collection).values()),
        "chosen_set": name,
        "topic_set": describe_set(name, topics_in_set(member.collection, name)),
    }


def _report(request: SignedInRequest, member: Member) -> "SearchReport":
    from assess.search.report import report_or_pending  # loads pandas

    measure = (request.GET.get("measure") or suggested_measures(member.collection)[0])[:MAX_MEASURE_LENGTH]
    rule = checked_rule(request.GET.get("gold"), rules_for(member.collection))
    return report_or_pending(member.collection, request.user, measure, rule, request.GET.get("set", ""))


def _which(request: HttpRequest) -> str:
    which = request.GET.get("which") or next(iter(WHICH))
    if which not in WHICH:
        raise Refused(f"which must be one of {', '.join(WHICH)}, not {which[:20]!r}.")
    return which


def _chosen(request: HttpRequest, computed: "SearchReport") -> "list[FoundDocument]":
    """Return the documents that the query string chooses."""
    which, searcher, topic = _which(request), request.GET.get("searcher", ""), request.GET.get("topic", "")
    if searcher and searcher not in [row.name for row in computed.searchers]:
        raise Refused(f"searcher must be somebody who has searched, not {shown(searcher)}.")
    if topic and topic not in [row.query_id for row in computed.topics]:
        raise Refused(f"topic must be the query_id of a topic of the report, not {shown(topic)}.")
    return [
        each
        for each in computed.documents
        if topic in ("", each.query_id) and (not searcher or searcher in each.searchers) and _is(each, which, searcher)
    ]


def _sentence(request: HttpRequest, total: int) -> str:
    """Say what the chosen documents are, and how many there are."""
    noun, done = WHICH[_which(request)]
    searcher, topic = request.GET.get("searcher", ""), request.GET.get("topic", "")
    if searcher and "{}" not in done:
        done += " and opened by {}"
    words = f"{count(total, noun, zero='no')} {'was' if total < 2 else 'were'} {done.format(searcher or 'a searcher')}."
    return f"For topic {topic}, {words}" if topic else words[0].upper() + words[1:]


def _is(document: "FoundDocument", which: str, searcher: str) -> bool:
    is_of = {
        "opened": bool(document.searchers),
        "judged": searcher in document.judges if searcher else bool(document.judges),
        "relevant": document.is_relevant and bool(document.searchers),
        "only": document.is_relevant and document.is_only,
        "unique": document.is_unique,
        "added": document.is_only,
    }
    return is_of[which]
