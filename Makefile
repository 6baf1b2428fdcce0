# Everything that these targets make lies in .venv/ and build/. What each is for: README.md and CONTRIBUTING.md.
#
#   make demo     convert TileGym's kernels in scope and verify them
#   make test     every check there is (.ci/run calls this)
#   make golden   record golden/*/{launches.jsonl,ir.txt,kernel.rs} anew
#   make bench    measure conversion speed
#   make clean    remove build/; the virtual environment stays

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

PYTHON ?= python3
JOBS ?= 2
ARCH ?= sm_90
BIN := .venv/bin
STAMPS := .venv/stamps
DEMO := build/demo
LAUNCHES := examples/tilegym_launches.jsonl

# One folder for everything that cargo builds, so that crates share what they depend on.
export CARGO_TARGET_DIR ?= $(CURDIR)/build/target
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Rust needs to be told where the CUDA headers and libclang of the PyPI packages are.
CARGO_ENV = eval "$$($(BIN)/python transpiler/cutile2rs/host/runtime/build_env.py)"; export PYO3_PYTHON="$(CURDIR)/$(BIN)/python"
TILECHECK := $(shell find tilecheck rust_templates/runtime -name target -prune -o -type f \
	\( -name '*.rs' -o -name '*.toml' -o -name '*.lock' -o -name '*.py' \) -print)

.PHONY: demo test golden bench clean setup lint lint-python lint-rust

demo: setup
	$(BIN)/cutile2rs convert $$($(BIN)/python examples/tilegym_scope.py) -o $(DEMO)
	$(BIN)/cutile2rs verify $(DEMO) --launches $(LAUNCHES) --arch $(ARCH) --json build/demo-verdicts.jsonl -j $(JOBS)

test: lint
	$(BIN)/pytest -n $(JOBS) --dist worksteal

golden: setup
	$(BIN)/python golden/make_launches.py
	$(BIN)/python golden/make_launches.py examples/tilegym_launches.toml
	$(BIN)/python golden/record.py

bench: setup
	$(BIN)/python benchmarks/convert_speed.py

clean:
	rm -rf build

lint: lint-python lint-rust

lint-python: setup
	$(BIN)/ruff check .
	$(BIN)/mypy

# The support crate is made of templates: tests/support formats and lints what is made.
lint-rust: setup
	cargo fmt --check --manifest-path tilecheck/Cargo.toml
	$(CARGO_ENV); cargo clippy --locked --quiet --manifest-path tilecheck/Cargo.toml -- -D warnings

setup: $(STAMPS)/python $(STAMPS)/tilecheck

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	@command -v cargo > /dev/null || { echo "a Rust toolchain is needed: https://rustup.rs" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	mkdir -p $(STAMPS)
	touch $@

$(STAMPS)/python: $(STAMPS)/venv pyproject.toml docs/constraints.txt
	$(BIN)/pip install --quiet --constraint docs/constraints.txt --editable '.[verify,dev,build]'
	$(BIN)/pip install --quiet --constraint docs/constraints.txt --no-deps tilegym==1.5.1
	touch $@

$(STAMPS)/tilecheck: $(STAMPS)/venv $(TILECHECK) | $(STAMPS)/python
	$(CARGO_ENV); PATH="$(CURDIR)/$(BIN):$$PATH" VIRTUAL_ENV="$(CURDIR)/.venv" \
		$(BIN)/maturin develop --release --locked --manifest-path tilecheck/Cargo.toml
	touch $@
