"""Command, page and job have the same options with the same defaults, and refuse the same values with one sentence."""

import html
import re
from datetime import date

import pytest
from django.core.management import load_command_class
from django.http import QueryDict
from django.urls import reverse

from assess.errors import Refused
from assess.management.commands import import_judgements
from assess.management.import_arguments import chosen
from assess.models import Role
from assess.transfer.documents import DocumentOptions
from assess.transfer.judge_record import RECORD_FIELDS
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.kinds import KINDS, OPTIONS
from assess.transfer.runs import RunOptions
from assess.transfer.uploads.importing import import_uploaded
from assess.web.research.imports.forms import OptionsForm
from pooling.option_names import OptionNames
from tests.assess.command_output import refusal
from tests.assess.transfer.uploads.uploaded import DOCUMENTS, QRELS, RUN, upload

FILES = {"runs": RUN, "documents": DOCUMENTS, "judgements": QRELS}
NO_REPAIR = "Repair ids must be one of leading-zeros, decimals, quotes, blanks, case, byte-order-mark, prefix, not 'x'."
NO_PATTERN = "A name pattern must contain {{{0}}} once, such as {{{0}}}.umbrela.txt, not 'x'."

# kind of file, words of the command, values of the page, options
ACCEPTED = [
    ("topics", [], {}, KINDS["topics"].options()),
    ("runs", [], {}, RunOptions()),
    ("runs", ["--score-precision", "float32"], {"score_precision": "float32"}, RunOptions("float32")),
    (
        "runs",
        ["--name-pattern", "{system}.run"],
        {"system_pattern": "{system}.run"},
        RunOptions("float64", "{system}.run"),
    ),
    ("documents", [], {}, DocumentOptions()),
    ("documents", ["--format", "markdown"], {"text_format": "markdown"}, DocumentOptions("markdown")),
    ("documents", ["--too-complex", "text"], {"too_complex": "text"}, DocumentOptions(too_complex="text")),
    ("documents", ["--all"], {"keep_all": True}, DocumentOptions(keep_all=True)),
    ("documents", ["--replace"], {"replace": True}, DocumentOptions(replace=True)),
    ("runs", ["--repair-ids", "case"], {"repair_run_ids": "case"}, RunOptions(repair_run_ids="case")),
    (
        "documents",
        ["--repair-ids", "prefix"],
        {"repair_document_ids": "prefix"},
        DocumentOptions(repair_document_ids="prefix"),
    ),
    (
        "judgements",
        ["--repair-ids", "leading-zeros"],
        {"repair_ids": "leading-zeros"},
        JudgementOptions(repair_ids="leading-zeros"),
    ),
    ("judgements", [], {}, JudgementOptions()),
    ("judgements", ["--off-scale", "clip"], {"off_scale": "clip"}, JudgementOptions(off_scale="clip")),
    ("judgements", ["--duplicates", "last"], {"duplicates": "last"}, JudgementOptions(duplicates="last")),
    ("judgements", ["--rounding", "half_up"], {"rounding": "half_up"}, JudgementOptions(rounding="half_up")),
    ("judgements", ["--decimals", "whole"], {"decimals": "whole"}, JudgementOptions(decimals="whole")),
    ("judgements", ["--negative", "not_judged"], {"negative": "not_judged"}, JudgementOptions(negative="not_judged")),
    ("judgements", ["--map", "1=2,Yes=3"], {"mapping": "1=2,Yes=3"}, JudgementOptions(mapping={1: 2, "Yes": 3})),
    ("judgements", ["--judge-scale", "0,1"], {"own_scale": "0,1"}, JudgementOptions(own_scale=(0, 1))),
    (
        "judgements",
        ["--name-pattern", "{judge}.x"],
        {"name_pattern": "{judge}.x"},
        JudgementOptions(name_pattern="{judge}.x"),
    ),
    ("judgements", ["--kind", "model"], {"judge_kind": "model"}, JudgementOptions(judge_kind="model")),
    (
        "judgements",
        [
            *("--kind", "model", "--model", "gpt-4o", "--prompt", "p", "--prompt-version", "2"),
            *("--parameters", "temperature=0", "--graded-on", "2024-08-31"),
        ],
        {
            "judge_kind": "model",
            "model": "gpt-4o",
            "prompt": "p",
            "prompt_version": "2",
            "parameters": "temperature=0",
            "graded_on": "2024-08-31",
        },
        JudgementOptions(
            judge_kind="model",
            model="gpt-4o",
            prompt="p",
            prompt_version="2",
            parameters="temperature=0",
            graded_on=date(2024, 8, 31),
        ),
    ),
    (
        "judgements",
        ["--columns", "assessor=coder"],
        {"columns": "assessor=coder"},
        JudgementOptions(columns={"assessor": "coder"}),
    ),
    ("judgements", ["--field", "rating"], {"field": "rating"}, JudgementOptions(field="rating")),
    ("judgements", ["--listed-relevant"], {"listed_relevant": True}, JudgementOptions(listed_relevant=True)),
    ("judgements", ["--number-by", "order"], {"number_by": "order"}, JudgementOptions(number_by="order")),
    ("judgements", ["--description", "=t=0"], {"description": "t=0"}, JudgementOptions(description="t=0")),
]

# kind of file, words of the command, values of the page, refusal
REFUSED = [
    (
        "runs",
        "--score-precision",
        "score_precision",
        "x",
        "The score precision must be one of float64, float32, not 'x'.",
    ),
    ("runs", "--repair-ids", "repair_run_ids", "x", NO_REPAIR),
    ("documents", "--repair-ids", "repair_document_ids", "x", NO_REPAIR),
    ("judgements", "--repair-ids", "repair_ids", "x", NO_REPAIR),
    ("runs", "--name-pattern", "system_pattern", "x", NO_PATTERN.format("system")),
    ("documents", "--format", "text_format", "x", "Format must be one of text, html, markdown, not 'x'."),
    ("documents", "--too-complex", "too_complex", "x", "Too complex must be one of refuse, text, not 'x'."),
    ("judgements", "--off-scale", "off_scale", "x", "Off scale must be one of error, clip, drop, not 'x'."),
    (
        "judgements",
        "--duplicates",
        "duplicates",
        "x",
        "Duplicates must be one of error, first, last, highest, lowest, median, not 'x'.",
    ),
    ("judgements", "--rounding", "rounding", "x", "Rounding must be one of half_up, up, down, not 'x'."),
    ("judgements", "--decimals", "decimals", "x", "Decimals must be one of error, whole, not 'x'."),
    ("judgements", "--negative", "negative", "x", "Negative must be one of error, not_judged, off_scale, not 'x'."),
    (
        "judgements",
        "--map",
        "mapping",
        "1=x",
        "A mapping must be written as 1=2,2=3 or Relevant=1, each grade once, not '1=x'.",
    ),
    (
        "judgements",
        "--judge-scale",
        "own_scale",
        "x",
        "A judge's own scale must be whole numbers separated by commas, such as 0,1, not 'x'.",
    ),
    (
        "judgements",
        "--columns",
        "columns",
        "x",
        "Columns must be written as assessor=coder,relevance=score, each once, not 'x'.",
    ),
    ("judgements", "--number-by", "number_by", "x", "Number topics by must be one of order, id, not 'x'."),
    ("judgements", "--name-pattern", "name_pattern", "x", NO_PATTERN.format("judge")),
    (
        "judgements",
        "--kind",
        "judge_kind",
        "x",
        "The kind of a judge must be one of human, crowd, model, derived, not 'x'.",
    ),
    ("judgements", "--model", "model", "x", "Only a judge of the kind model has a model; the kind is not stated."),
    ("judgements", "--graded-on", "graded_on", "x", "The date must be written as 2024-08-31, not 'x'."),
]
SHOWN = [row[2] for row in REFUSED]


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


def of_command(kind, words):
    """The options that a command uses."""
    parser = load_command_class("assess", f"import_{kind}").create_parser("assay", f"import_{kind}")
    arguments = vars(parser.parse_args(["--collection", "small", *words, "file"]))
    if kind == "judgements":
        return import_judgements.read_options(arguments, "raise")
    return KINDS[kind].options(**chosen(KINDS[kind].options, arguments))


def test_no_two_kinds_have_an_option_of_the_same_name():
    assert len(OPTIONS) == sum(len(kind.options.declared()) for kind in KINDS.values())


def test_every_option_is_among_those_below():
    assert set(OPTIONS) == {name for _, _, data, _ in ACCEPTED for name in data} | {"as_members"}
    unrestricted = {"keep_all", "replace", "listed_relevant", "description", "as_members", "field", *RECORD_FIELDS}
    assert set(OPTIONS) == {*SHOWN, *unrestricted}


@pytest.mark.parametrize(("kind", "words", "data", "options"), ACCEPTED)
def test_command_and_page_and_job_have_the_same_options(collection, kind, words, data, options):
    assert of_command(kind, words) == options
    sent = QueryDict(mutable=True)
    sent.update(data)
    stored = OptionsForm(sent).values()
    assert KINDS[kind].options.from_stored(collection, stored) == options
    assert KINDS[kind].options.from_stored(collection, data) == options


def test_members_are_named_by_the_command_and_chosen_on_the_page(collection, join):
    ada = join(collection, "ada")
    sent = QueryDict(f"as_members={ada.pk}")
    stored = OptionsForm(sent, people=[(ada.pk, ada.name)]).values()
    assert JudgementOptions.from_stored(collection, stored) == JudgementOptions(as_members=(ada.name,))
    assert of_command("judgements", ["--as-member", ada.name]) == JudgementOptions(as_members=(ada.name,))


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("kind", "flag", "name", "value", "sentence"), REFUSED, ids=[f"{r[0]} {r[1]}" for r in REFUSED]
)
def test_same_values_are_refused_with_the_same_sentence(owner, signed_in, tmp_path, kind, flag, name, value, sentence):
    path = tmp_path / "file"
    path.write_bytes(FILES[kind])
    named = OptionNames({name: flag}).of(sentence)
    assert refusal(f"import_{kind}", "--collection", "small", flag, value, path) == named

    file = upload(owner, "file", FILES[kind])
    with pytest.raises(Refused, match=f"^{re.escape(sentence)}$"):
        import_uploaded(owner.collection, kind, [file.pk], {name: value})

    browser = signed_in(owner)
    page = browser.post(reverse("research:import_check", args=["small"]), {name: value}, follow=True)
    assert sentence in html.unescape(page.content.decode())
