"""The plug-in and the unbiased variance of cross-fitted estimates: `python -m benchmarks.few_grades_variance`.

The benchmark writes a table of docs/studies/few-grades.md. Samples are drawn by topic as in `benchmarks.few_grades`,
and P@10 is estimated with the model from each by both options of `few_human_grades`. It takes about a minute on one
core. The real data (`ASSAY_TEST_DATA`) are replaced by synthetic ones if they are absent.
"""

from datetime import UTC, datetime

import numpy as np
import pandas as pd

from agreement.trust.few_grades.difference_estimator import Estimated, SampleDesign, difference_estimate
from agreement.trust.few_grades.linear import limits
from agreement.trust.few_grades.predictions import cross_fitted
from agreement.trust.few_grades.unbiased_variance import unbiased_estimate
from benchmarks.few_grades import N_SCORES, PAGE, SEED, Collection, drawn_by_topic, real, synthetic
from benchmarks.pages import fill
from benchmarks.tiny import size
from pooling.text_tables import render
from tests.realdata import DATA

DRAWS, SIZES = size((500, (200, 500, 1_000)), (3, (20,)))
PARTS = {"score": slice(None, N_SCORES), "difference": slice(N_SCORES, None)}


def main() -> None:
    collection = real() if (DATA / "dl19" / "runs").exists() else synthetic()
    name = list(collection.models)[-1] if "gpt-4o.umbrela" not in collection.models else "gpt-4o.umbrela"
    rows = [row for n_grades in SIZES for row in lines(collection, name, n_grades)]
    made = f"Made on {datetime.now(UTC):%Y-%m-%d} by `python -m benchmarks.few_grades_variance`, seed {SEED}."
    fill(PAGE, {"variances": f"{made}\n\n{render(pd.DataFrame(rows), 'markdown')}"})


def lines(collection: Collection, name: str, n_grades: int) -> list[dict[str, str]]:
    """The lines of one number of grades: each variance for scores and differences."""
    found: dict[str, list[np.ndarray]] = {"plug_in": [], "unbiased": []}
    for number in range(DRAWS):
        design = drawn_by_topic(collection.topic, n_grades, np.random.default_rng([SEED, n_grades, number]))
        for variance, one in estimates(collection, name, design, number).items():
            found[variance].append(_of_sample(one, collection.weights @ collection.gains))
    labels = {"collection": collection.name, "model": name, "grades": f"{n_grades:,}"}
    return [
        labels | {"of a": kind, "variance": variance} | _cells(np.array(each)[:, :, part])
        for kind, part in PARTS.items()
        for variance, each in found.items()
    ]


def estimates(collection: Collection, name: str, design: SampleDesign, seed: int) -> dict[str, Estimated]:
    """The estimate with each variance."""
    weights, model, graded = collection.weights, collection.models[name], collection.gains[design.drawn]
    predicted = cross_fitted(weights, model, graded, design, seed)
    return {
        "plug_in": difference_estimate(weights, predicted, graded, design),
        "unbiased": unbiased_estimate(weights, model, graded, design, seed=seed),
    }


def _of_sample(one: Estimated, truth: np.ndarray) -> np.ndarray:
    """Squared error, variance, and whether the 95 % interval contains the truth; an unknown interval does not."""
    low, high = limits(Estimated(one.values, np.maximum(one.variances, 0), one.degrees), 0.95)
    return np.stack([np.square(one.values - truth), one.variances, (low <= truth) & (truth <= high)])


def _cells(found: np.ndarray) -> dict[str, str]:
    """Shape of the found (n_draws, 3, n_estimates)."""
    squares, variances, covered = found.swapaxes(0, 1)
    mean = variances.mean(axis=0)
    return {
        "mean squared error x 1,000": f"{1_000 * squares.mean():.3f}",
        "variance, estimated / true": f"{mean.sum() / max(squares.mean(axis=0).sum(), 1e-300):.2f}",
        "spread of the variance / mean": f"{(variances.std(axis=0) / np.maximum(mean, 1e-300)).mean():.2f}",
        "below 0": f"{(variances < 0).mean():.1%}",
        "95%": f"{100 * covered.mean():.1f}",
    }


if __name__ == "__main__":
    main()
