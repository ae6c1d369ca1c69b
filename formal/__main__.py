"""``python -m formal``: every certificate of the book, or of some notebooks, checked again by Rocq.

The certificates of a page become terms of ``Check.v``, and nothing else: no proof is written. Rocq computes
which of them its own checker accepts; for each of these it then closes a theorem, *the claim is true*, by
``check_sound`` and that computation, with a Qed. What is printed last counts those theorems. A page is done
again only if it, a page that it rests on, or the library changed. ``proved.json`` keeps what the book gave.
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from . import stored
from .claims import Book, One, gathered
from .export import Writer, identifier
from .rocq import GENERATED, Failed, compiled, coqtop, cores, library, require_allowed

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300  # that a claim may take, also on a machine that does other things
HEAD = "Require Import Posenc.Check.\n"
VERDICT = re.compile(r"= \((true|false),\s*(?:None|Some (\d+)(?:%N)?)\)|Error: (Timeout)!")


def definitions(ones: list[One]) -> str:
    """The certificates of a page as terms."""
    rows = (
        f"Definition {identifier(one.claim.name)} : cert := "
        f"{Writer(one.certificate, one.sources.__getitem__).written()}."
        for one in ones
    )
    return HEAD + "\n".join(rows) + "\n"


def named(book: Book, claim: str, of: str = "C") -> str:
    """The certificate of a claim in its page's module, or its theorem."""
    return f"{of}_{book.homes[claim]}.{identifier(claim)}"


def earlier(book: Book, one: One) -> str:
    return "[" + "; ".join(f"claim_of {named(book, n)}" for n in one.needs) + "]"


def required(pages: Iterable[str], of: str) -> str:
    return "".join(f"Require Posenc.generated.{of}_{page}.\n" for page in pages)


def verdicts(book: Book, page: str, digest: str) -> dict[str, str]:
    """Of each claim "" where Rocq's checker accepts it, else the rule of the first step that it refuses."""
    kept = GENERATED / f"V_{page}.json"
    if kept.exists():
        old = json.loads(kept.read_text())
        if old["digest"] == digest:
            return dict(old["verdicts"])
    ones = book.pages[page]
    asked = "\n".join(
        f"Timeout {SECONDS} Eval vm_compute in (verdict {earlier(book, one)} {named(book, one.claim.name)})."
        for one in ones
    )
    printed = coqtop(HEAD + required([page, *book.neighbours(page)], "C") + asked)
    said = VERDICT.findall(printed)
    if len(said) != len(ones):
        raise Failed(f"{page}: {len(said)} verdicts on {len(ones)} claims: {printed[-800:]}")
    out = {one.claim.name: _reason(one, *row) for one, row in zip(ones, said, strict=True)}
    kept.write_text(json.dumps({"digest": digest, "verdicts": out}, indent=1))
    return out


def _reason(one: One, accepted: str, step: str, late: str) -> str:
    if late or accepted == "true":
        return f"more than {SECONDS} s" if late else ""
    if not step:
        return "the last step says something else"
    rule, first, *_ = one.certificate["steps"][int(step)]
    return f"axiom {first[0]}" if rule == "axiom" else str(rule)


def theorems(book: Book, page: str, proved: set[str]) -> str:
    """A theorem for each claim of a page that is accepted, by computation and ``check_sound``."""
    out = [HEAD + required([page, *book.neighbours(page)], "C") + required(book.neighbours(page), "P")]
    here = [one for one in book.pages[page] if one.claim.name in proved]
    out += [theorem(book, page, one) for one in _in_order(here)]
    names = [identifier(one.claim.name) for one in here]
    pairs = " ".join(f"(Logic.conj {name}" for name in names) + " I" + ")" * len(names)
    out.append(f"Definition all_of_page := {pairs}.\nPrint Assumptions all_of_page.\n")
    return "\n".join(out)


def theorem(book: Book, page: str, one: One) -> str:
    """A claim that is accepted, as a theorem: what it says can be read without its certificate."""
    own, of = identifier(one.claim.name), named(book, one.claim.name)
    true = "".join(
        f"(@List.Forall_cons _ _ _ _ {identifier(n) if book.homes[n] == page else named(book, n, 'P')} "
        for n in one.needs
    )
    known = f"{true}(@List.Forall_nil _ _){')' * len(one.needs)}"
    return (
        f"Theorem {own} : truth ({Writer(one.certificate).statement()}).\n"
        f"Proof.\n  change (truth (claim_of {of})).\n"
        f"  refine (@check_sound {earlier(book, one)} {of} {known} _).\n"
        "  vm_cast_no_check (eq_refl true).\nQed."
    )


def _in_order(ones: list[One]) -> list[One]:
    """Each after those that it rests on."""
    names = {one.claim.name for one in ones}
    done: list[One] = []
    while len(done) < len(ones):
        have = {one.claim.name for one in done}
        done += [o for o in ones if o.claim.name not in have and set(o.needs) & names <= have]
    return done


def resting(book: Book, accepted: set[str]) -> set[str]:
    """The accepted claims of which all that they rest on is accepted, too."""
    proved = accepted
    while True:
        kept = {
            one.claim.name
            for ones in book.pages.values()
            for one in ones
            if one.claim.name in proved and set(one.needs) <= proved
        }
        if kept == proved:
            return proved
        proved = kept


def replayed(book: Book, jobs: int, say: Any) -> tuple[set[str], dict[str, str]]:
    """The claims that are theorems now, and why each other one is not."""
    base = library()
    with ThreadPoolExecutor(jobs) as pool:
        one = partial(_defined, book, base)
        digests = dict(zip(book.pages, pool.map(one, book.pages), strict=True))
        said: dict[str, str] = {}

        def ask(page: str) -> dict[str, str]:
            rest = "".join(digests[p] for p in [page, *book.neighbours(page)])
            found = verdicts(book, page, sha256((base + rest).encode()).hexdigest())
            say(f"{page}: {sum(not v for v in found.values())} of {len(found)} certificates accepted")
            return found

        for answer in pool.map(ask, book.pages):
            said |= answer
        proved = resting(book, {name for name, reason in said.items() if not reason})
        done: dict[str, str] = {}
        while len(done) < len(book.pages):
            ready = [p for p in book.pages if p not in done and set(book.neighbours(p)) <= done.keys()]
            if not ready:
                raise Failed("pages rest on one another in a circle")
            prove = partial(_proved, book, proved, base, digests, dict(done))
            done |= dict(zip(ready, pool.map(prove, ready), strict=True))
    return proved, {n: r or "rests on a claim that is left" for n, r in said.items() if n not in proved}


def _defined(book: Book, base: str, page: str) -> str:
    return compiled(GENERATED / f"C_{page}.v", definitions(book.pages[page]), base)


def _proved(
    book: Book, proved: set[str], base: str, digests: dict[str, str], done: dict[str, str], page: str
) -> str:
    """The theorems of a page compiled; what they rest on compared with what is allowed."""
    rest = base + "".join(digests[p] + done.get(p, "") for p in [page, *book.neighbours(page)])
    text = theorems(book, page, proved)
    file = GENERATED / f"P_{page}.v"
    mine = compiled(file, text, sha256(rest.encode()).hexdigest())
    count = len(re.findall(r"^Theorem ", text, re.MULTILINE))
    if count != sum(one.claim.name in proved for one in book.pages[page]):
        raise Failed(f"{page}: {count} theorems were written")
    require_allowed(file.with_suffix(".out").read_text(encoding="utf-8"))
    return mine


def report(book: Book, proved: set[str], left: dict[str, str]) -> None:
    """Claims proved again, by page; those left, by reason and by name."""
    for page, ones in sorted(book.pages.items()):
        count = sum(one.claim.name in proved for one in ones)
        print(f"{count:5} of {len(ones):4}  {page}")
    for reason, names in Counter(left.values()).most_common():
        print(f"{names:5} left: {reason}")
    for name, reason in sorted(left.items()):
        print(f"      {book.homes[name]}: {name}: {reason}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m formal", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--jobs", type=int, default=cores())
    args = parser.parse_args()
    start = time.perf_counter()
    try:
        book = gathered(args.paths or [ROOT / "book"])
        proved, left = replayed(book, args.jobs, partial(print, flush=True))
        rest = coqtop(HEAD + "Print Assumptions check_sound.\n")
        assumed = require_allowed(rest)
    except (Failed, ValueError) as reason:
        print(reason)
        return 1
    report(book, proved, left)
    if not args.paths:
        stored.write(book, proved)
    print(f"check_sound rests on {', '.join(sorted(assumed))}")
    seconds = time.perf_counter() - start
    print(f"{len(proved)} of {len(book.homes)} claims are theorems of Rocq, in {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
