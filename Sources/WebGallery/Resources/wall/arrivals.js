// New photos, from the event to what the schedule takes. A folder of thousands that is dropped makes one reload, not
// thousands of requests.

import { ApiError, address, request } from "../shared/api.js";
import { wallPhoto } from "./photos.js";

/** Photos that are asked about at one time, or wait for that. */
const PENDING_COUNT_MAX = 60;
/** Photos that were announced and have not reached this laptop. */
const EXPECTED_COUNT_MAX = 200;
const QUIET_DELAY = 5_000;

/**
 * Follows new photos.
 * @param {{onPhoto: (photo: import("./schedule.js").WallPhoto) => void, onTooMany: () => void}} handlers
 * @returns {{added: (album: string, photo: string) => void, isHere: (photo: string) => void}}
 */
export function newPhotos({ onPhoto, onTooMany }) {
  const pending = new Map();
  const expected = new Map();
  let isAsking = false;
  let timer = null;

  const askAll = async () => {
    if (isAsking) return;
    isAsking = true;
    for (const [photo, album] of pending) {
      pending.delete(photo);
      const entry = await entryOf(album, photo);
      if (entry === null || entry.waits_for_owner === true) continue;
      if (entry.here === false && !entry.thumbnail) expect(photo, album);
      else onPhoto(wallPhoto(entry, album));
    }
    isAsking = false;
  };

  const expect = (photo, album) => {
    expected.set(photo, album);
    if (expected.size > EXPECTED_COUNT_MAX) expected.delete(expected.keys().next().value);
  };

  const added = (album, photo) => {
    if (pending.size < PENDING_COUNT_MAX) {
      pending.set(photo, album);
      askAll();
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(onTooMany, QUIET_DELAY);
  };

  const isHere = (photo) => {
    const album = expected.get(photo);
    if (album === undefined) return;
    expected.delete(photo);
    added(album, photo);
  };

  return { added, isHere };
}

async function entryOf(album, photo) {
  try {
    return await request(address(["albums", album, "photos", photo]));
  } catch (error) {
    // It is gone again, or the laptop is; the next reload of the list knows.
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
