"""The API as a whole: its parts, and its description in OpenAPI."""

from typing import Any

from ninja import NinjaAPI

from agreement.version import VERSION
from assess.api import (
    adjudication,
    asking,
    batches,
    changed_texts,
    collections,
    contents,
    engines,
    jobs,
    judging,
    lines,
    living,
    people,
    pools,
    releases,
    results,
    rules,
)
from assess.api.auth import TokenAuth
from assess.api.bodies import BodyParser
from assess.api.description import describe
from assess.api.problems import add_handlers

DESCRIPTION = (
    "Every endpoint needs a token of your account in the header `Authorization: Bearer assay_...`. Lists have at most"
    " `limit` results; `next` goes into `after`. Errors are problems (RFC 9457) with a sentence in `detail`. Work that"
    " takes long answers 202 with a job."
)


class AssayAPI(NinjaAPI):
    """The API with a description of its problems and files."""

    def get_openapi_schema(self, **options: Any) -> Any:
        return describe(super().get_openapi_schema(**options))


api = AssayAPI(
    title="Assay",
    version=VERSION,
    description=DESCRIPTION,
    urls_namespace="api",
    auth=TokenAuth(),
    parser=BodyParser(),
    docs_url=None,
    openapi_url=None,
)
add_handlers(api)
SET_UP = (collections, people, contents, changed_texts, engines, rules, pools, living, asking, batches)
PARTS = (*SET_UP, judging, adjudication, results, lines, jobs, releases)
for part in PARTS:
    api.add_router("", part.router)
