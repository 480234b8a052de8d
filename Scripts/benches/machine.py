"""What the machine is, and what it can do without Potluck."""
import multiprocessing
import os
import random
import shutil
import socket
import ssl
import subprocess
import time

from .figures import GB, Failure, note, seconds

CHUNK = 1 << 20


def describe_machine(directory):
    with open("/proc/cpuinfo") as file:
        model = next((row.split(":")[1].strip() for row in file if row.startswith("model name")), "CPU of unknown model")
    kind = subprocess.run(["stat", "-f", "-c", "%T", directory], capture_output=True, text=True).stdout.strip()
    print(f"{os.cpu_count()} cores, {model}; {kind}; kernel {os.uname().release}; {load()}")


def load():
    return f"load average {os.getloadavg()[0]:.1f}"


def touch_page_cache(directory, byte_count):
    """Writes and deletes as much as will be used: on some virtual machines memory that is touched first is slow."""
    with open("/proc/meminfo") as file:
        free = next(int(row.split()[1]) * 1024 for row in file if row.startswith("MemAvailable"))
    byte_count = int(min(byte_count, free * 0.8))
    note(f"touching {byte_count / GB:.1f} GB of page cache")
    path = directory / "page-cache"
    with open(path, "wb", buffering=0) as file:
        for _ in range(byte_count // CHUNK):
            file.write(bytes(CHUNK))
    path.unlink()
    os.sync()


def sha256_rate(_directory):
    run = subprocess.run(
        ["openssl", "speed", "-evp", "sha256", "-bytes", str(CHUNK), "-seconds", "1", "-mr"],
        capture_output=True, text=True)
    return float(run.stdout.strip().splitlines()[-1].split(":")[-1])


def serve_tls(certificate, listener, byte_count):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    connection = context.wrap_socket(listener.accept()[0], server_side=True)
    chunk = bytes(CHUNK)
    for _ in range(byte_count // CHUNK):
        connection.sendall(chunk)
    connection.close()


def tls_rate(directory, byte_count=1 << 30):
    """One TLS 1.3 stream over loopback between two processes, nothing read and nothing kept."""
    certificate = directory / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
         "-subj", "/CN=bench", "-keyout", certificate, "-out", directory / "public.pem"],
        check=True, capture_output=True)
    with open(certificate, "a") as file:
        file.write((directory / "public.pem").read_text())
    listener = socket.create_server(("127.0.0.1", 0))
    server = multiprocessing.get_context("fork").Process(target=serve_tls, args=(certificate, listener, byte_count))
    server.start()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = context.wrap_socket(socket.create_connection(listener.getsockname()))
    buffer, start, left = bytearray(CHUNK), time.monotonic(), byte_count
    while left > 0:
        got = connection.recv_into(buffer)
        if not got:
            raise Failure("the TLS connection ended early")
        left -= got
    rate = byte_count / (time.monotonic() - start)
    server.join()
    return rate


def disk_rate(directory, count, byte_count):
    """Plain files, each written and synced; no copy, no hash, no network."""
    folder, block = directory / "plain", random.Random(0).randbytes(byte_count)
    folder.mkdir()

    def write():
        for number in range(count):
            with open(folder / str(number), "wb", buffering=0) as file:
                file.write(block)
                os.fsync(file.fileno())

    took = seconds(write)
    shutil.rmtree(folder)
    return count * byte_count / took
