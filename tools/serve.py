"""Show the built book in the browser: ``python -m tools.serve [PORT]``. Listens on this machine only."""

from __future__ import annotations

import functools
import http.server
import sys
import webbrowser

from tools.notebooks import ROOT


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def server(port: int) -> http.server.ThreadingHTTPServer:
    """A server of ``_build/html`` on localhost; port 0 takes any free one."""
    handler = functools.partial(_Quiet, directory=str(ROOT / "_build" / "html"))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


def main() -> None:
    """Serve until interrupted."""
    with server(int(sys.argv[1]) if len(sys.argv) > 1 else 8000) as site:
        address = f"http://127.0.0.1:{site.server_port}/"
        print(f"The book is at {address} (Ctrl-C ends)", flush=True)
        webbrowser.open(address)
        try:
            site.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
