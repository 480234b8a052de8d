// Shows the words for numbers, sizes, people and days.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayNames, dayText, monthName, takenFromName, takenName, yearOf } from "../../../Sources/WebGallery/Resources/shared/dates.js";
import { colourOf, initials } from "../../../Sources/WebGallery/Resources/shared/people.js";
import { bytes, duration, list, plural, since } from "../../../Sources/WebGallery/Resources/shared/words.js";

test("numbers", () => {
  assert.equal(plural(1, "photo"), "1 photo");
  assert.equal(plural(0, "photo"), "0 photos");
  assert.equal(plural(50000, "photo"), "50,000 photos");
  assert.equal(plural(2, "person", "people"), "2 people");
});

test("where a time was read", () => {
  assert.equal(takenFromName("exif"), "the camera");
  assert.equal(takenFromName("name"), "the file's name");
  for (const source of ["exif", "xmp", "quicktime", "name", "mtime"]) assert.notEqual(takenFromName(source), "", source);
  assert.equal(takenFromName(null), "");
});

test("sizes", () => {
  assert.equal(bytes(1), "1 byte");
  assert.equal(bytes(999), "999 bytes");
  assert.equal(bytes(4 * 1024 * 1024), "4 MB");
  assert.equal(bytes(1536), "1.5 KB");
  assert.equal(bytes(8 * 1024 ** 3), "8 GB");
  assert.equal(bytes(1000 * 1024), "1 MB");
});

test("lists of people, initials and colours", () => {
  assert.equal(list([]), "");
  assert.equal(list(["Lena"]), "Lena");
  assert.equal(list(["Lena", "Ben"]), "Lena and Ben");
  assert.equal(list(["Lena", "Ben", "Grandma"]), "Lena, Ben and Grandma");
  assert.equal(initials("Lena (at Grandma's)"), "L");
  assert.equal(initials("Aunt Ruth"), "AR");
  assert.equal(initials("  "), "?");
  assert.equal(initials("élodie"), "É");
  assert.equal(initials("👵 Oma"), "O");
  for (const name of ["", "Lena", "Ben", "Grandma's laptop", "👵"]) assert.ok(colourOf(name) >= 1 && colourOf(name) <= 8, name);
  assert.equal(colourOf("Lena"), colourOf("Lena"));
});

test("lengths of videos, and how long ago", () => {
  assert.equal(duration(0.4), "0:00");
  assert.equal(duration(74), "1:14");
  assert.equal(duration(3723), "1:02:03");
  const now = Date.parse("2026-08-14T12:00:00Z");
  assert.equal(since("2026-08-14T11:59:40Z", now), "just now");
  assert.equal(since("2026-08-14T11:59:00Z", now), "1 minute ago");
  assert.equal(since("2026-08-14T09:30:00Z", now), "2 hours ago");
  assert.equal(since("2026-08-13T11:00:00Z", now), "yesterday");
  assert.match(since("2026-07-01T12:00:00Z", now), /1 July 2026/);
  assert.equal(since("nonsense", now), "");
});

test("days, the longest name first", () => {
  const now = new Date(2026, 7, 20);
  assert.deepEqual(dayNames("2026-08", 14, now), ["Friday, 14 August", "Fri, 14 Aug", "14 Aug"]);
  assert.deepEqual(dayNames("2025-08", 14, now), ["Thursday, 14 August 2025", "Thu, 14 Aug 2025", "14 Aug 2025", "14 Aug"]);
  assert.equal(dayNames("2026-08", 20, now)[0], "Today");
  assert.equal(dayNames("2026-08", 19, now)[0], "Yesterday");
  assert.deepEqual(dayNames("undated", 0, now), ["Without a date", "No date"]);
  assert.equal(dayNames("2026-08", 14, new Date(2026, 0, 1))[0], "Friday, 14 August");
});

test("months, years and moments", () => {
  assert.equal(monthName("2026-08"), "August 2026");
  assert.equal(monthName("undated"), "Without a date");
  assert.equal(yearOf("2026-08"), "2026");
  assert.equal(yearOf("undated"), "");
  assert.equal(dayText("2026-08", 4), "2026-08-04");
  assert.equal(dayText("undated", 0), "");
  assert.equal(takenName("2026-08-14T18:40:12+02:00"), "Friday, 14 August 2026, 18:40");
  assert.equal(takenName("2026-08-14T18:40:12", true, new Date(2027, 0, 1)), "Fri, 14 Aug 2026, 18:40");
  assert.equal(takenName("2026-08-14T18:40:12", true, new Date(2026, 7, 20)), "Fri, 14 Aug, 18:40");
  assert.equal(takenName(null), "");
});
