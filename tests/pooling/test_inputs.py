"""Runs, golds, judgements and scores in every kind of input, and what is refused."""

import re
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import polars
import pytest

from pooling import contributions, judged_at, leave_one_out, pool, prepare, ranked, replay, undiscovered
from pooling.inputs import as_gold, as_judgements, as_runs, as_scores, named_golds
from pooling.paths import name_of
from tests.input_kinds import GOLD_INPUTS, JUDGEMENT_INPUTS, RUN_INPUTS, TABLES, nested, qrels, scored_docs

RUN, GOLD = ["system", "query_id", "doc_id", "score"], ["query_id", "doc_id", "relevance"]
RUNS = pd.DataFrame(
    [
        ("bm25", "301", "d7", 2.5),
        ("bm25", "301", "d10", 1.5),
        ("bm25", "302", "d7", 0.5),
        ("lsa", "301", "d10", 4.0),
        ("lsa", "302", "é", 0.25),
    ],
    columns=RUN,
)
NIST = pd.DataFrame([("301", "d10", 2), ("301", "d7", 0), ("302", "é", 1)], columns=GOLD)
GOLDS = pd.concat([NIST.assign(gold="ada"), NIST.assign(gold="bob", relevance=[1, 1, 0])], ignore_index=True)
JUDGEMENTS = GOLDS.rename(columns={"gold": "assessor"})


def whole(frames):
    return frames if isinstance(frames, pd.DataFrame) else pd.concat(frames, ignore_index=True)


def sorted_rows(frame, columns):
    return frame[columns].sort_values(columns, ignore_index=True)


@pytest.mark.parametrize("kind", RUN_INPUTS)
def test_every_kind_of_runs(kind, tmp_path):
    frame = whole(as_runs(RUN_INPUTS[kind](RUNS, tmp_path)))

    pd.testing.assert_frame_equal(sorted_rows(frame, RUN), sorted_rows(RUNS, RUN), check_dtype=False)


@pytest.mark.parametrize("kind", GOLD_INPUTS)
def test_every_kind_of_golds(kind, tmp_path):
    named = named_golds(GOLD_INPUTS[kind](GOLDS, tmp_path))

    golds = pd.concat([frame if name is None else frame.assign(gold=name) for name, frame in named])
    columns = ["gold", *GOLD]
    pd.testing.assert_frame_equal(sorted_rows(golds, columns), sorted_rows(GOLDS, columns), check_dtype=False)
    assert str(golds["query_id"].dtype) == str(golds["doc_id"].dtype) == "str"
    assert pd.api.types.is_integer_dtype(golds["relevance"])


@pytest.mark.parametrize("kind", JUDGEMENT_INPUTS)
def test_every_kind_of_judgements(kind, tmp_path):
    frame = as_judgements(JUDGEMENT_INPUTS[kind](JUDGEMENTS, tmp_path))

    columns = ["assessor", *GOLD]
    pd.testing.assert_frame_equal(sorted_rows(frame, columns), sorted_rows(JUDGEMENTS, columns), check_dtype=False)


@pytest.mark.parametrize("kind", RUN_INPUTS)
def test_runs_of_every_kind_give_the_same_pool(kind, tmp_path):
    assert pool(RUN_INPUTS[kind](RUNS, tmp_path), depth=1).frame.equals(pool(RUNS, depth=1).frame)


GOLD_OF_ONE = {
    "nested dictionaries": lambda: nested(NIST, "relevance"),
    "tuples of ir_measures": lambda: iter(qrels(NIST)),
    **{kind: lambda convert=convert: convert(NIST) for kind, convert in TABLES.items()},
}


@pytest.mark.in_ci
@pytest.mark.parametrize("kind", GOLD_OF_ONE)
def test_evaluations_of_pools_accept_every_kind_of_gold(kind):
    gold = GOLD_OF_ONE[kind]

    assert judged_at(RUNS, gold(), [1]).equals(judged_at(RUNS, NIST, [1]))
    assert contributions(RUNS, gold(), 1).equals(contributions(RUNS, NIST, 1))
    assert replay("rrf", RUNS, gold(), budget=3).found.equals(replay("rrf", RUNS, NIST, budget=3).found)
    assert undiscovered(RUNS, gold(), 1).topics.equals(undiscovered(RUNS, NIST, 1).topics)
    left_out = [leave_one_out(RUNS, one, lambda *_: np.arange(2.0), depth=1).frame for one in (gold(), NIST)]
    assert left_out[0].equals(left_out[1])


def test_one_named_gold_is_a_gold(tmp_path):
    (tmp_path / "a.qrels").write_text("301 0 d7 2\n")

    for gold in ({"nist": NIST}, [NIST], {"nist": nested(NIST, "relevance")}):
        assert as_gold(gold)["relevance"].tolist() == [2, 0, 1]
    assert as_gold([tmp_path / "a.qrels"])["relevance"].tolist() == [2]


def test_a_file_is_read(tmp_path):
    (tmp_path / "a.qrels").write_text("301 0 d7 2\n")

    assert as_gold(tmp_path / "a.qrels")["relevance"].tolist() == [2]


def test_a_single_run_has_a_name():
    for run in (nested(RUNS[:3], "score"), scored_docs(RUNS[:3]), RUNS[:3].drop(columns="system")):
        assert prepare(run).systems.tolist() == ["run"]


def test_ranks_of_a_nested_dictionary():
    assert ranked({"1": {"a": 1.0, "b": 2.0}})["doc_id"].tolist() == ["b", "a"]


def test_topics_without_documents_are_allowed():
    assert whole(as_runs({"1": {}, "2": {"a": 1.0}}))["query_id"].tolist() == ["2"]
    assert whole(as_runs({"s": {"1": {}}, "t": {"1": {"a": 1.0}}}))["system"].tolist() == ["t"]


def test_a_column_of_assay_is_preferred_to_one_of_pyterrier():
    both = NIST.assign(qid="q1", docno="x")

    assert as_gold(both)["query_id"].tolist() == ["301", "301", "302"]


def test_the_input_does_not_change():
    table = NIST.rename(columns={"query_id": "qid"}).astype({"qid": "int64"})
    before = table.copy()

    as_gold(table)
    as_runs(nested(RUNS, "score"))

    pd.testing.assert_frame_equal(table, before)
    assert as_gold(NIST) is NIST  # an ordinary table is not copied


SCORES = pd.DataFrame([[0.5, 0.25], [0.0, 1.0]], index=["lsa", "bm25"], columns=["302", "301"])
LONG = pd.DataFrame(
    [("lsa", "302", 0.5), ("lsa", "301", 0.25), ("bm25", "302", 0.0), ("bm25", "301", 1.0)],
    columns=["system", "query_id", "value"],
)


@pytest.mark.parametrize(
    "scores",
    [
        SCORES,
        SCORES.rename_axis("system").reset_index(),
        polars.from_pandas(SCORES.rename_axis("system").reset_index()),
        LONG,
        LONG.assign(measure="AP"),
        polars.from_pandas(LONG),
        {system: dict(row) for system, row in SCORES.iterrows()},
        {
            system: [
                ir_measures.Metric(query_id=topic, measure=ir_measures.AP, value=row[topic]) for topic in row.index
            ]
            for system, row in SCORES.iterrows()
        },
    ],
    ids=[
        "wide",
        "wide with a column",
        "wide in polars",
        "long",
        "long with measure",
        "polars",
        "nested dictionaries",
        "tuples of ir_measures",
    ],
)
def test_every_kind_of_scores(scores):
    wide = as_scores(scores)

    assert wide.index.tolist() == ["lsa", "bm25"]
    assert wide.columns.tolist() == ["302", "301"]
    assert wide.to_numpy().tolist() == [[0.5, 0.25], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: as_gold(NIST.astype({"query_id": "float64"})),
            "query_id must have strings or whole numbers, not 301.0",
        ),
        (
            lambda: as_gold(polars.DataFrame({"query_id": [1.0]})),
            "query_id must have strings or whole numbers, not 1.0",
        ),
        (lambda: as_runs("missing.run"), "There is no file 'missing.run' for runs."),
        (lambda: as_runs("missing-*.run"), "There is no file for runs that matches 'missing-*.run'."),
        (lambda: as_runs(Path(__file__).parent), "is a folder. Name the files for runs, for example"),
        (lambda: as_gold(str(Path(__file__).parent / "test_*.py")), "A gold must be one file, but"),
        (
            lambda: as_judgements({"a": NIST, "b": NIST.drop(columns="relevance")}),
            "The judgements of 'b' need the columns query_id, doc_id, relevance; missing: relevance",
        ),
        (
            lambda: as_judgements({"a": NIST, "b": pd.DataFrame()}),
            "The judgements of 'b' need the columns query_id, doc_id, relevance; missing: query_id, doc_id, relevance",
        ),
        (lambda: as_judgements(NIST_TUPLES), "Judgements must name their judges: pass a column assessor"),
        (lambda: as_gold([NIST, NIST]), "A gold must be one gold, not 2."),
        (lambda: as_gold({"ada": NIST, "bob": NIST}), "A gold must be one gold, not 2."),
        (lambda: as_gold(NIST[["query_id", "doc_id", "doc_id"]]), "each column once, but 'doc_id' occurs twice."),
        (lambda: as_scores(LONG.drop(columns="query_id")), "pass the scores of topics, and not their means."),
        (lambda: as_scores(polars.DataFrame({"301": [0.5]})), "A table of scores must have the column system."),
        (lambda: as_scores(pd.concat([LONG, LONG])), "System 'lsa' has several scores on topic '302'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_values_that_are_refused(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()


NIST_TUPLES = qrels(NIST)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: as_runs(7), "runs must be tables, paths, dictionaries or tuples of ir_measures, not 7."),
        (lambda: as_runs(b"301 Q0 d7 1 2.5 bm25"), "not b'301 Q0 d7 1 2.5 bm25'."),
        (
            lambda: as_gold([("301", "d7", 1)]),
            "golds must be tables, paths, dictionaries or tuples of ir_measures, not a list",
        ),
        (lambda: as_gold(NIST["relevance"]), "not Series."),
        (lambda: as_runs(np.zeros((2, 3))), "not ndarray."),
        (lambda: named_golds(7), "golds must be tables"),
        (
            lambda: as_scores("scores.csv"),
            "Scores must be a table of systems and topics or a dictionary, not 'scores.csv'.",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_types_that_are_refused(call, sentence):
    with pytest.raises(TypeError, match=re.escape(sentence)):
        call()


@pytest.mark.parametrize("evaluation", [lambda gold: judged_at(RUNS, gold), lambda gold: contributions(RUNS, gold, 1)])
def test_runs_and_golds_without_a_common_topic(evaluation):
    with pytest.raises(
        ValueError, match="have no topic in common: a topic of the runs is '301', and a topic of the gold is 'q'"
    ):
        evaluation(NIST.assign(query_id="q").drop_duplicates("doc_id"))


def test_texts_in_a_dictionary_are_no_paths():
    with pytest.raises(ValueError, match=r"every score of a run must be a finite number; '1\.5' is a text"):
        prepare({"301": {"d1": "1.5"}})
    assert as_gold({"301": {"d1": "1"}})["relevance"].tolist() == ["1"]  # refused where the grades are used


def test_names_of_files():
    assert [name_of(path) for path in ("x/a.qrels.gz", "b.run", Path("c.v2.txt"), ".gz")] == ["a", "b", "c.v2", ".gz"]


def test_documents_added_to_a_pool():
    made = pool(RUNS, depth=1)

    wanted = made.with_documents(pd.DataFrame([("302", "x")], columns=["query_id", "doc_id"])).frame
    for documents in ({"302": {"x": 1}}, pd.DataFrame([(302, "x")], columns=["qid", "docno"])):
        assert made.with_documents(documents).frame.equals(wanted)
    with pytest.raises(ValueError, match=r"query_id must have strings or whole numbers, not 302\.0"):
        made.with_documents(pd.DataFrame([(302.0, "x")], columns=["query_id", "doc_id"]))
