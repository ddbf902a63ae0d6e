"""A real mail server in this process, which keeps what it receives and can refuse recipients."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller

ACCEPTED = "250 OK"


class Mailbox:
    """The mails that arrived. `reply` is what the server answers to the address of a recipient."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.reply = ACCEPTED

    async def handle_RCPT(self, _server, _session, envelope, address, _options) -> str:  # noqa: N802 - named by aiosmtpd
        if self.reply == ACCEPTED:
            envelope.rcpt_tos.append(address)
        return self.reply

    async def handle_DATA(self, _server, _session, envelope) -> str:  # noqa: N802 - named by aiosmtpd
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return ACCEPTED


@contextmanager
def mail_server(settings) -> Iterator[Mailbox]:
    """Start a server on a free port, and let the site send its mail there."""
    mailbox = Mailbox()
    controller = Controller(mailbox, hostname="127.0.0.1", port=free_port())
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = controller.hostname, controller.port
    settings.DEFAULT_FROM_EMAIL = "assay@example.org"
    settings.MAIL_CONFIGURED = True
    try:
        yield mailbox
    finally:
        controller.stop()


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
