// Shows what the owner reads: nothing is called safe that is on this laptop alone, and every state says what to do.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkProgressWords, checkWords, doorWords, guestWords, headline, inviteWords, leaveWords, linkWords, peerWords,
  progressSentences, rateWords, roughTime, trashWords,
} from "../../../Sources/WebGallery/Resources/owner/plain.js";
import { wifiText } from "../../../Sources/WebGallery/Resources/owner/wifi.js";

const none = { photos: 0, bytes: 0 };

function status(more = {}) {
  return {
    missing: { ...none, unreachable: 0, items: [] }, at_risk: none, incoming: none, left_out: none, not_placed: none,
    connected: 2, rate: 0, paused: false, problems: [], disk: null, ...more,
  };
}

test("calls this laptop safe only where nothing is on it alone and nothing is under way", () => {
  assert.equal(headline(status()).tone, "good");
  assert.equal(headline(status({ at_risk: { photos: 1, bytes: 1 } })).title, "1 photo on this laptop alone");
  assert.equal(headline(status({ incoming: { photos: 2, bytes: 1 } })).title, "2 photos on this laptop alone");
  assert.equal(headline(status({ missing: { photos: 3, bytes: 1, items: [] } })).tone, "busy");
  assert.equal(headline(status({ held: { vanished: 30 } })).tone, "warning");
  // An agent of an earlier version, or none: what is not told is not taken for safe or for unsafe.
  assert.equal(headline(status({ incoming: undefined })).tone, "good");
});

test("says what to do with photos that are here alone", () => {
  const alone = { at_risk: { photos: 2, bytes: 1 } };
  assert.match(headline(status(alone)).advice, /until they have them too/);
  assert.match(headline(status({ ...alone, connected: 0 })).advice, /No other laptop is connected/);
  assert.match(headline(status({ at_risk: { photos: 1, bytes: 1 } })).advice, /until they have it too/);
});

test("tells how far photos are that come", () => {
  const missing = { photos: 14, bytes: 42_000_000, unreachable: 2, items: [] };
  assert.equal(progressSentences(status())[0], undefined);
  assert.match(progressSentences(status({ missing, rate: 4_200_000 }))[0], /^Still to come: 14 photos, .* about 10 seconds\.$/);
  assert.match(progressSentences(status({ missing, rate: 4_200_000, paused: true }))[0], /Paused/);
  assert.equal(progressSentences(status({ missing, rate: 0 }))[0].includes("about"), false);
  assert.equal(progressSentences(status({ missing }))[1], "Of 2 photos nobody who is here has the original.");
});

test("tells how long it takes until the folder's files are shared, where that is known", () => {
  const incoming = { photos: 2989, bytes: 24_000_000, unmeasured: 2980 };
  assert.match(progressSentences(status({ incoming }))[0], /^2,989 files in the folder are just being taken in\.$/);
  assert.match(progressSentences(status({ incoming, incoming_seconds: 120 }))[0], /taken in: about 2 minutes left\.$/);
});

test("tells how many photos of laptops that were put out are in no album", () => {
  const [sentence] = progressSentences(status({ not_counted: { photos: 1, bytes: 2_000_000 } }));
  assert.match(sentence, /^1 photo \(.+\) of laptops that were put out, in no album\.$/);
});

test("answers whether this laptop may leave", () => {
  const report = {
    safe: false, here: { photos: 352, bytes: 1 }, short: { photos: 23, bytes: 91_000_000 }, blocked: 4, seconds: 33,
    obstacles: ["Ben's laptop is full."],
  };
  const words = leaveWords(report);
  assert.equal(words.isSafe, false);
  assert.equal(words.title, "Not yet");
  assert.equal(words.sentences.length, 4);
  assert.equal(words.sentences.at(-1), "Ben's laptop is full.");
  assert.equal(leaveWords({ ...report, seconds: null, blocked: 0, obstacles: [] }).sentences.length, 1);
  assert.match(words.sentences[0], /^23 photos \(.+\) are not on another laptop yet\.$/);
  const unmeasured = leaveWords({ ...report, short: { ...report.short, unmeasured: 20 } });
  assert.equal(unmeasured.sentences[0], "23 photos are not on another laptop yet.");
  const safe = leaveWords({ ...report, safe: true, short: none, obstacles: [] });
  assert.deepEqual([safe.title, safe.sentences], ["You may leave", ["All 352 photos of this laptop are on another one too."]]);
});

test("does not call a phrase good that others say is not", () => {
  assert.match(inviteWords({ phrase: "a-b", link: "l" }), /type this phrase/);
  assert.equal(
    inviteWords({ phrase: "a-b", link: "l", problem: "It was put out. A host says `potluck let-in c1`." }),
    "It was put out. A host says “potluck let-in c1”.");
});

test("tells a door that no phone can reach from one that is closed", () => {
  assert.match(doorWords({ link: null, open: true }), /is open, but .* Connect it to their Wi-Fi/);
  assert.match(doorWords({ link: null, open: false }), /cannot come in now/);
});

test("describes laptops, guests, the link and the trash", () => {
  const now = Date.parse("2026-08-14T12:00:00Z");
  assert.equal(peerWords({ connected: true, last_seen: null, photos: 3 }, now), "Connected · has 3 photos");
  assert.equal(peerWords({ connected: false, last_seen: null, photos: null }, now), "Not seen yet");
  assert.equal(
    peerWords({ connected: false, last_seen: "2026-08-14T10:00:00Z", photos: 1 }, now), "Last seen 2 hours ago · has 1 photo");
  assert.equal(guestWords({ photos: 0, seen: null }, now), "Added nothing yet");
  assert.equal(guestWords({ photos: 2, seen: "2026-08-14T11:55:00Z" }, now), "Added 2 photos · here 5 minutes ago");
  const link = { look_only: false, albums: null, approve: false, hide_places: false, expires: null };
  assert.equal(linkWords(link, String), "Guests may look and add.");
  assert.equal(
    linkWords({ ...link, hide_places: true }, String),
    "Guests may look and add. They do not see where photos were taken.");
  assert.equal(
    linkWords({ look_only: true, albums: ["Beach day", "Old times"], approve: true, expires: "X" }, () => "on Sunday"),
    "Guests may look, not add. Only “Beach day” and “Old times”. What they add shows on the wall after your tap. It ends on Sunday.");
  const photo = { album: "Beach day", removed_by: "Ben's laptop", last_copy: false, days_left: 0.2 };
  assert.equal(trashWords(photo), "Beach day · removed by Ben's laptop · 1 day left");
  assert.match(trashWords({ ...photo, last_copy: true, days_left: null }), /the only copy: kept until you delete it/);
});

test("rounds times and rates", () => {
  assert.deepEqual([0, 1, 89, 90, 3600, 5399, 5400, 90_000].map(roughTime), [
    "1 second", "1 second", "89 seconds", "2 minutes", "60 minutes", "90 minutes", "2 hours", "25 hours",
  ]);
  assert.equal(rateWords(null), "No limit");
  assert.equal(rateWords(2 * 1_048_576), "2 MB a second");
});

test("writes the Wi-Fi's text as phones read it, with what would end a field escaped", () => {
  assert.equal(wifiText("Strandhaus", "möwe12345"), "WIFI:T:WPA;S:Strandhaus;P:möwe12345;;");
  assert.equal(wifiText('a;b,c:d"e\\f', "x;"), 'WIFI:T:WPA;S:a\\;b\\,c\\:d\\"e\\\\f;P:x\\;;;');
  assert.equal(wifiText("Open", ""), "WIFI:T:nopass;S:Open;;");
});

function finding(more = {}) {
  return { kind: "photo.damaged", photo: null, album: null, name: null, message: "A photo is damaged.", remedy: "", mended: false, ...more };
}

function check(findings, more = {}) {
  return {
    findings, batches: 3, files: 12, bytes: 3_000_000, folder_files: 10, resumed: 0, unneeded: none,
    quarantine: { files: 0, bytes: 0 }, ...more,
  };
}

test("tells what a check found, and offers mending only where that helps", () => {
  const well = checkWords(check([]));
  assert.deepEqual([well.title, well.findings, well.canMend], ["All is well.", [], false]);
  assert.deepEqual(well.sentences, ["Looked at 12 files of photos, 2.9 MB, and 10 files of the folder."]);
  const remedy = "`potluck verify --repair` sets it aside and fetches it again.";
  const open = checkWords(check([finding({ album: "Beach", remedy }), finding({ mended: true, remedy: "It was made anew." })]));
  assert.equal(open.title, "2 things are not as it should be, 1 not mended.");
  assert.deepEqual(open.findings, [
    "A photo is damaged. (album “Beach”) Mending sets it aside and fetches it again.",
    "A photo is damaged. It was made anew.",
  ]);
  assert.equal(open.canMend, true);
  assert.equal(checkWords(check([finding({ remedy: "Say `potluck down` first." })])).canMend, false);
  const mended = checkWords(check([finding({ mended: true, remedy })]));
  assert.deepEqual([mended.title, mended.canMend], ["1 thing is not as it should be, all is mended or mends itself.", false]);
  const more = checkWords(check(Array.from({ length: 60 }, () => finding()), {
    resumed: 4, unneeded: { photos: 1, bytes: 10 }, quarantine: { files: 2, bytes: 20 },
  }));
  assert.equal(more.findings.length, 51);
  assert.match(more.findings.at(-1), /^and 10 more/);
  assert.equal(more.sentences.length, 4);
});

test("tells how far a check is", () => {
  assert.match(checkProgressWords({ files: 0, file_total: 0, bytes: 0, byte_total: 0 }), /journal/);
  assert.equal(checkProgressWords({ files: 1200, file_total: 5000, bytes: 0, byte_total: 2048 }), "1,200 of 5,000 files, 0 bytes of 2 KB");
});
