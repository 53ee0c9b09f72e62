# The two commands that most need: `make run FILE=program.rb` and `make test`. Everything else is `cargo xtask`.
# On Debian both begin from nothing but a Rust toolchain.

SHELL := /bin/bash
TARGET := $(or $(CARGO_TARGET_DIR),target)
RUBELLITE := $(TARGET)/release/rubellite
FILE ?= examples/hello_threads.rb
# Arguments of the program that `make run` starts.
ARGS ?=
# A checkout of ruby/spec, one of mspec, and the Ruby to measure against.
SPEC ?= ../spec
MSPEC ?= ../mspec
VS ?= ruby

.PHONY: run build test fmt tidy unit suite checked stress fuzz lint bench spec deps deps-fuzz

run: build
	@$(RUBELLITE) $(FILE) $(ARGS)

build: deps
	cargo build --release --package rubellite

test: fmt tidy unit suite checked stress fuzz

fmt:
	cargo fmt --all --check

tidy:
	cargo xtask tidy

unit: deps
	cargo test --workspace --quiet

suite: build
	cargo xtask test

# The suite on a build in which every assertion is on.
checked: deps
	cargo build --package rubellite
	cargo xtask test --ruby $(TARGET)/debug/rubellite

# Every fuzz target for some seconds.
fuzz: deps deps-fuzz
	cargo xtask fuzz --smoke

stress: build
	cargo xtask stress --timeout 30 --budget 240

lint: deps
	cargo clippy --workspace --all-targets -- --deny warnings

bench: build
	cargo xtask bench $(if $(shell command -v $(VS)),--vs $(VS))

spec: build
	cargo xtask spec --path $(SPEC) --mspec $(MSPEC)

# $(call install,PACKAGES): brings packages of Debian when you are root, and names them when you are not.
define install
	@packages="$(1)"; \
	if [ -z "$${packages// /}" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	  apt-get update --quiet=2 && DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends $$packages; \
	else \
	  echo "These packages are missing:$$packages (install them with: sudo apt-get install$$packages)" >&2; exit 1; \
	fi
endef

# A C compiler builds the parser and the regexp engine; libruby carries the parts of the standard library that are
# written in Ruby.
deps:
	$(call install,$(shell command -v cc > /dev/null || echo " gcc libc6-dev")$(shell \
	  compgen -G '/usr/lib/ruby/[0-9]*/optparse.rb' > /dev/null || echo " libruby"))

# libFuzzer is C++.
deps-fuzz:
	$(call install,$(shell command -v c++ > /dev/null || echo " g++"))
