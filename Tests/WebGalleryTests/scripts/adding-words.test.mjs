// Shows the words of the bar and its list: they are sentences that say what to do, and name no error's number.

import assert from "node:assert/strict";
import { test } from "node:test";
import { barWords, leftWords, mayRetry, reasonWords, stateWords } from "../../../Sources/WebGallery/Resources/adding/words.js";

const limits = { fileBytesMax: 8_589_934_592 };
const summary = { total: 60, finished: 14, here: 12, already: 1, refused: 1 };

test("says how far it is", () => {
  assert.equal(barWords(summary), "14 of 60 · keeps going if you come back to this page");
  assert.equal(barWords(summary, { isOffline: true }), "14 of 60 · waiting for the laptop to answer");
  assert.equal(barWords(summary, { isSuspended: true }), "46 files waiting · you are signed out");
  const end = barWords({ total: 4, finished: 4, here: 2, already: 1, refused: 1 });
  assert.equal(end.replaceAll("\u00a0", " "), "2 added · 1 already here · 1 not added");
});

test("says each state in a few words", () => {
  const item = { state: "sending", sent: 50, size: 200, retryAt: 0 };
  assert.equal(stateWords(item), "Sending, 25 %");
  assert.equal(stateWords({ ...item, state: "waiting" }), "Waiting");
  assert.equal(stateWords({ ...item, state: "waiting", retryAt: 9 }), "Waiting for the laptop to answer");
  assert.equal(stateWords({ ...item, state: "here", isTakingBack: true }), "Taking it back");
});

test("says why a file was not added, and what to do", () => {
  const words = (code, text = null, name = "film.MOV") => reasonWords({ name, reason: { code, text } }, limits);
  assert.equal(words("too-large"), "This video is larger than 8 GB; bring it on a stick.");
  assert.equal(words("status-413", null, "a.zip"), "This file is larger than 8 GB; bring it on a stick.");
  assert.equal(words("not-taken", "This is a letter, no photo."), "This is a letter, no photo.");
  for (const code of ["empty", "unreadable", "changed", "lost", "disk_full", "no_album", "forbidden", "too_many", "what is this"]) {
    const sentence = words(code);
    assert.match(sentence, /\.$/, code);
    assert.doesNotMatch(sentence, /[0-9]|error|undefined/i, code);
  }
});

test("offers to try again only where that may help", () => {
  assert.deepEqual(["disk_full", "no_space", "lost", "too_many"].map((code) => mayRetry({ code })), [true, true, true, true]);
  assert.deepEqual(["too-large", "status-413", "empty", "not-taken"].map((code) => mayRetry({ code })), [false, false, false, false]);
});

test("names the files that were left", () => {
  const files = (count) => Array.from({ length: count }, (_, index) => ({ name: `${index}.jpg` }));
  assert.match(leftWords(files(1)), /^Not finished: 0\.jpg\. Pick it again;/);
  assert.match(leftWords(files(3)), /^Not finished: 0\.jpg, 1\.jpg and 2\.jpg\. Pick them again;/);
  assert.match(leftWords(files(9)), /^Not finished: 0\.jpg, 1\.jpg, 2\.jpg and 6 more\./);
});
