"""The logins of `assay remote login`: a JSON file in the user's configuration folder that only the user can read.

{"default": "https://assay.example.org", "tokens": {"https://assay.example.org": "assay_..."}}
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkstemp

from assay.remote.errors import SiteError


@dataclass
class SavedLogins:
    """The site of the last login, and a token for each site."""

    default: str = ""
    tokens: dict[str, str] = field(default_factory=dict, repr=False)


def login_file() -> Path:
    """The path of the file."""
    from platformdirs import user_config_path

    return user_config_path("assay", appauthor=False) / "logins.json"


def saved_login() -> SavedLogins:
    """What is saved; nothing if there is no file."""
    path = login_file()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return SavedLogins(str(content["default"]), {str(url): str(token) for url, token in content["tokens"].items()})
    except FileNotFoundError:
        return SavedLogins()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise SiteError(f"{path} cannot be read. Delete it and run `assay remote login` again.") from None


def save_login(url: str, token: str) -> Path:
    """Save the token of a site, which becomes the default, and return the path of the file."""
    logins = saved_login()
    logins.default, logins.tokens[url] = url, token
    path = login_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = mkstemp(dir=path.parent, prefix=".logins-")  # with the mode 600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({"default": logins.default, "tokens": logins.tokens}, file, indent=1)
    os.replace(temporary, path)
    return path
