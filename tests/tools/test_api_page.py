"""The API pages show every public name, with what its docstring says and an example that is run."""

import inspect
import re

import pytest
from site_pages import built
from sphinx.util.inventory import InventoryFile

from tools.browser import SITE
from tools.notebooks import ROOT
from tools.reference import api

PUBLIC = {name: home for package in api.PACKAGES for name, home in api.public(package).items()}
VALUES = {name: getattr(home, name.rpartition(".")[2]) for name, home in PUBLIC.items()}
FUNCTIONS = {name: value for name, value in VALUES.items() if inspect.isfunction(value)}
ERRORS = {name: v for name, v in VALUES.items() if inspect.isclass(v) and issubclass(v, Exception)}
DESCRIBED = FUNCTIONS | {name: value for name, value in VALUES.items() if inspect.isclass(value)}


@pytest.mark.parametrize("package", api.PACKAGES)
def test_every_public_name_has_one_directive(package):
    library = __import__(package, fromlist="_")
    page = api.as_markdown(package)
    shown = re.findall(r"^\.\. (?:auto\w+:: |py:data:: (?=.*\n +:module: ))(\S+)", page, flags=re.M)
    names = sorted(name.rpartition(".")[2] for name in shown)
    assert names == sorted(name.rpartition(".")[2] for name in api.public(package))
    assert {f"{package}.{name}" for name in library.__all__} <= set(api.public(package))


@built
def test_the_built_pages_define_them():
    with (SITE / "objects.inv").open("rb") as file:
        objects = InventoryFile.load(file, "", lambda base, page: page)
    ours = [objects[kind] for kind in objects if kind.startswith("py:")]
    places = {name: entry[2] for named in ours for name, entry in named.items()}
    pages = {name: "api-proofs" if name.startswith("posenc_proofs.") else "api" for name in PUBLIC}
    expected = {name: f"book/reference/{page}.html#{name}" for name, page in pages.items()}
    assert {name: places.get(name) for name in PUBLIC} == expected


def test_everything_has_an_example():
    """But for the checker's classes, of which some show theirs on the pages."""
    silent = [name for name, value in DESCRIBED.items() if ">>>" not in str(inspect.getdoc(value))]
    assert [name for name in silent if name in FUNCTIONS or not name.startswith("posenc_proofs.")] == []


def test_every_function_of_the_library_says_what_it_refuses():
    library = {name: f for name, f in FUNCTIONS.items() if re.fullmatch(r"posenc_lib\.\w+", name)}
    assert [name for name, value in library.items() if "\nRaises:\n" not in str(inspect.getdoc(value))] == []


@pytest.mark.parametrize("name", sorted(DESCRIBED.keys() - ERRORS.keys()))
def test_only_arguments_that_exist_are_described_and_only_errors_that_come_are_promised(name):
    said, value = str(inspect.getdoc(DESCRIBED[name])), DESCRIBED[name]
    parts = dict(re.findall(r"^(Args|Raises):\n((?: .*\n|\n)*)", said + "\n", flags=re.M))
    heads = {part: re.findall(r"^ {4}(\w[\w, *]*):", text, flags=re.M) for part, text in parts.items()}
    taken = set(inspect.signature(value).parameters) | set(getattr(value, "__dataclass_fields__", ()))
    described = {word.strip("* ") for head in heads.get("Args", ()) for word in head.split(",")}
    assert described <= taken
    promised = {word.strip() for head in heads.get("Raises", ()) for word in head.split(",")}
    assert promised <= RAISED | {name.rpartition(".")[2] for name in ERRORS}


TEXT = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "posenc_lib").rglob("*.py"))
#: The errors that the library raises somewhere, and those that its own errors are kinds of.
RAISED = {*re.findall(r"\braise (\w+)\(", TEXT), *re.findall(r"^class \w+\((\w+)\):", TEXT, flags=re.M)}
