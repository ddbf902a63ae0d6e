"""A reader of the collection, and two judges."""

import pytest

from assess.models import Role
from tests.assess.web.research.analysis.built_analysis import Analysis, build_analysis
from tests.assess.web.research.analysis.pages import judge
from tests.shared_rows import shared_rows


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker, tmp_path_factory):
    with shared_rows(build_analysis, django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
        yield shared


@pytest.fixture
def site(shared_site, settings, db) -> Analysis:
    return shared_site.copy(settings)


@pytest.fixture
def rita(collection, join):
    return join(collection, "rita", Role.OWNER)


@pytest.fixture
def http(rita, signed_in):
    return signed_in(rita)


@pytest.fixture
def two_judges(collection):
    """Two judges who agree on 5 of 7 documents: 2 relevant for both, 3 for neither, and 1 for each judge alone."""
    pairs = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]
    return (
        judge(collection, "first", dict(zip(pairs, (1, 1, 1, 0, 0, 0, 0), strict=True))),
        judge(collection, "second", dict(zip(pairs, (1, 1, 0, 1, 0, 0, 0), strict=True))),
    )


@pytest.fixture
def low_thresholds(settings):
    """Let a sentence compare golds and judges with the little data of these tests."""
    settings.HEADLINE_MIN_TOPICS, settings.HEADLINE_MIN_DOCUMENTS = 1, 1
