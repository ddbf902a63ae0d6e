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
TREC_WITH_CUTOFF = re.compile(rf"({'|'.join(TREC_CUTOFFS)})[._](\d{{1,9}}(?:\.\d{{1,9}})?)")


def split_name(name: str) -> tuple[str, dict[str, Any], Any]:
    """Split a name into the name of the measure, its parameters, and the value after `@` (None without `@`).

    Raises
    ------
    ValueError
        The name is not in the grammar.
    """
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

    `names` are those of the measures that can be computed.
    """
    known = {one.lower(): one for one in names} | {
        one.lower(): f"{ours} (trec_eval: {one})" for one, ours in TREC_NAMES.items()
    }
    similar = get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    return f" Did you mean {known[similar[0]]}?" if similar else ""
