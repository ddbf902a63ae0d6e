"""The hosts that the site may ask, for site owners."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from assess.errors import Refused
from assess.hosts import allow_host, remove_host
from assess.models import AllowedHost
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.site_owners import site_owner_view


def _hosts_page(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    page = {
        "here": "hosts",
        "hosts": AllowedHost.objects.select_related("added_by"),
        "typed": request.POST.get("host", ""),
        "refusal": refusal,
    }
    return render(request, "site/hosts.html", page, status=400 if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@site_owner_view
@refusals_shown_by(_hosts_page)
def hosts(request: SignedInRequest) -> HttpResponse:
    """The allowed hosts. A POST adds one."""
    if request.method != "POST":
        return _hosts_page(request)
    row = allow_host(request.POST.get("host", ""), request.user)
    messages.success(request, f"{row.host} is allowed.")
    return redirect("site:hosts")


@require_POST
@site_owner_view
@refusals_shown_by(_hosts_page)
def remove(request: SignedInRequest) -> HttpResponse:
    """Remove a host."""
    host = request.POST.get("host", "")
    remove_host(host, request.user)
    messages.success(request, f"{host} is no longer allowed.")
    return redirect("site:hosts")
