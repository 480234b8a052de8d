// Reports of the laptop in plain words: what happened, what it means for the photos, what to do.

import { bytes, count, list, plural, since } from "../shared/words.js";

/**
 * The state of this laptop in one line, and what to do about it.
 * @param {object} status As `potluck status --json` prints it.
 * @returns {{tone: "good" | "warning" | "busy", title: string, advice: string}}
 */
export function headline(status) {
  const alone = status.at_risk.photos + (status.incoming?.photos ?? 0);
  if (status.held) {
    return { tone: "warning", title: "Something waits for your word", advice: "Many photos are gone or changed. See below." };
  }
  if (alone > 0) {
    const them = alone === 1 ? "it" : "them";
    const advice = status.connected === 0
      ? `No other laptop is connected. Until one has ${them}, this laptop must not get lost.`
      : `Leave this laptop on, near the others, until they have ${them} too.`;
    return { tone: "warning", title: `${plural(alone, "photo")} on this laptop alone`, advice };
  }
  if (status.missing.photos > 0) {
    return {
      tone: "busy",
      title: `${plural(status.missing.photos, "photo")} on ${status.missing.photos === 1 ? "its" : "their"} way here`,
      advice: "What is on this laptop is on another one too.",
    };
  }
  return {
    tone: "good", title: "Everything is safe", advice: "Every photo of this laptop is on another one too. You may close the lid.",
  };
}

/**
 * What is under way, each a sentence.
 * @param {object} status
 * @returns {string[]}
 */
export function progressSentences(status) {
  const { missing, incoming, left_out: leftOut, not_placed: notPlaced, not_counted: notCounted, disk } = status;
  const sentences = [];
  if (missing.photos > 0) sentences.push(missingSentence(missing, status.rate, status.paused));
  if ((missing.unreachable ?? 0) > 0) {
    sentences.push(`Of ${plural(missing.unreachable, "photo")} nobody who is here has the original.`);
  }
  if ((incoming?.photos ?? 0) > 0) {
    const left = status.incoming_seconds === undefined ? "" : `: about ${roughTime(status.incoming_seconds)} left`;
    sentences.push(`${plural(incoming.photos, "file")} in the folder ${incoming.photos === 1 ? "is" : "are"} just being taken in${left}.`);
  }
  if ((leftOut?.photos ?? 0) > 0) {
    sentences.push(`${plural(leftOut.photos, "original")} (${bytes(leftOut.bytes)}) stay on other laptops, as you chose below.`);
  }
  if ((notPlaced?.photos ?? 0) > 0) {
    sentences.push(`${plural(notPlaced.photos, "file")} of a type that is not known here: kept and passed on, but not in the folder.`);
  }
  if ((notCounted?.photos ?? 0) > 0) {
    sentences.push(`${plural(notCounted.photos, "photo")} (${bytes(notCounted.bytes)}) of laptops that were put out, in no album.`);
  }
  if (disk) sentences.push(`${bytes(disk.free)} free on the disk.`);
  return sentences;
}

function missingSentence(missing, rate, isPaused) {
  const still = `Still to come: ${plural(missing.photos, "photo")}, ${bytes(missing.bytes)}`;
  if (isPaused) return `${still}. Paused: nothing is fetched until you go on.`;
  if (!rate) return `${still}.`;
  return `${still}, at ${bytes(rate)} a second: about ${roughTime(missing.bytes / rate)}.`;
}

/**
 * Whether this laptop may leave.
 * @param {object} report As `potluck leave-check --json` prints it.
 * @returns {{isSafe: boolean, title: string, sentences: string[]}}
 */
export function leaveWords(report) {
  const sentences = [];
  if (report.safe) {
    sentences.push(`All ${plural(report.here.photos, "photo")} of this laptop are on another one too.`);
  } else {
    const { photos, bytes: byteCount, unmeasured } = report.short;
    const size = unmeasured === undefined ? ` (${bytes(byteCount)})` : "";
    sentences.push(`${plural(photos, "photo")}${size} ${photos === 1 ? "is" : "are"} not on another laptop yet.`);
    if (report.seconds !== null) sentences.push(`About ${roughTime(report.seconds)} until they are.`);
    if (report.blocked > 0) {
      sentences.push(`${plural(report.blocked, "photo")} cannot be copied now: too few laptops are connected.`);
    }
  }
  return {
    isSafe: report.safe,
    title: report.safe ? "You may leave" : "Not yet",
    sentences: [...sentences, ...report.obstacles],
  };
}

/** What is known of another laptop. @param {object} peer @param {number} [now] */
export function peerWords(peer, now = Date.now()) {
  const parts = [];
  if (peer.connected) parts.push("Connected");
  else parts.push(peer.last_seen === null ? "Not seen yet" : `Last seen ${since(peer.last_seen, now)}`);
  if (peer.photos !== null) parts.push(`has ${plural(peer.photos, "photo")}`);
  return parts.join(" · ");
}

/** What is known of a guest. @param {object} guest @param {number} [now] */
export function guestWords(guest, now = Date.now()) {
  const parts = [guest.photos > 0 ? `Added ${plural(guest.photos, "photo")}` : "Added nothing yet"];
  if (guest.seen) parts.push(`here ${since(guest.seen, now)}`);
  return parts.join(" · ");
}

/** What to do with the phrase, or why nobody may come in by it. @param {{problem?: string}} invite */
export function inviteWords({ problem }) {
  return problem === undefined
    ? "On the other laptop, type this phrase or scan the code. Whoever knows it sees every photo."
    : quoted(problem);
}

/** Why no guest comes in, while there is no link. @param {{open: boolean}} guests As `potluck guests list --json` prints it. */
export function doorWords(guests) {
  return guests.open
    ? "The door is open, but phones have no address of this laptop. Connect it to their Wi-Fi; the code then shows here."
    : "Phones and other browsers cannot come in now.";
}

/** What the guests' link lets people do. @param {object} link @param {(instant: string) => string} timeName */
export function linkWords(link, timeName) {
  const parts = [link.look_only ? "Guests may look, not add." : "Guests may look and add."];
  if (link.albums !== null) parts.push(`Only ${list(link.albums.map((name) => `“${name}”`))}.`);
  if (link.approve) parts.push("What they add shows on the wall after your tap.");
  if (link.hide_places) parts.push("They do not see where photos were taken.");
  if (link.expires !== null) parts.push(`It ends ${timeName(link.expires)}.`);
  return parts.join(" ");
}

/** How long a photo stays in the trash. @param {object} photo */
export function trashWords(photo) {
  const parts = [photo.album];
  if (photo.removed_by !== null) parts.push(`removed by ${photo.removed_by}`);
  if (photo.last_copy) parts.push("the only copy: kept until you delete it");
  else if (photo.days_left !== null) parts.push(`${plural(Math.max(1, Math.ceil(photo.days_left)), "day")} left`);
  return parts.join(" · ");
}

/** How far a check is. @param {{files: number, file_total: number, bytes: number, byte_total: number}} step */
export function checkProgressWords(step) {
  if (step.file_total === 0) return "Looking at the journal and the index …";
  return `${count(step.files)} of ${plural(step.file_total, "file")}, ${bytes(step.bytes)} of ${bytes(step.byte_total)}`;
}

/** Longer lists are cut; `potluck verify` has them whole. */
const FINDING_COUNT_MAX = 50;

/**
 * What a check found.
 * @param {object} report As `potluck verify --json` prints it.
 * @returns {{title: string, findings: string[], sentences: string[], canMend: boolean}}
 */
export function checkWords(report) {
  const { findings, files, bytes: byteCount, folder_files: folderFiles, resumed, unneeded, quarantine } = report;
  const open = findings.filter((finding) => !finding.mended).length;
  const found = `${plural(findings.length, "thing")} ${findings.length === 1 ? "is" : "are"} not as it should be`;
  const state = open === 0 ? "all is mended or mends itself" : `${count(open)} not mended`;
  const sentences = [
    `Looked at ${plural(files, "file")} of photos, ${bytes(byteCount)}, and ${plural(folderFiles, "file")} of the folder.`,
    resumed > 0 && `Of them, ${plural(resumed, "file")} before an interruption.`,
    unneeded.photos > 0 && `${plural(unneeded.photos, "file")}, ${bytes(unneeded.bytes)}, without an album.`,
    quarantine.files > 0 && `${plural(quarantine.files, "damaged file")}, ${bytes(quarantine.bytes)}, kept in “quarantine” `
      + "in Potluck’s own directory; delete what you do not need.",
  ].filter(Boolean);
  const lines = findings.slice(0, FINDING_COUNT_MAX).map(findingWords);
  const rest = findings.length - lines.length;
  if (rest > 0) lines.push(`and ${count(rest)} more; “potluck verify” lists all of them.`);
  return {
    title: findings.length === 0 ? "All is well." : `${found}, ${state}.`,
    findings: lines, sentences,
    canMend: findings.some(({ mended, remedy }) => !mended && remedy.includes(MENDING)),
  };
}

/** What remedies call the other button, for people at a terminal. */
const MENDING = "`potluck verify --repair`";

function findingWords({ message, album, remedy }) {
  const place = album === null ? "" : ` (album “${album}”)`;
  const advice = quoted(remedy.replaceAll(MENDING, "Mending"));
  return `${message}${place} ${advice}`.trim();
}

/** A sentence for a terminal, with its commands as people quote them. @param {string} sentence */
function quoted(sentence) {
  return sentence.replaceAll(/`([^`]+)`/g, "“$1”");
}

/** A speed limit. @param {number | null} rate Bytes a second; `null` for none. */
export function rateWords(rate) {
  return rate === null ? "No limit" : `${bytes(rate)} a second`;
}

/** “20 seconds”, “5 minutes”, “2 hours”. @param {number} seconds */
export function roughTime(seconds) {
  if (seconds < 90) return plural(Math.max(1, Math.round(seconds)), "second");
  if (seconds < 90 * 60) return plural(Math.round(seconds / 60), "minute");
  return plural(Math.round(seconds / 3600), "hour");
}
