"""What `assay verify` found, as text, Markdown and JSON."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from assess.errors import Refused
from assess.releases.compare import JUDGEMENTS, MOST, Difference
from pooling.errors import shown
from pooling.words import count

MIN_DIGITS, DIGITS = 8, 64
OUTSIDE = (
    "Somebody who can write to the database can rewrite a whole chain of the ledger, with all its hashes, and make "
    "this file again from it. Only a head that was kept outside the database shows that: compare it by --head."
)


@dataclass(frozen=True)
class Head:
    """A hash to keep outside the database: of a checkpoint of the ledger, or of the manifest of a release."""

    what: str
    hash: str


@dataclass
class Report:
    """The result: `checked` and `unchecked` are sentences, and `differences` say what was expected and what was found.

    `kind` is release, backup or judgements, and `name` says which one.
    """

    file: str
    kind: str
    name: str
    heads: list[Head] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    @property
    def headline(self) -> str:
        """One sentence with the result."""
        if not self.differences:
            return f"Verified: {self.file} is {self.name}, and nothing differs."
        return f"Not verified: {self.file} is {self.name}, with {count(len(self.differences), 'difference')}."

    def add(self, file: str, sentence: str, line: int | None = None) -> None:
        """Add a difference that concerns a whole file or line."""
        self.differences.append(Difference(file, found=sentence, line=line))

    def check_head(self, head: str | None) -> None:
        """Compare the heads with one that was kept outside, if there is one."""
        if head is None:
            self.unchecked.append(OUTSIDE)
            return
        digits = head.lower()
        if not (MIN_DIGITS <= len(digits) <= DIGITS and set(digits) <= set("0123456789abcdef")):
            raise Refused(
                f"--head must be the first {MIN_DIGITS} to {DIGITS} hexadecimal digits of a hash, not {shown(head)}."
            )
        found = [each for each in self.heads if each.hash.startswith(digits)]
        if found:
            self.checked.append(f"The head that was kept outside is that of {found[0].what}.")
        else:
            known = ", ".join(f"{each.hash[:12]} ({each.what})" for each in self.heads) or "none"
            self.add("--head", f"the head {digits[:12]} that was kept outside is not one of this file: {known}.")

    def sentences(self) -> list[str]:
        """Return the differences as sentences: all, or the first ones of each file and the number of the others."""
        files: dict[str, list[Difference]] = {}
        for each in self.differences:
            files.setdefault(each.file, []).append(each)
        lines = []
        for name, own in files.items():
            lines += [each.sentence(JUDGEMENTS, with_line=True) for each in own[:MOST]]
            if len(own) > MOST:
                lines.append(f"{name}: {len(own) - MOST:,} further differences.")
        return lines

    def parts(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each part with its title, without empty ones."""
        heads = [f"{each.hash}  {each.what}" for each in self.heads]
        rows = {
            "Differences": self.sentences(),
            "Checked": self.checked,
            "Could not be checked": self.unchecked,
            "To keep outside the database": heads,
        }
        yield from ((title, lines) for title, lines in rows.items() if lines)

    def text(self) -> str:
        """Return the result as text."""
        parts = [f"{title}:\n" + "".join(f"  {line}\n" for line in lines) for title, lines in self.parts()]
        return "\n".join([f"{self.headline}\n", *parts])

    def markdown(self) -> str:
        """Return the result as Markdown."""
        parts = [f"## {title}\n\n" + "".join(f"- {escaped(line)}\n" for line in lines) for title, lines in self.parts()]
        return "\n".join([f"# {escaped(self.headline)}\n", *parts])

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON values; all differences are in it."""
        return {
            "file": self.file,
            "kind": self.kind,
            "name": self.name,
            "verified": not self.differences,
            "heads": [{"what": each.what, "hash": each.hash} for each in self.heads],
            "checked": self.checked,
            "differences": [
                each._asdict() | {"sentence": each.sentence(JUDGEMENTS, with_line=True)} for each in self.differences
            ],
            "unchecked": self.unchecked,
        }


def escaped(text: str) -> str:
    """Return text in which Markdown sees no markup."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in text)
