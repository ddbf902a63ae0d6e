"""The keys of the judging page: what each does, by default and as its assessor set it. Digits are always grades.

A key is what the browser calls `event.key`: one character, small where it is a letter.
"""

from collections.abc import Mapping

from assess.errors import Refused

ACTIONS = {
    "undo": ("u", "undo: back to the last one"),
    "later": ("l", "later: comes back at the end"),
    "cannot": ("x", "cannot judge"),
    "comment": ("c", "comment"),
    "confidence": ("v", "how sure I am"),
    "mark": ("m", "mark the passage that decided it"),
    "highlights": ("h", "highlights on and off"),
    "next_highlight": ("j", "to the next highlight"),
    "previous_highlight": ("k", "to the highlight before"),
    "find": ("/", "find in the document"),
    "full_text": ("f", "the full text"),
    "guidelines": ("g", "guidelines"),
    "legend": ("?", "the list of keys"),
}
GRADE_LETTERS = "nr"  # the lower and the higher grade of a binary scale


def keys_of(keymap: dict[str, str]) -> dict[str, str]:
    """Every deed's key: the assessor's own where there is one."""
    return {deed: keymap.get(deed, key) for deed, (key, _) in ACTIONS.items()}


def own_keys(wanted: Mapping[str, str]) -> dict[str, str]:
    """What of the wanted keys differs from the defaults, to be kept; raises Refused where two deeds would meet."""
    if unknown := wanted.keys() - ACTIONS.keys():
        raise Refused(f"{min(unknown)!r} has no key; the deeds with one are {', '.join(ACTIONS)}.")
    keys = keys_of({deed: _checked(deed, key) for deed, key in wanted.items()})
    deed_of: dict[str, str] = {}
    for deed, key in keys.items():
        if key in deed_of:
            raise Refused(
                f"{key} is the key of {_words(deed_of[key])} and of {_words(deed)}; each needs one of its own."
            )
        deed_of[key] = deed
    return {deed: key for deed, key in keys.items() if key != ACTIONS[deed][0]}


def _checked(deed: str, key: str) -> str:
    small = key.lower()
    if len(small) != 1 or not small.isprintable() or small.isspace():
        raise Refused(f"The key of {_words(deed)} is {key[:20]!r}; a key is one character that can be seen.")
    if small.isnumeric():
        raise Refused(f"The key of {_words(deed)} is {key}; digits are the grades.")
    if small in GRADE_LETTERS:
        raise Refused(f"The key of {_words(deed)} is {key}; n and r are the grades of a scale of two.")
    return small


def _words(deed: str) -> str:
    return f"“{ACTIONS[deed][1].split(':')[0]}”"
