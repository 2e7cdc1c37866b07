# Set-up, start and checks. `make` alone lists the targets.

PYTHON = python3.11 python3.12 python3.13 python3
RUN = .venv/bin/python
CATALOG_SOURCES = $(wildcard resources/catalog/* resources/architectures/*) packaging/build_catalog.py \
	$(wildcard desktop/catalog/*.py desktop/architectures/*.py desktop/architectures/counting/*.py)

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL = help
.PHONY: help setup environment libraries libraries-offscreen libraries-window catalog quote run test check lint types \
	layers bench slow fuzz screenshots clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: environment libraries catalog.db ## Create .venv, install what is pinned, see to system libraries, build the catalog

quote: setup ## Size the sample project and write its spec sheet, workbook and quote.json to build/quote
	@$(RUN) -m desktop quote resources/samples/llama-70b-assistant.json --out build/quote

run: environment libraries-window catalog.db ## Open the window
	@$(RUN) -m desktop

test: environment libraries-offscreen catalog.db ## Run the tests, without a display
	@QT_QPA_PLATFORM=offscreen $(RUN) -m pytest

check: lint types layers ## Check style, types and who may import whom

lint: environment
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .

types: environment
	@$(RUN) -m mypy

layers: environment
	@.venv/bin/lint-imports --no-logo

bench: environment libraries-offscreen catalog.db ## Time an estimate, a full choice, a redraw and a PDF
	@QT_QPA_PLATFORM=offscreen $(RUN) -m pytest -o python_files='bench_*.py' tests/benchmarks

slow: environment libraries-offscreen catalog.db ## Read published model files, fetched by pip to build/published (160 MB)
	@QT_QPA_PLATFORM=offscreen $(RUN) -m pytest -o python_files='slow_*.py' tests/architectures/files

fuzz: environment ## Hand damaged files to the readers of model files for five minutes
	@$(RUN) -m pip install --quiet --only-binary :all: --constraint constraints.txt atheris || true
	@$(RUN) -m tests.fuzz.fuzz_readers

catalog: environment ## Build catalog.db again, whatever its age
	@$(RUN) packaging/build_catalog.py

screenshots: environment libraries-offscreen catalog.db ## Draw the pictures of the README again
	@QT_QPA_PLATFORM=offscreen $(RUN) packaging/take_screenshots.py

clean: ## Remove what was built; .venv stays
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
	@find desktop tests packaging -name __pycache__ -type d -prune -exec rm -rf {} +

environment:
	@for name in $(PYTHON); do \
		if $$name -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then \
			exec $$name packaging/make_environment.py; \
		fi; \
	done; \
	echo "Rackwright is set up by Python 3.11, 3.12 or 3.13, and none of these was found: $(PYTHON)" >&2; exit 1

libraries: environment
	@$(RUN) packaging/install_system_libraries.py --advise offscreen window

libraries-offscreen: environment
	@$(RUN) packaging/install_system_libraries.py offscreen

libraries-window: environment
	@$(RUN) packaging/install_system_libraries.py offscreen window

catalog.db: $(CATALOG_SOURCES) | environment
	@$(RUN) packaging/build_catalog.py
	@touch $@
