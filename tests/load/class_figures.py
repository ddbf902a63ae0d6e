"""Every text with a number on the class screen, by step, in the order of the page.

Each function returns texts that must follow one another; between them the page has no number.
"""

from collections import Counter
from fractions import Fraction
from statistics import fmean

import agreement
from tests.load.class_data import CROWD, ClassData, joined, number, with_band
from tests.load.lesson_material import TITLES, text_of_document, title_of

PREVALENCES = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95)
BANDS = "above 0.8 good, 0.67 to 0.8 fair, below 0.67 dubious."
LEGEND = "below 0 0 to 0.2 0.2 to 0.4 0.4 to 0.6 0.6 to 0.8 0.8 and more"
BIN_LABELS = ("below 0", "0.0 to 0.2", "0.2 to 0.4", "0.4 to 0.6", "0.6 to 0.8", "0.8 to 1.0")


def screen_texts(data: ClassData) -> dict[int, list[str]]:
    """Return the texts of each step; `tests.load.system_figures` has those of the last one."""
    return {
        1: pair_texts(data, *data.names[:2]),
        2: [*matrix_texts(data), *prediction_texts(data), BANDS],
        3: everybody_texts(data),
        4: contested_texts(data),
        5: prevalence_texts(data),
    }


# ---- 1: a pair


def pair_texts(data: ClassData, a: str, b: str, *, on_screen: bool = True) -> list[str]:
    """Return the texts of the table of two students. A student's device has no large figures."""
    pooled, unpooled = agreement.pooled_kappa(data.ratings, a, b), agreement.cohen_kappa(data.ratings, a, b)
    both = data.wide[[a, b]].dropna()
    counts = [[int(((both[a] == i) & (both[b] == j)).sum()) for j in (0, 1)] for i in (0, 1)]
    observed = Fraction(counts[0][0] + counts[1][1], len(both))
    sentence = (
        f"{a} and {b} give the same grade to {counts[0][0] + counts[1][1]} of {len(both)} documents, "
        f"{float(observed):.0%}. Chance alone would give {pooled.expected:.0%}. Pooled kappa, the agreement beyond "
        f"chance, is {with_band(pooled)}."
    )
    n_single = len(data.wide[[a, b]].dropna(how="all")) - len(both)
    basis = f"{len(both)} documents judged by both {n_single} judged by only one, left out {len(TITLES)} topics"
    big = [
        f"P(A) {number(float(observed))} pooled kappa {number(pooled.value)} {pooled.band} unpooled (Cohen) "
        f"{number(unpooled.value)} {unpooled.band}"
    ]
    return [sentence, basis, *_contingency(a, b, counts), *(big if on_screen else []), *_calculation(counts)]


def _contingency(a: str, b: str, counts: list[list[int]]) -> list[str]:
    columns = [sum(column) for column in zip(*counts, strict=True)]
    rows = [f"{label} {no} {yes} {no + yes}" for label, (no, yes) in zip(_LABELS, counts, strict=True)]
    return [f"Rows: {a}. Columns: {b}.", *rows, f"all {columns[0]} {columns[1]} {sum(columns)}"]


_LABELS = ("nonrelevant", "relevant")


def _calculation(counts: list[list[int]]) -> list[str]:
    """Return the rows of the calculation, each with the value from exact fractions."""
    steps = agreement.worked(counts, labels=_LABELS).steps
    groups = ["" if step.group == "observed" else f"{step.group} " for step in steps]
    values = [number(float(value)) for value in _exact_values(counts)]
    return [
        f"{group}{step.name} {step.formula} {value}" for group, step, value in zip(groups, steps, values, strict=True)
    ]


def _exact_values(counts: list[list[int]]) -> list[Fraction]:
    """Return P(A); both shares, P(E) and kappa, pooled; P(E) and kappa, unpooled."""
    (a, b), (c, d) = counts
    n = a + b + c + d
    observed = Fraction(a + d, n)
    shares = [Fraction(a + b + a + c, 2 * n), Fraction(c + d + b + d, 2 * n)]
    pooled = sum(share**2 for share in shares)
    unpooled = Fraction(a + b, n) * Fraction(a + c, n) + Fraction(c + d, n) * Fraction(b + d, n)
    kappas = [(observed - expected) / (1 - expected) for expected in (pooled, unpooled)]
    return [observed, *shares, pooled, kappas[0], unpooled, kappas[1]]


# ---- 2: every pair


def matrix_texts(data: ClassData) -> list[str]:
    mean = agreement.mean_pairwise(data.ratings, "pooled_kappa")
    pairs = [(b, a) for place, a in enumerate(data.names) for b in data.names[:place]]
    least = min(pairs, key=lambda pair: data.kappa(*pair))  # of equal kappas the first, and for the highest the last
    most = max(reversed(pairs), key=lambda pair: data.kappa(*pair))
    sentence = (
        f"on average, a pair gives the same grade to {mean.observed:.0%} of its documents, and pooled kappa, which "
        f"corrects for chance, is {with_band(mean)}. The lowest kappa is {number(data.kappa(*least))}, between "
        f"{joined(least)}; the highest is {number(data.kappa(*most))}, between {joined(most)}."
    )
    (n,) = {row["n"] for row in data.pairs.values()}
    basis = f"{len(data.names)} students {len(pairs)} pairs {n} documents per pair"
    return [sentence, basis, " ".join(data.names), *(_matrix_row(data, name) for name in data.names), LEGEND]


def _matrix_row(data: ClassData, name: str) -> str:
    cells = [number(data.kappa(name, other)) for other in data.names if other != name]
    if len(data.names) >= CROWD:
        cells = [cell.replace("0.", ".", 1) if abs(float(cell.replace("−", "-"))) < 1 else cell for cell in cells]
    return " ".join([name, *cells, number(data.mean_kappa(name))])


def cell_titles(data: ClassData) -> list[str]:
    """Return what the matrix shows at the mouse pointer, row by row."""
    titles = []
    for name in data.names:
        rows = [(other, data.pairs[name, other]) for other in data.names if other != name]
        titles += [
            f"{name} and {other}: {number(row['pooled_kappa'])}, n = {row['n']}, P(A) {number(row['observed'])}"
            for other, row in rows
        ]
        titles.append(f"mean of {len(rows)} pairs")
    return titles


def prediction_texts(data: ClassData) -> list[str]:
    """Return the predictions beside the real mean."""
    real = number(agreement.mean_pairwise(data.ratings, "pooled_kappa").value)
    expected = number(fmean(data.predictions))
    caption = f"{len(data.predictions)} predictions of kappa, mean {expected}. The real mean over the pairs is {real} ."
    place = _bin(float(real.replace("−", "-")))
    return [
        caption,
        *(
            f"{n} {label}{' (the real mean)' if at == place else ''}"
            for at, (n, label) in enumerate(zip(bin_counts(data), BIN_LABELS, strict=True))
        ),
    ]


def _bin(value: float) -> int:
    """Return the place of the first upper limit above a value; 1 belongs to the last place."""
    return next((place for place, limit in enumerate((0, 0.2, 0.4, 0.6, 0.8)) if value < limit), 5)


def bin_counts(data: ClassData) -> list[int]:
    counts = Counter(map(_bin, data.predictions))
    return [counts[place] for place in range(len(BIN_LABELS))]


# ---- 3: all at once


def everybody_texts(data: ClassData) -> list[str]:
    lines = coefficients(data)
    fleiss, start = lines[2], axis_start(data)
    sentence = (
        f"Fleiss' kappa is {with_band(fleiss)}. For other documents of these topics, the 95% interval of kappa is "
        f"{interval_text(fleiss)}."
    )
    basis = (
        f"{len(data.names)} students {fleiss.n} documents judged by two or more {fleiss.n_dropped} judged by only one, "
        f"left out of agreement and chance {fleiss.n_values:,} judgements {len(TITLES)} topics"
    )
    ticks = " ".join(number(start + step * 0.25) for step in range(round((1 - start) / 0.25) + 1))
    rows = [" ".join(filter(None, [number(each.value), interval_text(each), each.band])) for each in lines]
    warnings = dict.fromkeys(text for line in lines for text in line.warnings)
    method = f"95% intervals: {'; '.join([lines[0].method, *warnings])}. Bands are for kappas: {BANDS}"
    return [sentence, basis, f"95% interval band {ticks}", *rows, method]


def coefficients(data: ClassData) -> list[agreement.Estimate]:
    interval = "analytic"
    return [
        agreement.mean_pairwise(data.ratings, "pooled_kappa").interval(interval),
        agreement.mean_pairwise(data.ratings, "cohen_kappa").interval(interval),
        agreement.fleiss_kappa(data.ratings).interval(interval),
        agreement.krippendorff_alpha(data.ratings, "nominal").interval(interval),
    ]


def axis_start(data: ClassData) -> float:
    """Return the first quarter at or below all values and limits, at most 0."""
    least = min(min(each.value, each.low) for each in coefficients(data))
    return next(quarter / 4 for quarter in range(0, -5, -1) if quarter / 4 <= least or quarter == -4)


def interval_text(estimate: agreement.Estimate) -> str:
    return f"{number(estimate.low)} to {number(min(estimate.high, 1))}"


# ---- 4: contested documents


def contested_texts(data: ClassData) -> list[str]:
    items = agreement.per_item_disagreement(data.ratings, rel=1)
    n_split, first = int((items["n_disagreeing"] > 0).sum()), items.iloc[0]
    sentence = (
        f"you disagree on {n_split} of {len(items)} documents, and most on “{title_of(first['doc_id'])}”: "
        f"{_split(first)}."
    )
    basis = f"{len(data.names)} students {len(items)} documents judged by two or more relevant: grade 1 and above"
    documents = [
        f"{heading} {votes[0]} gave 0 Not relevant {votes[1]} gave 1 Relevant Beginning of the text "
        f"{text_of_document(doc_id)}"
        for doc_id, heading, votes in contested_documents(data)
    ]
    return [sentence, basis, *documents]


def contested_documents(data: ClassData) -> list[tuple[str, str, tuple[int, int]]]:
    """Return the doc_id, the heading and the votes of each document on the screen."""
    items = agreement.per_item_disagreement(data.ratings, rel=1).head(6).to_dict("records")
    return [
        (
            item["doc_id"],
            f"{title_of(item['doc_id'])} {TITLES[item['query_id']]} · {_split(item)}",
            (item["n"] - item["n_relevant"], item["n_relevant"]),
        )
        for item in items
        if item["n_disagreeing"]
    ]


def _split(item) -> str:
    return f"{item['n_relevant']} of {item['n']} found it relevant"


# ---- 5: prevalence


def prevalence_texts(data: ClassData) -> list[str]:
    fleiss = agreement.fleiss_kappa(data.ratings)
    relevant, n = int(data.shared["relevance"].sum()), len(data.shared)
    points = {percent: _point(fleiss.observed, percent / 100) for percent in PREVALENCES}
    rarest = next(percent for percent, kappa in points.items() if kappa != "not possible")
    sentence = (
        f"you agree on {fleiss.observed:.0%} of the documents judged by two or more (P(A)), and {relevant / n:.0%} of "
        f"their judgements are relevant. Fleiss' kappa is {number(fleiss.value)}. The same agreement gives a kappa of "
        f"{points[50]} if half of the documents are relevant, and of {points[rarest]} if {rarest}% are."
    )
    basis = (
        f"{len(data.names)} students {fleiss.n} documents judged by two or more {fleiss.n_dropped} judged by only one, "
        f"left out {relevant} of {n:,} judgements relevant (grade 1 and above)"
    )
    least = min(value for value in (fleiss.value, *_curve(fleiss.observed)) if value is not None)
    axis = " ".join(number(quarter / 4) for quarter in range(int(least // 0.25), 5))
    return [
        sentence,
        basis,
        *[f"0% 25% 50% 75% 100% share of relevant judgements {axis} kappa"] * 2,  # for a desk, and for a phone
        f"Kappa of judges who agree on {fleiss.observed:.0%} of the documents,",
        *(f"{percent}% {kappa}" for percent, kappa in points.items()),
        *_topic_rows(data),
        "larger than 100% minus that half.",
    ]


def _point(observed: float, prevalence: float) -> str:
    kappa = _kappa_at(observed, prevalence)
    return "not possible" if kappa is None else number(kappa)


def _kappa_at(observed: float, prevalence: float) -> float | None:
    """Return the kappa of judges who agree this often and both find this share relevant; None if they cannot."""
    if not (1 - observed) / 2 <= prevalence <= (1 + observed) / 2:
        return None
    expected = prevalence**2 + (1 - prevalence) ** 2
    return (observed - expected) / (1 - expected)


def _curve(observed: float) -> list[float | None]:
    return [_kappa_at(observed, step / 200) for step in range(1, 200)]


def _topic_rows(data: ClassData) -> list[str]:
    rows = []
    for query_id, part in data.shared.groupby("query_id"):
        kappa = agreement.fleiss_kappa(agreement.Ratings.from_judgements(part, (0, 1)))
        numbers = f"{part['relevance'].mean():.0%} {len(part)} {part['doc_id'].nunique()} {number(kappa.observed)}"
        rows.append(f"{TITLES[query_id]} {numbers} {number(kappa.value)}")
    return rows
