"""The leaderboard: the systems by several measures under one gold."""

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render

from assess.models import Member
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.shift import named_tables
from assess.web.research.shift.drawing import wait_for_figures
from assess.web.research.shift.page import refused, shift_page, shown_figure, shown_table
from assess.web.research.shift.source import Source
from assess.web.research.views import figures_view
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd


@figures_view
@refusals_shown_by(refused)
def leaderboard(request: SignedInRequest, member: Member) -> HttpResponse:
    """The systems by several measures under the reference."""
    return leaderboard_page(request, Source.from_request(request, member))


def leaderboard_page(request: SignedInRequest, source: Source) -> HttpResponse:
    query = {"measures": source.measures}
    sentence = best_sentence(source.leaderboard())
    wait_for_figures(source, "leaders")
    content = {
        "sentence": sentence,
        "preliminary": source.preliminary(),
        "figure": shown_figure(source, "leaders", query),
        "leaders": shown_table(source, named_tables.leaderboard(source), query=query),
        "chosen": source.measures,
    }
    return render(request, "research/shift/leaderboard.html", shift_page(request, source, **content))


def best_sentence(board: "pd.DataFrame") -> str:
    """Return which system is best by the first measure, and how many others may be."""
    measure = board.attrs["measures"][0]
    best, group = board.iloc[0], board[f"{measure}_is_in_best_group"].fillna(False)
    others = int(group.sum()) - 1
    if len(board) == 1:
        return f"{best['system']} is the only system: {measure} {best[measure]:.3f}."
    rest = f"{count(others, 'other system')} {'does' if others == 1 else 'do'} not differ significantly from it"
    rest = rest if others else "all others are significantly worse"
    return f"{best['system']} has the best {measure}, {best[measure]:.3f}; {rest}."
