"""The CPU time and the memory of `assay serve`: the web server, its worker, and the processes that these start.

On Linux only. The peak memory of a moment is the sum of the peaks (VmHWM) of the processes that live at that moment, so
it is never less than what they use together. Memory that two processes share counts twice.
"""

import os
import threading
from contextlib import suppress
from pathlib import Path

INTERVAL = 0.05  # seconds
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
RESET_PEAK = "5"  # for /proc/PID/clear_refs


class ServerUsage:
    """Watches the processes from a thread, in a `with` statement."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._cpu: dict[int, float] = {}
        self._peak = 0.0

    def __enter__(self) -> "ServerUsage":
        self._look()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def cpu_seconds(self) -> float:
        """Return the CPU time of all processes so far, of ended ones up to the last look at them."""
        self._look()
        return sum(self._cpu.values())

    def begin_peak(self) -> None:
        """Forget the peak memory so far."""
        for pid in self._pids():
            with suppress(OSError):
                Path(f"/proc/{pid}/clear_refs").write_text(RESET_PEAK)
        self._peak = 0.0

    def peak_mb(self) -> float:
        """Return the peak memory since `begin_peak`."""
        self._look()
        return self._peak

    def _watch(self) -> None:
        while not self._ended.wait(INTERVAL):
            self._look()

    def _look(self) -> None:
        peaks = []
        for pid in self._pids():
            with suppress(OSError, IndexError):  # the process has just ended
                self._cpu[pid] = _cpu_seconds(pid)
                peaks.append(_peak_mb(pid))
        self._peak = max(self._peak, sum(peaks))

    def _pids(self) -> list[int]:
        pids = [self._server]
        for pid in pids:  # grows meanwhile
            with suppress(OSError):
                for thread in Path(f"/proc/{pid}/task").iterdir():
                    pids += map(int, (thread / "children").read_text().split())
        return pids


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


def _peak_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM")), 0.0)
