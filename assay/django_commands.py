"""Runs a management command of the web application: chooses the data directory, loads Django, checks the tables."""

import atexit
import gc
import os
import sys
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, find_commands, get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db.utils import OperationalError, ProgrammingError

import assess
from assess.lib.data_dir import VARIABLE, DataDir, find_data_dir, other_databases
from assess.lib.database_url import use_owner
from assess.lib.environment import flag

PRIVATE_UMASK = 0o077  # only the owner may read the files that commands create: databases, run files and exports

# The demo has a database of its own and is for this computer only, whatever the environment says about the real site.
DEMO_DIR = "demo"
DEMO_ENVIRONMENT = {
    "DATABASE_URL": "",
    "ASSAY_MIGRATION_DATABASE_URL": "",
    "ASSAY_ALLOWED_HOSTS": "localhost,127.0.0.1",
    "ASSAY_BEHIND_PROXY": "0",
    "ASSAY_PLAIN_HTTP": "1",
}

# Commands that create or change tables. If the tables have an owner of their own (ASSAY_MIGRATION_DATABASE_URL), they
# connect as this owner.
OWNER_COMMANDS = {"migrate", "restore", "rehearse_restore"}


# What the parsers of our commands need. Loading the other apps takes most of the time of `--help`.
HELP_APPS = ["assess", "django.contrib.auth", "django.contrib.contenttypes"]
HELP_OPTIONS = {"-h", "--help"}


class UnknownCommand(Exception):  # noqa: N818 - named like Django's exceptions of this kind
    """There is no such command. `known` are the names of all commands."""

    def __init__(self, known: list[str]) -> None:
        super().__init__()
        self.known = known


def run_command(arguments: list[str], data: str | None, prog: str, use_checkout: bool) -> int:
    """Run `arguments` (the command's name first) and return the exit code."""
    os.umask(PRIVATE_UMASK)
    chosen = _choose_data_dir(arguments[0], data, use_checkout)
    if arguments[0] != "demo" and (note := unused_database_note(chosen, use_checkout)):
        print(f"{prog}: {note}", file=sys.stderr)
    try:
        set_environment(arguments[0], chosen, prog, use_checkout and not data)
        if HELP_OPTIONS & set(arguments) and arguments[0] in _own_commands():
            _load_little()
        Utility([prog, *arguments]).execute()
    except (CommandError, ImproperlyConfigured) as error:
        return _failed(prog, str(error))
    except (OperationalError, ProgrammingError) as error:
        return _failed(prog, _explain(error, prog))
    return 0


class Utility(ManagementUtility):
    """Django's command line, which first checks that the tables exist."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        if self.settings_exception is not None:
            raise self.settings_exception
        if subcommand not in get_commands():
            raise UnknownCommand(sorted(get_commands()))
        command = super().fetch_command(subcommand)
        if not (HELP_OPTIONS | {"--version"}) & set(self.argv):
            _prepare_database(subcommand, command, self.argv[0])
        return command


def _own_commands() -> list[str]:
    return find_commands(str(Path(assess.__file__).parent / "management"))


def _load_little() -> None:
    """Prepare a process that prints the help of a command and ends."""
    gc.disable()  # thousands of objects are created, and none is freed
    atexit.register(gc.freeze)
    settings.INSTALLED_APPS = HELP_APPS


def unused_database_note(chosen: DataDir, use_checkout: bool) -> str:
    """One line if a data directory that is not used holds a database, else an empty string.

    Call it before `set_environment`, which overwrites ASSAY_DATA.
    """
    if os.environ.get("DATABASE_URL"):
        return ""
    others = other_databases(chosen, use_checkout=use_checkout)
    if not others:
        return ""
    unused = " and ".join(str(other.path) for other in others)
    return f"Using the data in {chosen.path}. There is another database in {unused}; choose it with --data DIR."


def _choose_data_dir(command: str, data: str | None, use_checkout: bool) -> DataDir:
    chosen = find_data_dir(data, use_checkout=use_checkout)
    if command == "demo" and not data:
        return DataDir(chosen.path / DEMO_DIR, chosen.source)
    return chosen


def set_environment(command: str, chosen: DataDir, prog: str, settings_choose: bool) -> None:
    """Pass the choices on to the settings, and to processes that the command starts."""
    if command == "demo" or not settings_choose:
        os.environ[VARIABLE] = str(chosen.path)
    if command == "demo":
        os.environ.update(DEMO_ENVIRONMENT)
    if command in OWNER_COMMANDS:
        use_owner()
    if command == "serve" and not flag("ASSAY_BEHIND_PROXY"):
        os.environ.setdefault("ASSAY_PLAIN_HTTP", "1")
    if prog == "manage.py":
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assess.settings")
    else:  # the variable may be that of another project
        os.environ["DJANGO_SETTINGS_MODULE"] = "assess.settings"


def _prepare_database(name: str, command: BaseCommand, prog: str) -> None:
    """Make sure that a command of ours finds its tables. `serve` and `demo` create them; Django's own commands are not
    checked in advance."""
    from assess.lib import tables

    if name == "migrate":
        tables.create_file()
    elif type(command).__module__.startswith("assess.") and getattr(command, "needs_tables", True):
        tables.ensure(prog)


def _explain(error: Exception, prog: str) -> str:
    """The sentence for a database error: missing tables, or the database's own message."""
    from assess.lib import tables

    try:
        if tables.state() is not tables.State.CURRENT:
            return tables.MIGRATE_FIRST.format(prog=prog)
    except (OperationalError, ProgrammingError) as second:
        return f"The database cannot be reached: {_first_line(second)}"
    raise error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _failed(prog: str, sentence: str) -> int:
    print(f"{prog}: {sentence}", file=sys.stderr)
    return 1
