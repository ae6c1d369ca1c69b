"""What a notebook shows of a result, its Markdown and its line of text, beside the record that it keeps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from html import unescape
from typing import Any

from ..kernel.pages import STEP
from .tokens import Unread

MARKS = {  # and status, which is the same: nothing else is said of a result
    **{"proved": "✔ proved", "refuted": "✘ false as printed", "assumed": "◇ assumed here"},
    **{"defined": "≔ definition", "recalled": "↩ proved elsewhere", "words": "¶ in words"},
}
FIELDS = {
    **dict.fromkeys(("label", "derivation", "kind", "status", "latex", "scope", "source"), str),
    **dict.fromkeys(("meant", "methods", "rests_on", "uses"), list),
    **{"certificates": dict, "rows": int, "counterexample": str, "mutants": dict},
}
BELOW = re.compile(
    r'\n\n<div class="check-box">(?:<(ol|p) class="check-reasons">(?:<li>[^<]*</li>|[^<])*</\1>)?'
    r'<p class="check check-(?P<kind>\w+)">(?P<line>.*)</p></div>\n'
)
COUNTS = {"refuted": int, "equal": list, "open": int}
STEPS = "; its (step is|steps are) .+"
LINK = re.compile(r'<a href="#(?:equation-)?([\w.-]+)">([^<>]*)</a>')
ANY_MARK = re.compile(r'class=\\?["\']check|[✔↩◇≔❝✘¶]')


def _typed(record: Any, kinds: Mapping[str, type]) -> bool:
    return isinstance(record, dict) and all(isinstance(record.get(k), kind) for k, kind in kinds.items())


def is_record(record: Any) -> bool:
    """Whether a record has what is read of it."""
    return (
        _typed(record, FIELDS)
        and _typed(record["mutants"], COUNTS)
        and all(isinstance(part, str) for k in ("meant", "methods", "rests_on", "uses") for part in record[k])
    )


def require_shown(output: Mapping[str, Any]) -> None:
    """Refuse an output that shows a result otherwise than its record says it.

    Raises:
        Unread: saying what differs.
    """
    data, record = output["data"], output["data"][STEP]
    if set(data) != {STEP, "text/markdown", "text/plain"}:
        raise Unread(f"shown as {', '.join(sorted(set(data) - {STEP}))}, not as Markdown and text alone")
    shown, text = ("".join(data[kind]) for kind in ("text/markdown", "text/plain"))
    label, kind = record["label"], record["kind"]
    if kind not in MARKS or record["status"] != kind:
        raise Unread(f"the record says that it is {record['status']}, and of the kind {kind}")
    if record["scope"].startswith("assumed ") != (kind == "assumed"):
        raise Unread(f"what is {kind} has the scope {record['scope']!r}")
    if bool(record["certificates"]) != (kind in ("proved", "recalled")):
        raise Unread(f"{kind}, with {len(record['certificates'])} certificates")
    above = f"({label})=\n> **" if kind == "words" else f"$$\n{record['latex']}\n$$"
    above += f" ({label})" if kind not in ("words", "recalled") else ""
    if not shown.startswith(above):
        raise Unread("the Markdown shows another formula or label than the record")
    rest = shown[len(above) :]
    if kind == "words":
        words, box, rest = rest.partition('\n\n<div class="check-box">')
        rest = box + rest
        if any(not line.startswith(">") for line in words.splitlines()[1:]):
            raise Unread("more than a theorem in words stands above its line")
    below = BELOW.fullmatch(rest)
    if below is None or below["kind"] != kind:
        raise Unread(f"below the formula stands no line of what is {kind}")
    line = unescape(LINK.sub(r"\2", below["line"]))
    if line != badge(record) if kind != "words" else not re.fullmatch(f"{MARKS[kind]}{STEPS}", line):
        raise Unread(f"the line below says {line[:80]!r}, and not what the record says")
    if "<" in LINK.sub("", below["line"]) or LINK.findall(below["line"]) != _links(record, below["line"]):
        raise Unread("a link in the line below leads elsewhere")
    if kind != "words" and text != f"{label}: {line}":
        raise Unread(f"as text it is {text[:80]!r}")


def badge(record: Mapping[str, Any], show: Callable[[str], str] = str) -> str:
    """One line: what was shown, how, for which values, and how many wrong versions were refuted."""
    kind, wrong = record["kind"], record["mutants"]
    parts = ["✘ refuted" if kind == "refuted" and not record["source"] else MARKS[kind]]
    parts[0] += f": {show(record['label'])}" if kind == "recalled" else ""
    parts += ["; ".join(record["methods"])] if kind == "proved" else []
    parts += [f"fails {record['counterexample']}" if kind == "refuted" else record["scope"]]
    parts += [in_words(wrong["refuted"], len(wrong["equal"]), wrong["open"])]
    parts += [f"SymPy: {record['sympy']}"] if record.get("sympy") else []
    parts += ["rests on " + ", ".join(map(show, record["rests_on"]))] if record["rests_on"] else []
    return " · ".join(filter(None, [*parts, record["source"]]))


def in_words(refuted: int, equal: int, left_open: int) -> str:
    """How wrong versions fared; "" if none was made.

    Example:
        >>> in_words(12, 2, 0)
        '12 wrong versions refuted, 2 true as well'
    """
    if not refuted + equal + left_open:
        return ""
    parts = [f"{refuted:,} wrong version{'s' * (refuted != 1)} refuted"]
    parts += [f"{equal:,} true as well"] if equal else []
    parts += [f"{left_open:,} open"] if left_open else []
    return ", ".join(parts)


def _links(record: Mapping[str, Any], line: str) -> list[tuple[str, str]]:
    """The results that are named in the line below."""
    if record["kind"] == "words":  # the title of another theorem in words is its own
        titles = [text for _, text in LINK.findall(line)]
        return list(zip(record["uses"], titles, strict=False)) if len(titles) == len(record["uses"]) else []
    named = [record["label"]] * (record["kind"] == "recalled") + record["rests_on"]
    return [(label, label) for label in named]


def require_steps(record: Mapping[str, Any], of_page: Iterable[Mapping[str, Any]]) -> None:
    """Refuse a theorem in words whose steps are not on its page, proved or in words."""
    known = {r["label"] for r in of_page if r["kind"] in ("proved", "words")}
    if record["kind"] == "words" and not (record["uses"] and known >= set(record["uses"])):
        raise Unread(f"not all of its steps are proved here: {', '.join(record['uses'])}")


def is_mark_alone(output: Mapping[str, Any]) -> bool:
    """Whether an output without a record shows the mark of a result."""
    return ANY_MARK.search(json.dumps(output, ensure_ascii=False)) is not None
