"""The options of imports. Each kind of file declares its own once, in a dataclass.

The arguments of the command, the fields of the page and the values that a job stores are made from the declaration, and
refuse the same values with the same sentence. Names are unique over all kinds, because a job stores the options of all
kinds together.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from assess.errors import Refused, as_sentence
from assess.models import Collection
from pooling.choices import REPAIRS


@dataclass(frozen=True)
class Option:
    """What users see of an option.

    label, help    on the page; the command shows `help`, followed by `command_help`
    choices        the allowed values with the words of the page; without them, any text is allowed
    subject        begins the sentence that refuses a value: the label, if it is empty
    flag, metavar  of the command, if they are not made from the name
    repeatable     whether the command takes the option more than once
    max_length     of the text on the page
    parse          makes the value for the import from the stored value of a page
    """

    default: Any
    label: str
    help: str
    command_help: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    subject: str = ""
    flag: str = ""
    metavar: str = ""
    repeatable: bool = False
    max_length: int | None = None
    parse: Callable[[Collection, Any], Any] = lambda _, value: value

    def check(self, value: Any) -> None:
        """Raise Refused if the value is not one of the choices."""
        if self.choices and value not in list(self.choices):
            allowed = ", ".join(choice for choice in self.choices if choice)
            raise Refused(f"{self.subject or self.label} must be one of {allowed}, not {value!r}.")


def option(default: Any, label: str, help: str = "", **details: Any) -> Any:  # noqa: A002 - the word of argparse
    """Declare an option as a field of a dataclass."""
    return field(default=default, metadata={"option": Option(default, label, help, **details)})


def repair_option(what: str, **details: Any) -> Any:
    """Declare the option that repairs ids of a file; `what` of the collection are the right ones."""
    words = f"ids of {what} that the collection does not have become those that differ only in this, such as 90 and 090"
    choices = {"": "no"} | {name: name.replace("-", " ") for name in REPAIRS}
    return option("", "Repair ids", words, choices=choices, flag="--repair-ids", subject="Repair ids", **details)


@dataclass(frozen=True)
class ImportOptions:
    """The options of one kind of import. An instance has allowed values only."""

    def __post_init__(self) -> None:
        for name, each in self.declared().items():
            each.check(getattr(self, name))

    @classmethod
    def declared(cls) -> dict[str, Option]:
        """Return the options by name. A field without declaration is neither on the page nor in a job."""
        return {each.name: each.metadata["option"] for each in fields(cls) if "option" in each.metadata}

    @classmethod
    def from_stored(cls, collection: Collection, values: Mapping[str, Any]) -> Self:
        """Return the options of a job. What its values lack, or have empty, gets the default."""
        given = {name: values[name] for name in cls.declared() if values.get(name)}
        try:
            return cls(**{name: cls.declared()[name].parse(collection, value) for name, value in given.items()})
        except ValueError as error:
            raise Refused(as_sentence(error)) from None
