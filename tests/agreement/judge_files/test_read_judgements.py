"""Reading the files of many judges: each irregularity is an error by default, and an option that is counted."""

import bz2
import gzip
import json
import math
import pathlib
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import make_gold, read_judgements
from agreement.judge_files import COUNTS, LabelOptions, NamedSource, named_sources, treat
from pooling import FormatError, TrecFormatError
from tests.cases import CASES
from tests.examples import examples

SCALE = (0, 1, 2, 3)


def read(content: str, scale=SCALE, **options):
    return read_judgements({"model": content.encode()}, scale=scale, **options)


def grades(read_files) -> dict[str, int]:
    return dict(zip(read_files.judgements["doc_id"], read_files.judgements["relevance"], strict=True))


def counted(read_files) -> dict[str, int]:
    """The counts of the only judge that are not 0."""
    (row,) = read_files.counts.to_dict("records")
    return {name: row[name] for name in COUNTS if row[name]}


def test_plain_file_is_read_as_it_is():
    result = read("1 0 b 3\n1 Q0 a 0\n")
    assert result.judgements.to_dict("list") == {
        "assessor": ["model", "model"],
        "query_id": ["1", "1"],
        "doc_id": ["b", "a"],
        "relevance": [3, 0],
    }
    assert counted(result) == {"lines": 2, "judgements": 2}
    assert (result.notes(), len(result.problems)) == ([], 0)
    assert result.options == {"model": {"scale": [0, 1, 2, 3]}}


WHOSE = "model, line 2: 'model' on document 'b' of topic '1'"


@pytest.mark.parametrize(
    ("label", "problem"),
    [
        (
            "high",
            "label 'high' is not allowed; a label is a decimal number of at most 32 bits, or map it "
            "to a grade, such as Relevant=1",
        ),
        ("nan", "label 'nan' is not allowed; a label is a decimal number of at most 32 bits"),
        ("1e999", "label '1e999' is not allowed; a label is a decimal number of at most 32 bits"),
        ("9999999999", "label '9999999999' is not allowed; a label is a decimal number of at most 32 bits"),
        (
            "2.0",
            "label '2.0' is written with decimals; a grade is a whole number, or set 'decimals' to 'whole' "
            "to read it as 2",
        ),
        (
            "0.5",
            "label '0.5' is a fraction; a grade is a whole number, or set 'rounding' to 'half_up', 'up' or 'down'",
        ),
        (
            "-1",
            "grade -1 is negative; a grade is 0 or more, or set 'negative' to 'not_judged' or 'off_scale'",
        ),
        (
            "4",
            "grade 4 is not on the scale; it must be one of 0, 1, 2, 3, or set 'off_scale' to 'clip' or 'drop'",
        ),
    ],
)
def test_each_irregular_label_is_an_error_by_default(label, problem):
    with pytest.raises(TrecFormatError) as raised:
        read(f"1 0 a 1\n1 0 b {label}\n")
    assert str(raised.value) == f"{WHOSE}: {problem}"
    assert (raised.value.line, raised.value.column, raised.value.value) == (2, "relevance", label)


def test_contradicting_duplicate_is_an_error_by_default():
    with pytest.raises(TrecFormatError) as raised:
        read("1 0 b 1\n1 0 b 2\n")
    assert str(raised.value).startswith(f"{WHOSE}: grade 2 contradicts line 1; a judge has one grade")


CLIPPED = {"off_scale": 1, "clipped": 1}


@pytest.mark.parametrize(
    ("labels", "options", "expected", "counts"),
    [
        ("10 -3 1", {"off_scale": "clip", "negative": "off_scale"}, [3, 0, 1], {"off_scale": 2, "clipped": 2}),
        (
            "10 -3 1",
            {"off_scale": "clip", "negative": "not_judged"},
            [3, 1],
            {"off_scale": 1, "clipped": 1, "not_judged": 1},
        ),
        ("10 2 1", {"off_scale": "drop"}, [2, 1], {"off_scale": 1, "dropped": 1}),
        ("1.0 2. 0", {"decimals": "whole"}, [1, 2, 0], {"decimals": 2}),
        ("0.5 1.49 1.0", {"rounding": "half_up"}, [1, 1, 1], {"rounded": 2, "decimals": 1}),
        ("0.5 1.01", {"rounding": "up"}, [1, 2], {"rounded": 2}),
        ("0.5 1.99", {"rounding": "down"}, [0, 1], {"rounded": 2}),
        ("-2 -1 0", {"negative": "not_judged"}, [0], {"not_judged": 2}),
        ("0 1 1", {"mapping": {1: 2}}, [0, 2, 2], {"mapped": 2}),
        ("1 2 3", {"mapping": {1: 2, 2: 3}}, [2, 3, 3], {"mapped": 2}),  # all pairs at once: 1 does not become 3
        ("-2 4 0", {"mapping": {-2: 0, 4: 3}}, [0, 3, 0], {"mapped": 2}),  # a mapped negative grade is a grade
        ("0.6", {"rounding": "half_up", "mapping": {1: 3}}, [3], {"rounded": 1, "mapped": 1}),
        (
            "0 1 7",
            {"own_scale": (0, 1), "mapping": {1: 2}, "off_scale": "clip"},
            [0, 2, 2],
            {"mapped": 2, "clipped": 1, "off_scale": 1},
        ),
    ],
)
def test_options_and_their_counts(labels, options, expected, counts):
    lines = "".join(f"1 0 d{number} {label}\n" for number, label in enumerate(labels.split()))
    result = read(lines, **options)
    assert result.judgements["relevance"].tolist() == expected
    assert counted(result) == {"lines": len(labels.split()), "judgements": len(expected), **counts}


@pytest.mark.parametrize(
    ("rule", "grade"),
    [("first", 3), ("last", 2), ("highest", 3), ("lowest", 0), ("median", 2)],
)
def test_rules_for_duplicates(rule, grade):
    # 3 0 2: the median is 2
    result = read("1 0 a 3\n1 0 a 0\n1 0 b 1\n1 0 b 1.0\n1 0 a 2\n", duplicates=rule, rounding="down")
    assert grades(result) == {"a": grade, "b": 1}
    assert counted(result) == {
        "lines": 5,
        "judgements": 2,
        "decimals": 1,
        "identical_pairs": 1,
        "contradicting_pairs": 1,
        "repeated": 3,
    }


@pytest.mark.parametrize(("rounding", "grade"), [("half_up", 2), ("up", 2), ("down", 1)])
def test_median_of_two_grades_is_rounded(rounding, grade):
    assert grades(read("1 0 a 1\n1 0 a 2\n", duplicates="median", rounding=rounding)) == {"a": grade}


def test_median_is_a_grade_of_an_exponential_scale():
    # positions 1 and 3 of (0, 2, 4, 8, 16): the median is position 2, grade 4
    result = read("1 0 a 2\n1 0 a 8\n", scale=(0, 2, 4, 8, 16), duplicates="median", rounding="half_up")
    assert grades(result) == {"a": 4}


def test_grade_between_two_grades_is_never_clipped():
    with pytest.raises(TrecFormatError, match="grade 3 lies between two grades of the scale"):
        read("1 0 a 3\n", scale=(0, 2, 4, 8, 16), off_scale="clip")


def test_identical_duplicates_are_accepted_with_a_note():
    result = read("1 0 a 2\n1 0 a 2.0\n1 0 c 1\n", decimals="whole")
    assert grades(result) == {"a": 2, "c": 1}
    assert result.notes() == ["model: 1 whole label written with decimals, 1 document repeated with the same grade."]


def test_report_leaves_invalid_lines_out_and_lists_them():
    result = read("1 0 a 1\n1 0 b 7\n1 0\n1 0 c x\n1 0 a 2\n1 0 d 0\n", on_error="report")
    assert grades(result) == {"a": 1, "d": 0}
    assert counted(result) == {"lines": 6, "judgements": 2, "invalid": 4, "contradicting_pairs": 1}
    assert result.problems["line"].tolist() == [2, 3, 4, 5]
    assert result.problems.loc[1, "what"] == "2 columns"
    assert result.notes() == [
        "model: 4 invalid lines left out, 1 document repeated with different grades (the first was kept)."
    ]


def test_empty_file_is_an_error_or_reported():
    with pytest.raises(TrecFormatError, match="the file has no judgements"):
        read("")
    result = read("", on_error="report")
    assert (len(result.judgements), result.problems["what"].tolist()) == (0, ["the file has no judgements"])
    assert counted(result) == {}


def test_corrupt_file_is_reported_without_lines():
    content = gzip.compress(b"1 0 a 1\n")[:-6]
    files = {"bad": content, "good": b"1 0 a 1\n"}
    with pytest.raises(TrecFormatError, match="the gzip data ends too early"):
        read_judgements(files, scale=SCALE)
    result = read_judgements(files, scale=SCALE, on_error="report")
    assert result.judgements["assessor"].tolist() == ["good"]
    assert result.problems["file"].tolist() == ["bad"]


def test_mapping_and_own_scale_of_single_judges():
    files = {"graded": b"1 0 a 1\n", "binary": b"1 0 a 1\n"}
    result = read_judgements(files, scale=SCALE, mapping={"binary": {1: 2}}, own_scale={"binary": (0, 1)})
    assert result.judgements["relevance"].tolist() == [1, 2]
    assert result.options["binary"] == {"scale": [0, 1, 2, 3], "mapping": {"1": 2}, "own_scale": [0, 1]}
    assert result.notes() == ["binary: 1 label mapped (1=2)."]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"off_scale": "cut"}, "off_scale 'cut' is unknown; choose from: error, clip, drop"),
        ({"duplicates": "mean"}, "duplicates 'mean' is unknown; choose from: error, first, last, highest"),
        ({"rounding": "even"}, "rounding 'even' is unknown; choose from: half_up, up, down"),
        ({"decimals": "yes"}, "decimals 'yes' is unknown; choose from: error, whole"),
        ({"negative": "zero"}, "negative 'zero' is unknown; choose from: error, not_judged, off_scale"),
        ({"on_error": "skip"}, "on_error 'skip' is unknown; choose from: raise, report"),
        ({"duplicates": "median"}, "duplicates='median' needs a rounding"),
        ({"mapping": {1: 9}}, "The judge's grade 1 becomes 9, which is not on the scale 0, 1, 2, 3"),
        ({"own_scale": (0, 4)}, "The judge's grade 4 becomes 4, which is not on the scale"),
        ({"own_scale": (1, 0)}, "A judge's own scale must have two or more different grades, lowest first"),
        ({"own_scale": (0, 1), "mapping": {2: 3}}, "mapping has the grade 2, which is not on the judge's own scale"),
        ({"mapping": {"modle": {1: 2}}}, "mapping names the judge 'modle'; the judges are model"),
        ({"scale": (2, 1)}, "A scale must have its lowest grade first"),
        ({"scale": None, "off_scale": "clip"}, "off_scale='clip' needs a scale"),
    ],
)
def test_invalid_options_are_refused(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read("1 0 a 1\n", **options)


def test_without_a_scale_every_whole_number_is_a_grade():
    assert grades(read("1 0 a 17\n", scale=None)) == {"a": 17}


def test_csv_of_several_judges_with_confidences(tmp_path):
    content = (
        "assessor,query_id,doc_id,relevance,confidence,state,repeat,comment\n"
        "ada,1,a,2,0.75,,0,sure\n"
        'bob,1,a,9,,judged,0,"x,\ny"\n'
        "ada,1,'=b,1,,,1,\n"
        "ada,1,c,,,later,0,\n"
    )
    path = tmp_path / "panel.csv"
    path.write_text(content)
    result = read_judgements(path, scale=SCALE, off_scale="clip")
    assert result.judgements["assessor"].tolist() == ["ada", "ada", "bob"]
    assert result.judgements["doc_id"].tolist() == ["a", "=b", "a"]
    assert result.judgements["relevance"].tolist() == [2, 1, 3]
    assert result.judgements["repeat"].tolist() == [0, 1, 0]
    first, *others = result.judgements["confidence"].tolist()
    assert first == 0.75
    assert all(math.isnan(value) for value in others)
    assert result.counts["assessor"].tolist() == ["ada", "bob"]
    assert result.counts["clipped"].tolist() == [0, 1]


def test_decisions_norming_practice_and_checks_are_no_votes(tmp_path):
    path = tmp_path / "judgements.csv"
    path.write_text(
        "assessor,query_id,doc_id,relevance,repeat,adjudicated\n"
        "ada,1,a,2,0,\nada,1,a,1,1,false\nada,1,b,3,5,\nbob,1,a,0,0,\nbob,1,a,1,3,\nbob,1,a,1,4,\nbob,1,b,0,6,\n"
        "rita,1,a,2,0,true\nrita,1,b,2,0,TRUE\n"
    )
    result = read_judgements(path, scale=SCALE)
    assert result.judgements.to_numpy().tolist() == [
        ["ada", "1", "a", 2, 0],
        ["ada", "1", "a", 1, 1],
        ["bob", "1", "a", 0, 0],
    ]
    assert result.counts.set_index("assessor")[["lines", "judgements", "other_kinds"]].T.to_dict("list") == {
        "ada": [3, 2, 1],
        "bob": [4, 1, 3],
        "rita": [2, 0, 2],
    }
    left_out = "of decisions, norming, practice or checks left out."
    assert str(result).startswith("JudgementFiles: 3 judgements of 2 judges\n")
    assert result.notes() == [
        f"ada: 1 row {left_out}",
        f"bob: 3 rows {left_out}",
        f"rita: 2 rows {left_out}",
    ]
    # on document a one judge says 2 and the other 0; a vote of the adjudicator would decide
    assert make_gold(result.judgements, "majority", rel=1)["relevance"].tolist() == [0]


def test_csv_of_one_judge_is_named_after_the_file(tmp_path):
    path = tmp_path / "gpt.csv"
    path.write_text("doc_id,query_id,relevance\na,1,2\n")
    assert read_judgements(path, scale=SCALE).judgements.iloc[0].tolist() == ["gpt", "1", "a", 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "query_id,doc_id\n1,a\n",
            "line 1: the header is 'query_id,doc_id'; it must contain query_id,",
        ),
        ("query_id,doc_id,relevance\n1,a\n", "line 2: 2 cells; the header has 3"),
        ("query_id,doc_id,relevance\n1,a b,1\n", "line 2: doc_id contains white space"),
        ("query_id,doc_id,relevance,confidence\n1,a,1,high\n", "line 2: confidence 'high' is not allowed"),
        ("query_id,doc_id,relevance,repeat\n1,a,1,2\n", "line 2: repeat '2' is not allowed"),
        ("query_id,doc_id,relevance,adjudicated\n1,a,1,maybe\n", "line 2: adjudicated 'maybe' is not allowed"),
        ('query_id,doc_id,relevance\n1,"a,1\n', "line 2: unexpected end of data"),
    ],
)
def test_invalid_csv_is_refused(content, message):
    with pytest.raises(TrecFormatError) as raised:
        read(content)
    assert message in str(raised.value)


def test_empty_assessor_is_refused(tmp_path):
    path = tmp_path / "panel.csv"
    path.write_text("assessor,query_id,doc_id,relevance\n,1,a,2\n")
    with pytest.raises(TrecFormatError, match="line 2: assessor is empty"):
        read_judgements(path, scale=SCALE)


@pytest.mark.parametrize("on_error", ["raise", "report"])
@pytest.mark.parametrize("kind", ["mapping", "NAME=FILE", "mapping of named sources"])
def test_name_of_a_csv_file_with_assessors_is_refused(tmp_path, kind, on_error):
    path = tmp_path / "panel.csv"
    path.write_text("query_id,doc_id,assessor,relevance\n1,a,ada,2\n")
    given = {
        "mapping": {"model": path},
        "NAME=FILE": [f"model={path}"],
        "mapping of named sources": named_sources([f"model={path}"]),
    }[kind]
    message = f"{path}: the file has the column assessor, which names its judges, so the name 'model' cannot be given."
    with pytest.raises(ValueError, match=re.escape(message)):
        read_judgements(given, scale=SCALE, on_error=on_error)
    assert read_judgements(named_sources(path), scale=SCALE).counts["assessor"].tolist() == ["ada"]


@pytest.mark.parametrize("sources", [b"1 0 a 1\n", [b"1 0 a 1\n"], [3], 3])
def test_content_without_the_name_of_its_judge_is_refused(sources):
    with pytest.raises(ValueError, match=r"A file of judgements must be a path, not (bytes|int)"):
        read_judgements(sources, scale=SCALE)


def test_name_of_a_csv_file_without_assessors_is_used():
    files = {"model": b"query_id,doc_id,relevance\n1,assessor,2\n", "other": b"1 0 assessor 1\n"}
    assert read_judgements(files, scale=SCALE).counts["assessor"].tolist() == ["model", "other"]


def test_named_sources_say_whether_the_name_was_given(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1 0 a 1\n")
    found = named_sources([f"b={path}", path])
    assert found == {"b": NamedSource(str(path), True), "a": NamedSource(str(path), False)}
    assert named_sources(str(tmp_path / "*.txt")) == {"a": NamedSource(str(path), False)}
    assert named_sources({"m": b""}) == {"m": NamedSource(b"", True)}


def test_csv_that_is_not_utf_8_is_refused():
    with pytest.raises(TrecFormatError, match="line 2: byte 0xE9 is not UTF-8"):
        read_judgements({"x": b"query_id,doc_id,relevance\n1,\xe9,1\n"}, scale=SCALE)


def test_files_are_named_by_path_pattern_and_argument(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.umbrela.txt", "a.umbrela.txt", "nist.qrels"):
        pathlib.Path(name).write_text("1 0 a 1\n")
    pathlib.Path("c.umbrela.txt.bz2").write_bytes(bz2.compress(b"1 0 a 1\n"))
    names = read_judgements(["gold=nist.qrels", "*.umbrela.txt*"], scale=SCALE).counts["assessor"]
    assert names.tolist() == ["gold", "a.umbrela", "b.umbrela", "c.umbrela"]
    named = read_judgements("*.umbrela.txt", scale=SCALE, name_pattern="{judge}.umbrela.*")
    assert named.counts["assessor"].tolist() == ["a", "b"]
    assert named.counts["file"].tolist() == ["a.umbrela.txt", "b.umbrela.txt"]


@pytest.mark.parametrize(
    ("sources", "pattern", "message"),
    [
        ("none*.txt", None, "No file matches the pattern 'none*.txt'."),
        ([], None, "There is no file of judgements"),
        ({}, None, "There is no file of judgements"),
        (["a.txt", "x/a.qrels"], None, "Two files have the name 'a'."),
        (["=a.txt"], None, "a judge must be NAME=FILE"),
        (["a.txt"], "{judge}.qrels", "The name of the file 'a.txt' does not match the pattern '{judge}.qrels'."),
        (["a.txt"], "judge.txt", "A name pattern must contain {judge} once"),
    ],
)
def test_files_that_cannot_be_named_are_refused(sources, pattern, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_judgements(sources, scale=SCALE, name_pattern=pattern)


def test_judge_in_two_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("x", "y"):
        pathlib.Path(name).write_text("assessor,query_id,doc_id,relevance\nada,1,a,1\n")
    with pytest.raises(ValueError, match="Judge 'ada' is in two files: x and y"):
        read_judgements(["x", "y"], scale=SCALE)


LABELS = st.sampled_from(["0", "1", "3", "1.0", "0.5", "2.5", "-1", "7", "x"])
ROWS = st.lists(st.tuples(st.sampled_from("ab"), LABELS), max_size=12)


@examples(300)
@given(
    ROWS,
    st.sampled_from(["error", "clip", "drop"]),
    st.sampled_from(["error", "first", "last", "highest", "lowest", "median"]),
    st.sampled_from(["half_up", "up", "down"]),
    st.sampled_from(["error", "not_judged", "off_scale"]),
)
def test_each_line_is_counted_once(rows, off_scale, duplicates, rounding, negative):
    options = LabelOptions(SCALE, off_scale, duplicates=duplicates, rounding=rounding, negative=negative)
    labels = pd.DataFrame(rows, columns=["doc_id", "label"], dtype="str").assign(query_id="1")
    labels["line"] = range(1, len(labels) + 1)
    judgements, counts, problems = treat(labels, options, "j", "f")
    left_out = ("invalid", "not_judged", "dropped", "repeated")
    assert counts["lines"] == counts["judgements"] + sum(counts[name] for name in left_out) == len(rows)
    assert (counts["judgements"], counts["invalid"]) == (len(judgements), len(problems))
    assert judgements["relevance"].isin(SCALE).all()
    assert not judgements.duplicated(["query_id", "doc_id"]).any()
    assert [problem.line for problem in problems] == sorted(problem.line for problem in problems)


def test_a_csv_header_may_have_capitals_and_needs_a_row():
    result = read_judgements({"f": b"Query_ID,DOC_ID,Relevance\n1,a,1\n"}, scale=(0, 1))
    assert grades(result) == {"a": 1}
    for header in (b"query_id,doc_id,relevance", b"assessor,query_id,doc_id,relevance\n\n"):
        content = NamedSource(header, is_explicit=False)
        with pytest.raises(
            TrecFormatError, match="f: the file has a header and no judgements; a table has at least one"
        ):
            read_judgements({"f": content}, scale=(0, 1))
        assert len(read_judgements({"f": content}, scale=(0, 1), on_error="report").problems) == 1


@pytest.mark.parametrize("state", ["Judged", "skipped", "1"])
def test_an_unknown_state_is_refused(state):
    content = f"query_id,doc_id,relevance,state\n1,a,1,judged\n1,b,0,{state}\n1,c,,later\n"
    message = f"line 3: state '{state}' is not allowed; state is empty or one of judged, cannot_judge, later, undone"
    with pytest.raises(TrecFormatError, match=message):
        read(content)
    result = read(content, on_error="report")
    assert grades(result) == {"a": 1}
    assert result.problems["line"].tolist() == [3]


def judges_of(content):
    read_files = read_judgements({"f": NamedSource(content, is_explicit=False)}, scale=(0, 1, 2))
    return read_files.judgements.groupby("assessor")["doc_id"].agg(list).to_dict()


def test_columns_of_judges_have_several_names():
    assert judges_of((CASES / "annotator_column.csv").read_bytes()) == {"ada": ["d1", "d2"], "bob": ["d1", "d3"]}
    expected = {"ada": ["d1", "d2"], "bob": ["d1", "d2", "d3"]}
    assert judges_of((CASES / "assessor_label.csv").read_bytes()) == expected


@pytest.mark.parametrize("column", ["assessor", "annotator", "judge", "user", "model"])
@pytest.mark.parametrize("label", ["relevance", "label"])
def test_a_table_with_judges_is_never_of_one_judge(column, label):
    assert judges_of(f"query_id,doc_id,{label},{column}\n1,a,1,x\n1,a,2,y\n".encode()) == {"x": ["a"], "y": ["a"]}
    with pytest.raises(ValueError, match="names its judges"):
        read(f"query_id,doc_id,{label},{column}\n1,a,1,x\n")


def test_labels_that_are_numbers_of_a_database_need_a_mapping():
    content = b'{"query_id": "1", "doc_id": "a", "annotations": [{"label": 1, "user": 4}]}'
    source = {"f": NamedSource(content, is_explicit=False)}
    with pytest.raises(TrecFormatError, match=r"label 'label-1' is not allowed; .* or map it to a grade"):
        read_judgements(source, scale=(0, 1))
    assert grades(read_judgements(source, scale=(0, 1), mapping={"label-1": 0})) == {"a": 0}


def test_quepid_ratings_with_decimals_are_grades_and_a_query_alone_is_counted():
    result = read_judgements({"q": CASES / "quepid_floats.csv"}, scale=(0, 1))
    assert grades(result) == {"d1": 1, "d2": 0}
    assert counted(result) == {"lines": 3, "judgements": 2, "no_judgement": 1}
    assert result.notes() == ["q: 1 row without a judgement left out."]


def test_queries_that_differ_in_a_sign_are_two_topics():
    content = b"query,docid,rating\nred shoes,d1,1\nred_shoes,d1,0\n"
    result = read_judgements({"q": content}, scale=(0, 1))
    assert result.judgements["query_id"].tolist() == ["red_shoes", "red%5Fshoes"]


def test_numbers_of_label_studio_are_grades_and_cancelled_annotations_are_counted():
    source = NamedSource(CASES / "ls_number_and_cancelled.json", is_explicit=False)
    result = read_judgements({"f": source}, scale=(0, 1, 2))
    assert grades(result) == {"d1": 2, "d2": 1}
    assert counted(result) == {"lines": 3, "judgements": 2, "no_judgement": 1}


def test_two_fields_of_labels_are_refused_until_one_is_named():
    source = {"f": NamedSource(CASES / "ls_two_labels.csv", is_explicit=False)}
    with pytest.raises(
        FormatError, match="line 2: 2 fields have labels: relevance, rating; name the field of the label"
    ):
        read_judgements(source, scale=(0, 1, 2))
    relevance = read_judgements(source, scale=(0, 1, 2), field="relevance").judgements
    assert relevance[["assessor", "relevance"]].values.tolist() == [["annotator-1", 2], ["annotator-2", 1]]
    assert read_judgements(source, scale=(0, 1, 2), field="rating").judgements["relevance"].tolist() == [0, 0]
    with pytest.raises(FormatError, match="line 2: the field 'grade' is missing; the record has query_id, doc_id"):
        read_judgements(source, scale=(0, 1, 2), field="grade")


def test_a_judge_with_cancelled_annotations_alone_is_counted():
    tasks = json.loads((CASES / "ls_number_and_cancelled.json").read_text())
    tasks[2]["annotations"][0]["completed_by"] = 2
    result = read_judgements({"f": NamedSource(json.dumps(tasks).encode(), is_explicit=False)}, scale=(0, 1, 2))
    assert result.counts[["assessor", "lines", "judgements", "no_judgement"]].values.tolist() == [
        ["annotator-1", 2, 2, 0],
        ["annotator-2", 1, 0, 1],
    ]
    assert "2 judgements of 1 judge" in str(result)
