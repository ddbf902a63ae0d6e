"""Published figures: NIST's for TREC 2019 Deep Learning, and the regression outputs of trec_eval."""

import pytest

from agreement import evaluate, prepare
from pooling import read_qrels, read_run
from tests.oracles import oracle
from tests.realdata import dl19_run_paths, real_data

# NIST's program read scores as float32; with float64 one of the 962 values differs in its fourth digit.
DIFFERS_WITH_FLOAT64 = ("TUA1-1", "trec_eval", "map")
DL19_NAMES = {"map": "AP", "bpref": "Bpref", "ndcg": "nDCG", "recip_rank": "RR"}
DL19_CUT = {"P": "P", "recall": "R", "ndcg_cut": "nDCG"}
LEVELS = {"passages-eval": 2, "trec_eval": 1}


def assay_name(name, rel):
    """trec_eval's name in our grammar."""
    if name in DL19_NAMES:
        ours, cutoff = DL19_NAMES[name], ""
    else:
        base, _, cutoff = name.rpartition("_")
        ours, cutoff = DL19_CUT[base], f"@{cutoff}"
    level = f"(rel={rel})" if rel != 1 and ours != "nDCG" else ""
    return f"{ours}{level}{cutoff}"


@pytest.mark.slow
def test_figures_that_nist_published_for_each_run():
    count, different = differences_from_nist(dl19_run_paths(), "float32")
    assert count == 962
    assert different == []


def test_one_figure_differs_with_float64():
    system = DIFFERS_WITH_FLOAT64[0]
    count, different = differences_from_nist(
        [path for path in dl19_run_paths() if path.name.startswith(system)], "float64"
    )
    assert count == 26
    assert different == [DIFFERS_WITH_FLOAT64]


@pytest.mark.soak
def test_no_figure_of_another_run_differs_with_float64():
    count, different = differences_from_nist(dl19_run_paths(), "float64")
    assert count == 962
    assert different == [DIFFERS_WITH_FLOAT64]


def differences_from_nist(paths, score_precision):
    """How many figures NIST published for these runs, and the names of those that differ."""
    runs = prepare(read_run(path, score_precision=score_precision) for path in paths)
    published = {system: oracle("dl19_published_measures")["runs"][system] for system in runs.systems}
    gold = read_qrels(real_data("dl19", "judges", "nist.qrels"))
    expected = [
        (system, kind, name, value)
        for system, kinds in published.items()
        for kind, values in kinds.items()
        for name, value in values.items()
    ]

    requested = {(kind, name): assay_name(name, LEVELS[kind]) for _, kind, name, _ in expected}
    # trec_eval without -c: topics that a run lacks are left out of its mean
    scores = evaluate(runs, gold, sorted(set(requested.values())), per_query=False, missing="skip")
    result = scores.set_index(["system", "measure"])["value"]

    different = [
        (system, kind, name)
        for system, kind, name, value in expected
        if abs(result[system, requested[kind, name]] - value) > 0.5e-4 + 1e-12
    ]
    return len(expected), different


TREC_EVAL_NAMES = {
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "infAP": "infAP",
    "11pt_avg": "IPrec11",
    "ndcg": "nDCG",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
}
TREC_EVAL_CUT = {
    "P": "P",
    "recall": "R",
    "ndcg_cut": "nDCG",
    "map_cut": "AP",
    "success": "Success",
    "iprec_at_recall": "IPrec",
}
OUTPUTS = {
    # file: qrels, run, relevant from, whether a topic that the run lacks counts 0
    "out.test.a": ("qrels.test", "results.test", 1, "skip"),
    "out.test.aq": ("qrels.test", "results.test", 1, "skip"),
    "out.test.aqc": ("qrels.test", "results.trunc", 1, "zero"),
    "out.test.aql": ("qrels.rel_level", "results.test", 2, "skip"),
}


def trec_eval_name(name, rel):
    if name in TREC_EVAL_NAMES:
        ours, cutoff = TREC_EVAL_NAMES[name], ""
    else:
        base, _, cutoff = name.rpartition("_")
        if base not in TREC_EVAL_CUT:
            return None
        ours, cutoff = TREC_EVAL_CUT[base], f"@{float(cutoff) if '.' in cutoff else int(cutoff)}"
    level = f"(rel={rel})" if rel != 1 and ours != "nDCG" else ""
    return f"{ours}{level}{cutoff}"


# The outputs are of trec_eval 10, which rounds recall x times R relevant documents to the nearest whole number, where
# the definition (and trec_eval 9) asks for so many or more. Where they differ: qrels, measure, topic, and x R.
ROUNDED_DOWN = {
    ("qrels.test", "IPrec@0.1", "301"): 47.4,
    ("qrels.test", "IPrec@0.3", "302"): 23.1,
    ("qrels.test", "IPrec@0.6", "302"): 46.2,
    ("qrels.rel_level", "IPrec(rel=2)@0.1", "301"): 1.2,
    ("qrels.rel_level", "IPrec(rel=2)@0.3", "302"): 23.1,
    ("qrels.rel_level", "IPrec(rel=2)@0.6", "302"): 46.2,
    ("qrels.rel_level", "IPrec(rel=2)@0.9", "303"): 7.2,
}


def of_trec_eval_10(scores, runs, gold, qrels, rel):
    """The scores of topics with the seven above taken as trec_eval 10 takes them, and the 11-point means of these."""
    scores = scores.set_index(["measure", "query_id"])["value"].copy()
    level = f"(rel={rel})" if rel != 1 else ""
    for (of, measure, topic), expected in ROUNDED_DOWN.items():
        if of == qrels and (measure, topic) in scores:
            relevant = int((gold.loc[gold["query_id"] == topic, "relevance"] >= rel).sum())
            reached = f"IPrec{level}@{int(expected) / relevant!r}"
            scores[measure, topic] = evaluate(runs, gold, reached).set_index("query_id")["value"][topic]
    for topic in scores.index.unique("query_id"):
        points = [scores[f"IPrec{level}@{tenth / 10}", topic] for tenth in range(11)]
        scores[f"IPrec11{level}", topic] = sum(points) / 11
    return scores


@pytest.mark.parametrize("file", OUTPUTS)
def test_regression_outputs_of_trec_eval(file):
    qrels, results, rel, missing = OUTPUTS[file]
    gold = read_qrels(real_data("trec_eval", qrels))
    path = real_data("trec_eval", results)  # five lines of results.trunc have more than six columns
    runs = prepare(read_run(path, score_precision="float32", extra_columns="ignore"))
    lines = [line.split() for line in real_data("trec_eval", file).read_text().splitlines()]
    named = [(trec_eval_name(name, rel), topic, value) for name, topic, value in lines]
    expected = [(measure, topic, float(value)) for measure, topic, value in named if measure is not None]
    measures = list(dict.fromkeys(measure for measure, _, _ in expected))

    ours = evaluate(runs, gold, measures, missing=missing)
    theirs = of_trec_eval_10(ours, runs, gold, qrels, rel)
    own_means = evaluate(runs, gold, measures, per_query=False, missing=missing).set_index("measure")["value"]
    interpolated = {measure: theirs[measure].mean() for measure in measures if measure.startswith("IPrec")}
    means = own_means.to_dict() | interpolated

    assert len(measures) == 60
    different = [
        (measure, topic, value)
        for measure, topic, value in expected
        if abs((means[measure] if topic == "all" else theirs[measure, topic]) - value) > 0.5e-4 + 1e-12
    ]
    assert different == []
    ours_by_topic = ours.set_index(["measure", "query_id"])["value"]
    off = [
        (m, t)
        for m, t, value in expected
        if t != "all" and m[:7] != "IPrec11" and abs(ours_by_topic[m, t] - value) > 0.5e-4
    ]
    assert {(qrels, *row) for row in off} <= set(ROUNDED_DOWN)
