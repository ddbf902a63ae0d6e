"""Indexing a large collection, and the server time of searches: `python -m benchmarks.search_speed [documents]`.

The collection and the query set are those of `search_data`. Each query is searched as it is (all words) and with OR
between its words. A search is two requests: the form, and the page of results to which it redirects. They are made in
the process that serves them, through all of Django, without the network.
"""

import os
import sys
import time
from statistics import median, quantiles

from benchmarks import databases
from benchmarks.tiny import size

DOCUMENTS = size(500_000, 300)
GOAL_MS = 200


def main() -> None:
    number = sys.argv[1] if len(sys.argv) > 1 else str(DOCUMENTS)
    for name, url in databases.urls():
        with databases.server_with_database(url) as (server, _):
            print(f"{name}\n{server.run('-m', 'benchmarks.search_speed', 'measure', number)}", flush=True)


def measure(number: int) -> None:
    """Make the collection, index it and search it, in a process with the server's settings."""
    import django

    django.setup()
    from assess.search.index import index_documents
    from benchmarks import search_data

    began = time.perf_counter()
    member = search_data.make(number)
    made = time.perf_counter()
    result = index_documents(member.collection)
    indexed = time.perf_counter()
    print(f"{result.documents:,} documents of {search_data.LENGTH} words (made in {made - began:.0f} s)")
    print(f"indexed in {indexed - made:.0f} s, {result.documents / (indexed - made):,.0f} documents a second")
    queries = search_data.queries()
    _search(member, "all words", queries)
    _search(member, "one of the words", [" OR ".join(query.split()) for query in queries])


def _search(member, label: str, queries: list[str]) -> None:
    from django.test import Client
    from django.urls import reverse

    client = Client(SERVER_NAME="localhost")
    client.force_login(member.user, backend="assess.people.backend.AccountBackend")
    address = reverse("judge:search", args=[member.collection.slug, member.collection.topics.get().pk])
    client.get(address)  # what the first request loads
    times, cpus = zip(*(_timed(client, address, query) for query in queries), strict=True)
    matched = member.searches.order_by("-pk").values_list("matched", flat=True)[: len(queries)]
    late = "" if median(times) < GOAL_MS else f"  over {GOAL_MS} ms"
    print(
        f"{label}: median {median(times):.1f} ms, 95 % below {quantiles(times, n=20)[-1]:.1f} ms, slowest "
        f"{max(times):.1f} ms, CPU {median(cpus):.1f} ms ({len(queries)} queries, median {median(matched):,.0f} "
        f"documents found){late}"
    )


def _timed(client, address: str, query: str) -> tuple[float, float]:
    """Search once. Returns wall and CPU time of this process in ms."""
    wall, cpu = time.perf_counter(), time.process_time()
    made = client.post(address, {"query": query})
    assert made.status_code == 302, made.status_code
    assert client.get(made["Location"]).status_code == 200
    return (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assess.settings")
        measure(int(sys.argv[2]))
    else:
        main()
