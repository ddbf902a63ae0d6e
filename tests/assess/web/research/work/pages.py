"""Helpers for tests of the pages of the work."""

import re

from django.urls import reverse

from tests.assess.command_output import tables
from tests.html import compact


def address(collection, name="work", *arguments) -> str:
    return reverse(f"research:{name}", args=[collection.slug, *arguments])


def read(http, collection, name="work", status=200, **query) -> str:
    response = http.get(address(collection, name), query)
    assert response.status_code == status
    return compact(response.content.decode())


def send(http, collection, page, *arguments, **data) -> str:
    """Submit a form that is accepted, and return the message on the next page, without the button that undoes it."""
    response = http.post(address(collection, page, *arguments), data, follow=True)
    assert response.status_code == 200
    message = re.search(r'<ul class="messages"><li>(.*?)</li>', response.content.decode(), re.S)[1]
    return compact(re.sub(r"<form.*</form>", "", message, flags=re.S)).strip()


def refused(http, collection, page, *arguments, **data) -> tuple[str, str]:
    """Submit a form that is refused. Returns the error message and the page. No table may change."""
    before = tables()
    response = http.post(address(collection, page, *arguments), data)
    assert response.status_code == 400
    assert tables() == before
    html = compact(response.content.decode())
    return re.search(r'class="refusal" role="alert">(.*?)</p>', html, re.S)[1], html


def hidden_fields(html: str) -> dict[str, list[str]]:
    """Return the hidden fields of the preview."""
    fields: dict[str, list[str]] = {}
    form = html[html.index('id="preview"') :]
    for name, value in re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">', form):
        fields.setdefault(name, []).append(value)
    return {name: values for name, values in fields.items() if name != "csrfmiddlewaretoken"}
