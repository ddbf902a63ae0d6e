"""Generated requests for every endpoint: the answers are those that the description names."""

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS, load_all_checks

from assess.api.site import api
from assess.models import Role, Scope
from assess.people.tokens import create_token
from tests.examples import examples

load_all_checks()
KINDS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
schema = schemathesis.openapi.from_dict(api.get_openapi_schema(path_prefix="/api/v1/"))
schema.app = get_wsgi_application()


@pytest.fixture
def token(people) -> str:
    return create_token(people[Role.OWNER].user, "generated", Scope.MANAGE)[1]


@schema.parametrize()
@settings(examples(10), suppress_health_check=list(HealthCheck))
@pytest.mark.slow
@pytest.mark.database(slow=True)
@pytest.mark.django_db
@pytest.mark.usefixtures("open_connection")
def test_generated_requests(case, token):
    if "slug" in case.path_parameters:
        case.path_parameters["slug"] = "small"
    response = case.call(headers={"authorization": f"Bearer {token}"})
    case.validate_response(response, checks=CHECKS.get_by_names(KINDS))
