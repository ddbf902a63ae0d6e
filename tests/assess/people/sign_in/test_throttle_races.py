"""Attempts to sign in at the same time do not exceed the limit."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from assess.models import User
from assess.people.sign_in import throttle
from assess.people.sign_in.throttle import LIMIT, Attempt, Visitor
from assess.throttle import TooManyAttempts

pytestmark = pytest.mark.database

HOME = "10.0.0.1"


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_time_do_not_exceed_the_limit():
    user = User.objects.create_user("ada")
    attempt = Attempt(user, "ada", Visitor(HOME, HOME, {}))

    def begin(_) -> bool:
        try:
            throttle.begin(attempt)
        except TooManyAttempts:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        checked = list(threads.map(begin, range(30)))
    assert checked.count(True) == LIMIT
