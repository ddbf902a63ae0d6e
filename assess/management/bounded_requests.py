"""Refuses requests in waitress before their body arrives.

waitress itself asks a client that sends `Expect: 100-continue` to send a body that is too long. It also reads chunked
bodies, and searches them in quadratic time: 5 MB without a line end stop the whole server for seconds. Browsers always
state the length of a form.
"""

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import BadRequest


class LengthRequired(BadRequest):  # type: ignore[misc]  # waitress has no types
    code = 411
    reason = "Length Required"


class BoundedParser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses a chunked body, and never invites a body that is refused."""

    error: BadRequest | None = None

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.chunked and not self.error:
            self.error = LengthRequired("The request does not state the length of its body.")
        if self.error:
            self.completed, self.expect_continue = True, False
        return consumed


class BoundedChannel(HTTPChannel):  # type: ignore[misc]
    parser_class = BoundedParser
