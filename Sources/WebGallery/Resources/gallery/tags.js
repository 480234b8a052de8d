/**
 * Tags as people type them. Pure.
 */

/** As the laptop counts: bytes of UTF-8. */
const tagBytesMax = 100;

/**
 * Reads one or more tags: `#beach, Grill` is `beach` and `Grill`.
 * @param {string} text
 * @param {string[]} known tags that the photo has: in other letters they are the same
 * @returns {{tags: string[], tooLong: string[]}} those that are new, and those that the laptop does not take
 */
export function typedTags(text, known = []) {
  const found = new Map();
  for (const part of text.split(/[,;\n]/)) {
    const tag = part.trim().replace(/^#+/, "").trim().normalize("NFC");
    if (tag !== "" && !found.has(keyOf(tag))) found.set(keyOf(tag), tag);
  }
  for (const tag of known) found.delete(keyOf(tag));
  const isTooLong = (tag) => new TextEncoder().encode(tag).length > tagBytesMax;
  const all = [...found.values()];
  return { tags: all.filter((tag) => !isTooLong(tag)), tooLong: all.filter(isTooLong) };
}

function keyOf(tag) {
  return tag.trim().normalize("NFC").toLowerCase();
}
