"""Write docs/openapi.json, the description of the API: `python -m docs.openapi`. A test compares it."""

import json
import os
from pathlib import Path

FILE = Path(__file__).resolve().parent / "openapi.json"


def content() -> str:
    """The description in OpenAPI 3.1, as JSON with sorted keys."""
    from assess.api.site import api

    return json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"), indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Set up Django, and write the file."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assess.settings")
    django.setup()
    FILE.write_text(content(), encoding="utf-8")


if __name__ == "__main__":
    main()
