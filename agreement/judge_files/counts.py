"""How many lines of a judge were read, changed and left out, as numbers and as a sentence."""

from collections.abc import Mapping
from typing import Any

COUNTS = (
    "lines",
    "judgements",
    "invalid",
    "other_kinds",
    "empty",
    "number_ids",
    "no_judgement",
    "decimals",
    "rounded",
    "not_judged",
    "mapped",
    "off_scale",
    "clipped",
    "dropped",
    "identical_pairs",
    "contradicting_pairs",
    "repeated",
)
SENTENCE_PARTS = {
    "invalid": "{n} invalid {line} left out",
    "other_kinds": "{n} {row} of decisions, norming, practice or checks left out",
    "empty": "{n} empty {cell} read as no judgement",
    "number_ids": "{n} {row} with ids that are numbers, read as whole numbers",
    "no_judgement": "{n} {row} without a judgement left out",
    "decimals": "{n} whole {label} written with decimals",
    "rounded": "{n} {label} rounded ({rounding})",
    "not_judged": "{n} negative {label} read as not judged",
    "mapped": "{n} {label} mapped ({mapping})",
    "clipped": "{n} {label} off the scale clipped",
    "dropped": "{n} {label} off the scale dropped",
    "identical_pairs": "{n} {document} repeated with the same grade",
    "contradicting_pairs": "{n} {document} repeated with different grades ({duplicates})",
}
NOUNS = ("cell", "line", "row", "label", "document")
RULES = {"error": "the first was kept", "median": "the median was taken"}


def counts_sentence(counts: Mapping[str, int], options: Mapping[str, Any]) -> str:
    """What was unusual about a judge's lines: "2 labels off the scale clipped"; empty if nothing was.

    Parameters
    ----------
    counts : mapping of str to int
        The counts in `COUNTS`; a missing one is 0.
    options : mapping of str to object
        The options as `LabelOptions.to_dict` returns them.

    Returns
    -------
    str
        Parts separated by commas.
    """
    rule = options.get("duplicates", "error")
    words: dict[str, Any] = {
        "rounding": options.get("rounding", ""),
        "mapping": mapping_text(options.get("mapping", {})),
        "duplicates": RULES.get(rule, f"the {rule} was kept"),
    }
    parts = []
    for name, text in SENTENCE_PARTS.items():
        if n := counts.get(name, 0):
            nouns = {noun: noun if n == 1 else f"{noun}s" for noun in NOUNS}
            parts.append(text.format(n=f"{n:,}", **nouns, **words))
    return ", ".join(parts)


def options_sentence(options: Mapping[str, Any]) -> str:
    """The options of a judge that are not the default, without the scale: "off-scale clip, mapping 1=2".

    Parameters
    ----------
    options : mapping of str to object
        The options as `LabelOptions.to_dict` returns them.

    Returns
    -------
    str
        Parts separated by commas.
    """
    parts = []
    for name, value in options.items():
        if name == "mapping":
            value = mapping_text(value)
        elif name == "own_scale":
            value = " ".join(map(str, value))
        if name != "scale":
            parts.append(f"{name.replace('_', ' ')} {str(value).replace('_', ' ')}")
    return ", ".join(parts)


def mapping_text(mapping: Mapping[Any, int]) -> str:
    """A mapping as it is written on the command line: "1=2,2=3"."""
    return ",".join(f"{grade}={other}" for grade, other in mapping.items())
