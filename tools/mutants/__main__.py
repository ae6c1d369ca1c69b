"""The command line of ``python -m tools.mutants``."""

from __future__ import annotations

import argparse
import compileall
import datetime
import json
import platform
import queue
import random
import re
import signal
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

import tools.mutants
from tools.faults.catalogue import BadFault, Fault
from tools.faults.copies import Copy
from tools.faults.report import commit
from tools.faults.trial import command, first_line
from tools.mutants.operators import Mutant, mutants
from tools.notebooks import ROOT
from tools.whole_files import write_whole

STORED = Path(__file__).with_name("result.json")
SAMPLE = Path(__file__).with_name("sample.yml")
LIMIT = 120  # seconds that the tests of one mutant may take
HEAVY = ("transformers", "hypothesis", "nbval.plugin", "_pytest.doctest")  # loaded once for all
PACKAGES = ("torch", "transformers", "sympy", "pytest")
Row = dict[str, Any]


def drawn(module: str, number: int, seed: int) -> list[Mutant]:
    """``number`` mutants of a module: operators in turn, so that none crowds out the rest."""
    chance = random.Random(f"{seed} {module}")
    by_operator: dict[str, list[Mutant]] = defaultdict(list)
    for one in mutants((ROOT / module).read_text(encoding="utf-8")):
        by_operator[one.operator].append(one)
    for some in by_operator.values():
        chance.shuffle(some)
    order = sorted(by_operator)
    chance.shuffle(order)
    depth = max(map(len, by_operator.values()), default=0)
    turns = [by_operator[name][i] for i in range(depth) for name in order if i < len(by_operator[name])]
    return turns[:number]


def chosen_of(module: str, coming: list[str]) -> list[Mutant]:
    """The mutants of a module in whose new lines one of ``coming`` stands."""
    some = mutants((ROOT / module).read_text(encoding="utf-8"))
    return [one for one in some if any(text in one.diff.partition("\n+")[2] for text in coming)]


def found_again(row: Row) -> Mutant | None:
    """The mutant of a stored row in the module as it is now; None where its line is another one."""
    same = [
        one
        for one in mutants((ROOT / row["module"]).read_text(encoding="utf-8"))
        if (one.function, one.operator, one.diff) == (row["function"], row["operator"], row["diff"])
    ]
    return min(same, key=lambda one: abs(one.line - row["line"]), default=None)


def asked(module: str, tests: str) -> str:
    """What is run for a module: its own examples, where they are tests, and ``tests``."""
    return f"{module} {tests}" if module.startswith("posenc") else tests


def ready(folder: Path) -> Copy:
    """A copy in which trials are quick: what takes long to load is loaded, the library compiled."""
    copy = Copy(folder, limit=LIMIT, heavy=HEAVY)
    compileall.compile_dir(folder / "posenc_lib", quiet=2)
    return copy


def trials(copy: Copy, module: str, some: list[Mutant], tests: str) -> list[Row]:
    """What the tests say of each mutant.

    Raises:
        BadFault: all are killed, and the module as it is would be, too.
    """
    files = [copy.root.parent / f"{copy.root.name}.{name}" for name in ("task", "answers")]
    arguments = command(asked(module, tests))[1:]
    task = {"module": module, "texts": [one.text for one in some], "arguments": arguments, "limit": LIMIT}
    files[0].write_text(json.dumps(task | {"answers": str(files[1])}), encoding="utf-8")
    files[1].unlink(missing_ok=True)
    ran = copy.run("tools.mutants.in_place", str(files[0]))
    answers = json.loads(files[1].read_text(encoding="utf-8")) if files[1].exists() else []
    if ran.status or answers[len(some) :] not in ([], [[None, ""]]):
        raise BadFault(f"{module}: its tests object though there is no mutant: {first_line(ran.said)}")
    return [
        row(module, one, verdict, by) if verdict else trial(copy, module, one, tests)
        for one, (verdict, by) in zip(some, answers, strict=False)
    ]


def trial(copy: Copy, module: str, mutant: Mutant, tests: str) -> Row:
    """What the tests say of one mutant that stands in the file."""
    whole = {"old": (ROOT / module).read_text(encoding="utf-8"), "new": mutant.text}
    with copy.with_planted([Fault("mutant", mutant.function, module, tests, change=whole)]):
        ran = copy.run(*command(asked(module, tests)))
    objected = re.search(r"^(?:FAILED|ERROR) (\S+)", ran.said, re.MULTILINE)
    verdict = {0: "survived", -signal.SIGALRM: "timeout"}.get(ran.status, "killed")
    by = (objected[1] if objected else first_line(ran.said)) if verdict == "killed" else ""
    return row(module, mutant, verdict, by.replace(f"{copy.root}/", ""))


def row(module: str, mutant: Mutant, verdict: str, by: str) -> Row:
    """What is stored of one mutant."""
    known = {name: getattr(mutant, name) for name in ("function", "line", "operator", "diff")}
    return {"module": module} | known | {"verdict": verdict, "by": by}


def key(row: Row) -> tuple[Any, ...]:
    """What a row is known by."""
    return tuple(row[name] for name in ("module", "function", "line", "operator", "diff"))


def merged(before: list[Row], now: list[Row]) -> list[Row]:
    """The rows of before, those tried again in their new form.

    The reason of a survivor stays with it; one that is killed now says that it was not at first.
    """
    fresh = {key(row): row for row in now}
    known = {key(row): row for row in before}
    for name in fresh.keys() & known.keys():
        row, earlier = fresh[name], known[name]
        if row["verdict"] != "killed":
            row |= {"why": earlier["why"]} if "why" in earlier else {}
        elif earlier["verdict"] != "killed":
            row["why"] = f"at first {earlier['verdict']}, killed now by {row['by']}"
        elif "why" in earlier:
            row["why"] = earlier["why"]
    rows = [*(row for row in before if key(row) not in fresh), *fresh.values()]
    return sorted(rows, key=lambda row: (row["module"], row["line"], row["operator"], row["diff"]))


def stored() -> dict[str, Any]:
    """The result of earlier runs."""
    return (
        dict(json.loads(STORED.read_text(encoding="utf-8")))
        if STORED.exists()
        else {"runs": [], "mutants": []}
    )


def write(rows: list[Row], said: str, seed: int) -> None:
    """Store ``rows`` with what made them; rows of earlier runs stay, and so does what made those."""
    run = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "command": said,
        "commit": commit("tools/mutants/result.json"),
        "python": platform.python_version(),
        "versions": {package: version(package) for package in PACKAGES},
        "seed": seed,
    }
    before = stored()
    runs = [*(one for one in before["runs"] if one["command"] != said), run]
    result = {"runs": runs, "mutants": merged(before["mutants"], rows)}
    write_whole(STORED, json.dumps(result, indent=1, ensure_ascii=False) + "\n")


def table(rows: list[Row]) -> str:
    """Module by module how many were planted, and what became of them."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for name in (row["module"], "all"):
            counts[name].update(["mutants", row["verdict"]])
    columns = ("mutants", "killed", "survived", "timeout")
    order = sorted(counts, key=lambda name: (name == "all", name))
    lines = [f"{name:42}" + "".join(f"{counts[name][c]:9}" for c in columns) for name in order]
    return "\n".join([f"{'module':42}" + "".join(f"{c:>9}" for c in columns), *lines])


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns 1 where a mutant survived whose reason is not stored, 2 where tests fail."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutants", description=(tools.mutants.__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="MODULE", help="these modules of sample.yml")
    parser.add_argument("--survivors", action="store_true", help="those stored as survivors, again")
    parser.add_argument("--number", type=int, default=4, help="mutants of each module")
    parser.add_argument(
        "--coming", nargs="+", default=[], metavar="TEXT", help="those that write one of these"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="copies at a time")
    options = parser.parse_args(arguments)
    sample: dict[str, str] = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
    chosen = {module: sample[module] for module in options.only or sample}
    work = {module: drawn(module, options.number, options.seed) for module in chosen}
    if options.coming:
        work = {module: chosen_of(module, options.coming) for module in chosen}
    if options.survivors:
        again = [row for row in stored()["mutants"] if row["verdict"] != "killed" and row["module"] in chosen]
        work = {m: [one for r in again if r["module"] == m and (one := found_again(r))] for m in chosen}
    said = " ".join(["python -m tools.mutants", *(sys.argv[1:] if arguments is None else arguments)])
    found: list[Row] = []
    problems: list[str] = []
    one_at_a_time = threading.Lock()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        copies: queue.Queue[Copy] = queue.Queue()
        for number in range(options.jobs):
            copies.put(ready(Path(folder) / str(number)))

        def on_a_copy(module: str) -> None:
            mine = copies.get()
            try:
                rows = trials(mine, module, work[module], chosen[module])
                with one_at_a_time:
                    found.extend(rows)
                    write(rows, said, options.seed)
                    print(table(rows).splitlines()[1], flush=True)
            except BadFault as error:
                problems.append(str(error))
            finally:
                copies.put(mine)

        for _ in pool.map(on_a_copy, [module for module in chosen if work[module]]):
            pass
        for _ in range(options.jobs):
            copies.get().close()
    print(table(found))
    open_ones = [
        row for row in merged(stored()["mutants"], []) if row["verdict"] != "killed" and not row.get("why")
    ]
    for row in open_ones:
        print(
            f"survived, no reason stored  {row['module']} {row['function']}\n{row['diff']}", file=sys.stderr
        )
    print(*problems, sep="\n", file=sys.stderr)
    return 2 if problems else 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
