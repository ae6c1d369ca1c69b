"""What a notebook shows of a result, its Markdown and its line of text, beside the record that it keeps."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape, unescape
from typing import Any

from ..kernel.pages import STEP
from .definitions import one_row
from .tokens import Hand, Unread, refuse

# By kind, and by status, which is the same: nothing else is said of a result.
MARKS = {"proved": "✔ proved", "refuted": "✘ false as printed", "assumed": "◇ assumed here"}
MARKS |= {"defined": "≔ definition", "recalled": "↩ proved elsewhere", "words": "¶ in words"}
TEXTS = ("label", "derivation", "kind", "status", "latex", "scope", "source", "counterexample")
LISTS = ("meant", "methods", "reasons", "rests_on", "uses")
FIELDS: dict[str, type] = dict.fromkeys(TEXTS, str) | dict.fromkeys(LISTS, list)
FIELDS |= {"certificates": dict, "rows": int, "mutants": dict}
COUNTS = {"refuted": int, "equal": list, "open": int}
SIGNS = "✔✓↩◇≔❝✘¶"
# The class of a box: an attribute of HTML or of MyST, an option or the argument of a directive.
BOX = re.compile(
    r"""class\s*=([^>]*|\s*\\?("[^"]*|'[^']*))check|\{[^}]*\.check"""
    r"""|(class[\w-]*\s*::?|(container|div)\s*(\}|::))[^\n]*check""",
    re.I,
)
NO_WORDS = re.compile(rf"\n|\$\$|class\s*=|[{SIGNS}]", re.I)


def _typed(record: Any, kinds: Mapping[str, type]) -> bool:
    return isinstance(record, dict) and all(isinstance(record.get(k), kind) for k, kind in kinds.items())


def is_record(record: Any) -> bool:
    """Whether a record has what is read of it."""
    whole = _typed(record, FIELDS) and _typed(record["mutants"], COUNTS)
    return whole and all(isinstance(part, str) for name in LISTS for part in record[name])


def require_shown(output: Mapping[str, Any], titles: Mapping[str, str]) -> None:
    """Refuse an output that shows a result otherwise than its record says it.

    Raises:
        Unread: saying what differs.
    """
    data, record = output["data"], output["data"][STEP]
    kind = record["kind"]
    if kind not in MARKS or record["status"] != kind:
        raise Unread(f"the record says that it is {record['status']}, and of the kind {kind}")
    if record["scope"].startswith("assumed ") != (kind == "assumed"):
        raise Unread(f"what is {kind} has the scope {record['scope']!r}")
    told = (*record["reasons"], *record["methods"], *(record[name] for name in ("label", "scope", "source")))
    words = " ".join(record.get("words", "").split("\n")), *titles.values()
    if strange := next((text for text in (*told, *words) if NO_WORDS.search(text)), ""):
        raise Unread(f"a display or a mark where words are expected: {strange!r}")
    refuse(not re.fullmatch(r"[a-zA-Z][\w-]*", record["label"]), f"a label is a word: {record['label']!r}")
    if kind in ("defined", "assumed"):
        one_row(record["latex"], Hand())
    if bool(record["certificates"]) != (kind in ("proved", "recalled")):
        raise Unread(f"{kind}, with {len(record['certificates'])} certificates")
    expected = bundle(record, titles)
    if data.keys() != expected.keys():
        raise Unread(f"shown as {', '.join(sorted(data.keys() - {STEP}))}, not as Markdown and text alone")
    for form in expected.keys() - {STEP}:
        refuse("".join(data[form]) != expected[form], f"its {form} is not {expected[form]!r}")


def bundle(record: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    """What a notebook shows of a result: its record, a line of text, and Markdown.

    A numbered equation that prose elsewhere can cite, its reasons, and the badge; a recalled one has no
    number of its own: it points to the page that proves it. A theorem in words is a quotation.
    """
    label, kind = record["label"], record["kind"]

    def link(found: re.Match[str]) -> str:
        title = titles.get(found[1], "")
        return f'<a href="#{"" if title else "equation-"}{found[1]}">{escape(title) or found[1]}</a>'

    reasons = [escape(reason) for reason in record["reasons"] if reason]
    why = f'<p class="check-reasons">{reasons[0]}</p>' if reasons else ""
    if len(reasons) > 1:
        why = f'<ol class="check-reasons">{"".join(f"<li>{reason}</li>" for reason in reasons)}</ol>'
    above = f"$$\n{record['latex']}\n$$" + f" ({label})" * (kind != "recalled")
    if kind == "words":
        words = f"**{titles[label]}.** {record.get('words')}"
        above = "\n".join([f"({label})=", *(f"> {line}".rstrip() for line in words.splitlines())])
    linked = re.sub("\0(.*?)\0", link, escape(badge(record, "\0{}\0".format)))
    box = f'<div class="check-box">{why}<p class="check check-{kind}">{linked}</p></div>'
    return {STEP: record, "text/plain": f"{label}: {badge(record)}", "text/markdown": f"{above}\n\n{box}\n"}


def badge(record: Mapping[str, Any], show: Callable[[str], str] = str) -> str:
    """One line: what was shown, how, for which values, and how many wrong versions were refuted."""
    kind, wrong = record["kind"], record["mutants"]
    if kind == "words":
        verb = "steps are" if len(record["uses"]) > 1 else "step is"
        return f"{MARKS[kind]}; its {verb} {', '.join(map(show, record['uses']))}"
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


def require_steps(record: Mapping[str, Any], of_page: Iterable[Mapping[str, Any]]) -> None:
    """Refuse a theorem in words whose steps are not on its page, proved or in words."""
    known = {r["label"] for r in of_page if r["kind"] in ("proved", "words")}
    if record["kind"] == "words" and not (record["uses"] and known >= set(record["uses"])):
        raise Unread(f"not all of its steps are proved here: {', '.join(record['uses'])}")


def is_mark_alone(output: Mapping[str, Any]) -> bool:
    """Whether an output without a record shows the mark of a result."""
    text = unescape(json.dumps(output, ensure_ascii=False))
    return BOX.search(text) is not None or not set(SIGNS).isdisjoint(text)


def is_box(markdown: str) -> bool:
    """Whether a text shows the box of a mark, which only a result has."""
    return BOX.search(unescape(markdown)) is not None
