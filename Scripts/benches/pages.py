"""Guests who have a page open: what a page asks of its laptop, without a browser."""
import contextlib
import http.client
import json
import threading

from browsers.api import Client
from browsers.dialer import Dialer

from .figures import Failure, wait_for


class OpenPages:
    """Event streams of guests; each asks for the thumbnail of every photo that it hears of, as a page does."""

    def __init__(self, lab, agent, directory, count):
        self.lab, self.agent, self.directory, self.count = lab, agent, directory, count
        self.dialer, self.streams, self.open_count = None, [], 0

    def __enter__(self):
        if self.count == 0:
            return self
        origin, token = self.agent.json("guests", "on")["link"].split("/g/#")
        host, port = origin.removeprefix("http://").rsplit(":", 1)
        self.dialer = Dialer(self.lab, 2, self.directory)

        def visitor(bearer=None):
            return Client(origin, lambda timeout: self.dialer.dial(host, int(port), timeout), bearer)

        for number in range(self.count):
            answer = visitor().post("/api/v1/guests", {"token": token, "name": f"Guest {number + 1}"})
            if answer.status != 201:
                raise Failure(f"joining answered {answer.status}")
            threading.Thread(target=self.follow, args=(visitor(answer.json()["bearer"]),), daemon=True).start()
        wait_for("open pages", lambda: self.open_count == self.count, patience=30)
        return self

    def follow(self, visitor):
        # The stream ends with its laptop.
        with contextlib.suppress(OSError, http.client.HTTPException):
            kind, is_open = "", False
            for row in visitor.events():
                if not is_open:
                    is_open, self.open_count = True, self.open_count + 1
                if row.startswith("event: "):
                    kind = row.removeprefix("event: ")
                elif row.startswith("data: ") and kind == "photo.added":
                    photo = json.loads(row.removeprefix("data: "))["photo"]
                    visitor.get(f"/api/v1/photos/{photo}/thumbnail")

    def __exit__(self, *_):
        if self.dialer:
            self.dialer.close()
