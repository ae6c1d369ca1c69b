"""Jupyter Book can be left: with the conf.py that it writes Sphinx alone gets the same configuration."""

import shutil

import jupyter_book.sphinx
import pytest
from click.testing import CliRunner
from jupyter_book.cli.main import main

from tools.notebooks import ROOT


class Started(BaseException):
    """Instead of a build: what it would have been started with. Jupyter Book catches every Exception."""


@pytest.fixture
def book(tmp_path):
    for name in ("_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def given(book, monkeypatch):
    """The configuration with which `jupyter-book build`, as the Makefile calls it, starts Sphinx."""

    def start(**words):
        raise Started(words)

    monkeypatch.setattr(jupyter_book.sphinx, "Sphinx", start)
    with pytest.raises(Started) as started:
        CliRunner().invoke(main, ["build", str(book), "-q", "-W", "-n"], catch_exceptions=False)
    return started.value.args[0]["confoverrides"]


def written(book):
    """What Sphinx reads of the conf.py that `jupyter-book config sphinx` writes."""
    done = CliRunner().invoke(main, ["config", "sphinx", str(book)])
    assert done.exit_code == 0, done.output
    values = {}
    exec((book / "conf.py").read_text(encoding="utf-8"), values)
    return {name: value for name, value in values.items() if name != "__builtins__"}


def test_sphinx_alone_gets_the_configuration_that_jupyter_book_gives_it(book, monkeypatch):
    alone, by_jupyter_book = written(book), given(book, monkeypatch)
    assert len(alone) > 40 and {"extensions", "html_theme", "suppress_warnings"} <= alone.keys()
    assert by_jupyter_book.pop("nitpicky") is True  # -n
    assert by_jupyter_book.pop("external_toc_path") == str(book / alone.pop("external_toc_path"))
    assert alone == by_jupyter_book
