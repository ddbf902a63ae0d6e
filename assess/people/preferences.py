"""Personal settings for reading and judging. They change no judgement."""

from collections.abc import Mapping
from typing import Any, cast

from django.db import models

from assess.errors import Refused
from assess.models import Preferences, Theme, User
from assess.people.keymap import changed_keys

MIN_TEXT_SIZE, MAX_TEXT_SIZE = 80, 250  # percent
NAMES = ("theme", "text_size", "keys_on", "keymap", "highlights_on", "pace_on")


def change_preferences(
    user: User,
    *,
    theme: str,
    text_size: int,
    keys_on: bool,
    highlights_on: bool,
    pace_on: bool,
    keys: Mapping[str, str],
) -> None:
    """Save all settings. If one is invalid, refuse it and save none."""
    if theme not in Theme.values:
        raise Refused(f"Theme must be one of {', '.join(Theme.values)}, not {theme[:20]!r}.")
    if not MIN_TEXT_SIZE <= text_size <= MAX_TEXT_SIZE:
        raise Refused(f"Text size must be between {MIN_TEXT_SIZE} and {MAX_TEXT_SIZE}%, not {text_size}%.")
    user.keymap = changed_keys(keys)
    user.theme, user.text_size = theme, text_size
    user.keys_on, user.highlights_on, user.pace_on = keys_on, highlights_on, pace_on
    user.save(update_fields=NAMES)


def reset_preferences(user: User) -> None:
    """Set all settings to their defaults."""
    for name in NAMES:
        column = cast("models.Field[Any, Any]", Preferences._meta.get_field(name))
        setattr(user, name, column.get_default())
    user.save(update_fields=NAMES)
