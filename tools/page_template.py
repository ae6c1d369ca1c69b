"""The page that ``tools.new_page`` starts from: whole, and checked, with what its author is to say in «…»."""

from __future__ import annotations

import re

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

UNWRITTEN = "«"

INSTALL = """\
try:
    import posenc_book
except ModuleNotFoundError:  # in Colab, say
    import subprocess
    import sys

    address = "git+ADDRESS"
    parts = [address] + [f"{address}#subdirectory=distributions/{part}" for part in ("proofs", "book")]
    install = [sys.executable, "-m", "pip", "-q", "install", "--no-deps"]
    subprocess.check_call([*install, *parts, "python-flint"])"""

QUESTION = """\
# TITLE

**«The question that this page answers?»** «The answer, and whose claim it is: {cite}`su2021roformer`, say.»

You will be able to

- «do this»;
- «tell that from something else»."""

IMPORTS = """\
import torch
from sympy import I, conjugate, exp

from posenc_book.figures.style import Plot, figure
from posenc_lib import apply_rotary, cos_sin, inv_freq
from posenc_lib.proofs import Derivation, complexes, eq, integers, reals

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)"""

WORDS = """\
## «What is proved»

«What the letters stand for, and what comes out, in words.» A query at $m$ and a key at $n$ turn:"""

PROOF = """\
m, n = integers("m n")
theta = reals("theta")
q, k = complexes("q k")
D = Derivation("NAME")
D.prove("eq-NAME-distance", q*exp(I*m*theta) * conjugate(k*exp(I*n*theta)),
        eq(q*conjugate(k) * exp(I*m*theta)*exp(-I*n*theta), "a conjugate turns back"),
        eq(q*conjugate(k) * exp(I*(m - n)*theta), "angles add"),
        library="posenc_lib.apply_rotary")"""

NUMBER_WORDS = """\
## «In numbers»

«What the library gives, and what of it {eq}`eq-NAME-distance` foretells.» Both positions move by 100:"""

NUMBER = """\
query, key = torch.randn(2, 1, 1, 1, 64)

def score(m, n):
    turned = [apply_rotary(x, *cos_sin(inv_freq(64), torch.tensor([position]), dtype=x.dtype))
              for x, position in ((query, m), (key, n))]
    return (turned[0] @ turned[1].mT).item()

for pair in ((5, 3), (105, 103)):
    print(f"positions {pair}: score {score(*pair):.6f}")"""

FIGURE_WORDS = """\
## «In a picture»

«What to look at.»"""

FIGURE = """\
distances = range(65)
scores = [score(x, 0) for x in distances]
made, axes = figure()
axes.plot(distances, scores)
axes.set_xlabel("distance m − n")
axes.set_ylabel("score")
Plot(made, title="«The claim that the figure supports»",
     alt="«What the curve does, for readers who cannot see it.»", data={"scores": scores})"""

LIMIT_WORDS = """\
## «Where it breaks»

«What does not hold, and for whom it matters.» Without the conjugate the positions add:"""

LIMIT = """\
D.refute("eq-NAME-slip", exp(I*m*theta)*exp(I*n*theta), exp(I*(m - n)*theta),
         because="no conjugate: the angles add where they should be subtracted",
         at={m: 0, n: 1, theta: 1})"""

EXERCISES = """\
## Exercises

**1.** «Something to find out by changing one line above.»

:::{dropdown} Solution
«The answer, with its reason.»
:::"""

CHECK = """\
print(f"1: {score(7, 7):.6f} = {(query @ key.mT).item():.6f}")"""


def skeleton(name: str, title: str, address: str) -> NotebookNode:
    """A page not yet executed: ``name`` goes into its labels, ``address`` is the repository's."""

    said = {"TITLE": title, "NAME": name, "ADDRESS": address}

    def filled(text: str) -> str:
        return re.sub("|".join(said), lambda found: said[found[0]], text)

    def code(text: str, tag: str | None = None) -> NotebookNode:
        return new_code_cell(filled(text), metadata={"tags": [tag]} if tag else {})

    def words(text: str) -> NotebookNode:
        return new_markdown_cell(filled(text))

    cells = [
        *(words(QUESTION), code(INSTALL, "remove-cell"), code(IMPORTS, "hide-input")),
        *(words(WORDS), code(PROOF)),
        *(words(NUMBER_WORDS), code(NUMBER)),
        *(words(FIGURE_WORDS), code(FIGURE, "hide-input")),
        *(words(LIMIT_WORDS), code(LIMIT)),
        *(words(EXERCISES), code(CHECK, "hide-cell")),
    ]
    return new_notebook(cells=cells)
