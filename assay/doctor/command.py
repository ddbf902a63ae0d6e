"""The command: prints one line for each check and exits with 1 if there is a problem."""

import argparse
import os
from collections.abc import Iterator

from assay.doctor.installation import check_installation
from assay.doctor.result import Result, Status, ok, problem


def main(arguments: list[str], data: str | None, prog: str, use_checkout: bool) -> int:
    """Run all checks. If the installation is broken, the data are not checked, because that needs it."""
    parser = argparse.ArgumentParser(
        prog=f"{prog} doctor",
        description="Check Python, the required packages, the database, its migrations and file permissions. "
        "Permissions that let others read the data are corrected.",
    )
    parser.parse_args(arguments)
    if not _print(check_installation()):
        return 1
    return 0 if _print(_check_data(data, prog, use_checkout)) else 1


def _print(results: Iterator[Result]) -> bool:
    """Print results as they are found; whether none is a problem."""
    healthy = True
    for result in results:
        print(result, flush=True)
        healthy = healthy and result.status is not Status.PROBLEM
    return healthy


def _check_data(data: str | None, prog: str, use_checkout: bool) -> Iterator[Result]:
    import django
    from django.core.exceptions import ImproperlyConfigured

    from assay.django_commands import set_environment, unused_database_note
    from assay.doctor.data import check_database, check_permissions
    from assess.lib.data_dir import find_data_dir

    chosen = find_data_dir(data, use_checkout=use_checkout)
    yield ok(f"Data directory {chosen.path} ({chosen.source})")
    if note := unused_database_note(chosen, use_checkout):
        yield ok(f"Note: {note}")
    set_environment("doctor", chosen, prog, use_checkout and not data)
    try:
        django.setup()
    except ImproperlyConfigured as error:
        yield problem(str(error))
        return
    if not os.environ.get("DATABASE_URL") and not os.access(chosen.path, os.W_OK):
        yield problem(f"{chosen.path} cannot be written: change its owner or choose another with --data DIR")
        return
    yield from check_permissions(chosen.path)
    yield from check_database(prog)
