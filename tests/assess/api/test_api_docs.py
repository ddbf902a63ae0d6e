"""docs/api.md runs from top to bottom against a server, and docs/openapi.json is the description of this version."""

import re
import time
from pathlib import Path

import pytest
from django.core.management import call_command

from assess.api.site import api
from assess.models import Collection, Scope, User
from assess.people.tokens import create_token
from docs.openapi import FILE, content

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_contract_is_that_of_this_version():
    assert FILE.read_text(encoding="utf-8") == content(), "The API has changed. Run `python -m docs.openapi`."


def test_every_endpoint_says_what_it_does():
    operations = [each for path in api.get_openapi_schema(path_prefix="")["paths"].values() for each in path.values()]
    assert all(each.get("description") and each.get("tags") for each in operations)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_examples_run(live_server, capsys, monkeypatch):
    """While the script waits for a job, the worker runs it."""
    token = create_token(User.objects.create_superuser("olga"), "docs", Scope.MANAGE)[1]
    code = "\n".join(re.findall(r"```python\n(.*?)```", (DOCS / "api.md").read_text(encoding="utf-8"), re.S))
    monkeypatch.setattr(time, "sleep", Sleep(time.sleep))
    exec(compile(code, "docs/api.md", "exec"), {"URL": live_server.url, "TOKEN": token, "__name__": "docs"})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "manage"
    assert printed[1].startswith("404 There is no such thing")
    assert "import_topics waiting" in printed
    collection = Collection.objects.get()
    assert (collection.runs.count(), collection.topics.count()) == (2, 2)
    assert "5" in printed  # documents of the pool
    assert "201" in printed


class Sleep:
    """Lets the worker run what is waiting, instead of sleeping a second. Shorter waits are those of libraries."""

    def __init__(self, sleep) -> None:
        self.sleep = sleep

    def __call__(self, seconds: float) -> None:
        if seconds == 1:
            call_command("worker", once=True, verbosity=0)
        else:
            self.sleep(seconds)
