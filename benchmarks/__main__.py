"""`python -m benchmarks`: every benchmark, one after the other."""

from benchmarks import import_runs

if __name__ == "__main__":
    for benchmark in (import_runs,):
        benchmark.main()
