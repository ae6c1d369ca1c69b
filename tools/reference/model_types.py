"""The table of model types: what the reader of Hugging Face configs makes of each, as tests recorded."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from .ledger import list_table

DATA = Path(__file__).with_suffix(".json")


def load(path: Path = DATA) -> dict[str, Any]:
    """The version of transformers, and model type → verdict, layers, reason."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def as_markdown(data: dict[str, Any]) -> str:
    """The generated part of the page: what is read, refused, a wrap of a text model, without rotation."""
    by_verdict: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for name, record in data["types"].items():
        by_verdict[record["verdict"]][name] = record
    read, refused = by_verdict["equal"], by_verdict["refused"]
    wraps, still, bare = (by_verdict[v] for v in ("as its text part", "no rotation", "no default config"))
    seen = sum(record["layers seen"] == "all" for record in read.values())
    rows = [(f"`{name}`", *_layers(record), _config(record)) for name, record in read.items()]
    messages = [(f"`{name}`", _plain(record["why"])) for name, record in refused.items()]
    parts = {
        "": f"With transformers {data['transformers']}: **{len(read)} types are read and equal**, and "
        f"{len(wraps)} more wrap one text model or another; **{len(refused)} are refused by name**; "
        f"{len(still)} do not turn queries and keys; {len(bare)} have no default config. "
        f"Of those that are read, {seen} were run, and turn in the layers that are listed and in no other.",
        "Read, and equal": list_table(("Model type", "Layers", "Spec", "Config"), rows, "24 22 38 16"),
        "Read, but not taken by `use_in`": _not_used(read),
        "Refused, and why": list_table(("Model type", "Message"), messages, "26 74"),
        "Wraps of a text model": "A config of these stands for its text part, where no key beside it says "
        "otherwise.\n\n" + ", ".join(f"`{name}` → `{r['text']}`" for name, r in wraps.items()) + ".",
        "Without a rotation in their code": ", ".join(f"`{name}`" for name in still) + ".",
        "Without a default config": (", ".join(f"`{name}`" for name in bare) or "None") + ".",
    }
    return "\n\n".join(f"## {head}\n\n{text}" if head else text for head, text in parts.items()) + "\n"


def _layers(record: dict[str, Any]) -> tuple[str, str]:
    """Kinds of layers, each on a line of its own, and what they do."""
    kinds, said = [], []
    for one in record["layers"]:
        kinds.append(f"{one['count']}" + (f" {_plain(one['kind'])}" if one["kind"] else ""))
        warmed = f"; temperature {_plain(one['temperature'])}" if one["temperature"] else ""
        said.append((one["spec"] or "–") + warmed)
    return "; ".join(kinds) + ("" if record["layers seen"] == "all" else "; not run"), "; ".join(said)


#: Answers to whether use_in takes a model of a type, as the page says them.
NOT_USED = {
    "no rotary module": "no rotary module of the model's own, so nothing to swap",
    "no layer turns": "no layer turns anything in this config",
    "not made": "not known: the code of the type makes no model of its default config alone",
}


def _not_used(read: dict[str, dict[str, Any]]) -> str:
    """Of all that are read how many are used, and why the others are not."""
    asked = {name: record["use_in"] for name, record in read.items() if "use_in" in record}
    kept = {why: [f"`{name}`" for name in asked if asked[name] == key] for key, why in NOT_USED.items()}
    lines = [f"- {why}: {', '.join(names)}" for why, names in kept.items() if names]
    used = sum(answer == "yes" for answer in asked.values())
    how = "a model was made, with its rotary modules alone filled, and `use_in` took it"
    return f"For {used} of these types {how}.\n\n" + "\n".join(lines)


def _config(record: dict[str, Any]) -> str:
    return "default" if record["config"] == "default" else f"`{record['config']}`"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join("\\" + sign if sign in "\\`*_[]<>$|#" else sign for sign in text)
