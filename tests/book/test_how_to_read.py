"""The numbers that "How to read the checks" says in words are those of the kernel and of the tests."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from posenc_proofs.derivation.records import MARK, WORD
from posenc_proofs.kernel.axioms import AXIOMS
from posenc_proofs.kernel.theorem import RULES
from tools.notebooks import ROOT
from tools.reference.records import in_print
from tools.weights import code_lines

TEXT = " ".join((ROOT / "book" / "how-to-read.md").read_text().split())
NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "twenty": 20, "thirty": 30,
    "twenty-five": 25, "thirty-five": 35, "forty": 40,
    "eleven hundred": 1100, "twelve hundred": 1200, "thirteen hundred": 1300, "fourteen hundred": 1400,
    "fifteen hundred": 1500, "sixteen hundred": 1600, "seventeen hundred": 1700, "twenty-nine hundred": 2900,
}  # fmt: skip


def test_the_story_that_is_quoted_is_one_of_the_book():
    page = (ROOT / "book" / "4-rotary" / "42-rotation-algebra.ipynb").read_text(encoding="utf-8")
    (told,) = re.findall(r'"eq-rot-add: (✔.*?)"', page)
    status, how, scope, wrong, sympy, place = told.split(" · ")
    said = f"{status}. *How*: {how}. *For*: {scope.removeprefix('for ')}. "
    said += f"*SymPy*: {sympy.removeprefix('SymPy: ')}. *Wrong versions*: {wrong}. "
    assert f"> {said}*In print*: {in_print(place)} " in TEXT


TRUSTED = """
import sys
import posenc_proofs.__main__
for name, module in sys.modules.items():
    if name.startswith("posenc_proofs") and module.__file__:
        print(module.__file__)
"""
LOADED = subprocess.run([sys.executable, "-c", TRUSTED], cwd=ROOT, capture_output=True, text=True, check=True)
SIZES = {path: code_lines(Path(path).read_text()) for path in LOADED.stdout.splitlines()}
KERNEL = sum(code_lines(path.read_text()) for path in (ROOT / "posenc_proofs/kernel").glob("*.py"))
READER = sum(size for path, size in SIZES.items() if "/kernel/" not in path)


@pytest.mark.parametrize(
    ("said", "counted"),
    [
        (r"`posenc_proofs.kernel`: some (\w+ hundred) lines", KERNEL),
        (r"`posenc_proofs.latex`, some ([\w-]+ hundred) lines", READER),
        (r"together some ([\w-]+ hundred) lines", KERNEL + READER),
        (r"about (\w+) rules", len(RULES)),
        (r"about ([\w-]+) axioms", len(AXIOMS)),
    ],
)
def test_about_so_many(said, counted):
    (word,) = re.findall(said, TEXT)
    assert abs(NUMBERS[word] - counted) <= 0.1 * NUMBERS[word], f"{word}: {counted}"


def test_a_mark_and_its_word_are_those_of_the_table():
    table = (ROOT / "book" / "how-to-read.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S) \| ([^|]+) \|", table, re.MULTILINE)
    stated_in_words = 1  # has no kind of its own
    assert dict(rows[:-stated_in_words]) == {MARK[kind]: word for kind, word in WORD.items()}
    assert MARK.keys() == WORD.keys() and len(rows) == len(MARK) + stated_in_words
