# Everything a newcomer needs: `make run` and `make test`. `make help` lists the rest.

BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
NEWEST_FIRST := python3 python python3.14 python3.13 python3.12 python3.11
IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in $(NEWEST_FIRST); do \
	$$name -c '$(IS_NEW_ENOUGH)' 2>/dev/null && command -v $$name && break; done)

.DEFAULT_GOAL := help
.PHONY: help run test check-content notebooks screenshots clean

help:  ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

run: .venv/installed  ## the course on http://127.0.0.1:8501
	$(BIN)/python -m streamlit run app.py

test: .venv/installed-dev  ## style, types, and every test: unit, page, content and browser
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy app.py
	$(BIN)/python -m pytest

check-content: .venv/installed-dev  ## only the content: lessons, texts, exercises (stub fails, solution passes, mistakes are named)
	$(BIN)/python -m pytest tests/test_content.py tests/test_texts.py $(addprefix tests/lessons/test_,lesson_file.py claims.py choices.py matching.py)

notebooks: .venv/installed  ## the student notebooks, in build/notebooks
	$(BIN)/python -m grader notebooks build/notebooks

screenshots: .venv/installed-dev  ## every page, light and dark, wide and narrow, in both languages, in build/screenshots
	$(BIN)/python tests/browser/screenshots.py build/screenshots

clean:  ## remove the environment and what was built; progress and attempts in data/ stay
	rm -rf .venv build

# A stamp is newer than the requirements it stands for, so that the second start installs nothing.
.venv/installed: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/installed-dev: requirements-dev.txt requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --disable-pip-version-check -r requirements-dev.txt
	@touch $@ .venv/installed

$(BIN)/python:
	@test -n "$(PYTHON)" || { \
		echo "No Python 3.11 or newer found (looked for: $(NEWEST_FIRST))."; \
		echo "Install one from your system's packages or python.org, or name yours: make run PYTHON=/path/to/python3"; \
		exit 1; }
	$(PYTHON) -m venv .venv
