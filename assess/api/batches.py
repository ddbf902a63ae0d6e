"""Batch files of a model judge: its requests, and the answers of the vendor."""

from typing import Any

from django.http import FileResponse, HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from assess.api.asking import judge_of
from assess.api.lines import NDJSON
from assess.api.members import user_of
from assess.asking.ask import MOST_SEED, WorkOptions
from assess.asking.batch import answers_path, batch_file, read_batches

router = Router(tags=["models"])


class BatchIn(Schema):
    """The seed that draws the order of the requests, and the prices of a million tokens."""

    seed: int | None = Field(None, ge=0, le=MOST_SEED)
    price_input: float = Field(0, ge=0, le=1_000_000)
    price_output: float = Field(0, ge=0, le=1_000_000)


class BatchOut(Schema):
    """What was read: new answers, those saved before, and those without a grade; pairs that have no answer yet."""

    read: int
    new: int
    known: int
    without_grade: int
    missing: int
    detail: str


@router.get("/collections/{slug}/model-judges/{judge}/batch", response={200: str})
def batch(request: HttpRequest, slug: str, judge: str, choices: Query[BatchIn]) -> FileResponse:
    """The requests of all pairs without an answer, as the lines of OpenAI's batch files.

    This orders the answers, so the host of the judge must be confirmed. The same request again belongs to the same
    order. The export is recorded in the audit log. A vendor takes at most 50,000 lines and 200 MB in a file.
    """
    options = WorkOptions(**choices.dict())
    lines = batch_file(judge_of(request, slug, judge), options, user_of(request))
    return FileResponse(lines, as_attachment=True, filename="batch.jsonl", content_type=NDJSON)


@router.post(
    "/collections/{slug}/model-judges/{judge}/batch/answers",
    url_name="read_model_answers",
    response=BatchOut,
    openapi_extra={"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}},
)
def read_answers(request: HttpRequest, slug: str, judge: str) -> dict[str, Any]:
    """Read the answers to a batch: the lines of the vendor in any order, at most 8 MB in a request.

    A line of another form, an unknown key, and one that occurs twice refuse the request: nothing is saved. Answers
    that are saved already change nothing. Pairs without an answer wait for the next request.
    """
    found = judge_of(request, slug, judge)
    with answers_path(request) as path:
        result = read_batches(found, [path], user_of(request))
    return {**vars(result), "new": result.saved, "detail": result.sentence()}
