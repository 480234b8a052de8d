// Shows how tags are read as people type them, and which are not sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { typedTags } from "../../../Sources/WebGallery/Resources/gallery/tags.js";

test("several tags in one line, with or without a hash", () => {
  assert.deepEqual(typedTags(" #beach, Grill ;##sand\nblue sky").tags, ["beach", "Grill", "sand", "blue sky"]);
  assert.deepEqual(typedTags(" , # ,").tags, []);
  assert.deepEqual(typedTags("C#").tags, ["C#"]);
});

test("a tag that is there in other letters is not sent again", () => {
  assert.deepEqual(typedTags("BEACH, beach, Beach, grill", ["Beach"]).tags, ["grill"]);
  assert.deepEqual(typedTags("Caf\u0065\u0301", ["caf\u00e9"]).tags, []);
});

test("a tag is as long as the laptop takes it, counted in bytes", () => {
  const fits = "ü".repeat(50);
  assert.deepEqual(typedTags(`${fits}, ${fits}a, short`), { tags: [fits, "short"], tooLong: [`${fits}a`] });
});
