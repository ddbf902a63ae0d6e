"""Requests that are sent again: an idempotency key answers a write once, and an ETag saves an answer that is known.

The header `Idempotency-Key` names a write. For a day, the same request with the same key and token gets the first
answer again, and changes nothing. Another request with the key is a conflict. A judgement needs none: its `client_id`
is one.

A process that is killed between the write and its answer leaves the key without an answer. The key is then free again
after some minutes, and the client has to check whether the write was done.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, set_response_etag

from assess.api.problems import unauthorized
from assess.lib.problem import CONTENT_TYPE, problem
from assess.models import ApiToken, ApiWrite
from assess.people.tokens import WRITES_KEPT_FOR, InvalidToken, token_of

HEADER = "Idempotency-Key"
LONGEST_KEY = 100
ANSWERED_WITHIN = timedelta(minutes=5)
LONGEST_ANSWER = 100_000  # characters
NOT_KEPT = (401, 403, 429)  # the same request may succeed later
UNREPEATED = "invitations"  # whose answer has a secret, which is stored nowhere
BEARER = "Bearer "
View = Callable[..., HttpResponse]


def repeatable(view: View) -> View:
    """Decorate a view of the API."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **keywords: Any) -> HttpResponse:
        key = request.headers.get(HEADER, "")
        if request.method == "POST" and key:
            return _once(request, key, lambda: view(request, *arguments, **keywords))
        response = view(request, *arguments, **keywords)
        return _known(request, response) if request.method == "GET" else response

    return guarded


def _known(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Answer 304 if the client has this answer already."""
    if response.status_code != 200 or response.streaming:
        return response
    set_response_etag(response)
    found = get_conditional_response(request, etag=response["ETag"], response=response)
    return found if isinstance(found, HttpResponse) else response


def _once(request: HttpRequest, key: str, answer: Callable[[], HttpResponse]) -> HttpResponse:
    if len(key) > LONGEST_KEY or not key.isprintable():
        return problem(400, f"{HEADER} must have 1 to {LONGEST_KEY} printable characters.")
    try:
        token = token_of(request.headers.get("authorization", "").removeprefix(BEARER))
    except InvalidToken as refusal:
        return unauthorized(str(refusal))
    hashed = sha256(
        b"\0".join([request.path.encode(), request.META["QUERY_STRING"].encode(), request.body])
    ).hexdigest()
    write = _begun(token, key, hashed)
    if write is None:
        return _answered(ApiWrite.objects.filter(token=token, key=key).first(), hashed)
    response = answer()
    _keep(write, request, response)
    return response


def _begun(token: ApiToken, key: str, request_hash: str) -> ApiWrite | None:
    """Take the key, or return None if a request has it."""
    now = timezone.now()
    ApiWrite.objects.filter(token=token, key=key, status=None, created_at__lt=now - ANSWERED_WITHIN).delete()
    ApiWrite.objects.filter(token=token, key=key, created_at__lt=now - WRITES_KEPT_FOR).delete()
    try:
        with transaction.atomic():
            return ApiWrite.objects.create(token=token, key=key, request_hash=request_hash, created_at=now)
    except IntegrityError:
        return None


def _answered(write: ApiWrite | None, request_hash: str) -> HttpResponse:
    if write and write.request_hash != request_hash:
        return problem(409, f"The {HEADER} was used for another request. Use a new one for each write.")
    if write is None or write.status is None:
        return problem(409, "The same request is being answered. Send it again in a moment.")
    if not write.answer:
        return problem(409, "This request was answered before. Its answer is not shown again.")
    content_type = CONTENT_TYPE if write.status >= 400 else "application/json"
    response = HttpResponse(write.answer, status=write.status, content_type=content_type)
    response["Idempotent-Replayed"] = "true"
    return response


def _keep(write: ApiWrite, request: HttpRequest, response: HttpResponse) -> None:
    if response.status_code in NOT_KEPT or response.status_code >= 500:
        write.delete()
        return
    text = response.content.decode()
    is_kept = len(text) <= LONGEST_ANSWER and not request.path.endswith(UNREPEATED)
    ApiWrite.objects.filter(pk=write.pk).update(status=response.status_code, answer=text if is_kept else "")
