"""The page docs/studies/coverage.md, computed from the results of `benchmarks.coverage`."""

from collections.abc import Iterable

from benchmarks.coverage_cells import (
    DATA_SETS,
    DRAWS,
    METHODS,
    METHODS_OF_TOPICS,
    SEED,
    Cell,
    with_topics,
    without_topics,
)
from benchmarks.coverage_near import METHODS as NEAR_METHODS
from benchmarks.coverage_near import SPREAD, NearCell
from benchmarks.tiny import DOCS

DOCUMENT = DOCS / "studies" / "coverage.md"
METHODS_IN_WORDS = """
`jackknife, z` and `jackknife_topics, z` are the value minus and plus the standard error times the quantile of the
normal distribution. `jackknife` has the quantile of Student's t, and `jackknife_fisher` the same on the scale of atanh.

Every interval over topics contains the interval that ignores topics, and full agreement has an interval too.
`jackknife_topics` starts from the limits over documents: the outer ones of `jackknife` and of `goodness_of_fit` or
`wilson`, or `jackknife_fisher` where these do not hold. The distance of each limit from the value is multiplied by the
ratio of the errors over topics and over documents, each with its quantile of Student's t, and at least by 1.
`bootstrap_t_topics` and the default contain these limits, and `topics` those over documents. A mean over topics
contains the limits of t and of Fisher's scale. All these limits, and those of `jackknife`, are inside the range of the
coefficient: outside, they are set to its ends. So intervals over topics cover more than 95 % where disagreements are
few or topics hardly differ, and less only where relevant documents are rare and in few topics.

`default` is one of the other methods:

| data | coefficient | default |
|---|---|---|
| two judgements of each document, without topics | pooled, Fleiss or alpha of two grades | `goodness_of_fit` |
| two judgements of each document, without topics | P(A) and Brennan-Prediger without weights | `wilson` |
| two judgements of each document, without topics | others | `jackknife_fisher`; on two grades `goodness_of_fit` if \
the judges agree on all documents |
| more judgements, without topics | P(A), Brennan-Prediger | `jackknife`; `wilson` if all judgements of each document \
agree |
| more judgements, without topics | Gwet's AC | `jackknife_fisher`; `wilson` if all judgements of each document agree |
| more judgements, without topics | others | `bootstrap_t`; `jackknife_fisher` from 400 documents |
| 2 to 4 topics | all | `jackknife_topics` |
| 5 to 9 topics | P(A), Brennan-Prediger, Gwet's AC | `jackknife_topics` |
| 5 to 9 topics | others | `bootstrap_t_topics` |
| 10 to 399 topics | all | `bootstrap_t_topics` |
| from 400 topics | all | `jackknife_topics` |
| means of 10 or 11 topics | others than P(A), Brennan-Prediger, Gwet's AC | `topics` |
| means of 12 topics or more | others than P(A), Brennan-Prediger, Gwet's AC | `jackknife_topics` |

`goodness_of_fit` and `wilson` hold only for the coefficients in this table, all other methods for all coefficients.
From 400 documents or topics the jackknife covers as often as the studentised bootstrap and costs far less: 2,000 draws
of Conger's kappa of 33 judges and 4,423 documents take minutes, and the jackknife less than a second. The limits of the
default are inside the range of the coefficient. If a tenth of the draws of `bootstrap_t` has no standard error, a
jackknife replaces it, and the result says so.

Pages and releases show `jackknife_topics`, which needs no draws. {jackknife}
The default comes from
`cohen_kappa(ratings).interval(seed=1)` and likewise for every coefficient, from
`assay kappa --interval default --seed 1`, or from `assay agreement_report --collection NAME --interval default`.
"""
NEAR_LOWEST = 0.94
LOWEST, HIGHEST = 0.93, 0.97  # what the default must reach from 100 documents, and ten topics if there are topics


def table(cells: list[Cell], results: dict[Cell, dict[str, float]], methods: tuple[str, ...]) -> list[str]:
    topics = any(cell.topics for cell in cells)
    head = ["setting", "coefficient", *(["topics"] if topics else []), "documents", *methods]
    lines = [f"| {' | '.join(head)} |", f"|---|---|{'---:|' * (len(head) - 2)}"]
    for cell in cells:
        numbers = [str(cell.topics)] if topics else []
        covered = [f"{100 * results[cell][method]:.1f}" if method in results[cell] else "" for method in methods]
        lines.append(f"| {' | '.join([cell.setting, cell.coefficient, *numbers, str(cell.n), *covered])} |")
    return lines


def is_large(cell: Cell) -> bool:
    return cell.n >= 100 and (not cell.topics or cell.topics >= 10)


def is_calibrated(covered: float) -> bool:
    return LOWEST <= covered <= HIGHEST


def describe_range(covered: Iterable[float]) -> str:
    lowest, *_, highest = sorted([*covered] * 2)
    return f"{lowest:.1%} to {highest:.1%}"


def listed(results: dict[Cell, dict[str, float]], cells: Iterable[Cell]) -> list[str]:
    """One line for each cell, with the coverage of the default and of the method that is nearest to 95 %."""
    lines = []
    for cell in cells:
        others = {method: covered for method, covered in results[cell].items() if method != "default"}
        best = min(others, key=lambda method: abs(others[method] - 0.95))
        size = f"{cell.topics} topics, {cell.n} documents" if cell.topics else f"{cell.n} documents"
        lines.append(
            f"- {cell.setting}, {cell.coefficient}, {size}: {results[cell]['default']:.1%}; "
            f"nearest to 95 % is `{best}`, {others[best]:.1%}"
        )
    return lines


def conclusion(results: dict[Cell, dict[str, float]]) -> list[str]:
    large = [cell for cell in results if is_large(cell)]
    outside = [cell for cell in large if not is_calibrated(results[cell]["default"])]
    return [
        f"From 100 documents, and from ten topics if there are topics, the default has a coverage of "
        f"{describe_range(results[cell]['default'] for cell in large)}.",
        f"It is outside {LOWEST:.0%} to {HIGHEST:.0%} in {len(outside) or 'none'} of these {len(large)} lines"
        f"{':' if outside else '.'}",
        *([""] if outside else []),
        *listed(results, outside),
        *(_warned(results, outside) if outside else []),
    ]


def _warned(results: dict[Cell, dict[str, float]], outside: list[Cell]) -> list[str]:
    none = [cell for cell in outside if not any(map(is_calibrated, results[cell].values()))]
    return [
        "",
        f"In {len(none) or 'none'} of these, no method is inside. Results of fewer than 15 topics and of documents",
        "with more than two judgements carry the warning that the interval may be too narrow.",
    ]


def small_cells(results: dict[Cell, dict[str, float]]) -> list[str]:
    """Which of the other cells the default does not calibrate."""
    small = [cell for cell in results if not is_large(cell)]
    outside = [cell for cell in small if not is_calibrated(results[cell]["default"])]
    none = [cell for cell in outside if not any(map(is_calibrated, results[cell].values()))]
    return [
        "With fewer documents or topics, its coverage is "
        f"{describe_range(results[cell]['default'] for cell in small)},",
        f"outside {LOWEST:.0%} to {HIGHEST:.0%} in {len(outside) or 'none'} of {len(small)} lines. In "
        f"{len(none) or 'none'} of these, no method is inside. The results carry a",
        "warning about few items, few topics, a rare grade, or one topic with most of the variance.",
        *([""] if outside else []),
        *listed(results, outside),
    ]


def of_jackknife(results: dict[Cell, dict[str, float]]) -> str:
    """How often the intervals of the pages cover, from ten topics."""
    covered = {cell: results[cell]["jackknife_topics"] for cell in results if cell.topics >= 10}
    low = [cell for cell, value in covered.items() if value < LOWEST]
    where = "; ".join(sorted({cell.setting for cell in low}))
    return (
        f"From ten topics it covers\n{describe_range(covered.values())} in the tables below: less than {LOWEST:.0%} in "
        f"{len(low) or 'none'} of {len(covered)} lines\n({where or 'none'})."
    )


def error(data_sets: int) -> float:
    """The standard error of a coverage of 95 % in percentage points."""
    return 100 * float(0.95 * 0.05 / data_sets) ** 0.5


def near_table(results: dict[NearCell, dict[str, float]]) -> list[str]:
    head = ["accuracy", "kappa", "relevant", "topics", *NEAR_METHODS]
    lines = [f"| {' | '.join(head)} |", f"|{'---:|' * len(head)}"]
    for cell, covered in results.items():
        numbers = [f"{100 * covered[method]:.1f}" for method in NEAR_METHODS]
        lines.append(f"| {' | '.join([*_settings(cell), *numbers])} |")
    return lines


def _settings(cell: NearCell) -> list[str]:
    return [f"{cell.accuracy:.1%}", f"{cell.truth():.3f}", f"{cell.prevalence:.0%}", cell.sizes]


def near_section(results: dict[NearCell, dict[str, float]]) -> list[str]:
    return [
        "## Near full agreement",
        "",
        f"Cohen's kappa in {DATA_SETS:,} data sets for each line. Both judges give the true grade to a document",
        "with the accuracy in the table. The share of relevant documents of a topic has a Beta distribution with the",
        f"mean in the table; the sum of its parameters is {SPREAD:g}. `jackknife_topics, t` is the value minus and",
        "plus the standard error over topics times the quantile of Student's t.",
        "",
        *near_short(results),
        "",
        *near_table(results),
        "",
    ]


def near_short(results: dict[NearCell, dict[str, float]]) -> list[str]:
    """Where the coverage is less than 94 %."""
    lines = []
    for method in NEAR_METHODS[1:]:
        short = [cell for cell in results if results[cell][method] < NEAR_LOWEST]
        ranges = describe_range(results[cell][method] for cell in results)
        lines += [f"`{method}` covers {ranges}: less than {NEAR_LOWEST:.0%} in {len(short) or 'none'} of these lines."]
        if short:
            shares = sorted({cell.prevalence for cell in short})
            where = " or ".join(f"{share:.0%}" for share in shares)
            lines += [f"In these lines, {where} of the documents are relevant."]
    return lines


def kept(cells: Iterable[Cell], methods: tuple[str, ...]) -> dict[Cell, dict[str, float]]:
    """The results of the present page; KeyError if a cell is not in it."""
    rows = [[part.strip() for part in line.strip("|\n").split("|")] for line in DOCUMENT.open(encoding="utf-8")]
    found = {tuple(row[: -len(methods)]): row[-len(methods) :] for row in rows if len(row) > len(methods)}
    results = {}
    for cell in cells:
        topics = (str(cell.topics),) if cell.topics else ()
        numbers = found[cell.setting, cell.coefficient, *topics, str(cell.n)]
        covered = zip(methods, numbers, strict=True)
        results[cell] = {method: round(float(number) / 100, 3) for method, number in covered if number}
    return results


def markdown(results: dict[Cell, dict[str, float]], near: dict[NearCell, dict[str, float]]) -> str:
    lines = [
        "# Coverage of the intervals of `agreement`",
        "",
        f"How often a 95 % interval contains the true value, in percent, in {DATA_SETS:,} simulated data sets for each",
        f"line. The standard error of a coverage of 95 % is {error(DATA_SETS):.1f} points",
        f"(`python -m benchmarks.coverage`, seed {SEED}, {DRAWS:,} draws for methods that draw). On two grades, a",
        "judge gives the true grade to a relevant document with probability 0.85, and to a nonrelevant one with",
        "probability 0.9. On three grades, the probabilities of the true grade are 0.9, 0.75 and 0.75. Data sets in",
        "which the coefficient is undefined are left out.",
        METHODS_IN_WORDS.replace("\\\n", "").replace("{jackknife}", of_jackknife(results)),
        *conclusion(results),
        "",
        *small_cells(results),
        "",
        *near_section(near),
        "## Documents without topics",
        "",
        *table(without_topics(), results, METHODS),
        "",
        "## Documents of topics",
        "",
        "The topics are a sample: the true value is that of all topics. Intervals that ignore topics are too narrow.",
        "",
        *table(with_topics(), results, METHODS_OF_TOPICS),
    ]
    return "\n".join(lines) + "\n"
