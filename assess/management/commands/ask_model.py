"""assay ask_model --collection NAME --judge NAME [--address URL --model NAME | --offline | --function MODULE:NAME]"""

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandParser

from assess.errors import Refused
from assess.management.base import CollectionCommand, long_work_bar, positive_int
from assess.models import Collection, ModelJudge
from pooling.errors import shown

if TYPE_CHECKING:
    from assess.asking.ask import WorkOptions
    from assess.models import ModelWork

SECRET = "ASSAY_MODEL_SECRET"  # noqa: S105 - the name of a variable
PACE = ("seed", "concurrency", "per_second", "price_input", "price_output", "most_cost", "most_tokens")


class Command(CollectionCommand):
    help = (
        "Ask a model for the grades of the pool; each answer is saved with its judgement when it arrives. A new judge "
        "needs an address and a model, or --offline, or --function. The value of the header that the server requires, "
        f"such as 'Bearer ...', is read from {SECRET}. Run it again to continue."
    )
    epilog = """examples:
  assay ask_model --collection robust --judge gpt --address http://localhost:11434/v1 --model qwen3:4b --confirm --try
  assay ask_model --collection robust --judge gpt --price-input 0.4 --price-output 1.6 --most-cost 5
  assay ask_model --collection robust --judge words --offline"""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        kwargs |= {"epilog": self.epilog, "formatter_class": argparse.RawDescriptionHelpFormatter}
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--judge", required=True, metavar="NAME", help="a judge of this collection, or a new one")
        _add_judge(parser.add_argument_group("a new judge"))
        _add_work(parser.add_argument_group("the work"))

    def handle_collection(self, collection: Collection, *, judge: str, **options: Any) -> None:
        found = collection.model_judges.filter(name=judge).first()
        if found is None or options["address"] or options["offline"] or options["function"]:
            found = _save(collection, judge, options)
        if options["confirm"]:
            _confirm(found)
        work = _work_options(options)
        if options["write_batch"]:
            self._write_batch(found, work, options["write_batch"])
        elif options["read_batch"]:
            self._read_batch(found, options["read_batch"])
        elif options["try_first"]:
            self._try(found, work)
        else:
            self._ask(found, work)

    def _try(self, judge: ModelJudge, options: "WorkOptions") -> None:
        from assess.asking.trial import check_trial, run_trial

        check_trial(judge, options)
        tried = run_trial(judge, options)
        for each in tried.documents:
            given = each["reason"] if each["grade"] is None else f"grade {each['grade']}"
            self.write_lines(f"topic {each['query_id']}, document {each['doc_id']}: {given}, {each['seconds']:.1f} s")
            self.write_lines(*(f"[{part['role']}] {part['content']}" for part in each["messages"]), each["answer"], "")
        self.write_lines(tried.summary)

    def _ask(self, judge: ModelJudge, options: "WorkOptions") -> None:
        from assess.asking.ask import carry_out, result_of, result_sentence

        work = _work(judge, options)
        try:
            with long_work_bar():
                carry_out(work, _function(judge))
        finally:
            result = result_of(work)
            self.write_lines(result_sentence(vars(result)), *result.notes)
            if result.tokens:
                cost = f", {result.cost:,.4f} in the currency of the price" if result.cost else ""
                self.write_lines(f"{result.tokens:,} tokens{cost}.")
        if work.repeat:
            self._show_checks(judge)

    def _show_checks(self, judge: ModelJudge) -> None:
        from assess.asking.checks import checks_of  # loads pandas

        if found := checks_of(judge):
            self.write_lines(*(sentence for sentence in (found.answer, found.change) if sentence))

    def _write_batch(self, judge: ModelJudge, options: "WorkOptions", folder: Path) -> None:
        from assess.asking.batch import write_batches

        _, paths = write_batches(judge, options, folder)
        self.write_lines(*map(str, paths))

    def _read_batch(self, judge: ModelJudge, paths: list[Path]) -> None:
        from assess.asking.batch import read_batches

        self.write_lines(read_batches(judge, paths).sentence())


def _add_judge(group: Any) -> None:
    group.add_argument("--address", metavar="URL", help="before /chat/completions, such as http://localhost:11434/v1")
    group.add_argument("--model", metavar="NAME", help="the name of the model at this address")
    group.add_argument("--umbrela", action="store_true", help="the address is that of UMBRELA's server")
    group.add_argument("--offline", action="store_true", help="words in common, without network or language model")
    group.add_argument("--function", metavar="MODULE:NAME", help="a Python function of topic and text")
    group.add_argument("--prompt", default="direct", metavar="NAME", help="a prompt (default: %(default)s)")
    group.add_argument(
        "--parameter", action="append", default=[], metavar="NAME=VALUE", help="such as temperature=0.7; repeat it"
    )
    group.add_argument(
        "--example",
        action="append",
        default=[],
        nargs=3,
        metavar=("TOPIC", "DOCUMENT", "GRADE"),
        help="a document that the prompt shows, and that is not asked for; repeat it",
    )
    group.add_argument("--confirm", action="store_true", help="documents of the collection may be sent to this address")


def _add_work(group: Any) -> None:
    group.add_argument("--try", action="store_true", dest="try_first", help="ask for three documents, and estimate all")
    group.add_argument("--seed", type=int, metavar="N", help="draws the order (default: that of the collection)")
    group.add_argument(
        "--concurrency", type=positive_int, default=4, metavar="N", help="requests at a time (default: 4)"
    )
    group.add_argument("--per-second", type=float, metavar="X", help="the most requests in a second")
    group.add_argument("--price-input", type=float, default=0.0, metavar="X", help="the price of a million tokens read")
    group.add_argument("--price-output", type=float, default=0.0, metavar="X", help="the price of a million written")
    group.add_argument("--most-cost", type=float, metavar="X", help="the budget, in the currency of the price")
    group.add_argument("--most-tokens", type=positive_int, metavar="N", help="the budget in tokens")
    group.add_argument("--again", action="store_true", help="also ask again for answers that have no grade")
    group.add_argument("--repeat", type=positive_int, metavar="N", help="ask again for the same N pairs, as a check")
    group.add_argument("--write-batch", type=Path, metavar="FOLDER", help="write batch files, and ask nothing")
    group.add_argument("--read-batch", type=Path, nargs="+", metavar="FILE", help="read the answers of batch files")


def _save(collection: Collection, name: str, options: dict[str, Any]) -> ModelJudge:
    """Save the judge that the options describe."""
    from assess.asking.judges import save_judge
    from assess.asking.prompts import chosen_prompt

    kind = _kind(options)
    if kind == ModelJudge.Kind.FUNCTION:
        _loaded(options["function"])  # before a judge is saved that cannot be asked
    prompt = chosen_prompt(collection, options["prompt"]) if kind == ModelJudge.Kind.CHAT else None
    examples = [(query_id, doc_id, _number(grade)) for query_id, doc_id, grade in options["example"]]
    secret = os.environ.get(SECRET)
    return save_judge(collection, name, kind, _settings(kind, options), prompt, secret=secret, examples=examples)


def _kind(options: dict[str, Any]) -> str:
    chosen = {
        ModelJudge.Kind.OFFLINE: options["offline"],
        ModelJudge.Kind.FUNCTION: options["function"],
        ModelJudge.Kind.UMBRELA: options["umbrela"],
        ModelJudge.Kind.CHAT: options["address"] and not options["umbrela"],
    }
    kinds = [kind for kind, is_chosen in chosen.items() if is_chosen]
    if len(kinds) != 1:
        raise Refused("A new judge needs one of --address (with --model, or with --umbrela), --offline and --function.")
    return kinds[0].value


def _settings(kind: str, options: dict[str, Any]) -> dict[str, Any]:
    values = dict(map(_parameter, options["parameter"]))
    if kind == ModelJudge.Kind.CHAT:
        return {"address": options["address"], "model": options["model"] or "", **values}
    if kind == ModelJudge.Kind.UMBRELA:
        return {"address": options["address"], "overrides": values}
    return {"function": options["function"]} if kind == ModelJudge.Kind.FUNCTION else {}


def _parameter(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise Refused(f"A parameter is written as NAME=VALUE, not {shown(text)}.")
    try:
        return name, json.loads(value)
    except ValueError:  # a text
        return name, value


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise Refused(f"The grade of an example must be a whole number, not {shown(text)}.")
    return int(text)


def _confirm(judge: ModelJudge) -> None:
    from assess.asking.rules import confirm_host

    confirm_host(judge)


def _work_options(options: dict[str, Any]) -> "WorkOptions":
    from assess.asking.ask import WorkOptions

    return WorkOptions(
        **{name: options[name] for name in PACE}, ask_failed_again=options["again"], sample=options["repeat"]
    )


def _work(judge: ModelJudge, options: "WorkOptions") -> "ModelWork":
    """Return the order that is not complete, with these options, or a new one."""
    from assess.asking.ask import change_work, create_work

    kind = {"repeat__gt": 0} if options.sample else {"repeat": 0}
    if open_work := judge.work.filter(finished_at=None, **kind).first():
        return change_work(open_work, options)
    return create_work(judge, options)


def _function(judge: ModelJudge) -> Any:
    """Return the Python function of a judge of this kind; None for other judges."""
    if judge.kind != ModelJudge.Kind.FUNCTION:
        return None
    from assess.asking.judges import scale_of_models
    from pooling.models import CallableJudge

    path = str(judge.settings["function"])
    try:
        return CallableJudge(_loaded(path), scale_of_models(judge.collection), path)
    except (TypeError, ValueError) as error:
        raise Refused(f"The function {shown(path)} cannot be used: {error}.") from None


def _loaded(path: str) -> Any:
    """Return the function that MODULE:NAME names. Modules of the current folder come first."""
    module, _, name = path.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise Refused(f"The function {shown(path)} cannot be used: {error}.") from None
