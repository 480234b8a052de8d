"""Firefox by WebDriver BiDi, without geckodriver, which Debian does not have."""
import base64
import itertools
import json
import pathlib
import subprocess
import time

import websocket

from benches.figures import Failure
from .page import Page, PageBusy

START_SECONDS_MAX = 60
ANSWER_SECONDS_MAX = 60
# Nothing that asks the internet, and no page of Firefox's own.
PREFERENCES = {
    "app.normandy.enabled": False, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore", "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False, "extensions.update.enabled": False,
}


class Firefox(Page):
    engine = "Firefox"

    def __init__(self, lab, dialer, directory, port, *, size=(390, 844)):
        directory.mkdir(parents=True)
        (directory / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()))
        self.numbers, self.console, self.socket = itertools.count(1), [], None
        environment = dict(lab.environment, HOME=str(directory), MOZ_HEADLESS="1")
        self.process = lab.start(
            dialer.laptop, ["firefox-esr", "--headless", "--no-remote", "--profile", str(directory),
                            "--remote-debugging-port", str(port)],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.connect(dialer, port)
            self.send("session.new", capabilities={})
            self.send("session.subscribe", events=["log.entryAdded"])
            self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
            self.resize(*size)
        except BaseException:
            self.close()
            raise

    def connect(self, dialer, port):
        end = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                self.socket = websocket.create_connection(
                    f"ws://127.0.0.1:{port}/session", socket=dialer.dial("127.0.0.1", port, ANSWER_SECONDS_MAX),
                    suppress_origin=True)
                return
            except (OSError, websocket.WebSocketException) as error:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise Failure("Firefox does not start") from error
                time.sleep(0.1)

    def send(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("method") == "log.entryAdded":
                entry = answer["params"]
                if entry["level"] in ("error", "warn"):
                    self.console.append(entry.get("text") or "")
            elif answer.get("id") == number:
                if answer["type"] == "error":
                    raise PageBusy(f"{answer['error']}: {answer['message']}")
                return answer["result"]

    def open(self, url):
        end = time.monotonic() + ANSWER_SECONDS_MAX
        while True:
            try:
                self.send("browsingContext.navigate", context=self.context, url=url, wait="interactive")
                return
            except PageBusy as error:
                # The page before was on its way elsewhere, and the two of them met.
                if "NS_BINDING_ABORTED" not in str(error) or time.monotonic() > end:
                    raise Failure(f"Firefox could not load {url.split('#')[0]}: {error}") from error
                time.sleep(0.1)

    def run(self, script, *arguments):
        given = json.dumps(arguments)
        expression = f"""(async () => {{
            const value = await (function () {{ {script} }}).apply(null, {given});
            return JSON.stringify(value === undefined ? null : value); }})()"""
        answer = self.send("script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True,
                           userActivation=True)
        if answer["type"] == "exception":
            raise Failure(f"Firefox: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"]["value"])

    def node(self, selector):
        self.until(selector, "return document.querySelector(arguments[0]) !== null", selector)
        expression = f"document.querySelector({json.dumps(selector)})"
        answer = self.send("script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=False)
        return {"sharedId": answer["result"]["sharedId"]}

    def click(self, selector):
        # Firefox points at nothing that is not displayed, as before the first layout of a page.
        self.until(
            f"{selector} to be displayed", "return document.querySelector(arguments[0])?.getClientRects().length > 0",
            selector)
        origin = {"type": "element", "element": self.node(selector)}
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.perform("pointer", [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}])

    def type(self, selector, text):
        self.node(selector)
        self.run("document.querySelector(arguments[0]).focus()", selector)
        self.press(*text)

    def files(self, selector, paths):
        self.send("input.setFiles", context=self.context, element=self.node(selector), files=[str(path) for path in paths])

    def press(self, *keys):
        self.perform("key", [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")])

    def perform(self, kind, actions):
        self.send("input.performActions", context=self.context, actions=[{"type": kind, "id": kind, "actions": actions}])

    def resize(self, width, height):
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def picture(self, path):
        data = self.send("browsingContext.captureScreenshot", context=self.context)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def errors(self):
        self.send("session.status")
        found, self.console = self.console, []
        return found

    def close(self):
        if self.socket:
            try:
                self.send("browser.close")
            except Exception:  # It may have gone already; its process ends below.
                pass
            self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
