"""The command `assay`: pooling and agreement on files, the web application, and its management commands.

Exit codes: 0 on success, 1 if a command fails, 2 if the arguments are invalid. Those of `gate` are its decisions.

The global option `--data DIR` may be before or after the command.
"""

import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from assay.command_list import DJANGO_COMMANDS, GROUPS, LIBRARY_COMMANDS, help_text
from assay.version import installed_version

OPTION = "--data"
WITHOUT_DATA = {"docs": "assay.docs", "remote": "assay.remote.command"}  # each with its module
DJANGO_CHECK = {"--deploy", "--tag", "-t", "--list-tags", "--fail-level", "--database", "--settings"}


class UsageError(Exception):
    """The arguments are invalid. The message is one sentence for the terminal; `code` is the exit code."""

    code = 2


def split_data_option(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The value of `--data`, and the other arguments. If the option is repeated, the last value counts.

    Nothing is taken from the arguments after `--`, nor from those of a library command, which has options of its own.
    """
    value, rest = None, []
    remaining = iter(arguments)
    for argument in remaining:
        if argument == OPTION:
            value = next(remaining, "")
        elif argument.startswith(f"{OPTION}="):
            value = argument.removeprefix(f"{OPTION}=")
        else:
            rest.append(argument)
            if argument == "--" or (rest == [argument] and argument in LIBRARY_COMMANDS):
                rest += remaining
        if value == "":
            raise UsageError("--data needs a directory, as in --data DIR.")
    return value, rest


PROGRAMS = ("assay", "ir-assay")


def main(arguments: list[str] | None = None, *, prog: str | None = None, use_checkout: bool = False) -> int:
    """Run a command and return its exit code.

    `manage.py` sets `use_checkout`: the default data directory is then `var/` in the checkout.
    """
    prog = prog or _program_name()
    try:
        data, arguments = split_data_option(list(sys.argv[1:] if arguments is None else arguments))
        return _run(data, arguments, prog, use_checkout)
    except UsageError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return 130


def _run(data: str | None, arguments: list[str], prog: str, use_checkout: bool) -> int:
    if arguments in ([], ["help"], ["-h"], ["--help"]):
        print(help_text(prog), end="")
        return 0
    if arguments in (["--version"], ["version"]):
        print(f"Assay {installed_version()}")
        return 0
    if arguments[0] == "help" and not arguments[1].startswith("-"):
        arguments = [arguments[1], "--help"]
    command = arguments[0]
    if command.startswith("-"):
        raise UsageError(f"Unknown option {command!r}; `{prog} --help` lists the options.")
    if command in LIBRARY_COMMANDS and not _is_of_django(arguments):
        return _run_library(arguments, data, prog)
    if command in WITHOUT_DATA:
        if data is not None:
            raise UsageError(f"`{prog} {command}` uses no data directory; remove --data.")
        return int(import_module(WITHOUT_DATA[command]).main(arguments[1:], prog))
    if command == "doctor":
        return int(import_module("assay.doctor").main(arguments[1:], data, prog, use_checkout))
    return _run_django(arguments, data, prog, use_checkout)


def _is_of_django(arguments: list[str]) -> bool:
    """Whether this is Django's check of the settings, which has the name of our check of files but no file."""
    options = {argument.split("=")[0] for argument in arguments[1:]}
    return arguments[0] == "check" and (not options or bool(options & DJANGO_CHECK))


def _run_library(arguments: list[str], data: str | None, prog: str) -> int:
    """`assay pool`, `assay draw`, `assay kappa` and the like, which read and write files only."""
    if data is not None:
        error = UsageError(f"`{prog} {arguments[0]}` reads files and uses no data directory; remove --data.")
        error.code = 64 if arguments[0] == "gate" else error.code  # 2 is a decision of the gate
        raise error
    if arguments[0] == "verify":
        return int(import_module("assay.verify").main(arguments[1:], prog))
    if arguments[0] == "pool":
        return _library_main("pooling")(arguments[1:], prog=f"{prog} pool")
    if arguments[0] == "draw":
        return int(import_module("pooling.cli.draw").main(arguments[1:], f"{prog} draw"))
    if arguments[0] == "live":
        return int(import_module("pooling.cli.live").main(arguments[1:], f"{prog} live"))
    return _library_main("agreement")(arguments, prog=prog)


def _library_main(package: str) -> Callable[..., int]:
    main: Callable[..., int] = import_module(f"{package}.cli.main").main
    return main


def _run_django(arguments: list[str], data: str | None, prog: str, use_checkout: bool) -> int:
    from assay.django_commands import UnknownCommand, run_command

    try:
        return run_command(arguments, data, prog, use_checkout)
    except UnknownCommand as error:
        known = {
            *error.known,
            *LIBRARY_COMMANDS,
            *DJANGO_COMMANDS,
            *(name for group in GROUPS.values() for name in group),
        }
        similar = get_close_matches(arguments[0].replace("-", "_"), sorted(known), n=1)
        hint = f"did you mean {similar[0]!r}?" if similar else f"`{prog} --help` lists the commands."
        raise UsageError(f"Unknown command {arguments[0]!r}; {hint}") from None


def _program_name() -> str:
    name = Path(sys.argv[0]).stem
    return name if name in PROGRAMS else PROGRAMS[0]
