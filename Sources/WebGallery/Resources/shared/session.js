/**
 * Who looks at this page, and what this person may do.
 */

import { address, patiently, request, sentenceFor } from "./api.js";
import { notice } from "./notice.js";

const reloadPauseMilliseconds = 60000;
let asked = null;

/**
 * The answer of `GET /me`, asked once a page.
 * @returns {Promise<{kind: string, guest: {id: string, name: string, link: string}|null, may: string[], laptop: string,
 *   gathering: string, file_bytes_max: number}>}
 */
export function me() {
  asked ??= patiently(() => request(address(["me"]))).catch((error) => {
    // The next one who wants to know asks again.
    asked = null;
    throw error;
  });
  return asked;
}

/**
 * Whether this person may do something; no, where nobody answers.
 * @param {"see"|"add"|"talk"|"take"|"make"|"owner"|"manage"} action
 * @returns {Promise<boolean>}
 */
export async function may(action) {
  try {
    return (await me()).may.includes(action);
  } catch {
    return false;
  }
}

/**
 * Loads the page again when the session ends: the laptop then says what to do instead. A page that just did that stays,
 * or it would load again and again.
 * @param {{on: (kind: string, listener: () => void) => void}} live
 */
export function leaveWhenSessionEnds(live) {
  live.on("session.ended", () => {
    const now = Date.now();
    let last = 0;
    try {
      last = Number(sessionStorage.getItem("potluck.reloaded"));
      sessionStorage.setItem("potluck.reloaded", String(now));
    } catch {
      // Without a memory it is better to stay.
      last = now;
    }
    if (now - last > reloadPauseMilliseconds) location.reload();
    else notice(sentenceFor(401), { isUrgent: true });
  });
}
