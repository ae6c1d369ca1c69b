"""How long a live figure takes to draw a frame while a knob is turned, on a processor slowed down fourfold.

    python -m tools.frames

A frame is the figure's formulas, its new picture, and the browser's styles and layout; painting is not in it.
A screen that shows 60 frames a second leaves 16.7 ms.
"""

from __future__ import annotations

import gzip
import re
from typing import Any

from tools.browser import browser, open_page, pages
from tools.live_figures import FOLDER, figures

SLOWER = 4
#: Turns each slider of the figure from end to end, 100 steps, and gives the milliseconds of each frame.
TURN = """async figure => {
  figure.scrollIntoView();
  const took = [];
  for (const slider of figure.querySelectorAll('input[type=range]'))
    for (let step = 0; step <= 100; step++) {
      await new Promise(requestAnimationFrame);
      const began = performance.now();
      slider.value = +slider.min + (slider.max - slider.min) * step / 100;
      slider.dispatchEvent(new Event('input', {bubbles: true}));
      figure.getBoundingClientRect();
      took.push(performance.now() - began);
    }
  return took.sort((a, b) => a - b);
}"""


def frame_times(tab: Any, name: str) -> list[float]:
    """Milliseconds of each frame of the figure ``name``, on the first page that holds it, shortest first."""
    page = next(page for page in pages() if re.search(f"<{name} ", page.read_text(encoding="utf-8")))
    open_page(tab, page)
    tab.context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    took: list[float] = tab.locator(name).first.evaluate(TURN)
    return took


def main() -> None:
    """Print a line for each figure."""
    print(f"milliseconds of a frame, the processor {SLOWER} times slower")
    print(f"{'figure':18} {'bytes':>5} {'frames':>6} {'median':>7} {'99 %':>7} {'worst':>7}")
    with browser() as chrome:
        for name in figures():
            tab = chrome.new_page(viewport={"width": 390, "height": 844})
            took = frame_times(tab, name)
            size = len(gzip.compress((FOLDER / f"{name}.js").read_bytes()))
            middle, late, last = (took[int(share * (len(took) - 1))] for share in (0.5, 0.99, 1))
            print(f"{name:18} {size:5} {len(took):6} {middle:7.2f} {late:7.2f} {last:7.2f}")
            tab.close()


if __name__ == "__main__":
    main()
