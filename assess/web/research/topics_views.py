"""The page of a collection's topics: which of them belong to the development set, and which to the test set."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assess.access import RESEARCHERS, member_view
from assess.collections.topic_sets import NO_SET, count_sets, set_topics
from assess.errors import Refused
from assess.models import Collection, Member, TopicSet
from assess.web.figures.page import Asked, Page
from assess.web.figures.tables import Table
from assess.web.requests import RefusingForm, refusals_shown_by
from assess.web.undoable import earlier_value, undoable
from pooling.words import count

MOST_TEXT = 2_000_000  # characters of pasted ids


class SetForm(RefusingForm):
    """The topics that change their set: those that are checked, and those whose ids are pasted."""

    name = forms.ChoiceField(label="Set", choices=[*TopicSet.choices, (NO_SET, "no set")])
    query_ids = forms.CharField(
        label="Ids of topics",
        required=False,
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 40, "spellcheck": "false"}),
        help_text="Separated by spaces or line breaks.",
    )


def _refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    page = _page(member, SetForm(request.POST, auto_id="set_%s")) | {"refusal": refusal}
    page["checked"] = set(request.POST.getlist("topic"))
    return render(request, "research/topics/topics.html", page, status=400)


@require_safe
@member_view(RESEARCHERS)
def topics(request: HttpRequest, member: Member) -> HttpResponse:
    """All topics with their sets, and the form that changes sets."""
    return render(request, "research/topics/topics.html", _page(member, SetForm(auto_id="set_%s")))


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_refused)
def change_set(request: HttpRequest, member: Member) -> HttpResponse:
    """Put the chosen topics into a set, or into none."""
    values = SetForm(request.POST).cleaned()
    query_ids = [*request.POST.getlist("topic"), *values["query_ids"].split()]
    chosen = set(query_ids)
    before = {query_id: name or NO_SET for query_id, _, name in _rows(member) if query_id in chosen}
    result = set_topics(member.collection, query_ids, values["name"])
    same = f" {result.same:,} did already." if result.same else ""
    verb = "belongs" if result.changed == 1 else "belong"
    where = "no set" if values["name"] == NO_SET else f"the {TopicSet(values['name']).label}"
    text = f"{count(result.changed, 'topic')} now {verb} to {where}.{same}"
    if earlier := earlier_value(before, values["name"]):
        address = reverse("research:set_topics", args=[member.collection.slug])
        undoable(request, text, address, [("name", earlier[0]), *(("topic", each) for each in earlier[1])])
    else:
        messages.success(request, text)
    return redirect("research:topics", member.collection.slug)


def _rows(member: Member) -> list[tuple[str, str, str | None]]:
    rows = member.collection.topics.order_by("pk").values_list("query_id", "title", "in_set__name")
    return list(rows)


def _table(asked: Asked) -> Table:
    """All topics with their sets."""
    import pandas as pd  # slow to import

    return Table("topics", pd.DataFrame(_rows(asked.member), columns=["query_id", "title", "set"]))


TOPICS = Page(tables={"topics": _table})


def _page(member: Member, form: SetForm) -> dict[str, Any]:
    collection: Collection = member.collection
    rows = _rows(member)
    return {
        "here": "topics",
        "collection": collection,
        "member": member,
        "form": form,
        "rows": rows,
        "total": len(rows),
        "counts": count_sets(name or "" for _, _, name in rows),
        "checked": set(),
    }
