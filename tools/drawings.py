"""Drawings as the site serves them: the same picture to a tenth of a point, in fewer bytes."""

import base64
import re
from collections.abc import Iterator, Sequence
from io import BytesIO

from PIL import Image

_LONG = re.compile(r"-?\d+\.\d{2,}")
_PLACES = re.compile(r'\b(?:x|y|width|height)="[^"]*"|\b(?:translate|rotate)\([^)]*\)')
_PATH = re.compile(r"([MLQCZz])|(-?\d+(?:\.\d+)?)")
_POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3, "Z": 0, "z": 0}
Point = tuple[int, int]  # in tenths


def lighter_drawing(svg: str) -> str:
    """Coordinates with one decimal, paths from point to point, and no names of fonts, groups or texts.

    The page's own font is used; matplotlib names each group, and what it typesets in a comment, for nobody.
    Turns by 0 and areas without colour and edge, which show nothing, go. Heat maps keep every pixel
    (:func:`lighter_picture`).
    """
    svg = re.sub(r"(?<=data:image/png;base64,)[\w+/=\s]+", lambda found: lighter_picture(found[0]), svg)
    svg = re.sub(r'\bd="([^"]*)"', lambda found: f'd="{lighter_path(found[1])}"', svg)
    svg = re.sub(_PLACES, lambda found: _LONG.sub(_rounded, found[0]), svg)
    svg = re.sub(r"font-family: [^;\"]*;? ?", "", re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL))
    svg = re.sub(r' (?:xmlns(?::xlink)?="[^"]*"|version="1.1")', "", svg)  # HTML knows them
    svg = re.sub(r' transform="rotate\(-?0 [^)]*\)"|<path d="[^"]*" style="fill: none"/>', "", svg)
    used = set(re.findall(r'(?:href="|url\()#([^")]*)', svg))
    svg = re.sub(r'<g id="([^"]*)"', lambda found: found[0] if found[1] in used else "<g", svg)
    return re.sub(r"> <(?!/?(?:tspan|text))", "><", re.sub(r"\s+", " ", svg))


def lighter_picture(png: str) -> str:
    """``png``, in base64, with its colours listed once where they are at most 256: the same pixels.

    Matplotlib writes four bytes for each pixel of a heat map, and a heat map has few colours.
    """
    whole = Image.open(BytesIO(base64.b64decode(png))).convert("RGBA")
    colours = whole.getcolors(256)
    if colours is None or any(colour[3] < 255 for _, colour in colours):
        return png
    light = whole.convert("RGB").quantize(len(colours), dither=Image.Dither.NONE)
    if light.convert("RGBA").tobytes() != whole.tobytes():
        return png
    buffer = BytesIO()
    light.save(buffer, format="png", optimize=True)
    return min(base64.b64encode(buffer.getvalue()).decode(), png, key=len)


def lighter_path(path: str) -> str:
    """``path`` with each point given from the one before it, in tenths, and points in one place left out."""
    written, here, start, last = "", (0, 0), (0, 0), ""
    for command, points in _steps(path):
        if command in "Zz":
            written, here, last = written + "z", start, "z"
            continue
        if command == "L" and points[0] == here and last in ("m", "l"):
            continue
        letter = command if not written else command.lower()
        origin = (0, 0) if not written else here
        numbers = _numbers([x - o for point in points for x, o in zip(point, origin, strict=True)])
        same = letter == last and letter != "m"
        written += (numbers if numbers[0] == "-" else f" {numbers}") if same else letter + numbers
        here, last = points[-1], letter.lower()
        start = here if command == "M" else start
    return written


def _steps(path: str) -> Iterator[tuple[str, list[Point]]]:
    pieces = iter(_PATH.findall(path))
    for command, _ in pieces:
        flat = [round(float(next(pieces)[1]) * 10) for _ in range(2 * _POINTS[command])]
        yield command, list(zip(flat[::2], flat[1::2], strict=True))


def _numbers(tenths: Sequence[int]) -> str:
    texts = [re.sub(r"^(-?)0(?=\.)", r"\1", f"{n / 10:.1f}".removesuffix(".0")) for n in tenths]
    return "".join(text if not k or text[0] == "-" else f" {text}" for k, text in enumerate(texts))


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")
