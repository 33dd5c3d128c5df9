# Everything a newcomer needs: `make run` and `make test`. CONTRIBUTING.md has the rest.
.PHONY: run test lint bench build web setup browser

# Starts Agon on its embedded default. A second `make run` prints the address of the first.
run: build
	cargo run --release --quiet --bin agon -- serve --or-running

build: web
	cargo build --release --quiet --bin agon

# The web app, which becomes part of the program.
web: setup
	npm --prefix web run --silent build

test: setup browser lint web
	scripts/test

# Formatting, types and lints, with warnings as errors.
lint: setup
	scripts/lint

# Our speed beside that of others, in one run. Installs the others where they are missing.
bench: setup
	bench/run.sh

setup:
	@scripts/setup

# A browser for tests.
browser:
	@scripts/setup browser
