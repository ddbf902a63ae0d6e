"""Tables of judgements under other names, with other separators, with a column for each judge, and with empty cells."""

from pathlib import Path

import pytest

from agreement import Ratings, read_judgements
from agreement.cli.main import main, parser
from pooling import FormatError, TrecFormatError, recognise

TABLES = Path(__file__).parents[2] / "data" / "tables"
SCALE = (0, 1)


def rows(source, **options):
    read = read_judgements(source, scale=SCALE, **options)
    return [tuple(row) for row in read.judgements[["assessor", "query_id", "doc_id", "relevance"]].to_numpy().tolist()]


def table(tmp_path, text):
    path = tmp_path / "panel.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "form", "expected"),
    [
        ("semicolons.csv", "judgement_csv", [("ada", "q1", "d1", 1), ("bob", "q1", "d1", 0)]),
        (
            "other_header_names.csv",
            "judgement_csv",
            [("ada", "q1", "d1", 1), ("ada", "q1", "d2", 0), ("bob", "q1", "d1", 0), ("bob", "q1", "d2", 0)],
        ),
    ],
)
def test_other_names_and_separators_are_read(name, form, expected):
    assert rows(TABLES / name) == expected
    assert recognise(TABLES / name).format == form


@pytest.mark.parametrize(
    "header",
    [
        "rel,docid,Rater,qid",
        "SCORE\tPID\tCoder\tTopic",
        "Label;docno;USER;Query",
        '"rating","Document","annotator","topic"',
    ],
)
def test_names_have_any_order_and_case(tmp_path, header):
    separator = next(sign for sign in ";\t," if sign in header)
    path = table(tmp_path, header + "\r\n" + separator.join(["1", "007", "ada", "01"]) + "\r\n")
    assert rows(path) == [("ada", "01", "007", 1)]


def test_columns_can_be_named(tmp_path):
    path = table(tmp_path, "who;t;d;grade;score\nada;1;a;5;1\n")
    given = {"assessor": "who", "query_id": "T", "doc_id": "d", "relevance": "score"}
    assert rows(path, columns=given) == [("ada", "1", "a", 1)]


def test_the_name_of_assay_is_preferred(tmp_path):
    path = table(tmp_path, "judge,qid,doc_id,relevance,score\nada,1,a,1,9\n")
    assert rows(path) == [("ada", "1", "a", 1)]


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        (
            "judge,topic,document,grade,score\n",
            None,
            "grade and score may both be relevance; name the column with the op",
        ),
        ("topic;document,score;judge,grade\n", None, "missing"),
        ("topic;document;a,topic,document\n", None, "separated by both"),
        ("judge;topic;grade\n", None, "missing: doc_id; name the column with the option columns, such as doc_id=NAME"),
        ("topic,document,ada,comment\n", None, "comment is probably no judge; name the column with the option columns"),
        (
            "judge,topic,document,grade\n",
            {"relevance": "mark"},
            "it has no column 'mark', which the option columns names",
        ),
    ],
)
def test_ambiguous_and_missing_columns_are_refused(tmp_path, text, columns, message):
    with pytest.raises(TrecFormatError, match=message):
        read_judgements(table(tmp_path, text), scale=SCALE, columns=columns)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"grade": "x"}, "columns has 'grade'; the columns are assessor, query_id"),
        ({"relevance": ""}, "must give the name of one column as relevance, not ''"),
        ({"relevance": ["a", "b"]}, "must give the name of one column as relevance"),
        ({"relevance": "score"}, "no file is a table with a header"),
    ],
)
def test_columns_that_are_not_understood_are_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        read_judgements({"ada": b"1 0 a 1\n"}, scale=SCALE, columns=columns)


def test_a_column_for_each_judge_is_read(capsys):
    path = TABLES / "one_column_a_judge.csv"
    read = read_judgements(path, scale=SCALE)
    ratings = Ratings.from_judgements(read.judgements, SCALE)
    assert ratings.assessors == ("ada", "bob")
    # d1: 1 and 0; d2: 1 and 1; d3: 0 and 0
    assert ratings.table("ada", "bob").tolist() == [[1, 0], [1, 1]]
    assert read.notes() == [f"{judge}: 1 empty cell read as no judgement." for judge in ("ada", "bob")]
    assert recognise(path).format == "judge_columns"
    assert main(["kappa", str(path), "--scale", "0,1"]) == 0
    assert "ada: 1 empty cell read as no judgement." in capsys.readouterr().out
    with pytest.raises(ValueError, match="has a column for each judge, so the name 'x' cannot be given"):
        read_judgements({"x": path}, scale=SCALE)


def test_judges_can_be_named(tmp_path, capsys):
    path = table(tmp_path, "topic,document,title,ada,bob,score\n1,a,one,1,0,9\n")
    expected = [("ada", "1", "a", 1), ("bob", "1", "a", 0)]
    assert rows(path, columns={"judges": ["ada", "bob"]}) == expected
    assert main(["kappa", str(path), "--scale", "0,1", "--columns", "judges=ada,judges=bob"]) == 0
    assert "bob" in capsys.readouterr().out


@pytest.mark.parametrize("cell", ["", " ", "NA", "None", "na", "-"])
def test_an_empty_cell_is_no_judgement_and_counted(tmp_path, cell):
    path = table(tmp_path, f"assessor,query_id,doc_id,relevance\nada,1,a,1\nada,1,b,{cell}\nbob,1,a,{cell}\n")
    read = read_judgements(path, scale=SCALE)
    assert len(read.judgements) == 1
    counts = read.counts.set_index("assessor")[["lines", "judgements", "empty"]]
    assert counts.T.to_dict("list") == {"ada": [2, 1, 1], "bob": [1, 0, 1]}
    assert read.notes() == [f"{judge}: 1 empty cell read as no judgement." for judge in ("ada", "bob")]


def test_a_mapping_may_name_a_label_that_looks_empty(tmp_path):
    path = table(tmp_path, "assessor,query_id,doc_id,relevance\nada,1,a,None\n")
    assert rows(path, mapping={"None": 0}) == [("ada", "1", "a", 0)]


def test_labels_of_qrels_are_never_empty():
    with pytest.raises(TrecFormatError, match="label 'NA' is not allowed"):
        read_judgements({"ada": b"1 0 a NA\n"}, scale=SCALE)


def test_the_option_of_the_command(capsys):
    options = parser("x").parse_args(["kappa", "a", "--columns", "assessor=coder, relevance=score"])
    assert options.columns == {"assessor": "coder", "relevance": "score"}
    for text in ("assessor", "assessor=", "assessor=a,assessor=b"):
        with pytest.raises(SystemExit):
            parser("x").parse_args(["kappa", "a", "--columns", text])
        assert "Columns must be written as assessor=coder,relevance=score" in capsys.readouterr().err


@pytest.mark.parametrize("text", [b"x;y;z\n1;2;3\n", b"a,b,c\n"])
def test_other_tables_are_not_recognised(text):
    with pytest.raises(FormatError, match="the format is unknown"):
        recognise(text, name="x.csv")


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        (b"hello\n", "1 column separated by blanks; it begins with 'hello'"),
        (b"q1;d1;ada;1;x\n", "5 columns separated by semicolons; it begins with 'q1;d1;ada;1;x'"),
    ],
)
def test_an_unknown_file_is_described(text, looks):
    with pytest.raises(TrecFormatError, match=f"looks like text with {looks}; a header with query_id"):
        read_judgements({"x": text}, scale=SCALE)
    assert len(read_judgements({"x": text, "y": b"1 0 a 1\n"}, scale=SCALE, on_error="report").problems) == 1
