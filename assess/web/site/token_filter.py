"""Keeps the tokens of links out of the log, where addresses of failed requests appear."""

import logging
import re

TOKEN = re.compile(r"(/(?:invitation|owner|reset)/)[A-Za-z0-9_-]{16,}")


class TokenFilter(logging.Filter):
    """Replaces the token in the address of a link by dots."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record, and let it pass."""
        # The address may be among the arguments, so the message is formatted before it is searched.
        record.msg, record.args = TOKEN.sub(r"\1...", record.getMessage()), None
        return True
