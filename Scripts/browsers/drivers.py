"""Chromium and WebKit by Selenium; the drivers run on the laptops."""
import pathlib
import subprocess
import time

import urllib3
from selenium import webdriver
from selenium.common.exceptions import (
    JavascriptException, StaleElementReferenceException, TimeoutException, WebDriverException)
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options as WebKitOptions

from benches.figures import Failure
from .page import COLLECTOR, Page, PageBusy

START_SECONDS_MAX = 30
SCRIPT_SECONDS_MAX = 30
TYPING_TRIES = 4
CHROMIUM_WORDS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
                  "--disable-background-networking", "--no-first-run", "--disable-component-update",
                  # Pages of a test are all in front, whatever the order in which they were opened.
                  "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"]
# Of chromedriver alone.
CHROMIUM_COMMANDS = {
    "executeCdpCommand": ("POST", "/session/$sessionId/goog/cdp/execute"),
    "getLog": ("POST", "/session/$sessionId/se/log"),
}
# Chromium asks for it by itself, whatever the page's icon is.
HARMLESS = ["favicon.ico"]


def through(dialer):
    """A pool of urllib3 whose connections begin on the dialer's laptop."""
    class Connection(urllib3.connection.HTTPConnection):
        def _new_conn(self):
            return dialer.dial(self.host, self.port, SCRIPT_SECONDS_MAX + 30)

    class Pool(urllib3.HTTPConnectionPool):
        ConnectionCls = Connection

    # A driver that hangs once hangs again.
    manager = urllib3.PoolManager(retries=False)
    manager.pool_classes_by_scheme = {"http": Pool}
    return manager


def connection(dialer, port):
    class Remote(RemoteConnection):
        def _get_connection_manager(self):
            return through(dialer)

    remote = Remote(client_config=ClientConfig(f"http://127.0.0.1:{port}", timeout=SCRIPT_SECONDS_MAX + 30))
    remote._commands = {**remote._commands, **CHROMIUM_COMMANDS}
    return remote


class SeleniumPage(Page):
    """A page in a browser that Selenium drives."""

    def begin(self, lab, dialer, words, options, port):
        self.driver = None
        self.dialer = dialer
        self.process = lab.start(
            dialer.laptop, words, env=self.environment(lab), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.await_driver(dialer, port)
            self.driver = webdriver.Remote(connection(dialer, port), options=options)
        except BaseException:
            self.close()
            raise
        # Files lie where the browser is: nothing is sent to the driver.
        self.driver.file_detector = UselessFileDetector()
        self.driver.set_script_timeout(SCRIPT_SECONDS_MAX)
        self.driver.set_page_load_timeout(SCRIPT_SECONDS_MAX)

    def environment(self, lab):
        return lab.environment

    def await_driver(self, dialer, port):
        end = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                dialer.dial("127.0.0.1", port).close()
                return
            except OSError as error:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise Failure(f"the driver of {self.engine} does not start") from error
                time.sleep(0.05)

    def open(self, url):
        try:
            self.driver.get(url)
        except TimeoutException as error:
            raise Failure(f"{self.engine} could not load {url.split('#')[0]}") from error

    def run(self, script, *arguments):
        try:
            return self.driver.execute_script(script, *arguments)
        except (JavascriptException, TimeoutException) as error:
            words = str(error.msg)
            if "unload" in words or "navigat" in words or "null" in words:
                raise PageBusy(words) from error
            raise Failure(f"{self.engine}: {words}") from error
        except WebDriverException as error:
            raise PageBusy(str(error.msg)) from error

    def element(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector):
        self.until(selector, "return document.querySelector(arguments[0])?.checkVisibility?.() ?? "
                   "document.querySelector(arguments[0]) !== null", selector)
        self.element(selector).click()

    def type(self, selector, text):
        self.until(selector, "return document.querySelector(arguments[0]) !== null", selector)
        for _ in range(TYPING_TRIES):
            try:
                self.element(selector).send_keys(text)
                return
            except StaleElementReferenceException:
                # The page drew it anew meanwhile, with what was typed so far.
                self.element(selector).clear()
        raise Failure(f"{self.engine} cannot type into {selector}: it is drawn anew again and again")

    def files(self, selector, paths):
        self.until(selector, "return document.querySelector(arguments[0]) !== null", selector)
        self.element(selector).send_keys("\n".join(str(path) for path in paths))

    def press(self, *keys):
        chain = webdriver.ActionChains(self.driver, duration=0)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def resize(self, width, height):
        self.driver.set_window_size(width, height)

    def picture(self, path):
        pathlib.Path(path).write_bytes(self.driver.get_screenshot_as_png())

    def close(self):
        if self.driver:
            try:
                self.driver.quit()
            except Exception:  # The browser may have gone with its laptop; its processes end below.
                pass
            self.driver = None
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Chromium(SeleniumPage):
    engine = "Chromium"

    def __init__(self, lab, dialer, directory, port, *, size=(390, 844), phone=None, scripts=True, words=()):
        phone = size[0] < 700 if phone is None else phone
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in [*CHROMIUM_WORDS, f"--window-size={size[0]},{size[1]}", f"--user-data-dir={directory}", *words]:
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # Waiting for every picture would hide what the page does meanwhile; tests wait for what they need.
        options.page_load_strategy = "eager"
        if phone:
            options.add_experimental_option("mobileEmulation", {
                "deviceMetrics": {"width": size[0], "height": size[1], "pixelRatio": 2, "touch": True}})
        self.is_phone = phone
        self.begin(lab, dialer, ["chromedriver", f"--port={port}"], options, port)
        if not phone:
            self.resize(*size)
        if not scripts:
            # Of the page alone: with the browser's own setting the driver itself would wait in vain after a click.
            self.cdp("Emulation.setScriptExecutionDisabled", value=True)

    def cdp(self, command, **parameters):
        return self.driver.execute("executeCdpCommand", {"cmd": command, "params": parameters})["value"]

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=2 if self.is_phone else 1, mobile=self.is_phone)

    def prefers(self, **features):
        """What the person has set: color_scheme="dark", reduced_motion="reduce"."""
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()])

    def heap(self):
        """Bytes of JavaScript that are alive, after a collection."""
        self.cdp("HeapProfiler.collectGarbage")
        return self.cdp("Runtime.getHeapUsage")["usedSize"]

    def errors(self):
        """What the console says since it was asked last."""
        rows = self.driver.execute("getLog", {"type": "browser"})["value"]
        return [row["message"] for row in rows
                if row["level"] in ("SEVERE", "WARNING") and not any(word in row["message"] for word in HARMLESS)]


class WebKit(SeleniumPage):
    engine = "WebKit"
    PROGRAM = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"

    def __init__(self, lab, dialer, directory, port, *, size=(390, 844), display):
        self.display, self.directory = display, directory
        options = WebKitOptions()
        options.binary_location = self.PROGRAM
        for word in ["--automation", "--full-screen"]:
            options.add_argument(word)
        options.page_load_strategy = "eager"
        self.begin(lab, dialer, ["WebKitWebDriver", f"--port={port}"], options, port)
        self.resize(*size)

    def environment(self, lab):
        places = {name: str(self.directory) for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
        return dict(lab.environment, DISPLAY=self.display, **places)

    def run(self, script, *arguments):
        # Its synchronous form does not wait for promises.
        body = f"""
            const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1);
            Promise.resolve().then(() => (function () {{ {script} }}).apply(null, given)).then(
              (value) => done({{value: value === undefined ? null : value}}),
              (error) => done({{error: String(error?.stack || error)}}));"""
        try:
            answer = self.driver.execute_async_script(body, *arguments)
        except (JavascriptException, TimeoutException, WebDriverException) as error:
            raise PageBusy(str(error.msg)) from error
        if answer is None:
            raise PageBusy("no answer")
        if "error" in answer:
            raise Failure(f"{self.engine}: {answer['error']}")
        return answer["value"]

    def open(self, url):
        super().open(url)
        self.collect()

    def collect(self):
        try:
            self.run(COLLECTOR)
        except PageBusy:
            # The page went on to another one, which is asked when somebody asks for its errors.
            pass

    def errors(self):
        return self.run(f"{COLLECTOR} return potluckErrors.splice(0)")
