// New photos, from the event to what the schedule takes. A folder of thousands that is dropped makes one reload, not
// thousands of requests.

import { thumbnailAddress } from "../shared/addresses.js";
import { ApiError, address, request, send } from "../shared/api.js";
import { wallPhoto } from "./photos.js";

/** Photos that are asked about at one time, or wait for that. */
const PENDING_COUNT_MAX = 60;
/** Photos that were announced and of which nothing can be shown yet. */
const EXPECTED_COUNT_MAX = 200;
const QUIET_DELAY = 5_000;

/**
 * Follows new photos.
 * @param {{onPhoto: (photo: import("./schedule.js").WallPhoto) => void, onTooMany: () => void}} handlers
 * @returns {{added: (album: string, photo: string) => void, changed: (photo: string) => void}}
 */
export function newPhotos({ onPhoto, onTooMany }) {
  const pending = new Map();
  const expected = new Map();
  let isAsking = false;
  /** The photo that is being asked about, and whether it has changed since. */
  let asked = { photo: "", hasChanged: false };
  let timer = null;

  const askAll = async () => {
    if (isAsking) return;
    isAsking = true;
    for (const [photo, album] of pending) {
      pending.delete(photo);
      asked = { photo, hasChanged: false };
      const entry = await entryOf(album, photo);
      if (entry === null || entry.waits_for_owner === true) continue;
      // The small picture comes a moment after the photo; an event tells when.
      if (await hasPicture(photo)) onPhoto(wallPhoto(entry, album));
      else if (asked.hasChanged) pending.set(photo, album);
      else expect(photo, album);
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

  const changed = (photo) => {
    if (photo === asked.photo) asked.hasChanged = true;
    const album = expected.get(photo);
    if (album === undefined) return;
    expected.delete(photo);
    added(album, photo);
  };

  return { added, changed };
}

async function hasPicture(photo) {
  try {
    return (await send(thumbnailAddress(photo), { method: "HEAD" })).ok;
  } catch {
    // Offline: what is missed meanwhile is in the list that is loaded again.
    return false;
  }
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
