"""Reads the body of a request: JSON without NUL characters, which PostgreSQL cannot store in a text."""

import json
from typing import Any

from django.http import HttpRequest
from ninja import Schema
from ninja.parser import Parser
from pydantic import ConfigDict

from assess.errors import Refused

HAS_NUL = "The body has a text with a NUL character (\\u0000). No text may contain one."


class Body(Schema):
    """What a request states. An unknown field is refused: a misspelled limit would be no limit."""

    model_config = ConfigDict(extra="forbid")


class BodyParser(Parser):
    """Refuses a body with a NUL character anywhere, so that no endpoint has to."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the JSON of the body."""
        body = json.loads(request.body)
        if b"\\u0000" in request.body and _has_nul(body):
            raise Refused(HAS_NUL)
        return body


def _has_nul(body: Any) -> bool:
    waiting = [body]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and "\0" in value:
            return True
        if isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value
    return False
