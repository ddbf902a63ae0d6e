"""Sends requests from several threads, and yields their results when they arrive."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
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
        waiting: list[Future[Answer]] = []
        try:
            for item in items:
                waiting.append(threads.submit(ask, item))
                if len(waiting) >= 2 * concurrency:  # so that a reader who is slow has few answers in memory
                    yield _first_done(waiting)
            while waiting:
                yield _first_done(waiting)
        except BaseException:  # also if the reader goes away
            stop()
            raise
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def _first_done(waiting: list[Future[Answer]]) -> Answer:
    """Wait until one of these has ended, remove it, and return its result; of several, the one that began first."""
    wait(waiting, return_when=FIRST_COMPLETED)
    done = next(each for each in waiting if each.done())
    waiting.remove(done)
    return done.result()
