"""An owner, and three assessors with work."""

import pytest

from assess.models import Role
from assess.pools.assign import assign
from tests.assess.claiming import judge, upcoming


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def http(owner, signed_in):
    return signed_in(owner)


@pytest.fixture
def three(collection, add_assessors):
    """Three assessors. The first has all tasks and has judged one of them."""
    ada, *others = add_assessors(collection, "ada", "ben", "cleo")
    assign(collection, 1, exclude=[other.name for other in others])
    judge(ada, upcoming(ada)[0])
    return ada, *others
