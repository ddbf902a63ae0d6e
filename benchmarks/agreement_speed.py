"""The speed of agreement coefficients on integer arrays, compared with the libraries that the field uses.

(a) Cohen's kappa of 1,000,000 doubly judged items: target 20 ms
(b) all 780 pairwise kappas of 40 assessors x 100,000 items, 30 % missing: target 0.5 s and less than 600 MB
(c) ordinal alpha of the same data: target 60 ms
(d) a bootstrap of 2,000 draws of two judges over 50,000 items: target 20 ms
(e) 33 judges x 4,423 documents in 25 topics, the size of the LLMJudge data: P(A), pooled and Cohen's kappa of all 528
    pairs, with jackknife intervals over topics: target 1 s of CPU; the coefficients of all judges with these intervals
For (b), (c) and (d), Assay must be at least 10 times faster than the fastest peer.

A peer that would take minutes does only a part of the work, and its time is multiplied; its name states the factor.
"""

import warnings
from itertools import combinations, islice

import numpy as np

from benchmarks.measuring import compare, compare_calls, extrapolated, table
from benchmarks.tiny import size

SEED = 2026
GRADES = (0, 1, 2, 3)
TWICE_JUDGED, TWICE_JUDGED_BOOTSTRAP = size((1_000_000, 50_000), (1_000, 100))
ASSESSORS, ITEMS = 40, size(100_000, 100)
PAIRS, PEER_PAIRS = 780, 8
JACKKNIFE = "jackknife_topics"
DRAWS, PEER_DRAWS = size((2_000, 20), (20, 2))
MODEL_JUDGES, MODEL_DOCUMENTS, MODEL_TOPICS = size((33, 4_423, 25), (6, 60, 5))
MODEL_PAIRS, PEER_MODEL_PAIRS = MODEL_JUDGES * (MODEL_JUDGES - 1) // 2, size(4, 1)


def judged(n_assessors: int, n_items: int, missing: float = 0.0) -> np.ndarray:
    """Return grades of assessors who give the true grade in about two of three cases; -1 means not judged."""
    rng = np.random.default_rng(SEED)
    truth = rng.choice(4, n_items, p=[0.6, 0.2, 0.12, 0.08])
    errors = rng.integers(0, 4, (n_assessors, n_items))
    codes = np.where(rng.random((n_assessors, n_items)) < 0.67, truth, errors).astype(np.int8)
    codes[rng.random(codes.shape) < missing] = -1
    return codes


def benchmark_one_pair() -> str:
    import statsmodels.stats.inter_rater as statsmodels
    from sklearn.metrics import cohen_kappa_score

    from agreement import Ratings, cohen_kappa

    codes = judged(2, TWICE_JUDGED)
    contestants = {
        "Assay: cohen_kappa": lambda: cohen_kappa(Ratings(codes, GRADES)),
        "scikit-learn: cohen_kappa_score": lambda: cohen_kappa_score(codes[0], codes[1]),
        "statsmodels: cohens_kappa of to_table": lambda: statsmodels.cohens_kappa(
            statsmodels.to_table(codes.T, bins=np.arange(5))[0], return_results=False
        ),
    }
    return table("(a) kappa of 1,000,000 doubly judged items", compare_calls(contestants))


def benchmark_every_pair() -> str:
    from sklearn.metrics import cohen_kappa_score

    from agreement import Ratings, pairwise

    codes = judged(ASSESSORS, ITEMS, missing=0.3)

    def scikit_learn():
        for a, b in islice(combinations(codes, 2), PEER_PAIRS):
            both = (a >= 0) & (b >= 0)
            cohen_kappa_score(a[both], b[both])

    peer = f"scikit-learn, {PEER_PAIRS} pairs x {PAIRS / PEER_PAIRS:g}"
    results = compare_calls(
        {"Assay: pairwise": lambda: pairwise(Ratings(codes, GRADES), "cohen_kappa"), peer: scikit_learn}
    )
    results[peer] = extrapolated(results[peer], PAIRS / PEER_PAIRS)
    title = "(b) 780 pairwise kappas of 40 assessors x 100,000 items, 30 % missing"
    memory = compare({"Assay: pairwise, in a separate process, data included": every_pair_in_process}, rounds=3)
    return table(title, results) + "\n" + table("    its peak memory", memory)


def every_pair_in_process() -> None:
    from agreement import Ratings, pairwise

    pairwise(Ratings(judged(ASSESSORS, ITEMS, missing=0.3), GRADES), "cohen_kappa")


def benchmark_alpha() -> str:
    import krippendorff
    import pandas as pd

    from agreement import Ratings, krippendorff_alpha

    codes = judged(ASSESSORS, ITEMS, missing=0.3)
    floats = np.where(codes < 0, np.nan, codes)
    contestants = {
        "Assay: krippendorff_alpha": lambda: krippendorff_alpha(Ratings(codes, GRADES), level="ordinal"),
        "krippendorff: alpha": lambda: krippendorff.alpha(floats, level_of_measurement="ordinal"),
    }
    try:
        from irrCAC.raw import CAC
    except ImportError:
        print("irrCAC is not installed, and left out of (c)")
    else:
        frame = pd.DataFrame(floats.T)
        contestants["irrCAC: krippendorff"] = lambda: CAC(
            frame, weights="ordinal", categories=list(GRADES)
        ).krippendorff()
    return table("(c) ordinal alpha of the same data", compare_calls(contestants))


def benchmark_bootstrap() -> str:
    from sklearn.metrics import cohen_kappa_score

    from agreement import Ratings, cohen_kappa

    codes = judged(2, TWICE_JUDGED_BOOTSTRAP)
    rng = np.random.default_rng(SEED)

    def scikit_learn():
        for _ in range(PEER_DRAWS):
            drawn = rng.integers(0, codes.shape[1], codes.shape[1])
            cohen_kappa_score(codes[0, drawn], codes[1, drawn])

    def statsmodels_on_tables():
        """Draw tables, and pass each to cohens_kappa, as the manual suggests."""
        import statsmodels.stats.inter_rater as statsmodels

        counts = np.bincount(codes[0] * 4 + codes[1], minlength=16)
        for draw in rng.multinomial(counts.sum(), counts / counts.sum(), DRAWS):
            statsmodels.cohens_kappa(draw.reshape(4, 4), return_results=False)

    peer = f"scikit-learn, {PEER_DRAWS} draws x {DRAWS // PEER_DRAWS}"
    results = compare_calls(
        {
            "Assay: cohen_kappa(...).interval('bootstrap')": lambda: cohen_kappa(Ratings(codes, GRADES)).interval(
                "bootstrap", draws=DRAWS, seed=SEED
            ),
            peer: scikit_learn,
            "statsmodels on tables drawn by hand": statsmodels_on_tables,
        }
    )
    results[peer] = extrapolated(results[peer], DRAWS / PEER_DRAWS)
    return table("(d) bootstrap of 2,000 draws, two judges, 50,000 items", results)


def model_judges():
    """Return the ratings of 33 judges, in topics of slightly different sizes."""
    from agreement import Ratings

    topics = np.array([f"q{topic:02}" for topic in np.arange(MODEL_DOCUMENTS) % MODEL_TOPICS])
    return Ratings(judged(MODEL_JUDGES, MODEL_DOCUMENTS), GRADES, query_ids=topics)


def benchmark_jackknife() -> str:
    from sklearn.metrics import cohen_kappa_score

    from agreement import all_judges, krippendorff_alpha, mean_pairwise, pairwise

    ratings = model_judges()
    names = ("percent_agreement", "pooled_kappa", "cohen_kappa")
    kept = [ratings.query_ids != topic for topic in ratings.by_topic()]

    def scikit_learn_values():
        for a, b in combinations(ratings.codes, 2):
            cohen_kappa_score(a, b)

    def scikit_learn_intervals():
        for a, b in islice(combinations(ratings.codes, 2), PEER_MODEL_PAIRS):
            cohen_kappa_score(a, b)
            for rows in kept:
                cohen_kappa_score(a[rows], b[rows])

    values, intervals = "Assay: pairwise, without intervals", "Assay: pairwise, 3 coefficients, with intervals"
    peer = f"scikit-learn, Cohen's kappa, {PEER_MODEL_PAIRS} pairs x {MODEL_PAIRS // PEER_MODEL_PAIRS}"
    contestants = {
        intervals: lambda: pairwise(ratings, names, interval=JACKKNIFE),
        values: lambda: pairwise(ratings, "cohen_kappa"),
        "scikit-learn: cohen_kappa_score, without intervals": scikit_learn_values,
        peer: scikit_learn_intervals,
        "Assay: mean_pairwise with interval": lambda: mean_pairwise(ratings, "cohen_kappa").interval(JACKKNIFE),
        "Assay: ordinal alpha with interval": lambda: krippendorff_alpha(ratings, "ordinal").interval(JACKKNIFE),
        "Assay: ordinal alpha, two-stage bootstrap": lambda: krippendorff_alpha(ratings, "ordinal").interval(
            "topics", seed=SEED
        ),
        "Assay: all_judges (6 coefficients) with intervals": lambda: all_judges(ratings, interval=JACKKNIFE),
    }
    results = compare_calls(contestants)
    results[peer] = extrapolated(results[peer], MODEL_PAIRS / PEER_MODEL_PAIRS)
    return table("(e) jackknife over topics, 33 judges x 4,423 documents, 528 pairs", results)


BENCHMARKS = (benchmark_one_pair, benchmark_every_pair, benchmark_alpha, benchmark_bootstrap, benchmark_jackknife)


def main() -> None:
    warnings.simplefilter("ignore")  # from the peers
    for benchmark in BENCHMARKS:
        print(benchmark(), "\n")


if __name__ == "__main__":
    main()
