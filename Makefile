# Two commands on a fresh machine with Python 3.11 or newer: `make run` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PORT ?= 8080
DATA ?= .shadda

.PHONY: help setup run test test-long lint format demo bench bench-peers clean

help: ## say what there is
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(STAMP): pyproject.toml deploy/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "shadda needs Python 3.11 or newer; name one with make PYTHON=python3.12 …" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint deploy/constraints.txt --editable '.[dev]'
	@touch $@

setup: $(STAMP) ## make the virtual environment, if it is not there

run: $(STAMP) ## start everything on this machine and print the address; Ctrl-C stops it
	@$(BIN)/shadda up --data $(DATA) --port $(PORT)

lint: $(STAMP) ## format check, ruff, mypy, import rules
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

test: lint ## every check: lint and all tests
	@$(BIN)/pytest -n 2 -m "not long" --quiet

test-long: $(STAMP) ## what takes minutes or hours; its figures go into docs/ with their date
	@$(BIN)/pytest -m long --timeout 0 --quiet -s

format: $(STAMP) ## format the code
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

demo: $(STAMP) ## one staked match between scripted players, shown as it goes
	@$(BIN)/shadda play --game trix --stake 500 --seed 01

bench: $(STAMP) ## the benchmarks
	@$(BIN)/shadda bench engine
	@$(BIN)/shadda bench moves
	@$(BIN)/shadda bench moves --log postgresql

bench-peers: $(STAMP) ## the engine beside OpenSpiel and RLCard, if they are installed in .venv-peers
	@$(or $(wildcard .venv-peers/bin/python),$(BIN)/python) tests/bench/peers.py --ours "$(BIN)/shadda bench engine"

clean: ## remove what was installed and cached
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build *.egg-info
