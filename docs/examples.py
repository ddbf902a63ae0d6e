"""The examples of the reference. They run while the pages are written; one that fails ends the build.

Measures, strategies and rules have no docstring of a public function, so their examples are written here: the same
small runs and judgements for all, scored, pooled, judged or combined by name.
"""

import ast
import doctest
import io
import re
from contextlib import redirect_stdout
from inspect import signature
from typing import Any

import pooling
from agreement.effectiveness import MEASURES
from agreement.effectiveness.parameters import REQUIRED

DIRECTIVE = re.compile(r" *# doctest: .*")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
RUNS = """\
runs = pd.DataFrame({
    "system": ["bm25"] * 4 + ["dense"] * 4,
    "query_id": "1",
    "doc_id": [*"abcd", *"caeb"],
    "score": [5, 4, 3, 2, 9, 8, 7, 6],
})
"""
GOLD = """\
gold = pd.DataFrame({
    "query_id": "1",
    "doc_id": [*"abcef"],
    "relevance": [2, 0, 1, 0, 1],
})
"""
JUDGEMENTS = """\
judgements = pd.DataFrame({
    "assessor": ["ada", "bob", "eve", "ada", "bob"],
    "query_id": "1",
    "doc_id": [*"aaabb"],
    "relevance": [2, 1, 0, 0, 0],
})
"""
# Values of the parameters that have no default.
AFTER_AT = {"cutoff": "3", "recall": "0.5"}
NEEDED = {
    "highest": "scale=(0, 1, 2)",
    "collection_size": "collection_size=100",
    "known": 'known=gold[gold["doc_id"] == "a"]',
}
OF_STRATEGIES = {"depth": "2", "size": "2", "budget": "3", "strata": "[(1, 1.0), (4, 0.5)]", "seed": "1"}
OF_ADAPTIVE = {"cal": ('texts = {doc_id: f"text {doc_id}" for doc_id in "abcdef"}\n', ", texts=texts")}


def of_measure(name: str) -> str:
    """Score two runs."""
    entry = MEASURES[name]
    at = [key for key, one in entry.parameters.items() if one.default is REQUIRED]
    full_name = f"{name}@{AFTER_AT[at[0]]}" if at else name
    options = "".join(f", {NEEDED[needed]}" for needed in entry.needs)
    call = f'scores = evaluate(runs, gold, "{full_name}"{options})\nscores[["system", "measure", "value"]]'
    return transcript(f"import pandas as pd\nfrom agreement import evaluate\n{RUNS}{GOLD}{call}")


def of_strategy(name: str) -> str:
    """Pool two runs."""
    parameters = [key for key, one in _keywords(pooling.STRATEGIES[name]).items() if one.default is one.empty]
    options = "".join(f", {key}={OF_STRATEGIES[key]}" for key in parameters)
    call = f'pool(runs, "{name}"{options}).to_tasks()'
    return transcript(f"import pandas as pd\nfrom pooling import pool\n{RUNS}{call}")


def of_adaptive(name: str) -> str:
    """Replay three judgements."""
    extra, option = OF_ADAPTIVE.get(name, ("", ""))
    call = f'result = replay("{name}", runs, gold, budget=3, seed=1{option})\nresult.found[["spent", "found"]]'
    return transcript(f"import pandas as pd\nfrom pooling import replay\n{RUNS}{GOLD}{extra}{call}")


def of_rule(name: str) -> str:
    """Combine the grades of three judges."""
    call = f'gold = make_gold(judgements, "{name}", scale=(0, 1, 2))\ngold[["query_id", "doc_id", "relevance"]]'
    return transcript(f"import pandas as pd\nfrom agreement import make_gold\n{JUDGEMENTS}{call}")


def checked(name: str, text: str) -> str:
    """The examples of a docstring, after they printed what the docstring says; ValueError if they did not."""
    output: list[str] = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, name, None, None), out=output.append)
    if runner.failures:
        raise ValueError(f"The example of {name} fails:\n{''.join(output)}")
    return DIRECTIVE.sub("", text).replace("<BLANKLINE>", "")


def fenced(text: str) -> str:
    """Examples in Markdown: each paragraph of code in a block, with the sentences between them as they are."""
    paragraphs = [f"```pycon\n{each}\n```" if each.startswith(">>>") else each for each in text.strip().split("\n\n")]
    return "\n\n".join(paragraphs).replace("\n```\n\n```pycon\n", "\n\n")


def transcript(source: str) -> str:
    """Run statements as an interactive Python does, and return them with what they printed."""
    lines: list[str] = []
    names: dict[str, Any] = {}
    for statement in ast.parse(source).body:
        text = ast.get_source_segment(source, statement) or ""
        first, *others = text.splitlines()
        lines += [f">>> {first}", *(f"... {line}" for line in others)]
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(ast.Interactive([statement]), "<example>", "single"), names)  # noqa: S102 - our own text
        lines += printed.getvalue().splitlines()
    return "\n".join(lines)


def _keywords(function: Any) -> dict[str, Any]:
    return {name: one for name, one in signature(function).parameters.items() if one.kind is one.KEYWORD_ONLY}
