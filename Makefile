# `make` alone lists the targets. Each sets up what it needs: on a fresh clone nothing has to be installed by hand.

BIN := .venv/bin
PYTHON ?=
ARGS ?=
IMPL ?=
REPORT ?= .wireproof/report
WORKERS ?= 2
export PYTHON IMPL

.DEFAULT_GOAL := help
.PHONY: help conform test lint types format bench-codec bench-suite bench-harness bench-pytest bench-spark allure faults fuzz bytes-matter constraints clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

conform: ## Check the reference, or IMPL="command", on all protocols and write the compliance report
	@tools/setup python
	@$(BIN)/wireproof check "$${IMPL:-reference}" --report $(REPORT) $(ARGS)

test: ## Run all tests; narrow them with ARGS="-k comet"
	@tools/setup python spark java node cc javac cargo go bwrap
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup $(ARGS)

lint: ## Check style and formatting
	@tools/setup python
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .

types: ## Check types, strictly
	@tools/setup python
	@$(BIN)/mypy

format: ## Format the code and apply the safe fixes of the linter
	@tools/setup python
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

bench-codec: ## Measure the codec against hand-written code and construct
	@tools/setup python
	@$(BIN)/python conformance/bench/codec.py $(ARGS)

bench-suite: ## Measure how fast the vectors load
	@tools/setup python
	@$(BIN)/python conformance/bench/suite_load.py $(ARGS)

bench-harness: ## Measure how fast an implementation is asked; ARGS=--suite adds all vectors
	@tools/setup python
	@$(BIN)/python harness/bench/asking.py $(ARGS)

bench-pytest: ## Measure vectors as pytest items beside empty tests
	@tools/setup python node
	@$(BIN)/python harness/bench/pytest_items.py $(ARGS)

bench-spark: ## Measure the Spark pipeline beside plain processes; ARGS="--part grow" for how it grows
	@tools/setup python spark java
	@$(BIN)/python reports/bench/spark.py $(ARGS)

allure: ## Check the reference, or IMPL="command", and build Allure's own report of it, offline
	@tools/setup python node
	@$(BIN)/python tools/allure "$${IMPL:-reference}" -n $(WORKERS) $(ARGS)

faults: ## Check implementations that misbehave in every way: what is said, what it costs, what is left
	@tools/setup python cc
	@$(BIN)/python harness/bench/faults.py $(ARGS)

fuzz: ## Decode a million random and mutated inputs of each protocol
	@tools/setup python
	@$(BIN)/python conformance/bench/fuzz.py $(ARGS)

bytes-matter: ## Change each byte of each accepted vector: does the answer change?
	@tools/setup python
	@$(BIN)/python conformance/bench/bytes_matter.py $(ARGS)

constraints: ## Take the newest versions that pyproject.toml allows into constraints.txt
	@tools/setup python
	@tools/refresh-constraints

clean: ## Remove everything that make has produced, .venv included
	@rm -rf .venv build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache .wireproof allure-results
	@find conformance harness reports vectors -name __pycache__ -type d -prune -exec rm -rf {} +
