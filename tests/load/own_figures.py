"""Every text with a number on a student's own page after the last step, in the order of the page: last step first."""

from statistics import fmean

import agreement
from tests.load.class_data import ClassData, best_systems, number, ordinal
from tests.load.class_figures import contested_documents, pair_texts


def own_texts(data: ClassData, name: str) -> list[str]:
    """Return the texts of all steps, each after its heading."""
    n = int(data.wide[name].notna().sum())
    return [
        f"You judged {n} of {n} documents.",
        *("6 Which system is best?", *_ranking(data, name)),
        *("5 What prevalence does to kappa", _prevalence(data, name)),
        *("4 Where you disagree", *_contested(data, name)),
        *("3 The whole class at once", *_majority(data, name)),
        *("2 Every pair in the class", *_row(data, name)),
        *("1 You and your partner", *pair_texts(data, name, data.partner_of(name), on_screen=False)),
    ]


def _ranking(data: ClassData, name: str) -> list[str]:
    others = [other for other in data.names if other != name]
    same = sum(data.tops[other] == data.tops[name] for other in others)
    taus = [tau for pair, tau in data.taus.items() if name in pair and tau is not None]
    theirs = f"The mean tau_b between your ranking and theirs is {number(fmean(taus))}." if taus else "is undefined"
    return [
        f"under your judgements, {best_systems(data.tops[name])}. The result is the same for {same} of the "
        f"{len(others)} other students.",
        theirs,
        f"{len(others)} other students",
    ]


def _prevalence(data: ClassData, name: str) -> str:
    own = data.wide[name].dropna()
    relevant = int(own.sum())
    return (
        f"you found {relevant} of {len(own)} documents relevant, {relevant / len(own):.0%}; of all judgements of "
        f"documents judged by two or more, {data.shared['relevance'].mean():.0%} are relevant. relevant: grade 1 and "
        "above"
    )


def _contested(data: ClassData, name: str) -> list[str]:
    """Return the documents of the class screen, with the student's own votes marked."""
    own = {doc_id: int(grade) for (_, doc_id), grade in data.wide[name].items()}
    documents = contested_documents(data)
    minority = sum(2 * votes[own[doc_id]] < sum(votes) for doc_id, _, votes in documents)
    sentence = f"on {minority} of the {len(documents)} contested documents that you judged, fewer than half"
    return [sentence, *(f"{heading} {_votes(votes, own[doc_id])}" for doc_id, heading, votes in documents)]


def _votes(votes: tuple[int, int], own: int) -> str:
    mine = [" (including you)" if grade == own else "" for grade in (0, 1)]
    return f"{votes[0]} gave 0 Not relevant{mine[0]} {votes[1]} gave 1 Relevant{mine[1]}"


def _majority(data: ClassData, name: str) -> list[str]:
    (row,) = [row for row in data.majorities if row["assessor"] == name]
    fleiss = agreement.fleiss_kappa(data.ratings)
    return [
        f"the same grade to {row['observed']:.0%} of {row['n']} documents: pooled kappa is "
        f"{number(row['pooled_kappa'])} ({row['pooled_kappa_band']}). Fleiss' kappa of the whole class is "
        f"{number(fleiss.value)}. {row['n']} documents {row['n_undecided']} without a majority of the others, left out"
    ]


def _row(data: ClassData, name: str) -> list[str]:
    others = [other for other in data.names if other != name]
    own = data.mean_kappa(name)
    place = 1 + sum(data.mean_kappa(other) > own for other in others)
    (n,) = {data.pairs[name, other]["n"] for other in others}
    mean = agreement.mean_pairwise(data.ratings, "pooled_kappa")
    position = "highest" if place == 1 else f"{ordinal(place)} highest"
    best_first = sorted(others, key=lambda other: -data.kappa(name, other))
    return [
        f"your mean pooled kappa with the others is {number(own)} ({agreement.band(own)}), the {position} of "
        f"{len(data.names)}. The mean over all pairs of the class is {number(mean.value)}. {len(others)} other "
        f"students {n} documents per pair pooled",
        *(f"{other} {number(data.kappa(name, other))} {n}" for other in best_first),
    ]
