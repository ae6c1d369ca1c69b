"""A page that shows what its certificates do not prove is refused, however it was forged."""

import copy
import json

import pytest

from posenc_proofs.__main__ import main
from posenc_proofs.derivation.cells import Cells
from posenc_proofs.kernel.pages import STEP
from posenc_proofs.latex.shown import bundle

PAGE = r"""for all x, y ∈ ℝ and every real function f
K(x) := x^2
R_x := \begin{pmatrix} \cos x & -\sin x \\ \sin x & \cos x \end{pmatrix}
model f(x) := 1 + x^2
assume eq-wish: f(x) = 1 + x^2  -- a wish
eq-one: K(x) + 1 = 1 + x^2  -- put in
eq-two: \cos(x)^2 + \sin(x)^2 = 1  -- Pythagoras
eq-rows: -x^2
  \le 0    -- a square  [adding rest x^2]
  \le x^2  -- again     [adding rest x^2]
eq-turn: R_x R_y = R_{x + y}  -- angles add
eq-rests: 2 f(x) = 2 + 2x^2  -- twice  [follows eq-wish]
refute eq-false: \cos(x) = 1  -- not always
  at: x = 1
words thm-circle (Theorem): A circle.
  steps: eq-two"""
AGAIN = r"""for all x ∈ ℝ
recall eq-two: \cos(x)^2 + \sin(x)^2 = 1
eq-double: \sin(2x) = 2\sin(x)\cos(x)  -- double angle"""
NOTHING = {
    "version": 1, "claim": {"hypotheses": [], "left": 0, "relation": "=", "right": 0},
    "terms": [["num", "1", "0"]], "steps": [["ring", 0, 0]], "model": [],
}  # fmt: skip


@pytest.fixture(scope="module")
def outputs():
    """Those of a page with one result of each kind that matters."""
    cells = Cells()
    made = [*cells.write("forged", PAGE), *cells.write("again", AGAIN)]
    return json.loads(json.dumps([{"data": result._repr_mimebundle_()} for result in made]))


def written(folder, outputs, name="page"):
    path = folder / f"{name}.ipynb"
    path.write_text(json.dumps({"cells": [{"outputs": outputs}]}), encoding="utf-8")
    return path


def of(outputs, label, kind=None):
    """The data of the result of this label."""
    return next(
        o["data"]
        for o in outputs
        if o["data"][STEP]["label"] == label and kind in (None, o["data"][STEP]["kind"])
    )


def changing(label, **fields):
    """The record says otherwise; the Markdown stays."""
    return lambda outputs: of(outputs, label)[STEP].update(fields)


def saying(label, old, new):
    """Record, Markdown and text all say otherwise, as a careful forger would have it."""

    def forge(outputs):
        data = of(outputs, label)
        for kind, text in data.items():
            if kind == STEP:
                data[kind] = {
                    k: v.replace(old, new) if isinstance(v, str) else v for k, v in data[kind].items()
                }
            else:
                data[kind] = text.replace(old, new)

    return forge


def printing(label, old, new, kind="text/markdown"):
    """One of what a reader sees says otherwise; the record stays."""

    def forge(outputs):
        data = of(outputs, label)
        assert old in data[kind]
        data[kind] = data[kind].replace(old, new)

    return forge


def without(label, *claims):
    """Some certificates, or all, are gone."""

    def forge(outputs):
        kept = of(outputs, label)[STEP]["certificates"]
        for claim in claims or list(kept):
            del kept[claim]

    return forge


def with_one(label, name, of_label="eq-two"):
    """One certificate more."""

    def forge(outputs):
        (text,) = of(outputs, of_label)[STEP]["certificates"].values()
        of(outputs, label)[STEP]["certificates"][name] = text

    return forge


def exchanged(one, other):
    def forge(outputs):
        a, b = of(outputs, one)[STEP]["certificates"], of(outputs, other)[STEP]["certificates"]
        a[one], b[other] = b[other], a[one]

    return forge


def entries_exchanged(outputs):
    kept = of(outputs, "eq-turn")[STEP]["certificates"]
    kept["eq-turn[1]"], kept["eq-turn[2]"] = kept["eq-turn[2]"], kept["eq-turn[1]"]


def proved_without_proof(outputs):
    saying("eq-wish", "assumed", "proved")(outputs)
    saying("eq-wish", "◇ proved here", "✔ proved · hypothesis")(outputs)


def nothing_proves_it(outputs):
    """A true theorem, 1 = 1, below a false formula."""
    of(outputs, "eq-double")[STEP]["certificates"]["eq-double"] = json.dumps(NOTHING)
    saying("eq-double", of(outputs, "eq-double")[STEP]["latex"], "0 = 1")(outputs)


def shown_otherwise(outputs):
    of(outputs, "eq-two")["text/html"] = "<p>0 = 1, proved</p>"


def record_gone(outputs):
    del of(outputs, "eq-two", "proved")[STEP]


def hypothesis_gone(outputs):
    outputs.remove(next(o for o in outputs if o["data"][STEP]["label"] == "eq-wish"))


def hypothesis_twice(outputs):
    """Another wish stands beside the one that is used."""
    other = next(o for o in outputs if o["data"][STEP]["label"] == "eq-wish")
    outputs.insert(0, copy.deepcopy(other))
    saying("eq-wish", "x^2", "x^3")(outputs)


def display_in_a_reason(outputs):
    data = of(outputs, "eq-double")
    data[STEP]["reasons"] = ["so\n\n$$\n0 = 1\n$$"]
    data.update(bundle(data[STEP], {}))


FORGED = {
    "all certificates are gone": (without("eq-two"), "eq-two"),
    "a row's certificate is gone": (without("eq-rows", "eq-rows.2"), "eq-rows"),
    "the first row's is gone": (without("eq-rows", "eq-rows.1"), "eq-rows"),
    "an entry's certificate is gone": (without("eq-turn", "eq-turn[4]"), "eq-turn"),
    "those of what is recalled are gone": (
        lambda outputs: of(outputs, "eq-two", "recalled")[STEP].update(certificates={}), "eq-two"),
    "an entry too many": (with_one("eq-turn", "eq-turn[5]"), "eq-turn"),
    "a row too many": (with_one("eq-two", "eq-two.3"), "eq-two"),
    "another result's name": (with_one("eq-two", "eq-other"), "eq-two"),
    "certificates of what is assumed": (with_one("eq-wish", "eq-wish"), "eq-wish"),
    "two results exchanged": (exchanged("eq-two", "eq-double"), "eq-two"),
    "two entries exchanged": (entries_exchanged, "eq-turn"),
    "a certificate that proves nothing of it": (nothing_proves_it, "eq-double"),
    "a certificate that is none": (changing("eq-double", certificates={"eq-double": "[]"}), "eq-double"),
    "assumed, and shown as proved": (proved_without_proof, "eq-wish"),
    "assumed, and kept as proved": (changing("eq-wish", kind="proved", status="proved"), "eq-wish"),
    "proved in its status alone": (changing("eq-wish", status="proved"), "eq-wish"),
    "refuted, and shown as proved": (printing("eq-false", "✘ refuted", "✔ proved"), "eq-false"),
    "proved, and kept as assumed": (changing("eq-two", kind="assumed", status="assumed"), "eq-two"),
    "another formula is shown": (printing("eq-double", "= 2", "= 3"), "eq-double"),
    "another formula is kept": (changing("eq-double", latex="0 = 1"), "eq-double"),
    "another formula is shown and kept": (saying("eq-two", "= 1", "= 2"), "eq-two"),
    "a second formula is shown": (printing("eq-double", "\n\n<div", "\n\n$$0 = 1$$\n\n<div"), "eq-double"),
    "and below": (printing("eq-double", "</div>\n", "</div>\n\n$$0 = 1$$\n"), "eq-double"),
    "another number": (printing("eq-double", "$$ (eq-double)", "$$ (eq-one)"), "eq-double"),
    "another scope is shown": (printing("eq-double", "x ∈ ℝ", "x ∈ ℂ"), "eq-double"),
    "another scope as text": (printing("eq-double", "x ∈ ℝ", "x ∈ ℂ", "text/plain"), "eq-double"),
    "another scope is kept": (changing("eq-double", scope="for all x ∈ ℂ"), "eq-double"),
    "another scope is shown and kept": (saying("eq-double", "x ∈ ℝ", "x ∈ ℂ"), "eq-double"),
    "a name that says more": (saying("eq-double", "x ∈", "x, and\u2800all\u2800y ∈"), "eq-double"),
    "a display in a reason": (display_in_a_reason, "eq-double"),
    "no scope": (saying("eq-double", " · for all x ∈ ℝ", ""), "eq-double"),
    "a hypothesis is not named": (printing("eq-rests", "rests on", "uses"), "eq-rests"),
    "a hypothesis is not kept": (changing("eq-rests", rests_on=[]), "eq-rests"),
    "a hypothesis of every function": (
        saying("eq-wish", "assumed of the real function f, for", "for every real function f and"), "eq-wish"),
    "a hypothesis of nobody": (saying("eq-wish", "assumed of the real function f,", "assumed"), "eq-rests"),
    "every function, in what rests on one": (saying("eq-rests", " as assumed", ""), "eq-rests"),
    "a hypothesis says otherwise": (saying("eq-wish", "x^2", "x^3"), "eq-rests"),
    "a hypothesis is not shown": (hypothesis_gone, "eq-rests"),
    "a hypothesis stands twice": (hypothesis_twice, "eq-wish"),
    "a link leads elsewhere": (printing("eq-rests", "#equation-eq-wish", "#equation-eq-one"), "eq-rests"),
    "a definition says otherwise": (saying("def-forged-1", "x^2", "x^3"), "eq-one"),
    "a definition of a power": (saying("def-forged-1", "K(x)", "x^2"), "eq-two"),
    "shown as HTML, too": (shown_otherwise, "eq-two"),
    "a mark without a record": (record_gone, "no result"),
    "a record of other fields": (changing("eq-double", certificates=[]), "a result"),
    "a display in a theorem in words": (saying("thm-circle", "A circle.", "$$1 = 2$$"), "thm-circle"),
    "a mark in a theorem in words": (saying("thm-circle", "A circle.", "<p class=check>"), "thm-circle"),
    "a label that goes on": (saying("thm-circle", "thm-circle", "thm-circle) and (b"), "thm-circle) and (b"),
    "a hypothesis that is nobody's, in two rows": (saying("eq-wish", " = 1 +", " = 0 = 1 +"), "eq-wish"),
    "a step of a theorem in words is false": (changing("thm-circle", uses=["eq-false"]), "thm-circle"),
    "a theorem in words is proved": (printing("thm-circle", "¶ in words", "✔ proved"), "thm-circle"),
}  # fmt: skip


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_page_is_refused(tmp_path, outputs, how, capsys):
    forge, label = FORGED[how]
    forged = copy.deepcopy(outputs)
    forge(forged)
    assert forged != outputs
    assert main([written(tmp_path, forged)]) == 1
    assert f"page.ipynb: {label}: " in capsys.readouterr().out


def test_a_text_shows_no_box_of_a_mark(tmp_path, outputs, capsys):
    boxes = ['<p class="check check-proved">✔ proved</p>', "<P CLASS=&#99;heck>", '<p class\n="check">']
    boxes += [
        '<p class="a>b check">',
        "<p class='a>\ncheck'>",
        "[proved]{.a .check}",
        "[proved]{class=check}",
    ]
    boxes += [f":::{option}\n✔ proved\n:::" for option in ("{container} a check", "{note}\n:class: check")]
    boxes += ["```{eval-rst}\n.. container:: check\n\n   ✔\n```", "```{note}\n---\nclass: a check\n---\n```"]
    texts = [*boxes, "the mark ✔, in words", "in this class we check it", "{cite}`a` and the check"]
    cells = [{"cell_type": "markdown", "source": text.splitlines(keepends=True)} for text in texts]
    path = tmp_path / "page.ipynb"
    path.write_text(json.dumps({"cells": [{"outputs": outputs}, *cells]}), encoding="utf-8")
    assert main([path]) == 1
    found = capsys.readouterr().out
    assert found.count("page.ipynb: no result: a mark without a record") == len(boxes)
    assert "in this class" not in found and "{cite}" not in found and "in words" not in found


def test_the_page_itself_is_not(tmp_path, outputs, capsys):
    assert main([written(tmp_path, outputs)]) == 0
    said = capsys.readouterr().out
    assert "6 results rebuilt from 11 claims and read as they are shown, 1 recalled, 0 wrong" in said


def test_a_result_of_two_pages_is_refused(tmp_path, outputs, capsys):
    for name in "ab":
        written(tmp_path, outputs, name)
    assert main([tmp_path]) == 1
    assert "a.ipynb: eq-one: two claims have this name" in capsys.readouterr().out
