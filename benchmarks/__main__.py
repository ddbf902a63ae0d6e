"""`python -m benchmarks`: every benchmark, one after the other."""

from benchmarks import agreement_speed, import_runs

if __name__ == "__main__":
    for benchmark in (import_runs, agreement_speed):
        benchmark.main()
