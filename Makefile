# Everything a newcomer needs: `make run` and `make test`. CONTRIBUTING.md has the rest.
.PHONY: run test lint bench soak build site web modules missing setup browser

# Starts Agon on its embedded default. A second `make run` prints the address of the first.
run: web
	cargo run --release --quiet --bin agon -- serve --or-running

build: web
	cargo build --release --quiet --bin agon

# The web app, which becomes part of the program. It is built only if one of its files or folders is newer than the last build, or
# if there is none.
web_sources := $(shell find web -type d \( -name node_modules -o -name dist -o -name modules -o -name e2e \) -prune \
	-o ! -name '*.test.ts' ! -path web -print)
web: setup web/node_modules/.built
web/node_modules/.built: $(web_sources) web/modules/index.json $(if $(wildcard web/dist/index.html),,missing) | setup
	npm --prefix web run --silent build
	@touch $@
missing:

# The web app as a folder for any web host.
site: build
	cargo run --release --quiet --bin agon -- export-site site

# The modules with which the web app plays by itself, one a game. The app is built again if they have changed.
modules: setup
	scripts/modules
web/modules/index.json: modules
	@:

test: setup browser lint web
	scripts/test

# Formatting, types and lints, with warnings as errors.
lint: setup
	scripts/lint

# Our speed beside that of others, in one run. Installs the others where they are missing.
bench: setup
	bench/run.sh

# Attacks the program, as it is released, for so many minutes; says at the end what was tried and that nothing was lost.
MINUTES ?= 60
soak: build
	AGON_TEST_PROGRAM=$(CURDIR)/target/release/agon AGON_SOAK_MINUTES=$(MINUTES) \
		cargo test --quiet --package agon --test attacks -- --nocapture

setup:
	@scripts/setup

# A browser for tests.
browser:
	@scripts/setup browser
