"""The arguments of the import commands, made from the options that each kind of import declares."""

from collections.abc import Mapping
from typing import Any

from assess.transfer.options import ImportOptions, Option


def add_options(parser: Any, options: type[ImportOptions], *names: str) -> None:
    """Add the options with these names, or all. Their values are checked by `options`, not by the parser."""
    for name, option in options.declared().items():
        if not names or name in names:
            flag = option.flag or f"--{name.replace('_', '-')}"
            parser.add_argument(flag, dest=name, help=_help(option), **_details(option))


def _details(option: Option) -> dict[str, Any]:
    if option.default is False:
        return {"action": "store_true"}
    if option.repeatable:
        return {"action": "append", "default": [], "metavar": option.metavar}
    choices = ",".join(choice for choice in option.choices if choice)
    return {"default": option.default, "metavar": option.metavar or f"{{{choices}}}"}


def _help(option: Option) -> str:
    text = (option.help or option.label) + option.command_help
    return f"{text} (default: {option.default})" if option.choices and option.default else text


def chosen(options: type[ImportOptions], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the options among the arguments of a command."""
    given = {name: arguments[name] for name in options.declared()}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
