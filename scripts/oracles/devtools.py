"""A browser that is asked by its DevTools protocol, with the standard library alone."""

import base64, contextlib, json, os, shutil, socket, struct, subprocess, tempfile, time, urllib.request

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]


class Socket:
    """A WebSocket client (RFC 6455): texts, and answers to pings."""

    def __init__(self, address):
        host, _, path = address.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self.stream = socket.create_connection((name, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.exactly(1)
        assert b" 101 " in head.split(b"\r\n")[0], head

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.stream.recv(count - len(data))
            assert piece, "the browser hung up"
            data += piece
        return data

    def send(self, text, kind=1):
        data, mask = text if isinstance(text, bytes) else text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x80 | kind])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        self.stream.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        text = b""
        while True:
            first, second = self.exactly(2)
            size = second & 127
            if size > 125:
                size = struct.unpack(">H" if size == 126 else ">Q", self.exactly(2 if size == 126 else 8))[0]
            data = self.exactly(size)
            if first & 15 == 9:
                self.send(data, kind=10)
            elif first & 15 in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()


class Page:
    """One tab, and everything that it said."""

    def __init__(self, address):
        self.socket, self.number, self.events = Socket(address), 0, []
        for domain in ["Page", "Runtime", "Log", "Network", "DOM", "Accessibility"]:
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def named(self, *methods):
        return [event for event in self.events if event.get("method") in methods]

    def open(self, path, width=1000, height=900, dark=False):
        """Opens a file, as wide as that, and waits until it is there."""
        self.events.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        end = time.monotonic() + 60
        while not self.named("Page.loadEventFired"):
            assert time.monotonic() < end, "the page did not load"
            self.evaluate("0")
            time.sleep(0.05)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(data["data"]))


@contextlib.contextmanager
def browser():
    """A headless browser of its own, gone afterwards."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program, "no Chromium is installed"
    folder = tempfile.mkdtemp()
    process = subprocess.Popen(
        [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--no-first-run", "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb",
         "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        place, end = os.path.join(folder, "DevToolsActivePort"), time.monotonic() + 60
        while not (os.path.exists(place) and "\n" in open(place).read()):
            assert time.monotonic() < end and process.poll() is None, "the browser did not start"
            time.sleep(0.05)
        port = open(place).readline().strip()
        targets = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=60))
        yield Page(next(t for t in targets if t["type"] == "page")["webSocketDebuggerUrl"])
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)
