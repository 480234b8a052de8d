/**
 * Loads a picture or a video that the laptop may still have to make or fetch.
 */

import { ApiError, failure, pause, send } from "../shared/api.js";
import { live } from "../shared/live.js";

const waitMax = 15000;
/** What the laptop has and this browser cannot read is asked for this often: it may have come just between. */
const unreadableMax = 2;

/**
 * Loads a picture.
 * @param {string} url
 * @param {{photo: string, signal: AbortSignal, onWait?: (error: ApiError) => void}} options `onWait` is called each
 *   time that the laptop says "later"
 * @returns {Promise<HTMLImageElement>} decoded, ready to be shown
 * @throws {ApiError}
 */
export async function loadPicture(url, { photo, signal, onWait = () => {} }) {
  for (let unreadable = 0; ;) {
    const image = new Image();
    image.decoding = "async";
    image.draggable = false;
    image.src = url;
    try {
      await image.decode();
      signal.throwIfAborted();
      return image;
    } catch {
      signal.throwIfAborted();
      if (await untilReady(url, { photo, signal, onWait })) unreadable += 1;
      if (unreadable >= unreadableMax) throw unreadableError();
    }
  }
}

/**
 * The words for a file that is there and cannot be shown.
 * @returns {ApiError}
 */
export function unreadableError() {
  return new ApiError("This browser cannot show the file. Take it home and open it there.", { code: "unreadable", status: 415 });
}

/**
 * Asks why something did not load, and waits where that is worth it.
 * @param {string} url
 * @param {{photo: string, signal: AbortSignal, onWait?: (error: ApiError) => void}} options
 * @returns {Promise<boolean>} it is worth another try now; `true` where the laptop has it already
 * @throws {ApiError} it is not
 */
export async function untilReady(url, { photo, signal, onWait = () => {} }) {
  const error = await reason(url, signal);
  if (!error) return true;
  if (error.status !== 503 && error.status !== 429 && error.status !== 0) throw error;
  onWait(error);
  await ready(photo, error.retryAfter || 3000, signal);
  return false;
}

async function reason(url, signal) {
  try {
    const response = await send(url, { signal, headers: { Range: "bytes=0-0" }, cache: "no-store" });
    if (!response.ok) return await failure(response);
    response.body?.cancel().catch(() => {});
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return null;
}

/** Until an event says that it is there, or the time is over. */
async function ready(photo, milliseconds, signal) {
  const controller = new AbortController();
  const end = () => controller.abort();
  const listeners = ["preview.ready", "video.ready", "photo.here"].map((kind) => (
    live.on(kind, (event) => event.photo === photo && end())
  ));
  signal.addEventListener("abort", end, { once: true });
  try {
    await pause(Math.min(waitMax, milliseconds), controller.signal);
  } catch {
    // The event came first, or the viewer went on.
  } finally {
    for (const endListening of listeners) endListening();
    signal.removeEventListener("abort", end);
  }
  signal.throwIfAborted();
}
