# Everything a newcomer needs: `make run` and `make test`. CONTRIBUTING.md has the rest.
.PHONY: run test lint bench build web missing setup browser

# Starts Agon on its embedded default. A second `make run` prints the address of the first.
run: web
	cargo run --release --quiet --bin agon -- serve --or-running

build: web
	cargo build --release --quiet --bin agon

# The web app, which becomes part of the program. It is built only if one of its files or folders is newer than the last build, or
# if there is none.
web_sources := $(shell find web -type d \( -name node_modules -o -name dist -o -name e2e \) -prune \
	-o ! -name '*.test.ts' ! -path web -print)
web: setup web/node_modules/.built
web/node_modules/.built: $(web_sources) $(if $(wildcard web/dist/index.html),,missing) | setup
	npm --prefix web run --silent build
	@touch $@
missing:

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
