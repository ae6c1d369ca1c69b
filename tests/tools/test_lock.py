"""What book and tests are made with is locked, transitive packages too, each with its digests."""

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

from tools.lock import BINDER, LEFT_OUT, name_of, pins, requirements
from tools.notebooks import ROOT

LOCK, FOR_TESTS = (pins(ROOT / room / "requirements.lock") for room in ("", "tests"))
ON_BINDER = pins(ROOT / "binder" / "requirements.txt")
BOTH = [*LOCK, *FOR_TESTS]


def here(pin):
    """Whether the pin is for this machine."""
    return not pin.marker or Marker(pin.marker).evaluate()


ASKED = [
    need
    for file in ("requirements.txt", "tests/requirements.txt")
    for need in map(Requirement, requirements(ROOT / file))
    if need.name != LEFT_OUT and (not need.marker or need.marker.evaluate())
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.name)
def test_every_requirement_is_locked_at_a_version_that_it_allows(asked):
    (pin,) = (pin for pin in BOTH if pin.name == name_of(asked.name) and here(pin))
    assert asked.specifier.contains(pin.version), "make lock writes it anew"


def test_every_package_has_digests_and_is_there_once():
    assert len(LOCK) > 100 and len(FOR_TESTS) > 15 and all(pin.digests for pin in [*BOTH, *ON_BINDER])
    names = [pin.name for pin in BOTH if here(pin)]
    assert len(names) == len(set(names))
    assert not [name for name in names if name == LEFT_OUT or name.startswith("nvidia-")]


def test_binder_s_lock_is_a_part_of_the_book_s():
    whole = {pin.name: (pin.version, pin.digests) for pin in LOCK}
    assert set(BINDER) <= {pin.name for pin in ON_BINDER}
    besides = {pin.name for pin in ON_BINDER if whole.get(pin.name) != (pin.version, pin.digests)}
    assert besides == {LEFT_OUT, "jupyterlab-myst"}


@pytest.mark.parametrize("line", ["sympy", "sympy==1.14.0", "sympy>=1 --hash=sha256:" + "0" * 64])
def test_a_line_without_version_or_digest_is_refused(line, tmp_path):
    (tmp_path / "some.lock").write_text(f"# a comment\n{line}\n")
    with pytest.raises(ValueError, match="must hold name==version and digests"):
        pins(tmp_path / "some.lock")
