"""A researcher over real HTTP: signs in, uploads files in chunks as the page's script does, checks and imports them."""

import hashlib
import re
import time
from pathlib import Path

from tests.load.browsing import Browser, NoAnswerError, patiently
from tests.load.server import Server

CHUNK = 8_000_000  # bytes, as on the page
RETRY = 0.05  # seconds until a request is repeated that the server did not answer
OWNER_LINK = re.compile(r"http://[^/]+(/account/owner/[\w-]+/)")
WAITING = re.compile(r'hx-trigger="every (\d+)s"')
START = re.compile(r'action="(/c/[^"]+/start/)"')
FOLLOWING = re.compile(r'<a href="([^"]+)">Import of the next kind of files')
ALERT = re.compile(r'role="alert">([^<]*)<')
PASSWORD = "correct horse battery"


class JobFailedError(RuntimeError):
    """A page says why a job did not do its work."""


class Researcher:
    """Somebody who works in one collection.

    `is_patient`: repeats uploads while the server does not answer. `pause`: seconds between two chunks.
    """

    def __init__(self, port: int, slug: str, *, is_patient: bool = False, pause: float = 0):
        self.browser = Browser(port)
        self.home = f"/c/{slug}/"
        self.is_patient, self.pause = is_patient, pause

    def sign_in(self, name: str, password: str = PASSWORD) -> None:
        address = "/account/sign-in/"
        page = self.browser.page(address)
        patiently(lambda: self.browser.send(address, page, username=name, password=password))
        if self.browser.address == address:
            raise RuntimeError(f"{name} could not sign in.")

    def open(self, path: str) -> str:
        """Open a page of the collection. While a job computes it, ask again as often as the page does."""
        return self.finished(self.browser.page(f"{self.home}{path}"))

    def send(self, path: str, page: str, **fields: str) -> str:
        """Send a form of the collection, and wait for the end of the job that it starts."""
        return self.finished(self.browser.send(f"{self.home}{path}", page, **fields))

    def finished(self, page: str) -> str:
        """Ask for the last page again until its job has ended. Raises JobFailedError if it failed."""
        address = self.browser.address
        while interval := WAITING.search(page):
            time.sleep(int(interval[1]))
            page = self.browser.page(address)
        if alert := ALERT.search(page):
            raise JobFailedError(alert[1])
        return page

    def upload(self, path: Path, chunk_bytes: int = CHUNK) -> dict:
        """Upload a file, from the offset that the server states, and return what the server says about it."""
        content = path.read_bytes()
        begun = self._post(f"{self.home}import/upload/", {"name": path.name, "size": str(len(content))})
        offset = begun["offset"]
        while offset < len(content):
            chunk = content[offset : offset + chunk_bytes]
            offset = self._post(f"{begun['url']}chunk/?offset={offset}", chunk)["offset"]
            time.sleep(self.pause)
        return self._post(f"{begun['url']}finish/", {"sha256": hashlib.sha256(content).hexdigest()})

    def _post(self, address: str, body: dict | bytes) -> dict:
        """Post until the server answers. A chunk at a wrong offset is an answer with the right one."""
        while True:
            try:
                status, answer = self.browser.answer(address, body)
            except NoAnswerError:
                if not self.is_patient:
                    raise
                status, answer = 503, {}
            if status == 200 or "offset" in answer:
                return answer
            if status < 500:
                raise RuntimeError(f"{status} for {address}: {answer}")
            time.sleep(RETRY)

    def check(self, **options: str) -> str:
        """Check all uploaded files and return the page with the result."""
        return self.send("import/check/", self.browser.page(f"{self.home}import/"), **options)

    def start_import(self, checked: str) -> str:
        """Import the files of a check, and return the page of the first job."""
        return self.finished(self.browser.send(START.search(checked)[1], checked))

    def next_import(self, page: str) -> str | None:
        """Return the page of the next kind's job after its end, or None after the last kind."""
        following = FOLLOWING.search(page)
        return self.finished(self.browser.page(following[1])) if following else None


def create_owner(server: Server, name: str) -> None:
    """Create the site's owner with the link that `assay serve` prints."""
    browser = Browser(server.port)
    page = browser.page(OWNER_LINK.search(server.log.read_text())[1])
    browser.send("/account/owner/", page, username=name, password1=PASSWORD, password2=PASSWORD)
