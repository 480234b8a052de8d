// Shows that a comment is measured as the laptop measures it, and when a person is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { commentRoom, commentRoomWords } from "../../../Sources/WebGallery/Resources/gallery/comment-room.js";

test("bytes are counted, not letters, and space at the ends is not sent", () => {
  assert.equal(commentRoom(""), 2000);
  assert.equal(commentRoom("a".repeat(2000)), 0);
  assert.equal(commentRoom("ü".repeat(1000)), 0);
  assert.equal(commentRoom("😀".repeat(500)), 0);
  assert.equal(commentRoom("😀".repeat(501)), -4);
  assert.equal(commentRoom(`  ${"a".repeat(2000)}\n`), 0);
});

test("the end is told when it is near, and how much is too much", () => {
  assert.equal(commentRoomWords("a".repeat(1799)), "");
  assert.equal(commentRoomWords("a".repeat(1800)), "Room for 200 more letters");
  assert.equal(commentRoomWords("a".repeat(1999)), "Room for 1 more letter");
  assert.equal(commentRoomWords("a".repeat(2000)), "Room for 0 more letters");
  assert.equal(commentRoomWords("a".repeat(2013)), "13 letters too long");
});
