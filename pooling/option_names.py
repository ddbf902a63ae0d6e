"""Sentences of the libraries in the words of a command: `off_scale='clip'` is `--off-scale clip`.

The libraries name an argument of Python, because their functions are called in notebooks. A command passes each
sentence that it prints through `OptionNames.of`, which replaces the arguments that are options of the command:

=================================== ======================================
in a library                        in a command
=================================== ======================================
set 'off_scale' to 'clip' or 'drop' use --off-scale clip or drop
duplicates='median'                 --duplicates median
min_topics must be, rel must be     --min-topics must be, --rel must be
the option field, the parameter 'p' --field, --p
A mapping must be                   --map must be
strategy 'random' draws             --strategy random draws
needs a seed                        needs --seed
=================================== ======================================

An argument without an option stays as it is. Each rule takes time that is linear in the length of the sentence.
"""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

ALIASES = {"mapping": "map", "own_scale": "judge_scale"}  # arguments whose option has another name
PHRASES = {  # the beginning of a sentence about an argument
    "A mapping": "mapping",
    "A judge's own scale": "own_scale",
    "A name pattern": "name_pattern",
    "A scale": "scale",
    "Columns": "columns",
}
VERBS = "must|needs|has|names|cannot|changes"


@dataclass(frozen=True)
class OptionNames:
    """The options of a command by the name of the argument.

    Attributes
    ----------
    options : mapping of str to str
        Such as ``{"off_scale": "--off-scale"}``.

    Examples
    --------
    >>> from pooling.option_names import OptionNames
    >>> names = OptionNames({"off_scale": "--off-scale", "min_topics": "--min-topics"})
    >>> names.of("grade 7 is not on the scale; it must be one of 0, 1, or set 'off_scale' to 'clip' or 'drop'")
    'grade 7 is not on the scale; it must be one of 0, 1, or use --off-scale clip or drop'
    >>> names.of("min_topics must be a whole number of at least 1, not 0.")
    '--min-topics must be a whole number of at least 1, not 0.'
    """

    options: Mapping[str, str]

    @classmethod
    def of_parser(cls, parser: argparse.ArgumentParser) -> "OptionNames":
        """Return the options of a parser."""
        actions = parser._actions  # the only way to list them
        options = {action.dest: action.option_strings[-1] for action in actions if action.option_strings}
        aliases = {name: options[option] for name, option in ALIASES.items() if option in options}
        return cls(aliases | options)

    def of(self, sentence: str) -> str:
        """Return a sentence with the options in place of the arguments."""
        for pattern, replacement in self._rules:
            sentence = pattern.sub(replacement, sentence)
        return sentence

    @cached_property
    def _rules(self) -> "list[tuple[re.Pattern[str], _Replacement]]":
        if not self.options:
            return []
        phrases = {text: name for text, name in PHRASES.items() if name in self.options}
        replace = _Replacement(self.options, phrases)
        names = "|".join(map(re.escape, sorted(self.options, key=len, reverse=True)))
        starts = "|".join(map(re.escape, phrases)) or "(?!)"
        patterns = (
            rf"\bset (?P<set>'?)(?P<name>{names})(?P=set) to (?P<values>'\w+'(?:(?:, | or )'\w+')*)",
            rf"\b(?P<name>{names})='(?P<values>\w+)'",
            rf"\b(?:[Tt]he )?(?:option|parameter) '?(?P<name>{names})\b'?",
            rf"(?:^|(?<=[:;] ))(?P<name>{names})(?: '(?P<values>[\w-]+)')?(?= (?:{VERBS}|draws|does|is unknown))",
            rf"(?:^|(?<=[:;] ))[Tt]he (?P<name>seed|reference)(?= (?:{VERBS}))",
            rf"(?<=it has: )(?P<list>(?:{names})(?:, (?:{names}))*)",
            rf"^(?P<phrase>{starts})(?= (?:{VERBS}))",
            r"(?<=needs )(?:a )?(?P<name>seed)(?: or rng)?\b|(?<=takes no )(?P<none>seed)\b",
        )
        return [(re.compile(pattern), replace) for pattern in patterns]


@dataclass(frozen=True)
class _Replacement:
    """The option in place of what a rule found."""

    options: Mapping[str, str]
    phrases: Mapping[str, str]

    def __call__(self, found: "re.Match[str]") -> str:
        groups = found.groupdict()
        if "list" in groups:
            return ", ".join(self.options[name] for name in found["list"].split(", "))
        name = groups.get("name") or groups.get("none") or self.phrases[groups.get("phrase") or ""]
        values = (groups.get("values") or "").replace("'", "")
        if name not in self.options:
            return found[0]
        words = ("use" if "set" in groups else "", self.options[name], values)
        return " ".join(filter(None, words))
