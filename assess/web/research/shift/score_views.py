"""The page of a ranking shift from a table of scores, when the runs are gone. Nothing is stored."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from assess.access import RESEARCHERS, member_view
from assess.analysis.figures import inline_svg
from assess.analysis.thresholds import changed_thresholds, site_thresholds, thresholds_of
from assess.errors import Refused, as_sentence
from assess.models import Member
from assess.transfer.uploads.receive import MAX_PASTED
from assess.web.figures.shown import ShownTable
from assess.web.requests import RefusingForm, SignedInRequest, refusals_shown_by
from assess.web.research.shift.page import base_page, navigation
from assess.web.research.shift.tables import SYSTEM, column, page_table
from pooling.errors import FormatError

if TYPE_CHECKING:
    from agreement import RankingShift

MAX_ROWS = 50_000
MAX_SYSTEMS, MAX_VIEWS = 200, 20  # every two of them are compared


class ScoresForm(RefusingForm):
    """A pasted table, and how it is read."""

    scores = forms.CharField(max_length=MAX_PASTED, strip=False, widget=forms.Textarea, label="Table of scores")
    gold = forms.CharField(max_length=100, required=False, label="Gold, if the table has no column gold")
    reference = forms.CharField(max_length=200, required=False, label="Reference gold (the first, if empty)")
    min_topics = forms.IntegerField(min_value=1, required=False, label="Topics that an answer needs")
    missing = forms.FloatField(required=False, label="Score of a topic that a system lacks")


def _refused(request: HttpRequest, member: Member, refusal: Refused, **_: Any) -> HttpResponse:
    page = _page(request, member, ScoresForm(request.POST)) | {"refusal": refusal}
    return render(request, "research/shift/scores.html", page, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def scores(request: SignedInRequest, member: Member) -> HttpResponse:
    """Show the form, and the shift of a pasted table."""
    needed = thresholds_of(request.GET)
    form = ScoresForm(request.POST if request.method == "POST" else None, initial={"min_topics": needed.min_topics})
    changed = changed_thresholds(needed)
    page = _page(request, member, form, f"?{urlencode(changed)}" if changed else "")
    if request.method == "POST":
        page |= _shown(_shift(form.cleaned()))
    return render(request, "research/shift/scores.html", page)


def _page(request: HttpRequest, member: Member, form: ScoresForm, query: str = "") -> dict[str, Any]:
    return base_page(request, member) | {"nav": navigation(member, request, query), "form": form}


def _shift(values: dict[str, Any]) -> "RankingShift":
    from agreement import shift_from_scores  # loads pandas
    from agreement.shift.score_files import read_scores

    try:
        table = read_scores(values["scores"].encode(), values["gold"] or None, name="The table")
        _check_size(table)
        least = values["min_topics"] or site_thresholds().min_topics
        reference = values["reference"] or None
        return shift_from_scores(table, reference=reference, missing=values["missing"], min_topics=least)
    except (FormatError, ValueError) as error:
        raise error if isinstance(error, Refused) else Refused(as_sentence(error)) from None


def _check_size(table: Any) -> None:
    views = len(table[["gold", "measure"]].drop_duplicates())
    numbers = {"rows": (len(table), MAX_ROWS), "systems": (table["system"].nunique(), MAX_SYSTEMS)}
    for what, (number, most) in (numbers | {"golds and measures": (views, MAX_VIEWS)}).items():
        if number > most:
            allowed = f"at most {most:,} are compared here. The command assay shift --scores compares more."
            raise Refused(f"The table has {number:,} {what}; {allowed}")


def _shown(shift: "RankingShift") -> dict[str, Any]:
    several = len(shift.golds) > 1
    compared = {"slope": _slope(shift), "pairs": _pairs(shift)} if several else {}
    return {"summary": shift.summary(), "needed": shift.thresholds.tag(), "ranks": _ranks(shift)} | compared


def _slope(shift: "RankingShift") -> SafeString:
    from agreement import plots  # loads matplotlib

    return inline_svg(plots.slope_chart(shift), "Slope chart of the systems' ranks under two golds")


def _ranks(shift: "RankingShift") -> ShownTable:
    columns = [column("gold", "gold", is_text=True), SYSTEM]
    columns += [column("n_topics", "topics"), column("score", "score", 3), column("rank", "rank")]
    columns += [column("change", "change")]
    caption = f"Ranks and scores under each gold. The change is from {shift.reference}, on the topics of both."
    return ShownTable(page_table("score-ranks", caption, columns, shift.ranks), [])


def _pairs(shift: "RankingShift") -> ShownTable:
    columns = [column("gold_a", "gold", is_text=True), column("gold_b", "and", is_text=True)]
    columns += [column("n_topics", "topics"), column("tau_b", "tau_b", 3, "tau_b_reason")]
    columns += [column("tau_ap_b", "tau_AP", 3, "tau_ap_b_reason"), column("rbo", "RBO", 3, "rbo_reason")]
    columns += [column("swapped", "swapped"), column("n_pairs", "system pairs")]
    columns += [
        column("top_a", "best under the first", is_text=True),
        column("top_b", "best under the second", is_text=True),
    ]
    caption = "Coefficients between the rankings under two golds, on the topics that both contain."
    return ShownTable(page_table("score-pairs", caption, columns, shift.tables()["pairs"]), [])
