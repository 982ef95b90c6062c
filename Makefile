# The commands of every day: `make check`, `make test FILE=tests/services/think/test_links.py`, `make docs`.
# They use the environment that CONTRIBUTING.md sets up in .venv.
BIN := .venv/bin
TEST_HOME ?= $(or $(TMPDIR),/tmp)/legacymind-tests
FILE ?= tests/services/think/test_links.py

.PHONY: setup lock check test warm cold docs export bench

setup:  ## make the environment, with the versions of requirements.lock
	python3 -m venv .venv && $(BIN)/pip install -q -c requirements.lock -e '.[test]'

lock:  ## take the newest versions that fit into requirements.lock
	$(BIN)/python -m uv pip compile pyproject.toml --extra test --universal --python-version 3.11 --upgrade --quiet \
	  --no-header --no-annotate --no-emit-index-url --output-file requirements.lock

check:  ## what a commit must pass, without the tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.compose_cypher --check

test:  ## the tests of FILE, on an engine that keeps running
	LEGACYMIND_TEST_HOME=$(TEST_HOME) $(BIN)/python -m pytest -q -p no:xdist $(FILE)

warm:  ## start that engine
	LEGACYMIND_HOME=$(TEST_HOME) $(BIN)/legacymind up

cold:  ## stop that engine, and delete what tests stored
	LEGACYMIND_HOME=$(TEST_HOME) $(BIN)/legacymind down
	rm -rf $(TEST_HOME)

export:  ## write what derives from code: statements, the schema, the tools, tables of the docs
	$(BIN)/python -m scripts.compose_cypher
	$(BIN)/python -m legacymind.doors.export
	$(BIN)/python -m scripts.update_docs

docs:  ## the documentation as a site, in site/
	$(BIN)/python -m mkdocs build

bench:  ## the jobs of an agent; bench/ has the other measurements
	$(BIN)/python -m bench.jobs
