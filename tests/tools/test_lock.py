"""What the book is built with is locked, transitive packages too, each with its digests."""

import re
from importlib.metadata import PackageNotFoundError, requires, version

import pytest
import tomllib
import yaml
from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement

from tools.lock import BINDER, BUILDS, CONDA, LEFT_OUT, name_of, pins, requirements
from tools.notebooks import ROOT

LOCK, ON_BINDER = (pins(ROOT / name) for name in ("requirements.lock", "binder/requirements.lock"))


def here(pin, python=None):
    """Whether the pin is for this machine, or for another Python on it."""
    environment = default_environment() | ({"python_full_version": python} if python else {})
    return not pin.marker or Marker(pin.marker).evaluate(environment)


def locked(name, found=LOCK):
    return [pin for pin in found if pin.name == name and here(pin)]


ASKED = [Requirement(line) for line in requirements() if name_of(line) != LEFT_OUT]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.name)
def test_every_requirement_is_locked_at_a_version_that_it_allows(asked):
    (pin,) = locked(name_of(asked.name))
    assert asked.specifier.contains(pin.version), "make lock writes it anew"


def test_every_package_has_digests_and_is_there_once():
    assert len(LOCK) > 100 and all(pin.digests for pin in [*LOCK, *ON_BINDER])
    names = [pin.name for pin in LOCK if here(pin)]
    assert len(names) == len(set(names))
    assert not locked(LEFT_OUT) and not [name for name in names if name.startswith("nvidia-")]


@pytest.mark.parametrize("pin", [pin for pin in LOCK if here(pin)], ids=lambda pin: pin.name)
def test_what_a_locked_package_needs_is_locked(pin):
    try:
        found = version(pin.name)
    except PackageNotFoundError:
        pytest.skip("not installed here")
    if found != pin.version:
        pytest.skip(f"{found} is installed here")
    needs = (Requirement(line) for line in requires(pin.name) or [])
    needed = [need for need in needs if not need.marker or need.marker.evaluate({"extra": ""})]
    for need in needed:
        (other,) = locked(name_of(need.name))
        assert need.specifier.contains(other.version, prereleases=True), f"{need} has {other.version}"


def test_the_tool_that_builds_the_wheels_is_that_of_the_tests():
    (asked,) = [line for line in requirements(ROOT / "tests/requirements.txt") if name_of(line) == BUILDS]
    assert [f"{BUILDS}=={pin.version}" for pin in locked(BUILDS)] == [asked]
    (needed,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert Requirement(needed).specifier.contains(locked(BUILDS)[0].version)


def test_binder_s_lock_is_a_part_of_the_book_s():
    whole = {pin.name: (pin.version, pin.digests) for pin in LOCK}
    assert set(BINDER) <= {pin.name for pin in ON_BINDER} and not locked(CONDA, ON_BINDER)
    for pin in ON_BINDER:
        assert whole[pin.name] == (pin.version, pin.digests)
    conda = yaml.safe_load((ROOT / "binder" / "environment.yml").read_text())["dependencies"]
    assert not {re.match(r"[\w-]+", line)[0] for line in conda} & {pin.name for pin in ON_BINDER}
    first = (ROOT / "binder" / "postBuild").read_text().splitlines()
    assert any("--require-hashes -r binder/requirements.lock" in line for line in first)


def test_ci_installs_what_is_locked_before_it_tests():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text())["jobs"]
    runs = [step.get("run", "") for step in jobs["check"]["steps"]]
    assert runs.index("make locked") < runs.index(".ci/run")
    recipe = (ROOT / "Makefile").read_text().split("\nlocked:\n")[1].split("\n\n")[0]
    assert "--require-hashes --no-deps -r requirements.lock" in recipe


@pytest.mark.parametrize("line", ["sympy", "sympy==1.14.0", "sympy>=1 --hash=sha256:" + "0" * 64])
def test_a_line_without_version_or_digest_is_refused(line, tmp_path):
    (tmp_path / "some.lock").write_text(f"# a comment\n{line}\n")
    with pytest.raises(ValueError, match="must hold name==version and digests"):
        pins(tmp_path / "some.lock")
