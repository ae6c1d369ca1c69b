"""Firefox and WebKitGTK, each with a tab that knows what of Playwright's ``Page`` is asked of it."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager, suppress

from tornado.websocket import websocket_connect

PACKAGES = {"firefox": "firefox-esr", "WebKitWebDriver": "webkit2gtk-driver", "Xvfb": "xvfb"}
SCRIPT = """(async asked => JSON.stringify(
  await (typeof asked === 'function' ? asked(%s) : asked) ?? null))((%s))"""


def missing():
    """Debian's packages that are not installed here."""
    return [package for program, package in PACKAGES.items() if not shutil.which(program)]


def until(found):
    """What ``found`` returns as soon as that is something."""
    for _ in range(150):
        with suppress(OSError, ValueError):
            if answer := found():
                return answer
        time.sleep(0.1)
    raise TimeoutError


@contextmanager
def running(command, **options):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


class Tab:
    """What both have in common; ``problems`` is what a page complained of, where the engine tells."""

    def __init__(self):
        self.problems = []

    def evaluate(self, expression, argument=None):
        """The value of an expression, or what a function returns."""
        expression = expression.strip().removesuffix(";")
        return json.loads(self.run(SCRIPT % (json.dumps(argument), expression)))

    def press(self, key):
        self.act("key", [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}])

    def drag(self, start, end):
        places = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in (start, end)]
        down, up = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        self.act("pointer", [places[0], down, places[1], up])


class Firefox(Tab):
    """Driven by WebDriver BiDi, which Firefox speaks without another program."""

    def __init__(self, port):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.socket = self.loop.run_until_complete(connected(f"ws://127.0.0.1:{port}/session"))
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded", "network.fetchError"])
        (tab,) = self.ask("browsingContext.getTree")["contexts"]
        self.here = {"context": tab["context"]}

    def ask(self, method, **params):
        self.socket.write_message(json.dumps({"id": 1, "method": method, "params": params}))
        while True:
            said = json.loads(self.loop.run_until_complete(message(self.socket)))
            if said["type"] == "success":
                return said["result"]
            if said["type"] == "error":
                raise RuntimeError(f"{method}: {said['message']}")
            self.hear(said["params"])

    def hear(self, event):
        if "errorText" in event:
            self.problems.append(f"{event['errorText']}: {event['request']['url']}")
        elif event["level"] == "error":
            self.problems.append(event["text"])

    def run(self, script):
        done = self.ask("script.evaluate", expression=script, awaitPromise=True, target=self.here)
        if done["type"] == "exception":
            raise RuntimeError(done["exceptionDetails"]["text"])
        return done["result"]["value"]

    def act(self, kind, steps):
        self.ask("input.performActions", actions=[{"type": kind, "id": kind, "actions": steps}], **self.here)

    def set_viewport_size(self, size):
        self.ask("browsingContext.setViewport", viewport=size, **self.here)

    def goto(self, url, wait_until="load"):
        self.ask("browsingContext.navigate", url=url, wait="complete", **self.here)


async def connected(address):
    return await websocket_connect(address, max_message_size=2**26)


async def message(connection):
    return await connection.read_message()


class WebKit(Tab):
    """Driven by WebDriver. Its window cannot be as narrow as a phone: the page is in a frame that can."""

    def __init__(self, port, folder):
        super().__init__()
        self.frame = folder / "frame.html"
        self.address = f"http://127.0.0.1:{port}/session"
        self.address += "/" + until(lambda: self.ask("", capabilities={}))["sessionId"]
        self.ask("/window/rect", x=0, y=0, width=1400, height=1000)

    def ask(self, path, **params):
        request = urllib.request.Request(self.address + path, json.dumps(params).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.ask("/execute/sync", script=f"return {script}", args=[])

    def act(self, kind, steps):
        self.ask("/actions", actions=[{"type": kind, "id": kind, "actions": steps}])

    def set_viewport_size(self, size):
        """For the page that is opened next."""
        self.size = size

    def goto(self, url, wait_until="load"):
        style = "border: 0; width: {width}px; height: {height}px".format(**self.size)
        self.frame.write_text(f'<!doctype html><body style="margin: 0"><iframe src="{url}" style="{style}">')
        self.ask("/url", url=self.frame.as_uri())
        self.ask("/frame", id=0)


@contextmanager
def firefox(folder):
    address = folder / "WebDriverBiDiServer.json"
    command = ["firefox", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"]
    with running(command):
        yield Firefox(until(lambda: json.loads(address.read_text()))["ws_port"])


@contextmanager
def webkit(folder):
    """On a screen that nobody sees; all pages are ours, so without the sandbox, which root cannot have."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    told, tell = os.pipe()
    screen = ["Xvfb", "-displayfd", str(tell), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with running(screen, pass_fds=[tell]):
        display = f":{os.read(told, 9).decode().strip()}"
        shown = os.environ | {"DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        with running(["WebKitWebDriver", f"--port={port}"], env=shown):
            yield WebKit(port, folder)
