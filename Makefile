# make demo | test | lint | bench. Everything lives in .venv and var/; both can be thrown away.
PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PYTEST_ARGS ?= -n auto --dist worksteal

.PHONY: demo test test-database test-libraries lint format wheel test-wheel bench

demo: .venv/.runtime
	$(BIN)/python manage.py demo

# The load comes last and alone: it takes the whole machine, and browsers beside it would wait for their pages.
test: .venv/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest $(PYTEST_ARGS) --ignore=tests/load
	$(BIN)/python -m pytest tests/load

# The libraries know of no database: what is left of them here are the tests of all three packages together.
test-database: .venv/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest $(PYTEST_ARGS) --ignore=tests/agreement --ignore=tests/pooling --ignore=tests/load
	$(BIN)/python -m pytest tests/load

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: .venv/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The libraries and the command, without the web application. Continuous integration runs this on Windows.
test-libraries: .venv/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS) tests/agreement tests/pooling tests/assay/test_names.py

wheel: .venv/.test
	rm -rf dist
	$(BIN)/python -m build --wheel --no-isolation

# Installs the wheel with its dependencies from the package index into an empty environment, and tries it.
test-wheel: wheel
	$(BIN)/python -m tests.wheel.smoke dist/*.whl

bench: .venv/.bench
	$(BIN)/python -m benchmarks

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Assay needs Python 3.11 or newer; name one with PYTHON=...")'
	$(PYTHON) -m venv .venv && $(BIN)/python -m pip --version >/dev/null || { rm -rf .venv; exit 1; }

.venv/.runtime: requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --progress-bar off --disable-pip-version-check -r requirements.txt
	touch $@

.venv/.test: requirements.txt requirements-test.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --progress-bar off --disable-pip-version-check -r requirements-test.txt
	touch $@ .venv/.runtime

.venv/.bench: requirements-bench.txt .venv/.test
	$(BIN)/python -m pip install --quiet --progress-bar off --disable-pip-version-check --no-deps -r requirements-bench.txt
	touch $@
