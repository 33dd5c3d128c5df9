# Everything a newcomer needs: `make run` and `make test`. CONTRIBUTING.md has the rest.
.PHONY: run test lint bench build setup

run: setup
	cargo run --release --quiet --bin agon

build: setup
	cargo build --release

test: setup lint
	scripts/test

# Formatting and lints, with warnings as errors.
lint: setup
	scripts/lint

# Our speed beside that of others, in one run. Installs the others where they are missing.
bench: setup
	bench/run.sh

setup:
	@scripts/setup
