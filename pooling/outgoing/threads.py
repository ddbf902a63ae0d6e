"""Sends requests from several threads, and yields their results when they arrive."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def gather(
    ask: Callable[[Item], Answer],
    items: Iterable[Item],
    concurrency: int,
    stop: Callable[[], object] = lambda: None,
) -> Generator[Answer, None, None]:
    """Yield the answer to each item when it arrives. An exception of `ask` ends the work.

    `stop` is called if the work ends early, so that no thread waits for long.
    """
    with ThreadPoolExecutor(concurrency, thread_name_prefix="requests") as threads:
        waiting: set[Future[Answer]] = set()
        try:
            for item in items:
                waiting.add(threads.submit(ask, item))
                if len(waiting) >= 2 * concurrency:  # so that a reader who is slow has few answers in memory
                    done = next(as_completed(waiting))
                    waiting.discard(done)
                    yield done.result()
            for done in as_completed(waiting):
                yield done.result()
        except BaseException:  # also if the reader goes away
            stop()
            raise
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
