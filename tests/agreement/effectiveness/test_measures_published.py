"""Measures on the worked cases in `tests/oracle`: computed by hand, or published in lectures and textbooks."""

from fractions import Fraction

import pandas as pd
import pytest

from agreement.effectiveness import evaluate
from tests.agreement.scoring import at_ranks, gold_of, graded, parsed_gold, parsed_run, run_of, score
from tests.oracles import oracle

CASES = oracle("measures")["cases"]
TEXTBOOK = {case["id"]: case for case in oracle("textbook")["cases"]}
NAMES = {
    "map": "AP",
    "map_cut_2": "AP@2",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "P_5": "P@5",
    "P_10": "P@10",
    "recall_5": "R@5",
    "num_rel": "NumRel",
    "num_ret": "NumRet",
    "ndcg": "nDCG",
    "ndcg_cut_5": "nDCG@5",
    "ndcg_cut_10": "nDCG@10",
    "num_rel_ret": "NumRet(rel=1)",
}
# pytrec_eval keeps scores in single precision, where the two of this case are tied.
FLOAT32 = {"tie-float32"}
BY_RANKS = [case for case in TEXTBOOK.values() if "relevant_at_ranks" in case["given"]]
BOTH_DISCOUNTS = [case for case in TEXTBOOK.values() if "discount" in case["given"]]
DISCOUNTS = {"1/log2(max(rank, 2))": "max2", "1/log2(rank + 1)": "log2"}


def name_of(case):
    return f"{case['id']} {' '.join(case['trec_eval_options'])}".strip()


def with_level(measure, options):
    """The measure at the threshold of trec_eval's option -l."""
    if "-l" not in options or measure.startswith("nDCG") or measure == "NumRet":
        return measure
    name, _, cutoff = measure.replace("(rel=1)", "").partition("@")
    return f"{name}(rel={options[options.index('-l') + 1]})@{cutoff}".rstrip("@")


def scores_of(case, measures, per_query):
    """The scores of a case by topic and measure, with the options of trec_eval."""
    options = case["trec_eval_options"]
    names = {with_level(measure, options): measure for measure in measures}
    runs, gold = parsed_run(case["run"]), parsed_gold(case["qrels"])
    if (gold["relevance"] < 0).all():  # a gold must have a judged document; this one is in another topic
        gold = pd.concat([gold, gold.head(1).assign(query_id="judged", relevance=0)])
    asked = {"missing": "zero" if "-c" in options else "skip", "judged_only": "-J" in options}
    scores = evaluate(runs, gold, names, per_query=per_query, **asked)
    topics = scores["query_id"] if per_query else ["all"] * len(scores)
    return dict(zip(zip(topics, scores["measure"].map(names), strict=True), scores["value"], strict=True))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_worked_cases(case):
    measures = {NAMES[key.split("/")[1]] for key in case["hand"]}
    scores = scores_of(case, measures, True) | scores_of(case, measures, False) if measures else {}

    for key, hand in case["hand"].items():
        topic, name = key.split("/")
        # the hand value of infAP leaves out trec_eval's smoothing by 0.00001
        close = 1e-4 if name == "infAP" else 1e-15
        assert scores[topic, NAMES[name]] == pytest.approx(hand["value"], abs=close), key


@pytest.mark.parametrize("case", [case for case in CASES if case["id"] not in (*FLOAT32, "no-overlap")], ids=name_of)
def test_worked_cases_against_trec_eval(case):
    wanted = {(topic, NAMES[name]): value for topic, of in case["pytrec_eval"].items() for name, value in of.items()}
    scores = scores_of(case, {measure for _, measure in wanted} or {"AP"}, True)

    assert {key: scores[key] for key in wanted} == pytest.approx(wanted, abs=1e-12)


def test_a_run_and_a_gold_without_a_common_topic():
    case = next(case for case in CASES if case["id"] == "no-overlap")

    with pytest.raises(ValueError, match="have no topic in common"):
        evaluate(parsed_run(case["run"]), parsed_gold(case["qrels"]), "AP")


def wanted_by_ranks():
    for case in BY_RANKS:
        want, given = case["want"], case["given"]
        values = {key: want[key] for key in ("AP", "Rprec") if key in want}
        values |= {f"P@{k}": value for k, value in want["P"].items()} if isinstance(want.get("P"), dict) else {}
        values |= {f"R@{k}": value for k, value in want["R"].items()} if isinstance(want.get("R"), dict) else {}
        values |= {"SetP": want["P"], "SetR": want["R"], "SetF": want["F1"]} if "F1" in want else {}
        values |= {f"F@{given['retrieved']}": want["F1"]} if "F1" in want else {}
        values |= {"IPrec@0.33": want["iprec_at_033"]} if "iprec_at_033" in want else {}
        values |= {"IPrec11": want["iprec_11pt"], "IPrec3": want["iprec_3pt"]} if "iprec_11pt" in want else {}
        for k, (rank, value) in enumerate(
            zip(given["relevant_at_ranks"], want.get("precision_at_recall_points", []), strict=False)
        ):
            values[f"P@{rank}"] = value
            values |= (
                {f"IPrec@{(k + 1) / given['relevant_total']}": want["interpolated"][k]}
                if "interpolated" in want
                else {}
            )
        for measure, value in values.items():
            yield pytest.param(given, measure, value, id=f"{case['id']}-{measure}")


@pytest.mark.parametrize(("given", "measure", "wanted"), list(wanted_by_ranks()))
def test_published_by_ranks(given, measure, wanted):
    runs, gold = at_ranks(given["relevant_at_ranks"], given["relevant_total"], given["retrieved"])

    assert score(runs, gold, measure) == pytest.approx(float(Fraction(wanted)), abs=1e-15)


@pytest.mark.parametrize("name", ["rug-sets", "iir-ex8.1"])
def test_published_sets(name):
    given, want = TEXTBOOK[name]["given"], TEXTBOOK[name]["want"]
    runs, gold = at_ranks(range(1, given["relevant_retrieved"] + 1), given["relevant_total"], given["retrieved"])

    assert score(runs, gold, "SetP") == float(Fraction(want["P"]))
    assert score(runs, gold, "SetR") == float(Fraction(want["R"]))


@pytest.mark.parametrize("case", BOTH_DISCOUNTS, ids=lambda case: case["id"])
def test_published_dcg_with_both_discounts(case):
    runs, gold = graded(case["given"]["grades_by_rank"])
    discount = DISCOUNTS[case["given"]["discount"]]

    for cutoff in ("", "@10"):
        value = score(runs, gold, f"DCG(discount={discount!r}){cutoff}")
        assert value == pytest.approx(case["want"]["DCG"], abs=1e-12)
        assert round(value, 2) == case["want"].get("printed_DCG", round(value, 2))


@pytest.mark.parametrize(("key", "decide"), [("both_judges", min), ("either_judge", max)])
def test_published_set_under_two_golds(key, decide):
    given, want = TEXTBOOK["iir-ex8.10"]["given"], TEXTBOOK["iir-ex8.10"]["want"][key]
    judges = zip(given["judge1"], given["judge2"], strict=True)
    grades = {str(doc): decide(pair) for doc, pair in zip(given["docs"], judges, strict=True)}
    runs, gold = run_of({"q": [str(doc) for doc in given["retrieved_docs"]]}), gold_of({"q": grades})

    for measure, wanted in {"SetP": "P", "SetR": "R", "SetF": "F1", "P@5": "P", "R@5": "R", "F@5": "F1"}.items():
        assert score(runs, gold, measure) == pytest.approx(float(Fraction(want[wanted])), abs=1e-15)
