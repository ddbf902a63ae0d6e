"""Signing in, from its own page or from within a page that is open; and the first page afterwards."""

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView
from django.http import JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assess.teaching.seats import current_seat

WRONG = "That name and password do not belong together. Both are told apart by capital and small letters."


@method_decorator(login_not_required, name="dispatch")
class SignIn(LoginView):
    """The sign-in page; a page's script, which asks for JSON, learns who is signed in and can sign its user in."""

    template_name = "account/sign_in.html"
    extra_context = {"wrong": WRONG}

    def get(self, request, *args, **kwargs):
        if self.is_script:
            return JsonResponse({"user": request.user.pk, "csrf": get_token(request)})
        return super().get(request, *args, **kwargs)

    def form_valid(self, form):
        signed_in = super().form_valid(form)
        return JsonResponse({"ok": True}) if self.is_script else signed_in

    def form_invalid(self, form):
        return JsonResponse({"error": WRONG}, status=400) if self.is_script else super().form_invalid(form)

    @property
    def is_script(self) -> bool:
        return self.request.accepts("application/json") and not self.request.accepts("text/html")


@require_safe
@never_cache
def home(request):
    """The collections of the person who signed in, each with what their role does there; a student goes to the seat."""
    if seat := current_seat(request.user):
        return redirect("join:seat", code=seat.exercise.code)
    memberships = request.user.memberships.select_related("collection").order_by("collection__name")
    return render(request, "account/home.html", {"memberships": memberships})
