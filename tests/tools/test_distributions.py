"""Library, checker and figures install apart: each holds its own, and works with what it declares."""

import re
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution, packages_distributions

import nbformat
import pytest
import tomllib
from packaging.requirements import Requirement
from whole_runs import whole_runs

from tools.contents import find_notebooks
from tools.notebooks import ROOT

LICENSE = (ROOT / "LICENSE").read_bytes()
CHECKER = ROOT / "posenc_proofs"
WRITTEN = [ROOT / "pyproject.toml", *ROOT.glob("distributions/*/pyproject.toml")]


def files(folder):
    """What a wheel must hold of ``folder``."""
    return {p.relative_to(ROOT).as_posix() for p in folder.rglob("*") if p.suffix in (".py", ".pyi", ".json")}


HOLDS = {
    "posenc_lib": files(ROOT / "posenc_lib") | {"posenc_lib/py.typed"},
    "posenc-proofs": files(CHECKER) | {"posenc_proofs/py.typed"},
    "posenc-book": files(ROOT / "posenc_book")
    | {f"posenc_book/results/13-positions/{name}" for name in ("positions.npy", "LICENSE", "NOTICE")},
}
PROJECTS = [tomllib.loads(path.read_text())["project"] for path in WRITTEN]
NEEDS = {project["name"]: set(project["dependencies"]) for project in PROJECTS}


@pytest.mark.parametrize("name", HOLDS)
def test_a_wheel_holds_its_own_and_nothing_else(wheels, name):
    wheel = zipfile.ZipFile(wheels[name])
    inside = {entry for entry in wheel.namelist() if ".dist-info/" not in entry}
    print(f"{name}: {wheels[name].stat().st_size:,} bytes, {len(inside)} files")
    assert inside == HOLDS[name]
    licenses = [entry for entry in wheel.namelist() if entry.endswith("/licenses/LICENSE")]
    assert [wheel.read(entry) for entry in licenses] == [LICENSE]


@pytest.mark.parametrize("name", NEEDS)
def test_a_wheel_says_what_it_needs_and_which_version_it_is(wheels, name):
    wheel = zipfile.ZipFile(wheels[name])
    (metadata,) = (entry for entry in wheel.namelist() if entry.endswith("/METADATA"))
    fields = [line.split(": ", 1) for line in wheel.read(metadata).decode().split("\n\n")[0].splitlines()]
    needs = {value for field, value in fields if field == "Requires-Dist" and "extra ==" not in value}
    assert needs == {need.replace("_", "-") for need in NEEDS[name]}
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert {("Version", version), ("Requires-Python", ">=3.10"), ("Name", name)} <= set(map(tuple, fields))


@pytest.mark.parametrize("name", NEEDS)
def test_the_page_of_a_wheel_is_about_it_and_has_no_link_that_is_dead_there(wheels, name):
    wheel = zipfile.ZipFile(wheels[name])
    (metadata,) = (entry for entry in wheel.namelist() if entry.endswith("/METADATA"))
    page = wheel.read(metadata).decode().partition("\n\n")[2]
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert page.startswith(f"# {name}\n") and all(link.startswith("https://") for link in links)


def brought(names):
    """The installed distributions that pip would bring for ``names``, ours left out."""
    found, wanted = {}, [need for name in names for need in NEEDS[name]]
    while wanted:
        need = Requirement(wanted.pop())
        applies = need.marker is None or need.marker.evaluate({"extra": ""})
        if need.name in found or need.name.startswith("posenc") or not applies:
            continue
        found[need.name] = distribution(need.name)
        wanted += found[need.name].requires or []
    return found.values()


class Environment:
    """A fresh virtual environment that sees of this one what the distributions ``names`` declare."""

    def __init__(self, path, names):
        venv.create(path, with_pip=False)
        self.python = next(path.glob("[bS]*/python*"))
        site = self.run("import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        for package in brought(names):
            for top in {file.parts[0] for file in package.files} - {"..", "__pycache__"}:
                link = type(path)(site) / top
                if not link.exists():
                    link.symlink_to(package.locate_file(top))

    def pip(self, *arguments):
        command = [sys.executable, "-m", "pip", "-q", "--python", self.python, *arguments]
        subprocess.run(command, check=True, capture_output=True)

    def install(self, *wheels):
        self.pip("install", "--no-deps", "--no-index", "--disable-pip-version-check", *wheels)

    def run(self, code):
        done = subprocess.run([self.python, "-I", "-c", code], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def sees(self, *modules):
        code = f"from importlib.util import find_spec; print([m for m in {modules!r} if find_spec(m)])"
        return self.run(code).strip()


USE = {
    "posenc_lib": """
import torch
import posenc_lib.kernels
from posenc_lib import *
q, rope = torch.ones(1, 2, 3, 8), RotaryEmbedding(RotarySpec(8))
for encoding in (rope, *[bias(2) for bias in BIASES.values()], RelativeAttention(8, 2)):
    assert attention(q, q, q, encoding, causal=True).shape == q.shape
assert all(hasattr(posenc_lib.kernels, name) for name in posenc_lib.kernels.__all__)
print(tuple(apply_rotary(q, *cos_sin(inv_freq(8), torch.arange(3))).shape))""",
    "posenc-proofs": r"""
import sys
from posenc_proofs import answers
text = "for all x, y in R\ncos(x - y) = cos(x)*cos(y) + sin(x)*sin(y)"
print(*(answer.kind for answer in answers(text)), "torch" in sys.modules)""",
}
SAYS = {"posenc_lib": "(1, 2, 3, 8)\n", "posenc-proofs": "proved False\n"}


def test_the_checker_needs_what_it_declares_and_no_more(wheels, tmp_path):
    environment = Environment(tmp_path / "env", ["posenc-proofs"])
    environment.install(wheels["posenc-proofs"])
    assert environment.sees("torch", "numpy", "matplotlib", "posenc_lib", "sympy") == "['sympy']"
    assert environment.run(USE["posenc-proofs"]) == SAYS["posenc-proofs"]


def test_a_checker_without_what_it_needs_says_what_to_install(wheels, tmp_path):
    environment = Environment(tmp_path / "env", [])
    environment.install(wheels["posenc-proofs"])
    code = "try: from posenc_proofs import answers\nexcept ModuleNotFoundError as e: print(e.name, e)"
    assert environment.run(code) == "flint posenc_proofs needs flint: pip install sympy python-flint\n"


@whole_runs
def test_the_library_needs_what_it_declares_and_no_more(wheels, tmp_path):
    environment = Environment(tmp_path / "env", ["posenc_lib"])
    environment.install(wheels["posenc_lib"])
    assert environment.sees("flint", "matplotlib", "posenc_proofs", "posenc_book", "torch") == "['torch']"
    assert environment.run(USE["posenc_lib"]) == SAYS["posenc_lib"]


@whole_runs
def test_the_figures_bring_what_the_pages_import(wheels, tmp_path):
    environment = Environment(tmp_path / "env", NEEDS)
    environment.install(*wheels.values())
    ours = sorted(name for name in HOLDS["posenc-book"] if name.endswith(".py"))
    modules = [name.removesuffix(".py").replace("/", ".") for name in ours]
    assert environment.run(f"import {', '.join(modules)}, posenc_proofs; print('ok')") == "ok\n"


def test_pages_import_nothing_but_what_the_wheels_bring():
    cells = (cell for path in find_notebooks() for cell in nbformat.read(path, as_version=4).cells)
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    imported = set(re.findall(r"^ *(?:from|import) (\w+)", code, re.MULTILINE)) - sys.stdlib_module_names
    came = {package.metadata["Name"] for package in brought(NEEDS)}
    known = {name for name, whose in packages_distributions().items() if came.intersection(whose)}
    assert len(imported) > 7 and imported - known == {"posenc_lib", "posenc_book", "IPython"}


def test_a_page_without_the_package_names_every_distribution_and_fetches_nothing(monkeypatch):
    monkeypatch.setitem(sys.modules, "posenc_book", None)  # as if it were missing
    with pytest.raises(ModuleNotFoundError, match=re.escape("`pip install ")) as raised:
        exec(nbformat.read(ROOT / "tools" / "page_template.ipynb", as_version=4).cells[1].source, {})
    (command,) = re.findall("`pip install (.+)`", str(raised.value))
    folders = {(ROOT / folder).resolve() for folder in command.split()}
    assert folders == {ROOT, *(path.parent for path in ROOT.glob("distributions/*/pyproject.toml"))}
    assert raised.value.name == "posenc_book"


def test_nothing_is_installed_or_cloned_from_an_address_or_a_name_that_is_nobodys():
    """The address is a placeholder, and no package index has our names: whoever took one would be run."""
    names = "|".join(re.escape(name).replace("_", "[-_]") for name in HOLDS)
    fetched = re.compile(rf"git\+|git clone|clone.*--depth|pip install (?:-\S+ )*[\"']?(?:{names})\b")
    assert fetched.search("pip install -q posenc-proofs") and fetched.search("pip install git+https://a.b/c")
    pages = [path for kind in ("md", "ipynb") for path in ROOT.glob(f"book/**/*.{kind}")]
    read = [ROOT / "README.md", *pages, *ROOT.glob("posenc_*/**/*.py")]
    assert len(read) > 100
    assert [path for path in read if fetched.search(path.read_text(encoding="utf-8"))] == []
