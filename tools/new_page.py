"""Make a new page of the book: a skeleton to write into, executed, and its line in ``_toc.yml``.

    python -m tools.new_page 4-rotary/410-partial-rotation "Partial rotation"

The number begins with its part's digit: 410 is chapter 4.10, and comes after 4.9 in ``_toc.yml``.
"""

from __future__ import annotations

import argparse
import re
import sys
from itertools import count
from pathlib import Path

import yaml

from tools import contents, execute
from tools.chapter_numbers import number
from tools.notebooks import ROOT, canonical
from tools.page_template import UNWRITTEN, skeleton
from tools.reference.records import LedgerError, read_pages
from tools.whole_files import write_whole

_FORM = re.compile(r"(?P<part>\w+(?:-\w+)*)/(?P<number>\d+)-(?P<name>[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)")


class Refused(Exception):
    """The page cannot be made; the message says why, and what is possible."""


def place(wanted: str, title: str, root: Path) -> tuple[str, str, str]:
    """(the page's name, the page it comes after, what its labels are called), if such a page can be made.

    Raises
    ------
    Refused
        for another form than PART/NN-name, a part that there is not, a number or title that is taken.
    """
    form = _FORM.fullmatch(wanted)
    if not form:
        raise Refused(f"{wanted!r} is not of the form PART/NN-name, as 4-rotary/410-partial-rotation is")
    folders = _folders(root)
    if form["part"] not in folders:
        raise Refused(f"there is no part {form['part']!r}; the parts are {', '.join(folders)}")
    pages = folders[form["part"]]
    digit, taken = form["part"][0], {Path(page).name.partition("-")[0]: page for page in pages}
    free = next(some for k in count(1) if (some := f"{digit}{k}") not in taken)
    if not re.fullmatch(rf"{digit}[1-9]\d*", form["number"]):
        raise Refused(f"numbers of {form['part']} are {digit}1, {digit}2 and so on; the next free is {free}")
    if form["number"] in taken:
        raise Refused(f"{form['number']} is taken by {taken[form['number']]}; the next free is {free}")
    if not title.strip() or title != " ".join(title.split()):
        raise Refused(f"a title is a line of words, got {title!r}")
    try:
        titles = {page.title.lower(): page.name for page in read_pages(root)}
    except LedgerError as error:
        raise Refused("; ".join(str(error).splitlines())) from None
    if title.lower() in titles:
        raise Refused(f"{title!r} is the title of {titles[title.lower()]}; a reader needs another")
    before = (page for page in pages if number(page) < number(wanted))
    return f"book/{wanted}", max(before, key=number), form["name"]


def _folders(root: Path) -> dict[str, list[str]]:
    """The folder of each part whose pages are numbered, and those pages in reading order."""
    folders: dict[str, list[str]] = {}
    for name in contents.page_names(root):
        if re.fullmatch(r"book/\d[^/]*/\d[^/]*", name):
            folders.setdefault(name.split("/")[1], []).append(name)
    return folders


def with_entry(toc: str, after: str, new: str) -> str:
    """``_toc.yml`` with one more line, below that of ``after``; all others stay as they are.

    Raises
    ------
    Refused
        where a line would not do.
    """
    wanted = yaml.safe_load(toc)
    for part in wanted["parts"]:
        if {"file": after} in part["chapters"]:
            part["chapters"].insert(part["chapters"].index({"file": after}) + 1, {"file": new})
    entry = re.compile(rf"^( *- file: *){re.escape(after)} *(#.*)?$", re.MULTILINE)
    longer = entry.sub(lambda found: f"{found[0]}\n{found[1]}{new}", toc)
    if longer == toc or yaml.safe_load(longer) != wanted:
        raise Refused(f"_toc.yml has no line of its own for {after}, below which {new} would go")
    return longer


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.new_page")
    parser.add_argument("page", help="PART/NN-name, for example 4-rotary/410-partial-rotation")
    parser.add_argument("title", help='for example "Partial rotation"')
    options = parser.parse_args(arguments)
    contents_file = ROOT / "_toc.yml"
    try:
        name, after, label = place(options.page, options.title, ROOT)
        longer = with_entry(contents_file.read_text(encoding="utf-8"), after, name)
    except Refused as refused:
        print(f"No page was made: {refused}", file=sys.stderr)
        return 1
    notebook = ROOT / f"{name}.ipynb"
    write_whole(notebook, canonical(skeleton(label, options.title)))
    if execute.main([str(notebook)]):
        notebook.unlink()
        print("No page was made: the template does not run here, see above", file=sys.stderr)
        return 1
    write_whole(contents_file, longer)
    print(f"{name}.ipynb is executed, and has its line in _toc.yml, below {after}.")
    print(f"Write what stands in {UNWRITTEN}…», renew it: python -m tools.execute {name}.ipynb")
    print("Then: make book, make test. A new letter goes to notation.yml.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
