"""What runs Rocq: the library that is proved once, and what a page needs, compiled where it changed."""

import os
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).resolve().parent
GENERATED = HERE / "generated"
WHERE = ["-R", str(HERE), "Posenc"]
LIBRARY = [
    "Numbers",
    "Functions",
    "Facts",
    "Truths",
    "Integrals",
    "Special",
    "Terms",
    "Denote",
    "Poly",
    "Norm",
    "Lies",
    "Rules",
    "Binders",
    "Axioms",
    "Calculus",
    "Slopes",
    "Erf",
    "Far",
    "Derivative",
    "Limits",
    "Series",
    "Enclose",
    "Certified",
    "Words",
    "Square",
    "Check",
    "Sane",
]  # each after those that it needs
MISSING = "Rocq is not installed: on Debian, apt install coq libcoq-coquelicot"
ALLOWED = {  # what the real numbers of the standard library and Coquelicot's integrals rest on
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
    "ClassicalEpsilon.constructive_indefinite_description",
    "IndefiniteDescription.constructive_indefinite_description",
}
COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
ASSUMED = re.compile(
    r"\b(Admitted|admit|give_up|bypass_check|Unset\s+\w+\s+Checking|(Axioms?|Parameters?|Conjecture)\s+[\w(])"
)
LOCAL = re.compile(r"\s*(Let|Variable|Variables|Hypothesis|Hypotheses|Context)\b")


class Failed(RuntimeError):
    """Rocq refuses a file, or something is assumed in silence."""


def coqc(file: Path, seconds: float = 1800) -> str:
    """What compiling a file prints."""
    command = ["nice", "-n", "5", "coqc", "-w", "none", *WHERE, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    if done.returncode:
        raise Failed(f"{file.name}: {done.stderr.strip()[:1500]}")
    return done.stdout


def coqtop(text: str, seconds: float = 3600) -> str:
    """What a session prints that goes on after an error."""
    return subprocess.run(
        ["nice", "-n", "5", "coqtop", "-q", "-w", "none", *WHERE],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    ).stdout


def compiled(file: Path, text: str, digest: str) -> str:
    """A generated file compiled, unless it is as it was under the same ``digest``; its own digest."""
    mine = sha256(f"{digest}\n{text}".encode()).hexdigest()
    file.write_text(text, encoding="utf-8")
    _compiled(file, mine)
    return mine


def _compiled(file: Path, digest: str) -> None:
    """Compile a file, unless it was compiled under this ``digest``, and what came out is still there."""
    out, mark = file.with_suffix(".vo"), GENERATED / f"{file.stem}.digest"
    said = mark.read_text() if mark.exists() else ""
    if not out.exists() or said != f"{digest} {sha256(out.read_bytes()).hexdigest()}":
        mark.unlink(missing_ok=True)
        mark.with_suffix(".out").write_text(coqc(file), encoding="utf-8")
        mark.write_text(f"{digest} {sha256(out.read_bytes()).hexdigest()}")


def library() -> str:
    """What is proved once, compiled where it changed; its digest.

    Raises:
        Failed: if Rocq is missing or refuses a file, or a file assumes what it should prove.
    """
    if shutil.which("coqc") is None:
        raise Failed(MISSING)
    GENERATED.mkdir(exist_ok=True)
    digest = sha256()
    for name in LIBRARY:
        source = HERE / f"{name}.v"
        text = source.read_text(encoding="utf-8")
        require_proved(name, text)
        digest.update(text.encode())
        _compiled(source, digest.hexdigest())
    unlisted = {file.stem for file in HERE.glob("*.v")} - set(LIBRARY)
    if unlisted:
        raise Failed(f"files that nothing compiles: {', '.join(sorted(unlisted))}")
    return digest.hexdigest()


def require_proved(name: str, text: str) -> None:
    """Refuse a file that assumes something: outside a section, also by a variable."""
    depth = 0
    for number, line in enumerate(COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text).splitlines(), 1):
        depth += len(re.findall(r"^\s*Section\b", line)) - len(re.findall(r"^\s*End\b", line))
        if ASSUMED.search(line) or (depth == 0 and LOCAL.match(line)):
            raise Failed(f"{name}.v, line {number}: assumed, not proved: {line.strip()[:80]}")


def assumptions(printed: str) -> set[str]:
    """The names that ``Print Assumptions`` lists."""
    return set(re.findall(r"^([A-Za-z_][\w.]*)\s*:", printed.partition("Axioms:")[2], re.MULTILINE))


def require_allowed(printed: str) -> set[str]:
    """The assumptions printed, refused where one is not on the list."""
    found = assumptions(printed)
    more = {name for name in found if not any(f".{known}".endswith(f".{name}") for known in ALLOWED)}
    more |= {line for line in printed.splitlines() if " is assumed to be " in line}
    if more:
        raise Failed(f"assumed beside what is allowed: {', '.join(sorted(more))}")
    return found


def cores() -> int:
    return os.cpu_count() or 1
