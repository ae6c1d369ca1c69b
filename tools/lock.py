"""Write ``requirements.lock``: every package that the book is built with, transitive ones too, with digests.

    make lock    # it installs uv, which finds the digests; then this module

Versions are those that are installed here, so that what is locked is what the tests ran with. Torch is left
out: its build for CPU lies on an index of PyTorch's own and has other digests than PyPI's, which needs CUDA.
``tests/requirements.lock`` has what the tests need besides, ``binder/requirements.txt`` the part that
Binder's notebooks need. There torch is locked, too: its file is named by address and digest.
"""

import platform
import re
import subprocess
import sys
import tempfile
from importlib.metadata import distributions, requires
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.notebooks import ROOT
from tools.whole_files import write_whole

LEFT_OUT = "torch"
BUILDS = "hatchling"  # makes the project's own wheel
BINDER = ("numpy", "sympy", "python-flint", "matplotlib", "transformers")
#: Links, citations and folded solutions there. What it needs comes with JupyterLab.
ON_BINDER = "jupyterlab-myst==2.7.0"
#: The one file without CUDA for Binder's Linux and its Python, which is that of binder/runtime.txt.
WHEEL = "torch-2.13.0%2Bcpu-cp311-cp311-manylinux_2_28_x86_64.whl"
TORCH = f"""torch @ https://download.pytorch.org/whl/cpu/{WHEEL} \\
    --hash=sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b
"""
HEAD = """# Written by `make lock`, never by hand; `make locked` installs it and compares every digest.
# Torch is not here: its CPU build is on another index, with other digests; requirements.txt has its version.
"""
BINDER_HEAD = "# Written by `make lock`, never by hand. Binder installs it, and pip compares every digest.\n"


class Pin(NamedTuple):
    """One package of a lock."""

    name: str
    version: str
    marker: str
    digests: frozenset[str]


def requirements(path: Path = ROOT / "requirements.txt") -> list[str]:
    """The requirements of a file, without comments."""
    lines = (re.sub(r"\s*#.*", "", line).strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def name_of(requirement: str) -> str:
    """The normal form of the name that a requirement begins with."""
    return canonicalize_name(Requirement(requirement).name)


def pins(path: Path) -> list[Pin]:
    """What a lock holds."""
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    found = []
    for line in lines:
        line = re.sub(r" @ \S+/torch-([\d.]+)%2Bcpu-\S+\.whl", r"==\1", line)
        match = re.fullmatch(r"([\w.-]+)==(\S+)(?: ; (.+?))?((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*", line)
        if not match:
            raise ValueError(f"{path.name} must hold name==version and digests, got {line!r}")
        digests = frozenset(re.findall(r"[0-9a-f]{64}", match[4]))
        found.append(Pin(name_of(match[1]), match[2], match[3] or "", digests))
    return found


def compiled(wanted: list[str], constraints: list[str], left_out: list[str], *more: str) -> str:
    """What uv makes of requirements: every package that they need, on every platform, with its digests.

    ``more`` are further options of uv.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, held, made = (Path(folder, f"{name}.txt") for name in ("given", "held", "made"))
        given.write_text("\n".join(wanted) + "\n")
        held.write_text("\n".join(constraints) + "\n")
        command = f"-m uv pip compile {given} -c {held} -o {made} --universal --generate-hashes --quiet"
        command += f" --python-version {platform.python_version()} --no-annotate --no-header"
        leave_out = [f"--no-emit-package={name}" for name in left_out]
        subprocess.run([sys.executable, *command.split(), *leave_out, *more], check=True)
        return made.read_text()


def main() -> None:
    """Write the three files."""
    wanted = [line for line in requirements() if name_of(line) != LEFT_OUT]
    wanted += [need for need in requires(LEFT_OUT) or [] if not re.search("extra|platform", need)]
    for_tests = requirements(ROOT / "tests" / "requirements.txt")
    wanted += [line for line in for_tests if name_of(line) == BUILDS]
    installed = {name_of(d.name): d.version for d in distributions() if "+" not in d.version}
    here = [f"{name}=={version}" for name, version in installed.items() if name != LEFT_OUT]
    lock = ROOT / "requirements.lock"
    write_whole(lock, HEAD + compiled(wanted, here, [LEFT_OUT]))
    besides = ROOT / "tests" / "requirements.lock"
    write_whole(besides, compiled(wanted + for_tests, here, [LEFT_OUT]))
    # a package that the book needs on other machines alone may be one that the tests need here
    both = set(pins(lock)) & set(pins(besides))
    have = [LEFT_OUT, *sorted({pin.name for pin in both})]
    write_whole(besides, HEAD + compiled(wanted + for_tests, here, have))
    part = [f"{pin.name}=={pin.version}" + f" ; {pin.marker}" * bool(pin.marker) for pin in pins(lock)]
    needs = [line for line in wanted if name_of(line) in BINDER or line in (requires(LEFT_OUT) or [])]
    binder = TORCH + compiled(needs, part, []) + compiled([ON_BINDER], [], [], "--no-deps")
    write_whole(ROOT / "binder" / "requirements.txt", BINDER_HEAD + binder)
    print(f"{len(part)} packages locked, and {len(pins(besides))} for the tests")


if __name__ == "__main__":
    main()
