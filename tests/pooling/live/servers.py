"""Small servers on this machine that answer as search engines do, after the vendors' documentation.

`Server` answers each request with what its function returns; the functions of this module follow one contract each. The
documents are ranked by BM25 (bm25s), so that a test can compare a run with what the engine itself finds.
"""

import json
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

DOCUMENTS = {
    "d1": ("Bread", "how to bake bread with yeast and flour"),
    "d2": ("Stone", "a stone bridge over the river"),
    "d3": ("Rye", "rye bread keeps longer than white bread"),
    "d4": ("River", "the river carries flour mills and a bridge"),
    "d5": ("Quotes", 'he said "bread" and {title} \\ end'),
}


@dataclass
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    params: dict[str, list[str]]
    body: Any
    headers: dict[str, str]


@dataclass
class Reply:
    """`body` is sent as JSON, or as it is if these are bytes."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


Answering = Callable[[Asked], Reply]
REQUESTS = "/_requests"  # the address at which a server says what came; this request does not count


class Server:
    """A server in threads of this process. `asked` are the requests that came, and `most` those at the same time."""

    def __init__(self, answer: Answering) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self._now, self.most, self._lock = 0, 0, threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # or the body waits for the receipt of the head, 40 ms

            def handle_any(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                raw = self.rfile.read(size)
                parts = urlsplit(self.path)
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(
                    self.command, parts.path, parse_qs(parts.query), json.loads(raw) if raw else None, headers
                )
                self.send(outer.known() if asked.path == REQUESTS else outer.answered(asked))

            def send(self, reply: Reply) -> None:
                body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(body)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = handle_any  # noqa: N815 - the names of http.server

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    def answered(self, asked: Asked) -> Reply:
        """Count a request, and return the answer to it."""
        with self._lock:
            self.asked.append(asked)
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            return self.answer(asked)
        finally:
            with self._lock:
                self._now -= 1

    def known(self) -> Reply:
        """What came, for a test in another process."""
        with self._lock:
            return Reply({"asked": [vars(asked) for asked in self.asked], "most": self.most})

    def use_tls(self, context: ssl.SSLContext) -> None:
        """Speak TLS from the next connection on."""
        self._http.socket = context.wrap_socket(self._http.socket, server_side=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


def search(query: str, size: int) -> list[tuple[str, float]]:
    """Return the documents that share a word with the query, by BM25."""
    import bm25s

    engine = bm25s.BM25()
    ids = list(DOCUMENTS)
    engine.index(bm25s.tokenize([text for _, text in DOCUMENTS.values()], show_progress=False), show_progress=False)
    tokens = bm25s.tokenize(query, show_progress=False, return_ids=False)
    if not tokens[0]:
        return []
    found, scores = engine.retrieve(tokens, corpus=ids, k=len(ids), show_progress=False)
    pairs = zip(found[0].tolist(), scores[0].tolist(), strict=True)
    return [(doc_id, score) for doc_id, score in pairs if score > 0][:size]


def elasticsearch(asked: Asked) -> Reply:
    if asked.path == "/":
        return Reply({"version": {"number": "9.2.1", "build_flavor": "default"}})
    found = search(asked.body["query"]["match"]["text"], asked.body["size"])
    hits = [
        {
            "_index": "news",
            "_id": doc_id,
            "_score": score,
            "_source": {"title": DOCUMENTS[doc_id][0], "text": DOCUMENTS[doc_id][1]},
        }
        for doc_id, score in found
    ]
    shards = {"total": 5, "successful": 5, "skipped": 0, "failed": 0}
    total = {"value": len(hits), "relation": "eq"}
    return Reply(
        {"took": 2, "timed_out": False, "_shards": shards, "hits": {"total": total, "max_score": None, "hits": hits}}
    )


def solr(asked: Asked) -> Reply:
    if asked.path == "/solr/admin/info/system":
        return Reply({"responseHeader": {"status": 0}, "lucene": {"solr-spec-version": "10.0.0"}})
    found = search(asked.body["query"].replace("\\", ""), asked.body["limit"])
    docs = [
        {"id": doc_id, "score": score, "title": [DOCUMENTS[doc_id][0]], "text": DOCUMENTS[doc_id][1]}
        for doc_id, score in found
    ]
    response = {"numFound": len(docs), "start": 0, "maxScore": 1.0, "numFoundExact": True, "docs": docs}
    return Reply({"responseHeader": {"status": 0, "QTime": 1}, "response": response})


def vespa(asked: Asked) -> Reply:
    if asked.path == "/state/v1/version":
        return Reply({"version": "8.600.1"})
    found = search(asked.body["query"], asked.body["hits"])
    children = [
        {
            "id": f"id:news:article::{doc_id}",
            "relevance": score,
            "source": "news",
            "fields": {"title": DOCUMENTS[doc_id][0], "text": DOCUMENTS[doc_id][1]},
        }
        for doc_id, score in found
    ]
    coverage = {"coverage": 100, "documents": 5, "full": True, "nodes": 1, "results": 1, "resultsFull": 1}
    root = {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": len(children)}, "coverage": coverage}
    return Reply({"root": root | ({"children": children} if children else {})})


def other(asked: Asked) -> Reply:
    """The contract of Pyserini's and Anserini's REST service."""
    found = search(asked.params["query"][0], int(asked.params["hits"][0]))
    candidates = [
        {"docid": doc_id, "score": score, "rank": rank, "doc": {"contents": DOCUMENTS[doc_id][1]}}
        for rank, (doc_id, score) in enumerate(found, 1)
    ]
    return Reply({"query": {"text": asked.params["query"][0]}, "candidates": candidates})
