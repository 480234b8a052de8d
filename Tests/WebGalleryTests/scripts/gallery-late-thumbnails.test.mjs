// Shows when a small picture that was not there is asked for again: at an event, and by the clock, without one too many.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LateThumbnails, retryPause } from "../../../Sources/WebGallery/Resources/gallery/late-thumbnails.js";

/** Timers that a test lets go off, and the images that were asked for. */
function setting({ isSeen = () => true } = {}) {
  const timers = new Map();
  const asked = [];
  let number = 0;
  const late = new LateThumbnails((image, photo) => {
    if (!isSeen(image)) return false;
    asked.push(`${image} of ${photo}`);
    return true;
  }, {
    start: (work, pause) => {
      number += 1;
      timers.set(number, { work, pause });
      return number;
    },
    stop: (timer) => timers.delete(timer),
  });
  const goOff = () => {
    const [[timer, { work, pause }]] = timers;
    timers.delete(timer);
    work();
    return pause;
  };
  return { late, timers, asked, goOff };
}

test("is asked for after a while in any case, more and more rarely, and never given up", () => {
  const { late, asked, goOff } = setting();
  const pauses = Array.from({ length: 8 }, () => {
    late.failed("image", "photo");
    return goOff();
  });
  assert.deepEqual(pauses, [2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000]);
  assert.equal(retryPause(400), 60000);
  assert.equal(asked.length, 8);
});

test("is asked for at once when the laptop has it, and not once more after that", () => {
  const { late, timers, asked } = setting();
  late.failed("one", "a");
  late.failed("other", "b");
  late.ready("a", false);
  assert.deepEqual(asked, ["one of a"]);
  late.forget("one");
  assert.equal(timers.size, 1);
  late.ready("a", false);
  assert.deepEqual(asked, ["one of a"]);
});

test("where there is nothing to ask for yet, only the event asks", () => {
  const { late, timers, asked } = setting();
  late.expect("image", "a");
  late.askAll();
  assert.equal(timers.size, 0);
  late.ready("a", false);
  assert.deepEqual(asked, []);
  late.ready("a", true);
  assert.deepEqual(asked, ["image of a"]);
});

test("what the laptop told before the question failed, or before there was a tile, is asked for at once", () => {
  const { late, timers, asked, goOff } = setting();
  late.ready("a", true);
  late.failed("one", "a");
  assert.deepEqual(asked, ["one of a"]);
  late.failed("one", "a");
  assert.deepEqual(asked, ["one of a"]);
  assert.equal(timers.size, 1);
  late.forget("one");
  late.ready("b", true);
  late.expect("other", "b");
  assert.deepEqual(asked, ["one of a"]);
  assert.equal(goOff(), 0);
  assert.deepEqual(asked, ["one of a", "other of b"]);
  late.ready("c", false);
  late.expect("third", "c");
  assert.equal(timers.size, 0);
});

test("of what the laptop told only the latest is remembered", () => {
  const { late, timers, asked, goOff } = setting();
  for (let number = 0; number <= 200; number += 1) late.ready(`photo ${number}`, true);
  late.expect("first", "photo 0");
  assert.equal(timers.size, 0);
  late.expect("second", "photo 1");
  goOff();
  assert.deepEqual(asked, ["second of photo 1"]);
});

test("all that failed are asked for when the laptop is back", () => {
  const { late, asked } = setting();
  late.failed("one", "a");
  late.failed("other", "b");
  late.askAll();
  assert.deepEqual(asked, ["one of a", "other of b"]);
});

test("pictures that left the page are forgotten", () => {
  const { late, goOff } = setting({ isSeen: () => false });
  late.failed("image", "a");
  goOff();
  assert.equal(late.count, 0);
});
