/**
 * People as initials in coloured rounds. The same name has the same colour on every page.
 */

import { make } from "./elements.js";
import { list } from "./words.js";

const colourCount = 8;

/**
 * One or two letters for a name: `Lena (at Grandma's)` is `L`, `Aunt Ruth` is `AR`.
 * @param {string} name
 * @returns {string}
 */
export function initials(name) {
  const words = name.replace(/\(.*$/, "").trim().split(/\s+/).filter(Boolean);
  const letter = (word) => [...word.replace(/^[^\p{L}\p{N}]+/u, "")][0] ?? "";
  const letters = words.length > 1 ? letter(words[0]) + letter(words[words.length - 1]) : letter(words[0] ?? "");
  return letters.toLocaleUpperCase("en") || "?";
}

/**
 * A number from 1 to 8 for a name.
 * @param {string} name
 * @returns {number}
 */
export function colourOf(name) {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) >>> 0;
  return (sum % colourCount) + 1;
}

/**
 * One round.
 * @param {string} name
 * @param {string} [className]
 * @returns {HTMLElement}
 */
export function round(name, className = "") {
  const classes = `round round-${colourOf(name)} ${className}`.trim();
  return make("span", { class: classes, title: name, "aria-hidden": "true" }, initials(name));
}

/**
 * Several people, overlapping; those who do not fit are a number. Screen readers get the names.
 * @param {string[]} names
 * @param {number} [limit]
 * @returns {HTMLElement}
 */
export function rounds(names, limit = 4) {
  const shown = names.length > limit ? names.slice(0, limit - 1) : names;
  const left = names.length - shown.length;
  return make(
    "span", { class: "rounds", role: "img", "aria-label": `By ${list(names)}` },
    shown.map((name) => round(name)),
    left > 0 && make("span", { class: "round round-more", "aria-hidden": "true" }, `+${left}`),
  );
}
