"""A tolerance widened until a test is green hides what it should find: a plugin of pytest measures each.

``assert_close`` and ``allclose`` of torch, ``assert_allclose`` and ``allclose`` of numpy, ``pytest.approx``:
wherever tests call them, the tolerance is divided by the error that was seen or by what rounding to the dtype
explains, whichever is larger. Where that quotient is above ``WIDEST`` each time that a line compares, the run
fails and names the line, unless a comment there says ``elsewhere:`` and what is different on other machines.
A run of chosen tests (``-k``, ``file::test``), or one that fails, judges none: it saw some comparisons only.
"""

import linecache
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing._comparison import NumberPair, TensorLikePair

#: Room for other processors and versions, and less than from float64's rounding to float32's.
WIDEST = 1e5
TESTS = f"{Path(__file__).resolve().parents[1] / 'tests'}/"
#: For each place that compared something, the least quotient so far.
_least: dict[str, float] = {}


def quotient(actual: Any, expected: Any, rtol: float, atol: float) -> float:
    """How many times the error seen, or the rounding of the dtype, a comparison would have let pass.

    0 where nothing is compared within a tolerance: exact, empty or not finite.
    """
    ulp = max((_ulp(side) for side in (actual, expected)), default=0.0)
    x, y = np.broadcast_arrays(_numbers(actual), _numbers(expected))
    finite = np.isfinite(x) & np.isfinite(y)
    if not finite.any():
        return 0.0
    x, y = x[finite], y[finite]
    allowed = atol + rtol * float(np.abs(y).max())
    explained = max(float(np.abs(x - y).max()), ulp * float(max(np.abs(x).max(), np.abs(y).max())))
    return float(allowed / explained) if explained else 0.0


def _ulp(value: Any) -> float:
    dtype = getattr(value, "dtype", np.dtype(float))
    if isinstance(dtype, torch.dtype):
        return torch.finfo(dtype).eps if dtype.is_floating_point or dtype.is_complex else 0.0
    return float(np.finfo(dtype).eps) if np.issubdtype(dtype, np.inexact) else 0.0


def _numbers(value: Any) -> np.ndarray:
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = value.to(torch.complex128 if value.is_complex() else torch.float64).numpy()
    return np.asarray(value, complex if np.iscomplexobj(value) else float)


def _note(measured: float) -> None:
    """Keep the least quotient of a place: the line that compares, and how a test came to it."""
    frame: FrameType | None = sys._getframe(2)
    lines: dict[str, None] = {}  # in their order, each once: until Python 3.12 a comprehension has a frame
    while frame:
        if frame.f_code.co_filename.startswith(TESTS):
            lines[f"tests/{frame.f_code.co_filename.removeprefix(TESTS)}:{frame.f_lineno}"] = None
        frame = frame.f_back
    if lines and measured > 0:
        place = " from ".join(lines)
        _least[place] = min(_least.get(place, math.inf), measured)


def _pair(compare: Callable[..., None]) -> Callable[..., None]:
    """Two tensors or numbers of ``assert_close``, taken out of what holds them, with their tolerances."""

    def compared(self: Any) -> None:
        __tracebackhide__ = True
        compare(self)
        _note(quotient(self.actual, self.expected, self.rtol, self.atol))

    return compared


def _noting(compare: Callable[..., Any], rtol: float, atol: float) -> Callable[..., Any]:
    """A function of numpy or torch that compares two arrays, with the tolerances that it has by default."""

    def compared(one: Any, other: Any, rtol: float = rtol, atol: float = atol, **more: Any) -> Any:
        __tracebackhide__ = True
        close = compare(one, other, rtol, atol, **more)
        if close is not False and sys._getframe(1).f_code.co_filename.startswith(TESTS):  # libraries ask, too
            _note(quotient(one, other, rtol, atol))
        return close

    return compared


def _approx(compare: Callable[..., bool]) -> Callable[..., bool]:
    def equals(self: Any, actual: Any) -> bool:
        equal = compare(self, actual)
        if equal and isinstance(self.expected, int | float | complex):
            _note(quotient(actual, self.expected, 0.0, self.tolerance))
        return equal

    return equals


def pytest_configure() -> None:
    """Before any file of tests takes the names from where they live."""
    for kind in (TensorLikePair, NumberPair):
        kind.compare = _pair(kind.compare)
    np.testing.assert_allclose = _noting(np.testing.assert_allclose, 1e-7, 0)
    torch.allclose, np.allclose = (_noting(library.allclose, 1e-5, 1e-8) for library in (torch, np))
    scalar: Any = type(pytest.approx(1.0))  # those of lists, dictionaries and arrays ask it for each entry
    scalar.__eq__ = _approx(scalar.__eq__)


def too_wide(least: dict[str, float]) -> list[str]:
    """The places whose tolerance nothing explains, the widest first."""
    wide = {place: measured for place, measured in least.items() if measured > WIDEST and not _excused(place)}
    says = "the tolerance is {:.0e} times what the error or rounding explains"
    return [f"{place}: {says.format(wide[place])}" for place in sorted(wide, key=lambda place: -wide[place])]


def _excused(place: str) -> bool:
    file, line = place.split(" ")[0].rsplit(":", 1)
    return "# elsewhere: " in linecache.getline(TESTS.removesuffix("tests/") + file, int(line))


def _sees_all(config: pytest.Config) -> bool:
    chosen = config.getoption("keyword") or config.getoption("markexpr") or config.getoption("deselect")
    return not (chosen or any("::" in str(one) for one in config.args))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What a process of pytest-xdist measured comes to the one that reports."""
    for place, measured in getattr(node, "workeroutput", {}).get("tolerances", {}).items():
        _least[place] = min(_least.get(place, math.inf), measured)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["tolerances"] = _least
    elif session.exitstatus == pytest.ExitCode.OK and _sees_all(session.config) and too_wide(_least):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    found = too_wide(_least) if _sees_all(config) and not terminalreporter.stats.get("failed") else []
    for line in found:
        terminalreporter.write_line(f"FAILED {line}")
