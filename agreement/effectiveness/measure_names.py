"""Names of measures: the grammar of ir_measures, the names of trec_eval, and suggestions for misspelled names.

A name is `Name` or `Name(key=value, ...)`, optionally followed by `@value`. The value after `@` is that of one
parameter, the cutoff for most measures.
"""

import ast
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

LONGEST = 100
# Measures that need more than grades, with their functions and the column that the gold needs.
FUNCTIONS = {
    "statap": ("statAP", "stat_ap", "inclusion_probability"),
    "xinfap": ("xinfAP", "extended_inferred_ap", "stratum"),
}
TREC_NAMES = {
    "map": "AP",
    "map_cut_10": "AP@10",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "P_10": "P@10",
    "recall_100": "R@100",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "success_1": "Success@1",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    "11pt_avg": "IPrec11",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRet(rel=1)",
}
TREC_CUTOFFS = {
    "P": "P",
    "recall": "R",
    "success": "Success",
    "map_cut": "AP",
    "ndcg_cut": "nDCG",
    "iprec_at_recall": "IPrec",
}
WITH_CUTOFF = re.compile(r"(\w+)(\([^()]*\))?@(\d+(?:\.\d+)?)(\([^()]*\))?")
TREC_WITH_CUTOFF = re.compile(rf"({'|'.join(TREC_CUTOFFS)})[._](\d{{1,9}}(?:\.\d{{1,9}})?)")


def split_name(name: str) -> tuple[str, dict[str, Any], Any]:
    """Split a name into the name of the measure, its parameters, and the value after `@` (None without `@`)."""
    try:
        # No name is longer, and the parser runs out of memory on deep nesting.
        node: ast.expr = ast.parse(name.strip() if len(name) <= LONGEST else "", mode="eval").body
        at: Any = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            at = ast.literal_eval(node.right)
            node = node.left
        given: dict[str, Any] = {}
        if isinstance(node, ast.Call) and not node.args:
            for keyword in node.keywords:
                if keyword.arg is None or keyword.arg in given:
                    raise ValueError("a parameter must have a name, and occur once")
                given[keyword.arg] = ast.literal_eval(keyword.value)
            node = node.func
    except (SyntaxError, TypeError, MemoryError, RecursionError) as problem:
        raise ValueError("the name cannot be parsed") from problem
    if not isinstance(node, ast.Name):
        raise ValueError("a measure must be Name, Name(key=value) or Name(key=value)@value")
    return node.id, given, at


def joined_name(name: str, given: dict[str, Any], at: str) -> str:
    """Return the name with its parameters as ir_measures writes it; `at` is the parameter after `@`."""
    listed = ",".join(f"{key}={value!r}" for key, value in given.items() if key != at)
    called = f"{name}({listed})" if listed else name
    return f"{called}@{given[at]}" if at in given else called


def from_trec_eval(name: str) -> str | None:
    """Return the name here of a measure of trec_eval, such as `nDCG@10` for `ndcg_cut_10`; None for other names."""
    if name in TREC_NAMES:
        return TREC_NAMES[name]
    with_cutoff = TREC_WITH_CUTOFF.fullmatch(name)
    return f"{TREC_CUTOFFS[with_cutoff[1]]}@{with_cutoff[2]}" if with_cutoff else None


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return a question such as "Did you mean AP (trec_eval: map)?"; empty if no name is similar.

    `names` are those of the measures that can be computed. Parameters and a cutoff are kept: "P(rel=2)@10" for
    "P@10(rel=2)", "nDCG@10" for "ndcg@10".
    """
    ours = {one.lower(): one for one in names}
    if parts := WITH_CUTOFF.fullmatch(name):
        base, before, cutoff, after = parts.groups(default="")
        plain = {one.lower(): there for one, there in TREC_NAMES.items() if there.isalnum()}
        similar = _most_similar(base, plain | ours)
        return f" Did you mean {similar}{before or after}@{cutoff}?" if similar else ""
    trec_eval = {one.lower(): f"{there} (trec_eval: {one})" for one, there in TREC_NAMES.items()}
    similar = _most_similar(name, ours | trec_eval)
    return f" Did you mean {similar}?" if similar else ""


def _most_similar(name: str, known: dict[str, str]) -> str:
    keys = get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    return known[keys[0]] if keys else ""


def function_to_call(name: str) -> str:
    """Return a sentence such as "call stat_ap(runs, gold)" for a measure that is a function; empty for others."""
    try:
        base, _, _ = split_name(name)
    except ValueError:
        return ""
    if base.lower() not in FUNCTIONS:
        return ""
    measure, function, column = FUNCTIONS[base.lower()]
    return f"{measure} needs a gold with the column {column}. Call agreement.{function}(runs, gold)."
