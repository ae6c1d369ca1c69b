"""``python -m posenc_proofs book``: every result rebuilt from its certificates, and read again.

The kernel rebuilds the theorems from what the notebooks keep. The equation that a page shows, the definitions
and hypotheses that it rests on, its mark, and the values for which it is said to hold are then read, without
SymPy, and compared. A result fails, in a line of its own, where a certificate is refused, missing or one too
many, or where the Markdown shows another formula, scope or mark than was proved.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .kernel.axioms import AXIOMS
from .kernel.pages import STEP, claims_of, files, name_here, outputs, rebuilt
from .kernel.terms import Refused
from .kernel.theorem import Theorem
from .latex.shown import is_box, is_mark_alone, is_record, require_shown, require_steps
from .latex.statements import Derived
from .latex.tokens import Unread


class Wrong(NamedTuple):
    """What is wrong with a result: the page, its label, why."""

    page: str
    label: str
    reason: str


def read(paths: list[Path]) -> tuple[list[dict[str, Any]], dict[str, Theorem], list[Wrong]]:
    """All results of notebooks, or of folders of them, rebuilt and read again.

    Returns:
        the records of results, the theorems of claims, and what is wrong

    Raises:
        ValueError: if a file is no notebook.
    """
    wrong: list[Wrong] = []
    pages = {page: list(_of_page(page, wrong)) for path in paths for page in files(path)}
    of_pages = [(page, output["data"][STEP]) for page, shown in pages.items() for output in shown]
    theorems, refused = rebuilt([claim for page, record in of_pages for claim in claims_of(page, record)])
    for page, shown in pages.items():
        here = [output["data"][STEP] for output in shown]
        titles = {r["label"]: str(r.get("title")) for r in here if r["kind"] == "words"}
        counts = Counter(map(name_here, here))
        wrong += [Wrong(page.name, name, "it stands twice") for name, count in counts.items() if count > 1]
        names = {record["derivation"] for record in here}
        derived = {name: Derived([r for r in here if r["derivation"] == name], theorems) for name in names}
        for output in shown:
            record = output["data"][STEP]
            try:
                require_shown(output, titles)
                require_steps(record, here)
                for claim in record["certificates"].keys() & refused.keys():
                    raise Unread(f"{claim}: refused: {refused[claim]}")
                if record["certificates"]:
                    derived[record["derivation"]].confirm(record["label"])
            except (Unread, Refused) as reason:
                wrong.append(Wrong(page.name, record["label"], str(reason)))
    return [record for _, record in of_pages], theorems, wrong


def _of_page(page: Path, wrong: list[Wrong]) -> Iterator[dict[str, Any]]:
    """The outputs that show a result; a mark without one is wrong, and a record that is not whole."""
    for output in outputs(page):
        data = output.get("data", {})
        if STEP not in data:
            if is_box(output["text"]) if output.keys() == {"text"} else is_mark_alone(output):
                text = json.dumps(output, ensure_ascii=False)
                wrong.append(Wrong(page.name, "no result", f"a mark without a record: {text[:80]}"))
        elif is_record(data[STEP]):
            yield output
        else:
            wrong.append(Wrong(page.name, "a result", "its record is not whole"))


def main(paths: list[Path]) -> int:
    """Prints a line for each result that fails, the axioms used, and counts; 1 if one fails, else 0."""
    start = time.perf_counter()
    try:
        records, theorems, wrong = read(paths)
    except ValueError as error:
        print(error)
        return 1
    for one in wrong:
        print(f"{one.page}: {one.label}: {one.reason}")
    lost = {one.label for one in wrong}
    kept = [record for record in records if record["label"] not in lost]
    proved = [record for record in kept if record["kind"] == "proved"]
    axioms = (set[str]().union(*(theorems[claim].axioms for claim in r["certificates"])) for r in proved)
    for axiom, count in Counter(axiom for used in axioms for axiom in used).most_common():
        print(f"{count:6} rest on {axiom} ({AXIOMS[axiom].reference})")
    recalled = sum(record["kind"] == "recalled" for record in kept)
    said = f"{recalled} recalled, {len(wrong)} wrong, in {time.perf_counter() - start:.1f} s"
    claims = sum(len(record["certificates"]) for record in kept)
    print(f"{len(proved)} results rebuilt from {claims} claims and read as they are shown, {said}")
    return 1 if wrong or not proved else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m posenc_proofs", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    sys.exit(main(parser.parse_args().files))
