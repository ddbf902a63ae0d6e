"""The measures that are computed here, by name; `docs/measures.md` describes them.

A name of ir_measures has the same meaning as there. The other names are not used by ir_measures. A measure of
ir_measures that is not in this table is computed by ir_measures (`agreement.effectiveness.by_ir_measures`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from agreement.effectiveness import parameters as p
from agreement.measures.average_precision import average_precision
from agreement.measures.bpref import bpref
from agreement.measures.break_even import break_even
from agreement.measures.contingency import set_accuracy, specificity
from agreement.measures.counts import number_relevant, number_retrieved
from agreement.measures.dcg import DISCOUNTS, GAINS, dcg
from agreement.measures.err import err
from agreement.measures.f_measure import e_measure, f_measure
from agreement.measures.inferred_ap import inferred_ap
from agreement.measures.interpolated import interpolated_precision, iprec3, iprec11
from agreement.measures.judged import judged
from agreement.measures.known_documents import coverage, novelty
from agreement.measures.ndcg import GAIN, ndcg
from agreement.measures.precision import precision
from agreement.measures.q_measure import q_measure
from agreement.measures.r_precision import r_precision
from agreement.measures.rbp import rbp, rbp_residual
from agreement.measures.recall import recall
from agreement.measures.reciprocal_rank import reciprocal_rank
from agreement.measures.roc import roc_auc
from agreement.measures.set_measures import set_f, set_precision, set_recall
from agreement.measures.success import success


@dataclass(frozen=True)
class Entry:
    """A measure that is computed here.

    Attributes
    ----------
    function : callable
        Takes a GradeMatrix and the parameters, and returns scores, shape (n_systems, n_topics).
    parameters : dict of str to Parameter
        All parameters except `judged_only`, which every measure has.
    definition : str
        Definition in one line.
    at : str
        Name of the parameter after `@`.
    needs : dict of str to str or None
        Fields of GradeMatrix that must be set. The value is a parameter that makes the field unnecessary, or None.
    lower_is_better : bool
        Whether a lower score is better.
    """

    function: Callable[..., np.ndarray]
    parameters: dict[str, p.Parameter]
    definition: str
    at: str = "cutoff"
    needs: dict[str, str | None] = field(default_factory=dict)
    lower_is_better: bool = False


_REL = {"rel": p.REL}
_REL_K = {"rel": p.REL, "cutoff": p.CUTOFF}
_REL_AT_K = {"rel": p.REL, "cutoff": p.CUTOFF_REQUIRED}
_F = {"rel": p.REL, "beta": p.BETA}
_RBP = {"p": p.PERSISTENCE, "rel": p.REL_OPTIONAL, "cutoff": p.CUTOFF}
_NDCG = {"dcg": p.one_of(*GAIN), "cutoff": p.CUTOFF}
_DCG = {"discount": p.one_of(*DISCOUNTS), "gain": p.one_of(*GAINS), "cutoff": p.CUTOFF}
_COLLECTION: dict[str, str | None] = {"collection_size": None}
_KNOWN: dict[str, str | None] = {"known": None}

MEASURES = {
    "AP": Entry(average_precision, _REL_K, "precision at the rank of each relevant document, summed, over R"),
    "Bpref": Entry(bpref, _REL, "share of judged nonrelevant documents ranked below a relevant one, mean over R"),
    "BreakEven": Entry(break_even, _REL, "where precision and recall are equal: precision at rank R"),
    "Coverage": Entry(
        coverage,
        _REL_K,
        "relevant known documents that were retrieved, over all relevant known documents",
        needs=_KNOWN,
    ),
    "DCG": Entry(dcg, _DCG, "gains, discounted by rank and summed"),
    "E": Entry(
        e_measure, {**_F, "cutoff": p.CUTOFF}, "van Rijsbergen's E = 1 - F; lower is better", lower_is_better=True
    ),
    "ERR": Entry(
        err,
        {"cutoff": p.CUTOFF},
        "expected 1 / rank of the document that satisfies the reader",
        needs={"highest": None},
    ),
    "F": Entry(f_measure, {**_F, "cutoff": p.CUTOFF_REQUIRED}, "(1 + beta^2) P R / (beta^2 P + R) of the first k"),
    "IPrec": Entry(
        interpolated_precision,
        {"rel": p.REL, "recall": p.RECALL_REQUIRED},
        "highest precision at any rank with this recall or more",
        at="recall",
    ),
    "IPrec11": Entry(iprec11, _REL, "mean of IPrec at the recalls 0, 0.1, ..., 1"),
    "IPrec3": Entry(iprec3, _REL, "mean of IPrec at the recalls 0.2, 0.5 and 0.8"),
    "Judged": Entry(judged, {"cutoff": p.CUTOFF}, "judged documents among the first k, over min(k, retrieved)"),
    "Novelty": Entry(
        novelty, _REL_K, "relevant retrieved documents that were not known, over relevant retrieved", needs=_KNOWN
    ),
    "NumRel": Entry(number_relevant, _REL, "number of relevant documents of the topic"),
    "NumRet": Entry(
        number_retrieved,
        {"rel": p.REL_OPTIONAL},
        "number of retrieved documents; with rel, of relevant retrieved documents",
    ),
    "P": Entry(precision, _REL_AT_K, "relevant documents among the first k, over k"),
    "QMeasure": Entry(
        q_measure,
        {"beta": p.BETA, "cutoff": p.CUTOFF},
        "AP for graded relevance: a blended ratio for precision",
    ),
    "R": Entry(recall, _REL_AT_K, "relevant documents among the first k, over R"),
    "RBP": Entry(rbp, _RBP, "gains, weighted by (1 - p) p^(rank - 1) and summed", needs={"highest": "rel"}),
    "RBPResidual": Entry(rbp_residual, _RBP, "what RBP could still gain from unjudged documents", lower_is_better=True),
    "ROCAUC": Entry(roc_auc, _REL, "area under the ROC curve"),
    "RR": Entry(reciprocal_rank, _REL_K, "1 / rank of the first relevant document"),
    "Rprec": Entry(r_precision, _REL, "relevant documents among the first R, over R"),
    "SetAccuracy": Entry(
        set_accuracy,
        _REL,
        "documents correctly retrieved or correctly left out, over all of the collection",
        needs=_COLLECTION,
    ),
    "SetF": Entry(set_f, _F, "(1 + beta) SetP SetR / (beta SetP + SetR), weighted as in trec_eval"),
    "SetP": Entry(set_precision, {"rel": p.REL, "relative": p.FLAG}, "relevant retrieved documents, over retrieved"),
    "SetR": Entry(set_recall, _REL, "relevant retrieved documents, over R"),
    "Specificity": Entry(
        specificity, _REL, "nonrelevant documents that were not retrieved, over nonrelevant", needs=_COLLECTION
    ),
    "Success": Entry(success, _REL_AT_K, "1 where a relevant document is among the first k"),
    "infAP": Entry(inferred_ap, _REL, "AP inferred from a pool of which a sample was judged"),
    "nDCG": Entry(ndcg, _NDCG, "DCG over the DCG of the ideal ranking"),
}
