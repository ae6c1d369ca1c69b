"""The API pages show every public name, with what its docstring says and an example that is run."""

import inspect
import re

import pytest

import posenc_lib
from posenc_lib import kernels, proofs
from tools.reference import api

PACKAGES = {"posenc_lib": posenc_lib, "posenc_lib.kernels": kernels, "posenc_lib.proofs": proofs}


@pytest.fixture(scope="module", params=list(PACKAGES))
def package(request):
    return request.param


@pytest.fixture(scope="module")
def page(package):
    return api.as_markdown(package)


def shown(page):
    """Full names of what the page documents, read off its directives."""
    heads = re.findall(r"^`+\{py:\w+\} ([\w.]+).*\n:module: ([\w.]+)", page, flags=re.M)
    return [f"{module}.{name}" for name, module in heads]


def test_every_public_name_appears_once(package, page):
    names = shown(page)
    assert len(names) == len(set(names))
    assert {f"{package}.{name}" for name in PACKAGES[package].__all__} <= set(names)


def test_every_link_leads_to_something_that_a_page_shows(page):
    known = {name for package in PACKAGES for name in shown(api.as_markdown(package))}
    linked = set(re.findall(r"\{py:obj\}`\S+ <([\w.]+)>`", page))
    assert linked <= known and linked


def test_every_object_starts_with_a_sentence(package):
    for entry in api.entries(package):
        first = api._documentation(entry).strip().split("\n\n")[0]
        assert re.search(r"\w.*[.:…|`}]$", first, flags=re.S), entry.full_name


def test_everything_has_an_example(package):
    silent = api.without_example(package)
    if package != "posenc_lib.proofs":
        assert silent == []
    functions = [e.full_name for e in api.entries(package) if inspect.isfunction(e.value)]
    assert set(functions) & set(silent) == set()


def test_every_function_of_the_library_says_what_it_refuses():
    silent = [
        e.full_name
        for e in api.entries("posenc_lib")
        if inspect.isfunction(e.value) and e.package == "posenc_lib" and "Raises" not in e.value.__doc__
    ]
    assert silent == []


def test_no_restructured_text_is_left(page):
    assert not re.findall(r":(?:func|class|meth|data|math):`|\.\. math::|(?<!`)``(?!`)", page)
    assert "\0" not in page


def test_a_docstring_becomes_sections_with_types_links_and_formulas():
    def turn(angle: float, *, layout: str = "half") -> float:
        r"""Turn by :math:`\theta`.

        Args:
            angle: radians, as :func:`posenc_lib.cos_sin`
                takes them.
            layout: "half" or another.

        Raises:
            ValueError: never.

        Example:
            >>> 1 + 1
            2

        Source: nobody.
        """
        return angle

    text = api._block(api.Entry("posenc_lib", "turn", turn, "rotary"))
    assert text.startswith("`````{py:function} turn(angle, *, layout='half')\n:module: posenc_lib\n")
    assert r"Turn by {math}`\theta`." in text
    assert "- `angle` *float*: radians, as {py:obj}`cos_sin <posenc_lib.cos_sin>` takes them." in text
    assert '- `layout` *str*: `"half"` or another.' in text
    assert "**Raises**\n\n- `ValueError`: never." in text
    assert "```pycon\n>>> 1 + 1\n2\n```" in text
    assert "**Source**: nobody." in text


def test_every_name_has_a_place_in_the_reading_order(package):
    assert api.unplaced(package) == []


def test_a_name_without_a_place_is_shown_last_all_the_same(monkeypatch):
    monkeypatch.setitem(api.PACKAGES, "posenc_lib", api.LIBRARY[1:])
    page = api.as_markdown("posenc_lib")
    assert "posenc_lib.inv_freq" in api.unplaced("posenc_lib")
    assert "posenc_lib.inv_freq" in shown(page[page.index("## Further names") :])
