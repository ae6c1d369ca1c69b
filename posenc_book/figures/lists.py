"""What a drawing of many words says, as lists: it stands in its place where a column is narrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def nested(groups: Mapping[str, Iterable[str]]) -> str:
    """HTML of a list of bold heads with a list under each, in one line, for ``Plot.narrow``.

    Args:
        groups: head → its items, both HTML already

    Example:
        >>> nested({"a": ["1", "2"]})
        '<ul class="narrow"><li><b>a</b><ul><li>1</li><li>2</li></ul></li></ul>'
    """
    rows = (
        f"<li><b>{head}</b><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul></li>"
        for head, items in groups.items()
    )
    return f'<ul class="narrow">{"".join(rows)}</ul>'
