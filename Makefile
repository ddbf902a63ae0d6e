# make demo | test | lint | bench. Everything lives in .venv and var/; both can be thrown away.
PYTHON ?= python3
BIN := .venv/bin
PYTEST_ARGS ?= -n auto --dist worksteal

.PHONY: demo test test-database lint lint-web format bench

demo: .venv/.runtime
	ASSAY_DEBUG=1 ASSAY_DATA=var/demo $(BIN)/python manage.py demo

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

# The only target that needs Node. It checks the JavaScript; the pages load it without a build step.
lint-web: node_modules/.package-lock.json
	node_modules/.bin/biome ci
	node_modules/.bin/tsc

format: .venv/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.bench
	$(BIN)/python -m benchmarks

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	touch $@

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
