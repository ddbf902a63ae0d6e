"""What every command shares: the collection, the clear refusal, the time it took, and a bar on long input."""

import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError
from tqdm import tqdm

from assess.collections.create import find_collection
from assess.errors import Refused
from assess.models import Collection
from assess.transfer.imports import Imported
from pooling.errors import FormatError

BAR_FROM_BYTES = 1_000_000  # less than that is read before anyone looks


class CollectionCommand(BaseCommand):
    """A command on one collection. A subclass says `work(collection, **options)`; refusals become one sentence."""

    def add_arguments(self, parser):
        parser.add_argument("--collection", required=True, metavar="NAME", help="the collection's address name")

    def handle(self, *, collection: str, **options):
        started = time.perf_counter()
        try:
            self.work(find_collection(collection), **options)
        except (Refused, FormatError) as refusal:
            raise CommandError(str(refusal)) from None
        except OSError as error:
            problem = f"{error.filename or 'A file'}: {error.strerror or error}"
            raise CommandError(f"{problem}; nothing was changed.") from None
        except IntegrityError:
            message = f"{collection} was changed by somebody else in the meantime; nothing was changed, run it again."
            raise CommandError(message) from None
        self.took = time.perf_counter() - started

    def work(self, collection: Collection, **options) -> None:
        raise NotImplementedError

    def say(self, *lines: str) -> None:
        for line in lines:
            self.stdout.write(line)


class ImportCommand(CollectionCommand):
    """An import: files in, one line on what was read and what changed, and how long it took."""

    things = ""

    def handle(self, **options):
        super().handle(**options)
        self.say(f"Took {self.took:.1f} s.")

    def report(self, done: Imported) -> None:
        self.say(
            f"Read {done.read:,} {self.things}: {done.added:,} new, {done.same:,} were here already.",
            *done.notes,
        )


def positive(text: str) -> int:
    """An option's whole number from 1 on."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


@contextmanager
def bar(paths: list[Path]) -> Iterator:
    """A progress bar over the bytes of the files, where there are many; yields what takes the bytes read."""
    total = sum(path.stat().st_size for path in paths)
    with tqdm(total=total, unit="B", unit_scale=True, disable=None if total > BAR_FROM_BYTES else True) as shown:
        yield shown.update


class ExportCommand(CollectionCommand):
    """An export: the content to a file, or to standard output and nothing else with it."""

    things = ""

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")

    def deliver(self, content: bytes, out: Path | None, lines: int) -> None:
        if out is None:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
            return
        out.write_bytes(content)
        self.say(f"Wrote {lines:,} {self.things} to {out}.")
