"""The command `assay live`: make a run from a search engine.

Without `--out`, the first topic is asked for twice, and the request, the first documents and what an import would keep
are printed. With `--out DIR`, all topics are asked for, and the folder gets `SYSTEM.run.gz`, `documents.jsonl.gz` (if
texts came along), `answers.jsonl.gz` (the raw answers with their checksums) and `record.json` (engine, address,
template, version, depth, time and checksums). `--again record.json` repeats a run and compares it with the former one.

The secret of an engine is read from the environment variable `ASSAY_ENGINE_SECRET`, so that it is in no history of
commands. Invalid input and a topic without a result end with code 2 and a sentence; then there is no run.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pooling.live import Engine, TopicAnswer

VARIABLE = "ASSAY_ENGINE_SECRET"
SETTINGS = ("body", "results", "id", "score", "title", "text", "scores", "escape", "chunk_separator", "header")
SHOWN = 10


def main(arguments: list[str] | None = None, prog: str = "python -m pooling.cli.live") -> int:
    """Run the command."""
    parser = build_parser(prog)
    options = parser.parse_args(arguments)
    try:
        _live(options)
    except (ValueError, OSError) as problem:
        sentence = str(problem)
        if isinstance(problem, OSError) and problem.filename:
            sentence = f"{problem.filename}: {problem.strerror}"
        sys.stderr.write(f"{prog}: {sentence}\n")
        return 2
    return 0


def build_parser(prog: str) -> argparse.ArgumentParser:
    """The parser of the command called `prog`."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Make a run from a search engine: one request for each topic.",
        epilog=f"The secret that an engine requires is read from {VARIABLE}.",
    )
    parser.add_argument("--engine", metavar="KIND", help="elasticsearch (also OpenSearch), solr, vespa or json")
    parser.add_argument("--address", metavar="URL", help="the address of the index; for json with {query} and {depth}")
    parser.add_argument("--again", metavar="RECORD", help="repeat the run of a record.json with its settings")
    parser.add_argument("--topics", metavar="FILE", required=True, help="the topics")
    parser.add_argument("--system", metavar="NAME", default="live", help="the name of the system (default: live)")
    parser.add_argument("--depth", type=int, metavar="N", help="documents for each topic (default: 100)")
    parser.add_argument("--template", metavar="FILE", help="the body of the request as JSON, with {query} in its texts")
    parser.add_argument("--out", metavar="DIR", help="ask for all topics, and write the run into this folder")
    _add_answer(parser.add_argument_group("where the answer has what (JMESPath); by default as the engine answers"))
    _add_pace(parser.add_argument_group("pace"))
    return parser


def _add_answer(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--results", metavar="PATH", help="the list of documents, such as hits.hits")
    for name in ("id", "score", "title", "text"):
        group.add_argument(f"--{name}", metavar="PATH", help=f"the {name} of a document")
    group.add_argument("--scores", choices=("engine", "rank"), help="scores of the answer, or depth minus rank")
    group.add_argument("--escape", choices=("lucene",), help="escape the words of topics for Lucene's query syntax")
    group.add_argument(
        "--chunk-separator", metavar="TEXT", help="between the id of a document and the number of its chunk, such as #"
    )
    group.add_argument("--header", metavar="NAME", help="the header of the secret (default: Authorization)")


def _add_pace(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--concurrency", type=int, metavar="N", default=2, help="topics at the same time (default: 2)")
    group.add_argument("--per-second", type=float, metavar="N", help="requests in a second, at most")
    group.add_argument("--seconds", type=float, metavar="N", default=30.0, help="limit of a request (default: 30)")


def _live(options: argparse.Namespace) -> None:
    from pooling.topics import read_topics  # loads pandas, which --help does not need

    former = _former(options)
    engine = _engine(options, former)
    topics = read_topics(options.topics)
    depth = former.get("depth", 100) if options.depth is None else options.depth
    if options.out is None:
        _preview(engine, topics.head(1), depth, options)
    else:
        _write(engine, topics, depth, options, former)


def _former(options: argparse.Namespace) -> dict[str, Any]:
    """Return the record of a former run, or nothing."""
    if not options.again:
        return {}
    try:
        record = json.loads(Path(options.again).read_bytes())
        return {**record, "engine": dict(record["engine"]), "depth": int(record["depth"])}
    except (ValueError, TypeError, KeyError):
        raise ValueError(f"{options.again}: this is no record of `assay live`") from None


def _engine(options: argparse.Namespace, former: dict[str, Any]) -> "Engine":
    from pooling.live import Engine

    settings = {name: value for name in SETTINGS if (value := getattr(options, name, None)) is not None}
    if options.template:
        settings["body"] = Path(options.template).read_text(encoding="utf-8")
    settings = former.get("engine", {}) | settings
    settings.pop("version", None)
    kind, address = settings.pop("kind", options.engine), settings.pop("address", options.address)
    if not kind or not address:
        raise ValueError("--engine and --address are required, or --again with the record of a former run")
    try:
        return Engine.of(kind, address, **settings, secret=os.environ.get(VARIABLE, ""))
    except TypeError:
        raise ValueError(f"{options.again}: this is no record of `assay live`") from None


def _preview(engine: "Engine", topics: Any, depth: int, options: argparse.Namespace) -> None:
    """Ask for one topic twice, and print what came."""
    from pooling.live import run
    from pooling.live.compare import compare_runs

    topic = {str(name): value for name, value in topics.iloc[0].items()}
    print_lines([f"Request: {json.dumps(engine.shown_request(topic, depth), ensure_ascii=False)}"])
    found = run(engine, topics, depth, limits=_limits(options))
    again = run(engine, topics, depth, limits=_limits(options))
    print_lines([f"{rank:>4}  {row.doc_id}  {row.score:g}" for rank, row in enumerate(_rows(found.run)[:SHOWN], 1)])
    print_lines([f"Documents: {len(found.run):,}; with text: {len(found.documents):,}.", *found.notes])
    changes = compare_runs(found.run, again.run, depth)
    same = "The second answer was the same." if not changes.changed else f"Asked for twice: {changes}"
    print_lines([same, "Add --out DIR to ask for all topics."])


def _write(engine: "Engine", topics: Any, depth: int, options: argparse.Namespace, former: dict[str, Any]) -> None:
    from pooling.live import compare_runs, run
    from pooling.live.files import write_live_run
    from pooling.trec import read_run

    folder = Path(options.out)
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder}: this folder is not empty; choose a new one")
    with _progress(len(topics)) as progress:
        found = run(
            engine,
            topics,
            depth,
            system=options.system,
            concurrency=options.concurrency,
            limits=_limits(options),
            progress=progress,
        )
    files = write_live_run(found, folder)
    print_lines([f"Wrote {', '.join(files)} into {folder}.", *found.notes])
    if former:
        before = Path(options.again).parent / former["run"]
        print_lines([f"Compared with {before}: {compare_runs(read_run(before), found.run)}"])


def _limits(options: argparse.Namespace) -> Any:
    from pooling.outgoing import Limits

    for name in ("seconds", "per_second"):
        value = getattr(options, name)
        if value is not None and not 0 < value <= 3_600:
            raise ValueError(f"--{name.replace('_', '-')} must be above 0 and at most 3,600, not {value:g}")
    return Limits(seconds=options.seconds, per_second=options.per_second)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    from tqdm import tqdm

    with tqdm(total=total, unit="topic", disable=None) as bar:

        def advance(answer: "TopicAnswer") -> None:
            bar.update()
            if answer.problem:
                bar.write(f"Topic {answer.query_id}: {answer.problem}", file=sys.stderr)

        yield advance


def _rows(run: Any) -> list[Any]:
    return list(run.itertuples(index=False))


def print_lines(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
