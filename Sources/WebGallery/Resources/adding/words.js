// What the bar and its list say. Sentences say what happened, and what to do.

import { bytes, list, plural } from "../shared/words.js";

/**
 * The bar's one line.
 * @param {{total: number, finished: number, here: number, already: number, refused: number}} summary
 * @param {{isSuspended?: boolean, isOffline?: boolean}} circumstances
 */
export function barWords(summary, { isSuspended = false, isOffline = false } = {}) {
  const unfinishedCount = summary.total - summary.finished;
  if (unfinishedCount > 0) {
    if (isSuspended) return `${plural(unfinishedCount, "file")} waiting · you are signed out`;
    const progress = `${summary.finished} of ${summary.total}`;
    return isOffline
      ? `${progress} · waiting for the laptop to answer`
      : `${progress} · keeps going if you come back to this page`;
  }
  const parts = [];
  // A number stays beside its word where the line breaks.
  if (summary.here > 0) parts.push(`${summary.here}\u00a0added`);
  if (summary.already > 0) parts.push(`${summary.already}\u00a0already\u00a0here`);
  if (summary.refused > 0) parts.push(`${summary.refused}\u00a0not\u00a0added`);
  return parts.join(" · ");
}

/**
 * A file's state in a few words.
 * @param {{state: string, sent: number, size: number, retryAt: number, step: string}} item
 */
export function stateWords(item) {
  switch (item.state) {
    case "hashing":
      return "Looking whether it is here already";
    case "sending":
      return `Sending, ${Math.floor((100 * item.sent) / Math.max(item.size, 1))} %`;
    case "here":
      return item.isTakingBack ? "Taking it back" : "Added";
    case "already":
      return "Already here";
    case "refused":
      return "Not added";
    default:
      return item.retryAt > 0 ? "Waiting for the laptop to answer" : "Waiting";
  }
}

const REASONS = {
  "empty": () => "This file is empty. Pick it again, perhaps through Files.",
  "too-large": (item, limits) =>
    `This ${nounFor(item.name)} is larger than ${bytes(limits.fileBytesMax)}; bring it on a stick.`,
  "unreadable": () => "The phone no longer gives out this file. Pick it again.",
  "changed": () => "This file changed while it was sent. Pick it again.",
  "lost": () => "The laptop lost this file on its way several times. Try again, or ask the laptop's owner.",
  "disk_full": () => "The laptop's disk is full. Tell its owner, then try again.",
  "no_album": () => "This album is gone. Pick another album and add the file there.",
  "forbidden": () => "This link lets you look, not add. Ask the laptop's owner for another link.",
  "too_many": () => "That is more than one guest may add. Ask the laptop's owner.",
};

/** Codes of the laptop that mean what another code means. */
const SAME_REASONS = {
  "too_large": "too-large",
  "payload_too_large": "too-large",
  "status-413": "too-large",
  "not_found": "no_album",
  "album_not_found": "no_album",
  "no_space": "disk_full",
  "may_not": "forbidden",
  "look_only": "forbidden",
  "status-403": "forbidden",
  "quota": "too_many",
  "empty_file": "empty",
};

/**
 * Why a file was not added, in a sentence that says what to do.
 * @param {{name: string, reason: {code: string, text?: string | null}}} item
 * @param {{fileBytesMax: number}} limits
 */
export function reasonWords(item, limits) {
  const { code, text } = item.reason;
  const own = REASONS[SAME_REASONS[code] ?? code];
  if (own !== undefined) return own(item, limits);
  return text || "The laptop does not take this file: it is no photo or video that it knows.";
}

/** Whether trying again may help without picking the file anew. @param {{code: string}} reason */
export function mayRetry(reason) {
  const code = SAME_REASONS[reason.code] ?? reason.code;
  return ["disk_full", "lost", "too_many"].includes(code);
}

/** What is said of files that an earlier life of the page did not finish. @param {{name: string}[]} left */
export function leftWords(left) {
  const names = left.slice(0, 3).map((file) => file.name);
  const rest = left.length - names.length;
  if (rest > 0) names.push(`${rest} more`);
  return `Not finished: ${list(names)}. Pick ${left.length === 1 ? "it" : "them"} again; what is already here is not sent twice.`;
}

function nounFor(name) {
  return /\.(mp4|mov|m4v|mkv|webm|avi|mts|m2ts|3gp)$/i.test(name) ? "video" : "file";
}
