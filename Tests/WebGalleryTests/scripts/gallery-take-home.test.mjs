// Shows what the sheet for taking photos home offers: what is shown is what is taken, or it says that it is more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { takeHomeChoices } from "../../../Sources/WebGallery/Resources/gallery/take-home-choices.js";

const none = { photos: [], filters: {}, count: 40, browser: "b1" };

test("a whole album: all, what is new, smaller", () => {
  const choices = takeHomeChoices(none);
  assert.deepEqual(choices.map(({ id }) => id), ["original", "new", "small"]);
  assert.deepEqual(choices.map(({ fields }) => fields), [
    { size: "original" }, { size: "original", new_for: "b1" }, { size: "2048" },
  ]);
});

test("a search: what is shown is asked for by the search, the album in plain words beside it", () => {
  const filters = { text: "grill", type: "video" };
  const choices = takeHomeChoices({ ...none, filters, count: 1234 });
  assert.deepEqual(choices.map(({ id }) => id), ["original", "small", "album"]);
  assert.match(choices[0].title, /^The 1,234 photos that are shown/);
  assert.deepEqual(choices[0].fields, { text: "grill", type: "video", size: "original" });
  assert.deepEqual(choices[1].fields, { text: "grill", type: "video", size: "2048" });
  assert.match(choices[2].title, /whole album/);
  assert.deepEqual(choices[2].fields, { size: "original" });
  assert.match(takeHomeChoices({ ...none, filters, count: 1 })[0].title, /^The photo that is shown/);
});

test("chosen photos are named one by one, whatever the search is", () => {
  const choices = takeHomeChoices({ ...none, photos: ["aa", "bb"], filters: { text: "x" } });
  assert.deepEqual(choices.map(({ fields }) => fields), [
    { photos: "aa,bb", size: "original" }, { photos: "aa,bb", size: "2048" },
  ]);
  assert.match(choices[0].title, /^2 photos/);
});
