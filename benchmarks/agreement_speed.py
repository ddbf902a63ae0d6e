"""Agreement from integer arrays in memory, side by side with the libraries that the field uses.

(a) Cohen's kappa of 1,000,000 doubly judged items: to reach, 20 ms
(b) all 780 pairwise kappas of 40 assessors x 100,000 items, 30 % missing: 0.5 s, under 600 MB
(c) ordinal alpha of the same: 60 ms
(d) a bootstrap of 2,000 draws of two judges over 50,000 items: 20 ms
and at least 10 times faster than the fastest peer on (b), (c) and (d).

A peer that would take minutes does a part of the work, and its time is multiplied: its name says so.
"""

import warnings
from itertools import combinations, islice

import numpy as np

from benchmarks.measuring import compare, compare_calls, extrapolated, table

SEED = 2026
GRADES = (0, 1, 2, 3)
PAIRS, PAIRS_OF_A_PEER = 780, 8
DRAWS, DRAWS_OF_A_PEER = 2_000, 20


def judged(n_assessors: int, n_items: int, missing: float = 0.0) -> np.ndarray:
    """Grades of assessors who see the truth in two cases of three; -1 where they did not judge."""
    rng = np.random.default_rng(SEED)
    truth = rng.choice(4, n_items, p=[0.6, 0.2, 0.12, 0.08])
    guesses = rng.integers(0, 4, (n_assessors, n_items))
    codes = np.where(rng.random((n_assessors, n_items)) < 0.67, truth, guesses).astype(np.int8)
    codes[rng.random(codes.shape) < missing] = -1
    return codes


def one_pair() -> str:
    import statsmodels.stats.inter_rater as statsmodels
    from sklearn.metrics import cohen_kappa_score

    from agreement import Ratings, cohen_kappa

    codes = judged(2, 1_000_000)
    contestants = {
        "Assay: cohen_kappa": lambda: cohen_kappa(Ratings(codes, GRADES)),
        "scikit-learn: cohen_kappa_score": lambda: cohen_kappa_score(codes[0], codes[1]),
        "statsmodels: cohens_kappa of to_table": lambda: statsmodels.cohens_kappa(
            statsmodels.to_table(codes.T, bins=np.arange(5))[0], return_results=False
        ),
    }
    return table("(a) kappa of 1,000,000 doubly judged items", compare_calls(contestants))


def every_pair() -> str:
    from sklearn.metrics import cohen_kappa_score

    from agreement import Ratings, pairwise

    codes = judged(40, 100_000, missing=0.3)

    def scikit_learn():
        for a, b in islice(combinations(codes, 2), PAIRS_OF_A_PEER):
            both = (a >= 0) & (b >= 0)
            cohen_kappa_score(a[both], b[both])

    peer = f"scikit-learn, {PAIRS_OF_A_PEER} pairs x {PAIRS / PAIRS_OF_A_PEER:g}"
    results = compare_calls(
        {"Assay: pairwise": lambda: pairwise(Ratings(codes, GRADES), "cohen_kappa"), peer: scikit_learn}
    )
    results[peer] = extrapolated(results[peer], PAIRS / PAIRS_OF_A_PEER)
    title = "(b) 780 pairwise kappas of 40 assessors x 100,000 items, 30 % missing"
    memory = compare({"Assay: pairwise, in a process of its own, data made there": every_pair_alone}, rounds=3)
    return table(title, results) + "\n" + table("    its peak memory", memory)


def every_pair_alone() -> None:
    from agreement import Ratings, pairwise

    pairwise(Ratings(judged(40, 100_000, missing=0.3), GRADES), "cohen_kappa")


def alpha() -> str:
    import krippendorff
    import pandas as pd
    from irrCAC.raw import CAC

    from agreement import Ratings, krippendorff_alpha

    codes = judged(40, 100_000, missing=0.3)
    floats = np.where(codes < 0, np.nan, codes)
    frame = pd.DataFrame(floats.T)
    contestants = {
        "Assay: krippendorff_alpha": lambda: krippendorff_alpha(Ratings(codes, GRADES), level="ordinal"),
        "krippendorff: alpha": lambda: krippendorff.alpha(floats, level_of_measurement="ordinal"),
        "irrCAC: krippendorff": lambda: CAC(frame, weights="ordinal", categories=list(GRADES)).krippendorff(),
    }
    return table("(c) ordinal alpha of the same", compare_calls(contestants))


def bootstrap() -> str:
    from sklearn.metrics import cohen_kappa_score

    from agreement import Ratings, cohen_kappa

    codes = judged(2, 50_000)
    rng = np.random.default_rng(SEED)

    def scikit_learn():
        for _ in range(DRAWS_OF_A_PEER):
            drawn = rng.integers(0, codes.shape[1], codes.shape[1])
            cohen_kappa_score(codes[0, drawn], codes[1, drawn])

    def statsmodels_on_tables():
        """What a reader of its manual would do: draw tables, and hand each to cohens_kappa."""
        import statsmodels.stats.inter_rater as statsmodels

        counts = np.bincount(codes[0] * 4 + codes[1], minlength=16)
        for draw in rng.multinomial(counts.sum(), counts / counts.sum(), DRAWS):
            statsmodels.cohens_kappa(draw.reshape(4, 4), return_results=False)

    peer = f"scikit-learn, {DRAWS_OF_A_PEER} draws x {DRAWS // DRAWS_OF_A_PEER}"
    results = compare_calls(
        {
            "Assay: cohen_kappa(interval='bootstrap')": lambda: cohen_kappa(
                Ratings(codes, GRADES), interval="bootstrap", draws=DRAWS, seed=SEED
            ),
            peer: scikit_learn,
            "statsmodels on tables drawn by hand": statsmodels_on_tables,
        }
    )
    results[peer] = extrapolated(results[peer], DRAWS / DRAWS_OF_A_PEER)
    return table("(d) bootstrap of 2,000 draws, two judges, 50,000 items", results)


def main() -> None:
    warnings.simplefilter("ignore")  # of the peers
    for benchmark in (one_pair, every_pair, alpha, bootstrap):
        print(benchmark(), "\n")


if __name__ == "__main__":
    main()
