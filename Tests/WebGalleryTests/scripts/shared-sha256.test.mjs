// Shows that the pages' own SHA-256 agrees with Node's, for every length around the edges of a block and for pieces cut
// anywhere, and that a length beyond 32 bits of bits is written in full.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Sha256 } from "../../../Sources/WebGallery/Resources/shared/sha256.js";

const expected = (bytes) => createHash("sha256").update(bytes).digest("hex");
const sample = (count) => Uint8Array.from({ length: count }, (none, index) => (index * 131 + (index >> 5)) & 0xff);

test("every length up to three blocks", () => {
  for (let count = 0; count <= 200; count += 1) {
    assert.equal(new Sha256().update(sample(count)).hex(), expected(sample(count)), `${count} bytes`);
  }
});

test("pieces of all sizes give the hash of the whole", () => {
  const whole = sample(5000);
  for (const size of [1, 3, 55, 56, 63, 64, 65, 127, 1000]) {
    const hash = new Sha256();
    for (let start = 0; start < whole.length; start += size) hash.update(whole.subarray(start, start + size));
    assert.equal(hash.hex(), expected(whole), `pieces of ${size}`);
  }
});

test("the digest has the bytes of the hex digits, and asking twice changes nothing", () => {
  const hash = new Sha256().update(sample(77));
  assert.equal(Buffer.from(hash.digest()).toString("hex"), expected(sample(77)));
  assert.equal(hash.hex(), expected(sample(77)));
  assert.throws(() => hash.update(sample(1)), /finished/);
});

test("more than 512 MiB, whose length in bits needs more than 32 bits", () => {
  const piece = new Uint8Array(16 * 1024 * 1024);
  const own = new Sha256();
  const theirs = createHash("sha256");
  for (let round = 0; round < 33; round += 1) {
    own.update(piece);
    theirs.update(piece);
  }
  assert.equal(own.hex(), theirs.digest("hex"));
});
