// The laptop's listings as what the schedule needs of a photo, and nothing else: the wall holds thousands for days.

import { address, patiently, request } from "../shared/api.js";

const PAGE_COUNT = 500;
/** The shape of a photo whose size is not known yet. */
const USUAL_ASPECT = 4 / 3;

/**
 * The newest photos of all albums.
 * @param {number} countMax
 * @returns {Promise<import("./schedule.js").WallPhoto[]>}
 * @throws {ApiError}
 */
export async function allPhotos(countMax) {
  const found = [];
  let after = null;
  do {
    const query = { limit: PAGE_COUNT, order: "newest", wall: true, after };
    const page = await patiently(() => request(address(["albums", "all", "photos"], query)));
    for (const entry of page.photos) found.push(wallPhoto(entry, entry.album_id));
    after = page.next ?? null;
  } while (after !== null && found.length < countMax);
  return found;
}

/**
 * One photo.
 * @param {object} entry As in a listing.
 * @param {string} album
 * @returns {import("./schedule.js").WallPhoto}
 */
export function wallPhoto(entry, album) {
  const { id, width, height, taken, by, type } = entry;
  return {
    id,
    album,
    by: by ?? "",
    day: (taken ?? "").slice(0, 10),
    aspect: width > 0 && height > 0 ? width / height : USUAL_ASPECT,
    videoType: type?.startsWith("video/") ? type : null,
  };
}
