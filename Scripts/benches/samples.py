"""Photos to drop."""
import contextlib
import hashlib
import importlib.machinery
import importlib.util
import struct
import time

from .figures import MB, note
from .laptops import SCRIPTS


def make_photos(directory, count, byte_count, seed="bench"):
    """Distinct photos of one size, others for another seed; what Scripts/make-photos makes, with little picture."""
    maker = photo_maker()
    note(f"making {count} photos of {byte_count / MB:g} MB")
    directory.mkdir(parents=True)
    for number in range(count):
        (directory / f"IMG_{number:05}.JPG").write_bytes(maker.photo(f"{seed} {number}", byte_count, (32, 24)))


def photo_maker():
    """Scripts/make-photos, as a module."""
    loader = importlib.machinery.SourceFileLoader("make_photos", str(SCRIPTS / "make-photos"))
    maker = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_photos", loader))
    loader.exec_module(maker)
    return maker


def dated(photo, when):
    """A JPEG with the time in seconds since 1970 at which it was taken, as EXIF 2.32 says, in UTC."""
    text = time.strftime("%Y:%m:%d %H:%M:%S", time.gmtime(when)).encode() + b"\0"
    # A TIFF header; a directory with one entry, which leads to the EXIF directory; that one's entry leads to the text.
    head = struct.pack(">2sHIHHHIII", b"MM", 42, 8, 1, 0x8769, 4, 1, 26, 0)
    exif = head + struct.pack(">HHHIII", 1, 0x9003, 2, len(text), 44, 0) + text
    segment = b"Exif\0\0" + exif
    return photo[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + photo[2:]


def hashes(directory):
    """The SHA-256 of each photo in a directory."""
    with contextlib.suppress(FileNotFoundError):
        return {hashlib.sha256(path.read_bytes()).hexdigest() for path in directory.iterdir() if path.name[0] != "."}
    return set()


def tiny_photo(number):
    """One of the smallest files that are a picture: a GIF of one pixel, with a comment that tells it from others."""
    comment = f"bench {number}".encode()
    begin, end = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff!\xfe", b"\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
    return begin + bytes([len(comment)]) + comment + end
