"""How many examples property tests try: 10 of the same in `make test`, many random ones in `make test-all`.

Tests against a second implementation on seeded data try a quarter of their seeds in `make test`."""

import os

from hypothesis import settings

IS_THOROUGH = os.environ.get("ASSAY_TEST_EXAMPLES") == "thorough"
QUICK, THOROUGH = 10, 10

# No deadline: a busy machine must not fail a test.
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=QUICK)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=50 * THOROUGH)
settings.load_profile("thorough" if IS_THOROUGH else "quick")


def examples(number: int) -> settings:
    """Decorate a property test whose examples are expensive (or cheap): 50 is the usual number."""
    return settings(max_examples=number * THOROUGH if IS_THOROUGH else min(number, QUICK))


def seeds(number: int) -> range:
    """Return the seeds of a test against a second implementation."""
    return range(number if IS_THOROUGH else number // 4)
