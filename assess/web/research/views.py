"""The researcher's pages: the collection, how far its judges agree, and what that does to the ranking.

`agreeing`, `shifting` and `releasing` load pandas; they are imported where they are used, so that the processes that
only serve judging never pay for it.
"""

import csv
from functools import wraps

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from assess.access import READERS, RESEARCHERS, member_view
from assess.analysis.query import relevance_threshold, suggested_measures, threshold_choices
from assess.collections import lowest_relevant_grade
from assess.errors import Refused
from assess.judging.judgement_csv import harmless
from assess.models import Member, Role
from assess.overview import overview
from assess.pools.build import missing_documents
from assess.teaching import clock

FIGURE_TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf"}


def refusals_told(view):
    """What a domain module refuses becomes a page that says so (400)."""

    @wraps(view)
    def told(request, member, **arguments):
        try:
            return view(request, member, **arguments)
        except Refused as refusal:
            page = {"collection": member.collection, "member": member, "refusal": refusal}
            return render(request, "research/refused.html", page, status=400)

    return told


def figures_view(view):
    """A view of what the judges said; an instructor is refused that of an exercise which has not ended."""

    @require_safe
    @member_view(READERS)
    @refusals_told
    @wraps(view)
    def shown(request, member, **arguments):
        clock.check_figures(member)
        return view(request, member, **arguments)

    return shown


@require_safe
@member_view(RESEARCHERS)
def collection(request, member):
    """What is here, how far the judging is, and what to do next."""
    found = overview(member.collection)
    sentence, command = found.next_deed
    page = {
        "collection": member.collection,
        "member": member,
        "here": "collection",
        "overview": found,
        "next_sentence": sentence,
        "next_command": command.format(member.collection.slug),
        "rel": lowest_relevant_grade(member.collection),
    }
    return render(request, "research/collection.html", page)


@require_safe
@member_view(RESEARCHERS)
def lacking(_request, member):
    """The doc_ids of the pooled documents without text, one a line."""
    return _download(
        "".join(f"{doc_id}\n" for doc_id in missing_documents(member.collection)).encode(),
        "lacking.txt",
        "text/plain; charset=utf-8",
    )


@require_safe
@member_view(RESEARCHERS)
def judgements_csv(_request, member):
    """The raw judgements."""
    from assess.transfer.exports import export_judgements

    return _download(export_judgements(member.collection), f"{member.collection.slug}-judgements.csv")


@require_safe
@member_view(RESEARCHERS)
@refusals_told
def qrels(request, member):
    """A gold as qrels: `?gold=RULE`, and `&rel=N` for a binary one."""
    from assess.transfer.exports import export_qrels

    rel = relevance_threshold(request.GET, member.collection) if request.GET.get("rel") else None
    content = export_qrels(member.collection, request.GET.get("gold", "majority"), rel)
    return _download(content, f"{member.collection.slug}.qrels", "text/plain; charset=utf-8")


@figures_view
def agreement(request, member):
    """Every pair of judges, every topic, the average pair."""
    from assess.analysis.agreement import agreement_figures

    figures = agreement_figures(member.collection, relevance_threshold(request.GET, member.collection))
    ids = dict(member.collection.members.values_list("name", "pk"))
    page = _analysis_page(request, member, "agreement") | {
        "figures": figures,
        "pairs": [(row, ids[row.a], ids[row.b]) for row in figures.pairs],
    }
    return render(request, "research/agreement.html", page)


@figures_view
def agreement_csv(request, member):
    """The pairs' figures, unrounded."""
    from assess.analysis import agreement as agreeing

    frame = agreeing.pairwise(member.collection, relevance_threshold(request.GET, member.collection))
    return _table(frame, f"{member.collection.slug}-agreement.csv")


@figures_view
def pair(request, member, a, b):
    """Two judges' contingency table, worked out step by step."""
    from assess.analysis.agreement import pair_figures

    names = [_judge(member, pk).name for pk in (a, b)]
    if a == b:
        raise Http404
    figures = pair_figures(member.collection, *names, relevance_threshold(request.GET, member.collection))
    return render(request, "research/pair.html", _analysis_page(request, member, "agreement") | {"figures": figures})


@figures_view
def shift(request, member):
    """The systems ranked under every gold, side by side."""
    from assess.analysis.shift import collection_shift, shift_figures

    page = _analysis_page(request, member, "shift")
    page |= {"measures": suggested_measures(member.collection), "measure": _measure(request, member)}
    try:
        found = collection_shift(member.collection, page["measure"], reference=request.GET.get("reference") or None)
    except Refused as refusal:
        return render(request, "research/shift.html", page | {"refusal": refusal}, status=_status(request))
    page |= {"figures": shift_figures(found), "against": _against(request, found)}
    return render(request, "research/shift.html", page)


@figures_view
def shift_csv(request, member):
    """Scores and ranks of every system under every gold, unrounded."""
    from assess.analysis.shift import collection_shift

    found = collection_shift(
        member.collection, _measure(request, member), reference=request.GET.get("reference") or None
    )
    return _table(found.ranks, f"{member.collection.slug}-shift.csv")


@figures_view
def shift_figure(request, member, kind):
    """The slope chart of two golds, `?reference=` and `?against=`, as SVG or PDF."""
    from assess.analysis.shift import slope_chart

    if kind not in FIGURE_TYPES:
        raise Http404
    reference, against = request.GET.get("reference") or None, request.GET.get("against", "")
    content = slope_chart(member.collection, _measure(request, member), reference, against, kind)
    return HttpResponse(content, content_type=FIGURE_TYPES[kind])


def _analysis_page(request, member: Member, here: str) -> dict:
    return {
        "here": here,
        "collection": member.collection,
        "member": member,
        "rel": request.GET.get("rel") or str(lowest_relevant_grade(member.collection)),
        "rel_choices": threshold_choices(member.collection),
    }


def _measure(request, member: Member) -> str:
    return request.GET.get("measure") or suggested_measures(member.collection)[0]


def _against(request, found) -> str | None:
    """The gold that the chart sets beside the reference: the one asked for, else the one that differs most."""
    asked_for = request.GET.get("against")
    return asked_for if asked_for in found.others else found.farthest


def _judge(member: Member, pk: int) -> Member:
    return get_object_or_404(Member, pk=pk, collection=member.collection, role=Role.ASSESSOR)


def _status(request) -> int:
    """What was asked for in the address can be wrong (400); a collection that is not that far yet is no error."""
    return 400 if request.GET else 200


def _download(content: bytes, name: str, content_type: str = "text/csv; charset=utf-8") -> HttpResponse:
    return HttpResponse(
        content, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _table(frame, name: str) -> HttpResponse:
    response = _download(b"", name)
    writer = csv.writer(response, lineterminator="\n")
    writer.writerow(frame.columns)
    for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False):
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return response
