/**
 * The photos that this browser showed last, newest first.
 */

import { recall, remember } from "../shared/store.js";
import { isPhotoID } from "../shared/ids.js";

const key = "recent";
const countMax = 30;

/**
 * @typedef {{album: string, photo: string, thumbnail: string, aspect: number}} Seen
 */

/**
 * The photos seen last.
 * @returns {Seen[]}
 */
export function recentPhotos() {
  const found = recall(key, []);
  if (!Array.isArray(found)) return [];
  return found.filter((seen) => typeof seen?.album === "string" && isPhotoID(seen.photo ?? ""));
}

/**
 * Adds a photo; one that is there already moves to the front.
 * @param {Seen} seen
 */
export function addRecent(seen) {
  remember(key, withSeen(recentPhotos(), seen));
}

/**
 * A list with a photo at its front. Pure.
 * @param {Seen[]} photos
 * @param {Seen} seen
 * @returns {Seen[]}
 */
export function withSeen(photos, seen) {
  const others = photos.filter((other) => other.photo !== seen.photo);
  return [seen, ...others].slice(0, countMax);
}

/**
 * How many photos an album has that were not there when this browser showed it last.
 * @param {string} album
 * @param {number} count
 * @returns {number} 0 for albums that this browser never showed
 */
export function newSince(album, count) {
  const known = recall("counts", {})[album];
  return typeof known === "number" ? Math.max(0, count - known) : 0;
}

/**
 * Notes how many photos an album has, now that a person looks at it.
 * @param {string} album
 * @param {number} count
 */
export function noteCount(album, count) {
  const counts = recall("counts", {});
  if (counts[album] !== count) remember("counts", { ...counts, [album]: count });
}
