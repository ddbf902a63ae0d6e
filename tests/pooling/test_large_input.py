"""Files that would keep the reader busy for minutes are refused at once, with the number that is allowed."""

import io
import json
import zipfile

import pytest

from agreement import read_judgements
from agreement.shift.score_files import read_scores
from pooling import FormatError, read_documents, read_run, read_runs, read_topics
from pooling.words import first_repeated


def refusal(read, *arguments, **options):
    with pytest.raises(FormatError) as caught:
        read(*arguments, **options)
    return str(caught.value)


@pytest.fixture
def few_problems(monkeypatch):
    monkeypatch.setattr("pooling.errors.MAX_PROBLEMS", 3)


@pytest.mark.parametrize(
    ("name", "line"),
    [("j.csv", "ann,1"), ("j.csv", "ann,,,"), ("j.csv", "ann,1,d,x"), ("j.qrels", "1 0 d"), ("j.qrels", "1 0 d x")],
)
def test_a_report_of_judgements_ends(few_problems, tmp_path, name, line):
    header = "assessor,query_id,doc_id,relevance\n" if name == "j.csv" else "2 0 d 1\n"
    file = tmp_path / name
    file.write_text(header + f"{line}\n" * 4)
    try:
        report = read_judgements([file], scale=(0, 1), on_error="report").problems["what"].tolist()
    except FormatError as error:
        report = [str(error)]
    assert sum("more than 3 lines are invalid; the first is line 2: " in sentence for sentence in report) == 1
    assert len(report) <= 4


def test_a_report_of_a_run_ends(few_problems):
    assert "more than 3 lines are invalid" in refusal(read_run, b"1 Q0 d\n" * 4, on_error="report", name="r.run")
    _, report = read_run(b"1 Q0 d\n" * 3, on_error="report", name="r.run")
    assert len(report) == 3


def test_a_report_of_topics_ends(few_problems):
    assert "more than 3 lines are invalid" in refusal(read_topics, b"1\n" * 4, name="queries.tsv", problems=[])


def test_a_header_has_as_many_columns_as_a_sheet(tmp_path):
    file = tmp_path / "wide.csv"
    file.write_text("query_id,doc_id," + ",".join(f"j{number}" for number in range(16_384)) + "\n1,d\n")
    assert "the header has 16,386 columns; at most 16,384 are allowed" in refusal(read_judgements, [file], scale=(0, 1))


def test_a_file_of_too_many_judges(tmp_path, monkeypatch):
    monkeypatch.setattr("agreement.judge_files.reading.MAX_JUDGES", 2)
    file = tmp_path / "j.csv"
    file.write_text("assessor,query_id,doc_id,relevance\na,1,d,1\nb,1,d,1\nc,1,d,1\n")
    assert "the file has 3 judges; at most 2 are allowed" in refusal(read_judgements, [file], scale=(0, 1))


def test_an_archive_of_too_many_runs(monkeypatch):
    monkeypatch.setattr("pooling._io.zip_entries.MAX_RUNS", 2)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.run", f"1 Q0 d 1 1 s{number}\n")
    assert "the ZIP archive has 3 files; at most 2 runs" in refusal(read_runs, content.getvalue())


def test_a_cell_of_scores_beyond_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("pooling.formats.tables.LARGEST_CELL", 10)
    file = tmp_path / "scores.csv"
    file.write_text(f"system,query_id,measure,value\na,1,AP,{'1' * 20}\n")
    assert "line 2: field larger than field limit (10)" in refusal(read_scores, file, gold="g")


def test_the_first_repeated_name_is_found_in_one_pass():
    names = map(str, [*range(200_000), 199_999])
    assert first_repeated(names) == "199999"
    record = {f"k{number}": 1 for number in range(100_000)}
    text = json.dumps({"doc_id": "a", "text": "t"} | record)[:-1] + ', "k99999": 2}\n'
    assert "the key 'k99999' occurs twice" in refusal(lambda: list(read_documents(text.encode(), name="d.jsonl")))
