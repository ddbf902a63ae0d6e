"""Real judge files: the published figures of language-model judges, and files with each irregularity."""

import pandas as pd
import pytest

from agreement import Ratings, cohen_kappa, krippendorff_alpha, read_judgements
from agreement.judge_files import COUNTS
from pooling import TrecFormatError
from tests.realdata import real_data

SCALE = (0, 1, 2, 3)
# arXiv 2502.13908, Tables 3 and 4, with more digits as the README of llmjudge/ has them: Cohen's kappa on four grades,
# 0 against 1-3, 0-1 against 2-3, 0-2 against 3, and ordinal alpha.
PUBLISHED = {
    "willia-umbrela1": (0.2862720172, 0.416113, 0.398530, 0.314543, 0.491793),
    "Olz-gpt4o": (0.2624717058, 0.422793, 0.365683, 0.306617, 0.501986),
    "TREMA-4prompts": (0.1829442621, 0.302203, 0.269702, 0.166390, 0.288801),
    "prophet-setting2": (0.1757445898, 0.310214, 0.238159, 0.028386, 0.314390),
    "h2oloo-fewself": (0.2774342062, 0.417169, 0.427999, 0.304812, 0.495764),
}


@pytest.fixture(scope="module")
def llmjudge():
    """NIST and the 33 judges, read at once."""
    files = [f"nist={real_data('llmjudge', 'nist_test.qrels')}", str(real_data("llmjudge", "scores") / "*.txt.gz")]
    return read_judgements(files, scale=SCALE, off_scale="clip")


@pytest.mark.in_ci
def test_33_judges_are_read_at_once(llmjudge):
    assert len(llmjudge.counts) == 34
    assert set(llmjudge.counts["judgements"]) == {4_423}
    assert llmjudge.notes() == [
        "RMITIR-llama70B: 2 labels off the scale clipped.",
        "h2oloo-zeroshot2: 1 label off the scale clipped.",
    ]


@pytest.mark.parametrize("judge", PUBLISHED)
def test_published_figures_are_reproduced(llmjudge, judge):
    frame = llmjudge.judgements
    ratings = Ratings.from_judgements(frame[frame["assessor"].isin(["nist", judge])], SCALE)
    graded, *binary, alpha = PUBLISHED[judge]
    assert cohen_kappa(ratings, "nist", judge).value == pytest.approx(graded, abs=5e-11)
    for rel, published in enumerate(binary, start=1):
        assert cohen_kappa(ratings.binary(rel), "nist", judge).value == pytest.approx(published, abs=5e-7)
    assert krippendorff_alpha(ratings, "ordinal").value == pytest.approx(alpha, abs=5e-7)


def test_files_off_the_scale_are_refused_without_the_option():
    with pytest.raises(TrecFormatError, match="grade 10 is not on the scale"):
        read_judgements(real_data("llmjudge", "scores", "h2oloo-zeroshot2.txt.gz"), scale=SCALE)


@pytest.fixture(scope="module")
def nist():
    return read_judgements({"nist": real_data("dl19", "judges", "nist.qrels")}, scale=SCALE).judgements


def dl19(name: str, **options):
    return read_judgements({"model": real_data("dl19", "model_judges", name)}, scale=SCALE, **options)


def kappa(nist, read, rel=None):
    """Cohen's kappa with NIST over the pairs that the model judged."""
    common = nist.merge(read.judgements[["query_id", "doc_id"]])
    ratings = Ratings.from_judgements(pd.concat([common, read.judgements]), SCALE)
    return cohen_kappa(ratings if rel is None else ratings.binary(rel), "nist", "model").value


@pytest.mark.parametrize(
    ("rule", "graded", "binary"),
    [
        ("last", 0.0971840930, 0.1803759491),
        ("first", 0.1019413490, 0.2040600957),
        ("highest", 0.0090501811, 0.1031346049),
        ("median", 0.0843963765, 0.2164756091),
    ],
)
def test_rules_for_a_judge_whose_passes_were_written_one_after_the_other(nist, rule, graded, binary):
    read = dl19("llama3.2.umbrela.txt", duplicates=rule, rounding="half_up")
    (row,) = read.counts.to_dict("records")
    counts = {name: row[name] for name in COUNTS if row[name]}
    assert counts == {
        "lines": 38_720,
        "judgements": 9_260,
        "identical_pairs": 1_015,
        "contradicting_pairs": 8_245,
        "repeated": 29_460,
    }
    assert kappa(nist, read) == pytest.approx(graded, abs=5e-11)
    assert kappa(nist, read, rel=2) == pytest.approx(binary, abs=5e-11)


# file -> lines with decimals, rounded and clipped, kappa on four grades, and from grade 2
CLEANED = {
    "gpt-4.exam_graded_max.txt": (0, 0, 2_214, 0.1366193322, 0.2185814567),
    "gpt-4.exam_graded_mean.txt": (3_312, 5_948, 341, 0.2408025281, 0.2869383249),
    "llama3.2.exam_binary_mean.txt": (1_223, 2_201, 0, 0.1865961693, 0.0),
    "gpt-4o.nuggets_weighted.txt": (4_153, 3_825, 0, 0.0894591388, 0.0007461347),
}


@pytest.mark.parametrize("name", CLEANED)
def test_decimals_and_a_longer_scale(nist, name):
    decimals, rounded, clipped, graded, binary = CLEANED[name]
    read = dl19(name, rounding="half_up", off_scale="clip")
    (row,) = read.counts.to_dict("records")
    assert (row["decimals"], row["rounded"], row["clipped"]) == (decimals, rounded, clipped)
    assert kappa(nist, read) == pytest.approx(graded, abs=5e-11)
    assert kappa(nist, read, rel=2) == pytest.approx(binary, abs=5e-11)


def test_scale_from_0_to_5_with_a_declared_mapping():
    mapping = {1: 0, 2: 1, 3: 1, 4: 2, 5: 3}
    read = dl19("gpt-4.exam_graded_max.txt", own_scale=range(6), mapping=mapping)
    # 0: 2,723, 1: 20, 2: 1,200, 3: 3,103, 4: 8, 5: 2,206
    assert read.judgements["relevance"].value_counts().to_dict() == {0: 2_743, 1: 4_303, 2: 8, 3: 2_206}
    assert read.counts["mapped"].tolist() == [20 + 1_200 + 3_103 + 8 + 2_206]


@pytest.mark.parametrize(
    ("name", "published"), [("gpt-4.binary.txt", 0.4283421222), ("gpt-4o.binary.txt", 0.4794531559)]
)
def test_binary_judge_is_compared_at_a_threshold_by_its_mapping(nist, name, published):
    read = dl19(name, own_scale=(0, 1), mapping={1: 2})
    assert kappa(nist, read, rel=2) == pytest.approx(published, abs=5e-11)
    assert kappa(nist, dl19(name), rel=2) == 0  # without the mapping the judge never calls anything relevant


def test_empty_file_of_a_judge():
    with pytest.raises(TrecFormatError, match="the file has no judgements"):
        dl19("llama3.2.exam_graded_max.txt")
    read = dl19("llama3.2.exam_graded_max.txt", on_error="report")
    assert (len(read.judgements), len(read.problems)) == (0, 1)


NEGATIVE = {
    "qrels.web.151-200.first3000.txt": (range(5), {-2: 166}, 3_000),
    "qrels.web.51-100.first3000.txt": (range(4), {-2: 119}, 3_000),
    "qrels.covid-round5.topics38and50.txt": (range(3), {-1: 2}, 2_085),
}


@pytest.mark.parametrize("name", NEGATIVE)
def test_negative_grades_mean_not_judged(name):
    scale, negative, lines = NEGATIVE[name]
    path = real_data("formats", "negatives", name)
    with pytest.raises(TrecFormatError, match="is negative"):
        read_judgements(path, scale=scale)
    (row,) = read_judgements(path, scale=scale, negative="not_judged").counts.to_dict("records")
    assert (row["lines"], row["not_judged"]) == (lines, sum(negative.values()))
    assert row["judgements"] == lines - sum(negative.values())
    junk = read_judgements(path, scale=scale, mapping=dict.fromkeys(negative, 0))
    assert junk.counts["mapped"].tolist() == [sum(negative.values())]


def test_exponential_scale():
    path = real_data("formats", "negatives", "qrels.backgroundlinking18.first1500.txt")
    grades = read_judgements(path, scale=(0, 2, 4, 8, 16)).judgements["relevance"].value_counts().to_dict()
    assert grades == {0: 1_102, 2: 146, 4: 153, 8: 62, 16: 37}
    with pytest.raises(TrecFormatError, match="lies between two grades"):
        read_judgements(path, scale=(0, 3, 4, 8, 16), off_scale="clip")


def test_judgements_per_subtopic_are_duplicates_of_a_topic():
    path = real_data("formats", "negatives", "qrels.web.201-250.ndeval.first1500.txt")
    with pytest.raises(TrecFormatError, match="this file is diversity qrels"):
        read_judgements(path, scale=range(3))
    (row,) = read_judgements(path, scale=range(3), duplicates="highest").counts.to_dict("records")
    assert row["identical_pairs"] + row["contradicting_pairs"] == 322
    assert row["contradicting_pairs"] == 39
