"""The page on model judges: what they are, and how far they agree with people. Pandas is imported inside the views."""

from collections.abc import Callable, Set
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from assess.access import RESEARCHERS, member_view
from assess.analysis.query import set_choices, suggested_measures
from assess.analysis.thresholds import site_thresholds
from assess.collections.topic_sets import describe_set, sets_by_topic
from assess.errors import Refused
from assess.model_judges.choices import ModelChoices, choices_of
from assess.model_judges.forms import DrawForm
from assess.model_judges.trust_figures import FIGURES
from assess.model_judges.trust_views import TABLES, asked_report, trust_part
from assess.models import Member, TopicSet
from assess.transfer.judge_record import zeros_warnings
from assess.web.figures.page import Asked, Page
from assess.web.figures.shown import ShownTable, table_files
from assess.web.figures.tables import Column, Row, Table
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.views import figures_view_for, refused_page
from assess.web.research.waiting import render_waiting
from assess.web.undoable import undoable
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

OF_RECORD = ("model", "prompt_version", "parameters", "graded_on")  # not shown if they are unknown for all models
CAPTION = (
    "n is the number of documents with a grade of the model and in the gold of people. All topics count in one table. "
    "Kappas compare all grades, and do not count them as relevant or not. "
    "± is the farther limit of a 95% interval: a jackknife that leaves out each topic once."
)


@figures_view_for(RESEARCHERS)
def model_judges(request: SignedInRequest, member: Member) -> HttpResponse:
    """Every model judge, with its record and its agreement with people."""
    from assess.model_judges.listing import models_frame  # loads pandas

    collection = member.collection
    choices = choices_of(request.GET, collection)
    sets = set(sets_by_topic(collection).values())
    table = _table(member, choices, models_frame(collection, choices))
    files = table_files("model_judges_table", collection.slug, query=choices.query())
    page = {
        "collection": collection,
        "member": member,
        "here": "model_judges",
        "choices": choices,
        "sets": set_choices(sets),
        "topic_set": describe_set(choices.topic_set, choices.topics),
        "held_out": _held_out_address(choices, sets),
        "measures": suggested_measures(collection),
        "shown": ShownTable(table, files) if table.n_rows else None,
        "answer": answer(choices, table.data),
        "shift": _shift_address(member, choices),
        "warnings": zeros_warnings(collection),
        "form": DrawForm(auto_id="draw_%s"),
        "has_pool": collection.pool_buildings.exists(),
    }
    page |= trust_part(request, member, choices)
    return render_waiting(request, "research/model_judges/model_judges.html", page)


def answer(choices: ModelChoices, frame: "pd.DataFrame") -> str:
    """Return one sentence about the agreement of the chosen model with people; empty without a common document."""
    import pandas as pd

    found = frame[(frame["judge"] == choices.judge) & (frame["n"] > 0)]
    if found.empty:
        return ""
    row: dict[str, Any] = {str(name): None if pd.isna(value) else value for name, value in found.iloc[0].items()}
    documents = f"{count(int(row['n']), 'document')} of {count(int(row['topics']), 'topic')}"
    needed = site_thresholds()
    if row["topics"] < needed.min_topics or row["n"] < needed.min_documents:
        both = f"{choices.judge} and {choices.people} have {documents} in common"
        enough = f"{count(needed.min_topics, 'topic')} and {count(needed.min_documents, 'document')}"
        return f"Too early to say: {both}. An answer needs {enough}."
    low, high = (row[f"pooled_kappa_{end}"] for end in ("low", "high"))
    interval = "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"
    kappa = Column("pooled_kappa", "").text(row)
    return f"Pooled kappa of all grades of {choices.judge} and {choices.people} is {kappa}{interval} on {documents}."


def _table(member: Member, choices: ModelChoices, frame: "pd.DataFrame") -> Table:
    slug = member.collection.slug

    def record(row: Row) -> str:
        return reverse("research:imported_judge", args=[slug, row["pk"]])

    columns = (
        Column("judge", "judge", "text", record),
        Column("model", "model", "text"),
        Column("prompt_version", "prompt version", "text"),
        Column("parameters", "parameters", "text"),
        Column("graded_on", "date", "text"),
        Column("judged", "grades", "count"),
        Column("n", "n", "count"),
        Column("topics", "topics", "count"),
        Column("pooled_kappa", "pooled kappa"),
        Column("cohen_kappa", "unpooled (Cohen)"),
        Column("bias", "bias"),
    )
    against = f" Compared with {choices.people}." if choices.people else ""
    known = tuple(column for column in columns if column.name not in OF_RECORD or frame[column.name].any())
    return Table("judges", frame, known, CAPTION + against)


def _shift_address(member: Member, choices: ModelChoices) -> str:
    """Return the address of the ranking under the model and under people; empty if one of them is missing."""
    if not (choices.judge and choices.people):
        return ""
    query = {
        "measure": choices.measure,
        "golds": [choices.people, f"judge:{choices.judge}"],
        "reference": choices.people,
        "against": f"judge:{choices.judge}",
        "set": choices.topic_set,
    }
    known = {name: value for name, value in query.items() if value}
    return f"{reverse('research:shift', args=[member.collection.slug])}?{urlencode(known, doseq=True)}"


def _held_out_address(choices: ModelChoices, sets: Set[str]) -> str:
    """The address of the page on the topics of the test set; empty if there is none, or a set is chosen."""
    return "" if choices.topic_set or TopicSet.TEST not in sets else choices.query(set=TopicSet.TEST)


def _judges_file(asked: Asked) -> Table:
    from assess.model_judges.listing import models_frame  # loads pandas

    choices = choices_of(asked.request.GET, asked.member.collection)
    return _table(asked.member, choices, models_frame(asked.member.collection, choices))


def _trust_file(make: Callable[..., Table | None]) -> Callable[[Asked], Table | None]:
    return lambda asked: make(*asked_report(asked))


def _trust_figure(draw: Callable[..., bytes]) -> Callable[[Asked, str], bytes]:
    return lambda asked, kind: draw(*asked_report(asked), kind)


MODEL_JUDGES = Page(
    file="model-{name}",
    tables={"judges": _judges_file, **{name: _trust_file(make) for name, make in TABLES.items()}},
    figures={name: _trust_figure(draw) for name, draw in FIGURES.items()},
)


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return refused_page(request, member, refusal)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def draw(request: SignedInRequest, member: Member) -> HttpResponse:
    """Draw documents of the pool for people."""
    from assess.model_judges.draw import draw_for_people  # loads pandas

    values = DrawForm(request.POST).cleaned()
    result, building = draw_for_people(member.collection, values["per_topic"], seed=values["seed"], actor=request.user)
    text = f"Drew {count(result.drawn, 'document')} in {count(result.topics, 'topic')} with seed {result.seed}."
    address = reverse("research:undo_pool", args=[member.collection.slug])
    undoable(request, text, address, [("building", building.pk)])
    if values["judges"]:
        _assign(request, member, values["judges"])
    return redirect("research:model_judges", member.collection.slug)


def _assign(request: SignedInRequest, member: Member, judges: int) -> None:
    """Assign what was drawn, and say what was assigned. A refusal leaves the draw as it is."""
    from assess.model_judges.draw import assign_drawn  # loads pandas

    try:
        result = assign_drawn(member.collection, judges)
    except Refused as refusal:
        messages.warning(request, f"The drawn documents were not assigned. {refusal}")
        return
    assignments = count(result.added, "assignment")
    messages.success(request, f"Added {assignments} of drawn documents. Undoing the draw does not remove them.")
