// What stands below a picture on the wall besides its caption: whose favourite it is, and its tags. Pure.

import { count, list } from "../shared/words.js";

/** More names than this are a number: the picture is what people look at. */
const NAME_COUNT_MAX = 3;
const TAG_COUNT_MAX = 6;

/**
 * How many people like a photo, and who: `2 · Lena and Ben`, `7 · Lena, Ben and 5 others`.
 * @param {string[]} names
 * @returns {string} empty for nobody
 */
export function favouriteWords(names) {
  if (names.length === 0) return "";
  const left = names.length > NAME_COUNT_MAX ? names.length - NAME_COUNT_MAX + 1 : 0;
  const shown = left > 0 ? [...names.slice(0, NAME_COUNT_MAX - 1), `${count(left)} others`] : names;
  return `${count(names.length)} · ${list(shown)}`;
}

/**
 * A photo's tags: `#beach #blue sky`.
 * @param {string[]} tags
 * @returns {string[]} the first of them, each with its sign
 */
export function tagWords(tags) {
  return tags.slice(0, TAG_COUNT_MAX).map((tag) => `#${tag.replace(/^#/, "")}`);
}
