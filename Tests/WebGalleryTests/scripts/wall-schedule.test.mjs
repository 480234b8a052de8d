// Shows that the wall is fair: every photo once a round, newest day first, nobody twice in a row while others wait, new
// photos at once, upright ones side by side; and that its memory stays within bounds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { WALL_LIMITS, WallSchedule, filledShare } from "../../../Sources/WebGallery/Resources/wall/schedule.js";

const wide = 16 / 9;
let count = 0;

function photo(by, day = "2026-08-14", aspect = 1.5) {
  count += 1;
  return { id: `p${String(count).padStart(6, "0")}`, album: "a1", by, day, aspect };
}

function schedule(photos) {
  const made = new WallSchedule();
  made.setPhotos(photos);
  return made;
}

/** The next slides' photos. */
function slides(wall, number) {
  return Array.from({ length: number }, () => wall.next(wide));
}

test("has no slide without photos", () => {
  assert.equal(schedule([]).next(wide), null);
});

test("shows every photo once before any is shown again", () => {
  const photos = [...Array(30)].map((_, index) => photo(["Lena", "Ben", "Grandma"][index % 3], `2026-08-${10 + (index % 4)}`));
  const wall = schedule(photos);
  for (let round = 0; round < 3; round += 1) {
    const shown = slides(wall, 30).flatMap((slide) => slide.photos.map(({ id }) => id));
    assert.equal(new Set(shown).size, 30);
  }
});

test("shows nobody twice in a row while others wait", () => {
  // Lena has twenty times as many as the others; what is left of hers at a round's end has to come in a row.
  const photos = [...Array(40)].map(() => photo("Lena")).concat([photo("Ben"), photo("Ben", "2020-01-01"), photo("Anna", "2019-01-01")]);
  const people = slides(schedule(photos), 43).map((slide) => slide.photos[0].by);
  for (let index = 1; index < people.length; index += 1) {
    const othersWait = people.slice(index).some((person) => person !== people[index - 1]);
    if (people[index] === people[index - 1]) assert.equal(othersWait, false, `slide ${index}`);
  }
  assert.deepEqual(people.slice(0, 7), ["Ben", "Lena", "Ben", "Lena", "Anna", "Lena", "Lena"]);
});

test("takes turns between all people of a day", () => {
  const photos = ["Anna", "Ben", "Cleo", "Dora"].flatMap((by) => [photo(by), photo(by), photo(by)]);
  const people = slides(schedule(photos), 12).map((slide) => slide.photos[0].by);
  for (let start = 0; start < 12; start += 4) assert.equal(new Set(people.slice(start, start + 4)).size, 4);
});

test("begins with the newest day", () => {
  const days = ["2026-08-12", "2026-08-14", "2026-08-13", ""];
  const photos = days.flatMap((day) => [photo("Lena", day), photo("Ben", day)]);
  const shown = slides(schedule(photos), 8).map((slide) => slide.photos[0].day);
  assert.deepEqual(shown, [...shown].sort().reverse());
});

test("shows a new photo before all others, and once", () => {
  const wall = schedule([...Array(9)].map((_, index) => photo(["Lena", "Ben"][index % 2])));
  slides(wall, 2);
  const added = photo("Ben", "2001-01-01");
  assert.equal(wall.hasArrival, false);
  wall.add(added);
  wall.add(added);
  assert.equal(wall.hasArrival, true);
  assert.deepEqual(wall.next(wide), { photos: [added], isNew: true });
  const rest = slides(wall, 7);
  assert.equal(rest.some((slide) => slide.photos.includes(added)), false);
  assert.equal(rest.some((slide) => slide.isNew), false);
});

test("lets others between the new photos of one person", () => {
  const wall = schedule([photo("Ben"), photo("Ben"), photo("Anna"), photo("Anna")]);
  for (let index = 0; index < 3; index += 1) wall.add(photo("Lena"));
  const shown = slides(wall, 5);
  assert.deepEqual(shown.map((slide) => slide.isNew), [true, false, true, false, true]);
  assert.equal(shown[1].photos[0].by === "Lena", false);
});

test("lets nobody between the new photos of several people, nor where nobody else is", () => {
  const wall = schedule([photo("Ben")]);
  for (const by of ["Lena", "Lena", "Anna", "Anna"]) wall.add(photo(by));
  assert.deepEqual(slides(wall, 4).map((slide) => slide.photos[0].by), ["Lena", "Anna", "Lena", "Anna"]);
  const alone = schedule([]);
  for (let index = 0; index < 3; index += 1) alone.add(photo("Lena"));
  assert.deepEqual(slides(alone, 3).map((slide) => slide.isNew), [true, true, true]);
});

test("puts two or three upright ones side by side, of different people", () => {
  const photos = ["Lena", "Ben", "Anna"].flatMap((by) => [...Array(4)].map(() => photo(by, "2026-08-14", 3 / 4)));
  const shown = slides(schedule(photos), 6);
  for (const slide of shown) {
    assert.equal(slide.photos.length, 2);
    assert.notEqual(slide.photos[0].by, slide.photos[1].by);
  }
  const narrow = ["Lena", "Ben", "Anna"].flatMap((by) => [photo(by, "2026-08-14", 9 / 16)]);
  assert.equal(schedule(narrow).next(wide).photos.length, 3);
});

test("shows an upright one alone on an upright screen, and beside none that lies", () => {
  const photos = ["Lena", "Ben"].map((by) => photo(by, "2026-08-14", 3 / 4));
  assert.equal(schedule(photos).next(9 / 16).photos.length, 1);
  const mixed = schedule([photo("Ben", "2026-08-14", 3 / 4), photo("Lena", "2026-08-14", 1.5)]);
  assert.deepEqual(slides(mixed, 2).map((slide) => slide.photos.length), [1, 1]);
});

test("puts one person's upright ones side by side only where nobody else waits", () => {
  const wall = schedule([...Array(4)].map(() => photo("Lena", "2026-08-14", 3 / 4)));
  assert.deepEqual(slides(wall, 2).map((slide) => slide.photos.length), [2, 2]);
  const others = schedule([photo("Lena", "2026-08-14", 3 / 4), photo("Lena", "2026-08-14", 3 / 4), photo("Ben", "2026-08-13", 1.5)]);
  assert.equal(others.next(wide).photos.length, 1);
});

test("puts new upright ones of one burst side by side", () => {
  const wall = schedule([]);
  for (let index = 0; index < 4; index += 1) wall.add(photo("Lena", "2026-08-14", 3 / 4));
  const shown = slides(wall, 2);
  assert.deepEqual(shown.map((slide) => [slide.photos.length, slide.isNew]), [[2, true], [2, true]]);
});

test("forgets what was removed", () => {
  const photos = [photo("Lena"), photo("Ben"), photo("Ben")];
  const wall = schedule(photos);
  const added = photo("Anna");
  wall.add(added);
  wall.remove(added.id);
  wall.remove(photos[1].id);
  wall.remove("unknown");
  const ids = new Set(slides(wall, 8).flatMap((slide) => slide.photos.map(({ id }) => id)));
  assert.deepEqual(ids, new Set([photos[0].id, photos[2].id]));
  assert.equal(wall.photoCount, 2);
});

test("keeps its round where the list is loaded again", () => {
  const photos = [...Array(10)].map((_, index) => photo(["Lena", "Ben"][index % 2]));
  const wall = schedule(photos);
  const first = slides(wall, 5).map((slide) => slide.photos[0].id);
  wall.setPhotos(photos);
  const second = slides(wall, 5).map((slide) => slide.photos[0].id);
  assert.equal(new Set([...first, ...second]).size, 10);
});

test("knows at most 5,000 photos, and lets at most 60 new ones wait", () => {
  const wall = schedule([...Array(WALL_LIMITS.photoCountMax + 500)].map((_, index) => photo("Lena", `20${10 + (index % 16)}-01-01`)));
  assert.equal(wall.photoCount, WALL_LIMITS.photoCountMax);
  const burst = schedule([]);
  for (let index = 0; index < 100; index += 1) burst.add(photo(`person ${index}`));
  const shown = slides(burst, 100);
  assert.deepEqual([shown.filter((slide) => slide.isNew).length, shown.length], [60, 100]);
  assert.equal(new Set(shown.map((slide) => slide.photos[0].id)).size, 100, "the others took their turn");
  const full = schedule([...Array(WALL_LIMITS.photoCountMax)].map(() => photo("Lena", "2020-01-01")));
  full.add(photo("Ben"));
  assert.equal(full.photoCount, WALL_LIMITS.photoCountMax);
});

test("measures how much of the screen is filled", () => {
  assert.equal(filledShare([{ aspect: 1 }], 2), 0.5);
  assert.equal(filledShare([{ aspect: 2 }, { aspect: 2 }], 2), 0.5);
});
