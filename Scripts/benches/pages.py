"""Guests who have a page open: what a page asks of its laptop, without a browser."""
import contextlib
import http.client
import json
import socket
import threading

from browsers.api import Client
from browsers.dialer import Dialer

from .figures import Failure, wait_for


class Guests:
    """Guests of a laptop, who have joined. While their pages are open, each asks for the thumbnail of every photo that it
    hears of, as a page does."""

    def __init__(self, lab, agent, directory, count):
        self.lab, self.agent, self.directory, self.count = lab, agent, directory, count
        self.dialer, self.bearers, self.streams, self.open_count = None, [], [], 0

    def __enter__(self):
        if self.count == 0:
            return self
        self.origin, token = self.agent.json("guests", "on")["link"].split("/g/#")
        self.dialer = Dialer(self.lab, 2, self.directory)
        for number in range(self.count):
            answer = self.visitor().post("/api/v1/guests", {"token": token, "name": f"Guest {number + 1}"})
            if answer.status != 201:
                raise Failure(f"joining answered {answer.status}")
            self.bearers.append(answer.json()["bearer"])
        return self

    def __exit__(self, *_):
        if self.dialer:
            self.dialer.close()

    def visitor(self, bearer=None):
        return Client(self.origin, self.dial, bearer)

    def dial(self, timeout):
        host, port = self.origin.removeprefix("http://").rsplit(":", 1)
        return self.dialer.dial(host, int(port), timeout)

    @contextlib.contextmanager
    def pages(self):
        """Everybody's page is open meanwhile."""
        self.open_count = 0
        readers = [threading.Thread(target=self.follow, args=(bearer,), daemon=True) for bearer in self.bearers]
        for reader in readers:
            reader.start()
        wait_for("open pages", lambda: self.open_count == self.count, patience=30)
        try:
            yield
        finally:
            while self.streams:
                with contextlib.suppress(OSError):
                    self.streams.pop().shutdown(socket.SHUT_RDWR)
            for reader in readers:
                reader.join(30)

    def follow(self, bearer):
        def dial(timeout):
            connection = self.dial(timeout)
            self.streams.append(connection)
            return connection

        visitor, stream = self.visitor(bearer), Client(self.origin, dial, bearer)
        # The stream ends with its laptop, or when the page is closed.
        with contextlib.suppress(OSError, http.client.HTTPException):
            kind, is_open = "", False
            for row in stream.events():
                if not is_open:
                    is_open, self.open_count = True, self.open_count + 1
                if row.startswith("event: "):
                    kind = row.removeprefix("event: ")
                elif row.startswith("data: ") and kind == "photo.added":
                    photo = json.loads(row.removeprefix("data: "))["photo"]
                    visitor.get(f"/api/v1/photos/{photo}/thumbnail")
