"""``python formal/replay.py book``: every certificate checked again by Rocq; a Qed behind each that is accepted."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from export import Writer, certificate_of, identifier, premises  # noqa: E402

from posenc_proofs.kernel.pages import Claim, chains, found  # noqa: E402

GENERATED = HERE / "generated"
SECONDS = 30  # that a claim may take
ORDER = "Numbers Functions Facts Truths Integrals Terms Denote Poly Norm Lies Rules Binders Axioms Calculus Derivative Words Check".split()


class One(NamedTuple):
    """A claim, its certificate, the claims that it names, and how it names each."""

    claim: Claim
    certificate: dict[str, Any]
    needs: list[str]
    sources: dict[str, str]


def coqc(file: Path, seconds: float) -> subprocess.CompletedProcess[str]:
    where = ["-R", str(HERE), "Posenc", "-R", str(GENERATED), "Book"]
    command = ["nice", "-n", "5", "coqc", "-w", "none", *where, str(file)]
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)


def library() -> str:
    """What is proved once, compiled where it changed; its digest."""
    digest = sha256()
    for name in ORDER:
        source, built = HERE / f"{name}.v", HERE / f"{name}.vo"
        digest.update(source.read_bytes())
        mark = GENERATED / f"{name}.digest"
        if not built.exists() or not mark.exists() or mark.read_text() != digest.hexdigest():
            done = coqc(source, 600)
            if done.returncode:
                raise SystemExit(f"{source.name} is refused: {done.stderr}")
            mark.write_text(digest.hexdigest())
    return digest.hexdigest()


def module(page: str) -> str:
    return "P_" + re.sub(r"\W", "_", page.removesuffix(".ipynb"))


def gathered(path: Path) -> dict[str, list[One]]:
    """The claims of each page; a name that a step uses is a claim, or the chain of some."""
    claims = list(found(path))
    rows = chains(claims)
    single = {c.name for c in claims}
    known = single | set(rows)
    pages: dict[str, list[One]] = {}
    for c in claims:
        certificate = certificate_of(c.certificate)
        needs: list[str] = []
        sources = {}
        for name in premises(certificate, known):
            of = [name] if name in single else rows[name]
            needs += [n for n in of if n not in needs]
            numbers = "; ".join(str(needs.index(n)) for n in of)
            sources[name] = f"(Claim {numbers})" if name in single else f"(Rows [{numbers}])"
        pages.setdefault(module(c.place), []).append(One(c, certificate, needs, sources))
    return pages


def definitions(ones: list[One]) -> str:
    out = ["Require Import Posenc.Check.", "Open Scope list_scope."]
    for one in ones:
        text = Writer(one.certificate, one.sources.__getitem__).written()
        out.append(f"Definition {identifier(one.claim.name)} : cert := {text}.")
    return "\n".join(out) + "\n"


def header(page: str, ones: list[One], homes: dict[str, str], prefix: str) -> str:
    pages = sorted({homes[n] for one in ones for n in one.needs} - {page})
    needed = [f"Book.{prefix}{p}" for p in ({*pages, page} if prefix == "C" else pages)]
    return "".join(f"Require {name}.\n" for name in needed)


def claims_of(one: One, homes: dict[str, str]) -> str:
    return "[" + "; ".join(f"claim_of C{homes[n]}.{identifier(n)}" for n in one.needs) + "]"


def attempts(page: str, ones: list[One], homes: dict[str, str]) -> str:
    out = ["Require Import Posenc.Check.\n" + header(page, ones, homes, "C")]
    for one in ones:
        out.append(
            f"Time Timeout {SECONDS} Eval vm_compute in (verdict {claims_of(one, homes)} C{page}.{identifier(one.claim.name)})."
        )
    return "\n".join(out) + "\n"


def tried(page: str, ones: list[One], homes: dict[str, str], seconds: float) -> dict[str, str]:
    """Of each claim "" where it is accepted, else the rule of the first step that is not."""
    file = GENERATED / f"T{page}.v"
    file.write_text(attempts(page, ones, homes))
    where = ["-R", str(HERE), "Posenc", "-R", str(GENERATED), "Book"]
    with file.open() as given:
        done = subprocess.run(
            ["nice", "-n", "5", "coqtop", "-q", "-w", "none", *where],
            stdin=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False,
        )
    both = done.stdout
    said = re.findall(r"= \((true|false),\s*(None|Some (\d+)(?:%N)?)\)|Error: (Timeout)!", both)
    if len(said) != len(ones):
        raise SystemExit(f"{file.name}: {len(said)} verdicts on {len(ones)} claims: {both[:1500]}")
    out = {}
    for one, (ok, _, step, late) in zip(ones, said, strict=True):
        rule = one.certificate["steps"][int(step)] if step else ["the last step proves something else"]
        name = rule[0] if rule[0] != "axiom" else f"axiom {rule[1][0]}"
        out[one.claim.name] = "" if ok == "true" else "time" if late else f"{name} (step {step})"
    return out


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    args = parser.parse_args()
    GENERATED.mkdir(exist_ok=True)
    library()
    pages = gathered(args.path)
    homes = {one.claim.name: page for page, ones in pages.items() for one in ones}
    left: Counter[str] = Counter()
    good = 0
    chosen = {p: v for p, v in pages.items() if not args.only or any(o in p for o in args.only)}
    need = set(chosen) | {homes[n] for v in chosen.values() for one in v for n in one.needs}
    for page in need:
        file = GENERATED / f"C{page}.v"
        text = definitions(pages[page])
        if not file.exists() or file.read_text() != text or not file.with_suffix(".vo").exists() or (
            file.with_suffix(".vo").stat().st_mtime < (HERE / "Check.vo").stat().st_mtime
        ):
            file.write_text(text)
            done = coqc(file, 600)
            if done.returncode:
                raise SystemExit(f"{file.name}: {done.stderr[:2000]}")
    for page, ones in sorted(chosen.items()):
        start = time.perf_counter()
        verdicts = tried(page, ones, homes, 1200)
        ok = sum(not v for v in verdicts.values())
        good += ok
        left.update(v.split(" (")[0] for v in verdicts.values() if v)
        print(f"{page}: {ok} of {len(ones)} in {time.perf_counter() - start:.1f} s", flush=True)
        for name, v in verdicts.items():
            if v:
                print("   ", name, v)
    print(good, "of", sum(map(len, chosen.values())), left)
    return 0


if __name__ == "__main__":
    sys.exit(main())
