"""Uploads one file with tuspy, as a program of its own: ORIGIN BEARER ALBUM FILE STOP [URL].

Stops at the offset STOP without a word to the server, or goes on from URL. Prints the upload's URL and offset.
"""
import os
import sys

from tusclient.client import TusClient

CHUNK_BYTE_COUNT = 1 << 20


def main(origin, bearer, album, file, stop, url=None):
    client = TusClient(f"{origin}/api/v1/uploads", headers={"Authorization": f"Bearer {bearer}"})
    uploader = client.uploader(file, url=url, chunk_size=CHUNK_BYTE_COUNT, metadata={
        "filename": os.path.basename(file), "album": album, "lastmodified": str(int(os.stat(file).st_mtime * 1000))})
    uploader.upload(stop_at=int(stop) or None)
    print(uploader.url, uploader.offset)


if __name__ == "__main__":
    main(*sys.argv[1:])
