"""The language of searches.

    query   = group, { "OR", group }
    group   = part, { [ "AND" ], part }
    part    = [ "NOT" | "-" ], [ field ], ( word | phrase | "(", query, ")" )
    field   = "title:" | "text:"
    phrase  = '"', words, '"'

Words next to each other must all occur. `mill*` stands for all words that begin with "mill". A word such as
"state-of-the-art" is a phrase. Operators are in capitals; `and` is a word. NOT needs something beside it that is
searched for: neither `NOT mill` nor `brook OR NOT mill` is a search.

`parse` reads each character once. It refuses queries that are too long or nested too deeply. The engines translate the
tree that it returns, which has words of letters and digits only, so nothing that a user types is read as their syntax.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assess.errors import Refused
from assess.models.search import MAX_QUERY_LENGTH
from assess.search.words import words_of

MOST_WORDS = 50
DEEPEST = 10  # parentheses within each other
SHORTEST_PREFIX = 2  # letters; the words that begin with one letter are too many
FIELDS = ("title", "text")
QUOTES = '"\u201c\u201d\u201e'
TOKEN = re.compile(rf"\s+|[()]|[{QUOTES}]|[^\s(){QUOTES}]+")
END_OF_PHRASE = re.compile(rf"[{QUOTES}]")
FIELD = re.compile(r"(-?)([A-Za-z]+):(.*)", re.DOTALL)


@dataclass(frozen=True)
class Phrase:
    """Words that follow each other, often one; `is_prefix` if the last one is the beginning of a word.

    They are in this `field`, or in any if it is empty.
    """

    words: tuple[str, ...]
    field: str = ""
    is_prefix: bool = False


@dataclass(frozen=True)
class AllOf:
    """Documents with all of `parts`, and none of `without`."""

    parts: tuple["Node", ...]
    without: tuple["Node", ...] = ()


@dataclass(frozen=True)
class AnyOf:
    """Documents with one of `parts` or more."""

    parts: tuple["Node", ...]


Node = Phrase | AllOf | AnyOf


class InvalidQuery(Refused):
    """The query cannot be read."""


def parse(query: str) -> Node:
    """Return the tree of a query, or raise InvalidQuery with the position of the problem."""
    if len(query) > MAX_QUERY_LENGTH:
        raise InvalidQuery(f"A search has at most {MAX_QUERY_LENGTH} characters, not {len(query):,}.")
    return _Parser(query).tree()


def phrases_in(node: Node) -> Iterator[Phrase]:
    """Yield the phrases that a document is searched for; not those after NOT."""
    if isinstance(node, Phrase):
        yield node
    else:
        for part in node.parts:
            yield from phrases_in(part)


@dataclass(frozen=True)
class _Token:
    """`kind` is one of "(", ")", "phrase" and "word". `at` counts characters from 1."""

    kind: str
    text: str
    at: int
    touches_next: bool = False  # no space before the next token

    def is_operator(self, *names: str) -> bool:
        return self.kind == "word" and self.text in names


def _tokens(query: str) -> list[_Token]:
    tokens: list[_Token] = []
    position = 0
    while match := TOKEN.match(query, position):
        text, at, position = match[0], match.start() + 1, match.end()
        if text.isspace():
            continue
        if text in QUOTES:
            end = END_OF_PHRASE.search(query, position)
            if end is None:
                raise InvalidQuery(f"The quotation mark at character {at} has no second one.")
            tokens.append(_Token("phrase", query[position : end.start()], at))
            position = end.end()
        else:
            touches = position < len(query) and not query[position].isspace() and query[position] != ")"
            tokens.append(_Token(text if text in "()" else "word", text, at, touches))
    return tokens


class _Parser:
    def __init__(self, query: str) -> None:
        self._tokens = _tokens(query)
        self._next = 0
        self._words = 0

    def tree(self) -> Node:
        node = self._query("", 0)
        if token := self._peek():
            raise InvalidQuery(f"The parenthesis at character {token.at} closes nothing.")
        if node is None:
            raise InvalidQuery("Type a word to search for. Words have letters or digits.")
        return node

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _query(self, field: str, depth: int) -> Node | None:
        """Read groups between OR. Returns None if there are no words."""
        groups, at = [self._group(field, depth)], None
        while (token := self._peek()) and token.is_operator("OR"):
            self._next, at = self._next + 1, token.at
            groups.append(self._group(field, depth))
        if at is not None and None in groups:
            raise InvalidQuery(f"OR at character {at} needs a word before and after it.")
        nodes = [node for node in groups if node is not None]
        return AnyOf(tuple(nodes)) if len(nodes) > 1 else next(iter(nodes), None)

    def _group(self, field: str, depth: int) -> Node | None:
        parts: list[Node] = []
        without: list[Node] = []
        not_at = 0
        while (token := self._peek()) and token.kind != ")" and not token.is_operator("OR"):
            if token.is_operator("AND"):
                self._read_and(token, bool(parts or without))
                continue
            is_without, node = self._part(field, depth)
            not_at = not_at or (token.at if is_without else 0)
            if node is not None:
                (without if is_without else parts).append(node)
        if without and not parts:
            raise InvalidQuery(f"NOT at character {not_at} needs a word beside it that documents must have.")
        return parts[0] if len(parts) == 1 and not without else AllOf(tuple(parts), tuple(without)) if parts else None

    def _read_and(self, token: _Token, has_left: bool) -> None:
        self._next += 1
        following = self._peek()
        has_right = following is not None and following.kind != ")" and not following.is_operator("AND", "OR")
        if not has_left or not has_right:
            raise InvalidQuery(f"AND at character {token.at} needs a word before and after it.")

    def _part(self, field: str, depth: int) -> tuple[bool, Node | None]:
        """Read one part. Returns whether documents must not have it, and its node; None if it has no words."""
        token = self._tokens[self._next]
        if token.is_operator("NOT") or (token.text == "-" and token.touches_next):
            self._next += 1
            following = self._peek()
            if following is None or following.kind == ")" or following.is_operator("AND", "OR", "NOT"):
                raise InvalidQuery(f"NOT at character {token.at} needs a word after it.")
            return True, self._unit(field, depth)
        return token.kind == "word" and re.match(r"-\w", token.text) is not None, self._unit(field, depth)

    def _unit(self, field: str, depth: int) -> Node | None:
        token = self._tokens[self._next]
        self._next += 1
        if token.kind == "(":
            return self._parenthesis(token, field, depth)
        if token.kind == "phrase":
            return self._phrase(token, token.text, field)
        named = FIELD.fullmatch(token.text)
        if named is None:
            return self._phrase(token, token.text, field)
        field = self._field(named[2], token)
        if named[3]:
            return self._phrase(token, named[3], field)
        if not token.touches_next or self._peek() is None:
            raise InvalidQuery(f"{named[2]}: at character {token.at} needs a word directly after it.")
        return self._unit(field, depth)

    def _field(self, name: str, token: _Token) -> str:
        if name.lower() not in FIELDS:
            raise InvalidQuery(
                f"There is no field {name[:40]}: (character {token.at}). The fields are title: and text:. To search "
                "for the words themselves, put them in quotation marks."
            )
        return name.lower()

    def _parenthesis(self, token: _Token, field: str, depth: int) -> Node | None:
        if depth == DEEPEST:
            raise InvalidQuery(f"The parentheses at character {token.at} are nested deeper than {DEEPEST}.")
        node = self._query(field, depth + 1)
        closing = self._peek()
        if closing is None:
            raise InvalidQuery(f"The parenthesis at character {token.at} is not closed.")
        self._next += 1
        return node

    def _phrase(self, token: _Token, text: str, field: str) -> Phrase | None:
        """Return the words of a text; None if it is punctuation only."""
        body = text.rstrip("*")
        if "*" in body:
            raise InvalidQuery(f"A * is allowed at the end of a word only (character {token.at}).")
        words = tuple(words_of(body))
        self._words += len(words)
        if self._words > MOST_WORDS:
            raise InvalidQuery(f"A search has at most {MOST_WORDS} words.")
        is_prefix = len(body) < len(text)
        if is_prefix and (not words or len(words[-1]) < SHORTEST_PREFIX):
            raise InvalidQuery(f"A * needs at least {SHORTEST_PREFIX} letters before it (character {token.at}).")
        return Phrase(words, field, is_prefix) if words else None
