#===- browser.py - What a browser makes of einc's pages -------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: browser.py PAGE.html [--screenshot FILE.png] [--size WxH] [--dark]
#                   [--scroll SELECTOR] CHECK...
#
# Opens the page in headless Chromium, driven by the DevTools protocol over a
# pipe, and does the checks by their names. Prints a line for each; exits with 1
# at the first that fails, or if anything was written to the console or asked of
# the network.
#
#===-----------------------------------------------------------------------===#
import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time


class Browser:
    def __init__(self, width, height):
        self.directory = tempfile.mkdtemp(prefix="einc-browser-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def connect():
            # The browser reads from 3 and writes to 4.
            ends = os.dup(to_browser), os.dup(from_browser)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--disable-extensions", "--no-first-run",
             "--hide-scrollbars", "--remote-debugging-pipe",
             "--user-data-dir=" + self.directory, f"--window-size={width},{height}",
             "about:blank"],
            preexec_fn=connect, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.problems, self.events = [], []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        # Tab past the end leaves the page, which then hears of no focus.
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def receive(self):
        while b"\0" not in self.buffer:
            data = os.read(self.read_end, 1 << 16)
            if not data:
                sys.exit("the browser has gone away")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        method, details = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            exception = details["exceptionDetails"]
            self.problems.append(exception.get("exception", {}).get("description")
                                 or exception["text"])
        elif method == "Runtime.consoleAPICalled":
            self.problems.append("console: " + json.dumps(details["args"]))
        elif method == "Log.entryAdded":
            self.problems.append("log: " + details["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = details["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                self.problems.append("request: " + url)
        return message

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        number = self.number
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer.get("method"))

    def open(self, url):
        self.events.clear()
        self.send("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.receive().get("method"))

    def evaluate(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key, code=None, text=None):
        numbers = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowRight": 39}
        common = {"key": key, "code": code or key,
                  "windowsVirtualKeyCode": numbers.get(key, 0)}
        if key == "Enter":
            common["text"] = "\r"
        self.send("Input.dispatchKeyEvent", type="keyDown", **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def move(self, selector):
        """Moves the mouse over what the selector finds first."""
        at = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        # A scroll that is still on its way hides what hovering shows.
        self.evaluate("new Promise(done => requestAnimationFrame(() => "
                      "requestAnimationFrame(() => done(0))))")
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1])
        return at

    def click(self, selector):
        x, y = self.move(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      clickCount=1)

    def close(self):
        try:
            self.send("Browser.close")
        except SystemExit:
            pass
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


TIP = "document.getElementById('tip').hidden ? null : document.getElementById('tip').textContent"


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


# Each check leaves the page so that the others work.

def check_sections(browser):
    """All sections are there, and have something in them."""
    titles = browser.evaluate(
        "[...document.querySelectorAll('section')].filter(s => s.children.length > 1)"
        ".map(s => s.querySelector('h2').textContent)")
    expect(titles == ["Summary", "Source", "Contraction tree", "Roofline", "Schedule",
                      "Memory over time", "Stages", "Remarks"], titles)


def check_hover(browser):
    """A name says on hover, and on focus, what was inferred of it."""
    browser.move(".name.reduced")
    shown = browser.evaluate(TIP)
    expect(shown and "0 <= " in shown and "reduced" in shown, shown)
    browser.evaluate("hideTip(); document.querySelector('.name.reduced').focus()")
    expect(browser.evaluate(TIP) == shown, browser.evaluate(TIP))
    browser.press("Escape")
    expect(browser.evaluate(TIP) is None, "Escape hides it")


def check_links(browser):
    """A click on a line of the source shows what became of it, and back."""
    place = browser.evaluate("data.defs[0].statements[0].begin[0]")
    browser.click(f"#source-{place} .number")
    count = browser.evaluate(
        "[...document.querySelectorAll('.pane')].map(p => p.querySelectorAll('.on').length)")
    expect(len(count) >= 2 and all(count), count)
    expect(browser.evaluate(f"document.querySelector('#source-{place}').matches('.on')"), "source")
    loop = browser.evaluate("document.querySelectorAll('.loop').length")
    expect(loop > 2, "the inner loop is marked")
    places = browser.evaluate(
        "[...document.querySelectorAll('.loop[data-place]')].map(l => Number(l.dataset.place))")
    expect(place in places, places)
    browser.evaluate("selectPlace(0)")
    expect(browser.evaluate("document.querySelectorAll('.on').length") == 0, "nothing")
    browser.click(".pane .linked .number")
    expect(browser.evaluate("document.querySelectorAll('#source .on').length") == 1, "back")
    browser.evaluate("selectPlace(0)")


def check_keyboard(browser):
    """Tab goes through the page and shows where it is; arrows, within groups."""
    # What is below the mouse has its note, too.
    browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    browser.evaluate("document.querySelector('.skip').focus()")
    seen = []
    for _ in range(60):
        browser.press("Tab")
        seen.append(browser.evaluate(
            "(e => e.id || e.className.baseVal || e.className || e.tagName)"
            "(document.activeElement)"))
        if seen[-1] == "BODY":
            break  # past the end
        outline = browser.evaluate(
            "(e => getComputedStyle(e).outlineStyle !== 'none' || !!e.closest('svg'))"
            "(document.activeElement)")
        expect(outline, f"{seen[-1]} shows that it has the focus")
    for wanted in ("search", "theme", "item", "linked"):
        expect(any(wanted in entry for entry in seen), f"{wanted} in {seen}")
    browser.evaluate("document.querySelector('#tree .item').focus()")
    first = browser.evaluate(TIP)
    browser.press("ArrowRight")
    second = browser.evaluate(TIP)
    expect(first and second and first != second, (first, second))
    unnamed = browser.evaluate(
        "[...document.querySelectorAll('button, input, select, .item, .name')]"
        ".filter(e => !e.hidden && !(e.getAttribute('aria-label') || e.textContent.trim() ||"
        " (e.labels && e.labels.length))).length")
    expect(unnamed == 0, f"{unnamed} without a name")


def check_search(browser):
    """A search finds lines of stages, and goes to one of them."""
    browser.evaluate("document.getElementById('search').focus()")
    browser.send("Input.insertText", text="linalg.contract")
    hits = browser.evaluate(
        "[...document.querySelectorAll('#results button')].map(b => b.textContent)")
    expect(any(hit.startswith("contract:") for hit in hits), hits)
    browser.press("Enter")
    line = browser.evaluate("document.activeElement.textContent")
    expect("linalg.contract" in line, line)
    browser.evaluate("document.getElementById('search').value = ''; search()")


def check_colours(browser):
    """Light and dark, by what the system prefers and by the switch."""
    ground = "getComputedStyle(document.body).backgroundColor"
    colours = {}
    for scheme in ("light", "dark"):
        browser.send("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])
        colours[scheme] = browser.evaluate(ground)
    expect(colours["light"] != colours["dark"], colours)
    for wanted in ("light", "dark"):
        browser.click("#theme")
        expect(browser.evaluate(ground) == colours[wanted], (wanted, colours))
    browser.click("#theme")
    expect(browser.evaluate(ground) == colours["dark"], "as the system has it")


def check_defs(browser):
    """Another def is chosen from the list."""
    before = browser.evaluate("document.querySelector('#summary').textContent")
    browser.evaluate("document.getElementById('def').focus()")
    browser.evaluate("(c => { c.value = '0'; c.dispatchEvent(new Event('change')); })"
                     "(document.getElementById('def'))")
    expect(before != browser.evaluate("document.querySelector('#summary').textContent"), before)


def check_bench(browser):
    """The times, the roofline and the figures of a benchmark."""
    count = browser.evaluate("data.points[0].points.length")
    expect(count > 1, count)
    drawn = browser.evaluate("[...document.querySelectorAll('svg')]"
                             ".filter(s => s.querySelector('.item')).length")
    expect(drawn == 2, drawn)
    browser.evaluate("document.querySelector('svg .item').focus()")
    expect("median" in browser.evaluate(TIP), browser.evaluate(TIP))
    expect(browser.evaluate("document.querySelectorAll('tbody tr').length") == count, count)


def check_measured(browser):
    """Measured points are on the roofline."""
    text = browser.evaluate("document.querySelector('#roofline').textContent")
    expect("Measured" in text and "of the peak" in text, text)


def check_fits(browser):
    """The page is not wider than the window."""
    wide = browser.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    expect(wide <= 0, f"{wide} pixels too wide")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("checks", nargs="*")
    parser.add_argument("--screenshot")
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--scroll", help="the element to begin at")
    parser.add_argument("--select", type=int, help="the line that is picked")
    arguments = parser.parse_args()
    width, height = map(int, arguments.size.split("x"))
    browser = Browser(width, height)
    try:
        if arguments.dark:
            browser.send("Emulation.setEmulatedMedia",
                         features=[{"name": "prefers-color-scheme", "value": "dark"}])
        browser.open(pathlib.Path(arguments.page).resolve().as_uri())
        for name in arguments.checks:
            try:
                globals()["check_" + name](browser)
            except AssertionError as error:
                print(f"{name}: FAILED: {error}")
                return 1
            print(f"{name}: ok")
        if arguments.select:
            browser.evaluate(f"selectPlace({arguments.select})")
        if arguments.scroll:
            browser.evaluate(f"document.querySelector({json.dumps(arguments.scroll)})"
                             ".scrollIntoView()")
        if arguments.screenshot:
            time.sleep(0.3)
            image = browser.send("Page.captureScreenshot", format="png")["data"]
            pathlib.Path(arguments.screenshot).write_bytes(base64.b64decode(image))
        if browser.problems:
            print("console: FAILED: " + "\n".join(browser.problems))
            return 1
        print("console: ok")
        return 0
    finally:
        browser.close()


sys.exit(main())
