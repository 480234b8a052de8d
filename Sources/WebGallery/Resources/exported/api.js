/**
 * Answers of an exported page, which has no laptop to ask: stands in for shared/api.js.
 */

import { recordOf } from "./records.js";

/**
 * The address of something.
 * @param {string[]} parts
 * @returns {string}
 */
export function address(parts) {
  return parts.map((part) => encodeURIComponent(part)).join("/");
}

/**
 * What the laptop would answer for one photo, as far as the page knows it.
 * @param {string} url from {@link address}
 * @returns {Promise<object>}
 * @throws {Error} where nothing is known; its message is for people
 */
export async function request(url) {
  const [, , kind, id] = url.split("/");
  const record = kind === "photos" ? recordOf(id) : undefined;
  if (!record) throw new Error("This is not part of this export.");
  const { taken, by, caption, tags, name, width, height } = record;
  return { id, taken, by, caption, tags, name, width, height };
}
