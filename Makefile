# Needs Python 3.11 or newer, and make; everything else it fetches into .venv. `make` says what it can do.

VENV := .venv
BIN := $(VENV)/bin
export NUMBA_CACHE_DIR ?= $(CURDIR)/$(VENV)/kernels

# The first Python that is new enough and can make environments. Every folder of PATH is looked through for each name: what is found first may be a shim that
# only prints advice. Numba has no wheels for 3.15 yet.
PYTHON ?= $(shell IFS=:; for name in python3 python3.14 python3.13 python3.12 python3.11 python; do for folder in $$PATH; do \
	if [ -x "$$folder/$$name" ] && "$$folder/$$name" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' >/dev/null 2>&1; \
	then echo "$$folder/$$name"; exit; fi; done; done)
NO_PYTHON := No Python 3.11 to 3.14 with the modules venv and ensurepip in PATH. Name one: make PYTHON=/path/to/python3.12 (on Debian and Ubuntu they are in python3-venv)

PAPER := paper-grid uc-ssp --episodes 3000 --runs 200 --seed 2020

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/ready ## the environment in .venv; again only when pyproject.toml has changed
	@:

$(VENV)/ready: pyproject.toml
	@if ! $(BIN)/python -c '' 2>/dev/null; then \
		python='$(PYTHON)'; \
		if [ -z "$$python" ]; then echo '$(NO_PYTHON)' >&2; exit 1; fi; \
		echo "Setting up $(VENV) with $$python"; \
		"$$python" -m venv --clear $(VENV); \
	fi
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

test: ## all set-up, then the tests
	@$(call timed,pytest -n auto)

test-all: ## all set-up, then the tests, with ten times as many random models
	@GOALWARD_EXAMPLES=400; export GOALWARD_EXAMPLES; $(call timed,pytest -n auto)

reproduce: ## all set-up, then the main job: every environment solved, and UC-SSP learning the paper's grid
	@$(call timed,goalward list environments && $(BIN)/goalward simulate $(PAPER) && $(BIN)/goalward simulate $(PAPER) --set confidence=bernstein --set walls=slip)

lint: $(VENV)/ready ## style
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: $(VENV)/ready ## types
	@$(BIN)/mypy

bench: $(VENV)/ready ## speed, against the neighbours and against C: installs the neighbours first
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@$(BIN)/python benchmarks/planning.py --footprint
	@$(BIN)/python benchmarks/learning.py

clean: ## remove whatever make has made
	rm -rf $(VENV) dist .hypothesis .mypy_cache .ruff_cache
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

# Run a command of the environment, and say how long set-up and command took, whether or not it went well.
define timed
start=$$(date +%s); $(MAKE) --no-print-directory setup || exit; ready=$$(date +%s); \
$(BIN)/$(1); status=$$?; \
echo "make $@: $$(( $$(date +%s) - start )) s, $$(( ready - start )) s of it set-up"; exit $$status
endef

.PHONY: help setup test test-all reproduce lint types bench clean
