# The two commands that most need: `make run FILE=program.rb` and `make test`. Everything else is `cargo xtask`.
# On Debian both begin from nothing but a Rust toolchain.

SHELL := /bin/bash
TARGET := $(or $(CARGO_TARGET_DIR),target)
RUBELLITE := $(TARGET)/release/rubellite
LIBRARY := $(TARGET)/lib/rubellite
BUILT := BINARY='$(RUBELLITE)' LIBRARY='$(LIBRARY)'
PREFIX ?= /usr/local
DESTDIR ?=
# A second name for the command.
RUBY_NAME ?=
FILE ?= examples/hello_threads.rb
# Arguments of the program that `make run` starts.
ARGS ?=
# A checkout of ruby/spec, one of mspec, and the Ruby to measure against.
SPEC ?= ../spec
MSPEC ?= ../mspec
VS ?= ruby

.PHONY: run build test fmt tidy docs ports unit suite checked hostile race stress fuzz lint bench spec deps deps-fuzz compiler openssl library \
  install uninstall dist deb packaging pages shop

run: build
	@$(RUBELLITE) $(FILE) $(ARGS)

build: deps
	cargo build --release --package rubellite

test: fmt tidy lint docs ports unit suite packaging pages checked hostile race stress fuzz

fmt:
	cargo fmt --all --check

tidy:
	cargo xtask tidy

# The documentation of the crates that other programs use.
docs: deps
	RUSTDOCFLAGS='--deny warnings' cargo doc --quiet --no-deps --package rubellite --package rubellite-vmlock --package rubellite-region

# The lock for other systems: checked, not run. Needs the targets of rustup, and no linker.
PORTS := aarch64-unknown-linux-gnu x86_64-apple-darwin

ports:
	cargo check --quiet --package rubellite-vmlock --features portable
	@if command -v rustup > /dev/null && rustup target add $(PORTS); then \
	  for port in $(PORTS); do cargo check --package rubellite-vmlock --target $$port || exit 1; done; \
	else echo "ports: no rustup, or it has no targets here: $(PORTS) were not checked"; fi

unit: deps
	cargo test --workspace --quiet

suite: build
	cargo xtask test

# The suite on a build in which every assertion is on.
checked: deps
	cargo build --package rubellite
	cargo xtask test --ruby $(TARGET)/debug/rubellite

# Calls of all methods with values that misbehave, and changes beside native operations, on that build. The seed is fixed, so that what
# fails can be seen again; longer runs by hand look for more.
hostile: checked
	cargo xtask hostile --seed 1 --seconds 20 --ruby $(TARGET)/debug/rubellite

race: checked
	cargo xtask race --seed 1 --seconds 20 --ruby $(TARGET)/debug/rubellite

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

# $(call bring,PACKAGES): a command that brings packages of Debian when you are root, and names them when you are not.
define bring
	packages="$(1)"; \
	if [ -z "$${packages// /}" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	  apt-get update --quiet=2 && DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends $$packages; \
	else \
	  echo "These packages are missing:$$packages (install them with: sudo apt-get install$$packages)" >&2; exit 1; \
	fi
endef

# A C compiler builds the parser and the regexp engine; Ruby's library carries what is written in Ruby.
deps: compiler library openssl

compiler:
	@$(call bring,$(shell command -v cc > /dev/null || echo " gcc libc6-dev"))

# The system's OpenSSL, which pkg-config finds; OPENSSL_DIR names another one.
openssl:
	@[ -n "$$OPENSSL_DIR" ] || pkg-config --exists 'openssl >= 3' 2> /dev/null || { $(call bring, pkg-config libssl-dev); }

# Through npm; without it, or without the network, the system's libruby takes its place.
library: compiler
	@[ -e $(LIBRARY)/RELEASE ] || [ "$$(id -u)" != 0 ] || ( $(call bring,$(shell command -v npm > /dev/null || echo " npm")) ) || true
	@cargo xtask library || [ -n "$$(compgen -G '/usr/lib/ruby/[0-9]*/optparse.rb')" ] || { $(call bring, libruby); }

# libFuzzer is C++.
deps-fuzz:
	@$(call bring,$(shell command -v c++ > /dev/null || echo " g++"))

# The executable finds the library from where it lies itself. Programs of another Ruby stay as they are.
# PREFIX and DESTDIR are as everywhere; RUBY_NAME=ruby gives the command that name, too. Under sudo, what is built already is taken.
install: $(if $(SUDO_USER),,build)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' RUBY_NAME='$(RUBY_NAME)' $(BUILT) packaging/install.sh install

# Takes away what `make install` with the same PREFIX and DESTDIR brought, and nothing else.
uninstall:
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' packaging/install.sh uninstall

# A tar that runs from wherever it is unpacked, and a Debian package.
dist: build
	@OUT='$(TARGET)/dist' $(BUILT) packaging/archive.sh tar

deb: build
	@OUT='$(TARGET)/dist' $(BUILT) packaging/archive.sh deb

# Installs, packs, unpacks and removes what `build` made, and runs programs in between.
packaging: build
	cargo xtask packaging

# The Rails application of examples/shop with its servers, on loopback, until it is interrupted.
shop: build
	@$(RUBELLITE) examples/shop/bin/shop start $(ARGS)

# The pages that the command writes, in Chromium, where there is one.
pages: build
	cargo xtask pages
