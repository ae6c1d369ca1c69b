"""Results that take too long to make while the book is built: what is stored with them, and how.

A stored result says in its first lines what made it: command, commit, hardware, versions, seed, the digest of
what it read. :func:`origin` writes these lines, for ``benchmarks`` too; :func:`lacks` names missing ones.
"""

import datetime
import json
import platform
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

from posenc_book.stored import RESULTS
from tools.whole_files import write_whole

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "experiments"
DIGITS = 4
NOTHING_DRAWN, UNKNOWN = "nothing is drawn", "not recorded"

#: What stands above a result, and what it has to look like.
_HEADER = {
    "date": r"\d{4}-\d\d-\d\d",
    "command": r"python .+",
    "commit": r"[0-9a-f]{7,40}",
    "hardware": rf"(?!{UNKNOWN}).+",
    "python": r"3\.\d+\.\d+",
    "torch": r"\d+\.\d+\.\d+.*",
}


def rounded(value: Any) -> Any:
    """Numbers to four significant digits, in dictionaries and lists of any depth."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def as_text(results: object) -> str:
    """JSON with each list of numbers on one line."""
    text = json.dumps(results, indent=1, ensure_ascii=False)
    return re.sub(r"\[[^\[\]{}]*\]", lambda row: re.sub(r"\s+", " ", row[0]), text) + "\n"


def hardware() -> str:
    """CPU and accelerator in words."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    text = f"{name}, {torch.get_num_threads()} thread(s), {torch.backends.cpu.get_cpu_capability()}"
    return f"{text}, {torch.cuda.get_device_name()}" if torch.cuda.is_available() else text


def commit(folder: Path = ROOT) -> str:
    """The commit whose code runs; "-dirty" where the code differs from it, "none" outside a repository."""
    git = ["git", "-C", str(folder)]
    head = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    if head.returncode:
        return "none"
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "*.py"], check=False).returncode
    return head.stdout.strip() + ("-dirty" if changed else "")


def origin(
    command: str,
    *,
    seed: object = NOTHING_DRAWN,
    packages: Sequence[str] = (),
    inputs: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What a number needs to be repeated.

    Args:
        command: what was typed
        seed: of what is drawn
        packages: whose versions matter besides Python's and torch's; what is not installed is left out
        inputs: file or setting that is read → its SHA-256
    """
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": command,
        "commit": commit(),
        "hardware": hardware(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "versions": {name: found for name in packages if (found := _version(name))},
        "seed": seed,
        "inputs": dict(inputs or {}),
    }


def header(result: Mapping[str, Any]) -> dict[str, Any]:
    """What :func:`origin` wrote above a result."""
    return {name: result[name] for name in (*_HEADER, "versions", "seed", "inputs")}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def lacks(result: Mapping[str, Any]) -> list[str]:
    """What a stored result does not say of its origin, and what its parts with a command do not say."""
    missing = [name for name, form in _HEADER.items() if not re.fullmatch(form, str(result.get(name, "")))]
    missing += [name for name in ("versions", "seed", "inputs") if name not in result]
    missing += [f"version of {name}" for name, it in result.get("versions", {}).items() if it == UNKNOWN]
    missing += [f"sha256 of {name}" for name, it in result.get("inputs", {}).items() if not _is_digest(it)]
    parts = {name: part for name, part in result.items() if isinstance(part, dict) and "command" in part}
    return missing + [f"{name}: {what}" for name, part in parts.items() for what in lacks(part)]


def _is_digest(text: str) -> bool:
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def kept(name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What ``make`` gives, kept under ``CACHE``, so that an interrupted run goes on where it stopped.

    Only what committed code gives is kept, and it is read again by the same commit alone.
    """
    code = commit()
    if code == "none" or code.endswith("-dirty"):
        return make()
    path = CACHE / code / f"{name}.json"
    if path.exists():
        return dict(json.loads(path.read_text(encoding="utf-8")))
    path.parent.mkdir(parents=True, exist_ok=True)
    found = make()
    write(path, found)
    return found


def store(page: str, origin: Mapping[str, Any], results: Mapping[str, Any]) -> None:
    """Write ``posenc_book/results/<page>.json``: where the results come from, and the results."""
    write(RESULTS / f"{page}.json", {**origin, **results})


def write(path: Path, results: Mapping[str, Any]) -> None:
    """One stored result, as JSON."""
    write_whole(path, as_text(results))
    print(f"wrote {path.name}")
