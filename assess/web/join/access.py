"""Who may open a page of a seat: the student who sits there."""

from functools import wraps

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404
from django.shortcuts import redirect
from django.utils.functional import SimpleLazyObject
from django.views.decorators.cache import never_cache

from assess.teaching.seats import current_seat
from assess.web.join import cookie


def seat_view(view):
    """A view of a seat in the exercise of the address's code, given the seat instead.

    A browser that holds the seat but lost its session is signed in again. Anybody without a seat here is led to the
    door, where a code that does not exist is told like anywhere else; somebody with an account finds nothing.
    """

    @login_not_required
    @never_cache
    @wraps(view)
    def guarded(request, code, **arguments):
        seat = current_seat(request.user)
        if seat is not None and seat.exercise.code == code:
            return view(request, seat, **arguments)
        seatless = request.user.is_authenticated and seat is None
        if seatless and request.user.has_usable_password():
            raise Http404
        # The session may be of a seat whose exercise is over its day; the browser may hold another one.
        seat = cookie.remembered(request, code)
        if seat is None and seatless:
            raise Http404
        if seat is None:
            return redirect("join:nickname", code=code)
        login(request, seat.member.user, backend=cookie.BACKEND)
        return view(request, seat, **arguments)

    return guarded


class SeatMiddleware:
    """On judging pages: a student whose session is gone sits down again by the cookie, and is not asked for a
    password that nobody has. Comes after the check of the form's token, and before the question who is signed in."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_view(self, request, _view, _arguments, _named):
        if "judge" not in request.resolver_match.namespaces or cookie.NAME not in request.COOKIES:
            return
        if not request.user.is_authenticated and (seat := cookie.remembered(request)):
            login(request, seat.member.user, backend=cookie.BACKEND)


def seat_in_bar(request) -> dict:
    """For templates: the student's seat, or None; asked for only where a page says `seat`."""
    return {"own_seat": SimpleLazyObject(lambda: current_seat(request.user))}
