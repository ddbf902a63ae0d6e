"""Creates the demo's model judge: ``python -m assess.demo.make_words``. This needs the test requirements.

It is the offline judge of `pooling.models`: words in common of topic and document, mapped to grades by the majority of
the three judges on other topics. It is no language model. The file has the probability of each grade.
"""

import csv
import json
import sys
from pathlib import Path

import pandas as pd

from agreement import make_gold
from assess.demo.documents import documents
from pooling import pool, read_qrels, read_runs
from pooling.models import Pair, checked_scale, offline_judge

HERE = Path(__file__).parent
DEPTH, SEED = 10, 1
GRADES = [(0, "Not relevant"), (1, "Marginal"), (2, "Relevant"), (3, "Highly relevant")]
FILE = HERE / "judgements" / "words.csv"


def main() -> None:
    if sys.version_info[:2] != (3, 11):
        raise SystemExit("The judgements are of the help texts of Python 3.11.")
    lines = (HERE / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    topics = {str(row["query_id"]): row for row in map(json.loads, lines)}
    texts = {doc_id: f"{title}\n{text}" for doc_id, title, text in documents()}
    pooled = pool(read_runs(sorted((HERE / "runs").glob("*.gz"))), "depth", depth=DEPTH).to_tasks()
    rows = pooled.itertuples(index=False)
    pairs = [Pair(query_id, doc_id, topics[query_id], texts[doc_id]) for query_id, doc_id in rows]
    graded = offline_judge(pairs, _majority(), checked_scale(GRADES), seed=SEED).frame
    with FILE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["query_id", "doc_id", "assessor", "relevance", "label_confidence"])
        for row in graded.to_dict("records"):
            share = row[f"p_{row['relevance']}"]
            writer.writerow([row["query_id"], row["doc_id"], "words", row["relevance"], f"{share:.4f}"])


def _majority() -> pd.DataFrame:
    judged = [read_qrels(path).assign(assessor=path.stem) for path in sorted((HERE / "judgements").glob("*.qrels"))]
    return make_gold(pd.concat(judged, ignore_index=True), "majority")


if __name__ == "__main__":
    main()
