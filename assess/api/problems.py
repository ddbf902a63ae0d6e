"""Errors of the API as RFC 9457 problems: the sentence of the page, and the status."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from assess.errors import Conflict, Refused
from assess.jobs.pending import Pending
from assess.jobs.queue import AlreadyRunning
from assess.lib.problem import problem
from assess.people.tokens import InvalidToken
from assess.throttle import TooManyAttempts

MISSING = "There is no such thing, or this token may not see it."
NOT_SIGNED_IN = "Send a token: `Authorization: Bearer assay_...`. Tokens are made on the page of your account."
MOST_ERRORS = 20  # of one request that are listed


class WrongScope(Refused):
    """The token does not allow this."""


def add_handlers(api: NinjaAPI) -> None:
    """Answer every exception of the domain, and those of django-ninja, with a problem."""
    api.add_exception_handler(Refused, _refused)  # type: ignore[arg-type]
    api.add_exception_handler(Pending, _pending)  # type: ignore[arg-type]
    api.add_exception_handler(Http404, lambda *_: problem(404, MISSING))
    api.add_exception_handler(PermissionDenied, lambda _, error: problem(403, str(error)))
    api.add_exception_handler(AuthenticationError, lambda *_: unauthorized(NOT_SIGNED_IN))
    api.add_exception_handler(ValidationError, _invalid)  # type: ignore[arg-type]
    api.add_exception_handler(HttpError, _http_error)  # type: ignore[arg-type]


def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    if isinstance(error.__cause__, Refused):  # django-ninja replaces what the parser of the body raises
        return _refused(request, error.__cause__)
    return problem(error.status_code, str(error))


def unauthorized(sentence: str) -> HttpResponse:
    """Ask for a token."""
    response = problem(401, sentence)
    response["WWW-Authenticate"] = "Bearer"
    return response


def _refused(_: HttpRequest, refusal: Refused) -> HttpResponse:
    if isinstance(refusal, InvalidToken):
        return unauthorized(str(refusal))
    if isinstance(refusal, TooManyAttempts):
        return too_many(str(refusal), refusal.retry_after)
    if isinstance(refusal, WrongScope):
        return problem(403, str(refusal))
    return problem(409 if isinstance(refusal, Conflict | AlreadyRunning) else 400, str(refusal))


def too_many(sentence: str, seconds: int) -> HttpResponse:
    """Ask the client to try again later."""
    response = problem(429, sentence)
    response["Retry-After"] = str(seconds)
    return response


def _pending(_: HttpRequest, pending: Pending) -> HttpResponse:
    """A job computes the answer; the same request gets it when the job is done."""
    job = pending.job
    response = JsonResponse({"id": str(job.public_id), "kind": job.kind, "state": job.state}, status=202)
    response["Retry-After"] = "2"
    return response


def _invalid(_: HttpRequest, error: ValidationError) -> HttpResponse:
    """What pydantic found, each with its place."""
    listed = [{"place": ".".join(map(str, one["loc"])), "problem": one["msg"]} for one in error.errors[:MOST_ERRORS]]
    first = listed[0] if listed else {"place": "the request", "problem": "it is invalid"}
    return problem(422, f"{first['place']}: {first['problem']}.", errors=listed)
