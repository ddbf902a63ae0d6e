"""`shift` and `kappa` with the files of classic collections."""

import pytest

from agreement.cli.main import main
from tests.classic import SMART

CODES = "1=4,2=3,3=2,4=1,-1=0"
RUNS = {
    "good": "001 Q0 1 1 9 good\n001 Q0 2 2 8 good\n001 Q0 3 3 1 good\n004 Q0 2 1 9 good\n004 Q0 1 2 5 good\n",
    "bad": "001 Q0 3 1 9 bad\n001 Q0 2 2 8 bad\n001 Q0 1 3 1 bad\n004 Q0 3 1 9 bad\n004 Q0 2 2 5 bad\n",
}
TURNED = "1 1 4 \n1 2 2 \n2 2 -1 \n2 3 1"  # another judge, who likes what the first does not


@pytest.fixture
def shift(tmp_path, capsys):
    for name, text in RUNS.items():
        (tmp_path / f"{name}.run").write_text(text)
    (tmp_path / "turned.rel").write_text(TURNED)
    base = ["shift", "--run", str(tmp_path / "*.run"), "--gold", f"cran={SMART / 'cran.rel'}"]
    base += ["--gold", f"turned={tmp_path / 'turned.rel'}", "--measure", "nDCG@10", "--min-topics", "2"]

    def run(*options: object) -> str:
        code = main([*base, *map(str, options)])
        out, err = capsys.readouterr()
        return err if code else out

    return run


def test_from_the_files_of_cranfield_to_a_ranking_shift(shift):
    text = shift("--map", CODES, "--number-by", "order", "--topic-file", SMART / "cran.qry")
    assert "cran is read by order: 2 of 2 queries have a topic (query 2 is topic 004)." in text
    assert "Under turned, compared with cran, 1 of 1 system pair swaps" in text
    assert "cran.rel has 4 judgements of 2 topics, but Cranfield has 1,837 judgements of 225 topics." in text


def test_each_question_is_asked_with_the_options_that_answer_it(shift):
    assert "declare all codes with --map" in shift()
    asked = shift("--map", CODES)
    assert "--number-by order: 2 of 2 queries have a topic (query 2 is topic 004)" in asked
    assert "--number-by id: 1 of 2 queries have a topic (query 1 is topic 001)" in asked
    assert "--number-by order also needs --topic-file FILE" in asked
    assert "--number-by order needs --topic-file FILE" in shift("--map", CODES, "--number-by", "order")
    assert "choose --number-by" in shift("--map", CODES, "--topic-file", SMART / "cran.qry")


def test_options_may_name_a_gold(shift):
    topics = ("--topic-file", SMART / "cran.qry")
    asked = shift("--map", CODES, "--number-by", "cran:order", *topics)
    assert "turned: the queries are counted from 1 to 2" in asked
    text = shift("--map", CODES, "--number-by", "cran:order", "--number-by", "turned:id", *topics)
    assert "turned is read by id: 1 of 2 queries" in text
    assert "--number-by names the judge 'other'" in shift("--map", CODES, "--number-by", "other:id", *topics)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--number-by", "place"), "--number-by must be one of order, id, not 'place'."),
        (("--map", "good=1"), "--map cannot replace 'good'."),
    ],
)
def test_invalid_values_are_refused(shift, options, what):
    assert what in shift(*options)


def test_listed_documents_are_relevant_in_both_commands(tmp_path, capsys):
    cisi = str(SMART / "cisi.rel")
    for system, doc_id in (("a", "1"), ("b", "9")):
        lines = [f"{query_id} Q0 {doc_id} 1 2 {system}\n" for query_id in "12"]
        (tmp_path / f"{system}.run").write_text("".join(lines))
    shift = ["shift", "--run", str(tmp_path / "*.run"), "--gold", f"x={cisi}", "--gold", f"y={cisi}", "--csv"]
    kappa = ["kappa", f"x={cisi}", f"y={SMART / 'adi.rel'}"]
    for arguments in (shift, kappa):
        assert main(arguments)
        assert "--listed-relevant" in capsys.readouterr().err
        assert not main([*arguments, "--listed-relevant"])
    out = capsys.readouterr().out
    assert "Agreement of 2 judges, 6 judgements, 2 topics" in out


def test_runs_that_lack_topics_of_the_gold_are_no_question(tmp_path, capsys):
    """The runs have the topics 1, 2, 4 and 5, and the gold, which has a gap, judges 1 and 3."""
    for system, doc_id in (("a", "d"), ("b", "e")):
        lines = [f"{query_id} Q0 {doc_id} 1 2 {system}\n" for query_id in "1245"]
        (tmp_path / f"{system}.run").write_text("".join(lines))
    (tmp_path / "gold").write_text("1 0 d 1\n3 0 d 1\n")
    gold = f"={tmp_path / 'gold'}"
    assert not main(["shift", "--run", str(tmp_path / "*.run"), "--gold", f"x{gold}", "--gold", f"y{gold}", "--csv"])
