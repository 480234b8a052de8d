// Shows the arithmetic of looking closer and of swipes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clamped, fitted, scaleMax, scaledAbout, swipeEnd } from "../../../Sources/WebGallery/Resources/gallery/zoom.js";

const stage = { width: 400, height: 800 };

test("a picture fits its stage in the one or the other direction", () => {
  assert.deepEqual(fitted(2, stage), { width: 400, height: 200 });
  assert.deepEqual(fitted(0.25, stage), { width: 200, height: 800 });
  assert.deepEqual(fitted(0.5, stage), { width: 400, height: 800 });
});

test("the point under the fingers stays where it is", () => {
  const zoom = { scale: 1.5, x: 20, y: -30 };
  const point = { x: 55, y: 80 };
  const closer = scaledAbout(zoom, 4, point);
  // What of the picture lies under the point, before and after.
  assert.ok(Math.abs((point.x - zoom.x) / zoom.scale - (point.x - closer.x) / closer.scale) < 1e-9);
  assert.ok(Math.abs((point.y - zoom.y) / zoom.scale - (point.y - closer.y) / closer.scale) < 1e-9);
});

test("no side comes further in than it has to", () => {
  const size = { width: 400, height: 200 };
  assert.deepEqual(clamped({ scale: 1, x: 50, y: -50 }, size, stage), { scale: 1, x: 0, y: 0 });
  assert.deepEqual(clamped({ scale: 2, x: 500, y: 500 }, size, stage), { scale: 2, x: 200, y: 0 });
  assert.deepEqual(clamped({ scale: 5, x: -100, y: -500 }, size, stage), { scale: 5, x: -100, y: -100 });
});

test("how close one may look", () => {
  assert.equal(scaleMax(4000, 400), 20);
  assert.equal(scaleMax(1000, 400), 5);
  assert.equal(scaleMax(100, 400), 3);
});

test("swipes go on by distance or by speed, never against the finger", () => {
  assert.equal(swipeEnd(200, 0, 400), 1);
  assert.equal(swipeEnd(-200, 0, 400), -1);
  assert.equal(swipeEnd(50, 0, 400), 0);
  assert.equal(swipeEnd(50, 0.6, 400), 1);
  assert.equal(swipeEnd(50, -0.6, 400), 0);
  assert.equal(swipeEnd(5, 2, 400), 0);
});
