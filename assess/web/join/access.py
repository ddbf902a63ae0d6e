"""Access to the pages of a seat: only the student of that seat."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.functional import SimpleLazyObject

from assess.teaching.seats import current_seat
from assess.web.join import cookie
from assess.web.requests import View


def seat_view(view: View) -> View:
    """Decorate a view of a seat. The view gets the seat in the exercise of the URL's code instead of the code.

    If the session is gone but the browser's cookie holds the seat, the student is signed in again. Visitors without a
    seat are redirected to the page where they can join. Users with an account get a 404.
    """

    @login_not_required
    @wraps(view)
    def guarded(request: HttpRequest, code: str, **arguments: str) -> HttpResponseBase:
        seat = current_seat(request.user)
        if seat is not None and seat.exercise.code == code:
            return view(request, seat, **arguments)
        if request.user.is_authenticated and seat is None and request.user.has_usable_password():
            raise Http404
        has_no_seat = request.user.is_authenticated and seat is None
        # The session may belong to a seat in an expired exercise, and the browser may hold another seat.
        token = cookie.held_token(request, code)
        if token is None and has_no_seat:
            raise Http404
        if token is None:
            return redirect("join:nickname", code=code)
        cookie.sign_in_again(request, token)
        return view(request, token.seat, **arguments)

    return guarded


class SeatMiddleware:
    """Signs students in again on the judging pages if their session is gone and their cookie holds a seat.

    Students have no password that they could be asked for. The middleware runs after the CSRF check and before the
    login check.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, _view: object, _arguments: object, _keywords: object) -> None:
        match = request.resolver_match
        if match is None or "judge" not in match.namespaces or cookie.NAME not in request.COOKIES:
            return
        if not request.user.is_authenticated and (token := cookie.held_token(request)):
            cookie.sign_in_again(request, token)


def seat_in_bar(request: HttpRequest) -> dict[str, Any]:
    """Template context processor: the student's seat or None, looked up only if the template uses it."""
    return {"own_seat": SimpleLazyObject(lambda: current_seat(request.user))}
