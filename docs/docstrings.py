"""The parts of a docstring that the pages of the reference show: formula, source, undefined cases and examples."""

import inspect
import re
from dataclasses import dataclass
from typing import Any

from docs.tables import markdown_tables

UNDERLINED = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
AUTHOR = re.compile(r"[A-Z]\. ")
YEAR = re.compile(r"\b(1[89]|20)\d\d\b")
NUMBERED = re.compile(r"\d+\. ")
NO_VALUE = re.compile(r"topic without|empty|no pair|is 0 if|undefined")
SOURCE = re.compile(r"^(?:Source|Reference): ", re.MULTILINE)
END_OF_SOURCE = re.compile(r"\s(?=(?:Range|Values)\b)")


@dataclass(frozen=True)
class Parts:
    """What a docstring says, each part as Markdown, empty if it says nothing.

    Attributes
    ----------
    summary : str
        The first sentence.
    formula : str
        What is computed, and how.
    source : str
        The articles that define it.
    undefined : str
        The cases without a value, or with a value by convention.
    example : str
        The doctests.
    """

    summary: str = ""
    formula: str = ""
    source: str = ""
    undefined: str = ""
    example: str = ""


def parts_of(value: Any) -> Parts:
    """The parts of the docstring of a function or class; what it leaves out is taken from that of its module."""
    own, module = sections(inspect.getdoc(value) or ""), sections(module_docstring(value))
    summary, _, description = own[""].partition("\n\n")
    if not is_formula(description):
        description = "\n\n".join(filter(None, (description, module[""].partition("\n\n")[2])))
    description, source = split_source(description)
    if "References" in own or "References" in module:
        source = list_of_sources(own.get("References") or module["References"])
    undefined = re.search(r"\bUndefined\b.*", own.get("Returns", ""), re.DOTALL)
    return Parts(
        markdown(summary),
        markdown(description),
        source or split_source(module[""])[1],
        markdown(inspect.cleandoc(undefined[0])) if undefined else "",
        own.get("Examples", ""),
    )


def parts_of_measure(docstring: str) -> Parts:
    """The parts of the docstring of a module with a measure, whose source is one paragraph with its conventions."""
    summary, _, description = docstring.strip().partition("\n\n")
    rest, source = split_source(description)
    if not is_formula(rest):
        rest = f"{summary}\n\n{rest.strip()}"
    paragraphs = [paragraph for paragraph in rest.split("\n\n") if paragraph.strip()]
    sentences = [
        sentence
        for paragraph in paragraphs
        if not paragraph.startswith(" ")
        for sentence in _sentences(paragraph)
        if NO_VALUE.search(sentence)
    ]
    return Parts(markdown(summary), markdown(rest), source, " ".join(sentences))


def module_docstring(value: Any) -> str:
    """The docstring of the module that defines a function or class, without indentation."""
    return inspect.cleandoc(getattr(inspect.getmodule(value), "__doc__", None) or "")


def split_source(text: str) -> tuple[str, str]:
    """A text without its source, and the source.

    The source is "Source: ..." up to the range of a measure, or the paragraphs that begin with an author and name a
    year; with a list that follows them.
    """
    if found := SOURCE.search(text):
        end = END_OF_SOURCE.search(text, found.end())
        paragraph_end = text.find("\n\n", found.end())
        stops = [at for at in (end.start() if end else -1, paragraph_end) if at >= 0]
        stop = min(stops, default=len(text))
        return f"{text[: found.start()]}{text[stop:].lstrip(' ')}", " ".join(text[found.end() : stop].split())
    paragraphs = text.split("\n\n")
    sources = [each for each in paragraphs if AUTHOR.match(each) and YEAR.search(each)]
    if sources and sources[-1].endswith(":"):  # a list of deviations from the article follows
        sources = paragraphs[paragraphs.index(sources[0]) :]
    return "\n\n".join(each for each in paragraphs if each not in sources), "\n\n".join(sources)


def markdown(text: str) -> str:
    """A text of a docstring as Markdown, in which the lines of a numbered item are indented by four spaces."""
    lines: list[str] = []
    in_list = False
    for line in markdown_tables(text).strip("\n").splitlines():
        if in_list and NUMBERED.match(line) and lines[-1]:
            lines.append("")
        in_list = bool(NUMBERED.match(line)) or (in_list and (not line or line.startswith("   ")))
        lines.append(f" {line}" if in_list and line.startswith("   ") else line)
    return "\n".join(lines)


def sections(docstring: str) -> dict[str, str]:
    """The text of each section; "" is the text before the first."""
    parts = UNDERLINED.split(docstring)
    return {"": parts[0].strip("\n")} | {
        name: text.strip("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def is_formula(text: str) -> bool:
    """Whether a text says how to compute a number."""
    return " = " in text or " / (" in text


def _sentences(paragraph: str) -> list[str]:
    return re.split(r"(?<=[.])\s+(?=[A-Z`])", " ".join(paragraph.split()))


def list_of_sources(text: str) -> str:
    """Each reference as an item of a list. A reference begins with a name, after the year of the one before."""
    entries: list[str] = []
    for line in text.splitlines():
        if entries and not (AUTHOR.match(line) and YEAR.search(entries[-1])):
            entries[-1] += f" {line.strip()}"
        else:
            entries.append(line.strip())
    return "\n".join(f"- {entry}" for entry in entries)
