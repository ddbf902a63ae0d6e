"""Measures by name: the grammar, what is refused, and the table in the docs that lists them."""

import re
from pathlib import Path

import ir_measures
import pytest

from agreement.effectiveness import MEASURES, evaluate, parse_measure, prepare
from agreement.effectiveness.parameters import REQUIRED
from tests.agreement.scoring import gold_of, known_of, run_of, score

RUN, GOLD = run_of({"q": "ab"}), gold_of({"q": {"a": 1}})
DOCS = Path(__file__).resolve().parents[3] / "docs" / "measures.md"


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("AP", "AP"),
        ("MAP(rel=1)", "AP"),
        (" AP ( rel = 2 ) ", "AP(rel=2)"),
        ("AP(cutoff=5)", "AP@5"),
        ("AP(judged_only=True, rel=2)@5", "AP(rel=2,judged_only=True)@5"),
        ("Precision@5", "P@5"),
        ("MRR@10", "RR@10"),
        ("NDCG(dcg='log2')@10", "nDCG@10"),
        ('nDCG(dcg="exp-log2")@10', "nDCG(dcg='exp-log2')@10"),
        ("SetRelP", "SetP(relative=True)"),
        ("NumRelRet", "NumRet(rel=1)"),
        ("SetF(beta=2)", "SetF(beta=2.0)"),
        ("IPrec@1", "IPrec@1.0"),
        ("RBP(rel=1,p=0.5)@10", "RBP(p=0.5,rel=1)@10"),
        ("DCG(discount='max2')@10", "DCG(discount='max2')@10"),
        ("F(beta=1)@10", "F@10"),
        ("E", "E"),
        ("SetAP(rel=1)", "SetAP"),
        ("nDCG(gains={0:0,1:5})@10", "nDCG(gains={1:5})@10"),
    ],
)
def test_names_omit_default_parameters(name, canonical):
    assert parse_measure(name).name == canonical
    assert parse_measure(canonical).name == canonical


@pytest.mark.parametrize("name", ["AP@5", "P(rel=2)@10", "nDCG@10", "SetP(relative=True)", "IPrec@0.1", "RBP(p=0.9)"])
def test_names_are_those_of_ir_measures(name):
    assert parse_measure(name).name == str(ir_measures.parse_measure(name))


def test_other_names_do_not_exist_in_ir_measures():
    ours = {"DCG", "IPrec11", "IPrec3", "BreakEven", "SetAccuracy", "Specificity", "ROCAUC", "F", "E"}
    ours |= {"RBPResidual", "Coverage", "Novelty", "QMeasure"}

    assert ours == set(MEASURES) - set(ir_measures.measures.registry)


def test_parameters_have_the_defaults_of_ir_measures():
    for name in set(MEASURES) & set(ir_measures.measures.registry):
        theirs = ir_measures.measures.registry[name].SUPPORTED_PARAMS
        for key, ours in MEASURES[name].parameters.items():
            assert (ours.default is REQUIRED) == theirs[key].required
            has_default = isinstance(theirs[key].default, (int, float, str, bool))
            assert not has_default or ours.default == theirs[key].default


def test_attributes_of_a_measure():
    measure = parse_measure("AP(rel=2)@10")

    assert (measure.parameters, measure.depth, measure.lower_is_better) == ({"rel": 2, "cutoff": 10}, 10, False)
    assert parse_measure("AP").depth is None
    # the 10 documents that are left may reach to any rank
    assert parse_measure("P(judged_only=True)@10").depth is None
    assert parse_measure("E").lower_is_better


@pytest.mark.parametrize(
    "name",
    [
        *["AQQQQ", "AP(", "AP(rel=x)", "AP(1)", "AP(**{})", "AP.rel", "AP(rel=1,rel=2)", "AP@5@6", "-" * 100_000],
        *["(" * 90, "", "AP AP", "AP; P@5", "AP\0", "__import__('os')", "DCG[10]"],
    ],
)
def test_an_unknown_measure_is_refused_with_the_names_or_a_similar_one(name):
    with pytest.raises(
        ValueError,
        match=r"Unknown measure .*\. (The measures are AP, Bpref, .* nDCG, and by ir_measures |"
        r"Did you mean \w+(\(.*\))?(@[\d.]+)?\?$)",
    ):
        parse_measure(name)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("P", r"P needs cutoff. It has rel \(a whole number of at least 0\), cutoff"),
        ("IPrec", "IPrec needs recall"),
        ("P@0", "cutoff must be a whole number of at least 1, not 0"),
        ("AP@True", "cutoff must be a whole number of at least 1, not True"),
        ("P@1.5", "cutoff must be a whole number of at least 1, not 1.5"),
        ("nDCG@{}", "cutoff must be a whole number of at least 1, not {}"),
        ("AP(rel='a')", "rel must be a whole number of at least 0, not 'a'"),
        ("AP(rel=-1)", "rel must be a whole number of at least 0, not -1"),
        ("AP(cutoff=3)@4", "cutoff must occur once"),
        ("nDCG(rel=2)", "nDCG has no parameter rel. It has dcg"),
        ("AP(judged_only=1)", "judged_only must be True or False, not 1"),
        ("nDCG(dcg='e')", "dcg must be 'log2' or 'exp-log2', not 'e'"),
        ("DCG(discount='ln')", "discount must be 'log2' or 'max2'"),
        ("F(beta=-1)@5", "beta must be a number from 0"),
        ("E(beta=1e999)", "beta must be a number from 0"),
        ("RBP(p=1)", "p must be a number between 0 and 1, not 1"),
        ("IPrec@1.5", "recall must be a number from 0 to 1"),
        ("Accuracy@0", "cutoff must be a whole number of at least 1"),
        ("Accuracy(of=2)", "Accuracy has no parameter of. It has cutoff, rel"),
        ("Compat(p='a')", "p must be persistence"),
        ("nDCG(gains={1:-1})", "gains must be a dict from grades to gains"),
        ("BPM@10", "BPM needs max_rel"),
    ],
)
def test_an_invalid_parameter_is_refused_with_the_allowed_values(name, sentence):
    with pytest.raises(ValueError, match=f"Invalid measure .*: {sentence}"):
        parse_measure(name)


@pytest.mark.parametrize(
    ("measure", "argument"),
    [
        ("ERR@10", "scale"),
        ("RBP", "scale"),
        ("Specificity", "collection_size"),
        ("SetAccuracy(rel=2)", "collection_size"),
        ("Coverage", "known"),
        ("Novelty@5", "known"),
    ],
)
def test_a_missing_option_is_named(measure, argument):
    with pytest.raises(ValueError, match=rf"{measure[:3]}.* needs .*: pass {argument},"):
        evaluate(RUN, GOLD, measure)


def test_the_named_options_are_enough():
    options = {"scale": (0, 1), "collection_size": 3, "known": known_of({"q": "a"})}

    for measure in ("ERR@10", "RBP", "Specificity", "SetAccuracy", "Coverage", "Novelty"):
        assert 0 <= score(RUN, GOLD, measure, **options) <= 1
    assert score(RUN, GOLD, "RBP(rel=1)") == pytest.approx(0.2)


def table():
    """The rows of the table in the docs: name -> the other cells."""
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip().replace("`", "") for cell in line.strip("|").split(" | ")] for line in lines if "|" in line]
    begin = next(place for place, row in enumerate(rows) if row[0] == "Name") + 2
    return {row[0]: row[1:] for row in rows[begin : begin + len(MEASURES)]}


def test_the_docs_list_all_measures_and_no_others():
    assert set(table()) == set(MEASURES)
    measures, comparisons = DOCS.read_text(encoding="utf-8").split("## Comparisons of systems")
    assert sum(line.startswith("| `") for line in measures.splitlines()) == len(MEASURES)
    assert "| `compare_unpaired` |" in comparisons


@pytest.mark.parametrize("name", MEASURES)
def test_the_docs_have_the_parameters_and_the_definition(name):
    parameters, definition = table()[name][:2]
    entry = MEASURES[name]

    defaults = {
        key: "required" if one.default is REQUIRED else "none" if one.default is None else repr(one.default)
        for key, one in entry.parameters.items()
    }
    assert parameters == (", ".join(f"{key} ({default})" for key, default in defaults.items()) or "none")
    assert definition == entry.definition


def test_a_prepared_run_is_scored_by_every_measure():
    matrix = prepare(RUN).under(GOLD, (0, 1), 3, known_of({"q": "a"}))

    for name in MEASURES:
        at = {"IPrec": "@0.5", "P": "@2", "R": "@2", "Success": "@2", "F": "@2"}.get(name, "")
        assert parse_measure(name + at)(matrix).shape == (1, 1)


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        *[("map", "AP"), ("ndcg", "nDCG"), ("ndcg_cut_10", "nDCG@10"), ("ndcg_cut.20", "nDCG@20"), ("P_10", "P@10")],
        *[("recip_rank", "RR"), ("recall_1000", "R@1000"), ("map_cut_5", "AP@5"), ("bpref", "Bpref")],
        *[("set_P", "SetP"), ("success_5", "Success@5"), ("11pt_avg", "IPrec11"), ("num_rel_ret", "NumRet(rel=1)")],
        *[("iprec_at_recall_0.20", "IPrec@0.2"), ("Rprec", "Rprec"), ("infAP", "infAP")],
    ],
)
def test_names_of_trec_eval(name, ours):
    assert parse_measure(name).name == parse_measure(ours).name


def test_objects_of_ir_measures_are_measures():
    for measure in (ir_measures.AP, ir_measures.nDCG @ 10, ir_measures.P(rel=2) @ 5):
        assert parse_measure(measure).name == str(measure)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("P@10(rel=2)", "Did you mean P(rel=2)@10?"),
        ("ndcg@10", "Did you mean nDCG@10?"),
        ("ap(rel=2)@5", "Did you mean AP(rel=2)@5?"),
        ("recip_rnk@10", "Did you mean RR@10?"),
        ("mapp", "Did you mean AP (trec_eval: map)?"),
        ("ap", "Did you mean AP?"),
        ("ndgc", "Did you mean nDCG"),
        ("P_", "Did you mean"),
        ("recip_rnk", "Did you mean RR (trec_eval: recip_rank)?"),
    ],
)
def test_similar_name_is_suggested(name, question):
    with pytest.raises(ValueError, match=re.escape(f"Unknown measure {name!r}. {question}")):
        parse_measure(name)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("statAP", "statAP needs a gold with the column inclusion_probability. Call agreement.stat_ap(runs, gold)."),
        ("xinfAP", "xinfAP needs a gold with the column stratum. Call agreement.extended_inferred_ap(runs, gold)."),
        ("statAP(rel=2)", "Call agreement.stat_ap(runs, gold)."),
    ],
)
def test_a_measure_that_is_a_function_names_it(name, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        parse_measure(name)
