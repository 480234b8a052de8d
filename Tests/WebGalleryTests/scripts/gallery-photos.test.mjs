// Shows what an album knows of its photos while months load, change and go, and what counts as new.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { describeFilters, parseFilters } from "../../../Sources/WebGallery/Resources/gallery/filters.js";
import { compare } from "../../../Sources/WebGallery/Resources/gallery/newcomers.js";
import { Photos, flag } from "../../../Sources/WebGallery/Resources/gallery/photos.js";
import { withSeen } from "../../../Sources/WebGallery/Resources/gallery/recent.js";

const hash = (text) => createHash("sha256").update(text).digest();
const row = (name, day = 1, flags = 0, aspect = 1500) => [hash(name).toString("base64url"), "thumb", aspect, day, flags];
const month = (name, photos, version = "1") => ({ month: name, version, days: [[1, photos.length, photos.length * 1.5]], photos });

function album(...months) {
  const photos = new Photos({ months: months.map(({ photos: none, ...header }) => header) });
  for (const listing of months) if (listing.photos[0]) photos.add(listing);
  return photos;
}

test("ordinals run over months; photos are found by their ID", () => {
  const photos = album(month("2026-08", ["a", "b"].map((name) => row(name))), month("2026-07", ["c"].map((name) => row(name))));
  assert.equal(photos.count, 3);
  assert.deepEqual([0, 1, 2, 3, -1].map((ordinal) => photos.monthOf(ordinal)), [0, 0, 1, -1, -1]);
  assert.equal(photos.find(hash("c").toString("hex")), 2);
  assert.equal(photos.find(hash("d").toString("hex")), -1);
  assert.equal(photos.at(2).id, hash("c").toString("hex"));
  assert.equal(photos.at(3), null);
});

test("a month that does not fit the header is refused", () => {
  const listing = month("2026-08", [row("a"), row("b")]);
  const photos = new Photos({ months: [listing] });
  assert.equal(photos.add({ ...listing, version: "2" }), false);
  assert.equal(photos.add({ ...listing, photos: listing.photos.slice(1) }), false);
  assert.equal(photos.add({ ...listing, month: "2026-09" }), false);
  assert.equal(photos.at(0), null);
  assert.equal(photos.add(listing), true);
});

test("months that are the same are taken over, changed ones named", () => {
  const before = album(month("2026-08", [row("a")]), month("2026-07", [row("b")]), month("2026-06", [row("c")]));
  const after = new Photos({ months: [month("2026-08", [row("a"), row("n")], "2"), month("2026-07", [row("b")]), month("2026-05", [row("d")])] });
  assert.deepEqual(after.inherit(before), [0]);
  assert.equal(after.at(2).key, before.at(1).key);
  assert.equal(after.at(0), null);
});

test("new photos: how many, and the first of them", () => {
  const before = album(month("2026-08", [row("a"), row("b")]), month("2026-07", [row("c")]));
  const after = album(month("2026-08", [row("a"), row("n"), row("b")], "2"), month("2026-07", [row("c")]));
  assert.deepEqual(compare(before, after), { count: 1, first: 1 });
  assert.deepEqual(compare(after, before), { count: 0, first: -1 });
  const newMonth = album(month("2026-09", [row("z")]), month("2026-08", [row("a"), row("b")]), month("2026-07", [row("c")]));
  assert.deepEqual(compare(before, newMonth), { count: 1, first: 0 });
});

test("flags and shapes", () => {
  const photos = album(month("2026-08", [row("a", 3, flag.video | flag.comments, 0), row("b", 3, 0, 12000)]));
  const photo = photos.at(0);
  assert.ok(photo.has(flag.video) && photo.has(flag.mine | flag.comments) && !photo.has(flag.mine));
  assert.equal(photo.aspect, 1);
  assert.equal(photos.at(1).aspect, 5);
  const liked = photo.with(flag.mine, true);
  assert.ok(liked.has(flag.mine) && liked.has(flag.video) && !photo.has(flag.mine));
  assert.ok(!liked.with(flag.mine, false).has(flag.mine));
  assert.ok(!liked.sameMarks(photo) && photo.sameMarks(photo.with(flag.mine, false)));
  photos.replace(0, liked);
  assert.equal(photos.at(0), liked);
});

test("recently viewed: the newest first, each once, thirty at most", () => {
  let seen = [];
  for (let number = 0; number < 40; number += 1) seen = withSeen(seen, { album: "a", photo: String(number % 35) });
  assert.equal(seen.length, 30);
  assert.equal(seen[0].photo, "4");
  assert.equal(new Set(seen.map((entry) => entry.photo)).size, 30);
});

test("searches as addresses and in words", () => {
  const filters = parseFilters("?text=%20grill%20&page=2&type=video&person=Lena&from=2026-08-01&to=&evil=1");
  assert.deepEqual(filters, { text: "grill", person: "Lena", type: "video", from: "2026-08-01" });
  assert.deepEqual(describeFilters(filters).map(({ words }) => words), ["Videos", "By Lena", "Since 2026-08-01"]);
  assert.deepEqual(describeFilters({ from: "a", to: "b" }), [{ words: "a to b", keys: ["from", "to"] }]);
  assert.deepEqual(parseFilters(""), {});
});
