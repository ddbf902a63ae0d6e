"""Base classes of the commands: error messages, the collection, the time taken, and a progress bar."""

import os
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error as DatabaseError
from django.db import IntegrityError, transaction
from tqdm import tqdm

from assess.collections.create import find_collection
from assess.errors import Refused
from assess.lib import long_work
from assess.lib.environment import parse_share
from assess.lib.outages import outage_reason
from assess.models import Collection, TopicSet
from pooling.errors import FormatError
from pooling.option_names import OptionNames
from pooling.paths import irds_id
from pooling.words import count

if TYPE_CHECKING:
    from assess.transfer.import_record import Imported

MIN_BYTES_FOR_BAR = 1_000_000  # smaller files are read before a bar would be noticed
MOST_PROBLEMS = 50  # that a command prints
SECONDS_BEFORE_BAR = 1  # where the total is not known in advance


class AssessCommand(BaseCommand):
    """A command that reports a refusal, an invalid file, a failed file access or an unavailable database as a sentence.

    `if_interrupted` says what the data are like when the database becomes unavailable.
    """

    if_interrupted = "the command did not finish. Run it again"

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (Refused, FormatError) as refusal:
            raise CommandError(str(refusal)) from None
        except BrokenPipeError:  # the reader of the output, such as head, has enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python reports it again at exit
            raise SystemExit(1) from None
        except OSError as error:
            problem = f"{error.filename or 'A file'}: {error.strerror or error}"
            raise CommandError(f"{problem}; nothing was changed.") from None
        except DatabaseError as error:
            if reason := outage_reason(error):
                raise CommandError(
                    f"The database is busy or cannot be written ({reason}); {self.if_interrupted}."
                ) from None
            raise

    def write_lines(self, *lines: str) -> None:
        for line in lines:
            self.stdout.write(line)


class CollectionCommand(AssessCommand):
    """A command on one collection. Subclasses implement `handle_collection`."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--collection", required=True, metavar="NAME", help="the collection's name in URLs")

    def handle(self, *, collection: str, **options: Any) -> None:
        try:
            self.handle_collection(find_collection(collection), **options)
        except IntegrityError:
            raise CommandError(
                f"Another user changed {collection} at the same time. This command changed nothing. Run it again."
            ) from None

    def handle_collection(self, collection: Collection, *args: Any, **options: Any) -> None:
        raise NotImplementedError


def add_set_option(parser: CommandParser) -> None:
    """Add the option that limits figures to a set of topics."""
    parser.add_argument(
        "--set",
        choices=TopicSet.values,
        default="",
        dest="topic_set",
        help="only the topics of this set (default: all topics); set_topics puts topics into sets",
    )


class ImportCommand(CollectionCommand):
    """An import of files. It reports what was read, what changed, and how long the import took."""

    item_noun = ""
    if_interrupted = "nothing was imported. Run the import again"

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **options)
        self.option_names = OptionNames.of_parser(parser)
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except CommandError as error:  # the libraries name arguments of Python
            raise CommandError(self.option_names.of(str(error)), returncode=error.returncode) from None

    def handle(self, **options: Any) -> None:
        started = time.perf_counter()
        super().handle(**options)
        self.write_lines(f"Took {time.perf_counter() - started:.1f} s.")

    def report(self, result: "Imported") -> None:
        self.write_lines(
            f"Read {count(result.read, self.item_noun)}: {result.added:,} new, {result.same:,} already imported.",
            *map(self.option_names.of, result.notes),
        )


class ExportCommand(CollectionCommand):
    """An export to a file, or to standard output without any other text."""

    item_noun = ""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")

    def write_output(
        self,
        collection: Collection,
        subject: str,
        content: bytes,
        out: Path | None,
        item_count: int,
        with_withdrawn: bool = False,
    ) -> None:
        """Write the content, with an entry in the audit log about `subject`: both, or none."""
        from assess.transfer.exports import record_export

        with transaction.atomic():
            checkpoint = record_export(collection, subject, with_withdrawn=with_withdrawn)
            self._write(content, out)
        if out is not None:
            self.write_lines(
                f"Wrote {count(item_count, self.item_noun)} to {out}.", f"Checkpoint of the ledger: {checkpoint.hash}"
            )

    def _write(self, content: bytes, out: Path | None) -> None:
        if out is None:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
            return
        out.write_bytes(content)


def positive_int(text: str) -> int:
    """Parse an option's value as a whole number from 1."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def share(text: str) -> float:
    """Parse an option's value as a share from 0 to 1."""
    try:
        return parse_share(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


@contextmanager
def progress_bar(paths: Sequence[Path]) -> Iterator[Callable[[int], object]]:
    """Show a progress bar while large files are read. Yields a function that takes the number of bytes read."""
    total = sum(_size_of(path) for path in paths)
    with tqdm(total=total, unit="B", unit_scale=True, disable=None if total > MIN_BYTES_FOR_BAR else True) as bar:
        yield bar.update


class _Bar:
    """Shows what long work reports as a progress bar."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def report(self, stage: str, done: int, total: int | None) -> None:
        self._bar.set_description(stage, refresh=False)
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def save(self) -> None:
        """Nothing to do: a command saves what it reports."""


@contextmanager
def long_work_bar() -> Iterator[None]:
    """Show a progress bar of the long work in this block."""
    with tqdm(disable=None, delay=SECONDS_BEFORE_BAR) as bar, long_work.watched_by(_Bar(bar)):
        yield


def _size_of(path: Path) -> int:
    """The size of a file, or of all files in a folder; 0 for an id of ir-datasets."""
    if irds_id(path):
        return 0
    if not path.is_dir():
        return path.stat().st_size
    return sum(each.lstat().st_size for each in path.rglob("*") if each.is_file())
