// Shows that IDs survive the way from hex to base64url and back, and that nothing else is taken for one.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { base64urlFromHex, hexFromBase64url, isPhotoID } from "../../../Sources/WebGallery/Resources/shared/ids.js";

test("a thousand hashes go there and back, and agree with Node's base64url", () => {
  for (let number = 0; number < 1000; number += 1) {
    const hash = createHash("sha256").update(String(number)).digest();
    const text = base64urlFromHex(hash.toString("hex"));
    assert.equal(text, hash.toString("base64url"));
    assert.equal(hexFromBase64url(text), hash.toString("hex"));
  }
});

test("all lengths of bytes", () => {
  for (let count = 0; count < 40; count += 1) {
    const bytes = Buffer.alloc(count, 0xa7);
    assert.equal(hexFromBase64url(bytes.toString("base64url")), bytes.toString("hex"));
    assert.equal(base64urlFromHex(bytes.toString("hex")), bytes.toString("base64url"));
  }
});

test("what is no ID is refused", () => {
  for (const text of ["A", "AB=", "A+B/", "AAB", "Ä"]) assert.throws(() => hexFromBase64url(text), TypeError, text);
  for (const text of ["a", "zz", "0x"]) assert.throws(() => base64urlFromHex(text), TypeError, text);
  assert.ok(isPhotoID("0".repeat(64)));
  for (const text of ["", "0".repeat(63), "G".repeat(64), "A".repeat(64)]) assert.ok(!isPhotoID(text), text);
});
