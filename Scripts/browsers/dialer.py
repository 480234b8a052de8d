"""TCP connections that begin on a simulated laptop and are used outside of it.

A process on the laptop connects and hands over the connected socket (SCM_RIGHTS, unix(7)), so nothing is relayed:
resets, time limits and slow reading are those of the laptop's own network.
"""
import os
import socket
import sys
import threading

CONNECT_SECONDS_MAX = 10


class Dialer:
    """Connects from one laptop of a lab."""

    def __init__(self, lab, laptop, directory):
        self.laptop, self.lock = laptop, threading.Lock()
        path = directory / f"dialer{laptop}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(str(path))
            listener.listen(1)
            listener.settimeout(CONNECT_SECONDS_MAX)
            self.process = lab.start(laptop, [sys.executable, __file__, str(path)])
            self.channel = listener.accept()[0]
        path.unlink()

    def dial(self, host, port, timeout=30):
        """A connected socket; raises what connecting raised on the laptop."""
        with self.lock:
            self.channel.sendall(f"{host} {port}\n".encode())
            answer, descriptors, _, _ = socket.recv_fds(self.channel, 64, 1)
        if not descriptors:
            number = int(answer)
            raise OSError(number, os.strerror(number))
        connection = socket.socket(fileno=descriptors[0])
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(timeout)
        return connection

    def close(self):
        self.channel.close()
        self.process.wait(CONNECT_SECONDS_MAX)


def serve(path):
    """The end on the laptop: lines of host and port come in, sockets or error numbers go out."""
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    channel.connect(path)
    for row in channel.makefile("r"):
        host, port = row.split()
        try:
            with socket.create_connection((host, int(port)), CONNECT_SECONDS_MAX) as connection:
                # The time limit made it non-blocking, which is a property that travels along.
                connection.settimeout(None)
                socket.send_fds(channel, [b"0"], [connection.fileno()])
        except OSError as error:
            channel.sendall(str(error.errno or 110).encode())


if __name__ == "__main__":
    serve(sys.argv[1])
