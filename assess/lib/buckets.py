"""How many requests somebody may send: a number at once, and then so many in each second. Kept in the process."""

from threading import Lock

MOST_KEYS = 10_000  # that are remembered


class Buckets:
    """For each key, how many requests it may still send now: `burst`, and `per_second` more in each second."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, burst
        self._lock = Lock()
        self._left: dict[str, tuple[float, float]] = {}  # how many were left, and when

    def take(self, key: str, now: float) -> bool:
        """Take one, or return False if none is left."""
        with self._lock:
            left, then = self._left.pop(key, (float(self.burst), now))
            left = min(self.burst, left + self.per_second * (now - then))
            self._left[key] = (max(left - 1, 0) if left >= 1 else left, now)
            if len(self._left) > MOST_KEYS:
                del self._left[next(iter(self._left))]  # the one that was quiet for the longest time
            return left >= 1
