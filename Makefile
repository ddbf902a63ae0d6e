# make demo | test | lint | bench. Everything lives in .venv and var/; both can be thrown away.
PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PYTEST_ARGS ?= -n auto --dist worksteal
# Without cached bytecode, each test worker would compile all tests again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo notebook test test-ci test-browser test-slow test-all test-database test-libraries test-load test-notebook test-examples \
	lint lint-web lint-deploy format \
	site docs wheel test-wheel test-deploy test-image lock audit sbom coverage bench pictures

# HOST=0.0.0.0 serves a classroom.
demo: .venv/.runtime
	$(BIN)/python manage.py demo $(if $(HOST),--host $(HOST))

FAST := not slow and not soak
# The files of a folder that name a marker. To select tests, pytest would import all files, in each worker.
marked = $$(grep -rlE --include='test_*.py' 'mark\.($(1))\b' $(2))

# The targets select tests by the markers in the files; pyproject.toml says what each marker means.

# The tests of each module, in five minutes on two idle cores. Tests that take half a second or more, and further cases
# of what a quicker test covers, are marked slow, and run in test-slow. Those in between run in test-ci.
test: .venv/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "$(FAST) and not site and not in_ci" --ignore=tests/browser

# Also the sweeps over the whole site.
test-ci: .venv/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "not soak and (in_ci and not slow or site and not alone)" \
		$(call marked,in_ci|site,tests)

test-browser: .venv/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "$(FAST)" tests/browser

test-slow: .venv/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "slow and not alone"

# Servers under load, killed servers, a class.
test-load: .venv/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest tests/load
	$(BIN)/python -m pytest -n 3 -m "alone and not soak" --ignore=tests/load

# Everything. Also simulations, byte identity across processes, every combination of screen and theme, many random
# examples of property tests, and the web application and the browser on PostgreSQL (CI_DATABASE_URL).
test-all: .venv/.test
	$(BIN)/python -m tests.browser.chromium
	ASSAY_TEST_EXAMPLES=thorough $(BIN)/python -m pytest $(PYTEST_ARGS) -m "" --ignore=tests/load
	$(if $(CI_DATABASE_URL),DATABASE_URL=$(CI_DATABASE_URL) $(BIN)/python -m pytest $(PYTEST_ARGS) -m "" tests/assess \
		tests/browser tests/test_hostile_text.py tests/deploy/test_postgresql_roles.py)
	$(BIN)/python -m pytest -m "" tests/load

# For PostgreSQL, with DATABASE_URL.
test-database: .venv/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "database and $(FAST)" $(call marked,database,tests/assess tests/deploy)
	$(BIN)/python -m pytest -n auto --dist loadfile -m "slow and database(slow=True)" \
		$(call marked,database,tests/assess tests/deploy)

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djade --check --target-version 5.2 $$(git ls-files 'templates/*.html')
	$(BIN)/mypy

# The only target that needs Node. It checks the JavaScript; the pages load it without a build step.
lint-web: node_modules/.package-lock.json
	node_modules/.bin/biome ci
	node_modules/.bin/tsc

# The files in deploy/. tests/deploy/test_units.py checks the systemd units.
lint-deploy: .venv/.deploy
	$(BIN)/hadolint deploy/Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml
	$(BIN)/shellcheck deploy/entrypoint.sh deploy/systemd/assay .github/actions/gate/gate.sh
	$(BIN)/caddy fmt --diff deploy/Caddyfile > /dev/null
	ASSAY_HOST=localhost $(BIN)/caddy validate --config deploy/Caddyfile --adapter caddyfile

format: .venv/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The libraries and the command, without the web application. Continuous integration runs this on Windows.
test-libraries: .venv/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS) tests/agreement tests/pooling tests/assay/test_names.py

# The documentation site: `make site` builds it, and `make docs` also checks the result.
site: .venv/.docs
	$(BIN)/python -m docs.build

docs: site
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -n 0 tests/docs/built_site.py

wheel: site
	rm -rf dist
	$(BIN)/python -m build --wheel --no-isolation

# Installs the wheel with its dependencies from the package index into an empty environment, tries it, and runs the
# commands of the README.
test-wheel: wheel
	$(BIN)/python -m tests.wheel.smoke dist/*.whl
	$(BIN)/python -m pytest tests/test_readme.py

# `assay serve`, commands on a new data directory, the units of systemd, Caddy in front of gunicorn, the roles of
# PostgreSQL, the locked requirements and docs/serving.md.
test-deploy: .venv/.test .venv/.deploy
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "deploy and not soak"

# Every benchmark on tiny data, and the recipes of CONTRIBUTING.md. Those that take long run in test-all only.
test-examples: .venv/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "examples and not soak" tests/recipes tests/test_benchmarks.py

# Runs the steps of deploy/Dockerfile without a container: installs the locked packages, builds the wheel, serves. They
# download every package, so CI runs them on GitHub only.
test-image: .venv/.test
	$(BIN)/python -m tests.deploy.image

# The versions of requirements.txt with hashes for every platform, for the image.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make lock"
lock: .venv/.deploy
	$(LOCK) requirements.txt --output-file deploy/requirements.txt
	$(LOCK) deploy/requirements-build.in --constraint requirements-test.txt --output-file deploy/requirements-build.txt

# Known vulnerabilities, from the package index. A package that the index does not know is an error too.
audit: .venv/.deploy
	$(BIN)/pip-audit --strict --require-hashes --disable-pip -r deploy/requirements.txt -r deploy/requirements-build.txt
	npm audit

# What the image contains, as CycloneDX.
sbom: .venv/.deploy
	mkdir -p dist
	$(BIN)/cyclonedx-py requirements deploy/requirements.txt --pyproject pyproject.toml --output-reproducible \
		--output-file dist/sbom.cdx.json

# The notebook of the docs: writes its page. CI executes it with test-notebook and compares the page.
notebook: .venv/.test
	$(BIN)/python -m tests.notebook

test-notebook: .venv/.test
	$(BIN)/python -m pytest tests/test_notebook.py

# Branch coverage of the libraries and the command by their own tests.
coverage: .venv/.test
	$(BIN)/python -m pytest $(PYTEST_ARGS) --cov=agreement --cov=pooling --cov=assay --cov-branch --cov-report=term \
		--cov-report=xml tests/agreement tests/pooling tests/assay

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

.venv/.docs: requirements-docs.txt .venv/.test
	$(BIN)/python -m pip install --quiet --progress-bar off --disable-pip-version-check -r requirements-docs.txt
	touch $@

.venv/.deploy: requirements-deploy.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --progress-bar off --disable-pip-version-check -r requirements-deploy.txt
	touch $@

.venv/.bench: requirements-bench.txt .venv/.test
	$(BIN)/python -m pip install --quiet --progress-bar off --disable-pip-version-check --no-deps -r requirements-bench.txt
	touch $@

# The screenshots in docs/images.
pictures: .venv/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -n 2 tests/browser/pictures.py
