"""Run all benchmarks, one after the other, each in a separate process: `python -m benchmarks`.

On Linux a new process inherits the peak memory of its parent, so no benchmark may be started by a large process.
"""

import subprocess
import sys

NAMES = (
    *("mixed_golds", "import_runs", "import_judgements", "read_many", "evaluate_speed", "scale", "shift_speed"),
    *("agreement_speed", "pool_speed", "adaptive_speed", "adaptive_web", "live_learning"),
    *("judging_scale", "judging_load", "large_pages", "import_wait", "change_wait", "campaign", "class_load"),
    "class_lesson",
    *("wrong_codes", "key_to_next", "research_pages", "judge_comparison", "search_speed"),
)

if __name__ == "__main__":
    for name in NAMES:
        print(f"\n=== {name} ===\n", flush=True)
        subprocess.run([sys.executable, "-W", "ignore", "-m", f"benchmarks.{name}"], check=True)
