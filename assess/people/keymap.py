"""The keys of the judging page: the defaults, and the keys that an assessor chose. Digits are always grades.

A key is the browser's `event.key`: one character, in lower case if it is a letter.
"""

from collections.abc import Mapping

from assess.errors import Refused

ACTIONS = {
    "undo": ("u", "undo: go back to the last document"),
    "redo": ("y", "redo: judge again what you have just undone"),
    "later": ("l", "later: the document comes back at the end"),
    "cannot": ("x", "cannot judge"),
    "comment": ("c", "comment"),
    "confidence": ("v", "how sure you are"),
    "mark": ("m", "mark the passage that decided the judgement"),
    "highlights": ("h", "highlights on or off"),
    "next_highlight": ("j", "next highlight"),
    "previous_highlight": ("k", "previous highlight"),
    "find": ("/", "find in the document"),
    "full_text": ("f", "full text"),
    "guidelines": ("g", "guidelines"),
    "legend": ("?", "list of keys"),
}
GRADE_LETTERS = "nr"  # the lower and the higher grade of a binary scale


REDO = "yzbeioqstw"  # the default for redo, and what replaces it if an assessor chose that key before redo existed


def keys_for(keymap: Mapping[str, str]) -> dict[str, str]:
    """Return the key of every action: the key in `keymap`, or else the default."""
    keys = {action: keymap.get(action, key) for action, (key, _) in ACTIONS.items()}
    if "redo" not in keymap:
        others = {key for action, key in keys.items() if action != "redo"}
        keys["redo"] = next(key for key in REDO if key not in others)
    return keys


def changed_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Return the keys that differ from the defaults. Refuse invalid keys and a key with two actions."""
    if unknown := keys.keys() - ACTIONS.keys():
        raise Refused(f"Unknown action {min(unknown)!r}. The actions with a key are {', '.join(ACTIONS)}.")
    all_keys = keys_for({action: _check_key(action, key) for action, key in keys.items()})
    action_of: dict[str, str] = {}
    for action, key in all_keys.items():
        if key in action_of:
            raise Refused(
                f"{key} cannot be the key for both {_label(action_of[key])} and {_label(action)}; choose two keys."
            )
        action_of[key] = action
    return {action: key for action, key in all_keys.items() if key != ACTIONS[action][0]}


def _check_key(action: str, key: str) -> str:
    lower = key.lower()
    if len(lower) != 1 or not lower.isprintable() or lower.isspace():
        raise Refused(f"The key for {_label(action)} must be one visible character, not {key[:20]!r}.")
    if lower.isnumeric():
        raise Refused(f"The key for {_label(action)} cannot be {key}, because digits are grades.")
    if lower in GRADE_LETTERS:
        raise Refused(f"The key for {_label(action)} cannot be {key}, because n and r are grades on a binary scale.")
    return lower


def _label(action: str) -> str:
    return f"“{ACTIONS[action][1].split(':')[0]}”"
