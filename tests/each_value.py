"""One test for many values of an argument, for checks so quick that running each as a test would cost more."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps

import pytest


def each_value(name: str, values: Iterable) -> Callable:
    """Decorate a test: it is called for each value of the argument, and a failure names the value.

    All calls have the same fixtures."""
    values = list(values)
    assert values, f"{name} has no values, so that the test would check nothing"

    def decorate(test: Callable) -> Callable:
        @wraps(test)
        def for_each(*arguments, **fixtures):
            for value in values:
                try:
                    test(*arguments, **fixtures, **{name: value})
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"{name} = {value!r}")
                    raise

        for_each.__signature__ = _without(name, test)
        return for_each

    return decorate


def _without(name: str, test: Callable) -> inspect.Signature:
    """Return the signature that pytest shall see: it would look for a fixture of this name."""
    signature = inspect.signature(test)
    assert name in signature.parameters
    return signature.replace(parameters=[each for each in signature.parameters.values() if each.name != name])
