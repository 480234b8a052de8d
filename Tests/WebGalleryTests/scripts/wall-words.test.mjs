// Shows what the wall says below a picture: a number and names, never more than there is room for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { favouriteWords, tagWords } from "../../../Sources/WebGallery/Resources/wall/words.js";

test("favourites: how many and whose", () => {
  assert.equal(favouriteWords([]), "");
  assert.equal(favouriteWords(["Lena"]), "1 · Lena");
  assert.equal(favouriteWords(["Lena", "Ben"]), "2 · Lena and Ben");
  assert.equal(favouriteWords(["Lena", "Ben", "Ruth"]), "3 · Lena, Ben and Ruth");
  assert.equal(favouriteWords(["Lena", "Ben", "Ruth", "Grandma"]), "4 · Lena, Ben and 2 others");
  const many = Array.from({ length: 1200 }, (_, number) => `Guest ${number}`);
  assert.equal(favouriteWords(many), "1,200 · Guest 0, Guest 1 and 1,198 others");
});

test("tags: each with its sign, a handful", () => {
  assert.deepEqual(tagWords(["beach", "#grill", "blue sky"]), ["#beach", "#grill", "#blue sky"]);
  assert.equal(tagWords(Array.from({ length: 30 }, (_, number) => String(number))).length, 6);
  assert.deepEqual(tagWords([]), []);
});
