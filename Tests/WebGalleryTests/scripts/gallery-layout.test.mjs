// Shows the arithmetic of rows, with albums drawn from seeds: every photo stands once and in order, rows end at the
// edge, no small picture stands alone beside white, and estimates come near to the truth.

import assert from "node:assert/strict";
import { test } from "node:test";
import { breakRows, layRun, planRuns } from "../../../Sources/WebGallery/Resources/gallery/layout.js";
import { Photos } from "../../../Sources/WebGallery/Resources/gallery/photos.js";
import { Sections } from "../../../Sources/WebGallery/Resources/gallery/sections.js";

const frames = {
  phone: { width: 390, target: 120, gap: 2, label: 28, air: 12 },
  laptop: { width: 1232, target: 200, gap: 4, label: 32, air: 16 },
  wide: { width: 1872, target: 200, gap: 4, label: 32, air: 16 },
};
const usualShapes = [4 / 3, 4 / 3, 3 / 4, 3 / 4, 3 / 2, 16 / 9, 1, 9 / 16];
/** Panoramas and strips are rare, and break rows wherever they come. */
const shapes = [...Array.from({ length: 8 }, () => usualShapes).flat(), 2.6, 0.4, 5];

function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An album whose days have the counts that `countOf` gives, newest first. */
function album(dayCount, countOf, seed) {
  const draw = random(seed);
  const months = [];
  const aspects = [];
  for (let day = 0; day < dayCount; day += 1) {
    const name = `${2026 - Math.floor(day / 336)}-${String(12 - (Math.floor(day / 28) % 12)).padStart(2, "0")}`;
    if (months.at(-1)?.month !== name) months.push({ month: name, version: "1", days: [] });
    const count = countOf(draw);
    let sum = 0;
    for (let photo = 0; photo < count; photo += 1) {
      const aspect = shapes[Math.floor(draw() * shapes.length)];
      aspects.push(aspect);
      sum += aspect;
    }
    months.at(-1).days.push([28 - (day % 28), count, sum]);
  }
  return { months, aspects };
}

const kinds = {
  "one a day": (draw) => (draw() < 2 ? 1 : 0),
  "few a day": (draw) => 1 + Math.floor(draw() * 4),
  "many a day": (draw) => 20 + Math.floor(draw() * 80),
  mixed: (draw) => (draw() < 0.5 ? 1 + Math.floor(draw() * 3) : Math.floor(draw() * 120)),
};

for (const [frameName, frame] of Object.entries(frames)) {
  for (const [kind, countOf] of Object.entries(kinds)) {
    test(`${kind} on a ${frameName}`, () => {
      for (let seed = 1; seed <= 12; seed += 1) check(album(90, countOf, seed), frame, `seed ${seed}`);
    });
  }
}

function check({ months, aspects }, frame, hint) {
  const runs = planRuns(months, frame);
  let ordinal = 0;
  let estimated = 0;
  let height = 0;
  for (const [index, run] of runs.entries()) {
    assert.equal(run.first, ordinal, hint);
    const laid = layRun(run, (photo) => aspects[photo], frame);
    ordinal = checkRows(laid.rows, ordinal, frame, index === runs.length - 1 && runs.length === 1, hint);
    assert.equal(ordinal, run.first + run.count, hint);
    assert.equal(laid.rows.flatMap((row) => row.labels).length, run.days.length, hint);
    estimated += run.estimate;
    height += laid.height;
  }
  assert.equal(ordinal, aspects.length, hint);
  // Of a few rows one more or less is much; such albums are loaded whole before anybody scrolls.
  const tolerance = aspects.length < 1000 ? 0.25 : 0.1;
  assert.ok(Math.abs(estimated / height - 1) < tolerance, `${hint}: estimated ${estimated}, is ${height}`);
}

function checkRows(rows, first, frame, mayEndEarly, hint) {
  let ordinal = first;
  let bottom = 0;
  for (const [index, row] of rows.entries()) {
    assert.ok(row.top >= bottom, hint);
    assert.equal(row.pictureTop, row.top + (row.labels.length > 0 ? frame.label + frame.air : 0), hint);
    assert.equal(row.bottom, row.pictureTop + row.height, hint);
    bottom = row.bottom;
    let left = 0;
    for (const tile of row.tiles) {
      assert.equal(tile.ordinal, ordinal, hint);
      assert.ok(tile.width > 0 && Math.abs(tile.left - left) <= 1, hint);
      left = tile.left + tile.width + frame.gap;
      ordinal += 1;
    }
    const isLast = index === rows.length - 1;
    if (!(isLast && mayEndEarly)) assert.equal(left - frame.gap, frame.width, `${hint}: row ${index} of ${rows.length} ends at the edge`);
    for (const label of row.labels) {
      assert.ok(row.tiles.some((tile) => tile.ordinal === label.day.first && tile.left === label.left), hint);
      assert.ok(label.width > 0, hint);
    }
  }
  return ordinal;
}

test("rows keep near the target's height", () => {
  const draw = random(5);
  const usual = Array.from({ length: 400 }, () => usualShapes[Math.floor(draw() * usualShapes.length)]);
  for (const frame of Object.values(frames)) {
    const run = { days: [{ month: "2026-08", day: 1, first: 0, count: 400, sum: 0 }], first: 0, count: 400, sum: 0 };
    const { rows } = layRun(run, (photo) => usual[photo], frame);
    for (const row of rows) assert.ok(row.height > frame.target / 1.5 && row.height < frame.target * 1.5, `${row.height}`);
  }
});

test("a single picture keeps the target's height", () => {
  const frame = frames.laptop;
  const months = [{ month: "2026-08", days: [[1, 1, 1.5]] }];
  const [run] = planRuns(months, frame);
  const { rows, height } = layRun(run, () => 1.5, frame);
  assert.deepEqual([rows.length, rows[0].height, rows[0].tiles[0].width], [1, 200, 300]);
  assert.equal(height, run.estimate);
});

test("an empty album and days without photos", () => {
  assert.deepEqual(planRuns([], frames.phone), []);
  assert.deepEqual(planRuns([{ month: "2026-08", days: [[1, 0, 0]] }], frames.phone), []);
  assert.deepEqual(breakRows([], frames.phone), []);
});

test("a large day begins at the left edge", () => {
  const months = [{ month: "2026-08", days: [[9, 50, 60], [8, 2, 2.6], [7, 2, 2.6], [6, 2, 2.6], [5, 50, 60]] }];
  const runs = planRuns(months, frames.phone);
  assert.deepEqual(runs.map((run) => run.days.map((day) => day.day)), [[9], [8, 7, 6], [5]]);
  const lonely = planRuns([{ month: "2026-08", days: [[9, 50, 60], [8, 1, 0.7], [5, 50, 60]] }], frames.phone);
  assert.deepEqual(lonely.map((run) => run.days.map((day) => day.day)), [[9, 8], [5]]);
  const head = planRuns([{ month: "2026-08", days: [[9, 1, 0.7], [5, 50, 60]] }], frames.phone);
  assert.deepEqual(head.map((run) => run.days.map((day) => day.day)), [[9, 5]]);
});

test("sections: heights become true one by one, and every place is found again", () => {
  const { months, aspects } = album(200, kinds.mixed, 3);
  const frame = frames.laptop;
  const photos = new Photos({ months });
  const sections = new Sections(planRuns(photos.months, frame));
  const draw = random(9);
  const order = sections.runs.map((run, index) => index).sort(() => draw() - 0.5);
  for (const index of order) {
    const below = index + 1;
    const before = sections.top(below);
    const change = sections.settle(index, layRun(sections.runs[index], (photo) => aspects[photo], frame));
    assert.ok(Math.abs(sections.top(below) - before - change) < 1e-6);
  }
  for (let ordinal = 0; ordinal < aspects.length; ordinal += 7) {
    const { top, row, tile } = sections.place(ordinal);
    assert.equal(tile.ordinal, ordinal);
    assert.equal(sections.heightOf(ordinal), top + row.pictureTop);
    assert.equal(sections.at(top + row.pictureTop), sections.of(ordinal));
    const anchor = sections.anchor(top + row.pictureTop);
    assert.equal(anchor.ordinal, row.tiles[0].ordinal);
  }
  const second = sections.place(0).row.tiles.length;
  assert.ok(sections.place(second).row.tiles.some((tile) => tile.ordinal === sections.neighbour(0, "ArrowDown")));
  assert.ok(sections.neighbour(second, "ArrowUp") < second);
  assert.deepEqual(["ArrowUp", "ArrowLeft", "ArrowRight", "End", "a"].map((key) => sections.neighbour(0, key)), [null, 0, 1, aspects.length - 1, null]);
  const found = sections.rowsBetween(1000, 2000);
  assert.ok(found.every(({ top, row }) => top + row.bottom > 1000 && top + row.top < 2000));
  const all = sections.rowsBetween(-10, sections.height + 10);
  assert.equal(all.reduce((sum, { row }) => sum + row.tiles.length, 0), aspects.length);
  assert.equal(sections.of(aspects.length), -1);
  assert.equal(sections.of(-1), -1);
});
