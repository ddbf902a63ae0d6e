"""What OpenAPI says beyond the types of the endpoints: problems, answers that a job computes, and files."""

from typing import Any

PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "One sentence for a person."},
        "errors": {"type": "array", "items": {"type": "object"}, "description": "Each invalid field (status 422)."},
        "offset": {"type": "integer", "description": "Where an upload goes on (status 409)."},
    },
}
STARTED = {
    "type": "object",
    "required": ["id", "kind", "state"],
    "properties": {name: {"type": "string"} for name in ("id", "kind", "state")},
}
FIGURES = ("image/svg+xml", "application/pdf", "image/png")
# The files that endpoints answer with, by their operation.
FILES = {
    "judgements": ("text/csv",),
    "gold": ("text/plain",),
    "table": ("text/csv", "text/x-tex", "text/markdown"),
    "figure": FIGURES,
    "archive": ("application/zip",),
    "pairs": ("application/x-ndjson", "text/tab-separated-values", "application/zip"),
    "file": ("application/octet-stream",),
    "batch": ("application/x-ndjson",),
    "lines": ("application/x-ndjson",),  # of every operation whose name ends so
}
COMPUTED = ("table", "figure", "preview")  # a job may have to compute the answer first


def describe(schema: dict[str, Any]) -> dict[str, Any]:
    """Add problems, jobs and files to the responses of each operation."""
    schema["components"]["schemas"] |= {"Problem": PROBLEM, "StartedJob": STARTED}
    for methods in schema["paths"].values():
        for operation in methods.values():
            operation["responses"] = {str(status): answer for status, answer in operation["responses"].items()}
            _describe(operation["responses"], operation["operationId"].rpartition("_")[2])
    return schema


def _describe(responses: dict[str, Any], name: str) -> None:
    responses["default"] = _response("A problem", "application/problem+json", "Problem")
    if name in COMPUTED:
        responses["202"] = _response(
            "A job computes the answer. Send the request again.", "application/json", "StartedJob"
        )
    if name in FILES:
        is_text = FILES[name] not in (FIGURES, FILES["archive"], FILES["file"])
        content = {"schema": {"type": "string", **({} if is_text else {"format": "binary"})}}
        responses["200"] = {"description": "The file", "content": dict.fromkeys(FILES[name], content)}


def _response(description: str, content_type: str, schema: str) -> dict[str, Any]:
    reference = {"schema": {"$ref": f"#/components/schemas/{schema}"}}
    return {"description": description, "content": {content_type: reference}}
