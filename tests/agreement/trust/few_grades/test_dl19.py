"""Repeated draws from the pool of TREC 2019 Deep Learning: order and size of the errors, coverage."""

from functools import cache

import numpy as np
import pytest

from agreement import parse_measure
from benchmarks.few_grades_draws import Known, blocks, bootstrap_errors
from benchmarks.few_grades_ratio import GPT, LLAMA, N_RUNS, coverage, estimated, known, rmse
from tests.realdata import real_data

pytestmark = pytest.mark.slow


@cache
def dl19() -> Known:
    real_data("dl19", "model_judges")
    return known((GPT, LLAMA), as_it_is=True)


def errors(measure: str, m: int, n_draws: int = 100) -> dict[str, np.ndarray]:
    found: dict[str, list[np.ndarray]] = {}
    for block in blocks(dl19(), measure, (m,), n_draws, 1):
        for judge in block.drawn:
            error = estimated(block, judge, np.eye(N_RUNS)).values - block.truth.mean(axis=-1)
            found.setdefault(judge, []).append(error)
    return {judge: np.concatenate(each, axis=1) for judge, each in found.items()}


# The root mean squared errors that the estimator was chosen by, of 120 to 300 draws of other five runs.
EXPECTED = {
    5: {"people": 0.131, "constant": 0.075, f"{LLAMA}, as it is": 0.071, f"{GPT}, as it is": 0.056},
    10: {"people": 0.089, "constant": 0.047, f"{LLAMA}, as it is": 0.046, f"{GPT}, as it is": 0.037},
    20: {"people": 0.051, "constant": 0.030, f"{LLAMA}, as it is": 0.032, f"{GPT}, as it is": 0.023},
}
SHUFFLED = {5: 0.104, 10: 0.068, 20: 0.042}


@pytest.mark.parametrize("m", [5, 10, 20])
def test_the_errors_of_ndcg_are_those_that_are_known(m):
    found = {judge: rmse(each) for judge, each in errors("nDCG@10", m, 300).items()}
    for judge, expected in (EXPECTED[m] | {f"{GPT}, shuffled, as it is": SHUFFLED[m]}).items():
        assert found[judge] == pytest.approx(expected, rel=0.2), judge
    assert found[GPT] < found["constant"] < found["people"]


def test_a_shuffled_model_is_not_better_than_the_constant_judge():
    found = {judge: rmse(each) for judge, each in errors("nDCG@10", 10, 200).items()}
    assert found[f"{GPT}, shuffled"] > 0.98 * found["constant"]


@pytest.mark.parametrize(("measure", "m"), [("nDCG@10", 10), ("nDCG@10", 20)])
def test_intervals_of_scores_and_differences_cover(measure, m):
    for shares in coverage(dl19(), measure, (m,), 400, "these topics").values():
        np.testing.assert_allclose(shares, [[0.9, 0.95, 0.99]] * 2, atol=0.035)


def test_intervals_of_differences_of_ap_cover():
    for shares in coverage(dl19(), "AP(rel=2)", (10,), 200, "these topics").values():
        np.testing.assert_allclose(shares[1], [0.9, 0.95, 0.99], atol=0.04)


def test_samples_with_replacement_underestimate_the_error_of_ap():
    block = next(iter(blocks(dl19(), "AP(rel=2)", (10,), 40, 1)))
    groups = np.sqrt(estimated(block, "people", np.eye(N_RUNS)).variances.mean())
    samples = np.sqrt((bootstrap_errors(parse_measure("AP(rel=2)"), block, 20, 1) ** 2).mean())
    assert samples < 0.6 * groups
