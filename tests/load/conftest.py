"""All tests of the web application have their own run files."""

import pytest


@pytest.fixture(autouse=True)
def always_isolate(isolated_storage):
    pass
