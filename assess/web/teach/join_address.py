"""The address where students join, as the class screen shows it."""

from dataclasses import dataclass
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.urls import reverse

from assess.models import Exercise
from assess.web.qr_code import qr_code


@dataclass(frozen=True)
class JoinAddress:
    """`link` leads to the exercise, and `short` is to be typed. `is_local` if no other device can open them."""

    link: str
    short: str
    is_local: bool

    @property
    def qr(self) -> str:
        return qr_code(self.link, scale=8)


def join_address(request: HttpRequest, exercise: Exercise) -> JoinAddress:
    """Return the address on the host of the request, or on this computer's network address if the host is loopback."""
    is_local = _is_loopback(request.get_host())
    origin = settings.CLASSROOM_ORIGIN if is_local else ""
    origin = origin or f"{request.scheme}://{request.get_host()}"
    link = origin + reverse("join:nickname", args=[exercise.code])
    short = origin.partition("://")[2] + reverse("join:code")
    return JoinAddress(link, short, is_local and not settings.CLASSROOM_ORIGIN)


def _is_loopback(host: str) -> bool:
    name = split_domain_port(host)[0].strip("[]")
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
