"""The global option `--data DIR`, which may be before or after the command."""

from assay.command_list import LIBRARY_COMMANDS

OPTION = "--data"


class UsageError(Exception):
    """The arguments are invalid. The message is one sentence for the terminal."""


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
