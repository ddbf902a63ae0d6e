"""The tokens with which one's scripts use the API."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from assess.errors import Refused
from assess.models import Collection, Scope, User
from assess.people.tokens import LONGEST_NAME, MOST_DAYS, USUAL_DAYS, create_token, revoke_token, tokens_of
from assess.web.requests import RefusingForm, SignedInRequest, refusals_shown_by


class TokenForm(RefusingForm):
    """What a new token is for, and what it allows."""

    name = forms.CharField(
        label="Name", max_length=LONGEST_NAME, help_text="What uses it, for example “import from the laptop”."
    )
    scope = forms.ChoiceField(
        label="Scope",
        choices=Scope.choices,
        initial=Scope.READ,
        help_text="It never allows more than your role in a collection does.",
    )
    days = forms.IntegerField(label="Valid for days", min_value=1, max_value=MOST_DAYS, initial=USUAL_DAYS)
    collections = forms.ModelMultipleChoiceField(
        Collection.objects.none(),
        label="Collections",
        required=False,
        to_field_name="slug",
        widget=forms.CheckboxSelectMultiple,
        help_text="None chosen: all of yours, also later ones.",
    )

    def __init__(self, user: User, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.fields["collections"].queryset = Collection.objects.filter(members__user=user).order_by("name")  # type: ignore[attr-defined]


def _page(request: SignedInRequest, refusal: Refused | None = None, text: str = "") -> HttpResponse:
    page = {
        "tokens": tokens_of(request.user),
        "form": TokenForm(request.user, request.POST) if refusal else TokenForm(request.user),
        "text": text,
        "refusal": refusal,
    }
    return render(request, "account/tokens.html", page, status=400 if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@refusals_shown_by(_page)
def tokens(request: SignedInRequest) -> HttpResponse:
    """The list of one's tokens, and a form for a new one. The text of a token is shown once, in the answer."""
    if request.method != "POST":
        return _page(request)
    values = TokenForm(request.user, request.POST).cleaned()
    chosen = list(values["collections"]) or None
    _, text = create_token(request.user, values["name"], values["scope"], values["days"], chosen)
    return _page(request, text=text)


@require_POST
@refusals_shown_by(_page)
def revoke(request: SignedInRequest) -> HttpResponse:
    """End the token that the form names."""
    text = request.POST.get("token", "")
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Refused("You have no such token, or it is revoked already.")
    revoke_token(request.user, int(text))
    messages.success(request, "The token is revoked.")
    return redirect("account:tokens")
