"""Write ``book/reference/generated``: ledger, graphs, notation, sources, API, model types, list of pages.

    python -m tools.make_reference            # write; fails if the results do not fit together
    python -m tools.make_reference --check    # look only

Everything is read from the executed notebooks' outputs, ``_toc.yml``, the data files in ``tools/reference``
and the library's docstrings.
"""

import json
import sys
from pathlib import Path

from tools import contents
from tools.notebooks import ROOT
from tools.reference import (
    api,
    cards,
    chart,
    chinese,
    inventory,
    ledger,
    model_types,
    notation,
    records,
    results,
)
from tools.reference.records import Page, data
from tools.whole_files import write_whole

GENERATED = Path("book") / "reference" / "generated"


def generated_files(pages: list[Page]) -> dict[str, str]:
    """File name → text, for everything under ``book/reference/generated``."""
    return {
        "ledger.md": ledger.as_markdown(pages),
        "ledger.json": json.dumps(ledger.as_json(pages), ensure_ascii=False, indent=1) + "\n",
        "notation.md": notation.as_markdown(pages, data("notation")),
        "pages.md": cards.as_markdown(contents.parts()),
        "front.md": ledger.front_as_markdown(pages, inventory.slips(data("inventory"))),
        "core.md": cards.core_as_markdown(),
        "map.md": chart.as_markdown(pages, ROOT),
        "results.md": results.as_markdown(data("results"), pages),
        "inventory.md": inventory.as_markdown(data("inventory")),
        "verdicts-zh.md": chinese.verdicts(data("inventory")),
        "expansion-zh.md": chinese.expansion(pages),
        **{name: chinese.picture(*shown) for name, shown in chinese.PICTURES.items()},
        "model-types.md": model_types.as_markdown(model_types.load()),
        "api.md": api.as_markdown("posenc_lib"),
        "api-hf.md": api.as_markdown("posenc_lib.hf"),
        "api-kernels.md": api.as_markdown("posenc_lib.kernels"),
        "api-proofs.md": api.as_markdown("posenc_proofs"),
    }


def all_problems(pages: list[Page]) -> list[str]:
    """Everything that keeps the reference from being true."""
    return [
        *contents.problems(),
        *records.problems(pages),
        *notation.problems(pages, data("notation")),
        *inventory.problems(data("inventory"), pages),
        *results.problems(data("results"), pages),
    ]


def write(root: Path, files: dict[str, str]) -> int:
    """Write what changed, remove what is no longer made; returns how many files changed."""
    folder = root / GENERATED
    folder.mkdir(parents=True, exist_ok=True)
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    gone, new = there.keys() - files.keys(), {name for name in files if files[name] != there.get(name)}
    for name in gone:
        (folder / name).unlink()
    for name in new:
        write_whole(folder / name, files[name])
    return len(gone) + len(new)


def main(check: bool) -> int:
    """Report problems, and where there are none write, but for a check; returns the exit status."""
    pages = records.read_pages(ROOT)
    if found := all_problems(pages):
        print("The reference cannot be written:\n  " + "\n  ".join(found), file=sys.stderr)
        return 1
    changed = 0 if check else write(ROOT, generated_files(pages))
    print(f"Reference: {len(records.own_results(pages))} results; {changed} files changed")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
