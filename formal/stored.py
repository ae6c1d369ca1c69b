"""Which claims Rocq has proved again, as ``proved.json`` keeps it, and whether they are still the same.

A claim is kept with a digest of its certificate, of those that it rests on, and of the proofs in this folder.
What changes is no longer counted until ``make formal`` has run again.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from .claims import Book

STORED = Path(__file__).with_name("proved.json")


def sources() -> str:
    """What the proofs of this folder are, and what gathers claims, writes them down and counts theorems."""
    here = STORED.parent
    files = sorted([*here.glob("*.v"), *here.glob("*.py")])
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def digests(book: Book) -> dict[str, str]:
    """Of each claim, what its certificate, those that it rests on and the proofs of this folder are."""
    proofs = sources()
    ones = {one.claim.name: one for own in book.pages.values() for one in own}
    found: dict[str, str] = {}

    def digest(name: str) -> str:
        if name not in found:
            found[name] = ""  # a circle is no proof, and has no digest
            rest = "".join(map(digest, ones[name].needs))
            found[name] = sha256((proofs + ones[name].claim.certificate + rest).encode()).hexdigest()[:16]
        return found[name]

    return {name: digest(name) for name in ones}


def write(book: Book, proved: Iterable[str]) -> None:
    """Keep what was proved again."""
    now, names = digests(book), sorted(proved)
    text = json.dumps({name: now[name] for name in names}, indent=0, ensure_ascii=False)
    STORED.write_text(text + "\n", encoding="utf-8")


def proved_again(book: Book, stored: Mapping[str, str] | None = None) -> set[str]:
    """The claims that are kept, and have not changed since."""
    kept = json.loads(STORED.read_text(encoding="utf-8")) if stored is None else stored
    return {name for name, digest in digests(book).items() if kept.get(name) == digest}
