// Shows what is read of a file's beginning, with records built here byte by byte, and that broken ones do no harm.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrivalWords, describeArrival } from "../../../Sources/WebGallery/Resources/adding/arrived.js";

/** A TIFF record: its first directory may lead to one of dates and one of a place. */
function record({ order = "MM", date = false, place = null }) {
  const isLittle = order === "II";
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  bytes.set(Buffer.from(order), 0);
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, 8, isLittle);
  const entry = (at, tag, type, count, value) => {
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, type, isLittle);
    view.setUint32(at + 4, count, isLittle);
    view.setUint32(at + 8, value, isLittle);
  };
  view.setUint16(8, (date ? 1 : 0) + (place === null ? 0 : 1), isLittle);
  let at = 10;
  if (date) {
    entry(at, 0x8769, 4, 1, 64);
    at += 12;
    view.setUint16(64, 1, isLittle);
    entry(66, 0x9003, 2, 20, 200);
  }
  if (place !== null) {
    entry(at, 0x8825, 4, 1, 96);
    view.setUint16(96, 2, isLittle);
    entry(98, 0x0002, 5, 3, 140);
    entry(110, 0x0004, 5, 3, 170);
    for (const start of [140, 170]) {
      for (let index = 0; index < 3; index += 1) view.setUint32(start + 8 * index + 4, place, isLittle);
    }
  }
  return bytes;
}

function jpeg(...segments) {
  const parts = [Buffer.from([0xff, 0xd8])];
  for (const [marker, body] of segments) {
    const length = body.length + 2;
    parts.push(Buffer.from([0xff, marker, length >> 8, length & 0xff]), Buffer.from(body));
  }
  return new Uint8Array(Buffer.concat([...parts, Buffer.from([0xff, 0xda, 0, 2])]));
}

const exif = (tiff) => [0xe1, Buffer.concat([Buffer.from("Exif\0\0"), tiff])];
const jfif = [0xe0, Buffer.from("JFIF\0")];

test("reads place and date of a JPEG, in both byte orders", () => {
  for (const order of ["MM", "II"]) {
    const found = describeArrival(jpeg(jfif, exif(record({ order, date: true, place: 1 }))));
    assert.deepEqual(found, { type: "JPEG", place: true, date: true });
  }
});

test("says that a place was taken out: no entry, no record, or 0/0 in its place", () => {
  assert.deepEqual(describeArrival(jpeg(exif(record({ date: true })))), { type: "JPEG", place: false, date: true });
  assert.deepEqual(describeArrival(jpeg(jfif)), { type: "JPEG", place: false, date: false });
  assert.equal(describeArrival(jpeg(exif(record({ date: true, place: 0 })))).place, false);
});

test("says nothing of a record whose end it does not see", () => {
  const whole = jpeg([0xe2, Buffer.alloc(60_000)], exif(record({ date: true, place: 1 })));
  assert.equal(describeArrival(whole).place, true);
  assert.equal(describeArrival(whole.subarray(0, 60_050)).place, null);
  assert.equal(describeArrival(whole.subarray(0, 50_000)).place, null);
});

test("reads a HEIC's record where phones write it", () => {
  const head = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic\0\0\0\0mif1heic"), Buffer.alloc(500)]);
  const heic = new Uint8Array(Buffer.concat([head, Buffer.from("Exif\0\0"), record({ date: true, place: 1 })]));
  assert.deepEqual(describeArrival(heic), { type: "HEIC", place: true, date: true });
  assert.deepEqual(describeArrival(new Uint8Array(head)), { type: "HEIC", place: null, date: null });
});

test("names types by their bytes, not by their names", () => {
  const cases = {
    "PNG": [0x89, 0x50, 0x4e, 0x47], "GIF": Buffer.from("GIF89a"), "WebP": Buffer.from("RIFF....WEBP"),
    "QuickTime video": Buffer.from("\0\0\0\x14ftypqt  "), "MP4 video": Buffer.from("\0\0\0\x14ftypisom"),
    "AVIF": Buffer.from("\0\0\0\x1cftypavif"), "TIFF or raw": [0x49, 0x49, 0x2a, 0],
  };
  for (const [type, bytes] of Object.entries(cases)) assert.equal(describeArrival(new Uint8Array(bytes)).type, type);
  assert.deepEqual(describeArrival(new Uint8Array(Buffer.from("Dear all"))), { type: null, place: null, date: null });
});

test("stands any damage", () => {
  const whole = jpeg(jfif, exif(record({ date: true, place: 1 })));
  for (let length = 0; length < whole.length; length += 1) describeArrival(whole.subarray(0, length));
  let seed = 7;
  for (let round = 0; round < 3000; round += 1) {
    const broken = whole.slice();
    for (let count = 0; count < 4; count += 1) {
      seed = (seed * 48271) % 2147483647;
      broken[seed % broken.length] = (seed >> 8) & 0xff;
    }
    const { type, place, date } = describeArrival(broken);
    assert.ok(type === null || typeof type === "string");
    assert.ok([true, false, null].includes(place) && [true, false, null].includes(date));
  }
});

test("puts it into words", () => {
  assert.equal(arrivalWords({ type: "JPEG", place: false, date: true }), "JPEG, without place");
  assert.equal(arrivalWords({ type: "JPEG", place: false, date: false }), "JPEG, without place and date");
  assert.equal(arrivalWords({ type: "HEIC", place: true, date: true }), "HEIC, with place");
  assert.equal(arrivalWords({ type: "MP4 video", place: null, date: null }), "MP4 video");
  assert.equal(arrivalWords({ type: null, place: null, date: null }), null);
  assert.equal(arrivalWords(null), null);
});
