"""The page of the pool offers the strategy with its parameters, previews it, and a worker builds the pool."""

import re

import pytest
from django.core.management import call_command

from assess.models import Role, Task
from assess.pools.building.undo import undo_pool

URL = "/c/small/pool/"


@pytest.mark.django_db(transaction=True)
def test_page_builds_the_pool(isolated_storage, collection, join, signed_in):
    undo_pool(collection)
    owner = signed_in(join(collection, "olga", Role.OWNER))
    form = owner.get(URL, {"strategy": "window"}).content.decode()
    assert "window: The documents of every run from `first_rank` to `depth`</option>" in form
    assert re.search(r'name="first_rank" value="1"', form)
    values = {"strategy": "window", "depth": "2", "first_rank": "2", "nearest": "False"}
    preview = owner.get(URL, {"preview": "1", **values})
    assert preview.status_code == 200
    assert owner.post(f"{URL}build/", values).status_code == 302
    call_command("worker", once=True, verbosity=0)
    assert Task.objects.count() == preview.context["preview"].size > 0
    assert "first_rank = 2, nearest = no" in owner.get(URL).content.decode()
