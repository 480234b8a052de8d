// What a file is, read piece by piece so that a phone's memory holds a few megabytes of it at a time.

import { Sha256 } from "../shared/sha256.js";
import { ARRIVAL_BYTE_COUNT, describeArrival } from "./arrived.js";
import { QUEUE_LIMITS } from "./queue.js";
import { base64 } from "./tus.js";

const READ_BYTE_COUNT = 4 * 1024 * 1024;
const END_BYTE_COUNT = 1024 * 1024;

/**
 * Reads a file that a person picked.
 * @param {Blob} file
 * @returns {Promise<{sha256: string | null, key: string, arrived: object}>} `sha256` is `null` for a file of more than
 *   256 MB, whose `key` is made of its size, its beginning and its end.
 * @throws {DOMException} where the browser no longer gives out the bytes.
 */
export async function fileFacts(file) {
  const arrived = describeArrival(await bytesOf(file, 0, Math.min(ARRIVAL_BYTE_COUNT, file.size)));
  if (file.size <= QUEUE_LIMITS.hashedByteCountMax) {
    const sha256 = (await hashed(file)).hex();
    return { sha256, key: sha256, arrived };
  }
  const hash = new Sha256();
  hash.update(new TextEncoder().encode(`${file.size} `));
  hash.update(await bytesOf(file, 0, END_BYTE_COUNT));
  hash.update(await bytesOf(file, file.size - END_BYTE_COUNT, file.size));
  return { sha256: null, key: `ends-${hash.hex()}`, arrived };
}

/**
 * SHA-256 of a chunk in base64, as the header Upload-Checksum takes it.
 * @param {Blob} chunk
 */
export async function chunkChecksum(chunk) {
  return base64((await hashed(chunk)).digest());
}

async function hashed(blob) {
  const hash = new Sha256();
  for (let start = 0; start < blob.size; start += READ_BYTE_COUNT) {
    hash.update(await bytesOf(blob, start, Math.min(start + READ_BYTE_COUNT, blob.size)));
  }
  return hash;
}

async function bytesOf(blob, start, end) {
  return new Uint8Array(await blob.slice(start, end).arrayBuffer());
}
