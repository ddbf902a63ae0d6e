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
from benchmarks.tiny import DOCS

DOCUMENT = DOCS / "studies" / "coverage.md"
METHODS_IN_WORDS = """
`jackknife, z` and `jackknife_topics, z` are the former limits, with quantiles of the normal distribution; both now use
Student's t. The new methods are `jackknife_fisher` (on the scale of atanh), `bootstrap_t`, `bootstrap_t_topics`,
`goodness_of_fit` and `wilson`.

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


def markdown(results: dict[Cell, dict[str, float]]) -> str:
    lines = [
        "# Coverage of the intervals of `agreement`",
        "",
        f"How often a 95 % interval contains the true value, in percent, in {DATA_SETS:,} simulated data sets for each",
        f"line (`python -m benchmarks.coverage`, seed {SEED}, {DRAWS:,} draws for methods that draw). On two grades, a",
        "judge gives the true grade to a relevant document with probability 0.85, and to a nonrelevant one with",
        "probability 0.9. On three grades, the probabilities of the true grade are 0.9, 0.75 and 0.75. Data sets in",
        "which the coefficient is undefined are left out.",
        METHODS_IN_WORDS.replace("\\\n", "").replace("{jackknife}", of_jackknife(results)),
        *conclusion(results),
        "",
        *small_cells(results),
        "",
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
