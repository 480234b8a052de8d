// Shows that files are hashed as the laptop hashes them, piece by piece, and how those are known that are too large.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { chunkChecksum, fileFacts } from "../../../Sources/WebGallery/Resources/adding/hashing.js";
import { QUEUE_LIMITS } from "../../../Sources/WebGallery/Resources/adding/queue.js";

function bytesOf(count, seed = 1) {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; at += 1) bytes[at] = (at * 31 + seed * (at >> 8)) & 0xff;
  return bytes;
}

test("hashes a file of several pieces", async () => {
  for (const count of [1, 63, 64, 65, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1, 9_000_001]) {
    const bytes = bytesOf(count);
    const facts = await fileFacts(new Blob([bytes]));
    const expected = createHash("sha256").update(bytes).digest("hex");
    assert.deepEqual([facts.sha256, facts.key], [expected, expected]);
    assert.equal(await chunkChecksum(new Blob([bytes])), createHash("sha256").update(bytes).digest("base64"));
  }
});

test("knows a file of more than 256 MB by its size and its ends, without reading the rest", async () => {
  const ends = bytesOf(2 * 1024 * 1024);
  let readCount = 0;
  const large = (last, size = QUEUE_LIMITS.hashedByteCountMax + 1) => ({
    size,
    slice(start, end) {
      readCount += end - start;
      const bytes = Buffer.alloc(end - start, start === 0 ? ends[5] : last);
      return { size: bytes.length, arrayBuffer: async () => new Uint8Array(bytes).buffer };
    },
  });
  const facts = await fileFacts(large(1));
  assert.equal(facts.sha256, null);
  assert.match(facts.key, /^ends-[0-9a-f]{64}$/);
  assert.ok(readCount < 4 * 1024 * 1024);
  assert.equal((await fileFacts(large(1))).key, facts.key);
  assert.notEqual((await fileFacts(large(2))).key, facts.key);
  assert.notEqual((await fileFacts(large(1, QUEUE_LIMITS.hashedByteCountMax + 2))).key, facts.key);
});

test("passes on that a browser no longer gives the bytes", async () => {
  const gone = { size: 10, slice: () => ({ arrayBuffer: async () => { throw new Error("NotReadableError"); } }) };
  await assert.rejects(fileFacts(gone), /NotReadableError/);
});
