// Shows that each photo leaves its own album, and that undoing brings back each in the way in which it went.

import assert from "node:assert/strict";
import { test } from "node:test";
import { removalOrders, removalWords, undoOrders } from "../../../Sources/WebGallery/Resources/gallery/removal.js";

const photo = (id, outcome) => ({ id, outcome });

test("one order for each album", () => {
  assert.deepEqual(removalOrders([{ id: "a", album: "1" }, { id: "b", album: "2" }, { id: "c", album: "1" }]), [
    { action: "remove", album: "1", photos: ["a", "c"] }, { action: "remove", album: "2", photos: ["b"] },
  ]);
  assert.deepEqual(removalOrders([]), []);
});

test("what was removed is restored, what was hidden is shown again, and nothing else is touched", () => {
  const reports = [
    { album_id: "1", photos: [photo("a", "removed"), photo("b", "hidden"), photo("c", "removed")] },
    { album_id: "2", photos: [photo("d", "kept"), photo("e", "hidden")] },
  ];
  assert.deepEqual(undoOrders(reports), [
    { action: "restore", album: "1", photos: ["a", "c"] }, { action: "unhide", album: "1", photos: ["b"] },
    { action: "unhide", album: "2", photos: ["e"] },
  ]);
  assert.equal(removalWords(reports), "2 photos are removed, 2 photos are hidden on this laptop.");
  assert.equal(removalWords([{ photos: [photo("a", "removed")] }]), "1 photo is removed.");
  assert.equal(removalWords([]), "Nothing was removed.");
});
