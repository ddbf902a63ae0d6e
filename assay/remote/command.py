"""`assay remote`: works with a site from scripts without Python code.

Exit codes: 0 on success, 1 if the site refuses something, does not answer, or a job fails, 2 if the arguments are
invalid. The token comes from ASSAY_TOKEN or from `assay remote login`, never from the command line, which other users
of the computer can read.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pooling.choices import STRATEGY_NAMES

if TYPE_CHECKING:
    from assay.remote.collection import Collection
    from assay.remote.jobs import Job

DESCRIPTION = "Work with a site over its API: sign in, import files, build a pool, assign, and export."
KINDS = ("topics", "scale", "runs", "pool", "documents", "judgements")
Options = argparse.Namespace


def parser(prog: str) -> argparse.ArgumentParser:
    """Return the parser of the command."""
    options = argparse.ArgumentParser(prog=f"{prog} remote", description=DESCRIPTION)
    parts = options.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, (add, text, _) in ACTIONS.items():
        part = parts.add_parser(name, help=text, description=text)
        add(part)
        part.add_argument("--allow-http", action="store_true", help="send the token without TLS to another computer")
    return options


def main(arguments: list[str], prog: str) -> int:
    """Run the command and return its exit code."""
    options = parser(prog).parse_args(arguments)
    from assay.remote.errors import SiteError  # the help needs none of this

    try:
        ACTIONS[options.action][2](options)
    except SiteError as error:
        return _failed(prog, str(error), 1)
    except KeyError as error:
        return _failed(prog, str(error.args[0]), 1)
    except OSError as error:
        return _failed(prog, f"{error.filename}: {error.strerror}" if error.filename else str(error), 2)
    except ValueError as error:
        return _failed(prog, str(error), 2)
    return 0


def _failed(prog: str, sentence: str, code: int) -> int:
    print(f"{prog} remote: {sentence}", file=sys.stderr)
    return code


def _add_login(part: argparse.ArgumentParser) -> None:
    part.add_argument("url", metavar="URL", help="the address of the site's home page; the token is read from stdin")


def _add_collection(part: argparse.ArgumentParser) -> None:
    part.add_argument("--collection", required=True, metavar="SLUG", help="the collection's name in addresses")
    part.add_argument("--url", metavar="URL", help="the site (default: ASSAY_URL, or that of the last login)")


def _add_wait(part: argparse.ArgumentParser) -> None:
    part.add_argument("--no-wait", action="store_true", help="start the job, print its id, and do not wait for it")


def _add_import(part: argparse.ArgumentParser) -> None:
    _add_collection(part)
    part.add_argument("--kind", choices=KINDS, help="what the files are (default: the site recognises each file)")
    part.add_argument("files", nargs="+", metavar="FILE", help="topics, runs, documents or judgements")
    _add_wait(part)


def _add_pool(part: argparse.ArgumentParser) -> None:
    _add_collection(part)
    part.add_argument("--strategy", choices=STRATEGY_NAMES, default="depth", help="the strategy (default: depth)")
    part.add_argument("--depth", type=int, metavar="N", help="short for --parameter depth=N")
    part.add_argument(
        "--parameter",
        type=_parameter,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the strategy; may be repeated",
    )
    part.add_argument("--documents-per-topic", type=float, metavar="N", help="at most so many on average")
    part.add_argument("--seed", type=int, metavar="N", help="the seed of a random strategy")
    part.add_argument("--preview", action="store_true", help="print the size of the pool and change nothing")
    _add_wait(part)


def _add_job(part: argparse.ArgumentParser) -> None:
    _add_collection(part)
    part.add_argument("job", metavar="JOB", help="the id that --no-wait printed")


def _add_assign(part: argparse.ArgumentParser) -> None:
    _add_collection(part)
    part.add_argument("--judges", type=int, default=1, metavar="N", help="assessors of each document (default: 1)")
    part.add_argument("--by-topic", action="store_true", help="give whole topics to the same assessors")


def _add_export(part: argparse.ArgumentParser) -> None:
    _add_collection(part)
    part.add_argument("what", choices=("judgements", "gold"), help="the raw judgements as CSV, or a gold as qrels")
    part.add_argument("rule", nargs="?", metavar="RULE", help="the rule of the gold, such as majority or judge:NAME")
    part.add_argument("--rel", type=int, metavar="GRADE", help="write a binary gold: 1 for this grade and above")
    part.add_argument("--out", metavar="FILE", help="where to write (default: the terminal)")


def _parameter(text: str) -> tuple[str, float | int | bool | str]:
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    for number in (int, float):
        try:
            return name, number(value)
        except ValueError:
            continue
    return name, value


def _login(options: Options) -> None:
    """Ask the site whose token it is, and save it."""
    from getpass import getpass

    from assay.remote.address import checked_address, checked_token
    from assay.remote.saved import save_login
    from assay.remote.site import Site

    url = checked_address(options.url, options.allow_http)
    token = getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline()
    token = checked_token(token)
    if not token:
        raise ValueError("Type the token, or pass it on the standard input.")
    me = Site(url, token, allow_http=options.allow_http).me
    path = save_login(url, token)
    print(f"Signed in to {url} as {me['username']} with the scope {me['scope']}. The token is in {path}.")


def _import(options: Options) -> None:
    job = _collection(options).import_files(options.files, options.kind)
    for result in _results(job, options.no_wait):
        counts = f"{result['read']:,} read, {result['added']:,} added, {result['same']:,} already there"
        print("\n  ".join([f"{result['kind']}: {counts}", *result["notes"]]))


def _pool(options: Options) -> None:
    depth = {} if options.depth is None else {"depth": options.depth}
    choices = {"documents_per_topic": options.documents_per_topic, "seed": options.seed}
    collection, parameters = _collection(options), dict(options.parameter) | depth
    if options.preview:
        found = collection.preview(options.strategy, **choices, **parameters)
        print("\n".join([f"{found['documents']:,} documents, {found['new']:,} of them new", *found["notes"]]))
        return
    for result in _results(collection.pool(options.strategy, **choices, **parameters), options.no_wait):
        print(f"{result['pooled']:,} documents pooled")


def _assign(options: Options) -> None:
    found = _collection(options).assign(options.judges, by_topic=options.by_topic)
    print(f"{found['added']:,} assignments added for {found['assessors']:,} assessors and {found['tasks']:,} documents")
    if found["shortfall"]:
        print(found["shortfall"])


def _export(options: Options) -> None:
    if (options.what == "gold") != bool(options.rule):
        raise ValueError("Name the rule of the gold: `export gold RULE`. Judgements have no rule.")
    if options.what == "judgements" and options.rel is not None:
        raise ValueError("--rel belongs to a gold.")
    collection = _collection(options)
    gold = options.what == "gold"
    content = collection.qrels(options.rule, rel=options.rel) if gold else collection.judgements_csv()
    if options.out:
        Path(options.out).write_bytes(content)
    else:
        sys.stdout.write(content.decode())


def _wait(options: Options) -> None:
    job = _collection(options).job(options.job).wait(progress=sys.stderr.isatty())
    print("\n".join(json.dumps(result, ensure_ascii=False) for result in job.results))


def _collection(options: Options) -> "Collection":
    from assay.remote.site import Site

    return Site(options.url, allow_http=options.allow_http).collection(options.collection)


def _results(job: "Job", no_wait: bool) -> list[Any]:
    """The results of a job and of those that follow it; none if nobody waits."""
    if no_wait:
        print(job.id)
        return []
    return job.wait(progress=sys.stderr.isatty()).results


ACTIONS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], str, Callable[[Options], None]]] = {
    "login": (_add_login, "Save a token of your account for a site.", _login),
    "import": (_add_import, "Send files to a collection and import them.", _import),
    "pool": (_add_pool, "Build the pool, or show what it would be like.", _pool),
    "wait": (_add_job, "Wait for a job and for those that follow it, and print their results as JSON.", _wait),
    "assign": (_add_assign, "Assign every pooled document to so many assessors.", _assign),
    "export": (_add_export, "Write the judgements or a gold to a file.", _export),
}
