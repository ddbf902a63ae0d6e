"""Judgements until most relevant passages are found, TREC 2019 Deep Learning: `python -m benchmarks.dl19_learning`.

The collection has the 4,507 passages with text. Strategies choose from the 37 runs without other passages, `cal` from
all of them. Passages that NIST did not judge for a topic count as not relevant to it. The table goes to
docs/studies/pooling.md. The data are not part of the repository; see `tests/realdata.py`.
"""

import sys

import pandas as pd

from benchmarks.dl19_pools import DATA, PAGE, REL, SEED, options_of, run_frames
from benchmarks.pages import fill
from pooling import prepare, read_documents, read_qrels, read_topics, replay
from pooling.adaptive import CAL
from pooling.text_tables import render

SHARES = (0.8, 0.9, 0.95)
MOST = 2_000  # judgements of a topic
BY_RUNS = ("depth", "rrf", "move_to_front", "bandit_ucb", "bandit_thompson")


def main() -> None:
    gold = read_qrels(DATA / "judges" / "nist.qrels")
    texts = {each.doc_id: each.text for each in read_documents(DATA / "documents.jsonl.gz")}
    topics = read_topics(DATA / "topics.tsv").set_index("query_id")["title"].to_dict()
    runs = prepare([frame[frame["doc_id"].isin(texts)] for frame in run_frames()])
    rows = [_row(name, runs, gold) for name in BY_RUNS]
    rows.append(_row(CAL(texts=texts, queries=topics, seed=SEED, rel=REL), _whole(texts, topics), gold))
    fill(PAGE, {"learning": render(pd.DataFrame(rows), "markdown")})


def _whole(texts, topics) -> pd.DataFrame:
    """A run with every passage for each topic."""
    every = pd.DataFrame({"system": "all", "doc_id": list(texts), "score": 0.0})
    return pd.concat(every.assign(query_id=query_id) for query_id in topics)


def _row(strategy, runs, gold) -> dict[str, str]:
    """Return the judgements per topic with which each share of all relevant passages is found."""
    parameters = options_of(strategy) if isinstance(strategy, str) else {}
    found = replay(strategy, runs, gold, budget=MOST, rel=REL, **parameters).found
    name = strategy if isinstance(strategy, str) else f"{strategy.name}, from the collection"
    print(name, file=sys.stderr, flush=True)
    row = {"strategy": name}
    for share in SHARES:
        enough = found[found["share"] >= share]
        row[f"{share:.0%}"] = f"{enough['budget'].iloc[0]:,}" if len(enough) else "never"
    return row | {f"share at {MOST:,}": f"{found['share'].iloc[-1]:.1%}"}


if __name__ == "__main__":
    main()
