"""Settings of one's own: how a person likes to read and to work. They change no judgement."""

from collections.abc import Mapping

from assess.errors import Refused
from assess.models import Preferences, Theme, User
from assess.people import keymap

SMALLEST, LARGEST = 80, 250  # text size in percent
NAMES = ("theme", "text_size", "keys_on", "keymap", "highlights_on")


def change(
    user: User, *, theme: str, text_size: int, keys_on: bool, highlights_on: bool, keys: Mapping[str, str]
) -> None:
    """Keep all of them, or refuse with the first that does not fit and keep none."""
    if theme not in Theme.values:
        raise Refused(f"Theme {theme[:20]!r} is not known; it is one of {', '.join(Theme.values)}.")
    if not SMALLEST <= text_size <= LARGEST:
        raise Refused(f"Text size {text_size} % came; it is between {SMALLEST} and {LARGEST} %.")
    user.keymap = keymap.own_keys(keys)
    user.theme, user.text_size = theme, text_size
    user.keys_on, user.highlights_on = keys_on, highlights_on
    user.save(update_fields=NAMES)


def reset(user: User) -> None:
    """Everything as it is for somebody who never chose."""
    for name in NAMES:
        setattr(user, name, Preferences._meta.get_field(name).get_default())
    user.save(update_fields=NAMES)
