"""Tables for a paper, in Markdown and LaTeX: judges, pairs of judges, grades of each topic, and systems."""

from collections import Counter
from collections.abc import Iterator

import pandas as pd

from agreement.estimate import format_value
from assess.lib.latex import latex_table
from assess.releases.figures import RELEASED
from assess.releases.source import ReleaseSource
from pooling.text_tables import heading, render, rounded
from pooling.words import count

PAIR_COLUMNS = ["assessor_a", "assessor_b", "n", "topics", "observed"]


def files(source: ReleaseSource) -> dict[str, bytes]:
    tables = list(paper_tables(source))
    markdown = [
        f"{heading(caption, 'markdown')}\n\n{render(rounded(frame), 'markdown')}\n" for _, caption, frame in tables
    ]
    typeset = [latex_table(frame, caption, f"tab:{name}") for name, caption, frame in tables]
    return {"paper/tables.md": "\n".join(markdown).encode(), "paper/tables.tex": "\n".join(typeset).encode()}


def paper_tables(source: ReleaseSource) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield name, caption and rows of each table."""
    yield "judges", "Judges: their judgements by grade.", _judges(source)
    if source.agreement_report is not None:
        caption = "Agreement of pairs of judges with documents in common, all topics in one table."
        yield "pairs", caption, _pairs(source.pairs_of_judges)
    yield "grades", "The released gold: graded documents of each topic.", _grades(source)
    if source.shift is not None:
        ranks = source.shift.ranks_under(RELEASED)[["system", "score", "rank"]].sort_values(["rank", "system"])
        n_topics = len(source.shift.scores[RELEASED].columns)
        caption = f"Systems by {source.shift.measure} under the released gold, {count(n_topics, 'topic')}."
        yield "systems", caption, ranks.rename(columns={"score": source.shift.measure})


def _judges(source: ReleaseSource) -> pd.DataFrame:
    kinds = {member.name: member.kind for member in source.spec.members}
    counts = Counter(zip(source.votes["assessor"], source.votes["relevance"], strict=True))
    rows = [
        {"judge": judge, "kind": kinds[judge], "n": sum(counts[judge, grade] for grade in source.scale)}
        | {f"grade {grade}": counts[judge, grade] for grade in source.scale}
        for judge in source.judges
    ]
    return pd.DataFrame(rows)


def _pairs(pairs: pd.DataFrame) -> pd.DataFrame:
    joint = pairs[pairs["n"] > 0]
    rows = joint[PAIR_COLUMNS].rename(columns={"observed": "P(A)"})
    kappas = [
        format_value(value) if pd.isna(reason) else format_value(None, reason)
        for value, reason in zip(joint["cohen_kappa"], joint["cohen_kappa_reason"], strict=True)
    ]
    return rows.assign(**{"Cohen's kappa": kappas})


def _grades(source: ReleaseSource) -> pd.DataFrame:
    counts = pd.crosstab(source.gold["query_id"], source.gold["relevance"])
    counts.columns = pd.Index([f"grade {grade:g}" for grade in counts.columns])
    return counts.assign(n=counts.sum(axis=1)).rename_axis("topic").reset_index()
