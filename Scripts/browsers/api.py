"""The API as scripts see it: requests over one connection, from a laptop of the lab or over the owner's socket."""
import dataclasses
import http.client
import json
import socket
import urllib.parse

ANSWER_SECONDS_MAX = 30


@dataclasses.dataclass
class Answer:
    status: int
    headers: dict  # names in lower case
    body: bytes

    def json(self):
        return json.loads(self.body)


class Client:
    """One visitor. Each request has a connection of its own, so nothing hangs on what an earlier one left behind."""

    def __init__(self, origin, dial, bearer=None):
        self.origin, self.dial, self.bearer = origin, dial, bearer
        self.host = urllib.parse.urlsplit(origin).netloc

    def request(self, method, path, body=None, headers=(), timeout=ANSWER_SECONDS_MAX):
        given = {"Host": self.host, **({"Authorization": f"Bearer {self.bearer}"} if self.bearer else {}), **dict(headers)}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            given.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("laptop")
        connection.sock = self.dial(timeout)
        try:
            connection.request(method, path, body, {name: value for name, value in given.items() if value is not None})
            answer = connection.getresponse()
            rows = {}
            for name, value in answer.getheaders():
                rows[name.lower()] = f"{rows[name.lower()]}, {value}" if name.lower() in rows else value
            return Answer(answer.status, rows, answer.read())
        finally:
            connection.close()

    def get(self, path, headers=(), **options):
        return self.request("GET", path, None, headers, **options)

    def post(self, path, body, headers=()):
        return self.request("POST", path, body, headers)

    def events(self, timeout=ANSWER_SECONDS_MAX):
        """Lines of the event stream, for as long as somebody reads them."""
        connection = http.client.HTTPConnection("laptop")
        connection.sock = self.dial(timeout)
        try:
            connection.request("GET", "/api/v1/events", headers={
                "Host": self.host, "Authorization": f"Bearer {self.bearer}", "Accept": "text/event-stream"})
            answer = connection.getresponse()
            while row := answer.readline():
                yield row.decode().rstrip("\n")
        finally:
            connection.close()


def over_socket(path):
    """The owner's door."""
    def dial(timeout):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(timeout)
        connection.connect(str(path))
        return connection

    return Client("http://potluck", dial)
